/* Using a move, up to the point where it reaches its target. */
#include "games/pokemon/effects.h"

#include <string.h>

/* --- the move as it starts --- */

void use_fill(struct battle_move *move, int id)
{
    const struct dex_move *row = &dex_moves[id];
    memset(move, 0, sizeof *move);
    move->row = row;
    move->id = (uint16_t)id;
    move->flags = row->flags;
    move->props = row->props;
    move->power = row->power;
    move->type = row->type;
    move->category = row->category;
    move->target = row->target;
    move->priority = row->priority;
    move->accuracy = row->accuracy;
    move->hits_from = row->hits[0];
    move->hits_to = row->hits[1];
    move->chance_factor = 1;
    move->is_max = (row->props & MOVE_IS_MAX) != 0;
    move->aims_each_hit = (row->props & MOVE_IS_MULTIACCURACY) != 0;
    move->ignores_immunity = (row->props & MOVE_IS_IGNORE_IMMUNITY) != 0;
    move->is_future = (row->flags & MOVE_FLAG_FUTUREMOVE) != 0;
}

/* The Max move for a move of this type. */
int use_max_move(const struct pokemon_mon *mon, int move, int type)
{
    if (dex_moves[move].category == CATEGORY_STATUS)
        return MOVE_MAXGUARD;
    int gmax = dex_species[mon->set_species].gmax;
    if ((mon->flags & MON_GIGANTAMAX) && gmax && dex_moves[gmax].type == type)
        return gmax;
    return dex_max_moves[type];
}

static void use_maximize(const struct battle *b, int user, struct battle_move *move)
{
    struct battle_move base = *move;
    use_fill(move, use_max_move(mon_of(b, user), base.id, base.type));
    if (base.category != CATEGORY_STATUS) {
        if (move->id != MOVE_GMAXDRUMSOLO && move->id != MOVE_GMAXHYDROSNIPE)
            move->power = base.row->max_power;
        move->category = base.category;
    }
    move->base = base.id;
    move->priority = base.priority;
    move->is_by_prankster = base.is_by_prankster;
}

/* The move that the Pokémon must use; 0: it may choose. */
int use_locked_move(const struct battle *b, int side)
{
    const struct pokemon_active *active = active_of(b, side);
    if (has_volatile(b, side, VOLATILE_LOCKEDMOVE) && !is_dynamaxed(b, side))
        return active->locked_move;
    return has_volatile(b, side, VOLATILE_TWOTURNMOVE) ? active->charge_move : 0;
}

static int use_spend_pp(struct battle *b, int side, int move, int amount)
{
    struct pokemon_slots *slots = state_slots(side_of(b, side));
    int slot = state_slot_of(slots, move);
    if (slot < 0)
        return 0;
    slots->used |= (uint8_t)(1 << slot);
    if (amount > slots->pp[slot])
        amount = slots->pp[slot];
    slots->pp[slot] = (uint8_t)(slots->pp[slot] - amount);
    if (!(active_of(b, side)->flags & ACTIVE_TRANSFORMED))
        active_of(b, side)->arrival.spent[slot] =
            (uint8_t)(active_of(b, side)->arrival.spent[slot] + amount);
    return amount;
}

static struct battle_move *use_new(struct battle *b)
{
    assert(b->move_count < (int)(sizeof b->moves / sizeof *b->moves));
    return &b->moves[b->move_count++];
}

static void use_active(struct battle *b, struct battle_move *move, int user, int target)
{
    b->move = move;
    b->user = user;
    b->target = target;
}

/* --- conditions that may stop a Pokémon from moving --- */

static bool use_stopped_by_status(struct battle *b, int user, const struct battle_move *move)
{
    struct pokemon_mon *mon = mon_of(b, user);
    if (mon->status == STATUS_SLP) {
        if (mon->status_time)
            --mon->status_time;
        if (!mon->status_time) {
            status_cure(b, user);
            return false;
        }
        return !(move->props & MOVE_IS_SLEEP_USABLE);
    }
    if (mon->status == STATUS_FRZ && !(move->flags & MOVE_FLAG_DEFROST)) {
        if (!banyan_dice_chance(b->dice, DIE_THAW, 1, 5))
            return true;
        status_cure(b, user);
    }
    return false;
}

