/* Availability: how many times an action could be chosen at an information set. */
#include "hands.h"

#include "search/search.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(availability_is_visits_where_all_is_on_offer),
        cmocka_unit_test(availability_counts_offers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
