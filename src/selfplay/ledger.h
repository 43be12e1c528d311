/* The database of a run: which games there are, and what became of each generation.
 *
 * Games are on the disk in record files; here is their index, one row for each, so that none counts
 * twice.  It can be lost: loop.c writes it again from the files. */
#ifndef SELFPLAY_LEDGER_H
#define SELFPLAY_LEDGER_H

#include "selfplay/loop.h"

struct ledger; /* one at a time */

enum banyan_status ledger_open(struct ledger **out, const char *path, struct banyan_error *err);
void ledger_close(struct ledger *ledger);

/* Adds a game; one that is there already is left as it is. */
enum banyan_status ledger_add_game(struct ledger *ledger, const struct record *record,
                                   const char *file, struct banyan_error *err);

/* The generation is over. */
enum banyan_status ledger_add_generation(struct ledger *ledger,
                                         const struct loop_generation *generation,
                                         struct banyan_error *err);

/* The last generation that is over, 0: none; and the rating of the best net after it. */
enum banyan_status ledger_last(struct ledger *ledger, int64_t *generation, double *elo,
                               struct banyan_error *err);

/* Many rows at once. */
enum banyan_status ledger_begin(struct ledger *ledger, struct banyan_error *err);
enum banyan_status ledger_commit(struct ledger *ledger, struct banyan_error *err);

#endif
