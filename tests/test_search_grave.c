/* rule=grave: hand-computed values, which table a node reads, memory, and what is refused. */
#include "searching.h"

#include "search/amaf.h"

#include <banyan/tree.h>

#include <math.h>
#include <stdio.h>

/* tic-tac-toe has no action_count, and its actions are one byte */
enum { TICTACTOE_ACTIONS = 256 };

/* --- an evaluator whose values and playouts are written down --- */

struct script {
    struct {
        float value;       /* for X */
        const char *x, *o; /* squares of the playout: digits 0 to 8, row by row */
    } lines[16];
    int next;
};

static void script_note(struct banyan_playout *playout, int player, const char *squares)
{
    for (; *squares; ++squares)
        playout->moves[playout->count++] =
            (uint32_t)(player * TICTACTOE_ACTIONS + (*squares - '0'));
}

static enum banyan_status script_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                          struct banyan_error *err)
{
    struct script *script = ctx;
    (void)err;
    for (int i = 0; i < n; ++i) {
        int line = script->next++;
        leaves[i].values[0] = script->lines[line].value;
        leaves[i].values[1] = -script->lines[line].value;
        assert_non_null(leaves[i].playout);
        script_note(leaves[i].playout, 0, script->lines[line].x);
        script_note(leaves[i].playout, 1, script->lines[line].o);
    }
    return BANYAN_OK;
}

/* A search of tic-tac-toe by the script; evaluators are borrowed from *evaluator. */
static struct banyan_search *scripted(struct script *script, struct banyan_evaluator *evaluator,
                                      const char *text)
{
    const struct banyan_game *game;
    struct banyan_search_options options;
    struct banyan_search *search;
    unsigned char state[64];
    *evaluator = (struct banyan_evaluator){.struct_size = sizeof *evaluator,
                                           .name = "script",
                                           .ctx = script,
                                           .evaluate = script_evaluate};
    banyan_search_options_default(&options);
    assert_int_equal(banyan_options_parse(banyan_search_option_table(), &options, text, NULL),
                     BANYAN_OK);
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    assert_true(game->state_size <= sizeof state);
    assert_int_equal(banyan_search_create(&search, game, &options, evaluator, NULL), BANYAN_OK);
    assert_int_equal(game->init(game, state, NULL, NULL, NULL), BANYAN_OK);
    assert_int_equal(banyan_search_set_root(search, state, -1, NULL), BANYAN_OK);
    return search;
}

static void simulate(struct banyan_search *search, int simulations)
{
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = simulations};
    assert_int_equal(banyan_search_run(search, &limits, NULL), BANYAN_OK);
}

static struct banyan_search_move row_of(const struct banyan_search *search, banyan_action action)
{
    struct banyan_search_move rows[9];
    int count = banyan_search_root_moves(search, 0, rows, 9);
    for (int i = 0; i < count; ++i)
        if (rows[i].action == action)
            return rows[i];
    fail_msg("no row");
    return rows[0];
}

static void check_row(const struct banyan_search *search, banyan_action action, uint64_t visits,
                      double score)
{
    struct banyan_search_move row = row_of(search, action);
    assert_int_equal(row.visits, visits);
    if (visits)
        assert_true(fabs(row.score - score) < 1e-6);
}

/* The first simulation ends at the root, which has no table yet.  Then each action is tried that
 * no simulation has played: 0, 1, 2 by themselves, the others were met in playouts. */
