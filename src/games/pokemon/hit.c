/* A move reaches its target: the steps of one use, and of each hit. */
#include "games/pokemon/hooks.h"

#include <string.h>

/* What became of the target within a hit. */
enum hit_aim { AIM_LOST, AIM_SUBSTITUTE, AIM_TARGET };

/* --- results, as the rules combine them --- */

static bool hit_truth(int result)
{
    return result > 0 || result == HIT_DONE || result == HIT_SUBSTITUTE;
}

static bool hit_counts(int result)
{
    return hit_truth(result) || result == 0;
}

static int hit_rank(int result)
{
    return result >= 0                                ? 4
           : result == HIT_FAIL || result == HIT_DONE ? 3
           : result == HIT_NULL                       ? 2
           : result == HIT_NOT_FAIL                   ? 1
                                                      : 0;
}

static int hit_combine(int left, int right)
{
    if (hit_rank(left) > hit_rank(right))
        return left;
    if (hit_truth(left) && !hit_truth(right) && right != 0)
        return left;
    return left >= 0 && right >= 0 ? left + right : right;
}

/* --- steps before the hits --- */

static bool hit_reaches(const struct battle *b, int user, int target,
                        const struct battle_move *move)
{
    static const uint16_t in_air[] = {MOVE_HURRICANE, MOVE_THUNDER, MOVE_THOUSANDARROWS};
    if (!state_hidden(b, target))
        return true;
    if (move->id == MOVE_TOXIC && state_has_type(b, user, TYPE_POISON))
        return true;
    if (state_ability(b, user) == ABILITY_NOGUARD || state_ability(b, target) == ABILITY_NOGUARD)
        return true;
    if (has_volatile(b, target, VOLATILE_PHANTOMFORCE))
        return false;
    for (unsigned i = 0; i < sizeof in_air / sizeof *in_air; ++i)
        if (in_air[i] == move->id)
            return true;
    return false;
}

/* Moves that protect, and what touching their user costs. */
static void hit_protected(struct battle *b, int user, int target, const struct battle_move *move,
                          int id)
{
    bool contact = (move->flags & MOVE_FLAG_CONTACT) != 0;
    if (active_of(b, user)->locked_turns == 2)
        volatile_drop(b, user, VOLATILE_LOCKEDMOVE);
    if (!contact)
        return;
    if (id == VOLATILE_KINGSSHIELD)
        boost_one(b, user, target, BOOST_ATK, -1, CAUSE_MOVE);
    else if (id == VOLATILE_BANEFULBUNKER)
        status_try(b, user, STATUS_PSN, target, CAUSE_VOLATILE);
    else if (id == VOLATILE_SPIKYSHIELD)
        hp_damage(b, user, mon_of(b, user)->base_max_hp / 8, target, CAUSE_VOLATILE);
}

static bool hit_passes_max_guard(int move)
{
    static const uint16_t passes[] = {MOVE_AROMATHERAPY, MOVE_CURSE,        MOVE_FUTURESIGHT,
                                      MOVE_GMAXONEBLOW,  MOVE_HEALBELL,     MOVE_GMAXRAPIDFLOW,
                                      MOVE_ROAR,         MOVE_JUNGLEHEALING};
    for (unsigned i = 0; i < sizeof passes / sizeof *passes; ++i)
        if (passes[i] == move)
            return true;
    return false;
}

static int hit_protect(struct battle *b, int user, int target, struct battle_move *move)
{
    static const uint8_t guards[] = {VOLATILE_PROTECT, VOLATILE_KINGSSHIELD, VOLATILE_SPIKYSHIELD,
                                     VOLATILE_BANEFULBUNKER};
    if (has_volatile(b, target, VOLATILE_MAXGUARD)) {
        if (hit_passes_max_guard(move->id))
            return HIT_DONE;
        hit_protected(b, user, target, move, VOLATILE_NONE);
        return HIT_NOT_FAIL;
    }
    for (unsigned i = 0; i < sizeof guards; ++i) {
        if (!has_volatile(b, target, guards[i]))
            continue;
        bool stops = (move->flags & MOVE_FLAG_PROTECT) &&
                     (move->category != CATEGORY_STATUS || guards[i] != VOLATILE_KINGSSHIELD);
        if (!stops || move->max) {
            if (move->max && move->id != MOVE_GMAXONEBLOW && move->id != MOVE_GMAXRAPIDFLOW)
                move->bypass_protect = true;
            if (!stops)
                return HIT_DONE;
        }
        hit_protected(b, user, target, move, guards[i]);
        return HIT_NOT_FAIL;
    }
    return HIT_DONE;
}

