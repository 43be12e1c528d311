/* Weights of the features of a position, fitted by logistic regression to the results of games:
 * banyan/docs/results/pokemon.md tells which.  tanh of the sum is the expected return.
 */
#include "games/pokemon/evaluate.h"

const float evaluate_weights[FEATURE_COUNT] = {
    [FEATURE_HP] = 0.4575f,
    [FEATURE_ALIVE] = 0.1036f,
    [FEATURE_BURN] = -0.0928f,
    [FEATURE_PARALYSIS] = -0.1065f,
    [FEATURE_SLEEP] = -0.1344f,
    [FEATURE_FREEZE] = -0.3118f,
    [FEATURE_POISON] = -0.1545f,
    [FEATURE_TOXIC] = -0.0564f,
    [FEATURE_ATTACK] = 0.0569f,
    [FEATURE_DEFENCE] = 0.0149f,
    [FEATURE_SPECIAL_ATTACK] = 0.0694f,
    [FEATURE_SPECIAL_DEFENCE] = 0.0781f,
    [FEATURE_SPEED] = 0.0682f,
    [FEATURE_ROCK] = -0.0700f,
    [FEATURE_SPIKES] = -0.0678f,
    [FEATURE_TOXIC_SPIKES] = -0.0707f,
    [FEATURE_WEB] = -0.0896f,
    [FEATURE_SCREENS] = 0.0057f,
    [FEATURE_SUBSTITUTE] = 0.0781f,
    [FEATURE_SEEDED] = 0.0269f,
    [FEATURE_CONFUSED] = -0.1113f,
    [FEATURE_YAWNING] = 0.1194f,
    [FEATURE_DYNAMAX] = 0.3459f,
    [FEATURE_DYNAMAXED] = -0.0129f,
    [FEATURE_ACTIVE_HP] = -0.2436f,
    [FEATURE_THREAT] = 0.4309f,
    [FEATURE_FASTER] = 0.0415f,
    [FEATURE_KO_FIRST] = 0.1407f,
    [FEATURE_KO_SECOND] = -0.0263f,
    [FEATURE_BENCH] = 0.0732f,
};
