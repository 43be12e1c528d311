/* The contract test can fail: each game here breaks one promise of <banyan/game.h>, and the test
 * must report it. */
#include <banyan/check.h>

#include "games/bandit/bandit.h"
#include "games/connect4/connect4.h"
#include "games/kuhn/kuhn.h"
#include "games/matrix/matrix.h"
#include "games/pig/pig.h"
#include "games/tree/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct banyan_game *pig(void)
{
    return pig_variant(0);
}

static const struct banyan_game *kuhn(void)
{
    return kuhn_variant(0);
}

const struct banyan_game *connect4_variant(int index);

static const struct banyan_game *connect4(void)
{
    return connect4_variant(0);
}

static const struct banyan_game *rps(void)
{
    return matrix_variant(0);
}

static const struct banyan_game *zero(void)
{
    return tree_variant(2);
}

static const struct banyan_game *bandit(void)
{
    return bandit_variant(0);
}

/* --- rules --- */

static unsigned movers_too_many(const struct banyan_game *game, const void *state)
{
    return pig()->movers(pig(), state) ? 3 : 0;
}

static unsigned movers_unknown(const struct banyan_game *game, const void *state)
{
    return pig()->movers(pig(), state) << 2;
}

static int legal_none(const struct banyan_game *game, const void *state, int player,
                      banyan_action *out)
{
    const struct pig *s = state;
    return s->turn > 10 ? 0 : pig()->legal(pig(), state, player, out);
}

static int legal_twice(const struct banyan_game *game, const void *state, int player,
                       banyan_action *out)
{
    int n = pig()->legal(pig(), state, player, out);
    out[n - 1] = out[0];
    return n;
}

static int legal_wide(const struct banyan_game *game, const void *state, int player,
                      banyan_action *out)
{
    int n = rps()->legal(rps(), state, player, out);
    out[n - 1] = 256;
    return n;
}

static int legal_too_many(const struct banyan_game *game, const void *state, int player,
                          banyan_action *out)
{
    int n = rps()->legal(rps(), state, player, out);
    out[n] = (banyan_action)n;
    return n + 1;
}

static int legal_overrun(const struct banyan_game *game, const void *state, int player,
                         banyan_action *out)
{
    int n = rps()->legal(rps(), state, player, out);
    out[n] = 0;
    return n;
}

static int legal_unstable(const struct banyan_game *game, const void *state, int player,
                          banyan_action *out)
{
    static int calls;
    int n = rps()->legal(rps(), state, player, out);
    if (++calls % 2) {
        out[0] = 1;
        out[1] = 0;
    }
    return n;
}

static void returns_not_zero_sum(const struct banyan_game *game, const void *state, float *out)
{
    pig()->returns(pig(), state, out);
    out[0] = -out[0] / 2;
}

static void returns_too_high(const struct banyan_game *game, const void *state, float *out)
{
    pig()->returns(pig(), state, out);
    out[0] *= 2;
    out[1] *= 2;
}

static void returns_nan(const struct banyan_game *game, const void *state, float *out)
{
    pig()->returns(pig(), state, out);
    out[0] = NAN;
}

static void returns_three(const struct banyan_game *game, const void *state, float *out)
{
    pig()->returns(pig(), state, out);
    out[2] = 0;
}

static void apply_remembers(const struct banyan_game *game, void *state,
                            const banyan_action joint[], struct banyan_dice *dice)
{
    static uint16_t calls;
    pig()->apply(pig(), state, joint, dice);
    ((struct pig *)state)->turn = (uint16_t)(((struct pig *)state)->turn + ++calls % 2);
}

static void apply_reads_others(const struct banyan_game *game, void *state,
                               const banyan_action joint[], struct banyan_dice *dice)
{
    struct pig *s = state;
    if (joint[!s->mover] > 0xaaaaaaaaaaaaaaaau)
        s->horizon = 999;
    pig()->apply(pig(), state, joint, dice);
}

static void apply_own_luck(const struct banyan_game *game, void *state, const banyan_action joint[],
                           struct banyan_dice *dice)
{
    if (dice->rng)
        banyan_rng_next(dice->rng);
    pig()->apply(pig(), state, joint, dice);
}

static void apply_unnamed_die(const struct banyan_game *game, void *state,
                              const banyan_action joint[], struct banyan_dice *dice)
{
    banyan_dice_roll(dice, PIG_DIE + 1, 6);
    pig()->apply(pig(), state, joint, dice);
}

