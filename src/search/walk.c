/* Regret minimisation by walking: external-sampling MCCFR (Lanctot, Waugh,
 * Zinkevich, Bowling 2009) over the same nodes as the search.
 *
 * Each iteration walks once for every player p: at p's decisions every action
 * is tried, elsewhere one action is drawn from the current strategy, and so are
 * dice.  p's regrets grow by what each action would have earned more than the
 * strategy; the others' strategies are summed.  The average strategies approach
 * an equilibrium in two-player games of constant sum.
 *
 * Unlike a descent, which walks one line, this needs every state of the line at
 * hand, so it is meant for small games.
 */
#include "search/search.h"

#include <stdlib.h>

struct walk {
    struct banyan_search *search;
    unsigned char *states; /* [max_plies + 1][state_size], by depth */
    double *values;        /* [max_plies + 1][2 * action_max]: strategy, then action values */
    int player;
    bool full;
};

static struct tree_node *walk_node(struct walk *walk, uint32_t *slot, const void *state, int mover)
{
    struct banyan_search *search = walk->search;
    struct simulation unused = {0};
    uint32_t ref = tree_find_outcome(&search->tree, slot, search_node_key(search, state, mover));
    if (ref && !tree_outcome(&search->tree, ref)->node)
        tree_outcome(&search->tree, ref)->node =
            search_expand(search, &unused, state, mover, 0, false);
    if (!ref || !tree_outcome(&search->tree, ref)->node) {
        walk->full = true;
        return NULL;
    }
    struct tree_node *node = tree_node(&search->tree, tree_outcome(&search->tree, ref)->node);
    ++tree_outcome(&search->tree, ref)->visits;
    ++node->visits;
    while (node->tried < node->count && !walk->full)
        walk->full = tree_try(&search->tree, node, node->tried) < 0;
    return node;
}

static int walk_sample(struct banyan_search *search, const double *strategy, int count)
{
    double draw = rng_unit(&search->rng);
    for (int i = 0; i < count; ++i)
        if ((draw -= strategy[i]) < 0)
            return i;
    return count - 1;
}

static double walk_down(struct walk *walk, int depth, uint32_t *const slots[]);

/* Applies joint to a copy of the state one level down, and goes on there. */
static double walk_apply(struct walk *walk, int depth, const banyan_action joint[],
                         uint32_t *const slots[])
{
    struct banyan_search *search = walk->search;
    size_t size = search->game->state_size;
    unsigned char *state = walk->states + (size_t)depth * size;
    memcpy(state + size, state, size);
    search->game->apply(state + size, joint, &search->dice);
    return walk_down(walk, depth + 1, slots);
}

/* The walking player tries everything; the others' choices stand in joint and slots. */
static double walk_try_all(struct walk *walk, int depth, struct tree_node *node,
                           banyan_action joint[], uint32_t *slots[])
{
    struct banyan_search *search = walk->search;
    const struct tree *tree = &search->tree;
    double *strategy = walk->values + (size_t)depth * 2 * (size_t)search->action_max;
    double *values = strategy + search->action_max, expected = 0;
    double *regret = tree_column(tree, node, tree->layout.regret);
    select_regret_strategy(search, node, regret, strategy);
    for (int i = 0; i < node->tried; ++i) {
        joint[walk->player] = tree_action(tree, node, i);
        slots[walk->player] = &tree_edges(tree, node)[i].child;
        values[i] = walk_apply(walk, depth, joint, slots);
        expected += strategy[i] * values[i];
    }
    for (int i = 0; i < node->tried; ++i) {
        struct tree_edge *edge = &tree_edges(tree, node)[i];
        regret[i] += values[i] - expected;
        edge->sum += values[i];
        ++edge->visits;
    }
    return expected;
}

/* Another player draws one action, and his strategy counts towards his average. */
static banyan_action walk_draw(struct walk *walk, int depth, struct tree_node *node,
                               uint32_t **slot)
{
    struct banyan_search *search = walk->search;
    const struct tree *tree = &search->tree;
    double *strategy = walk->values + (size_t)depth * 2 * (size_t)search->action_max;
    double *sums = tree_column(tree, node, tree->layout.strategy);
    select_regret_strategy(search, node, tree_column(tree, node, tree->layout.regret), strategy);
    for (int i = 0; i < node->tried; ++i)
        sums[i] += strategy[i];
    int index = walk_sample(search, strategy, node->tried);
    *slot = &tree_edges(tree, node)[index].child;
    return tree_action(tree, node, index);
}

static double walk_down(struct walk *walk, int depth, uint32_t *const above[])
{
    struct banyan_search *search = walk->search;
    const struct banyan_game *game = search->game;
    const unsigned char *state = walk->states + (size_t)depth * game->state_size;
    unsigned movers = game->movers(state);
    if (!movers) {
        float returns[BANYAN_MAX_PLAYERS];
        game->returns(state, returns);
        return search_utility(search, returns, walk->player);
    }
    uint32_t *slots[BANYAN_MAX_PLAYERS];
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct tree_node *own = NULL;
    memcpy(slots, above, sizeof slots);
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct tree_node *node = walk_node(walk, slots[p], state, p);
        if (walk->full)
            return 0;
        if (p == walk->player)
            own = node;
        else
            joint[p] = walk_draw(walk, depth, node, &slots[p]);
    }
    return own ? walk_try_all(walk, depth, own, joint, slots)
               : walk_apply(walk, depth, joint, slots);
}

static void walk_begin(struct walk *walk)
{
    struct banyan_search *search = walk->search;
    const struct banyan_sampler *sampler = &search->options.sampler;
    memcpy(walk->states, search->root_state, search->game->state_size);
    if (sampler->sample)
        sampler->sample(sampler->ctx, search->root_state, search->viewer, walk->states,
                        &search->rng);
    else if (search->game->traits & BANYAN_HIDDEN)
        search->game->determinize(walk->states, search->viewer, &search->rng);
}

enum banyan_status banyan_search_walk(struct banyan_search *search, int64_t iterations,
                                      const banyan_flag *stop, struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    if (search->options.rule != BANYAN_RULE_REGRET || search->trees == 1)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "a walk needs rule=regret and a game of hidden cards or simultaneous "
                           "moves");
    size_t depths = (size_t)game->max_plies + 1;
    struct walk walk = {.search = search,
                        .states = malloc(depths * game->state_size),
                        .values = malloc(depths * 2 * (size_t)search->action_max * sizeof(double))};
    enum banyan_status status = BANYAN_OK;
    if (!walk.states || !walk.values)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a walk of %zu levels", depths);
    search->allowed = NULL;
    search->walked = true;
    for (int64_t i = 0; status == BANYAN_OK && i < iterations && !(stop && *stop); ++i) {
        for (walk.player = 0; walk.player < game->players; ++walk.player) {
            uint32_t *slots[BANYAN_MAX_PLAYERS] = {0};
            for (int p = 0; p < game->players; ++p)
                slots[p] = &search->root[p].child;
            walk_begin(&walk);
            walk_down(&walk, 0, slots);
        }
        ++search->simulations;
        if (walk.full)
            status =
                banyan_fail(err, BANYAN_NO_MEMORY, "the game does not fit into memory=%llu bytes",
                            (unsigned long long)search->options.memory_bytes);
    }
    free(walk.states);
    free(walk.values);
    return status;
}
