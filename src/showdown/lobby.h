/* Everything between the connection and the battles: the login, finding battles, and the list of
 * battles.
 *
 *    connected --challstr--> NAMING --updateuser--> READY --- challenge, accept, search
 *        ^                                            |            |
 *        `------------- lost (battles stay) <---------'         |init|battle --> battle ... |win|
 *
 * The caller tells the lobby what arrives and what time it is; the lobby answers through its host.
 */
#ifndef SHOWDOWN_LOBBY_H
#define SHOWDOWN_LOBBY_H

#include "showdown/battle.h"

enum { LOBBY_BATTLES = 64, LOBBY_CHALLENGERS = 32 };

extern const char *const lobby_format; /* the format that this client plays: "gen8randombattle" */

struct lobby_settings {
    struct battle_settings battle;
    char name[PROTOCOL_NAME];
    char challenge[PROTOCOL_NAME];   /* the user to challenge; empty: none */
    bool accept;                     /* accept challenges */
    char accept_from[PROTOCOL_NAME]; /* only from this user; empty: from everybody */
    bool ladder;
    int games;        /* number to play; 0: no limit */
    int concurrent;   /* at the same time, 1..LOBBY_BATTLES */
    double gap_ms;    /* least time between two own challenges */
    double repeat_ms; /* after this time an unanswered challenge is made again; 0: never */
    bool assertion;   /* the login server must confirm the name */
};

enum lobby_state {
    LOBBY_OFFLINE,
    LOBBY_CONNECTED, /* waits for the challstr */
    LOBBY_NAMING,    /* waits for an assertion, then for the name */
    LOBBY_READY,
    LOBBY_FAILED /* cannot continue: see error */
};

struct lobby_count {
    int started, finished, won, lost, tied, abandoned;
    int reconnects, frames, repaired; /* repaired: frames that were not UTF-8 */
    struct battle_count battles;      /* sums over all finished battles */
};

struct lobby_host {
    struct host host;
    /* Asks the login server for an assertion; the host must then call lobby_assertion. */
    void (*login)(void *self, const char *challstr);
    /* A battle is over; it is freed after this. */
    void (*over)(void *self, const struct battle *battle);
};

struct lobby {
    struct lobby_settings settings;
    struct lobby_host host;
    char id[PROTOCOL_ID];
    enum lobby_state state;
    struct banyan_error error; /* for LOBBY_FAILED */
    struct battle *battles[LOBBY_BATTLES];
    int battle_count;
    char challengers[LOBBY_CHALLENGERS][PROTOCOL_NAME]; /* users whose challenges are open */
    int challenger_count;
    bool challenged, searching; /* an own challenge or search is open */
    double state_ms;            /* when the state was entered */
    double ask_ms;              /* earliest time of the next challenge or search */
    double asked_ms;            /* time of the last own challenge */
    double rejoin_ms;           /* when to join battles that the server does not open again; 0:
                                 * not needed */
    int unknown;                /* number of unknown or incomplete lines */
    struct lobby_count count;
};

void lobby_open(struct lobby *lobby, const struct lobby_settings *settings,
                const struct lobby_host *host);
void lobby_close(struct lobby *lobby);

void lobby_connected(struct lobby *lobby, double now_ms);
void lobby_lost(struct lobby *lobby, double now_ms);

/* Reads a frame; changes text where it is not UTF-8. */
void lobby_frame(struct lobby *lobby, char *text, size_t length, double now_ms);

/* The login server's answer; assertion NULL: it failed, and err says why. */
void lobby_assertion(struct lobby *lobby, const char *assertion, const struct banyan_error *err,
                     double now_ms);

/* Does what is due: challenges, searches, timeouts.  To be called a few times a second. */
void lobby_tick(struct lobby *lobby, double now_ms);

/* Makes the decision that has waited longest; false: none is waiting. */
bool lobby_decide(struct lobby *lobby, double now_ms);

/* Whether all games have been played and no battle is open. */
bool lobby_done(const struct lobby *lobby);

#endif
