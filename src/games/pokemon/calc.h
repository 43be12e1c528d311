/* What an attack does: every amount of damage with its probability, by the rules themselves.
 *
 * The move is made on copies of the state with enumerated dice: hit or miss, critical or not, each
 * damage roll.  Where a move hits several times there are too many ways; those are sampled.
 */
#ifndef GAMES_POKEMON_CALC_H
#define GAMES_POKEMON_CALC_H

#include "games/pokemon/pokemon.h"

enum { CALC_AMOUNTS = 128, CALC_SAMPLES = 4000, CALC_WAYS = 8192 };

struct calc_amount {
    int damage;    /* to the target, 0: it missed or does none */
    bool crit;     /* a hit of it was critical */
    double chance; /* of all */
};

struct calc {
    struct calc_amount amounts[CALC_AMOUNTS]; /* by crit, then damage, ascending */
    int count;
    double hits;    /* chance that it does damage at all */
    bool sampled;   /* chances are estimates */
    int hp, max_hp; /* of the target before */
};

/* user attacks the other side's active Pokémon with move; max: as the Max move that it becomes (the
 * user must be Dynamaxed). */
void calc_attack(const struct pokemon *s, int user, int move, bool max, struct calc *out);

/* Chance that n such attacks, without anything between them, make the target faint. */
double calc_knock_out(const struct calc *calc, int n);

/* The least and the most damage of a hit; false: it does none. */
bool calc_range(const struct calc *calc, bool crit, int *least, int *most);

#endif
