/* Limits on what may be chosen at the root: before the first simulation, in the middle, after a move. */
#include "hands.h"

#include "search/search.h"

#include <banyan/tree.h>

#include <limits.h>
#include <math.h>

static banyan_action action_of(struct searching *s, int player, const char *text)
{
    banyan_action action;
    searching_check(s, s->game->action_parse(s->game, s->state, player, text, &action, &s->err));
    return action;
}

static int rows_of(struct searching *s, int player, struct banyan_search_move *rows)
{
    return banyan_search_root_moves(s->search, player, rows, 64);
}

static void only_these_are_searched_and_chosen(void **unused)
{
    static const char *const options[] = {
        "",           "rule=puct", "rule=gumbel", "rule=ucb1-tuned",
        "rule=grave", "batch=4",   "solver=off",  "ensemble=2"};
    (void)unused;
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_move rows[64];
        searching_open(&s, "connect4", NULL, options[i], "rollout");
        const banyan_action two[] = {action_of(&s, 0, "1"), action_of(&s, 0, "7")};
        searching_check(&s, banyan_search_allow(s.search, 0, two, 2, &s.err));
        searching_run(&s, 500);
        assert_int_equal(rows_of(&s, 0, rows), 2);
        assert_true(rows[0].visits + rows[1].visits >= 498);
        banyan_action chosen = searching_choice(&s, 0);
        assert_true(chosen == two[0] || chosen == two[1]);
        searching_check(&s, banyan_search_allow(s.search, 0, two, 1, &s.err));
        searching_run(&s, 10);
        assert_int_equal(searching_choice(&s, 0), two[0]);
        searching_close(&s);
    }
}

static uint64_t root_visits(const struct searching *s)
{
    struct banyan_tree_node info;
    banyan_tree_node(s->search, banyan_tree_root(s->search, 0, 0), &info, sizeof info);
    return info.visits;
}

/* The other actions keep their statistics; the root's value and visits are computed from them
 * alone. */
static void an_action_is_left_out_and_comes_back(void **unused)
{
    static const char *const options[] = {"solver=off", "", "rule=puct", "rule=ucb1-tuned"};
    (void)unused;
    for (size_t o = 0; o < sizeof options / sizeof *options; ++o) {
        struct searching s;
        struct banyan_search_move before[64], after[64];
        float values[2];
        searching_open(&s, "othello", NULL, options[o], "rollout");
        searching_run(&s, 2000);
        int count = rows_of(&s, 0, before);
        uint64_t all = root_visits(&s);
        searching_check(&s, banyan_search_avoid(s.search, 0, &before[0].action, 1, &s.err));
        assert_int_equal(root_visits(&s), all - before[0].visits);
        assert_int_equal(rows_of(&s, 0, after), count - 1);
        double sum = 0, visits = 0;
        for (int i = 0; i + 1 < count; ++i) {
            assert_int_equal(after[i].action, before[i + 1].action);
            assert_int_equal(after[i].visits, before[i + 1].visits);
            assert_true(after[i].mean == before[i + 1].mean);
            sum += after[i].mean * (double)after[i].visits;
            visits += (double)after[i].visits;
        }
        banyan_search_root_values(s.search, values);
        assert_true(fabs((double)values[0] - sum / visits) < 1e-6);
        searching_run(&s, 500);
        assert_int_equal(rows_of(&s, 0, after), count - 1);
        searching_check(&s, banyan_search_avoid(s.search, 0, NULL, 0, &s.err));
        assert_int_equal(rows_of(&s, 0, after), count);
        assert_int_equal(after[count - 1].action, before[0].action);
        assert_int_equal(after[count - 1].visits, 0);
        searching_run(&s, 500);
        assert_int_equal(rows_of(&s, 0, after), count);
        assert_true(after[count - 1].visits > 0);
        searching_close(&s);
    }
}

