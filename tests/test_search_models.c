/* More than two players, and trees whose answers were found by hand. */
#include "searching.h"

#include <stdio.h>

/* The tree is tests/data/tree/three.tree; its comment derives the answers. */
static void each_model_of_the_others_has_its_own_answer(void **unused)
{
    (void)unused;
    const char *const cases[][2] = {{"opponents=maxn", "a"},
                                    {"opponents=paranoid", "b"},
                                    {"opponents=coalition,side0=0,side1=0,side2=1", "c"}};
    for (int i = 0; i < 3; ++i) {
        struct searching s;
        char options[128];
        snprintf(options, sizeof options, "raw-rewards,exploration=4,%s", cases[i][0]);
        searching_open(&s, "tree-3", "file:" TEST_DATA "/tree/three.tree", options, "rollout");
        searching_run(&s, 20000);
        struct banyan_search_move row = searching_row(&s, 0, cases[i][1]);
        if (searching_choice(&s, 0) != row.action)
            fail_msg("%s does not choose %s", cases[i][0], cases[i][1]);
        searching_close(&s);
    }
}

/* A win that looks even and a loss that looks good: only proofs give the right choice. */
static void the_solver_sees_through_traps(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tree-zero", "file:" TEST_DATA "/tree/trap.tree", "", "rollout");
    searching_run(&s, 200);
    struct banyan_search_move win = searching_row(&s, 0, "win");
    assert_true(win.lo == 100 && win.hi == 100);
    assert_int_equal(searching_choice(&s, 0), win.action);
    searching_close(&s);

    searching_open(&s, "tree-zero", "file:" TEST_DATA "/tree/trap-draw.tree", "", "rollout");
    searching_run(&s, 500);
    struct banyan_search_move trap = searching_row(&s, 0, "trap"),
                              solid = searching_row(&s, 0, "solid");
    assert_true(trap.hi < 0);
    assert_true(solid.lo == 0);
    assert_int_equal(searching_choice(&s, 0), solid.action);
    searching_close(&s);
}

/* At chance nodes the expected value decides, not the likeliest or the best outcome. */
static void chance_is_averaged(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tree", "file:" TEST_DATA "/tree/gamble.tree", "raw-rewards,exploration=15",
                   "rollout");
    searching_run(&s, 50000);
    struct banyan_search_move fair = searching_row(&s, 0, "fair");
    assert_int_equal(searching_choice(&s, 0), fair.action);
    assert_true(fair.mean > 10.5 && fair.mean < 11.5);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_model_of_the_others_has_its_own_answer),
        cmocka_unit_test(the_solver_sees_through_traps),
        cmocka_unit_test(chance_is_averaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
