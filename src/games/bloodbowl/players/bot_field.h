/* What squares are worth (bot_field.c). */
#ifndef BLOODBOWL_BOT_FIELD_H
#define BLOODBOWL_BOT_FIELD_H

#include "games/bloodbowl/players/bot.h"

#define BOT_TOUCHDOWN 100.0f
#define BOT_LOST_BALL 22.0f /* what it costs when the carrier falls */

enum bot_mood { BOT_QUIET, BOT_OURS, BOT_LOOSE, BOT_THEIRS };

struct bot_field {
    const struct bot_view *view;
    int heart; /* where the ball is, or our carrier will be */
    enum bot_mood mood;
    float map[BB_SQUARES]; /* points of a square for anybody; NaN: not yet known */
};

void bot_field_open(struct bot_field *field, const struct bot_view *view);
/* For a player without the ball. */
float bot_field_points(struct bot_field *field, int player, int square);

#endif
