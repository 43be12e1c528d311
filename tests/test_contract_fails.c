/* The contract test reports games whose table breaks a promise of <banyan/game.h> by its numbers, and
 * nothing in the games that the tests change. */
#include "broken_games.h"

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

SPOIL(hidden, determinize, NULL)
SPOIL(policy_size, policy_size, 0)

static const struct broken_game broken[] = {
    {pig, spoil_name, "lower case"},
    {zero, spoil_max_plies, "longer than max_plies"},
    {pig, spoil_traits, "in a game without BANYAN_CHANCE"},
    {kuhn, spoil_hidden, "BANYAN_HIDDEN needs determinize()"},
    {pig, spoil_policy_size, "policy_size and policy_index() belong together"},
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
};

static void test_each_is_found(void **unused)
{
    (void)unused;
    broken_games_are_found(broken, sizeof broken / sizeof *broken);
}

/* A table of another version is not read any further. */
static void test_versions(void **unused)
{
    (void)unused;
    static char report[BROKEN_REPORT];
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
        assert_int_equal(broken_check(&game, report, &err), rows[i].status);
        assert_non_null(strstr(err.message, rows[i].said));
    }
}

static void test_options_are_checked(void **unused)
{
    (void)unused;
    struct banyan_check_options options;
    struct banyan_error err;
    banyan_check_options_default(&options);
    options.games = -1;
    assert_int_equal(banyan_game_check(pig(), &options, NULL, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "needs both to be 0 or more"));
    options.games = 2;
    options.first = INT32_MAX - 1;
    assert_int_equal(banyan_game_check(pig(), &options, NULL, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "their sum must be at most 2147483647"));
    options = (struct banyan_check_options){.games = 1};
    assert_int_equal(banyan_game_check(pig(), &options, NULL, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "banyan_check_options: struct_size is 0"));
    struct banyan_check_report report = {.games = 0};
    assert_int_equal(banyan_game_check(pig(), NULL, &report, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "banyan_check_report: struct_size is 0"));
}

/* A game that sets the caller's flag at some ply, as Ctrl-C does. */
struct stopping {
    const struct banyan_game *base; /* whose rules it has */
    struct banyan_game game;
    banyan_flag stop;
    int plies, last_ply; /* played so far; when the flag is set */
    int reports;
};
static struct stopping stopping;

static void stopping_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                           struct banyan_dice *dice)
{
    (void)game;
    if (++stopping.plies == stopping.last_ply)
        banyan_flag_set(&stopping.stop);
    stopping.base->apply(stopping.base, state, joint, dice);
}

static void stopping_report(void *unused, const char *message)
{
    (void)unused;
    (void)message;
    ++stopping.reports;
}

/* A check that is stopped says where, and reports nothing of what comes after it. */
static void test_a_check_is_stopped(void **unused)
{
    (void)unused;
    struct banyan_check_options options;
    struct banyan_check_report report = {.struct_size = sizeof report};
    struct banyan_error err;
    stopping = (struct stopping){.base = pig(), .game = *pig()};
    stopping.game.apply = stopping_apply;
    stopping.game.legal_count = NULL;
    banyan_check_options_default(&options);
    options.stop = &stopping.stop;
    options.report = stopping_report;
    assert_int_equal(banyan_game_check(&stopping.game, &options, &report, &err), BANYAN_OK);
    assert_int_equal(report.last_game, -1);
    int all = stopping.plies, games = report.games;
    stopping.plies = 0;
    stopping.last_ply = all / 2;
    assert_int_equal(banyan_game_check(&stopping.game, &options, &report, &err),
                     BANYAN_INTERRUPTED);
    assert_non_null(strstr(err.message, "stopped"));
    assert_true(report.last_game >= 0 && report.last_game == report.games - 1);
    assert_true(report.last_ply >= 0 && report.games < games);
    assert_true(stopping.plies >= all / 2 && stopping.plies < all * 3 / 4);
    assert_int_equal(stopping.reports, 0);
}

/* connect4, whose check is stopped while it compares random rollouts with random play. */
static int rollouts_after; /* since the flag was set */

static void halting_rollout(const struct banyan_game *game, void *state, int policy, int max_plies,
                            struct banyan_rng *rng)
{
    (void)game;
    rollouts_after += stopping.plies >= stopping.last_ply;
    connect4()->rollout(connect4(), state, policy, max_plies, rng);
}

static void halting_returns(const struct banyan_game *game, const void *state, float out[])
{
    (void)game;
    assert_int_equal(connect4()->movers(connect4(), state), 0);
    connect4()->returns(connect4(), state, out);
}

