/* The way down: one simulation from the root to its leaf.
 *
 * There are two functions, one for each kind of tree (tree.h).  Where every action has one outcome
 * only, the edge names its child.  Elsewhere each mover's node is one of the outcomes of the
 * mover's own last edge (or, in a game of alternate moves and open cards, of the last edge played),
 * and is found by the key of what the mover sees.
 */
#include "search/descend.h"

#include "base/movers.h"
#include "search/workers.h"

/* Draws the cards of all players in turn: each draw keeps what one player sees of the draw
 * before. This is a Gibbs sampler over everything that chance may have decided. */
static void descend_draw_all(struct banyan_search *search, void *out)
{
    const struct banyan_game *game = search->game;
    for (int p = 0; p < game->players; ++p)
        game->determinize(game, search->root.drawn, p, &search->rng);
    memcpy(out, search->root.drawn, game->state_size);
}

void search_sample(struct banyan_search *search, void *out)
{
    const struct banyan_game *game = search->game;
    ++search->profile.samples;
    if (search->options.sampler.sample) {
        search->options.sampler.sample(search->options.sampler.ctx, search->root.state,
                                       search->root.viewer, out, &search->rng);
        return;
    }
    if (search->draws_all) {
        descend_draw_all(search, out);
        return;
    }
    memcpy(out, search->root.state, game->state_size);
    game->determinize(game, out, search->root.viewer, &search->rng);
}

/* One of the full states that all simulations share (option worlds); drawn when first used. */
static const unsigned char *descend_world(struct banyan_search *search)
{
    size_t size = search->game->state_size;
    int count = search->options.worlds;
    if (search->worker)
        return worker_world(search);
    if (search->root.worlds_drawn < count) {
        unsigned char *world = search->root.worlds + size * (size_t)search->root.worlds_drawn++;
        search_sample(search, world);
        return world;
    }
    return search->root.worlds + size * rng_below(&search->rng, (uint32_t)count);
}

static void descend_share(struct banyan_search *search, struct simulation *simulation)
{
    size_t size = search->game->state_size;
    const unsigned char *world = descend_world(search);
    simulation->world = (int)((size_t)(world - search->root.worlds) / size);
    memcpy(simulation->state, world, size);
}

static void descend_begin(struct banyan_search *search, struct simulation *simulation)
{
    const struct banyan_game *game = search->game;
    simulation->world = -1;
    if (!(game->traits & BANYAN_HIDDEN))
        memcpy(simulation->state, search->root.state, game->state_size);
    else if (search->options.worlds > 0)
        descend_share(search, simulation);
    else if (search->worker && search->options.sampler.sample)
        worker_sample(search, simulation->state);
    else
        search_sample(search, simulation->state);
    ++search->profile.copies;
    simulation->length = 0;
    simulation->depth = 0;
    simulation->offered_count = 0;
    simulation->log.count = 0;
    for (int p = 0; p < game->players; ++p)
        simulation->made[p] = simulation->arrived[p] = 0;
}

static enum leaf_kind descend_certain(struct banyan_search *search, struct simulation *simulation)
{
    const struct banyan_game *game = search->game;
    struct tree *tree = &search->tree;
    struct tree_edge *edge = &search->root.edges[0];
    const struct tree_bounds *bounds = &search->root.bounds;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    for (;; ++simulation->depth) {
        simulation->movers = game->movers(game, simulation->state);
        if (!simulation->movers)
            return descend_finished(search, simulation);
        if (search->solver && search_proven(bounds) && simulation->length > 0)
            return descend_known(search, simulation, bounds);
        int mover = movers_first(simulation->movers);
        if (!edge->child) {
            uint32_t arrivals =
                tree_counted((uint64_t)edge->visits + descend_edge_in_flight(search, simulation));
            bool wait = search->evaluator->wants_actions;
            if (!descend_ripe(search, simulation, arrivals))
                return LEAF_OPEN;
            edge->child = descend_expand(search, simulation, mover, 0, arrivals, wait);
            if (!edge->child || descend_is_leaf(search, simulation, mover, arrivals))
                return LEAF_OPEN;
        }
        struct tree_node *node = tree_node(tree, edge->child);
        if (node->flags & TREE_PENDING)
            return LEAF_COLLISION;
        if (simulation->length >= search->depth_max)
            return LEAF_OPEN;
        int tried = node->tried, index = descend_choose(search, simulation, edge->child, 0,
                                                        (struct offer){NULL, node->count});
        if (index < 0)
            return LEAF_OPEN;
        joint[mover] = tree_action(tree, node, index);
        edge = &tree_edges(tree, node)[index];
        memory_prefetch(tree_node(tree, edge->child));
        descend_apply(search, simulation, joint);
        if (search->solver) {
            if (node->tried > tried)
                search_first_bounds(search, simulation);
            bounds = search_edge_bounds(search, node, index);
        }
    }
}

