/* The program from outside: words in, text, JSON and exit codes out. */
#include "cli_program.h"

#include <math.h>

/* --- the frame --- */

static const char *const commands[] = {
    "demo",  "list",   "play",  "search", "explain", "tree",  "perft", "suite",  "bench", "verify",
    "match", "doctor", "serve", "gtp",    "nboard",  "check", "train", "worker", "queue", NULL};

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
    assert_refuses("serach", 2, "did you mean 'search'? `banyan --help` names all");
    assert_refuses("zzzzzz", 2, "no command is called 'zzzzzz'; `banyan --help` names all");
    assert_refuses("search chess", 2, "no game is called 'chess'; `banyan list`");
    assert_refuses("match othello mcst random", 2, "did you mean 'mcts'? In othello there are:");
    assert_refuses("perft tictacto 3", 2, "did you mean 'tictactoe'?");
    assert_refuses("perft tictactoe", 2, "needs GAME and DEPTH");
    assert_refuses("perft tictactoe three", 2, "DEPTH is an integer from 0 to 64");
    assert_refuses("perft tictactoe 3 4", 2, "one word too many");
    assert_refuses("search tictactoe -n 1m", 2, "not '1m' (k, M and G stand for a thousand");
    assert_refuses("search tictactoe --simulation-count=3", 2, "no option is called");
    assert_refuses("search tictactoe --explorations=3", 2, "did you mean '--exploration'?");
    assert_refuses("search tictactoe --exploration=warm", 2, "exploration");
    assert_refuses("search tictactoe --rule=usb1", 2, "ucb1");
    assert_refuses("search tictactoe -o rul=ucb1", 2, "did you mean 'rule'?");
    assert_refuses("search tictactoe --evaluator=rolout", 2, "rolout");
    assert_refuses("search tictactoe --moves='a1 a1'", 2, "a1");
    assert_refuses("search tictactoe --position=xyz", 2, "");
    assert_refuses("tree tictactoe --format=gif", 2, "text, xml, json, dot, svg, html");
    assert_refuses("play tictactoe --player1=mtcs", 2, "mcts");
    assert_refuses("play tictactoe --player3=random", 2, "its players are 1 to 2");
    assert_refuses("suite", 2, "needs a FILE");
    assert_refuses("verify tictactoe", 2, "needs GAME and FILES");
    free(run_well(NULL, "check go-9x9 --games=2 -p '(;GM[1]SZ[9]AB[aa])'"));
    assert_refuses("check tictactoe --games=2 -p zzz", 2, "'z' in a tic-tac-toe position");
    assert_refuses("search tictactoe --moves='a1 a2 b1 b2 c1'", 2, "the game is over");
    assert_refuses("search tictactoe --allow=z9", 2, "'z9' is not a square");
    assert_refuses("search tictactoe --allow=a1 --avoid=b2", 2, "cannot both be given");
}

/* Integers of options are read exactly: a double would round 2^53 + 1, and 2^63 does not fit. */
static void test_long_integers(void **state)
{
    (void)state;
    char *even =
        run_well(NULL, "play pig --player1=random --player2=random --seed=9007199254740992");
    char *odd =
        run_well(NULL, "play pig --player1=random --player2=random --seed=9007199254740993");
    assert_string_not_equal(even, odd);
    free(even);
    free(odd);
    free(run_well(NULL, "check tictactoe --games=1 --seed=9223372036854775807"));
    assert_refuses("check tictactoe --games=1 --seed=9223372036854775808", 2,
                   "--seed is an integer from 0 to 9223372036854775807, not '9223372036854775808'");
    assert_refuses("check tictactoe --seed=9223372036854776k", 2, "not '9223372036854776k'");
    assert_refuses("check tictactoe --games=1.5k", 2, "not '1.5k'");
}

