/* A |request| of the server as a struct, with all choices that can answer it.
 *
 *    {"active":[{"moves":[...],"canDynamax":true,...}],"side":{"pokemon":[6]},"rqid":7}
 *      -->  move 1, move 1 dynamax, ..., switch 2, ...
 *
 * Own Pokémon are in the server's order, which changes: the active one is first, and `switch N`
 * uses that order.  Unknown names are stored as they are.
 */
#ifndef SHOWDOWN_REQUEST_H
#define SHOWDOWN_REQUEST_H

#include "showdown/protocol.h"

#include <banyan/status.h>

#include <stdint.h>

enum {
    REQUEST_MOVES = 4,
    REQUEST_TEAM = 6,
    REQUEST_CHOICES = 16, /* 4 moves, 4 with Dynamax, 5 switches */
    REQUEST_TEXT = 32     /* "move 4 dynamax" */
};

enum request_kind {
    REQUEST_WAIT,       /* the other side chooses */
    REQUEST_FOR_MOVE,   /* a move, or a switch */
    REQUEST_FOR_SWITCH, /* a switch, after fainting or a move such as U-turn */
    REQUEST_TEAM_PREVIEW
};

enum request_choice_kind {
    REQUEST_CHOOSE_MOVE,
    REQUEST_CHOOSE_DYNAMAX,
    REQUEST_CHOOSE_SWITCH,
    REQUEST_CHOOSE_DEFAULT /* the server's first legal choice */
};

struct request_choice {
    enum request_choice_kind kind;
    int slot; /* from 0: index into the request's moves or its team */
};

struct request_move {
    char id[PROTOCOL_ID];
    char max_id[PROTOCOL_ID]; /* its id while Dynamaxed; empty: not given */
    int pp, pp_max;           /* -1: not given, as for a move that the Pokémon is locked into */
    bool disabled, max_disabled;
};

struct request_pokemon {
    char name[PROTOCOL_NAME], species[PROTOCOL_NAME];
    int level;
    char gender;
    int hp, hp_max;           /* 0 of 0: fainted; both are doubled while Dynamaxed */
    char status[PROTOCOL_ID]; /* "par"; empty: none */
    bool active, fainted;
    int stats[5];                                 /* atk def spa spd spe, without boosts */
    char moves[REQUEST_MOVES][PROTOCOL_ID];       /* empty: none */
    char ability[PROTOCOL_ID], item[PROTOCOL_ID]; /* ability: the present one; item empty: none */
    char base_ability[PROTOCOL_ID];
};

struct request {
    enum request_kind kind;
    int64_t rqid; /* 0: not given */
    bool update;  /* the same decision again, with more information */
    int side;     /* 0: we are p1, 1: p2, -1: not given */
    char player[PROTOCOL_NAME];
    struct request_move moves[REQUEST_MOVES];
    int move_count;
    bool trapped, maybe_trapped, maybe_disabled, maybe_locked;
    bool can_dynamax, dynamaxed;
    bool gigantamax; /* whether the active Pokémon can Gigantamax; given while it may Dynamax or
                      * is Dynamaxed */
    struct request_pokemon team[REQUEST_TEAM];
    int team_count;
    struct request_choice
        choices[REQUEST_CHOICES]; /* all legal choices; empty only when kind is REQUEST_WAIT */
    int choice_count;
};

/* Reads the JSON of a |request| line and finds the choices.  BANYAN_CORRUPT: the text is no valid
 * request; BANYAN_UNSUPPORTED: it is for more than one Pokémon at once; *out must not be used then.
 * An empty text or `null` means REQUEST_WAIT. */
enum banyan_status request_parse(const char *json, size_t length, struct request *out,
                                 struct banyan_error *err);

/* The choice as it is sent: "move 1 dynamax", "switch 3", "default". */
void request_choice_text(struct request_choice choice, char out[REQUEST_TEXT]);

#endif
