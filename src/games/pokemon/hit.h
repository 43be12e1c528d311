/* The parts of using a move, in their order: what may stop it (hit_guards.c), then each hit
 * (hit_once.c); hit.c calls them.  Results are those of battle.h: HIT_DONE, HIT_FAIL, ... */
#ifndef GAMES_POKEMON_HIT_H
#define GAMES_POKEMON_HIT_H

#include "games/pokemon/battle.h"

/* What a hit acts on after its effects so far: nothing, the substitute or the target. */
enum hit_aim { AIM_LOST, AIM_SUBSTITUTE, AIM_TARGET };

/* --- before the hits --- */

/* Whether the move can reach its target, which may be in the air (Fly, Bounce) or have vanished. */
bool hit_reaches(const struct battle *b, int user, int target, const struct battle_move *move);
/* Tests what may stop the move: Psychic Terrain (against priority), protection, abilities.
 * HIT_DONE: nothing stops it. */
int hit_guards(struct battle *b, int user, int target, struct battle_move *move);
/* Tests immunity to powder and Prankster, and the move's own conditions; false: the move is
 * stopped. */
bool hit_works(struct battle *b, int user, int target, struct battle_move *move);
bool hit_accuracy(struct battle *b, int user, int target, struct battle_move *move);
/* Whether a later hit of Triple Axel hits.  The stages of both Pokémon are rounded only once. */
bool hit_again(struct battle *b, int user, int target, struct battle_move *move);
void hit_break_protect(struct battle *b, int target);
void hit_steal_boosts(struct battle *b, int user, int target);

/* --- one hit --- */

/* Carries out one hit, from the substitute to the target's reactions.  Returns the damage or
 * another result; *aim: an enum hit_aim. */
int hit_once(struct battle *b, int user, int target, struct battle_move *move, int *aim);

#endif
