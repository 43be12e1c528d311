/* The internals of a search, which the files of this folder share.  The order of a simulation:
 *
 *     descend.c   root --pick--> edge --apply--> ... --> leaf | finished | known
 *                   (select_*.c picks, expand.c makes nodes)
 *     evaluator   values (and priors) of the leaf
 *     update.c    priors into the new node, values up the path, bounds (solver.c)
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/compiler.h"
#include "base/numeric.h"
#include "base/rng.h"
#include "search/apply.h"
#include "search/tree.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <math.h>
#include <pthread.h>

enum {
    RUN_THREADS_MAX = 256,
    SEARCH_DEPTH_MAX = 4096 /* decisions of one descent; a longer path ends in a leaf there */
};

/* One edge on the way down. */
struct path_step {
    uint32_t node;
    uint32_t outcome; /* the outcome that led to the node; 0 in an unkeyed tree */
    uint16_t edge;
    uint8_t mover;
    bool is_joint;     /* same decision as the step before: players choose at the same time */
    float probability; /* of the edge when it was sampled; regret matching only */
};

/* The legal actions at one step: offered[begin .. begin + count - 1] of the simulation. */
struct path_offer {
    uint32_t begin, count;
};

/* value of search_run.planned: as many simulations as the time allows */
#define SEARCH_BY_TIME INT64_MAX

enum leaf_kind {
    LEAF_NONE,     /* no leaf yet: the simulation goes on */
    LEAF_OPEN,     /* waits for an evaluator */
    LEAF_FINISHED, /* the game is over: values are its returns */
    LEAF_KNOWN,    /* the solver knows the values */
    LEAF_COLLISION /* another simulation waits for this leaf: this one is undone */
};

struct amaf; /* amaf.h */
struct amaf_step;

/* One simulation in flight. */
struct simulation {
    unsigned char *state;   /* at the leaf */
    struct path_step *path; /* [length] */
    int length;
    int world; /* number of the shared state in which it began; -1: in one of its own */
    struct path_offer *offers; /* [length] with keeps_offers */
    banyan_action *offered;    /* [offered_room] grows with the longest path; owned */
    uint32_t offered_count, offered_room;
    int depth;        /* number of decisions from the root to the leaf */
    bool all_actions; /* new nodes have all legal actions, as a book's line may go on with any */
    unsigned movers;
    uint64_t key; /* keyed tree: key of the node to make, 0: not known yet */
    uint32_t arrived[BANYAN_MAX_PLAYERS]; /* keyed tree: outcomes at the leaf, by mover */
    uint32_t made[BANYAN_MAX_PLAYERS];    /* nodes made at this leaf, which may wait for priors */
    /* nodes made from this very state: all their actions are legal */
    uint32_t fresh[BANYAN_MAX_PLAYERS];
    float values[BANYAN_MAX_PLAYERS];
    bool exact;                                 /* the evaluator's values are exact */
    banyan_action *actions[BANYAN_MAX_PLAYERS]; /* [max_legal] for evaluators that want them */
    float *priors[BANYAN_MAX_PLAYERS];
    bool busy;
    struct amaf_step *amaf; /* [depth_max + 1] with search->amaf */
    struct banyan_playout log;
};

/* The legal actions of a node: at[count], their indices in rising order; at NULL: 0..count-1. */
struct offer {
    const uint16_t *at;
    int count;
};
static inline int offer_at(const struct offer *offer, int k)
{
    return offer->at ? offer->at[k] : k;
}

/* One choice at a node, which lives on the stack of the descent. */
struct select_choice {
    struct offer offer; /* the actions that are legal in this state */
    float probability;  /* of the picked action, written by regret matching; else 1 */
};