/* Multiplies the probability of every outcome by 0.9, so the sum over all outcomes is not 1. */
static void apply_loaded(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    bandit()->apply(bandit(), state, joint, dice);
    dice->probability *= 0.9;
}

static void apply_hidden_dice(const struct banyan_game *game, void *state,
                              const banyan_action joint[], struct banyan_dice *dice)
{
    kuhn()->apply(kuhn(), state, joint, dice);
    if (dice)
        banyan_dice_roll(dice, 0, 2);
}

static void apply_overrun(const struct banyan_game *game, void *state, const banyan_action joint[],
                          struct banyan_dice *dice)
{
    pig()->apply(pig(), state, joint, dice);
    ((unsigned char *)state)[sizeof(struct pig)] = 0;
}

static uint64_t key_constant(const struct banyan_game *game, const void *state, int viewer)
{
    (void)state, (void)viewer;
    return 0x123456789abcdef0u;
}

static uint64_t key_blind_to_score(const struct banyan_game *game, const void *state, int viewer)
{
    struct pig s = *(const struct pig *)state;
    s.score[0] = s.score[1] = 0;
    s.turn = s.turn > 0;
    return pig()->key(pig(), &s, viewer);
}

static uint64_t key_by_address(const struct banyan_game *game, const void *state, int viewer)
{
    return pig()->key(pig(), state, viewer) ^ (uintptr_t)state;
}

static uint64_t key_narrow(const struct banyan_game *game, const void *state, int viewer)
{
    return pig()->key(pig(), state, viewer) & 0xffffffffu;
}

/* --- texts --- */

static enum banyan_status init_leaves_bytes(const struct banyan_game *game, void *state,
                                            const char *setup, struct banyan_rng *rng,
                                            struct banyan_error *err)
{
    struct kuhn full;
    enum banyan_status status = kuhn()->init(kuhn(), &full, setup, rng, err);
    memcpy(state, &full, sizeof full - 1);
    return status;
}

static enum banyan_status init_takes_all(const struct banyan_game *game, void *state,
                                         const char *setup, struct banyan_rng *rng,
                                         struct banyan_error *err)
{
    if (kuhn()->init(kuhn(), state, setup, rng, err) != BANYAN_OK)
        kuhn()->init(kuhn(), state, "", rng, err);
    return BANYAN_OK;
}

static enum banyan_status init_silent(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    (void)err;
    return kuhn()->init(kuhn(), state, setup, rng, NULL);
}

static enum banyan_status init_unchecked(const struct banyan_game *game, void *state,
                                         const char *setup, struct banyan_rng *rng,
                                         struct banyan_error *err)
{
    enum banyan_status status = pig()->init(pig(), state, setup, rng, err);
    int turn;
    const char *found = setup ? strstr(setup, "turn=") : NULL;
    if (found && sscanf(found, "turn=%d", &turn) == 1) { /* even if it is out of range */
        ((struct pig *)state)->turn = (uint16_t)turn;
        return BANYAN_OK;
    }
    return status;
}

static int format_lossy(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    struct pig s = *(const struct pig *)state;
    s.ply = 0;
    return pig()->format(pig(), &s, out, size);
}

static int format_short_count(const struct banyan_game *game, const void *state, char *out,
                              size_t size)
{
    int n = pig()->format(pig(), state, out, size);
    return n < (int)size ? n : (int)size - 1;
}

static int format_two_lines(const struct banyan_game *game, const void *state, char *out,
                            size_t size)
{
    int n = pig()->format(pig(), state, out, size);
    char *blank = n < (int)size ? strchr(out, ' ') : NULL;
    if (blank)
        *blank = '\n';
    return n;
}

static enum banyan_status parse_takes_illegal(const struct banyan_game *game, const void *state,
                                              int player, const char *text, banyan_action *out,
                                              struct banyan_error *err)
{
    if (strcmp(text, "hold") != 0)
        return pig()->action_parse(pig(), state, player, text, out, err);
    *out = PIG_HOLD;
    return BANYAN_OK;
}

static enum banyan_status parse_odd_status(const struct banyan_game *game, const void *state,
                                           int player, const char *text, banyan_action *out,
                                           struct banyan_error *err)
{
    if (pig()->action_parse(pig(), state, player, text, out, NULL) == BANYAN_OK)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_IO, "no");
}

