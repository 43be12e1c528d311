/* The database of a training run: its games and generations. */
#include "train/database.h"

#include "match/respelt.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum train_database_statement {
    STATEMENT_ADD_GAME,
    STATEMENT_HAS_GAME,
    STATEMENT_FORGET_GAME,
    STATEMENT_COUNT_GAMES,
    STATEMENT_ADD_PROGRESS,
    STATEMENT_ADD_GENERATION,
    STATEMENT_ADD_TEST,
    STATEMENT_ADD_WORKER,
    STATEMENT_COUNT
};

struct train_database {
    sqlite3 *db;
    bool borrowed; /* the connection is the caller's */
    sqlite3_stmt *statements[STATEMENT_COUNT];
};

#define GENERATION_COLUMNS                                                                        \
    "(generation INTEGER PRIMARY KEY, games INTEGER, "                                            \
    "choices INTEGER, positions INTEGER, window INTEGER, first_wins INTEGER, draws INTEGER, "     \
    "step INTEGER, policy REAL, entropy REAL, value REAL, owner REAL, score REAL, norm REAL, "    \
    "gate_games INTEGER, gate_score REAL, published INTEGER, elo REAL, exam_games INTEGER, "      \
    "exam_losses INTEGER, exam_score REAL, play_s REAL, learn_s REAL, gate_s REAL, exam_s REAL, " \
    "held INTEGER, held_policy REAL, held_value REAL);"
#define GENERATION_VALUES "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"

/* The file keeps the names of version 0.1, which called tests "exams". */
static const char train_database_schema[] =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
    "CREATE TABLE IF NOT EXISTS games (generation INTEGER, number INTEGER, file TEXT, "
    "choices INTEGER, resigned INTEGER, return0 REAL, return1 REAL, worker TEXT, "
    "PRIMARY KEY (generation, number)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS workers (name TEXT PRIMARY KEY, duplicates INTEGER, "
    "refused INTEGER, audited INTEGER, shut_out INTEGER) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS exams (generation INTEGER, opponent TEXT, games INTEGER, "
    "losses INTEGER, score REAL, PRIMARY KEY (generation, opponent)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS progress " GENERATION_COLUMNS
    "CREATE TABLE IF NOT EXISTS generations " GENERATION_COLUMNS;

static const char *const train_database_texts[STATEMENT_COUNT] = {
    [STATEMENT_ADD_GAME] =
        "INSERT OR IGNORE INTO games (generation, number, file, choices, resigned, "
        "return0, return1, worker) VALUES (?,?,?,?,?,?,?,?)",
    [STATEMENT_HAS_GAME] = "SELECT 1 FROM games WHERE generation=? AND number=?",
    [STATEMENT_FORGET_GAME] = "DELETE FROM games WHERE generation=? AND number=?",
    [STATEMENT_COUNT_GAMES] = "SELECT count(*) FROM games WHERE generation=? AND number<?",
    [STATEMENT_ADD_PROGRESS] = "INSERT OR REPLACE INTO progress " GENERATION_VALUES,
    [STATEMENT_ADD_GENERATION] = "INSERT OR REPLACE INTO generations " GENERATION_VALUES,
    [STATEMENT_ADD_TEST] = "INSERT OR REPLACE INTO exams VALUES (?,?,?,?,?)",
    [STATEMENT_ADD_WORKER] =
        "INSERT INTO workers VALUES (?1,?2,?3,?4,?5) ON CONFLICT (name) DO UPDATE "
        "SET duplicates=duplicates+?2, refused=refused+?3, audited=audited+?4, "
        "shut_out=max(shut_out,?5)",
};

static enum banyan_status train_database_failed(const struct train_database *database,
                                                struct banyan_error *err)
{
    int code = sqlite3_errcode(database->db);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return banyan_fail(err, damaged ? BANYAN_CORRUPT : BANYAN_IO, "the run's database: %s",
                       sqlite3_errmsg(database->db));
}

