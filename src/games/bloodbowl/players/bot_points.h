/* What is worth how much to the script (bot_points.def). */
#ifndef BLOODBOWL_BOT_POINTS_H
#define BLOODBOWL_BOT_POINTS_H

#include <banyan/status.h>

struct bot_points {
#define X(member, name, value, least, most, text) float member;
#include "bot_points.def"
#undef X
};

extern const struct bot_points bot_usual; /* the values of bot_points.def */

/* Reads "NAME=VALUE,..."; what is not named has its usual value. */
enum banyan_status bot_points_parse(struct bot_points *out, const char *text,
                                    struct banyan_error *err);

#endif
