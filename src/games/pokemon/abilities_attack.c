/* Abilities that change numbers: stats, power, damage, accuracy, priority. */
#include "games/pokemon/abilities.h"

#define MODIFIER(name)                                                                    \
    int name(const struct battle *b, int side, int other, const struct battle_move *move, \
             int modifier)
#define UNUSED (void)b, (void)side, (void)other, (void)move

static int attack_if(bool applies, int modifier, int factor)
{
    return applies ? modifier_chain(modifier, factor) : modifier;
}

/* --- attack and special attack --- */

static bool attack_pinch(const struct battle *b, int side)
{
    return mon_of(b, side)->hp * 3 <= mon_of(b, side)->max_hp;
}

MODIFIER(attack_overgrow)
{
    UNUSED;
    return attack_if(move->type == TYPE_GRASS && attack_pinch(b, side), modifier, MODIFIER_1_5);
}

MODIFIER(attack_swarm)
{
    UNUSED;
    return attack_if(move->type == TYPE_BUG && attack_pinch(b, side), modifier, MODIFIER_1_5);
}

MODIFIER(attack_torrent)
{
    UNUSED;
    return attack_if(move->type == TYPE_WATER && attack_pinch(b, side), modifier, MODIFIER_1_5);
}

MODIFIER(attack_dragons_maw)
{
    UNUSED;
    return attack_if(move->type == TYPE_DRAGON, modifier, MODIFIER_1_5);
}

MODIFIER(attack_steelworker)
{
    UNUSED;
    return attack_if(move->type == TYPE_STEEL, modifier, MODIFIER_1_5);
}

MODIFIER(attack_transistor)
{
    UNUSED;
    return attack_if(move->type == TYPE_ELECTRIC, modifier, MODIFIER_1_5);
}

MODIFIER(attack_water_bubble)
{
    UNUSED;
    return attack_if(move->type == TYPE_WATER, modifier, MODIFIER_2);
}

MODIFIER(attack_defeatist)
{
    UNUSED;
    return attack_if(mon_of(b, side)->hp * 2 <= mon_of(b, side)->max_hp, modifier, MODIFIER_0_5);
}

MODIFIER(attack_gorilla_tactics)
{
    UNUSED;
    return attack_if(!is_dynamaxed(b, side), modifier, MODIFIER_1_5);
}

MODIFIER(attack_guts)
{
    UNUSED;
    return attack_if(mon_of(b, side)->status != STATUS_NONE, modifier, MODIFIER_1_5);
}

MODIFIER(attack_double)
{
    UNUSED;
    return modifier_chain(modifier, MODIFIER_2);
}

int attack_hustle(int attack)
{
    return modifier_apply(attack, MODIFIER_1_5);
}

MODIFIER(attack_slow_start)
{
    UNUSED;
    return attack_if(active_of(b, side)->ability_counter != 0, modifier, MODIFIER_0_5);
}

MODIFIER(attack_stakeout)
{
    UNUSED;
    return attack_if(!active_of(b, other)->turns, modifier, MODIFIER_2);
}

MODIFIER(attack_solar_power)
{
    UNUSED;
    return attack_if(state_weather(b) == WEATHER_SUNNYDAY, modifier, MODIFIER_1_5);
}

MODIFIER(attack_flower_gift)
{
    UNUSED;
    bool cherrim = dex_species[mon_of(b, side)->base_species].base == SPECIES_CHERRIM;
    return attack_if(cherrim && state_weather(b) == WEATHER_SUNNYDAY, modifier, MODIFIER_1_5);
}

MODIFIER(attack_thick_fat)
{
    UNUSED;
    return attack_if(move->type == TYPE_ICE || move->type == TYPE_FIRE, modifier, MODIFIER_0_5);
}

MODIFIER(attack_at_water_bubble)
{
    UNUSED;
    return attack_if(move->type == TYPE_FIRE, modifier, MODIFIER_0_5);
}

MODIFIER(attack_marvel_scale)
{
    UNUSED;
    return attack_if(mon_of(b, side)->status != STATUS_NONE, modifier, MODIFIER_1_5);
}

/* --- speed and weight --- */

static int attack_speed_in(const struct battle *b, int weather, int modifier)
{
    return attack_if(state_weather(b) == weather, modifier, MODIFIER_2);
}

MODIFIER(attack_chlorophyll)
{
    UNUSED;
    return attack_speed_in(b, WEATHER_SUNNYDAY, modifier);
}

