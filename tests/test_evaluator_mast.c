/* The evaluator mast: what it has learned after playouts whose results are known by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banyan/evaluator.h>
#include <banyan/game.h>

#include <math.h>
#include <string.h>

/* --- a game of one player: a step that is forced, then a choice --- */

/* Without a forced step the choice alone counts: 0.2, 0.9 or 0.5.  Else actions 2 and 3 are the answers to the
 * forced actions 0 and 1, and only the right answer wins; with is_graded they are worth 0.6 and 0.5. */
struct answer_state {
    int forced; /* 0, 1; -1: there was no forced step */
    int ply, choice;
    bool is_graded;
};

static unsigned answer_movers(const struct banyan_game *game, const void *at)
{
    const struct answer_state *state = at;
    return state->ply < 2;
}

static int answer_legal(const struct banyan_game *game, const void *at, int player,
                        banyan_action *out)
{
    const struct answer_state *state = at;
    if (state->ply == 0) {
        out[0] = (banyan_action)state->forced;
        return 1;
    }
    int count = state->forced < 0 ? 3 : 2;
    for (int i = 0; i < count; ++i)
        out[i] = (banyan_action)(2 + i);
    return count;
}

static void answer_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    struct answer_state *state = at;
    if (state->ply++ == 1)
        state->choice = (int)joint[0];
}

static void answer_returns(const struct banyan_game *game, const void *at, float *out)
{
    static const float values[] = {0.2f, 0.9f, 0.5f};
    const struct answer_state *state = at;
    bool is_right = state->choice == 2 + state->forced;
    out[0] = state->is_graded    ? (state->choice == 2 ? 0.6f : 0.5f)
             : state->forced < 0 ? values[state->choice - 2]
                                 : (float)is_right;
}

static struct banyan_game answers = {.struct_size = sizeof(struct banyan_game),
                                     .name = "answers",
                                     .title = "Answers",
                                     .players = 1,
                                     .state_size = sizeof(struct answer_state),
                                     .action_bytes = 1,
                                     .action_count = 5,
                                     .max_legal = 3,
                                     .max_plies = 2,
                                     .return_min = 0,
                                     .return_max = 1,
                                     .movers = answer_movers,
                                     .legal = answer_legal,
                                     .apply = answer_apply,
                                     .returns = answer_returns};