static int action_format_alike(const struct banyan_game *game, const void *state, int player,
                               banyan_action action, char *out, size_t size)
{
    (void)action;
    return rps()->action_format(rps(), state, player, 0, out, size);
}

/* --- optional functions --- */

static void determinize_nothing(const struct banyan_game *game, void *state, int viewer,
                                struct banyan_rng *rng)
{
    (void)state, (void)viewer, (void)rng;
}

static void determinize_own_card(const struct banyan_game *game, void *state, int viewer,
                                 struct banyan_rng *rng)
{
    kuhn()->determinize(kuhn(), state, !viewer, rng);
}

static uint64_t key_sees_all(const struct banyan_game *game, const void *state, int viewer)
{
    const struct kuhn *s = state;
    return kuhn()->key(kuhn(), state, viewer) ^ s->card[!viewer] * 0x9e3779b97f4a7c15u;
}

static uint64_t key_without_card(const struct banyan_game *game, const void *state, int viewer)
{
    struct kuhn s = *(const struct kuhn *)state;
    s.card[viewer] = 0;
    return kuhn()->key(kuhn(), &s, viewer);
}

static void coarse_keys_see_all(const struct banyan_game *game, const void *state, unsigned viewers,
                                uint64_t out[])
{
    for (int p = 0; p < 2; ++p)
        if (viewers >> p & 1)
            out[p] = key_sees_all(game, state, p);
}

static void coarse_keys_unstable(const struct banyan_game *game, const void *state,
                                 unsigned viewers, uint64_t out[])
{
    static unsigned calls;
    ++calls;
    for (int p = 0; p < 2; ++p)
        if (viewers >> p & 1)
            out[p] = kuhn()->key(kuhn(), state, p) + calls % 2;
}

static int draw_shows_all(const struct banyan_game *game, const void *state, int viewer, char *out,
                          size_t size)
{
    (void)viewer;
    return kuhn()->draw(kuhn(), state, -1, out, size);
}

static void encode_shows_all(const struct banyan_game *game, const void *state, int viewer,
                             float *planes)
{
    kuhn()->encode(kuhn(), state, viewer, planes);
    planes[0] = ((const struct kuhn *)state)->card[!viewer];
}

/* Shows the other player's card as one of its features. */
static void observe_shows_all(const struct banyan_game *game, const void *state, int viewer,
                              float *out)
{
    kuhn()->encode(kuhn(), state, viewer, out);
    out[KUHN_CARDS] = ((const struct kuhn *)state)->card[!viewer] > 0;
}

static void encode_half(const struct banyan_game *game, const void *state, int viewer,
                        float *planes)
{
    kuhn()->encode(kuhn(), state, viewer, planes);
    planes[1] /= 2;
}

static void encode_beyond_bounds(const struct banyan_game *game, const void *state, int viewer,
                                 float *planes)
{
    kuhn()->encode(kuhn(), state, viewer, planes);
    planes[KUHN_CARDS] *= 2;
}

static void features_short(struct banyan_game *game)
{
    ++game->planes[0];
}

/* Connect Four that counts full columns. */
static int count_all_columns(const struct banyan_game *game, const void *state, int player)
{
    return CONNECT4_COLUMNS;
}

/* decisive() gives the first column, although it wins nothing. */
static int decisive_column(const struct banyan_game *game, const void *state, int player,
                           banyan_action *out)
{
    banyan_action legal[CONNECT4_COLUMNS];
    connect4()->legal(connect4(), state, player, legal);
    out[0] = legal[0];
    return 1;
}

static int decisive_backward(const struct banyan_game *game, const void *state, int player,
                             banyan_action *out)
{
    int n = connect4()->legal(connect4(), state, player, out);
    banyan_action first = out[0];
    out[0] = out[n - 1];
    out[n - 1] = first;
    return n;
}

static void bounds_too_tight(const struct banyan_game *game, const void *state, int player,
                             float *lo, float *hi)
{
    rps()->bounds(rps(), state, player, lo, hi);
    *hi = *hi > 0 && *lo < 0 ? 0 : *hi;
}

static void bounds_crossed(const struct banyan_game *game, const void *state, int player, float *lo,
                           float *hi)
{
    rps()->bounds(rps(), state, player, hi, lo);
}