static enum arrival descend_arrive(struct banyan_search *search, struct simulation *simulation,
                                   uint32_t *slot, int mover, uint64_t key, uint32_t *node)
{
    struct tree *tree = &search->tree;
    uint32_t ref = search->root.is_full ? tree_look_outcome(tree, *slot, key)
                                        : tree_find_outcome(tree, slot, key);
    simulation->arrived[mover] = ref;
    *node = 0;
    if (!ref)
        return ARRIVAL_NOWHERE;
    struct tree_outcome *outcome = tree_outcome(tree, ref);
    uint32_t arrivals = outcome->visits;
    tree_count(&outcome->visits);
    bool made = !outcome->node && descend_ripe(search, simulation, arrivals);
    if (made)
        outcome->node = descend_expand(search, simulation, mover, key, arrivals,
                                       search->evaluator->wants_actions);
    *node = outcome->node;
    if (!outcome->node)
        return ARRIVAL_EARLY;
    return made && descend_is_leaf(search, simulation, mover, arrivals) ? ARRIVAL_NEW
                                                                        : ARRIVAL_READY;
}

/* A mover whose node is new, but who is not the only mover, chooses immediately: in games of many
 * cards a mover's node is almost always new.  False: no room. */
static bool descend_settle(struct banyan_search *search, struct simulation *simulation, int mover,
                           uint32_t *node)
{
    struct tree_outcome *outcome = tree_outcome(&search->tree, simulation->arrived[mover]);
    if (!outcome->node && !search->root.is_full)
        outcome->node =
            descend_expand(search, simulation, mover, outcome->key, outcome->visits - 1, false);
    *node = outcome->node;
    if (!outcome->node)
        return false;
    if (simulation->made[mover] && (tree_node(&search->tree, *node)->flags & TREE_PENDING))
        search_default_priors(search, *node, simulation);
    simulation->made[mover] = 0;
    return true;
}

/* Finds the nodes of all movers.  LEAF_NONE: all have nodes where they can choose. */
static enum leaf_kind descend_meet(struct banyan_search *search, struct simulation *simulation,
                                   uint32_t *const slots[], uint32_t nodes[])
{
    int players = search->game->players;
    enum arrival arrivals[BANYAN_MAX_PLAYERS];
    uint64_t keys[BANYAN_MAX_PLAYERS];
    bool ready = false, stuck = simulation->length + players > search->depth_max * players;
    search_node_keys(search, simulation->state, simulation->movers, keys);
    for (int p = 0; p < players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        arrivals[p] = descend_arrive(search, simulation, slots[search->trees > 1 ? p : 0], p,
                                     keys[p], &nodes[p]);
        ready = ready || arrivals[p] == ARRIVAL_READY;
        stuck = stuck || arrivals[p] == ARRIVAL_NOWHERE;
    }
    if (!ready || stuck)
        return LEAF_OPEN;
    for (int p = 0; p < players; ++p)
        if ((simulation->movers >> p & 1) && arrivals[p] != ARRIVAL_READY &&
            !descend_settle(search, simulation, p, &nodes[p]))
            return LEAF_OPEN;
    /* only after descend_settle: until then a node that was made here waits for priors, too */
    for (int p = 0; p < players; ++p)
        if ((simulation->movers >> p & 1) &&
            (tree_node(&search->tree, nodes[p])->flags & TREE_PENDING))
            return LEAF_COLLISION;
    return LEAF_NONE;
}

