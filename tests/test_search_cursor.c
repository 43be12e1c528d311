/* The tree node by node (banyan/tree.h): every node, edge and outcome is met, with its statistics and
 * a state that shows it. */
#include "searching.h"

#include "search/search.h"

#include <banyan/tree.h>

#include <math.h>

/* What a pass through the tree has counted. */
struct counted {
    struct searching *s;
    uint64_t nodes, edges, outcomes, states, lost;
};

static void count_node(struct counted *c, banyan_node node, const void *state);

/* The node below an edge is found by a state. */
static void check_at(const struct searching *s, banyan_node node, int index, banyan_node below,
                     const void *state)
{
    struct banyan_tree_node info;
    banyan_tree_node(s->search, below, &info, sizeof info);
    assert_true(banyan_tree_at(s->search, node, index, info.player, state) == below);
    assert_true(banyan_tree_at(s->search, node, -1, info.player, state) == 0);
}

static void count_outcomes(struct counted *c, banyan_node node, int index, const void *state)
{
    struct searching *s = c->s;
    struct banyan_tree_outcome outcomes[512];
    struct banyan_tree_edge edge;
    assert_true(banyan_tree_edge(s->search, node, index, &edge, sizeof edge));
    int count = banyan_tree_outcomes(s->search, node, index, outcomes, 512);
    assert_in_range(count, 0, 512);
    assert_int_equal(count, edge.outcomes);
    uint64_t visits = 0, key = 0;
    for (int i = 0; i < count; ++i) {
        void *after = malloc(s->game->state_size);
        assert_non_null(after);
        visits += outcomes[i].visits;
        assert_true(i == 0 || outcomes[i].key > key);
        key = outcomes[i].key;
        enum banyan_status status = BANYAN_NOT_FOUND;
        struct banyan_tree_step step = {node, index, outcomes[i], state, 7};
        if (state)
            status = banyan_tree_state(s->search, &step, after, &s->err);
        c->states += status == BANYAN_OK;
        c->lost += status != BANYAN_OK;
        if (outcomes[i].node)
            count_node(c, outcomes[i].node, status == BANYAN_OK ? after : NULL);
        if (outcomes[i].node && status == BANYAN_OK)
            check_at(s, node, index, outcomes[i].node, after);
        free(after);
    }
    c->outcomes += s->game->traits & BANYAN_CHANCE ? (uint64_t)count : 0;
    assert_true(visits <= edge.move.visits);
}

static void count_node(struct counted *c, banyan_node node, const void *state)
{
    struct searching *s = c->s;
    struct banyan_tree_node info;
    struct banyan_tree_edge edge;
    uint64_t visits = 0;
    banyan_tree_node(s->search, node, &info, sizeof info);
    if (state)
        assert_true(s->game->movers(s->game, state) >> info.player & 1);
    ++c->nodes;
    c->edges += (uint64_t)info.tried;
    assert_false(banyan_tree_edge(s->search, node, info.actions, &edge, sizeof edge));
    assert_false(banyan_tree_edge(s->search, node, -1, &edge, sizeof edge));
    for (int i = 0; i < info.actions; ++i) {
        assert_true(banyan_tree_edge(s->search, node, i, &edge, sizeof edge));
        assert_int_equal(edge.is_tried, i < info.tried);
        assert_int_equal(edge.move.visits > 0, i < info.tried);
        assert_int_equal(edge.move.visits > 0, !isnan(edge.move.mean));
        assert_true(edge.is_proven == (edge.is_tried && edge.move.lo == edge.move.hi));
        visits += edge.move.visits;
        count_outcomes(c, node, i, state);
    }
    assert_true(visits <= info.visits);
    assert_int_equal(info.in_flight, 0);
}

static struct counted count_tree(struct searching *s)
{
    struct counted c = {.s = s};
    struct banyan_search_stats stats;
    for (int p = 0; p < s->game->players; ++p) {
        banyan_node root = banyan_tree_root(s->search, p, 0);
        if (root)
            count_node(&c, root, s->state);
        assert_true(banyan_tree_at(s->search, 0, 0, p, s->state) == root);
    }
    banyan_search_stats(s->search, &stats, sizeof stats);
    assert_int_equal(c.nodes, stats.nodes);
    assert_int_equal(c.edges, stats.edges);
    return c;
}

