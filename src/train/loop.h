/* Expert iteration: play, learn, compare, publish, again.
 *
 *      DIR/options              every setting of the run, as text
 *      DIR/records/gNNNNN*.rec  games of generation N, one file for each process that plays
 *      DIR/learner.safetensors  the learner after its last generation (.prev: before it)
 *      DIR/best.safetensors     what plays
 *      DIR/run.db               index of games; one row for each generation
 *      DIR/log                  one line for each generation
 *      DIR/report.html          how it went, as pictures
 *
 *      generation N:  games of best --> window --> learner --> candidate against best --> best?
 *
 * Each step ends with a file or a row that is written whole or not at all, so a run that was killed
 * goes on where it was, and comes to the same end.  The steps may be processes of their own: any
 * number that play, one that learns, one that compares and publishes.
 */
#ifndef TRAIN_LOOP_H
#define TRAIN_LOOP_H

#include "nn/arch.h"
#include "nn/optimizer.h"
#include "train/learn.h"
#include "train/play.h"

#include <banyan/stop.h>

struct loop_options {
    int generations, games; /* how many; games of each */
    int64_t window;         /* positions */
    int hold;               /* every hold-th game is held out; 0: none */
    double passes;          /* how often every new position is learned from, in the mean */
    int batch;
    double rate_end; /* the rate falls to this share of itself by the last generation */
    double value_mix, value_weight, owner_weight, score_weight;
    bool symmetries;
    int gate_games, gate_simulations, gate_plies; /* 0 games: every candidate is published */
    double gate_share;                            /* of points that a candidate needs */
    double gate_elo0, gate_elo1; /* elo0 < elo1: the gate is a sequential test of the two */
    char exam[256];              /* players "A|B" to measure against; "": none */
    int exam_games, exam_every, exam_simulations, exam_plies;
    bool exam_stop; /* stop when the exam is passed without a loss */
    uint64_t seed;
    char backend[32], type[16];
    char setup[256];
};

extern const struct banyan_option loop_table[];

/* All settings of a run. */
struct loop_settings {
    struct loop_options loop;
    struct play_options play;
    struct banyan_search_options search;
    struct nn_optimizer_options optimizer;
    struct nn_arch arch;
};

/* The preset of the game: defaults for everything. */
enum banyan_status loop_settings_default(const struct banyan_game *game,
                                         struct loop_settings *settings, struct banyan_error *err);

/* Sets "name=value,..." of one part: "loop", "play", "search", "optimizer" or "net". */
enum banyan_status loop_settings_parse(struct loop_settings *settings, const char *part,
                                       const char *text, struct banyan_error *err);

/* The names of the parts, NULL at the end, and the table and the struct of each. */
extern const char *const loop_parts[];
const struct banyan_option *loop_part(struct loop_settings *settings, const char *part,
                                      void **values);

/* One finished generation. */
struct loop_generation {
    int64_t generation, games, choices, positions, window;
    int64_t first_wins, draws;
    int64_t step;
    struct learn_report learned;
    struct learn_report held; /* losses on games that are held out */
    int64_t gate_games;
    double gate_score; /* share of points of the candidate */
    bool published;
    double elo; /* of the best net, by its gates, above the first */
    int64_t exam_games, exam_losses;
    double exam_score;
    double play_s, learn_s, gate_s, exam_s;
};

enum loop_role { LOOP_PLAYS = 1, LOOP_LEARNS = 2, LOOP_GATES = 4, LOOP_ALL = 7 };

struct loop_job {
    const struct banyan_game *game;
    unsigned roles; /* enum loop_role; 0: all.  Only a process of all roles changes the settings
                       of a run that is there, others take theirs for themselves. */
    bool once;      /* end when the own part of the present generation is done */
    const char *folder;
    struct loop_settings settings; /* of a new run; of a run that goes on only `changes` count */
    const char *const *changes;    /* [][2] part and text, NULL at the end; may be NULL */
    const banyan_flag *stop;
    /* Once, before the first generation: what computes the networks, and why. */
    void (*chosen)(void *ctx, const char *what);
    void (*report)(void *ctx, const struct loop_generation *generation);
    void (*progress)(void *ctx, const char *what, int64_t done, int64_t total);
    void *ctx;
};

enum banyan_status loop_run(const struct loop_job *job, struct banyan_error *err);

/* The log line of a generation.  As snprintf. */
int loop_line(const struct loop_generation *generation, char *out, size_t size);

#endif
