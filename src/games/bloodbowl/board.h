/* The pitch as a board that people click; the functions of <banyan/game.h>. */
#ifndef BLOODBOWL_BOARD_H
#define BLOODBOWL_BOARD_H

#include "games/bloodbowl/bloodbowl.h"

void bb_board(const struct banyan_game *game, const void *state, int viewer,
              struct banyan_board *out);
int bb_board_cells(const struct banyan_game *game, const void *state, int player,
                   banyan_action action, int out[]);

#endif
