/* Evaluators and players that the caller offers by name: they are found at every depth, and the
 * order of lists decides between equal names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banyan/evaluator.h>
#include <banyan/player.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* --- an evaluator and a player of the caller's own --- */

enum { FIXED = 17 }; /* value that the evaluator gives to every position */
static int calls;
static char seen_args[64];

static enum banyan_status fixed_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                         struct banyan_error *err)
{
    for (int i = 0; i < n; ++i) {
        leaves[i].values[0] = FIXED;
        leaves[i].values[1] = -FIXED;
    }
    calls += n;
    return BANYAN_OK;
}

static enum banyan_status fixed_create(const struct banyan_game *game, const char *args,
                                       const struct banyan_offer *offers,
                                       struct banyan_evaluator *out, struct banyan_error *err)
{
    snprintf(seen_args, sizeof seen_args, "%s", args);
    out->name = "fixed";
    out->evaluate = fixed_evaluate;
    return BANYAN_OK;
}

/* The function of an offer gets the whole list, so it can make other offers of it. */
static enum banyan_status again_create(const struct banyan_game *game, const char *args,
                                       const struct banyan_offer *offers,
                                       struct banyan_evaluator *out, struct banyan_error *err)
{
    return banyan_evaluator_create(game, "fixed:again", offers, out, err);
}

static enum banyan_status any_open(void *ctx, const void *state, int seat, uint64_t seed,
                                   struct banyan_error *err)
{
    return BANYAN_OK;
}

static enum banyan_status last_choose(void *ctx, const void *state,
                                      const struct banyan_player_clock *clock,
                                      struct banyan_player_move *out, struct banyan_error *err)
{
    out->action = 8;
    return BANYAN_OK;
}

static enum banyan_status last_create(const struct banyan_game *game, const char *args,
                                      const struct banyan_offer *offers, uint64_t seed,
                                      struct banyan_player *out, struct banyan_error *err)
{
    out->open = any_open;
    out->choose = last_choose;
    return BANYAN_OK;
}

/* Priors 1, 2, 3, ...; the context is checked. */
static int ordered_context;

static void ordered_priors(void *ctx, const void *state, int player, const banyan_action *actions,
                           int n, float *out)
{
    assert_ptr_equal(ctx, &ordered_context);
    for (int i = 0; i < n; ++i)
        out[i] = (float)(i + 1);
}

static enum banyan_status ordered_create(const struct banyan_game *game, const char *args,
                                         const struct banyan_offer *offers,
                                         struct banyan_evaluator *out, struct banyan_error *err)
{
    *out = (struct banyan_evaluator){.struct_size = sizeof *out,
                                     .name = "ordered",
                                     .game_priors = true,
                                     .ctx = &ordered_context,
                                     .evaluate = fixed_evaluate,
                                     .priors = ordered_priors};
    return BANYAN_OK;
}

/* What was made and not closed. */
static int made;

static void count_closed(void *ctx)
{
    *(int *)ctx -= 1;
}

static enum banyan_status empty_evaluator(const struct banyan_game *game, const char *args,
                                          const struct banyan_offer *offers,
                                          struct banyan_evaluator *out, struct banyan_error *err)
{
    ++made;
    out->ctx = &made;
    out->close = count_closed;
    return BANYAN_OK;
}

static enum banyan_status empty_player(const struct banyan_game *game, const char *args,
                                       const struct banyan_offer *offers, uint64_t seed,
                                       struct banyan_player *out, struct banyan_error *err)
{
    ++made;
    out->open = any_open;
    out->ctx = &made;
    out->close = count_closed;
    return BANYAN_OK;
}

/* A program that was compiled for other struct sizes than the library's. */
static enum banyan_status old_evaluator(const struct banyan_game *game, const char *args,
                                        const struct banyan_offer *offers,
                                        struct banyan_evaluator *out, struct banyan_error *err)
{
    *out = (struct banyan_evaluator){.struct_size = sizeof *out - 8,
                                     .ctx = &made,
                                     .evaluate = fixed_evaluate,
                                     .close = count_closed};
    ++made;
    return BANYAN_OK;
}

static enum banyan_status old_player(const struct banyan_game *game, const char *args,
                                     const struct banyan_offer *offers, uint64_t seed,
                                     struct banyan_player *out, struct banyan_error *err)
{
    *out = (struct banyan_player){
        .struct_size = 0, .ctx = &made, .choose = last_choose, .close = count_closed};
    ++made;
    return BANYAN_OK;
}

