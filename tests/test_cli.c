/* The program from outside: words in, text, JSON and exit codes out. */
#include "cli_program.h"

#include <jansson.h>
#include <stdbool.h>

/* --- what several tests ask --- */

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

/* Runs and expects exit code 0 with nothing on stderr; returns stdout, caller frees. */
static char *run_well(const char *input, const char *words)
{
    struct program_run run = program_run(input, words);
    if (run.code != 0 || *run.err)
        fail_msg("banyan %s: exit code %d, stderr: %s", words, run.code, run.err);
    free(run.err);
    return run.out;
}

static json_t *run_json(const char *words)
{
    json_error_t error;
    char *out = run_well(NULL, words);
    json_t *json = json_loads(out, 0, &error);
    if (!json)
        fail_msg("banyan %s: %s in\n%s", words, error.text, out);
    free(out);
    return json;
}

static json_int_t get_int(const json_t *json, const char *key)
{
    json_t *value = json_object_get(json, key);
    if (!json_is_integer(value))
        fail_msg("no integer '%s'", key);
    return json_integer_value(value);
}

static const char *get_string(const json_t *json, const char *key)
{
    json_t *value = json_object_get(json, key);
    if (!json_is_string(value))
        fail_msg("no string '%s'", key);
    return json_string_value(value);
}

/* Exit code, and exactly one line on stderr that contains part. */
static void assert_refuses(const char *words, int code, const char *part)
{
    struct program_run run = program_run(NULL, words);
    if (run.code != code)
        fail_msg("banyan %s: exit code %d, not %d; stderr: %s", words, run.code, code, run.err);
    assert_contains(run.err, part);
    assert_string_equal(run.out, "");
    char *end = strchr(run.err, '\n');
    if (!end || end[1])
        fail_msg("banyan %s: not one line: %s", words, run.err);
    program_free(&run);
}

/* --- the frame --- */

static const char *const commands[] = {"demo",  "list",   "play",  "search", "explain",
                                       "tree",  "perft",  "suite", "bench",  "verify",
                                       "match", "doctor", "serve", "gtp",    NULL};

static void test_every_command_has_help(void **state)
{
    (void)state;
    char *top = run_well(NULL, "--help");
    for (int i = 0; commands[i]; ++i) {
        char words[64], usage[64];
        snprintf(words, sizeof words, "%s --help", commands[i]);
        snprintf(usage, sizeof usage, "Usage: banyan %s", commands[i]);
        char *out = run_well(NULL, words);
        assert_contains(out, usage);
        assert_contains(top, commands[i]);
        free(out);
    }
    free(top);
}

static void test_version(void **state)
{
    (void)state;
    char *out = run_well(NULL, "--version");
    int major, minor, patch;
    assert_int_equal(sscanf(out, "banyan %d.%d.%d", &major, &minor, &patch), 3);
    free(out);
}

static void test_wrong_words(void **state)
{
    (void)state;
    assert_refuses("serach", 2, "did you mean 'search'?");
    assert_refuses("perft tictacto 3", 2, "did you mean 'tictactoe'?");
    assert_refuses("perft tictactoe", 2, "wants GAME and DEPTH");
    assert_refuses("perft tictactoe three", 2, "DEPTH is an integer from 0 to 64");
    assert_refuses("perft tictactoe 3 4", 2, "one word too many");
    assert_refuses("search tictactoe --simulation-count=3", 2, "no option is called");
    assert_refuses("search tictactoe --explorations=3", 2, "did you mean '--exploration'?");
    assert_refuses("search tictactoe --exploration=warm", 2, "exploration");
    assert_refuses("search tictactoe --rule=usb1", 2, "ucb1");
    assert_refuses("search tictactoe -o rul=ucb1", 2, "did you mean 'rule'?");
    assert_refuses("search tictactoe --evaluator=rolout", 2, "rolout");
    assert_refuses("search tictactoe --moves='a1 a1'", 2, "a1");
    assert_refuses("search tictactoe --position=xyz", 2, "");
    assert_refuses("tree tictactoe --format=gif", 2, "text, xml, json, dot, svg, html");
    assert_refuses("play tictactoe --p0=mtcs", 2, "mcts");
    assert_refuses("play tictactoe --p2=random", 2, "its players are 0 to 1");
    assert_refuses("suite", 2, "wants a FILE");
    assert_refuses("verify tictactoe", 2, "wants GAME and FILES");
    assert_refuses("search tictactoe --moves='a1 a2 b1 b2 c1'", 2, "the game is over");
}

