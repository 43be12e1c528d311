/* Drawing what conceal() has wiped, besides sets. */
#ifndef GAMES_POKEMON_REDRAW_H
#define GAMES_POKEMON_REDRAW_H

#include "games/pokemon/pokemon.h"

/* hp that is told as this: each is as likely. */
int redraw_hp(int percent, int max_hp, struct banyan_rng *rng);

/* Sleep, confusion, locked moves, partial traps, what a substitute has left. */
void redraw_lengths(struct pokemon_side *side, struct banyan_rng *rng);

/* Whether the move becomes this Max move. */
bool redraw_becomes(const struct pokemon_mon *mon, int move, int max_move);

/* What follows for who is in play from the set that was drawn: Choice lock, moves that are closed. */
void redraw_active(struct pokemon *s, int side, struct banyan_rng *rng);

void redraw_bench_order(struct pokemon_side *side, struct banyan_rng *rng);

/* What the foe has chosen for this turn and not done. */
void redraw_queue(struct pokemon *s, int foe, struct banyan_rng *rng);

/* Speeds, priorities and match-ups, which follow from the rest. */
void redraw_derived(struct pokemon *s);

#endif
