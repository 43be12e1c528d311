/* Keeps matches in an SQLite file. */
#include "match/database_rows.h"

#include "base/text.h"
#include "match/respelt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    /* "Bnyn": the mark of our databases, for file(1) and for this program */
    STORE_APPLICATION = 0x426e796e,
    STORE_VERSION = 2,
    STORE_BUSY_MS = 20000 /* longest wait while another match is writing */
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

/* The columns that version 2 adds, so that a match's result can be counted again from its games. */
static const char match_database_schema_2[] = "ALTER TABLE matches ADD COLUMN handicaps TEXT;"
                                              "ALTER TABLE games ADD COLUMN forfeited INTEGER;"
                                              "ALTER TABLE games ADD COLUMN points TEXT;"
                                              "ALTER TABLE games ADD COLUMN used TEXT;"
                                              "ALTER TABLE games ADD COLUMN hash TEXT;";

/* These tables are made in files of every version; older programs ignore them. */
static const char match_database_later[] =
    "CREATE TABLE IF NOT EXISTS match_runs("
    " match INTEGER PRIMARY KEY REFERENCES matches, process INTEGER NOT NULL,"
    " elo0 REAL, elo1 REAL, alpha REAL, beta REAL);"
    "CREATE TABLE IF NOT EXISTS match_starts("
    " match INTEGER PRIMARY KEY REFERENCES matches, hash TEXT NOT NULL);";

enum banyan_status match_database_fail(struct match_database *store, const char *what,
                                       struct banyan_error *err)
{
    int code = sqlite3_errcode(store->db);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    if (code == SQLITE_READONLY) /* also where the first write belongs to reading */
        what = "cannot be written";
    return banyan_fail(err, damaged ? BANYAN_CORRUPT : BANYAN_IO, "database '%.200s': %s: %s",
                       store->path, what, sqlite3_errmsg(store->db));
}

/* Reads the first column of the first row of a query as a number, and also as a text unless
 * text is NULL. */
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

/* Checks whether the file is damaged, another program's, or of a later version.  *version: 0 if it is
 * empty. */
static enum banyan_status match_database_examine(struct match_database *store, int *version,
                                                 struct banyan_error *err)
{
    sqlite3_int64 tables, application, told, ignored;
    char check[200];
    if (!match_database_ask(store, "SELECT count(*) FROM sqlite_master", &tables, NULL, 0) ||
        !match_database_ask(store, "PRAGMA application_id", &application, NULL, 0) ||
        !match_database_ask(store, "PRAGMA user_version", &told, NULL, 0) ||
        !match_database_ask(store, "PRAGMA quick_check(1)", &ignored, check, sizeof check))
        return match_database_fail(store, "cannot be read", err);
    if (strcmp(check, "ok") != 0)
        return banyan_fail(err, BANYAN_CORRUPT, "database '%.200s' is damaged: %.100s", store->path,
                           check);
    bool empty = tables == 0 && application == 0;
    if (!empty && application != STORE_APPLICATION)
        return banyan_fail(err, BANYAN_CORRUPT, "database '%.200s' belongs to another program",
                           store->path);
    if (!empty && (told < 1 || told > STORE_VERSION))
        return banyan_fail(err, BANYAN_CORRUPT,
                           "database '%.200s' has version %d, this program knows %d: take another "
                           "file",
                           store->path, (int)told, STORE_VERSION);
    *version = empty ? 0 : (int)told;
    return BANYAN_OK;
}

enum banyan_status match_database_run(struct match_database *store, const char *sql,
                                      const char *what, struct banyan_error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? BANYAN_OK
               : match_database_fail(store, what, err);
}

/* Brings the tables from version (0: there are none) to today's. */
static enum banyan_status match_database_upgrade(struct match_database *store, int version,
                                                 struct banyan_error *err)
{
    char sql[128];
    enum banyan_status status = BANYAN_OK;
    if (version == 0)
        status = match_database_run(store, match_database_schema, "cannot be set up", err);
    if (status == BANYAN_OK && version < 2)
        status = match_database_run(store, match_database_schema_2, "cannot be set up", err);
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             STORE_APPLICATION, STORE_VERSION);
    if (status == BANYAN_OK && version < STORE_VERSION)
        status = match_database_run(store, sql, "cannot be set up", err);
    return status;
}