static void test_allowed_and_avoided(void **state)
{
    (void)state;
    json_t *only = run_json("search tictactoe --allow=a1 --allow=b2 -n 50 --json");
    assert_int_equal(json_array_size(json_object_get(only, "root")), 2);
    json_decref(only);
    json_t *without = run_json("search tictactoe --avoid=b2 -n 50 --json");
    assert_int_equal(json_array_size(json_object_get(without, "root")), 8);
    json_decref(without);
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
    assert_true(json_array_size(json_object_get(list, "rules")) == 6);
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

/* Reads a file of the repository; caller frees. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    return program_read(file);
}

/* Every key that the commands print stands in docs/json.md. */
static void check_keys(const char *manual, const json_t *json)
{
    const char *key;
    json_t *value;
    size_t i;
    if (json_is_object(json)) {
        json_object_foreach((json_t *)json, key, value)
        {
            char quoted[96];
            snprintf(quoted, sizeof quoted, "`%s`", key);
            if (!strchr(key, '.') && strncmp(key, "avx", 3) != 0)
                assert_contains(manual, quoted);
            if (strcmp(key, "cpu") != 0 && strcmp(key, "libraries") != 0)
                check_keys(manual, value);
        }
    }
    if (json_is_array(json))
        json_array_foreach(json, i, value) check_keys(manual, value);
}

static void test_json_is_described(void **state)
{
    (void)state;
    static const char *const words[] = {"list --json",
                                        "doctor --json",
                                        "search tictactoe -n 50 --profile --json",
                                        "tree tictactoe -n 50 -f json",
                                        "explain tictactoe -n 30 --json",
                                        "perft tictactoe 2 --divide --json",
                                        "bench tictactoe --time=0.01s --json",
                                        "bench --time=0.001s --json",
                                        "suite " TEST_DATA "/othello/fforum.suite --json "
                                        "--player=endgame:memory=4M --max-level=6",
                                        "verify tictactoe --json " TEST_DATA
                                        "/records/tictactoe.txt",
                                        NULL};
    char *manual = read_file(TEST_DATA "/../../docs/json.md");
    for (int i = 0; words[i]; ++i) {
        json_t *json = run_json(words[i]);
        check_keys(manual, json);
        json_decref(json);
    }
    free(manual);
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
        /* simultaneous choices and chance: 3 x 3, and two arms with two results each */
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

/* All visits of the root's children are simulations, without those that came before the root's
 * node was made. */
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

/* Two long names that differ at their ends can be told apart in the table of a match. */
static void test_match_shows_the_ends_of_names(void **state)
{
    (void)state;
    char *text =
        run_well(NULL, "match tictactoe mcts:simulations=9,raw-rewards=on,exploration=0.25 "
                       "mcts:simulations=9,raw-rewards=on,exploration=0.5 -n 2");
    assert_non_null(strstr(text, "\nmcts:simulations=..,exploration=0.25 "));
    assert_non_null(strstr(text, "\nmcts:simulations=..n,exploration=0.5 "));
    free(text);
}

/* A proven position is called so; a position of which only some actions are proven is not. */
static void test_search_says_what_is_proven(void **state)
{
    (void)state;
    char *text = run_well(NULL, "search tictactoe -n 100000");
    assert_non_null(strstr(text, "\nproven: X gets 0;"));
    free(text);
    text = run_well(NULL, "search tictactoe --moves='a1 b1 a2' -n 10000");
    assert_non_null(strstr(text, "\nproven: O gets -1;"));
    free(text);
    text = run_well(NULL, "search tictactoe -n 2000");
    assert_null(strstr(text, "\nproven:"));
    free(text);
}

/* rule=regret answers with a mixture, which is a column; other rules have none. */
static void test_regret_shows_its_strategy(void **state)
{
    (void)state;
    json_t *json = run_json("search rps -n 2000 -o rule=regret --json"), *row;
    double sum = 0;
    size_t i;
    json_array_foreach(json_object_get(json, "root"), i, row)
    {
        sum += json_number_value(json_object_get(row, "strategy"));
    }
    assert_true(fabs(sum - 2) < 1e-9); /* of both players */
    json_decref(json);
    json = run_json("search rps -n 2000 --json");
    row = json_array_get(json_object_get(json, "root"), 0);
    assert_null(json_object_get(row, "strategy"));
    json_decref(json);
    char *text = run_well(NULL, "search rps -n 2000 -o rule=regret");
    assert_contains(text, "strategy");
    free(text);
}

/* Every command reports a full disk. */
static void test_output_that_cannot_be_written(void **state)
{
    (void)state;
    static const char *const words[] = {"--version",
                                        "list",
                                        "doctor",
                                        "search tictactoe -n 50",
                                        "search tictactoe -n 50 --json",
                                        "explain tictactoe -n 2",
                                        "tree tictactoe -n 50",
                                        "perft tictactoe 3",
                                        "match tictactoe random random -n 2",
                                        "suite " TEST_DATA "/othello/fforum.suite -q --max-level=6",
                                        "play tictactoe --player1=random --player2=random",
                                        "match --help",
                                        "search --usage",
                                        "verify --formats",
                                        NULL};
    if (access("/dev/full", W_OK) != 0) {
        printf("SKIPPED: there is no /dev/full here\n");
        skip();
    }
    for (int i = 0; words[i]; ++i) {
        char line[512];
        snprintf(line, sizeof line, "%s > /dev/full", words[i]);
        struct program_run run = program_run(NULL, line);
        if (run.code != 1)
            fail_msg("banyan %s: exit code %d", line, run.code);
        assert_contains(run.err, "could not be written");
        program_free(&run);
    }
}

static void drop_times(json_t *json)
{
    json_object_del(json, "elapsed_ms");
    json_object_del(json, "cpu_ms");
    json_object_del(json, "simulations_per_s");
}

static void test_search_repeats_itself(void **state)
{
    (void)state;
    json_t *first = run_json("search othello -n 2000 --seed=5 --json");
    json_t *second = run_json("search othello -n 2000 --seed=5 --json");
    json_t *other = run_json("search othello -n 2000 --seed=6 --json");
    drop_times(first);
    drop_times(second);
    drop_times(other);
    assert_true(json_equal(first, second));
    assert_false(json_equal(first, other));
    json_decref(first);
    json_decref(second);
    json_decref(other);
}

/* A number from 1 and the game's own name mean the same player, in every command. */
static void test_players_have_names(void **state)
{
    (void)state;
    static const char *const same[] = {"tree pokemon -n 20 -d 1 --as=p2",
                                       "tree pokemon -n 20 -d 1 --as=2",
                                       "tree pokemon -n 20 -d 1 --as P2"};
    char *first = run_well(NULL, same[0]);
    assert_contains(first, "p2  n ");
    for (int i = 1; i < 3; ++i) {
        char *other = run_well(NULL, same[i]);
        assert_string_equal(first, other);
        free(other);
    }
    free(first);
    assert_refuses("search othello --as 0", 2, "the players of othello are 1 (black) to 2 (white)");
    assert_refuses("search othello --as green", 2, "--as=green");
    char *text = run_well(NULL, "explain othello -i 2");
    assert_contains(text, ", black");
    assert_null(strstr(text, "player "));
    free(text);
    text = run_well(NULL, "match mushroom random random --games 2");
    assert_contains(text, "the first as FIRST");
    assert_contains(text, "the first as SECOND");
    free(text);
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
    assert_contains(text, "player 1");
    assert_contains(text, "player 2");
    assert_null(strstr(text, "player 0"));
    free(text);
}

/* --- explain --- */

/* The worked example: after iteration 1 the root has n 1 and mean 0; then 2, 10 with S1 1, 20; then
 * 3, 10 with S2 1, 10; the fourth chooses S1, which has equal visits and the higher mean, and
 * simulates its first child. */
static void test_explain_example(void **state)
{
    (void)state;
    char *text = run_well(NULL, "explain example");
    assert_contains(text, "after 1:  root n = 1, mean 0\n");
    assert_contains(text, "after 2:  root n = 2, mean 10 | S1: n = 1, mean 20 | 1 not tried yet\n");
    assert_contains(text,
                    "after 3:  root n = 3, mean 10 | S1: n = 1, mean 20 | S2: n = 1, mean 10\n");
    assert_contains(text, "S1       20.0000 + 2.0000 * sqrt(ln 3 / 1) = 22.0963   <- chosen\n");
    assert_contains(text, "S2       10.0000 + 2.0000 * sqrt(ln 3 / 1) = 12.0963\n");
    assert_contains(text, "with the textbook's C: S1, 20.0000 + 1.4142 * sqrt(ln 3 / 1) = 21.4823: "
                          "the same choice\n");
    const char *fourth = strstr(text, "iteration 4");
    assert_non_null(fourth);
    assert_contains(fourth, "S3 <- new");
    assert_contains(fourth, "simulate  root S1 S3");
    free(text);
}

/* Without a number: until the formula has chosen twice, in tic-tac-toe in iterations 11 and 12. */
static void test_explain_until_the_formula(void **state)
{
    (void)state;
    char *text = run_well(NULL, "explain tictactoe");
    assert_contains(text, "C = 2.0000");
    assert_contains(text, "has C = 2.8284, which is exploration=0.7071; ours is 0.5");
    assert_contains(text, "iterations 4 to 10 try every other action once");
    assert_null(strstr(text, "iteration 10\n"));
    assert_contains(text, "iteration 11\n  select    root (n = 10), X\n");
    assert_contains(text, "iteration 12\n  select    root (n = 11), X\n");
    assert_null(strstr(text, "iteration 13\n"));
    free(text);
    text = run_well(NULL, "explain pokemon -k 3");
    assert_contains(text, "  select    ");
    assert_null(strstr(text, "play on"));
    free(text);
}

/* PUCT at the root of Othello, after each of four equal actions was tried: 1.25 * 0.25 * sqrt(5) / 2. */
static void test_explain_puct(void **state)
{
    (void)state;
    char *text = run_well(NULL, "explain othello --rule=puct --evaluator=heuristic");
    const char *at = strstr(text, "      d3       ");
    double reward, exploration, score, mean;
    assert_non_null(at);
    assert_int_equal(
        sscanf(at, " d3 %lf + %lf = %lf, n_j = 1, P = 0.2500", &reward, &exploration, &score), 3);
    assert_int_equal(
        sscanf(strstr(text, "backup    root d3"), "backup root d3: n = 1, mean = %lf", &mean), 1);
    assert_true(fabs(reward - (mean + 1) / 2) < 1e-4);
    assert_true(fabs(exploration - 1.25 * 0.25 * sqrt(5) / 2) < 1e-4);
    assert_true(fabs(score - reward - exploration) < 2e-4);
    free(text);
}

/* The moves that are shown lead to the result that is shown. */
static void test_explain_plays_a_random_game(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 5; ++seed) {
        char command[256], moves[128] = "", result[64];
        snprintf(command, sizeof command, "explain connect4 -i 1 --seed=%d", seed);
        char *text = run_well(NULL, command), *at = strstr(text, "at random:");
        assert_non_null(at);
        for (at += strlen("at random:"); *at == ' '; at += 4) /* " X 4" */
            snprintf(moves + strlen(moves), sizeof moves - strlen(moves), "%c ", at[3]);
        assert_int_equal(sscanf(at, " simulate root: result %63[^\n]", result), 1);
        free(text);
        snprintf(command, sizeof command,
                 "play connect4 --player1=random --player2=random --moves=\"%s\"", moves);
        text = run_well(NULL, command);
        result[strcspn(result, ",")] = 0; /* "X +1" */
        assert_contains(text, result);
        free(text);
    }
}

/* With every rule and game n grows by one in each iteration, and every simulation has a value. */
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
    text = run_well(NULL, "tree tictactoe -n 200 -f dot");
    assert_contains(text, "digraph tree {");
    assert_contains(text, "n0 -> n1;");
    free(text);
    text = run_well(NULL, "tree tictactoe -n 200 --depth=1 --max-children=2");
    int lines = 0;
    for (char *at = text; (at = strchr(at, '\n')) != NULL; ++at)
        ++lines;
    assert_int_equal(lines, 4); /* the root, two children, what the numbers are */
    free(text);
}