static bool use_stopped_by_confusion(struct battle *b, int user)
{
    struct pokemon_active *active = active_of(b, user);
    if (!has_volatile(b, user, VOLATILE_CONFUSION))
        return false;
    if (!--active->confusion) {
        volatile_end(b, user, VOLATILE_CONFUSION);
        return false;
    }
    if (!banyan_dice_chance(b->dice, DIE_CONFUSION, 33, 100))
        return false;
    b->target = user;
    b->confused = true;
    hp_damage(b, user, damage_confusion(b, user), user, CAUSE_MOVE);
    b->confused = false;
    return true;
}

static bool use_stopped_by_choice(struct battle *b, int user, const struct battle_move *move)
{
    if (!has_volatile(b, user, VOLATILE_CHOICELOCK))
        return false;
    if (!(dex_items[mon_of(b, user)->item].flags & ITEM_FLAG_CHOICE)) {
        volatile_end(b, user, VOLATILE_CHOICELOCK);
        return false;
    }
    return !is_dynamaxed(b, user) && move->id != active_of(b, user)->choice_move &&
           move->id != MOVE_STRUGGLE;
}

static bool use_stopped(struct battle *b, int user, const struct battle_move *move)
{
    const struct pokemon_active *active = active_of(b, user);
    if (use_stopped_by_status(b, user, move) || has_volatile(b, user, VOLATILE_FLINCH))
        return true;
    if (has_volatile(b, user, VOLATILE_DISABLE) && move->id == active->disable_move)
        return true;
    if (has_volatile(b, user, VOLATILE_THROATCHOP) && !move->is_max &&
        (move->flags & MOVE_FLAG_SOUND))
        return true;
    if (has_volatile(b, user, VOLATILE_TAUNT) && move->category == CATEGORY_STATUS)
        return true;
    if (use_stopped_by_confusion(b, user))
        return true;
    if (mon_of(b, user)->status == STATUS_PAR && banyan_dice_chance(b->dice, DIE_PARALYSIS, 1, 4))
        return true;
    if (use_stopped_by_choice(b, user, move))
        return true;
    int ability = state_ability(b, user);
    if (ability_hooks[ability].before_move && ability_hooks[ability].before_move(b, user, move))
        return true;
    if (move->id != MOVE_DESTINYBOND)
        volatile_end(b, user, VOLATILE_DESTINYBOND);
    return false;
}

static void use_abort(struct battle *b, int user)
{
    volatile_end(b, user, VOLATILE_DESTINYBOND);
    volatile_end(b, user, VOLATILE_TWOTURNMOVE);
    use_active(b, NULL, -1, -1);
    active_of(b, user)->result_now = RESULT_FAILED;
}

/* --- the action --- */

static void use_choose(struct battle *b, const struct pokemon_action *action,
                       struct battle_move *move)
{
    int user = action->side, id = action->move;
    if (has_volatile(b, user, VOLATILE_ENCORE) && !action->max && id != MOVE_STRUGGLE)
        id = active_of(b, user)->encore_move;
    use_fill(move, id);
    move->priority = (int8_t)((action->priority - action->fraction) / 10);
    move->is_by_prankster = state_ability(b, user) == ABILITY_PRANKSTER && !action->max &&
                            dex_moves[action->move].category == CATEGORY_STATUS;
}

static void use_after(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    if (hooks->after)
        hooks->after(b, user, target, move);
    if (has_volatile(b, user, VOLATILE_LOCKEDMOVE) && active_of(b, user)->locked_turns == 1)
        volatile_end(b, user, VOLATILE_LOCKEDMOVE);
    for (int side = 0; side < 2; ++side)
        if (mon_of(b, side)->item == ITEM_WHITEHERB && !is_fainted(b, side))
            item_hooks[ITEM_WHITEHERB].start(b, side);
}

/* A copy of the move as both players see it at its start: the Max move, if it becomes one. */
static struct battle_move *use_announced(struct battle *b, const struct pokemon_action *action,
                                         const struct battle_move *base)
{
    struct battle_move *shown = use_new(b);
    *shown = *base;
    if (action->max)
        use_maximize(b, action->side, shown);
    return shown;
}

