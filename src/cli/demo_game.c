/* One game of banyan demo: finds a position in its middle, and plays on twice, its best player once on each side. */
#include "base/movers.h"
#include "cli/demo.h"
#include "cli/result.h"
#include "cli/show.h"
#include "match/playing.h"
#include "players/player.h"
#include "players/program/offers.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAME_TRIES = 200, GAME_TEXT = 128, GAME_WIDTH = 96, GAME_ROWS = 7 };

struct game {
    const struct demo *demo;
    const struct demo_row *row;
    const struct banyan_game *rules;
    struct playing table;
    void *middle; /* [state_size] */
    int middle_plies;
    char best[GAME_TEXT];
    uint64_t seed;
    int lines;  /* lines of events that may still be printed */
    int column; /* characters in the present line of moves */

    /* the text of the last action; if the next action is of the same kind and by the same player,
     * its text replaces this one, since both are steps of one move */
    char pending[GAME_TEXT];
    int pending_player;
};

static void game_close(struct banyan_player players[2])
{
    banyan_player_close(&players[0]);
    banyan_player_close(&players[1]);
}

/* Begins a game from state; texts name the players of seats 0 and 1. */
static enum banyan_status game_begin(struct game *game, const void *state,
                                     const char *const texts[2], uint64_t seed,
                                     struct banyan_player players[2], struct banyan_error *err)
{
    struct banyan_player *seats[2] = {&players[0], &players[1]};
    uint64_t seeds[2];
    enum banyan_status status = BANYAN_OK;
    memset(players, 0, 2 * sizeof *players);
    for (int p = 0; p < 2 && status == BANYAN_OK; ++p) {
        seeds[p] = banyan_rng_child(seed, "seat", (uint64_t)p);
        status =
            banyan_player_create(game->rules, texts[p], program_offers, seeds[p], &players[p], err);
    }
    if (status == BANYAN_OK)
        status = playing_begin(&game->table, state, seats, seeds, seed, err);
    if (status != BANYAN_OK)
        game_close(players);
    return status;
}

/* --- the middle --- */

static bool game_is_middle(const struct game *game)
{
    const struct demo_row *row = game->row;
    return game->table.plies >= row->plies && playing_movers(&game->table) &&
           (!row->is_middle || row->is_middle(game->table.state));
}

/* Plays one game up to its middle; *found: whether it got there. */
static enum banyan_status game_try_middle(struct game *game, uint64_t seed, bool *found,
                                          struct banyan_error *err)
{
    const char *const both[2] = {game->row->both, game->row->both};
    struct banyan_player players[2];
    struct banyan_rng rng;
    banyan_rng_seed(&rng, seed);
    enum banyan_status status =
        game->rules->init(game->rules, game->middle, game->row->setup, &rng, err);
    if (status == BANYAN_OK)
        status = game_begin(game, game->middle, both, seed, players, err);
    if (status != BANYAN_OK)
        return status;
    while (status == BANYAN_OK && playing_movers(&game->table) && !game_is_middle(game))
        status = playing_step(&game->table, err);
    *found = status == BANYAN_OK && playing_movers(&game->table);
    game->middle_plies = game->table.plies;
    if (*found)
        memcpy(game->middle, game->table.state, game->rules->state_size);
    game_close(players);
    return status;
}

static enum banyan_status game_find_middle(struct game *game, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    bool found = false;
    for (uint64_t i = 0; i < GAME_TRIES && !found && status == BANYAN_OK; ++i)
        status = game_try_middle(game, banyan_rng_child(game->seed, "middle", i), &found, err);
    if (status == BANYAN_OK && !found)
        status = banyan_fail(err, BANYAN_NOT_FOUND,
                             "no game reached a position of the middle; try another --seed");
    return status;
}

/* --- an explained move --- */

