/* One battle: its log, what was seen in it, what is asked, what was answered.
 *
 *               |request|               battle_decide
 *     RUNNING ------------> ASKED ------------------------> ANSWERED ---> RUNNING or ASKED ...
 *        ^                    ^   \  [Unavailable choice]      |              |win|, |tie|
 *        |                    |    `------> RENEWED <----------'                   |
 *        `---- |init| --------'  a fresh |request|                                 v
 *           (all starts over)                                                    OVER
 *
 * The server sends the log of a turn first and the request that follows from it later, so the
 * tracker knows all when a request is read.  After a reconnect the whole log comes again, from
 * |init| on; everything is rebuilt from it.
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
    BATTLE_RENEWED, /* the answer was not available; a fresh request is to come */
    BATTLE_OVER
};

enum battle_result { BATTLE_UNKNOWN, BATTLE_WON, BATTLE_LOST, BATTLE_TIED, BATTLE_ABANDONED };

enum { BATTLE_ROOM = 80, BATTLE_LOG_MAX = 16 << 20 };

struct battle_settings {
    const struct decide *decide; /* borrowed */
    uint64_t seed;
    double time_ms;     /* for a decision */
    bool timer;         /* ask the server to keep time */
    const char *folder; /* where logs, replays and dumps go; NULL: nowhere */
};

struct battle_count {
    int decisions, defaults;  /* answers; those that fell back to `default` */
    int invalid, unavailable; /* refusals of either kind */
    int late;                 /* refused because the turn was over */
    int unknown, broken;      /* lines */
    int differences;          /* choices that the engine and a request did not agree on */
    int unsearched;           /* decisions made by something simpler than was wanted */
    int rebuilt;              /* times that the log came again */
    int timed_out;            /* lost on time */
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
    void *mind;
    bool has_mind, lost; /* lost: the connection is, or the room was not heard of since */
    char *log;           /* all lines that make a replay */
    size_t log_length, log_size;
    char answer[REQUEST_TEXT];          /* the last one that was sent */
    char shown[40];                     /* what the player thought with it */
    int refused;                        /* answers to the open request */
    double heard_ms, asked_ms, sent_ms; /* monotonic */
    double clock_s, clock_at_ms; /* the server's time left in all when it was said; -1: no clock */
    double clock_turn_s;
    bool timer_asked;
    FILE *dump;
    struct battle_count count;
};

/* own_id: of the name that we play under; its side is ours.  All borrowed but the texts. */
void battle_open(struct battle *battle, const char *room, const char *own_id,
                 const struct battle_settings *settings, const struct host *host, double now_ms);

/* Frees what the battle holds; writes nothing. */
void battle_close(struct battle *battle);

/* One line of the room. */
void battle_line(struct battle *battle, struct protocol_text line, double now_ms);

/* Answers the open request; does nothing unless the state is ASKED. */
void battle_decide(struct battle *battle, double now_ms);

/* What happens because nothing happened: a request that is not renewed, a choice that was lost. */
void battle_tick(struct battle *battle, double now_ms);

/* The connection is lost; or it is back and the server speaks of the battle again. */
void battle_lost(struct battle *battle);

/* The battle ends here without a result. */
void battle_abandon(struct battle *battle, const char *why);

/* Sends the last answer once more: the server let it fall. */
void battle_resend(struct battle *battle);

/* One line for a human: turn, both sides, the last answer. */
void battle_view(const struct battle *battle, char *out, size_t size);

#endif
