/* The value of squares in points of the script (bot_field.c). */
#ifndef BLOODBOWL_BOT_FIELD_H
#define BLOODBOWL_BOT_FIELD_H

#include "games/bloodbowl/players/bot.h"

#define BOT_TOUCHDOWN 100.0f

enum bot_possession { BOT_NO_BALL, BOT_BALL_OURS, BOT_BALL_LOOSE, BOT_BALL_THEIRS };

/* What a player's assist from a square is worth to the block that gains most by it. */
struct bot_assist {
    float points; /* 0: no block gains by it */
    float second; /* the same for the blocker themself, who cannot assist their own block */
    uint8_t blocker;
};

struct bot_field {
    const struct bot_view *view;
    int centre; /* square of the ball, or where our carrier will be */
    enum bot_possession possession;
    struct bot_assist assist[BB_SQUARES];
    float map[BB_SQUARES]; /* points of a square for any player; NaN: not computed yet */
};

void bot_field_open(struct bot_field *field, const struct bot_view *view);
/* The points of a square for a player without the ball. */
float bot_field_points(struct bot_field *field, int player, int square);

#endif