/* Psychic Terrain stops moves of priority; protection; abilities. */
static int hit_guards(struct battle *b, int user, int target, struct battle_move *move)
{
    if (state_terrain(b) == TERRAIN_PSYCHICTERRAIN && move->priority > 0 &&
        move->target != TARGET_SELF && user != target && !state_hidden(b, target) &&
        state_grounded(b, target))
        return HIT_FAIL;
    int result = hit_protect(b, user, target, move);
    if (result != HIT_DONE)
        return result;
    const struct ability_hooks *guard = &ability_hooks[state_ability_unbroken(b, target)];
    if (guard->try_hit && guard->try_hit(b, target, user, move) != HIT_DONE) {
        mon_of(b, target)->seen |= SEEN_ABILITY;
        return HIT_FAIL;
    }
    return HIT_DONE;
}

static bool hit_works(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    uint32_t types = state_types(b, target);
    if ((move->flags & MOVE_FLAG_POWDER) && user != target &&
        (types & dex_immune_to[IMMUNE_POWDER]))
        return false;
    if (hooks->works_on && !hooks->works_on(b, user, target, move))
        return false;
    return !(move->prankster && user != target && state_ability(b, user) == ABILITY_PRANKSTER &&
             (types & dex_immune_to[IMMUNE_PRANKSTER]));
}

static int hit_modified_accuracy(const struct battle *b, int user, const struct battle_move *move,
                                 int accuracy)
{
    const struct ability_hooks *own = &ability_hooks[state_ability(b, user)];
    const struct item_hooks *item = &item_hooks[mon_of(b, user)->item];
    int modifier = MODIFIER_ONE;
    if (own->accuracy)
        modifier = own->accuracy(b, user, !user, move, modifier);
    if (item->accuracy)
        modifier = item->accuracy(b, user, !user, move, modifier);
    return modifier_apply(accuracy, modifier);
}

static bool hit_never_misses(const struct battle *b, int user, int target,
                             const struct battle_move *move)
{
    return !move->accuracy || (move->id == MOVE_TOXIC && state_has_type(b, user, TYPE_POISON)) ||
           state_ability(b, user) == ABILITY_NOGUARD || state_ability(b, target) == ABILITY_NOGUARD;
}

static bool hit_accuracy(struct battle *b, int user, int target, struct battle_move *move)
{
    b->target = target;
    if (hit_never_misses(b, user, target, move) ||
        (move->target == TARGET_SELF && move->category == CATEGORY_STATUS))
        return true;
    int accuracy = hit_modified_accuracy(b, user, move, move->accuracy);
    int boost =
        stats_seen_boost(b, user, BOOST_ACCURACY, active_of(b, user)->boosts[BOOST_ACCURACY]);
    if (!(move->props & MOVE_IS_IGNORE_EVASION)) {
        boost -=
            stats_seen_boost(b, target, BOOST_EVASION, active_of(b, target)->boosts[BOOST_EVASION]);
        boost = boost > 6 ? 6 : boost < -6 ? -6 : boost;
    }
    accuracy = boost > 0 ? accuracy * (3 + boost) / 3 : accuracy * 3 / (3 - boost);
    if (banyan_dice_chance(b->dice, DIE_ACCURACY, accuracy > 100 ? 100 : accuracy, 100))
        return true;
    if (mon_of(b, user)->item == ITEM_BLUNDERPOLICY && item_use(b, user))
        boost_one(b, user, user, BOOST_SPE, 2, CAUSE_ITEM);
    return false;
}