static enum banyan_status train_database_run(struct train_database *database, const char *sql,
                                             struct banyan_error *err)
{
    return sqlite3_exec(database->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? BANYAN_OK
               : train_database_failed(database, err);
}

/* Adds the column `worker`, which databases of earlier versions lack. */
static enum banyan_status train_database_complete(struct train_database *database,
                                                  struct banyan_error *err)
{
    if (sqlite3_table_column_metadata(database->db, NULL, "games", "worker", NULL, NULL, NULL, NULL,
                                      NULL) == SQLITE_OK)
        return BANYAN_OK;
    return train_database_run(database, "ALTER TABLE games ADD COLUMN worker TEXT", err);
}

enum banyan_status train_database_open(struct train_database **out, const char *path,
                                       struct banyan_error *err)
{
    struct train_database *database = calloc(1, sizeof *database);
    *out = NULL;
    if (!database)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a database");
    enum banyan_status status = BANYAN_OK;
    if (sqlite3_open(path, &database->db) != SQLITE_OK ||
        respelt_register(database->db) != SQLITE_OK)
        status =
            banyan_fail(err, BANYAN_IO, "cannot open '%s': %s", path, sqlite3_errmsg(database->db));
    if (status == BANYAN_OK) {
        sqlite3_busy_timeout(database->db, 10000); /* other processes write to the database, too */
        status = train_database_run(database, train_database_schema, err);
    }
    if (status == BANYAN_OK)
        status = train_database_complete(database, err);
    for (int i = 0; i < STATEMENT_COUNT && status == BANYAN_OK; ++i)
        if (sqlite3_prepare_v2(database->db, train_database_texts[i], -1, &database->statements[i],
                               NULL) != SQLITE_OK)
            status = train_database_failed(database, err);
    if (status != BANYAN_OK) {
        train_database_close(database);
        return status;
    }
    *out = database;
    return BANYAN_OK;
}

void train_database_close(struct train_database *database)
{
    if (!database)
        return;
    for (int i = 0; i < STATEMENT_COUNT; ++i)
        sqlite3_finalize(database->statements[i]);
    if (!database->borrowed)
        sqlite3_close(database->db);
    free(database);
}

enum banyan_status train_database_read(struct train_database **out, sqlite3 *db,
                                       struct banyan_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a database");
    (*out)->db = db;
    (*out)->borrowed = true;
    if (respelt_register(db) == SQLITE_OK)
        return BANYAN_OK;
    enum banyan_status status = train_database_failed(*out, err);
    train_database_close(*out);
    return status;
}

static enum banyan_status train_database_step(struct train_database *database,
                                              sqlite3_stmt *statement, struct banyan_error *err)
{
    int code = sqlite3_step(statement);
    enum banyan_status status =
        code == SQLITE_DONE ? BANYAN_OK : train_database_failed(database, err);
    sqlite3_reset(statement);
    return status;
}

/* --- games --- */

enum banyan_status train_database_add_game(struct train_database *database,
                                           const struct record *record, const char *file,
                                           const char *worker, struct banyan_error *err)
{
    sqlite3_stmt *s = database->statements[STATEMENT_ADD_GAME];
    sqlite3_bind_int64(s, 1, record->generation);
    sqlite3_bind_int64(s, 2, record->number);
    sqlite3_bind_text(s, 3, file, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(s, 4, record->choice_count);
    sqlite3_bind_int(s, 5, record->resigned);
    sqlite3_bind_double(s, 6, (double)record->returns[0]);
    sqlite3_bind_double(s, 7, (double)record->returns[1]);
    sqlite3_bind_text(s, 8, worker, -1, SQLITE_TRANSIENT);
    return train_database_step(database, s, err);
}

/* Runs a query with two numbers; *answer: the first column of its row, 0 without a row. */
static enum banyan_status train_database_ask(struct train_database *database,
                                             enum train_database_statement which, int64_t a,
                                             int64_t b, int64_t *answer, struct banyan_error *err)
{
    sqlite3_stmt *s = database->statements[which];
    sqlite3_bind_int64(s, 1, a);
    sqlite3_bind_int64(s, 2, b);
    int code = sqlite3_step(s);
    *answer = code == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
    enum banyan_status status = code == SQLITE_ROW || code == SQLITE_DONE
                                    ? BANYAN_OK
                                    : train_database_failed(database, err);
    sqlite3_reset(s);
    return status;
}

enum banyan_status train_database_has_game(struct train_database *database, int64_t generation,
                                           int64_t number, bool *there, struct banyan_error *err)
{
    int64_t answer;
    enum banyan_status status =
        train_database_ask(database, STATEMENT_HAS_GAME, generation, number, &answer, err);
    *there = answer != 0;
    return status;
}

enum banyan_status train_database_count_games(struct train_database *database, int64_t generation,
                                              int64_t games, int64_t *count,
                                              struct banyan_error *err)
{
    return train_database_ask(database, STATEMENT_COUNT_GAMES, generation, games, count, err);
}

enum banyan_status train_database_forget_game(struct train_database *database, int64_t generation,
                                              int64_t number, struct banyan_error *err)
{
    int64_t nothing;
    return train_database_ask(database, STATEMENT_FORGET_GAME, generation, number, &nothing, err);
}

/* --- workers --- */

enum banyan_status train_database_add_worker(struct train_database *database,
                                             const struct train_database_worker *more,
                                             struct banyan_error *err)
{
    sqlite3_stmt *s = database->statements[STATEMENT_ADD_WORKER];
    sqlite3_bind_text(s, 1, more->name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(s, 2, more->duplicates);
    sqlite3_bind_int64(s, 3, more->refused);
    sqlite3_bind_int64(s, 4, more->audited);
    sqlite3_bind_int(s, 5, more->shut_out);
    return train_database_step(database, s, err);
}

enum banyan_status train_database_each_worker(
    struct train_database *database,
    enum banyan_status (*fn)(void *ctx, const struct train_database_worker *worker), void *ctx,
    struct banyan_error *err)
{
    static const char sql[] =
        "SELECT name, sum(games), sum(duplicates), sum(refused), sum(audited), max(shut_out) FROM "
        "(SELECT worker AS name, count(*) AS games, 0 AS duplicates, 0 AS refused, 0 AS audited, "
        "0 AS shut_out FROM games WHERE worker IS NOT NULL GROUP BY worker UNION ALL "
        "SELECT name, 0, duplicates, refused, audited, shut_out FROM workers) "
        "GROUP BY name ORDER BY name";
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(database->db, sql, -1, &s, NULL) != SQLITE_OK)
        return train_database_failed(database, err);
    enum banyan_status status = BANYAN_OK;
    int code = SQLITE_DONE;
    while (status == BANYAN_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        struct train_database_worker worker = {.games = sqlite3_column_int64(s, 1),
                                               .duplicates = sqlite3_column_int64(s, 2),
                                               .refused = sqlite3_column_int64(s, 3),
                                               .audited = sqlite3_column_int64(s, 4),
                                               .shut_out = sqlite3_column_int(s, 5) != 0};
        snprintf(worker.name, sizeof worker.name, "%s", (const char *)sqlite3_column_text(s, 0));
        status = fn(ctx, &worker);
    }
    if (status == BANYAN_OK && code != SQLITE_DONE)
        status = train_database_failed(database, err);
    sqlite3_finalize(s);
    return status;
}

/* --- generations --- */

enum banyan_status train_database_add_generation(struct train_database *database,
                                                 enum train_database_table table,
                                                 const struct loop_generation *g,
                                                 struct banyan_error *err)
{
    sqlite3_stmt *s =
        database->statements[table == TRAIN_DATABASE_PROGRESS ? STATEMENT_ADD_PROGRESS
                                                              : STATEMENT_ADD_GENERATION];
    const int64_t first[] = {g->generation, g->games,      g->choices, g->positions,
                             g->window,     g->first_wins, g->draws,   g->step};
    const double losses[] = {g->learned.policy, g->learned.entropy, g->learned.value,
                             g->learned.owner,  g->learned.score,   g->learned.norm};
    int at = 1;
    for (size_t i = 0; i < sizeof first / sizeof *first; ++i)
        sqlite3_bind_int64(s, at++, first[i]);
    for (size_t i = 0; i < sizeof losses / sizeof *losses; ++i)
        sqlite3_bind_double(s, at++, losses[i]);
    sqlite3_bind_int64(s, at++, g->gate_games);
    sqlite3_bind_double(s, at++, g->gate_score);
    sqlite3_bind_int(s, at++, g->published);
    sqlite3_bind_double(s, at++, g->elo);
    sqlite3_bind_int64(s, at++, g->test_games);
    sqlite3_bind_int64(s, at++, g->test_losses);
    const double rest[] = {g->test_score, g->play_s, g->learn_s, g->gate_s, g->test_s};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; ++i)
        sqlite3_bind_double(s, at++, rest[i]);
    sqlite3_bind_int64(s, at++, g->held.positions);
    sqlite3_bind_double(s, at++, g->held.policy);
    sqlite3_bind_double(s, at, g->held.value);
    return train_database_step(database, s, err);
}

static void train_database_read_generation(sqlite3_stmt *s, struct loop_generation *g)
{
    int64_t *const first[] = {&g->generation, &g->games,      &g->choices, &g->positions,
                              &g->window,     &g->first_wins, &g->draws,   &g->step};
    double *const losses[] = {&g->learned.policy, &g->learned.entropy, &g->learned.value,
                              &g->learned.owner,  &g->learned.score,   &g->learned.norm};
    double *const rest[] = {&g->test_score, &g->play_s, &g->learn_s, &g->gate_s, &g->test_s};
    int at = 0;
    *g = (struct loop_generation){.generation = 0};
    for (size_t i = 0; i < sizeof first / sizeof *first; ++i)
        *first[i] = sqlite3_column_int64(s, at++);
    for (size_t i = 0; i < sizeof losses / sizeof *losses; ++i)
        *losses[i] = sqlite3_column_double(s, at++);
    g->gate_games = sqlite3_column_int64(s, at++);
    g->gate_score = sqlite3_column_double(s, at++);
    g->published = sqlite3_column_int(s, at++);
    g->elo = sqlite3_column_double(s, at++);
    g->test_games = sqlite3_column_int64(s, at++);
    g->test_losses = sqlite3_column_int64(s, at++);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; ++i)
        *rest[i] = sqlite3_column_double(s, at++);
    g->held.positions = sqlite3_column_int64(s, at++);
    g->held.policy = sqlite3_column_double(s, at++);
    g->held.value = sqlite3_column_double(s, at);
}

