/* Counts the matches of a database while they are played. */
#include "web/matches.h"

#include "match/elo.h"
#include "match/rating.h"
#include "match/totals.h"
#include "web/host.h"
#include "json/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct matches_entry {
    struct matches_entry *next;
    int64_t id;
    const struct banyan_game *game; /* NULL: this program lacks the game, so nothing is counted */
    struct match_result result;
    struct match_totals totals;
    int64_t next_game; /* all games with smaller numbers are counted */
    bool complete;     /* no more games will come */
    int64_t process;   /* id of the process that was playing the match when it was read; 0: none */
};

void matches_begin(struct matches *matches, const struct sources *sources)
{
    *matches = (struct matches){.sources = sources};
    if (sources && sources->db)
        follow_begin(&matches->follow, sources->db);
}

static void matches_forget(struct matches *matches)
{
    for (struct matches_entry *next; matches->entries; matches->entries = next) {
        next = matches->entries->next;
        free(matches->entries);
    }
}

void matches_end(struct matches *matches)
{
    matches_forget(matches);
    follow_end(&matches->follow);
}

/* --- counting --- */

/* Sets an entry to a match of which nothing has been counted. */
static void matches_entry_start(struct matches_entry *entry, const struct match_history_row *row)
{
    *entry = (struct matches_entry){
        .next = entry->next,
        .id = row->id,
        .result = {.count = row->count, .games_wanted = row->games_wanted},
    };
    if (banyan_game_find(row->game, &entry->game, NULL) != BANYAN_OK)
        entry->game = NULL;
    match_totals_begin(&entry->totals, entry->game, row->use_sprt ? &row->sprt : NULL,
                       &entry->result);
}

/* Whether a match must be counted anew: it had ended and goes on, or its number of games or its
 * test has changed. */
static bool matches_entry_is_old(const struct matches_entry *entry,
                                 const struct match_history_row *row)
{
    const struct sprt *test = &entry->totals.sprt;
    return (entry->complete && !row->finished) || entry->result.games_wanted != row->games_wanted ||
           entry->totals.use_sprt != row->use_sprt ||
           (row->use_sprt && (test->elo0 != row->sprt.elo0 || test->elo1 != row->sprt.elo1 ||
                              test->alpha != row->sprt.alpha || test->beta != row->sprt.beta));
}

/* The entry of a match; makes it if there is none.  NULL: no memory. */
static struct matches_entry *matches_entry_of(struct matches *matches,
                                              const struct match_history_row *row)
{
    struct matches_entry *entry = matches->entries;
    while (entry && entry->id != row->id)
        entry = entry->next;
    if (!entry) {
        entry = calloc(1, sizeof *entry);
        if (!entry)
            return NULL;
        entry->next = matches->entries;
        matches->entries = entry;
        matches_entry_start(entry, row);
    } else if (matches_entry_is_old(entry, row)) {
        matches_entry_start(entry, row);
    }
    return entry;
}

/* Counts a game as `banyan match` does: in order, in a match that is not complete up to the first
 * missing game, and no game after the SPRT has decided. */
static bool matches_count(void *ctx, const struct match_history_game *game)
{
    struct matches_entry *entry = ctx;
    if (entry->result.sprt != SPRT_GO_ON || game->number >= entry->result.games_wanted ||
        (!entry->complete && game->number != entry->next_game))
        return false;
    match_totals_add(&entry->totals, &(struct match_outcome){.number = game->number,
                                                             .seats = game->seats,
                                                             .returns = game->returns,
                                                             .overstepped = game->overstepped});
    entry->result.plies += game->plies;
    entry->next_game = game->number + 1;
    return true;
}

static enum banyan_status matches_update(struct matches *matches, struct matches_entry *entry,
                                         const struct match_history_row *row,
                                         struct banyan_error *err)
{
    bool alive = !row->finished && match_history_is_alive(row);
    entry->process = alive ? row->process : 0;
    matches->alive += alive;
    if (!entry->game || entry->complete)
        return BANYAN_OK;
    entry->complete = row->finished != NULL;
    return match_history_games(&matches->follow, row, entry->next_game, matches_count, entry, err);
}

/* --- one match as JSON --- */