static void test_list(void **state)
{
    (void)state;
    json_t *list = run_json("list --json"), *games = json_object_get(list, "games"), *game;
    size_t i;
    bool found = false;
    json_array_foreach(games, i, game)
    {
        if (strcmp(get_string(game, "name"), "tictactoe") != 0)
            continue;
        found = true;
        assert_int_equal(get_int(game, "state_bytes"), 8);
        assert_int_equal(get_int(game, "max_legal"), 9);
        assert_true(json_is_true(json_object_get(game, "zero_sum")));
        assert_true(json_is_false(json_object_get(game, "hidden")));
    }
    assert_true(found);
    assert_true(json_array_size(json_object_get(list, "players")) >= 5);
    assert_true(json_array_size(json_object_get(list, "rules")) == 5);
    json_decref(list);
    char *text = run_well(NULL, "list");
    assert_contains(text, "tictactoe");
    assert_contains(text, "ucb1-tuned");
    free(text);
}

static void test_doctor(void **state)
{
    (void)state;
    json_t *report = run_json("doctor --json");
    assert_int_equal(get_int(report, "cores"), sysconf(_SC_NPROCESSORS_ONLN));
    assert_true(get_int(report, "memory_bytes") > 1 << 20);
    assert_true(json_is_object(json_object_get(report, "cpu")));
    get_string(report, "compiler");
    json_decref(report);
}

/* --- perft --- */

struct perft_case {
    const char *game;
    int depth;
    json_int_t leaves, ended;
};

