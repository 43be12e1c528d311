/* Games of Go in the Smart Game Format: what is read, what is written, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "records/records.h"
#include "records/sgf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct sgf_game sgf;

static void reads(const char *bytes, int plies, const char *game, const char *settings,
                  const char *moves)
{
    struct banyan_error err = {.message = ""};
    if (sgf_read(bytes, strlen(bytes), plies, &sgf, &err) != BANYAN_OK)
        fail_msg("%s: %s", bytes, err.message);
    assert_string_equal(sgf.game->name, game);
    assert_string_equal(sgf.settings, settings);
    assert_string_equal(sgf.moves, moves);
}

static void properties_are_read(void **unused)
{
    (void)unused;
    reads("(;)", INT_MAX, "go", " first=black", "");
    reads("text (before; (;GM[1]SZ[9]KM[6.50];B[ee];W[cg];B[])", INT_MAX, "go-9x9",
          "komi=6.5 first=black", "E5 C3 pass");
    assert_int_equal(sgf.plies, 3);
    /* the size may come last; rectangles; stones taken away; who begins */
    reads("(;AB[aa:bb][ee]AE[ab]AW[cc]PL[W]SZ[9])", INT_MAX, "go-9x9",
          " first=white black=A9,B9,B8,E5 white=C7", "");
    /* a handicap without stones stands where GTP places it; with stones white begins */
    reads("(;SZ[13]HA[3])", INT_MAX, "go-13x13", " handicap=3 first=white", "");
    reads("(;SZ[9]HA[2]AB[gc][cg];W[ee])", INT_MAX, "go-9x9", " first=white black=G7,C3", "E5");
    /* names of FF[3], escaped brackets, comments with everything */
    reads("(;SiZe[9]Comment[a \\] (;B[aa\\]) ];Black[ii];White[tt])", INT_MAX, "go-9x9",
          " first=black", "J1 pass");
    reads("(;PB[Ann [9d\\]]PW[B\\\\]RE[W+R])", INT_MAX, "go", " first=black", "");
    assert_string_equal(sgf.about.players[0], "Ann [9d]");
    assert_string_equal(sgf.about.players[1], "B\\");
    assert_string_equal(sgf.about.result, "W+R");
}

static void main_line_is_the_first_variation(void **unused)
{
    (void)unused;
    const char *bytes = "(;SZ[9](;B[aa](;W[bb];B[cc])(;W[dd]))(;B[ee]))(;SZ[13])";
    reads(bytes, INT_MAX, "go-9x9", " first=black", "A9 B8 C7");
    reads(bytes, 2, "go-9x9", " first=black", "A9 B8");
    reads(bytes, 0, "go-9x9", " first=black", "");
    /* a colour that moves twice, and one that begins out of turn */
    reads("(;SZ[9];W[aa];W[bb];B[cc])", INT_MAX, "go-9x9", " first=white", "A9 pass B8 C7");
    reads("(;SZ[9]PL[B];W[aa])", INT_MAX, "go-9x9", " first=black", "pass A9");
}

static void refused(const char *bytes, enum banyan_status status, const char *says)
{
    struct banyan_error err = {.message = ""};
    assert_int_equal(sgf_read(bytes, strlen(bytes), INT_MAX, &sgf, &err), status);
    if (!strstr(err.message, says))
        fail_msg("%s: '%s', not '%s'", bytes, err.message, says);
}

static void wrong_files_are_refused(void **unused)
{
    (void)unused;
    refused("", BANYAN_CORRUPT, "no game begins with '(;'");
    refused("(;SZ[9]", BANYAN_CORRUPT, "ends without ')'");
    refused("(;SZ[9", BANYAN_CORRUPT, "ends without ')'");
    refused("(;SZ)", BANYAN_CORRUPT, "')' is out of place after move 0");
    refused("(;B[aa]7)", BANYAN_CORRUPT, "'7' is out of place after move 1");
    refused("(;GM[2])", BANYAN_UNSUPPORTED, "GM[2] is not Go");
    refused("(;SZ[9:7])", BANYAN_UNSUPPORTED, "SZ[9:7] is no size");
    refused("(;SZ[8])", BANYAN_UNSUPPORTED, "there is no game 'go-8x8'");
    refused("(;KM[six])", BANYAN_CORRUPT, "KM[six] is not a number");
    refused("(;HA[x])", BANYAN_CORRUPT, "HA[x]");
    refused("(;B[a])", BANYAN_CORRUPT, "B[a] is no point");
    refused("(;AB[aa:b])", BANYAN_CORRUPT, "AB[aa:b] is no point");
    refused("(;SZ[9];B[jj])", BANYAN_CORRUPT, "move 1 is outside the board of SZ[9]");
    refused("(;SZ[9]AB[jj])", BANYAN_CORRUPT, "outside the board of SZ[9]");
    refused("(;SZ[9];B[aa];AB[bb])", BANYAN_UNSUPPORTED, "changes the board after move 1");
}

