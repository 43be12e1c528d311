/* Reads matches of a database while they are played. */
#include "match/history.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *history_text(sqlite3_stmt *s, int column)
{
    return (const char *)sqlite3_column_text(s, column);
}

/* --- matches --- */

/* Owned copies of the texts of the players. */
struct history_specs {
    char *texts[MATCH_MAX_PLAYERS];
    int count;
};

static void history_specs_free(struct history_specs *specs)
{
    while (specs->count > 0)
        free(specs->texts[--specs->count]);
}

static enum banyan_status history_read_specs(struct follow *follow, int64_t match,
                                             struct history_specs *specs, struct banyan_error *err)
{
    int code = SQLITE_DONE;
    sqlite3_stmt *s =
        follow_query(follow, "SELECT spec FROM match_players WHERE match = ? ORDER BY number", err);
    specs->count = 0;
    if (!s)
        return BANYAN_CORRUPT;
    sqlite3_bind_int64(s, 1, match);
    while (specs->count < MATCH_MAX_PLAYERS && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *text = history_text(s, 0);
        if ((specs->texts[specs->count] = strdup(text ? text : "?")))
            ++specs->count;
    }
    enum banyan_status status =
        code == SQLITE_ROW || code == SQLITE_DONE ? BANYAN_OK : follow_failed(follow, err);
    sqlite3_finalize(s);
    return status;
}

static void history_read_match(sqlite3_stmt *s, const struct history_specs *specs,
                               struct match_history_row *row)
{
    *row = (struct match_history_row){
        .id = sqlite3_column_int64(s, 0),
        .game = history_text(s, 1),
        .setup = history_text(s, 2),
        .openings = history_text(s, 3),
        .opening_plies = sqlite3_column_int(s, 4),
        .seed = history_text(s, 5),
        .games_wanted = sqlite3_column_int64(s, 6),
        .time = {sqlite3_column_double(s, 7), sqlite3_column_double(s, 8),
                 sqlite3_column_double(s, 9)},
        .games_counted = sqlite3_column_int64(s, 10),
        .started = history_text(s, 11),
        .finished = history_text(s, 12),
        .process = sqlite3_column_int64(s, 13),
        .use_sprt = sqlite3_column_type(s, 14) != SQLITE_NULL,
        .sprt = {sqlite3_column_double(s, 14), sqlite3_column_double(s, 15),
                 sqlite3_column_double(s, 16), sqlite3_column_double(s, 17)},
        .count = specs->count,
    };
    memcpy(row->specs, specs->texts, sizeof specs->texts);
}

/* Files of earlier versions have no table match_runs. */
static sqlite3_stmt *history_query_matches(struct follow *follow, struct banyan_error *err)
{
    char sql[512];
    bool runs = follow_has_table(follow, "match_runs");
    snprintf(sql, sizeof sql,
             "SELECT id, game, setup, openings, opening_plies, seed, games_wanted, move_ms,"
             " clock_ms, increment_ms, games_counted, started, finished, %s FROM matches %s"
             " WHERE ?1 IN (0, id) ORDER BY id DESC",
             runs ? "process, elo0, elo1, alpha, beta" : "0, NULL, NULL, NULL, NULL",
             runs ? "LEFT JOIN match_runs ON match = id" : "");
    return follow_query(follow, sql, err);
}

