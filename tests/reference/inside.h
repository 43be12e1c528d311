/* What the parts of the plain search share:
 *
 *     scores, gumbel, regret     what the next action is: functions of a node
 *     implicit                   minimax values of the heuristic
 *     amaf                       what moves were worth later (GRAVE)
 *     statistics                 what a node's list of results says
 *     reference                  simulations: down, up, ask and tell
 *     root, noise                where simulations begin
 *     final                      what is read at the root, and chosen
 *     walk                       regret minimisation by external sampling
 *     tree_text                  what is written of the tree
 *     beside                     exact values, evaluators, options as text
 */
#ifndef TESTS_REFERENCE_INSIDE_H
#define TESTS_REFERENCE_INSIDE_H

#include "reference/reference.h"

/* One decision on the path from the root. */
struct plain_step {
    struct plain_node *node;
    struct plain_edge *edge;
    struct plain_outcome *outcome; /* key by which the node was found */
    float probability;             /* probability with which the edge was sampled (regret
                                      matching) */
    uint64_t offered;              /* bit i: the edge of id i could be chosen */
};

/* The path of one simulation from the root to a leaf and back. */
struct plain_simulation {
    bool busy; /* the simulation waits for values of its leaf */
    bool exact;
    unsigned char *state;
    struct plain_step *steps; /* [length] */
    int length, depth;
    int world; /* number of the shared state in which it began */
    unsigned movers;
    float values[BANYAN_MAX_PLAYERS];
    struct plain_edge *above[BANYAN_MAX_PLAYERS];      /* by tree: the last edge of the path */
    struct plain_outcome *arrived[BANYAN_MAX_PLAYERS]; /* by mover, at the leaf */
    struct plain_node *made[BANYAN_MAX_PLAYERS];       /* by mover: the node at which the path
                                                          ended */
    banyan_action *actions[BANYAN_MAX_PLAYERS];
    float *priors[BANYAN_MAX_PLAYERS];
    bool *watched;             /* by step: whether GRAVE watches the position */
    uint64_t *keys;            /* by step: of the position */
    struct banyan_playout log; /* what the evaluator says that it played */
};

/* --- statistics.c --- */

struct plain_bounds plain_all_returns(const struct plain *r);
/* The sum of two players' returns; half of it is the middle of the range. */
double plain_constant_sum(const struct plain *r);
/* The number that player maximises, in return units. */
double plain_utility(const struct plain *r, const float *values, int player);
/* Utility scaled to [0,1], unless options.raw_rewards. */
double plain_reward(const struct plain *r, double value);
double plain_reward_width(const struct plain *r);
double plain_edge_squares(const struct plain_edge *edge);
/* Visits and those in flight: what exploration counts (WU-UCT, Liu et al. 2020). */
double plain_edge_arrivals(const struct plain_edge *edge);
double plain_node_arrivals(const struct plain_node *node);
bool plain_proven(struct plain_bounds bounds);
struct plain_bounds plain_node_bounds(const struct plain_node *node);
/* Proven bounds on the mover's own return. */
struct plain_bounds plain_own_bounds(const struct plain_edge *edge);
/* Whether another edge that was tried guarantees at least as much as `edge` can give. */
bool plain_pruned(const struct plain_edge *edge);
/* The mean of all simulations that went on from here; without any, the middle of the range. */
double plain_node_mean(const struct plain_node *node);
/* The proven value; else the mean of the simulations; else the value that the rule gives to
 * unvisited edges. */
double plain_edge_mean(const struct plain_edge *edge, double unvisited);
bool plain_is_offered(const struct plain_edge *edge, uint64_t offered);
bool plain_counts_availability(const struct plain *r);
/* How many times an action could be chosen. */
double plain_chances(const struct plain_edge *edge);

/* --- rules: the score of each of node's actions, -INFINITY: not now --- */

/* The action to try next, if there is one: of highest prior, or first in the list; -1: none.  If
 * every action may be offered, it changes places with the first one that was not tried. */
int plain_next_untried(struct plain *r, struct plain_node *node, uint64_t offered);
void plain_score_bandit(struct plain *r, struct plain_node *node, uint64_t offered, double *scores);
void plain_score_puct(struct plain *r, struct plain_node *node, uint64_t offered, bool is_root,
                      double *scores);
void plain_score_gumbel_root(struct plain *r, const struct plain_node *node, uint64_t offered,
                             double *scores);
void plain_score_gumbel_inside(const struct plain_node *node, uint64_t offered, double *scores);
void plain_score_grave(struct plain *r, const struct plain_node *node, double *scores);
double plain_improved_logit(const struct plain_edge *edge);
void plain_draw_gumbel(struct plain *r, const struct plain_node *node);
/* Visits of an action of player's root since halving first began there; all visits if it has not
 * begun. */
