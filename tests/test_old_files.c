/* Files of earlier versions are read for ever: tests/data/old (README.md there) and weights/ hold options
 * with underscores, times without a unit and a seed in powers of 1024. */
#include "cli_program.h"
#include "players/program/offers.h"

#include "base/options.h"
#include "match/database.h"
#include "nn/checkpoint.h"
#include "players/book.h"
#include "train/loop.h"

#include <banyan/player.h>

#include <sqlite3.h>

#define OLD     TEST_DATA "/old"
#define WEIGHTS TEST_DATA "/../../weights"

static char work[1024]; /* folder for this test's files */

static struct banyan_error err;

static int setup(void **state)
{
    (void)state;
    snprintf(work, sizeof work, "/tmp/test_old_files.XXXXXX");
    return mkdtemp(work) ? 0 : 1;
}

/* Runs the shell command "VERB FROM TO". */
static void shell(const char *verb, const char *from, const char *to)
{
    char command[4096];
    snprintf(command, sizeof command, "%s '%s' %s", verb, from, to);
    if (system(command) != 0)
        fail_msg("%s", command);
}

static int teardown(void **state)
{
    (void)state;
    shell("rm -rf", work, "");
    return 0;
}

static char *contents(const char *folder, const char *name)
{
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    return program_read(file);
}

/* The settings that a run folder holds, as one text. */
static void old_settings(const char *path, struct loop_settings *settings)
{
    char line[4200], text[4200];
    const struct banyan_game *game;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (bool first = true; fgets(line, sizeof line, file); first = false) {
        char *value = strchr(line, ' ');
        assert_non_null(value);
        *value++ = 0;
        value[strcspn(value, "\n")] = 0;
        if (first) {
            assert_int_equal(banyan_game_find(value, &game, &err), BANYAN_OK);
            assert_int_equal(loop_settings_default(game, settings, &err), BANYAN_OK);
            continue;
        }
        options_respell(value, OPTIONS_FILED, text, sizeof text);
        assert_null(strchr(text, '_'));
        if (loop_settings_parse(settings, line, text, &err) != BANYAN_OK)
            fail_msg("%s: %s", path, err.message);
    }
    fclose(file);
}

static void options_of_runs(void **state)
{
    (void)state;
    struct loop_settings settings;
    old_settings(OLD "/run/options", &settings);
    assert_int_equal(settings.loop.seed, 2048);
    assert_true(settings.loop.rate_end == 0.5);
    assert_string_equal(settings.loop.test, "mcts:time=1s,simulations=2,memory=1M|perfect");
    assert_int_equal(settings.play.at_once, 4);
    assert_int_equal(settings.play.warm_plies, 3);
    assert_true(settings.arch.head_norm);
    assert_int_equal(settings.arch.value_hidden, 5);
    old_settings(WEIGHTS "/mushroom.options", &settings);
    assert_true(settings.loop.value_mix == 0.8);
    assert_int_equal(settings.arch.policy_head, NN_POLICY_PAIRS);
    assert_true(settings.play.teacher_stray == 0.12);
    old_settings(WEIGHTS "/othello.options", &settings);
    assert_int_equal(settings.play.fast_simulations, 20);
}

/* An old run can be continued, and it then writes today's spelling. */
static void runs_go_on(void **state)
{
    (void)state;
    char words[2048], folder[2048];
    shell("cp -r", OLD "/run", work);
    snprintf(words, sizeof words, "train tictactoe --run %s/run -o generations=2", work);
    struct program_run run = program_run(NULL, words);
    if (run.code != 0)
        fail_msg("%s: %s", words, run.err);
    program_free(&run);
    snprintf(folder, sizeof folder, "%s/run", work);
    char *options = contents(folder, "options"), *report = contents(folder, "report.html");
    char *log = contents(folder, "log");
    assert_null(strchr(options, '_'));
    assert_contains(options, "seed=2048,");
    assert_contains(options, "test=(mcts:time=1s,simulations=2,memory=1M|perfect)");
    assert_contains(options, "head-norm=on");
    assert_contains(log, "generation 1:");
    assert_contains(log, "generation 2:");
    /* this line has both searches */
    assert_contains(report, "mcts:memory=1M,simulations=2,time=1s");
    assert_null(strstr(report, "time_ms"));
    free(options);
    free(report);
    free(log);
}

