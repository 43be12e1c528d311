/* Evaluators with files of their own: mixture and cache, which use other evaluators, and mast.  evaluators.c holds
 * the list of all evaluators by name. */
#ifndef SEARCH_EVALUATORS_H
#define SEARCH_EVALUATORS_H

#include <banyan/evaluator.h>
#include <banyan/options.h>

enum banyan_status evaluator_mixture_create(const struct banyan_game *game, const char *args,
                                            const struct banyan_offer *offers,
                                            struct banyan_evaluator *out, struct banyan_error *err);
enum banyan_status evaluator_cache_create(const struct banyan_game *game, const char *args,
                                          const struct banyan_offer *offers,
                                          struct banyan_evaluator *out, struct banyan_error *err);
enum banyan_status evaluator_mast_create(const struct banyan_game *game, const char *args,
                                         const struct banyan_offer *offers,
                                         struct banyan_evaluator *out, struct banyan_error *err);

#endif