static const char *matches_state(const struct matches_entry *entry,
                                 const struct match_history_row *row)
{
    if (!row->finished)
        return entry->process ? "running" : row->process ? "broken" : "unfinished";
    if (entry->result.sprt != SPRT_GO_ON)
        return "decided";
    return row->games_counted < row->games_wanted ? "stopped" : "finished";
}

static json_t *matches_interval(double lo, double hi)
{
    return json_pack("[o,o]", show_number(lo), show_number(hi));
}

static json_t *matches_seat_json(const struct match_seat *seat)
{
    double lo, hi, score = match_seat_score(seat, &lo, &hi);
    return json_pack("{s:I, s:I, s:I, s:o, s:o}", "wins", (json_int_t)seat->wins, "draws",
                     (json_int_t)seat->draws, "losses",
                     (json_int_t)(seat->games - seat->wins - seat->draws), "score",
                     show_number(score), "ci95", matches_interval(lo, hi));
}

static json_t *matches_player_json(const struct matches_entry *entry, const char *spec,
                                   const struct match_player *player)
{
    double lo, hi, score = match_score(player, &lo, &hi);
    json_t *seats = json_array();
    for (int k = 0; k < 2 && entry->game && match_totals_is_duel(&entry->totals); ++k)
        json_array_append_new(seats, matches_seat_json(&player->seat[k]));
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "player", spec, "games",
        (json_int_t)player->games, "wins", (json_int_t)player->wins, "draws",
        (json_int_t)player->draws, "losses", (json_int_t)player->losses, "score",
        show_number(score), "ci95", matches_interval(lo, hi), "elo",
        show_number(elo_from_score(score)), "elo_ci95",
        matches_interval(elo_from_score(lo), elo_from_score(hi)), "mean_return",
        show_number(player->games ? player->returns / (double)player->games : (double)NAN),
        "overstepped", (json_int_t)player->overstepped, "seats", seats);
}

static json_t *matches_sprt_json(const struct matches_entry *entry)
{
    static const char *const answers[] = {"undecided", "elo0", "elo1"};
    const struct sprt *sprt = &entry->totals.sprt;
    if (!entry->totals.use_sprt)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:f, s:o, s:o, s:s}", "elo0", sprt->elo0, "elo1", sprt->elo1,
                     "alpha", sprt->alpha, "beta", sprt->beta, "llr",
                     show_number(entry->result.llr), "bounds",
                     matches_interval(sprt_lower(sprt), sprt_upper(sprt)), "answer",
                     answers[entry->result.sprt]);
}

static json_t *matches_settings_json(const struct match_history_row *row)
{
    return json_pack("{s:s?, s:s?, s:i, s:s, s:f, s:f, s:f}", "setup", row->setup, "openings",
                     row->openings, "opening_plies", row->opening_plies, "seed",
                     row->seed ? row->seed : "", "move_ms", row->time.move_ms, "clock_ms",
                     row->time.clock_ms, "increment_ms", row->time.increment_ms);
}

/* The keys of `match --json` (docs/json.md) as far as the database has them, and "state", "settings". */
static json_t *matches_json(const struct matches_entry *entry, const struct match_history_row *row)
{
    const struct match_result *result = &entry->result;
    json_t *players = json_array(), *pairs = json_array();
    double lo, hi;
    bool paired = match_pair_interval(result, &lo, &hi);
    for (int i = 0; i < row->count; ++i)
        json_array_append_new(players,
                              matches_player_json(entry, row->specs[i], &result->players[i]));
    for (int k = 0; k < MATCH_PAIR_OUTCOMES && paired; ++k)
        json_array_append_new(pairs, json_integer(result->pairs[k]));
    return json_pack(
        "{s:I, s:s, s:s, s:s?, s:s?, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "match",
        (json_int_t)row->id, "game", row->game, "state", matches_state(entry, row), "started",
        row->started, "finished", row->finished, "games", (json_int_t)result->games, "games_wanted",
        (json_int_t)row->games_wanted, "plies", (json_int_t)result->plies, "first_wins",
        (json_int_t)result->first_wins, "first_draws", (json_int_t)result->first_draws, "players",
        players, "pairs", pairs, "ci95_pairs", paired ? matches_interval(lo, hi) : json_null(),
        "sprt", matches_sprt_json(entry), "settings", matches_settings_json(row));
}

/* --- cross tables --- */

