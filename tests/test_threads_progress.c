/* The progress of a run is told while it goes on: with one thread, with threads that take turns, and with
 * threads side by side. */
#include "searching.h"

#include <banyan/tree.h>

/* The clock is read at least once in 1,024 simulations of a thread, and a round of threads ends then. */
enum { ENOUGH = 10000 };

struct told {
    int calls, most; /* the run ends after so many calls; 0: it does not */
    uint64_t simulations;
};

static bool tell(void *ctx, const struct banyan_search *search)
{
    struct told *told = ctx;
    struct banyan_search_stats stats;
    struct banyan_search_move rows[64];
    struct banyan_tree_node info;
    banyan_search_stats(search, &stats, sizeof stats);
    assert_true(stats.simulations >= told->simulations);
    told->simulations = stats.simulations;
    ++told->calls;
    banyan_node root = banyan_tree_root(search, 0, 0);
    if (root) {
        uint64_t visits = 0;
        int count = banyan_search_root_moves(search, 0, rows, 64);
        for (int i = 0; i < count; ++i)
            visits += rows[i].visits;
        banyan_tree_node(search, root, &info, sizeof info);
        assert_true(visits <= info.visits && info.visits <= stats.simulations);
    }
    return told->calls != told->most;
}

static enum banyan_status run(struct searching *s, int64_t simulations, double every_ms,
                              struct told *told)
{
    struct banyan_search_limits limits = {.struct_size = sizeof limits,
                                          .simulations = simulations,
                                          .progress = tell,
                                          .progress_ctx = told,
                                          .progress_ms = every_ms};
    return banyan_search_run(s->search, &limits, &s->err);
}

static const struct {
    const char *game, *options;
} kinds[] = {{"othello", ""},
             {"othello", "batch=8"},
             {"othello", "threads=2"},
             {"pig", ""},
             {"pig", "threads=2,batch=4"},
             {"connect4", "threads=2,memory=600K"},
             {"kuhn", "rule=regret"}};

static void progress_is_told(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        struct searching s;
        struct told told = {0};
        struct banyan_search_stats stats;
        searching_open(&s, kinds[i].game, NULL, kinds[i].options, "rollout");
        searching_check(&s, run(&s, ENOUGH, 0, &told));
        assert_true(told.calls > 2);
        banyan_search_stats(s.search, &stats, sizeof stats);
        assert_int_equal(stats.simulations, ENOUGH);
        searching_close(&s);
    }
}

static void a_run_can_be_ended(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        struct searching s;
        struct told told = {.most = 2};
        searching_open(&s, kinds[i].game, NULL, kinds[i].options, "rollout");
        assert_int_equal(run(&s, 50000000, 0, &told), BANYAN_INTERRUPTED);
        assert_int_equal(told.calls, 2);
        searching_close(&s);
    }
}

/* A function that is called during the search changes no tree; one that is to be called once an
 * hour is not called. */
static void the_tree_is_the_same(void **unused)
{
    struct searching s;
    struct told told = {0}, never = {0};
    uint64_t trees[3];
    (void)unused;
    for (int i = 0; i < 3; ++i) {
        searching_open(&s, "othello", NULL, "", "rollout");
        if (i == 0)
            searching_run(&s, 4000);
        else
            searching_check(&s, run(&s, 4000, i == 1 ? 0 : 3600e3, i == 1 ? &told : &never));
        trees[i] = banyan_search_signature(s.search);
        searching_close(&s);
    }
    assert_true(trees[0] == trees[1] && trees[1] == trees[2]);
    assert_true(told.calls > 1);
    assert_int_equal(never.calls, 0);
}

static void not_of_an_ensemble(void **unused)
{
    struct searching s;
    struct told told = {0};
    (void)unused;
    searching_open(&s, "othello", NULL, "ensemble=2", "rollout");
    assert_int_equal(run(&s, 100, 0, &told), BANYAN_UNSUPPORTED);
    assert_non_null(strstr(s.err.message, "ensemble=1"));
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(a_run_can_be_ended),
        cmocka_unit_test(the_tree_is_the_same),
        cmocka_unit_test(not_of_an_ensemble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