/* The later hits of Triple Axel, whose stages are not rounded in between. */
static bool hit_again(struct battle *b, int user, int target, struct battle_move *move)
{
    static const uint8_t third[] = {3, 4, 5, 6, 7, 8, 9};
    if (hit_never_misses(b, user, target, move))
        return true;
    int own = stats_seen_boost(b, user, BOOST_ACCURACY, active_of(b, user)->boosts[BOOST_ACCURACY]);
    int evasion =
        stats_seen_boost(b, target, BOOST_EVASION, active_of(b, target)->boosts[BOOST_EVASION]);
    int64_t up = move->accuracy, down = 1;
    *(own > 0 ? &up : &down) *= third[own < 0 ? -own : own];
    *(own > 0 ? &down : &up) *= 3;
    *(evasion > 0 ? &down : &up) *= third[evasion < 0 ? -evasion : evasion];
    *(evasion > 0 ? &up : &down) *= 3;
    int accuracy = hit_modified_accuracy(b, user, move, (int)(up / down));
    return banyan_dice_chance(b->dice, DIE_ACCURACY, accuracy > 100 ? 100 : accuracy, 100);
}

static void hit_break_protect(struct battle *b, int target)
{
    static const uint8_t guards[] = {VOLATILE_PROTECT, VOLATILE_KINGSSHIELD, VOLATILE_SPIKYSHIELD,
                                     VOLATILE_BANEFULBUNKER};
    bool broke = false;
    for (unsigned i = 0; i < sizeof guards; ++i)
        broke |= volatile_remove(b, target, guards[i]);
    if (broke)
        volatile_drop(b, target, VOLATILE_STALL);
}

static void hit_steal_boosts(struct battle *b, int user, int target)
{
    int8_t boosts[BOOST_COUNT] = {0};
    bool any = false;
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (active_of(b, target)->boosts[i] > 0) {
            boosts[i] = active_of(b, target)->boosts[i];
            any = true;
        }
    if (!any)
        return;
    boost_change(b, user, user, boosts, CAUSE_MOVE, false);
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (boosts[i])
            active_of(b, target)->boosts[i] = 0;
}

/* --- one hit --- */

/* A substitute stands in front of the target. */
static int hit_substitute(struct battle *b, int user, int target, struct battle_move *move)
{
    struct pokemon_active *active = active_of(b, target);
    const struct move_hooks *hooks = &move_hooks[move->id];
    int damage = damage_get(b, user, target, move);
    if (damage < 0)
        return HIT_NULL;
    if (damage > active->substitute)
        damage = active->substitute;
    active->substitute = (uint16_t)(active->substitute - damage);
    if (!active->substitute)
        volatile_remove(b, target, VOLATILE_SUBSTITUTE);
    if (damage)
        hit_recoil(b, user, move, damage);
    if (move->row->drain[0])
        hp_heal(b, user,
                (damage * move->row->drain[0] + move->row->drain[1] - 1) / move->row->drain[1]);
    if (hooks->after_substitute)
        hooks->after_substitute(b, user, target, move);
    return HIT_SUBSTITUTE;
}

static int hit_primary(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct ability_hooks *own = &ability_hooks[state_ability(b, user)];
    const struct ability_hooks *theirs = &ability_hooks[state_ability_unbroken(b, target)];
    if (user != target) {
        if (own->try_primary)
            own->try_primary(b, user, target, move);
        else if (theirs->try_primary == ability_hooks[ABILITY_AURABREAK].try_primary &&
                 theirs->try_primary)
            theirs->try_primary(b, target, user, move);
    }
    if (user == target || !has_volatile(b, target, VOLATILE_SUBSTITUTE) ||
        (move->flags & MOVE_FLAG_BYPASSSUB) || move->infiltrates)
        return HIT_DONE;
    return hit_substitute(b, user, target, move);
}

static int hit_deal(struct battle *b, int user, int target, struct battle_move *move, int damage)
{
    if (damage < 0)
        return damage == HIT_DONE ? 0 : damage;
    if (!mon_of(b, target)->hp)
        return 0;
    damage = hp_damage(b, target, damage, user, CAUSE_MOVE);
    if (damage > 0 && move->row->drain[0]) {
        int num = move->row->drain[0], den = move->row->drain[1];
        hp_heal(b, user, (2 * damage * num + den) / (2 * den));
    }
    return damage;
}