void use_run(struct battle *b, const struct pokemon_action *action)
{
    int user = action->side, target = !user;
    struct pokemon_active *active = active_of(b, user);
    struct battle_move *base = use_new(b);
    ++active->actions;
    use_choose(b, action, base);
    struct battle_move *shown = use_announced(b, action, base);
    if (shown->target == TARGET_SELF || shown->target == TARGET_ALL ||
        shown->target == TARGET_ALLY_SIDE || shown->target == TARGET_ALLY_TEAM)
        target = user;
    use_active(b, shown, user, target);
    if (use_stopped(b, user, shown)) {
        use_abort(b, user);
        return;
    }
    const struct move_hooks *hooks = &move_hooks[shown->id];
    int caller = 0;
    if (hooks->spoiled && hooks->spoiled(b, user)) {
        use_active(b, NULL, -1, -1);
        active->result_now = RESULT_FAILED;
        return;
    }
    if (use_locked_move(b, user)) {
        caller = USE_CALLED_BY_LOCK;
    } else if (!use_spend_pp(b, user, base->id, 1) && shown->id != MOVE_STRUGGLE) {
        use_active(b, NULL, -1, -1);
        active->result_now = RESULT_FAILED;
        return;
    }
    active->last_move = shown->id;
    active->last_base = shown->is_max ? shown->base : 0;
    if (!shown->is_max) {
        int slot = state_slot_of(state_slots(side_of(b, user)), shown->id);
        if (slot >= 0 && !(active->flags & ACTIVE_TRANSFORMED))
            mon_of(b, user)->seen |= (uint8_t)(SEEN_MOVE << slot);
    }
    base->becomes_max = action->max; /* use_move makes it a Max move */
    bool done = use_move(b, base, user, target, caller);
    b->s->last_success = done && b->move ? b->move->id : 0;
    use_after(b, user, target, b->move ? b->move : shown);
    hp_faints(b, true);
    hp_check_win(b, -1);
}

/* --- using it --- */

static void use_types(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    int ability = state_ability(b, user);
    if (hooks->type)
        hooks->type(b, user, target, move);
    if (ability_hooks[ability].modify_type)
        ability_hooks[ability].modify_type(b, user, move);
    if (b->s->ion_deluge && move->type == TYPE_NORMAL)
        move->type = TYPE_ELECTRIC;
}

/* Applies the changes by the move's rule, the ability and the item; false: it cannot be used. */
static bool use_modify(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    int ability = state_ability(b, user), item = mon_of(b, user)->item;
    if (hooks->modify)
        hooks->modify(b, user, target, move);
    if (mon_of(b, user)->status == STATUS_FRZ && (move->flags & MOVE_FLAG_DEFROST))
        status_cure(b, user);
    if (ability_hooks[ability].modify_move)
        ability_hooks[ability].modify_move(b, user, move);
    if (item_hooks[item].modify_move)
        item_hooks[item].modify_move(b, user, move);
    bool mute = has_volatile(b, user, VOLATILE_THROATCHOP) && !move->is_max &&
                (move->flags & MOVE_FLAG_SOUND);
    return !mute && !is_fainted(b, user);
}

/* The foe's ability Pressure costs the user one more PP. */
static void use_pressure(struct battle *b, int user, int target, const struct battle_move *move,
                         int caller, int base)
{
    bool from_move = caller > 0 && caller < MOVE_COUNT;
    if (caller && !from_move)
        return;
    bool aims = move->target == TARGET_FOE
                    ? target != user && !is_fainted(b, target)
                    : move->target == TARGET_ALL || (move->flags & MOVE_FLAG_MUSTPRESSURE);
    if (aims && state_ability(b, !user) == ABILITY_PRESSURE) {
        mon_of(b, !user)->seen |= SEEN_ABILITY;
        use_spend_pp(b, user, from_move ? caller : base, 1);
    }
}

static int use_try(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    if (hooks->try_move) {
        int result = hooks->try_move(b, user, target, move);
        if (result != HIT_DONE)
            return result;
    }
    int ability = state_ability_unbroken(b, !user);
    if (ability_hooks[ability].foe_try_move &&
        ability_hooks[ability].foe_try_move(b, !user, move, target))
        return HIT_FAIL;
    return HIT_DONE;
}