static const struct banyan_offer own[] = {
    {"fixed", "WORD", "17 for player 0", fixed_create, NULL},
    {"again", "", "the same", again_create, NULL},
    {"ordered", "", "its own priors", ordered_create, NULL},
    {"last", "", "the last square", NULL, last_create},
    {"empty", "", "without functions", empty_evaluator, empty_player},
    {"old", "", "of another version", old_evaluator, old_player},
    {0},
};

/* Names that the library and Othello offer too. */
static const struct banyan_offer rivals[] = {
    {"rollout", "", "not the library's", fixed_create, NULL},
    {"endgame", "", "not Othello's", fixed_create, NULL},
    {"random", "", "not the library's", NULL, last_create},
    {0},
};

/* --- what their functions get --- */

static const struct banyan_game *find(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

/* Player 0's value of the start position. */
static double value_of(const struct banyan_game *game, const char *text,
                       const struct banyan_offer *offers)
{
    _Alignas(16) unsigned char state[256];
    banyan_action legal[64];
    float priors[64];
    struct banyan_error err = {.message = ""};
    struct banyan_rng rng;
    struct banyan_evaluator evaluator;
    banyan_rng_seed(&rng, 1);
    assert_int_equal(game->init(game, state, NULL, &rng, &err), BANYAN_OK);
    if (banyan_evaluator_create(game, text, offers, &evaluator, &err) != BANYAN_OK)
        fail_msg("%s: %s", text, err.message);
    struct banyan_leaf leaf = {.game = game, .state = state, .movers = 1, .rng = &rng};
    leaf.actions[0] = legal;
    leaf.priors[0] = priors;
    leaf.count[0] = game->legal(game, state, 0, legal);
    assert_int_equal(evaluator.evaluate(evaluator.ctx, &leaf, 1, &err), BANYAN_OK);
    banyan_evaluator_close(&evaluator);
    return (double)leaf.values[0];
}

static void evaluators_are_found_at_every_depth(void **unused)
{
    const struct banyan_game *othello = find("othello");
    assert_true(value_of(othello, "fixed", own) == FIXED);
    assert_string_equal(seen_args, "");
    assert_true(value_of(othello, "fixed:a:b", own) == FIXED);
    assert_string_equal(seen_args, "a:b");
    assert_true(value_of(othello, "again", own) == FIXED);
    assert_string_equal(seen_args, "again");
    assert_true(value_of(othello, "cache:size=8,fixed", own) == FIXED);
    assert_true(value_of(othello, "mixture:weight=1,fixed|uniform", own) == FIXED);
    assert_true(value_of(othello, "mixture:weight=0,uniform|cache:size=8,fixed", own) == FIXED);
    assert_true(value_of(othello, "endgame:empties=4,then=fixed", own) == FIXED);
    assert_true(value_of(othello, "endgame:empties=4,then=(cache:size=8,fixed)", own) == FIXED);
}

static banyan_action choice_of(const struct banyan_game *game, const char *text,
                               const struct banyan_offer *offers)
{
    _Alignas(16) unsigned char state[2048];
    struct banyan_error err = {.message = ""};
    struct banyan_player_move move;
    struct banyan_player player;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    assert_true(game->state_size <= sizeof state);
    assert_int_equal(game->init(game, state, NULL, &rng, &err), BANYAN_OK);
    if (banyan_player_create(game, text, offers, 1, &player, &err) != BANYAN_OK)
        fail_msg("%s: %s", text, err.message);
    assert_int_equal(player.open(player.ctx, state, 0, 1, &err), BANYAN_OK);
    assert_int_equal(player.choose(player.ctx, state, NULL, &move, &err), BANYAN_OK);
    banyan_player_close(&player);
    return move.action;
}

/* What is around an evaluator has its priors. */
static void priors_are_passed_on(void **unused)
{
    static const char *const texts[] = {
        "ordered", "cache:size=8,ordered", "mixture:weight=0.5,ordered|fixed",
        "mixture:weight=0.5,fixed|cache:size=8,ordered", "endgame:empties=4,then=ordered"};
    const struct banyan_game *othello = find("othello");
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        struct banyan_evaluator evaluator;
        banyan_action actions[3] = {7, 8, 9};
        float priors[3] = {0};
        assert_int_equal(banyan_evaluator_create(othello, texts[i], own, &evaluator, NULL),
                         BANYAN_OK);
        assert_true(evaluator.game_priors && !evaluator.wants_actions);
        assert_non_null(evaluator.priors);
        evaluator.priors(evaluator.ctx, NULL, 0, actions, 3, priors);
        for (int k = 0; k < 3; ++k)
            assert_true(priors[k] == (float)(k + 1));
        banyan_evaluator_close(&evaluator);
    }
    struct banyan_evaluator without;
    assert_int_equal(banyan_evaluator_create(othello, "cache:size=8,fixed", own, &without, NULL),
                     BANYAN_OK);
    assert_null(without.priors);
    banyan_evaluator_close(&without);
}