static struct banyan_evaluator made(const struct banyan_game *game, const char *text)
{
    struct banyan_evaluator evaluator = {.struct_size = sizeof evaluator};
    struct banyan_error err = {.message = ""};
    if (banyan_evaluator_create(game, text, NULL, &evaluator, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return evaluator;
}

static float value_of(const struct banyan_evaluator *evaluator, const struct answer_state *state,
                      struct banyan_rng *rng, struct banyan_playout *playout)
{
    struct banyan_leaf leaf = {
        .game = &answers, .state = state, .movers = 1, .rng = rng, .playout = playout};
    assert_int_equal(evaluator->evaluate(evaluator->ctx, &leaf, 1, NULL), BANYAN_OK);
    return leaf.values[0];
}

/* Without random moves each action is played once, since an unknown one counts as a win, and then
 * always the best. */
static void the_best_mean_is_played(void **unused)
{
    (void)unused;
    const struct answer_state start = {.forced = -1, .ply = 1};
    for (uint64_t seed = 0; seed < 20; ++seed) {
        struct banyan_evaluator evaluator = made(&answers, "mast:epsilon=0");
        struct banyan_rng rng;
        banyan_rng_seed(&rng, seed);
        float sum = 0;
        for (int i = 0; i < 3; ++i)
            sum += value_of(&evaluator, &start, &rng, NULL);
        assert_true(fabs((double)sum - 1.6) < 1e-6);
        for (int i = 0; i < 10; ++i)
            assert_true(value_of(&evaluator, &start, &rng, NULL) == 0.9f);
        banyan_evaluator_close(&evaluator);
    }
}

/* The share of won playouts where the right answer depends on the move before it. */
static double share_of_wins(const char *text)
{
    struct banyan_evaluator evaluator = made(&answers, text);
    struct banyan_rng rng;
    double won = 0;
    banyan_rng_seed(&rng, 5);
    for (int i = 0; i < 2000; ++i) {
        const struct answer_state start = {.forced = i % 2};
        double value = (double)value_of(&evaluator, &start, &rng, NULL);
        won += i >= 1000 ? value : 0;
    }
    banyan_evaluator_close(&evaluator);
    return won / 1000;
}

/* 20 % of the moves are random, and half of these are wrong.  By themselves both answers are worth
 * the same, so a player that looks at no pairs wins half of the playouts. */
static void pairs_tell_what_single_moves_cannot(void **unused)
{
    (void)unused;
    double pairs = share_of_wins("mast:epsilon=0.2,grams=2");
    double single = share_of_wins("mast:epsilon=0.2,grams=1");
    assert_true(pairs > 0.86 && pairs < 0.94);
    assert_true(single > 0.4 && single < 0.6);
}

/* The mean of a move and that of its pair count one half each: an action that always brings 0.6 is worth 0.6, before
 * and after its pair counts, and is played for ever where the other one brings 0.5. */
static void a_move_and_its_pair_count_one_half_each(void **unused)
{
    (void)unused;
    const struct answer_state start = {.forced = 0, .is_graded = true};
    for (uint64_t seed = 0; seed < 20; ++seed) {
        struct banyan_evaluator evaluator = made(&answers, "mast:epsilon=0,grams=2");
        struct banyan_rng rng;
        banyan_rng_seed(&rng, seed);
        float sum = value_of(&evaluator, &start, &rng, NULL);
        sum += value_of(&evaluator, &start, &rng, NULL);
        assert_true(sum == 1.1f);
        for (int i = 0; i < 40; ++i)
            assert_true(value_of(&evaluator, &start, &rng, NULL) == 0.6f);
        banyan_evaluator_close(&evaluator);
    }
}

/* --- the same for two players who choose at the same time --- */

/* Player 1 has the forced step and the choice of the game above; player 0 has action 4 alone. */
static unsigned together_movers(const struct banyan_game *game, const void *at)
{
    return answer_movers(game, at) ? 3 : 0;
}

static int together_legal(const struct banyan_game *game, const void *at, int player,
                          banyan_action *out)
{
    if (player == 1)
        return answer_legal(game, at, 0, out);
    out[0] = 4;
    return 1;
}

static void together_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                           struct banyan_dice *dice)
{
    answer_apply(game, at, &joint[1], dice);
}

static void together_returns(const struct banyan_game *game, const void *at, float *out)
{
    answer_returns(game, at, &out[1]);
    out[0] = 1 - out[1];
}

static struct banyan_game together_game(void)
{
    struct banyan_game game = answers;
    game.players = 2;
    game.traits = BANYAN_SIMULTANEOUS | BANYAN_ZERO_SUM;
    game.movers = together_movers;
    game.legal = together_legal;
    game.apply = together_apply;
    game.returns = together_returns;
    return game;
}

/* A pair is a move and the last move of the ply before, which is that of player 1.  So player 1
 * loses by half of the random moves only: 10 % of the playouts. */
static void a_pair_is_of_two_plies(void **unused)
{
    (void)unused;
    const struct banyan_game game = together_game();
    struct banyan_evaluator evaluator = made(&game, "mast:epsilon=0.2,grams=2");
    struct banyan_rng rng;
    double won = 0;
    banyan_rng_seed(&rng, 5);
    for (int i = 0; i < 2000; ++i) {
        const struct answer_state start = {.forced = i % 2};
        struct banyan_leaf leaf = {.game = &game, .state = &start, .movers = 3, .rng = &rng};
        assert_int_equal(evaluator.evaluate(evaluator.ctx, &leaf, 1, NULL), BANYAN_OK);
        won += i >= 1000 ? (double)leaf.values[1] : 0;
    }
    assert_true(won > 860 && won < 940);
    banyan_evaluator_close(&evaluator);
}

static void moves_are_noted(void **unused)
{
    (void)unused;
    struct banyan_evaluator evaluator = made(&answers, "mast");
    struct banyan_rng rng;
    uint32_t moves[4];
    struct banyan_playout playout = {.moves = moves, .room = 4};
    const struct answer_state start = {.forced = 1};
    banyan_rng_seed(&rng, 1);
    value_of(&evaluator, &start, &rng, &playout);
    assert_int_equal(playout.count, 2);
    assert_int_equal(moves[0], 1);
    assert_true(moves[1] == 2 || moves[1] == 3);
    banyan_evaluator_close(&evaluator);
}

static void check_refused(const char *name, const char *text, const char *why)
{
    const struct banyan_game *game;
    struct banyan_evaluator evaluator = {.struct_size = sizeof evaluator};
    struct banyan_error err = {.message = ""};
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    assert_int_not_equal(banyan_evaluator_create(game, text, NULL, &evaluator, &err), BANYAN_OK);
    if (!strstr(err.message, why))
        fail_msg("%s: %s was refused with: %s", name, text, err.message);
}

static void what_does_not_fit_is_refused(void **unused)
{
    (void)unused;
    check_refused("bloodbowl", "mast", "action_count");
    check_refused("othello", "mast:epsilon=2", "epsilon");
    check_refused("othello", "mast:grams=3", "grams");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_mean_is_played),
        cmocka_unit_test(pairs_tell_what_single_moves_cannot),
        cmocka_unit_test(a_move_and_its_pair_count_one_half_each),
        cmocka_unit_test(a_pair_is_of_two_plies),
        cmocka_unit_test(moves_are_noted),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