static void test_perft(void **state)
{
    (void)state;
    static const struct perft_case cases[] = {
        /* tic-tac-toe: 255168 games, of them 127872 of nine moves */
        {"tictactoe", 0, 1, 0},
        {"tictactoe", 5, 15120, 0},
        {"tictactoe", 6, 54720, 1440},
        {"tictactoe", 9, 127872, 127296},
        /* Othello: the published counts, passes are plies */
        {"othello", 6, 8200, 0},
        {"othello", 8, 390216, 0},
        {"othello-6x6", 7, 47740, 0},
        {"othello-4x4", 8, 9112, 4},
        {"othello-4x4", 13, 31396, 28168},
        /* choices at once, and dice: three times three, two arms that win or lose */
        {"rps", 1, 9, 0},
        {"bandit", 1, 4, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char words[96];
        snprintf(words, sizeof words, "perft %s %d --json", cases[i].game, cases[i].depth);
        json_t *json = run_json(words);
        if (get_int(json, "leaves") != cases[i].leaves ||
            get_int(json, "ended_before") != cases[i].ended)
            fail_msg("%s: %lld leaves, %lld ended", words, (long long)get_int(json, "leaves"),
                     (long long)get_int(json, "ended_before"));
        assert_int_equal(get_int(json, "sum"), cases[i].leaves + cases[i].ended);
        json_decref(json);
    }
}

static void test_perft_divides(void **state)
{
    (void)state;
    json_t *json = run_json("perft tictactoe 6 --divide --json"), *row;
    json_int_t sum = 0;
    size_t i;
    json_array_foreach(json_object_get(json, "divide"), i, row) sum += get_int(row, "leaves");
    assert_int_equal(sum, 54720);
    assert_int_equal(json_array_size(json_object_get(json, "divide")), 9);
    json_decref(json);
    char *text = run_well(NULL, "perft tictactoe 6");
    assert_contains(text, "54720 leaves, 1440 games ended before, 56160 together");
    free(text);
}

/* --- search --- */

static void test_search_finds_the_win(void **state)
{
    (void)state;
    /* x: a1 b1, o: a2 b2, x to move wins by c1 */
    json_t *json = run_json("search tictactoe --moves='a1 a2 b1 b2' -n 500 --seed=3 --json");
    assert_string_equal(get_string(json, "best"), "c1");
    assert_string_equal(get_string(json, "game"), "tictactoe");
    assert_string_equal(json_string_value(json_array_get(json_object_get(json, "pv"), 0)), "c1");
    json_decref(json);
}

/* All visits of the root's children are simulations, but those that came before the root's node. */
static void test_search_counts(void **state)
{
    (void)state;
    static const char *const games[] = {"tictactoe", "othello", "pig", "rps", NULL};
    for (int g = 0; games[g]; ++g) {
        char words[128];
        snprintf(words, sizeof words, "search %s -n 1000 --solver=off --json", games[g]);
        json_t *json = run_json(words), *row;
        json_int_t simulations = get_int(json, "simulations"), visits[2] = {0, 0}, most = 0;
        const char *best = "";
        size_t i;
        assert_int_equal(simulations, 1000);
        json_array_foreach(json_object_get(json, "root"), i, row)
        {
            json_int_t player = get_int(row, "player");
            assert_in_range(player, 0, 1);
            visits[player] += get_int(row, "visits");
            if (player == 0 && get_int(row, "visits") > most) {
                most = get_int(row, "visits");
                best = get_string(row, "action");
            }
        }
        assert_in_range(visits[0], 998, 1000);
        assert_true(visits[1] == 0 || visits[1] == visits[0]);
        assert_int_equal(strncmp(get_string(json, "best"), best, strlen(best)), 0);
        json_decref(json);
    }
}

static void test_search_repeats_itself(void **state)
{
    (void)state;
    json_t *first = run_json("search othello -n 2000 --seed=5 --json");
    json_t *second = run_json("search othello -n 2000 --seed=5 --json");
    json_t *other = run_json("search othello -n 2000 --seed=6 --json");
    json_object_del(first, "elapsed_ms");
    json_object_del(second, "elapsed_ms");
    json_object_del(other, "elapsed_ms");
    assert_true(json_equal(first, second));
    assert_false(json_equal(first, other));
    json_decref(first);
    json_decref(second);
    json_decref(other);
}

static void test_search_prints_a_table(void **state)
{
    (void)state;
    char *text = run_well(NULL, "search tictactoe -n 200 --profile");
    assert_contains(text, "visits");
    assert_contains(text, "best ");
    assert_contains(text, "pv ");
    assert_contains(text, "1 thread");
    assert_contains(text, "evaluate");
    free(text);
    text = run_well(NULL, "search rps -n 100");
    assert_contains(text, "player 0");
    assert_contains(text, "player 1");
    free(text);
}

/* --- explain --- */

/* The worked example: after iteration 1 the root has n 1 and mean 0; then 2, 10 with S1 1, 20; then
 * 3, 10 with S2 1, 10; the fourth chooses S1, of equal visits and higher mean, and simulates its
 * first child. */
static void test_explain_example(void **state)
{
    (void)state;
    char *text = run_well(NULL, "explain example");
    assert_contains(text, "after 1:  root n = 1, mean 0\n");
    assert_contains(text, "after 2:  root n = 2, mean 10 | S1: 1, 20 | S2: 0\n");
    assert_contains(text, "after 3:  root n = 3, mean 10 | S1: 1, 20 | S2: 1, 10\n");
    assert_contains(text, "S1       20.0000 + 2.0000 * sqrt(ln 3 / 1) = 22.0963   <- chosen\n");
    assert_contains(text, "S2       10.0000 + 2.0000 * sqrt(ln 3 / 1) = 12.0963\n");
    const char *fourth = strstr(text, "iteration 4");
    assert_non_null(fourth);
    assert_contains(fourth, "S3 <- new");
    assert_contains(fourth, "simulate  root S1 S3");
    free(text);
}

/* Whatever the rule and the game: n grows by one, and every simulation has its value. */
static void test_explain_any_rule(void **state)
{
    (void)state;
    static const char *const words[] = {
        "explain tictactoe -i 5",    "explain tictactoe -i 5 --rule=puct",
        "explain pig -i 5",          "explain rps -i 5 --rule=regret",
        "explain kuhn -i 5",         "explain tictactoe -i 5 --rule=ucb1-tuned",
        "explain othello -i 5 -k 2", NULL};
    for (int i = 0; words[i]; ++i) {
        char *text = run_well(NULL, words[i]);
        assert_contains(text, "after 5:  root n = 5");
        assert_contains(text, "iteration 5");
        assert_contains(text, "the tree");
        free(text);
    }
}

/* --- tree --- */

static void check_tree_node(const json_t *node, json_int_t arrivals)
{
    json_t *edge, *child;
    size_t i, j;
    json_int_t edges = 0;
    assert_true(get_int(node, "visits") <= arrivals);
    json_array_foreach(json_object_get(node, "edges"), i, edge)
    {
        json_int_t below = 0;
        get_string(edge, "action");
        edges += get_int(edge, "visits");
        json_array_foreach(json_object_get(edge, "nodes"), j, child)
        {
            below += get_int(child, "visits");
            check_tree_node(child, get_int(edge, "visits"));
        }
        assert_true(below <= get_int(edge, "visits"));
    }
    assert_true(edges <= get_int(node, "visits"));
}

static void test_tree_json(void **state)
{
    (void)state;
    static const char *const words[] = {"tree tictactoe -n 400 -f json --depth=0",
                                        "tree pig -n 300 -f json", "tree kuhn -n 300 -f json",
                                        "tree rps -n 50 -f json", NULL};
    for (int w = 0; words[w]; ++w) {
        json_t *tree = run_json(words[w]), *root;
        size_t i;
        assert_true(json_array_size(json_object_get(tree, "roots")) >= 1);
        json_array_foreach(json_object_get(tree, "roots"), i, root)
            check_tree_node(root, get_int(root, "visits"));
        json_decref(tree);
    }
}

/* Every tag that opens closes in order. */
static void assert_balanced(const char *xml)
{
    char open[64][32];
    int depth = 0, tags = 0;
    for (const char *at = xml; (at = strchr(at, '<')) != NULL; ++at) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        if (at[1] == '?' || at[1] == '!' || end[-1] == '/')
            continue;
        char name[32] = "";
        sscanf(at + 1 + (at[1] == '/'), "%31[A-Za-z0-9]", name);
        if (strcmp(name, "meta") == 0)
            continue;
        ++tags;
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else {
            assert_true(depth < 64);
            strcpy(open[depth++], name);
        }
    }
    assert_int_equal(depth, 0);
    assert_true(tags > 4);
}

