/* Matches on disk: an SQLite file in WAL mode, every finished game one transaction, so that a
 * killed match loses no finished game.  Several matches, also at once, may share a file.
 *
 *      matches (id, started, finished, game, setup, seed, ...)
 *         +-- match_players (match, number, spec)
 *         +-- games (match, number, seats, returns, start, actions, ...)
 */
#ifndef MATCH_STORE_H
#define MATCH_STORE_H

#include "match/match_game.h"

struct store; /* one at a time */

/* Opens or creates path.  BANYAN_IO: cannot be written; BANYAN_CORRUPT: damaged, or another
 * program's. */
enum banyan_status store_open(struct store **out, const char *path, struct banyan_error *err);
void store_close(struct store *store);

/* Adds the row of a match that begins; later calls are about it. */
enum banyan_status store_begin(struct store *store, const struct match_plan *plan,
                               struct banyan_error *err);

enum banyan_status store_add(struct store *store, const struct match_game *game,
                             struct banyan_error *err);

/* The match is over: counted games are those that its result stands on. */
enum banyan_status store_finish(struct store *store, const struct match_result *result,
                                struct banyan_error *err);

#endif
