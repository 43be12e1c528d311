/* Games, options and positions as JSON for the page (docs/web.md).  Caller frees what is returned. */
#ifndef WEB_DESCRIBE_H
#define WEB_DESCRIBE_H

#include <banyan/game.h>

#include <jansson.h>

/* An array of all games: names, players, traits, range of returns. */
json_t *describe_games(void);

/* An array of the rows of the table of search options, with their defaults: the page makes its form
 * from it. */
json_t *describe_options(void);

/* An array of the evaluators that game has: text, help. */
json_t *describe_evaluators(const struct banyan_game *game);

/* A position as viewer sees it (-1: all): its text (only for -1), pictures and movers, and the legal actions of the
 * movers that are in `eyes` (bits). */
json_t *describe_position(const struct banyan_game *game, const void *state, int viewer,
                          unsigned eyes);

#endif
