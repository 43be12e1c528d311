/* One game of a match: how it is set up, played and recorded. */
#ifndef MATCH_MATCH_GAME_H
#define MATCH_MATCH_GAME_H

#include "match/match.h"
#include "match/opening.h"
#include "match/totals.h"
#include "queue/queue.h"
#include "records/game_record.h"

#include <stdatomic.h>

/* A finished game. */
struct match_game {
    struct match_game *next; /* next in a list of games that wait for earlier ones */
    int64_t number, round;
    int seats[BANYAN_MAX_PLAYERS]; /* by seat: number of the player of the match */
    /* by seat; the member player must not be used any more */
    struct playing_seat played[BANYAN_MAX_PLAYERS];
    uint64_t hash; /* hash of start and actions */
    bool stored;   /* read from the database, where it was already */
    double elapsed_ms;
    struct game_record record;
};

void match_game_free(struct match_game *game);

/* What the totals need of a game; borrowed from it. */
struct match_outcome match_game_outcome(const struct match_game *game);

/* Settings of all games of a match; borrowed, and not changed while games are played. */
struct match_plan {
    const struct banyan_game *game;
    const struct match_options *options;
    const char *const *specs;
    struct opening_list openings;
    int count; /* number of players */
    /* texts of players with the handicap of a seat; NULL: as in specs; owned */
    char *handicapped[BANYAN_MAX_PLAYERS][MATCH_MAX_PLAYERS];
    /* hash of the openings' lines and of the host's start; "": there are none */
    char starts[QUEUE_HASH + 1];
    bool elsewhere;     /* others play the games: no players are made here */
    atomic_bool ending; /* start no more games, and abandon those in progress */
};

/* Fills in the texts of players with handicaps; freed by match_plan_free, also after an error. */
enum banyan_status match_plan_handicaps(struct match_plan *plan, struct banyan_error *err);
void match_plan_free(struct match_plan *plan);

/* Reads the file of openings, and fills in the hash of what the games start from. */
enum banyan_status match_plan_starts(struct match_plan *plan, struct banyan_error *err);

/* Frees the texts of players with handicaps. */
void match_plan_leave(struct match_plan *plan);

/* Whether these players can play this game. */
enum banyan_status match_plan_check(const struct match_plan *plan, struct banyan_error *err);

/* The text of a player in a seat. */
const char *match_plan_text(const struct match_plan *plan, int seat, int player);

/* The players and the table of one thread. */
struct match_worker {
    const struct match_plan *plan;
    struct banyan_player players[MATCH_MAX_PLAYERS];
    /* [count] by seat: the players with its handicap; NULL: the seat has none; owned */
    struct banyan_player *handicapped[BANYAN_MAX_PLAYERS];
    struct playing table;
    struct opening opening;
    void *start; /* [state_size] */
};

/* Creates the players: one for each spec, and one more of each for every seat with a handicap; none if others play
 * the games. */
enum banyan_status match_worker_create(struct match_worker *worker, const struct match_plan *plan,
                                       struct banyan_error *err);
void match_worker_destroy(struct match_worker *worker);

/* Games in a round: the number of rotations of seats. */
int match_rotations(const struct match_plan *plan);

/* Plays game `number`; *out is freed with match_game_free.  BANYAN_INTERRUPTED: options->stop or
 * plan->ending is set. */
enum banyan_status match_game_play(struct match_worker *worker, int64_t number,
                                   struct match_game **out, struct banyan_error *err);

/* As match_game_play, for a game that was played elsewhere: its recorded actions are played again by the
 * rules.  BANYAN_ILLEGAL: they are not those of a game with this number. */
enum banyan_status match_game_again(struct match_worker *worker, int64_t number,
                                    const struct game_record *record, struct match_game **out,
                                    struct banyan_error *err);

/* --- for match_again.c --- */

/* A game with its round and seats; NULL: no memory. */
struct match_game *match_game_create(int64_t number, const struct match_plan *plan,
                                     struct banyan_error *err);

/* Makes start and opening in worker, and begins the record. */
enum banyan_status match_game_start(struct match_worker *worker, struct match_game *game,
                                    struct banyan_error *err);

/* Records the last joint action of the table. */
enum banyan_status match_game_record(struct match_game *game, struct playing *table,
                                     struct banyan_error *err);

/* Ends the record with the state of the table. */
void match_game_finish(struct match_worker *worker, struct match_game *game);

#endif