/* What the move does to its target besides damage.  false: it failed there. */
static bool hit_main_effects(struct battle *b, int user, int target, struct battle_move *move,
                             int *damage, int *did, int *anything)
{
    const struct dex_move *row = move->row;
    struct pokemon_mon *mon = mon_of(b, target);
    if (row->has_boosts && !move->no_boosts && !is_fainted(b, target))
        *did = hit_combine(*did, boost_change(b, target, user, row->boosts, CAUSE_MOVE, false));
    if (row->heal[0] && !is_fainted(b, target)) {
        int amount = (2 * mon->base_max_hp * row->heal[0] + row->heal[1]) / (2 * row->heal[1]);
        if (mon->hp >= mon->max_hp || hp_heal(b, target, amount) < 0) {
            *damage = hit_combine(*damage, HIT_FAIL);
            *anything = hit_combine(*anything, HIT_NULL);
            return false;
        }
        *did = HIT_DONE;
    }
    if (row->status) {
        int result = status_try(b, target, row->status, user, CAUSE_MOVE);
        if (result != HIT_DONE) {
            *damage = hit_combine(*damage, HIT_FAIL);
            *anything = hit_combine(*anything, HIT_NULL);
            return false;
        }
        *did = hit_combine(*did, result);
    }
    if (row->volatile_id && !move->no_volatile)
        *did = hit_combine(*did, volatile_add(b, target, row->volatile_id, user, CAUSE_MOVE));
    return true;
}

static int hit_slot_condition(struct battle *b, int user, int condition)
{
    struct pokemon_side *side = side_of(b, user);
    if (condition == SLOT_WISH) {
        if (side->wish_there)
            return HIT_FAIL;
        side->wish_there = 1;
        side->wish_hp = mon_of(b, user)->max_hp;
        side->wish_turn = (uint8_t)((b->s->turn - 1) % 256);
    } else {
        if (side->healing_wish)
            return HIT_FAIL;
        side->healing_wish = 1;
    }
    return HIT_DONE;
}

static int hit_pseudo_weather(struct battle *b, int id)
{
    uint8_t *turns = id == PSEUDO_TRICKROOM ? &b->s->trick_room : &b->s->ion_deluge;
    if (*turns && id == PSEUDO_TRICKROOM) {
        *turns = 0;
        return HIT_DONE;
    }
    if (*turns)
        return HIT_FAIL;
    *turns = id == PSEUDO_TRICKROOM ? 5 : 1;
    return HIT_DONE;
}

static void hit_field_effects(struct battle *b, int user, int target, struct battle_move *move,
                              int *did)
{
    const struct dex_move *row = move->row;
    if (row->side_condition) {
        int side = move->target == TARGET_FOE_SIDE ? target : user;
        bool done = field_side_add(b, side, row->side_condition, user);
        *did = hit_combine(*did, done ? HIT_DONE : HIT_FAIL);
    }
    if (row->slot_condition)
        *did = hit_combine(*did, hit_slot_condition(b, user, row->slot_condition));
    if (row->weather)
        *did = hit_combine(*did, field_weather(b, row->weather, user, false) ? HIT_DONE : HIT_FAIL);
    if (row->terrain)
        *did = hit_combine(*did, field_terrain(b, row->terrain, user) ? HIT_DONE : HIT_FAIL);
    if (row->pseudo_weather)
        *did = hit_combine(*did, hit_pseudo_weather(b, row->pseudo_weather));
    if (move->props & MOVE_IS_FORCE_SWITCH)
        *did = hit_combine(*did, state_switches(side_of(b, target)) ? HIT_DONE : HIT_FAIL);
}

static void hit_lose_focus(struct battle *b, int target, const struct battle_move *move)
{
    if (has_volatile(b, target, VOLATILE_FOCUSPUNCH) && move->category != CATEGORY_STATUS)
        active_of(b, target)->flags |= ACTIVE_LOST_FOCUS;
}

