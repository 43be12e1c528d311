/* What a player may think of the other's Pokémon: weights over whole sets.
 *
 *     what the state says was seen        factor[]: how well each set explains
 *     (moves, item, ability)              what else happened (damage, speed, ...)
 *                  \                          /
 *       count of the set among drawn teams  x  fit  x  factor   -->  weight
 *
 * The candidates are the sets that the team generator was seen to draw for the species at its
 * level.  A small share, BELIEF_STRANGE, belongs to combinations of their parts that it was not
 * seen to draw, so that no possible set has weight 0.
 */
#ifndef GAMES_POKEMON_BELIEF_H
#define GAMES_POKEMON_BELIEF_H

#include "games/pokemon/pokemon.h"

enum { BELIEF_SETS = 96 }; /* most candidates of one Pokémon */

#define BELIEF_STRANGE 0.004 /* share of combinations that were never drawn */
#define BELIEF_ALIEN   1e-9  /* what a set keeps that has a part no candidate has */

struct belief_mon {
    float factor[BELIEF_SETS]; /* likelihood of what happened, by candidate; 1: says nothing */
    uint8_t brought;           /* the item it came with, if `brought_known`; else see the state */
    bool brought_known;
};

struct belief {
    struct belief_mon mons[POKEMON_TEAM]; /* of the other player, as the state numbers them */
    int viewer;
    int trapped; /* 1, 0: the viewer knows that he is trapped, or not; -1: the state tells */
};

/* The candidates of a Pokémon: `count` rows of dex_sets from `first` on; two entries where there is
 * one that can Gigantamax and one that cannot.  count 0: its species and level are unknown. */
struct belief_candidates {
    int first, count;
    int plain; /* the first `plain` are of the first entry, the others of the next */
    const struct dex_entry *entry;
};

struct belief_candidates belief_candidates(const struct pokemon_mon *mon);
const struct dex_entry *belief_entry_of(const struct belief_candidates *of, int candidate);

/* Knows no more than the state. */
void belief_start(struct belief *belief, int viewer);

/* weight[count], sums to 1 (all 0 where no candidate fits): the posterior over candidates. */
void belief_weights(const struct belief_mon *belief, const struct pokemon_mon *mon,
                    const struct belief_candidates *of, float *weight);

/* How often the candidates that agree with what was seen were drawn, weighted by their factors. */
double belief_fit(const struct belief_mon *belief, const struct pokemon_mon *mon);

/* The posterior of a whole set; never 0. */
double belief_probability(const struct belief_mon *belief, const struct pokemon_mon *mon,
                          const struct dex_set *truth);

/* Draws all that the viewer cannot see, from root to out; they may be the same.  What the viewer
 * has seen stays as it is, key(viewer) too.  The draw follows from what conceal() leaves, so states
 * that look the same to the viewer have the same draws. */
void belief_draw(const struct belief *belief, const struct pokemon *root, struct pokemon *out,
                 struct banyan_rng *rng);

/* After conceal(): perhaps puts a Zoroark in the place of who is in play, disguised as it. */
void belief_disguise(const struct belief *belief, struct pokemon *s, struct banyan_rng *rng);

/* One line; read back to the same belief. */
int belief_format(const struct belief *belief, char *out, size_t size);
enum banyan_status belief_parse(struct belief *belief, const char *text, struct banyan_error *err);

/* Makes the set that of a Pokémon; what was seen of it stays as it is.  active: of the one in play,
 * else NULL. */
void belief_assume(struct pokemon_mon *mon, struct pokemon_active *active,
                   const struct dex_set *set);

/* hp that is shown as the same per cent of another maximum. */
int belief_hp(int hp, int max_hp, int new_max);

#endif
