/* Information sets: states that a player cannot tell apart, with different legal actions. */
#include "searching.h"

/* Two players choose at once, ROUNDS times.  Player 1 holds one of many hands, of which player 0 sees
 * nothing; a hand gives its own legal actions, and no two hands share one.  Nodes are known by what
 * both know (the round), so player 1's node belongs to all hands together.  An action of another hand
 * is counted in the state, where it must not be. */
enum { ROUNDS = 2, HANDS_SMALL = 50, HANDS_LARGE = 80, OFFER_SMALL = 3, OFFER_LARGE = 1000 };
enum { LISTED_MAX = 65534 }; /* actions that a node can list */

struct hands {
    uint32_t hand, round, wins, illegal;
};

static int hands_illegal; /* actions of another hand that were applied: one thread */
static uint32_t hands_count, hands_offer;

static enum banyan_status hands_init(void *state, const char *setup, struct banyan_rng *rng,
                                     struct banyan_error *err)
{
    (void)setup, (void)rng, (void)err;
    memset(state, 0, sizeof(struct hands));
    return BANYAN_OK;
}

static unsigned hands_movers(const void *state)
{
    return ((const struct hands *)state)->round < ROUNDS ? 3 : 0;
}

static int hands_legal(const void *state, int player, banyan_action *out)
{
    const struct hands *hands = state;
    uint32_t n = player == 0 ? 2 : hands_offer;
    for (uint32_t i = 0; i < n; ++i)
        out[i] = player == 0 ? i : 1 + hands->hand * hands_offer + i;
    return (int)n;
}

static void hands_apply(void *state, const banyan_action joint[], struct banyan_dice *dice)
{
    struct hands *hands = state;
    (void)dice;
    uint32_t card = (uint32_t)joint[1] - 1 - hands->hand * hands_offer;
    hands_illegal += joint[0] > 1 || card >= hands_offer;
    hands->wins += (joint[0] + joint[1]) % 2 == 0;
    ++hands->round;
}

static void hands_returns(const void *state, float *out)
{
    const struct hands *hands = state;
    out[0] = (float)hands->wins - ROUNDS / 2.0f;
    out[1] = -out[0];
}

static uint64_t hands_key(const void *state, int viewer)
{
    const struct hands *hands = state;
    (void)viewer;
    return banyan_rng_child(hands->round, "hands", hands->wins);
}

static void hands_determinize(void *state, int viewer, struct banyan_rng *rng)
{
    if (viewer == 0)
        ((struct hands *)state)->hand = banyan_rng_below(rng, hands_count);
}

static struct banyan_game hands_game(uint32_t count, uint32_t offer)
{
    hands_count = count;
    hands_offer = offer;
    hands_illegal = 0;
    return (struct banyan_game){.name = "hands",
                                .title = "Hands",
                                .players = 2,
                                .state_size = sizeof(struct hands),
                                .action_bytes = 4,
                                .max_legal = (int)offer,
                                .max_plies = ROUNDS,
                                .return_min = -ROUNDS / 2.0f,
                                .return_max = ROUNDS / 2.0f,
                                .traits = BANYAN_SIMULTANEOUS | BANYAN_HIDDEN | BANYAN_ZERO_SUM,
                                .init = hands_init,
                                .movers = hands_movers,
                                .legal = hands_legal,
                                .apply = hands_apply,
                                .returns = hands_returns,
                                .key = hands_key,
                                .determinize = hands_determinize};
}

static void hands_open(struct searching *s, const struct banyan_game *game, const char *options)
{
    memset(s, 0, sizeof *s);
    s->game = game;
    banyan_search_options_default(&s->options);
    searching_check(
        s, banyan_options_parse(banyan_search_option_table, &s->options, options, &s->err));
    searching_check(s, banyan_evaluator_create(game, "rollout", &s->evaluator, &s->err));
    searching_check(s, banyan_search_create(&s->search, game, &s->options, &s->evaluator, &s->err));
    s->state = calloc(1, game->state_size);
    searching_check(s, banyan_search_set_root(s->search, s->state, 0, &s->err));
}

static uint64_t hands_simulations(const struct searching *s)
{
    struct banyan_search_stats stats;
    banyan_search_get_stats(s->search, &stats);
    return stats.simulations;
}

/* The other player's root has every action of every hand, and no action is applied to another hand's
 * state, whatever the rule. */
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
        static struct banyan_root_move rows[HANDS_SMALL * OFFER_SMALL + 1];
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

/* More actions than a node can list: those that came first are chosen among, the others' states end
 * their simulations. */
static void what_a_node_cannot_list_ends_the_simulation(void **unused)
{
    (void)unused;
    const struct banyan_game game = hands_game(HANDS_LARGE, OFFER_LARGE);
    struct searching s;
    size_t room = HANDS_LARGE * OFFER_LARGE;
    struct banyan_root_move *rows = calloc(room, sizeof *rows);
    assert_non_null(rows);
    hands_open(&s, &game, "rule=puct");
    searching_run(&s, 1000);
    assert_int_equal(hands_illegal, 0);
    int count = banyan_search_root_moves(s.search, 1, rows, (int)room);
    assert_int_equal(count, LISTED_MAX / OFFER_LARGE * OFFER_LARGE);
    assert_int_equal(hands_simulations(&s), 1000);
    struct banyan_search_stats stats;
    banyan_search_get_stats(s.search, &stats);
    assert_true(stats.bytes_allocated <= s.options.memory_bytes);
    searching_close(&s);
    free(rows);
}

/* A tree so small that lists cannot grow to their end: still only legal actions are applied. */
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
        banyan_search_get_stats(s.search, &stats);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_information_set_has_all_its_actions),
        cmocka_unit_test(what_a_node_cannot_list_ends_the_simulation),
        cmocka_unit_test(a_full_tree_applies_legal_actions_only),
        cmocka_unit_test(a_walk_applies_legal_actions_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
