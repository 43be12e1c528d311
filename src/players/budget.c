/* Decides how much time a decision may take. */
#include "players/budget.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BUDGET_GAMES = 8,      /* number of random games */
    BUDGET_PLIES = 1000,   /* most plies in each of them */
    BUDGET_RESERVE_MS = 15 /* kept back for a busy machine and slow communication */
};

bool budget_limited(const struct banyan_player_clock *clock, int player)
{
    return clock && clock->left_ms[player] >= 0;
}

struct banyan_player_clock budget_per_move(double time_ms)
{
    struct banyan_player_clock clock = {.increment_ms = time_ms};
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        clock.left_ms[p] = time_ms;
    return clock;
}

/* Plays random actions from state on, and counts the decisions of player. */
static int budget_random_game(const struct banyan_game *game, void *state, int player,
                              banyan_action *actions, struct banyan_rng *rng)
{
    struct banyan_dice dice;
    int decisions = 0;
    unsigned movers;
    banyan_dice_drawn(&dice, rng);
    for (int ply = 0; ply < BUDGET_PLIES && (movers = game->movers(game, state)); ++ply) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        for (int p = 0; p < game->players; ++p) {
            if (!(movers >> p & 1))
                continue;
            int count = game->legal(game, state, p, actions);
            joint[p] = actions[banyan_rng_below(rng, (uint32_t)count)];
            decisions += p == player && count > 1;
        }
        game->apply(game, state, joint, &dice);
    }
    return decisions;
}

double budget_decisions_left(const struct banyan_game *game, const void *state, int player,
                             struct banyan_rng *rng)
{
    void *copy = malloc(game->state_size);
    banyan_action *actions = malloc((size_t)game->max_legal * sizeof *actions);
    double sum = 0;
    for (int i = 0; copy && actions && i < BUDGET_GAMES; ++i) {
        memcpy(copy, state, game->state_size);
        if (game->determinize)
            game->determinize(game, copy, player, rng);
        sum += budget_random_game(game, copy, player, actions, rng);
    }
    free(actions);
    free(copy);
    return sum > BUDGET_GAMES ? sum / BUDGET_GAMES : 1;
}

double budget_ms(const struct banyan_player_clock *clock, int player, double decisions_left)
{
    double left = clock->left_ms[player], increment = clock->increment_ms;
    double reserve = left < 2 * BUDGET_RESERVE_MS ? left / 2 : BUDGET_RESERVE_MS;
    double most = left - reserve;
    if (increment >= left) /* a fixed time per decision: all of it may be used */
        return left;
    /* Plans for one decision more than expected, because the estimate may be low and time must
     * be left for the last decisions, too. */
    double budget = increment + (most - increment) / (decisions_left + 1);
    return budget < most ? budget : most;
}