/* Finds what each mover may choose in this state.  False: a node has none of the legal
 * actions, and no room for them. */
static bool descend_offer(struct banyan_search *search, const struct simulation *simulation,
                          const uint32_t nodes[], struct offer offers[])
{
    for (int p = 0; p < search->game->players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        struct tree_node *node = tree_node(&search->tree, nodes[p]);
        int count = node->count;
        if (search->masked && nodes[p] != simulation->fresh[p])
            count = search_offer(search, node, simulation->state, simulation->depth == 0,
                                 search->scratch.offers[p]);
        if (count == 0)
            return false;
        bool all = count == node->count;
        offers[p] = (struct offer){all ? NULL : search->scratch.offers[p], count};
    }
    return true;
}

/* Chooses for every mover: writes the joint action and where its outcomes are stored.  False:
 * there was no room. */
static bool descend_choices(struct banyan_search *search, struct simulation *simulation,
                            const uint32_t nodes[], uint32_t *slots[], banyan_action joint[])
{
    struct tree *tree = &search->tree;
    struct offer offers[BANYAN_MAX_PLAYERS];
    int begin = simulation->length;
    if (!descend_offer(search, simulation, nodes, offers))
        return false;
    for (int p = 0; p < search->game->players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        struct tree_node *node = tree_node(tree, nodes[p]);
        int index = descend_choose(search, simulation, nodes[p], simulation->arrived[p], offers[p]);
        if (index < 0) {
            descend_unchoose(search, simulation, begin);
            return false;
        }
        simulation->arrived[p] = 0; /* counted as a part of the path from now on */
        joint[p] = tree_action(tree, node, index);
        uint32_t *slot = slots[search->trees > 1 ? p : 0] = &tree_edges(tree, node)[index].child;
        memory_prefetch(tree_outcome(tree, *slot));
    }
    return true;
}

static enum leaf_kind descend_keyed(struct banyan_search *search, struct simulation *simulation)
{
    const struct banyan_game *game = search->game;
    uint32_t *slots[BANYAN_MAX_PLAYERS], nodes[BANYAN_MAX_PLAYERS];
    banyan_action joint[BANYAN_MAX_PLAYERS];
    for (int t = 0; t < search->trees; ++t)
        slots[t] = &search->root.edges[t].child;
    for (;; ++simulation->depth) {
        simulation->movers = game->movers(game, simulation->state);
        for (int p = 0; p < game->players; ++p)
            simulation->arrived[p] = simulation->fresh[p] = 0;
        if (!simulation->movers)
            return descend_finished(search, simulation);
        enum leaf_kind kind = descend_meet(search, simulation, slots, nodes);
        if (kind != LEAF_NONE)
            return kind;
        if (!descend_choices(search, simulation, nodes, slots, joint))
            return LEAF_OPEN;
        descend_apply(search, simulation, joint);
    }
}

enum leaf_kind search_descend(struct banyan_search *search, struct simulation *simulation)
{
    descend_begin(search, simulation);
    bool keyed = search->tree.layout.keyed;
    if (search->worker) {
        worker_set_out(search->worker);
        return keyed ? descend_shared_keyed(search, simulation)
                     : descend_shared(search, simulation);
    }
    return keyed ? descend_keyed(search, simulation) : descend_certain(search, simulation);
}

/* Takes back an arrival at an outcome (0: none).  Other threads may count arrivals there at the
 * same time. */
static void descend_uncount(struct banyan_search *search, uint32_t outcome)
{
    uint32_t *visits = &tree_outcome(&search->tree, outcome)->visits;
    if (outcome && search->worker)
        word_add_relaxed(visits, UINT32_MAX);
    else if (outcome)
        --*visits;
}

void search_take_back(struct banyan_search *search, struct simulation *simulation)
{
    for (int i = 0; i < simulation->length; ++i) {
        descend_leave(search, simulation, i);
        descend_uncount(search, simulation->path[i].outcome);
    }
    for (int p = 0; p < search->game->players; ++p) {
        descend_uncount(search, simulation->arrived[p]);
        if (simulation->made[p])
            search_end_waiting(search, simulation->made[p], simulation);
    }
}
