/* A plain Monte Carlo tree search, to compare the search of the library with.
 *
 *      root --edge--> outcome --> node --edge--> ...
 *                 \--> outcome --> node
 *
 * It is written for clarity only.  Nothing is kept up to date on the way: a
 * node keeps its state and the list of what came back through it, and visits,
 * means, variances, regrets and proven bounds are computed from these lists
 * whenever somebody asks.  Every edge leads to outcomes, told apart by their
 * key, also where there can be only one.
 *
 * Random numbers come from one stream, seeded by options.seed, in this order:
 *
 *   1. noise, when a simulation begins, or makes its first choice, and the root's nodes stand for
 *      the first time: for each mover, in order of number, a gamma variate for each action, then,
 *      for the player who searches, a uniform number for each action (Gumbel) and the stream of this
 *      root: from it, the action and its visits the stream begins again after that player's choice at
 *      the root;
 *   2. hidden cards: the full state (game or sampler), or which of the worlds;
 *   3. at every decision, all movers in order of number: the order of the actions where a node is
 *      made (Fisher-Yates from the end); then, for movers who made none and go on with the others,
 *      the same; then for each mover the choice, where the rule draws (regret matching: a uniform
 *      number); then the dice of apply();
 *   4. the evaluator's own draws;
 *   5. the final choice, where it is drawn: a uniform number.
 *
 * Priors, probabilities of sampled actions and values are single precision, and so is 1/sqrt(n_j)
 * in UCB1 where children are compared only by their means and visits (children first, one leaf at a
 * time, no bias, widening, solver or hidden cards); all else is double.
 */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include <banyan/search.h>

enum { PLAIN_ACTIONS = 64 /* most actions of a node: a set of actions is 64 bits */ };

/* One result that came back to an edge: of a simulation, or of a line of an opening book. */
struct plain_result {
    struct plain_result *next;
    struct plain_edge *edge;
    uint64_t visits;                  /* 1; a book's line may stand for any number, whose mean is
                                         in values */
    bool from_book;                   /* the variance of these visits is unknown */
    float values[BANYAN_MAX_PLAYERS]; /* by player */
    float probability;                /* probability with which the edge was sampled (regret
                                         matching) */
    uint64_t offered;                 /* bit i: the edge of id i could be chosen at that visit */
    int world;                        /* of the simulation */
};

struct plain_results {
    struct plain_result *first, *last;
};

/* Bounds on player 0's return. */
struct plain_bounds {
    float lo, hi;
};

/* An outcome of an edge, as the next mover sees it. */
struct plain_outcome {
    struct plain_outcome *next;
    uint64_t key;
    uint64_t arrivals;       /* simulations that came here, in flight or finished */
    struct plain_node *node; /* NULL: there is no node yet */
};

struct plain_edge {
    struct plain_node *node; /* the node whose action this is */
    banyan_action action;
    float prior;
    int id;     /* number in the order in which the node got its actions */
    bool tried; /* was chosen at least once */
    uint64_t in_flight;
    uint64_t missed; /* visits of the node at which this action was not on offer */
    struct plain_results back;
    struct plain_bounds known; /* proven bounds on the position behind the edge, from rules and
                                  evaluator */
    float implicit;            /* minimax value of the heuristic over the tree, for player 0 */
    struct plain_outcome *outcomes;
};

/* A strategy that was played (regret matching). */
struct plain_play {
    struct plain_play *next;
    int count;         /* number of actions that the node had then */
    double strategy[]; /* by id of the edge */
};

struct plain_node {
    struct plain *search;
    uint64_t key;
    int mover;
    unsigned char *state;      /* the state in which the node was made */
    struct plain_edge **edges; /* [count], the tried ones first, in the order of trying */
    int count;
    uint64_t before;           /* simulations that passed here before the node was made */
    uint64_t ended;            /* simulations that ended here, when the node was made */
    uint64_t in_flight;        /* simulations that went on from here and are not finished */
    bool waiting;              /* waits for the evaluator's priors */
    struct plain_results back; /* results of all edges, in the order in which they came */
    struct plain_play *plays;
    double *walked;          /* regrets by id, of MCCFR walks; NULL: no walk has come here */
    struct plain_node *next; /* next of all nodes of the tree */
    int round;               /* number of the last listing that met it */
};

/* A choice that the other search made. */
struct plain_told {
    int player;
    banyan_action action;
};

/* What a player may choose at the root. */
struct plain_limit {
    banyan_action actions[PLAIN_ACTIONS];
    int count; /* 0: everything */
    bool avoids;
};

struct plain {
    const struct banyan_game *game;
    struct banyan_search_options options;
    struct banyan_evaluator *evaluator;
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct plain_block *memory;

    /* derived from the options and the game */
    int trees;   /* number of trees: one, or one for each player */
    bool keyed;  /* outcomes are told apart by keys */
    bool priors; /* actions have priors */
    bool solver;
    bool decisive;
    bool short_ucb1; /* UCB1 with 1/sqrt(n_j) in single precision */
    int expand_visits;

