/* Moves with their own conditions or effects before they hit, or when they fail. */
#include "games/pokemon/moves.h"

/* --- conditions for trying --- */

EFFECT(try_first_turn)
{
    UNUSED;
    return effect_done(active_of(b, user)->actions <= 1);
}

EFFECT(try_aura_wheel)
{
    UNUSED;
    bool morpeko = dex_species[mon_of(b, user)->species].base == SPECIES_MORPEKO;
    return morpeko ? HIT_DONE : HIT_NULL;
}

EFFECT(try_aurora_veil)
{
    UNUSED;
    return effect_done(state_weather(b) == WEATHER_HAIL);
}

EFFECT(try_clangorous_soul)
{
    UNUSED;
    const struct pokemon_mon *mon = mon_of(b, user);
    return effect_done(mon->hp * 100 > mon->max_hp * 33 && mon->max_hp != 1);
}

EFFECT(try_counter)
{
    UNUSED;
    return effect_done(has_volatile(b, user, VOLATILE_COUNTER) &&
                       (active_of(b, user)->flags & ACTIVE_COUNTER_HIT));
}

EFFECT(try_mirror_coat)
{
    UNUSED;
    return effect_done(has_volatile(b, user, VOLATILE_MIRRORCOAT) &&
                       (active_of(b, user)->flags & ACTIVE_MIRROR_HIT));
}

EFFECT(try_future_sight)
{
    UNUSED;
    struct pokemon_side *side = side_of(b, target);
    if (side->future_move)
        return HIT_FAIL;
    side->future_move = 1;
    side->future_turn = (uint8_t)(b->s->turn - 1 + 2);
    side->future_source = side_of(b, user)->order[0];
    return HIT_NOT_FAIL;
}

EFFECT(try_magnet_rise)
{
    UNUSED;
    return effect_done(!has_volatile(b, user, VOLATILE_SMACKDOWN));
}

EFFECT(try_no_retreat)
{
    UNUSED;
    if (has_volatile(b, user, VOLATILE_NORETREAT))
        return HIT_FAIL;
    move->skips.volatile_condition = has_volatile(b, user, VOLATILE_TRAPPED);
    return HIT_DONE;
}

EFFECT(try_poltergeist)
{
    UNUSED;
    return effect_done(mon_of(b, target)->item != ITEM_NONE);
}

EFFECT(try_rest)
{
    UNUSED;
    const struct pokemon_mon *mon = mon_of(b, user);
    int ability = state_ability(b, user);
    if (mon->status == STATUS_SLP)
        return HIT_FAIL;
    if (mon->hp == mon->max_hp || ability == ABILITY_INSOMNIA || ability == ABILITY_VITALSPIRIT)
        return HIT_NULL;
    return HIT_DONE;
}

EFFECT(try_asleep)
{
    UNUSED;
    return effect_done(mon_of(b, user)->status == STATUS_SLP);
}

EFFECT(try_sucker_punch)
{
    UNUSED;
    const struct pokemon_action *action = state_move_action(b, target);
    return effect_done(action && dex_moves[action->move].category != CATEGORY_STATUS);
}

EFFECT(try_teleport)
{
    UNUSED;
    return effect_done(state_switches(side_of(b, user)) > 0);
}

EFFECT(prepare_destiny_bond)
{
    UNUSED;
    return effect_done(!volatile_end(b, user, VOLATILE_DESTINYBOND));
}

/* Protecting in successive turns succeeds less and less often. */
EFFECT(prepare_protect)
{
    UNUSED;
    if (!state_will_act(b))
        return HIT_FAIL;
    if (!has_volatile(b, user, VOLATILE_STALL))
        return HIT_DONE;
    int counter = active_of(b, user)->stall_counter;
    if (banyan_dice_chance(b->dice, DIE_STALL, 1, counter))
        return HIT_DONE;
    volatile_remove(b, user, VOLATILE_STALL);
    return HIT_FAIL;
}

EFFECT(hit_stall)
{
    UNUSED;
    volatile_add(b, user, VOLATILE_STALL, user);
    return HIT_NOTHING;
}

/* --- moves of two turns --- */

static int effect_charge(struct battle *b, int user, int mark)
{
    if (volatile_end(b, user, mark))
        return HIT_DONE;
    int item = mon_of(b, user)->item;
    if (item_hooks[item].charge && item_hooks[item].charge(b, user))
        return HIT_DONE;
    volatile_add(b, user, VOLATILE_TWOTURNMOVE, user);
    return HIT_NULL;
}

EFFECT(charge_bounce)
{
    UNUSED;
    return effect_charge(b, user, VOLATILE_BOUNCE);
}

EFFECT(charge_fly)
{
    UNUSED;
    return effect_charge(b, user, VOLATILE_FLY);
}