static void scores_are_those_of_the_paper(void **unused)
{
    (void)unused;
    struct script script = {{{0, "", ""},
                             {1, "48", "2"},    /* 0: X 0 4 8 (+1), O 2 (-1) */
                             {-1, "4", ""},     /* 1: X 1 4 */
                             {-1, "35678", ""}, /* 2: X 2 3 5 6 7 8 */
                             {1, "1", "5"},     /* 0 again, then O 1 (or 2 .. 8) */
                             {0.5f, "", ""}},
                            0};
    struct banyan_evaluator evaluator;
    struct banyan_search *search = scripted(
        &script, &evaluator, "rule=grave,grave-bias=0.5,order=first,solver=off,decisive=off");
    simulate(search, 4);
    check_row(search, 0, 1, 1);
    check_row(search, 1, 1, -1);
    check_row(search, 2, 1, -1);
    check_row(search, 4, 0, 0);
    simulate(search, 1);
    /* X 0: own 1 + 1, amaf the same.  X 1: own -1 of 1 visit, amaf (-1 + 1) / 2; it weighs
     * 2 / (2 + 1 + 0.5 * 2 * 1) = 1/2. */
    check_row(search, 0, 2, 1);
    check_row(search, 1, 1, -0.5);
    check_row(search, 2, 1, -1);
    simulate(search, 1);
    /* X 0: own (1 + 1 + 0.5) / 3, amaf the same sum and number. */
    check_row(search, 0, 3, 2.5 / 3);
    assert_int_equal(script.next, 6);
    banyan_search_destroy(search);
}

/* A prior of 1/2 among nine actions is odds of 4.5, whose mean reward is 4.5 / 5.5; it counts as two
 * visits.  Seven actions have a prior of 0. */
static void priors_count_as_visits(void **unused)
{
    (void)unused;
    struct script script = {{{0, "", ""}, {-1, "", ""}, {1, "", ""}}, 0};
    struct banyan_evaluator evaluator;
    const banyan_action named[] = {3, 4};
    const float priors[] = {0.5f, 0.5f};
    double high = 2 * 4.5 / 5.5 - 1;
    struct banyan_search *search =
        scripted(&script, &evaluator,
                 "rule=grave,grave-prior=2,grave-bias=0.5,order=first,solver=off,decisive=off");
    assert_int_equal(banyan_search_set_root_priors(search, 0, named, priors, 2, NULL), BANYAN_OK);
    simulate(search, 2);
    /* X 3: own -1 of 1 visit, the prior's of 2; amaf -1 weighs 1 / (1 + 3 + 0.5 * 3) */
    double mean = (2 * high - 1) / 3;
    check_row(search, 3, 1, mean + (-1 - mean) / 5.5);
    assert_int_equal(row_of(search, 0).visits, 0);
    banyan_search_destroy(search);
}

/* A move counts once in a simulation, however often it is noted; and for its player alone. */
static void moves_count_once(void **unused)
{
    (void)unused;
    struct script script = {{{0, "", ""}, {1, "4444", "4"}, {-1, "", ""}}, 0};
    struct banyan_evaluator evaluator;
    struct banyan_search *search =
        scripted(&script, &evaluator, "rule=grave,order=first,solver=off,decisive=off");
    simulate(search, 3);
    const struct amaf_entry *x = amaf_entries(search->amaf, search->amaf->root, 0);
    const struct amaf_entry *o = amaf_entries(search->amaf, search->amaf->root, 1);
    assert_int_equal(x[4].visits, 1);
    assert_true(x[4].sum == 1 && o[4].sum == -1 && o[4].visits == 1);
    assert_true(x[0].visits == 1 && x[1].visits == 1 && x[1].sum == -1);
    banyan_search_destroy(search);
}

/* b = a / (a + n + bias a n). */
static void share_by_hand(void **unused)
{
    (void)unused;
    assert_true(amaf_share(10, 0, 1) == 1);
    assert_true(amaf_share(0, 5, 1) == 0);
    assert_true(fabs(amaf_share(30, 10, 0) - 0.75) < 1e-12);
    assert_true(fabs(amaf_share(30, 10, 0.1) - 30.0 / 70) < 1e-12);
}

