/* The state of a run, which the files of the loop share. */
#ifndef TRAIN_LOOP_STATE_H
#define TRAIN_LOOP_STATE_H

#include "match/match.h"
#include "queue/queue.h"
#include "train/database.h"
#include "train/job.h"
#include "train/loop.h"
#include "train/record.h"
#include "train/worker_threads.h"

enum { LOOP_PATH = 1024, LOOP_TEXT = 4096 };

/* Older versions had several processes that played, each with its own file of games. */
enum { LOOP_WORKERS = 64 };

/* The games of a generation, as far as they are stored. */
struct loop_games {
    int64_t generation;         /* 0: no generation */
    char network[JOB_HASH + 1]; /* hash of the network that plays */
    struct record_writer *writer;
    struct record *records; /* [games] by number; a game that is stored has a start */
    int64_t done;           /* games that are stored */
    int64_t read_end;       /* all games that were read from files are below this number */
    int64_t offered;        /* all games below this number are stored or have been offered */
    int64_t open;           /* games that have been offered and are not stored */
    unsigned char
        *failed; /* [games] how often the job with this first game came back without its games */
};

struct loop {
    const struct loop_job *job;
    const struct banyan_game *game;
    struct loop_settings settings;
    int lock; /* descriptor of the file that is locked; -1: not open */
    struct nn_model model;
    struct nn_state learner;
    struct nn_header header; /* checkpoint header of the learner */
    const struct nn_backend *backend;
    void *ctx; /* context of the backend for learning */
    struct replay *replay;
    struct replay *held; /* games held out: used to measure losses, not to learn */
    struct train_database *database;
    double elo;
    struct queue *queue;            /* the jobs; this process is their owner */
    struct worker_threads *threads; /* of this process; NULL: others play */
    char settings_hash[JOB_HASH + 1];
    char network_hash[JOB_HASH + 1]; /* of the network that was put into the queue last */
    int range;                       /* games of a job */
    struct loop_games games;         /* of the present generation */
    struct train_database_worker
        *workers; /* [worker_count] workers that have given results to this run */
    int worker_count;
    double served_ms;             /* when loop_queue_serve last looked for results */
    const char *match_label;      /* of the match that workers play: for reports of progress */
    struct loop_local *local;     /* NULL: this process does not play games of the queue */
    double told_ms;               /* when the caller's standing was updated */
    struct loop_auditor *auditor; /* NULL: no game has been audited */
    int64_t test_losses; /* in the tests of the generation `now`, against all opponents together */
    struct loop_generation now;
};

void loop_path(const struct loop *loop, char *out, const char *name); /* out[LOOP_PATH] */
void loop_progress(const struct loop *loop, const char *what, int64_t done, int64_t total);

/* --- loop_games.c --- */

/* The file of a generation's games. */
void loop_games_file(char out[48], int64_t generation, int worker);

/* Gets all games of loop->now.generation, and adds them to the window in the order of their numbers. */
enum banyan_status loop_games_play(struct loop *loop, struct banyan_error *err);

/* Frees the games of loop->games; they stay in their file. */
void loop_games_close(struct loop *loop);

/* Rebuilds the window as it was before generation last + 1. */
enum banyan_status loop_games_refill(struct loop *loop, int64_t last, struct banyan_error *err);

/* --- loop_queue.c --- */

/* Opens the queue, gives it the settings of the run, and starts the threads that play, if threads
 * of this process play. */
enum banyan_status loop_queue_open(struct loop *loop, struct banyan_error *err);

/* Stops the threads; games that they have finished are stored.  Other processes wait for the next owner
 * of the run. */
void loop_queue_close(struct loop *loop);

/* Tells the queue that the run is over, so that its workers do not wait for more jobs. */
enum banyan_status loop_queue_end(struct loop *loop, struct banyan_error *err);

/* Puts a network into the queue; hash gets the hash of its bytes. */
enum banyan_status loop_queue_network(struct loop *loop, const char *path, char hash[JOB_HASH + 1],
                                      struct banyan_error *err);

/* Offers games of loop->games that are neither stored nor offered. */
enum banyan_status loop_queue_offer(struct loop *loop, struct banyan_error *err);

/* Offers missing games, waits for one result and stores it.  BANYAN_INTERRUPTED: stop was set. */
enum banyan_status loop_queue_step(struct loop *loop, struct banyan_error *err);

/* Stores the results that are there, without waiting, and offers missing games; does nothing within
 * a tenth of a second after the last call.  For callers that work on something else for a while. */
enum banyan_status loop_queue_serve(struct loop *loop, struct banyan_error *err);