static int hit_effects(struct battle *b, int user, int target, struct battle_move *move, int aim,
                       int damage)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    int anything = damage, did = HIT_NOTHING;
    bool going = aim != AIM_LOST;
    if (aim == AIM_TARGET) {
        going = hit_main_effects(b, user, target, move, &damage, &did, &anything);
        if (going) {
            hit_field_effects(b, user, target, move, &did);
            if (hooks->hit) { /* who says nothing has done something */
                int result = hooks->hit(b, user, target, move);
                did = hit_combine(did, result == HIT_NOTHING ? HIT_DONE : result);
            }
            hit_lose_focus(b, target, move);
        }
    }
    bool switches = (move->props & MOVE_IS_SELF_SWITCH) && !move->no_switch;
    if (going) {
        if ((move->props & MOVE_IS_DIES_IF_HIT) && damage != HIT_FAIL)
            hp_faint(b, user, user, true, false);
        if (switches && state_switches(side_of(b, user)))
            did = HIT_DONE;
        else if (switches)
            did = hit_combine(did, HIT_FAIL);
        if (did == HIT_NOTHING)
            did = HIT_DONE;
        damage = hit_combine(damage, did == HIT_NULL ? HIT_FAIL : did);
        anything = hit_combine(anything, did);
    }
    bool silent = move->row->has_self || (move->props & (MOVE_IS_EXPLODES | MOVE_IS_DIES_IF_HIT));
    if (!hit_counts(anything) && !silent)
        return damage;
    if (switches && mon_of(b, user)->hp)
        active_of(b, user)->flags |= ACTIVE_SWITCH;
    return damage;
}

/* --- effects on the user, and by chance --- */

static void hit_self(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct dex_move *row = move->row;
    const struct move_hooks *hooks = &move_hooks[move->id];
    if (row->self_has_boosts)
        boost_change(b, user, user, row->self_boosts, CAUSE_MOVE, false);
    if (row->self_volatile)
        volatile_add(b, user, row->self_volatile, user, CAUSE_MOVE);
    if (row->self_side_condition)
        field_side_add(b, user, row->self_side_condition, user);
    if (hooks->self)
        hooks->self(b, user, target, move);
}

static void hit_self_drops(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct dex_move *row = move->row;
    if (move->ghost_curse || !row->has_self || move->no_self || move->self_dropped)
        return;
    if (!row->self_has_boosts) {
        hit_self(b, user, target, move);
        return;
    }
    int chance = row->self_chance ? row->self_chance * move->chance_factor : 100;
    if (banyan_dice_test(b->dice, DIE_SELF, 100, 101 - chance))
        hit_self(b, user, target, move);
    if (!move->hits_to)
        move->self_dropped = true;
}

static void hit_secondary(struct battle *b, int user, int target, struct battle_move *move, int aim,
                          const struct dex_secondary *row)
{
    if (aim == AIM_TARGET) {
        if (row->has_boosts && !is_fainted(b, target))
            boost_change(b, target, user, row->boosts, CAUSE_MOVE, true);
        if (row->status)
            status_try(b, target, row->status, user, CAUSE_MOVE);
        if (row->volatile_id)
            volatile_add(b, target, row->volatile_id, user, CAUSE_MOVE);
        if (row->custom && move_hooks[move->id].secondary)
            move_hooks[move->id].secondary(b, user, target, move);
    }
    if (row->has_self)
        boost_change(b, user, user, row->self_boosts, CAUSE_MOVE, true);
}

static void hit_secondaries(struct battle *b, int user, int target, struct battle_move *move,
                            int aim)
{
    bool dust = aim == AIM_TARGET && state_ability_unbroken(b, target) == ABILITY_SHIELDDUST;
    if (move->no_secondaries)
        return;
    for (int i = 0; i < move->row->secondaries; ++i) {
        const struct dex_secondary *row = &move->row->secondary[i];
        if (dust && !row->has_self)
            continue;
        int chance = row->chance * move->chance_factor;
        if (banyan_dice_test(b->dice, DIE_SECONDARY, 100, 101 - chance))
            hit_secondary(b, user, target, move, aim, row);
    }
}

/* Roar and the like, once everything else is done. */
static int hit_force_out(struct battle *b, int user, int target, const struct battle_move *move,
                         int damage)
{
    if (!(move->props & MOVE_IS_FORCE_SWITCH) || !mon_of(b, target)->hp || !mon_of(b, user)->hp ||
        !state_switches(side_of(b, target)))
        return damage;
    if (!is_dynamaxed(b, target))
        active_of(b, target)->flags |= ACTIVE_FORCED;
    return damage;
}