static void players_use_them(void **unused)
{
    assert_int_equal(choice_of(find("tictactoe"), "last", own), 8);
    calls = 0;
    choice_of(find("tictactoe"), "mcts:simulations=20,evaluator=fixed", own);
    assert_true(calls >= 10 && calls <= 20);
    calls = 0;
    choice_of(find("othello"), "mcts:simulations=20,endgame=on,evaluator=fixed", own);
    assert_true(calls >= 10 && calls <= 20);
    calls = 0;
    choice_of(find("pokemon"), "agent:simulations=20,evaluator=fixed", own);
    assert_true(calls >= 1);
}

static void the_callers_name_wins(void **unused)
{
    const struct banyan_game *othello = find("othello");
    assert_true(value_of(othello, "rollout", rivals) == FIXED);
    assert_true(value_of(othello, "cache:size=8,rollout", rivals) == FIXED);
    assert_true(value_of(othello, "endgame", rivals) == FIXED);
    assert_true(value_of(othello, "endgame:empties=0,then=uniform", NULL) == 0);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(choice_of(find("tictactoe"), "random", rivals), 8);
}

static void refuses(const char *text, const struct banyan_offer *offers, bool player,
                    enum banyan_status wanted, const char *part)
{
    struct banyan_evaluator evaluator;
    struct banyan_player seat;
    struct banyan_error err = {.message = ""};
    enum banyan_status status =
        player ? banyan_player_create(find("othello"), text, offers, 1, &seat, &err)
               : banyan_evaluator_create(find("othello"), text, offers, &evaluator, &err);
    if (status != wanted || !strstr(err.message, part))
        fail_msg("%s: status %d, '%s' lacks '%s'", text, (int)status, err.message, part);
    assert_int_equal(made, 0); /* what is refused is closed */
    if (player)
        assert_null(seat.choose);
    else
        assert_null(evaluator.evaluate);
}

static void what_is_missing_is_named(void **unused)
{
    refuses("fixd", own, false, BANYAN_NOT_FOUND, "did you mean 'fixed'?");
    refuses("none", own, false, BANYAN_NOT_FOUND,
            "script, endgame, fixed, again, ordered, empty, old");
    refuses(
        "none", rivals, false, BANYAN_NOT_FOUND,
        "in othello there are: uniform, rollout, mast, heuristic, mixture, cache, script, endgame");
    refuses("fixed", NULL, false, BANYAN_NOT_FOUND, "no evaluator 'fixed'");
    refuses("last", own, false, BANYAN_NOT_FOUND, "no evaluator 'last'");
    refuses("fixed", own, true, BANYAN_NOT_FOUND,
            "random, first, perfect, mcts, best, level, endgame, last, empty, old");
}

static void other_versions_are_refused(void **unused)
{
    refuses("old", own, false, BANYAN_UNSUPPORTED, "struct banyan_evaluator");
    refuses("cache:size=8,old", own, false, BANYAN_UNSUPPORTED, "struct banyan_evaluator");
    refuses("old", own, true, BANYAN_INVALID, "struct banyan_player: struct_size is 0");
    refuses("empty", own, false, BANYAN_INVALID,
            "'empty' made an evaluator without a function evaluate()");
    refuses("empty", own, true, BANYAN_INVALID, "'empty' made a player without choose");
    struct banyan_game newer = *find("othello");
    struct banyan_error err;
    struct banyan_evaluator evaluator;
    struct banyan_player player;
    newer.struct_size += 8;
    assert_int_equal(banyan_evaluator_create(&newer, "uniform", NULL, &evaluator, &err),
                     BANYAN_UNSUPPORTED);
    assert_int_equal(banyan_player_create(&newer, "random", NULL, 1, &player, &err),
                     BANYAN_UNSUPPORTED);
    assert_non_null(strstr(err.message, "struct banyan_game"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluators_are_found_at_every_depth),
        cmocka_unit_test(priors_are_passed_on),
        cmocka_unit_test(players_use_them),
        cmocka_unit_test(the_callers_name_wins),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(other_versions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
