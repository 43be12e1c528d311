/* The SQL function respelt(TEXT): the one form of a player's text, used for comparison, whichever
 * version wrote it and in whichever order (players/player.h: player_key).
 *
 *      SELECT respelt('mcts:time_ms=1000,memory_mb=1')  -->  mcts:memory=1M,time=1s
 */
#ifndef MATCH_RESPELT_H
#define MATCH_RESPELT_H

#include <sqlite3.h>

/* Adds respelt() to db; returns a code of SQLite. */
int respelt_register(sqlite3 *db);

#endif