/* How a rule chooses: an index into node's actions, possibly one that was not tried before. */
struct select_rule {
    int (*pick)(struct banyan_search *search, struct tree_node *node, struct select_choice *choice);
    /* as pick, for nodes where only some actions are offered; NULL: pick serves these nodes, too */
    int (*pick_offered)(struct banyan_search *search, struct tree_node *node,
                        struct select_choice *choice);
    /* the score of a tried edge now, for traces and tables; offer NULL: all actions are legal */
    double (*score)(const struct banyan_search *search, const struct tree_node *node, int index,
                    const struct offer *offer);
    /* bits: the columns that the rule needs.  With TREE_PRIORS untried actions are tried by
     * falling prior */
    unsigned columns;
    bool keeps_sqrt_ln; /* the rule reads sqrt_ln_visits of nodes */
    bool keeps_roots;   /* the rule reads TREE_ROOTS if a user's rule wants 1/sqrt(visits) */
};

/* Sequential halving at the root (select_gumbel.c): phases of equal budgets.  A phase has
 * rounds, and a round visits every action that is still considered once. */
struct search_halving {
    int alive;         /* actions still considered; 0: halving has not begun */
    int phases, phase; /* number of phases; phases done */
    int picked;        /* actions chosen in this round */
    int64_t rounds;    /* rounds done in this phase */
    int64_t visits;    /* visits of each action considered, since halving began */
    int64_t budget;    /* simulations for halving */
    int64_t spent;
};

/* What a player may choose at the root. */
struct root_limit {
    banyan_action *actions; /* [count], owned; NULL: everything */
    int count;
    bool avoids; /* true: all but these actions are allowed; false: only these */
};

/* A user's priors for a player's actions at the root. */
struct root_prior {
    banyan_action action;
    float prior;
};
struct root_priors {
    struct root_prior *at; /* [count], owned; NULL: none */
    int count;
};

/* What the simulations of one world were worth. */
struct search_worth {
    double sum[BANYAN_MAX_PLAYERS]; /* by player */
    double count;
};

/* The root: where simulations begin, and their results. */
struct search_root {
    unsigned char *state;
    unsigned char *drawn;  /* the state drawn last, from which draws_all continues */
    unsigned char *worlds; /* [options.worlds][state_size], the full states that are shared */
    int worlds_drawn;
    /* world_baseline: [options.worlds + 1], the last one of all worlds together; NULL: off.  A worker's array has the
     * worker's own simulations of the round only. */
    struct search_worth *worths;
    int viewer;
    bool viewer_follows; /* true: each root's viewer is its first mover */
    bool is_set;         /* false: no root has been set */
    /* by tree: each edge leads to that tree's root node */
    struct tree_edge edges[BANYAN_MAX_PLAYERS];
    struct tree_bounds bounds;
    double sum[BANYAN_MAX_PLAYERS]; /* sums of the values of `visits` simulations, by player */
    uint64_t visits;
    /* by mover: the nodes where the last simulation began; NULL: none */
    const struct tree_node *nodes[BANYAN_MAX_PLAYERS];
    bool
        is_walked; /* edges hold values of MCCFR (cfr.c), which are not averages over simulations */
    bool has_noise;        /* every node that gets noise has it */
    unsigned noise_movers; /* bits: movers whose root nodes have their noise */
    bool without_noise;    /* banyan_search_plan has switched off noise and forced playouts */
    struct root_limit limits[BANYAN_MAX_PLAYERS];
    struct root_priors priors[BANYAN_MAX_PLAYERS];
    unsigned limited; /* bits: players who have a limit */
    bool is_full;     /* compaction freed too little: the tree of this root grows no more */
};

/* The simulations that wait for an evaluator. */
struct search_flights {
    struct simulation *slots; /* [slot_count] */
    int slot_count;
    uint64_t waiting;           /* slots that are busy */
    struct banyan_leaf *leaves; /* [slot_count] for banyan_search_run */
};

/* Memory for one step.  No function relies on what another one left here. */
struct search_scratch {
    /* the allocation of the root's states, the slots and the arrays down to by_action */
    unsigned char *block;
    banyan_action *legal; /* [max_legal] */
    float *legal_priors;  /* [max_legal] */
    struct tree_lookup lookup;
    uint16_t *offers[BANYAN_MAX_PLAYERS]; /* [max_legal] the legal actions of this step's movers */
    uint16_t *contenders;                 /* [max_legal] with options.root_pruning */
    unsigned char *by_action; /* the allocation of the arrays below and those of search_gumbel */
    double *policy;           /* [action_room] a strategy, or weights */
    struct banyan_search_move *rows; /* [action_room] */
    void *own_rule;                  /* what search->own_rule sees and writes (select_own.c) */
};