static bool use_half(const struct pokemon_mon *mon, int before)
{
    return mon->hp * 2 <= mon->max_hp && before * 2 > mon->max_hp;
}

static void use_finish(struct battle *b, int user, int target, struct battle_move *move)
{
    struct pokemon_mon *mon = mon_of(b, user);
    if ((move->has_sheer_force && state_ability(b, user) == ABILITY_SHEERFORCE) || move->is_future)
        return;
    int before = mon->hp;
    if (item_hooks[mon->item].after_move && !is_fainted(b, user))
        item_hooks[mon->item].after_move(b, user, target, move);
    if (user != target && move->category != CATEGORY_STATUS && use_half(mon, before))
        update_emergency_exit(b, user);
}

static void use_failed(struct battle *b, int user, int target, struct battle_move *move)
{
    struct pokemon_mon *mon = mon_of(b, user);
    const struct move_hooks *hooks = &move_hooks[move->id];
    int before = mon->hp;
    if (hooks->fail)
        hooks->fail(b, user, target, move);
    if (user != target && move->category != CATEGORY_STATUS && use_half(mon, before))
        update_emergency_exit(b, user);
}

/* Returns HIT_DONE, HIT_FAIL or HIT_NULL. */
static int use_inner(struct battle *b, struct battle_move *move, int user, int target, int caller,
                     bool maximize)
{
    int base = move->id;
    if (maximize) {
        if (move->category != CATEGORY_STATUS)
            use_types(b, user, target, move);
        use_maximize(b, user, move);
    }
    if (b->move) {
        move->priority = b->move->priority;
        if (!move->is_bounced)
            move->is_by_prankster = b->move->is_by_prankster;
    }
    if (move->target == TARGET_SELF)
        target = user;
    move->caller = (uint16_t)caller;
    use_active(b, move, user, target);
    int aim = move->target;
    use_types(b, user, target, move);
    if (!use_modify(b, user, target, move))
        return HIT_FAIL;
    if (aim != move->target)
        target = move->target == TARGET_SELF ? user : !user;
    use_pressure(b, user, target, move, caller, base);
    int result = use_try(b, user, target, move);
    if (result != HIT_DONE)
        return result;
    if (move->props & MOVE_IS_EXPLODES)
        hp_faint_by_own_move(b, user);
    bool done;
    if (move->target == TARGET_ALL || move->target == TARGET_FOE_SIDE ||
        move->target == TARGET_ALLY_SIDE || move->target == TARGET_ALLY_TEAM) {
        int hit = hit_field(b, user, move);
        if (hit == HIT_NOT_FAIL)
            active_of(b, user)->result_now = RESULT_NULL;
        done = hit >= 0 || hit == HIT_NOTHING || hit == HIT_DONE;
    } else {
        if (is_fainted(b, target) && !move->is_future)
            return HIT_FAIL;
        done = hit_try(b, user, target, move);
    }
    if (move->row->has_after_boosts && done)
        boost_change(b, user, user, move->row->after_boosts, CAUSE_MOVE);
    if (!mon_of(b, user)->hp)
        hp_faint_by_own_move(b, user);
    if (!done) {
        use_failed(b, user, target, move);
        return HIT_FAIL;
    }
    use_finish(b, user, target, move);
    return HIT_DONE;
}

/* `given` is copied.  caller: 0, the move that calls it, or USE_CALLED_BY_*. */
bool use_move(struct battle *b, struct battle_move *given, int user, int target, int caller)
{
    struct battle_move *move = use_new(b);
    struct pokemon_active *active = active_of(b, user);
    bool maximize = given->becomes_max;
    *move = *given;
    move->becomes_max = false;
    active->result_now = RESULT_NONE;
    int result = use_inner(b, move, user, target, caller, maximize);
    if (active->result_now == RESULT_NONE)
        active->result_now = result == HIT_DONE   ? RESULT_DONE
                             : result == HIT_NULL ? RESULT_NULL
                                                  : RESULT_FAILED;
    return result == HIT_DONE;
}
