/* What a position is worth: a weighted sum of what tells who will win, as an expected return.
 *
 *      state --features, own minus foe's--> sum of weight * feature --> tanh --> -1 .. 1
 *
 * The weights are fitted to the results of games (evaluate_data.c says how).
 */
#ifndef GAMES_POKEMON_PLAYERS_EVALUATE_H
#define GAMES_POKEMON_PLAYERS_EVALUATE_H

#include "games/pokemon/pokemon.h"

#include <banyan/evaluator.h>

enum evaluate_feature {
    FEATURE_HP,    /* shares of full hp, summed */
    FEATURE_ALIVE, /* Pokémon */
    FEATURE_BURN,
    FEATURE_PARALYSIS,
    FEATURE_SLEEP,
    FEATURE_FREEZE,
    FEATURE_POISON,
    FEATURE_TOXIC,
    FEATURE_ATTACK, /* stages of the active Pokémon, times its share of hp */
    FEATURE_DEFENCE,
    FEATURE_SPECIAL_ATTACK,
    FEATURE_SPECIAL_DEFENCE,
    FEATURE_SPEED,
    FEATURE_ROCK, /* hazards, by whom they would hit */
    FEATURE_SPIKES,
    FEATURE_TOXIC_SPIKES,
    FEATURE_WEB,
    FEATURE_SCREENS,
    FEATURE_SUBSTITUTE,
    FEATURE_SEEDED,
    FEATURE_CONFUSED,
    FEATURE_YAWNING,
    FEATURE_DYNAMAX,    /* still to come */
    FEATURE_DYNAMAXED,  /* turns left */
    FEATURE_ACTIVE_HP,  /* share */
    FEATURE_THREAT,     /* share of the foe's hp that the best move is expected to take */
    FEATURE_FASTER,     /* 1 where it moves first */
    FEATURE_KO_FIRST,   /* it is faster, and its best move is expected to be enough */
    FEATURE_KO_SECOND,  /* it is slower, and its best move would be enough */
    FEATURE_SWEEP,      /* what the active Pokémon takes from each of theirs, at most all of it */
    FEATURE_SWEEP_FAST, /* of those that are slower */
    FEATURE_BENCH,      /* the same of the bench, summed */
    FEATURE_BENCH_FAST,
    FEATURE_LAST, /* nobody else is left */
    FEATURE_COUNT
};

void evaluate_features(const struct pokemon *s, int player, float out[FEATURE_COUNT]);

/* The evaluator "position". */
enum banyan_status evaluate_create(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, struct banyan_evaluator *out,
                                   struct banyan_error *err);

extern const float evaluate_weights[FEATURE_COUNT];

#endif
