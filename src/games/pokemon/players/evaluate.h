/* The value of a position, which is its expected return: tanh of a weighted sum of features.
 *
 *     state --features, own minus foe's--> sum of weight * feature --> tanh --> -1 .. 1
 *
 * The weights are fitted to the results of games (evaluate_data.c says how).
 */
#ifndef GAMES_POKEMON_PLAYERS_EVALUATE_H
#define GAMES_POKEMON_PLAYERS_EVALUATE_H

#include "games/pokemon/pokemon.h"

#include <banyan/evaluator.h>

enum evaluate_feature {
    FEATURE_HP,    /* sum of the shares of full hp */
    FEATURE_ALIVE, /* number of Pokémon that have not fainted */
    FEATURE_BURN,
    FEATURE_PARALYSIS,
    FEATURE_SLEEP,
    FEATURE_FREEZE,
    FEATURE_POISON,
    FEATURE_TOXIC,
    FEATURE_ATTACK, /* boost stages of the active Pokémon, times its share of hp */
    FEATURE_DEFENCE,
    FEATURE_SPECIAL_ATTACK,
    FEATURE_SPECIAL_DEFENCE,
    FEATURE_SPEED,
    FEATURE_ROCK, /* hazards, weighted by the Pokémon that they would hit */
    FEATURE_SPIKES,
    FEATURE_TOXIC_SPIKES,
    FEATURE_WEB,
    FEATURE_SCREENS,
    FEATURE_SUBSTITUTE,
    FEATURE_SEEDED,
    FEATURE_CONFUSED,
    FEATURE_YAWNING,
    FEATURE_DYNAMAX,    /* may still be used */
    FEATURE_DYNAMAXED,  /* turns that have passed since the active Pokémon Dynamaxed */
    FEATURE_ACTIVE_HP,  /* share of full hp */
    FEATURE_THREAT,     /* share of the foe's hp that the best move is expected to take */
    FEATURE_FASTER,     /* 1 if its speed is higher */
    FEATURE_KO_FIRST,   /* it is faster, and its best move should make the foe faint */
    FEATURE_KO_SECOND,  /* it is not faster, and its best move should do so, too */
    FEATURE_SWEEP,      /* mean over the foe's Pokémon of the share of hp that the active one
                         * takes, at most all of it, times the active one's own share of hp */
    FEATURE_SWEEP_FAST, /* the same for slower foes only */
    FEATURE_BENCH,      /* the same for own Pokémon on the bench, summed */
    FEATURE_BENCH_FAST,
    FEATURE_LAST, /* 1 if no other Pokémon is left */
    FEATURE_COUNT
};

void evaluate_features(const struct pokemon *s, int player, float out[FEATURE_COUNT]);

/* The evaluator "position". */
enum banyan_status evaluate_create(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, struct banyan_evaluator *out,
                                   struct banyan_error *err);

/* evaluate_force: what a Pokémon's item does to its attacks, as a factor.  evaluate_speed: its speed on
 * the bench.  evaluate_boosted: what the boosts of the active Pokémon do to its better kind of attack,
 * physical or special, as a factor. */
float evaluate_force(const struct pokemon_mon *mon);
float evaluate_speed(const struct pokemon_mon *mon);
float evaluate_boosted(const struct pokemon_active *a);

extern const float evaluate_weights[FEATURE_COUNT];

#endif
