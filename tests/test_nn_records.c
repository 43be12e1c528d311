/* Records of self-play: writing and reading, damage, and the samples that learning makes of
 * them. */
#include "train/play.h"
#include "train/play_target.h"
#include "train/replay.h"

#include "nn_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct banyan_game *game_called(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

/* Games of an untrained network, ordered by number. */
struct played {
    const struct banyan_game *game;
    struct nn_model model;
    float *params;
    struct record records[64];
    int count;
};

static enum banyan_status played_deliver(void *ctx, struct record *record, struct banyan_error *err)
{
    struct played *played = ctx;
    (void)err;
    assert_true(record->number >= 0 && record->number < 64);
    assert_null(played->records[record->number].start);
    played->records[record->number] = *record;
    memset(record, 0, sizeof *record);
    ++played->count;
    return BANYAN_OK;
}

static void played_create(struct played *played, const char *name, int games, int threads, int rule)
{
    struct nn_arch arch;
    struct banyan_error err = {.message = ""};
    memset(played, 0, sizeof *played);
    played->game = game_called(name);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(played->game, &arch, &err), BANYAN_OK);
    arch.channels = 4, arch.blocks = 1, arch.value_hidden = 4;
    assert_int_equal(nn_model_build(&played->model, &arch, &err), BANYAN_OK);
    played->params = nn_block_create(played->model.size);
    nn_model_start(&played->model, played->params, 1);
    struct play_options options;
    struct banyan_search_options search;
    play_options_default(&options);
    banyan_search_options_default(&search);
    options.threads = threads;
    options.at_once = threads == 1 ? 5 : 3;
    options.simulations = 12;
    options.fast_simulations = 4;
    options.whole_share = 0.6;
    search.rule = (enum banyan_search_rule)rule;
    search.noise_weight = 0.25;
    search.forced_playouts = true;
    search.memory_bytes = 1 << 20;
    struct play_job job = {.game = played->game,
                           .options = &options,
                           .search = &search,
                           .model = &played->model,
                           .params = played->params,
                           .backend = "plain",
                           .type = "",
                           .seed = 5,
                           .generation = 3,
                           .games = games,
                           .deliver = played_deliver,
                           .ctx = played};
    struct play_totals totals;
    if (play_run(&job, &totals, &err) != BANYAN_OK)
        fail_msg("%s: %s", name, err.message);
    assert_int_equal(played->count, games);
    assert_int_equal(totals.games, games);
}

static void played_destroy(struct played *played)
{
    for (int i = 0; i < 64; ++i)
        record_free(&played->records[i]);
    free(played->params);
}

static void check_same(const struct record *a, const struct record *b)
{
    unsigned char *x, *y;
    size_t m, n;
    assert_int_equal(record_pack(a, &x, &m, NULL), BANYAN_OK);
    assert_int_equal(record_pack(b, &y, &n, NULL), BANYAN_OK);
    assert_int_equal(m, n);
    assert_memory_equal(x, y, m);
    free(x);
    free(y);
}

/* A game does not depend on the games that are played beside it. */
static void test_games_do_not_depend_on_threads(void **state)
{
    (void)state;
    const int rules[] = {BANYAN_RULE_PUCT, BANYAN_RULE_GUMBEL};
    for (int i = 0; i < 2; ++i) {
        struct played one, two;
        played_create(&one, "tictactoe", 12, 1, rules[i]);
        played_create(&two, "tictactoe", 12, 2, rules[i]);
        for (int j = 0; j < 12; ++j)
            check_same(&one.records[j], &two.records[j]);
        played_destroy(&one);
        played_destroy(&two);
    }
}

