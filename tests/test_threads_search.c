/* One tree searched by several threads, and several trees; also run under ThreadSanitizer. */
#include "searching.h"

#include "search/search.h"

#include <pthread.h>
#include <stdatomic.h>

static void threads_make_exactly_the_simulations_asked_for(void **unused)
{
    (void)unused;
    const char *const options[] = {"threads=2,solver=off",         "threads=4,batch=4,solver=off",
                                   "threads=2,batch=8,rule=puct",  "threads=3,solver=on",
                                   "threads=2,transpositions=on",  "threads=2,memory=512K",
                                   "threads=2,batch=4,rule=gumbel"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_move rows[64];
        struct banyan_search_stats stats;
        searching_open(&s, "othello", NULL, options[i], "rollout");
        searching_run(&s, 4000);
        banyan_search_stats(s.search, &stats, sizeof stats);
        assert_int_equal(stats.simulations, 4000);
        uint64_t visits = 0;
        int count = banyan_search_root_moves(s.search, 0, rows, 64);
        for (int r = 0; r < count; ++r)
            visits += rows[r].visits;
        /* the first simulation of each thread may end at the root */
        assert_in_range(visits, 4000 - 16, 4000);
        searching_close(&s);
    }
}

static void threads_search_games_of_luck(void **unused)
{
    (void)unused;
    const char *const games[] = {"pig", "kuhn", "rps"};
    for (int i = 0; i < 3; ++i) {
        struct searching s;
        struct banyan_search_stats stats;
        searching_open(&s, games[i], NULL, "threads=3,batch=2", "rollout");
        searching_run(&s, 5000);
        banyan_search_stats(s.search, &stats, sizeof stats);
        assert_int_equal(stats.simulations, 5000);
        searching_close(&s);
    }
}

static void an_ensemble_adds_its_trees(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move rows[64];
    struct banyan_search_stats stats;
    searching_open(&s, "othello", NULL, "ensemble=3,solver=off", "rollout");
    searching_run(&s, 3000);
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_int_equal(stats.simulations, 3000);
    uint64_t visits = 0;
    int count = banyan_search_root_moves(s.search, 0, rows, 64);
    for (int r = 0; r < count; ++r)
        visits += rows[r].visits;
    assert_int_equal(visits, 3000 - 3);
    banyan_action joint[2] = {searching_choice(&s, 0)};
    s.game->apply(s.game, s.state, joint, NULL);
    assert_true(banyan_search_advance(s.search, joint, s.state));
    searching_run(&s, 300);
    searching_close(&s);
}

/* Sets a flag once both threads have made simulations. */
static struct {
    enum banyan_status (*evaluate)(void *ctx, struct banyan_leaf *leaves, int n,
                                   struct banyan_error *err);
    atomic_int evaluated;
    banyan_flag raised;
} flag;

static enum banyan_status evaluate_and_raise(void *ctx, struct banyan_leaf *leaves, int n,
                                             struct banyan_error *err)
{
    if (atomic_fetch_add(&flag.evaluated, 1) == 200)
        banyan_flag_set(&flag.raised);
    return flag.evaluate(ctx, leaves, n, err);
}

static void a_flag_stops_all_threads(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_stats stats;
    searching_open(&s, "othello", NULL, "threads=2", "rollout");
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .stop = &flag.raised}; /* no limit but the flag */
    flag.evaluate = s.evaluator.evaluate;
    s.evaluator.evaluate = evaluate_and_raise;
    assert_int_equal(banyan_search_run(s.search, &limits, &s.err), BANYAN_INTERRUPTED);
    s.evaluator.evaluate = flag.evaluate;
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_true(stats.simulations > 0);
    uint64_t before = stats.simulations;
    assert_int_equal(banyan_search_run(s.search, &limits, &s.err),
                     BANYAN_INTERRUPTED); /* the flag is still set */
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_int_equal(stats.simulations, before);
    limits = (struct banyan_search_limits){.struct_size = sizeof(struct banyan_search_limits),
                                           .time_ms = 30};
    searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_true(stats.simulations > before);
    assert_true(stats.elapsed_ms >= 30);
    searching_close(&s);
}

