/* A move against a target, a side or the field, with all its hits. */
#include "games/pokemon/hit.h"

#include "games/pokemon/effects.h"

#include <string.h>

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
    bool sheer = move->has_sheer_force && state_ability(b, user) == ABILITY_SHEERFORCE;
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

/* Returns HIT_FAIL, or the damage of the last hit. */
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
        if (hit > 1 && move->aims_each_hit && !hit_again(b, user, target, move))
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

bool hit_try(struct battle *b, int user, int target, struct battle_move *move)
{
    int result = hit_prepare(b, user, target, move);
    if (result != HIT_DONE)
        return result == HIT_NOT_FAIL;
    result = hit_steps(b, user, target, move);
    if (result == HIT_NOT_FAIL)
        active_of(b, user)->result_now = RESULT_NULL;
    return result == HIT_DONE;
}

/* Uses a move whose target is a side or the whole field. */
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

/* Future Sight hits; the Pokémon that used it may be on the bench. */
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
    move->ignores_immunity = false;
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