enum banyan_status match_history_each(struct follow *follow, int64_t id,
                                      bool (*fn)(void *ctx, const struct match_history_row *row),
                                      void *ctx, struct banyan_error *err)
{
    int code = SQLITE_DONE;
    bool more = true;
    if (!follow_has_table(follow, "matches"))
        return BANYAN_OK;
    sqlite3_stmt *s = history_query_matches(follow, err);
    enum banyan_status status = s ? BANYAN_OK : BANYAN_CORRUPT;
    if (s)
        sqlite3_bind_int64(s, 1, id);
    while (status == BANYAN_OK && more && (code = sqlite3_step(s)) == SQLITE_ROW) {
        struct history_specs specs;
        struct match_history_row row;
        status = history_read_specs(follow, sqlite3_column_int64(s, 0), &specs, err);
        history_read_match(s, &specs, &row);
        if (status == BANYAN_OK)
            more = fn(ctx, &row);
        history_specs_free(&specs);
    }
    if (status == BANYAN_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        status = follow_failed(follow, err);
    sqlite3_finalize(s);
    return status;
}

bool match_history_is_alive(const struct match_history_row *row)
{
    return row->process > 0 && (kill((pid_t)row->process, 0) == 0 || errno == EPERM);
}

/* --- games --- */

/* Reads count numbers that are separated by blanks. */
static bool history_read_numbers(const char *text, int count, double *out)
{
    for (int i = 0; i < count; ++i) {
        char *end;
        if (!text)
            return false;
        out[i] = strtod(text, &end);
        if (end == text)
            return false;
        text = end;
    }
    return true;
}

static bool history_read_game(sqlite3_stmt *s, const struct match_history_row *row, int players,
                              struct match_history_game *game)
{
    double seats[BANYAN_MAX_PLAYERS], returns[BANYAN_MAX_PLAYERS];
    bool stepped = sqlite3_column_type(s, 3) != SQLITE_NULL;
    *game = (struct match_history_game){.number = sqlite3_column_int64(s, 0),
                                        .overstepped = stepped ? sqlite3_column_int(s, 3) : -1,
                                        .plies = sqlite3_column_int(s, 4),
                                        .elapsed_ms = sqlite3_column_double(s, 5)};
    if (!history_read_numbers(history_text(s, 1), players, seats) ||
        !history_read_numbers(history_text(s, 2), players, returns))
        return false;
    for (int seat = 0; seat < players; ++seat) {
        if (!(seats[seat] >= 0 && seats[seat] < row->count))
            return false;
        game->seats[seat] = (int)seats[seat];
        game->returns[seat] = (float)returns[seat];
    }
    return game->overstepped < players;
}

/* The number of players of the game; 0: Banyan does not have it. */
static int history_players(const struct match_history_row *row, struct banyan_error *err)
{
    const struct banyan_game *game;
    return banyan_game_find(row->game, &game, err) == BANYAN_OK ? game->players : 0;
}

static enum banyan_status history_wrong(const struct match_history_row *row, int64_t number,
                                        struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_CORRUPT,
                       "match %lld, game %lld: seats and returns must be a number for each player",
                       (long long)row->id, (long long)number);
}

enum banyan_status match_history_games(struct follow *follow, const struct match_history_row *row,
                                       int64_t first, match_history_fn *fn, void *ctx,
                                       struct banyan_error *err)
{
    int code = SQLITE_DONE, players = history_players(row, err);
    struct match_history_game game;
    if (!players)
        return BANYAN_NOT_FOUND;
    sqlite3_stmt *s = follow_query(follow,
                                   "SELECT number, seats, returns, overstepped, plies, elapsed_ms"
                                   " FROM games WHERE match = ? AND number >= ? ORDER BY number",
                                   err);
    if (!s)
        return BANYAN_CORRUPT;
    sqlite3_bind_int64(s, 1, row->id);
    sqlite3_bind_int64(s, 2, first);
    enum banyan_status status = BANYAN_OK;
    for (bool more = true; status == BANYAN_OK && more && (code = sqlite3_step(s)) == SQLITE_ROW;)
        if (history_read_game(s, row, players, &game))
            more = fn(ctx, &game);
        else
            status = history_wrong(row, game.number, err);
    if (status == BANYAN_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        status = follow_failed(follow, err);
    sqlite3_finalize(s);
    return status;
}

enum banyan_status match_history_game(struct follow *follow, const struct match_history_row *row,
                                      int64_t number, match_history_fn *fn, void *ctx,
                                      struct banyan_error *err)
{
    struct match_history_game game;
    int players = history_players(row, err);
    if (!players)
        return BANYAN_NOT_FOUND;
    sqlite3_stmt *s = follow_query(follow,
                                   "SELECT number, seats, returns, overstepped, plies, elapsed_ms,"
                                   " start, actions, setup_seed, dice_seed, opening_plies"
                                   " FROM games WHERE match = ? AND number = ?",
                                   err);
    if (!s)
        return BANYAN_CORRUPT;
    sqlite3_bind_int64(s, 1, row->id);
    sqlite3_bind_int64(s, 2, number);
    enum banyan_status status = BANYAN_OK;
    int step = sqlite3_step(s);
    if (step == SQLITE_DONE) {
        status = banyan_fail(err, BANYAN_NOT_FOUND, "match %lld has no game %lld",
                             (long long)row->id, (long long)number + 1);
    } else if (step != SQLITE_ROW) {
        status = follow_failed(follow, err);
    } else if (history_read_game(s, row, players, &game)) {
        game.start = history_text(s, 6);
        game.actions = history_text(s, 7);
        game.setup_seed = history_text(s, 8);
        game.dice_seed = history_text(s, 9);
        game.opening_plies = sqlite3_column_int(s, 10);
        fn(ctx, &game);
    } else {
        status = history_wrong(row, number, err);
    }
    sqlite3_finalize(s);
    return status;
}