/* A cross table: all matches of two players that have the same game, setup and limits of time. */
struct matches_table {
    struct matches_table *next;
    json_t *key, *specs;
    double scores[MATCH_MAX_PLAYERS * MATCH_MAX_PLAYERS]; /* [i][j]: points of i against j */
};

struct matches_reading {
    struct matches *matches;
    json_t *list; /* array of matches */
    struct matches_table *tables;
    struct banyan_error *err;
    enum banyan_status status;
};

/* The number of a player in a table; -1: it is full. */
static int matches_table_player(struct matches_table *table, const char *spec)
{
    json_t *known;
    size_t i;
    json_array_foreach(table->specs, i, known)
    {
        if (strcmp(json_string_value(known), spec) == 0)
            return (int)i;
    }
    if (i == MATCH_MAX_PLAYERS)
        return -1;
    json_array_append_new(table->specs, json_string(spec));
    return (int)i;
}

/* The table for matches with this key (whose reference is given up); NULL: no memory. */
static struct matches_table *matches_table_of(struct matches_reading *reading, json_t *key)
{
    struct matches_table **at = &reading->tables;
    while (*at && !json_equal((*at)->key, key))
        at = &(*at)->next;
    if (!*at && (*at = calloc(1, sizeof **at))) {
        (*at)->key = json_incref(key);
        (*at)->specs = json_array();
    }
    json_decref(key);
    return *at;
}

static void matches_table_add(struct matches_reading *reading, const struct matches_entry *entry,
                              const struct match_history_row *row)
{
    if (!entry->game || !match_totals_is_duel(&entry->totals) || !entry->result.games)
        return;
    json_t *key = json_pack("[s, s?, f, f, f]", row->game, row->setup, row->time.move_ms,
                            row->time.clock_ms, row->time.increment_ms);
    struct matches_table *table = matches_table_of(reading, key);
    int i = table ? matches_table_player(table, row->specs[0]) : -1;
    int j = table ? matches_table_player(table, row->specs[1]) : -1;
    if (i < 0 || j < 0 || i == j)
        return;
    const struct match_player *first = &entry->result.players[0];
    table->scores[i * MATCH_MAX_PLAYERS + j] += first->score;
    table->scores[j * MATCH_MAX_PLAYERS + i] += (double)first->games - first->score;
}

static json_t *matches_table_row(const struct matches_table *table, int i, int count, double elo)
{
    json_t *scores = json_array();
    double points = 0, games = 0;
    for (int j = 0; j < count; ++j) {
        double mine = table->scores[i * MATCH_MAX_PLAYERS + j];
        double theirs = table->scores[j * MATCH_MAX_PLAYERS + i];
        points += mine;
        games += mine + theirs;
        json_array_append_new(scores, mine + theirs > 0 ? json_pack("[f, f]", mine, mine + theirs)
                                                        : json_null());
    }
    return json_pack("{s:O, s:o, s:f, s:f, s:o}", "player", json_array_get(table->specs, (size_t)i),
                     "elo", show_number(elo), "points", points, "games", games, "scores", scores);
}

static json_t *matches_table_json(const struct matches_table *table)
{
    double elo[MATCH_MAX_PLAYERS], scores[MATCH_MAX_PLAYERS * MATCH_MAX_PLAYERS];
    int count = (int)json_array_size(table->specs);
    json_t *rows = json_array();
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
            scores[i * count + j] = table->scores[i * MATCH_MAX_PLAYERS + j];
    rating_fit(count, scores, elo);
    for (int i = 0; i < count; ++i)
        json_array_append_new(rows, matches_table_row(table, i, count, elo[i]));
    return json_pack("{s:O, s:O, s:O, s:o}", "game", json_array_get(table->key, 0), "setup",
                     json_array_get(table->key, 1), "move_ms", json_array_get(table->key, 2),
                     "players", rows);
}

/* Returns the tables of three or more players as an array, and frees all tables. */
static json_t *matches_tables_json(struct matches_table *tables)
{
    json_t *out = json_array();
    for (struct matches_table *next; tables; tables = next) {
        next = tables->next;
        if (json_array_size(tables->specs) > 2)
            json_array_append_new(out, matches_table_json(tables));
        json_decref(tables->key);
        json_decref(tables->specs);
        free(tables);
    }
    return out;
}

