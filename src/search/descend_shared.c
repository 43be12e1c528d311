/* The way down of a thread that shares the tree with others (workers.h). */
#include "search/descend.h"

#include "base/movers.h"

/* The edge by which a simulation arrives, as it was when the thread held the node above. */
struct descend_edge {
    uint32_t child;
    uint32_t arrivals; /* visits, those of other simulations in flight included */
    struct tree_bounds bounds;
};

static void descend_see(const struct banyan_search *search, const struct tree_node *node, int index,
                        struct descend_edge *seen)
{
    const struct tree *tree = &search->tree;
    const struct tree_edge *edge = &tree_edges(tree, node)[index];
    seen->child = edge->child;
    if (!edge->child) {
        const uint32_t *flying = tree_column_or_null(tree, node, TREE_IN_FLIGHT);
        /* the visits in flight include this simulation */
        seen->arrivals = tree_counted((uint64_t)edge->visits + (flying ? flying[index] - 1 : 0));
    }
    if (search->solver)
        seen->bounds = *search_edge_bounds(search, node, index);
}

/* Makes a node and lets it be the child of the path's last edge, unless another thread has done so
 * meanwhile.  Returns the child; 0: no room. */
static uint32_t descend_publish(struct banyan_search *search, struct simulation *simulation,
                                int mover, uint32_t arrivals)
{
    bool wait = search->evaluator->wants_actions;
    uint32_t made = descend_expand(search, simulation, mover, 0, arrivals, wait);
    if (!made)
        return 0;
    const struct path_step *step = &simulation->path[simulation->length - 1];
    uint32_t child = worker_publish(search, step->node, step->edge, made);
    if (child != made)
        worker_discard(search, simulation, mover, made);
    return child;
}

/* Chooses at the node `ref`, applies the action, and writes to seen the edge taken.  LEAF_NONE: the
 * simulation goes on. */
static enum leaf_kind descend_ply(struct banyan_search *search, struct simulation *simulation,
                                  uint32_t ref, struct descend_edge *seen)
{
    struct tree *tree = &search->tree;
    struct tree_node *node = tree_node(tree, ref);
    banyan_action joint[BANYAN_MAX_PLAYERS];
    search_hold(search, node);
    enum leaf_kind kind = node->flags & TREE_PENDING                ? LEAF_COLLISION
                          : simulation->length >= search->depth_max ? LEAF_OPEN
                                                                    : LEAF_NONE;
    int tried = node->tried, index = -1;
    if (kind == LEAF_NONE)
        index = descend_choose(search, simulation, ref, 0, (struct offer){NULL, node->count});
    if (index == DESCEND_UNTRIED)
        return descend_ply(search, simulation, worker_sync(search, ref), seen);
    if (index >= 0) {
        joint[node->mover] = tree_action(tree, node, index);
        descend_see(search, node, index, seen);
        if (seen->child)
            memory_prefetch_write(tree_node(tree, seen->child));
    }
    bool is_new = node->tried > tried;
    if (is_new && tree_has(tree, TREE_IMPLICIT))
        *search_edge_implicit(search, node, index) = NAN;
    search_let_go(search, node);
    if (index < 0)
        return kind == LEAF_NONE ? LEAF_OPEN : kind;
    descend_apply(search, simulation, joint);
    if (search->solver && is_new)
        seen->bounds = search_first_bounds(search, simulation);
    return LEAF_NONE;
}

/* The thread's own copy of a child, or the child itself.  A child has a copy only if the node above has one; the
 * edge in the upper copy leads to the lower copy until the upper one is synchronised. */
static uint32_t descend_own(struct banyan_search *search, const struct simulation *simulation,
                            uint32_t child)
{
    struct tree *tree = &search->tree;
    if (simulation->length == 0)
        return worker_copy_of(search, child);
    const struct path_step *step = &simulation->path[simulation->length - 1];
    struct tree_node *above = tree_node(tree, step->node);
    if (!search_is_private(above) || search_is_private(tree_node(tree, child)))
        return child;
    return tree_edges(tree, above)[step->edge].child = worker_copy_of(search, child);
}

/* descend_certain() for a thread that shares the tree (workers.h).  The root has its node. */
enum leaf_kind descend_shared(struct banyan_search *search, struct simulation *simulation)
{
    const struct banyan_game *game = search->game;
    struct descend_edge seen = {.child = search->root.edges[0].child,
                                .bounds = search->root.bounds};
    for (;; ++simulation->depth) {
        simulation->movers = game->movers(game, simulation->state);
        if (!simulation->movers)
            return descend_finished(search, simulation);
        if (search->solver && search_proven(&seen.bounds) && simulation->length > 0)
            return descend_known(search, simulation, &seen.bounds);
        int mover = movers_first(simulation->movers);
        if (!seen.child) {
            if (!descend_ripe(search, simulation, seen.arrivals))
                return LEAF_OPEN;
            seen.child = descend_publish(search, simulation, mover, seen.arrivals);
            if (!seen.child || descend_is_leaf(search, simulation, mover, seen.arrivals))
                return LEAF_OPEN;
        }
        uint32_t ref = descend_own(search, simulation, seen.child);
        enum leaf_kind kind = descend_ply(search, simulation, ref, &seen);
        if (kind != LEAF_NONE)
            return kind;
    }
}