/* The boxes of a page: the root first, chance outcomes by their dice, boards; nothing is fetched. */
static void test_tree_page(void **state)
{
    (void)state;
    char *text = run_well(NULL, "tree pig -n 200 -f html --min-visits=5");
    char *data = strstr(text, "id=\"data\">");
    assert_non_null(data);
    data += strlen("id=\"data\">");
    assert_int_equal(strncmp(strchr(data, '<'), "</script>", 9), 0);
    json_t *tree = json_loadb(data, strcspn(data, "<"), 0, NULL);
    const json_t *boxes = json_object_get(tree, "boxes"), *box;
    assert_int_equal(get_int(json_array_get(boxes, 0), "up"), -1);
    assert_string_equal(get_string(json_array_get(boxes, 1), "title"), "roll");
    assert_contains(get_string(json_array_get(boxes, 0), "board"), "0 of 100");
    int dice = 0;
    size_t i;
    json_array_foreach(boxes, i, box)
    {
        assert_true(get_int(box, "up") < (json_int_t)i);
        if (get_int(box, "up") == 1) /* the outcomes of the first roll */
            dice += strncmp(get_string(box, "title"), "die ", 4) == 0;
    }
    assert_int_equal(dice, 3); /* the most visited ones */
    json_decref(tree);
    for (const char *at = text; (at = strstr(at, "http")); at += 4)
        assert_int_equal(strncmp(at, "http://www.w3.org/2000/svg", 26), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_command_has_help),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_wrong_words),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_long_integers),
        cmocka_unit_test(test_allowed_and_avoided),
        cmocka_unit_test(test_doctor),
        cmocka_unit_test(test_json_is_described),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_perft_divides),
        cmocka_unit_test(test_search_finds_the_win),
        cmocka_unit_test(test_search_counts),
        cmocka_unit_test(test_search_says_what_is_proven),
        cmocka_unit_test(test_match_shows_the_ends_of_names),
        cmocka_unit_test(test_regret_shows_its_strategy),
        cmocka_unit_test(test_output_that_cannot_be_written),
        cmocka_unit_test(test_search_repeats_itself),
        cmocka_unit_test(test_players_have_names),
        cmocka_unit_test(test_search_prints_a_table),
        cmocka_unit_test(test_explain_example),
        cmocka_unit_test(test_explain_until_the_formula),
        cmocka_unit_test(test_explain_puct),
        cmocka_unit_test(test_explain_plays_a_random_game),
        cmocka_unit_test(test_explain_any_rule),
        cmocka_unit_test(test_tree_json),
        cmocka_unit_test(test_tree_formats),
        cmocka_unit_test(test_tree_page),
        cmocka_unit_test(test_tree_writes_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
