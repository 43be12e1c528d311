/* Boards that people click, as JSON for the page (docs/web.md, "Boards").  Caller frees what is returned. */
#ifndef WEB_BOARD_H
#define WEB_BOARD_H

#include <banyan/game.h>

#include <jansson.h>

/* The board as viewer sees it (-1: all); null: the game has none. */
json_t *board_json(const struct banyan_game *game, const void *state, int viewer);

/* The cells to click, in this order, to choose a legal action of player; empty: the action has no
 * cells. */
json_t *board_cells_json(const struct banyan_game *game, const void *state, int player,
                         banyan_action action);

#endif