    /* the root */
    unsigned char *root_state, *drawn, *worlds;
    int viewer, worlds_drawn;
    bool follows;                               /* the viewer is the first mover of every root */
    struct plain_edge root[BANYAN_MAX_PLAYERS]; /* by tree: leads to the root's node */
    struct plain_results through_root;
    struct plain_results by_world; /* results of the simulations since the worlds were drawn */
    struct plain_node *nodes;      /* list of all nodes below the root */
    int round;
    unsigned noise_drawn; /* set of movers whose noise is drawn */
    bool explores;
    struct plain_limit limits[BANYAN_MAX_PLAYERS];
    int gumbel_count;
    double gumbel[PLAIN_ACTIONS];          /* by id of the root's edges */
    uint64_t gumbel_before[PLAIN_ACTIONS]; /* visits of these edges when halving began */
    uint64_t gumbel_kept[PLAIN_ACTIONS];   /* visits of these edges when halving began for the
                                              first time */
    double gumbel_made[PLAIN_ACTIONS];     /* by row of the result: visits that halving has made */
    bool gumbel_in_round;                  /* a choice now would fall in the middle of a round */
    int gumbel_considered;                 /* number of actions at the beginning of halving */
    int64_t gumbel_budget, gumbel_done, planned;
    int64_t end;         /* the value of `simulated` at which the run ends; 0: not known */
    uint64_t contenders; /* ids of the edges that the present choice is among */
    bool is_narrowed; /* the present choice is among a part of the legal actions (root pruning) */
    uint64_t gumbel_stream;
    struct plain_simulation *simulations; /* [batch] */
    int64_t simulated;
    int64_t decisions; /* of all of them */
    int deepest;
    uint64_t waiting;
    bool full; /* no further nodes and outcomes are made */

    struct plain_passing
        *passings;     /* simulations through positions that GRAVE watches, the last one first */
    uint64_t read_key; /* key of the position whose moves are read */

    const banyan_flag *stop; /* stop flag of a run; NULL: none */

    /* the choices of the other search in the next simulations: followed where two scores are
     * equal within 1e-9, and compared with this search's own choices */
    const struct plain_told *told; /* [told_count] */
    int told_count, told_next;
    const struct plain_node *disputed;       /* the first node at which the other search chose
                                          differently; NULL: there is none */
    banyan_action own_choice, kernel_choice; /* there */
    uint64_t choices, ties;                  /* number of all choices; number of those in which the
                                          other search was followed */
};

/* Each does what the function of the same name in <banyan/search.h> does. */
struct plain *plain_create(const struct banyan_game *game,
                           const struct banyan_search_options *options,
                           struct banyan_evaluator *evaluator);
void plain_destroy(struct plain *r);
void plain_set_root(struct plain *r, const void *state, int viewer);
bool plain_advance(struct plain *r, const banyan_action joint[], const void *state);
void plain_plan(struct plain *r, int64_t simulations, bool explore);
int plain_select(struct plain *r, struct banyan_leaf *leaves, int max);
void plain_update(struct plain *r, const struct banyan_leaf *leaves, int n);
void plain_add_line(struct plain *r, const banyan_action *line, int length, uint32_t visits,
                    double mean);
/* Runs simulations (select, evaluate, update) until there were `end` since the root was set, or
 * the root is proven, or the stop flag is set (BANYAN_INTERRUPTED), or the evaluator fails (its
 * status; its leaves are taken back).  Batches have the sizes that a run to `goal` gives them. */
enum banyan_status plain_simulate(struct plain *r, int64_t goal, int64_t end);
/* Several searches are an ensemble: their root statistics are added. */
void plain_root_values(struct plain *const *r, int searches, float *out);
enum banyan_status plain_run(struct plain *const *r, int searches, int64_t simulations);
int plain_root_moves(struct plain *const *r, int searches, int player,
                     struct banyan_search_move *rows);
/* Adds up the strategies of an action at the root of all trees; false: no tree has tried it. */
bool plain_strategy_sum(struct plain *const *searches, int count, int player, banyan_action action,
                        double *sum);
banyan_action plain_choose(struct plain *const *r, int searches, int player);
/* The best of such rows by visits, means and bounds, in any order; not by Gumbel's rule, and nothing is drawn. */
banyan_action plain_choose_of(struct plain *r, struct banyan_search_move *rows, int count);

/* Removes what is below an outcome, or the outcome too, but keeps the bounds that it proved;
 * afterwards plain_list_nodes lists the nodes that remain. */
void plain_forget_below(struct plain_edge *edge, struct plain_outcome *outcome, bool outcome_too);
void plain_list_nodes(struct plain *r);

/* Computed from the lists of results. */
uint64_t plain_edge_visits(const struct plain_edge *edge);
double plain_edge_sum(const struct plain_edge *edge);
uint64_t plain_node_visits(const struct plain_node *node);
struct plain_node *plain_root(const struct plain *r, int player);
/* The edge of an action; NULL: node does not have the action. */
struct plain_edge *plain_find_edge(const struct plain_node *node, banyan_action action);
struct plain_bounds plain_edge_bounds(const struct plain_edge *edge);
struct plain_bounds plain_root_bounds(const struct plain *r);
void plain_regrets(const struct plain_node *node, double *out);          /* by id of the edge */
void plain_average_strategy(const struct plain_node *node, double *out); /* by id of the edge */

#endif
