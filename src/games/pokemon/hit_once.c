/* One hit of a move: the substitute, damage, effects on the target, the field and the user, and the
 * reactions to it. */
#include "games/pokemon/effects.h"
#include "games/pokemon/hit.h"

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

/* --- one hit --- */

/* Carries out a hit on a target that has a substitute. */
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
        volatile_end(b, target, VOLATILE_SUBSTITUTE);
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

/* The results of a hit so far: see hit_combine(). */
struct hit_done {
    int damage, did, anything;
};

/* Applies the effects of the move on its target other than damage; false: one has failed. */
static bool hit_main_effects(struct battle *b, int user, int target, struct battle_move *move,
                             struct hit_done *done)
{
    const struct dex_move *row = move->row;
    struct pokemon_mon *mon = mon_of(b, target);
    if (row->has_boosts && !move->skips.boosts && !is_fainted(b, target))
        done->did = hit_combine(done->did, boost_change(b, target, user, row->boosts, CAUSE_MOVE));
    if (row->heal[0] && !is_fainted(b, target)) {
        int amount = (2 * mon->base_max_hp * row->heal[0] + row->heal[1]) / (2 * row->heal[1]);
        if (mon->hp >= mon->max_hp || hp_heal(b, target, amount) < 0) {
            done->damage = hit_combine(done->damage, HIT_FAIL);
            done->anything = hit_combine(done->anything, HIT_NULL);
            return false;
        }
        done->did = HIT_DONE;
    }
    if (row->status) {
        int result = status_try(b, target, row->status, user, CAUSE_MOVE);
        if (result != HIT_DONE) {
            done->damage = hit_combine(done->damage, HIT_FAIL);
            done->anything = hit_combine(done->anything, HIT_NULL);
            return false;
        }
        done->did = hit_combine(done->did, result);
    }
    if (row->volatile_id && !move->skips.volatile_condition)
        done->did = hit_combine(done->did, volatile_add(b, target, row->volatile_id, user));
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
        side->wish_source = side->order[0];
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
        *did = hit_combine(*did, field_weather(b, row->weather) ? HIT_DONE : HIT_FAIL);
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
        struct hit_done done = {damage, did, anything};
        going = hit_main_effects(b, user, target, move, &done);
        damage = done.damage;
        did = done.did;
        anything = done.anything;
        if (going) {
            hit_field_effects(b, user, target, move, &did);
            if (hooks->hit) { /* HIT_NOTHING means that it had an effect */
                int result = hooks->hit(b, user, target, move);
                did = hit_combine(did, result == HIT_NOTHING ? HIT_DONE : result);
            }
            hit_lose_focus(b, target, move);
        }
    }
    bool switches = (move->props & MOVE_IS_SELF_SWITCH) && !move->skips.switch_out;
    if (going) {
        if ((move->props & MOVE_IS_DIES_IF_HIT) && damage != HIT_FAIL)
            hp_faint_by_own_move(b, user);
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

/* --- effects on the user, and secondary effects --- */

static void hit_self(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct dex_move *row = move->row;
    const struct move_hooks *hooks = &move_hooks[move->id];
    if (row->self_has_boosts)
        boost_change(b, user, user, row->self_boosts, CAUSE_MOVE);
    if (row->self_volatile)
        volatile_add(b, user, row->self_volatile, user);
    if (row->self_side_condition)
        field_side_add(b, user, row->self_side_condition, user);
    if (hooks->self)
        hooks->self(b, user, target, move);
}

static void hit_self_drops(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct dex_move *row = move->row;
    if (move->is_ghost_curse || !row->has_self || move->skips.self_effects ||
        move->self_effects_done)
        return;
    if (!row->self_has_boosts) {
        hit_self(b, user, target, move);
        return;
    }
    int chance = row->self_chance ? row->self_chance * move->chance_factor : 100;
    if (banyan_dice_test(b->dice, DIE_SELF, 100, 101 - chance))
        hit_self(b, user, target, move);
    if (!move->hits_to)
        move->self_effects_done = true;
}

static void hit_secondary(struct battle *b, int user, int target, struct battle_move *move, int aim,
                          const struct dex_secondary *row)
{
    if (aim == AIM_TARGET) {
        if (row->has_boosts && !is_fainted(b, target))
            boost_change(b, target, user, row->boosts, CAUSE_MOVE);
        if (row->status)
            status_try(b, target, row->status, user, CAUSE_MOVE);
        if (row->volatile_id)
            volatile_add(b, target, row->volatile_id, user);
        if (row->custom && move_hooks[move->id].secondary)
            move_hooks[move->id].secondary(b, user, target, move);
    }
    if (row->has_self)
        boost_change(b, user, user, row->self_boosts, CAUSE_MOVE);
}

static void hit_secondaries(struct battle *b, int user, int target, struct battle_move *move,
                            int aim)
{
    bool dust = aim == AIM_TARGET && state_ability_unbroken(b, target) == ABILITY_SHIELDDUST;
    if (move->skips.secondaries)
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

/* Roar and similar moves force the target out, after everything else. */
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

/* --- reactions to a hit --- */

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

int hit_once(struct battle *b, int user, int target, struct battle_move *move, int *aim)
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
    if (damage > 0 && *aim == AIM_TARGET)
        active_of(b, target)->arrival.struck = 1;
    if (damage >= 0 && *aim == AIM_TARGET)
        hit_answers(b, user, target, move, damage);
    return damage;
}
