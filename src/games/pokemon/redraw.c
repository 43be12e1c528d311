/* Draws what conceal() has removed, except the sets: hp within the percentage that was shown,
 * random lengths, the order of the bench, actions that the foe has chosen but not yet carried out.
 */
#include "games/pokemon/redraw.h"
#include "games/pokemon/effects.h"

#include "base/rng.h"

#include <string.h>

static int redraw_between(int least, int most, struct banyan_rng *rng)
{
    return least >= most ? least : least + (int)rng_below(rng, (uint32_t)(most - least + 1));
}

int redraw_hp(int percent, int max_hp, struct banyan_rng *rng)
{
    int least, most;
    hp_percent_range(percent, max_hp, &least, &most);
    return redraw_between(least, most, rng);
}

/* --- random lengths --- */

/* Draws how many turns are left: the drawn length exceeds the turns that have passed, and all such
 * lengths are equally likely. */
static uint8_t redraw_length(uint8_t left, uint8_t *start, int least, int most,
                             struct banyan_rng *rng)
{
    int passed = *start - left;
    least = passed + 1 > least ? passed + 1 : least;
    *start = (uint8_t)redraw_between(least, most, rng);
    return (uint8_t)(*start - passed);
}

static void redraw_substitute(struct pokemon_active *active, int full, struct banyan_rng *rng)
{
    bool hit = active->substitute == 1 && full > 1;
    active->substitute = (uint16_t)(hit ? redraw_between(1, full - 1, rng) : full);
}

void redraw_lengths(struct pokemon_side *side, struct banyan_rng *rng)
{
    struct pokemon_active *a = &side->active;
    if (a->volatiles >> VOLATILE_CONFUSION & 1)
        a->confusion = redraw_length(a->confusion, &a->confusion_start, 2, 5, rng);
    if (a->volatiles >> VOLATILE_LOCKEDMOVE & 1)
        a->locked_true = redraw_length(a->locked_true, &a->locked_start, 2, 3, rng);
    if (a->volatiles >> VOLATILE_PARTIALLYTRAPPED & 1)
        a->trap_turns = redraw_length(a->trap_turns, &a->trap_start, 5, 6, rng);
    if (a->volatiles >> VOLATILE_SUBSTITUTE & 1)
        redraw_substitute(a, side->mons[side->order[0]].max_hp / 4, rng);
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &side->mons[i];
        if (mon->status == STATUS_SLP && (mon->flags & MON_FOE_STATUS))
            mon->status_time = redraw_length(mon->status_time, &mon->status_start, 2, 4, rng);
    }
}

/* --- the active Pokémon --- */

/* Draws which move became the Max move that was seen, among the moves that become it. */
static void redraw_last_base(struct pokemon_side *side, const struct pokemon_mon *mon,
                             struct banyan_rng *rng)
{
    const struct pokemon_slots *slots = state_slots(side);
    uint16_t fits[4];
    uint32_t count = 0;
    for (int i = 0; i < slots->count; ++i)
        if (redraw_becomes(mon, slots->id[i], side->active.last_move))
            fits[count++] = slots->id[i];
    side->active.last_base = count ? fits[rng_below(rng, count)] : slots->id[0];
}

bool redraw_becomes(const struct pokemon_mon *mon, int move, int max_move)
{
    return use_max_move(mon, move, dex_moves[move].type) == max_move;
}

/* A Choice item, and the ability Gorilla Tactics, lock a Pokémon into the move that it has used. */
static void redraw_choice_lock(struct battle *b, int side)
{
    struct pokemon_active *active = active_of(b, side);
    const struct pokemon_mon *mon = mon_of(b, side);
    bool choice = (dex_items[mon->item].flags & ITEM_FLAG_CHOICE) != 0;
    int move = active->last_base ? 0 : active->last_move;
    if (!move || state_slot_of(state_slots(side_of(b, side)), move) < 0)
        return;
    if (choice && !is_dynamaxed(b, side)) {
        active->volatiles |= (uint64_t)1 << VOLATILE_CHOICELOCK;
        active->choice_move = (uint16_t)move;
    }
    if (state_ability(b, side) == ABILITY_GORILLATACTICS)
        active->gorilla_move = (uint16_t)move;
}

