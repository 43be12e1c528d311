/* Room for actions: what a node takes in the tree's arena and leaves there, and arrays that become longer. */
#include "searching.h"

#include "search/search.h"

enum { ACTIONS = 20, TRIED = 12 };

struct blocks {
    struct tree tree;
    uint32_t node;
};

/* A tree with one node of many actions, of which some were tried: edge i has i + 1 visits, action i has the number
 * 100 + i and a prior of i. */
static void blocks_open(struct blocks *b)
{
    struct tree_layout layout = {.action_bytes = 1, .players = 2};
    banyan_action actions[ACTIONS];
    float priors[ACTIONS];
    for (int i = 0; i < ACTIONS; ++i) {
        actions[i] = (banyan_action)(100 + i);
        priors[i] = (float)i;
    }
    memset(b, 0, sizeof *b);
    tree_lay_out(&layout, TREE_COLUMN_BIT(TREE_BOUNDS) | TREE_COLUMN_BIT(TREE_PRIORS));
    assert_int_equal(tree_init(&b->tree, &layout, 1 << 18, false, ACTIONS), BANYAN_OK);
    b->node = tree_make_node(
        &b->tree, &(struct tree_beginning){
                      .actions = actions, .priors = priors, .count = ACTIONS, .capacity = 2});
    struct tree_node *node = tree_node(&b->tree, b->node);
    for (int i = 0; i < TRIED; ++i) {
        int index = tree_try(&b->tree, node, i);
        struct tree_bounds *bounds = tree_column(&b->tree, node, TREE_BOUNDS);
        tree_edges(&b->tree, node)[index].visits = (uint32_t)i + 1;
        bounds[index] = (struct tree_bounds){(float)-i, (float)i};
    }
}

/* The node has these actions, with what was known of them. */
static void blocks_check(struct blocks *b, const uint16_t *keep, int n, int tried)
{
    struct tree_node *node = tree_node(&b->tree, b->node);
    const struct tree_bounds *bounds = tree_column(&b->tree, node, TREE_BOUNDS);
    assert_int_equal(node->count, n);
    assert_int_equal(node->tried, tried);
    assert_int_equal(b->tree.edges, tried);
    for (int k = 0; k < n; ++k) {
        assert_int_equal(tree_action(&b->tree, node, k), 100 + keep[k]);
        assert_true(tree_priors(&b->tree, node)[k] == keep[k]);
        if (k < tried) {
            assert_int_equal(tree_edges(&b->tree, node)[k].visits, keep[k] + 1);
            assert_true(bounds[k].lo == -keep[k] && bounds[k].hi == keep[k]);
        }
    }
}

/* A node that loses actions keeps room for its edges, an even number and at least two, and no more; the block that it
 * leaves is the next one of this size. */
static void a_smaller_node_takes_less_room(void **unused)
{
    (void)unused;
    for (int tried = 0; tried <= TRIED; ++tried) {
        for (int fresh = 0; fresh <= ACTIONS - TRIED; ++fresh) {
            struct blocks b;
            uint16_t keep[ACTIONS];
            int n = 0;
            blocks_open(&b);
            struct tree_node *node = tree_node(&b.tree, b.node);
            struct tree_node before = *node;
            for (int i = TRIED - tried; i < TRIED + fresh; ++i)
                keep[n++] = (uint16_t)i;
            if (n > 0 && n < ACTIONS) {
                assert_true(tree_keep_actions(&b.tree, node, keep, n));
                blocks_check(&b, keep, n, tried);
                assert_int_equal(node->capacity, tried < 2 ? 2 : (tried + 1) / 2 * 2);
                uint32_t copy = tree_make_copy(&b.tree, &before);
                assert_int_equal(tree_node(&b.tree, copy)->block, before.block);
            }
            tree_free(&b.tree);
        }
    }
}

/* Arrays by action keep what they hold when a node needs longer ones. */
static void longer_arrays_hold_the_same(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "kuhn", NULL, "rule=gumbel", "rollout");
    struct search_gumbel *gumbel = s.search->gumbel;
    int room = s.search->action_room;
    for (int i = 0; i < room; ++i) {
        gumbel->noise[i] = 0.5 + i;
        gumbel->before[i] = 100 + (uint32_t)i;
        gumbel->kept[i] = 200 + (uint32_t)i;
    }
    assert_true(search_reserve_actions(s.search, room));
    assert_int_equal(s.search->action_room, room);
    assert_true(search_reserve_actions(s.search, 100));
    assert_in_range(s.search->action_room, 100, 199);
    for (int i = 0; i < room; ++i) {
        assert_true(gumbel->noise[i] == 0.5 + i);
        assert_int_equal(gumbel->before[i], 100 + i);
        assert_int_equal(gumbel->kept[i], 200 + i);
    }
    assert_false(search_reserve_actions(s.search, TREE_ACTIONS_MAX + 1));
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_smaller_node_takes_less_room),
        cmocka_unit_test(longer_arrays_hold_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
