/* The result of a search as a table; src/json has it as JSON. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include "json/result.h"

#include <banyan/search.h>

#include <jansson.h>
#include <stdio.h>

/* The table of root actions, one line each. */
void result_print_rows(const struct banyan_game *game, const void *state, int player,
                       const struct result_row_list *list, FILE *out);

/* "d3 c5 f6": the principal variation from state, in out[size]. */
void result_format_pv(const struct banyan_game *game, const struct banyan_search *search,
                      const void *state, char *out, size_t size);

/* A table per mover, the choice and the principal variation. */
enum banyan_status result_print(const struct banyan_game *game, struct banyan_search *search,
                                const void *state, const struct result_effort *effort, FILE *out,
                                struct banyan_error *err);

/* Times and counts by phase. */
void result_print_profile(const struct banyan_search *search, FILE *out);
json_t *result_profile_json(const struct banyan_search *search);

#endif