static void priors_sum_to_one(void **unused)
{
    struct searching s;
    struct banyan_search_move rows[64];
    (void)unused;
    static const int before[] = {0, 0, 50}, after[] = {1, 50, 50}; /* simulations */
    for (size_t i = 0; i < sizeof before / sizeof *before; ++i) {
        searching_open(&s, "connect4", NULL, "rule=puct", "uniform");
        const banyan_action two[] = {action_of(&s, 0, "1"), action_of(&s, 0, "4")};
        if (before[i])
            searching_run(&s, before[i]);
        searching_check(&s, banyan_search_allow(s.search, 0, two, 2, &s.err));
        searching_run(&s, after[i]);
        assert_int_equal(rows_of(&s, 0, rows), 2);
        assert_true(fabs((double)rows[0].prior - 0.5) < 1e-6);
        assert_true(fabs((double)rows[1].prior - 0.5) < 1e-6);
        searching_close(&s);
    }
}

/* Before the first simulation, in the middle, and with the evaluator's own priors. */
static void priors_of_ones_own(void **unused)
{
    static const struct {
        const char *options, *evaluator;
        bool late;
    } kinds[] = {{"rule=puct", "rollout", false},
                 {"rule=puct", "uniform", false},
                 {"rule=puct", "uniform", true},
                 {"rule=puct,batch=4", "uniform", true},
                 {"rule=puct,ensemble=2", "rollout", false},
                 {"rule=ucb1,progressive-bias=2", "rollout", true}};
    const float priors[] = {6, 2};
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        struct searching s;
        struct banyan_search_move rows[64];
        searching_open(&s, "connect4", NULL, kinds[i].options, kinds[i].evaluator);
        const banyan_action two[] = {action_of(&s, 0, "1"), action_of(&s, 0, "7")};
        if (kinds[i].late)
            searching_run(&s, 20);
        searching_check(&s, banyan_search_set_root_priors(s.search, 0, two, priors, 2, &s.err));
        searching_run(&s, 300);
        int count = rows_of(&s, 0, rows);
        assert_int_equal(count, 7);
        for (int k = 0; k < count; ++k) {
            float prior = rows[k].action == two[0] ? 0.75f : rows[k].action == two[1] ? 0.25f : 0;
            assert_true(rows[k].prior == prior);
        }
        if (!kinds[i].late && strstr(kinds[i].options, "puct"))
            assert_int_equal(rows[0].action, two[0]);
        searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
        searching_run(&s, 10);
        rows_of(&s, 0, rows);
        assert_true(rows[0].prior < 0.2f); /* 1/7: the root is a new one */
        searching_close(&s);
    }
}

/* X wins immediately by c1; without it the position is worth less. */
static void bounds_are_those_of_what_is_left(void **unused)
{
    struct searching s;
    (void)unused;
    searching_open(&s, "tictactoe", "moves:a1 a2 b1 b2", "decisive=off", "rollout");
    const banyan_action win = action_of(&s, 0, "c1");
    searching_run(&s, 1000);
    assert_int_equal(searching_choice(&s, 0), win);
    assert_true(searching_row(&s, 0, "c1").lo == 1);
    searching_check(&s, banyan_search_avoid(s.search, 0, &win, 1, &s.err));
    searching_run(&s, 2000);
    struct banyan_search_move best;
    searching_check(&s, banyan_search_choose(s.search, 0, &best, &s.err));
    assert_int_equal(best.action, action_of(&s, 0, "c2"));
    assert_true(best.lo == best.hi);
    searching_close(&s);
}

static void a_move_lifts_the_limit(void **unused)
{
    struct searching s;
    struct banyan_search_move rows[64];
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    (void)unused;
    searching_open(&s, "connect4", NULL, "", "rollout");
    joint[0] = action_of(&s, 0, "4");
    searching_check(&s, banyan_search_allow(s.search, 0, joint, 1, &s.err));
    searching_run(&s, 1000);
    s.game->apply(s.game, s.state, joint, NULL);
    assert_true(banyan_search_advance(s.search, joint, s.state));
    assert_int_equal(rows_of(&s, 1, rows), 7);
    assert_true(rows[0].visits > 100);
    const banyan_action middle = action_of(&s, 1, "4");
    searching_check(&s, banyan_search_avoid(s.search, 1, &middle, 1, &s.err));
    searching_run(&s, 100);
    assert_int_equal(rows_of(&s, 1, rows), 6);
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    searching_run(&s, 100);
    assert_int_equal(rows_of(&s, 1, rows), 7);
    searching_close(&s);
}