/* Gumbel search at this root (select_gumbel.c). */
struct search_gumbel {
    double *noise;    /* [action_room] by index of the root's actions */
    int noise_count;  /* number of actions that have their noise */
    uint32_t *before; /* [action_room] visits of these actions when halving began last */
    uint32_t *kept;   /* [action_room] visits of these actions when halving first began */
    struct search_halving halving;
    uint64_t stream; /* seed of the random numbers at this root */
};

/* Settings of the present run. */
struct search_run {
    const banyan_flag *stop; /* stop flag for its leaves; NULL: none */
    double deadline_ms;      /* deadline for its leaves; 0: none */
    /* simulations planned, for sequential halving; 0: not known; SEARCH_BY_TIME */
    int64_t planned;
    /* search->simulations when the run is expected to end, for root pruning; 0: not known */
    uint64_t end;
};

/* Threads on this tree, and other trees. */
struct search_parallel {
    pthread_mutex_t lock;           /* of the whole search, while several threads run */
    struct workers *workers;        /* threads side by side (workers.h); NULL: they take turns */
    struct banyan_search **members; /* ensemble: the other trees */
    int member_count;
};

/* The callback that traces simulations; fn NULL: none. */
struct search_trace {
    banyan_search_trace_fn *fn;
    void *ctx;
};

struct banyan_search {
    const struct banyan_game *game;
    struct banyan_evaluator *evaluator;
    struct worker
        *worker; /* the worker that owns this search (workers.h); NULL: no thread shares the tree */
    struct banyan_search_options options;
    const struct select_rule *rule;
    struct banyan_backup own_backup; /* back NULL: none */
    struct banyan_choice own_final;  /* choose NULL: none */
    struct banyan_rule own_rule;     /* the rule that select_by_rule asks; its scores NULL: none */
    struct tree tree;

    /* follows from options and game */
    int trees; /* 1, or one for every player */
    int expand_visits;
    bool shares; /* threads search side by side (workers.h) */
    /* visits in flight are counted, because several simulations may wait for an evaluator at once */
    bool in_flight;
    bool solver;
    bool keeps_sqrt_ln; /* sqrt_ln_visits of nodes is kept, because the rule reads it */
    /* nodes below the root hold only decisive or anti-decisive actions, if there are any */
    bool decisive;
    int depth_max;   /* decisions of one descent */
    int action_room; /* at least the actions of any node so far; grows where cards are hidden */
    bool draws_all;  /* everything that chance decided is drawn anew, the viewer's own cards too */
    bool masked;     /* states of one key may differ in their legal actions */
    bool coarse;     /* keys are the game's coarse ones */
    bool keeps_offers;   /* the backup needs the actions that were legal at each step */
    double reward_scale; /* rewards in [0,1] = (utility - reward_low) * reward_scale */
    double reward_low;
    double reward_width; /* 1 / reward_scale */
    double ucb_factor; /* 2 * options.exploration * reward_width: exploration in units of utility */
    double constant_sum; /* return_min + return_max, the sum of two players' returns if constant */
    double weight[BANYAN_MAX_PLAYERS]
                 [BANYAN_MAX_PLAYERS]; /* utility of p = offset + sum over q weight * return of q */
    double offset[BANYAN_MAX_PLAYERS];
    bool plain_utility; /* weight is the identity matrix */

    struct search_root root;
    uint64_t simulations; /* simulations since set_root or advance */

    /* working memory */
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct search_flights flights;
    struct search_scratch scratch;
    struct search_gumbel own_gumbel;
    struct search_gumbel *gumbel; /* own_gumbel; in a worker, that of the search it belongs to */
    struct search_run run;
    struct search_parallel parallel;
    struct amaf *amaf; /* NULL: all moves as first is off */
    struct banyan_score score;