static void test_tree_formats(void **state)
{
    (void)state;
    char *text = run_well(NULL, "tree tictactoe -n 200 -f xml");
    assert_balanced(text);
    assert_contains(text, "<ActionNode p=\"1\" visits=\"200\"");
    assert_contains(text, "<ChanceNode action=\"b2\"");
    free(text);
    text = run_well(NULL, "tree tictactoe -n 200 -f svg --min-visits=10");
    assert_balanced(text);
    assert_int_equal(strncmp(text, "<svg ", 5), 0);
    free(text);
    text = run_well(NULL, "tree pig -n 200 -f html --min-visits=5");
    assert_balanced(text);
    assert_contains(text, "<!DOCTYPE html>");
    free(text);
    text = run_well(NULL, "tree tictactoe -n 200 -f dot");
    assert_contains(text, "digraph tree {");
    assert_contains(text, "n0 -> n1;");
    free(text);
    text = run_well(NULL, "tree tictactoe -n 200 --depth=1 --max-children=2");
    int lines = 0;
    for (char *at = text; (at = strchr(at, '\n')) != NULL; ++at)
        ++lines;
    assert_int_equal(lines, 3); /* the root and two children */
    free(text);
}

static void test_tree_writes_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/banyan-tree-XXXXXX", words[128];
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    snprintf(words, sizeof words, "tree tictactoe -n 50 -f json -O %s", path);
    free(run_well(NULL, words));
    json_t *tree = json_load_file(path, 0, NULL);
    assert_non_null(tree);
    json_decref(tree);
    unlink(path);
    assert_refuses("tree tictactoe -n 50 -O /nonexistent/folder/file", 1, "No such file");
}

/* --- play --- */

static void test_play_from_a_pipe(void **state)
{
    (void)state;
    char *text = run_well("help\nmoves\na9\nb2\nundo\neval\nhint\na1\nboard\nquit\n",
                          "play tictactoe --p1=mcts:simulations=200 --hint-simulations=500");
    assert_contains(text, "what a search would play here");
    assert_contains(text, "a1 b1 c1 a2 b2 c2 a3 b3 c3");
    assert_contains(text, "`moves` lists the legal ones");
    assert_contains(text, "expected return after 500 simulations");
    assert_contains(text, "Q/N");
    assert_contains(text, "(200 simulations");
    /* after undo the search answers another move */
    assert_contains(strstr(text, "expected return"), "player 1 (mcts:simulations=200) plays");
    free(text);
}