static void headers_of_weights(void **state)
{
    (void)state;
    static const char *const paths[] = {OLD "/run/best.safetensors", OLD "/run/learner.safetensors",
                                        WEIGHTS "/mushroom.safetensors",
                                        WEIGHTS "/othello.safetensors"};
    static const int value_hidden[] = {5, 5, 32, 32};
    for (int i = 0; i < 4; ++i) {
        struct nn_net *net;
        if (nn_net_read(&net, paths[i], NULL, &err) != BANYAN_OK)
            fail_msg("%s: %s", paths[i], err.message);
        assert_int_equal(net->model.arch.value_hidden, value_hidden[i]);
        assert_int_equal(net->model.arch.head_norm, i < 2);
        nn_net_free(net);
    }
}

static void books(void **state)
{
    (void)state;
    struct book book;
    if (book_read(&book, OLD "/tictactoe.book", &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_true(book.count > 1);
    book_free(&book);
}

/* Checks the text of every player in a database, and in how many matches each is. */
static void assert_specs(const char *path, const char *const specs[], const int matches[])
{
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT spec, count(*) FROM match_players GROUP BY spec "
                                        "ORDER BY spec DESC",
                                        -1, &row, NULL),
                     SQLITE_OK);
    for (int i = 0; specs[i]; ++i) {
        assert_int_equal(sqlite3_step(row), SQLITE_ROW);
        assert_string_equal(sqlite3_column_text(row, 0), specs[i]);
        assert_int_equal(sqlite3_column_int(row, 1), matches[i]);
    }
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    sqlite3_finalize(row);
    sqlite3_close(db);
}

/* A player of an old match counts as the same player as one of today, with options in other
 * spellings or another order. */
static void match_databases(void **state)
{
    (void)state;
    static const char *const again[] = {"time=1000ms,simulations=20,memory=1M",
                                        "time_ms=1000,simulations=20,memory=1M",
                                        "memory=1024K,time=1s,simulations=20"};
    static const char *const specs[] = {
        "mcts:memory=1M,simulations=20,time=1s", "first",
        "exec:timeout=5s:banyan serve tictactoe --player mcts:time_ms=1,simulations=20", NULL};
    static const int matches[] = {4, 3, 1};
    char path[2048], words[4096];
    shell("cp", OLD "/match.db", work);
    snprintf(path, sizeof path, "%s/match.db", work);
    for (int i = 0; i < 3; ++i) {
        snprintf(words, sizeof words, "match tictactoe mcts:%s first --games 2 --db %s", again[i],
                 path);
        struct program_run run = program_run(NULL, words);
        if (run.code != 0)
            fail_msg("%s: %s", words, run.err);
        program_free(&run);
    }
    assert_specs(path, specs, matches);
}

/* A player's text as it is in the old file. */
static void exec_lines(void **state)
{
    (void)state;
    char folder[1024], path[8192], spec[256];
    const struct banyan_game *game;
    struct banyan_player player;
    program_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    char *line = contents(OLD, "match.jsonl"), *start = strstr(line, "exec:");
    assert_non_null(start);
    snprintf(spec, sizeof spec, "%.*s", (int)strcspn(start, "\""), start);
    free(line);
    assert_non_null(strstr(spec, "timeout_ms=5000:"));
    assert_int_equal(banyan_game_find("tictactoe", &game, &err), BANYAN_OK);
    for (int i = 0; i < 2; ++i) {
        if (banyan_player_create(game, spec, program_offers, 1, &player, &err) != BANYAN_OK)
            fail_msg("%s: %s", spec, err.message);
        banyan_player_close(&player);
        options_respell(strcpy(folder, spec), OPTIONS_FILED, spec, sizeof spec);
    }
    assert_string_equal(
        spec, "exec:timeout=5s:banyan serve tictactoe --player mcts:time_ms=1,simulations=20");
}

/* Games from before the columns for version and dice, whose dice follow from a seed. */
static void saved_games(void **state)
{
    (void)state;
    struct program_run run = program_run(NULL, "verify tictactoe " OLD "/match.jsonl");
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "2 games, 16 steps, 0 differences");
    program_free(&run);
}

