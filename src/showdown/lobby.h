/* Everything between the wire and the battles: the login, how battles are found, which there are.
 *
 *     connected --challstr--> NAMING --updateuser--> READY --- challenge, accept, search
 *         ^                                            |            |
 *         `------------- lost (battles stay) <---------'         |init|battle --> battle ... |win|
 *
 * The lobby is told what arrives and what time it is, and speaks through its host.
 */
#ifndef SHOWDOWN_LOBBY_H
#define SHOWDOWN_LOBBY_H

#include "showdown/battle.h"

enum { LOBBY_BATTLES = 64, LOBBY_CHALLENGERS = 32 };

extern const char *const lobby_format; /* the one that we play: "gen8randombattle" */

struct lobby_settings {
    struct battle_settings battle;
    char name[PROTOCOL_NAME];
    char challenge[PROTOCOL_NAME];   /* whom to challenge; empty: nobody */
    bool accept;                     /* accept challenges */
    char accept_from[PROTOCOL_NAME]; /* of this user only; empty: of everybody */
    bool ladder;
    int games;      /* to play; 0: without end */
    int concurrent; /* at once, 1..LOBBY_BATTLES */
    double gap_ms;  /* at least between two challenges of ours */
    bool assertion; /* names need an assertion of the login server */
};

enum lobby_state {
    LOBBY_OFFLINE,
    LOBBY_CONNECTED, /* waits for the challstr */
    LOBBY_NAMING,    /* waits for an assertion, then for the name */
    LOBBY_READY,
    LOBBY_FAILED /* for good: see error */
};

struct lobby_count {
    int started, finished, won, lost, tied, abandoned;
    int reconnects, frames, repaired; /* frames that were not UTF-8 */
    struct battle_count battles;      /* of all that are over */
};

struct lobby_host {
    struct host host;
    /* Asks the login server for an assertion; lobby_assertion is to follow. */
    void (*login)(void *self, const char *challstr);
    /* A battle is over; it is freed after this. */
    void (*over)(void *self, const struct battle *battle);
};

struct lobby {
    struct lobby_settings settings;
    struct lobby_host host;
    char id[PROTOCOL_ID];
    enum lobby_state state;
    struct banyan_error error; /* of FAILED */
    struct battle *battles[LOBBY_BATTLES];
    int battle_count;
    char challengers[LOBBY_CHALLENGERS][PROTOCOL_NAME]; /* whose challenges are open */
    int challenger_count;
    bool challenged, searching; /* ours is open */
    double state_ms;            /* when the state was entered */
    double ask_ms;              /* not before: the next challenge or search */
    double asked_ms;            /* the last of ours */
    double rejoin_ms;           /* when to ask for battles that the server does not bring; 0: no */
    int unknown;                /* lines */
    struct lobby_count count;
};

void lobby_open(struct lobby *lobby, const struct lobby_settings *settings,
                const struct lobby_host *host);
void lobby_close(struct lobby *lobby);

void lobby_connected(struct lobby *lobby, double now_ms);
void lobby_lost(struct lobby *lobby, double now_ms);

/* A frame as it came in; text is changed where it is not UTF-8. */
void lobby_frame(struct lobby *lobby, char *text, size_t length, double now_ms);

/* The login server's answer; NULL: none, and err says why. */
void lobby_assertion(struct lobby *lobby, const char *assertion, const struct banyan_error *err,
                     double now_ms);

/* What is due: challenges, searches, patience.  To be called a few times a second. */
void lobby_tick(struct lobby *lobby, double now_ms);

/* Makes the decision that has waited longest; false when none waits. */
bool lobby_decide(struct lobby *lobby, double now_ms);

/* Whether all games are played and none is open. */
bool lobby_done(const struct lobby *lobby);

#endif
