/* Information sets: states that a player cannot tell apart, with different legal actions. */
#include "hands.h"

#include "search/search.h"

#include <math.h>
#include <stdio.h>

enum { LISTED_MAX = 65534 }; /* actions that a node can list */

/* The other player's root has every action of every hand, and no rule applies an action to the
 * state of another hand. */
static void an_information_set_has_all_its_actions(void **unused)
{
    (void)unused;
    const char *const options[] = {
        "rule=ucb1",        "rule=ucb1,children-first=off", "rule=ucb1-tuned",
        "rule=puct",        "rule=puct,noise-weight=0.25",  "rule=gumbel",
        "rule=regret",      "rule=regret,expand-visits=3",  "rule=ucb1,worlds=70",
        "rule=puct,batch=8"};
    const struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        static struct banyan_search_move rows[HANDS_SMALL * OFFER_SMALL + 1];
        struct searching s;
        hands_open(&s, &game, options[i]);
        searching_run(&s, 5000);
        if (hands_illegal)
            fail_msg("%s: %d illegal actions were applied", options[i], hands_illegal);
        int count = banyan_search_root_moves(s.search, 1, rows, HANDS_SMALL * OFFER_SMALL + 1);
        if (i != 8 && count != HANDS_SMALL * OFFER_SMALL)
            fail_msg("%s: the root has %d actions of %d", options[i], count,
                     HANDS_SMALL * OFFER_SMALL);
        assert_int_equal(hands_simulations(&s), 5000);
        searching_close(&s);
    }
}

/* With full keys each hand of the other player has its own node, with coarse keys all hands
 * share one. */
static void keys_tell_which_states_share_a_node(void **unused)
{
    (void)unused;
    enum { HANDS = 5 };
    const char *const options[] = {"keys=coarse", "keys=full", "rule=puct,keys=full,batch=4"};
    const struct banyan_game game = hands_game(HANDS, OFFER_SMALL);
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        hands_open(&s, &game, options[i]);
        searching_run(&s, 1000);
        const struct tree_node *node = search_root_node(s.search, 1);
        assert_non_null(node);
        assert_int_equal(node->count, i == 0 ? HANDS * OFFER_SMALL : OFFER_SMALL);
        if (i == 0)
            assert_in_range(node->visits, 990, 1000);
        else
            assert_in_range(node->visits, 100, 300);
        assert_int_equal(hands_illegal, 0);
        searching_close(&s);
    }
}

/* A part of an average strategy has the probabilities of the whole. */
static void a_part_of_a_strategy_keeps_its_probabilities(void **unused)
{
    (void)unused;
    enum { ALL = HANDS_SMALL * OFFER_SMALL, SOME = OFFER_SMALL + 1 };
    static banyan_action actions[ALL], first[ALL];
    static double whole[ALL], part[ALL];
    const struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    struct searching s;
    double sum = 0;
    hands_open(&s, &game, "rule=regret,keys=coarse");
    searching_run(&s, 5000);
    assert_int_equal(banyan_search_average_strategy(s.search, NULL, 1, actions, whole, ALL), ALL);
    assert_int_equal(banyan_search_average_strategy(s.search, NULL, 1, first, part, SOME), SOME);
    for (int i = 0; i < ALL; ++i)
        sum += whole[i];
    assert_true(fabs(sum - 1) < 1e-9);
    assert_memory_equal(first, actions, SOME * sizeof *first);
    assert_memory_equal(part, whole, SOME * sizeof *part);
    searching_close(&s);
}

/* A game that names an action twice does no harm: other actions are still added to the list. */
static void an_action_named_twice_is_listed_once(void **unused)
{
    (void)unused;
    const char *const options[] = {"rule=puct,progressive-bias=1", "rule=ucb1", "rule=regret"};
    const struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    static struct banyan_search_move rows[4 * HANDS_SMALL * OFFER_SMALL];
    hands_twice = true;
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        hands_open(&s, &game, options[i]);
        searching_run(&s, 5000);
        int count = banyan_search_root_moves(s.search, 1, rows, 4 * HANDS_SMALL * OFFER_SMALL);
        searching_close(&s);
        assert_int_equal(hands_illegal, 0);
        assert_in_range(count, HANDS_SMALL * OFFER_SMALL, HANDS_SMALL * OFFER_SMALL + 1);
    }
    hands_twice = false;
}

