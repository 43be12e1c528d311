/* The trace of a search: visits and means that the test counts from the events alone must be those
 * of the search. */
#include "hands.h"

#include <math.h>

enum { SIMULATIONS = 400, ACTIONS = 16, STATE = 64, DEPTH = 64 };

struct account {
    const struct banyan_game *game;
    uint64_t simulation;           /* the last that was seen */
    unsigned char expected[STATE]; /* the state of the next event below the last choice */
    bool expects;
    int depth;                 /* of the next event on the way down */
    banyan_action path[DEPTH]; /* chosen on the way down */
    int left;                  /* choices that wait for their values */
    int leaves, choices;
    float values[2];          /* of the leaf */
    uint64_t visits[ACTIONS]; /* of the root, by action */
    double sums[ACTIONS];
};

/* Each legal action has one row, and no other action has. */
static void check_actions(const struct account *a, const struct banyan_search_trace *trace)
{
    banyan_action legal[ACTIONS];
    int count = a->game->legal(a->game, trace->state, trace->player, legal);
    assert_int_equal(trace->count, count);
    for (int i = 0; i < count; ++i) {
        int rows = 0;
        for (int k = 0; k < count; ++k)
            rows += trace->rows[k].action == legal[i];
        assert_int_equal(rows, 1);
    }
}

/* The rows of the root have the visits and means that the test has counted. */
static void check_rows(const struct account *a, const struct banyan_search_trace *trace)
{
    for (int i = 0; i < trace->count; ++i) {
        const struct banyan_search_move *row = &trace->rows[i];
        uint64_t visits = a->visits[row->action];
        assert_int_equal(row->visits, visits);
        if (visits)
            assert_true(fabs(row->mean - a->sums[row->action] / (double)visits) < 1e-9);
    }
}

static void see_state(struct account *a, const struct banyan_search_trace *trace)
{
    assert_int_equal(trace->depth, a->depth);
    if (a->expects)
        assert_memory_equal(trace->state, a->expected, a->game->state_size);
}

static void see_choice(struct account *a, const struct banyan_search_trace *trace)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    assert_in_range(trace->chosen, 0, trace->count - 1);
    banyan_action action = trace->rows[trace->chosen].action;
    see_state(a, trace);
    check_actions(a, trace);
    if (trace->depth == 0) {
        check_rows(a, trace);
        assert_true(trace->parent_visits == (double)trace->simulation - 1);
        assert_int_equal(trace->event == BANYAN_TRACE_EXPAND, a->visits[action] == 0);
    }
    a->path[a->depth] = joint[trace->player] = action;
    memcpy(a->expected, trace->state, a->game->state_size);
    a->game->apply(a->game, a->expected, joint, NULL);
    a->expects = true;
    a->left = ++a->depth;
    ++a->choices;
}

static void see_leaf(struct account *a, const struct banyan_search_trace *trace)
{
    see_state(a, trace);
    memcpy(a->values, trace->values, sizeof a->values);
    a->expects = false;
    a->depth = 0;
    ++a->leaves;
}

/* Values go up from the last choice to the first. */
static void see_backup(struct account *a, const struct banyan_search_trace *trace)
{
    assert_int_equal(trace->depth, --a->left);
    assert_memory_equal(trace->values, a->values, sizeof a->values);
    assert_in_range(trace->chosen, 0, trace->count - 1);
    assert_int_equal(trace->rows[trace->chosen].action, a->path[trace->depth]);
    if (trace->depth > 0)
        return;
    ++a->visits[a->path[0]];
    a->sums[a->path[0]] += (double)trace->values[trace->player];
    check_rows(a, trace);
    assert_true(trace->parent_visits == (double)trace->simulation);
}

static void see(void *ctx, const struct banyan_search_trace *trace)
{
    struct account *a = ctx;
    assert_in_range(trace->simulation, a->simulation, a->simulation + 1);
    if (trace->simulation != a->simulation)
        assert_int_equal(a->left, 0); /* all values of the last one have arrived */
    a->simulation = trace->simulation;
    if (trace->event == BANYAN_TRACE_SIMULATE)
        see_leaf(a, trace);
    else if (trace->event == BANYAN_TRACE_BACKUP)
        see_backup(a, trace);
    else
        see_choice(a, trace);
}

static void traces_add_up(void **unused)
{
    static const char *const kinds[][2] = {
        {"tictactoe", "solver=off,decisive=off"},
        {"tictactoe", "rule=puct,solver=off,decisive=off"},
        {"connect4", "rule=ucb1-tuned,solver=off,decisive=off"},
        {"connect4", "order=first,expand-visits=3,solver=off,decisive=off"}};
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        struct searching s;
        struct account a = {.simulation = 0};
        struct banyan_search_move rows[ACTIONS];
        searching_open(&s, kinds[i][0], NULL, kinds[i][1], "rollout");
        assert_true(s.game->state_size <= STATE);
        a.game = s.game;
        banyan_search_set_trace(s.search, see, &a);
        searching_run(&s, SIMULATIONS);
        banyan_search_set_trace(s.search, NULL, NULL);
        assert_int_equal(a.simulation, SIMULATIONS);
        assert_int_equal(a.leaves, SIMULATIONS);
        assert_true(a.choices > SIMULATIONS);
        int count = banyan_search_root_moves(s.search, 0, rows, ACTIONS);
        for (int r = 0; r < count; ++r)
            assert_int_equal(rows[r].visits, a.visits[rows[r].action]);
        searching_run(&s, 1); /* nobody is told any more */
        assert_int_equal(a.simulation, SIMULATIONS);
        searching_close(&s);
    }
}

/* --- choices at the same time --- */

struct together {
    struct {
        int depth, player;
        banyan_action action;
    } choices[2 * ROUNDS]; /* of this simulation, on the way down */
    int count, left, deepest, backups;
};

static void see_together(void *ctx, const struct banyan_search_trace *trace)
{
    struct together *t = ctx;
    if (trace->event == BANYAN_TRACE_SIMULATE) {
        t->left = t->count;
        t->count = 0;
        assert_int_equal(trace->depth, t->left / 2);
        return;
    }
    banyan_action action = trace->rows[trace->chosen].action;
    if (trace->event != BANYAN_TRACE_BACKUP) {
        assert_int_equal(trace->depth, t->count / 2);
        assert_int_equal(trace->player, t->count % 2);
        t->choices[t->count].depth = trace->depth;
        t->choices[t->count].player = trace->player;
        t->choices[t->count++].action = action;
        return;
    }
    --t->left;
    assert_int_equal(trace->depth, t->choices[t->left].depth);
    assert_int_equal(trace->player, t->choices[t->left].player);
    assert_int_equal(action, t->choices[t->left].action);
    t->deepest = trace->depth > t->deepest ? trace->depth : t->deepest;
    ++t->backups;
}

/* Both players' nodes of a round have the same depth, on the way down and on the way up. */
static void nodes_of_a_round_have_one_depth(void **unused)
{
    (void)unused;
    const struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    struct searching s;
    struct together together = {.count = 0};
    hands_open(&s, &game, "keys=coarse");
    banyan_search_set_trace(s.search, see_together, &together);
    searching_run(&s, SIMULATIONS);
    assert_int_equal(together.deepest, ROUNDS - 1);
    assert_true(together.backups > 2 * SIMULATIONS);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_add_up),
        cmocka_unit_test(nodes_of_a_round_have_one_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