enum banyan_status train_database_each_generation(
    struct train_database *database, enum train_database_table table, int64_t first,
    enum banyan_status (*fn)(void *ctx, const struct loop_generation *generation), void *ctx,
    struct banyan_error *err)
{
    sqlite3_stmt *s;
    const char *sql = table == TRAIN_DATABASE_PROGRESS
                          ? "SELECT * FROM progress WHERE generation>=? ORDER BY generation"
                          : "SELECT * FROM generations WHERE generation>=? ORDER BY generation";
    if (sqlite3_prepare_v2(database->db, sql, -1, &s, NULL) != SQLITE_OK)
        return train_database_failed(database, err);
    sqlite3_bind_int64(s, 1, first);
    enum banyan_status status = BANYAN_OK;
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW && status == BANYAN_OK) {
        struct loop_generation generation;
        train_database_read_generation(s, &generation);
        status = fn(ctx, &generation);
    }
    if (status == BANYAN_OK && code != SQLITE_DONE)
        status = train_database_failed(database, err);
    sqlite3_finalize(s);
    return status;
}

enum banyan_status train_database_last(struct train_database *database, int64_t *generation,
                                       double *elo, struct banyan_error *err)
{
    sqlite3_stmt *s;
    *generation = 0;
    *elo = 0;
    if (sqlite3_prepare_v2(database->db,
                           "SELECT generation, elo FROM generations ORDER BY generation DESC "
                           "LIMIT 1",
                           -1, &s, NULL) != SQLITE_OK)
        return train_database_failed(database, err);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        *generation = sqlite3_column_int64(s, 0);
        *elo = sqlite3_column_double(s, 1);
    }
    enum banyan_status status = code == SQLITE_ROW || code == SQLITE_DONE
                                    ? BANYAN_OK
                                    : train_database_failed(database, err);
    sqlite3_finalize(s);
    return status;
}