    /* reports and traces */
    struct search_trace trace;
    struct banyan_search_profile profile;
    uint64_t depth_sum;
    int max_depth;
    double elapsed_ms;
};

/* rules (select_*.c) */
/* select_gumbel.c: sets the random numbers for one visit of the root's action number index. */
void search_gumbel_stream(struct banyan_search *search, const struct tree_node *node, int index);
/* select_gumbel.c: sets how many simulations are still to come. */
void search_gumbel_replan(struct banyan_search *search, uint64_t left);
/* select_gumbel.c: how often halving has visited an action of player's root.  Where halving was
 * not used (at a root without simulations, or of another player than the viewer): all visits. */
double search_gumbel_visits(const struct banyan_search *search, int player, banyan_action action);
extern const struct select_rule select_ucb1, select_ucb1_plain, select_ucb1_bounded,
    select_ucb1_in_flight, select_puct, select_gumbel, select_regret, select_grave, select_by_rule,
    select_by_rule_bounded, select_by_rule_plain;
/* select_own.c: UCB1-tuned as a rule of the public interface.  select_own_bytes returns the bytes
 * of search_scratch.own_rule for nodes of `room` actions, select_own_open sets them up. */
struct banyan_rule select_tuned_rule(struct banyan_search *search);
size_t select_own_bytes(size_t room);
void select_own_open(struct banyan_search *search, size_t room);
/* Writes the current strategy over the legal actions: out[offer->count], of sum 1. */
void select_regret_strategy(const struct tree_node *node, const struct offer *offer,
                            const double *regret, double *out);
void select_regret_update(struct banyan_search *search, struct tree_node *node,
                          const struct path_step *step, const struct offer *offer, double utility);

static inline bool search_is_root(const struct banyan_search *search, const struct tree_node *node)
{
    return node == search->root.nodes[node->mover];
}

/* The utility that player p's nodes maximise, from values by player; in return units.  It is a
 * float, as values are, so that sums over visits stay exact (tree_edge_sum()). */
static inline float search_utility(const struct banyan_search *search, const float *values, int p)
{
    if (search->plain_utility)
        return values[p];
    double sum = search->offset[p];
    for (int q = 0; q < search->game->players; ++q)
        sum += search->weight[p][q] * values[q];
    return (float)sum;
}

/* How the score changes the values of finished games; NULL: not at all. */
static inline const struct banyan_score *search_score(const struct banyan_search *search)
{
    return search->score.weight > 0 ? &search->score : NULL;
}

/* The values of a finished game. */
static inline void search_returns(const struct banyan_search *search, const void *final,
                                  float *values)
{
    const struct banyan_score *score = search_score(search);
    if (score)
        banyan_score_returns(search->game, score, final, values);
    else
        search->game->returns(search->game, final, values);
}

/* The key of mover's node.  It contains the mover, so two movers who see the same have two keys. */
static inline uint64_t search_key_of_mover(uint64_t key, int mover)
{
    return rng_mix(key + 0x9e3779b97f4a7c15u * (uint64_t)(mover + 1));
}

/* The keys of all movers (bits): keys[mover].  Every key in a tree is made here. */
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

/* Whether the node is a thread's private copy (workers.h). */
static inline bool search_is_private(const struct tree_node *node)
{
    return word_load_relaxed(&node->forward) == TREE_PRIVATE;
}

/* Whether a node's priors are known when it is made: the evaluator's own, or the game's. */
static inline bool search_knows_priors(const struct banyan_search *search)
{
    return search->evaluator->priors || search->game->priors;
}

/* Locks a node and its block, if threads share the tree, and unlocks them (workers.h). */
void search_wait(struct tree_node *node); /* for a node that another thread holds */
static inline void search_take(struct tree_node *node)
{
    if (word_take(&node->forward, TREE_HELD) != TREE_LOOSE)
        search_wait(node);
}

static inline void search_hold(const struct banyan_search *search, struct tree_node *node)
{
    if (search->worker && !search_is_private(node))
        search_take(node);
}

