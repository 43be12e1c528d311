/* Moves with their own effects when they hit. */
#include "games/pokemon/moves.h"

/* Cures the whole team. */
EFFECT(hit_cure_team)
{
    UNUSED;
    struct pokemon_side *side = side_of(b, user);
    bool done = false;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &side->mons[i];
        if (!mon->hp || !mon->status)
            continue;
        status_clear(mon);
        done = true;
    }
    return effect_done(done);
}

EFFECT(hit_autotomize)
{
    UNUSED;
    struct pokemon_active *active = active_of(b, user);
    active->weight = (uint16_t)(active->weight > 1001 ? active->weight - 1000 : 1);
    return HIT_NOTHING;
}

EFFECT(hit_belly_drum)
{
    UNUSED;
    struct pokemon_mon *mon = mon_of(b, user);
    if (mon->hp * 2 <= mon->max_hp || active_of(b, user)->boosts[BOOST_ATK] >= 6 ||
        mon->max_hp == 1)
        return HIT_FAIL;
    hp_direct(b, user, mon->max_hp / 2, user, CAUSE_MOVE);
    boost_one(b, user, user, BOOST_ATK, 12, CAUSE_MOVE);
    return HIT_NOTHING;
}

EFFECT(hit_bug_bite)
{
    UNUSED;
    int item = mon_of(b, target)->item;
    if (mon_of(b, user)->hp && (dex_items[item].flags & ITEM_FLAG_BERRY) &&
        item_take(b, target, user) > 0) {
        item_eaten(b, item, user);
        mon_of(b, user)->flags |= MON_ATE_BERRY;
    }
    return HIT_NOTHING;
}

DEED(secondary_burning_jealousy)
{
    UNUSED;
    if (active_of(b, target)->flags & ACTIVE_RAISED)
        status_try(b, target, STATUS_BRN, user, CAUSE_MOVE);
}

DEED(secondary_anchor_shot)
{
    UNUSED;
    effect_trap(b, user, target);
}

/* The target cannot leave while the user is there. */
void effect_trap(struct battle *b, int user, int target)
{
    if (!mon_of(b, user)->hp)
        return;
    if (volatile_add(b, target, VOLATILE_TRAPPED, user) == HIT_DONE)
        volatile_add(b, user, VOLATILE_TRAPPER, target);
}

DEED(secondary_throat_chop)
{
    UNUSED;
    volatile_add(b, target, VOLATILE_THROATCHOP, user);
}

DEED(secondary_tri_attack)
{
    UNUSED;
    static const uint8_t status[] = {STATUS_BRN, STATUS_PAR, STATUS_FRZ};
    int pick = banyan_dice_pick(b->dice, DIE_PICK_STATUS, 3);
    status_try(b, target, status[pick], user, CAUSE_MOVE);
}

EFFECT(hit_clangorous_soul)
{
    UNUSED;
    hp_direct(b, user, mon_of(b, user)->max_hp * 33 / 100, user, CAUSE_MOVE);
    return HIT_NOTHING;
}

EFFECT(hit_clear_smog)
{
    UNUSED;
    boost_clear(b, target);
    return HIT_NOTHING;
}

EFFECT(hit_court_change)
{
    UNUSED;
    bool any = false;
    struct pokemon_side *a = side_of(b, 0), *c = side_of(b, 1);
    for (int i = 1; i < SIDE_COUNT; ++i) {
        uint8_t keep = a->condition[i];
        any |= a->condition[i] || c->condition[i];
        a->condition[i] = c->condition[i];
        c->condition[i] = keep;
        if (i >= SIDE_HAZARDS)
            continue;
        keep = a->stamp[i];
        a->stamp[i] = c->stamp[i];
        c->stamp[i] = keep;
    }
    uint8_t web = a->web_source;
    a->web_source = c->web_source;
    c->web_source = web;
    return any ? HIT_NOTHING : HIT_FAIL;
}

