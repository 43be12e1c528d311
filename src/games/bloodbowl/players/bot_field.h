/* The value of squares in points of the script (bot_field.c). */
#ifndef BLOODBOWL_BOT_FIELD_H
#define BLOODBOWL_BOT_FIELD_H

#include "games/bloodbowl/players/bot.h"

#define BOT_TOUCHDOWN 100.0f
#define BOT_LOST_BALL 22.0f /* points lost when the ball carrier falls */

enum bot_possession { BOT_NO_BALL, BOT_BALL_OURS, BOT_BALL_LOOSE, BOT_BALL_THEIRS };

struct bot_field {
    const struct bot_view *view;
    int centre; /* square of the ball, or where our carrier will be */
    enum bot_possession possession;
    float map[BB_SQUARES]; /* points of a square for any player; NaN: not computed yet */
};

void bot_field_open(struct bot_field *field, const struct bot_view *view);
/* The points of a square for a player without the ball. */
float bot_field_points(struct bot_field *field, int player, int square);

#endif
