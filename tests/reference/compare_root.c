/* Compares what can be read at the root besides its rows: the principal variation and the
 * average strategy. */
#include "reference/pair.h"

static uint64_t most_visits(const struct plain_node *node)
{
    uint64_t most = 0;
    for (int i = 0; i < node->count; ++i) {
        uint64_t visits = plain_edge_visits(node->edges[i]);
        most = visits > most ? visits : most;
    }
    return most;
}

/* The node behind the edge at which the line goes on: that of the most visited outcome. *clear:
 * no other outcome has as many visits. */
static const struct plain_node *most_visited(const struct plain_edge *edge, bool *clear)
{
    const struct plain_outcome *best = edge->outcomes;
    for (const struct plain_outcome *i = edge->outcomes; i; i = i->next)
        best = i->arrivals > best->arrivals ? i : best;
    for (const struct plain_outcome *i = edge->outcomes; i; i = i->next)
        *clear = *clear && (i == best || i->arrivals < best->arrivals);
    return best ? best->node : NULL;
}

/* Checks that every action of the line is one of its node's most visited ones, and that the line
 * ends where nothing was visited.  After two outcomes with equal visits either may follow. */
void compare_variation(struct pair *pair, int player)
{
    banyan_action line[16];
    int movers[16], length = banyan_search_pv(pair->kernel, line, movers, 16);
    const struct plain_node *node = plain_root(pair->plain, player);
    bool clear = true;
    for (int i = 0; i < length && clear && pair->same; ++i) {
        const struct plain_edge *edge = node ? plain_find_edge(node, line[i]) : NULL;
        compare_expect(pair, "the principal variation has this action", 1, edge != NULL);
        if (!edge)
            return;
        compare_expect(pair, "a mover of the principal variation", movers[i], node->mover);
        compare_expect(pair, "visits on the principal variation", (double)plain_edge_visits(edge),
                       (double)most_visits(node));
        node = most_visited(edge, &clear);
    }
    if (clear && pair->same)
        compare_expect(pair, "visits behind the principal variation", 0,
                       node ? (double)most_visits(node) : 0);
}

/* Regret matching: compares the average strategy, of all trees together. */
void compare_average(struct pair *pair, int player)
{
    banyan_action actions[PLAIN_ACTIONS];
    double kernel[PLAIN_ACTIONS], plain[PLAIN_ACTIONS], total = 0;
    bool whole = pair->kernel == pair->whole;
    struct plain *const *trees = whole ? pair->plains : &pair->plain;
    if (pair->drawing->options.rule != BANYAN_RULE_REGRET)
        return;
    int count =
        banyan_search_average_strategy(pair->kernel, NULL, player, actions, kernel, PLAIN_ACTIONS);
    for (int i = 0; i < count && pair->same; ++i) {
        bool known =
            plain_strategy_sum(trees, whole ? pair->searches : 1, player, actions[i], &plain[i]);
        compare_expect(pair, "the average strategy has this action", 1, known);
        total += plain[i];
    }
    for (int i = 0; i < count && pair->same && total > 0; ++i)
        compare_expect_near(pair, "an average strategy", kernel[i], plain[i] / total);
}
