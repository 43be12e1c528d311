/* The exact solver against brute force and known values, with its limits and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banyan/exact.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct banyan_error err;

/* --- a made-up game: three players, dice, states that many paths reach --- */

enum { LEVELS = 5, WIDTH = 7, ACTIONS = 3 };

struct maze_state {
    uint8_t level, place;
    uint8_t loops; /* the graph of the game has a cycle */
    uint8_t many;  /* more dice than can be enumerated */
};

static uint64_t maze_hash(const struct maze_state *s, uint64_t salt)
{
    return banyan_rng_child(salt, "maze", (uint64_t)s->level * 64 + s->place);
}

static unsigned maze_movers(const struct banyan_game *game, const void *state)
{
    const struct maze_state *s = state;
    return s->level == LEVELS ? 0 : 1u << maze_hash(s, 1) % 3;
}

static int maze_legal(const struct banyan_game *game, const void *state, int player,
                      banyan_action *out)
{
    (void)player;
    int count = 1 + (int)(maze_hash(state, 2) % ACTIONS);
    for (int i = 0; i < count; ++i)
        out[i] = (banyan_action)i;
    return count;
}

static void maze_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                       struct banyan_dice *dice)
{
    struct maze_state *s = state;
    unsigned mover = maze_movers(game, s);
    banyan_action action = joint[mover == 1 ? 0 : mover == 2 ? 1 : 2];
    int slip = 0;
    if (maze_hash(s, 3) % 2)
        slip = banyan_dice_roll(dice, 0, 3) + (banyan_dice_chance(dice, 1, 1, 5) ? 2 : 0);
    for (int i = 0; s->many && i < 100; ++i)
        slip += banyan_dice_test(dice, 2, 6, 4);
    s->place = (uint8_t)((maze_hash(s, 4 + action) + (uint64_t)slip) % WIDTH);
    if (s->loops && s->level == LEVELS - 1)
        s->level = 0;
    else
        ++s->level;
}

static void maze_returns(const struct banyan_game *game, const void *state, float *out)
{
    for (int p = 0; p < 3; ++p)
        out[p] = (float)(maze_hash(state, 20 + (uint64_t)p) % 1000) / 100;
}

static const struct banyan_game maze = {
    .struct_size = sizeof(struct banyan_game),
    .name = "maze",
    .players = 3,
    .state_size = sizeof(struct maze_state),
    .max_legal = ACTIONS,
    .max_plies = 200,
    .return_max = 10,
    .traits = BANYAN_CHANCE,
    .movers = maze_movers,
    .legal = maze_legal,
    .apply = maze_apply,
    .returns = maze_returns,
};

/* Expected returns by plain recursion without memory: the oracle. */
static void brute_force(const void *state, double *values)
{
    float returns[3];
    banyan_action actions[ACTIONS];
    unsigned movers = maze.movers(&maze, state);
    if (!movers) {
        maze.returns(&maze, state, returns);
        for (int p = 0; p < 3; ++p)
            values[p] = (double)returns[p];
        return;
    }
    int mover = movers == 1 ? 0 : movers == 2 ? 1 : 2;
    int count = maze.legal(&maze, state, mover, actions);
    for (int i = 0; i < count; ++i) {
        double sum[3] = {0}, outcome[3];
        struct banyan_dice dice;
        banyan_dice_enumerated(&dice, NULL, 0);
        do {
            struct maze_state next;
            memcpy(&next, state, sizeof next);
            banyan_action joint[3] = {actions[i], actions[i], actions[i]};
            maze.apply(&maze, &next, joint, &dice);
            brute_force(&next, outcome);
            for (int p = 0; p < 3; ++p)
                sum[p] += dice.probability * outcome[p];
        } while (banyan_dice_advance(&dice));
        if (i == 0 || sum[mover] > values[mover] + 1e-8)
            memcpy(values, sum, sizeof sum);
    }
}