static void game_print_ucb(const struct game *game, const struct result_row_list *list,
                           const struct banyan_search_options *options, int player)
{
    double factor = 2 * options->exploration *
                    ((double)game->rules->return_max - (double)game->rules->return_min);
    double n = 0;
    for (int i = 0; i < list->count; ++i)
        n += (double)list->rows[i].visits;
    printf("How %s chooses: UCB1, score = mean + %g * sqrt(ln n / visits), after n = %.0f "
           "simulated games\n",
           banyan_game_player_name(game->rules, player), factor, n);
    printf("  %-6s %8s   %-20s %-26s %s\n", "move", "visits", "mean (-1 lost, 1 won)",
           "+ exploration", "= score");
    for (int i = 0; i < list->count && i < GAME_ROWS; ++i) {
        const struct banyan_search_move *row = &list->rows[i];
        double visits = (double)row->visits, term = factor * sqrt(log(n) / visits);
        char text[GAME_TEXT], formula[GAME_TEXT];
        if (row->visits == 0)
            continue;
        snprintf(formula, sizeof formula, "%g * sqrt(%.2f / %.0f)", factor, log(n), visits);
        show_action(game->rules, game->middle, player, row->action, text, sizeof text);
        printf("  %-6s %8.0f   %+.3f                + %-24s = %+.3f%s\n", text, visits, row->mean,
               formula, row->mean + term, i ? "" : "   <- most visits: played");
    }
}

/* Explains the best player's first move by the same search, with the same options and the same seed. */
static enum banyan_status game_explain(struct game *game, int64_t simulations,
                                       struct banyan_error *err)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.struct_size = sizeof evaluator};
    struct banyan_search *search = NULL;
    const struct banyan_search_limits limits = {
        .struct_size = sizeof limits, .simulations = simulations, .stop = game->demo->stop};
    int player = movers_first(game->rules->movers(game->rules, game->middle));
    banyan_search_options_default(&options);
    uint64_t seat = banyan_rng_child(game->seed, "seat", (uint64_t)player);
    options.seed = banyan_rng_child(seat, "mcts", options.seed);
    enum banyan_status status =
        banyan_evaluator_create(game->rules, "rollout", NULL, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, game->rules, &options, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(search, game->middle, player, err);
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, err);
    if (status == BANYAN_OK) {
        struct result_row_list list = result_rows(game->rules, search, player);
        game_print_ucb(game, &list, &options, player);
        free(list.rows);
    }
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return status;
}

/* --- what happens, in words --- */

/* The action in people's words, without the note after it. */
static void game_describe(const struct game *game, int player, char *out, size_t size)
{
    const struct banyan_game *rules = game->rules;
    banyan_action action = game->table.joint[player];
    if (rules->describe)
        rules->describe(rules, game->table.before, player, action, out, size);
    else
        show_action(rules, game->table.before, player, action, out, size);
    out[strcspn(out, "\t")] = 0;
}

/* Prints the moves one after the other, in lines of at most GAME_WIDTH characters. */
static void game_tell_moves(struct game *game)
{
    for (int p = 0; p < game->rules->players; ++p) {
        char text[BANYAN_TEXT_MAX], line[GAME_TEXT];
        if (!(game->table.moved >> p & 1))
            continue;
        game_describe(game, p, text, sizeof text);
        int length =
            snprintf(line, sizeof line, " %s %s", banyan_game_player_name(game->rules, p), text);
        if (game->column + length > GAME_WIDTH) {
            fputs("\n ", stdout);
            game->column = 1;
        }
        fputs(line, stdout);
        game->column += length;
    }
}

static void game_flush(struct game *game)
{
    if (!*game->pending)
        return;
    printf("  %-5s %s\n", banyan_game_player_name(game->rules, game->pending_player),
           game->pending);
    *game->pending = 0;
    --game->lines;
}

static void game_tell_action(struct game *game, int player)
{
    char text[BANYAN_TEXT_MAX];
    game_describe(game, player, text, sizeof text);
    size_t verb = strcspn(text, " ");
    if (game->pending_player != player || strncmp(text, game->pending, verb + 1) != 0)
        game_flush(game);
    snprintf(game->pending, sizeof game->pending, "%.120s", text);
    game->pending_player = player;
}