static void texts_are_respelt(void **state)
{
    (void)state;
    static const struct {
        enum options_origin origin;
        const char *text, *want;
    } rows[] = {
        {OPTIONS_TYPED, "mcts:time_ms=50", "mcts:time=50ms"},
        {OPTIONS_TYPED, "mcts:time_ms=1000,name=a_b", "mcts:time=1s,name=a_b"},
        {OPTIONS_TYPED, "mcts:expand_visits=2,time=1000ms", "mcts:expand-visits=2,time=1000ms"},
        {OPTIONS_TYPED, "tournament:time=500", "tournament:time=500"},
        {OPTIONS_FILED, "tournament:time=500", "tournament:time=500ms"},
        {OPTIONS_FILED, "mcts:time=1000ms", "mcts:time=1000ms"},
        {OPTIONS_KEY, "mcts:time=1000ms", "mcts:time=1s"},
        {OPTIONS_KEY, "mcts:time=500,x", "mcts:time=500ms,x"},
        {OPTIONS_TYPED, "tutorial:memory_mb=64,order=first", "tutorial:memory=64M,order=first"},
        {OPTIONS_TYPED, "net:a_b/c_d=e.safetensors", "net:a_b/c_d=e.safetensors"},
        {OPTIONS_TYPED, "book=a_b:c.book", "book=a_b:c.book"},
        {OPTIONS_TYPED, "exec:./a_b --x_y=3,z_z=4", "exec:./a_b --x_y=3,z_z=4"},
        {OPTIONS_TYPED, "exec:timeout 3 ./e t_t=1", "exec:timeout 3 ./e t_t=1"},
        {OPTIONS_TYPED, "exec:gtp:timeout_ms=250:edax a,time_ms=3",
         "exec:gtp:timeout=250ms:edax a,time_ms=3"},
        {OPTIONS_TYPED, "exam=exec:a a_a=1,exam_games=4", "test=exec:a a_a=1,test-games=4"},
        {OPTIONS_TYPED, "exam=(exec:f (x_x=1),y_y=2|mcts:time_ms=2000),exam_stop=on",
         "test=(exec:f (x_x=1),y_y=2|mcts:time=2s),test-stop=on"},
        {OPTIONS_TYPED, "time_ms=x_y", "time-ms=x_y"},
        {OPTIONS_TYPED, "", ""},
    };
    char out[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        int length = options_respell(rows[i].text, rows[i].origin, out, sizeof out);
        assert_string_equal(out, rows[i].want);
        assert_int_equal(length, strlen(out));
    }
}

/* A person who types an old spelling is told the new one, and the option is set as meant. */
static void command_lines(void **state)
{
    (void)state;
    static const struct {
        const char *words, *hint;
    } rows[] = {
        {"search tictactoe --time-ms=5", "'--time-ms 5' is now written '--time=5ms'"},
        {"search tictactoe --time-ms=5ms", "'--time-ms 5ms' is now written '--time=5ms'"},
        {"search tictactoe --time-ms 5 -o expand_visits=2", "now written 'expand-visits=2'"},
        {"bench tictactoe --seconds 0.01", "'--seconds 0.01' is now written '--time=0.01s'"},
        {"match tictactoe mcts:time_ms=1 random --games 2",
         "'mcts:time_ms=1' is now written 'mcts:time=1ms'"},
        {"match tictactoe first random --games 2 --clock-ms=10000", "'--clock=10000ms'"},
        {"train tictactoe --list-options --play at_once=3", "now written 'at-once=3'"},
        {"play tictactoe --p0=random --p1 first", "'--player2=first'"},
        {"search kuhn -n 50 --viewer 0", "'--viewer 0' is now written '--as=1'"},
        {"search tictactoe -n 50 --viewer X", "'--viewer X' is now written '--as=X'"},
        {"net check --game tictactoe --arch policy_channels=2", "'policy-channels=2'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct program_run run = program_run(NULL, rows[i].words);
        if (run.code != 0)
            fail_msg("%s: %s", rows[i].words, run.err);
        assert_contains(run.err, rows[i].hint);
        program_free(&run);
    }
    struct program_run run = program_run(NULL, "search tictactoe --time=50");
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "write 50ms or 2s");
    program_free(&run);
    run = program_run(NULL, "search tictactoe --viewer red");
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "--as=red: the players of tictactoe are");
    program_free(&run);
    free(run_well(NULL, "search tictactoe --time 5ms -o expand-visits=2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_respelt),
        cmocka_unit_test(options_of_runs),
        cmocka_unit_test(runs_go_on),
        cmocka_unit_test(headers_of_weights),
        cmocka_unit_test(books),
        cmocka_unit_test(match_databases),
        cmocka_unit_test(exec_lines),
        cmocka_unit_test(saved_games),
        cmocka_unit_test(command_lines),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
