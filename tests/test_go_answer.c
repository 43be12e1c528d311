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
    /* XO. above is a pattern for both movers; without stones, or with X alone, there is none */
    for (int mover = 0; mover < 2; ++mover) {
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

/* A position after random moves; returns false once the game is over. */
static bool play_randomly(struct go_state *state, struct banyan_rng *rng)
{
    banyan_action legal[GO_CELLS_MAX + 1], joint[2] = {0};
    int count = game->legal(game, state, state->mover, legal);
    joint[state->mover] = legal[banyan_rng_below(rng, (uint32_t)count)];
    game->apply(game, state, joint, NULL);
    return game->movers(game, state) != 0;
}

/* Compares what is said about a point with the board after the stone. */
static void check_self_atari(const struct go_state *state, int point)
{
    static uint64_t words[BANYAN_STATE_MAX / 8];
    struct go_state *after = (struct go_state *)words;
    struct go_chains before, board;
    int stones = 0;
    memcpy(words, state, game->state_size);
    go_chains_take(&before, state);
    go_chains_take(&board, after);
    if (!go_chains_legal(&before, point))
        return;
    go_chains_play(&board, after, point);
    bool captures = board.empties >= before.empties;
    bool wanted = !captures && go_chain_liberties(&board, point, 2) < 2;
    assert_int_equal(go_chains_self_atari(&before, point, &stones), wanted);
    if (wanted)
        assert_int_equal(stones, board.chain[board.head[point]].stones);
}

static void test_self_atari(void **unused)
{
    (void)unused;
    static uint64_t words[BANYAN_STATE_MAX / 8];
    struct go_state *state = (struct go_state *)words;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 3);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(game->init(game, words, NULL, NULL, NULL), BANYAN_OK);
        while (play_randomly(state, &rng)) {
            struct go_chains board;
            go_chains_take(&board, state);
            for (int k = 0; k < board.empties; ++k)
                check_self_atari(state, board.empty[k]);
        }
    }
}

/* The stone would be in atari: is it lost, or does it kill? */
static bool loses(const char *setup, const char *name)
{
    static uint64_t words[BANYAN_STATE_MAX / 8];
    struct go_chains board;
    banyan_action action;
    assert_int_equal(game->init(game, words, setup, NULL, NULL), BANYAN_OK);
    const struct go_state *state = (const struct go_state *)words;
    assert_int_equal(game->action_parse(game, words, state->mover, name, &action, NULL), BANYAN_OK);
    go_chains_take(&board, state);
    assert_true(go_answer_is_bad(&board, go_point(&board, (int)action)));
    return go_answer_loses(&board, go_point(&board, (int)action));
}

static void test_stones_inside(void **unused)
{
    (void)unused;
    /* two stones in an eye of three leave white one eye */
    assert_false(loses("black=B1 white=A2,B2,C2,D2,D1", "C1"));
    /* two stones between chains of white are a gift */
    assert_true(loses("black=E4 white=D4,D5,F4,F5,E3", "E5"));
    /* so are five stones */
    assert_true(loses("black=A1,B1,C1,D1 white=A2,B2,C2,D2,E2,F2,G2,G1", "E1"));
    assert_false(loses("black=A1,B1,C1 white=A2,B2,C2,D2,E2,F2,F1", "D1"));
}

static void test_vital_points(void **unused)
{
    (void)unused;
    /* after white D1: three in a row, the pyramid, the bulky five */
    assert_string_equal(answers("white=A2,B2,C2 first=white moves:D1"), "B1");
    assert_string_equal(answers("white=A2,C2,B3 first=white moves:D1"), "B1");
    assert_string_equal(answers("white=A3,B3,C2 first=white moves:D1"), "B1");
    /* the cross, and the rabbity six */
    assert_string_equal(answers("white=C5,D4,D6,F4,F6,E3,E7 first=white moves:G5"), "E5");
    assert_string_equal(answers("white=C5,D4,D6,E7,F6,F3,G4,E3 first=white moves:G5"), "E5");
    /* nothing decides four in a row, and nobody has it while black stands beside it */
    assert_string_equal(answers("white=A2,B2,C2,D2 first=white moves:E1"), "");
    assert_string_equal(answers("black=A2 white=B2,C2 first=white moves:D1"), "");
}

/* --- priors --- */

static float prior_of(const char *setup, const char *name)
{
    uint64_t words[BANYAN_STATE_MAX / 8];
    banyan_action actions[GO_CELLS_MAX + 1], wanted;
    float priors[GO_CELLS_MAX + 1], sum = 0, found = -1;
    assert_int_equal(game->init(game, words, setup, NULL, NULL), BANYAN_OK);
    int player = game->movers(game, words) == 2;
    int count = game->legal(game, words, player, actions);
    assert_int_equal(game->action_parse(game, words, player, name, &wanted, NULL), BANYAN_OK);
    game->priors(game, words, player, actions, count, priors);
    for (int i = 0; i < count; ++i) {
        assert_true(priors[i] >= 0);
        sum += priors[i];
        if (actions[i] == wanted)
            found = priors[i];
    }
    assert_true(sum > 0.999f && sum < 1.001f);
    return found;
}

/* Each line: the first move looks better than the second. */
static void test_priors(void **unused)
{
    (void)unused;
    static const char *const cases[][3] = {
        {"", "E5", "E2"},
        {"", "E2", "E1"},
        {"", "E1", "pass"},
        {"moves:C3", "D4", "G7"},
        /* white takes a stone in atari; black saves it */
        {"black=E5 white=D5,E6,F5 first=white", "E4", "G3"},
        {"black=E5 white=D5,E6,F5", "E4", "G3"},
        /* two stones are more than one */
        {"black=E5,E4,B2 white=D5,D4,E6,F5,F4,B3,A2,C2 first=white", "E3", "B1"},
        /* an eye is not filled, a stone is not given away */
        {"black=A2,B1,B2,C1,C2", "E5", "A1"},
        {"white=A2,B2,C1", "E5", "B1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (!(prior_of(cases[i][0], cases[i][1]) > prior_of(cases[i][0], cases[i][2])))
            fail_msg("%s: %s is no better than %s", cases[i][0], cases[i][1], cases[i][2]);
    assert_true(prior_of("moves:E5 pass", "pass") > prior_of("moves:E5 C3", "pass"));
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
        cmocka_unit_test(test_self_atari),
        cmocka_unit_test(test_stones_inside),
        cmocka_unit_test(test_vital_points),
        cmocka_unit_test(test_priors),
    };
    return cmocka_run_group_tests(tests, take_9x9, NULL);
}
