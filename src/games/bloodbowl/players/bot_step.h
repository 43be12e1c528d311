/* Functions that make up the script's answers. */
#ifndef BLOODBOWL_BOT_STEP_H
#define BLOODBOWL_BOT_STEP_H

#include "games/bloodbowl/players/bot.h"

struct bb_action bot_activation(const struct bot_points *points, const struct bb_state *s,
                                const struct bot_plan *plan, bool whole);

/* The answers before the ball is in play (bot_setup.c). */
struct bb_action bot_setup(const struct bb_state *s);
struct bb_action bot_kick(const struct bb_state *s);
struct bb_action bot_receiver(const struct bb_state *s, const struct bb_choices *list);

#endif