static float heuristic_nan(const struct banyan_game *game, const void *state, int player)
{
    (void)state, (void)player;
    return NAN;
}

static float heuristic_one_sided(const struct banyan_game *game, const void *state, int player)
{
    (void)state;
    return player == 0 ? 0.5f : 0;
}

static void priors_not_one(const struct banyan_game *game, const void *state, int player,
                           const banyan_action *actions, int n, float *out)
{
    zero()->priors(zero(), state, player, actions, n, out);
    out[0] += 0.25f;
}

static void encode_hole(const struct banyan_game *game, const void *state, int viewer,
                        float *planes)
{
    float kept = planes[1];
    pig()->encode(pig(), state, viewer, planes);
    planes[1] = kept;
}

/* Players see who moves by number, not from their own side. */
static void encode_by_number(const struct banyan_game *game, const void *state, int viewer,
                             float *planes)
{
    pig()->encode(pig(), state, viewer, planes);
    planes[3] = ((const struct pig *)state)->mover == 0;
    planes[4] = 1 - planes[3];
}

static int policy_index_alike(const struct banyan_game *game, const void *state, int player,
                              banyan_action action)
{
    (void)state, (void)action;
    return 0;
}

static int policy_index_out(const struct banyan_game *game, const void *state, int player,
                            banyan_action action)
{
    return pig()->policy_index(pig(), state, player, action) + 1;
}

static banyan_action symmetry_action_off(const struct banyan_game *game, const void *state, int k,
                                         banyan_action action)
{
    (void)state, (void)k;
    return action == 2 ? 3 : action;
}

static banyan_action symmetry_action_backward(const struct banyan_game *game, const void *state,
                                              int k, banyan_action action)
{
    (void)state;
    return (action + (banyan_action)(2 * k)) % 3;
}

static void mirror_lazy(const struct banyan_game *game, const void *state, void *out)
{
    memcpy(out, state, sizeof(struct pig));
}

static void mirror_score_only(const struct banyan_game *game, const void *state, void *out)
{
    const struct pig *s = state;
    struct pig *image = out;
    *image = *s;
    image->mover = (uint8_t)!s->mover;
}

static void rollout_stops(const struct banyan_game *game, void *state, int policy, int max_plies,
                          struct banyan_rng *rng)
{
    pig()->rollout(pig(), state, policy, max_plies < 5 ? max_plies : 5, rng);
}

static void rollout_biased(const struct banyan_game *game, void *state, int policy, int max_plies,
                           struct banyan_rng *rng)
{
    struct pig *s = state;
    if (max_plies > 0 && pig()->movers(pig(), s))
        s->score[s->mover] = (uint16_t)(s->score[s->mover] + 20);
    pig()->rollout(pig(), state, policy, max_plies, rng);
}

static void rollout_greedy(const struct banyan_game *game, void *state, int policy, int max_plies,
                           struct banyan_rng *rng)
{
    pig()->rollout(pig(), state, policy, max_plies ? max_plies : 1, rng);
}

/* --- what crashed a search of an earlier version, and more of the kind --- */

static void apply_nothing(const struct banyan_game *game, void *state, const banyan_action joint[],
                          struct banyan_dice *dice)
{
}

static void apply_underrun(const struct banyan_game *game, void *state, const banyan_action joint[],
                           struct banyan_dice *dice)
{
    pig()->apply(pig(), state, joint, dice);
    memset((unsigned char *)state - 64, 1, 64);
}

static int legal_negative(const struct banyan_game *game, const void *state, int player,
                          banyan_action *out)
{
    return -1;
}

/* Writes and counts 4000 actions; the table says that there are 3. */
static int legal_floods(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out)
{
    for (banyan_action i = 0; i < 4000; ++i)
        out[i] = i;
    return 4000;
}

/* Changes the state that it must only read. */
static int legal_writes(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out)
{
    struct pig *s = (struct pig *)(uintptr_t)state;
    s->turn ^= 1;
    return pig()->legal(pig(), state, player, out);
}

static int format_without_size(const struct banyan_game *game, const void *state, char *out,
                               size_t size)
{
    memset(out, 'p', 100);
    out[100] = 0;
    return 100;
}

static enum banyan_status init_fails(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_IO, "the deck is lost");
}

static void returns_flood(const struct banyan_game *game, const void *state, float *out)
{
    for (int p = 0; p < 200; ++p)
        out[p] = 0;
}

