/* The result of a search, as a table and as JSON. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include <banyan/search.h>

#include <jansson.h>
#include <stdio.h>

struct result_row_list {
    struct banyan_search_move *rows; /* owned, most visited first */
    int count;
};

/* The root moves of player; rows may be NULL when there is no memory.  Caller frees rows. */
struct result_row_list result_rows(const struct banyan_game *game,
                                   const struct banyan_search *search, int player);

/* The table of root actions, one line each. */
void result_print_rows(const struct banyan_game *game, const void *state, int player,
                       const struct banyan_search_move *rows, int count, FILE *out);

/* "d3 c5 f6": the principal variation from state, in out[size]. */
void result_format_pv(const struct banyan_game *game, const struct banyan_search *search,
                      const void *state, char *out, size_t size);

/* The final choice of every mover of state, joined by '|', in out[size]. */
enum banyan_status result_format_best(const struct banyan_game *game, struct banyan_search *search,
                                      const void *state, char *out, size_t size,
                                      struct banyan_error *err);

/* The cost of the search, beyond its statistics. */
struct result_effort {
    int threads;
    double cpu_ms; /* processor time of the process during the search */
};

/* A table per mover, the choice and the principal variation. */
enum banyan_status result_print(const struct banyan_game *game, struct banyan_search *search,
                                const void *state, const struct result_effort *effort, FILE *out,
                                struct banyan_error *err);

/* Writes the same as JSON (docs/json.md, "search"). */
enum banyan_status result_json(const struct banyan_game *game, struct banyan_search *search,
                               const void *state, const struct result_effort *effort, json_t **out,
                               struct banyan_error *err);

/* Times and counts by phase. */
void result_print_profile(const struct banyan_search *search, FILE *out);
json_t *result_profile_json(const struct banyan_search *search);

#endif
