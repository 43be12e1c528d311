/* Availability: how many times an action could be chosen at an information set. */
#include "hands.h"

#include "search/workers.h"

#include <stdio.h>

/* In Kuhn poker both actions are always legal: the option makes no difference, to the last bit. */
static void availability_is_visits_where_all_is_on_offer(void **unused)
{
    (void)unused;
    const char *const rules[] = {"rule=ucb1",
                                 "rule=ucb1,children-first=off",
                                 "rule=ucb1-tuned",
                                 "rule=puct,puct-log-base=100",
                                 "rule=puct,forced-playouts=on,batch=4",
                                 "rule=regret"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
        uint64_t signatures[2];
        for (int on = 0; on < 2; ++on) {
            struct searching s;
            char options[128];
            snprintf(options, sizeof options, "%s,availability=%s", rules[i], on ? "on" : "off");
            searching_open(&s, "kuhn", NULL, options, "rollout");
            searching_run(&s, 5000);
            signatures[on] = banyan_search_signature(s.search);
            searching_close(&s);
        }
        if (signatures[0] != signatures[1])
            fail_msg("%s: availability makes another tree", rules[i]);
    }
}

/* Two hands in turn, each with three actions of its own: each action could be chosen at half of
 * the visits after it became known. */
static void availability_counts_offers(void **unused)
{
    (void)unused;
    enum { HANDS = 2, EACH = 50 };
    const struct banyan_game game = hands_game(HANDS, OFFER_SMALL);
    const char *const rules[] = {"rule=ucb1,availability=on", "rule=puct,availability=on"};
    for (int r = 0; r < 2; ++r) {
        struct searching s;
        hands_open(&s, &game, rules[r]);
        uint32_t hand = 0;
        s.search->options.sampler = (struct banyan_search_sampler){&hand, hands_sample};
        for (int i = 0; i < 2 * EACH; ++i) {
            hand = (uint32_t)i % 2;
            searching_run(&s, 1);
        }
        const struct tree *tree = &s.search->tree;
        const struct tree_node *node = search_root_node(s.search, 1);
        assert_int_equal(node->count, HANDS * OFFER_SMALL);
        for (int i = 0; i < node->count; ++i) {
            uint32_t chances = node->visits - tree_missed(tree, node, i);
            if (chances + 2 < EACH || chances > EACH + 2)
                fail_msg("%s: action %d could be chosen %u times", rules[r], i, chances);
        }
        searching_close(&s);
    }
}

/* With rare-share the exploration of an action is c P a / sqrt(n) / (1 + n_j), where it could be chosen at a of the n
 * visits: sqrt(a) for availability, times sqrt(a / n). */
static void rare_actions_are_explored_by_their_share(void **unused)
{
    (void)unused;
    enum { HANDS = 5 };
    const struct banyan_game game = hands_game(HANDS, OFFER_SMALL);
    for (int on = 0; on < 2; ++on) {
        struct searching s;
        char options[64];
        struct banyan_search_move rows[HANDS * OFFER_SMALL];
        snprintf(options, sizeof options, "rule=puct,cpuct=0.7,worlds=30,rare-share=%s",
                 on ? "on" : "off");
        hands_open(&s, &game, options);
        searching_run(&s, 300);
        const struct tree *tree = &s.search->tree;
        const struct tree_node *node = search_root_node(s.search, 1);
        int count = banyan_search_root_moves(s.search, 1, rows, HANDS * OFFER_SMALL), missed = 0;
        for (int i = 0; i < node->count; ++i) {
            const struct banyan_search_move *row = rows;
            while (row < rows + count && row->action != tree_action(tree, node, i))
                ++row;
            if (row == rows + count || !row->visits)
                continue;
            double n = node->visits, chances = n - tree_missed(tree, node, i);
            double reward =
                ((double)row->mean - game.return_min) / (game.return_max - game.return_min);
            double urge = 0.7 * (double)row->prior * (on ? chances / sqrt(n) : sqrt(chances)) /
                          (1 + (double)row->visits);
            missed += chances < n;
            if (fabs((double)row->score - (reward + urge)) > 1e-6)
                fail_msg("action %d: score %.7f, expected %.7f + %.7f", i, (double)row->score,
                         reward, urge);
        }
        assert_true(missed > 3);
        searching_close(&s);
    }
}

/* What a thread's private copy has counted comes to the right actions of the node, where another
 * thread has tried the last one meanwhile, so that the untried ones stand in another order, and
 * whatever stands behind the node's actions. */
static void counts_of_copies_find_their_actions(void **unused)
{
    (void)unused;
    struct banyan_game game = hands_game(2, OFFER_SMALL);
    struct searching s;
    game.action_bytes = 2;
    hands_open(&s, &game, "threads=2,rule=puct,availability=on");
    while (!search_root_node(s.search, 1))
        searching_run(&s, 1);
    struct workers *all = s.search->parallel.workers;
    struct worker *worker = &all->at[0];
    struct banyan_search *own = &worker->search;
    struct tree *tree = &own->tree;
    struct simulation *simulation = own->flights.slots;
    all->share.limit = s.search->tree.limit; /* as at the beginning of a round */
    all->share.next = s.search->tree.used;
    tree_view_open(tree, &s.search->tree);
    struct tree_node *node = (struct tree_node *)(uintptr_t)search_root_node(s.search, 1);
    uint32_t ref = (uint32_t)(((unsigned char *)node - tree->base) / 8);
    int last = node->count - 1, tried = node->tried;
    assert_true(tried < last);
    assert_int_equal(node->count, OFFER_SMALL); /* 6 bytes of 8: there is room for one more */
    node->visits = WORKER_COPY_VISITS;
    simulation->path[0] = (struct path_step){.node = ref};
    worker_make_copy(own, simulation, 0);
    struct tree_node *copy = tree_node(tree, worker_copy_of(own, ref));
    assert_true(copy != node);
    banyan_action action = tree_action(tree, node, last);
    uint32_t partial = node->partial, legal = tree_legal(tree, node)[last];
    /* 10 visits of the copy, 4 of them without some action; 3 of these with the last one */
    copy->visits += 10;
    copy->partial += 4;
    tree_legal(tree, copy)[last] += 3;
    assert_int_equal(tree_try(tree, node, last), tried);
    tree_set_action(tree, node, node->count, action);
    worker_sync(own, worker_copy_of(own, ref));
    assert_true(tree_action(tree, node, tried) == action);
    assert_int_equal(node->partial, partial + 4);
    assert_int_equal(tree_legal(tree, node)[tried], legal + 3);
    worker_drop_copies(worker);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(availability_is_visits_where_all_is_on_offer),
        cmocka_unit_test(availability_counts_offers),
        cmocka_unit_test(rare_actions_are_explored_by_their_share),
        cmocka_unit_test(counts_of_copies_find_their_actions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