/* Dice, hidden cards, one player, boards: every game with planes can be played and learned from. */
static void test_all_kinds_of_games(void **state)
{
    (void)state;
    const char *const names[] = {"tictactoe", "connect4", "othello-6x6", "kuhn", "pig"};
    for (int i = 0; i < 5; ++i) {
        struct played played;
        struct replay *replay;
        struct nn_batch batch;
        struct banyan_rng rng;
        struct banyan_error err = {.message = ""};
        struct replay_options options = {0.3, true};
        played_create(&played, names[i], 6, 1, BANYAN_RULE_PUCT);
        assert_int_equal(replay_create(&replay, played.game, &played.model.arch, &err), BANYAN_OK);
        for (int j = 0; j < 6; ++j)
            if (replay_add(replay, &played.records[j], &err) != BANYAN_OK)
                fail_msg("%s: %s", names[i], err.message);
        assert_int_equal(replay_games(replay), 6);
        assert_true(replay_positions(replay) > 0);
        banyan_rng_seed(&rng, 1);
        assert_int_equal(replay_sample(replay, &options, 16, &rng, &batch, &err), BANYAN_OK);
        for (int j = 0; j < 16; ++j) {
            float sum = 0;
            for (int k = batch.start[j]; k < batch.start[j + 1]; ++k) {
                assert_true(batch.actions[k] >= 0 && batch.actions[k] < played.game->policy_size);
                sum += batch.policy[k];
            }
            assert_true(fabsf(sum - 1) < 1e-4f);
            assert_true(batch.start[j + 1] - batch.start[j] > 1);
            assert_true(fabsf(batch.values[j * played.model.arch.values]) <= 1.001f);
        }
        replay_trim(replay, 1);
        assert_int_equal(replay_games(replay), 1);
        replay_destroy(replay);
        played_destroy(&played);
    }
}

/* A record that the rules do not allow is refused; games and choices are counted from 1. */
static void test_illegal_record(void **state)
{
    (void)state;
    struct played played;
    struct replay *replay;
    struct banyan_error err;
    played_create(&played, "tictactoe", 3, 1, BANYAN_RULE_PUCT);
    assert_int_equal(replay_create(&replay, played.game, &played.model.arch, &err), BANYAN_OK);
    --played.records[1].choice_count;
    assert_int_equal(replay_check(replay, &played.records[1], &err), BANYAN_ILLEGAL);
    assert_non_null(strstr(err.message, "game 2 of generation "));
    assert_non_null(strstr(err.message, "does not end"));
    ++played.records[1].choice_count;
    played.records[2].returns[0] += 1;
    assert_int_equal(replay_check(replay, &played.records[2], &err), BANYAN_ILLEGAL);
    assert_non_null(strstr(err.message, "game 3 of generation "));
    assert_non_null(strstr(err.message, "another result"));
    played.records[0].choices[1].action = played.records[0].choices[0].action;
    assert_int_equal(replay_add(replay, &played.records[0], &err), BANYAN_ILLEGAL);
    assert_non_null(strstr(err.message, "game 1 of generation "));
    assert_non_null(strstr(err.message, ": choice 2 is not legal"));
    replay_destroy(replay);
    played_destroy(&played);
}

/* --- files --- */

static int count_sound(const unsigned char *bytes, size_t size, const struct played *played)
{
    struct record_reader *reader;
    struct record record = {.start = NULL};
    int count = 0;
    if (record_reader_parse(&reader, bytes, size, "records", played->game->name, NULL) != BANYAN_OK)
        return -1;
    while (record_reader_next(reader, &record)) {
        assert_true(record.number >= 0 && record.number < played->count);
        /* the reader never gives a wrong game */
        check_same(&record, &played->records[record.number]);
        ++count;
    }
    record_free(&record);
    record_reader_close(reader);
    return count;
}

static void write_games(const struct played *played, const char *path, int first, int count)
{
    struct record_writer *writer;
    assert_int_equal(record_writer_open(&writer, path, played->game->name, NULL), BANYAN_OK);
    for (int i = first; i < first + count; ++i)
        assert_int_equal(record_writer_add(writer, &played->records[i], NULL), BANYAN_OK);
    record_writer_close(writer);
}

