/* The database of a run: which games there are, and what became of each generation.
 *
 * Games are on the disk in record files; here is their index, one row for each, so that none counts
 * twice.  It can be lost: loop.c writes it again from the files. */
#ifndef TRAIN_LEDGER_H
#define TRAIN_LEDGER_H

#include "train/loop.h"

struct ledger; /* one at a time */

enum banyan_status ledger_open(struct ledger **out, const char *path, struct banyan_error *err);
void ledger_close(struct ledger *ledger);

/* Adds a game; one that is there already is left as it is. */
enum banyan_status ledger_add_game(struct ledger *ledger, const struct record *record,
                                   const char *file, struct banyan_error *err);

enum banyan_status ledger_has_game(struct ledger *ledger, int64_t generation, int64_t number,
                                   bool *there, struct banyan_error *err);
enum banyan_status ledger_forget_game(struct ledger *ledger, int64_t generation, int64_t number,
                                      struct banyan_error *err);
/* Games of a generation with numbers below `games`. */
enum banyan_status ledger_count_games(struct ledger *ledger, int64_t generation, int64_t games,
                                      int64_t *count, struct banyan_error *err);

/* What is known of a generation so far (`progress`), or at its end (`generations`). */
enum ledger_table { LEDGER_PROGRESS, LEDGER_GENERATIONS };
enum banyan_status ledger_add_generation(struct ledger *ledger, enum ledger_table table,
                                         const struct loop_generation *generation,
                                         struct banyan_error *err);
/* Calls fn for the rows from number `first` on, in order; a status of fn that is not BANYAN_OK ends
 * it. */
enum banyan_status ledger_each_generation(
    struct ledger *ledger, enum ledger_table table, int64_t first,
    enum banyan_status (*fn)(void *ctx, const struct loop_generation *generation), void *ctx,
    struct banyan_error *err);

/* One opponent of the best net after a generation. */
struct ledger_exam {
    int64_t generation, games, losses;
    double score; /* share of points */
    char opponent[256];
};
enum banyan_status ledger_add_exam(struct ledger *ledger, const struct ledger_exam *exam,
                                   struct banyan_error *err);
enum banyan_status ledger_each_exam(struct ledger *ledger,
                                    void (*fn)(void *ctx, const struct ledger_exam *exam),
                                    void *ctx, struct banyan_error *err);

/* The last generation that is over, 0: none; and the rating of the best net after it. */
enum banyan_status ledger_last(struct ledger *ledger, int64_t *generation, double *elo,
                               struct banyan_error *err);

/* Many rows at once. */
enum banyan_status ledger_begin(struct ledger *ledger, struct banyan_error *err);
enum banyan_status ledger_commit(struct ledger *ledger, struct banyan_error *err);

#endif
