/* Showing things: numbers as JSON, positions and actions as text. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <banyan/game.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A JSON number; null for NaN and infinities, which JSON does not have. */
json_t *show_number(double value);

/* Prints value as indented JSON with a newline, and frees it. */
void show_json(json_t *value);

/* "chance simultaneous hidden zero-sum", the traits that are set; "-" for none.  In out[size]. */
char *show_traits(unsigned traits, char *out, size_t size);

/* The terminal picture of state, or its one-line text when the game has none. */
void show_board(const struct banyan_game *game, const void *state, int viewer, FILE *out);

/* The action as its players write it, in out[size]; returns out. */
char *show_action(const struct banyan_game *game, const void *state, int player,
                  banyan_action action, char *out, size_t size);

/* A banyan_write_fn: ctx is a FILE. */
bool show_write(void *file, const char *text, size_t length);

#endif