static enum banyan_status match_database_prepare(struct match_database *store,
                                                 struct banyan_error *err)
{
    int version = 0;
    enum banyan_status status = match_database_examine(store, &version, err);
    if (status == BANYAN_OK)
        status = match_database_run(store,
                                    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                                    "BEGIN IMMEDIATE",
                                    "cannot be written", err);
    if (status != BANYAN_OK)
        return status;
    /* another match may have made the tables meanwhile */
    status = match_database_examine(store, &version, err);
    if (status == BANYAN_OK)
        status = match_database_upgrade(store, version, err);
    if (status == BANYAN_OK)
        status = match_database_run(store, match_database_later, "cannot be set up", err);
    /* version 0.1 spelt options differently: players must be comparable */
    if (status == BANYAN_OK && version > 0)
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

/* Runs a statement that returns nothing, and finalizes it. */
static bool match_database_step(sqlite3_stmt *statement)
{
    bool good = sqlite3_step(statement) == SQLITE_DONE;
    return (sqlite3_finalize(statement) == SQLITE_OK) & good;
}

void match_database_bind_text(sqlite3_stmt *statement, int column, const char *text)
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

/* All handicaps as one text: "nodes=500;;" */
static void match_database_bind_handicaps(sqlite3_stmt *statement, int column,
                                          const struct match_plan *plan)
{
    char text[1024];
    struct text out = text_start(text, sizeof text);
    for (int seat = 0; seat < plan->game->players; ++seat)
        text_add(&out, "%s;", plan->options->handicaps[seat] ? plan->options->handicaps[seat] : "");
    match_database_bind_text(statement, column, text);
}

/* Binds the settings of a match, without its players: columns 1 to 9. */
void match_database_bind_match(sqlite3_stmt *row, const struct match_plan *plan)
{
    const struct match_options *options = plan->options;
    match_database_bind_text(row, 1, plan->game->name);
    match_database_bind_text(row, 2, options->setup);
    match_database_bind_text(row, 3, options->openings_path);
    sqlite3_bind_int(row, 4, options->opening_plies);
    match_database_bind_word(row, 5, options->seed);
    sqlite3_bind_double(row, 6, options->time.move_ms);
    sqlite3_bind_double(row, 7, options->time.clock_ms);
    sqlite3_bind_double(row, 8, options->time.increment_ms);
    match_database_bind_handicaps(row, 9, plan);
}

static enum banyan_status match_database_add_match(struct match_database *store,
                                                   const struct match_plan *plan,
                                                   struct banyan_error *err)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(store->db,
                           "INSERT INTO matches(game, setup, openings, opening_plies, seed,"
                           " move_ms, clock_ms, increment_ms, handicaps, games_wanted)"
                           " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                           -1, &row, NULL) != SQLITE_OK)
        return match_database_fail(store, "cannot be written", err);
    match_database_bind_match(row, plan);
    sqlite3_bind_int64(row, 10, plan->options->games);
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

enum banyan_status match_database_add_run(struct match_database *store,
                                          const struct match_options *options,
                                          struct banyan_error *err)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO match_runs VALUES (?, ?, ?, ?, ?, ?)",
                           -1, &row, NULL) != SQLITE_OK)
        return match_database_fail(store, "cannot be written", err);
    sqlite3_bind_int64(row, 1, store->match);
    sqlite3_bind_int64(row, 2, getpid());
    const double test[] = {options->sprt.elo0, options->sprt.elo1, options->sprt.alpha,
                           options->sprt.beta};
    for (int i = 0; options->use_sprt && i < 4; ++i)
        sqlite3_bind_double(row, 3 + i, test[i]);
    return match_database_step(row) ? BANYAN_OK
                                    : match_database_fail(store, "cannot be written", err);
}

