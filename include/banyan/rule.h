/* A selection rule of one's own: how a node chooses among the actions that it has tried.
 *
 *     node --> edges: visits, mean ... --> scores() --> the highest is visited next
 *
 * A rule writes one number for each edge, and the search takes the highest, the first of equal ones.
 * The rule need not know what kind of game it serves, because the search leaves out what cannot be
 * chosen: actions that are not legal in this state (hidden cards), and what the solver has refuted.
 * The mean of an edge is the value that it is known to have: a proven edge has its proven value.
 *
 *     static void scores(void *ctx, const struct banyan_rule_node *node, double *out)
 *     {
 *         for (int i = 0; i < node->count; ++i)
 *             out[i] = node->edges[i].mean + node->sqrt_ln_visits * sqrt(2.0 / node->edges[i].visits);
 *     }
 *
 * options.own_rule of a search names the rule (search.h).
 *
 * Threads: with options.threads or ensemble above 1 several threads call a rule at once, each for its
 * own nodes.
 */
#ifndef BANYAN_RULE_H
#define BANYAN_RULE_H

#include <banyan/game.h>
#include <banyan/rng.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A tried action. */
struct banyan_rule_edge {
    double mean;     /* what the mover expects, in the game's return units */
    uint32_t visits; /* > 0; with those whose values are still to come */
    uint32_t below;  /* of the library */
};

/* What a rule sees of a node.  The library fills it; later versions add members at the end. */
struct banyan_rule_node {
    const struct banyan_game *game;
    int player; /* who chooses */
    int count;  /* edges to give a score to, >= 1; without any, the rule is not called */
    /* with scores_untried: out[count] is the score of the action to try next */
    bool has_untried;
    double visits;         /* of the node, with those whose values are still to come */
    double mean;           /* with scores_untried: of all visits of the node's edges, else 0 */
    double sqrt_ln_visits; /* sqrt(ln(visits)); 0 for visits <= 1 */
    double reward_width;   /* what 1 is as a reward in [0,1]; 1 with options.raw_rewards */
    const struct banyan_rule_edge *edges; /* [count] */
    /* [count] 1/sqrt(visits), as the search has it without computing it; NULL: it has not (a solver, hidden
     * cards, batches), and the rule computes sqrt(1 / visits) */
    const float *inverse_sqrt;
    /* [count] at how many visits of the node the action was legal, where that is counted
     * (options.availability), and behind them that of the action to try next; NULL: at all */
    const double *chances;
    const float
        *priors; /* with wants_priors: [count], and that of the action to try next behind them */
    /* with wants_variances: [count] of the returns of the finished visits, >= 0 but for rounding; NaN: there
     * was none */
    const double *variances;
    struct banyan_rng
        *rng; /* for rules that draw; a search of one thread repeats them by its seed */
};

/* A rule.  Fill it with zeros first, and set struct_size. */
struct banyan_rule {
    size_t struct_size; /* sizeof(struct banyan_rule) */
    const char *name;   /* for messages; borrowed */
    void *ctx;          /* passed to scores; borrowed */
    /* Writes out[count] (out[count + 1] with has_untried), not NaN.  For tables of a search it is also
     * called for one edge alone. */
    void (*scores)(void *ctx, const struct banyan_rule_node *node, double *out);
    bool wants_priors;    /* priors are kept, and untried actions are tried by falling prior */
    bool wants_variances; /* squares of values are kept */
    /* an untried action competes by its score; else every action is tried once before any twice */
    bool scores_untried;
    bool reentrant; /* may be called by several threads at once */
};

/* ln x for normal x > 0, and e^x, as the search computes them: the same bits on every machine.  e^x is 0
 * below x = -700, and that of 700 above. */
double banyan_ln(double x);
double banyan_exp(double x);

#ifdef __cplusplus
}
#endif
#endif
