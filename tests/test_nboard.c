/* `banyan nboard`: a session as NBoard has it, exact endgames, and lines that make no sense. */
#include "cli_program.h"

#define START                                                                \
    "set game (;GM[Othello]PC[NBoard]PB[Ann]PW[Bob]RE[?]TI[15:00]TY[8]BO[8 " \
    "---------------------------O*------*O--------------------------- *]"

/* fforum-1 of tests/data/othello/fforum.suite: best is g8, with 18 discs. */
#define ENDING                    \
    "set game (;GM[Othello]BO[8 " \
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X];)"

static char *talk(const char *input, const char *words)
{
    char command[256];
    snprintf(command, sizeof command, "nboard %s", words);
    return run_well(input, command);
}

static int count_lines(const char *text, const char *start)
{
    int count = 0;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        count += strncmp(line, start, strlen(start)) == 0;
    return count;
}

/* The first line that begins so, without the beginning; fails if there is none. */
static const char *line_of(const char *text, const char *start)
{
    const char *line = text;
    while (line && strncmp(line, start, strlen(start)) != 0)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    if (!line)
        fail_msg("no line begins with '%s' in:\n%s", start, text);
    return line + strlen(start);
}

static void test_session(void **state)
{
    (void)state;
    char *text = talk("nboard 2\nset depth 6\n" START "B[F5/0.1/2]W[F6]B[D3//3];)\nping 5\n"
                      "move C5/2.5/0.1\ngo\nmove E6\nhint 2\nlearn\nquit\ngo\n",
                      "--seed=3");
    assert_contains(text, "set myname Banyan\nset myname Banyan6\npong 5\n");
    assert_int_equal(count_lines(text, "=== "), 1); /* nothing after quit */
    assert_int_equal(count_lines(text, "status error"), 0);
    assert_int_equal(count_lines(text, "learned"), 1);
    char move[3] = "", pv[128] = "";
    double value, seconds, depth;
    assert_int_equal(sscanf(line_of(text, "=== "), "%2[A-H1-8]/%lf/%lf", move, &value, &seconds),
                     3);
    assert_true(value >= -64 && value <= 64 && seconds >= 0);
    const char *search = line_of(text, "search ");
    assert_int_equal(sscanf(search, "%127s %lf 0 %lf", pv, &value, &depth), 3);
    assert_true(strncmp(pv, move, 2) == 0 && depth >= 1);
    assert_true(count_lines(strstr(text, "=== "), "search ") >= 2); /* hint 2 */
    free(text);
}

/* A game that is set whole has the same answer as one that is played move by move. */
static void test_moves_are_those_of_a_game(void **state)
{
    (void)state;
    char *one = talk("set depth 8\n" START "B[F5]W[D6];)\ngo\n", "");
    char *two = talk("set depth 8\n" START ";)\nmove f5\nmove d6//0.3\ngo\n", "");
    assert_memory_equal(line_of(one, "=== "), line_of(two, "=== "), 3);
    free(one);
    free(two);
}

static void test_endings_are_exact(void **state)
{
    (void)state;
    char *text = talk(ENDING "\nhint 3\ngo\nmove G8\nanalyze\n", "");
    assert_int_equal(count_lines(text, "status error"), 0);
    assert_memory_equal(line_of(text, "search "), "G8 18.00 0 100%\n", 16);
    assert_memory_equal(line_of(text, "=== "), "G8/18.00/", 9);
    assert_int_equal(count_lines(text, "search "), 4); /* three for hint, one for go */
    assert_memory_equal(line_of(text, "analysis "), "1 -18.00\n", 9);
    assert_contains(text, "\nanalysis 0 18.00\n");
    free(text);
}

/* Every position of the game is valued, the last one first. */
static void test_analysis(void **state)
{
    (void)state;
    int ply;
    double value;
    char *text = talk("set depth 2\n" START "B[F5]W[F6]B[D3];)\nanalyze\n", "");
    assert_int_equal(sscanf(line_of(text, "analysis "), "%d %lf", &ply, &value), 2);
    assert_int_equal(ply, 3);
    assert_int_equal(count_lines(text, "analysis "), 4);
    free(text);
}

/* At this depth a search takes minutes; a ping that waits ends it. */
static void test_ping_ends_a_search(void **state)
{
    (void)state;
    char *text = talk("set depth 40\ngo\nping 7\nhint 3\nping 8\nanalyze\nping 9\n", "");
    assert_int_equal(count_lines(text, "=== "), 1);
    assert_contains(strstr(text, "=== "), "pong 7\n");
    assert_contains(strstr(text, "pong 7\n"), "search ");
    assert_contains(text, "pong 8\npong 9\n");
    free(text);
    text = talk("set depth 40\ngo\n", "--time=20ms");
    assert_int_equal(count_lines(text, "=== "), 1);
    free(text);
}

static void test_wrong_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *answer; /* NULL: none */
    } rows[] = {
        {"", NULL},
        {"set contempt 20", NULL},
        {"dance", NULL},
        {"set depth x", "status error: set depth: 'x' is not a number of plies\n"},
        {"set game hello",
         "status error: a game in GGF has a board, BO[8 ...]; 'hello' has none\n"},
        {"set game (;BO[10 --",
         "status error: a game in GGF has a board, BO[8 ...]; '(;BO[10 --' has"},
        {"set game (;GM[Othello]PB[a])",
         "status error: a game in GGF has a board, BO[8 ...]; '(;GM[Othello]PB[a])' has none\n"},
        {"set game (;BO[10 --];)", "status error: BO[10 --...]: only boards of size 8"},
        {"set game (;BO[8 --];)", "status error: an Othello position has 64 squares"},
        {START "B[F5]B[F6];)", "status error: B[F6]: it is white's turn\n"},
        {START "B[A1];)", "status error: A1 turns no disc for black\n"},
        {"move A1", "status error: A1 turns no disc for black\n"},
        {"move PA", "status error: black may not pass: there is a legal move\n"},
        {"move", "status error: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char input[512];
        snprintf(input, sizeof input, "%s\nping 1\n", rows[i].line);
        char *text = talk(input, "");
        if (rows[i].answer)
            assert_memory_equal(text, rows[i].answer, strlen(rows[i].answer));
        assert_contains(text, "pong 1\n");
        assert_int_equal(count_lines(text, ""), rows[i].answer ? 3 : 2); /* and after the last */
        free(text);
    }
}

/* After an error the game is the one before; a game that is over has no move. */
static void test_after_errors(void **state)
{
    (void)state;
    char *text = talk(START "B[F5];)\nset game (;BO[8 --];)\nmove D6\nping 1\n", "");
    assert_int_equal(count_lines(text, "status error"), 1);
    free(text);
    text = talk("set game (;BO[8 "
                "****************************************************************"
                " *];)\ngo\nhint 1\nmove A1\nanalyze\n",
                "");
    assert_contains(text,
                    "status error: go: the game is over\nstatus error: hint: the game is over\n"
                    "status error: A1: the game is over\nanalysis 0 64.00\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session),
        cmocka_unit_test(test_moves_are_those_of_a_game),
        cmocka_unit_test(test_endings_are_exact),
        cmocka_unit_test(test_analysis),
        cmocka_unit_test(test_ping_ends_a_search),
        cmocka_unit_test(test_wrong_lines),
        cmocka_unit_test(test_after_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
