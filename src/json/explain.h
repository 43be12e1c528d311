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
    int top;             /* rows of a node at most; the chosen one is always among them */
    bool plays_rollouts; /* the evaluator is "rollout": its random games are told */
    bool draws;          /* with pictures of positions */
};

/* Runs n simulations and writes them.  Caller frees *out. */
enum banyan_status explain_json(const struct explain_source *source, int64_t n, json_t **out,
                                struct banyan_error *err);

/* The width of the results in whose units the search works. */
double explain_range(const struct banyan_game *game, const struct banyan_search_options *options);

/* C of UCB1: score = mean + C sqrt(ln n / n_j).  The textbook's (Auer, Cesa-Bianchi and Fischer 2002) is for rewards of
 * width 1. */
double explain_factor(const struct banyan_game *game, const struct banyan_search_options *options);
double explain_textbook_factor(const struct banyan_game *game,
                               const struct banyan_search_options *options);

/* Writes the sums of results by player that the root has before the first simulation, from an opening book; returns their
 * number. */
uint64_t explain_before(const struct banyan_game *game, const struct banyan_search *search,
                        const void *state, double sums[BANYAN_MAX_PLAYERS]);

/* Which row of a selection the textbook's C would choose; -1: a row has no visits yet, or the rule is another. */
int explain_textbook_choice(const struct banyan_game *game,
                            const struct banyan_search_options *options,
                            const struct banyan_search_trace *trace);

#endif
