/* How a search values the position, for the human whose turn it is. */
#include "cli/play.h"
#include "cli/result.h"
#include "players/program/offers.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLAY_SHOWN = 8 };

/* The proven bounds of the position for player: the best return that one action guarantees, and
 * the highest that any action may still reach. */
static void play_bounds(const struct banyan_game *game, const struct banyan_search *search,
                        int player, float *lo, float *hi)
{
    struct result_row_list list = result_rows(game, search, player);
    *lo = game->return_min;
    *hi = list.count ? game->return_min : game->return_max;
    for (int i = 0; i < list.count; ++i) {
        *lo = list.rows[i].lo > *lo ? list.rows[i].lo : *lo;
        *hi = list.rows[i].hi > *hi ? list.rows[i].hi : *hi;
    }
    free(list.rows);
}

/* Prints the mean of all simulations, clamped to the proven bounds.  Bounds are known only in games
 * of two with a constant sum. */
static void play_print_values(const struct banyan_game *game, const struct banyan_search *search,
                              int player)
{
    float values[BANYAN_MAX_PLAYERS], lo = game->return_min, hi = game->return_max;
    struct banyan_search_stats stats;
    bool zero_sum = game->players == 2 && (game->traits & BANYAN_ZERO_SUM);
    banyan_search_root_values(search, values);
    banyan_search_stats(search, &stats, sizeof stats);
    if (zero_sum)
        play_bounds(game, search, player, &lo, &hi);
    if (zero_sum && (lo >= hi || values[player] < lo || values[player] > hi)) {
        values[player] = values[player] < lo ? lo : hi;
        values[1 - player] = game->return_min + game->return_max - values[player];
    }
    printf(lo >= hi ? "proven after %" PRIu64 " simulations:"
                    : "expected return after %" PRIu64 " simulations:",
           stats.simulations);
    for (int p = 0; p < game->players; ++p)
        printf(" %s %+.4f", banyan_game_player_name(game, p), (double)values[p]);
    putchar('\n');
}

static enum banyan_status play_restrict(struct banyan_search *search, int player,
                                        const struct play_limit *limit, struct banyan_error *err)
{
    if (limit->count == 0)
        return BANYAN_OK;
    return limit->avoids ? banyan_search_avoid(search, player, limit->actions, limit->count, err)
                         : banyan_search_allow(search, player, limit->actions, limit->count, err);
}

static enum banyan_status play_search(const struct play *play, int player, bool rows,
                                      const struct play_limit *limit, struct banyan_search *search,
                                      struct banyan_error *err)
{
    const struct banyan_game *game = play->game;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = (int64_t)play->hint_simulations};
    enum banyan_status status = banyan_search_set_root(search, play_now(play), player, err);
    if (status == BANYAN_OK)
        status = play_restrict(search, player, limit, err);
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, err);
    if (status != BANYAN_OK)
        return status;
    if (rows) {
        printf("a plain search, with %" PRIu64 " random games:\n", play->hint_simulations);
        struct result_row_list list = result_rows(game, search, player);
        list.count = list.count < PLAY_SHOWN ? list.count : PLAY_SHOWN;
        result_print_rows(game, play_now(play), player, &list, stdout);
        free(list.rows);
        return BANYAN_OK;
    }
    play_print_values(game, search, player);
    return BANYAN_OK;
}

/* Prints what the best player would play if the game began with this position. */
static enum banyan_status ask_best(const struct play *play, int player, struct banyan_error *err)
{
    const struct banyan_game *game = play->game;
    struct banyan_player best;
    struct banyan_player_move move;
    struct banyan_player_clock clock = {.increment_ms = 0, .stop = play->stop};
    uint64_t seed = banyan_rng_child(play->position.seed, "hint", (uint64_t)play->length);
    char name[PLAY_ACTION];
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        clock.left_ms[p] = -1;
    enum banyan_status status =
        banyan_player_create(game, "best", program_offers, seed, &best, err);
    if (status != BANYAN_OK)
        return status;
    status = best.open(best.ctx, play_now(play), player, seed, err);
    if (status == BANYAN_OK)
        status = best.choose(best.ctx, play_now(play), &clock, &move, err);
    if (status == BANYAN_OK)
        printf("the best player would play: %s\n",
               play_name_action(game, play_now(play), player, move.action, name));
    banyan_player_close(&best);
    return status;
}

void play_ask(const struct play *play, int player, bool rows, const struct play_limit *limit)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = NULL};
    struct banyan_search *search = NULL;
    struct banyan_error err;
    banyan_search_options_default(&options);
    enum banyan_status status =
        rows && limit->count == 0 ? ask_best(play, player, &err) : BANYAN_OK;
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(play->game, "rollout", NULL, &evaluator, &err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, play->game, &options, &evaluator, &err);
    if (status == BANYAN_OK)
        status = play_search(play, player, rows, limit, search, &err);
    if (status != BANYAN_OK)
        printf("%s\n", err.message);
    if (search)
        banyan_search_destroy(search);
    if (evaluator.evaluate)
        banyan_evaluator_close(&evaluator);
    if (!rows && play->game->heuristic)
        printf("heuristic of %s: %+.4f\n", banyan_game_player_name(play->game, player),
               (double)play->game->heuristic(play->game, play_now(play), player));
}
