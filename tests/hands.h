/* A small game of hidden information for tests. */
#ifndef TESTS_HANDS_H
#define TESTS_HANDS_H

#include "searching.h"

/* Two players choose at the same time, ROUNDS times.  Player 1 holds one of many hands, which player 0
 * cannot see; each hand has its own legal actions, and no two hands share an action.  The coarse
 * key of a node is what both know (the round), so player 1's node belongs to all hands together.
 * The state counts the actions of another hand that were applied to it; a search must never apply
 * one. */
enum { ROUNDS = 2, HANDS_SMALL = 50, HANDS_LARGE = 80, OFFER_SMALL = 3, OFFER_LARGE = 1000 };

struct hands {
    uint32_t hand, round, wins, illegal;
};

static int hands_illegal; /* actions of another hand that were applied; for one thread */
static uint32_t hands_count, hands_offer;
static bool hands_twice; /* legal() names the first action twice */

static inline enum banyan_status hands_init(const struct banyan_game *game, void *state,
                                            const char *setup, struct banyan_rng *rng,
                                            struct banyan_error *err)
{
    (void)setup, (void)rng, (void)err;
    memset(state, 0, sizeof(struct hands));
    return BANYAN_OK;
}

static inline unsigned hands_movers(const struct banyan_game *game, const void *state)
{
    return ((const struct hands *)state)->round < ROUNDS ? 3 : 0;
}

static inline int hands_legal(const struct banyan_game *game, const void *state, int player,
                              banyan_action *out)
{
    const struct hands *hands = state;
    uint32_t n = player == 0 ? 2 : hands_offer;
    for (uint32_t i = 0; i < n; ++i)
        out[i] = player == 0 ? i : 1 + hands->hand * hands_offer + i;
    if (hands_twice)
        out[n] = out[0];
    return (int)n + hands_twice;
}

static inline void hands_apply(const struct banyan_game *game, void *state,
                               const banyan_action joint[], struct banyan_dice *dice)
{
    struct hands *hands = state;
    (void)dice;
    uint32_t card = (uint32_t)joint[1] - 1 - hands->hand * hands_offer;
    hands_illegal += joint[0] > 1 || card >= hands_offer;
    hands->wins += (joint[0] + joint[1]) % 2 == 0;
    ++hands->round;
}

static inline void hands_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct hands *hands = state;
    out[0] = (float)hands->wins - ROUNDS / 2.0f;
    out[1] = -out[0];
}

static inline uint64_t hands_key(const struct banyan_game *game, const void *state, int viewer)
{
    const struct hands *hands = state;
    uint64_t own = viewer == 1 ? (uint64_t)hands->hand + 1 : 0;
    return banyan_rng_child(hands->round, "hands", own << 32 | hands->wins);
}

static inline void hands_coarse_keys(const struct banyan_game *game, const void *state,
                                     unsigned viewers, uint64_t out[])
{
    const struct hands *hands = state;
    for (int p = 0; p < 2; ++p)
        if (viewers >> p & 1)
            out[p] = banyan_rng_child(hands->round, "hands", hands->wins);
}

static inline void hands_determinize(const struct banyan_game *game, void *state, int viewer,
                                     struct banyan_rng *rng)
{
    if (viewer == 0)
        ((struct hands *)state)->hand = banyan_rng_below(rng, hands_count);
}

static inline struct banyan_game hands_game(uint32_t count, uint32_t offer)
{
    hands_count = count;
    hands_offer = offer;
    hands_illegal = 0;
    return (struct banyan_game){.struct_size = sizeof(struct banyan_game),
                                .name = "hands",
                                .title = "Hands",
                                .players = 2,
                                .state_size = sizeof(struct hands),
                                .action_bytes = 4,
                                .max_legal = (int)offer + 1,
                                .max_plies = ROUNDS,
                                .return_min = -ROUNDS / 2.0f,
                                .return_max = ROUNDS / 2.0f,
                                .traits = BANYAN_SIMULTANEOUS | BANYAN_HIDDEN | BANYAN_ZERO_SUM,
                                .init = hands_init,
                                .movers = hands_movers,
                                .legal = hands_legal,
                                .apply = hands_apply,
                                .returns = hands_returns,
                                .key = hands_key,
                                .coarse_keys = hands_coarse_keys,
                                .determinize = hands_determinize};
}

static inline void hands_open(struct searching *s, const struct banyan_game *game,
                              const char *options)
{
    memset(s, 0, sizeof *s);
    s->game = game;
    banyan_search_options_default(&s->options);
    searching_check(
        s, banyan_options_parse(banyan_search_option_table(), &s->options, options, &s->err));
    searching_check(s, banyan_evaluator_create(game, "rollout", NULL, &s->evaluator, &s->err));
    searching_check(s, banyan_search_create(&s->search, game, &s->options, &s->evaluator, &s->err));
    s->state = calloc(1, game->state_size);
    searching_check(s, banyan_search_set_root(s->search, s->state, 0, &s->err));
}

static inline uint64_t hands_simulations(const struct searching *s)
{
    struct banyan_search_stats stats;
    banyan_search_stats(s->search, &stats, sizeof stats);
    return stats.simulations;
}

/* Draws the hand that ctx points to. */
static inline void hands_sample(void *ctx, const void *root, int viewer, void *out,
                                struct banyan_rng *rng)
{
    (void)viewer, (void)rng;
    memcpy(out, root, sizeof(struct hands));
    ((struct hands *)out)->hand = *(const uint32_t *)ctx;
}

#endif
