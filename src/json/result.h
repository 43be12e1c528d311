/* The result of a search as JSON (docs/json.md, "search"), in one piece and in parts. */
#ifndef JSON_RESULT_H
#define JSON_RESULT_H

#include <banyan/search.h>

#include <jansson.h>

struct result_row_list {
    struct banyan_search_move *rows; /* owned, most visited first */
    int count;
    double *strategy; /* [count] or NULL, see result_strategy; not filled by result_rows */
};

/* The root moves of player; rows may be NULL when there is no memory.  Caller frees rows. */
struct result_row_list result_rows(const struct banyan_game *game,
                                   const struct banyan_search *search, int player);

/* rule=regret: the average strategy by row, which is the answer of this rule.  NULL: another rule, or no memory.
 * Caller frees. */
double *result_strategy(const struct banyan_search *search, int player,
                        const struct result_row_list *list);

/* The final choice of every mover of state, joined by '|', in out[size]. */
enum banyan_status result_format_best(const struct banyan_game *game, struct banyan_search *search,
                                      const void *state, char *out, size_t size,
                                      struct banyan_error *err);

/* The cost of the search, beyond its statistics. */
struct result_effort {
    int threads;
    double cpu_ms;   /* processor time of the process during the search */
    uint64_t loaded; /* simulations of the tree that were not run in this time; 0: none */
};

/* Simulations per second: of processor time when one thread searched, else of wall clock. */
double result_rate(const struct banyan_search_stats *stats, const struct result_effort *effort);

/* Writes the whole result.  Caller frees *out. */
enum banyan_status result_json(const struct banyan_game *game, struct banyan_search *search,
                               const void *state, const struct result_effort *effort, json_t **out,
                               struct banyan_error *err);

/* Its parts; caller frees.  "root": one object for each action of each mover of state. */
json_t *result_rows_json(const struct banyan_game *game, const struct banyan_search *search,
                         const void *state);

/* "values": the mean return by player. */
json_t *result_values_json(const struct banyan_game *game, const struct banyan_search *search);

/* "pv": the principal variation from root, one text for each action.  It ends where dice, hidden cards or
 * simultaneous choices make the position uncertain. */
json_t *result_pv_json(const struct banyan_game *game, const struct banyan_search *search,
                       const void *root);

#endif
