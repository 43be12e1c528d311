/* Matches on disk: an SQLite file in WAL mode, every finished game one transaction, so that a
 * killed match loses no finished game.  Several matches, also at once, may share a file.
 *
 *      matches (id, started, finished, game, setup, seed, ...)
 *         +-- match_players (match, number, spec)
 *         +-- match_runs (match, process, elo0, elo1, alpha, beta)
 *         +-- match_starts (match, hash)
 *         +-- games (match, number, seats, returns, start, actions, ...)
 *
 * A match that was ended early can go on from its games (match_database_resume).
 */
#ifndef MATCH_DATABASE_H
#define MATCH_DATABASE_H

#include "match/match_game.h"

struct match_database; /* used by one thread at a time */

/* Opens or creates path.  Texts of players that early states of version 0.1 wrote are changed to today's
 * spelling.  BANYAN_IO: the file cannot be written; BANYAN_CORRUPT: the file is damaged, or another
 * program's. */
enum banyan_status match_database_open(struct match_database **out, const char *path,
                                       struct banyan_error *err);
void match_database_close(struct match_database *store);

/* Finds the last match with the players, seed, settings and openings of plan (its number of games may differ);
 * later calls are for this match.  *games is a list of the match's stored games with numbers below
 * plan->options->games, each freed with match_game_free; start and actions are left out, since a
 * result does not need them.  *found is false if there is no such match. */
enum banyan_status match_database_resume(struct match_database *store,
                                         const struct match_plan *plan, bool *found,
                                         struct match_game **games, struct banyan_error *err);

/* Adds the row of a match that begins; later calls are for this match. */
enum banyan_status match_database_begin(struct match_database *store, const struct match_plan *plan,
                                        struct banyan_error *err);

enum banyan_status match_database_add(struct match_database *store, const struct match_game *game,
                                      struct banyan_error *err);

/* Ends the match, and stores how many games its result counts. */
enum banyan_status match_database_finish(struct match_database *store,
                                         const struct match_result *result,
                                         struct banyan_error *err);

#endif
