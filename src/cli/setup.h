/* Positions as other programs write them, made into the game's own text. */
#ifndef CLI_SETUP_H
#define CLI_SETUP_H

#include <banyan/game.h>

/* *text: setup itself, or where it is a JSON object that game reads (docs/json.md), the game's own
 * text of the same, in out[BANYAN_TEXT_MAX].  NULL stays NULL. */
enum banyan_status setup_text(const struct banyan_game *game, const char *setup, char *out,
                              const char **text, struct banyan_error *err);

#endif
