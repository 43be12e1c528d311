/* Self-play: many games at once feed one batch.
 *
 *      table 0  search --select--> leaf \                         / update
 *      table 1  search --select--> leaf  >-- one batch -- net --<   update
 *      table n  search --select--> leaf /                         \ update
 *      a search that is done: choose, write down, play, next position
 *
 * In the first generations a teacher may play instead (play_teacher.h).
 *
 * A game depends on (seed, generation, number) and the network alone: not on threads, not on the
 * games beside it.
 */
#ifndef TRAIN_PLAY_H
#define TRAIN_PLAY_H

#include "players/program/net.h"
#include "train/record.h"

#include <banyan/search.h>
#include <banyan/stop.h>

struct play_options {
    int at_once; /* games of one thread */
    int threads;
    int simulations;      /* of a whole search: explores, and teaches the policy */
    int fast_simulations; /* of the others (playout cap randomisation, Wu 2019) */
    double whole_share;   /* of searches that are whole; 1: all */
    int warm_plies;       /* choices at temperature `warm`; then `cold` */
    double warm, cold;    /* 0: the most visited */
    double resign;        /* give up below this expected reward of 0..1; 0: never */
    double audit;         /* share of games in which nobody may */
    bool prune;           /* take forced playouts out of the targets */
    char teacher[128];    /* a player who plays in the network's place at first; "": none */
    int teacher_generations;
    double teacher_stray; /* share of its choices that are played otherwise, at random */
};

extern const struct banyan_option play_table[];
void play_options_default(struct play_options *options);

/* What is to be played. */
struct play_job {
    const struct banyan_game *game;
    const struct play_options *options;
    const struct banyan_search_options *search;
    const struct nn_model *model;
    const float *params;
    const char *backend, *type;
    const char *setup; /* NULL: the usual start */
    uint64_t seed;
    int64_t generation, games;
    bool (*claim)(void *ctx, int64_t number); /* false: not ours to play; NULL: all are */
    const banyan_flag *stop;
    /* Gets every finished game, one at a time; the record is borrowed.  A status that is not
     * BANYAN_OK ends the job. */
    enum banyan_status (*deliver)(void *ctx, struct record *record, struct banyan_error *err);
    void *ctx;
};

struct play_totals {
    int64_t games, choices, evaluations, batches;
};

/* Plays all games that can be claimed, each once.  BANYAN_INTERRUPTED: by stop. */
enum banyan_status play_run(const struct play_job *job, struct play_totals *totals,
                            struct banyan_error *err);

#endif
