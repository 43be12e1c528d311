/* The function respelt(TEXT) in SQL: a player's text as it is compared, whoever wrote it and when.
 *
 *      SELECT respelt('mcts:time_ms=1000')  -->  mcts:time=1s
 */
#ifndef MATCH_RESPELT_H
#define MATCH_RESPELT_H

#include <sqlite3.h>

/* Makes respelt() known to db; a code of SQLite. */
int respelt_register(sqlite3 *db);

#endif