/* Once a table has seen enough simulations, it is what its node reads, else an ancestor's. */
static void nodes_read_the_closest_table(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "hex-5x5", NULL, "rule=grave,grave-visits=40,solver=off", "rollout");
    searching_run(&s, 3000);
    const struct amaf *amaf = s.search->amaf;
    assert_true(amaf->table_count > 10);
    assert_int_equal(amaf->begin_visits, 10);
    struct amaf_step steps[8] = {{0, 0}};
    struct simulation at = {.state = s.state, .length = 0, .amaf = steps};
    struct tree_node *root = search_root_node(s.search, 0);
    amaf_arrive(s.search, &at, root);
    assert_int_equal(amaf->closest, amaf->root);
    assert_int_equal(steps[0].table, amaf->root);
    struct banyan_search_move best;
    searching_check(&s, banyan_search_choose(s.search, 0, &best, &s.err));
    int index = tree_find_action(&s.search->tree, root, best.action);
    struct tree_node *child =
        tree_node(&s.search->tree, tree_edges(&s.search->tree, root)[index].child);
    s.game->apply(s.game, s.state, (banyan_action[2]){best.action, 0}, NULL);
    at.length = 1;
    assert_true(child->visits > 60);
    amaf_arrive(s.search, &at, child);
    assert_int_not_equal(steps[1].table, 0);
    assert_int_equal(amaf->closest, steps[1].table);
    struct tree_node young = *child;
    young.visits = 5;
    amaf_arrive(s.search, &(struct simulation){.state = s.state, .amaf = steps}, root);
    amaf_arrive(s.search, &at, &young);
    assert_int_equal(amaf->closest, amaf->root);
    searching_close(&s);
}

/* A node reads the table of the simulation that comes by, so a node below the root has no score of its own. */
static void only_the_root_shows_scores(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_tree_edge edge;
    struct banyan_tree_outcome outcome;
    searching_open(&s, "hex-5x5", NULL, "rule=grave,solver=off", "rollout");
    searching_run(&s, 2000);
    banyan_node root = banyan_tree_root(s.search, 0, 0);
    assert_true(banyan_tree_edge(s.search, root, 0, &edge, sizeof edge));
    assert_true(isfinite(edge.move.score) != 0);
    for (int i = 0; banyan_tree_outcomes(s.search, root, i, &outcome, 1) && !outcome.node; ++i)
        ; /* an action that was visited often enough for a node */
    assert_true(outcome.node != 0);
    assert_true(banyan_tree_edge(s.search, outcome.node, 0, &edge, sizeof edge));
    assert_true(edge.move.visits > 0);
    assert_true(isnan(edge.move.score) != 0);
    searching_close(&s);
}

/* The tables are a part of the memory that the caller allows, and a search is refused only if not
 * even two of them fit. */
static void memory_is_kept(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_stats stats;
    searching_open(&s, "hex-7x7", NULL, "rule=grave,memory=1M,grave-visits=4", "rollout");
    searching_run(&s, 20000);
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_true(stats.bytes_allocated <= 1 << 20);
    assert_true(s.search->amaf->bytes <= 1 << 18);
    assert_int_equal(s.search->amaf->table_count, s.search->amaf->table_room);
    searching_close(&s);
}

/* After a move the tables stay as long as there is room; a new root begins without any. */
static void tables_outlive_a_move(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move best;
    searching_open(&s, "hex-5x5", NULL, "rule=grave", "rollout");
    searching_run(&s, 2000);
    searching_check(&s, banyan_search_choose(s.search, 0, &best, &s.err));
    uint32_t before = s.search->amaf->table_count;
    s.game->apply(s.game, s.state, (banyan_action[2]){best.action, 0}, NULL);
    assert_true(banyan_search_advance(s.search, (banyan_action[2]){best.action, 0}, s.state));
    assert_int_equal(s.search->amaf->table_count, before);
    searching_run(&s, 100);
    assert_true(s.search->amaf->table_count >= before);
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    assert_int_equal(s.search->amaf->table_count, 0);
    searching_close(&s);
}

/* The same seed gives the same tree, and leaves may come back in batches. */
static void trees_can_be_repeated(void **unused)
{
    (void)unused;
    static const char *const games[] = {"hex-5x5", "breakthrough", "othello-6x6", "connect4"};
    for (size_t i = 0; i < sizeof games / sizeof *games; ++i) {
        uint64_t first = 0;
        for (int k = 0; k < 2; ++k) {
            struct searching s;
            searching_open(&s, games[i], NULL, "rule=grave,seed=7,batch=4", "rollout");
            searching_run(&s, 1500);
            uint64_t signature = banyan_search_signature(s.search);
            first = k ? first : signature;
            assert_true(signature == first);
            searching_close(&s);
        }
    }
}

