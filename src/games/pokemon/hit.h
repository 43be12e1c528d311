/* The parts of a use of a move, in their order: what may stop it (hit_guards.c), then each hit
 * (hit_once.c); hit.c goes through them.  Results are those of battle.h: HIT_DONE, HIT_FAIL, ... */
#ifndef GAMES_POKEMON_HIT_H
#define GAMES_POKEMON_HIT_H

#include "games/pokemon/battle.h"

/* What became of the target within a hit. */
enum hit_aim { AIM_LOST, AIM_SUBSTITUTE, AIM_TARGET };

/* --- before the hits --- */

/* May the move reach one who flies, digs or has vanished? */
bool hit_reaches(const struct battle *b, int user, int target, const struct battle_move *move);
/* Psychic Terrain stops moves of priority; protection; abilities.  HIT_DONE: nothing stops it. */
int hit_guards(struct battle *b, int user, int target, struct battle_move *move);
/* Powder, Prankster and the move's own conditions. */
bool hit_works(struct battle *b, int user, int target, struct battle_move *move);
bool hit_accuracy(struct battle *b, int user, int target, struct battle_move *move);
/* The later hits of Triple Axel, whose stages are not rounded in between. */
bool hit_again(struct battle *b, int user, int target, struct battle_move *move);
void hit_break_protect(struct battle *b, int target);
void hit_steal_boosts(struct battle *b, int user, int target);

/* --- one hit --- */

/* From the substitute to the answers.  Returns the damage or what else came of it; *aim: an
 * enum hit_aim. */
int hit_once(struct battle *b, int user, int target, struct battle_move *move, int *aim);

#endif
