/* The state of a run, which the files of the loop share. */
#ifndef TRAIN_LOOP_STATE_H
#define TRAIN_LOOP_STATE_H

#include "match/match.h"
#include "train/database.h"
#include "train/loop.h"
#include "train/record.h"

enum { LOOP_PATH = 1024, LOOP_TEXT = 4096 };

/* Bytes of DIR/lock, which processes lock during their work. */
enum { LOOP_LOCK_ROLES = 0, LOOP_LOCK_WORKERS = 16, LOOP_LOCK_GAMES = 4096 };
enum { LOOP_WORKERS = 64 };

struct loop {
    const struct loop_job *job;
    const struct banyan_game *game;
    struct loop_settings settings;
    unsigned roles; /* enum loop_role */
    int lock;       /* descriptor of the file of locks; -1: not open */
    int worker;     /* number of this process's files of games; -1: it plays none */
    struct nn_model model;
    struct nn_state learner;
    struct nn_header header; /* name and state of the learner */
    float *best;             /* [model.size] the network that plays */
    const struct nn_backend *backend;
    void *ctx; /* context of the backend for learning */
    struct replay *replay;
    struct replay *held; /* games held out; their losses show what is not merely memorised */
    struct train_database *ledger;
    double elo;
    /* the present generation */
    struct record_writer *writer;
    struct record *records; /* [games] by number; a game that has been read has a start */
    bool *done;             /* [games] stored in the index */
    int64_t done_count;
    struct loop_generation now;
};

void loop_path(const struct loop *loop, char *out, const char *name); /* out[LOOP_PATH] */
void loop_progress(const struct loop *loop, const char *what, int64_t done, int64_t total);

/* Locks a byte of the lock file; false: another process has it. */
bool loop_lock_take(const struct loop *loop, int64_t byte);
void loop_lock_drop(const struct loop *loop, int64_t byte);

/* Sleeps briefly while another process works; BANYAN_INTERRUPTED: stop was set. */
enum banyan_status loop_wait(const struct loop *loop, struct banyan_error *err);

/* --- loop_games.c --- */

/* Completes all games of loop->now.generation, with those of other processes.  If this process
 * learns, it adds them to the window in the order of their numbers. */
enum banyan_status loop_games_play(struct loop *loop, struct banyan_error *err);

/* Rebuilds the window as it was before generation last + 1. */
enum banyan_status loop_games_refill(struct loop *loop, int64_t last, struct banyan_error *err);

/* --- loop_learn.c --- */

enum banyan_status loop_learn(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_gate(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_publish(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_test(struct loop *loop, struct banyan_error *err);
/* Checks that all opponents of the tests can play. */
enum banyan_status loop_test_check(const struct loop *loop, struct banyan_error *err);

/* --- loop_options.c --- */

/* Reads the settings of an existing run, or takes those of a new one; then applies the caller's
 * changes. BANYAN_CORRUPT, BANYAN_NOT_FOUND: the run exists, but its settings do not. */
enum banyan_status loop_options_load(struct loop *loop, struct banyan_error *err);

/* --- loop.c --- */

enum banyan_status loop_save_net(struct loop *loop, const char *name, bool whole,
                                 struct banyan_error *err);
enum banyan_status loop_load_learner(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_load_best(struct loop *loop, struct banyan_error *err);

/* --- loop_report.c --- */

/* Writes DIR/report.html: the run so far, in one file without references to others. */
enum banyan_status loop_report(struct loop *loop, struct banyan_error *err);

#endif