/* Sets the state that the drawn ability would have after what has happened. */
static void redraw_ability(struct battle *b, int side)
{
    struct pokemon_active *active = active_of(b, side);
    const struct pokemon_mon *mon = mon_of(b, side);
    const struct pokemon_arrival *at = &active->arrival;
    bool lost = !mon->item && (mon->seen & SEEN_ITEM) && (!(at->seen & SEEN_ITEM) || at->item);
    if (mon->ability == ABILITY_UNBURDEN && lost && !is_fainted(b, side))
        active->volatiles |= (uint64_t)1 << VOLATILE_UNBURDEN;
    if (!conceal_hides_ability(mon) || mon->ability != mon->set_ability || is_fainted(b, side))
        return;
    if (mon->ability == ABILITY_GLUTTONY)
        active->ability_flags |= ABILITY_GLUTTONY_AWAKE;
    if (mon->ability == ABILITY_BERSERK && at->struck)
        active->ability_flags |= ABILITY_BERSERK_KNOWN | ABILITY_CHECKED_BERSERK;
}

void redraw_active(struct pokemon *s, int side, struct banyan_rng *rng)
{
    struct battle b;
    battle_open(&b, s, NULL);
    struct pokemon_active *active = active_of(&b, side);
    if (active->last_base)
        redraw_last_base(side_of(&b, side), mon_of(&b, side), rng);
    redraw_ability(&b, side);
    redraw_choice_lock(&b, side);
    turn_disable_moves(&b, side);
}

void redraw_bench_order(struct pokemon_side *side, struct banyan_rng *rng)
{
    for (int i = POKEMON_TEAM - 1; i > 1; --i) {
        int k = 1 + (int)rng_below(rng, (uint32_t)i);
        uint8_t keep = side->order[i];
        side->order[i] = side->order[k];
        side->order[k] = keep;
    }
    int shown = side->active.illusion - 1, last = POKEMON_TEAM - 1;
    if (shown < 0)
        return;
    while (last > 1 && (side->mons[side->order[last]].flags & MON_FAINTED))
        --last;
    for (int i = 1; i < POKEMON_TEAM; ++i) /* a disguise shows the last Pokémon that has not
                                            * fainted */
        if (side->order[i] == shown) {
            side->order[i] = side->order[last];
            side->order[last] = (uint8_t)shown;
            break;
        }
}

/* --- actions that the foe has chosen --- */

/* Whether the foe may still have this action to do.  A move of higher priority than the one that
 * stopped the turn would be done already. */
static bool redraw_may_wait(const struct pokemon *s, int foe, banyan_action action)
{
    const struct pokemon_active *own = &s->sides[!foe].active, *active = &s->sides[foe].active;
    int kind = (int)(action >> 16), move = (int)(action & 0xffff);
    if ((own->flags & ACTIVE_EXIT) && !own->actions)
        return true; /* it came in and leaves again, so no move has been used */
    if (kind != ACTION_MOVE)
        return false;
    bool large = active->volatiles >> VOLATILE_DYNAMAX & 1;
    bool charged = active->volatiles >> VOLATILE_FOCUSPUNCH & 1;
    if (!large && (move_hooks[move].charge != NULL) != charged)
        return false;
    return !own->last_move ||
           turn_move_priority(s, foe, move) <= dex_moves[own->last_move].priority;
}

void redraw_queue(struct pokemon *s, int foe, struct banyan_rng *rng)
{
    int at = 0;
    while (at < s->queued && (s->queue[at].side != foe || s->queue[at].choice != CHOICE_MOVE))
        ++at;
    if (at == s->queued)
        return;
    banyan_action legal[16];
    int count = legal_actions(s, foe, legal), kept = 0;
    for (int i = 0; i < count; ++i)
        if (redraw_may_wait(s, foe, legal[i]))
            legal[kept++] = legal[i];
    turn_plan(s, at, foe,
              kept ? legal[rng_below(rng, (uint32_t)kept)]
                   : POKEMON_ACTION(ACTION_MOVE, MOVE_STRUGGLE));
}

void redraw_derived(struct pokemon *s)
{
    turn_rate(s);
    matchup_fill(s);
}
