/* Expert iteration: play, learn, compare, publish, again.
 *
 *      DIR/options              every setting of the run, as text
 *      DIR/records/gNNNNN.rec   games of generation N
 *      DIR/learner.safetensors  the learner after its last generation (.prev: the one before)
 *      DIR/best.safetensors     the best network, which plays
 *      DIR/player.gNNNNN...     with `ahead`: the network that plays generation N
 *      DIR/run.db               index of games; one row for each generation
 *      DIR/log                  one line for each generation
 *      DIR/report.html          charts of the run
 *
 *      generation N:  games of best --> window --> learner --> candidate against best --> best?
 *
 * Each step ends with a file or a row that is written completely or not at all, so a run that was
 * killed continues where it was, with the same results.
 *
 * One process owns a run and writes to its folder: it holds a lock on DIR/lock.  It offers games as
 * jobs in a queue (job.h), from which threads or other processes take them, and counts each game
 * (generation, number) once, in whatever order and however often results arrive.  A game is a
 * function of the settings, the network, its generation and its number; so with the backend plain
 * the learner, the best network and the games are the same bytes, whoever plays.
 */
#ifndef TRAIN_LOOP_H
#define TRAIN_LOOP_H

#include "nn/arch.h"
#include "nn/optimizer.h"
#include "train/learn.h"
#include "train/play.h"

#include <banyan/stop.h>

#include <stdio.h>

struct loop_options {
    int generations, games; /* number of generations; games of each */
    int ahead;              /* generations that are played while the network learns; 0 or 1 */
    int64_t window;         /* positions in the window */
    /* every hold-th game is held out: used to measure losses, not to learn; 0: none */
    int hold;
    double passes; /* how often each new position is used for learning, on average */
    int batch;
    double rate_end; /* the factor of the learning rate falls from 1 towards this during the run */
    double value_mix, value_weight, owner_weight, score_weight;
    bool symmetries;
    int gate_games, gate_simulations, gate_plies; /* 0 games: every candidate is published */
    double gate_share;                            /* share of points that a candidate needs */
    /* elo0 < elo1: the gate is a sequential test of these two Elo differences */
    double gate_elo0, gate_elo1;
    char test[256]; /* opponents "A|B" that the best network is tested against; "": none */
    int test_games, test_every, test_simulations, test_plies;
    bool test_stop; /* stop when no game of a test is lost, against any opponent */
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

/* The preset of the game: defaults for all settings. */
enum banyan_status loop_settings_default(const struct banyan_game *game,
                                         struct loop_settings *settings, struct banyan_error *err);

/* Sets "name=value,..." in one part: "loop", "play", "search", "optimizer" or "net". */
enum banyan_status loop_settings_parse(struct loop_settings *settings, const char *part,
                                       const char *text, struct banyan_error *err);

/* The names of the parts, NULL at the end, and the table and the struct of each. */
extern const char *const loop_parts[];
const struct banyan_option *loop_part(struct loop_settings *settings, const char *part,
                                      void **values);

/* Write and read all settings as text: one line for the game and one for each part. path: the name
 * of the text in errors. BANYAN_CORRUPT: the text is damaged; BANYAN_INVALID: it is of another
 * game. */
void loop_settings_write(const struct banyan_game *game, struct loop_settings *settings, FILE *out);
enum banyan_status loop_settings_read(const struct banyan_game *game, const char *path, FILE *in,
                                      struct loop_settings *settings, struct banyan_error *err);

enum { LOOP_GAMES_MAX = 1000000 }; /* most games of a generation */

/* One finished generation. */
struct loop_generation {
    int64_t generation, games, choices, positions, window;
    int64_t first_wins, draws;
    int64_t step;
    struct learn_report learned;
    struct learn_report held; /* losses on games that are held out */
    int64_t gate_games;
    double gate_score; /* the candidate's share of points */
    bool published;
    double elo; /* Elo of the best network above the first one, by the gates */
    int64_t test_games, test_losses;
    double test_score;
    /* seconds; play_s is 0 if all games had been played before a stop */
    double play_s, learn_s, gate_s, test_s;
};

/* Why a run went no further. */
enum loop_end {
    LOOP_END_LAST,  /* it has all its generations */
    LOOP_END_PASSED /* test-stop is on, and the last test had no loss to any opponent */
};

/* The queue of a run whose games others play; updated about every five seconds. */
struct loop_queue_standing {
    int64_t workers;         /* who have reported lately */
    int64_t waiting, leased; /* jobs */
    /* since the run began */
    int64_t duplicates; /* games that were there already */
    int64_t refused;    /* results that were wrong */
    int64_t audited;    /* games that were played again here, and found right */
    int64_t shut_out;   /* workers whose results no longer count */
};

/* How far a run is: up to date whenever a function of the job is called, and after loop_run. */
struct loop_standing {
    int64_t finished, generations;    /* generations that are finished; the most that the run may
                                      have */
    bool over;                        /* no generation is left */
    enum loop_end end;                /* why the run ended, if it is over */
    struct loop_queue_standing queue; /* all 0 without a queue */
};

struct loop_job {
    const struct banyan_game *game;
    bool once; /* end when the present generation is done */
    const char *folder;
    /* settings of a new run; an existing run has only `changes` applied */
    struct loop_settings settings;
    const char *const *changes; /* [][2] part and text, NULL at the end; may be NULL */
    /* URL of the queue whose workers play (worker.h); NULL: threads of this process play */
    const char *queue;
    int local;       /* threads of this process that play games of that queue, too */
    double lease_ms; /* with `queue`: time until a vanished worker's job goes to another one */
    /* share of the queue's games that are played again here and compared; only with the backend
     * plain, whose games have the same bytes on every machine */
    double audit;
    const banyan_flag *stop;
    /* Called once, before the first generation, with the backend of the networks and the reason
     * for it. */
    void (*chosen)(void *ctx, const char *what);
    /* Called when a worker's result was refused, a worker shut out, or the queue's server lost or
     * found again; may be NULL. */
    void (*warn)(void *ctx, const char *text);
    void (*report)(void *ctx, const struct loop_generation *generation);
    void (*progress)(void *ctx, const char *what, int64_t done, int64_t total);
    void *ctx;
    struct loop_standing *standing; /* borrowed; may be NULL */
};

enum banyan_status loop_run(const struct loop_job *job, struct banyan_error *err);

/* Whether a process works on the run in this folder. The process that works on it must not call
 * this, because it would lose its own lock. */
bool loop_is_running(const char *folder);

/* Writes the log line of a generation; returns what snprintf returns. */
int loop_line(const struct loop_generation *generation, char *out, size_t size);

#endif