static void test_files(void **state)
{
    (void)state;
    struct played played;
    char path[64];
    size_t size, before = 0;
    struct banyan_error err;
    snprintf(path, sizeof path, "/tmp/banyan_test_records_%ld", (long)getpid());
    remove(path);
    played_create(&played, "tictactoe", 6, 1, BANYAN_RULE_PUCT);
    write_games(&played, path, 0, 6);
    unsigned char *bytes = nn_check_bytes(path, &size);
    assert_int_equal(count_sound(bytes, size, &played), 6);
    for (size_t cut = 0; cut < size; ++cut) { /* a longer file never gives fewer games */
        int count = count_sound(bytes, cut, &played);
        assert_true(count >= -1 && count < 6 && (count < 0 || (size_t)count >= before));
        before = count > 0 ? (size_t)count : 0;
    }
    for (size_t at = 0; at < size; at += 3) { /* one flipped bit costs one game */
        bytes[at] ^= 16;
        int count = count_sound(bytes, size, &played);
        assert_true(at < 64 ? count >= -1 : count == 5);
        bytes[at] ^= 16;
    }
    FILE *torn = fopen(path, "r+b"); /* as if the writer was killed in the last frame */
    assert_int_equal(ftruncate(fileno(torn), (off_t)size - 5), 0);
    fclose(torn);
    write_games(&played, path, 5, 1);
    free(bytes);
    bytes = nn_check_bytes(path, &size);
    assert_int_equal(count_sound(bytes, size, &played), 6);
    struct record_writer *writer;
    assert_int_equal(record_writer_open(&writer, path, "othello", &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "tictactoe"));
    assert_int_equal(record_writer_open(&writer, "/nonexistent/x", "othello", &err), BANYAN_IO);
    assert_int_equal(record_writer_open(&writer, "/", "othello", &err), BANYAN_IO);
    assert_non_null(strstr(err.message, "cannot read '/': ")); /* opened, and then not read */
    free(bytes);
    remove(path);
    played_destroy(&played);
}

enum { NEW_FILES = 100 };

/* A reader of a file that is being created finds no file, or one with a complete head. */
static void test_new_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan_test_records_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    int how;
    pid_t child = fork();
    alarm(600); /* ends the test if the writer fails */
    for (int i = 0; i < NEW_FILES; ++i) {
        enum banyan_status status = BANYAN_NOT_FOUND;
        struct banyan_error err = {.message = ""};
        snprintf(path, sizeof path, "%s/%d", folder, i);
        if (child == 0) {
            struct record_writer *writer;
            if (record_writer_open(&writer, path, "tictactoe", NULL) != BANYAN_OK)
                _exit(1);
            record_writer_close(writer);
            continue;
        }
        while (status == BANYAN_NOT_FOUND) {
            struct record_reader *reader;
            status = record_reader_open(&reader, path, "tictactoe", &err);
            if (status == BANYAN_OK)
                record_reader_close(reader);
        }
        if (status != BANYAN_OK)
            fail_msg("%s", err.message);
    }
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, &how, 0), child);
    alarm(0);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    for (int i = 0; i < NEW_FILES; ++i) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        remove(path);
    }
    rmdir(folder);
}

/* --- what a search teaches --- */

static void test_targets(void **state)
{
    (void)state;
    const struct banyan_game *game = game_called("tictactoe");
    struct banyan_search_options options;
    banyan_search_options_default(&options);
    options.rule = BANYAN_RULE_PUCT;
    options.forced_playouts = true;
    /* the second action was only visited by force and has a low mean; the third was never
     * visited */
    const struct banyan_search_move rows[] = {{.visits = 80, .mean = 0.8, .prior = 0.5f},
                                              {.visits = 9, .mean = -0.9, .prior = 0.4f},
                                              {.visits = 0, .mean = (double)NAN, .prior = 0.1f}};
    uint32_t weights[3];
    play_target_weights(game, &options, true, rows, 3, weights);
    assert_int_equal(weights[0], 80);
    assert_true(weights[1] < 9);
    assert_int_equal(weights[2], 0);
    play_target_weights(game, &options, false, rows, 3, weights);
    assert_int_equal(weights[1], 9);
    options.rule = BANYAN_RULE_GUMBEL;
    options.gumbel_scale = 0.1;
    play_target_weights(game, &options, true, rows, 3, weights);
    assert_true(weights[0] > 60000 && weights[2] > weights[1]);
    assert_true(abs((int)(weights[0] + weights[1] + weights[2]) - 65536) <= 3);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    int drawn[3] = {0};
    for (int i = 0; i < 8900; ++i)
        ++drawn[play_target_draw(rows, 3, 1, &rng)];
    assert_true(abs(drawn[0] - 8000) < 150 && drawn[2] == 0);
    assert_int_equal(play_target_draw(rows, 3, 0, &rng), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_do_not_depend_on_threads),
        cmocka_unit_test(test_all_kinds_of_games),
        cmocka_unit_test(test_illegal_record),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_new_files),
        cmocka_unit_test(test_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
