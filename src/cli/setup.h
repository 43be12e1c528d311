/* Parses words of command lines: positions that other programs have written, and names of seats. */
#ifndef CLI_SETUP_H
#define CLI_SETUP_H

#include <banyan/game.h>

/* If setup is a JSON object that game can read (docs/json.md), or a game of Go in the Smart Game
 * Format, *text becomes the game's own text of the position, in out[BANYAN_TEXT_MAX]; other setups,
 * and NULL, stay as they are. */
enum banyan_status setup_text(const struct banyan_game *game, const char *setup, char *out,
                              const char **text, struct banyan_error *err);

/* The seat that text names, by its number from 1 or by the game's name for it; -1: none. */
int setup_seat(const struct banyan_game *game, const char *text);

#endif
