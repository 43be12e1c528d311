/* How far a set of strategies is from an equilibrium, by walking the whole game.
 *
 *   NashConv = sum over players of (value of a best response - value of the strategy)
 *
 * 0: nobody gains by deviating.  In a two-player zero-sum game half of it is the
 * exploitability.  A best response uses only what its player can distinguish:
 * it visits the weighted states to which chance and the strategies of the others
 * lead (a bundle), and chooses once for all states of equal key().
 *
 *      bundle --others and dice play on--> ends (summed) + own decisions
 *                                              | grouped by key(state, player)
 *                                              +--> best of the actions, each a new bundle
 *
 * For games as small as Kuhn poker; chance must be enumerable.
 */
#ifndef TESTS_NASHCONV_H
#define TESTS_NASHCONV_H

#include <banyan/game.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NASHCONV_ACTIONS = 64, NASHCONV_SETS = 256 };

/* The starts of the game (deals) and their probabilities. */
struct nashconv_start {
    const void *state; /* borrowed */
    double probability;
};

/* out[n]: the probability of each legal action of `player` in state; sums to 1.  May look at
 * key(state, player) only. */
typedef void nashconv_strategy(void *ctx, const struct banyan_game *game, const void *state,
                               int player, const banyan_action *actions, int n, double *out);

struct nashconv {
    const struct banyan_game *game;
    const struct nashconv_start *starts;
    int count;
    nashconv_strategy *strategy;
    void *ctx;
};

/* --- a strategy as a table by key --- */

struct nashconv_table {
    int count;
    uint64_t key[NASHCONV_SETS];
    int actions[NASHCONV_SETS];
    double weight[NASHCONV_SETS][NASHCONV_ACTIONS]; /* need not sum to 1 */
};

/* The row of key; made with zero weights when it is new. */
static inline double *nashconv_row(struct nashconv_table *table, uint64_t key, int n)
{
    int i = 0;
    while (i < table->count && table->key[i] != key)
        ++i;
    assert(i < NASHCONV_SETS && n <= NASHCONV_ACTIONS);
    if (i == table->count) {
        ++table->count;
        table->key[i] = key;
        table->actions[i] = n;
        memset(table->weight[i], 0, sizeof table->weight[i]);
    }
    return table->weight[i];
}

/* Plays in proportion to the weights of the table at ctx; evenly where it has none. */
static inline void nashconv_from_table(void *ctx, const struct banyan_game *game, const void *state,
                                       int player, const banyan_action *actions, int n, double *out)
{
    (void)actions;
    const double *weight = nashconv_row(ctx, game->key(game, state, player), n);
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += weight[i];
    for (int i = 0; i < n; ++i)
        out[i] = sum > 0 ? weight[i] / sum : 1.0 / n;
}

/* --- bundles --- */

struct nashconv_bundle {
    size_t size; /* of a state */
    int count, room;
    unsigned char *states;
    double *weights;
};

static inline void *nashconv_state(const struct nashconv_bundle *bundle, int i)
{
    return bundle->states + (size_t)i * bundle->size;
}

static inline void nashconv_add(struct nashconv_bundle *bundle, const void *state, double weight)
{
    if (bundle->count == bundle->room) {
        bundle->room = bundle->room ? 2 * bundle->room : 16;
        bundle->states = realloc(bundle->states, (size_t)bundle->room * bundle->size);
        bundle->weights = realloc(bundle->weights, (size_t)bundle->room * sizeof(double));
        if (!bundle->states || !bundle->weights)
            abort();
    }
    memcpy(nashconv_state(bundle, bundle->count), state, bundle->size);
    bundle->weights[bundle->count++] = weight;
}

static inline void nashconv_free(struct nashconv_bundle *bundle)
{
    free(bundle->states);
    free(bundle->weights);
}

static inline void nashconv_roll(const struct nashconv *nc, const void *state,
                                 const banyan_action joint[], double weight,
                                 struct nashconv_bundle *out)
{
    struct banyan_dice dice;
    void *next = malloc(nc->game->state_size);
    if (!next)
        abort();
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        memcpy(next, state, nc->game->state_size);
        nc->game->apply(nc->game, next, joint, &dice);
        nashconv_add(out, next, weight * dice.probability);
    } while (banyan_dice_advance(&dice));
    free(next);
}

/* Adds all successors of state: every mover from `mover` on but the one already in `fixed` plays
 * their strategy. */
