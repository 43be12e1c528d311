/* The contract test reports games whose movers, legal, apply, returns and key break a promise of <banyan/game.h>. */
#include "broken_games.h"

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

static int legal_forgets_one(const struct banyan_game *game, const void *state, int player,
                             banyan_action *out)
{
    banyan_action all[3];
    int n = rps()->legal(rps(), state, player, all);
    memcpy(out, all, (size_t)(n - 1) * sizeof *out);
    return n;
}

/* Returns the player who moves instead of their bit: nobody for player 0. */
static unsigned movers_number(const struct banyan_game *game, const void *state)
{
    const struct pig *s = state;
    return s->mover;
}

/* Remembers outside the state which column was played last in which position. */
static void apply_global(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    static uint64_t discs;
    static banyan_action column;
    struct connect4_state *s = state;
    banyan_action now = joint[s->mover];
    bool known = discs == s->own + 3 * s->other;
    discs = s->own + 3 * s->other;
    connect4()->apply(connect4(), state, joint, dice);
    s->zero[0] = known && column != now;
    column = now;
}

static banyan_action last_column; /* outside the state */

static void apply_tells_column(const struct banyan_game *game, void *state,
                               const banyan_action joint[], struct banyan_dice *dice)
{
    last_column = joint[((struct connect4_state *)state)->mover];
    connect4()->apply(connect4(), state, joint, dice);
}

