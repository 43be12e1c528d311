/* FForum positions 20 to 39: score and all best moves, each solved with an empty table; prints
 * processor times. */
#include "games/othello/endgame.h"
#include "othello_fforum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void solve_range(int first, int last)
{
    struct endgame_solver *solver;
    struct fforum_position position;
    double all_seconds = 0, all_nodes = 0;
    int solved = 0;
    assert_int_equal(endgame_create(ENDGAME_DEFAULT_BYTES, BOARD_AREA_8, &solver, NULL), BANYAN_OK);
    FILE *file = fopen(TEST_DATA "/othello/fforum.tsv", "r");
    assert_non_null(file);
    while (fforum_next(file, &position) && position.id <= last) {
        struct endgame_result result;
        if (position.id < first)
            continue;
        endgame_clear(solver);
        double start = seconds();
        assert_int_equal(endgame_solve(solver, position.board, NULL, &result), BANYAN_OK);
        double spent = seconds() - start;
        printf("%4d [%d] %+3d %9.3f s %8.2f M nodes\n", position.id, position.empties, result.score,
               spent, 1e-6 * (double)result.nodes);
        assert_int_equal(result.score, position.score);
        assert_int_equal(result.best, position.best);
        all_seconds += spent;
        all_nodes += (double)result.nodes;
        ++solved;
    }
    printf("%d-%d: %.2f s, %.1f M nodes, %.1f M nodes/s\n", first, last, all_seconds,
           1e-6 * all_nodes, 1e-6 * all_nodes / all_seconds);
    assert_int_equal(solved, last - first + 1);
    fclose(file);
    endgame_destroy(solver);
}

static void test_20_to_29(void **state)
{
    (void)state;
    solve_range(20, 29);
}

static void test_30_to_37(void **state)
{
    (void)state;
    solve_range(30, 37);
}

static void test_38_to_39(void **state)
{
    (void)state;
    solve_range(38, 39);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_20_to_29),
                                       cmocka_unit_test(test_30_to_37),
                                       cmocka_unit_test(test_38_to_39)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
