/* An SQLite file that other processes write, read while it grows.
 *
 *      follow_look ... follow_look: something is new --> SELECT ...
 *
 * The file may appear later, and may be replaced by another one.  It is only read here.
 *
 * Threads: one at a time.
 */
#ifndef MATCH_FOLLOW_H
#define MATCH_FOLLOW_H

#include <banyan/status.h>

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct follow {
    sqlite3 *db;      /* NULL: not open */
    const char *path; /* borrowed */
    struct stat file; /* the file that is open */
    int64_t version;  /* SQLite's number of the last change that was seen; -1: none was */
    int opened;       /* how often a file was opened; each time it may have been another file */
};

void follow_begin(struct follow *follow, const char *path);
void follow_end(struct follow *follow);

/* Opens the file if it is not open yet, and says whether something has changed since the last call.
 * BANYAN_NOT_FOUND: there is no file (yet). */
enum banyan_status follow_look(struct follow *follow, bool *changed, struct banyan_error *err);

/* Prepares a query; caller finalizes it; NULL: err says why not. */
sqlite3_stmt *follow_query(struct follow *follow, const char *sql, struct banyan_error *err);

/* Whether the file has a table of this name. */
bool follow_has_table(struct follow *follow, const char *name);

/* Returns the error of a query that failed before its last row. */
enum banyan_status follow_failed(const struct follow *follow, struct banyan_error *err);

#endif
