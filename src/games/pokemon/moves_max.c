/* The effects of Max moves other than damage. */
#include "games/pokemon/moves.h"

static int max_boost(struct battle *b, int user, int side, int boost, int stages)
{
    if (is_dynamaxed(b, user))
        boost_one(b, side, user, boost, stages, CAUSE_MOVE);
    return HIT_NOTHING;
}

EFFECT(max_airstream)
{
    UNUSED;
    return max_boost(b, user, user, BOOST_SPE, 1);
}

EFFECT(max_knuckle)
{
    UNUSED;
    return max_boost(b, user, user, BOOST_ATK, 1);
}

EFFECT(max_ooze)
{
    UNUSED;
    return max_boost(b, user, user, BOOST_SPA, 1);
}

EFFECT(max_quake)
{
    UNUSED;
    return max_boost(b, user, user, BOOST_SPD, 1);
}

EFFECT(max_steelspike)
{
    UNUSED;
    return max_boost(b, user, user, BOOST_DEF, 1);
}

EFFECT(max_strike)
{
    UNUSED;
    return max_boost(b, user, !user, BOOST_SPE, -1);
}

EFFECT(max_wyrmwind)
{
    UNUSED;
    return max_boost(b, user, !user, BOOST_ATK, -1);
}

EFFECT(max_phantasm)
{
    UNUSED;
    return max_boost(b, user, !user, BOOST_DEF, -1);
}

EFFECT(max_flutterby)
{
    UNUSED;
    return max_boost(b, user, !user, BOOST_SPA, -1);
}

EFFECT(max_darkness)
{
    UNUSED;
    return max_boost(b, user, !user, BOOST_SPD, -1);
}

static int max_weather(struct battle *b, int user, int weather)
{
    if (is_dynamaxed(b, user))
        field_weather(b, weather, user, false);
    return HIT_NOTHING;
}

EFFECT(max_flare)
{
    UNUSED;
    return max_weather(b, user, WEATHER_SUNNYDAY);
}

EFFECT(max_geyser)
{
    UNUSED;
    return max_weather(b, user, WEATHER_RAINDANCE);
}

EFFECT(max_hailstorm)
{
    UNUSED;
    return max_weather(b, user, WEATHER_HAIL);
}

EFFECT(max_rockfall)
{
    UNUSED;
    return max_weather(b, user, WEATHER_SANDSTORM);
}

static int max_terrain(struct battle *b, int user, int terrain)
{
    if (is_dynamaxed(b, user))
        field_terrain(b, terrain, user);
    return HIT_NOTHING;
}

EFFECT(max_lightning)
{
    UNUSED;
    return max_terrain(b, user, TERRAIN_ELECTRICTERRAIN);
}

EFFECT(max_overgrowth)
{
    UNUSED;
    return max_terrain(b, user, TERRAIN_GRASSYTERRAIN);
}

EFFECT(max_starfall)
{
    UNUSED;
    return max_terrain(b, user, TERRAIN_MISTYTERRAIN);
}

EFFECT(max_mindstorm)
{
    UNUSED;
    return max_terrain(b, user, TERRAIN_PSYCHICTERRAIN);
}

/* --- G-Max moves --- */

static bool max_foe_there(const struct battle *b, int user)
{
    return mon_of(b, !user)->hp != 0;
}

EFFECT(gmax_befuddle)
{
    UNUSED;
    static const uint8_t status[] = {STATUS_SLP, STATUS_PAR, STATUS_PSN};
    if (max_foe_there(b, user))
        status_try(b, !user, status[banyan_dice_pick(b->dice, DIE_PICK_STATUS, 3)], user,
                   CAUSE_MOVE);
    return HIT_NOTHING;
}

EFFECT(gmax_malodor)
{
    UNUSED;
    if (max_foe_there(b, user))
        status_try(b, !user, STATUS_PSN, user, CAUSE_MOVE);
    return HIT_NOTHING;
}

EFFECT(gmax_smite)
{
    UNUSED;
    if (max_foe_there(b, user))
        volatile_add(b, !user, VOLATILE_CONFUSION, user, CAUSE_MOVE);
    return HIT_NOTHING;
}

EFFECT(gmax_terror)
{
    UNUSED;
    if (max_foe_there(b, user))
        effect_trap(b, user, !user);
    return HIT_NOTHING;
}

EFFECT(gmax_cannonade)
{
    UNUSED;
    field_side_add(b, !user, SIDE_GMAXCANNONADE, user);
    return HIT_NOTHING;
}

EFFECT(gmax_vine_lash)
{
    UNUSED;
    field_side_add(b, !user, SIDE_GMAXVINELASH, user);
    return HIT_NOTHING;
}

EFFECT(gmax_volcalith)
{
    UNUSED;
    field_side_add(b, !user, SIDE_GMAXVOLCALITH, user);
    return HIT_NOTHING;
}

EFFECT(gmax_steelsurge)
{
    UNUSED;
    field_side_add(b, !user, SIDE_GMAXSTEELSURGE, user);
    return HIT_NOTHING;
}

EFFECT(gmax_finale)
{
    UNUSED;
    hp_heal(b, user, mon_of(b, user)->max_hp / 6);
    return HIT_NOTHING;
}

EFFECT(gmax_replenish)
{
    UNUSED;
    struct pokemon_mon *mon = mon_of(b, user);
    if (banyan_dice_chance(b->dice, DIE_GMAX, 1, 2))
        return HIT_NOTHING;
    if (mon->hp && !mon->item && (dex_items[mon->last_item].flags & ITEM_FLAG_BERRY)) {
        int item = mon->last_item;
        mon->last_item = ITEM_NONE;
        item_give(b, user, item);
    }
    return HIT_NOTHING;
}

EFFECT(gmax_sweetness)
{
    UNUSED;
    struct pokemon_side *side = side_of(b, user);
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (side->mons[i].hp)
            status_clear(&side->mons[i]);
    return HIT_NOTHING;
}

static void max_drowse(struct battle *b, int user, int target)
{
    if (mon_of(b, target)->status || is_fainted(b, target) ||
        banyan_dice_chance(b->dice, DIE_GMAX, 1, 2))
        return;
    volatile_add(b, target, VOLATILE_YAWN, user, CAUSE_MOVE);
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
