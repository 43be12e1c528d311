/* Damage, healing and fainting, and the end of the battle. */
#include "games/pokemon/effects.h"

#include <string.h>

/* --- losing and gaining hp --- */

static int hp_take(struct battle *b, int side, int amount, int source, int cause)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (!mon->hp || amount <= 0)
        return 0;
    if (amount < mon->hp) {
        mon->hp = (uint16_t)(mon->hp - amount);
        return amount;
    }
    amount = mon->hp;
    mon->hp = 0;
    hp_faint(b, (struct battle_faint){.side = (int8_t)side,
                                      .source = (int8_t)source,
                                      .is_by_move = cause == CAUSE_MOVE,
                                      .is_by_future = b->move && b->move->is_future});
    return amount;
}

static bool hp_weather_proof(const struct battle *b, int side)
{
    return status_immune(b, side, b->s->weather == WEATHER_HAIL ? IMMUNE_HAIL : IMMUNE_SANDSTORM);
}

int hp_damage(struct battle *b, int side, int amount, int source, int cause)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (!mon->hp)
        return 0;
    if (is_fainted(b, side))
        return HIT_FAIL;
    if (amount < 1)
        amount = amount == 0 && cause == CAUSE_MOVE ? 0 : 1;
    if (cause == CAUSE_WEATHER && hp_weather_proof(b, side))
        return 0;
    int ability = state_ability_unbroken(b, side);
    if (cause != CAUSE_STRUGGLE) {
        if (ability_hooks[ability].hurt)
            amount = ability_hooks[ability].hurt(b, side, amount, source, cause);
        if (amount >= 0 && item_hooks[mon->item].hurt)
            amount = item_hooks[mon->item].hurt(b, side, amount, source, cause);
        if (amount < 0)
            return amount;
    }
    amount = hp_take(b, side, amount, source, cause);
    if (amount)
        active_of(b, side)->hurt = mon->hp;
    return amount;
}

int hp_direct(struct battle *b, int side, int amount, int source, int cause)
{
    if (!mon_of(b, side)->hp || !amount)
        return 0;
    return hp_take(b, side, amount < 1 ? 1 : amount, source, cause);
}

/* Restores hp without any event; also used for Pokémon that are not active. */
int hp_restore(struct pokemon_mon *mon, int amount)
{
    if (!mon->hp || amount <= 0 || mon->hp >= mon->max_hp)
        return HIT_FAIL;
    if (amount > mon->max_hp - mon->hp)
        amount = mon->max_hp - mon->hp;
    mon->hp = (uint16_t)(mon->hp + amount);
    return amount;
}

int hp_heal(struct battle *b, int side, int amount)
{
    if (amount < 1)
        amount = 1;
    if (is_fainted(b, side))
        return HIT_FAIL;
    return hp_restore(mon_of(b, side), amount);
}

void hp_set(struct pokemon_mon *mon, int hp)
{
    if (!mon->hp)
        return;
    mon->hp = (uint16_t)(hp < 1 ? 1 : hp > mon->max_hp ? mon->max_hp : hp);
}

/* --- fainting --- */

void hp_faint(struct battle *b, struct battle_faint faint)
{
    struct pokemon_mon *mon = mon_of(b, faint.side);
    if (mon->flags & (MON_FAINTED | MON_FAINT_QUEUED))
        return;
    mon->hp = 0;
    mon->flags |= MON_FAINT_QUEUED;
    active_of(b, faint.side)->flags &= (uint16_t)~ACTIVE_SWITCH;
    b->faints[b->faint_count++] = faint;
}

static void hp_win(struct battle *b, int winner)
{
    b->s->winner = (uint8_t)winner;
    memset(b->s->request, 0, sizeof b->s->request);
}

/* last_side: the side whose Pokémon fainted last; -1: none. */
bool hp_check_win(struct battle *b, int last_side)
{
    if (is_over(b))
        return true;
    bool out[2] = {!side_of(b, 0)->left, !side_of(b, 1)->left};
    if (out[0] && out[1])
        hp_win(b, last_side == 0 ? WINNER_FIRST : last_side == 1 ? WINNER_SECOND : WINNER_TIE);
    else if (out[1])
        hp_win(b, WINNER_FIRST);
    else if (out[0])
        hp_win(b, WINNER_SECOND);
    return is_over(b);
}

static void hp_destiny_bond(struct battle *b, const struct battle_faint *faint)
{
    if (!has_volatile(b, faint->side, VOLATILE_DESTINYBOND) || faint->source < 0 ||
        faint->source == faint->side || !faint->is_by_move || faint->is_by_future)
        return;
    if (!is_dynamaxed(b, faint->source))
        hp_faint(b, (struct battle_faint){.side = faint->source, .source = -1});
}

static void hp_gone(struct battle *b, const struct battle_faint *faint)
{
    int side = faint->side;
    struct pokemon_mon *mon = mon_of(b, side);
    if (side_of(b, side)->left)
        --side_of(b, side)->left;
    for (int other = 0; other < 2; ++other)
        if (ability_hooks[state_ability(b, other)].any_faint)
            ability_hooks[state_ability(b, other)].any_faint(b, other);
    hp_destiny_bond(b, faint);
    ability_end(b, side, mon->ability);
    bool regresses =
        (mon->flags & MON_REGRESSES) && !(active_of(b, side)->flags & ACTIVE_TRANSFORMED);
    if (regresses) {
        mon->base_species = mon->set_species;
        mon->base_ability = mon->set_ability;
    }
    forme_clear(b, side, false);
    mon->flags |= MON_FAINTED;
    disguise_end(side_of(b, side));
    if (mon->flags & MON_REGRESSES) {
        forme_max_hp(mon, false);
        mon->flags &= (uint8_t)~MON_REGRESSES;
    }
}

bool hp_faints_now(struct battle *b, bool check_win)
{
    int count = b->faint_count;
    struct battle_faint last = b->faints[0];
    for (int i = 0; i < b->faint_count; ++i) {
        last = b->faints[i];
        int before = b->faint_count;
        hp_gone(b, &last);
        if (b->faint_count > before)
            check_win = true;
    }
    b->faint_count = 0;
    if (check_win && hp_check_win(b, last.side))
        return true;
    if (last.source >= 0 && last.is_by_move) {
        int ability = state_ability(b, last.source);
        if (ability_hooks[ability].after_faint)
            ability_hooks[ability].after_faint(b, last.source, count);
    }
    return false;
}
