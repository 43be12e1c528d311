/* What `banyan bench pokemon` measures beside the figures of every game. */
#ifndef CLI_BENCH_POKEMON_H
#define CLI_BENCH_POKEMON_H

#include <banyan/game.h>

#include <jansson.h>

/* Measures each figure for `seconds`: turns of random playouts, copies of a state, and iterations of
 * the search as the player "agent" has it.  Prints them, or adds them to `json` where it is not
 * NULL. */
enum banyan_status bench_pokemon(const struct banyan_game *game, double seconds, json_t *json,
                                 struct banyan_error *err);

#endif
