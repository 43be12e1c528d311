/* Regret minimisation over whole subtrees: external-sampling MCCFR (Lanctot, Waugh, Zinkevich,
 * Bowling 2009) over the same nodes as the search.
 *
 * Each iteration makes one traversal for every player p.  It tries every action at p's decisions;
 * elsewhere it draws one action from the current strategy, or one outcome of the dice.  The regret
 * of each of p's actions grows by its value less the value of p's strategy; the strategies of the
 * other players are added to their sums.  The average strategies approach an equilibrium in
 * two-player games of constant sum.
 *
 * A traversal keeps every state between the root and the present one in memory, so MCCFR is meant
 * for small games.
 */
#include "search/search.h"

#include <stdlib.h>

struct cfr {
    struct banyan_search *search;
    unsigned char *states; /* [max_plies + 1][state_size], by depth */
    double *values;   /* [max_plies + 1][2 * max_legal]: strategy, then values, of legal actions */
    uint16_t *offers; /* [max_plies + 1][max_legal]: their indices in the node */
    int player;
    bool full;     /* no room for a node */
    bool too_long; /* a game is not over after max_plies */
};

/* Whether the walk cannot go on. */
static bool cfr_ended(const struct cfr *walk)
{
    return walk->full || walk->too_long;
}

/* The parts of these arrays that belong to one depth. */
struct cfr_level {
    struct offer offer;
    uint16_t *at;              /* room for the indices of the legal actions */
    double *strategy, *values; /* [offer.count] */
};

static struct cfr_level cfr_level(const struct cfr *walk, int depth)
{
    size_t legal = (size_t)walk->search->game->max_legal;
    double *strategy = walk->values + (size_t)depth * 2 * legal;
    uint16_t *at = walk->offers + (size_t)depth * legal;
    return (struct cfr_level){{at, 0}, at, strategy, strategy + legal};
}

/* Finds or makes the node of mover at this depth with all its actions tried, and writes to level which of
 * them are legal in the state there; at the root, which of them its limits allow. */
static struct tree_node *cfr_node(struct cfr *walk, uint32_t *slot, int depth, int mover,
                                  struct cfr_level *level)
{
    struct banyan_search *search = walk->search;
    const unsigned char *state = walk->states + (size_t)depth * search->game->state_size;
    struct simulation unused = {.depth = depth};
    uint32_t ref = tree_find_outcome(&search->tree, slot, search_node_key(search, state, mover));
    if (ref && !tree_outcome(&search->tree, ref)->node)
        tree_outcome(&search->tree, ref)->node =
            search_expand(search, &unused, state, mover, 0, false);
    if (!ref || !tree_outcome(&search->tree, ref)->node) {
        walk->full = true;
        return NULL;
    }
    struct tree_node *node = tree_node(&search->tree, tree_outcome(&search->tree, ref)->node);
    tree_count(&tree_outcome(&search->tree, ref)->visits);
    tree_count(&node->visits);
    if (search->masked)
        level->offer.count = search_offer(search, node, state, depth == 0, level->at);
    else
        level->offer = (struct offer){NULL, node->count};
    walk->full = walk->full || level->offer.count == 0;
    while (node->tried < node->count && !walk->full)
        walk->full = tree_try(&search->tree, node, node->tried) < 0;
    return node;
}

static int cfr_sample(struct banyan_search *search, const double *strategy, int count)
{
    double draw = rng_unit(&search->rng);
    for (int i = 0; i < count; ++i)
        if ((draw -= strategy[i]) < 0)
            return i;
    return count - 1;
}

static double cfr_down(struct cfr *walk, int depth, uint32_t *const slots[]);

/* Copies the state to the next level, applies joint to the copy, and continues from there. */
static double cfr_apply(struct cfr *walk, int depth, const banyan_action joint[],
                        uint32_t *const slots[])
{
    struct banyan_search *search = walk->search;
    size_t size = search->game->state_size;
    unsigned char *state = walk->states + (size_t)depth * size;
    walk->too_long = walk->too_long || depth >= search->game->max_plies;
    if (walk->too_long)
        return 0;
    memcpy(state + size, state, size);
    apply_joint(search->game, state + size, joint, &search->dice);
    return cfr_down(walk, depth + 1, slots);
}

/* Tries every action of the player whose regrets are updated; joint and slots hold the choices of
 * the others. */
static double cfr_try_all(struct cfr *walk, int depth, struct tree_node *node,
                          const struct cfr_level *level, banyan_action joint[], uint32_t *slots[])
{
    const struct tree *tree = &walk->search->tree;
    const struct offer *offer = &level->offer;
    double expected = 0, *regret = tree_column(tree, node, TREE_REGRET);
    select_regret_strategy(node, offer, regret, level->strategy);
    for (int k = 0; k < offer->count; ++k) {
        int i = offer_at(offer, k);
        joint[walk->player] = tree_action(tree, node, i);
        slots[walk->player] = &tree_edges(tree, node)[i].child;
        level->values[k] = cfr_apply(walk, depth, joint, slots);
        if (cfr_ended(walk))
            return 0;
        expected += level->strategy[k] * level->values[k];
    }
    for (int k = 0; k < offer->count; ++k) {
        int i = offer_at(offer, k);
        regret[i] += level->values[k] - expected;
        tree_visit_edge(tree, node, i, level->values[k]);
    }
    return expected;
}

