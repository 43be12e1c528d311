/* What the files of the database have in common: the connection, and how rows are bound. */
#ifndef MATCH_DATABASE_ROWS_H
#define MATCH_DATABASE_ROWS_H

#include "match/database.h"

#include <sqlite3.h>

struct match_database {
    sqlite3 *db;
    char *path;
    sqlite3_int64 match; /* id of the match that is being played */
    int players;         /* seats of a game */
    sqlite3_stmt *add;   /* adds a game */
};

/* Returns the error of SQLite as a status.  what: what failed, such as "cannot be read". */
enum banyan_status match_database_fail(struct match_database *store, const char *what,
                                       struct banyan_error *err);

/* Runs statements that return nothing. */
enum banyan_status match_database_run(struct match_database *store, const char *sql,
                                      const char *what, struct banyan_error *err);

/* Binds text (copied); NULL stays NULL. */
void match_database_bind_text(sqlite3_stmt *statement, int column, const char *text);

/* Binds columns 1 to 9: all that tells one match from another, except its players and its number of
 * games. */
void match_database_bind_match(sqlite3_stmt *row, const struct match_plan *plan);

/* Stores which process plays the match, and the test that may end it. */
enum banyan_status match_database_add_run(struct match_database *store,
                                          const struct match_options *options,
                                          struct banyan_error *err);

/* Stores the hash of what the games of the match start from, if the plan has one. */
enum banyan_status match_database_add_starts(struct match_database *store,
                                             const struct match_plan *plan,
                                             struct banyan_error *err);

/* Prepares the statement that adds a game. */
enum banyan_status match_database_prepare_add(struct match_database *store,
                                              struct banyan_error *err);

#endif
