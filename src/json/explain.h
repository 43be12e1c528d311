/* The simulations of a search step by step, as JSON (docs/json.md, "explain"): what `banyan explain` prints as text.
 *
 *     (select | expand)* --> simulate --> backup*       one object for each, in this order
 */
#ifndef JSON_EXPLAIN_H
#define JSON_EXPLAIN_H

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <jansson.h>

/* A search that has one thread and batch 1, with its root set; borrowed. */
struct explain_source {
    const struct banyan_game *game;
    struct banyan_search *search;
    struct banyan_evaluator *evaluator;
    const struct banyan_search_options *options;
    const void *state;   /* of the root */
    int top;             /* most rows of a node; the chosen one is shown in any case */
    bool plays_rollouts; /* the evaluator is "rollout": its random games are shown */
    bool draws;          /* with pictures of positions */
};

/* Runs n simulations and writes them.  If that succeeds, the caller frees *out; else *out is not set. */
enum banyan_status explain_json(const struct explain_source *source, int64_t n, json_t **out,
                                struct banyan_error *err);

/* The width of the range of returns; 1 with raw_rewards, where constants are in the game's own units. */
double explain_range(const struct banyan_game *game, const struct banyan_search_options *options);

/* C of UCB1: score = mean + C sqrt(ln n / n_j).  The textbook's C (Auer, Cesa-Bianchi and Fischer 2002) is sqrt 2 for
 * rewards of width 1, and is multiplied by explain_range(). */
double explain_factor(const struct banyan_game *game, const struct banyan_search_options *options);
double explain_textbook_factor(const struct banyan_game *game,
                               const struct banyan_search_options *options);

/* Writes the sums of results by player that the root has before the first simulation, from an opening book; returns
 * the number of results. */
uint64_t explain_before(const struct banyan_game *game, const struct banyan_search *search,
                        const void *state, double sums[BANYAN_MAX_PLAYERS]);

/* Which row of a selection the textbook's C would choose; -1: the rule is not UCB1, a row has no
 * visits yet, or the node has at most one visit. */
int explain_textbook_choice(const struct banyan_game *game,
                            const struct banyan_search_options *options,
                            const struct banyan_search_trace *trace);

#endif
