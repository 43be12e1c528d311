/* What positions and choices are worth to the agent (points.def). */
#ifndef GAMES_POKEMON_PLAYERS_POINTS_H
#define GAMES_POKEMON_PLAYERS_POINTS_H

#include <banyan/options.h>
#include <banyan/status.h>

enum evaluate_feature {
#define VALUE(feature, name, weight, text) FEATURE_##feature,
#define PRIOR(member, name, points, text)
#include "games/pokemon/players/points.def"
#undef VALUE
#undef PRIOR
    FEATURE_COUNT
};

struct points_prior {
#define VALUE(feature, name, weight, text)
#define PRIOR(member, name, points, text) float member;
#include "games/pokemon/players/points.def"
#undef VALUE
#undef PRIOR
};

struct points {
    float value[FEATURE_COUNT];
    struct points_prior prior;
};

extern const struct points points_usual; /* the numbers of points.def */

/* The options "value-NAME" and "prior-NAME"; the offsets are those of a struct of this file's source. */
const struct banyan_option *points_options(void);

/* Reads "NAME=VALUE,..."; what is not named has its usual value. */
enum banyan_status points_parse(struct points *out, const char *text, struct banyan_error *err);

#endif