/* Where cards are hidden, and players choose at the same time. */
static void hidden_cards(void **unused)
{
    static const char *const options[] = {"", "rule=regret,final=average", "worlds=3"};
    (void)unused;
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_move rows[64];
        banyan_action legal[16];
        searching_open(&s, "pokemon", NULL, options[i], "rollout");
        int count = s.game->legal(s.game, s.state, 0, legal);
        assert_true(count > 2);
        searching_check(&s, banyan_search_avoid(s.search, 0, legal + 1, count - 1, &s.err));
        searching_run(&s, 300);
        assert_int_equal(searching_choice(&s, 0), legal[0]);
        assert_true(rows_of(&s, 1, rows) != 1);
        searching_check(&s, banyan_search_avoid(s.search, 0, legal, 1, &s.err));
        searching_run(&s, 300);
        assert_true(searching_choice(&s, 0) != legal[0]);
        searching_close(&s);
    }
}

/* An action that comes back was missed at all visits that are left, and not more often: else the rule would read
 * a negative number of chances, and would never choose it. */
static void an_action_that_comes_back_is_searched(void **unused)
{
    static const char *const options[] = {"rule=ucb1", "rule=puct", "rule=puct,forced-playouts=on",
                                          "rule=ucb1-tuned"};
    const struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    const banyan_action first = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_move rows[64];
        hands_open(&s, &game, options[i]);
        searching_check(&s, banyan_search_allow(s.search, 0, &first, 1, &s.err));
        searching_run(&s, 1000);
        searching_check(&s, banyan_search_allow(s.search, 0, NULL, 0, &s.err));
        searching_run(&s, 10);
        searching_check(&s, banyan_search_avoid(s.search, 0, &first, 1, &s.err));
        searching_run(&s, 500);
        assert_int_equal(rows_of(&s, 0, rows), 1);
        assert_true(rows[0].action == 1 && rows[0].visits >= 500);
        assert_true(isnan(rows[0].score) == 0);
        const struct tree_node *node = search_root_node(s.search, 0);
        assert_true(tree_missed(&s.search->tree, node, 0) <= node->visits);
        searching_close(&s);
    }
}

/* The user's priors are for the whole root: what is allowed again has its own. */
static void priors_come_back(void **unused)
{
    static const char *const options[] = {"rule=puct", "rule=gumbel", "rule=puct,ensemble=2"};
    const float priors[] = {6, 2};
    (void)unused;
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
        for (int before = 0; before < 2; ++before) {
            struct searching s;
            struct banyan_search_move row;
            searching_open(&s, "connect4", NULL, options[i], "uniform");
            const banyan_action two[] = {action_of(&s, 0, "1"), action_of(&s, 0, "7")};
            searching_run(&s, 20);
            if (before)
                searching_check(&s, banyan_search_avoid(s.search, 0, two, 1, &s.err));
            searching_check(&s, banyan_search_set_root_priors(s.search, 0, two, priors, 2, &s.err));
            searching_run(&s, 20);
            searching_check(&s, banyan_search_avoid(s.search, 0, two, 1, &s.err));
            row = searching_row(&s, 0, "7");
            assert_true(row.prior == 1);
            searching_check(&s, banyan_search_allow(s.search, 0, NULL, 0, &s.err));
            row = searching_row(&s, 0, "1");
            assert_true(row.prior == 0.75f);
            searching_run(&s, 100);
            row = searching_row(&s, 0, "1");
            assert_true(row.prior == 0.75f && row.visits > 20);
            searching_close(&s);
        }
}

/* --- an ensemble is all of its trees --- */

/* Whether a tree has visits behind the move that was played. */
static bool is_kept(const struct banyan_search *one)
{
    return one->root.edges[0].visits > 0;
}

static void any_tree_of_an_ensemble_may_be_kept(void **unused)
{
    int different = 0;
    (void)unused;
    for (banyan_action action = 0; action < 7; ++action) {
        struct searching s;
        const banyan_action joint[2] = {action};
        searching_open(&s, "connect4", NULL, "ensemble=2,solver=off", "rollout");
        searching_run(&s, 10);
        s.game->apply(s.game, s.state, joint, NULL);
        bool kept = banyan_search_advance(s.search, joint, s.state);
        bool first = is_kept(s.search), second = is_kept(s.search->parallel.members[0]);
        assert_int_equal(kept, first || second);
        different += second && !first;
        searching_close(&s);
    }
    assert_true(different > 0); /* only the second tree was kept */
}

