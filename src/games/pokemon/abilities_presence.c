/* Abilities that act when a Pokémon comes in, leaves or faints, at the end of a turn, or on the
 * field; and those that change formes. */
#include "games/pokemon/abilities.h"

/* --- coming in --- */

void presence_start_drizzle(struct battle *b, int side)
{
    field_weather(b, WEATHER_RAINDANCE);
}

void presence_start_drought(struct battle *b, int side)
{
    field_weather(b, WEATHER_SUNNYDAY);
}

void presence_start_sand_stream(struct battle *b, int side)
{
    field_weather(b, WEATHER_SANDSTORM);
}

void presence_start_snow_warning(struct battle *b, int side)
{
    field_weather(b, WEATHER_HAIL);
}

void presence_start_electric_surge(struct battle *b, int side)
{
    field_terrain(b, TERRAIN_ELECTRICTERRAIN, side);
}

void presence_start_grassy_surge(struct battle *b, int side)
{
    field_terrain(b, TERRAIN_GRASSYTERRAIN, side);
}

void presence_start_misty_surge(struct battle *b, int side)
{
    field_terrain(b, TERRAIN_MISTYTERRAIN, side);
}

void presence_start_psychic_surge(struct battle *b, int side)
{
    field_terrain(b, TERRAIN_PSYCHICTERRAIN, side);
}

void presence_start_air_lock(struct battle *b, int side)
{
    active_of(b, side)->ability_flags &= (uint8_t)~ABILITY_ENDING;
    field_weather_changed(b, true);
}

void presence_end_air_lock(struct battle *b, int side)
{
    active_of(b, side)->ability_flags |= ABILITY_ENDING;
    field_weather_changed(b, true);
}

void presence_start_unnerve(struct battle *b, int side)
{
    active_of(b, side)->ability_flags |= ABILITY_UNNERVED;
}

void presence_end_unnerve(struct battle *b, int side)
{
    active_of(b, side)->ability_flags &= (uint8_t)~ABILITY_UNNERVED;
}

void presence_start_gluttony(struct battle *b, int side)
{
    active_of(b, side)->ability_flags |= ABILITY_GLUTTONY_AWAKE;
}

void presence_start_dauntless_shield(struct battle *b, int side)
{
    boost_one(b, side, side, BOOST_DEF, 1, CAUSE_ABILITY);
}

void presence_start_intrepid_sword(struct battle *b, int side)
{
    boost_one(b, side, side, BOOST_ATK, 1, CAUSE_ABILITY);
}

void presence_start_intimidate(struct battle *b, int side)
{
    int foe = !side;
    if (mon_of(b, foe)->hp && !is_fainted(b, foe) && !has_volatile(b, foe, VOLATILE_SUBSTITUTE))
        boost_one(b, foe, side, BOOST_ATK, -1, CAUSE_INTIMIDATE);
}

void presence_start_download(struct battle *b, int side)
{
    int foe = !side;
    if (!mon_of(b, foe)->hp || is_fainted(b, foe))
        return;
    int def = stats_get(b, foe, BOOST_DEF, false, true),
        spd = stats_get(b, foe, BOOST_SPD, false, true);
    if (def && def >= spd)
        boost_one(b, side, side, BOOST_SPA, 1, CAUSE_ABILITY);
    else if (spd)
        boost_one(b, side, side, BOOST_ATK, 1, CAUSE_ABILITY);
}

void presence_start_screen_cleaner(struct battle *b, int side)
{
    static const uint8_t screens[] = {SIDE_REFLECT, SIDE_LIGHTSCREEN, SIDE_AURORAVEIL};
    (void)side;
    for (unsigned i = 0; i < sizeof screens; ++i)
        for (int s = 0; s < 2; ++s)
            field_side_remove(b, s, screens[i]);
}

void presence_start_frisk(struct battle *b, int side)
{
    mon_of(b, !side)->seen |= SEEN_ITEM;
}

void presence_start_slow_start(struct battle *b, int side)
{
    active_of(b, side)->ability_counter = 5;
}

void presence_start_gorilla(struct battle *b, int side)
{
    active_of(b, side)->gorilla_move = 0;
}

void presence_update_trace(struct battle *b, int side)
{
    int foe = !side;
    if (!(active_of(b, side)->ability_flags & ABILITY_SEEK) || !mon_of(b, foe)->hp ||
        is_fainted(b, foe))
        return;
    int theirs = mon_of(b, foe)->ability;
    if (dex_abilities[theirs].flags & ABILITY_FLAG_NOTRACE)
        return;
    ability_set(b, side, theirs, false, false);
}

void presence_start_trace(struct battle *b, int side)
{
    active_of(b, side)->ability_flags |= ABILITY_SEEK;
    presence_update_trace(b, side);
}

