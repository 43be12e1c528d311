/* What a seat knows of a game with hidden cards, as data that the page shows.  Caller frees what is returned. */
#ifndef WEB_CARDS_H
#define WEB_CARDS_H

#include <banyan/game.h>

#include <jansson.h>

/* An observation as JSON (<banyan/observe.h>); null: the game has no observations, nothing is hidden, or viewer is
 * -1. */
json_t *cards_json(const struct banyan_game *game, const void *state, int viewer);

#endif
