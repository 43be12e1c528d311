/* The agent's points as options. */
#include "games/pokemon/players/points.h"

#include <stddef.h>

/* Options are numbers of type double. */
struct points_read {
    double value[FEATURE_COUNT];
    struct {
#define VALUE(feature, name, weight, text)
#define PRIOR(member, name, points, text) double member;
#include "games/pokemon/players/points.def"
#undef VALUE
#undef PRIOR
    } prior;
};

enum { POINTS_MOST = 100 }; /* of either sign */

static const struct banyan_option points_table[] = {
#define OPTION(name, at, text) \
    {name, BANYAN_OPTION_REAL, at, -POINTS_MOST, POINTS_MOST, NULL, 0, text},
#define VALUE(feature, name, weight, text) \
    OPTION("value-" name, offsetof(struct points_read, value[FEATURE_##feature]), text)
#define PRIOR(member, name, points, text) \
    OPTION("prior-" name, offsetof(struct points_read, prior.member), text)
#include "games/pokemon/players/points.def"
#undef OPTION
#undef VALUE
#undef PRIOR
    {0},
};

const struct points points_usual = {
#define VALUE(feature, name, weight, text) .value[FEATURE_##feature] = (float)(weight),
#define PRIOR(member, name, points, text)  .prior.member = (float)(points),
#include "games/pokemon/players/points.def"
#undef VALUE
#undef PRIOR
};

const struct banyan_option *points_options(void)
{
    return points_table;
}

enum banyan_status points_parse(struct points *out, const char *text, struct banyan_error *err)
{
    struct points_read all = {
#define VALUE(feature, name, weight, text) .value[FEATURE_##feature] = weight,
#define PRIOR(member, name, points, text)  .prior.member = points,
#include "games/pokemon/players/points.def"
#undef VALUE
#undef PRIOR
    };
    enum banyan_status status = banyan_options_parse(points_table, &all, text, err);
    if (status != BANYAN_OK)
        return status;
    *out = (struct points){
#define VALUE(feature, name, weight, text) \
    .value[FEATURE_##feature] = (float)all.value[FEATURE_##feature],
#define PRIOR(member, name, points, text) .prior.member = (float)all.prior.member,
#include "games/pokemon/players/points.def"
#undef VALUE
#undef PRIOR
    };
    return BANYAN_OK;
}