double plain_visits_by_halving(const struct plain *r, int player, banyan_action action);
/* Whether halving is in the middle of a round: some actions under consideration have their visit
 * of this round, others do not. */
bool plain_is_in_round(const struct plain *r);
/* root-pruning: which of the offered actions of a root may still become the most visited one: a set of ids. */
uint64_t plain_contenders(const struct plain *r, const struct plain_node *node, uint64_t offered);
/* The edge to play if the rule chooses the one at `index`: another one if that is proven, at every second visit. */
int plain_instead_of_proven(struct plain_node *node, uint64_t offered, int index);
/* The index of the highest score; -1: all are -INFINITY. */
int plain_best_of(struct plain *r, struct plain_node *node, const double *scores);
/* A strategy in proportion to positive regret, by id; uniform over the offered actions if no
 * regret is positive. */
void plain_match_regrets(const double *regrets, int count, uint64_t offered, double *strategy);
/* Draws an action of node, and records the strategy that was played. */
int plain_sample_regret(struct plain *r, struct plain_node *node, uint64_t offered,
                        float *probability);

/* --- implicit.c --- */

/* The heuristic's value of a position, or the result of a finished game. */
float plain_guess(const struct plain *r, const void *state);
/* A simulation has come back; is_sure: by a result, or by an exact value. */
void plain_back_up_implicit(struct plain *r, const struct plain_simulation *simulation,
                            bool is_sure);

/* --- amaf.c --- */

/* Whether simulations are listed with their moves. */
bool plain_notes_moves(const struct plain *r);
/* progressive-history: the term of an action, in rewards. */
double plain_history(const struct plain *r, const struct plain_edge *edge, double mean,
                     double visits);

/* Before node chooses: which position is read. */
void plain_meet_position(struct plain *r, struct plain_simulation *simulation,
                         const struct plain_node *node);
/* A simulation has come back. */
void plain_pass_positions(struct plain *r, const struct plain_simulation *simulation);

/* --- final.c --- */

/* An action, as a row of a table. */
struct banyan_search_move plain_row(const struct plain_edge *edge);

/* --- noise.c --- */

/* Each mover's node at the root gets its noise once, as soon as the node exists. */
void plain_draw_noise(struct plain *r);
/* Priors become prior^(1 / temperature), of sum 1. */
void plain_heat(float *shares, int count, double temperature);
/* Scales the priors of a node's actions to the sum 1. */
void plain_normalise(struct plain_node *node);

/* --- reference.c --- */

/* Zeroed memory that lives as long as the search. */
void *plain_take(struct plain *r, size_t bytes);
void plain_add(struct plain *r, struct plain_results *results, const struct plain_result *result);
uint64_t plain_node_key(const struct plain *r, const void *state, int mover);
/* A new node for mover, or the node of this key if there is one.  It waits for priors if the
 * evaluator writes priors. */
struct plain_node *plain_make_node(struct plain *r, const struct plain_simulation *simulation,
                                   int mover, uint64_t before);
/* priors: of all legal actions, in their order; NULL, or all 0: there are none. */
void plain_receive_priors(struct plain_node *node, const struct plain_simulation *simulation,
                          const float *priors);
/* The legal actions of state; at_root: those that the limits of the root allow, if there are any. */
int plain_legal(const struct plain *r, const void *state, int player, bool at_root,
                banyan_action *out);
void plain_complete_node(struct plain_node *node, const void *state, bool at_root);
/* Which of node's actions are legal in state: a set of ids.  With open cards all that it has. */
uint64_t plain_offered_actions(struct plain_node *node, const void *state, bool at_root);
/* Draws a full state, by the game or by the sampler, that is possible for the player who
 * searches; if everything is drawn anew, one that is possible for every player. */
void plain_draw_state(struct plain *r, void *out);
/* Whether all that chance decided is drawn anew, the viewer's cards too. */
bool plain_draws_all(const struct plain *r);
/* Takes back the simulations whose leaves wait for values. */
void plain_take_back(struct plain *r);
/* Moves the edge behind the edges that were tried before it. */
void plain_try_edge(struct plain_node *node, struct plain_edge *edge);
/* The outcome of this key; a new one, unless the tree is full. */
struct plain_outcome *plain_outcome_of(struct plain *r, struct plain_edge *edge, uint64_t key);
void plain_fill_leaf(struct plain *r, struct plain_simulation *simulation,
                     struct banyan_leaf *leaf);

#endif