EFFECT(charge_geomancy)
{
    UNUSED;
    return effect_charge(b, user, VOLATILE_GEOMANCY);
}

EFFECT(charge_meteor_beam)
{
    UNUSED;
    if (volatile_end(b, user, VOLATILE_METEORBEAM))
        return HIT_DONE;
    boost_one(b, user, user, BOOST_SPA, 1, CAUSE_MOVE);
    return effect_charge(b, user, VOLATILE_METEORBEAM);
}

EFFECT(charge_phantom_force)
{
    UNUSED;
    return effect_charge(b, user, VOLATILE_PHANTOMFORCE);
}

EFFECT(charge_solar_beam)
{
    UNUSED;
    if (state_weather(b) == WEATHER_SUNNYDAY && !has_volatile(b, user, VOLATILE_SOLARBEAM))
        return HIT_DONE;
    return effect_charge(b, user, VOLATILE_SOLARBEAM);
}

/* --- before each hit --- */

EFFECT(try_hit_autotomize)
{
    UNUSED;
    bool contrary = state_ability(b, user) == ABILITY_CONTRARY;
    return effect_done(active_of(b, user)->boosts[BOOST_SPE] != (contrary ? -6 : 6));
}

EFFECT(try_hit_break_screens)
{
    UNUSED;
    field_side_remove(b, target, SIDE_REFLECT);
    field_side_remove(b, target, SIDE_LIGHTSCREEN);
    field_side_remove(b, target, SIDE_AURORAVEIL);
    return HIT_DONE;
}

EFFECT(try_hit_clangorous_soul)
{
    UNUSED;
    if (boost_change(b, user, user, move->row->boosts, CAUSE_MOVE) != HIT_DONE)
        return HIT_NULL;
    move->skips.boosts = true;
    return HIT_DONE;
}

EFFECT(try_hit_curse)
{
    UNUSED;
    if (!state_has_type(b, user, TYPE_GHOST)) {
        move->skips.volatile_condition = true;
        move->is_ghost_curse = false;
        return HIT_DONE;
    }
    move->is_ghost_curse = true;
    return effect_done(!has_volatile(b, target, VOLATILE_CURSE));
}

EFFECT(try_hit_by_weight)
{
    UNUSED;
    return is_dynamaxed(b, target) ? HIT_NULL : HIT_DONE;
}

EFFECT(try_hit_healing_wish)
{
    UNUSED;
    return state_switches(side_of(b, user)) ? HIT_DONE : HIT_NOT_FAIL;
}

EFFECT(try_hit_nature_power)
{
    UNUSED;
    static const uint16_t called[TERRAIN_COUNT] = {MOVE_TRIATTACK, MOVE_THUNDERBOLT,
                                                   MOVE_ENERGYBALL, MOVE_MOONBLAST, MOVE_PSYCHIC};
    struct battle_move other;
    use_fill(&other, called[state_terrain(b)]);
    use_move(b, &other, user, target, MOVE_NATUREPOWER);
    return HIT_NULL;
}

EFFECT(try_hit_substitute)
{
    UNUSED;
    const struct pokemon_mon *mon = mon_of(b, user);
    bool can = !has_volatile(b, user, VOLATILE_SUBSTITUTE) && mon->hp * 4 > mon->max_hp &&
               mon->max_hp != 1;
    return can ? HIT_DONE : HIT_NOT_FAIL;
}

EFFECT(try_hit_yawn)
{
    UNUSED;
    return effect_done(!mon_of(b, target)->status);
}

bool works_leech_seed(struct battle *b, int user, int target, struct battle_move *move)
{
    UNUSED;
    return !state_has_type(b, target, TYPE_GRASS);
}

bool works_trick(struct battle *b, int user, int target, struct battle_move *move)
{
    UNUSED;
    return state_ability(b, target) != ABILITY_STICKYHOLD;
}

/* --- failing, and effects before moves --- */

DEED(fail_crash)
{
    UNUSED;
    hp_damage(b, user, mon_of(b, user)->base_max_hp / 2, user, CAUSE_CRASH);
}

void ready_counter(struct battle *b, int user)
{
    volatile_add(b, user, VOLATILE_COUNTER, user);
}

void ready_mirror_coat(struct battle *b, int user)
{
    volatile_add(b, user, VOLATILE_MIRRORCOAT, user);
}

void ready_focus_punch(struct battle *b, int user)
{
    volatile_add(b, user, VOLATILE_FOCUSPUNCH, user);
}

bool spoiled_focus_punch(struct battle *b, int user)
{
    return has_volatile(b, user, VOLATILE_FOCUSPUNCH) &&
           (active_of(b, user)->flags & ACTIVE_LOST_FOCUS);
}