/* Prints the results of the actions, in the game's own words. */
static void game_tell_outcome(struct game *game)
{
    char text[BANYAN_TEXT_MAX] = "";
    const struct banyan_step step = {
        .before = game->table.before, .after = game->table.state, .joint = game->table.joint};
    if (game->rules->tell)
        game->rules->tell(game->rules, &step, -1, text, sizeof text);
    if (*text)
        game_flush(game);
    for (char *line = text; *line && game->lines > 0; --game->lines) {
        size_t length = strcspn(line, "\n");
        printf("        %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* Prints each action and its result.  If players choose at the same time, the result names both actions. */
static void game_tell_lines(struct game *game)
{
    bool at_once = game->rules->tell && game->rules->traits & BANYAN_SIMULTANEOUS;
    for (int p = 0; p < game->rules->players && game->lines > 0 && !at_once; ++p)
        if (game->table.moved >> p & 1)
            game_tell_action(game, p);
    game_tell_outcome(game);
}

static void game_tell(struct game *game)
{
    if (game->row->lines == 0)
        game_tell_moves(game);
    else if (game->lines > 0)
        game_tell_lines(game);
}

/* --- the two games --- */

static void game_count(const struct game *game, int seat, struct demo_result *out)
{
    float returns[BANYAN_MAX_PLAYERS];
    const struct playing_seat *used = &game->table.seats[seat];
    game->rules->returns(game->rules, game->table.state, returns);
    bool won = returns[seat] > returns[1 - seat], lost = returns[seat] < returns[1 - seat];
    ++out->games;
    out->wins += won;
    out->losses += lost;
    out->draws += !won && !lost;
    out->decisions += used->decisions;
    out->simulations += used->simulations;
    out->elapsed_ms += used->elapsed_ms;
    printf("  best as %s: %s after %d more plies\n", banyan_game_player_name(game->rules, seat),
           won    ? "won"
           : lost ? "lost"
                  : "drawn",
           game->table.plies);
}

/* Plays one game from the middle on, with best in this seat. */
static enum banyan_status game_play(struct game *game, int seat, bool told, struct demo_result *out,
                                    struct banyan_error *err)
{
    const char *const texts[2] = {seat == 0 ? game->best : game->row->other,
                                  seat == 1 ? game->best : game->row->other};
    struct banyan_player players[2];
    enum banyan_status status = game_begin(game, game->middle, texts, game->seed, players, err);
    if (status != BANYAN_OK)
        return status;
    while (status == BANYAN_OK && playing_movers(&game->table)) {
        status = playing_step(&game->table, err);
        if (status == BANYAN_OK && told)
            game_tell(game);
    }
    if (told && game->column)
        putchar('\n');
    else if (told && game->lines == 0)
        puts("  ...");
    if (status == BANYAN_OK)
        game_count(game, seat, out);
    fflush(stdout);
    game_close(players);
    return status;
}

static void game_head(const struct game *game)
{
    unsigned movers = game->rules->movers(game->rules, game->middle);
    bool secret = game->rules->traits & BANYAN_HIDDEN;
    printf("\n== %s ==\nbest (%s) against %s, after %d plies of %s against itself:\n\n",
           game->rules->title, player_best_of(game->rules), game->row->other, game->middle_plies,
           game->row->both);
    show_board(game->rules, game->middle, secret ? movers_first(movers) : -1, stdout);
    putchar('\n');
}

static enum banyan_status game_run(struct game *game, struct demo_result *out,
                                   struct banyan_error *err)
{
    enum banyan_status status = game_find_middle(game, err);
    if (status != BANYAN_OK)
        return status;
    int first = movers_first(game->rules->movers(game->rules, game->middle));
    game_head(game);
    const char *simulations = strstr(game->row->options, "simulations=");
    if (game->row->explained && simulations)
        status = game_explain(game, strtoll(simulations + strlen("simulations="), NULL, 10), err);
    if (status == BANYAN_OK)
        status = game_play(game, first, true, out, err);
    if (status == BANYAN_OK)
        status = game_play(game, 1 - first, false, out, err);
    return status;
}

enum banyan_status demo_game_show(const struct demo *demo, const struct demo_row *row,
                                  struct demo_result *out, struct banyan_error *err)
{
    struct game game = {.demo = demo,
                        .row = row,
                        .lines = row->lines,
                        .seed = banyan_rng_child(demo->seed, row->game, 0)};
    enum banyan_status status = banyan_game_find(row->game, &game.rules, err);
    if (status == BANYAN_OK)
        status = playing_create(&game.table, game.rules, err);
    if (status != BANYAN_OK)
        return status;
    game.table.stop = demo->stop;
    if (demo->time_ms > 0)
        snprintf(game.best, sizeof game.best, "best:time=%.3fms", demo->time_ms);
    else
        snprintf(game.best, sizeof game.best, "best:%s", row->options);
    game.middle = malloc(game.rules->state_size);
    status = game.middle ? game_run(&game, out, err)
                         : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state");
    free(game.middle);
    playing_destroy(&game.table);
    return status;
}