/* --- answers to a hit --- */

static void hit_thaw(struct battle *b, int target, const struct battle_move *move)
{
    if (mon_of(b, target)->status == STATUS_FRZ && move->type == TYPE_FIRE &&
        move->category != CATEGORY_STATUS)
        status_cure(b, target);
}

static void hit_remember(struct battle *b, int user, int target, const struct battle_move *move,
                         int damage)
{
    struct pokemon_active *active = active_of(b, target);
    if (user == target)
        return;
    if (has_volatile(b, target, VOLATILE_COUNTER) && move->category == CATEGORY_PHYSICAL) {
        active->counter_damage = (uint16_t)(2 * damage);
        active->flags |= ACTIVE_COUNTER_HIT;
    }
    if (has_volatile(b, target, VOLATILE_MIRRORCOAT) && move->category == CATEGORY_SPECIAL) {
        active->mirror_damage = (uint16_t)(2 * damage);
        active->flags |= ACTIVE_MIRROR_HIT;
    }
}

static void hit_answers(struct battle *b, int user, int target, struct battle_move *move,
                        int damage)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    const struct ability_hooks *ability = &ability_hooks[state_ability_unbroken(b, target)];
    int before = mon_of(b, user)->hp, item = mon_of(b, target)->item;
    if (ability->hit_taken && ability->hit_order == 1)
        ability->hit_taken(b, target, user, move, damage);
    if (item == ITEM_ROCKYHELMET && !is_fainted(b, target))
        item_hooks[item].hit_taken(b, target, user, move, damage);
    hit_thaw(b, target, move);
    hit_remember(b, user, target, move, damage);
    if (ability->hit_taken && ability->hit_order != 1)
        ability->hit_taken(b, target, user, move, damage);
    if (item != ITEM_ROCKYHELMET && item_hooks[item].hit_taken && mon_of(b, target)->item == item)
        item_hooks[item].hit_taken(b, target, user, move, damage);
    if (hooks->after_hit && mon_of(b, user)->hp)
        hooks->after_hit(b, user, target, move);
    const struct pokemon_mon *mon = mon_of(b, user);
    if (mon->hp && mon->hp * 2 <= mon->max_hp && before * 2 > mon->max_hp)
        update_emergency_exit(b, user);
}

/* One hit, from the substitute to the answers. */
static int hit_once(struct battle *b, int user, int target, struct battle_move *move, int *aim)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    bool on_field = move->target != TARGET_FOE && move->target != TARGET_SELF;
    int damage = HIT_DONE;
    *aim = AIM_TARGET;
    if (hooks->try_hit) {
        int result = hooks->try_hit(b, user, target, move);
        if (result != HIT_DONE)
            return HIT_FAIL;
    }
    if (!on_field)
        damage = hit_primary(b, user, target, move);
    if (damage == HIT_SUBSTITUTE) {
        damage = HIT_DONE;
        *aim = AIM_SUBSTITUTE;
    } else if (!hit_truth(damage)) {
        *aim = AIM_LOST;
    }
    if (*aim == AIM_TARGET) {
        b->target = target;
        damage = damage_get(b, user, target, move);
        if (damage == HIT_NULL)
            damage = HIT_FAIL;
    }
    if (damage == HIT_FAIL)
        *aim = AIM_LOST;
    if (*aim == AIM_SUBSTITUTE)
        damage = 0;
    else if (damage >= 0)
        damage = hit_deal(b, user, target, move, damage);
    if (damage == HIT_FAIL)
        *aim = AIM_LOST;
    damage = hit_effects(b, user, target, move, *aim, damage);
    if (!hit_counts(damage))
        *aim = AIM_LOST;
    if (*aim != AIM_LOST) {
        hit_self_drops(b, user, target, move);
        hit_secondaries(b, user, target, move, *aim);
        b->target = target;
    }
    if (*aim == AIM_TARGET)
        damage = hit_force_out(b, user, target, move, damage);
    if (damage >= 0 && *aim == AIM_TARGET)
        hit_answers(b, user, target, move, damage);
    return damage;
}

