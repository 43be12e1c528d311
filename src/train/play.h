/* Self-play: many games at once feed one batch.
 *
 *      game 0   search --select--> leaf \                         / update
 *      game 1   search --select--> leaf  >-- one batch -- net --<   update
 *      game n   search --select--> leaf /                         \ update
 *      a search that is done: choose, write down, play, next position
 *
 * In the first generations a teacher may play instead of the network (play_teacher.h).
 *
 * A game depends only on (seed, generation, number), the settings and the network: neither on
 * threads nor on other games.
 */
#ifndef TRAIN_PLAY_H
#define TRAIN_PLAY_H

#include "players/program/net.h"
#include "train/record.h"

#include <banyan/search.h>
#include <banyan/stop.h>

struct play_options {
    int at_once; /* games at once in one thread */
    int threads;
    int simulations; /* simulations of a full search: explores, and gives a policy target */
    /* simulations of the other searches (playout cap randomisation, Wu 2019) */
    int fast_simulations;
    double whole_share; /* share of searches that are full; 1: all of them */
    int random_plies;   /* a game begins after 0 to random_plies random plies (play_start.h) */
    int warm_plies;     /* choices at temperature `warm`; then `cold` */
    double warm, cold;  /* 0: the most visited */
    double resign;      /* resign below this expected reward of 0..1; 0: never */
    double audit;       /* share of games in which no player resigns */
    bool prune;         /* leave forced playouts out of the targets */
    char teacher[128];  /* player that plays the first generations in the network's place; "":
                           none */
    int teacher_generations;
    /* share of the teacher's choices that are replaced by a random legal action */
    double teacher_stray;
};

extern const struct banyan_option play_table[];
void play_options_default(struct play_options *options);

/* The games to play. */
struct play_job {
    const struct banyan_game *game;
    const struct play_options *options;
    const struct banyan_search_options *search;
    const struct nn_model *model;
    const float *params;
    const char *backend, *type;
    const char *setup; /* NULL: the usual start */
    uint64_t seed;
    int64_t generation;
    int64_t games; /* where `next` is NULL */
    /* The number of the next game to play, -1: there is none; NULL: 0, 1 ... games - 1.  Called one
     * at a time.  idle: the thread has no game, so the function may wait for one. */
    int64_t (*next)(void *ctx, bool idle);
    const banyan_flag *stop;
    /* Called for every finished game, one at a time; the record is borrowed.  A status that is
     * not BANYAN_OK ends the job. */
    enum banyan_status (*deliver)(void *ctx, struct record *record, struct banyan_error *err);
    void *ctx;
};

struct play_totals {
    int64_t games, choices, evaluations, batches;
};

/* Plays games until there is no next one, in the calling thread and in options->threads - 1 others;
 * if the system cannot start all of these, the games are the same and take longer.
 * BANYAN_INTERRUPTED: stop was set. */
enum banyan_status play_run(const struct play_job *job, struct play_totals *totals,
                            struct banyan_error *err);

#endif
