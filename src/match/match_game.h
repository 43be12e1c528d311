/* One game of a match: how it is set up, played and written down. */
#ifndef MATCH_MATCH_GAME_H
#define MATCH_MATCH_GAME_H

#include "match/match.h"
#include "match/opening.h"

#include <stdatomic.h>

/* A finished game. */
struct match_game {
    struct match_game *next; /* in a list of games that wait for earlier ones */
    int64_t number;
    int seats[BANYAN_MAX_PLAYERS];                  /* which player of the match sat there */
    float returns[BANYAN_MAX_PLAYERS];              /* by seat */
    float points[BANYAN_MAX_PLAYERS];               /* by seat; zeros where the game counts none */
    struct playing_seat played[BANYAN_MAX_PLAYERS]; /* by seat; player is not to be used any more */
    int overstepped;                                /* seat, -1: none */
    int plies, opening_plies;
    uint64_t setup_seed, dice_seed;
    uint64_t hash; /* of start and actions */
    char *start;   /* text of the first state; owned */
    char *actions; /* "d3 c5": as --moves and opening files take them; owned */
    double elapsed_ms;
};

void match_game_free(struct match_game *game);

/* What all games of a match have in common; borrowed, not changed while playing. */
struct match_plan {
    const struct banyan_game *game;
    const struct match_options *options;
    const char *const *specs;
    struct opening_list openings;
    int count;          /* of players */
    atomic_bool ending; /* no more games, and leave those in progress */
};

/* Appends game to out as one line of JSON (docs/json.md, "game"). */
enum banyan_status match_game_save(const struct match_plan *plan, const struct match_game *game,
                                   FILE *out, struct banyan_error *err);

/* One thread's chair: players and a table of its own. */
struct match_worker {
    const struct match_plan *plan;
    struct banyan_player players[MATCH_MAX_PLAYERS];
    struct playing table;
    struct opening opening;
    void *start; /* [state_size] */
};

/* Creates one player per spec. */
enum banyan_status match_worker_create(struct match_worker *worker, const struct match_plan *plan,
                                       struct banyan_error *err);
void match_worker_destroy(struct match_worker *worker);

/* Games of one round: the rotations of seats. */
int match_rotations(const struct match_plan *plan);

/* Plays game `number`; *out is freed with match_game_free.  BANYAN_INTERRUPTED: options->stop
 * or plan->ending. */
enum banyan_status match_game_play(struct match_worker *worker, int64_t number,
                                   struct match_game **out, struct banyan_error *err);

#endif
