/* What a player believes about the other's Pokémon: weights of whole sets.
 *
 *    what the state says was seen        factor[]: likelihood of everything else
 *    (moves, item, ability)              that happened (damage, speed, ...)
 *                 \                          /
 *      count of the set among drawn teams  x  fit  x  factor   -->  weight
 *
 * The candidates are the sets that the team generator drew in a sample for the species at its
 * level. A small share of the probability, BELIEF_STRANGE, goes to combinations of their parts that
 * were not in the sample, so that no possible set has probability 0.
 */
#ifndef GAMES_POKEMON_BELIEF_H
#define GAMES_POKEMON_BELIEF_H

#include "games/pokemon/pokemon.h"

enum { BELIEF_SETS = 96 }; /* most candidates of one Pokémon */

#define BELIEF_STRANGE 0.004 /* probability of all combinations that were never drawn */
#define BELIEF_ALIEN   1e-9  /* the least probability of a set, so that none has 0 */

struct belief_mon {
    float factor[BELIEF_SETS]; /* likelihood of what happened, by candidate; 1: no information */
    uint8_t brought; /* the item at the start, if `brought_known`; otherwise see the state */
    bool brought_known;
};

struct belief {
    struct belief_mon mons[POKEMON_TEAM]; /* the other player's Pokémon, numbered as in the state */
    int viewer;
    int trapped; /* 1, 0: the viewer knows that they are trapped, or are not; -1: see the state */
};

/* The candidates of a Pokémon: `count` rows of dex_sets beginning at `first`.  They belong to two
 * entries if the species is drawn with and without Gigantamax.  count 0: no entry has its species
 * and level. */
struct belief_candidates {
    int first, count;
    int plain; /* the first `plain` belong to the first entry, the others to the next */
    const struct dex_entry *entry;
};

struct belief_candidates belief_candidates(const struct pokemon_mon *mon);
const struct dex_entry *belief_entry_of(const struct belief_candidates *of, int candidate);

/* Starts a belief that adds nothing to what the state says. */
void belief_start(struct belief *belief, int viewer);

/* The posterior over candidates: weight[count] sums to 1 (all 0 if no candidate fits). */
void belief_weights(const struct belief_mon *belief, const struct pokemon_mon *mon,
                    const struct belief_candidates *of, float *weight);

/* The number of drawn sets that agree with what was seen, weighted by their factors. */
double belief_fit(const struct belief_mon *belief, const struct pokemon_mon *mon);

/* The posterior probability of a whole set; never 0. */
double belief_probability(const struct belief_mon *belief, const struct pokemon_mon *mon,
                          const struct dex_set *truth);

/* Copies root to out, which may be the same, and draws everything that the viewer cannot see.  What
 * the viewer has seen stays as it is, and so does key(viewer).  The draw depends only on what
 * conceal() leaves, so states that look the same to the viewer have the same draws. */
void belief_draw(const struct belief *belief, const struct pokemon *root, struct pokemon *out,
                 struct banyan_rng *rng);

/* Called after conceal(): may replace the active Pokémon by a Zoroark that is disguised as it, with
 * the probability that it really is this Zoroark. */
void belief_disguise(const struct belief *belief, struct pokemon *s, struct banyan_rng *rng);

/* Writes the belief as one line, which can be read back. */
int belief_format(const struct belief *belief, char *out, size_t size);
enum banyan_status belief_parse(struct belief *belief, const char *text, struct banyan_error *err);

/* Gives the Pokémon this set; what was seen of it stays as it is.  active: if it is active, else
 * NULL. */
void belief_assume(struct pokemon_mon *mon, struct pokemon_active *active,
                   const struct dex_set *set);

/* The hp of maximum new_max that are shown as the same percentage as hp of maximum max_hp. */
int belief_hp(int hp, int max_hp, int new_max);

#endif