static void test_play_to_the_end(void **state)
{
    (void)state;
    char *text = run_well("a1\na2\nb1\nb2\nc1\n", "play tictactoe --p0=human --p1=human");
    assert_contains(text, "result: player 0 +1 player 1 -1");
    free(text);
    text = run_well("a1\n", "play tictactoe --p0=human --p1=human");
    assert_contains(text, "end of input");
    assert_null(strstr(text, "result:"));
    free(text);
    text = run_well(NULL, "play othello --black=random --white=first --seed=3");
    assert_contains(text, "result: player 0");
    free(text);
    text = run_well("rock\npaper\n", "play rps --p0=human --p1=human");
    assert_contains(text, "result: player 0 -1 player 1 +1");
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
    assert_contains(why, "it is -1 to +0");
    assert_string_equal(get_string(json_array_get(rows, 2), "action"), "c1");
    json_decref(json);
    program_free(&run);
    snprintf(words, sizeof words, "suite %s -n 2000 --need=2", path);
    free(run_well(NULL, words));
    unlink(path);
}

static void test_suite_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *content, *message;
    } cases[] = {
        {"position early\n", ":1: name the game before"},
        {"game chess\n", ":1: no game is called 'chess'"},
        {"game tictactoe\nposition x\n bset a1\n", ":3: no such word, did you mean 'best'"},
        {"game tictactoe\nposition x\n best\n", ":3: a value is missing"},
        {"game tictactoe\nposition x\n legal many\n", ":3: wants a number"},
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
    assert_refuses("suite /nonexistent.suite", 1, "No such file");
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
    check_verify("a1 a2 b1 b2 c1 0-1\n", 1, 1, ":1: the record says that player 1 won");
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
    assert_refuses("verify pig games.txt", 2, "no format of records of pig is known");
    assert_refuses("verify tictactoe --format=chess games.txt", 2, "--format is one of moves");
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
                                       "leaves_per_s",
                                       "copies_per_s",
                                       "legal_ns",
                                       "apply_ns",
                                       NULL};
    json_t *json = run_json("bench tictactoe --seconds=0.01 --json");
    json_t *game = json_array_get(json_object_get(json, "games"), 0);
    assert_int_equal(get_int(json, "threads"), 1);
    for (int i = 0; keys[i]; ++i)
        assert_true(json_number_value(json_object_get(game, keys[i])) > 0);
    json_decref(json);
}

static void test_demo(void **state)
{
    (void)state;
    char *text = run_well(NULL, "demo tictactoe --seconds=0.2");
    assert_contains(text, "== Tic-tac-toe ==");
    assert_contains(text, "player 0 plays");
    assert_contains(text, "won-drawn-lost");
    free(text);
    text = run_well(NULL, "demo rps --seconds=0.1");
    assert_contains(text, "mcts - random");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_command_has_help),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_wrong_words),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_doctor),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_perft_divides),
        cmocka_unit_test(test_search_finds_the_win),
        cmocka_unit_test(test_search_counts),
        cmocka_unit_test(test_search_repeats_itself),
        cmocka_unit_test(test_search_prints_a_table),
        cmocka_unit_test(test_explain_example),
        cmocka_unit_test(test_explain_any_rule),
        cmocka_unit_test(test_tree_json),
        cmocka_unit_test(test_tree_formats),
        cmocka_unit_test(test_tree_writes_a_file),
        cmocka_unit_test(test_play_from_a_pipe),
        cmocka_unit_test(test_play_to_the_end),
        cmocka_unit_test(test_suite_fforum),
        cmocka_unit_test(test_suite_judges),
        cmocka_unit_test(test_suite_refuses),
        cmocka_unit_test(test_verify_games),
        cmocka_unit_test(test_verify_finds_differences),
        cmocka_unit_test(test_verify_damaged_archive),
        cmocka_unit_test(test_signature),
        cmocka_unit_test(test_bench),
        cmocka_unit_test(test_demo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
