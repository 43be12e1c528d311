/* The steps of a descent that the files of all kinds of trees share. */
#ifndef SEARCH_DESCEND_H
#define SEARCH_DESCEND_H

#include "search/amaf.h"
#include "search/profile.h"
#include "search/workers.h"

/* The index of the action that the rule chooses, or which the thread takes again. */
static inline int descend_pick(struct banyan_search *search, const struct simulation *simulation,
                               uint32_t ref, struct select_choice *choice)
{
    const struct select_rule *rule = search->rule;
    struct tree_node *node = tree_node(&search->tree, ref);
    int count = choice->offer.count;
    if (node->count == 1)
        return 0;
    int again = search->worker && !choice->offer.at ? worker_again(search, simulation, ref) : -1;
    if (again >= 0)
        return again;
    if (simulation->depth == 0 && search->options.root_pruning > 0)
        choice->offer = search_contenders(search, node, choice->offer);
    return choice->offer.count < count && rule->pick_offered
               ? rule->pick_offered(search, node, choice)
               : rule->pick(search, node, choice);
}

enum {
    DESCEND_NOWHERE = -1, /* there is no room for statistics */
    DESCEND_UNTRIED =
        -2 /* the action was never tried: its edge must be made in the tree, not in this thread's
              private copy of the node */
};

/* Chooses an action of node, gives it statistics if it has none, and records it as the next
 * step. Returns the edge's index or one of the above. */
static inline int descend_choose(struct banyan_search *search, struct simulation *simulation,
                                 uint32_t ref, uint32_t outcome, struct offer offer)
{
    struct tree_node *node = tree_node(&search->tree, ref);
    struct select_choice choice = {.offer = offer, .probability = 1};
    if (simulation->depth == 0)
        search->root.nodes[node->mover] = node;
    if (simulation->depth == 0 &&
        !search->root.has_noise) /* with prebuild_depth this simulation itself has made the root */
        search_add_root_noise(search);
    if (search->keeps_offers && !search_keep_offer(search, simulation, node, &offer))
        return DESCEND_NOWHERE;
    struct banyan_search_profile *profile = &search->profile;
    if (search->amaf)
        amaf_arrive(search, simulation, node);
    double begin = profile_begin(search);
    int index = descend_pick(search, simulation, ref, &choice);
    if (search->solver && index < node->tried && node->flags & TREE_NARROWED)
        index = search_least_certain(search, node, index, &choice.offer);
    profile_end(search, begin, &profile->select_ms, &profile->selects, 1);
    profile->ucb_terms += node->tried;
    bool expand = index >= node->tried;
    if (expand && search_is_private(node))
        return DESCEND_UNTRIED;
    if (search->keeps_offers)
        search_count_offer(search, node, &offer, false);
    if (expand) {
        index = tree_try(&search->tree, node, index);
        if (index < 0 && search->keeps_offers)
            search_count_offer(search, node, &offer, true);
        if (index < 0)
            return DESCEND_NOWHERE;
        if (search->solver)
            *search_edge_bounds(search, node, index) =
                (struct tree_bounds){search->game->return_min, search->game->return_max};
        if (search->worker) /* other threads may come here before the edge has its first value */
            node->flags |= TREE_UNVISITED;
    }
    if (simulation->depth == 0 && search->rule == &select_gumbel)
        search_gumbel_stream(search, node, index);
    if (search->trace.fn)
        search_trace_select(
            search, simulation, node,
            &(struct path_choice){.edge = index, .is_new = expand, .offer = &offer});
    /* the movers of a decision choose in the order of their numbers */
    bool is_joint = simulation->movers & ((1u << node->mover) - 1);
    simulation->path[simulation->length++] = (struct path_step){.node = ref,
                                                                .outcome = outcome,
                                                                .edge = (uint16_t)index,
                                                                .mover = node->mover,
                                                                .is_joint = is_joint,
                                                                .probability = choice.probability};
    if (search->amaf)
        amaf_chosen(search, simulation, node->mover, tree_action(&search->tree, node, index));
    if (search->in_flight) {
        ++node->in_flight;
        ++((uint32_t *)tree_column(&search->tree, node, TREE_IN_FLIGHT))[index];
    }
    return index;
}