static inline void nashconv_spread(const struct nashconv *nc, const void *state, unsigned fixed,
                                   int mover, banyan_action joint[], double weight,
                                   struct nashconv_bundle *out)
{
    const struct banyan_game *game = nc->game;
    unsigned movers = game->movers(game, state) & ~fixed;
    while (mover < game->players && !(movers >> mover & 1))
        ++mover;
    if (mover == game->players) {
        nashconv_roll(nc, state, joint, weight, out);
        return;
    }
    banyan_action actions[NASHCONV_ACTIONS];
    double p[NASHCONV_ACTIONS];
    int n = game->legal(game, state, mover, actions);
    nc->strategy(nc->ctx, game, state, mover, actions, n, p);
    for (int i = 0; i < n; ++i) {
        joint[mover] = actions[i];
        if (p[i] > 0)
            nashconv_spread(nc, state, fixed, mover + 1, joint, weight * p[i], out);
    }
}

/* Plays the bundle on until `player` must choose or the game is over; returns the sum of the
 * player's returns at the ends.  The decisions of `player` are left in `waiting`. */
static inline double nashconv_settle(const struct nashconv *nc, int player,
                                     struct nashconv_bundle *bundle,
                                     struct nashconv_bundle *waiting)
{
    double sum = 0;
    void *state = malloc(bundle->size); /* a copy: the bundle moves while it grows */
    if (!state)
        abort();
    while (bundle->count > 0) {
        double weight = bundle->weights[--bundle->count];
        memcpy(state, nashconv_state(bundle, bundle->count), bundle->size);
        unsigned movers = nc->game->movers(nc->game, state);
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        float returns[BANYAN_MAX_PLAYERS];
        if (movers == 0) {
            nc->game->returns(nc->game, state, returns);
            sum += weight * returns[player];
        } else if (waiting && (movers >> player & 1)) {
            nashconv_add(waiting, state, weight);
        } else {
            nashconv_spread(nc, state, 0, 0, joint, weight, bundle);
        }
    }
    free(state);
    return sum;
}

static inline double nashconv_respond(const struct nashconv *nc, int player,
                                      struct nashconv_bundle *bundle);

/* The value of one information set: the states of `waiting` whose key is that of the first. */
static inline double nashconv_decide(const struct nashconv *nc, int player,
                                     struct nashconv_bundle *waiting)
{
    const struct banyan_game *game = nc->game;
    struct nashconv_bundle set = {.size = waiting->size}, rest = {.size = waiting->size};
    uint64_t key = game->key(game, nashconv_state(waiting, 0), player);
    for (int i = 0; i < waiting->count; ++i) {
        const void *state = nashconv_state(waiting, i);
        nashconv_add(game->key(game, state, player) == key ? &set : &rest, state,
                     waiting->weights[i]);
    }
    nashconv_free(waiting);
    *waiting = rest;
    banyan_action actions[NASHCONV_ACTIONS], joint[BANYAN_MAX_PLAYERS] = {0};
    int n = game->legal(game, nashconv_state(&set, 0), player, actions);
    double best = 0;
    for (int a = 0; a < n; ++a) {
        struct nashconv_bundle next = {.size = set.size};
        joint[player] = actions[a];
        for (int i = 0; i < set.count; ++i)
            nashconv_spread(nc, nashconv_state(&set, i), 1u << player, 0, joint, set.weights[i],
                            &next);
        double value = nashconv_respond(nc, player, &next);
        best = a == 0 || value > best ? value : best;
        nashconv_free(&next);
    }
    nashconv_free(&set);
    return best;
}

static inline double nashconv_respond(const struct nashconv *nc, int player,
                                      struct nashconv_bundle *bundle)
{
    struct nashconv_bundle waiting = {.size = bundle->size};
    double sum = nashconv_settle(nc, player, bundle, &waiting);
    while (waiting.count > 0)
        sum += nashconv_decide(nc, player, &waiting);
    nashconv_free(&waiting);
    return sum;
}

/* What player expects when everybody follows the strategy. */
static inline double nashconv_value(const struct nashconv *nc, int player)
{
    struct nashconv_bundle bundle = {.size = nc->game->state_size};
    for (int i = 0; i < nc->count; ++i)
        nashconv_add(&bundle, nc->starts[i].state, nc->starts[i].probability);
    double value = nashconv_settle(nc, player, &bundle, NULL);
    nashconv_free(&bundle);
    return value;
}

/* What player can expect at most when all others follow it. */
static inline double nashconv_best_response(const struct nashconv *nc, int player)
{
    struct nashconv_bundle bundle = {.size = nc->game->state_size};
    for (int i = 0; i < nc->count; ++i)
        nashconv_add(&bundle, nc->starts[i].state, nc->starts[i].probability);
    double value = nashconv_respond(nc, player, &bundle);
    nashconv_free(&bundle);
    return value;
}

static inline double nashconv(const struct nashconv *nc)
{
    double sum = 0;
    for (int p = 0; p < nc->game->players; ++p)
        sum += nashconv_best_response(nc, p) - nashconv_value(nc, p);
    return sum;
}

#endif
