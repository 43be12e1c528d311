/* Prints JSON and positions, and names traits; json/show.h has numbers and actions. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "json/show.h"

#include <banyan/game.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints value as indented JSON with a newline, and frees it.  NULL: a text was not UTF-8, or memory was
 * short; ends the program with CLI_FAILURE. */
void show_json(json_t *value);

/* "chance simultaneous hidden zero-sum", the traits that are set; "-" for none.  In out[size]. */
char *show_traits(unsigned traits, char *out, size_t size);

/* The terminal picture of state, or its one-line text when the game has none. */
void show_board(const struct banyan_game *game, const void *state, int viewer, FILE *out);

/* A banyan_write_fn: ctx is a FILE. */
bool show_write(void *file, const char *text, size_t length);

#endif