void presence_start_imposter(struct battle *b, int side)
{
    forme_transform(b, side, !side);
}

/* --- leaving --- */

void presence_end_illusion(struct battle *b, int side)
{
    if (!(active_of(b, side)->flags & ACTIVE_CALLED_BACK))
        disguise_end(side_of(b, side));
}

void presence_leave_natural_cure(struct battle *b, int side)
{
    status_cure(b, side);
}

void presence_leave_regenerator(struct battle *b, int side)
{
    hp_restore(mon_of(b, side), mon_of(b, side)->base_max_hp / 3);
}

/* --- fainting --- */

void presence_faint_attack(struct battle *b, int side, int count)
{
    boost_one(b, side, side, BOOST_ATK, count, CAUSE_ABILITY);
}

void presence_faint_special(struct battle *b, int side, int count)
{
    boost_one(b, side, side, BOOST_SPA, count, CAUSE_ABILITY);
}

void presence_faint_best(struct battle *b, int side, int count)
{
    boost_one(b, side, side, stats_best(b, side), count, CAUSE_ABILITY);
}

void presence_soul_heart(struct battle *b, int side)
{
    boost_one(b, side, side, BOOST_SPA, 1, CAUSE_ABILITY);
}

/* --- items --- */

void presence_unburden(struct battle *b, int side)
{
    volatile_add(b, side, VOLATILE_UNBURDEN, side);
}

void presence_unburden_end(struct battle *b, int side)
{
    volatile_end(b, side, VOLATILE_UNBURDEN);
}

void presence_cheek_pouch(struct battle *b, int side)
{
    hp_heal(b, side, mon_of(b, side)->base_max_hp / 3);
}

/* --- weather --- */

void presence_weather_dry_skin(struct battle *b, int side, int weather)
{
    if (weather == WEATHER_RAINDANCE)
        hp_heal(b, side, mon_of(b, side)->base_max_hp / 8);
    else if (weather == WEATHER_SUNNYDAY)
        hp_damage(b, side, mon_of(b, side)->base_max_hp / 8, side, CAUSE_ABILITY);
}

void presence_weather_ice_body(struct battle *b, int side, int weather)
{
    if (weather == WEATHER_HAIL)
        hp_heal(b, side, mon_of(b, side)->base_max_hp / 16);
}

void presence_weather_solar_power(struct battle *b, int side, int weather)
{
    if (weather == WEATHER_SUNNYDAY)
        hp_damage(b, side, mon_of(b, side)->base_max_hp / 8, side, CAUSE_ABILITY);
}

/* --- the end of the turn --- */

void presence_residual_harvest(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (state_weather(b) != WEATHER_SUNNYDAY && !banyan_dice_chance(b->dice, DIE_HARVEST, 1, 2))
        return;
    if (!mon->hp || mon->item || !(dex_items[mon->last_item].flags & ITEM_FLAG_BERRY))
        return;
    item_give(b, side, mon->last_item);
    mon->last_item = ITEM_NONE;
}

void presence_residual_shed_skin(struct battle *b, int side)
{
    if (mon_of(b, side)->hp && mon_of(b, side)->status &&
        banyan_dice_chance(b->dice, DIE_SHED_SKIN, 33, 100))
        status_cure(b, side);
}

void presence_residual_slow_start(struct battle *b, int side)
{
    struct pokemon_active *active = active_of(b, side);
    if (active->turns && active->ability_counter)
        --active->ability_counter;
}

void presence_residual_speed_boost(struct battle *b, int side)
{
    if (active_of(b, side)->turns)
        boost_one(b, side, side, BOOST_SPE, 1, CAUSE_ABILITY);
}

/* --- trapping --- */

bool presence_traps_arena(const struct battle *b, int side, int foe)
{
    (void)side;
    return state_grounded(b, foe);
}

bool presence_traps_magnet(const struct battle *b, int side, int foe)
{
    (void)side;
    return state_has_type(b, foe, TYPE_STEEL);
}

bool presence_traps_shadow(const struct battle *b, int side, int foe)
{
    (void)side;
    return state_ability(b, foe) != ABILITY_SHADOWTAG;
}

/* --- formes --- */

static bool presence_is_base(const struct battle *b, int side, int species)
{
    return dex_species[mon_of(b, side)->base_species].base == species &&
           !(active_of(b, side)->flags & ACTIVE_TRANSFORMED);
}

void presence_flower_gift(struct battle *b, int side, bool suppressing)
{
    (void)suppressing;
    if (!presence_is_base(b, side, SPECIES_CHERRIM) || !mon_of(b, side)->hp)
        return;
    int wanted = state_weather(b) == WEATHER_SUNNYDAY ? SPECIES_CHERRIMSUNSHINE : SPECIES_CHERRIM;
    if (mon_of(b, side)->species != wanted)
        forme_change(b, side, wanted, false, false);
}

