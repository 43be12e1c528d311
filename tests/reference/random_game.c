/* The rules of random small games. */
#include "reference/random_game.h"

#include "base/rng.h"

#include <stdio.h>
#include <string.h>

enum random_game_use {
    USE_MOVERS = 1,
    USE_COUNT,
    USE_LEGAL,
    USE_NEXT,
    USE_END,
    USE_DICE,
    USE_RETURNS,
    USE_PRIOR,
    USE_CARD,
    USE_BOUNDS,
    USE_HEURISTIC,
    USE_POINTS
};

static uint64_t game_mix(uint64_t a, uint64_t b)
{
    return rng_mix(rng_mix(a + 0x9e3779b97f4a7c15u) ^ b);
}

/* A hash of what all players see. */
static uint64_t game_public(const struct random_game_state *state, uint64_t use)
{
    uint64_t hash = game_mix(state->rules.seed, use);
    return game_mix(game_mix(hash, state->ply), state->place);
}

uint64_t random_game_hash(const struct random_game_state *state, uint64_t kind)
{
    uint64_t cards = 0;
    for (int p = 0; p < RANDOM_GAME_PLAYERS; ++p)
        cards = cards << 8 | state->card[p];
    return game_mix(game_mix(game_public(state, kind), state->luck), cards);
}

static bool game_over(const struct random_game_state *state)
{
    const struct random_game_rules *rules = &state->rules;
    return state->ply >= rules->plies ||
           (state->ply > 0 && game_public(state, USE_END) % 100 < rules->end_percent);
}

unsigned random_game_movers(const struct banyan_game *game, const void *at)
{
    const struct random_game_state *state = at;
    const struct random_game_rules *rules = &state->rules;
    if (game_over(state))
        return 0;
    uint64_t hash = game_public(state, USE_MOVERS);
    unsigned all = (1u << rules->players) - 1;
    if ((rules->traits & BANYAN_SIMULTANEOUS) && hash % 4 != 0) {
        unsigned some = (unsigned)(hash >> 8) & all;
        return some ? some : all;
    }
    return 1u << (rules->turns_by_hash ? hash >> 8 : state->ply) % rules->players;
}

/* Actions are numbers spread over all bytes that the tree stores. */
static banyan_action game_action(const struct random_game_rules *rules, int index)
{
    static const uint64_t spread[] = {
        [1] = 7, [2] = 0x0a03, [4] = 0x0a000103, [8] = 0x0900000002000105};
    return ((uint64_t)index + 1) * spread[rules->action_bytes];
}

/* Whether a player with this card may play the index-th action of a place. */
static bool game_allows(const struct random_game_state *state, uint64_t hash, int player, int index)
{
    return game_mix(hash + (uint64_t)index, state->card[player]) % 8 < 5;
}

static int game_legal(const struct banyan_game *game, const void *at, int player,
                      banyan_action *out)
{
    const struct random_game_state *state = at;
    const struct random_game_rules *rules = &state->rules;
    uint64_t hash = game_mix(game_public(state, USE_COUNT), (uint64_t)player);
    int all = 1 + (int)(hash % rules->branching), count = 0;
    bool cards = (rules->traits & BANYAN_HIDDEN) != 0;
    int first = cards && rules->own_actions ? state->card[player] * rules->branching : 0;
    for (int i = 0; i < all; ++i)
        if (!cards || game_allows(state, hash, player, i))
            out[count++] = game_action(rules, first + i);
    if (count == 0)
        out[count++] = game_action(rules, first + (int)((hash >> 32) % (uint64_t)all));
    return count;
}

static void game_range(int returns, float *low, float *high)
{
    static const float lows[] = {-1, 0, -64, 0}, highs[] = {1, 1, 64, 100};
    *low = lows[returns];
    *high = highs[returns];
}

/* The number of steps from the lowest return to the highest. */
static unsigned game_steps(int returns)
{
    static const unsigned steps[] = {2, 8, 128, 100};
    return steps[returns];
}

/* The return that is so many steps above the lowest one; returns are evenly spaced. */
static float game_step(int returns, unsigned step)
{
    float low, high;
    game_range(returns, &low, &high);
    return low + (high - low) * (float)step / (float)game_steps(returns);
}

static void game_narrow(struct random_game_state *state)
{
    uint64_t hash = random_game_hash(state, USE_BOUNDS);
    unsigned half = (unsigned)(state->most - state->least) / 2;
    if (hash % 4 == 0)
        state->least = (uint8_t)(state->least + half);
    else if (hash % 4 == 1)
        state->most = (uint8_t)(state->most - half);
}

/* What all players see of an action: with hidden cards only its lowest bit. */
static uint64_t game_seen(const struct random_game_rules *rules, banyan_action action)
{
    return rules->traits & BANYAN_HIDDEN ? action & 1 : action;
}

