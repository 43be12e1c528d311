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
 *   1. noise, when a simulation begins and the root's nodes stand for the first time: for each
 *      mover, in order of number, a gamma variate for each action, then, for the player who
 *      searches, a uniform number for each action (Gumbel);
 *   2. hidden cards: the full state (game or sampler), or which of the worlds;
 *   3. at every decision, all movers in order of number: the order of the actions where a node is
 *      made (Fisher-Yates from the end); then, for movers who made none and go on with the others,
 *      the same; then for each mover the choice, where the rule draws (regret matching: a uniform
 *      number); then the dice of apply();
 *   4. the evaluator's own draws;
 *   5. the final choice, where it is drawn: a uniform number.
 *
 * Priors, probabilities of sampled actions and values are single precision, and so is 1/sqrt(n_j)
 * in UCB1 where nothing but means is looked at (children first, one leaf at a time, no bias, widening,
 * solver or hidden cards); all else is double.
 */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include <banyan/search.h>

/* Values that came back, in a list: through an edge, through an outcome. */
struct reference_result {
    struct reference_result *next;
    struct reference_edge *edge;
    float values[BANYAN_MAX_PLAYERS]; /* by player */
    float probability;                /* with which the edge was sampled (regret matching) */
    uint64_t offered;                 /* bit i: the edge of id i could be chosen */
};

struct reference_results {
    struct reference_result *first, *last;
};

/* Bounds on player 0's return. */
struct reference_bounds {
    float lo, hi;
};

/* What may come of an edge, as the next mover sees it. */
struct reference_outcome {
    uint64_t key;
    uint64_t arrivals; /* simulations that came here, in flight or back */
    struct reference_results back;
    struct reference_node *node; /* NULL: not made yet */
    struct reference_outcome *next;
};

struct reference_edge {
    banyan_action action;
    float prior;
    int id;     /* place in which the node came to know it */
    bool tried; /* chosen at least once */
    uint64_t in_flight;
    struct reference_results back;
    uint64_t book_visits; /* from an opening book */
    double book_sum, book_squares;
    struct reference_bounds known; /* about the position behind it, from rules and evaluator */
    struct reference_outcome *outcomes;
};

/* A strategy that was played. */
struct reference_play {
    struct reference_play *next;
    double strategy[]; /* by id of the edge */
};

struct reference_node {
    uint64_t key;
    int mover;
    unsigned char *state;          /* in which it was made */
    struct reference_edge **edges; /* [count], the tried ones first, in the order of trying */
    int count;
    uint64_t before;               /* simulations that came by before it was made */
    uint64_t ended;                /* simulations that ended here, when it was made */
    uint64_t in_flight;            /* simulations that went on from here and are not back */
    bool waiting;                  /* for the evaluator's priors */
    struct reference_results back; /* all edges', in the order in which they came */
    struct reference_play *plays;
    struct reference_node *next; /* of all nodes of the tree */
    int round;                   /* in which it was listed */
};

/* A choice that the other search made. */
struct reference_told {
    int player;
    banyan_action action;
};

struct reference;

struct reference *reference_create(const struct banyan_game *game,
                                   const struct banyan_search_options *options,
                                   struct banyan_evaluator *evaluator);
void reference_destroy(struct reference *reference);

/* As the functions of <banyan/search.h> of the same names. */
void reference_set_root(struct reference *reference, const void *state, int viewer);
bool reference_advance(struct reference *reference, const banyan_action joint[], const void *state);
void reference_plan(struct reference *reference, int64_t simulations, bool explore);
int reference_select(struct reference *reference, struct banyan_leaf *leaves, int max);
void reference_update(struct reference *reference, const struct banyan_leaf *leaves, int n);
int reference_root_moves(struct reference *reference, int player, struct banyan_root_move *rows);
void reference_root_values(const struct reference *reference, float *out);
bool reference_choose(struct reference *reference, int player, struct banyan_root_move *out);

/* What the other search chose in the simulations that come next: followed where two scores are
 * equal to 1e-9.  Borrowed. */
void reference_tell(struct reference *reference, const struct reference_told *told, int count);

/* The first node whose choice was another than the one told, and its own choice; NULL: none.  How
 * many choices there were, and how many of them were such ties that the other search decided. */
const struct reference_node *reference_disputed(const struct reference *reference,
                                                banyan_action *own);
void reference_choices(const struct reference *reference, uint64_t *choices, uint64_t *ties);

/* To look at the tree. */
struct reference_node *reference_root(const struct reference *reference, int player);
struct reference_edge *reference_root_edge(struct reference *reference, int tree);
uint64_t reference_edge_visits(const struct reference_edge *edge);
double reference_edge_sum(const struct reference *reference, const struct reference_node *node,
                          const struct reference_edge *edge);
uint64_t reference_node_visits(const struct reference_node *node);
struct reference_bounds reference_edge_bounds(const struct reference *reference,
                                              const struct reference_edge *edge);
struct reference_bounds reference_root_bounds(const struct reference *reference);
void reference_regrets(const struct reference *reference, const struct reference_node *node,
                       double *out);
int reference_average_strategy(const struct reference *reference, const struct reference_node *node,
                               double *out);

#endif
