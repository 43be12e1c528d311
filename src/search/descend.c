/* The way down: one simulation from the root to its leaf.
 *
 * There are two functions, one for each kind of tree (tree.h).  Where every action has one outcome
 * only, the edge names its child.  Elsewhere each mover's node is one of the outcomes of the
 * mover's own last edge (or, in a game of alternate moves and open cards, of the last edge played),
 * and is found by the key of what the mover sees.
 */
#include "base/movers.h"
#include "search/amaf.h"
#include "search/profile.h"
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
static const void *descend_world(struct banyan_search *search)
{
    size_t size = search->game->state_size;
    int count = search->options.worlds;
    if (search->root.worlds_drawn < count) {
        void *world = search->root.worlds + size * (size_t)search->root.worlds_drawn++;
        search_sample(search, world);
        return world;
    }
    return search->root.worlds + size * rng_below(&search->rng, (uint32_t)count);
}

static void descend_begin(struct banyan_search *search, struct simulation *simulation)
{
    const struct banyan_game *game = search->game;
    if (!(game->traits & BANYAN_HIDDEN))
        memcpy(simulation->state, search->root.state, game->state_size);
    else if (search->options.worlds > 0)
        memcpy(simulation->state, descend_world(search), game->state_size);
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

/* Chooses an action of node, gives it statistics if it has none, and records it as the next
 * step. Returns the edge's index, or -1: no room for statistics. */
static int descend_choose(struct banyan_search *search, struct simulation *simulation, uint32_t ref,
                          uint32_t outcome, struct offer offer)
{
    struct tree_node *node = tree_node(&search->tree, ref);
    struct select_choice choice = {.offer = offer, .probability = 1};
    if (simulation->depth == 0)
        search->root.nodes[node->mover] = node;
    if (simulation->depth == 0 &&
        !search->root.has_noise) /* this simulation itself made the prebuilt root */
        search_add_root_noise(search);
    if (search->keeps_offers && !search_keep_offer(search, simulation, node, &offer))
        return -1;
    struct banyan_search_profile *profile = &search->profile;
    if (search->amaf)
        amaf_arrive(search, simulation, node);
    double begin = profile_begin(search);
    int index = node->count == 1 ? 0 : search->rule->pick(search, node, &choice);
    if (search->solver && index < node->tried)
        index = search_least_certain(search, node, index);
    profile_end(search, begin, &profile->select_ms, &profile->selects, 1);
    profile->ucb_terms += node->tried;
    bool expand = index >= node->tried;
    if (search->keeps_offers)
        search_count_offer(search, node, &offer, false);
    if (expand) {
        index = tree_try(&search->tree, node, index);
        if (index < 0 && search->keeps_offers)
            search_count_offer(search, node, &offer, true);
        if (index < 0)
            return -1;
        if (search->solver)
            *search_edge_bounds(search, node, index) =
                (struct tree_bounds){search->game->return_min, search->game->return_max};
        if (search->worker) /* others may come before this simulation's value */
            node->flags |= TREE_UNVISITED;
    }
    if (simulation->depth == 0 && search->rule == &select_gumbel)
        search_gumbel_stream(search, node, index);
    if (search->trace.fn)
        search_trace_select(
            search, simulation, node,
            &(struct path_choice){.edge = index, .is_new = expand, .offer = &offer});
    simulation->path[simulation->length++] = (struct path_step){.node = ref,
                                                                .outcome = outcome,
                                                                .edge = (uint16_t)index,
                                                                .mover = node->mover,
                                                                .probability = choice.probability};
    if (search->amaf)
        amaf_chosen(search, simulation, node->mover, tree_action(&search->tree, node, index));
    if (search->in_flight) {
        ++node->in_flight;
        ++((uint32_t *)tree_column(&search->tree, node, TREE_IN_FLIGHT))[index];
    }
    return index;
}

/* Step number i of a simulation that is undone is no longer in flight. */
static void descend_leave(struct banyan_search *search, const struct simulation *simulation, int i)
{
    const struct path_step *step = &simulation->path[i];
    struct tree_node *node = tree_node(&search->tree, step->node);
    if (search->keeps_offers)
        search_forget_offer(search, simulation, i);
    search_hold(search, node);
    if (!tree_edges(&search->tree, node)[step->edge].visits)
        node->flags |= TREE_UNVISITED;
    if (search->in_flight) {
        --node->in_flight;
        --((uint32_t *)tree_column(&search->tree, node, TREE_IN_FLIGHT))[step->edge];
    }
    search_let_go(search, node);
}

static void descend_apply(struct banyan_search *search, struct simulation *simulation,
                          const banyan_action joint[])
{
    double begin = profile_begin(search);
    apply_joint(search->game, simulation->state, joint, &search->dice);
    profile_end(search, begin, &search->profile.apply_ms, &search->profile.applies, 1);
}

static enum leaf_kind descend_finished(struct banyan_search *search, struct simulation *simulation)
{
    search->game->returns(search->game, simulation->state, simulation->values);
    return LEAF_FINISHED;
}

/* The solver may replace the edge that the rule chose. */
static enum leaf_kind descend_known(struct banyan_search *search, struct simulation *simulation,
                                    const struct tree_bounds *bounds)
{
    simulation->values[0] = bounds->lo;
    simulation->values[1] = (float)(search->constant_sum - bounds->lo);
    return LEAF_KNOWN;
}

static uint32_t descend_edge_in_flight(const struct banyan_search *search,
                                       const struct simulation *simulation)
{
    if (simulation->length == 0)
        return (uint32_t)search->flights.waiting;
    if (!search->in_flight)
        return 0;
    const struct path_step *step = &simulation->path[simulation->length - 1];
    const uint32_t *column =
        tree_column(&search->tree, tree_node(&search->tree, step->node), TREE_IN_FLIGHT);
    return column[step->edge] - 1; /* the visits include this simulation */
}

/* key: the result of search_node_key if it is known already, else 0. */
static uint32_t descend_expand(struct banyan_search *search, struct simulation *simulation,
                               int mover, uint64_t key, uint32_t arrivals, bool wait)
{
    double begin = profile_begin(search);
    simulation->key = key;
    uint32_t ref = search_expand(search, simulation, simulation->state, mover, arrivals, wait);
    profile_end(search, begin, &search->profile.expand_ms, &search->profile.expansions, 1);
    return ref;
}

/* The visit on which the node of this position is made.  A root with noise is made before the
 * first choice, because its priors get their noise between simulations. */
static int descend_expand_visits(const struct banyan_search *search,
                                 const struct simulation *simulation)
{
    bool at_root = simulation->depth == 0 && tree_has(&search->tree, TREE_PRIORS);
    return at_root ? 1 : search->expand_visits;
}

/* Whether it is time to make the node.  Within the prebuilt partial tree every node counts as
 * made from the beginning; it is really made when first met, which changes neither visits nor
 * means. */
static bool descend_ripe(const struct banyan_search *search, const struct simulation *simulation,
                         uint32_t arrivals)
{
    if (search->root.is_full)
        return false;
    return (int64_t)arrivals + 1 >= descend_expand_visits(search, simulation) ||
           simulation->depth < search->options.prebuild_depth;
}

/* Whether the simulation ends at the node just made: when its priors must come from the
 * evaluator, or when this is its first visit.  A node found by transposition is not new. */
static bool descend_is_leaf(const struct banyan_search *search, struct simulation *simulation,
                            int mover, uint32_t arrivals)
{
    if (!simulation->made[mover])
        return false;
    bool prebuilt = simulation->depth < search->options.prebuild_depth;
    if (search->evaluator->wants_actions ||
        (descend_expand_visits(search, simulation) == 1 && arrivals == 0 && !prebuilt))
        return true;
    simulation->made[mover] = 0;
    return false;
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
        descend_apply(search, simulation, joint);
        edge = &tree_edges(tree, node)[index];
        if (search->solver) {
            if (node->tried > tried)
                search_first_bounds(search, simulation);
            bounds = search_edge_bounds(search, node, index);
        }
    }
}

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
    uint32_t child = worker_publish(search, &simulation->path[simulation->length - 1], made);
    if (child != made)
        simulation->made[mover] = 0;
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
    if (index >= 0) {
        joint[node->mover] = tree_action(tree, node, index);
        descend_see(search, node, index, seen);
    }
    bool is_new = node->tried > tried;
    search_let_go(search, node);
    if (index < 0)
        return kind == LEAF_NONE ? LEAF_OPEN : kind;
    descend_apply(search, simulation, joint);
    if (search->solver && is_new)
        seen->bounds = search_first_bounds(search, simulation);
    return LEAF_NONE;
}