void presence_start_flower_gift(struct battle *b, int side)
{
    presence_flower_gift(b, side, false);
}

void presence_ice_face(struct battle *b, int side, bool suppressing)
{
    if (suppressing || !mon_of(b, side)->hp || state_weather(b) != WEATHER_HAIL ||
        mon_of(b, side)->species != SPECIES_EISCUENOICE)
        return;
    active_of(b, side)->ability_flags &= (uint8_t)~ABILITY_BUSTED;
    forme_change(b, side, SPECIES_EISCUE, true, true);
}

void presence_start_ice_face(struct battle *b, int side)
{
    presence_ice_face(b, side, false);
}

void presence_update_ice_face(struct battle *b, int side)
{
    if (mon_of(b, side)->species == SPECIES_EISCUE &&
        (active_of(b, side)->ability_flags & ABILITY_BUSTED))
        forme_change(b, side, SPECIES_EISCUENOICE, true, true);
}

void presence_update_disguise(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (mon->species != SPECIES_MIMIKYU || !(active_of(b, side)->ability_flags & ABILITY_BUSTED))
        return;
    forme_change(b, side, SPECIES_MIMIKYUBUSTED, true, true);
    mon->flags |= MON_REGRESSES;
    hp_damage(b, side, mon->base_max_hp / 8, side, CAUSE_ABILITY);
}

void presence_residual_hunger_switch(struct battle *b, int side)
{
    int species = mon_of(b, side)->species;
    if (dex_species[species].base == SPECIES_MORPEKO)
        forme_change(b, side, species == SPECIES_MORPEKO ? SPECIES_MORPEKOHANGRY : SPECIES_MORPEKO,
                     false, false);
}

void presence_schooling(struct battle *b, int side)
{
    const struct pokemon_mon *mon = mon_of(b, side);
    if (!presence_is_base(b, side, SPECIES_WISHIWASHI) || mon->level < 20 || !mon->hp)
        return;
    int wanted = mon->hp * 4 > mon->max_hp ? SPECIES_WISHIWASHISCHOOL : SPECIES_WISHIWASHI;
    if (mon->species != wanted)
        forme_change(b, side, wanted, false, false);
}

void presence_residual_power_construct(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (!presence_is_base(b, side, SPECIES_ZYGARDE) || !mon->hp ||
        mon->species == SPECIES_ZYGARDECOMPLETE || mon->hp * 2 > mon->max_hp)
        return;
    forme_change(b, side, SPECIES_ZYGARDECOMPLETE, true, false);
    mon->flags |= MON_REGRESSES;
}

void presence_stance_change(struct battle *b, int side, struct battle_move *move)
{
    if (dex_species[mon_of(b, side)->species].base != SPECIES_AEGISLASH ||
        (active_of(b, side)->flags & ACTIVE_TRANSFORMED))
        return;
    if (move->category == CATEGORY_STATUS && move->id != MOVE_KINGSSHIELD)
        return;
    int wanted = move->id == MOVE_KINGSSHIELD ? SPECIES_AEGISLASH : SPECIES_AEGISLASHBLADE;
    if (mon_of(b, side)->species != wanted)
        forme_change(b, side, wanted, false, false);
}

void presence_libero(struct battle *b, int side, const struct battle_move *move)
{
    struct pokemon_active *active = active_of(b, side);
    if (move->is_bounced || move->is_future || (move->props & MOVE_IS_CALLS_MOVE))
        return;
    if (move->type == TYPE_NONE || state_types(b, side) == 1u << move->type ||
        dex_species[mon_of(b, side)->species].base == SPECIES_SILVALLY)
        return;
    active->types[0] = move->type;
    active->types[1] = TYPE_NONE;
    active->added_type = 0;
}

void presence_mimicry(struct battle *b, int side)
{
    static const uint8_t types[TERRAIN_COUNT] = {[TERRAIN_ELECTRICTERRAIN] = TYPE_ELECTRIC,
                                                 [TERRAIN_GRASSYTERRAIN] = TYPE_GRASS,
                                                 [TERRAIN_MISTYTERRAIN] = TYPE_FAIRY,
                                                 [TERRAIN_PSYCHICTERRAIN] = TYPE_PSYCHIC};
    struct pokemon_active *active = active_of(b, side);
    const uint8_t *own = dex_species[mon_of(b, side)->base_species].types;
    int terrain = b->s->terrain;
    active->types[0] = terrain ? types[terrain] : own[0];
    active->types[1] = terrain ? TYPE_NONE : own[1];
}
