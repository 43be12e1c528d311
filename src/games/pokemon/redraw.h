/* Draws what conceal() has removed, except the sets. */
#ifndef GAMES_POKEMON_REDRAW_H
#define GAMES_POKEMON_REDRAW_H

#include "games/pokemon/pokemon.h"

/* Draws hp among the values that are shown as this percentage, all equally likely. */
int redraw_hp(int percent, int max_hp, struct banyan_rng *rng);

/* Draws the remaining lengths of sleep, confusion, locked moves and partial traps, and the hp of a
 * substitute. */
void redraw_lengths(struct pokemon_side *side, struct banyan_rng *rng);

/* Whether this move becomes this Max move. */
bool redraw_becomes(const struct pokemon_mon *mon, int move, int max_move);

/* Completes the active Pokémon from the set that was drawn: Choice lock, disabled moves. */
void redraw_active(struct pokemon *s, int side, struct banyan_rng *rng);

void redraw_bench_order(struct pokemon_side *side, struct banyan_rng *rng);

/* Draws the action that the foe has chosen for this turn and not yet carried out. */
void redraw_queue(struct pokemon *s, int foe, struct banyan_rng *rng);

/* Recomputes what follows from the rest: speeds, priorities and match-ups. */
void redraw_derived(struct pokemon *s);

#endif
