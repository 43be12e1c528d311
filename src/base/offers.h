/* Evaluators and players by name: in which list of offers a name is looked up first.
 *
 *     the caller's --> the game's --> the library's
 */
#ifndef BASE_OFFERS_H
#define BASE_OFFERS_H

#include <banyan/evaluator.h>

/* What is wanted of an offer. */
enum offers_kind { OFFERS_EVALUATOR, OFFERS_PLAYER };

/* Where it is looked up.  Lists end with name == NULL, or are NULL; all borrowed. */
struct offers {
    const struct banyan_game *game;
    const struct banyan_offer *callers, *library;
    enum offers_kind kind;
};

/* Finds the offer that text, "NAME" or "NAME:ARGS", asks for, and its ARGS.  BANYAN_NOT_FOUND names all
 * that there are, and the nearest one; BANYAN_UNSUPPORTED, BANYAN_INVALID: the game's struct_size. */
enum banyan_status offers_find(const struct offers *offers, const char *text,
                               const struct banyan_offer **out, const char **args,
                               struct banyan_error *err);

#endif
