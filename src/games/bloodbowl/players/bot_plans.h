/* Collects the plans of a turn, one player after the other (bot_plans.c, bot_hits.c). */
#ifndef BLOODBOWL_BOT_PLANS_H
#define BLOODBOWL_BOT_PLANS_H

#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/players/bot_field.h"
#include "games/bloodbowl/rules.h"

/* State while the plans of one player are collected. */
struct plans {
    const struct bot_view *view;
    struct bot_field field;
    const struct bb_frame *turn;
    struct bot_reach reach; /* squares in reach of the player */
    struct bot_plans *out;
    int player, each;
    int first;   /* index of the first plan of this kind and player */
    float price; /* points that a turnover costs */
    float least; /* plans with less gain are left out */
    bool all;
};

/* Keeps a plan if it is among the `each` best of its kind and player. */
void plans_add(struct plans *p, const struct bot_plan *plan);
/* Adds a plan; gain: points if all goes well.  A turnover costs p->price. */
void plans_offer(struct plans *p, int start, int stand, int target, float chance, float gain);
/* The probability with the team's reroll, if there is one. */
float plans_insured(const struct plans *p, float chance);
/* Whether the team may still do this in this turn (BB_TURN_BLITZ ...), and the player can move. */
bool plans_may(const struct plans *p, unsigned resource);
/* Points if this player picks up the ball at the label. */
float plans_pickup(const struct plans *p, const struct bot_label *label);

/* --- bot_hits.c --- */

void plans_block(struct plans *p);
void plans_blitz(struct plans *p);
void plans_foul(struct plans *p);
/* Fills field.assist: what squares gain by the assists that a player gives there. */
void plans_assists(struct plans *p);

#endif