/* --- all hits --- */

void hit_recoil(struct battle *b, int user, struct battle_move *move, int damage)
{
    struct pokemon_mon *mon = mon_of(b, user);
    const struct dex_move *row = move->row;
    int before = mon->hp;
    if (move->props & MOVE_IS_STRUGGLE_RECOIL) {
        int amount = (mon->base_max_hp + 2) / 4;
        hp_direct(b, user, amount, user, CAUSE_STRUGGLE);
    } else if (move->props & MOVE_IS_MIND_BLOWN) {
        hp_damage(b, user, (mon->max_hp + 1) / 2, user, CAUSE_CRASH);
    } else if (row->recoil[0]) {
        int amount = (2 * damage * row->recoil[0] + row->recoil[1]) / (2 * row->recoil[1]);
        hp_damage(b, user, amount < 1 ? 1 : amount, user, CAUSE_RECOIL);
    } else {
        return;
    }
    if (mon->hp * 2 <= mon->max_hp && before * 2 > mon->max_hp)
        update_emergency_exit(b, user);
}

static int hit_count(struct battle *b, const struct battle_move *move)
{
    static const uint8_t hits[20] = {2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5};
    if (!move->hits_to)
        return 1;
    if (move->hits_from == move->hits_to)
        return move->hits_to;
    return hits[banyan_dice_pick(b->dice, DIE_HITS, 20)];
}

static bool hit_sleep_usable(const struct battle_move *move)
{
    return (move->props & MOVE_IS_SLEEP_USABLE) ||
           (move->caller < MOVE_COUNT && (dex_moves[move->caller].props & MOVE_IS_SLEEP_USABLE));
}

static void hit_after(struct battle *b, int user, int target, struct battle_move *move, int aim,
                      int last)
{
    bool sheer = move->sheer && state_ability(b, user) == ABILITY_SHEERFORCE;
    if (sheer)
        return;
    if (aim == AIM_TARGET) {
        if ((move->props & MOVE_IS_THAWS_TARGET) && mon_of(b, target)->status == STATUS_FRZ)
            status_cure(b, target);
        const struct ability_hooks *ability = &ability_hooks[state_ability_unbroken(b, target)];
        if (ability->after_hit)
            ability->after_hit(b, target, user, move, last);
    }
    const struct pokemon_mon *mon = mon_of(b, target);
    int before = active_of(b, target)->hurt + move->total_damage;
    if (mon->hp && mon->hp * 2 <= mon->max_hp && before * 2 > mon->max_hp)
        update_emergency_exit(b, target);
}

/* HIT_FAIL, or the damage of the last hit. */
static int hit_loop(struct battle *b, int user, int target, struct battle_move *move)
{
    int hits = hit_count(b, move), aim = AIM_TARGET, last = HIT_FAIL, hit = 1;
    bool any = false;
    move->total_damage = 0;
    for (; hit <= hits; ++hit) {
        if (hit > 1 && mon_of(b, user)->status == STATUS_SLP && !hit_sleep_usable(move))
            break;
        if (!mon_of(b, target)->hp)
            break;
        move->hit = (uint8_t)hit;
        if (hit > 1 && move->multiaccuracy && !hit_again(b, user, target, move))
            break;
        last = hit_once(b, user, target, move, &aim);
        if (last == HIT_FAIL)
            break;
        any = true;
        move->total_damage += last > 0 ? last : 0;
        update_all(b);
        if (!mon_of(b, user)->hp) {
            ++hit;
            break;
        }
    }
    if (!any)
        return HIT_FAIL;
    hp_faints(b, !mon_of(b, user)->hp);
    if (move->total_damage)
        hit_recoil(b, user, move, move->total_damage);
    if (aim == AIM_TARGET && user != target && last > 0)
        active_of(b, target)->hit_by |= (uint8_t)(1u << side_of(b, user)->order[0]);
    update_all(b);
    hit_after(b, user, target, move, aim, last > 0 ? last : 0);
    return last > 0 ? last : 0;
}

/* --- a use of a move against a Pokémon --- */

