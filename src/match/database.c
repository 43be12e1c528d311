/* Keeps matches in an SQLite file. */
#include "match/database.h"

#include "base/text.h"
#include "match/respelt.h"

#include <sqlite3.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* "Bnyn": the mark of our databases, for file(1) and for this program */
    STORE_APPLICATION = 0x426e796e,
    STORE_VERSION = 1,
    STORE_BUSY_MS = 20000 /* another match is writing */
};

struct match_database {
    sqlite3 *db;
    char *path;
    sqlite3_int64 match;
    int players;
    sqlite3_stmt *add;
};

static const char match_database_schema[] =
    "CREATE TABLE matches("
    " id INTEGER PRIMARY KEY, started TEXT NOT NULL DEFAULT (datetime('now')), finished TEXT,"
    " game TEXT NOT NULL, setup TEXT, openings TEXT, opening_plies INTEGER NOT NULL,"
    " seed TEXT NOT NULL, games_wanted INTEGER NOT NULL, move_ms REAL, clock_ms REAL,"
    " increment_ms REAL, games_counted INTEGER);"
    "CREATE TABLE match_players("
    " match INTEGER NOT NULL REFERENCES matches, number INTEGER NOT NULL, spec TEXT NOT NULL,"
    " PRIMARY KEY(match, number)) WITHOUT ROWID;"
    "CREATE TABLE games("
    " match INTEGER NOT NULL REFERENCES matches, number INTEGER NOT NULL,"
    " seats TEXT NOT NULL, returns TEXT NOT NULL, start TEXT NOT NULL, actions TEXT NOT NULL,"
    " plies INTEGER NOT NULL, opening_plies INTEGER NOT NULL, overstepped INTEGER,"
    " setup_seed TEXT NOT NULL, dice_seed TEXT NOT NULL, elapsed_ms REAL NOT NULL,"
    " PRIMARY KEY(match, number)) WITHOUT ROWID;";

static enum banyan_status match_database_fail(struct match_database *store, const char *what,
                                              struct banyan_error *err)
{
    int code = sqlite3_errcode(store->db);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return banyan_fail(err, damaged ? BANYAN_CORRUPT : BANYAN_IO, "database '%.200s': %s: %s",
                       store->path, what, sqlite3_errmsg(store->db));
}

/* Reads the first column of the first row of a query as a number, and into *text unless NULL. */
static bool match_database_ask(struct match_database *store, const char *sql, sqlite3_int64 *number,
                               char *text, size_t size)
{
    sqlite3_stmt *statement = NULL;
    bool good = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW;
    if (good) {
        *number = sqlite3_column_int64(statement, 0);
        if (text)
            snprintf(text, size, "%s", (const char *)sqlite3_column_text(statement, 0));
    }
    good &= sqlite3_finalize(statement) == SQLITE_OK;
    return good;
}

/* Checks whether the file is damaged, another program's, or of another version. */
static enum banyan_status match_database_examine(struct match_database *store, bool *empty,
                                                 struct banyan_error *err)
{
    sqlite3_int64 tables, application, version, ignored;
    char check[200];
    if (!match_database_ask(store, "SELECT count(*) FROM sqlite_master", &tables, NULL, 0) ||
        !match_database_ask(store, "PRAGMA application_id", &application, NULL, 0) ||
        !match_database_ask(store, "PRAGMA user_version", &version, NULL, 0) ||
        !match_database_ask(store, "PRAGMA quick_check(1)", &ignored, check, sizeof check))
        return match_database_fail(store, "cannot be read", err);
    if (strcmp(check, "ok") != 0)
        return banyan_fail(err, BANYAN_CORRUPT, "database '%.200s' is damaged: %.100s", store->path,
                           check);
    *empty = tables == 0 && application == 0;
    if (!*empty && application != STORE_APPLICATION)
        return banyan_fail(err, BANYAN_CORRUPT, "database '%.200s' belongs to another program",
                           store->path);
    if (!*empty && version != STORE_VERSION)
        return banyan_fail(err, BANYAN_CORRUPT,
                           "database '%.200s' has version %d, this program knows %d: take another "
                           "file",
                           store->path, (int)version, STORE_VERSION);
    return BANYAN_OK;
}