/* Takes the result of any job of the run. */
enum banyan_status loop_queue_take(struct loop *loop, struct queue_item *item,
                                   struct banyan_error *err);

/* Copies a worker's name, which comes from another machine, with '?' in place of characters that must not be
 * shown everywhere. */
void loop_queue_worker(const char *name, char out[QUEUE_NAME + 1]);

/* --- loop_local.c --- */

/* Starts a worker of this process for the queue of the run. */
enum banyan_status loop_local_start(struct loop *loop, struct banyan_error *err);

/* Why that worker has failed; BANYAN_OK: it has not. */
enum banyan_status loop_local_failed(const struct loop *loop, struct banyan_error *err);

/* Stops that worker; its jobs go back to the queue. */
void loop_local_stop(struct loop *loop);

/* --- loop_match.c --- */

/* A match of a gate or a test. */
struct loop_match {
    const char *first, *second; /* the players */
    int games, plies;
    const char *label; /* for its random numbers and for reports of progress */
    int which;         /* 0: the gate; 1, 2 ...: the tests */
    bool sprt;         /* whether it may end early */
};

/* Plays the match: by threads of this process, or by the workers of the run's queue.  The results are the same. */
enum banyan_status loop_match(struct loop *loop, const struct loop_match *match,
                              struct match_result *result, struct banyan_error *err);

/* --- loop_ahead.c --- */

/* The file of the network that plays a generation. */
void loop_player_path(const struct loop *loop, int64_t generation, char out[LOOP_PATH]);

/* Before the games of a generation: gives this generation and the next one their networks. */
enum banyan_status loop_ahead_begin(const struct loop *loop, struct banyan_error *err);

/* Before a candidate is published: says which network plays the generation after the next one. */
enum banyan_status loop_ahead_publish(const struct loop *loop, struct banyan_error *err);

/* --- loop_workers.c --- */

/* Reads what the workers have done so far. */
enum banyan_status loop_workers_load(struct loop *loop, struct banyan_error *err);
void loop_workers_free(struct loop *loop);

/* Adds counts to those of a worker. A worker that is refused too often is shut out. why: the reason
 * of a refusal, or NULL. */
enum banyan_status loop_workers_add(struct loop *loop, const struct train_database_worker *more,
                                    const char *why, struct banyan_error *err);

/* Tells the caller something about the queue or its workers; the text may quote what they sent. */
void loop_warn(const struct loop *loop, const char *text);

/* Updates the queue's part of the caller's standing, at most every five seconds. */
void loop_workers_tell(struct loop *loop);

/* Whether the worker is shut out. */
bool loop_workers_is_out(const struct loop *loop, const char *name);

/* Whether a result of the worker has been refused. */
bool loop_workers_is_suspicious(const struct loop *loop, const char *name);

/* Writes a table of the workers, in HTML; nothing if there were none. */
void loop_workers_report(const struct loop *loop, FILE *file);

/* --- loop_audit.c --- */

/* Whether the next game of this worker is to be played again. */
bool loop_audit_wants(struct loop *loop, const char *worker);

/* Plays a game again.  BANYAN_ILLEGAL: the record has other bytes. */
enum banyan_status loop_audit(struct loop *loop, const struct record *record,
                              struct banyan_error *err);
void loop_audit_free(struct loop *loop);

/* --- loop_learn.c --- */

enum banyan_status loop_learn(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_gate(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_publish(struct loop *loop, struct banyan_error *err);
enum banyan_status loop_test(struct loop *loop, struct banyan_error *err);
/* Checks that all opponents of the tests can play. */
enum banyan_status loop_test_check(const struct loop *loop, struct banyan_error *err);

/* --- loop_options.c --- */

/* Reads the settings of an existing run, or takes those of a new one; then applies the caller's
 * changes. BANYAN_CORRUPT: the settings are damaged; BANYAN_NOT_FOUND: the run exists, but they are
 * missing. */
enum banyan_status loop_options_load(struct loop *loop, struct banyan_error *err);

/* --- loop.c --- */

enum banyan_status loop_save_net(struct loop *loop, const char *name, bool whole,
                                 struct banyan_error *err);
enum banyan_status loop_load_learner(struct loop *loop, struct banyan_error *err);
/* Refuses a best network that is not one of this run. */
enum banyan_status loop_check_best(struct loop *loop, struct banyan_error *err);

/* --- loop_report.c --- */

/* Writes DIR/report.html: the run so far, in one file without references to others. */
enum banyan_status loop_report(struct loop *loop, struct banyan_error *err);

#endif