/* More actions than a node can list: the first ones can be chosen, and simulations end in states
 * that have only others. */
static void what_a_node_cannot_list_ends_the_simulation(void **unused)
{
    (void)unused;
    const struct banyan_game game = hands_game(HANDS_LARGE, OFFER_LARGE);
    struct searching s;
    size_t room = HANDS_LARGE * OFFER_LARGE;
    struct banyan_search_move *rows = calloc(room, sizeof *rows);
    assert_non_null(rows);
    hands_open(&s, &game, "rule=puct");
    searching_run(&s, 1000);
    assert_int_equal(hands_illegal, 0);
    int count = banyan_search_root_moves(s.search, 1, rows, (int)room);
    assert_int_equal(count, LISTED_MAX / OFFER_LARGE * OFFER_LARGE);
    assert_int_equal(hands_simulations(&s), 1000);
    struct banyan_search_stats stats;
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_true(stats.bytes_allocated <= s.options.memory_bytes);
    searching_close(&s);
    free(rows);
}

/* A walk in a tree that is too small says so, also if only a few of its nodes had no room. */
static void a_walk_without_room_says_so(void **unused)
{
    (void)unused;
    const struct banyan_game game = hands_game(2000, 40);
    int whole = 0, full = 0;
    for (int kib = 963; kib < 1300; kib += 7) {
        struct searching small, large;
        char options[64];
        snprintf(options, sizeof options, "rule=regret,memory=%dK", kib);
        hands_open(&small, &game, options);
        hands_open(&large, &game, "rule=regret,memory=64M");
        enum banyan_status status = banyan_search_walk(small.search, 7, NULL, &small.err);
        searching_check(&large, banyan_search_walk(large.search, 7, NULL, &large.err));
        full += status == BANYAN_NO_MEMORY;
        whole += status == BANYAN_OK &&
                 banyan_search_signature(small.search) == banyan_search_signature(large.search);
        searching_close(&small);
        searching_close(&large);
    }
    assert_true(full > 0 && whole > 0);
    assert_int_equal(full + whole, 49);
}

/* A tree so small that lists cannot grow to full length: still only legal actions are applied. */
static void a_full_tree_applies_legal_actions_only(void **unused)
{
    (void)unused;
    const char *const options[] = {"rule=ucb1,memory=131072", "rule=puct,memory=150000",
                                   "rule=regret,memory=140000", "rule=gumbel,memory=160000"};
    const struct banyan_game game = hands_game(2000, 40);
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        hands_open(&s, &game, options[i]);
        searching_run(&s, 3000);
        if (hands_illegal)
            fail_msg("%s: %d illegal actions were applied", options[i], hands_illegal);
        assert_int_equal(hands_simulations(&s), 3000);
        struct banyan_search_stats stats;
        banyan_search_stats(s.search, &stats, sizeof stats);
        assert_true(stats.bytes_allocated <= s.options.memory_bytes);
        searching_close(&s);
    }
}

/* Regret minimisation over subtrees visits what is legal in the state at hand. */
static void a_walk_applies_legal_actions_only(void **unused)
{
    (void)unused;
    const struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    struct searching s;
    hands_open(&s, &game, "rule=regret");
    searching_check(&s, banyan_search_walk(s.search, 500, NULL, &s.err));
    assert_int_equal(hands_illegal, 0);
    searching_close(&s);
}

