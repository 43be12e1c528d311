/* Finds a match in the database that was ended early, and reads its games. */
#include "match/database_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Sets *same: whether the players of match `id` are those of plan.  False: the database cannot be read. */
static bool match_database_same_players(struct match_database *store, sqlite3_int64 id,
                                        const struct match_plan *plan, bool *same)
{
    bool good = true;
    *same = true;
    for (int i = 0; good && *same && i < plan->count; ++i) {
        sqlite3_stmt *row = NULL;
        good = sqlite3_prepare_v2(store->db,
                                  "SELECT count(*) FROM match_players"
                                  " WHERE match = ? AND number = ? AND spec = respelt(?)",
                                  -1, &row, NULL) == SQLITE_OK;
        sqlite3_bind_int64(row, 1, id);
        sqlite3_bind_int(row, 2, i);
        match_database_bind_text(row, 3, plan->specs[i]);
        good = good && sqlite3_step(row) == SQLITE_ROW;
        *same = good && sqlite3_column_int(row, 0) == 1;
        sqlite3_finalize(row);
    }
    return good;
}

/* Finds the last match like plan; its id is store->match.  *found: there is one.  Matches of earlier
 * versions have no hash of their openings, and only the path is compared. */
static enum banyan_status match_database_find(struct match_database *store,
                                              const struct match_plan *plan, bool *found,
                                              struct banyan_error *err)
{
    sqlite3_stmt *row = NULL;
    int step = SQLITE_DONE;
    *found = false;
    bool good =
        sqlite3_prepare_v2(store->db,
                           "SELECT id FROM matches LEFT JOIN match_starts ON match = id"
                           " WHERE game = ? AND setup IS ? AND openings IS ?"
                           " AND opening_plies = ? AND seed = ? AND move_ms = ? AND clock_ms = ?"
                           " AND increment_ms = ? AND handicaps = ?"
                           " AND (hash IS NULL OR hash = ?) ORDER BY id DESC",
                           -1, &row, NULL) == SQLITE_OK;
    if (good) {
        match_database_bind_match(row, plan);
        match_database_bind_text(row, 10, plan->starts);
    }
    while (good && !*found && (step = sqlite3_step(row)) == SQLITE_ROW) {
        store->match = sqlite3_column_int64(row, 0);
        good = match_database_same_players(store, store->match, plan, found);
    }
    good = good && (*found || step == SQLITE_DONE);
    enum banyan_status status =
        good ? BANYAN_OK : match_database_fail(store, "cannot be read", err);
    sqlite3_finalize(row);
    return status;
}

/* The number in a column; -1 where it is NULL. */
static int match_database_seat(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? -1 : sqlite3_column_int(row, column);
}

/* Reads the columns that have values for every seat; false: the row is damaged. */
static bool match_database_read_seats(sqlite3_stmt *row, struct match_game *game,
                                      const struct match_plan *plan)
{
    const char *texts[4];
    for (int i = 0; i < 4; ++i)
        if (!(texts[i] = (const char *)sqlite3_column_text(row, 1 + i)))
            return false;
    for (int seat = 0; seat < plan->game->players; ++seat) {
        struct playing_seat *played = &game->played[seat];
        int lengths[4] = {0, 0, 0, 0};
        if (sscanf(texts[0], "%d%n", &game->seats[seat], &lengths[0]) != 1 ||
            sscanf(texts[1], "%f%n", &game->record.returns[seat], &lengths[1]) != 1 ||
            sscanf(texts[2], "%f%n", &game->record.points[seat], &lengths[2]) != 1 ||
            sscanf(texts[3], "%" SCNd64 " %" SCNu64 " %lf %lf%n", &played->decisions,
                   &played->simulations, &played->elapsed_ms, &played->longest_ms,
                   &lengths[3]) != 4 ||
            game->seats[seat] < 0 || game->seats[seat] >= plan->count)
            return false;
        for (int i = 0; i < 4; ++i)
            texts[i] += lengths[i];
    }
    return true;
}

static enum banyan_status match_database_read_game(struct match_database *store, sqlite3_stmt *row,
                                                   const struct match_plan *plan,
                                                   struct match_game **list,
                                                   struct banyan_error *err)
{
    struct match_game *game = calloc(1, sizeof *game);
    if (!game)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    game->next = *list;
    *list = game;
    game->number = sqlite3_column_int64(row, 0);
    game->stored = true;
    game->record.finished = true;
    game->record.plies = sqlite3_column_int(row, 5);
    game->record.overstepped = match_database_seat(row, 6);
    game->record.forfeited = match_database_seat(row, 7);
    game->elapsed_ms = sqlite3_column_double(row, 8);
    const char *hash = (const char *)sqlite3_column_text(row, 9);
    game->hash = hash ? strtoull(hash, NULL, 10) : 0;
    if (hash && match_database_read_seats(row, game, plan))
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_CORRUPT, "database '%.200s' is damaged: game %lld of match %lld",
                       store->path, (long long)game->number, (long long)store->match);
}

static enum banyan_status match_database_games(struct match_database *store,
                                               const struct match_plan *plan,
                                               struct match_game **games, struct banyan_error *err)
{
    sqlite3_stmt *row = NULL;
    enum banyan_status status = BANYAN_OK;
    int step = SQLITE_ERROR;
    if (sqlite3_prepare_v2(store->db,
                           "SELECT number, seats, returns, points, used, plies, overstepped,"
                           " forfeited, elapsed_ms, hash FROM games"
                           " WHERE match = ? AND number < ? ORDER BY number DESC",
                           -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, store->match);
        sqlite3_bind_int64(row, 2, plan->options->games);
        while (status == BANYAN_OK && (step = sqlite3_step(row)) == SQLITE_ROW)
            status = match_database_read_game(store, row, plan, games, err);
    }
    if (status == BANYAN_OK && step != SQLITE_DONE)
        status = match_database_fail(store, "cannot be read", err);
    sqlite3_finalize(row);
    return status;
}

enum banyan_status match_database_resume(struct match_database *store,
                                         const struct match_plan *plan, bool *found,
                                         struct match_game **games, struct banyan_error *err)
{
    char sql[160];
    *games = NULL;
    store->players = plan->game->players;
    enum banyan_status status = match_database_find(store, plan, found, err);
    if (status != BANYAN_OK || !*found)
        return status;
    snprintf(sql, sizeof sql,
             "UPDATE matches SET finished = NULL, games_wanted = %lld WHERE id = %lld",
             (long long)plan->options->games, (long long)store->match);
    status = match_database_run(store, sql, "cannot be written", err);
    if (status == BANYAN_OK)
        status = match_database_add_run(store, plan->options, err);
    if (status == BANYAN_OK)
        status = match_database_add_starts(store, plan, err);
    if (status == BANYAN_OK)
        status = match_database_games(store, plan, games, err);
    return status == BANYAN_OK ? match_database_prepare_add(store, err) : status;
}