EFFECT(hit_curse)
{
    UNUSED;
    if (move->is_ghost_curse) {
        hp_direct(b, user, mon_of(b, user)->max_hp / 2, user, CAUSE_MOVE);
        return HIT_NOTHING;
    }
    static const int8_t boosts[BOOST_COUNT] = {[BOOST_ATK] = 1, [BOOST_DEF] = 1, [BOOST_SPE] = -1};
    banyan_dice_test(b->dice, DIE_SELF, 100, 1);
    boost_change(b, user, user, boosts, CAUSE_MOVE);
    return HIT_NOTHING;
}

bool effect_clear_hazards(struct battle *b, int side)
{
    bool any = false;
    for (int i = 1; i < SIDE_HAZARDS; ++i)
        any |= field_side_remove(b, side, i);
    return any;
}

int effect_defog(struct battle *b, int user, int target, bool done)
{
    field_side_remove(b, target, SIDE_REFLECT);
    field_side_remove(b, target, SIDE_LIGHTSCREEN);
    field_side_remove(b, target, SIDE_AURORAVEIL);
    done |= effect_clear_hazards(b, target);
    done |= effect_clear_hazards(b, user);
    field_clear_terrain(b);
    return effect_done(done);
}

EFFECT(hit_defog)
{
    UNUSED;
    bool done = false;
    if (!has_volatile(b, target, VOLATILE_SUBSTITUTE) || move->infiltrates)
        done = boost_one(b, target, user, BOOST_EVASION, -1, CAUSE_MOVE) == HIT_DONE;
    return effect_defog(b, user, target, done);
}

EFFECT(hit_haze)
{
    UNUSED;
    for (int side = 0; side < 2; ++side)
        if (!is_fainted(b, side))
            boost_clear(b, side);
    return HIT_NOTHING;
}

EFFECT(hit_jungle_healing)
{
    UNUSED;
    bool healed = hp_heal(b, user, modifier_apply(mon_of(b, user)->max_hp, MODIFIER_0_25)) > 0;
    return effect_done(status_cure(b, user) || healed);
}

DEED(after_knock_off)
{
    UNUSED;
    item_take(b, target, target);
}

static int effect_heal_by_weather(struct battle *b, int side, int factor)
{
    int healed = hp_heal(b, side, modifier_apply(mon_of(b, side)->max_hp, factor));
    return healed > 0 ? HIT_DONE : HIT_NOT_FAIL;
}

EFFECT(hit_synthesis)
{
    UNUSED;
    int weather = state_weather(b);
    int factor = !weather                      ? MODIFIER_0_5
                 : weather == WEATHER_SUNNYDAY ? MODIFIER_2_THIRDS
                                               : MODIFIER_0_25;
    return effect_heal_by_weather(b, user, factor);
}

EFFECT(hit_shore_up)
{
    UNUSED;
    return effect_heal_by_weather(
        b, user, state_weather(b) == WEATHER_SANDSTORM ? MODIFIER_2_THIRDS : MODIFIER_0_5);
}

EFFECT(hit_pain_split)
{
    UNUSED;
    int theirs = state_undynamaxed(b, target, mon_of(b, target)->hp);
    int average = (theirs + mon_of(b, user)->hp) / 2;
    average = average ? average : 1;
    hp_set(mon_of(b, target), mon_of(b, target)->hp - (theirs - average));
    hp_set(mon_of(b, user), average);
    return HIT_NOTHING;
}

EFFECT(hit_parting_shot)
{
    UNUSED;
    static const int8_t boosts[BOOST_COUNT] = {[BOOST_ATK] = -1, [BOOST_SPA] = -1};
    int done = boost_change(b, target, user, boosts, CAUSE_MOVE);
    if (done != HIT_DONE && state_ability(b, target) != ABILITY_MIRRORARMOR)
        move->skips.switch_out = true;
    return HIT_NOTHING;
}