static void test_certain(void **unused)
{
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    assert_int_equal(banyan_tree_root(s.search, 0, 0), 0);
    searching_run(&s, 3000);
    struct counted c = count_tree(&s);
    assert_true(c.nodes > 100);
    assert_int_equal(c.lost, 0);
    assert_int_equal(banyan_tree_root(s.search, 1, 0), 0);
    searching_close(&s);
}

static void test_dice(void **unused)
{
    struct searching s;
    struct banyan_search_stats stats;
    searching_open(&s, "pig", NULL, "", "rollout");
    searching_run(&s, 3000);
    struct counted c = count_tree(&s);
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_int_equal(c.outcomes + 1, stats.outcomes); /* the root is one, too */
    assert_true(c.states > 100);
    assert_int_equal(c.lost, 0);
    searching_close(&s);
}

static void test_hidden(void **unused)
{
    struct searching s;
    searching_open(&s, "kuhn", NULL, "", "rollout");
    searching_run(&s, 1000);
    struct banyan_tree_outcome none;
    banyan_node root = banyan_tree_root(s.search, 0, 0);
    assert_true(root);
    struct counted c = {.s = &s};
    count_node(&c, root, s.state);
    assert_true(c.states > 0);
    assert_int_equal(banyan_tree_outcomes(s.search, root, 9, &none, 1), 0);
    searching_close(&s);
}

/* Every tree of an ensemble has nodes of its own, and an unknown outcome is refused by name. */
static void test_ensemble(void **unused)
{
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "ensemble=3", "rollout");
    searching_run(&s, 600);
    uint64_t visits = 0;
    struct banyan_tree_node info;
    for (int tree = 0; tree < 3; ++tree) {
        banyan_node root = banyan_tree_root(s.search, 0, tree);
        banyan_tree_node(s.search, root, &info, sizeof info);
        visits += info.visits;
    }
    assert_int_equal(visits, 600);
    uint64_t epoch = banyan_tree_epoch(s.search);
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    assert_true(banyan_tree_epoch(s.search) != epoch);
    searching_close(&s);
}

static void test_refused(void **unused)
{
    struct searching s;
    struct banyan_tree_outcome strange = {.key = 12345};
    searching_open(&s, "pig", NULL, "", "rollout");
    searching_run(&s, 200);
    unsigned char *after = malloc(s.game->state_size);
    banyan_node root = banyan_tree_root(s.search, 0, 0);
    struct banyan_tree_step step = {root, 0, strange, s.state, 1};
    assert_int_equal(banyan_tree_state(s.search, &step, after, &s.err), BANYAN_NOT_FOUND);
    step.index = 99;
    assert_int_equal(banyan_tree_state(s.search, &step, after, &s.err), BANYAN_INVALID);
    assert_non_null(strstr(s.err.message, "no edge 99"));
    free(after);
    searching_close(&s);
}

/* The leaves that wait for their values are in flight on their paths, and nowhere else. */
static void leaves_in_flight_are_seen(void **unused)
{
    enum { LEAVES = 5 };
    struct searching s;
    struct banyan_leaf leaves[LEAVES];
    (void)unused;
    searching_open(&s, "othello", NULL, "rule=puct,batch=8,solver=off", "rollout");
    searching_run(&s, 200);
    for (int waiting = LEAVES; waiting >= 0; waiting -= LEAVES) {
        struct banyan_tree_node info;
        struct banyan_tree_edge edge;
        uint64_t below = 0;
        if (waiting)
            assert_int_equal(banyan_search_select(s.search, leaves, LEAVES), LEAVES);
        banyan_node root = banyan_tree_root(s.search, 0, 0);
        banyan_tree_node(s.search, root, &info, sizeof info);
        assert_int_equal(info.in_flight, waiting);
        for (int i = 0; i < info.actions; ++i) {
            struct banyan_tree_outcome outcome;
            struct banyan_tree_node child = {.in_flight = 0};
            assert_true(banyan_tree_edge(s.search, root, i, &edge, sizeof edge));
            if (banyan_tree_outcomes(s.search, root, i, &outcome, 1) && outcome.node)
                banyan_tree_node(s.search, outcome.node, &child, sizeof child);
            assert_true(child.in_flight <= edge.in_flight);
            below += edge.in_flight;
        }
        assert_int_equal(below, waiting);
        if (waiting) {
            searching_check(&s, s.evaluator.evaluate(s.evaluator.ctx, leaves, LEAVES, &s.err));
            banyan_search_update(s.search, leaves, LEAVES);
        }
    }
    searching_close(&s);
}

