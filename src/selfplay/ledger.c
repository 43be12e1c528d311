#include "selfplay/ledger.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct ledger {
    sqlite3 *db;
    sqlite3_stmt *game, *generation;
};

static const char ledger_schema[] =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=10000;"
    "CREATE TABLE IF NOT EXISTS games (generation INTEGER, number INTEGER, file TEXT, "
    "choices INTEGER, resigned INTEGER, return0 REAL, return1 REAL, "
    "PRIMARY KEY (generation, number)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS generations (generation INTEGER PRIMARY KEY, games INTEGER, "
    "choices INTEGER, positions INTEGER, window INTEGER, first_wins INTEGER, draws INTEGER, "
    "step INTEGER, policy REAL, entropy REAL, value REAL, owner REAL, score REAL, norm REAL, "
    "gate_games INTEGER, gate_score REAL, published INTEGER, elo REAL, exam_games INTEGER, "
    "exam_losses INTEGER, exam_score REAL, play_s REAL, learn_s REAL, gate_s REAL, exam_s REAL);";

static const char ledger_game[] = "INSERT OR IGNORE INTO games VALUES (?,?,?,?,?,?,?)";
static const char ledger_generation[] = "INSERT OR REPLACE INTO generations VALUES "
                                        "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

static enum banyan_status ledger_failed(const struct ledger *ledger, struct banyan_error *err)
{
    int code = sqlite3_errcode(ledger->db);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return banyan_fail(err, damaged ? BANYAN_CORRUPT : BANYAN_IO, "the run's database: %s",
                       sqlite3_errmsg(ledger->db));
}

static enum banyan_status ledger_run(struct ledger *ledger, const char *sql,
                                     struct banyan_error *err)
{
    return sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? BANYAN_OK
               : ledger_failed(ledger, err);
}

enum banyan_status ledger_open(struct ledger **out, const char *path, struct banyan_error *err)
{
    struct ledger *ledger = calloc(1, sizeof *ledger);
    *out = NULL;
    if (!ledger)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a database");
    enum banyan_status status = BANYAN_OK;
    if (sqlite3_open(path, &ledger->db) != SQLITE_OK)
        status =
            banyan_fail(err, BANYAN_IO, "cannot open '%s': %s", path, sqlite3_errmsg(ledger->db));
    if (status == BANYAN_OK)
        status = ledger_run(ledger, ledger_schema, err);
    if (status == BANYAN_OK &&
        (sqlite3_prepare_v2(ledger->db, ledger_game, -1, &ledger->game, NULL) != SQLITE_OK ||
         sqlite3_prepare_v2(ledger->db, ledger_generation, -1, &ledger->generation, NULL) !=
             SQLITE_OK))
        status = ledger_failed(ledger, err);
    if (status != BANYAN_OK) {
        ledger_close(ledger);
        return status;
    }
    *out = ledger;
    return BANYAN_OK;
}

void ledger_close(struct ledger *ledger)
{
    if (!ledger)
        return;
    sqlite3_finalize(ledger->game);
    sqlite3_finalize(ledger->generation);
    sqlite3_close(ledger->db);
    free(ledger);
}

static enum banyan_status ledger_step(struct ledger *ledger, sqlite3_stmt *statement,
                                      struct banyan_error *err)
{
    int code = sqlite3_step(statement);
    enum banyan_status status = code == SQLITE_DONE ? BANYAN_OK : ledger_failed(ledger, err);
    sqlite3_reset(statement);
    return status;
}

enum banyan_status ledger_add_game(struct ledger *ledger, const struct record *record,
                                   const char *file, struct banyan_error *err)
{
    sqlite3_stmt *s = ledger->game;
    sqlite3_bind_int64(s, 1, record->generation);
    sqlite3_bind_int64(s, 2, record->number);
    sqlite3_bind_text(s, 3, file, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(s, 4, record->choice_count);
    sqlite3_bind_int(s, 5, record->resigned);
    sqlite3_bind_double(s, 6, (double)record->returns[0]);
    sqlite3_bind_double(s, 7, (double)record->returns[1]);
    return ledger_step(ledger, s, err);
}

enum banyan_status ledger_add_generation(struct ledger *ledger, const struct loop_generation *g,
                                         struct banyan_error *err)
{
    sqlite3_stmt *s = ledger->generation;
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
    sqlite3_bind_int64(s, at++, g->exam_games);
    sqlite3_bind_int64(s, at++, g->exam_losses);
    const double rest[] = {g->exam_score, g->play_s, g->learn_s, g->gate_s, g->exam_s};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; ++i)
        sqlite3_bind_double(s, at++, rest[i]);
    return ledger_step(ledger, s, err);
}

enum banyan_status ledger_last(struct ledger *ledger, int64_t *generation, double *elo,
                               struct banyan_error *err)
{
    sqlite3_stmt *s;
    *generation = 0;
    *elo = 0;
    if (sqlite3_prepare_v2(ledger->db,
                           "SELECT generation, elo FROM generations ORDER BY generation DESC "
                           "LIMIT 1",
                           -1, &s, NULL) != SQLITE_OK)
        return ledger_failed(ledger, err);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        *generation = sqlite3_column_int64(s, 0);
        *elo = sqlite3_column_double(s, 1);
    }
    enum banyan_status status =
        code == SQLITE_ROW || code == SQLITE_DONE ? BANYAN_OK : ledger_failed(ledger, err);
    sqlite3_finalize(s);
    return status;
}

enum banyan_status ledger_begin(struct ledger *ledger, struct banyan_error *err)
{
    return ledger_run(ledger, "BEGIN", err);
}

enum banyan_status ledger_commit(struct ledger *ledger, struct banyan_error *err)
{
    return ledger_run(ledger, "COMMIT", err);
}
