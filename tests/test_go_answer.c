/* Answers of Go's playouts to the last stone: positions by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/go/answer.h"
#include "games/go/patterns.h"

#include <banyan/game.h>

#include <stdlib.h>
#include <string.h>

enum { TRIES = 64, NAMES_MAX = 64 };

static const struct banyan_game *game;

static int take_9x9(void **unused)
{
    (void)unused;
    return banyan_game_find("go-9x9", &game, NULL) != BANYAN_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* All answers that are drawn in the position, sorted: "C3 D4"; "" if there is none. */
static const char *answers(const char *setup)
{
    static char out[8 * NAMES_MAX];
    static uint64_t words[BANYAN_STATE_MAX / 8];
    struct go_chains board;
    struct banyan_rng rng;
    struct banyan_error err = {.message = ""};
    char names[NAMES_MAX][8];
    int count = 0;
    if (game->init(game, words, setup, NULL, &err) != BANYAN_OK)
        fail_msg("%s: %s", setup, err.message);
    go_chains_take(&board, (const struct go_state *)words);
    banyan_rng_seed(&rng, 1);
    for (int i = 0; i < TRIES; ++i) {
        int point = go_answer(&board, &rng), k = 0;
        char name[8];
        if (!point)
            continue;
        game->action_format(game, words, 0, board.cell[point], name, sizeof name);
        while (k < count && strcmp(names[k], name) != 0)
            ++k;
        if (k == count)
            strcpy(names[count++], name);
    }
    qsort(names, (size_t)count, sizeof *names, by_name);
    out[0] = 0;
    for (int k = 0; k < count; ++k) {
        strcat(out, k ? " " : "");
        strcat(out, names[k]);
    }
    return out;
}

static void test_runs_and_captures(void **unused)
{
    (void)unused;
    /* white D4 takes the last liberty but one of E4; only E3 is left, and it gives two more */
    assert_string_equal(answers("black=E4 white=F4,E5 first=white moves:D4"), "E3");
    /* white D4 itself is in atari: taking it at C4 saves E4, and so does running to E3 */
    assert_string_equal(answers("black=E4,D5,D3 white=F4,E5 first=white moves:D4"), "C4 E3");
    /* on the first line running is in vain: B1 would have one liberty, C1 */
    assert_string_equal(answers("black=A1 white=B2 first=white moves:A2"), "");
    /* a stone that puts itself in atari is taken */
    assert_string_equal(answers("black=D4,F4,E5 first=white moves:E4"), "E3");
}

static void test_nothing_to_answer(void **unused)
{
    (void)unused;
    assert_string_equal(answers(""), "");
    assert_string_equal(answers("moves:E5"), "");
    assert_string_equal(answers("black=E4 white=F4,E5 first=white moves:D4 A1 pass"), "");
}

static void test_patterns(void **unused)
{
    (void)unused;
    /* hane: E4 has X O X above and nothing beside; D4 has . X O above (XO. turned over) */
    assert_string_equal(answers("black=D5,F5 first=white moves:E5"), "D4 D6 E4 E6 F4 F6");
    /* two stones of white beside a black one, cut at E4 (?X? O*O xxx) */
    assert_string_equal(answers("black=E5 white=D4 first=white moves:F4"), "E4");
}

/* Bits of a surrounding, row by row from the letters of its eight points. */
static unsigned surrounding(const char *stones)
{
    unsigned bits = 0;
    for (int i = 0; i < 8; ++i)
        bits |= (unsigned)(strchr(".XO#", stones[i]) - ".XO#") << 2 * i;
    return bits;
}

static void test_patterns_of_one_colour(void **unused)
{
    (void)unused;
    for (int mover = 0; mover < 2; ++mover) { /* XO. ... .. holds for both, nothing for nobody */
        assert_true(go_pattern(mover, surrounding("XO......")));
        assert_false(go_pattern(mover, surrounding("........")));
        assert_false(go_pattern(mover, surrounding("XXXXXXXX")));
    }
    /* XOO above: only X plays there; with the colours exchanged only O does */
    assert_true(go_pattern(0, surrounding("XOO.....")));
    assert_false(go_pattern(1, surrounding("XOO..X..")));
    assert_true(go_pattern(1, surrounding("OXX.....")));
    assert_false(go_pattern(0, surrounding("OXX..O..")));
}

/* The eight points of a surrounding, turned by a quarter: in the order of rows. */
static unsigned turned(unsigned bits)
{
    static const int from[8] = {5, 3, 0, 6, 1, 7, 4, 2};
    unsigned out = 0;
    for (int i = 0; i < 8; ++i)
        out |= (bits >> 2 * from[i] & 3) << 2 * i;
    return out;
}

static void test_patterns_are_symmetric(void **unused)
{
    (void)unused;
    int count = 0;
    for (unsigned bits = 0; bits < GO_PATTERNS; ++bits) {
        unsigned exchanged = bits ^ ((bits ^ bits >> 1) & 0x5555) * 3; /* 1 and 2 */
        for (int mover = 0; mover < 2; ++mover) {
            assert_int_equal(go_pattern(mover, bits), go_pattern(mover, turned(bits)));
            assert_int_equal(go_pattern(mover, bits), go_pattern(1 - mover, exchanged));
        }
        count += go_pattern(0, bits);
    }
    assert_true(count > 1000 && count < GO_PATTERNS / 2);
}

static void test_bad_stones(void **unused)
{
    (void)unused;
    static uint64_t words[BANYAN_STATE_MAX / 8];
    struct go_chains board;
    assert_int_equal(game->init(game, words, "black=E5 white=A2,C1,C9,B8", NULL, NULL), BANYAN_OK);
    go_chains_take(&board, (const struct go_state *)words);
    assert_true(go_answer_is_bad(&board, go_point(&board, 9 * 8)));      /* A1: one liberty, B1 */
    assert_false(go_answer_is_bad(&board, go_point(&board, 9 * 4 + 5))); /* F5 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_and_captures),
        cmocka_unit_test(test_nothing_to_answer),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_patterns_of_one_colour),
        cmocka_unit_test(test_patterns_are_symmetric),
        cmocka_unit_test(test_bad_stones),
    };
    return cmocka_run_group_tests(tests, take_9x9, NULL);
}
