/* Recorded games as moves and a result: which records agree, and the messages for those that do
 * not. */
#include "records/records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Verifies one text; says: everything that was printed about differences. */
static struct records_report verify(const char *name, const char *text, char *says, size_t size)
{
    const struct banyan_game *game;
    const struct records_format *format = NULL;
    struct records_source *source;
    struct banyan_error err = {.message = ""};
    FILE *out = tmpfile();
    assert_non_null(out);
    struct records_report report = {.out = out, .shown = 9};
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    for (int i = 0; records_format_at(i); ++i)
        if (strcmp(records_format_at(i)->name, "moves") == 0)
            format = records_format_at(i);
    assert_non_null(format);
    assert_int_equal(records_open_memory("memory", text, strlen(text), &source, &err), BANYAN_OK);
    if (format->read(game, source, &report, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    records_close(source);
    rewind(out);
    says[fread(says, 1, size - 1, out)] = 0;
    fclose(out);
    return report;
}

/* X takes the first column: a1, a2, a3. */
#define X_WINS "a1 b1 a2 b2 a3"
#define O_WINS "a1 b1 a2 b2 c3 b3"
#define DRAWN  "b2 a1 c1 a3 a2 c2 b1 b3 c3"
/* The shortest game of Othello: Black has 13 discs, White none, 51 squares are empty (the winner may be
 * given them: 64-0). */
#define WIPED "e6f4e3f6g5d6e7f5c5"

static void results_that_agree(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *text;
        uint64_t games;
    } cases[] = {{"tictactoe", X_WINS " 1-0\n", 1},
                 {"tictactoe", O_WINS " 0-1\n", 1},
                 {"tictactoe", DRAWN " 1/2\n" DRAWN " 1/2-1/2\n", 2},
                 {"tictactoe", X_WINS "\na1 b1\n", 2}, /* no result: the game need not be over */
                 {"tictactoe", "# a comment\n\n" X_WINS " 1-0   \n", 1},
                 {"othello", WIPED " 13-0\n" WIPED " 64-0\n" WIPED " 1-0\n", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char says[4096];
        struct records_report report = verify(cases[i].game, cases[i].text, says, sizeof says);
        if (report.differences)
            fail_msg("%s: %s", cases[i].text, says);
        assert_int_equal(report.games, cases[i].games);
    }
}

static void results_that_do_not(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *text, *says;
    } cases[] = {
        {"tictactoe", X_WINS " 0-1\n", "the record says that O won, Banyan's rules say X"},
        {"tictactoe", X_WINS " 1/2\n", "the record says that nobody won, Banyan's rules say X"},
        {"tictactoe", X_WINS " 0-0\n", "the record says that nobody won, Banyan's rules say X"},
        {"tictactoe", O_WINS " 1-0\n", "the record says that X won, Banyan's rules say O"},
        {"tictactoe", DRAWN " 1-0\n", "the record says that X won, Banyan's rules say nobody"},
        {"tictactoe", DRAWN " 0-1\n", "the record says that O won, Banyan's rules say nobody"},
        {"tictactoe", "a1 b1 1-0\n", "the game is not over"},
        {"tictactoe", "a1 a1\n", "after 1 actions"},
        {"othello", WIPED " 12-0\n", "the record says 12-0, Banyan's rules give another score"},
        {"othello", WIPED " 13-1\n", "the record says 13-1, Banyan's rules give another score"},
        {"othello", WIPED " 63-1\n", "another score"},
        {"othello", WIPED " 0-13\n", "the record says that white won, Banyan's rules say black"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char says[4096];
        struct records_report report = verify(cases[i].game, cases[i].text, says, sizeof says);
        assert_int_equal(report.differences, 1);
        if (!strstr(says, cases[i].says))
            fail_msg("%s: '%s' lacks '%s'", cases[i].text, says, cases[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_that_agree),
        cmocka_unit_test(results_that_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