static unsigned movers_all(const struct banyan_game *game, const void *state)
{
    return ~0u;
}

/* --- the list --- */

typedef void spoil_fn(struct banyan_game *game);

#define SPOIL(NAME, MEMBER, VALUE)                     \
    static void spoil_##NAME(struct banyan_game *game) \
    {                                                  \
        game->MEMBER = (VALUE);                        \
    }
#define SPOIL_WITH(FUNCTION, MEMBER) SPOIL(FUNCTION, MEMBER, FUNCTION)

SPOIL_WITH(movers_too_many, movers)
SPOIL_WITH(movers_unknown, movers)
SPOIL_WITH(legal_none, legal)
SPOIL_WITH(legal_twice, legal)
SPOIL_WITH(legal_wide, legal)
SPOIL_WITH(legal_too_many, legal)
SPOIL_WITH(legal_overrun, legal)
SPOIL_WITH(legal_unstable, legal)
SPOIL_WITH(returns_not_zero_sum, returns)
SPOIL_WITH(returns_too_high, returns)
SPOIL_WITH(returns_nan, returns)
SPOIL_WITH(returns_three, returns)
SPOIL_WITH(apply_remembers, apply)
SPOIL_WITH(apply_reads_others, apply)
SPOIL_WITH(apply_own_luck, apply)
SPOIL_WITH(apply_unnamed_die, apply)
SPOIL_WITH(apply_loaded, apply)
SPOIL_WITH(apply_hidden_dice, apply)
SPOIL_WITH(apply_overrun, apply)
SPOIL_WITH(key_constant, key)
SPOIL_WITH(key_blind_to_score, key)
SPOIL_WITH(key_by_address, key)
SPOIL_WITH(key_narrow, key)
SPOIL_WITH(init_leaves_bytes, init)
SPOIL_WITH(init_takes_all, init)
SPOIL_WITH(init_silent, init)
SPOIL_WITH(init_unchecked, init)
SPOIL_WITH(format_lossy, format)
SPOIL_WITH(format_short_count, format)
SPOIL_WITH(format_two_lines, format)
SPOIL_WITH(parse_takes_illegal, action_parse)
SPOIL_WITH(parse_odd_status, action_parse)
SPOIL_WITH(action_format_alike, action_format)
SPOIL_WITH(determinize_nothing, determinize)
SPOIL_WITH(determinize_own_card, determinize)
SPOIL_WITH(key_sees_all, key)
SPOIL_WITH(key_without_card, key)
SPOIL_WITH(coarse_keys_see_all, coarse_keys)
SPOIL_WITH(coarse_keys_unstable, coarse_keys)
SPOIL(coarse_keys_open, coarse_keys, coarse_keys_see_all)
SPOIL_WITH(draw_shows_all, draw)
SPOIL_WITH(encode_shows_all, encode)
SPOIL_WITH(encode_half, encode)
SPOIL_WITH(encode_beyond_bounds, encode)
SPOIL_WITH(observe_shows_all, observe)
SPOIL_WITH(count_all_columns, legal_count)
SPOIL_WITH(decisive_column, decisive)
SPOIL_WITH(decisive_backward, decisive)
SPOIL_WITH(bounds_too_tight, bounds)
SPOIL_WITH(bounds_crossed, bounds)
SPOIL_WITH(heuristic_nan, heuristic)
SPOIL_WITH(heuristic_one_sided, heuristic)
SPOIL_WITH(priors_not_one, priors)
SPOIL_WITH(encode_hole, encode)
SPOIL_WITH(encode_by_number, encode)
SPOIL_WITH(policy_index_alike, policy_index)
SPOIL_WITH(policy_index_out, policy_index)
SPOIL_WITH(symmetry_action_off, symmetry_action)
SPOIL_WITH(symmetry_action_backward, symmetry_action)
SPOIL_WITH(mirror_lazy, mirror)
SPOIL_WITH(mirror_score_only, mirror)
SPOIL_WITH(rollout_stops, rollout)
SPOIL_WITH(rollout_biased, rollout)
SPOIL_WITH(rollout_greedy, rollout)
SPOIL(name, name, "Pig")
SPOIL(max_plies, max_plies, 1)
SPOIL(players, players, BANYAN_MAX_PLAYERS + 1)
SPOIL(nobody, players, 0)
SPOIL(action_bytes, action_bytes, 3)
SPOIL(one_return, return_max, game->return_min)
SPOIL(return_nan, return_min, NAN)
SPOIL(state_large, state_size, BANYAN_STATE_MAX + 1)
SPOIL(state_none, state_size, 0)
SPOIL(max_legal_none, max_legal, 0)
SPOIL(max_legal_less, max_legal, -5)
SPOIL(max_legal_huge, max_legal, INT32_MAX)
SPOIL(policy_less, policy_size, -1)
SPOIL(planes_less, planes[1], -4)
SPOIL(no_key, key, NULL)
SPOIL(no_name, name, NULL)
SPOIL(of_an_older_version, struct_size, sizeof(struct banyan_game) - 8)
SPOIL(of_a_newer_version, struct_size, sizeof(struct banyan_game) + 8)
SPOIL(of_no_version, struct_size, 0)