static int hit_prepare(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    int result = HIT_DONE;
    if (hooks->attempt)
        result = hooks->attempt(b, user, target, move);
    if (result == HIT_DONE && hooks->prepare)
        result = hooks->prepare(b, user, target, move);
    if (result != HIT_DONE)
        return result;
    int ability = state_ability(b, user);
    if (ability_hooks[ability].prepare)
        ability_hooks[ability].prepare(b, user, move);
    return HIT_DONE;
}

/* HIT_DONE: it hit; HIT_FAIL: it failed; HIT_NOT_FAIL: it was stopped. */
static int hit_steps(struct battle *b, int user, int target, struct battle_move *move)
{
    if (user != target && !hit_reaches(b, user, target, move))
        return HIT_FAIL;
    int result = hit_guards(b, user, target, move);
    if (result != HIT_DONE)
        return result;
    if (damage_immune(b, target, move) || !hit_works(b, user, target, move) ||
        !hit_accuracy(b, user, target, move))
        return HIT_FAIL;
    if (move->props & MOVE_IS_BREAKS_PROTECT)
        hit_break_protect(b, target);
    if (move->props & MOVE_IS_STEALS_BOOSTS)
        hit_steal_boosts(b, user, target);
    return hit_loop(b, user, target, move) == HIT_FAIL ? HIT_FAIL : HIT_DONE;
}

bool hit_try(struct battle *b, int user, int target, struct battle_move *move, bool not_active)
{
    if (not_active) {
        b->move = move;
        b->user = user;
        b->target = target;
    }
    int result = hit_prepare(b, user, target, move);
    if (result != HIT_DONE)
        return result == HIT_NOT_FAIL;
    result = hit_steps(b, user, target, move);
    if (result == HIT_NOT_FAIL)
        active_of(b, user)->result_now = RESULT_NULL;
    return result == HIT_DONE;
}

/* A move at a side or at the whole field. */
int hit_field(struct battle *b, int user, struct battle_move *move)
{
    int target = move->target == TARGET_FOE_SIDE ? !user : user, aim;
    int result = hit_prepare(b, user, target, move);
    if (result != HIT_DONE)
        return HIT_FAIL;
    if (move->target == TARGET_FOE_SIDE) {
        const struct ability_hooks *guard = &ability_hooks[state_ability_unbroken(b, target)];
        if (guard->try_hit_side && guard->try_hit_side(b, target, user, move) != HIT_DONE)
            return HIT_FAIL;
    }
    int damage = hit_once(b, user, target, move, &aim);
    return damage == HIT_DONE ? HIT_NOTHING : damage;
}

/* Future Sight arrives; whoever foresaw it may be on the bench. */
void hit_future(struct battle *b, int side)
{
    struct pokemon_side *s = side_of(b, side), *other = side_of(b, !side);
    int source = s->future_source, user = !side;
    s->future_move = s->future_turn = s->future_source = 0;
    if (is_fainted(b, side))
        return;
    struct pokemon_active keep = other->active;
    uint8_t front = other->order[0];
    struct pokemon_mon sender = other->mons[source];
    bool away = front != source;
    struct battle_move *move = &b->moves[b->move_count++];
    use_fill(move, MOVE_FUTURESIGHT);
    move->ignore_immunity = false;
    if (away) {
        other->order[0] = (uint8_t)source;
        memset(&other->active, 0, sizeof other->active);
        forme_species(b, user, sender.species, false);
        other->active.speed = keep.speed;
        other->mons[source].ability = ABILITY_NONE;
        other->mons[source].item = ITEM_NONE;
        other->mons[source].flags &= (uint8_t)~MON_FAINTED;
        if (!other->mons[source].hp)
            other->mons[source].hp = 1;
    }
    b->move = move;
    b->user = user;
    b->target = side;
    if (state_ability(b, user) == ABILITY_INFILTRATOR)
        move->infiltrates = true;
    hit_steps(b, user, side, move);
    if (away) {
        other->mons[source] = sender;
        other->order[0] = front;
        other->active = keep;
    } else if (mon_of(b, user)->item == ITEM_LIFEORB) {
        hp_damage(b, user, mon_of(b, user)->base_max_hp / 10, user, CAUSE_LIFE_ORB);
    }
    b->move = NULL;
    b->user = b->target = -1;
    hp_check_win(b, -1);
}