/* Reads as a record and writes it again. */
static void writes(const char *bytes, int index, const char *expected)
{
    struct banyan_error err = {.message = ""};
    struct game_record record;
    char out[1024];
    struct text text = text_start(out, sizeof out);
    if (sgf_record(bytes, strlen(bytes), index, &record, &err) != BANYAN_OK)
        fail_msg("%s: %s", bytes, err.message);
    assert_int_equal(sgf_write_record(&text, &record, &err), BANYAN_OK);
    game_record_free(&record);
    char *from = strstr(out, "SZ");
    assert_non_null(from);
    assert_string_equal(from, expected);
}

static void games_are_written(void **unused)
{
    (void)unused;
    writes("(;SZ[9])", 0, "SZ[9]KM[7.5]RU[Chinese]PL[B])\n");
    writes("(;SZ[9]KM[0];B[ee];W[];B[])", 0,
           "SZ[9]KM[0]RU[Chinese]RE[B+81]PL[B]\n;B[ee];W[];B[])\n");
    writes("(;SZ[9]HA[2]RE[B+Resign]PB[a\\]b];W[ee])", 0,
           "SZ[9]KM[7.5]RU[Chinese]HA[2]PB[a\\]b]RE[B+Resign]AB[gc][cg]PL[W]\n;W[ee])\n");
    writes("(;B[aa]) (;SZ[9]RE[W+T]AW[aa])", 1, "SZ[9]KM[7.5]RU[Chinese]RE[W+Time]AW[aa]PL[B])\n");
}

static void records_break_no_rules(void **unused)
{
    (void)unused;
    const char *twice = "(;SZ[9];B[aa];W[aa])", *late = "(;SZ[9];B[];W[];B[aa])";
    struct banyan_error err = {.message = ""};
    struct game_record record;
    assert_int_equal(sgf_record(twice, strlen(twice), 0, &record, &err), BANYAN_ILLEGAL);
    assert_non_null(strstr(err.message, "a stone stands there"));
    assert_int_equal(sgf_record(late, strlen(late), 0, &record, &err), BANYAN_ILLEGAL);
    assert_int_equal(sgf_record(late, strlen(late), 1, &record, &err), BANYAN_NOT_FOUND);
}

/* `banyan verify` reads all games of a file. */
static void files_are_verified(void **unused)
{
    (void)unused;
    const char *bytes = "(;SZ[9];B[aa];W[bb])\n(;SZ[9];B[aa];W[aa])\n(;SZ[9](;B[cc])(;B[dd]))\n\n";
    const struct banyan_game *game;
    const struct records_format *format = NULL;
    struct records_source *source;
    struct records_report report = {.out = NULL};
    assert_int_equal(banyan_game_find("go-9x9", &game, NULL), BANYAN_OK);
    for (int i = 0; (format = records_format_at(i)) && strcmp(format->name, "sgf") != 0;)
        ++i;
    assert_non_null(format);
    assert_true(format->claims("  ( ;GM[1]") && !format->claims("(1)") && !format->claims("{}"));
    assert_int_equal(records_open_memory("memory", bytes, strlen(bytes), &source, NULL), BANYAN_OK);
    assert_int_equal(format->read(game, source, &report, NULL), BANYAN_OK);
    records_close(source);
    assert_true(report.games == 3 && report.steps == 3 && report.differences == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_read),
        cmocka_unit_test(main_line_is_the_first_variation),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(games_are_written),
        cmocka_unit_test(records_break_no_rules),
        cmocka_unit_test(files_are_verified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
