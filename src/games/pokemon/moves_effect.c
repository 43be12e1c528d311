/* Moves that do something of their own when they are tried or when they hit. */
#include "games/pokemon/moves.h"

#define EFFECT(name) int name(struct battle *b, int user, int target, struct battle_move *move)
#define DEED(name)   void name(struct battle *b, int user, int target, struct battle_move *move)
#define UNUSED       (void)b, (void)user, (void)target, (void)move

static int effect_done(bool done)
{
    return done ? HIT_DONE : HIT_FAIL;
}

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
    move->no_volatile = has_volatile(b, user, VOLATILE_TRAPPED);
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
    return effect_done(!volatile_remove(b, user, VOLATILE_DESTINYBOND));
}

/* Protecting oneself again and again succeeds less and less often. */
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
    volatile_drop(b, user, VOLATILE_STALL);
    return HIT_FAIL;
}

EFFECT(hit_stall)
{
    UNUSED;
    volatile_add(b, user, VOLATILE_STALL, user, CAUSE_MOVE);
    return HIT_NOTHING;
}

/* --- moves of two turns --- */

static int effect_charge(struct battle *b, int user, int mark)
{
    if (volatile_remove(b, user, mark))
        return HIT_DONE;
    int item = mon_of(b, user)->item;
    if (item_hooks[item].charge && item_hooks[item].charge(b, user))
        return HIT_DONE;
    volatile_add(b, user, VOLATILE_TWOTURNMOVE, user, CAUSE_MOVE);
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
    if (volatile_remove(b, user, VOLATILE_METEORBEAM))
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
    if (boost_change(b, user, user, move->row->boosts, CAUSE_MOVE, false) != HIT_DONE)
        return HIT_NULL;
    move->no_boosts = true;
    return HIT_DONE;
}

EFFECT(try_hit_curse)
{
    UNUSED;
    if (!state_has_type(b, user, TYPE_GHOST)) {
        move->no_volatile = true;
        move->ghost_curse = false;
        return HIT_DONE;
    }
    move->ghost_curse = true;
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

/* --- hits --- */

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

/* Neither can leave while the other is there. */
void effect_trap(struct battle *b, int user, int target)
{
    if (!mon_of(b, user)->hp)
        return;
    if (volatile_add(b, target, VOLATILE_TRAPPED, user, CAUSE_MOVE) == HIT_DONE)
        volatile_add(b, user, VOLATILE_TRAPPER, target, CAUSE_MOVE);
}

DEED(secondary_throat_chop)
{
    UNUSED;
    volatile_add(b, target, VOLATILE_THROATCHOP, user, CAUSE_MOVE);
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
    if (move->ghost_curse) {
        hp_direct(b, user, mon_of(b, user)->max_hp / 2, user, CAUSE_MOVE);
        return HIT_NOTHING;
    }
    static const int8_t boosts[BOOST_COUNT] = {[BOOST_ATK] = 1, [BOOST_DEF] = 1, [BOOST_SPE] = -1};
    banyan_dice_test(b->dice, DIE_SELF, 100, 1);
    boost_change(b, user, user, boosts, CAUSE_MOVE, false);
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
    bool healed = hp_heal(b, user, modifier_apply(mon_of(b, user)->max_hp, 1024)) > 0;
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
    int factor = !weather ? 2048 : weather == WEATHER_SUNNYDAY ? 2732 : 1024;
    return effect_heal_by_weather(b, user, factor);
}

EFFECT(hit_shore_up)
{
    UNUSED;
    return effect_heal_by_weather(b, user, state_weather(b) == WEATHER_SANDSTORM ? 2732 : 2048);
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
    int done = boost_change(b, target, user, boosts, CAUSE_MOVE, false);
    if (done != HIT_DONE && state_ability(b, target) != ABILITY_MIRRORARMOR)
        move->no_switch = true;
    return HIT_NOTHING;
}

DEED(after_rapid_spin)
{
    UNUSED;
    if (move->sheer || !mon_of(b, user)->hp)
        return;
    volatile_remove(b, user, VOLATILE_LEECHSEED);
    effect_clear_hazards(b, user);
    volatile_remove(b, user, VOLATILE_PARTIALLYTRAPPED);
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
        volatile_drop(b, side, VOLATILE_SPARKLINGARIA);
    if (wet && !is_fainted(b, user) && !move->sheer && !is_fainted(b, target) &&
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

/* --- failing and getting ready --- */

DEED(fail_crash)
{
    UNUSED;
    hp_damage(b, user, mon_of(b, user)->base_max_hp / 2, user, CAUSE_CRASH);
}

void ready_counter(struct battle *b, int user)
{
    volatile_add(b, user, VOLATILE_COUNTER, user, CAUSE_MOVE);
}

void ready_mirror_coat(struct battle *b, int user)
{
    volatile_add(b, user, VOLATILE_MIRRORCOAT, user, CAUSE_MOVE);
}

void ready_focus_punch(struct battle *b, int user)
{
    volatile_add(b, user, VOLATILE_FOCUSPUNCH, user, CAUSE_MOVE);
}

bool spoiled_focus_punch(struct battle *b, int user)
{
    return has_volatile(b, user, VOLATILE_FOCUSPUNCH) &&
           (active_of(b, user)->flags & ACTIVE_LOST_FOCUS);
}
