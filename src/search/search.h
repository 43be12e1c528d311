/* The search from inside: what descend, update, solver, final choice and report
 * share.  The order of a simulation:
 *
 *     descend.c   root --pick--> edge --apply--> ... --> leaf | finished | known
 *                   (select_*.c picks, expand.c makes nodes)
 *     evaluator   values (and priors) of the leaf
 *     update.c    priors into the new node, values up the path, bounds (solver.c)
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/rng.h"
#include "search/apply.h"
#include "search/tree.h"

#include <banyan/search.h>

#include <math.h>
#include <pthread.h>

enum {
    RUN_THREADS_MAX = 256,
    SEARCH_DEPTH_MAX =
        4096 /* decisions of one descent: where a game may be longer, it ends in a leaf */
};

/* One edge on the way down. */
struct path_step {
    uint32_t node;
    uint32_t outcome; /* by which the node was found; 0 in an unkeyed tree */
    uint16_t edge;
    uint8_t mover;
    float probability; /* with which the edge was sampled; regret matching only */
};

/* What was on offer at one step: offered[begin .. begin + count - 1] of the simulation. */
struct path_offer {
    uint32_t begin, count;
};

#define SEARCH_BY_TIME INT64_MAX /* of search_run.planned: as many as the time allows */

enum leaf_kind {
    LEAF_NONE,     /* there is none yet: the simulation goes on */
    LEAF_OPEN,     /* waits for an evaluator */
    LEAF_FINISHED, /* the game is over: values are its returns */
    LEAF_KNOWN,    /* the solver knows the values */
    LEAF_COLLISION /* another simulation already waits here: this one is taken back */
};

/* One simulation in flight. */
struct simulation {
    unsigned char *state;   /* at the leaf */
    struct path_step *path; /* [length] */
    int length;
    struct path_offer *offers; /* [length] with keeps_offers */
    banyan_action *offered;    /* [offered_room] grows with the longest path; owned */
    uint32_t offered_count, offered_room;
    int depth; /* decisions from the root to the leaf */
    unsigned movers;
    uint64_t key; /* keyed tree: of the node that is to be made, 0: not known yet */
    uint32_t arrived[BANYAN_MAX_PLAYERS]; /* keyed tree: outcomes at the leaf, by mover */
    uint32_t made[BANYAN_MAX_PLAYERS];    /* nodes made for this leaf that wait for priors */
    uint32_t fresh[BANYAN_MAX_PLAYERS];   /* nodes made of this very state: all actions are legal */
    float values[BANYAN_MAX_PLAYERS];
    bool exact;                                 /* the evaluator vouches for values */
    banyan_action *actions[BANYAN_MAX_PLAYERS]; /* [max_legal] for evaluators that want them */
    float *priors[BANYAN_MAX_PLAYERS];
    bool busy;
};

/* The actions of a node that are on offer: at[count], by rising index; at NULL: 0..count-1. */
struct offer {
    const uint16_t *at;
    int count;
};
static inline int offer_at(const struct offer *offer, int k)
{
    return offer->at ? offer->at[k] : k;
}

/* One choice at a node, on the stack of those who descend. */
struct select_choice {
    struct offer offer; /* the actions that are legal in this state */
    float probability;  /* with which the action was picked, written by regret matching; else 1 */
};

/* How a rule chooses: an index into node's actions, possibly one that was not tried before. */
struct select_rule {
    int (*pick)(struct banyan_search *search, struct tree_node *node, struct select_choice *choice);
    /* the score of a tried edge now, for traces and tables; offer NULL: all actions are */
    double (*score)(const struct banyan_search *search, const struct tree_node *node, int index,
                    const struct offer *offer);
    /* the columns that it needs, as bits: with TREE_PRIORS untried actions are tried by falling prior,
     * with TREE_EXPLORE the backup keeps sqrt_ln_visits of nodes too */
    unsigned columns;
};

/* Sequential halving at the root (select_gumbel.c): phases of equal budgets, each of so many rounds, in
 * which every action still considered is visited once. */
struct search_halving {
    int alive;         /* actions still considered; 0: it has not begun */
    int phases, phase; /* in all; those done */
    int picked;        /* actions of this round */
    int64_t rounds;    /* of this phase, done */
    int64_t visits;    /* of the actions of this round, since it began */
    int64_t budget;    /* simulations to share out */
    int64_t spent;
};

