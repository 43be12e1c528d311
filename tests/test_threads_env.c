/* An env that uses several threads does what one does with one thread. */
#include <banyan/env.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 37, STEPS = 60, PAIR = 2 };

struct side {
    struct banyan_env *env;
    struct banyan_env_arrays out;
};

static size_t sizes[6]; /* bytes of each array, in the order of struct banyan_env_arrays */

static void open_side(struct side *side, const struct banyan_game *game, int threads)
{
    struct banyan_env_options options;
    banyan_env_options_default(&options);
    options.games = GAMES;
    options.autoreset = BANYAN_ENV_SAME_STEP;
    options.threads = threads;
    assert_int_equal(banyan_env_create(&side->env, game, &options, NULL), BANYAN_OK);
    size_t rows = (size_t)(GAMES * banyan_env_rows(side->env)), players = (size_t)game->players;
    size_t observation = (size_t)banyan_observation_size(game) * sizeof(float);
    sizes[0] = rows * observation;
    sizes[1] = rows * (size_t)banyan_env_width(side->env);
    sizes[2] = rows;
    sizes[3] = GAMES * players * sizeof(float);
    sizes[4] = GAMES;
    sizes[5] = GAMES * players * observation;
    side->out = (struct banyan_env_arrays){.struct_size = sizeof side->out,
                                           .observations = calloc(1, sizes[0]),
                                           .masks = calloc(1, sizes[1]),
                                           .movers = calloc(1, sizes[2]),
                                           .rewards = calloc(1, sizes[3]),
                                           .done = calloc(1, sizes[4]),
                                           .final_observations = calloc(1, sizes[5])};
}

static void close_side(struct side *side)
{
    banyan_env_destroy(side->env);
    free(side->out.observations);
    free(side->out.masks);
    free(side->out.movers);
    free(side->out.rewards);
    free(side->out.done);
    free(side->out.final_observations);
}

static void check_equal(const struct side *a, const struct side *b)
{
    assert_memory_equal(a->out.observations, b->out.observations, sizes[0]);
    assert_memory_equal(a->out.masks, b->out.masks, sizes[1]);
    assert_memory_equal(a->out.movers, b->out.movers, sizes[2]);
    assert_memory_equal(a->out.rewards, b->out.rewards, sizes[3]);
    assert_memory_equal(a->out.done, b->out.done, sizes[4]);
    assert_memory_equal(a->out.final_observations, b->out.final_observations, sizes[5]);
}

/* A random legal action for each row in which somebody chooses. */
static void choose(const struct side *side, int64_t *actions, struct banyan_rng *rng)
{
    int rows = GAMES * banyan_env_rows(side->env), width = banyan_env_width(side->env);
    for (int i = 0; i < rows; ++i) {
        const int8_t *mask = side->out.masks + (size_t)i * (size_t)width;
        int legal = 0;
        actions[i] = 0;
        for (int k = 0; k < width; ++k)
            if (mask[k] && banyan_rng_below(rng, (uint32_t)++legal) == 0)
                actions[i] = k;
    }
}

/* Of two games with an illegal action, in the shares of different threads, the first one is named. */
static void check_first_illegal(const struct side *side)
{
    int rows = banyan_env_rows(side->env), game = 0;
    int64_t actions[GAMES * BANYAN_MAX_PLAYERS];
    struct banyan_error err;
    struct banyan_rng rng;
    char name[32];
    banyan_rng_seed(&rng, 6);
    choose(side, actions, &rng);
    while (side->out.movers[game * rows] < 0)
        ++game;
    for (int i = game * rows; i < GAMES * rows; ++i)
        actions[i] = -1;
    snprintf(name, sizeof name, "game %d:", game);
    for (int k = 0; k < PAIR; ++k) {
        assert_int_equal(banyan_env_step(side[k].env, actions, &side[k].out, &err), BANYAN_ILLEGAL);
        assert_non_null(strstr(err.message, name));
    }
    check_equal(&side[0], &side[1]);
}

static void compare(const struct banyan_game *game, int threads)
{
    struct side side[PAIR];
    struct banyan_error err;
    struct banyan_rng rng;
    int64_t actions[GAMES * BANYAN_MAX_PLAYERS];
    banyan_rng_seed(&rng, 5);
    for (int k = 0; k < PAIR; ++k) {
        open_side(&side[k], game, k ? threads : 1);
        assert_int_equal(banyan_env_reset(side[k].env, NULL, &side[k].out, &err), BANYAN_OK);
    }
    for (int step = 0; step < STEPS; ++step) {
        check_equal(&side[0], &side[1]);
        choose(&side[0], actions, &rng);
        for (int k = 0; k < PAIR; ++k)
            assert_int_equal(banyan_env_step(side[k].env, actions, &side[k].out, &err), BANYAN_OK);
    }
    check_first_illegal(side);
    close_side(&side[0]);
    close_side(&side[1]);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"othello-4x4", "kuhn", "rps", "pig", "pokemon"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const struct banyan_game *game;
        assert_int_equal(banyan_game_find(names[i], &game, NULL), BANYAN_OK);
        compare(game, 2);
        compare(game, 5);
    }
}

/* More threads than games, and envs that are never used. */
static void test_threads_to_spare(void **state)
{
    (void)state;
    struct banyan_env_options options;
    struct banyan_env *env;
    banyan_env_options_default(&options);
    options.games = 2;
    options.threads = 64;
    assert_int_equal(banyan_env_create(&env, banyan_game_at(0), &options, NULL), BANYAN_OK);
    banyan_env_destroy(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_threads_to_spare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
