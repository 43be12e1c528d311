/* The program from outside: games that are played, judged, replayed and analysed. */
#include "cli_program.h"

/* --- play --- */

static void test_play_from_a_pipe(void **state)
{
    (void)state;
    char *text = run_well("help\nmoves\na9\nb2\nundo\neval\nhint\na1\nboard\nquit\n",
                          "play tictactoe --player2=mcts:simulations=200 --hint-simulations=500");
    assert_contains(text, "what the best player and a search would play here");
    assert_contains(text, "  1 a1    2 b1    3 c1    4 a2    5 b2    6 c2    7 a3    8 b3");
    assert_contains(text, "`moves` lists the legal ones");
    assert_contains(text, "expected return after 500 simulations");
    assert_contains(text, "the best player would play: ");
    assert_contains(text, "Q/N");
    assert_contains(text, "(200 simulations");
    /* after undo the search plays another answer */
    assert_contains(strstr(text, "expected return"), "O (mcts:simulations=200) plays");
    free(text);
}

/* The rows of a search: lines that begin with the move. */
static bool has_row(const char *text, const char *move)
{
    char begin[32];
    snprintf(begin, sizeof begin, "\n%s ", move);
    const char *table = strstr(text, "a plain search");
    return table && strstr(table, begin);
}

static void test_hint_of_some_moves(void **state)
{
    static const struct {
        const char *line, *inside, *outside;
    } rows[] = {{"hint b2, 3\n", "c1", "a1"}, {"hint not b2,a1\n", "c1", "b2"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char *text = run_well(rows[i].line, "play tictactoe --hint-simulations=500");
        if (!has_row(text, rows[i].inside) || has_row(text, rows[i].outside))
            fail_msg("%s shows:\n%s", rows[i].line, text);
        assert_null(strstr(text, "the best player would play"));
        free(text);
    }
    char *text = run_well("hint b2, q7\nhint not 1,2,3,4,5,6,7,8,9\n", "play tictactoe");
    assert_contains(text, "hint q7: ");
    assert_contains(text, "all 9 actions are avoided: none is left");
    assert_null(strstr(text, "a plain search"));
    free(text);
}

static void test_play_to_the_end(void **state)
{
    (void)state;
    char *text = run_well("a1\na2\nb1\nb2\nc1\n", "play tictactoe --player1=human --player2=human");
    assert_contains(text, "result: X +1 O -1");
    free(text);
    text = run_well("a1\n", "play tictactoe --player1=human --player2=human");
    assert_contains(text, "end of input");
    assert_null(strstr(text, "result:"));
    free(text);
    text = run_well(NULL, "play othello --black=random --white=first --seed=3");
    assert_contains(text, "result: black");
    free(text);
    text = run_well("rock\npaper\n", "play rps --player1=human --player2=human");
    assert_contains(text, "result: player 1 -1 player 2 +1");
    free(text);
}

/* --- suite --- */

static void test_suite_fforum(void **state)
{
    (void)state;
    char *text = run_well(NULL, "suite " TEST_DATA
                                "/othello/fforum.suite --player=endgame:empties=20,memory=8M "
                                "--scores --max-level=15");
    assert_contains(text, "ok   fforum-1 ");
    assert_contains(text, "14 of 14 right, endgame");
    assert_null(strstr(text, "FAIL"));
    free(text);
}

/* A file in /tmp with this content, removed by the caller. */
static void write_file(char *path, const char *content)
{
    strcpy(path, "/tmp/banyan-test-XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, content, strlen(content)), strlen(content));
    close(descriptor);
}

static void test_suite_judges(void **state)
{
    (void)state;
    char path[64], words[160];
    write_file(path, "game tictactoe\n"
                     "position win\n moves a1 a2 b1 b2\n best c1\n legal 5\n value 0.5 1\n"
                     "position wrong\n moves a1 a2 b1 b2\n avoid c1\n legal 4\n value -1 0\n"
                     "position block\n moves a1 b2 b1\n best c1\n");
    snprintf(words, sizeof words, "suite %s -n 2000 --json", path);
    struct program_run run = program_run(NULL, words);
    assert_int_equal(run.code, 1);
    json_t *json = json_loads(run.out, 0, NULL), *rows = json_object_get(json, "positions");
    assert_non_null(json);
    assert_int_equal(get_int(json, "asked"), 3);
    assert_int_equal(get_int(json, "right"), 2);
    assert_true(json_is_true(json_object_get(json_array_get(rows, 0), "ok")));
    assert_true(json_is_false(json_object_get(json_array_get(rows, 1), "ok")));
    const char *why = get_string(json_array_get(rows, 1), "why");
    assert_contains(why, "5 legal actions, not 4");
    assert_contains(why, "plays c1, to be avoided");
    assert_contains(why, "the value is -1 to +0");
    assert_string_equal(get_string(json_array_get(rows, 2), "action"), "c1");
    json_decref(json);
    program_free(&run);
    snprintf(words, sizeof words, "suite %s -n 2000 --need=2", path);
    free(run_well(NULL, words));
    unlink(path);
}

/* Asks a random player 40 times; returns how many answers are right. */
static int asked_with(const char *path, int enough)
{
    char words[160];
    snprintf(words, sizeof words, "suite %s --player random --seeds 40 --enough %d --json", path,
             enough);
    struct program_run run = program_run(NULL, words);
    json_t *json = json_loads(run.out, 0, NULL);
    const json_t *row = json_array_get(json_object_get(json, "positions"), 0);
    int right = (int)get_int(row, "right");
    assert_int_equal(get_int(row, "answers"), 40);
    assert_int_equal(run.code, right >= enough ? 0 : 1);
    assert_int_equal(strcmp(get_string(row, "action"), "c1") == 0, right >= enough);
    json_decref(json);
    program_free(&run);
    return right;
}

static void test_suite_asks_several_seeds(void **state)
{
    (void)state;
    char path[64];
    write_file(path, "game tictactoe\nposition win\n moves a1 a2 b1 b2\n best c1\n");
    int right = asked_with(path, 40);
    assert_in_range(right, 1, 20); /* one action in five wins */
    assert_int_equal(asked_with(path, right), right);
    assert_int_equal(asked_with(path, right + 1), right);
    unlink(path);
    struct program_run run = program_run(NULL, "suite x --seeds 3 --enough 4");
    assert_int_equal(run.code, 2);
    program_free(&run);
}

/* Texts of actions that have blanks. */
static void test_suite_of_decisions(void **state)
{
    (void)state;
    char *text = run_well(NULL, "suite " TEST_DATA
                                "/pokemon/judgement.suite --player random --need 0 --json");
    json_t *json = json_loads(text, 0, NULL);
    assert_int_equal(get_int(json, "asked"), 12);
    assert_in_range(get_int(json, "right"), 4, 12);
    json_decref(json);
    free(text);
}

static void test_suite_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *content, *message;
    } cases[] = {
        {"position early\n", ":1: the game must be named before"},
        {"game chess\n", ":1: no game is called 'chess'"},
        {"game tictactoe\nposition x\n bset a1\n", ":3: unknown word, did you mean 'best'"},
        {"game tictactoe\nposition x\n best\n", ":3: a value is missing"},
        {"game tictactoe\nposition x\n legal many\n", ":3: expected a number"},
        {"game tictactoe\nposition x\n player 2\n", ":3: out of range"},
        {"game tictactoe\nposition x\n moves a1 a1\n legal 8\n", ":2: position x"},
        {"game tictactoe\nposition x\n best zz\n", ":2: position x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char path[64], words[96];
        write_file(path, cases[i].content);
        snprintf(words, sizeof words, "suite %s -n 10", path);
        assert_refuses(words, 1, cases[i].message);
        unlink(path);
    }
    assert_refuses("suite /nonexistent.suite", 2, "No such file");
}

/* --- verify --- */

static void test_verify_games(void **state)
{
    (void)state;
    static const struct {
        const char *words, *line;
    } cases[] = {
        {"verify othello " TEST_DATA "/records/othello.txt",
         "81 games, 4910 steps, 0 differences\n"},
        {"verify othello-6x6 " TEST_DATA "/records/othello-6x6.txt.gz",
         "100 games, 3237 steps, 0 differences\n"},
        {"verify tictactoe " TEST_DATA "/records/tictactoe.txt",
         "200 games, 1528 steps, 0 differences\n"},
        {"verify connect4 " TEST_DATA "/records/connect4.txt",
         "100 games, 2057 steps, 0 differences\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char *text = run_well(NULL, cases[i].words);
        assert_string_equal(text, cases[i].line);
        free(text);
    }
}

static void check_verify(const char *content, json_int_t games, json_int_t differences,
                         const char *message)
{
    char path[64], words[160];
    write_file(path, content);
    snprintf(words, sizeof words, "verify tictactoe --json %s", path);
    struct program_run run = program_run(NULL, words);
    json_t *json = json_loads(run.out, 0, NULL);
    assert_non_null(json);
    assert_int_equal(run.code, differences > 0);
    assert_int_equal(get_int(json, "games"), games);
    assert_int_equal(get_int(json, "differences"), differences);
    assert_contains(run.err, message);
    json_decref(json);
    program_free(&run);
    unlink(path);
}

static void test_verify_finds_differences(void **state)
{
    (void)state;
    check_verify("a1 a2 b1 b2 c1 1-0\n", 1, 0, "");
    check_verify("1. a1 a2 2. b1 b2 3. c1\n\n# remark\n", 1, 0, "");
    check_verify("a1a2b1b2c1 1-0\r\n", 1, 0, "");
    check_verify("a1 a2 b1 b2 c1 0-1\n", 1, 1, ":1: the record says that O won");
    check_verify("a1 a2\na1 a1\n", 2, 1, ":2: after 1 actions: ");
    check_verify("a1 a2 b1 1-0\n", 1, 1, "the game is not over");
    check_verify("a1 a2 b1 b2 c1 c2\n", 1, 1, "over");
    check_verify("", 0, 0, "");
    char path[64], words[160];
    write_file(path, "c2d2e2b2d5c1b4c5d6e4f4f2a1c6d1f3f5e5b1f6b5e3b6a6a4a5a3b3a2e6 5-29\n"
                     "c2d2e2b2d5c1b4c5d6e4f4f2a1c6d1f3f5e5b1f6b5e3b6a6a4a5a3b3a2e6 5-31\n"
                     "c2d2e2b2d5c1b4c5d6e4f4f2a1c6d1f3f5e5b1f6b5e3b6a6a4a5a3b3a2e6 6-30\n");
    snprintf(words, sizeof words, "verify othello-6x6 %s", path);
    struct program_run run = program_run(NULL, words);
    assert_contains(run.out, "3 games, 96 steps, 1 differences\n");
    assert_contains(run.err, ":3: the record says 6-30");
    program_free(&run);
    unlink(path);
}

static void test_verify_damaged_archive(void **state)
{
    (void)state;
    char path[64], words[160], bytes[900];
    FILE *in = fopen(TEST_DATA "/records/othello-6x6.txt.gz", "rb");
    assert_non_null(in);
    assert_int_equal(fread(bytes, 1, sizeof bytes, in), sizeof bytes);
    fclose(in);
    strcpy(path, "/tmp/banyan-test-XXXXXX");
    int descriptor = mkstemp(path);
    assert_int_equal(write(descriptor, bytes, sizeof bytes), sizeof bytes);
    close(descriptor);
    snprintf(words, sizeof words, "verify othello-6x6 %s", path);
    struct program_run run = program_run(NULL, words);
    assert_int_equal(run.code, 1);
    assert_contains(run.err, "unexpected end of file");
    program_free(&run);
    unlink(path);
    run = program_run(NULL, "verify pig " TEST_DATA "/old/README.md");
    assert_int_equal(run.code, 1);
    assert_contains(run.err, "none of the formats of pig: banyan");
    program_free(&run);
    assert_refuses("verify tictactoe --format=chess games.txt", 2, "--format is one of banyan");
}

/* --- bench, demo --- */

static void test_signature(void **state)
{
    (void)state;
    char *first = run_well(NULL, "bench tictactoe --signature");
    char *second = run_well(NULL, "bench tictactoe --signature --verbose");
    char *other = run_well(NULL, "bench rps --signature");
    assert_int_equal(strlen(first), 17);
    assert_int_equal(strspn(first, "0123456789abcdef"), 16);
    assert_string_equal(second + strlen(second) - 17, first);
    assert_contains(second, "tictactoe playouts");
    assert_contains(second, "tictactoe puct");
    assert_null(strstr(second, "regret"));
    assert_string_not_equal(first, other);
    free(first);
    free(second);
    free(other);
}

static void test_bench(void **state)
{
    (void)state;
    static const char *const keys[] = {"playouts_per_s",
                                       "simulations_per_s",
                                       "bytes_per_visited_node",
                                       "leaves_per_s",
                                       "copies_per_s",
                                       "legal_ns",
                                       "apply_ns",
                                       NULL};
    json_t *json = run_json("bench tictactoe --time=0.01s --json");
    assert_int_equal(get_int(json, "threads"), 1);
    for (int i = 0; keys[i]; ++i)
        assert_true(json_number_value(json_object_get(json, keys[i])) > 0);
    json_decref(json);
    json = run_json("bench --time=0.001s --json");
    assert_true(json_array_size(json_object_get(json, "games")) > 5);
    json_decref(json);
}

/* Prints our figures beside the published ones. */
static void test_bench_profile(void **state)
{
    (void)state;
    char *text = run_well(NULL, "bench mushroom --profile --time=0.01s");
    assert_contains(text, "one game, 400 simulations per move");
    assert_contains(text, "46.8 %");
    assert_contains(text, "UCB evaluations per simulation");
    free(text);
    text = run_well(NULL, "bench tictactoe --threads --time=0.01s");
    assert_contains(text, "best for tictactoe on this machine: -o threads=");
    free(text);
    assert_refuses("bench --threads", 2, "--threads is for one game");
    assert_refuses("bench tictactoe --threads --json", 2, "leave --json out");
    assert_refuses("bench tictactoe --profile", 2, "--profile is for mushroom only");
    assert_refuses("bench mushroom --profile --json", 2, "leave --json out");
    assert_refuses("bench tictactoe --signature --json", 2, "leave --json out");
    assert_refuses("bench mushroom --signature --profile", 2, "only one of");
    assert_refuses("bench tictactoe --signature --threads", 2, "only one of");
    assert_refuses("bench tictactoe --signature --time=1s", 2, "leave --time out");
    assert_refuses("bench pokemon games.jsonl --signature", 2, "does not search recorded games");
    assert_refuses("bench tictactoe --verbose", 2, "--verbose is for --signature");
}

static void test_demo(void **state)
{
    (void)state;
    char *text = run_well(NULL, "demo connect4 --seed=3");
    assert_contains(text,
                    "== Connect Four ==\nbest (mcts) against mcts:simulations=30, after 6 plies");
    assert_contains(text, "How X chooses: UCB1");
    assert_contains(text, "<- most visits: played");
    assert_contains(text, "best as O: ");
    assert_contains(text, "won-drawn-lost");
    *strstr(text, "won-drawn-lost") = 0; /* after it there are times */
    char *other = run_well(NULL, "demo connect4 --seed=3");
    *strstr(other, "won-drawn-lost") = 0;
    assert_string_equal(text, other);
    free(other);
    free(text);
    assert_refuses("demo tictactoe", 2, "connect4, othello, mushroom, bloodbowl-5, pokemon");
}

/* The move that is explained is the one that is played. */
static void test_demo_explains_what_it_plays(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 3; ++seed) {
        char command[64], explained[8], played[8];
        snprintf(command, sizeof command, "demo connect4 --seed=%d", seed);
        char *text = run_well(NULL, command), *table = strstr(text, "= score\n");
        assert_non_null(table);
        assert_int_equal(sscanf(table, "= score %7s", explained), 1);
        char *story = strstr(table, "\n X ");
        assert_non_null(story);
        assert_int_equal(sscanf(story, "\n X %7s", played), 1);
        assert_string_equal(explained, played);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_play_from_a_pipe),
        cmocka_unit_test(test_hint_of_some_moves),
        cmocka_unit_test(test_play_to_the_end),
        cmocka_unit_test(test_suite_fforum),
        cmocka_unit_test(test_suite_judges),
        cmocka_unit_test(test_suite_asks_several_seeds),
        cmocka_unit_test(test_suite_of_decisions),
        cmocka_unit_test(test_suite_refuses),
        cmocka_unit_test(test_verify_games),
        cmocka_unit_test(test_verify_finds_differences),
        cmocka_unit_test(test_verify_damaged_archive),
        cmocka_unit_test(test_signature),
        cmocka_unit_test(test_bench),
        cmocka_unit_test(test_bench_profile),
        cmocka_unit_test(test_demo),
        cmocka_unit_test(test_demo_explains_what_it_plays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
