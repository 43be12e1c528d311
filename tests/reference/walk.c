/* External-sampling regret minimisation (Lanctot et al. 2009) by recursion over the plain tree;
 * banyan_search_walk is compared with it. It draws random numbers in this order: the full state; at
 * every decision, for the movers but the traverser (the player all of whose actions are played), by
 * number, the order of a new node's actions and then the action; the order of actions for a new
 * node of the traverser; then dice, for each of the traverser's actions in turn. */
#include "reference/inside.h"
#include "reference/pair.h"

#include "base/rng.h"

#include <math.h>

/* The node of mover, all of whose actions count as tried; *offered: the legal ones. */
static struct plain_node *node_of(struct plain *r, struct plain_edge *above,
                                  struct random_game_state *state, int mover, uint64_t *offered)
{
    struct plain_simulation here = {.state = (unsigned char *)state, .depth = 1};
    struct plain_outcome *outcome = plain_outcome_of(r, above, plain_node_key(r, state, mover));
    if (!outcome->node)
        outcome->node = plain_make_node(r, &here, mover, 0);
    *offered = plain_offered_actions(outcome->node, state, false);
    for (int i = 0; i < outcome->node->count; ++i)
        outcome->node->edges[i]->tried = true;
    if (!outcome->node->walked)
        outcome->node->walked = plain_take(r, PLAIN_ACTIONS * sizeof(double));
    return outcome->node;
}

/* Another player draws an action, and the strategy is added to the average. */
static struct plain_edge *draw_edge(struct plain *r, struct plain_node *node, uint64_t offered)
{
    struct plain_edge *last = NULL;
    struct plain_play *play =
        plain_take(r, sizeof *play + (size_t)node->count * sizeof *play->strategy);
    plain_match_regrets(node->walked, node->count, offered, play->strategy);
    play->count = node->count;
    play->next = node->plays;
    node->plays = play;
    double draw = rng_unit(&r->rng);
    for (int i = 0; i < node->count && draw >= 0; ++i)
        if (plain_is_offered(node->edges[i], offered)) {
            last = node->edges[i];
            draw -= play->strategy[last->id];
        }
    return last;
}

static double walk(struct plain *r, int player, struct random_game_state *state,
                   struct plain_edge *const above[]);

static double walk_on(struct plain *r, int player, const struct random_game_state *state,
                      const banyan_action *joint, struct plain_edge *const above[])
{
    struct random_game_state next = *state;
    r->game->apply(r->game, &next, joint, &r->dice);
    return walk(r, player, &next, above);
}

/* The player who walks tries every action; an action's regret grows by the difference between
 * its value and that of the strategy. */
static double try_all(struct plain *r, struct plain_node *node, uint64_t offered,
                      const struct random_game_state *state, banyan_action *joint,
                      struct plain_edge **above)
{
    double strategy[PLAIN_ACTIONS], values[PLAIN_ACTIONS] = {0}, expected = 0;
    int player = node->mover;
    plain_match_regrets(node->walked, node->count, offered, strategy);
    for (int i = 0; i < node->count; ++i) {
        struct plain_edge *edge = node->edges[i];
        if (!plain_is_offered(edge, offered))
            continue;
        joint[player] = edge->action;
        above[player] = edge;
        values[edge->id] = walk_on(r, player, state, joint, above);
        expected += strategy[edge->id] * values[edge->id];
    }
    for (int i = 0; i < node->count; ++i) {
        struct plain_edge *edge = node->edges[i];
        struct plain_result result = {.visits = 1, .edge = edge};
        if (!plain_is_offered(edge, offered))
            continue;
        node->walked[edge->id] += values[edge->id] - expected;
        result.values[player] = (float)values[edge->id];
        plain_add(r, &edge->back, &result);
    }
    return expected;
}

/* The value of the position for player, as this walk estimates it. */
static double walk(struct plain *r, int player, struct random_game_state *state,
                   struct plain_edge *const from[])
{
    struct plain_edge *above[BANYAN_MAX_PLAYERS];
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    unsigned movers = r->game->movers(r->game, state);
    uint64_t offered;
    if (!movers) {
        float returns[BANYAN_MAX_PLAYERS];
        r->game->returns(r->game, state, returns);
        return (double)returns[player];
    }
    memcpy(above, from, sizeof above);
    for (int p = 0; p < r->game->players; ++p) {
        if (p == player || !(movers >> p & 1))
            continue;
        struct plain_node *node = node_of(r, above[p], state, p, &offered);
        above[p] = draw_edge(r, node, offered);
        joint[p] = above[p]->action;
    }
    if (!(movers >> player & 1))
        return walk_on(r, player, state, joint, above);
    struct plain_node *own = node_of(r, above[player], state, player, &offered);
    return try_all(r, own, offered, state, joint, above);
}