static void spoil_traits(struct banyan_game *game)
{
    game->traits = BANYAN_ZERO_SUM;
    game->dice_kinds = NULL;
}

static void spoil_endless(struct banyan_game *game)
{
    game->apply = apply_nothing;
    game->rollout = NULL;
    game->max_plies = INT32_MAX;
}

SPOIL_WITH(apply_underrun, apply)
SPOIL_WITH(legal_negative, legal)
SPOIL_WITH(legal_floods, legal)
SPOIL_WITH(legal_writes, legal)
SPOIL_WITH(format_without_size, format)
SPOIL_WITH(init_fails, init)
SPOIL_WITH(returns_flood, returns)
SPOIL_WITH(movers_all, movers)
SPOIL(hidden, determinize, NULL)
SPOIL(policy_size, policy_size, 0)

typedef const struct banyan_game *base_fn(void);

static const struct {
    base_fn *base;
    spoil_fn *spoil;
    const char *said; /* text that the test's report must contain */
} broken[] = {
    {pig, spoil_movers_too_many, "not SIMULTANEOUS"},
    {pig, spoil_movers_unknown, "for 2 players"},
    {pig, spoil_legal_none, "legal() gave 0 actions"},
    {pig, spoil_legal_twice, "gave the action 0 twice"},
    {rps, spoil_legal_wide, "more than 1 bytes hold"},
    {rps, spoil_legal_too_many, "gave 4 actions, max_legal is 3"},
    {rps, spoil_legal_overrun, "wrote behind out[max_legal]"},
    {rps, spoil_legal_unstable, "came out differently the second time"},
    {pig, spoil_returns_not_zero_sum, "ZERO_SUM says 0"},
    {pig, spoil_returns_too_high, "outside -1..1"},
    {pig, spoil_returns_nan, "returns() gave player 0"},
    {pig, spoil_returns_three, "returns() wrote behind"},
    {pig, spoil_apply_remembers, "same dice gave another state"},
    {pig, spoil_apply_reads_others, "same dice gave another state"},
    {pig, spoil_apply_own_luck, "past its dice"},
    {pig, spoil_apply_unnamed_die, "dice of kind 1"},
    {bandit, spoil_apply_loaded, "all outcomes sum to 0.9"},
    {kuhn, spoil_apply_hidden_dice, "without CHANCE"},
    {pig, spoil_apply_overrun, "behind the state"},
    {pig, spoil_key_constant, "other movers or legal actions"},
    {pig, spoil_key_blind_to_score, "is that of a different one"},
    {pig, spoil_key_by_address, "key() of a copy differs"},
    {pig, spoil_key_narrow, "no good mix"},
    {kuhn, spoil_init_leaves_bytes, "gave different bytes"},
    {kuhn, spoil_init_takes_all, "init() took \"xyzzy"},
    {kuhn, spoil_init_silent, "init() failed without a message"},
    {pig, spoil_init_unchecked, "init() took"},
    {pig, spoil_format_lossy, "init() made another state"},
    {pig, spoil_format_short_count, "for a small buffer"},
    {pig, spoil_format_two_lines, "more than one line"},
    {pig, spoil_parse_takes_illegal, "took what legal() does not give"},
    {pig, spoil_parse_odd_status, "returned 'input/output'"},
    {rps, spoil_action_format_alike, "gave another action"},
    {kuhn, spoil_determinize_nothing, "never changed anything"},
    {kuhn, spoil_determinize_own_card, "changed key() of its viewer"},
    {kuhn, spoil_key_sees_all, "changed key() of its viewer"},
    {kuhn, spoil_key_without_card, "is the same in two states whose draws differ"},
    {kuhn, spoil_coarse_keys_see_all, "changed coarse_keys() of its viewer"},
    {kuhn, spoil_coarse_keys_see_all, "coarse_keys() differ where key()"},
    {kuhn, spoil_coarse_keys_unstable, "alone and with others differ"},
    {pig, spoil_coarse_keys_open, "coarse_keys() without HIDDEN"},
    {kuhn, spoil_draw_shows_all, "draw() shows player"},
    {kuhn, spoil_encode_shows_all, "encode() shows player"},
    {kuhn, spoil_observe_shows_all, "observe() shows player"},
    {kuhn, spoil_encode_half, "feature card shows 0.5"},
    {kuhn, spoil_encode_beyond_bounds, "and not -1..1 of its kind"},
    {kuhn, features_short, "the features have 6 numbers, and the planes 7"},
    {connect4, spoil_count_all_columns, "legal_count() is 7"},
    {connect4, spoil_decisive_column, "that keep the other from winning"},
    {connect4, spoil_decisive_column, "winning actions"},
    {connect4, spoil_decisive_backward, "of legal() in order"},
    {rps, spoil_bounds_too_tight, "bounds() had promised"},
    {rps, spoil_bounds_crossed, "bounds() of player"},
    {pig, spoil_heuristic_nan, "heuristic() of player"},
    {pig, spoil_heuristic_one_sided, "changes heuristic()"},
    {zero, spoil_priors_not_one, "priors() sum to 1.25"},
    {pig, spoil_encode_hole, "to plane value 1"},
    {pig, spoil_encode_by_number, "mirror() changes number 3"},
    {pig, spoil_policy_index_alike, "for two legal actions"},
    {pig, spoil_policy_index_out, "policy_index() is 2"},
    {rps, spoil_symmetry_action_off, "are not the image of the legal ones"},
    {rps, spoil_symmetry_action_backward, "do not commute"},
    {pig, spoil_mirror_lazy, "mirror() has other movers"},
    {pig, spoil_mirror_score_only, "mirror() -1 changes heuristic()"},
    {pig, spoil_rollout_stops, "does not end the game"},
    {pig, spoil_rollout_biased, "by the random rollout"},
    {pig, spoil_rollout_greedy, "of 0 plies changes"},
    {pig, spoil_name, "lower case"},
    {zero, spoil_max_plies, "longer than max_plies"},
    {pig, spoil_traits, "without CHANCE"},
    {kuhn, spoil_hidden, "HIDDEN without determinize()"},
    {pig, spoil_policy_size, "policy_size without policy_index()"},
    {pig, spoil_players, "players is 9"},
    {pig, spoil_nobody, "players is 0"},
    {pig, spoil_action_bytes, "action_bytes is 3"},
    {pig, spoil_one_return, "return_min is -1 and return_max -1"},
    {pig, spoil_return_nan, "return_min is nan"},
    {pig, spoil_state_large, "state_size is 8193"},
    {pig, spoil_state_none, "state_size is 0"},
    {pig, spoil_max_legal_none, "max_legal is 0"},
    {pig, spoil_max_legal_less, "max_legal is -5"},
    {pig, spoil_max_legal_huge, "max_legal is 2147483647"},
    {pig, spoil_policy_less, "policy_size is -1"},
    {pig, spoil_planes_less, "planes[1] is -4"},
    {pig, spoil_no_key, "key is NULL"},
    {pig, spoil_no_name, "name is not made of"},
    {pig, spoil_endless, "and the game does not end"},
    {pig, spoil_apply_underrun, "apply() wrote before the state"},
    {pig, spoil_legal_negative, "legal() gave -1 actions"},
    {rps, spoil_legal_floods, "legal() gave 4000 actions, max_legal is 3"},
    {pig, spoil_legal_writes, "legal() changed the state"},
    {pig, spoil_format_without_size, "format() overran a small buffer"},
    {pig, spoil_init_fails, "init(\"\") failed: the deck is lost"},
    {pig, spoil_returns_flood, "returns() wrote behind its players"},
    {pig, spoil_movers_all, "movers() is 0xffffffff for 2 players"},
};