static enum banyan_status match_database_run(struct match_database *store, const char *sql,
                                             const char *what, struct banyan_error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? BANYAN_OK
               : match_database_fail(store, what, err);
}

static enum banyan_status match_database_prepare(struct match_database *store,
                                                 struct banyan_error *err)
{
    char sql[128];
    bool empty;
    enum banyan_status status = match_database_examine(store, &empty, err);
    if (status == BANYAN_OK)
        status = match_database_run(store,
                                    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                                    "BEGIN IMMEDIATE",
                                    "cannot be written", err);
    if (status != BANYAN_OK)
        return status;
    /* another match may have made the tables meanwhile */
    status = match_database_examine(store, &empty, err);
    if (status == BANYAN_OK && empty) {
        snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                 STORE_APPLICATION, STORE_VERSION);
        status = match_database_run(store, match_database_schema, "cannot be set up", err);
        if (status == BANYAN_OK)
            status = match_database_run(store, sql, "cannot be set up", err);
    }
    /* version 0.1 spelt options differently: players must be comparable */
    if (status == BANYAN_OK && !empty)
        status = match_database_run(store,
                                    "UPDATE match_players SET spec = respelt(spec)"
                                    " WHERE spec <> respelt(spec)",
                                    "cannot be written", err);
    return status == BANYAN_OK ? match_database_run(store, "COMMIT", "cannot be written", err)
                               : status;
}

enum banyan_status match_database_open(struct match_database **out, const char *path,
                                       struct banyan_error *err)
{
    *out = NULL;
    struct match_database *store = calloc(1, sizeof *store);
    if (!store || !(store->path = strdup(path))) {
        free(store);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a database");
    }
    enum banyan_status status = BANYAN_OK;
    if (sqlite3_open(path, &store->db) != SQLITE_OK || respelt_register(store->db) != SQLITE_OK)
        status = match_database_fail(store, "cannot be opened", err);
    if (status == BANYAN_OK) {
        sqlite3_busy_timeout(store->db, STORE_BUSY_MS);
        status = match_database_prepare(store, err);
    }
    if (status != BANYAN_OK) {
        match_database_close(store);
        return status;
    }
    *out = store;
    return BANYAN_OK;
}

void match_database_close(struct match_database *store)
{
    if (!store)
        return;
    sqlite3_finalize(store->add);
    sqlite3_close(store->db);
    free(store->path);
    free(store);
}

/* Runs a statement that returns nothing, and forgets it. */
static bool match_database_step(sqlite3_stmt *statement)
{
    bool good = sqlite3_step(statement) == SQLITE_DONE;
    return (sqlite3_finalize(statement) == SQLITE_OK) & good;
}

static void match_database_bind_text(sqlite3_stmt *statement, int column, const char *text)
{
    if (text)
        sqlite3_bind_text(statement, column, text, -1, SQLITE_TRANSIENT);
}

static void match_database_bind_word(sqlite3_stmt *statement, int column, uint64_t word)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)word);
    match_database_bind_text(statement, column, text);
}