/* The thread's own copy of a child, or the child itself.  A copy of the node above remembers the copy until
 * it is synchronised. */
static uint32_t descend_own(struct banyan_search *search, const struct simulation *simulation,
                            uint32_t child)
{
    struct tree *tree = &search->tree;
    if (word_load_relaxed(&tree_node(tree, child)->forward) == TREE_PRIVATE)
        return child;
    uint32_t copy = worker_copy_of(search, child);
    if (copy == child || simulation->length == 0)
        return copy;
    const struct path_step *step = &simulation->path[simulation->length - 1];
    struct tree_node *above = tree_node(tree, step->node);
    if (word_load_relaxed(&above->forward) == TREE_PRIVATE)
        tree_edges(tree, above)[step->edge].child = copy;
    return copy;
}

/* descend_certain() for a thread that shares the tree (workers.h).  The root has its node. */
static enum leaf_kind descend_shared(struct banyan_search *search, struct simulation *simulation)
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

/* What a mover found at a decision of a keyed tree. */
enum arrival {
    ARRIVAL_READY,  /* the mover's node */
    ARRIVAL_NEW,    /* a node just made, where a simulation may end */
    ARRIVAL_EARLY,  /* no node, since it is too early to make one */
    ARRIVAL_NOWHERE /* there is no room for an outcome */
};

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
        search_default_priors(search, *node, simulation->state);
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
    /* only after all nodes are found, since a node made here would wait for ever */
    for (int p = 0; p < players; ++p)
        if ((simulation->movers >> p & 1) &&
            (tree_node(&search->tree, nodes[p])->flags & TREE_PENDING))
            return LEAF_COLLISION;
    return LEAF_NONE;
}

