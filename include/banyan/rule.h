/* Rules of your own: how a node chooses among the actions that it has tried, how the backup changes values, and
 * which action is played.
 *
 *     node --> edges: visits, mean ... --> scores() --> the highest is visited next
 *
 * A rule writes one number for each edge, and the search takes the highest, the first of equal ones.
 * The rule need not know what kind of game it serves, because the search leaves out what cannot be
 * chosen: actions that are not legal in this state (hidden cards), and what the solver has refuted.
 * A proven edge has its proven value for its mean.
 *
 *     static void scores(void *ctx, const struct banyan_rule_node *node, double *out)
 *     {
 *         for (int i = 0; i < node->count; ++i)
 *             out[i] = node->edges[i].mean + node->sqrt_ln_visits * sqrt(2.0 / node->edges[i].visits);
 *     }
 *
 * options.own_rule of a search names the rule (search.h).
 *
 * Threads: with options.threads or ensemble above 1 several threads call a rule at the same time, each for its
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

/* A tried action.  A rule sees none without visits: such an action, which a book has named or whose leaf was taken back,
 * is visited first, without a call of the rule. */
struct banyan_rule_edge {
    double mean;     /* what the mover expects, in the game's return units */
    uint32_t visits; /* > 0; visits in flight included */
    uint32_t below;  /* used by the library only */
};

/* What a rule sees of a node.  The library fills it; later versions add members at the end. */
struct banyan_rule_node {
    const struct banyan_game *game;
    int player; /* who chooses */
    int count;  /* edges to give a score to, >= 1: if there are none, the rule is not called */
    /* with scores_untried: out[count] is the score of the action to try next */
    bool has_untried;
    double visits;         /* of the node, visits in flight included */
    double mean;           /* with scores_untried: of all visits of the node's edges, else 0 */
    double sqrt_ln_visits; /* sqrt(ln(visits)); 0 for visits <= 1 */
    double reward_width;   /* returns per unit of reward in [0,1]: the width of the range of
                              returns; 1 with options.raw_rewards */
    const struct banyan_rule_edge *edges; /* [count] */
    /* with wants_inverse_sqrt: [count] 1/sqrt(visits) as rule=ucb1 computes it in this search, followed
     * by that of the action to try next, which is 1 */
    const double *inverse_sqrt;
    /* [count] number of visits of the node at which the action was legal (options.availability),
     * followed by that of the action to try next; NULL: every action counts as legal at all visits */
    const double *chances;
    const float
        *priors; /* with wants_priors: [count], followed by that of the action to try next */
    /* with wants_variances: [count] variances of the returns of the finished visits, >= 0 except for
     * rounding errors; NaN: there was no such visit */
    const double *variances;
    struct banyan_rng
        *rng; /* for rules that draw random numbers; a search of one thread with the same seed draws
                 the same ones */
};

/* A rule.  Fill it with zeros first, and set struct_size. */
struct banyan_rule {
    size_t struct_size; /* sizeof(struct banyan_rule) */
    const char *name;   /* for messages; borrowed */
    void *ctx;          /* passed to scores; borrowed */
    /* Writes out[count] (out[count + 1] with has_untried), not NaN.  When a search lists its actions with their
     * scores, this is called for one edge alone. */
    void (*scores)(void *ctx, const struct banyan_rule_node *node, double *out);
    bool wants_priors;    /* priors are kept, and untried actions are tried by falling prior */
    bool wants_variances; /* squares of values are kept */
    /* an untried action competes by its score; else every action is tried once before any action is
     * tried twice */
    bool scores_untried;
    bool reentrant;          /* may be called by several threads at the same time */
    bool wants_inverse_sqrt; /* 1/sqrt(visits) is computed, faster than a rule can do it */
};

/* An edge that a value passes on its way from the leaf to the root. */
struct banyan_backup_step {
    const struct banyan_game *game;
    int player;           /* who chose */
    banyan_action action; /* what they chose */
    int depth;            /* of the node in which they chose: 0 = the root */
    bool is_last;         /* the simulation's last edge, which is the first to get the values */
    uint64_t visits;      /* of the edge before this one */
    double mean;          /* of these visits; 0 without any */
};

/* How the backup changes values on their way to the root: a discount, or a mixture with what an edge knew before.
 * Fill it with zeros first, and set struct_size.  options.own_backup of a search names it.  It cannot be combined
 * with simultaneous moves, solver=on, implicit minimax, progressive history, GRAVE or opening books. */
struct banyan_backup {
    size_t struct_size; /* sizeof(struct banyan_backup) */
    const char *name;   /* for messages; borrowed */
    void *ctx;          /* borrowed */
    /* Changes values[players] before the edge counts them and passes them on; it must keep them within the
     * game's range of returns. */
    void (*back)(void *ctx, const struct banyan_backup_step *step, float *values);
    bool reentrant; /* may be called by several threads at the same time */
};

struct banyan_search_move;

/* A final choice of your own.  Fill it with zeros first, and set struct_size.  options.own_final of a search
 * names it; it takes the place of options.final. */
struct banyan_choice {
    size_t struct_size; /* sizeof(struct banyan_choice) */
    const char *name;   /* for messages; borrowed */
    void *ctx;          /* borrowed */
    /* Returns the index in rows[count], count >= 1, of the action to play.  The most visited actions come first.
     * An action is left out if the solver has proven that another one is at least as good and may be better. */
    int (*choose)(void *ctx, const struct banyan_search_move *rows, int count,
                  struct banyan_rng *rng);
};

/* ln x for normal x > 0, and e^x, as the search computes them: the same bits on every machine.  e^x is 0
 * for x < -700, and e^700 for x > 700. */
double banyan_ln(double x);
double banyan_exp(double x);

#ifdef __cplusplus
}
#endif
#endif
