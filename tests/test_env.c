/* Many games at once: every game, compared step by step with games that are played one by one. */
#include <banyan/env.h>

#include "base/movers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 3, STEPS = 120, SEED = 11 };

/* An env with arrays for all that it writes, and the same games played one by one. */
struct fixture {
    const struct banyan_game *game;
    struct banyan_env *env;
    enum banyan_env_autoreset autoreset;
    int rows, width;
    size_t planes; /* numbers of one observation */
    struct banyan_env_arrays out;
    int64_t *actions;
    void *states[GAMES];
    struct banyan_rng rng[GAMES], choices;
    banyan_action *legal;
    float *expected; /* [planes] */
    float *final;    /* [GAMES][players][planes]: what the env must have written */
};

static void open_fixture(struct fixture *f, const struct banyan_game *game,
                         enum banyan_env_autoreset autoreset, int threads)
{
    struct banyan_env_options options;
    struct banyan_error err;
    banyan_env_options_default(&options);
    options.games = GAMES;
    options.autoreset = autoreset;
    options.seed = SEED;
    options.threads = threads;
    *f = (struct fixture){.game = game, .autoreset = autoreset};
    assert_int_equal(banyan_env_create(&f->env, game, &options, &err), BANYAN_OK);
    f->rows = banyan_env_rows(f->env);
    f->width = banyan_env_width(f->env);
    f->planes = (size_t)banyan_observation_size(game);
    size_t rows = (size_t)(GAMES * f->rows);
    size_t finals = GAMES * (size_t)game->players * f->planes + 1;
    f->out =
        (struct banyan_env_arrays){.struct_size = sizeof f->out,
                                   .observations = calloc(rows * f->planes + 1, sizeof(float)),
                                   .masks = calloc(rows, (size_t)f->width),
                                   .movers = calloc(rows, 1),
                                   .rewards = calloc(GAMES * BANYAN_MAX_PLAYERS, sizeof(float)),
                                   .done = calloc(GAMES, 1),
                                   .final_observations = calloc(finals, sizeof(float))};
    f->final = calloc(finals, sizeof(float));
    f->actions = calloc(rows, sizeof *f->actions);
    f->legal = calloc((size_t)game->max_legal, sizeof *f->legal);
    f->expected = calloc(f->planes + 1, sizeof *f->expected);
    banyan_rng_seed(&f->choices, 3);
    for (int i = 0; i < GAMES; ++i) {
        f->states[i] = calloc(1, game->state_size);
        banyan_rng_seed(&f->rng[i], banyan_rng_child(SEED, "env", (uint64_t)i));
        assert_int_equal(game->init(game, f->states[i], "", &f->rng[i], &err), BANYAN_OK);
    }
}

static void close_fixture(struct fixture *f)
{
    banyan_env_destroy(f->env);
    free(f->out.observations);
    free(f->out.masks);
    free(f->out.movers);
    free(f->out.rewards);
    free(f->out.done);
    free(f->out.final_observations);
    free(f->final);
    free(f->actions);
    free(f->legal);
    free(f->expected);
    for (int i = 0; i < GAMES; ++i)
        free(f->states[i]);
}

static int number_of(const struct fixture *f, int i, int player, int k)
{
    const struct banyan_game *game = f->game;
    return game->policy_index ? game->policy_index(game, f->states[i], player, f->legal[k]) : k;
}

/* Checks that the row shows the player what they may choose and see. */
static void check_row(const struct fixture *f, int i, int row)
{
    const struct banyan_game *game = f->game;
    unsigned movers = game->movers(game, f->states[i]);
    int player = f->rows > 1 ? (movers >> row & 1 ? row : -1) : movers_first(movers);
    int at = i * f->rows + row, count = 0, set = 0;
    assert_int_equal(f->out.movers[at], player);
    const int8_t *mask = f->out.masks + (size_t)at * (size_t)f->width;
    if (player >= 0)
        count = game->legal(game, f->states[i], player, f->legal);
    for (int k = 0; k < count; ++k)
        assert_int_equal(mask[number_of(f, i, player, k)], 1);
    for (int k = 0; k < f->width; ++k)
        set += mask[k];
    assert_int_equal(set, count);
    memset(f->expected, 0, f->planes * sizeof *f->expected);
    if (player >= 0)
        banyan_observe(game, f->states[i], player, f->expected);
    assert_memory_equal(f->expected, f->out.observations + (size_t)at * f->planes,
                        f->planes * sizeof(float));
}