/* A playout that is noted is the same as one that is not, and has the moves that were made. */
static void noted_playouts_are_the_same(void **unused)
{
    (void)unused;
    static const char *const names[] = {"hex-5x5", "hex", "breakthrough"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const struct banyan_game *game;
        unsigned char plain[256], noted[256];
        static uint32_t moves[512];
        struct banyan_playout playout = {.moves = moves, .room = 512};
        struct banyan_rng rng, again;
        assert_int_equal(banyan_game_find(names[i], &game, NULL), BANYAN_OK);
        for (uint64_t seed = 0; seed < 50; ++seed) {
            banyan_rng_seed(&rng, seed);
            again = rng;
            game->init(game, plain, i == 0 ? "swap" : NULL, NULL, NULL);
            memcpy(noted, plain, game->state_size);
            playout.count = 0;
            game->rollout(game, plain, 0, game->max_plies, &rng);
            banyan_game_rollout_logged(game, noted, 0, game->max_plies, &again, &playout);
            assert_memory_equal(plain, noted, game->state_size);
            assert_memory_equal(&rng, &again, sizeof rng);
            assert_true(playout.count > 10 && playout.count <= game->max_plies);
            for (int k = 0; k < playout.count; ++k)
                assert_true(moves[k] < 2 * (uint32_t)game->action_count);
        }
    }
}

/* The policy of a rollout is played where the game cannot note its moves, too: another one gives another
 * tree. */
static void policies_of_rollouts_are_kept(void **unused)
{
    (void)unused;
    static const char *const evaluators[] = {"rollout", "rollout:policy=hold20"};
    uint64_t signatures[2];
    for (int i = 0; i < 2; ++i) {
        struct searching s;
        searching_open(&s, "pig", NULL, "rule=grave,seed=7", evaluators[i]);
        searching_run(&s, 200);
        signatures[i] = banyan_search_signature(s.search);
        searching_close(&s);
    }
    assert_true(signatures[0] != signatures[1]);
}

static void check_refused(const char *game, const char *options, const char *why)
{
    const struct banyan_game *found;
    struct banyan_search_options parsed;
    struct banyan_evaluator evaluator = {.struct_size = sizeof evaluator};
    struct banyan_search *search;
    struct banyan_error err = {.message = ""};
    assert_int_equal(banyan_game_find(game, &found, NULL), BANYAN_OK);
    banyan_search_options_default(&parsed);
    assert_int_equal(banyan_options_parse(banyan_search_option_table(), &parsed, options, NULL),
                     BANYAN_OK);
    assert_int_equal(banyan_evaluator_create(found, "rollout", NULL, &evaluator, NULL), BANYAN_OK);
    assert_int_not_equal(banyan_search_create(&search, found, &parsed, &evaluator, &err),
                         BANYAN_OK);
    if (!strstr(err.message, why))
        fail_msg("%s %s was refused with: %s", game, options, err.message);
    banyan_evaluator_close(&evaluator);
}

static void what_does_not_go_together_is_refused(void **unused)
{
    (void)unused;
    check_refused("kuhn", "rule=grave", "alternate moves and open cards");
    check_refused("rps", "rule=grave", "alternate moves and open cards");
    check_refused("bloodbowl", "rule=grave", "action_count");
    check_refused("hex", "rule=grave,threads=2", "ensemble=N");
    check_refused("hex-19x19", "rule=grave,memory=128K", "memory=131072");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_paper),
        cmocka_unit_test(priors_count_as_visits),
        cmocka_unit_test(moves_count_once),
        cmocka_unit_test(share_by_hand),
        cmocka_unit_test(nodes_read_the_closest_table),
        cmocka_unit_test(only_the_root_shows_scores),
        cmocka_unit_test(memory_is_kept),
        cmocka_unit_test(tables_outlive_a_move),
        cmocka_unit_test(trees_can_be_repeated),
        cmocka_unit_test(noted_playouts_are_the_same),
        cmocka_unit_test(policies_of_rollouts_are_kept),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
