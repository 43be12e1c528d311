/* One battle on a server: its log, what was seen in it, the open request, the answers.
 *
 *              |request|               battle_decide
 *    RUNNING ------------> ASKED ------------------------> ANSWERED ---> RUNNING or ASKED ...
 *       ^                    ^   \  [Unavailable choice]      |              |win|, |tie|
 *       |                    |    `------> RENEWED <----------'                   |
 *       `---- |init| --------'  a new |request|                                   v
 *          (everything starts again)                                            OVER
 *
 * The server sends the log of a turn first and the request that follows from it later, so the
 * tracker is complete when a request is read.  After a reconnect the whole log comes again,
 * beginning with |init|; everything is rebuilt from it.
 */
#ifndef SHOWDOWN_BATTLE_H
#define SHOWDOWN_BATTLE_H

#include "showdown/decide.h"
#include "showdown/host.h"

#include <stdio.h>

enum battle_state {
    BATTLE_RUNNING,
    BATTLE_ASKED,
    BATTLE_ANSWERED,
    BATTLE_RENEWED, /* the answer was not available; the server will send a new request */
    BATTLE_OVER
};

enum battle_result { BATTLE_UNKNOWN, BATTLE_WON, BATTLE_LOST, BATTLE_TIED, BATTLE_ABANDONED };

enum { BATTLE_ROOM = 80, BATTLE_LOG_MAX = 16 << 20 };

struct battle_settings {
    const struct decide *decide; /* borrowed */
    uint64_t seed;
    double time_ms;     /* for one decision */
    bool timer;         /* asks the server to use its timer */
    const char *folder; /* folder for logs, replays and dumps; NULL: none */
    bool only_losses;   /* keeps no files of battles that were won or tied */
};

struct battle_count {
    int decisions, defaults;  /* answers; those that were `default` */
    int invalid, unavailable; /* answers that the server refused */
    int late;                 /* refused because the turn was over */
    int unknown, broken;      /* lines that are unknown, or incomplete */
    int differences;          /* choices that only the game or only a request has */
    int unsearched;           /* decisions by a simpler method than the search */
    int rebuilt;              /* how often the log came again */
    int timed_out;            /* battles lost on time */
    double think_ms, think_most_ms;
};

struct battle {
    char room[BATTLE_ROOM];
    char own_id[PROTOCOL_ID];
    const struct battle_settings *settings;
    const struct host *host;
    enum battle_state state;
    enum battle_result result;
    struct tracker tracker;
    struct request request;
    char *request_json; /* of the open request */
    void *memory;
    bool has_memory, lost; /* lost: the connection was lost and the room has not come back */
    char *log;             /* all lines of the replay */
    size_t log_length, log_size;
    char answer[REQUEST_TEXT];          /* the last one that was sent */
    char shown[40];                     /* the player's estimate when it was sent */
    int refused;                        /* how often answers to the open request were refused */
    double heard_ms, asked_ms, sent_ms; /* monotonic clock */
    double clock_s, clock_at_ms;        /* the server's total time left, and when it said so; -1: no
                                  * clock */
    double clock_turn_s;
    bool timer_asked;
    FILE *dump;
    struct battle_count count;
};

/* own_id: the id of our name; the side with this name is ours.  Everything but the texts is
 * borrowed. */
void battle_open(struct battle *battle, const char *room, const char *own_id,
                 const struct battle_settings *settings, const struct host *host, double now_ms);

/* Frees what the battle owns; writes no files. */
void battle_close(struct battle *battle);

/* Reads one line of the room. */
void battle_line(struct battle *battle, struct protocol_text line, double now_ms);

/* Answers the open request; does nothing unless the state is ASKED. */
void battle_decide(struct battle *battle, double now_ms);

/* Answers `default` if the new request that should follow RENEWED has not come in time. */
void battle_tick(struct battle *battle, double now_ms);

/* Notes that the connection is lost.  |init| ends this, when the battle's room opens again. */
void battle_lost(struct battle *battle);

/* Ends the battle without a result. */
void battle_abandon(struct battle *battle, const char *why);

/* Sends the last answer again, because the server ignored it. */
void battle_resend(struct battle *battle);

/* One line for people: turn, both sides, the last answer. */
void battle_view(const struct battle *battle, char *out, size_t size);

#endif