static struct banyan_exact *made(const struct banyan_game *game, size_t bytes)
{
    struct banyan_exact *exact;
    if (banyan_exact_create(&exact, game, bytes, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return exact;
}

static void agrees_with_brute_force(void **unused)
{
    (void)unused;
    struct banyan_exact *exact = made(&maze, 1 << 20);
    for (uint8_t place = 0; place < WIDTH; ++place)
        for (uint8_t level = 0; level <= LEVELS; ++level) {
            struct maze_state state = {.level = level, .place = place};
            double expected[3], found[3];
            brute_force(&state, expected);
            assert_int_equal(banyan_exact_value(exact, &state, found, &err), BANYAN_OK);
            for (int p = 0; p < 3; ++p)
                assert_true(fabs(expected[p] - found[p]) < 1e-9);
        }
    assert_int_equal(banyan_exact_states(exact), (LEVELS + 1) * WIDTH);
    banyan_exact_destroy(exact);
}

/* Checks the optimal set: the rows whose value is the state's, at least one, in legal order. */
static void marks_optimal_actions(void **unused)
{
    (void)unused;
    struct banyan_exact *exact = made(&maze, 1 << 20);
    for (uint8_t place = 0; place < WIDTH; ++place)
        for (uint8_t level = 0; level < LEVELS; ++level) {
            struct maze_state state = {.level = level, .place = place};
            struct banyan_exact_action rows[ACTIONS];
            int count, optimal = 0;
            double values[3];
            assert_int_equal(banyan_exact_actions(exact, &state, rows, &count, &err), BANYAN_OK);
            assert_int_equal(banyan_exact_value(exact, &state, values, &err), BANYAN_OK);
            unsigned movers = maze.movers(&maze, &state);
            double best = values[movers == 1 ? 0 : movers == 2 ? 1 : 2];
            for (int i = 0; i < count; ++i) {
                assert_int_equal(rows[i].action, i);
                assert_true(rows[i].value <= best + 1e-8);
                assert_int_equal(rows[i].optimal, rows[i].value > best - 1e-8);
                optimal += rows[i].optimal;
            }
            assert_true(optimal >= 1);
        }
    banyan_exact_destroy(exact);
}

static void refuses_what_it_cannot_solve(void **unused)
{
    (void)unused;
    struct banyan_game hidden = maze;
    struct banyan_exact *exact;
    double values[3];
    hidden.traits |= BANYAN_HIDDEN;
    assert_int_equal(banyan_exact_create(&exact, &hidden, 1 << 20, &err), BANYAN_UNSUPPORTED);
    assert_null(exact);
    /* struct_size of a program that was compiled for another library */
    struct banyan_game older = maze;
    older.struct_size -= 8;
    assert_int_equal(banyan_exact_create(&exact, &older, 1 << 20, &err), BANYAN_UNSUPPORTED);
    assert_non_null(strstr(err.message, "struct banyan_game"));
    assert_null(exact);
    banyan_exact_destroy(NULL);

    exact = made(&maze, 1 << 20);
    struct maze_state state = {.loops = 1};
    assert_int_equal(banyan_exact_value(exact, &state, values, &err), BANYAN_UNSUPPORTED);
    assert_non_null(strstr(err.message, "same state"));
    struct maze_state many = {.many = 1};
    assert_int_equal(banyan_exact_value(exact, &many, values, &err), BANYAN_UNSUPPORTED);
    assert_non_null(strstr(err.message, "dice"));
    struct banyan_game longer = maze; /* than it says */
    longer.max_plies = LEVELS - 2;
    struct banyan_exact *wrong = made(&longer, 1 << 20);
    struct maze_state begin = {.level = 0};
    assert_int_equal(banyan_exact_value(wrong, &begin, values, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "max_plies is too small"));
    banyan_exact_destroy(wrong);
    struct maze_state good = {.level = 0}; /* a failure has no effect on the next call */
    assert_int_equal(banyan_exact_value(exact, &good, values, &err), BANYAN_OK);
    banyan_exact_destroy(exact);
}

static void stays_within_memory(void **unused)
{
    (void)unused;
    struct banyan_exact *exact;
    struct maze_state state = {.level = 0};
    double values[3];
    assert_int_equal(banyan_exact_create(&exact, &maze, 100, &err), BANYAN_NO_MEMORY);
    exact = made(&maze, 4000);
    assert_int_equal(banyan_exact_value(exact, &state, values, &err), BANYAN_NO_MEMORY);
    assert_non_null(strstr(err.message, "maze"));
    banyan_exact_destroy(exact);
}

static void stops_when_asked(void **unused)
{
    (void)unused;
    banyan_flag stop = {1};
    struct banyan_exact *exact = made(&maze, 1 << 20);
    struct maze_state state = {.level = 0};
    double values[3];
    banyan_exact_set_stop(exact, &stop);
    assert_int_equal(banyan_exact_value(exact, &state, values, &err), BANYAN_INTERRUPTED);
    assert_int_equal(banyan_exact_states(exact), 0);
    banyan_flag_clear(&stop); /* an interruption has no effect on the next call */
    assert_int_equal(banyan_exact_value(exact, &state, values, &err), BANYAN_OK);
    banyan_exact_destroy(exact);
}

/* --- registered games --- */

/* 5478 positions, 958 of them finished, a draw: Schaefer 2002 and many others. */
static void solves_tic_tac_toe(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    if (banyan_game_find("tictactoe", &game, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    struct banyan_exact *exact = made(game, 1 << 20);
    uint64_t state[16];
    double values[2];
    struct banyan_exact_action rows[9];
    int count;
    assert_int_equal(game->init(game, state, NULL, NULL, &err), BANYAN_OK);
    assert_int_equal(banyan_exact_value(exact, state, values, &err), BANYAN_OK);
    assert_true(values[0] == values[1]);
    assert_int_equal(banyan_exact_states(exact), 5478);
    assert_int_equal(banyan_exact_actions(exact, state, rows, &count, &err), BANYAN_OK);
    assert_int_equal(count, 9);
    for (int i = 0; i < 9; ++i)
        assert_true(rows[i].optimal);
    banyan_exact_destroy(exact);
}

/* The second player wins (by 8 discs). */
static void solves_small_othello(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    if (banyan_game_find("othello-4x4", &game, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    struct banyan_exact *exact = made(game, 64 << 20);
    uint64_t state[16];
    double values[2];
    assert_int_equal(game->init(game, state, NULL, NULL, &err), BANYAN_OK);
    assert_int_equal(banyan_exact_value(exact, state, values, &err), BANYAN_OK);
    assert_true(values[0] == -1 && values[1] == 1);
    banyan_exact_destroy(exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_brute_force),
        cmocka_unit_test(marks_optimal_actions),
        cmocka_unit_test(refuses_what_it_cannot_solve),
        cmocka_unit_test(stays_within_memory),
        cmocka_unit_test(stops_when_asked),
        cmocka_unit_test(solves_tic_tac_toe),
        cmocka_unit_test(solves_small_othello),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