/* Regrets of actions that were not on offer do not change. */
static void regret_goes_to_what_was_on_offer(void **unused)
{
    (void)unused;
    enum { HANDS = 4, ACTIONS = HANDS * OFFER_SMALL };
    const struct banyan_game game = hands_game(HANDS, OFFER_SMALL);
    struct searching s;
    uint32_t hand = 0;
    double before[ACTIONS];
    memset(&s, 0, sizeof s);
    s.game = &game;
    banyan_search_options_default(&s.options);
    s.options.rule = BANYAN_RULE_REGRET;
    s.options.sampler = (struct banyan_search_sampler){&hand, hands_sample};
    searching_check(&s, banyan_evaluator_create(&game, "rollout", NULL, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_create(&s.search, &game, &s.options, &s.evaluator, &s.err));
    s.state = calloc(1, game.state_size);
    searching_check(&s, banyan_search_set_root(s.search, s.state, 0, &s.err));
    for (hand = 0; hand < HANDS; ++hand)
        searching_run(&s, 200);
    const struct tree *tree = &s.search->tree;
    const struct tree_node *node = search_root_node(s.search, 1);
    assert_int_equal(node->tried, ACTIONS);
    memcpy(before, tree_column(tree, node, TREE_REGRET), sizeof before);
    hand = 2;
    searching_run(&s, 200);
    const double *after = tree_column(tree, node, TREE_REGRET);
    int changed = 0;
    for (int i = 0; i < ACTIONS; ++i) {
        bool offered = (tree_action(tree, node, i) - 1) / OFFER_SMALL == hand;
        if (!offered && after[i] != before[i])
            fail_msg("action %d of another hand: regret %f became %f", i, before[i], after[i]);
        changed += after[i] != before[i];
    }
    assert_int_equal(changed, OFFER_SMALL);
    searching_close(&s);
}

/* The chosen action is legal for the hand that the other player really holds: player 1's node
 * lists the actions of all hands, and the most visited one may belong to any of them. */
static void a_choice_is_legal_in_the_roots_state(void **unused)
{
    (void)unused;
    const char *const options[] = {"rule=ucb1",
                                   "rule=puct,final=max",
                                   "rule=gumbel",
                                   "final=sample,temperature=1",
                                   "rule=regret,final=average",
                                   "rule=regret,final=robust",
                                   "rule=ucb1,ensemble=3",
                                   "final=secure,memory=131072",
                                   "rule=ucb1,worlds=1"};
    const struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        hands_open(&s, &game, options[i]);
        for (uint32_t hand = 0; hand < HANDS_SMALL; ++hand) {
            ((struct hands *)s.state)->hand = hand;
            searching_check(&s, banyan_search_set_root(s.search, s.state, 0, &s.err));
            searching_run(&s, 300);
            for (int draw = 0; draw < 3; ++draw) {
                banyan_action chosen = searching_choice(&s, 1);
                if ((chosen - 1) / OFFER_SMALL != hand)
                    fail_msg("%s: with hand %u the choice is action %u, of hand %u", options[i],
                             hand, (unsigned)chosen, (unsigned)(chosen - 1) / OFFER_SMALL);
            }
        }
        searching_close(&s);
    }
}

/* Among the legal actions the final rule decides: the most visited of this hand, whatever the visits of
 * other hands' actions. */
static void a_choice_is_the_best_of_the_legal(void **unused)
{
    (void)unused;
    const struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    static struct banyan_search_move rows[HANDS_SMALL * OFFER_SMALL];
    struct searching s;
    hands_open(&s, &game, "rule=ucb1,final=robust");
    for (uint32_t hand = 0; hand < 10; ++hand) {
        ((struct hands *)s.state)->hand = hand;
        searching_check(&s, banyan_search_set_root(s.search, s.state, 0, &s.err));
        searching_run(&s, 3000);
        int count = banyan_search_root_moves(s.search, 1, rows, HANDS_SMALL * OFFER_SMALL), i = 0;
        while (i < count && (rows[i].action - 1) / OFFER_SMALL != hand)
            ++i;
        assert_in_range(i, 0, count - 1);
        struct banyan_search_move chosen;
        searching_check(&s, banyan_search_choose(s.search, 1, &chosen, &s.err));
        assert_int_equal(chosen.visits, rows[i].visits);
        assert_int_equal((chosen.action - 1) / OFFER_SMALL, hand);
    }
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_choice_is_legal_in_the_roots_state),
        cmocka_unit_test(a_choice_is_the_best_of_the_legal),
        cmocka_unit_test(an_information_set_has_all_its_actions),
        cmocka_unit_test(a_part_of_a_strategy_keeps_its_probabilities),
        cmocka_unit_test(a_walk_without_room_says_so),
        cmocka_unit_test(keys_tell_which_states_share_a_node),
        cmocka_unit_test(an_action_named_twice_is_listed_once),
        cmocka_unit_test(what_a_node_cannot_list_ends_the_simulation),
        cmocka_unit_test(a_full_tree_applies_legal_actions_only),
        cmocka_unit_test(a_walk_applies_legal_actions_only),
        cmocka_unit_test(regret_goes_to_what_was_on_offer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