/* --- reading --- */

static bool matches_read(void *ctx, const struct match_history_row *row)
{
    struct matches_reading *reading = ctx;
    struct matches_entry *entry = matches_entry_of(reading->matches, row);
    reading->status = entry ? matches_update(reading->matches, entry, row, reading->err)
                            : banyan_fail(reading->err, BANYAN_NO_MEMORY, "no memory for a match");
    if (reading->status != BANYAN_OK)
        return false;
    json_array_append_new(reading->list, matches_json(entry, row));
    matches_table_add(reading, entry, row);
    return json_array_size(reading->list) < MATCHES_LISTED;
}

/* Reads one match, or all (0). */
static enum banyan_status matches_read_all(struct matches *matches, int64_t id,
                                           struct matches_reading *reading,
                                           struct banyan_error *err)
{
    *reading = (struct matches_reading){.matches = matches, .list = json_array(), .err = err};
    matches->alive = 0;
    if (!matches->follow.db)
        return BANYAN_OK;
    enum banyan_status status =
        match_history_each(&matches->follow, id, matches_read, reading, err);
    return status == BANYAN_OK ? reading->status : status;
}

static int matches_count_alive(const struct matches *matches)
{
    int alive = 0;
    for (const struct matches_entry *entry = matches->entries; entry; entry = entry->next) {
        const struct match_history_row row = {.process = entry->process};
        alive += entry->process && match_history_is_alive(&row);
    }
    return alive;
}

bool matches_changed(struct matches *matches)
{
    bool changed, was_open = matches->follow.db != NULL;
    if (!matches->follow.path)
        return false;
    bool open = follow_look(&matches->follow, &changed, NULL) == BANYAN_OK;
    if (matches->follow.opened != matches->opened)
        matches_forget(matches); /* another file may have other matches of the same numbers */
    matches->opened = matches->follow.opened;
    return changed || was_open != open || matches_count_alive(matches) < matches->alive;
}

json_t *matches_list_json(struct matches *matches)
{
    struct matches_reading reading;
    struct banyan_error err = {.message = ""};
    char problem[BANYAN_MESSAGE_MAX] = "";
    struct host *host = matches->sources ? matches->sources->host : NULL;
    if (matches_read_all(matches, 0, &reading, &err) != BANYAN_OK)
        snprintf(problem, sizeof problem, "%s", err.message);
    else if (host)
        host_problem(host, problem, sizeof problem);
    return json_pack("{s:o, s:o, s:b, s:b, s:s}", "matches", reading.list, "tables",
                     matches_tables_json(reading.tables), "can_start", host != NULL, "playing",
                     host && host_is_playing(host), "problem", problem);
}

enum banyan_status matches_one_json(struct matches *matches, int64_t id, json_t **out,
                                    struct banyan_error *err)
{
    struct matches_reading reading;
    enum banyan_status status = matches_read_all(matches, id, &reading, err);
    json_decref(matches_tables_json(reading.tables));
    *out = json_incref(json_array_get(reading.list, 0));
    json_decref(reading.list);
    if (status == BANYAN_OK && !*out)
        status = banyan_fail(err, BANYAN_NOT_FOUND, "there is no match %lld", (long long)id);
    return status;
}

/* --- games --- */

struct matches_games {
    struct matches *matches;
    int64_t number; /* of the first game that is wanted */
    json_t *list;
    struct game_record *record;
    const struct match_history_row *row;
    struct banyan_error *err;
    enum banyan_status status, parsed; /* of reading, and of the record */
};

static json_t *matches_seats_json(const struct match_history_game *game, int players)
{
    json_t *seats = json_array();
    for (int seat = 0; seat < players; ++seat)
        json_array_append_new(seats, json_integer(game->seats[seat]));
    return seats;
}

static json_t *matches_returns_json(const struct match_history_game *game, int players)
{
    json_t *returns = json_array();
    for (int seat = 0; seat < players; ++seat)
        json_array_append_new(returns, show_number((double)game->returns[seat]));
    return returns;
}

static int matches_players(const struct match_history_row *row)
{
    const struct banyan_game *game;
    return banyan_game_find(row->game, &game, NULL) == BANYAN_OK ? game->players : 0;
}