/* Takes back step number i of a simulation: it is no longer in flight. */
static inline void descend_leave(struct banyan_search *search, const struct simulation *simulation,
                                 int i)
{
    const struct path_step *step = &simulation->path[i];
    struct tree_node *node = tree_node(&search->tree, step->node);
    search_hold(search, node);
    if (search->keeps_offers)
        search_forget_offer(search, simulation, i);
    if (!tree_edges(&search->tree, node)[step->edge].visits)
        node->flags |= TREE_UNVISITED;
    if (search->in_flight) {
        --node->in_flight;
        --((uint32_t *)tree_column(&search->tree, node, TREE_IN_FLIGHT))[step->edge];
    }
    search_let_go(search, node);
}

static inline void descend_apply(struct banyan_search *search, struct simulation *simulation,
                                 const banyan_action joint[])
{
    double begin = profile_begin(search);
    apply_joint(search->game, simulation->state, joint, &search->dice);
    profile_end(search, begin, &search->profile.apply_ms, &search->profile.applies, 1);
}

static inline enum leaf_kind descend_finished(struct banyan_search *search,
                                              struct simulation *simulation)
{
    search_returns(search, simulation->state, simulation->values);
    return LEAF_FINISHED;
}

/* Ends the simulation with a proven value, player 0's return. */
static inline enum leaf_kind descend_known(struct banyan_search *search,
                                           struct simulation *simulation,
                                           const struct tree_bounds *bounds)
{
    simulation->values[0] = bounds->lo;
    simulation->values[1] = (float)(search->constant_sum - bounds->lo);
    return LEAF_KNOWN;
}

static inline uint32_t descend_edge_in_flight(const struct banyan_search *search,
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
static inline uint32_t descend_expand(struct banyan_search *search, struct simulation *simulation,
                                      int mover, uint64_t key, uint32_t arrivals, bool wait)
{
    double begin = profile_begin(search);
    simulation->key = key;
    uint32_t ref = search_expand(search, simulation, simulation->state, mover, arrivals, wait);
    profile_end(search, begin, &search->profile.expand_ms, &search->profile.expansions, 1);
    return ref;
}

/* The visit on which the node of this position is made.  A root with priors is made on the first
 * visit, because noise is added to its priors between simulations. */
static inline int descend_expand_visits(const struct banyan_search *search,
                                        const struct simulation *simulation)
{
    bool at_root = simulation->depth == 0 && tree_has(&search->tree, TREE_PRIORS);
    return at_root ? 1 : search->expand_visits;
}

/* Whether it is time to make the node.  Within the prebuilt partial tree every node counts as
 * made from the beginning; it is really made when first met, which changes neither visits nor
 * means. */
static inline bool descend_ripe(const struct banyan_search *search,
                                const struct simulation *simulation, uint32_t arrivals)
{
    if (search->root.is_full)
        return false;
    return (int64_t)arrivals + 1 >= descend_expand_visits(search, simulation) ||
           simulation->depth < search->options.prebuild_depth;
}

/* Whether the simulation ends at the node just made: when its priors must come from the
 * evaluator, or when this is its first visit.  A node found by transposition is not new. */
static inline bool descend_is_leaf(const struct banyan_search *search,
                                   struct simulation *simulation, int mover, uint32_t arrivals)
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

/* What a mover found at a decision of a keyed tree. */
enum arrival {
    ARRIVAL_READY,  /* the mover's node */
    ARRIVAL_NEW,    /* a node just made, where a simulation may end */
    ARRIVAL_EARLY,  /* no node, since it is too early to make one */
    ARRIVAL_NOWHERE /* there is no room for an outcome */
};

/* Takes back the choices after the first `length`.  Not all movers could choose, so the simulation
 * ends before this decision. */
static inline void descend_unchoose(struct banyan_search *search, struct simulation *simulation,
                                    int length)
{
    while (simulation->length > length) {
        const struct path_step *step = &simulation->path[--simulation->length];
        simulation->arrived[step->mover] = step->outcome;
        descend_leave(search, simulation, simulation->length);
    }
}

/* descend_shared.c: the ways down of a thread that shares the tree (workers.h) */
enum leaf_kind descend_shared(struct banyan_search *search, struct simulation *simulation);
enum leaf_kind descend_shared_keyed(struct banyan_search *search, struct simulation *simulation);

#endif
