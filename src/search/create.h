/* The parts of making a search (create.c). */
#ifndef SEARCH_CREATE_H
#define SEARCH_CREATE_H

#include "search/search.h"

/* settle.c */
/* Derives all settings that follow from the options and the game. */
void search_settle(struct banyan_search *search);
/* What the tree stores for each edge and for each action. */
struct tree_layout search_layout(const struct banyan_search *search);
/* Whether a minimax value of positions has a meaning: for one player or two opponents with a constant
 * sum, without dice, hidden cards and simultaneous choices. */
bool search_is_minimax(const struct banyan_search *search);
/* Why such a value has no meaning, as words that follow the name of the game ("has dice"); NULL: it has one. */
const char *search_not_minimax(const struct banyan_search *search);

/* check.c */
/* Checks that the caller's structs have a size that this library knows. */
enum banyan_status search_check_sizes(const struct banyan_game *game,
                                      const struct banyan_search_options *options,
                                      const struct banyan_evaluator *evaluator,
                                      struct banyan_error *err);
/* The same for the user's own functions that the options name. */
enum banyan_status search_check_own_sizes(const struct banyan_search_options *options,
                                          struct banyan_error *err);
/* Refuses options that do not go with each other, with the game or with the evaluator. */
enum banyan_status search_check(const struct banyan_search *search, struct banyan_error *err);

/* memory.c */
/* Bytes of the memory that search_make_memory() makes. */
size_t search_memory_bytes(struct banyan_search *search);
/* Bytes of the full states that all simulations share; 0 for a worker, which uses those of its search. */
size_t search_worlds_bytes(const struct banyan_search *search);

#endif