enum { REPORT = 16384 };

static void gather(void *ctx, const char *message)
{
    char *report = ctx;
    size_t used = strlen(report);
    snprintf(report + used, REPORT - used, "%s\n", message);
}

/* Checks a game; all that the check tells goes to report[REPORT]. */
static enum banyan_status check(const struct banyan_game *game, char *report,
                                struct banyan_error *err)
{
    struct banyan_check_options options;
    banyan_check_options_default(&options);
    options.seed = 2026;
    options.games = 40;
    options.state_bytes = 3e4;
    options.report = gather;
    options.ctx = report;
    report[0] = 0;
    return banyan_game_check(game, &options, NULL, err);
}

static void test_each_is_found_out(void **unused)
{
    (void)unused;
    static char report[REPORT];
    int missed = 0;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; ++i) {
        struct banyan_error err = {.message = ""};
        struct banyan_game game = *broken[i].base();
        broken[i].spoil(&game);
        enum banyan_status status = check(&game, report, &err);
        bool first = strncmp(err.message, report, strlen(err.message)) == 0;
        if (status != BANYAN_INVALID || !strstr(report, broken[i].said) || !first) {
            printf("row %zu: expected \"%s\" in:\n%s(%s)\n", i, broken[i].said, report,
                   err.message);
            ++missed;
        }
    }
    assert_int_equal(missed, 0);
}