/* --- tests --- */

enum banyan_status train_database_add_test(struct train_database *database,
                                           const struct train_database_test *test,
                                           struct banyan_error *err)
{
    sqlite3_stmt *s = database->statements[STATEMENT_ADD_TEST];
    sqlite3_bind_int64(s, 1, test->generation);
    sqlite3_bind_text(s, 2, test->opponent, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(s, 3, test->games);
    sqlite3_bind_int64(s, 4, test->losses);
    sqlite3_bind_double(s, 5, test->score);
    return train_database_step(database, s, err);
}

enum banyan_status train_database_each_test(struct train_database *database,
                                            void (*fn)(void *ctx,
                                                       const struct train_database_test *test),
                                            void *ctx, struct banyan_error *err)
{
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(database->db,
                           "SELECT generation, respelt(opponent), games, losses, score FROM exams"
                           " ORDER BY 2, 1",
                           -1, &s, NULL) != SQLITE_OK)
        return train_database_failed(database, err);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        struct train_database_test test = {.generation = sqlite3_column_int64(s, 0)};
        const unsigned char *opponent = sqlite3_column_text(s, 1);
        snprintf(test.opponent, sizeof test.opponent, "%s", opponent ? (const char *)opponent : "");
        test.games = sqlite3_column_int64(s, 2);
        test.losses = sqlite3_column_int64(s, 3);
        test.score = sqlite3_column_double(s, 4);
        fn(ctx, &test);
    }
    enum banyan_status status =
        code == SQLITE_DONE ? BANYAN_OK : train_database_failed(database, err);
    sqlite3_finalize(s);
    return status;
}

