/* Reads an SQLite file while other processes write it. */
#include "match/follow.h"

#include <string.h>

enum { FOLLOW_BUSY_MS = 2000 };

void follow_begin(struct follow *follow, const char *path)
{
    memset(follow, 0, sizeof *follow);
    follow->path = path;
}

void follow_end(struct follow *follow)
{
    sqlite3_close(follow->db);
    follow->db = NULL;
}

enum banyan_status follow_failed(const struct follow *follow, struct banyan_error *err)
{
    int code = sqlite3_errcode(follow->db);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR;
    return banyan_fail(err, damaged ? BANYAN_CORRUPT : BANYAN_IO, "'%.200s' cannot be read: %s",
                       follow->path, sqlite3_errmsg(follow->db));
}

sqlite3_stmt *follow_query(struct follow *follow, const char *sql, struct banyan_error *err)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(follow->db, sql, -1, &statement, NULL) != SQLITE_OK)
        follow_failed(follow, err);
    return statement;
}

bool follow_has_table(struct follow *follow, const char *name)
{
    sqlite3_stmt *s =
        follow_query(follow, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", NULL);
    if (!s)
        return false;
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    bool found = sqlite3_step(s) == SQLITE_ROW;
    sqlite3_finalize(s);
    return found;
}

static enum banyan_status follow_open(struct follow *follow, struct banyan_error *err)
{
    /* opened for writing, because SQLite must make files beside a database that nobody has open */
    int code = sqlite3_open_v2(follow->path, &follow->db, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(follow->db, "PRAGMA query_only = 1", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(follow->db, FOLLOW_BUSY_MS);
        follow->version = -1;
        ++follow->opened;
        return BANYAN_OK;
    }
    enum banyan_status status = follow_failed(follow, err);
    follow_end(follow);
    return status;
}

enum banyan_status follow_look(struct follow *follow, bool *changed, struct banyan_error *err)
{
    struct stat file;
    *changed = false;
    if (stat(follow->path, &file) != 0) {
        follow_end(follow);
        return banyan_fail(err, BANYAN_NOT_FOUND, "there is no file '%.200s' yet", follow->path);
    }
    if (follow->db && (file.st_ino != follow->file.st_ino || file.st_dev != follow->file.st_dev))
        follow_end(follow);
    enum banyan_status status = follow->db ? BANYAN_OK : follow_open(follow, err);
    if (status != BANYAN_OK)
        return status;
    follow->file = file;
    sqlite3_stmt *s = follow_query(follow, "PRAGMA data_version", err);
    if (!s || sqlite3_step(s) != SQLITE_ROW) {
        sqlite3_finalize(s);
        return follow_failed(follow, err);
    }
    int64_t version = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    *changed = version != follow->version;
    follow->version = version;
    return BANYAN_OK;
}
