/* What `banyan bench pokemon` measures beside the figures of every game. */
#ifndef CLI_BENCH_BENCH_POKEMON_H
#define CLI_BENCH_BENCH_POKEMON_H

#include "games/pokemon/pokemon.h"

#include <banyan/game.h>

#include <jansson.h>

struct bench_pokemon_options {
    double seconds;           /* for each figure */
    const char *const *games; /* borrowed: files of recorded games whose states are searched */
    int game_count;           /* 0: random teams after some turns */
    json_t *json;             /* borrowed; NULL: the figures are printed */
};

/* Measures turns of random playouts, copies of a state, and iterations of the search of the player
 * "agent" with one thread and with two. */
enum banyan_status bench_pokemon(const struct banyan_game *game,
                                 const struct bench_pokemon_options *options,
                                 struct banyan_error *err);

/* out[max]: a random sample of the states of these recorded games in which a player chooses. */
enum banyan_status bench_pokemon_states(const char *const *paths, int count, struct pokemon *out,
                                        int max, struct banyan_error *err);

#endif