static inline void search_let_go(const struct banyan_search *search, struct tree_node *node)
{
    if (search->worker && !search_is_private(node))
        word_give(&node->forward, TREE_LOOSE);
}

/* descend.c */
/* Draws a full state for a simulation to begin with. */
void search_sample(struct banyan_search *search, void *out);
enum leaf_kind search_descend(struct banyan_search *search, struct simulation *simulation);
void search_take_back(struct banyan_search *search, struct simulation *simulation);

/* offer.c: records the legal actions at each step of a simulation. */
/* Records the legal actions of node at the next step.  False: no memory. */
bool search_keep_offer(struct banyan_search *search, struct simulation *simulation,
                       const struct tree_node *node, const struct offer *offer);
/* Counts, for the actions of node that are not legal in this state, that they could not be chosen;
 * back: takes this back. */
void search_count_offer(const struct banyan_search *search, struct tree_node *node,
                        const struct offer *offer, bool back);
/* The legal actions at step number i, as indices that are valid until the next call. */
struct offer search_step_offer(struct banyan_search *search, const struct simulation *simulation,
                               int i);
/* Takes back what search_count_offer counted at step number i. */
void search_forget_offer(struct banyan_search *search, const struct simulation *simulation, int i);

/* Called after node->visits has changed. */
static inline void search_keep_sqrt_ln(const struct banyan_search *search, struct tree_node *node)
{
    if (search->keeps_sqrt_ln)
        node->sqrt_ln_visits = numeric_sqrt_ln(node->visits);
}

/* Called after the visits of an edge have changed. */
static inline void search_keep_roots(const struct tree *tree, const struct tree_node *node,
                                     int index)
{
    uint32_t visits = tree_edges(tree, node)[index].visits;
    if (tree_has(tree, TREE_EXPLORE))
        ((float *)tree_column(tree, node, TREE_EXPLORE))[index] =
            (float)numeric_inverse_sqrt(visits);
    else if (tree_has(tree, TREE_ROOTS)) /* rounded to float, as in TREE_EXPLORE */
        ((double *)tree_column(tree, node, TREE_ROOTS))[index] =
            (double)(float)numeric_inverse_sqrt(visits);
}

/* expand.c: makes a node for mover in state, or finds one of the same key (transpositions); 0: no room. */
uint32_t search_expand(struct banyan_search *search, struct simulation *simulation,
                       const void *state, int mover, uint32_t visits, bool wait_for_priors);
/* Puts an evaluator's priors into a node that waited for them, which was made at the leaf of simulation.  If the
 * evaluator wrote none, it puts the default ones. */
void search_receive_priors(struct banyan_search *search, uint32_t node,
                           const struct simulation *simulation, const float *priors);
/* Puts default priors, the game's or equal ones, into a node that waited for an evaluator's. */
void search_default_priors(struct banyan_search *search, uint32_t node,
                           const struct simulation *simulation);
/* Puts default priors into a node if it still waits for priors, which no simulation will bring
 * any more. */
void search_end_waiting(struct banyan_search *search, uint32_t node,
                        const struct simulation *simulation);
/* Replaces each prior by prior^(1 / temperature), scaled so that the sum is 1.  Temperature 1
 * changes nothing. */
void search_temper_priors(float *priors, int count, double temperature);
/* Gives a node that holds only a part of the legal actions (search->decisive) the other ones
 * too, as long as there is room; then the priors of all of them sum to 1. */
void search_complete_node(struct banyan_search *search, struct tree_node *node, const void *state);
/* Writes which of node's actions are legal in state, as rising indices, to out[max_legal], and
 * returns how many.  Legal actions that the node does not have are appended; if there is no
 * room for them, or the node is a private copy, only the others are written.  0: the node has none
 * of the legal actions.
 * at_root: only those that the root's limits allow. */
int search_offer(struct banyan_search *search, struct tree_node *node, const void *state,
                 bool at_root, uint16_t *out);