static enum banyan_status match_database_add_match(struct match_database *store,
                                                   const struct match_plan *plan,
                                                   struct banyan_error *err)
{
    const struct match_options *options = plan->options;
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(store->db,
                           "INSERT INTO matches(game, setup, openings, opening_plies, seed,"
                           " games_wanted, move_ms, clock_ms, increment_ms)"
                           " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                           -1, &row, NULL) != SQLITE_OK)
        return match_database_fail(store, "cannot be written", err);
    match_database_bind_text(row, 1, plan->game->name);
    match_database_bind_text(row, 2, options->setup);
    match_database_bind_text(row, 3, options->openings_path);
    sqlite3_bind_int(row, 4, options->opening_plies);
    match_database_bind_word(row, 5, options->seed);
    sqlite3_bind_int64(row, 6, options->games);
    sqlite3_bind_double(row, 7, options->time.move_ms);
    sqlite3_bind_double(row, 8, options->time.clock_ms);
    sqlite3_bind_double(row, 9, options->time.increment_ms);
    if (!match_database_step(row))
        return match_database_fail(store, "cannot be written", err);
    store->match = sqlite3_last_insert_rowid(store->db);
    return BANYAN_OK;
}

static enum banyan_status match_database_add_player(struct match_database *store, int number,
                                                    const char *spec, struct banyan_error *err)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(store->db, "INSERT INTO match_players VALUES (?, ?, respelt(?))", -1,
                           &row, NULL) != SQLITE_OK)
        return match_database_fail(store, "cannot be written", err);
    sqlite3_bind_int64(row, 1, store->match);
    sqlite3_bind_int(row, 2, number);
    match_database_bind_text(row, 3, spec);
    return match_database_step(row) ? BANYAN_OK
                                    : match_database_fail(store, "cannot be written", err);
}

enum banyan_status match_database_begin(struct match_database *store, const struct match_plan *plan,
                                        struct banyan_error *err)
{
    store->players = plan->game->players;
    enum banyan_status status =
        match_database_run(store, "BEGIN IMMEDIATE", "cannot be written", err);
    if (status == BANYAN_OK)
        status = match_database_add_match(store, plan, err);
    for (int i = 0; status == BANYAN_OK && i < plan->count; ++i)
        status = match_database_add_player(store, i, plan->specs[i], err);
    if (status == BANYAN_OK)
        status = match_database_run(store, "COMMIT", "cannot be written", err);
    if (status == BANYAN_OK &&
        sqlite3_prepare_v2(store->db,
                           "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1,
                           &store->add, NULL) != SQLITE_OK)
        status = match_database_fail(store, "cannot be written", err);
    return status;
}

enum banyan_status match_database_add(struct match_database *store, const struct match_game *game,
                                      struct banyan_error *err)
{
    const struct game_record *record = &game->record;
    char seats[128], returns[256], *actions = game_record_actions(record);
    if (!actions)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to store a game");
    struct text seats_text = text_start(seats, sizeof seats);
    struct text returns_text = text_start(returns, sizeof returns);
    for (int seat = 0; seat < store->players; ++seat) {
        text_add(&seats_text, "%s%d", seat ? " " : "", game->seats[seat]);
        text_add(&returns_text, "%s%.9g", seat ? " " : "", (double)record->returns[seat]);
    }
    sqlite3_stmt *row = store->add;
    sqlite3_bind_int64(row, 1, store->match);
    sqlite3_bind_int64(row, 2, game->number);
    match_database_bind_text(row, 3, seats);
    match_database_bind_text(row, 4, returns);
    match_database_bind_text(row, 5, record->start);
    match_database_bind_text(row, 6, actions);
    sqlite3_bind_int(row, 7, record->plies);
    sqlite3_bind_int(row, 8, record->opening_plies);
    if (record->overstepped >= 0)
        sqlite3_bind_int(row, 9, record->overstepped);
    else
        sqlite3_bind_null(row, 9);
    match_database_bind_word(row, 10, record->setup_seed);
    match_database_bind_word(row, 11, record->dice_seed);
    sqlite3_bind_double(row, 12, game->elapsed_ms);
    bool good = sqlite3_step(row) == SQLITE_DONE;
    enum banyan_status status =
        good ? BANYAN_OK : match_database_fail(store, "a game cannot be stored", err);
    sqlite3_reset(row);
    free(actions);
    return status;
}

enum banyan_status match_database_finish(struct match_database *store,
                                         const struct match_result *result,
                                         struct banyan_error *err)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(store->db,
                           "UPDATE matches SET finished = datetime('now'), games_counted = ?"
                           " WHERE id = ?",
                           -1, &row, NULL) != SQLITE_OK)
        return match_database_fail(store, "cannot be written", err);
    sqlite3_bind_int64(row, 1, result->games);
    sqlite3_bind_int64(row, 2, store->match);
    return match_database_step(row) ? BANYAN_OK
                                    : match_database_fail(store, "cannot be written", err);
}