/* --- keyed trees --- */

/* Where the outcomes are stored among which a mover's next node is found. */
struct shared_slot {
    uint32_t node;  /* below an edge of this node; 0: at the root of the tree */
    uint32_t child; /* the topmost outcome, 0: there was none when the thread held the node */
    int index;      /* of the edge, or of the tree */
};

/* The topmost outcome, which is made if there is none; 0: no room. */
static uint32_t shared_top(struct banyan_search *search, const struct shared_slot *slot,
                           uint64_t key)
{
    struct tree *tree = &search->tree;
    uint32_t made = tree_make_outcome(tree, key);
    if (!made)
        return 0;
    uint32_t top = worker_publish(search, slot->node, slot->index, made);
    if (top != made)
        tree_drop_outcome(tree, made);
    return top;
}

/* The outcome of this key; 0: no room. */
static uint32_t shared_outcome(struct banyan_search *search, const struct shared_slot *slot,
                               uint64_t key)
{
    struct tree *tree = &search->tree;
    struct banyan_search *all = search->worker->all->run->search;
    uint32_t top = slot->child, *root = slot->node ? &top : &all->root.edges[slot->index].child;
    if (search->root.is_full) /* no thread makes outcomes */
        return tree_look_outcome(tree, *root, key);
    if (slot->node && !top && !(top = shared_top(search, slot, key)))
        return 0;
    return tree_find_outcome_shared(tree, root, key);
}

/* Makes the node of an outcome that has none, unless another thread is first.  0: no room. */
static uint32_t shared_expand(struct banyan_search *search, struct simulation *simulation,
                              int mover, uint32_t arrivals, bool wait)
{
    struct tree_outcome *outcome = tree_outcome(&search->tree, simulation->arrived[mover]);
    uint32_t made = descend_expand(search, simulation, mover, outcome->key, arrivals, wait);
    uint32_t first = made ? word_settle(&outcome->node, made) : 0;
    if (!first || first == made)
        return made;
    worker_discard(search, simulation, mover, made);
    return first;
}

/* The outcome's node, whose visits count the arrivals, or the thread's own copy of it.  The outcome's own count is
 * not written any more, because its cache line would travel (tree_arrivals()).  0: there is no node, or
 * transpositions lead to it from other outcomes, too, so that each outcome counts its arrivals. */
static uint32_t shared_node(struct banyan_search *search, const struct tree_outcome *outcome)
{
    uint32_t node = !search->tree.layout.nodes_count ? 0 : word_load_acquire(&outcome->node);
    if (!node)
        return 0;
    uint32_t own = worker_copy_of(search, node);
    if (own == node)
        memory_prefetch_write(tree_node(&search->tree, node));
    return own;
}

static enum arrival shared_arrive(struct banyan_search *search, struct simulation *simulation,
                                  const struct shared_slot *slot, int mover, uint64_t key,
                                  uint32_t *node)
{
    uint32_t ref = shared_outcome(search, slot, key);
    simulation->arrived[mover] = ref;
    *node = 0;
    if (!ref)
        return ARRIVAL_NOWHERE;
    struct tree_outcome *outcome = tree_outcome(&search->tree, ref);
    if ((*node = shared_node(search, outcome))) {
        simulation->arrived[mover] = 0;
        return ARRIVAL_READY;
    }
    uint32_t arrivals = worker_arrive(outcome);
    *node = word_load_acquire(&outcome->node);
    bool makes = !*node && descend_ripe(search, simulation, arrivals);
    if (makes)
        *node =
            shared_expand(search, simulation, mover, arrivals, search->evaluator->wants_actions);
    if (!*node)
        return ARRIVAL_EARLY;
    return makes && descend_is_leaf(search, simulation, mover, arrivals) ? ARRIVAL_NEW
                                                                         : ARRIVAL_READY;
}

/* A mover whose node is new, but who is not the only mover, chooses immediately.  False: no room. */
static bool shared_settle(struct banyan_search *search, struct simulation *simulation, int mover,
                          uint32_t *ref)
{
    struct tree_outcome *outcome = tree_outcome(&search->tree, simulation->arrived[mover]);
    uint32_t arrivals = word_load_relaxed(&outcome->visits);
    if (!*ref && !search->root.is_full)
        *ref = shared_expand(search, simulation, mover, arrivals ? arrivals - 1 : 0, false);
    if (!*ref)
        return false;
    struct tree_node *node = tree_node(&search->tree, *ref);
    search_hold(search, node);
    if (simulation->made[mover] && (node->flags & TREE_PENDING))
        search_default_priors(search, *ref, simulation);
    search_let_go(search, node);
    simulation->made[mover] = 0;
    return true;
}

