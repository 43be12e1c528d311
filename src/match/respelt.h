/* The SQL function respelt(TEXT): the one spelling of a player's text, used for comparison,
 * whichever version wrote it.
 *
 *      SELECT respelt('mcts:time_ms=1000')  -->  mcts:time=1s
 */
#ifndef MATCH_RESPELT_H
#define MATCH_RESPELT_H

#include <sqlite3.h>

/* Adds respelt() to db; returns a code of SQLite. */
int respelt_register(sqlite3 *db);

#endif
