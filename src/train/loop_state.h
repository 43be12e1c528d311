/* A run in progress: what the parts of the loop share. */
#ifndef TRAIN_LOOP_STATE_H
#define TRAIN_LOOP_STATE_H

#include "match/match.h"
#include "train/database.h"
#include "train/loop.h"
#include "train/record.h"

enum { LOOP_PATH = 1024, LOOP_TEXT = 4096 };

/* Bytes of DIR/lock that processes hold while they are at something. */
enum { LOOP_LOCK_ROLES = 0, LOOP_LOCK_WORKERS = 16, LOOP_LOCK_GAMES = 4096 };
enum { LOOP_WORKERS = 64 };

struct loop {
    const struct loop_job *job;
    const struct banyan_game *game;
    struct loop_settings settings;
    unsigned roles; /* enum loop_role */
    int lock;       /* file of locks; -1 */
    int worker;     /* which files of games are ours; -1: we play none */
    struct nn_model model;
    struct nn_state learner;
    struct nn_header header; /* of the learner */
    float *best;             /* [model.size] what plays */
    const struct nn_backend *backend;
    void *ctx; /* for learning */
    struct replay *replay;
    struct replay *held; /* games that nobody learns from: what is not just learned by heart */
    struct train_database *ledger;
    double elo;
    /* the generation that is being played */
    struct record_writer *writer;
    struct record *records; /* [games] by number; those that are here have a start */
    bool *done;             /* [games] on the disk */
    int64_t done_count;
    struct loop_generation now;
};

void loop_path(const struct loop *loop, char *out, const char *name); /* out[LOOP_PATH] */
void loop_progress(const struct loop *loop, const char *what, int64_t done, int64_t total);

/* A byte of the lock file: false: another process has it. */
bool loop_lock_take(const struct loop *loop, int64_t byte);
void loop_lock_drop(const struct loop *loop, int64_t byte);

/* A short sleep, for what another process is doing; BANYAN_INTERRUPTED: by stop. */
enum banyan_status loop_wait(const struct loop *loop, struct banyan_error *err);

/* --- loop_games.c --- */

/* All games of loop->now.generation: ours and those of others; where we learn they come into the
 * window, in order of their numbers. */
enum banyan_status loop_games_play(struct loop *loop, struct banyan_error *err);

/* The window as it was before generation last + 1. */
enum banyan_status loop_games_refill(struct loop *loop, int64_t last, struct banyan_error *err);

/* --- loop_learn.c --- */

enum banyan_status loop_learn(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_gate(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_publish(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_exam(struct loop *loop, struct banyan_error *err);
/* Whether all of its opponents can play. */
enum banyan_status loop_exam_check(const struct loop *loop, struct banyan_error *err);

/* --- loop_options.c --- */

/* The settings of the run that is there, or those of a new one; then what the caller changes.
 * BANYAN_CORRUPT, BANYAN_NOT_FOUND: there is a run, but not its settings. */
enum banyan_status loop_options_load(struct loop *loop, struct banyan_error *err);

/* --- loop.c --- */

enum banyan_status loop_save_net(struct loop *loop, const char *name, bool whole,
                                 struct banyan_error *err);
enum banyan_status loop_load_learner(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_load_best(struct loop *loop, struct banyan_error *err);

/* --- loop_report.c --- */

/* DIR/report.html: the run so far, in one file that needs nothing else. */
enum banyan_status loop_report(struct loop *loop, struct banyan_error *err);

#endif
