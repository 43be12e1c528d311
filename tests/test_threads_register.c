/* Games that a program registers: found by name like the library's, each name once, also where
 * threads race. */
#include <banyan/check.h>
#include <banyan/game.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 20, ADDED = 64 };

/* Tic-tac-toe by other names; static, since a registered game stays. */
static struct banyan_game games[ADDED + 1];
static char names[ADDED + 1][16];

static struct banyan_game *named(int i, const char *name)
{
    const struct banyan_game *like;
    assert_int_equal(banyan_game_find("tictactoe", &like, NULL), BANYAN_OK);
    games[i] = *like;
    games[i].name = strcpy(names[i], name);
    return &games[i];
}

static int count_games(void)
{
    int n = 0;
    while (banyan_game_at(n))
        ++n;
    return n;
}

static void test_a_game_is_found(void **unused)
{
    (void)unused;
    const struct banyan_game *found;
    int before = count_games();
    struct banyan_game *game = named(0, "noughts");
    assert_int_equal(banyan_game_find("noughts", &found, NULL), BANYAN_NOT_FOUND);
    assert_int_equal(banyan_game_register(game, NULL), BANYAN_OK);
    assert_int_equal(banyan_game_find("noughts", &found, NULL), BANYAN_OK);
    assert_ptr_equal(found, game);
    assert_ptr_equal(banyan_game_at(before), game);
    assert_int_equal(count_games(), before + 1);
    struct banyan_error err;
    assert_int_equal(banyan_game_find("nouhgts", &found, &err), BANYAN_NOT_FOUND);
    assert_non_null(strstr(err.message, "did you mean 'noughts'"));
}

static void test_what_is_refused(void **unused)
{
    (void)unused;
    struct banyan_error err;
    int before = count_games();
    assert_int_equal(banyan_game_register(&games[0], &err), BANYAN_INVALID);
    assert_string_equal(err.message, "a game is called 'noughts' already");
    static struct banyan_game broken;
    broken = games[0];
    broken.name = "othello";
    assert_int_equal(banyan_game_register(&broken, &err), BANYAN_INVALID);
    broken.name = "two words";
    assert_int_equal(banyan_game_register(&broken, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "lower case"));
    broken.name = "keyless";
    broken.key = NULL;
    assert_int_equal(banyan_game_register(&broken, &err), BANYAN_INVALID);
    assert_string_equal(err.message, "keyless: key is NULL, and every game needs it");
    broken.struct_size -= 8;
    assert_int_equal(banyan_game_register(&broken, &err), BANYAN_UNSUPPORTED);
    assert_int_equal(count_games(), before);
}

/* --- threads that register games of the same names --- */

struct racer {
    pthread_t thread;
    struct banyan_game games[ROUNDS];
    int taken; /* how many were registered */
};

static struct racer racers[THREADS];
static char race_names[ROUNDS][16];

static void *race(void *ctx)
{
    struct racer *racer = ctx;
    const struct banyan_game *found;
    for (int i = 0; i < ROUNDS; ++i) {
        racer->taken += banyan_game_register(&racer->games[i], NULL) == BANYAN_OK;
        if (banyan_game_find(race_names[i], &found, NULL) != BANYAN_OK)
            racer->taken = 1000; /* taken, and still not there */
    }
    return NULL;
}

static void test_each_name_once(void **unused)
{
    (void)unused;
    int before = count_games(), taken = 0;
    for (int i = 0; i < ROUNDS; ++i)
        snprintf(race_names[i], sizeof race_names[i], "race-%d", i);
    for (int t = 0; t < THREADS; ++t) {
        for (int i = 0; i < ROUNDS; ++i) {
            racers[t].games[i] = games[0];
            racers[t].games[i].name = race_names[i];
        }
        assert_int_equal(pthread_create(&racers[t].thread, NULL, race, &racers[t]), 0);
    }
    for (int t = 0; t < THREADS; ++t) {
        pthread_join(racers[t].thread, NULL);
        taken += racers[t].taken;
    }
    assert_int_equal(taken, ROUNDS);
    assert_int_equal(count_games(), before + ROUNDS);
}

static void test_room_ends(void **unused)
{
    (void)unused;
    struct banyan_error err;
    enum banyan_status status = BANYAN_OK;
    int i = 1;
    for (char name[16]; status == BANYAN_OK && i <= ADDED; ++i) {
        snprintf(name, sizeof name, "more-%d", i);
        status = banyan_game_register(named(i, name), &err);
    }
    assert_int_equal(status, BANYAN_UNSUPPORTED);
    assert_int_equal(i, ADDED - ROUNDS + 1);
    assert_non_null(strstr(err.message, "64 games are registered"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_game_is_found), cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_each_name_once), cmocka_unit_test(test_room_ends)};
    return cmocka_run_group_tests_name("registered games", tests, NULL, NULL);
}