/* Finds the nodes of all movers.  LEAF_NONE: all have nodes. */
static enum leaf_kind shared_meet(struct banyan_search *search, struct simulation *simulation,
                                  const struct shared_slot slots[], uint32_t nodes[])
{
    int players = search->game->players;
    enum arrival arrivals[BANYAN_MAX_PLAYERS];
    uint64_t keys[BANYAN_MAX_PLAYERS];
    bool ready = false, stuck = simulation->length + players > search->depth_max * players;
    search_node_keys(search, simulation->state, simulation->movers, keys);
    for (int p = 0; p < players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        const struct shared_slot *slot = &slots[search->trees > 1 ? p : 0];
        arrivals[p] = shared_arrive(search, simulation, slot, p, keys[p], &nodes[p]);
        ready = ready || arrivals[p] == ARRIVAL_READY;
        stuck = stuck || arrivals[p] == ARRIVAL_NOWHERE;
    }
    if (!ready || stuck)
        return LEAF_OPEN;
    for (int p = 0; p < players; ++p)
        if ((simulation->movers >> p & 1) && arrivals[p] != ARRIVAL_READY &&
            !shared_settle(search, simulation, p, &nodes[p]))
            return LEAF_OPEN;
    return LEAF_NONE;
}

/* Chooses for one mover, and writes where the outcomes of the choice are stored. */
static enum leaf_kind shared_choose(struct banyan_search *search, struct simulation *simulation,
                                    uint32_t ref, struct shared_slot *slot, banyan_action *action)
{
    struct tree *tree = &search->tree;
    struct tree_node *node = tree_node(tree, ref);
    int mover = node->mover, index = -1;
    uint16_t *at = search->scratch.offers[mover];
    const void *state = simulation->state;
    int legal =
        search->masked ? search_list_legal(search, state, mover, simulation->depth == 0) : 0;
    search_hold(search, node);
    bool pending = node->flags & TREE_PENDING;
    struct offer offer = {NULL, node->count};
    if (!pending && search->masked)
        offer.count = search_offer_listed(search, node, state, legal, at);
    offer.at = offer.count < node->count ? at : NULL;
    if (offer.count < legal && search_is_private(node))
        index = DESCEND_UNTRIED; /* the node may get the other actions */
    else if (!pending && offer.count > 0)
        index = descend_choose(search, simulation, ref, simulation->arrived[mover], offer);
    if (index == DESCEND_UNTRIED)
        return shared_choose(search, simulation, worker_sync(search, ref), slot, action);
    if (index >= 0) {
        *action = tree_action(tree, node, index);
        *slot = (struct shared_slot){ref, tree_edges(tree, node)[index].child, index};
        memory_prefetch(tree_outcome(tree, slot->child));
        simulation->arrived[mover] = 0; /* counted as a part of the path from now on */
    }
    search_let_go(search, node);
    return pending ? LEAF_COLLISION : index < 0 ? LEAF_OPEN : LEAF_NONE;
}

/* One decision: every mover chooses, then the joint action is applied. */
static enum leaf_kind shared_ply(struct banyan_search *search, struct simulation *simulation,
                                 struct shared_slot slots[])
{
    banyan_action joint[BANYAN_MAX_PLAYERS];
    uint32_t nodes[BANYAN_MAX_PLAYERS];
    int begin = simulation->length;
    enum leaf_kind kind = shared_meet(search, simulation, slots, nodes);
    for (int p = 0; p < search->game->players && kind == LEAF_NONE; ++p)
        if (simulation->movers >> p & 1)
            kind = shared_choose(search, simulation, nodes[p], &slots[search->trees > 1 ? p : 0],
                                 &joint[p]);
    if (kind == LEAF_NONE)
        descend_apply(search, simulation, joint);
    else if (kind == LEAF_OPEN)
        descend_unchoose(search, simulation, begin);
    return kind;
}

enum leaf_kind descend_shared_keyed(struct banyan_search *search, struct simulation *simulation)
{
    struct shared_slot slots[BANYAN_MAX_PLAYERS];
    for (int t = 0; t < search->trees; ++t)
        slots[t] = (struct shared_slot){0, 0, t};
    for (;; ++simulation->depth) {
        simulation->movers = search->game->movers(search->game, simulation->state);
        for (int p = 0; p < search->game->players; ++p)
            simulation->arrived[p] = simulation->fresh[p] = 0;
        if (!simulation->movers)
            return descend_finished(search, simulation);
        enum leaf_kind kind = shared_ply(search, simulation, slots);
        if (kind != LEAF_NONE)
            return kind;
    }
}