/* --- written trees --- */

struct written {
    char text[1 << 18];
    size_t length;
};

static bool keep_text(void *ctx, const char *text, size_t length)
{
    struct written *written = ctx;
    if (length >= sizeof written->text - written->length)
        return false;
    memcpy(written->text + written->length, text, length);
    written->length += length;
    written->text[written->length] = 0;
    return true;
}

static void write_tree(struct searching *s, enum banyan_search_tree_format format, int depth,
                       struct written *out)
{
    const struct banyan_search_tree_view view = {.format = format, .depth = depth};
    out->length = 0;
    searching_check(s, banyan_search_write_tree(s->search, &view, keep_text, out, &s->err));
}

static int times(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        ++count;
    return count;
}

/* A page has a board for the root and for each of its actions. */
static void pages_have_boards(void **unused)
{
    static struct written written;
    struct searching s;
    (void)unused;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    searching_run(&s, 300);
    write_tree(&s, BANYAN_TREE_HTML, 1, &written);
    assert_int_equal(times(written.text, "{\"up\":"), 10);
    assert_int_equal(times(written.text, "\"board\":"), 10);
    searching_close(&s);
}

/* An outcome of dice is named by what they show. */
static void outcomes_are_named_by_their_dice(void **unused)
{
    static struct written written;
    struct searching s;
    (void)unused;
    searching_open(&s, "pig", NULL, "", "rollout");
    searching_run(&s, 300);
    write_tree(&s, BANYAN_TREE_TEXT, 2, &written);
    for (char number = '1'; number <= '6'; ++number) {
        char part[] = "(die ?: ";
        *strchr(part, '?') = number;
        assert_int_equal(times(written.text, part), 1);
    }
    assert_int_equal(times(written.text, "(die "), 6);
    searching_close(&s);
}

/* While leaves are in flight an outcome may have more arrivals than its edge has visits: its share
 * is shown as 100 % at most. */
static void no_share_is_above_all(void **unused)
{
    static struct written written;
    struct searching s;
    (void)unused;
    searching_open(&s, "pig", NULL, "", "rollout");
    searching_run(&s, 300);
    const struct tree *tree = &s.search->tree;
    const struct tree_node *root = search_root_node(s.search, 0);
    for (int i = 0; i < root->tried; ++i) {
        uint32_t outcome = tree_edges(tree, root)[i].child;
        tree_outcome(tree, outcome)->visits = tree_edges(tree, root)[i].visits * 3 / 2;
    }
    write_tree(&s, BANYAN_TREE_TEXT, 2, &written);
    assert_int_equal(times(written.text, "150.0 %"), 0);
    write_tree(&s, BANYAN_TREE_JSON, 2, &written);
    assert_int_equal(times(written.text, "\"probability\": 1.5"), 0);
    assert_true(times(written.text, "\"probability\": 1,") >= 1 + root->tried);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_have_boards),
        cmocka_unit_test(outcomes_are_named_by_their_dice),
        cmocka_unit_test(no_share_is_above_all),
        cmocka_unit_test(test_certain),
        cmocka_unit_test(leaves_in_flight_are_seen),
        cmocka_unit_test(test_dice),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_ensemble),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