/* Where simulations begin, and what they found there. */
struct search_root {
    unsigned char *state;
    unsigned char *drawn;  /* the state drawn last, from which draws_all goes on */
    unsigned char *worlds; /* [options.worlds][state_size], of which so many are drawn */
    int worlds_drawn;
    int viewer;
    bool viewer_follows;                        /* the viewer is the first mover of every root */
    bool is_set;                                /* false: there is no root yet */
    struct tree_edge edges[BANYAN_MAX_PLAYERS]; /* by tree: each leads to its first node */
    struct tree_bounds bounds;
    double sum[BANYAN_MAX_PLAYERS]; /* of the values of `visits` simulations, by player */
    uint64_t visits;
    /* by mover: the nodes where the last simulation began; NULL: none has yet */
    const struct tree_node *nodes[BANYAN_MAX_PLAYERS];
    bool is_walked; /* edges hold values of MCCFR (cfr.c), which are no mean over simulations */
    bool has_noise; /* all nodes that get noise have it */
    unsigned noise_movers; /* bits: movers whose nodes have their noise */
    bool without_noise;    /* banyan_search_plan: no noise and no forced playouts */
    bool is_full;          /* compaction made no room: the tree of this root grows no more */
};

/* The simulations that wait for an evaluator. */
struct search_flights {
    struct simulation *slots; /* [slot_count] */
    int slot_count;
    uint64_t waiting;           /* slots that are busy */
    struct banyan_leaf *leaves; /* [slot_count] for banyan_search_run */
};

/* Memory for one step at a time: nobody finds there what another left. */
struct search_scratch {
    unsigned char *block; /* the root's states, slots and what follows up to by_action */
    banyan_action *legal; /* [max_legal] */
    float *legal_priors;  /* [max_legal] */
    struct tree_lookup lookup;
    uint16_t *offers[BANYAN_MAX_PLAYERS]; /* [max_legal] what movers of this step may choose */
    unsigned char *by_action; /* the arrays below and those of search_gumbel, in one allocation */
    double *policy;           /* [action_room] a strategy, or weights */
    struct banyan_search_move *rows; /* [action_room] */
};

/* Gumbel search at this root (select_gumbel.c). */
struct search_gumbel {
    double *noise;    /* [action_room] by index of the root's actions */
    int noise_count;  /* actions that have their noise */
    uint32_t *before; /* [action_room] their visits when halving began */
    uint32_t *kept;   /* [action_room] their visits when it began for the first time */
    struct search_halving halving;
    uint64_t stream; /* of random numbers at this root */
};

/* What the run that goes on was told. */
struct search_run {
    const banyan_flag *stop; /* for its leaves; NULL: none */
    double deadline_ms;      /* for its leaves; 0: none */
    int64_t planned;         /* simulations, for sequential halving; 0: not known; SEARCH_BY_TIME */
};

/* Threads on this tree, and other trees. */
struct search_parallel {
    pthread_mutex_t lock;           /* of the whole search, while several threads run */
    struct banyan_search **members; /* ensemble: the other trees */
    int member_count;
};

/* Who looks on: fn NULL: nobody. */
struct search_trace {
    banyan_search_trace_fn *fn;
    void *ctx;
};

struct banyan_search {
    const struct banyan_game *game;
    struct banyan_evaluator *evaluator;
    struct banyan_search_options options;
    const struct select_rule *rule;
    struct tree tree;

    /* what the options come to in this game */
    int trees; /* 1, or one for every player */
    int expand_visits;
    bool in_flight; /* several simulations may wait at once */
    bool solver;
    bool decisive;   /* nodes below the root hold decisive and anti-decisive actions only, if any */
    int depth_max;   /* decisions of one descent */
    int action_room; /* most actions of a node so far, or more: grows where cards are hidden */
    bool draws_all;  /* all that chance decided is drawn anew, the viewer's own cards too */
    bool masked;     /* legality may differ between states of one key */
    bool coarse;     /* keys are the game's coarse ones */
    bool keeps_offers;   /* somebody asks on the way up what could have been chosen */
    double reward_scale; /* rewards in [0,1] = (utility - reward_low) * reward_scale */
    double reward_low;
    double ucb_factor;   /* (2 Cp range)^2: exploration in utility units */
    double constant_sum; /* of the returns of two players, if it is constant */
    double weight[BANYAN_MAX_PLAYERS]
                 [BANYAN_MAX_PLAYERS]; /* utility of p = offset + sum over q weight * return of q */
    double offset[BANYAN_MAX_PLAYERS];
    bool plain_utility; /* weight is the identity */

    struct search_root root;
    uint64_t simulations; /* since set_root or advance */

    /* working memory */
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct search_flights flights;
    struct search_scratch scratch;
    struct search_gumbel gumbel;
    struct search_run run;
    struct search_parallel parallel;