/* The same in two steps; the first one, which lists the legal actions, needs no node. */
int search_list_legal(struct banyan_search *search, const void *state, int mover, bool at_root);
int search_offer_listed(struct banyan_search *search, struct tree_node *node, const void *state,
                        int count, uint16_t *out);

/* ask_tell.c: data about a simulation's leaf for an evaluator */
void search_fill_leaf(struct banyan_search *search, struct simulation *simulation,
                      struct banyan_leaf *leaf);

/* update.c */
/* baseline.c; with root.worths only */
/* Makes the simulation's values relative to those of its world, and counts them there. */
void search_take_baseline(struct banyan_search *search, struct simulation *simulation);
void search_add_worths(struct search_worth *to, const struct search_worth *from, int count);
/* Forgets what the worlds are worth, as there will be others; does nothing without worths. */
void search_forget_worths(struct banyan_search *search);

void search_backup(struct banyan_search *search, struct simulation *simulation,
                   enum leaf_kind kind);

/* The bounds of node from those of its edges. */
struct tree_bounds search_node_bounds(struct banyan_search *search, struct tree_node *node);

/* solver.c */
static inline bool search_proven(const struct tree_bounds *bounds)
{
    return bounds->lo >= bounds->hi;
}
static inline struct tree_bounds *search_edge_bounds(const struct banyan_search *search,
                                                     const struct tree_node *node, int index)
{
    return (struct tree_bounds *)tree_column(&search->tree, node, TREE_BOUNDS) + index;
}
/* Narrows the bounds of an edge; true if they have changed. */
bool search_narrow_edge(const struct banyan_search *search, struct tree_node *node, int index,
                        struct tree_bounds known);
/* The bounds that the rules give for state. */
void search_new_bounds(struct banyan_search *search, const void *state, struct tree_bounds *bounds);
/* Gives the path's last edge, which was never tried before, the bounds that the rules give, passes
 * them up to the root, and returns them. */
struct tree_bounds search_first_bounds(struct banyan_search *search,
                                       const struct simulation *simulation);
/* Replaces old by its intersection with known; true if old has changed. */
bool search_narrow_bounds(struct tree_bounds *old, struct tree_bounds known);
/* Passes the bounds of a leaf of known value up to the root. */
void search_backup_bounds(struct banyan_search *search, const struct simulation *simulation,
                          enum leaf_kind kind);
/* Whether an edge cannot give mover more than another edge guarantees, and may give less.  guaranteed: what that
 * edge guarantees, as player 0's return. */
static inline bool search_pruned(const struct tree_bounds *bounds, int mover, float guaranteed)
{
    return mover == 0
               ? bounds->hi < guaranteed || (bounds->hi == guaranteed && bounds->lo < guaranteed)
               : bounds->lo > guaranteed || (bounds->lo == guaranteed && bounds->hi > guaranteed);
}
/* The index of the edge on offer to visit instead of a proven one; index itself if that edge is not proven, at
 * every second visit, or if no other edge may be better. */
int search_least_certain(struct banyan_search *search, struct tree_node *node, int index,
                         const struct offer *offer);
/* The best result, as player 0's return, that the mover of node can force by a tried edge. */
float search_guaranteed(const struct tree_bounds *column, const struct tree_node *node);

/* implicit.c: the minimax values of a heuristic */
float *search_edge_implicit(const struct banyan_search *search, const struct tree_node *node,
                            int index);
/* Sets the value of a new edge, which leads to the state `after`. */
void search_first_implicit(const struct banyan_search *search, const struct tree_node *node,
                           int index, const void *after);
/* Updates the values along the path of a simulation that is counted already. */
void search_backup_implicit(struct banyan_search *search, const struct simulation *simulation,
                            enum leaf_kind kind);

/* root_pruning.c */
/* At the root node of the player who searches: those actions on offer that may still become the most visited
 * one, and the proven ones; at other nodes all.  The result is valid until the next call. */
struct offer search_contenders(struct banyan_search *search, const struct tree_node *node,
                               struct offer offer);