static bool matches_add_game(void *ctx, const struct match_history_game *game)
{
    struct matches_games *games = ctx;
    int players = matches_players(games->row);
    json_array_append_new(games->list, json_pack("{s:I, s:o, s:o, s:i, s:f}", "number",
                                                 (json_int_t)game->number + 1, "seats",
                                                 matches_seats_json(game, players), "returns",
                                                 matches_returns_json(game, players), "plies",
                                                 game->plies, "elapsed_ms", game->elapsed_ms));
    return json_array_size(games->list) < MATCHES_GAMES;
}

static bool matches_read_games(void *ctx, const struct match_history_row *row)
{
    struct matches_games *games = ctx;
    games->row = row;
    games->status = match_history_games(&games->matches->follow, row, games->number,
                                        matches_add_game, games, games->err);
    return false;
}

/* Opens the database if it is not open yet. */
static enum banyan_status matches_open(struct matches *matches, struct banyan_error *err)
{
    bool changed;
    if (!matches->follow.path)
        return banyan_fail(err, BANYAN_NOT_FOUND,
                           "no database of matches is shown: start banyan web with --db FILE");
    if (matches->follow.db)
        return BANYAN_OK;
    enum banyan_status status = follow_look(&matches->follow, &changed, err);
    matches->follow.version = -1; /* the next matches_changed returns true */
    return status;
}

enum banyan_status matches_games_json(struct matches *matches, int64_t id, int64_t first,
                                      json_t **out, struct banyan_error *err)
{
    struct matches_games games = {
        .matches = matches, .number = first, .list = json_array(), .err = err};
    enum banyan_status status = matches_open(matches, err);
    if (status == BANYAN_OK)
        status = match_history_each(&matches->follow, id, matches_read_games, &games, err);
    if (status == BANYAN_OK)
        status = games.status;
    if (status == BANYAN_OK && !games.row)
        status = banyan_fail(err, BANYAN_NOT_FOUND, "there is no match %lld", (long long)id);
    *out = games.list;
    if (status != BANYAN_OK)
        json_decref(games.list);
    return status;
}

/* The game as a line of version 0 of our records: the dice follow from their seed. */
static json_t *matches_line(const struct match_history_row *row,
                            const struct match_history_game *game)
{
    int players = matches_players(row);
    json_t *names = json_array();
    for (int seat = 0; seat < players; ++seat)
        json_array_append_new(names, json_string(row->specs[game->seats[seat]]));
    return json_pack(
        "{s:s, s:I, s:o, s:s?, s:s?, s:s?, s:s?, s:i, s:i, s:o, s:o}", "game", row->game, "number",
        (json_int_t)game->number, "players", names, "start", game->start, "actions", game->actions,
        "setup_seed", game->setup_seed, "dice_seed", game->dice_seed, "plies", game->plies,
        "opening_plies", game->opening_plies, "returns", matches_returns_json(game, players),
        "overstepped", game->overstepped < 0 ? json_null() : json_integer(game->overstepped));
}

static bool matches_take_record(void *ctx, const struct match_history_game *game)
{
    struct matches_games *games = ctx;
    json_t *line = matches_line(games->row, game);
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    games->parsed = text ? game_record_parse(games->record, text, strlen(text), games->err)
                         : banyan_fail(games->err, BANYAN_CORRUPT, "the game is no text in UTF-8");
    free(text);
    json_decref(line);
    return false;
}

static bool matches_read_record(void *ctx, const struct match_history_row *row)
{
    struct matches_games *games = ctx;
    games->row = row;
    games->status = match_history_game(&games->matches->follow, row, games->number,
                                       matches_take_record, games, games->err);
    if (games->status == BANYAN_OK)
        games->status = games->parsed;
    return false;
}

enum banyan_status matches_record(struct matches *matches, int64_t id, int64_t number,
                                  struct game_record *record, struct banyan_error *err)
{
    struct matches_games games = {
        .matches = matches, .number = number, .record = record, .err = err};
    enum banyan_status status = matches_open(matches, err);
    if (status == BANYAN_OK)
        status = match_history_each(&matches->follow, id, matches_read_record, &games, err);
    if (status == BANYAN_OK)
        status = games.status;
    if (status == BANYAN_OK && !games.row)
        status = banyan_fail(err, BANYAN_NOT_FOUND, "there is no match %lld", (long long)id);
    return status;
}