    /* looking */
    struct search_trace trace;
    struct banyan_search_profile profile;
    uint64_t depth_sum;
    int max_depth;
    double elapsed_ms;
};

/* rules (select_*.c) */
/* select_gumbel.c: so many simulations are still to come, by the present speed */
/* select_gumbel.c: begins the random numbers of a visit of the root's action number index. */
void search_gumbel_stream(struct banyan_search *search, const struct tree_node *node, int index);
void search_gumbel_replan(struct banyan_search *search, uint64_t left);
/* select_gumbel.c: how often halving has visited an action of player's root.  Without halving (of a root
 * that was not searched yet, of other players than the viewer) all visits. */
double search_gumbel_visits(const struct banyan_search *search, int player, banyan_action action);
extern const struct select_rule select_ucb1, select_ucb1_plain, select_ucb1_tuned, select_puct,
    select_gumbel, select_regret;
/* The current strategy over what is on offer: out[offer->count], sums to 1. */
void select_regret_strategy(const struct tree_node *node, const struct offer *offer,
                            const double *regret, double *out);
void select_regret_update(struct banyan_search *search, struct tree_node *node,
                          const struct path_step *step, const struct offer *offer, double utility);

static inline bool search_is_root(const struct banyan_search *search, const struct tree_node *node)
{
    return node == search->root.nodes[node->mover];
}

/* What player p's nodes maximise, from values by player; return units. */
static inline double search_utility(const struct banyan_search *search, const float *values, int p)
{
    if (search->plain_utility)
        return values[p];
    double sum = search->offset[p];
    for (int q = 0; q < search->game->players; ++q)
        sum += search->weight[p][q] * values[q];
    return sum;
}

/* What mover's nodes are known by: two movers who see the same are still two. */
static inline uint64_t search_key_of_mover(uint64_t key, int mover)
{
    return rng_mix(key + 0x9e3779b97f4a7c15u * (uint64_t)(mover + 1));
}

/* The same for all movers (bits): keys[mover].  Every key of a tree comes from here. */
static inline void search_node_keys(const struct banyan_search *search, const void *state,
                                    unsigned movers, uint64_t keys[])
{
    const struct banyan_game *game = search->game;
    if (search->coarse)
        game->coarse_keys(game, state, movers, keys);
    for (int p = 0; p < game->players; ++p)
        if (movers >> p & 1)
            keys[p] = search_key_of_mover(search->coarse ? keys[p] : game->key(game, state, p), p);
}

static inline uint64_t search_node_key(const struct banyan_search *search, const void *state,
                                       int mover)
{
    uint64_t keys[BANYAN_MAX_PLAYERS];
    search_node_keys(search, state, 1u << mover, keys);
    return keys[mover];
}

/* descend.c */
/* A full state for a simulation to begin with. */
void search_sample(struct banyan_search *search, void *out);
enum leaf_kind search_descend(struct banyan_search *search, struct simulation *simulation);
void search_take_back(struct banyan_search *search, struct simulation *simulation);

/* offer.c: what could be chosen at each step of a simulation. */
/* Keeps what is on offer at node for the step that comes next.  False: no memory. */
bool search_keep_offer(struct banyan_search *search, struct simulation *simulation,
                       const struct tree_node *node, const struct offer *offer);
/* Counts a visit for the actions of node that are not on offer; back: takes it back. */
void search_count_offer(const struct banyan_search *search, const struct tree_node *node,
                        const struct offer *offer, bool back);
/* What was on offer at step number i, as indices that hold until the next question. */
struct offer search_step_offer(struct banyan_search *search, const struct simulation *simulation,
                               int i);
/* Step number i is taken back: nothing was missed there. */
void search_forget_offer(struct banyan_search *search, const struct simulation *simulation, int i);

/* expand.c: a node for mover in state; 0: no room.  */
uint32_t search_expand(struct banyan_search *search, struct simulation *simulation,
                       const void *state, int mover, uint32_t visits, bool wait_for_priors);
/* Puts an evaluator's priors into a node of state that waited for them, or the default ones if the
 * evaluator had no opinion: it wrote none. */
void search_receive_priors(struct banyan_search *search, uint32_t node, const void *state,
                           const float *priors);
/* The same with the priors that stand in for an evaluator's: the game's, or equal ones. */
void search_default_priors(struct banyan_search *search, uint32_t node, const void *state);
/* Gives a node that holds a part of the legal actions only (search->decisive) the others too, as long
 * as there is room. */