static void walk_plain(struct plain *r, int iterations)
{
    for (int i = 0; i < iterations; ++i, ++r->simulated)
        for (int player = 0; player < r->game->players; ++player) {
            struct plain_edge *above[BANYAN_MAX_PLAYERS] = {0};
            struct random_game_state state;
            for (int p = 0; p < r->game->players; ++p)
                above[p] = &r->root[p];
            memcpy(&state, r->root_state, sizeof state);
            if (r->game->traits & BANYAN_HIDDEN)
                plain_draw_state(r, &state);
            walk(r, player, &state, above);
        }
}

/* --- side by side --- */

static bool has_twin(const struct plain *r, const struct plain_node *node)
{
    for (const struct plain_node *i = r->nodes; i; i = i->next)
        if (i != node && i->key == node->key)
            return true;
    return false;
}

/* sums of values differ by rounding, since the plain tree keeps them in single precision */
static void expect_close(struct pair *pair, const char *what, double kernel, double plain)
{
    compare_expect(pair, what, fabs(kernel - plain) <= 1e-5 * fmax(1, fabs(plain)), 1);
}

static void compare_strategies(struct pair *pair, struct banyan_search *kernel, struct plain *r)
{
    banyan_action actions[PLAIN_ACTIONS];
    double found[PLAIN_ACTIONS], right[PLAIN_ACTIONS];
    for (struct plain_node *node = r->nodes; node && pair->same; node = node->next) {
        if (has_twin(r, node))
            continue;
        int count = banyan_search_average_strategy(kernel, node->state, node->mover, actions, found,
                                                   PLAIN_ACTIONS);
        compare_expect(pair, "actions of a node that was walked", count, node->count);
        plain_average_strategy(node, right);
        for (int i = 0; i < count && pair->same; ++i) {
            const struct plain_edge *edge = plain_find_edge(node, actions[i]);
            compare_expect(pair, "a walk's node has this action", 1, edge != NULL);
            if (edge)
                expect_close(pair, "an average strategy of a walk", found[i], right[edge->id]);
        }
    }
}

static void compare_walked_root(struct pair *pair, struct banyan_search *kernel, struct plain *r)
{
    struct banyan_search_move found[PLAIN_ACTIONS], right[PLAIN_ACTIONS];
    for (int p = 0; p < r->game->players && pair->same; ++p) {
        if (!(r->game->movers(r->game, &pair->state) >> p & 1))
            continue;
        int count = banyan_search_root_moves(kernel, p, found, PLAIN_ACTIONS);
        compare_expect(pair, "root actions of a walk", count, plain_root_moves(&r, 1, p, right));
        for (int i = 0; i < count && pair->same; ++i) {
            compare_expect(pair, "a root action of a walk", (double)found[i].action,
                           (double)right[i].action);
            compare_expect(pair, "visits of a walk", (double)found[i].visits,
                           (double)right[i].visits);
            if (found[i].visits)
                expect_close(pair, "a mean of a walk", found[i].mean, right[i].mean);
        }
    }
}

/* Whether the game has few enough lines to walk all of them. */
static bool is_small(const struct random_game_rules *rules)
{
    return pow(rules->branching, rules->plies) < 3000 && rules->width == 0;
}

void compare_walk(struct pair *pair)
{
    const struct drawing *drawing = pair->drawing;
    struct banyan_search_options options = drawing->options;
    struct banyan_evaluator evaluator = drawing->evaluator.evaluator;
    struct banyan_search *kernel = NULL;
    int iterations = 1 + (int)(banyan_rng_child(drawing->seed, "walks", 0) % 6);
    options.rule = BANYAN_RULE_REGRET;
    options.own_rule = NULL;
    options.opponents = BANYAN_OPPONENTS_MAXN;
    options.root_pruning = 0;
    options.ensemble = options.batch = 1;
    options.memory_bytes = (uint64_t)16 << 20;
    evaluator.wants_actions = false; /* a walk does not ask the evaluator */
    evaluator.ctx = (void *)&drawing->evaluator;
    if (!(drawing->rules.traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN)) ||
        !is_small(&drawing->rules) || !drawing->game.movers(&drawing->game, &pair->state))
        return;
    compare_expect(pair, "the status of a search that walks", BANYAN_OK,
                   banyan_search_create(&kernel, &drawing->game, &options, &evaluator, NULL));
    if (!kernel)
        return;
    struct plain *r = plain_create(&drawing->game, &options, &evaluator);
    banyan_search_set_root(kernel, &pair->state, drawing->viewer, NULL);
    plain_set_root(r, &pair->state, drawing->viewer);
    compare_expect(pair, "the status of a walk", BANYAN_OK,
                   banyan_search_walk(kernel, iterations, NULL, NULL));
    walk_plain(r, iterations);
    compare_walked_root(pair, kernel, r);
    compare_strategies(pair, kernel, r);
    plain_destroy(r);
    banyan_search_destroy(kernel);
}
