/* The tree of a search, node by node.
 *
 *     banyan_tree_root --> node --edge 0--> outcome --> node --edge 0--> ...
 *                            |    edge 1 -> outcome --> node
 *                            |              outcome --> node    other dice, other cards
 *                            +--- edge 2    not tried yet: only its action and prior are known
 *
 * At a node a player chooses; an edge is an action.  Without dice, hidden cards and simultaneous choices a
 * tried edge has one outcome; with them an edge has an outcome for each key that the next player may see.
 * With hidden cards or simultaneous choices every player has a tree of their own (search.h), and a node is an
 * information set, whose actions are those of all states that were met there.
 *
 * Nodes hold no states.  banyan_tree_state() finds the states again, from the root's state on:
 *
 *     banyan_node root = banyan_tree_root(search, player, 0);
 *     for (int i = 0; banyan_tree_edge(search, root, i, &edge, sizeof edge); ++i) ...
 *
 * Threads: as for all functions of a const search (search.h).  While a search runs, the callback
 * limits.progress may use them.  The number of a node is valid until banyan_tree_epoch() changes.
 */
#ifndef BANYAN_TREE_H
#define BANYAN_TREE_H

#include <banyan/search.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of a node; 0: none. */
typedef uint64_t banyan_node;

struct banyan_tree_node {
    int player;  /* who chooses here */
    int actions; /* number of edges, tried or not: 0 .. actions - 1 */
    int tried;   /* edges 0 .. tried - 1 have statistics */
    uint64_t visits;
    uint64_t in_flight; /* visits whose values are still to come */
    bool is_waiting;    /* the evaluator's priors are still to come */
};

struct banyan_tree_edge {
    struct banyan_search_move
        move; /* action, visits, mean, prior, bounds, score; with rule=grave an edge
                                     * below the root has no score (NaN): it would depend on the
                                     * simulation that comes by */
    uint64_t in_flight;
    uint64_t
        missed; /* options.availability: visits of the node at which the action was not legal */
    bool is_tried;
    bool is_proven; /* move.lo == move.hi, the return under best play */
    int outcomes;
};

struct banyan_tree_outcome {
    banyan_node
        node; /* 0: too few visits for a node, the game is over, or compaction removed the node */
    uint64_t visits;
    uint64_t key; /* 0 in games in which each action has one outcome */
};

/* Returns a number that changes whenever the numbers of nodes become invalid: when the tree is
 * compacted, or the root changes. */
uint64_t banyan_tree_epoch(const struct banyan_search *search);

/* Returns the root's node of the player in tree number `tree` of an ensemble (0: the first, the only one
 * without an ensemble); 0: the player does not choose at the root, there is no such tree, or there
 * were too few simulations to make the root's node. */
banyan_node banyan_tree_root(const struct banyan_search *search, int player, int tree);

/* Write what is known of a node, and of its edge number `index`: the tried edges come first, in the
 * order in which they were tried.  out_size: sizeof *out.  False: there is no such edge. */
void banyan_tree_node(const struct banyan_search *search, banyan_node node,
                      struct banyan_tree_node *out, size_t out_size);
bool banyan_tree_edge(const struct banyan_search *search, banyan_node node, int index,
                      struct banyan_tree_edge *out, size_t out_size);

/* Writes the outcomes of an edge, by rising key, at most max; returns how many outcomes there are, which may be
 * more than max. */
int banyan_tree_outcomes(const struct banyan_search *search, banyan_node node, int index,
                         struct banyan_tree_outcome *out, int max);

/* Returns the node at which player chooses in state, to which an action of the edge led; 0: the
 * tree has none, or player does not choose there.  node 0: a simulation may start from state, and
 * index is not used. */
banyan_node banyan_tree_at(const struct banyan_search *search, banyan_node node, int index,
                           int player, const void *state);

/* An edge from a state to one of its outcomes. */
struct banyan_tree_step {
    banyan_node node;
    int index; /* of the edge */
    struct banyan_tree_outcome outcome;
    const void *before; /* a state of the node, such as the root's; borrowed */
    uint64_t seed;      /* of the dice and of the other players' choices, if there are any */
};

/* Writes to after[state_size] a state after the edge's action, in which the next player sees the outcome.
 * Where dice or other players decide, they are drawn until the outcome is met, at most 256 times.
 * BANYAN_NOT_FOUND: the outcome was not met, or the action is not legal in step->before;
 * BANYAN_INVALID: the node has no such edge; BANYAN_NO_MEMORY. */
enum banyan_status banyan_tree_state(const struct banyan_search *search,
                                     const struct banyan_tree_step *step, void *after,
                                     struct banyan_error *err);

#ifdef __cplusplus
}
#endif
#endif