MODIFIER(attack_swift_swim)
{
    UNUSED;
    return attack_speed_in(b, WEATHER_RAINDANCE, modifier);
}

MODIFIER(attack_sand_rush)
{
    UNUSED;
    return attack_speed_in(b, WEATHER_SANDSTORM, modifier);
}

MODIFIER(attack_slush_rush)
{
    UNUSED;
    return attack_speed_in(b, WEATHER_HAIL, modifier);
}

MODIFIER(attack_surge_surfer)
{
    UNUSED;
    return attack_if(state_terrain(b) == TERRAIN_ELECTRICTERRAIN, modifier, MODIFIER_2);
}

MODIFIER(attack_heavy_metal)
{
    UNUSED;
    return modifier * 2;
}

MODIFIER(attack_light_metal)
{
    UNUSED;
    return modifier / 2;
}

/* --- power --- */

MODIFIER(attack_technician)
{
    UNUSED;
    return attack_if(move->current <= 60, modifier, MODIFIER_1_5);
}

MODIFIER(attack_analytic)
{
    UNUSED;
    return attack_if(!state_will_move(b, other), modifier, MODIFIER_1_3_UP);
}

MODIFIER(attack_tough_claws)
{
    UNUSED;
    return attack_if((move->flags & MOVE_FLAG_CONTACT) != 0, modifier, MODIFIER_1_3_UP);
}

MODIFIER(attack_sheer_force)
{
    UNUSED;
    return attack_if(move->has_sheer_force, modifier, MODIFIER_1_3_UP);
}

MODIFIER(attack_iron_fist)
{
    UNUSED;
    return attack_if((move->flags & MOVE_FLAG_PUNCH) != 0, modifier, MODIFIER_1_2);
}

MODIFIER(attack_reckless)
{
    UNUSED;
    return attack_if(move->row->recoil[0] || (move->props & MOVE_IS_CRASH), modifier, MODIFIER_1_2);
}

MODIFIER(attack_pixilate)
{
    UNUSED;
    return attack_if(move->type_was_changed, modifier, MODIFIER_1_2);
}

MODIFIER(attack_mega_launcher)
{
    UNUSED;
    return attack_if((move->flags & MOVE_FLAG_PULSE) != 0, modifier, MODIFIER_1_5);
}

MODIFIER(attack_strong_jaw)
{
    UNUSED;
    return attack_if((move->flags & MOVE_FLAG_BITE) != 0, modifier, MODIFIER_1_5);
}

MODIFIER(attack_steely_spirit)
{
    UNUSED;
    return attack_if(move->type == TYPE_STEEL, modifier, MODIFIER_1_5);
}

MODIFIER(attack_punk_rock)
{
    UNUSED;
    return attack_if((move->flags & MOVE_FLAG_SOUND) != 0, modifier, MODIFIER_1_3_UP);
}

MODIFIER(attack_at_dry_skin)
{
    UNUSED;
    return attack_if(move->type == TYPE_FIRE, modifier, MODIFIER_1_25);
}

static int attack_aura(const struct battle_move *move, int type, int modifier)
{
    return attack_if(move->type == type && move->category != CATEGORY_STATUS, modifier,
                     move->meets_aura_break ? MODIFIER_0_75 : MODIFIER_1_33);
}

MODIFIER(attack_dark_aura)
{
    UNUSED;
    return attack_aura(move, TYPE_DARK, modifier);
}

MODIFIER(attack_fairy_aura)
{
    UNUSED;
    return attack_aura(move, TYPE_FAIRY, modifier);
}

/* --- damage --- */

MODIFIER(attack_adaptability)
{
    UNUSED;
    return state_has_type(b, side, move->type) ? MODIFIER_2 : modifier;
}

MODIFIER(attack_sniper)
{
    UNUSED;
    return attack_if(move->is_critical, modifier, MODIFIER_1_5);
}

MODIFIER(attack_tinted_lens)
{
    UNUSED;
    return attack_if(move->effectiveness < 0, modifier, MODIFIER_2);
}

MODIFIER(attack_at_filter)
{
    UNUSED;
    return attack_if(move->effectiveness > 0, modifier, MODIFIER_0_75);
}

MODIFIER(attack_at_fluffy)
{
    UNUSED;
    int factor = MODIFIER_1;
    if (move->type == TYPE_FIRE)
        factor *= 2;
    if (move->flags & MOVE_FLAG_CONTACT)
        factor /= 2;
    return modifier_chain(modifier, factor);
}

