/* The script's points as options of its player. */
#include "games/bloodbowl/players/bot_points.h"

#include <banyan/options.h>

#include <stddef.h>

/* Options are numbers of type double. */
struct points_text {
#define X(member, name, value, least, most, text) double member;
#include "bot_points.def"
#undef X
};

static const struct banyan_option points_table[] = {
#define X(member, name, value, least, most, text) \
    {name, BANYAN_OPTION_REAL, offsetof(struct points_text, member), least, most, NULL, 0, text},
#include "bot_points.def"
#undef X
    {0},
};

const struct bot_points bot_usual = {
#define X(member, name, value, least, most, text) .member = (float)(value),
#include "bot_points.def"
#undef X
};

enum banyan_status bot_points_parse(struct bot_points *out, const char *text,
                                    struct banyan_error *err)
{
    struct points_text all = {
#define X(member, name, value, least, most, text) .member = value,
#include "bot_points.def"
#undef X
    };
    enum banyan_status status = banyan_options_parse(points_table, &all, text, err);
    if (status != BANYAN_OK)
        return status;
    *out = (struct bot_points){
#define X(member, name, value, least, most, text) .member = (float)all.member,
#include "bot_points.def"
#undef X
    };
    return BANYAN_OK;
}