static void strategies_of_an_ensemble_are_added(void **unused)
{
    enum { TREES = 4, EACH = 500 };
    struct searching s;
    banyan_action actions[8];
    double whole[8], alone[8], sum[8] = {0};
    (void)unused;
    searching_open(&s, "matrix", NULL, "rule=regret,ensemble=4,final=average", "rollout");
    searching_run(&s, TREES * EACH);
    int count = banyan_search_average_strategy(s.search, NULL, 0, actions, whole, 8);
    assert_int_equal(count, 2);
    for (int tree = 1; tree < TREES; ++tree) {
        banyan_search_average_strategy(s.search->parallel.members[tree - 1], NULL, 0, actions,
                                       alone, 8);
        for (int i = 0; i < count; ++i)
            sum[actions[i]] += alone[i] / TREES;
    }
    s.search->parallel.member_count = 0; /* the first tree alone */
    banyan_search_average_strategy(s.search, NULL, 0, actions, alone, 8);
    s.search->parallel.member_count = TREES - 1;
    for (int i = 0; i < count; ++i)
        sum[actions[i]] += alone[i] / TREES;
    assert_true(fabs(alone[0] - sum[actions[0]]) > 1e-4);
    banyan_search_average_strategy(s.search, NULL, 0, actions, whole, 8);
    int drawn = 0;
    for (int i = 0; i < count; ++i)
        assert_true(fabs(whole[i] - sum[actions[i]]) < 1e-9);
    for (int i = 0; i < 4000; ++i)
        drawn += searching_choice(&s, 0) == actions[0];
    assert_true(fabs(drawn / 4000.0 - whole[0]) < 0.03);
    searching_close(&s);
}

/* --- a key that is not the same twice --- */

static bool keys_change;

static uint64_t changing_key(const struct banyan_game *game, const void *state, int viewer)
{
    static uint64_t calls;
    return banyan_rng_child(keys_change ? ++calls : 0, "key", *(const uint8_t *)state);
}