/* Draws one action of another player, and adds that player's strategy to its sum. */
static banyan_action cfr_draw(struct cfr *walk, struct tree_node *node,
                              const struct cfr_level *level, uint32_t **slot)
{
    const struct tree *tree = &walk->search->tree;
    const struct offer *offer = &level->offer;
    double *sums = tree_column(tree, node, TREE_STRATEGY);
    select_regret_strategy(node, offer, tree_column(tree, node, TREE_REGRET), level->strategy);
    for (int k = 0; k < offer->count; ++k)
        sums[offer_at(offer, k)] += level->strategy[k];
    int index = offer_at(offer, cfr_sample(walk->search, level->strategy, offer->count));
    *slot = &tree_edges(tree, node)[index].child;
    return tree_action(tree, node, index);
}

static double cfr_down(struct cfr *walk, int depth, uint32_t *const above[])
{
    struct banyan_search *search = walk->search;
    const struct banyan_game *game = search->game;
    const unsigned char *state = walk->states + (size_t)depth * game->state_size;
    unsigned movers = game->movers(game, state);
    if (!movers) {
        float returns[BANYAN_MAX_PLAYERS];
        game->returns(game, state, returns);
        return search_utility(search, returns, walk->player);
    }
    uint32_t *slots[BANYAN_MAX_PLAYERS];
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    memcpy(slots, above, sizeof slots);
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1) || p == walk->player)
            continue;
        struct cfr_level level = cfr_level(walk, depth);
        struct tree_node *node = cfr_node(walk, slots[p], depth, p, &level);
        if (cfr_ended(walk))
            return 0;
        joint[p] = cfr_draw(walk, node, &level, &slots[p]);
    }
    if (!(movers >> walk->player & 1))
        return cfr_apply(walk, depth, joint, slots);
    struct cfr_level level = cfr_level(walk, depth);
    struct tree_node *own = cfr_node(walk, slots[walk->player], depth, walk->player, &level);
    return cfr_ended(walk) ? 0 : cfr_try_all(walk, depth, own, &level, joint, slots);
}

static void cfr_begin(struct cfr *walk)
{
    struct banyan_search *search = walk->search;
    if (search->masked)
        search_sample(search, walk->states);
    else
        memcpy(walk->states, search->root.state, search->game->state_size);
}

enum banyan_status banyan_search_walk(struct banyan_search *search, int64_t iterations,
                                      const banyan_flag *stop, struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    if (search->options.rule != BANYAN_RULE_REGRET || search->trees == 1)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "a walk needs rule=regret and a game of hidden cards or simultaneous "
                           "moves");
    if (search_needs_root(search, err) != BANYAN_OK)
        return BANYAN_INVALID;
    size_t depths = (size_t)game->max_plies + 1;
    size_t legal = (size_t)game->max_legal;
    struct cfr walk = {.search = search,
                       .states = malloc(depths * game->state_size),
                       .values = malloc(depths * 2 * legal * sizeof *walk.values),
                       .offers = malloc(depths * legal * sizeof *walk.offers)};
    enum banyan_status status = BANYAN_OK;
    if (!walk.states || !walk.values || !walk.offers)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a walk of %zu levels", depths);
    search->root.is_walked = true;
    for (int64_t i = 0; status == BANYAN_OK && i < iterations; ++i) {
        if (banyan_flag_is_set(stop)) {
            status = banyan_fail(err, BANYAN_INTERRUPTED, "stopped after %lld of %lld iterations",
                                 (long long)i, (long long)iterations);
            break;
        }
        for (walk.player = 0; walk.player < game->players && !cfr_ended(&walk); ++walk.player) {
            uint32_t *slots[BANYAN_MAX_PLAYERS] = {0};
            for (int p = 0; p < game->players; ++p)
                slots[p] = &search->root.edges[p].child;
            cfr_begin(&walk);
            cfr_down(&walk, 0, slots);
        }
        ++search->simulations;
        if (walk.too_long)
            status = banyan_fail(err, BANYAN_INVALID,
                                 "a game of %s is not over after max_plies=%d plies: the game's "
                                 "max_plies is too small",
                                 game->name, game->max_plies);
        else if (walk.full)
            status =
                banyan_fail(err, BANYAN_NO_MEMORY, "the game does not fit into memory=%llu bytes",
                            (unsigned long long)search->options.memory_bytes);
    }
    free(walk.states);
    free(walk.values);
    free(walk.offers);
    return status;
}