static void game_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                       struct banyan_dice *dice)
{
    struct random_game_state *state = at;
    const struct random_game_rules *rules = &state->rules;
    unsigned movers = random_game_movers(NULL, state);
    uint64_t roll = game_public(state, USE_DICE), next = game_public(state, USE_NEXT);
    for (int p = 0; p < rules->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        next = game_mix(next + (uint64_t)p, game_seen(rules, joint[p]));
        if (rules->traits & BANYAN_HIDDEN)
            state->card[p] = (uint8_t)(game_mix(state->card[p], joint[p]) % rules->cards);
    }
    if ((rules->traits & BANYAN_CHANCE) && roll % 4 != 0) {
        uint64_t face = (uint64_t)banyan_dice_roll(dice, 0, 2 + (int)(roll >> 8 & 3));
        if (rules->hidden_luck && roll >> 16 & 1)
            state->luck = game_mix(state->luck, face);
        else
            next = game_mix(next, face);
    }
    ++state->ply;
    state->place = rules->width ? next % rules->width : next;
    if (rules->narrowing)
        game_narrow(state);
}

/* Every player's value. If the sum is constant, the values of two players of a pair add up to
 * it; a player who is left over gets the middle of the range. */
static void game_share(const struct random_game_rules *rules, uint64_t hash, float first,
                       float *values)
{
    unsigned steps = game_steps(rules->returns);
    float sum = game_step(rules->returns, 0) + game_step(rules->returns, steps);
    values[0] = first;
    for (int p = 1; p < rules->players; ++p) {
        uint64_t own = game_mix(hash, (uint64_t)p);
        values[p] = game_step(rules->returns, (unsigned)(own % (steps + 1)));
        if ((rules->traits & BANYAN_ZERO_SUM) && p % 2)
            values[p] = sum - values[p - 1];
        else if ((rules->traits & BANYAN_ZERO_SUM) && p == rules->players - 1)
            values[p] = sum / 2;
    }
}

void random_game_values(const struct random_game_rules *rules, uint64_t hash, float *values)
{
    unsigned steps = game_steps(rules->returns);
    game_share(rules, hash, game_step(rules->returns, (unsigned)(hash % (steps + 1))), values);
}

static void game_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct random_game_state *state = at;
    uint64_t hash = random_game_hash(state, USE_RETURNS);
    unsigned step = state->least + (unsigned)(hash % (state->most - state->least + 1u));
    game_share(&state->rules, hash, game_step(state->rules.returns, step), out);
}

/* 0 to 64 points for each player, which say nothing about the returns. */
static void game_points(const struct banyan_game *game, const void *at, float *out)
{
    const struct random_game_state *state = at;
    for (int p = 0; p < state->rules.players; ++p)
        out[p] = (float)(game_mix(random_game_hash(state, USE_POINTS), (uint64_t)p) % 65);
}

static uint64_t game_key(const struct banyan_game *game, const void *at, int viewer)
{
    const struct random_game_state *state = at;
    bool cards = state->rules.traits & BANYAN_HIDDEN;
    return game_mix(game_public(state, 0), cards ? state->card[viewer] + 1u : 0);
}

static void game_coarse_keys(const struct banyan_game *game, const void *at, unsigned viewers,
                             uint64_t out[])
{
    for (int p = 0; p < RANDOM_GAME_PLAYERS; ++p)
        if (viewers >> p & 1)
            out[p] = game_mix(game_public(at, 0), 0);
}

static void game_determinize(const struct banyan_game *game, void *at, int viewer,
                             struct banyan_rng *rng)
{
    struct random_game_state *state = at;
    for (int p = 0; p < state->rules.players; ++p)
        if (p != viewer)
            state->card[p] = (uint8_t)rng_below(rng, state->rules.cards);
}

/* Whether a die is thrown here, whatever is played, so that nobody knows the next place. */
static bool game_throws(const struct random_game_state *state)
{
    return (state->rules.traits & BANYAN_CHANCE) && game_public(state, USE_DICE) % 4 != 0;
}

/* Whether an action ends the game immediately with the most that player can get; *next is the
 * state after it. */
static bool game_wins(const struct random_game_state *state, int player, banyan_action action,
                      struct random_game_state *next)
{
    banyan_action joint[RANDOM_GAME_PLAYERS] = {0};
    float returns[RANDOM_GAME_PLAYERS], low, high;
    *next = *state;
    joint[player] = action;
    game_apply(NULL, next, joint, NULL);
    if (!game_over(next))
        return false;
    game_returns(NULL, next, returns);
    game_range(state->rules.returns, &low, &high);
    return returns[player] >= high;
}

/* The first action with which player wins immediately; 0: there is none, or it depends on dice. */
static banyan_action game_winning(const struct random_game_state *state, int player)
{
    banyan_action actions[RANDOM_GAME_LEGAL];
    struct random_game_state next;
    int count = game_legal(NULL, state, player, actions);
    for (int i = 0; i < count && !game_throws(state); ++i)
        if (game_wins(state, player, actions[i], &next))
            return actions[i];
    return 0;
}

