/* The parts of `banyan pokemon`. */
#ifndef CLI_POKEMON_H
#define CLI_POKEMON_H

#include "games/pokemon/pokemon.h"

#include <banyan/status.h>

/* Parses a Pokémon, "garchomp,item=choiceband,atk=+2,hp=50%,status=brn,dynamax", and makes it the
 * active one of a side.  What the text does not name is taken from the most frequent set of the species. */
enum banyan_status pokemon_describe(struct pokemon *s, int side, const char *text,
                                    struct banyan_error *err);

/* Finds the id of a name as users write it; the error suggests the nearest name. */
enum banyan_status pokemon_find_species(const char *name, int *out, struct banyan_error *err);
enum banyan_status pokemon_find_move(const char *name, int *out, struct banyan_error *err);

/* "Garchomp L79 @ Choice Band, Rough Skin": in out[size]. */
void pokemon_write(const struct pokemon_mon *mon, char *out, size_t size);

int pokemon_calc(int argc, char **argv);
int pokemon_sets(int argc, char **argv);
int pokemon_simulate(int argc, char **argv);

#endif
