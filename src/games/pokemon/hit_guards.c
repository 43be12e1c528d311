/* Conditions that may stop a move before it hits: the target is out of reach, protection, accuracy.
 */
#include "games/pokemon/effects.h"
#include "games/pokemon/hit.h"

bool hit_reaches(const struct battle *b, int user, int target, const struct battle_move *move)
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

/* What happens to the user of a move that a protection (id) has stopped: a rampage may end, and some
 * protections punish contact. */
static void hit_protected(struct battle *b, int user, int target, const struct battle_move *move,
                          int id)
{
    bool contact = (move->flags & MOVE_FLAG_CONTACT) != 0;
    if (active_of(b, user)->locked_turns == 2)
        volatile_remove(b, user, VOLATILE_LOCKEDMOVE);
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
        if (!stops || move->is_max) {
            if (move->is_max && move->id != MOVE_GMAXONEBLOW && move->id != MOVE_GMAXRAPIDFLOW)
                move->hits_through_protect = true;
            if (!stops)
                return HIT_DONE;
        }
        hit_protected(b, user, target, move, guards[i]);
        return HIT_NOT_FAIL;
    }
    return HIT_DONE;
}

int hit_guards(struct battle *b, int user, int target, struct battle_move *move)
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

bool hit_works(struct battle *b, int user, int target, struct battle_move *move)
{
    const struct move_hooks *hooks = &move_hooks[move->id];
    uint32_t types = state_types(b, target);
    if ((move->flags & MOVE_FLAG_POWDER) && user != target &&
        (types & dex_immune_to[IMMUNE_POWDER]))
        return false;
    if (hooks->works_on && !hooks->works_on(b, user, target, move))
        return false;
    return !(move->is_by_prankster && user != target &&
             state_ability(b, user) == ABILITY_PRANKSTER &&
             (types & dex_immune_to[IMMUNE_PRANKSTER]));
}

static int hit_modified_accuracy(const struct battle *b, int user, const struct battle_move *move,
                                 int accuracy)
{
    const struct ability_hooks *own = &ability_hooks[state_ability(b, user)];
    const struct item_hooks *item = &item_hooks[mon_of(b, user)->item];
    int modifier = MODIFIER_1;
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

bool hit_accuracy(struct battle *b, int user, int target, struct battle_move *move)
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

bool hit_again(struct battle *b, int user, int target, struct battle_move *move)
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

void hit_break_protect(struct battle *b, int target)
{
    static const uint8_t guards[] = {VOLATILE_PROTECT, VOLATILE_KINGSSHIELD, VOLATILE_SPIKYSHIELD,
                                     VOLATILE_BANEFULBUNKER};
    bool broke = false;
    for (unsigned i = 0; i < sizeof guards; ++i)
        broke |= volatile_end(b, target, guards[i]);
    if (broke)
        volatile_remove(b, target, VOLATILE_STALL);
}

void hit_steal_boosts(struct battle *b, int user, int target)
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
    boost_change(b, user, user, boosts, CAUSE_MOVE);
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (boosts[i])
            active_of(b, target)->boosts[i] = 0;
}
