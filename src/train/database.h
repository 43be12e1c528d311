/* The database of a run: an index of its games, and one row of results for each generation.
 *
 * Games are stored in record files; the index has one row for each, so that no game counts
 * twice.  If the index is lost, loop_games.c makes it again from the files. */
#ifndef TRAIN_DATABASE_H
#define TRAIN_DATABASE_H

#include "train/loop.h"

#include <sqlite3.h>

struct train_database; /* used by one thread at a time */

enum banyan_status train_database_open(struct train_database **out, const char *path,
                                       struct banyan_error *err);
void train_database_close(struct train_database *database);

/* A database that is only read, over a connection that stays the caller's (match/follow.h).  Of the functions below
 * only those named ..._each_... and ..._find_... take it. */
enum banyan_status train_database_read(struct train_database **out, sqlite3 *db,
                                       struct banyan_error *err);

/* Adds a game; if the game is there already, its row stays as it is.  worker: the name of the
 * worker that played the game; NULL: a thread of the run's own process, or unknown. */
enum banyan_status train_database_add_game(struct train_database *database,
                                           const struct record *record, const char *file,
                                           const char *worker, struct banyan_error *err);

enum banyan_status train_database_has_game(struct train_database *database, int64_t generation,
                                           int64_t number, bool *there, struct banyan_error *err);
enum banyan_status train_database_forget_game(struct train_database *database, int64_t generation,
                                              int64_t number, struct banyan_error *err);
/* Counts the games of a generation with numbers below `games`. */
enum banyan_status train_database_count_games(struct train_database *database, int64_t generation,
                                              int64_t games, int64_t *count,
                                              struct banyan_error *err);

/* What a worker of the run's queue has done. */
struct train_database_worker {
    char name[65];      /* letters, digits, "-._", and "?" for others */
    int64_t games;      /* games that it played and that are stored */
    int64_t duplicates; /* games that were there already */
    int64_t refused;    /* results that were wrong */
    int64_t audited;    /* games that the owner has played again, and found right */
    bool shut_out;      /* its results no longer count */
};
/* Adds these counts, except `games`, to those of the worker. */
enum banyan_status train_database_add_worker(struct train_database *database,
                                             const struct train_database_worker *more,
                                             struct banyan_error *err);
/* Calls fn for all workers in the order of their names, until it returns a status that is not BANYAN_OK. */
enum banyan_status train_database_each_worker(
    struct train_database *database,
    enum banyan_status (*fn)(void *ctx, const struct train_database_worker *worker), void *ctx,
    struct banyan_error *err);

/* Stores the results of a generation: so far (`progress`), or at its end (`generations`). */
enum train_database_table { TRAIN_DATABASE_PROGRESS, TRAIN_DATABASE_GENERATIONS };
enum banyan_status train_database_add_generation(struct train_database *database,
                                                 enum train_database_table table,
                                                 const struct loop_generation *generation,
                                                 struct banyan_error *err);
/* Calls fn for the rows from number `first` on, in order, until fn returns a status that is not
 * BANYAN_OK. */
enum banyan_status train_database_each_generation(
    struct train_database *database, enum train_database_table table, int64_t first,
    enum banyan_status (*fn)(void *ctx, const struct loop_generation *generation), void *ctx,
    struct banyan_error *err);

/* The result of testing the best network against one opponent after a generation. */
struct train_database_test {
    int64_t generation, games, losses;
    double score; /* share of points */
    char opponent[256];
};
enum banyan_status train_database_add_test(struct train_database *database,
                                           const struct train_database_test *test,
                                           struct banyan_error *err);
enum banyan_status train_database_each_test(struct train_database *database,
                                            void (*fn)(void *ctx,
                                                       const struct train_database_test *test),
                                            void *ctx, struct banyan_error *err);

/* A finished game of the run. */
struct train_database_game {
    int64_t generation, number;
    int choices;
    bool resigned;
    double returns[2]; /* of the first two players */
};
/* Calls fn for the last `most` games, the last one first. */
enum banyan_status train_database_each_game(struct train_database *database, int most,
                                            void (*fn)(void *ctx,
                                                       const struct train_database_game *game),
                                            void *ctx, struct banyan_error *err);

/* The file of a game, a path in the run's folder, in out[size].  BANYAN_NOT_FOUND: the run has no such game. */
enum banyan_status train_database_find_file(struct train_database *database, int64_t generation,
                                            int64_t number, char *out, size_t size,
                                            struct banyan_error *err);

/* The last finished generation, 0: none; and the rating of the best network after it. */
enum banyan_status train_database_last(struct train_database *database, int64_t *generation,
                                       double *elo, struct banyan_error *err);

/* Begin and end a transaction, so that many rows are written at once. */
enum banyan_status train_database_begin(struct train_database *database, struct banyan_error *err);
enum banyan_status train_database_commit(struct train_database *database, struct banyan_error *err);

#endif
