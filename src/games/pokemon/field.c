/* Weather, terrain, and the conditions of a side. */
#include "games/pokemon/effects.h"

#include <string.h>

/* --- weather --- */

void field_weather_changed(struct battle *b, bool suppressing)
{
    int first[2];
    state_order(b, first, -1);
    for (int i = 0; i < 2; ++i) {
        int ability = state_ability_unbroken(b, first[i]);
        if (ability_hooks[ability].weather_changed)
            ability_hooks[ability].weather_changed(b, first[i], suppressing);
    }
}

bool field_weather(struct battle *b, int weather)
{
    if (b->s->weather == weather)
        return false;
    b->s->weather = (uint8_t)weather;
    b->s->weather_turns = 5;
    field_weather_changed(b, false);
    return true;
}

void field_clear_weather(struct battle *b)
{
    if (!b->s->weather)
        return;
    b->s->weather = b->s->weather_turns = 0;
    field_weather_changed(b, false);
}

/* --- terrain --- */

static void field_terrain_changed(struct battle *b)
{
    for (int side = 0; side < 2; ++side) {
        int ability = state_ability_unbroken(b, side);
        if (ability_hooks[ability].terrain_changed)
            ability_hooks[ability].terrain_changed(b, side);
    }
}

bool field_terrain(struct battle *b, int terrain, int side)
{
    (void)side;
    if (b->s->terrain == terrain)
        return false;
    b->s->terrain = (uint8_t)terrain;
    b->s->terrain_turns = 5;
    field_terrain_changed(b);
    return true;
}

void field_clear_terrain(struct battle *b)
{
    if (!b->s->terrain)
        return;
    b->s->terrain = b->s->terrain_turns = 0;
    field_terrain_changed(b);
}

/* --- sides --- */

/* Numbers the hazards of both sides 1, 2, ... in the order in which they were laid.  Returns how
 * many there are. */
static int field_number_hazards(struct battle *b)
{
    int count = 0, rank[2][SIDE_HAZARDS] = {0};
    for (int s = 0; s < 2; ++s)
        for (int i = 1; i < SIDE_HAZARDS; ++i) {
            int stamp = side_of(b, s)->stamp[i];
            count += stamp != 0;
            for (int k = 0; stamp && k < 2 * SIDE_HAZARDS; ++k) {
                int other = side_of(b, k / SIDE_HAZARDS)->stamp[k % SIDE_HAZARDS];
                rank[s][i] += other && other <= stamp;
            }
        }
    for (int s = 0; s < 2; ++s)
        for (int i = 1; i < SIDE_HAZARDS; ++i)
            side_of(b, s)->stamp[i] = (uint8_t)rank[s][i];
    return count;
}

bool field_side_add(struct battle *b, int side, int condition, int source)
{
    static const uint8_t most[SIDE_HAZARDS] = {[SIDE_STEALTHROCK] = 1,
                                               [SIDE_SPIKES] = 3,
                                               [SIDE_TOXICSPIKES] = 2,
                                               [SIDE_STICKYWEB] = 1,
                                               [SIDE_GMAXSTEELSURGE] = 1};
    struct pokemon_side *s = side_of(b, side);
    uint8_t *there = &s->condition[condition];
    if (condition < SIDE_HAZARDS) {
        if (*there >= most[condition])
            return false;
        if (!(*there)++)
            s->stamp[condition] = (uint8_t)(field_number_hazards(b) + 1);
        if (condition == SIDE_STICKYWEB)
            s->web_source = (uint8_t)(source * POKEMON_TEAM + side_of(b, source)->order[0]);
        return true;
    }
    if (*there)
        return false;
    bool screen =
        condition == SIDE_REFLECT || condition == SIDE_LIGHTSCREEN || condition == SIDE_AURORAVEIL;
    bool clay = mon_of(b, source)->item == ITEM_LIGHTCLAY && is_active(b, source);
    *there = (uint8_t)(!screen ? 4 : clay ? 8 : 5);
    return true;
}

bool field_side_remove(struct battle *b, int side, int condition)
{
    struct pokemon_side *s = side_of(b, side);
    if (!s->condition[condition])
        return false;
    s->condition[condition] = 0;
    if (condition < SIDE_HAZARDS) {
        s->stamp[condition] = 0;
        field_number_hazards(b);
    }
    if (condition == SIDE_STICKYWEB)
        s->web_source = 0;
    return true;
}

/* --- hazards --- */

static void field_hazard_type(struct battle *b, int side, int type)
{
    struct battle_move rock = {.type = (uint8_t)type, .category = CATEGORY_STATUS};
    rock.row = &dex_moves[MOVE_STEALTHROCK];
    int step = damage_effectiveness(b, side, &rock), max_hp = mon_of(b, side)->max_hp;
    int damage = step >= 0 ? (max_hp << step) / 8 : max_hp / (8 << -step);
    hp_damage(b, side, damage, -1, CAUSE_HAZARD);
}

static void field_toxic_spikes(struct battle *b, int side)
{
    if (state_has_type(b, side, TYPE_POISON)) {
        field_side_remove(b, side, SIDE_TOXICSPIKES);
        return;
    }
    if (state_has_type(b, side, TYPE_STEEL) || mon_of(b, side)->item == ITEM_HEAVYDUTYBOOTS)
        return;
    bool two = side_of(b, side)->condition[SIDE_TOXICSPIKES] >= 2;
    status_try(b, side, two ? STATUS_TOX : STATUS_PSN, !side, CAUSE_TOXIC_SPIKES);
}

/* The Pokémon that laid the web is the source of the boost, if it is active. */
static void field_sticky_web(struct battle *b, int side)
{
    const struct pokemon_side *s = side_of(b, side);
    int source = s->web_source / POKEMON_TEAM, mon = s->web_source % POKEMON_TEAM;
    if (source == side && s->order[0] == mon)
        source = side;
    else if (source == side)
        source = FIELD_ABSENT_ALLY;
    else if (side_of(b, source)->order[0] != mon)
        source = FIELD_ABSENT_FOE;
    boost_one(b, side, source, BOOST_SPE, -1, CAUSE_STICKY_WEB);
}

void field_hazard(struct battle *b, int side, int hazard)
{
    bool boots = mon_of(b, side)->item == ITEM_HEAVYDUTYBOOTS;
    int layers = side_of(b, side)->condition[hazard];
    static const uint8_t spikes[] = {0, 3, 4, 6};
    if (hazard == SIDE_STEALTHROCK && !boots)
        field_hazard_type(b, side, TYPE_ROCK);
    else if (hazard == SIDE_GMAXSTEELSURGE && !boots)
        field_hazard_type(b, side, TYPE_STEEL);
    else if (hazard == SIDE_TOXICSPIKES && state_grounded(b, side))
        field_toxic_spikes(b, side);
    else if (hazard == SIDE_STICKYWEB && !boots && state_grounded(b, side))
        field_sticky_web(b, side);
    else if (hazard == SIDE_SPIKES && !boots && state_grounded(b, side))
        hp_damage(b, side, spikes[layers] * mon_of(b, side)->max_hp / 24, -1, CAUSE_HAZARD);
}
