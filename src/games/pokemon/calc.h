/* The damage of an attack: every amount with its probability, by the rules themselves.
 *
 * The move is used on copies of the state with enumerated dice: hit or miss, critical or not, each
 * damage roll.  If a move hits several times, there are too many outcomes; then they are sampled.
 */
#ifndef GAMES_POKEMON_CALC_H
#define GAMES_POKEMON_CALC_H

#include "games/pokemon/pokemon.h"

enum { CALC_AMOUNTS = 128, CALC_SAMPLES = 4000, CALC_WAYS = 8192 };

struct calc_amount {
    int damage;    /* to the target; 0: it missed or does none */
    bool crit;     /* one of its hits was critical */
    double chance; /* probability */
};

struct calc {
    struct calc_amount amounts[CALC_AMOUNTS]; /* sorted by crit, then damage, in increasing order */
    int count;
    double hits;    /* probability that it does any damage */
    bool sampled;   /* probabilities are estimates */
    int hp, max_hp; /* of the target before the attack */
};

/* user attacks the other side's active Pokémon with move.  max: as the Max move that it becomes
 * (then the user must be Dynamaxed). */
void calc_attack(const struct pokemon *s, int user, int move, bool max, struct calc *out);

/* The probability that n such attacks, with nothing in between, make the target faint. */
double calc_knock_out(const struct calc *calc, int n);

/* The smallest and the largest damage above 0, with a critical hit if crit, else without; false: there
 * is no such damage. */
bool calc_range(const struct calc *calc, bool crit, int *least, int *most);

#endif
