/* The smallest parts of the JSON output: numbers, texts, actions. */
#ifndef JSON_SHOW_H
#define JSON_SHOW_H

#include <banyan/game.h>

#include <jansson.h>

/* A JSON number; null for NaN and infinities, which JSON does not have. */
json_t *show_number(double value);

/* The text as JSON; if it is not valid UTF-8, text is first reduced to its ASCII characters. */
json_t *show_text(char *text);

/* The action as its players write it, in out[size]; returns out. */
char *show_action(const struct banyan_game *game, const void *state, int player,
                  banyan_action action, char *out, size_t size);

#endif