static int legal_by_column(const struct banyan_game *game, const void *state, int player,
                           banyan_action *out)
{
    int n = connect4()->legal(connect4(), state, player, out);
    banyan_action first = out[0];
    out[0] = last_column % 2 ? out[n - 1] : first;
    out[n - 1] = last_column % 2 ? first : out[n - 1];
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

static void returns_one(const struct banyan_game *game, const void *state, float *out)
{
    float all[2];
    pig()->returns(pig(), state, all);
    out[1] = all[1];
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

static void apply_rolls_again(const struct banyan_game *game, void *state,
                              const banyan_action joint[], struct banyan_dice *dice)
{
    while (banyan_dice_roll(dice, PIG_DIE, 6) == 1)
        ;
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

/* --- what crashed a search of an earlier version --- */

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

static void returns_flood(const struct banyan_game *game, const void *state, float *out)
{
    for (int p = 0; p < 200; ++p)
        out[p] = 0;
}

static unsigned movers_all(const struct banyan_game *game, const void *state)
{
    return ~0u;
}

SPOIL_WITH(movers_too_many, movers)
SPOIL_WITH(movers_unknown, movers)
SPOIL_WITH(legal_none, legal)
SPOIL_WITH(legal_twice, legal)
SPOIL_WITH(legal_wide, legal)
SPOIL_WITH(legal_too_many, legal)
SPOIL_WITH(legal_overrun, legal)
SPOIL_WITH(legal_forgets_one, legal)
SPOIL_WITH(movers_number, movers)
SPOIL_WITH(returns_one, returns)
SPOIL_WITH(legal_unstable, legal)
SPOIL_WITH(returns_not_zero_sum, returns)
SPOIL_WITH(returns_too_high, returns)
SPOIL_WITH(returns_nan, returns)
SPOIL_WITH(returns_three, returns)
SPOIL_WITH(apply_remembers, apply)
SPOIL_WITH(apply_reads_others, apply)
SPOIL_WITH(apply_own_luck, apply)
SPOIL_WITH(apply_unnamed_die, apply)
SPOIL_WITH(apply_rolls_again, apply)
SPOIL_WITH(apply_loaded, apply)
SPOIL_WITH(apply_hidden_dice, apply)
SPOIL_WITH(apply_overrun, apply)
SPOIL_WITH(key_constant, key)
SPOIL_WITH(key_blind_to_score, key)
SPOIL_WITH(key_by_address, key)
SPOIL_WITH(key_narrow, key)

static void spoil_apply_global(struct banyan_game *game)
{
    game->apply = apply_global;
    game->decisive = NULL;
    game->rollout = NULL;
}

static void spoil_legal_by_column(struct banyan_game *game)
{
    game->apply = apply_tells_column;
    game->legal = legal_by_column;
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
SPOIL_WITH(returns_flood, returns)
SPOIL_WITH(movers_all, movers)

static const struct broken_game broken[] = {
    {pig, spoil_movers_too_many, "without BANYAN_SIMULTANEOUS"},
    {pig, spoil_movers_unknown, "for 2 players"},
    {pig, spoil_legal_none, "legal() gave 0 actions"},
    {pig, spoil_legal_twice, "gave the action 0 twice"},
    {rps, spoil_legal_wide, "which does not fit into action_bytes = 1"},
    {rps, spoil_legal_too_many, "gave 4 actions, max_legal is 3"},
    {rps, spoil_legal_overrun, "wrote past the end of out[max_legal]"},
    {rps, spoil_legal_unstable, "came out differently the second time"},
    {pig, spoil_returns_not_zero_sum, "they must sum to 0"},
    {rps, spoil_legal_forgets_one, "legal() returned 3 but wrote only 2 actions"},
    {pig, spoil_movers_number, "the game is over before the first move"},
    {connect4, spoil_apply_global, "after another action was played in a copy"},
    {connect4, spoil_legal_by_column, "legal() changes when apply() plays in a copy"},
    {pig, spoil_returns_one, "returns() did not write the result of player 0"},
    {pig, spoil_returns_too_high, "outside return_min..return_max, which is -1..1"},
    {pig, spoil_returns_nan, "returns() gave player 0"},
    {pig, spoil_returns_three, "returns() wrote past the end of"},
    {pig, spoil_apply_remembers, "same dice gave another state"},
    {pig, spoil_apply_reads_others, "same dice gave another state"},
    {pig, spoil_apply_own_luck, "without using its dice"},
    {pig, spoil_apply_unnamed_die, "dice of kind 1"},
    {pig, spoil_apply_rolls_again, "pick among what is possible instead of rolling again"},
    {bandit, spoil_apply_loaded, "all outcomes sum to 0.9"},
    {kuhn, spoil_apply_hidden_dice, "used dice in a game without BANYAN_CHANCE"},
    {pig, spoil_apply_overrun, "past the end of the state"},
    {pig, spoil_key_constant, "other movers or legal actions"},
    {pig, spoil_key_blind_to_score, "is that of a different one"},
    {pig, spoil_key_by_address, "key() of a copy differs"},
    {pig, spoil_key_narrow, "does not mix its input well"},
    {pig, spoil_endless, "and the game does not end"},
    {pig, spoil_apply_underrun, "apply() wrote before the state"},
    {pig, spoil_legal_negative, "legal() gave -1 actions"},
    {rps, spoil_legal_floods, "legal() gave 4000 actions, max_legal is 3"},
    {pig, spoil_legal_writes, "legal() changed the state"},
    {pig, spoil_returns_flood, "returns() wrote past the end of its players"},
    {pig, spoil_movers_all, "movers() is 0xffffffff for 2 players"},
};

static void test_each_is_found(void **unused)
{
    (void)unused;
    broken_games_are_found(broken, sizeof broken / sizeof *broken);
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

/* In Blood Bowl a ball bounces until it lies still: if all its dice fell alike it would bounce for ever, in one position
 * of hundreds.  That is no fault. */
static void test_a_ball_may_bounce(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    struct banyan_check_options options;
    struct banyan_error err = {.message = ""};
    banyan_check_options_default(&options);
    options.games = 5;
    assert_int_equal(banyan_game_find("bloodbowl-1", &game, &err), BANYAN_OK);
    banyan_game_check(game, &options, NULL, &err);
    assert_string_equal(err.message, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_is_found),
        cmocka_unit_test(test_a_game_again),
        cmocka_unit_test(test_a_ball_may_bounce),
    };
    return cmocka_run_group_tests_name("contract fails: rules", tests, NULL, NULL);
}