/* Finds what each mover (bits) may choose in this state.  False: a node has none of the legal
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

/* Not all movers could choose: the simulation ends before this decision. */
static void descend_unchoose(struct banyan_search *search, struct simulation *simulation,
                             int length)
{
    while (simulation->length > length) {
        const struct path_step *step = &simulation->path[--simulation->length];
        simulation->arrived[step->mover] = step->outcome;
        descend_leave(search, simulation, simulation->length);
    }
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
        slots[search->trees > 1 ? p : 0] = &tree_edges(tree, node)[index].child;
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
    if (search->worker)
        return descend_shared(search, simulation);
    return search->tree.layout.keyed ? descend_keyed(search, simulation)
                                     : descend_certain(search, simulation);
}

void search_take_back(struct banyan_search *search, struct simulation *simulation)
{
    struct tree *tree = &search->tree;
    for (int i = 0; i < simulation->length; ++i) {
        descend_leave(search, simulation, i);
        if (simulation->path[i].outcome)
            --tree_outcome(tree, simulation->path[i].outcome)->visits;
    }
    for (int p = 0; p < search->game->players; ++p) {
        uint32_t made = simulation->made[p];
        if (simulation->arrived[p])
            --tree_outcome(tree, simulation->arrived[p])->visits;
        if (!made)
            continue;
        struct tree_node *node = tree_node(tree, made);
        search_hold(search, node);
        if (node->flags & TREE_PENDING) /* nobody will deliver its priors */
            search_default_priors(search, made, simulation->state);
        search_let_go(search, node);
    }
}
