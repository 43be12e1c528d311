/* Decisive and anti-decisive moves: if there are some, nodes below the root hold only these. */
#include "searching.h"

#include "search/search.h"

/* X has three in a row at the bottom (columns 1 to 3) and O is to move: only column 4 keeps X from winning. */
#define THREAT "moves:11223"

static struct tree_node *node_after(const struct searching *s, int player, const char *text)
{
    banyan_action action;
    struct banyan_error err;
    struct tree_node *root = search_root_node(s->search, player);
    assert_non_null(root);
    assert_int_equal(s->game->action_parse(s->game, s->state, player, text, &action, &err),
                     BANYAN_OK);
    int index = tree_find_action(&s->search->tree, root, action);
    assert_in_range(index, 0, root->tried - 1);
    uint32_t child = tree_edges(&s->search->tree, root)[index].child;
    return child ? tree_node(&s->search->tree, child) : NULL;
}

/* The root has all columns; below a column that lets X win, a node has only X's winning move. */
static void below_the_root_only_decisive_moves_stand(void **unused)
{
    (void)unused;
    const char *const options[] = {
        "", "solver=off", "rule=puct", "rule=gumbel", "batch=4", "transpositions=on,solver=off"};
    const char *const evaluators[] = {"rollout", "uniform"};
    for (size_t i = 0; i < 2 * sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_move rows[8];
        searching_open(&s, "connect4", THREAT, options[i / 2], evaluators[i % 2]);
        searching_run(&s, 400);
        assert_int_equal(search_root_node(s.search, 1)->count, 7);
        assert_int_equal(banyan_search_root_moves(s.search, 1, rows, 8), 7);
        struct tree_node *node = node_after(&s, 1, "7");
        assert_non_null(node);
        assert_int_equal(node->count, 1);
        assert_int_equal(tree_action(&s.search->tree, node, 0), 3);
        /* priors by the evaluator: over all seven columns; or over this column alone */
        float prior = i % 2 ? 1.0f / 7 : 1;
        if (tree_has(&s.search->tree, TREE_PRIORS))
            assert_float_equal(tree_priors(&s.search->tree, node)[0], prior, 1e-6);
        assert_int_equal(searching_choice(&s, 1), 3);
        searching_close(&s);
    }
}

/* Where players are friends, or the option says so, every node has all legal actions. */
static void elsewhere_all_actions_stand(void **unused)
{
    (void)unused;
    const char *const options[] = {"decisive=off", "opponents=coalition,side0=0,side1=0"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        searching_open(&s, "connect4", THREAT, options[i], "rollout");
        searching_run(&s, 2000);
        struct tree_node *node = node_after(&s, 1, "7");
        assert_non_null(node);
        assert_int_equal(node->count, 7);
        searching_close(&s);
    }
}

/* A node that becomes the root also gets the other actions: they can be seen, searched and
 * played. */
static void a_new_root_has_all_actions(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move rows[8];
    banyan_action joint[2];
    searching_open(&s, "connect4", "moves:1122", "ensemble=2", "rollout");
    searching_run(&s, 4000);
    searching_check(&s, s.game->action_parse(s.game, s.state, 0, "3", &joint[0], &s.err));
    assert_int_equal(node_after(&s, 0, "3")->count, 1);
    s.game->apply(s.game, s.state, joint, NULL);
    assert_true(banyan_search_advance(s.search, joint, s.state));
    assert_int_equal(banyan_search_root_moves(s.search, 1, rows, 8), 7);
    assert_int_equal(rows[0].action, 3);
    searching_run(&s, 400);
    assert_int_equal(searching_choice(&s, 1), 3);
    searching_close(&s);
}

/* The priors of decisive actions and of those that the node got later sum to 1 together. */
static void priors_of_a_completed_node_sum_to_1(void **unused)
{
    (void)unused;
    const char *const evaluators[] = {"rollout",
                                      "uniform"}; /* priors by the game, by the evaluator */
    for (int i = 0; i < 2; ++i) {
        struct searching s;
        struct banyan_search_move rows[8];
        banyan_action joint[2];
        searching_open(&s, "connect4", "moves:1122", "rule=puct", evaluators[i]);
        searching_run(&s, 4000);
        searching_check(&s, s.game->action_parse(s.game, s.state, 0, "3", &joint[0], &s.err));
        assert_int_equal(node_after(&s, 0, "3")->count, 1);
        s.game->apply(s.game, s.state, joint, NULL);
        assert_true(banyan_search_advance(s.search, joint, s.state));
        assert_int_equal(banyan_search_root_moves(s.search, 1, rows, 8), 7);
        double sum = 0;
        for (int j = 0; j < 7; ++j)
            sum += (double)rows[j].prior;
        assert_float_equal(sum, 1, 1e-6);
        searching_close(&s);
    }
}

/* The line of a book may continue with any legal action. */
static void a_book_may_say_anything(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "connect4", "moves:1122", "", "rollout");
    searching_run(&s, 4000);
    banyan_action line[2];
    line[0] = 2; /* column 3 makes a threat */
    for (line[1] = 0; line[1] < 7; ++line[1])
        searching_check(&s, banyan_search_add_line(s.search, line, 2, 10, -0.5, &s.err));
    assert_int_equal(node_after(&s, 0, "3")->count, 7);
    searching_run(&s, 1000);
    searching_close(&s);
}

/* Where the tree has no room for the other actions of a node, a book's line is not called illegal. */
static void a_full_tree_is_no_illegal_line(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "connect4", "moves:1122", "", "rollout");
    searching_run(&s, 4000);
    struct tree *tree = &s.search->tree;
    tree->used = tree->limit;
    memset(tree->free_blocks, 0, tree->free_sizes * sizeof *tree->free_blocks);
    const banyan_action threat = 2, line[] = {threat, 0}, none[] = {threat, 9};
    assert_int_equal(node_after(&s, 0, "3")->count, 1);
    assert_int_equal(banyan_search_add_line(s.search, line, 2, 10, -0.5, &s.err), BANYAN_NO_MEMORY);
    assert_non_null(strstr(s.err.message, "raise memory"));
    assert_int_equal(banyan_search_add_line(s.search, none, 2, 10, -0.5, &s.err), BANYAN_ILLEGAL);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(below_the_root_only_decisive_moves_stand),
        cmocka_unit_test(elsewhere_all_actions_stand),
        cmocka_unit_test(a_new_root_has_all_actions),
        cmocka_unit_test(priors_of_a_completed_node_sum_to_1),
        cmocka_unit_test(a_book_may_say_anything),
        cmocka_unit_test(a_full_tree_is_no_illegal_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