void search_complete_node(struct banyan_search *search, struct tree_node *node, const void *state);
/* Which of node's actions are legal in state: rising indices to out[max_legal].  Actions that node
 * does not know yet are appended; where there is no room for them the others are all that is
 * offered.  How many; 0: node knows none of the legal ones. */
int search_offer(struct banyan_search *search, struct tree_node *node, const void *state,
                 uint16_t *out);

/* ask_tell.c: what an evaluator needs to know of a simulation's leaf */
void search_fill_leaf(struct banyan_search *search, struct simulation *simulation,
                      struct banyan_leaf *leaf);

/* update.c */
void search_backup(struct banyan_search *search, struct simulation *simulation,
                   enum leaf_kind kind);

/* What the edges of node prove. */
struct tree_bounds search_node_bounds(struct banyan_search *search, struct tree_node *node);

/* solver.c */
static inline bool search_proven(const struct tree_bounds *bounds)
{
    return bounds->lo >= bounds->hi;
}
struct tree_bounds *search_edge_bounds(const struct banyan_search *search,
                                       const struct tree_node *node, int index);
/* What the rules say of state. */
void search_new_bounds(struct banyan_search *search, const void *state, struct tree_bounds *bounds);
/* The last edge of the path was never tried before: what the rules say of it, up to the root. */
void search_first_bounds(struct banyan_search *search, const struct simulation *simulation);
/* Narrows old by what is newly known; true if that said anything new. */
bool search_narrow_bounds(struct tree_bounds *old, struct tree_bounds known);
/* What a leaf of known value proves, up to the root. */
void search_backup_bounds(struct banyan_search *search, const struct simulation *simulation,
                          enum leaf_kind kind);
/* Whether an edge cannot give mover more than the guaranteed return of player 0 (another edge). */
static inline bool search_pruned(const struct tree_bounds *bounds, int mover, float guaranteed)
{
    return mover == 0
               ? bounds->hi < guaranteed || (bounds->hi == guaranteed && bounds->lo < guaranteed)
               : bounds->lo > guaranteed || (bounds->lo == guaranteed && bounds->hi > guaranteed);
}
/* What to visit instead of the chosen edge of node if that one is proven; else index itself. */
int search_least_certain(struct banyan_search *search, struct tree_node *node, int index);
/* The best return of player 0 that mover of node can enforce by one of its tried edges. */
float search_guaranteed(const struct tree_bounds *column, const struct tree_node *node);

/* root.c */
/* BANYAN_INVALID before banyan_search_set_root. */
enum banyan_status search_needs_root(const struct banyan_search *search, struct banyan_error *err);
struct tree_node *search_root_node(const struct banyan_search *search, int player);
/* The rows among which the final choice is made: of banyan_search_root_moves those whose actions are
 * legal in the root's state, to rows[max_legal]. */
int search_choice_rows(struct banyan_search *search, int player, struct banyan_search_move *rows);
uint32_t search_most_visited_outcome(const struct tree *tree, uint32_t root);

/* create.c */
void search_set_weights(struct banyan_search *search);
/* Makes nodes of so many actions possible; false: no room. */
bool search_reserve_actions(struct banyan_search *search, int count);

/* root_noise.c: noise at the root */
void search_add_root_noise(struct banyan_search *search);
/* Gumbel noise for the first count actions of the viewer's root. */
void search_gumbel_noise(struct banyan_search *search, int count);

/* final.c: the best of the root's rows, most visited first, by options.final; its index */
int search_final_best(const struct banyan_search *search, const struct banyan_search_move *rows,
                      int count);

/* Whether `left` more simulations cannot change the choice among all rows of the root: by their visits
 * and means, whatever they are.  Proofs that the solver may still find are not foreseen. */
bool search_final_decided(const struct banyan_search *search, const struct banyan_search_move *rows,
                          int count, uint64_t left);

/* trace.c */
/* What was chosen at a node, for those who look on. */
struct path_choice {
    int edge;
    bool is_new; /* the edge was not tried before */
    const struct offer *offer;
};
void search_trace_select(struct banyan_search *search, const struct simulation *simulation,
                         struct tree_node *node, const struct path_choice *chosen);
void search_trace_simulate(struct banyan_search *search, const struct simulation *simulation);
void search_trace_backup(struct banyan_search *search, const struct simulation *simulation);
/* root.c: what is known of an action; offer: those it stands with at this moment, NULL: all. */
void search_fill_row(const struct banyan_search *search, const struct tree_node *node, int index,
                     const struct offer *offer, struct banyan_search_move *row);

#endif