/* root_limit.c */
/* Writes the legal actions of state, a root, to out[max_legal]: those that the limits of the root
 * allow, or all if the limits allow none of them.  Returns how many. */
int search_root_legal(const struct banyan_search *search, const void *state, int player,
                      banyan_action *out);
/* Scales the priors of a node so that they sum to 1. */
void search_normalise_priors(const struct banyan_search *search, struct tree_node *node);
/* root_priors.c: puts the user's priors into the root's node, if there are any. */
void search_put_root_priors(const struct banyan_search *search, struct tree_node *node);
/* root_noise.c: the same for a root whose actions have changed, with new noise on them. */
void search_renew_root_priors(struct banyan_search *search, struct tree_node *node);
void search_forget_root_priors(struct banyan_search *search);
/* Lifts all limits. */
void search_unlimit(struct banyan_search *search);

/* root.c */
/* Forgets the tree and the leaves that wait for an evaluator, but not the root's state. */
void search_forget_root(struct banyan_search *search);
/* Computes the root's values from the edges of its node.  If dice or other players decide what
 * an edge leads to, its values include every outcome.  With hidden cards only the viewer's node
 * stands for what the viewer knows; where another player moves, nothing is known yet. */
void search_recount_root(struct banyan_search *search);
/* Returns BANYAN_INVALID if no root is set. */
/* Whether there is a root and the player, any number, chooses there. */
bool search_chooses(const struct banyan_search *search, int player);
enum banyan_status search_needs_root(const struct banyan_search *search, struct banyan_error *err);
struct tree_node *search_root_node(const struct banyan_search *search, int player);
/* Writes the rows of the final choice to rows[max_legal]: those of banyan_search_root_moves
 * whose actions are legal in the root's state. */
int search_choice_rows(struct banyan_search *search, int player, struct banyan_search_move *rows);
uint32_t search_most_visited_outcome(const struct tree *tree, uint32_t root);

/* ask_tell.c: compacts the tree if it has no room for one more simulation.  False: no simulation can begin
 * now. */
bool search_make_room(struct banyan_search *search);

/* memory.c */
/* Makes the memory that a search works in, apart from the tree; false: no memory. */
bool search_make_memory(struct banyan_search *search);
void search_free_memory(struct banyan_search *search);
/* Makes memory for nodes of this many actions; false: no room. */
bool search_reserve_actions(struct banyan_search *search, int count);
bool search_grow_actions(struct banyan_search *search, int room);
/* Gives back the memory that these two functions have added.  Precondition: the search has no tree,
 * and no leaf is outstanding. */
void search_shrink_actions(struct banyan_search *search);

/* settle.c: what each player's nodes maximise, for the present viewer */
void search_set_weights(struct banyan_search *search);

/* root_noise.c: noise at the root */
void search_add_root_noise(struct banyan_search *search);
/* Gumbel noise for the first count actions of the viewer's root. */
void search_gumbel_noise(struct banyan_search *search, int count);

/* final.c: the index of the root's best row by options.final; rows are sorted by visits. */
int search_final_best(const struct banyan_search *search, const struct banyan_search_move *rows,
                      int count);

/* Whether `left` more simulations cannot change the choice among all rows of the root, whatever
 * their visits and means become.  Proofs that the solver may still find are not considered. */
bool search_final_decided(const struct banyan_search *search, const struct banyan_search_move *rows,
                          int count, uint64_t left);

/* trace.c */
/* Reports the choice at a node to the trace. */
struct path_choice {
    int edge;
    bool is_new; /* the edge was not tried before */
    const struct offer *offer;
};
void search_trace_select(struct banyan_search *search, const struct simulation *simulation,
                         struct tree_node *node, const struct path_choice *chosen);
void search_trace_simulate(struct banyan_search *search, const struct simulation *simulation);
void search_trace_backup(struct banyan_search *search, const struct simulation *simulation);
/* root.c: writes the statistics of an action; offer: the legal actions now, NULL: all. */
void search_fill_row(const struct banyan_search *search, const struct tree_node *node, int index,
                     const struct offer *offer, struct banyan_search_move *row);

#endif