DEED(after_rapid_spin)
{
    UNUSED;
    if (move->has_sheer_force || !mon_of(b, user)->hp)
        return;
    volatile_end(b, user, VOLATILE_LEECHSEED);
    effect_clear_hazards(b, user);
    volatile_end(b, user, VOLATILE_PARTIALLYTRAPPED);
}

EFFECT(hit_recycle)
{
    UNUSED;
    struct pokemon_mon *mon = mon_of(b, user);
    if (mon->item || !mon->last_item)
        return HIT_FAIL;
    int item = mon->last_item;
    mon->last_item = ITEM_NONE;
    item_give(b, user, item);
    return HIT_NOTHING;
}

EFFECT(hit_rest)
{
    UNUSED;
    struct pokemon_mon *mon = mon_of(b, user);
    int result = status_set(b, user, STATUS_SLP, user, CAUSE_MOVE);
    if (result != HIT_DONE)
        return result;
    if (mon->status == STATUS_SLP)
        mon->status_time = mon->status_start = 3;
    hp_heal(b, user, mon->max_hp);
    return HIT_NOTHING;
}

EFFECT(hit_sleep_talk)
{
    UNUSED;
    const struct pokemon_slots *slots = state_slots(side_of(b, user));
    uint16_t moves[4];
    int count = 0;
    for (int i = 0; i < slots->count; ++i)
        if (!(dex_moves[slots->id[i]].flags & (MOVE_FLAG_NOSLEEPTALK | MOVE_FLAG_CHARGE)))
            moves[count++] = slots->id[i];
    if (!count)
        return HIT_FAIL;
    struct battle_move called;
    use_fill(&called, moves[banyan_dice_pick(b->dice, DIE_SLEEP_TALK, count)]);
    use_move(b, &called, user, called.target == TARGET_FOE ? !user : user, MOVE_SLEEPTALK);
    return HIT_NOTHING;
}

DEED(after_sparkling_aria)
{
    UNUSED;
    bool wet = has_volatile(b, target, VOLATILE_SPARKLINGARIA);
    for (int side = 0; side < 2; ++side)
        volatile_remove(b, side, VOLATILE_SPARKLINGARIA);
    if (wet && !is_fainted(b, user) && !move->has_sheer_force && !is_fainted(b, target) &&
        mon_of(b, target)->status == STATUS_BRN)
        status_cure(b, target);
}

EFFECT(hit_strength_sap)
{
    UNUSED;
    if (active_of(b, target)->boosts[BOOST_ATK] == -6)
        return HIT_FAIL;
    int attack = stats_get(b, target, BOOST_ATK, false, true);
    bool lowered = boost_one(b, target, user, BOOST_ATK, -1, CAUSE_MOVE) == HIT_DONE;
    bool healed = hp_heal(b, user, attack) > 0;
    return effect_done(healed || lowered);
}

EFFECT(hit_substitute_made)
{
    UNUSED;
    hp_direct(b, user, mon_of(b, user)->max_hp / 4, user, CAUSE_MOVE);
    return HIT_NOTHING;
}

EFFECT(hit_trick)
{
    UNUSED;
    int theirs = item_take(b, target, user), own = item_take(b, user, user);
    bool stuck = theirs < 0 || own < 0 || (!theirs && !own);
    if (!stuck)
        stuck = (own && !item_may_leave(b, own, target, user)) ||
                (theirs && !item_may_leave(b, theirs, user, target));
    if (stuck) {
        if (theirs > 0)
            mon_of(b, target)->item = (uint8_t)theirs;
        if (own > 0)
            mon_of(b, user)->item = (uint8_t)own;
        return HIT_FAIL;
    }
    if (own)
        item_give(b, target, own);
    if (theirs)
        item_give(b, user, theirs);
    return HIT_NOTHING;
}

EFFECT(hit_transform)
{
    UNUSED;
    return effect_done(forme_transform(b, user, target));
}