/* A table of another version is not read any further. */
static void test_versions(void **unused)
{
    (void)unused;
    static char report[REPORT];
    struct banyan_error err;
    const struct {
        spoil_fn *spoil;
        enum banyan_status status;
        const char *said;
    } rows[] = {{spoil_of_an_older_version, BANYAN_UNSUPPORTED, "must be compiled again"},
                {spoil_of_a_newer_version, BANYAN_UNSUPPORTED, "compiled for a newer one"},
                {spoil_of_no_version, BANYAN_INVALID, "struct_size is 0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct banyan_game game = *pig();
        rows[i].spoil(&game);
        assert_int_equal(check(&game, report, &err), rows[i].status);
        assert_non_null(strstr(err.message, rows[i].said));
    }
}

/* A message says in which game of which seed a promise was broken, and this one game breaks it
 * again. */
static void test_a_game_again(void **unused)
{
    (void)unused;
    struct banyan_check_options options;
    struct banyan_check_report report = {.struct_size = sizeof report};
    struct banyan_error err, again;
    struct banyan_game game = *pig();
    int number;
    game.legal = legal_none; /* only where a turn is worth more than 10 */
    banyan_check_options_default(&options);
    options.seed = 7;
    assert_int_equal(banyan_game_check(&game, &options, &report, &err), BANYAN_INVALID);
    const char *place = strstr(err.message, "(game ");
    assert_non_null(place);
    assert_int_equal(sscanf(place, "(game %d", &number), 1);
    assert_non_null(strstr(place, "seed 7)"));
    options.first = number;
    options.games = 1;
    assert_int_equal(banyan_game_check(&game, &options, &report, &again), BANYAN_INVALID);
    assert_int_equal(report.games, 1);
    assert_string_equal(again.message, err.message);
}

static void test_options_are_checked(void **unused)
{
    (void)unused;
    struct banyan_check_options options;
    struct banyan_error err;
    banyan_check_options_default(&options);
    options.games = -1;
    assert_int_equal(banyan_game_check(pig(), &options, NULL, &err), BANYAN_INVALID);
    options = (struct banyan_check_options){.games = 1};
    assert_int_equal(banyan_game_check(pig(), &options, NULL, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "banyan_check_options: struct_size is 0"));
    struct banyan_check_report report = {.games = 0};
    assert_int_equal(banyan_game_check(pig(), NULL, &report, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "banyan_check_report: struct_size is 0"));
}

/* The check finds nothing in the games that are changed above, so a fault there comes from the
 * change. */
static void test_unbroken_are_sound(void **unused)
{
    (void)unused;
    static char report[REPORT];
    base_fn *const bases[] = {pig, kuhn, rps, zero, bandit};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; ++i)
        if (check(bases[i](), report, NULL) != BANYAN_OK)
            fail_msg("%s", report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_is_found_out),
        cmocka_unit_test(test_unbroken_are_sound),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_a_game_again),
        cmocka_unit_test(test_options_are_checked),
    };
    return cmocka_run_group_tests_name("contract fails", tests, NULL, NULL);
}