/* Holds the first evaluation below A until two others have been made, and keeps what the third is below. */
static struct {
    enum banyan_status (*evaluate)(void *ctx, struct banyan_leaf *leaves, int n,
                                   struct banyan_error *err);
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int evaluated;
    char third; /* the first letter below the third position */
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static char first_letter(const struct banyan_leaf *leaf)
{
    banyan_action legal[4];
    char text[16] = "";
    leaf->game->legal(leaf->game, leaf->state, 0, legal);
    leaf->game->action_format(leaf->game, leaf->state, 0, legal[0], text, sizeof text);
    return text[0];
}

static enum banyan_status evaluate_behind_gate(void *ctx, struct banyan_leaf *leaves, int n,
                                               struct banyan_error *err)
{
    for (int i = 0; i < n; ++i) {
        char letter = first_letter(&leaves[i]);
        pthread_mutex_lock(&gate.lock);
        if (++gate.evaluated == 3)
            gate.third = letter;
        pthread_cond_broadcast(&gate.changed);
        while (letter == 'a' && gate.evaluated < 3)
            pthread_cond_wait(&gate.changed, &gate.lock);
        pthread_mutex_unlock(&gate.lock);
    }
    return gate.evaluate(ctx, leaves, n, err);
}

/* UCB1 visits every action once before any twice (Auer et al. 2002).  One thread waits for the value of A,
 * the other has visited B: it goes to A too, though B is worth more than an action without visits. */
static void an_action_in_flight_is_unvisited(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tree",
                   "(1 A:(1 a:(1 p:[90] q:[90]) b:(1 p:[90] q:[90]))"
                   " B:(1 c:(1 r:[90] s:[90]) d:(1 r:[90] s:[90])))",
                   "threads=2,order=first,solver=off", "heuristic");
    searching_run(&s, 1); /* the root */
    assert_non_null(s.search->parallel.workers);
    gate.evaluate = s.evaluator.evaluate;
    s.evaluator.evaluate = evaluate_behind_gate;
    searching_run(&s, 1000);
    s.evaluator.evaluate = gate.evaluate;
    assert_int_equal(gate.third, 'p');
    searching_close(&s);
}

/* Several threads search a full tree: it is compacted meanwhile, and stays below its memory
 * limit. */
static void a_full_tree_of_several_threads_is_compacted(void **unused)
{
    (void)unused;
    const char *const options[] = {"threads=2,memory=512K", "threads=2,batch=4,memory=512K",
                                   "threads=3,memory=512K,rule=puct",
                                   "threads=2,memory=512K,ensemble=2"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_stats stats;
        searching_open(&s, "othello", NULL, options[i], "rollout");
        searching_run(&s, 40000);
        banyan_search_stats(s.search, &stats, sizeof stats);
        assert_int_equal(stats.simulations, 40000);
        assert_true(stats.compactions > 2);
        assert_true(stats.bytes_used <= 512 << 10);
        assert_true(stats.bytes_allocated <= 512 << 10);
        searching_choice(&s, 0);
        searching_close(&s);
    }
}

static bool count_text(void *ctx, const char *text, size_t length)
{
    (void)text;
    *(size_t *)ctx += length;
    return true;
}

/* In a node all of whose actions were tried, none is known as the next one to try, also where threads
 * have had copies of the node. */
static void nothing_is_next_where_all_was_tried(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "threads=2,rule=puct,solver=off", "rollout");
    searching_run(&s, 20000);
    const struct tree_node *root = search_root_node(s.search, 0);
    assert_int_equal(root->tried, root->count);
    assert_false(root->flags & TREE_NEXT_FOUND);
    searching_close(&s);
}

static void *write_tree(void *search)
{
    const struct banyan_search_tree_view view = {.format = BANYAN_TREE_TEXT, .depth = 2};
    size_t length = 0;
    for (int i = 0; i < 20; ++i)
        if (banyan_search_write_tree(search, &view, count_text, &length, NULL) != BANYAN_OK)
            return NULL;
    return length ? search : NULL;
}

static void a_tree_is_written_by_two_at_once(void **unused)
{
    (void)unused;
    struct searching s;
    pthread_t thread;
    void *done = NULL;
    searching_open(&s, "othello", NULL, "rule=puct", "rollout");
    searching_run(&s, 1000);
    assert_int_equal(pthread_create(&thread, NULL, write_tree, s.search), 0);
    assert_non_null(write_tree(s.search));
    assert_int_equal(pthread_join(thread, &done), 0);
    assert_non_null(done);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_make_exactly_the_simulations_asked_for),
        cmocka_unit_test(threads_search_games_of_luck),
        cmocka_unit_test(an_ensemble_adds_its_trees),
        cmocka_unit_test(a_flag_stops_all_threads),
        cmocka_unit_test(an_action_in_flight_is_unvisited),
        cmocka_unit_test(a_full_tree_of_several_threads_is_compacted),
        cmocka_unit_test(nothing_is_next_where_all_was_tried),
        cmocka_unit_test(a_tree_is_written_by_two_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
