/* The effects of Max moves other than damage. */
#include "games/pokemon/moves.h"

static void max_boost(struct battle *b, int user, int side, int boost, int stages)
{
    if (is_dynamaxed(b, user))
        boost_one(b, side, user, boost, stages, CAUSE_MOVE);
}

DEED(max_airstream)
{
    UNUSED;
    max_boost(b, user, user, BOOST_SPE, 1);
}

DEED(max_knuckle)
{
    UNUSED;
    max_boost(b, user, user, BOOST_ATK, 1);
}

DEED(max_ooze)
{
    UNUSED;
    max_boost(b, user, user, BOOST_SPA, 1);
}

DEED(max_quake)
{
    UNUSED;
    max_boost(b, user, user, BOOST_SPD, 1);
}

DEED(max_steelspike)
{
    UNUSED;
    max_boost(b, user, user, BOOST_DEF, 1);
}

DEED(max_strike)
{
    UNUSED;
    max_boost(b, user, !user, BOOST_SPE, -1);
}

DEED(max_wyrmwind)
{
    UNUSED;
    max_boost(b, user, !user, BOOST_ATK, -1);
}

DEED(max_phantasm)
{
    UNUSED;
    max_boost(b, user, !user, BOOST_DEF, -1);
}

DEED(max_flutterby)
{
    UNUSED;
    max_boost(b, user, !user, BOOST_SPA, -1);
}

DEED(max_darkness)
{
    UNUSED;
    max_boost(b, user, !user, BOOST_SPD, -1);
}

static void max_weather(struct battle *b, int user, int weather)
{
    if (is_dynamaxed(b, user))
        field_weather(b, weather);
}

DEED(max_flare)
{
    UNUSED;
    max_weather(b, user, WEATHER_SUNNYDAY);
}

DEED(max_geyser)
{
    UNUSED;
    max_weather(b, user, WEATHER_RAINDANCE);
}

DEED(max_hailstorm)
{
    UNUSED;
    max_weather(b, user, WEATHER_HAIL);
}

DEED(max_rockfall)
{
    UNUSED;
    max_weather(b, user, WEATHER_SANDSTORM);
}

static void max_terrain(struct battle *b, int user, int terrain)
{
    if (is_dynamaxed(b, user))
        field_terrain(b, terrain, user);
}

DEED(max_lightning)
{
    UNUSED;
    max_terrain(b, user, TERRAIN_ELECTRICTERRAIN);
}

DEED(max_overgrowth)
{
    UNUSED;
    max_terrain(b, user, TERRAIN_GRASSYTERRAIN);
}

DEED(max_starfall)
{
    UNUSED;
    max_terrain(b, user, TERRAIN_MISTYTERRAIN);
}

DEED(max_mindstorm)
{
    UNUSED;
    max_terrain(b, user, TERRAIN_PSYCHICTERRAIN);
}

/* --- G-Max moves --- */

static bool max_foe_there(const struct battle *b, int user)
{
    return mon_of(b, !user)->hp != 0;
}

DEED(gmax_befuddle)
{
    UNUSED;
    static const uint8_t status[] = {STATUS_SLP, STATUS_PAR, STATUS_PSN};
    if (max_foe_there(b, user))
        status_try(b, !user, status[banyan_dice_pick(b->dice, DIE_PICK_STATUS, 3)], user,
                   CAUSE_MOVE);
}

DEED(gmax_malodor)
{
    UNUSED;
    if (max_foe_there(b, user))
        status_try(b, !user, STATUS_PSN, user, CAUSE_MOVE);
}

DEED(gmax_smite)
{
    UNUSED;
    if (max_foe_there(b, user))
        volatile_add(b, !user, VOLATILE_CONFUSION, user);
}

DEED(gmax_terror)
{
    UNUSED;
    if (max_foe_there(b, user))
        effect_trap(b, user, !user);
}

DEED(gmax_cannonade)
{
    UNUSED;
    field_side_add(b, !user, SIDE_GMAXCANNONADE, user);
}

DEED(gmax_vine_lash)
{
    UNUSED;
    field_side_add(b, !user, SIDE_GMAXVINELASH, user);
}

DEED(gmax_volcalith)
{
    UNUSED;
    field_side_add(b, !user, SIDE_GMAXVOLCALITH, user);
}

DEED(gmax_steelsurge)
{
    UNUSED;
    field_side_add(b, !user, SIDE_GMAXSTEELSURGE, user);
}

DEED(gmax_finale)
{
    UNUSED;
    hp_heal(b, user, mon_of(b, user)->max_hp / 6);
}

DEED(gmax_replenish)
{
    UNUSED;
    struct pokemon_mon *mon = mon_of(b, user);
    if (banyan_dice_chance(b->dice, DIE_GMAX, 1, 2))
        return;
    if (mon->hp && !mon->item && (dex_items[mon->last_item].flags & ITEM_FLAG_BERRY)) {
        int item = mon->last_item;
        mon->last_item = ITEM_NONE;
        item_give(b, user, item);
    }
}

DEED(gmax_sweetness)
{
    UNUSED;
    struct pokemon_side *side = side_of(b, user);
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (side->mons[i].hp)
            status_clear(&side->mons[i]);
}

static void max_drowse(struct battle *b, int user, int target)
{
    if (mon_of(b, target)->status || is_fainted(b, target) ||
        banyan_dice_chance(b->dice, DIE_GMAX, 1, 2))
        return;
    volatile_add(b, target, VOLATILE_YAWN, user);
}

EFFECT(gmax_snooze)
{
    UNUSED;
    max_drowse(b, user, target);
    return HIT_NOTHING;
}

void gmax_snooze_substitute(struct battle *b, int user, int target, struct battle_move *move)
{
    UNUSED;
    max_drowse(b, user, target);
}