enum banyan_status match_database_add_starts(struct match_database *store,
                                             const struct match_plan *plan,
                                             struct banyan_error *err)
{
    sqlite3_stmt *row = NULL;
    if (!plan->starts[0])
        return BANYAN_OK;
    if (sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO match_starts VALUES (?, ?)", -1, &row,
                           NULL) != SQLITE_OK)
        return match_database_fail(store, "cannot be written", err);
    sqlite3_bind_int64(row, 1, store->match);
    match_database_bind_text(row, 2, plan->starts);
    return match_database_step(row) ? BANYAN_OK
                                    : match_database_fail(store, "cannot be written", err);
}

enum banyan_status match_database_prepare_add(struct match_database *store,
                                              struct banyan_error *err)
{
    return sqlite3_prepare_v2(
               store->db,
               "INSERT INTO games(match, number, seats, returns, start, actions, plies,"
               " opening_plies, overstepped, setup_seed, dice_seed, elapsed_ms, forfeited, points,"
               " used, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               -1, &store->add, NULL) == SQLITE_OK
               ? BANYAN_OK
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
    if (status == BANYAN_OK)
        status = match_database_add_run(store, plan->options, err);
    if (status == BANYAN_OK)
        status = match_database_add_starts(store, plan, err);
    for (int i = 0; status == BANYAN_OK && i < plan->count; ++i)
        status = match_database_add_player(store, i, plan->specs[i], err);
    if (status == BANYAN_OK)
        status = match_database_run(store, "COMMIT", "cannot be written", err);
    return status == BANYAN_OK ? match_database_prepare_add(store, err) : status;
}

/* Binds a seat of a game; NULL if there is none. */
static void match_database_bind_seat(sqlite3_stmt *row, int column, int seat)
{
    if (seat >= 0)
        sqlite3_bind_int(row, column, seat);
    else
        sqlite3_bind_null(row, column);
}

/* Binds the columns that have values for every seat: 3, 4, 14, 15. */
static void match_database_bind_seats(sqlite3_stmt *row, const struct match_game *game, int players)
{
    enum { SEATS = 1024 };
    char seats[SEATS], returns[SEATS], points[SEATS], used[SEATS];
    struct text seats_text = text_start(seats, SEATS), returns_text = text_start(returns, SEATS);
    struct text points_text = text_start(points, SEATS), used_text = text_start(used, SEATS);
    for (int seat = 0; seat < players; ++seat) {
        const struct playing_seat *played = &game->played[seat];
        const char *blank = seat ? " " : "";
        text_add(&seats_text, "%s%d", blank, game->seats[seat]);
        text_add(&returns_text, "%s%.9g", blank, (double)game->record.returns[seat]);
        text_add(&points_text, "%s%.9g", blank, (double)game->record.points[seat]);
        text_add(&used_text, "%s%" PRId64 " %" PRIu64 " %.9g %.9g", blank, played->decisions,
                 played->simulations, played->elapsed_ms, played->longest_ms);
    }
    match_database_bind_text(row, 3, seats);
    match_database_bind_text(row, 4, returns);
    match_database_bind_text(row, 14, points);
    match_database_bind_text(row, 15, used);
}

enum banyan_status match_database_add(struct match_database *store, const struct match_game *game,
                                      struct banyan_error *err)
{
    const struct game_record *record = &game->record;
    char *actions = game_record_actions(record);
    if (!actions)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to store a game");
    sqlite3_stmt *row = store->add;
    sqlite3_bind_int64(row, 1, store->match);
    sqlite3_bind_int64(row, 2, game->number);
    match_database_bind_seats(row, game, store->players);
    match_database_bind_text(row, 5, record->start);
    match_database_bind_text(row, 6, actions);
    sqlite3_bind_int(row, 7, record->plies);
    sqlite3_bind_int(row, 8, record->opening_plies);
    match_database_bind_seat(row, 9, record->overstepped);
    match_database_bind_word(row, 10, record->setup_seed);
    match_database_bind_word(row, 11, record->dice_seed);
    sqlite3_bind_double(row, 12, game->elapsed_ms);
    match_database_bind_seat(row, 13, record->forfeited);
    match_database_bind_word(row, 16, game->hash);
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