static void check_arrays(const struct fixture *f)
{
    for (int i = 0; i < GAMES; ++i) {
        assert_memory_equal(banyan_env_state(f->env, i), f->states[i], f->game->state_size);
        for (int row = 0; row < f->rows; ++row)
            check_row(f, i, row);
    }
}

static void check_end(const struct fixture *f, int i, bool done, const float *rewards)
{
    assert_int_equal(f->out.done[i], done);
    for (int p = 0; p < f->game->players; ++p)
        assert_true(f->out.rewards[i * f->game->players + p] == rewards[p]);
}

static void begin_twin(struct fixture *f, int i)
{
    memset(f->states[i], 0, f->game->state_size);
    f->game->init(f->game, f->states[i], "", &f->rng[i], NULL);
}

/* Chooses for game i, and plays the same with the twin.  Writes what the env must say. */
static void step_twin(struct fixture *f, int i, bool *done, float *rewards)
{
    const struct banyan_game *game = f->game;
    unsigned movers = game->movers(game, f->states[i]);
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_dice dice;
    memset(rewards, 0, BANYAN_MAX_PLAYERS * sizeof *rewards);
    *done = false;
    f->actions[i * f->rows] = -7; /* not read where nobody chooses */
    if (!movers) {
        *done = f->autoreset == BANYAN_ENV_DISABLED;
        if (f->autoreset == BANYAN_ENV_NEXT_STEP)
            begin_twin(f, i);
        return;
    }
    for (int p = 0; p < game->players; ++p)
        if (movers >> p & 1) {
            int count = game->legal(game, f->states[i], p, f->legal);
            int k = (int)banyan_rng_below(&f->choices, (uint32_t)count);
            joint[p] = f->legal[k];
            f->actions[i * f->rows + (f->rows > 1 ? p : 0)] = number_of(f, i, p, k);
        }
    banyan_dice_drawn(&dice, &f->rng[i]);
    game->apply(game, f->states[i], joint, &dice);
    if (game->movers(game, f->states[i]))
        return;
    *done = true;
    game->returns(game, f->states[i], rewards);
    for (int p = 0; p < game->players; ++p)
        banyan_observe(game, f->states[i], p, f->final + (i * game->players + p) * (int)f->planes);
    if (f->autoreset == BANYAN_ENV_SAME_STEP)
        begin_twin(f, i);
}

/* The game waits in this step. */
static void hold_twin(struct fixture *f, int i, bool *done, float *rewards)
{
    memset(rewards, 0, BANYAN_MAX_PLAYERS * sizeof *rewards);
    f->actions[i * f->rows] = BANYAN_ENV_HOLD;
    *done = f->game->movers(f->game, f->states[i]) == 0;
}

static void compare_course(struct fixture *f)
{
    struct banyan_error err;
    assert_int_equal(banyan_env_reset(f->env, (const uint8_t[GAMES]){0}, &f->out, &err), BANYAN_OK);
    check_arrays(f);
    for (int step = 0; step < STEPS; ++step) {
        float rewards[GAMES][BANYAN_MAX_PLAYERS];
        bool done[GAMES];
        for (int i = 0; i < GAMES; ++i)
            if ((step + i) % 5 == 4)
                hold_twin(f, i, &done[i], rewards[i]);
            else
                step_twin(f, i, &done[i], rewards[i]);
        assert_int_equal(banyan_env_step(f->env, f->actions, &f->out, &err), BANYAN_OK);
        check_arrays(f);
        for (int i = 0; i < GAMES; ++i)
            check_end(f, i, done[i], rewards[i]);
        assert_memory_equal(f->out.final_observations, f->final,
                            GAMES * (size_t)f->game->players * f->planes * sizeof(float));
    }
}