/* Whether the other player is to move and can win with the next action. */
static bool game_threatened(const struct random_game_state *state, int player)
{
    return !game_over(state) && random_game_movers(NULL, state) == 1u << (1 - player) &&
           game_winning(state, 1 - player) != 0;
}

static int game_decisive(const struct banyan_game *game, const void *at, int player,
                         banyan_action *out)
{
    const struct random_game_state *state = at;
    const struct random_game_rules *rules = &state->rules;
    int count = game_legal(game, state, player, out), safe = 0;
    banyan_action first = out[0], winning = game_winning(state, player);
    if (winning) {
        out[0] = winning;
        return 1;
    }
    if (rules->players != 2 || !(rules->traits & BANYAN_ZERO_SUM) || game_throws(state))
        return 0;
    for (int i = 0; i < count; ++i) {
        struct random_game_state next;
        game_wins(state, player, out[i], &next);
        if (!game_threatened(&next, player))
            out[safe++] = out[i];
    }
    out[0] = safe ? out[0] : first;
    return safe == count ? 0 : safe ? safe : 1;
}

/* In games without dice, simultaneous choices and hidden cards the text names the place too, so
 * that it shows in which state the action was played.  It has characters that XML, JSON or DOT must
 * escape. */
static int game_action_format(const struct banyan_game *game, const void *at, int player,
                              banyan_action action, char *out, size_t size)
{
    const struct random_game_state *state = at;
    unsigned drawn = BANYAN_CHANCE | BANYAN_SIMULTANEOUS | BANYAN_HIDDEN;
    if (state->rules.traits & drawn)
        return snprintf(out, size, "#%llu", (unsigned long long)action);
    return snprintf(out, size, "a%llu<&\"\\>%llu", (unsigned long long)action,
                    (unsigned long long)(game_public(state, 0) >> 48));
}

static float game_heuristic(const struct banyan_game *game, const void *at, int player)
{
    const struct random_game_state *state = at;
    float values[RANDOM_GAME_PLAYERS];
    random_game_values(&state->rules, random_game_hash(state, USE_HEURISTIC), values);
    return values[player];
}

/* Computes bounds for player 0 only; the other player's follow from the constant sum. */
static void game_bounds(const struct banyan_game *game, const void *at, int player, float *lo,
                        float *hi)
{
    const struct random_game_state *state = at;
    int returns = state->rules.returns;
    float sum = game_step(returns, 0) + game_step(returns, game_steps(returns));
    float least = game_step(returns, state->least), most = game_step(returns, state->most);
    *lo = player == 0 ? least : sum - most;
    *hi = player == 0 ? most : sum - least;
}

static void game_priors(const struct banyan_game *game, const void *at, int player,
                        const banyan_action *actions, int n, float *out)
{
    const struct random_game_state *state = at;
    uint64_t hash = game_mix(game_public(state, USE_PRIOR), (uint64_t)player);
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += out[i] = 1 + (float)(game_mix(hash, actions[i]) >> 44);
    for (int i = 0; i < n; ++i)
        out[i] /= sum;
}

void random_game_make(const struct random_game_rules *rules,
                      const struct random_game_functions *functions, struct banyan_game *game,
                      struct random_game_state *state)
{
    memset(state, 0, sizeof *state);
    state->rules = *rules;
    state->place = rules->width ? 0 : rules->seed;
    state->most = (uint8_t)game_steps(rules->returns);
    for (int p = 0; p < rules->players && (rules->traits & BANYAN_HIDDEN); ++p)
        state->card[p] = (uint8_t)(game_mix(rules->seed + USE_CARD, (uint64_t)p) % rules->cards);
    *game = (struct banyan_game){.struct_size = sizeof(struct banyan_game),
                                 .name = "random",
                                 .title = "Random small game",
                                 .players = rules->players,
                                 .state_size = sizeof *state,
                                 .action_bytes = rules->action_bytes,
                                 .max_legal = rules->branching,
                                 .max_plies = rules->plies,
                                 .traits = rules->traits,
                                 .movers = random_game_movers,
                                 .legal = game_legal,
                                 .apply = game_apply,
                                 .returns = game_returns,
                                 .key = game_key,
                                 .action_format = game_action_format,
                                 .heuristic = game_heuristic};
    game_range(rules->returns, &game->return_min, &game->return_max);
    if (rules->traits & BANYAN_HIDDEN)
        game->determinize = game_determinize;
    game->priors = functions->priors ? game_priors : NULL;
    game->bounds = functions->bounds ? game_bounds : NULL;
    game->decisive = functions->decisive ? game_decisive : NULL;
    game->points = functions->points ? game_points : NULL;
    if (functions->coarse_keys && (rules->traits & BANYAN_HIDDEN))
        game->coarse_keys = game_coarse_keys;
}
