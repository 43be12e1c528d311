/* Evaluators and players by name: in which list of offers a name is looked up first.
 *
 *     the caller's --> the game's --> the library's
 */
#ifndef BASE_OFFERS_H
#define BASE_OFFERS_H

#include <banyan/evaluator.h>

/* What an offer is asked to make. */
enum offers_kind { OFFERS_EVALUATOR, OFFERS_PLAYER };

/* The lists in which a name is looked up, and for what.  A list ends with name == NULL, or is NULL;
 * all are borrowed. */
struct offers {
    const struct banyan_game *game;
    const struct banyan_offer *callers, *library;
    enum offers_kind kind;
};

/* Finds the offer that text, "NAME" or "NAME:ARGS", asks for, and its ARGS.  BANYAN_NOT_FOUND: no
 * offer has this name; the message names all offers, and the nearest one.  BANYAN_UNSUPPORTED and
 * BANYAN_INVALID: the struct_size of the game is wrong. */
enum banyan_status offers_find(const struct offers *offers, const char *text,
                               const struct banyan_offer **out, const char **args,
                               struct banyan_error *err);

#endif