enum banyan_status train_database_each_game(struct train_database *database, int most,
                                            void (*fn)(void *ctx,
                                                       const struct train_database_game *game),
                                            void *ctx, struct banyan_error *err)
{
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(
            database->db,
            "SELECT generation, number, choices, resigned, return0, return1 FROM games"
            " ORDER BY generation DESC, number DESC LIMIT ?",
            -1, &s, NULL) != SQLITE_OK)
        return train_database_failed(database, err);
    sqlite3_bind_int(s, 1, most);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        fn(ctx, &(struct train_database_game){
                    .generation = sqlite3_column_int64(s, 0),
                    .number = sqlite3_column_int64(s, 1),
                    .choices = sqlite3_column_int(s, 2),
                    .resigned = sqlite3_column_int(s, 3) != 0,
                    .returns = {sqlite3_column_double(s, 4), sqlite3_column_double(s, 5)}});
    enum banyan_status status =
        code == SQLITE_DONE ? BANYAN_OK : train_database_failed(database, err);
    sqlite3_finalize(s);
    return status;
}

enum banyan_status train_database_find_file(struct train_database *database, int64_t generation,
                                            int64_t number, char *out, size_t size,
                                            struct banyan_error *err)
{
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(database->db, "SELECT file FROM games WHERE generation=? AND number=?",
                           -1, &s, NULL) != SQLITE_OK)
        return train_database_failed(database, err);
    sqlite3_bind_int64(s, 1, generation);
    sqlite3_bind_int64(s, 2, number);
    int code = sqlite3_step(s);
    const char *file = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    bool fits = file && snprintf(out, size, "%s", file) < (int)size;
    enum banyan_status status = code == SQLITE_ROW || code == SQLITE_DONE
                                    ? BANYAN_OK
                                    : train_database_failed(database, err);
    sqlite3_finalize(s);
    if (status == BANYAN_OK && !fits)
        status = banyan_fail(err, BANYAN_NOT_FOUND, "the run has no game %lld of generation %lld",
                             (long long)number + 1, (long long)generation);
    return status;
}

enum banyan_status train_database_begin(struct train_database *database, struct banyan_error *err)
{
    return train_database_run(database, "BEGIN", err);
}

enum banyan_status train_database_commit(struct train_database *database, struct banyan_error *err)
{
    return train_database_run(database, "COMMIT", err);
}