static void test_every_game_and_mode(void **state)
{
    (void)state;
    const struct banyan_game *game;
    for (int g = 0; (game = banyan_game_at(g)); ++g)
        for (int mode = 0; mode <= BANYAN_ENV_DISABLED; ++mode) {
            struct fixture f;
            open_fixture(&f, game, (enum banyan_env_autoreset)mode, 1 + (g + mode) % GAMES);
            compare_course(&f);
            close_fixture(&f);
        }
}

static const struct banyan_game *find(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

static void test_illegal_actions_change_nothing(void **state)
{
    (void)state;
    const int64_t wrong[] = {-1, 9, 0, INT64_MAX, INT64_MIN + 1};
    struct banyan_error err;
    struct fixture f;
    open_fixture(&f, find("tictactoe"), BANYAN_ENV_NEXT_STEP, 2);
    const int64_t first[GAMES] = {0, 0, 0};
    assert_int_equal(banyan_env_step(f.env, first, &f.out, &err), BANYAN_OK);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        const int64_t actions[GAMES] = {4, 4, wrong[k]};
        uint64_t before = 0, after = 0;
        memcpy(&before, banyan_env_state(f.env, 0), sizeof before);
        assert_int_equal(banyan_env_step(f.env, actions, &f.out, &err), BANYAN_ILLEGAL);
        assert_non_null(strstr(err.message, "game 2"));
        memcpy(&after, banyan_env_state(f.env, 0), sizeof after);
        assert_true(before == after);
    }
    close_fixture(&f);
}

static void test_actions_are_looked_up_without_masks(void **state)
{
    (void)state;
    const struct banyan_env_arrays none = {.struct_size = sizeof none};
    const int64_t corner[GAMES] = {0, 0, 0}, centre[GAMES] = {4, 4, 4};
    struct banyan_error err;
    struct fixture f;
    open_fixture(&f, find("tictactoe"), BANYAN_ENV_SAME_STEP, 1);
    assert_int_equal(banyan_env_step(f.env, corner, &none, &err), BANYAN_OK);
    assert_int_equal(banyan_env_step(f.env, corner, &none, &err), BANYAN_ILLEGAL);
    assert_int_equal(banyan_env_step(f.env, centre, &none, &err), BANYAN_OK);
    assert_int_equal(banyan_env_reset(f.env, NULL, &none, &err), BANYAN_OK);
    assert_int_equal(banyan_env_step(f.env, centre, &none, &err), BANYAN_OK);
    close_fixture(&f);
}

static void test_resets_and_seeds(void **state)
{
    (void)state;
    const struct banyan_game *game = find("kuhn");
    const uint8_t which[GAMES] = {0, 1, 0};
    const int64_t actions[GAMES] = {0, 0, 0};
    struct banyan_error err;
    struct fixture f;
    char texts[2][64];
    open_fixture(&f, game, BANYAN_ENV_DISABLED, 1);
    assert_int_equal(banyan_env_step(f.env, actions, &f.out, &err), BANYAN_OK);
    game->format(game, banyan_env_state(f.env, 0), texts[0], sizeof texts[0]);
    assert_int_equal(banyan_env_reset(f.env, which, &f.out, &err), BANYAN_OK);
    game->format(game, banyan_env_state(f.env, 0), texts[1], sizeof texts[1]);
    assert_string_equal(texts[0], texts[1]);
    assert_int_equal(f.out.movers[1], 0);
    assert_int_equal(f.out.movers[0], 1);
    for (int pass = 0; pass < 2; ++pass) {
        banyan_env_seed(f.env, 77);
        assert_int_equal(banyan_env_reset(f.env, NULL, &f.out, &err), BANYAN_OK);
        game->format(game, banyan_env_state(f.env, 2), texts[pass], sizeof texts[pass]);
    }
    assert_string_equal(texts[0], texts[1]);
    for (int i = 0; i < GAMES; ++i)
        banyan_env_seed_one(f.env, i, 77);
    assert_int_equal(banyan_env_reset(f.env, NULL, &f.out, &err), BANYAN_OK);
    game->format(game, banyan_env_state(f.env, 0), texts[0], sizeof texts[0]);
    game->format(game, banyan_env_state(f.env, 2), texts[1], sizeof texts[1]);
    assert_string_equal(texts[0], texts[1]);
    banyan_env_seed(f.env, 77);
    assert_int_equal(banyan_env_reset(f.env, NULL, &f.out, &err), BANYAN_OK);
    game->format(game, banyan_env_state(f.env, 0), texts[1], sizeof texts[1]);
    assert_string_equal(texts[0], texts[1]);
    close_fixture(&f);
}