MODIFIER(attack_at_ice_scales)
{
    UNUSED;
    return attack_if(move->category == CATEGORY_SPECIAL, modifier, MODIFIER_0_5);
}

MODIFIER(attack_at_multiscale)
{
    UNUSED;
    return attack_if(mon_of(b, side)->hp >= mon_of(b, side)->max_hp, modifier, MODIFIER_0_5);
}

MODIFIER(attack_at_punk_rock)
{
    UNUSED;
    return attack_if((move->flags & MOVE_FLAG_SOUND) != 0, modifier, MODIFIER_0_5);
}

/* --- accuracy --- */

MODIFIER(attack_compound_eyes)
{
    UNUSED;
    return modifier_chain(modifier, MODIFIER_1_3_UP);
}

MODIFIER(attack_hustle_accuracy)
{
    UNUSED;
    return attack_if(move->category == CATEGORY_PHYSICAL, modifier, MODIFIER_0_8);
}

MODIFIER(attack_victory_star)
{
    UNUSED;
    return modifier_chain(modifier, MODIFIER_1_1_UP);
}

/* --- priority --- */

int attack_prankster(const struct battle *b, int side, const struct battle_move *move)
{
    (void)b, (void)side;
    return move->category == CATEGORY_STATUS ? 1 : 0;
}

int attack_gale_wings(const struct battle *b, int side, const struct battle_move *move)
{
    return move->type == TYPE_FLYING && mon_of(b, side)->hp == mon_of(b, side)->max_hp ? 1 : 0;
}

int attack_triage(const struct battle *b, int side, const struct battle_move *move)
{
    (void)b, (void)side;
    return move->flags & MOVE_FLAG_HEAL ? 3 : 0;
}

/* --- the move itself --- */

void attack_pixilate_type(struct battle *b, int side, struct battle_move *move)
{
    (void)side;
    bool exempt = move->id == MOVE_MULTIATTACK && !(b->move && b->move->is_max);
    if (move->type == TYPE_NORMAL && !exempt) {
        move->type = TYPE_FAIRY;
        move->type_was_changed = true;
    }
}

void attack_infiltrate(struct battle *b, int side, struct battle_move *move)
{
    (void)b, (void)side;
    move->infiltrates = true;
}

void attack_mold_breaker(struct battle *b, int side, struct battle_move *move)
{
    (void)b, (void)side;
    move->props |= MOVE_IS_IGNORE_ABILITY;
}

void attack_scrappy(struct battle *b, int side, struct battle_move *move)
{
    (void)b, (void)side;
    move->hits_ghosts = true;
}

void attack_serene_grace(struct battle *b, int side, struct battle_move *move)
{
    (void)b, (void)side;
    move->chance_factor = 2;
}

/* If the move has secondary effects, removes them, and its effects on the user, too. */
void attack_sheer(struct battle *b, int side, struct battle_move *move)
{
    (void)b, (void)side;
    if (move->row->secondaries) {
        move->skips.secondaries = move->skips.self_effects = true;
        move->has_sheer_force = true;
    }
}

void attack_skill_link(struct battle *b, int side, struct battle_move *move)
{
    (void)b, (void)side;
    move->hits_from = move->hits_to;
    move->aims_each_hit = false;
}

void attack_unseen_fist(struct battle *b, int side, struct battle_move *move)
{
    (void)b, (void)side;
    if (move->flags & MOVE_FLAG_CONTACT)
        move->flags &= ~(uint32_t)MOVE_FLAG_PROTECT;
}

/* --- locked into one move --- */

void attack_gorilla_choose(struct battle *b, int side, struct battle_move *move)
{
    struct pokemon_active *active = active_of(b, side);
    if (!active->gorilla_move && !move->is_max && move->id != MOVE_STRUGGLE)
        active->gorilla_move = move->id;
}

bool attack_gorilla_stops(struct battle *b, int side, const struct battle_move *move)
{
    int locked = active_of(b, side)->gorilla_move;
    return !move->is_max && move->id != MOVE_STRUGGLE && locked && locked != move->id;
}

void attack_gorilla_disable(struct battle *b, int side)
{
    struct pokemon_slots *slots = state_slots(side_of(b, side));
    int locked = active_of(b, side)->gorilla_move;
    if (!locked || is_dynamaxed(b, side))
        return;
    for (int i = 0; i < slots->count; ++i)
        if (slots->id[i] != locked)
            slots->disabled |= (uint8_t)(1 << i);
}
