/* Games of self-play as records: what was played comes out again, and what the rules forbid does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "train/played.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct banyan_error err;

static const struct banyan_game *game_named(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, &err), BANYAN_OK);
    return game;
}

/* Adds a random choice of each mover; values are numbers that the test can recognise. */
static void choose(struct record *record, const struct banyan_game *game, const void *state,
                   struct banyan_rng *rng, banyan_action *joint)
{
    banyan_action legal[4096];
    unsigned movers = game->movers(game, state);
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        int count = game->legal(game, state, p, legal);
        joint[p] = legal[banyan_rng_below(rng, (uint32_t)count)];
        struct record_choice choice = {.action = joint[p],
                                       .value = (float)record->choice_count / 1024,
                                       .player = (uint8_t)p,
                                       .first = record->action_count,
                                       .count = record->choice_count % 2};
        if (choice.count)
            assert_true(record_add_action(record, joint[p], 1));
        assert_true(record_add_choice(record, &choice));
    }
}

/* Plays a random game to its end, or at most `most` plies. */
static void play(struct record *record, const struct banyan_game *game, int most)
{
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct banyan_die log[64];
    char text[BANYAN_TEXT_MAX];
    void *state = calloc(1, game->state_size);
    assert_non_null(state);
    banyan_rng_seed(&rng, 5);
    assert_int_equal(game->init(game, state, NULL, &rng, &err), BANYAN_OK);
    game->format(game, state, text, sizeof text);
    record->start = strdup(text);
    banyan_dice_drawn(&dice, &rng);
    dice.log = log;
    dice.log_max = 64;
    for (int ply = 0; ply < most && game->movers(game, state); ++ply) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        choose(record, game, state, &rng, joint);
        dice.log_count = 0;
        game->apply(game, state, joint, &dice);
        for (int i = 0; i < dice.log_count; ++i)
            assert_true(record_add_die(record, &log[i]));
    }
    if (!game->movers(game, state))
        game->returns(game, state, record->returns);
    free(state);
}

/* Dice, hidden cards, simultaneous choices: the record is replayed to the same result. */
static void test_convert(void **state)
{
    (void)state;
    static const char *const names[] = {"othello", "pig", "kuhn", "rps", "pokemon", "bloodbowl-1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const struct banyan_game *game = game_named(names[i]);
        struct record record = {.number = 7, .generation = 3};
        struct game_record out;
        struct game_replay replay;
        play(&record, game, 300);
        if (played_convert(&record, game, &out, &err) != BANYAN_OK)
            fail_msg("%s: %s", names[i], err.message);
        assert_int_equal(out.number, 7);
        assert_int_equal(game_replay_begin(&replay, &out, &err), BANYAN_OK);
        if (game_replay_to(&replay, -1, &err) != BANYAN_OK)
            fail_msg("%s: %s", names[i], err.message);
        assert_int_equal(game_replay_check(&replay, &err), BANYAN_OK);
        for (int p = 0; out.finished && p < game->players; ++p)
            assert_true(out.returns[p] == record.returns[p]);
        game_replay_end(&replay);
        game_record_free(&out);
        record_free(&record);
    }
}

/* The value of a search is the record's; a choice without a search has none. */
static void test_values(void **state)
{
    (void)state;
    const struct banyan_game *game = game_named("othello");
    struct record record = {.number = 0};
    struct game_record out;
    play(&record, game, 10);
    record.resigned = true;
    record.returns[0] = -1;
    record.returns[1] = 1;
    assert_int_equal(played_convert(&record, game, &out, &err), BANYAN_OK);
    assert_int_equal(out.plies, 10);
    assert_true(out.finished && out.returns[0] == -1 && out.returns[1] == 1);
    assert_true(out.steps[3].thoughts[1].value == 3.0 / 1024);
    assert_true(out.steps[4].thoughts[0].value != out.steps[4].thoughts[0].value); /* NaN */
    game_record_free(&out);
    record_free(&record);
}

static void refuses(const struct record *record, const struct banyan_game *game, const char *why)
{
    struct game_record out;
    assert_int_equal(played_convert(record, game, &out, &err), BANYAN_ILLEGAL);
    if (!strstr(err.message, why))
        fail_msg("'%s' is not in: %s", why, err.message);
}

static void test_illegal(void **state)
{
    (void)state;
    const struct banyan_game *pig = game_named("pig"), *rps = game_named("rps");
    struct record record = {.number = 0};
    play(&record, pig, 20);
    record.choices[4].action = 99;
    refuses(&record, pig, "choice 5");
    record.choices[4].action = 0;
    record.die_count = 1;
    refuses(&record, pig, "before choice");
    record_free(&record);
    record = (struct record){.number = 0};
    play(&record, rps, 20);
    record.choice_count = 1;
    refuses(&record, rps, "choice 2");
    record.choices[0].player = 5;
    refuses(&record, rps, "choice 1");
    record_free(&record);
}

/* A file of two games: each is found by its numbers. */
static void test_read(void **state)
{
    (void)state;
    char path[] = "/tmp/banyan-played-XXXXXX";
    const struct banyan_game *game = game_named("tictactoe");
    struct record_writer *writer;
    struct game_record out;
    close(mkstemp(path));
    remove(path);
    assert_int_equal(record_writer_open(&writer, path, game->name, &err), BANYAN_OK);
    for (int number = 0; number < 2; ++number) {
        struct record record = {.number = number, .generation = 4};
        play(&record, game, 3 + number);
        assert_int_equal(record_writer_add(writer, &record, &err), BANYAN_OK);
        record_free(&record);
    }
    record_writer_close(writer);
    for (int number = 0; number < 2; ++number) {
        assert_int_equal(played_read(path, game, 4, number, &out, &err), BANYAN_OK);
        assert_int_equal(out.plies, 3 + number);
        assert_string_equal(out.players[1], "self-play of generation 4");
        game_record_free(&out);
    }
    assert_int_equal(played_read(path, game, 4, 2, &out, &err), BANYAN_NOT_FOUND);
    assert_int_equal(played_read(path, game, 3, 0, &out, &err), BANYAN_NOT_FOUND);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_convert),
                                       cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_illegal), cmocka_unit_test(test_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