/* After a stop nothing more is played, and no returns of a game that was not ended are asked for. */
static void test_random_play_is_stopped(void **unused)
{
    (void)unused;
    struct banyan_check_options options;
    struct banyan_error err;
    stopping = (struct stopping){.base = connect4(), .game = *connect4(), .last_ply = 1000};
    stopping.game.apply = stopping_apply;
    stopping.game.rollout = halting_rollout;
    stopping.game.returns = halting_returns;
    rollouts_after = 0;
    banyan_check_options_default(&options);
    options.stop = &stopping.stop;
    assert_int_equal(banyan_game_check(&stopping.game, &options, NULL, &err), BANYAN_INTERRUPTED);
    assert_int_equal(rollouts_after, 0);
}

/* pig, whose movers() looks at which function the check says that it calls. */
static struct {
    const char *called;
    int others; /* calls of movers() that the check gave another name */
} named;

static void note_call(void *unused, const char *function, int game, int ply)
{
    (void)unused, (void)game, (void)ply;
    named.called = function;
}

static unsigned named_movers(const struct banyan_game *game, const void *state)
{
    (void)game;
    named.others += !named.called || strcmp(named.called, "movers") != 0;
    return pig()->movers(pig(), state);
}

/* The check tells each call of movers() by its name, so that a crash is not put down to another function. */
static void test_calls_are_told(void **unused)
{
    (void)unused;
    struct banyan_check_options options;
    struct banyan_game game = *pig();
    game.movers = named_movers;
    banyan_check_options_default(&options);
    options.games = 5;
    options.calls = note_call;
    assert_int_equal(banyan_game_check(&game, &options, NULL, NULL), BANYAN_OK);
    assert_int_equal(named.others, 0);
}

/* pig, in which nothing happens after a setup that it should have refused. */
static bool is_stuck;

static enum banyan_status stuck_init(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    enum banyan_status status = pig()->init(game, state, setup, rng, err);
    if (status != BANYAN_OK)
        is_stuck = true;
    else if (!setup || !*setup)
        is_stuck = false;
    return status == BANYAN_OK ? status : pig()->init(game, state, "", rng, err);
}

static void stuck_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                        struct banyan_dice *dice)
{
    if (!is_stuck)
        pig()->apply(game, state, joint, dice);
}

/* A game without an end is not said to be longer than a max_plies which it has not reached. */
static void test_a_game_without_end(void **unused)
{
    (void)unused;
    static char report[BROKEN_REPORT];
    struct banyan_game game = *pig();
    game.init = stuck_init;
    game.apply = stuck_apply;
    game.max_plies = 2000000;
    assert_int_equal(broken_check(&game, report, NULL), BANYAN_INVALID);
    assert_non_null(strstr(report, "the game from there does not end within 1000000 moves"));
    assert_null(strstr(report, "longer than"));
}

/* pig, which begins as usual where it cannot read the setup. */
static enum banyan_status any_text_init(const struct banyan_game *game, void *state,
                                        const char *setup, struct banyan_rng *rng,
                                        struct banyan_error *err)
{
    enum banyan_status status = pig()->init(game, state, setup, rng, err);
    return status == BANYAN_OK || strstr(setup, " xyzzy") ? status
                                                          : pig()->init(game, state, "", rng, err);
}

/* A game that takes every text is not asked for texts with errors in them. */
static void test_only_own_setups(void **unused)
{
    (void)unused;
    struct banyan_check_options options;
    struct banyan_error err;
    struct banyan_game game = *pig();
    game.init = any_text_init;
    banyan_check_options_default(&options);
    assert_int_equal(banyan_game_check(&game, &options, NULL, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "init()"));
    options.own_setups_only = true;
    assert_int_equal(banyan_game_check(&game, &options, NULL, &err), BANYAN_OK);
}

/* The check finds nothing in the games that the tests change, so a fault there comes from the
 * change. */
static void test_unbroken_are_sound(void **unused)
{
    (void)unused;
    static char report[BROKEN_REPORT];
    base_fn *const bases[] = {pig, kuhn, connect4, rps, zero, bandit};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; ++i)
        if (broken_check(bases[i](), report, NULL) != BANYAN_OK)
            fail_msg("%s", report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_is_found),      cmocka_unit_test(test_unbroken_are_sound),
        cmocka_unit_test(test_versions),           cmocka_unit_test(test_options_are_checked),
        cmocka_unit_test(test_a_check_is_stopped), cmocka_unit_test(test_random_play_is_stopped),
        cmocka_unit_test(test_only_own_setups),    cmocka_unit_test(test_calls_are_told),
        cmocka_unit_test(test_a_game_without_end),
    };
    return cmocka_run_group_tests_name("contract fails", tests, NULL, NULL);
}