/* Tic-tac-toe that refuses its setup while `refuses` is set. */
static bool refuses;

static enum banyan_status picky_init(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    if (!refuses)
        return find("tictactoe")->init(game, state, setup, rng, err);
    memset(state, 0x55, game->state_size);
    return banyan_fail(err, BANYAN_INVALID, "not now");
}

/* Takes a step in which game 0 begins anew, or ends, and the others go on.  The arrays are full of garbage
 * before; afterwards they show the states. */
static void step_picky(struct fixture *f, int64_t first, int64_t others, bool refused)
{
    const int64_t actions[GAMES] = {first, others, others};
    struct banyan_error err = {.message = ""};
    memset(f->out.masks, 0x77, (size_t)(GAMES * f->width));
    memset(f->out.movers, 0x77, GAMES);
    memset(f->out.done, 0x77, GAMES);
    memset(f->out.rewards, 0x77, 2 * GAMES * sizeof(float));
    refuses = refused;
    assert_int_equal(banyan_env_step(f->env, actions, &f->out, &err),
                     refused ? BANYAN_INVALID : BANYAN_OK);
    assert_string_equal(err.message, refused ? "not now" : "");
    refuses = false;
    for (int i = 0; i < GAMES; ++i)
        memcpy(f->states[i], banyan_env_state(f->env, i), f->game->state_size);
    check_arrays(f);
    for (int i = 1; i < GAMES && others >= 0; ++i) {
        assert_int_equal(f->out.masks[i * f->width + (int)others], 0); /* it was played */
        check_end(f, i, false, (const float[2]){0, 0});
    }
}

/* X wins game 0 while the other games wait; in the last step they play the action 4. */
static void win_picky(struct fixture *f, bool refused)
{
    static const int64_t moves[] = {0, 3, 1, 4};
    for (int i = 0; i < 4; ++i)
        step_picky(f, moves[i], BANYAN_ENV_HOLD, false);
    step_picky(f, 2, 4, refused);
    check_end(f, 0, true, (const float[2]){1, -1});
}

/* A game whose next setup is refused stays over, and all others go on. */
static void test_refused_setups_in_steps(void **state)
{
    (void)state;
    struct banyan_game picky = *find("tictactoe");
    picky.init = picky_init;
    for (int mode = 0; mode < BANYAN_ENV_DISABLED; ++mode) {
        struct fixture f;
        open_fixture(&f, &picky, (enum banyan_env_autoreset)mode, 1);
        win_picky(&f, mode == BANYAN_ENV_SAME_STEP);
        step_picky(&f, 0, 0, true);
        check_end(&f, 0, true, (const float[2]){0, 0});
        assert_int_equal(f.out.movers[0], -1);
        step_picky(&f, 0, 1, false);
        check_end(&f, 0, false, (const float[2]){0, 0});
        assert_int_equal(f.out.movers[0], 0);
        step_picky(&f, 8, 2, false);
        assert_int_equal(f.out.movers[0], 1);
        close_fixture(&f);
    }
}