static void a_root_that_is_not_found_again_has_no_rows(void **unused)
{
    struct searching s;
    struct banyan_game game;
    struct banyan_search_move rows[8];
    (void)unused;
    searching_open(&s, "pig", NULL, "", "rollout");
    game = *s.game;
    game.key = changing_key;
    banyan_search_destroy(s.search);
    searching_check(&s, banyan_search_create(&s.search, &game, &s.options, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    searching_run(&s, 200);
    assert_true(rows_of(&s, 0, rows) > 0);
    keys_change = true;
    for (int i = 0; i < 100; ++i)
        assert_in_range(rows_of(&s, 0, rows), 0, 8);
    keys_change = false;
    searching_close(&s);
}

/* Threads take the tree's memory in large parts, so that a run may end with a tree that has nothing left. */
static void take_all_room(struct banyan_search *search)
{
    struct tree *tree = &search->tree;
    tree->used = tree->limit;
    memset(tree->free_blocks, 0, tree->free_sizes * sizeof *tree->free_blocks);
}

static void a_full_tree_gets_its_actions_back(void **unused)
{
    static const char *const options[] = {"", "rule=puct", "rule=gumbel", "ensemble=2"};
    (void)unused;
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_move rows[64];
        searching_open(&s, "connect4", NULL, options[i], "rollout");
        const banyan_action one = action_of(&s, 0, "1");
        searching_check(&s, banyan_search_allow(s.search, 0, &one, 1, &s.err));
        searching_run(&s, 300);
        take_all_room(s.search);
        searching_check(&s, banyan_search_allow(s.search, 0, NULL, 0, &s.err));
        assert_int_equal(rows_of(&s, 0, rows), 7);
        assert_true(rows[0].action == one && rows[0].visits > 100);
        searching_run(&s, 300);
        assert_int_equal(rows_of(&s, 0, rows), 7);
        searching_check(&s, banyan_search_allow(s.search, 0, &one, 1, &s.err));
        searching_run(&s, 300);
        take_all_room(s.search);
        s.search->root.is_full = true; /* as after a compaction that has freed too little */
        assert_int_equal(banyan_search_allow(s.search, 0, NULL, 0, &s.err), BANYAN_NO_MEMORY);
        searching_close(&s);
    }
}

/* A walk of MCCFR has no other actions at the root than a search has. */
static void a_walk_keeps_to_the_limits(void **unused)
{
    static const char *const games[] = {"rps", "kuhn"};
    (void)unused;
    for (size_t i = 0; i < sizeof games / sizeof *games; ++i) {
        struct searching s;
        struct banyan_search_move rows[64];
        banyan_action legal[16];
        searching_open(&s, games[i], NULL, "rule=regret,final=average", "rollout");
        int count = s.game->legal(s.game, s.state, 0, legal);
        assert_true(count > 1);
        searching_check(&s, banyan_search_allow(s.search, 0, legal + 1, 1, &s.err));
        searching_check(&s, banyan_search_walk(s.search, 100, NULL, &s.err));
        assert_int_equal(rows_of(&s, 0, rows), 1);
        assert_int_equal(searching_choice(&s, 0), legal[1]);
        searching_check(&s, banyan_search_avoid(s.search, 0, NULL, 0, &s.err));
        searching_check(&s, banyan_search_walk(s.search, 100, NULL, &s.err));
        assert_int_equal(rows_of(&s, 0, rows), count);
        searching_close(&s);
    }
}

/* A limit that leaves all actions changes nothing: neither the random numbers to come nor the noise of the player who
 * searches, so that all visits and values are the same. */
static void a_limit_that_leaves_all_changes_nothing(void **unused)
{
    static const struct {
        const char *game, *options;
        int player;
    } rows[] = {{"othello", "", 0},
                {"tictactoe", "rule=ucb1-tuned,solver=off", 0},
                {"hex-5x5", "rule=grave", 0},
                {"rps", "rule=regret", 0},
                {"rps", "", 1},
                {"rps", "rule=gumbel", 1}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct searching s[2];
        banyan_action legal[64];
        for (int limited = 0; limited < 2; ++limited) {
            searching_open(&s[limited], rows[i].game, NULL, rows[i].options, "rollout");
            searching_run(&s[limited], 200);
        }
        int count = s[1].game->legal(s[1].game, s[1].state, rows[i].player, legal);
        searching_check(&s[1],
                        banyan_search_allow(s[1].search, rows[i].player, legal, count, &s[1].err));
        for (int limited = 0; limited < 2; ++limited)
            searching_run(&s[limited], 200);
        for (int p = 0; p < 2; ++p) {
            struct banyan_search_move found[2][64];
            count = rows_of(&s[0], p, found[0]);
            assert_int_equal(rows_of(&s[1], p, found[1]), count);
            for (int k = 0; k < count; ++k)
                if (found[0][k].action != found[1][k].action ||
                    found[0][k].visits != found[1][k].visits ||
                    (found[0][k].visits && found[0][k].mean != found[1][k].mean))
                    fail_msg("%s, %s: another tree", rows[i].game, rows[i].options);
        }
        searching_close(&s[0]);
        searching_close(&s[1]);
    }
}

static void expect_refused(struct searching *s, enum banyan_status found, enum banyan_status status,
                           const char *message)
{
    assert_int_equal(found, status);
    if (!strstr(s->err.message, message))
        fail_msg("'%s' does not say '%s'", s->err.message, message);
}

static void players_that_are_none_are_refused(const banyan_action *actions)
{
    static const int players[] = {-1, 1, 2, 31, 32, 64, INT_MAX, INT_MIN};
    const float share = 1;
    struct searching s;
    struct banyan_search_move chosen;
    searching_open(&s, "tictactoe", NULL, "rule=puct", "rollout");
    searching_run(&s, 100);
    for (size_t i = 0; i < sizeof players / sizeof *players; ++i) {
        int player = players[i];
        expect_refused(&s, banyan_search_allow(s.search, player, actions, 1, &s.err),
                       BANYAN_INVALID, "does not choose");
        expect_refused(&s, banyan_search_avoid(s.search, player, actions, 1, &s.err),
                       BANYAN_INVALID, "does not choose");
        expect_refused(&s, banyan_search_choose(s.search, player, &chosen, &s.err), BANYAN_INVALID,
                       "does not choose");
        expect_refused(&s,
                       banyan_search_set_root_priors(s.search, player, actions, &share, 1, &s.err),
                       BANYAN_INVALID, "does not choose");
        assert_int_equal(banyan_tree_root(s.search, player, 0), 0);
        assert_int_equal(banyan_tree_at(s.search, 0, 0, player, s.state), 0);
    }
    assert_int_not_equal(banyan_tree_root(s.search, 0, 0), 0);
    searching_close(&s);
}

static void what_cannot_be_is_refused(void **unused)
{
    const banyan_action all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, none = 77;
    struct searching s;
    (void)unused;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    expect_refused(&s, banyan_search_allow(s.search, 0, &none, 1, &s.err), BANYAN_ILLEGAL,
                   "action number 77 is not legal");
    expect_refused(&s, banyan_search_avoid(s.search, 0, all, 9, &s.err), BANYAN_INVALID,
                   "all 9 actions are avoided");
    searching_check(&s, banyan_search_avoid(s.search, 0, all, 1, &s.err));
    expect_refused(&s, banyan_search_add_line(s.search, all, 1, 1, 0, &s.err), BANYAN_ILLEGAL,
                   "is not allowed at the root");
    searching_check(&s, banyan_search_avoid(s.search, 0, NULL, 0, &s.err));
    expect_refused(&s, banyan_search_allow(s.search, 1, all, 1, &s.err), BANYAN_INVALID,
                   "does not choose at the root");
    expect_refused(&s, banyan_search_allow(s.search, 0, all, -1, &s.err), BANYAN_INVALID,
                   "cannot be negative");
    searching_close(&s);
    players_that_are_none_are_refused(all);
    const float shares[] = {0.5f, 0.5f}, negative[] = {-1, 2}, zeros[] = {0, 0};
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    expect_refused(&s, banyan_search_set_root_priors(s.search, 0, all, shares, 2, &s.err),
                   BANYAN_UNSUPPORTED, "keeps no priors");
    searching_close(&s);
    searching_open(&s, "tictactoe", NULL, "rule=puct", "rollout");
    expect_refused(&s, banyan_search_set_root_priors(s.search, 0, all, negative, 2, &s.err),
                   BANYAN_INVALID, "a prior of -1: it must be finite");
    expect_refused(&s, banyan_search_set_root_priors(s.search, 0, all, zeros, 2, &s.err),
                   BANYAN_INVALID, "all priors are 0");
    expect_refused(&s, banyan_search_set_root_priors(s.search, 0, &none, shares, 1, &s.err),
                   BANYAN_ILLEGAL, "action number 77");
    expect_refused(&s, banyan_search_set_root_priors(s.search, 1, all, shares, 2, &s.err),
                   BANYAN_INVALID, "does not choose");
    searching_close(&s);
    searching_open(&s, "tictactoe", NULL, "transpositions", "rollout");
    expect_refused(&s, banyan_search_allow(s.search, 0, all, 1, &s.err), BANYAN_UNSUPPORTED,
                   "transpositions=on");
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_these_are_searched_and_chosen),
        cmocka_unit_test(an_action_is_left_out_and_comes_back),
        cmocka_unit_test(priors_sum_to_one),
        cmocka_unit_test(priors_of_ones_own),
        cmocka_unit_test(bounds_are_those_of_what_is_left),
        cmocka_unit_test(a_move_lifts_the_limit),
        cmocka_unit_test(hidden_cards),
        cmocka_unit_test(an_action_that_comes_back_is_searched),
        cmocka_unit_test(priors_come_back),
        cmocka_unit_test(any_tree_of_an_ensemble_may_be_kept),
        cmocka_unit_test(strategies_of_an_ensemble_are_added),
        cmocka_unit_test(a_root_that_is_not_found_again_has_no_rows),
        cmocka_unit_test(a_full_tree_gets_its_actions_back),
        cmocka_unit_test(a_walk_keeps_to_the_limits),
        cmocka_unit_test(a_limit_that_leaves_all_changes_nothing),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