/* All setups are refused: all games stay.  Then the env can be reset again. */
static void test_refused_setups_in_resets(void **state)
{
    (void)state;
    struct banyan_game picky = *find("tictactoe");
    struct banyan_error err;
    struct fixture f;
    picky.init = picky_init;
    for (int threads = 1; threads <= 2; ++threads) {
        open_fixture(&f, &picky, BANYAN_ENV_NEXT_STEP, threads);
        win_picky(&f, false);
        memset(f.out.masks, 0x77, (size_t)(GAMES * f.width));
        refuses = true;
        assert_int_equal(banyan_env_reset(f.env, NULL, &f.out, &err), BANYAN_INVALID);
        refuses = false;
        check_arrays(&f);
        for (int i = 0; i < GAMES; ++i)
            check_end(&f, i, i == 0, (const float[2]){0, 0});
        assert_int_equal(banyan_env_reset(f.env, NULL, &f.out, &err), BANYAN_OK);
        for (int i = 0; i < GAMES; ++i)
            begin_twin(&f, i);
        check_arrays(&f);
        close_fixture(&f);
    }
}

/* A setup in which the game is over: every game of the env is over, whatever the mode. */
static void test_games_that_are_over_at_once(void **state)
{
    (void)state;
    for (int mode = BANYAN_ENV_NEXT_STEP; mode <= BANYAN_ENV_DISABLED; ++mode) {
        struct banyan_env_options options;
        struct banyan_env *env;
        struct banyan_error err;
        const struct banyan_game *game;
        uint8_t done = 0;
        int8_t mover = 0;
        const int64_t action = 0;
        const struct banyan_env_arrays arrays = {
            .struct_size = sizeof arrays, .done = &done, .movers = &mover};
        banyan_env_options_default(&options);
        options.setup = "xxx/oo./... o";
        options.autoreset = (enum banyan_env_autoreset)mode;
        assert_int_equal(banyan_game_find("tictactoe", &game, &err), BANYAN_OK);
        assert_int_equal(banyan_env_create(&env, game, &options, &err), BANYAN_OK);
        assert_int_equal(banyan_env_reset(env, NULL, &arrays, &err), BANYAN_OK);
        for (int step = 0; step < 4; ++step) {
            assert_true(done == 1 && mover == -1);
            done = 0;
            assert_int_equal(banyan_env_step(env, &action, &arrays, &err), BANYAN_OK);
        }
        banyan_env_destroy(env);
    }
}

static void test_wrong_options(void **state)
{
    (void)state;
    struct banyan_env_options options;
    struct banyan_env *env;
    struct banyan_error err;
    banyan_env_options_default(&options);
    options.games = 0;
    assert_int_equal(banyan_env_create(&env, find("pig"), &options, &err), BANYAN_INVALID);
    banyan_env_options_default(&options);
    options.setup = "nonsense";
    assert_int_equal(banyan_env_create(&env, find("othello"), &options, &err), BANYAN_INVALID);
    assert_null(env);
    banyan_env_options_default(&options);
    options.autoreset = (enum banyan_env_autoreset)7;
    assert_int_equal(banyan_env_create(&env, find("pig"), &options, &err), BANYAN_INVALID);
    banyan_env_options_default(&options);
    options.struct_size = 0;
    assert_int_equal(banyan_env_create(&env, find("pig"), &options, &err), BANYAN_INVALID);
    banyan_env_options_default(&options);
    options.threads = 0;
    assert_int_equal(banyan_env_create(&env, find("pig"), &options, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "1 thread or more"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_game_and_mode),
        cmocka_unit_test(test_illegal_actions_change_nothing),
        cmocka_unit_test(test_actions_are_looked_up_without_masks),
        cmocka_unit_test(test_resets_and_seeds),
        cmocka_unit_test(test_refused_setups_in_steps),
        cmocka_unit_test(test_refused_setups_in_resets),
        cmocka_unit_test(test_games_that_are_over_at_once),
        cmocka_unit_test(test_wrong_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
