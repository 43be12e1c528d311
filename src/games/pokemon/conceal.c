/* Removes from a battle what one player cannot see.
 *
 *    state --> replace disguised Pokémon by what they look like --> remove unseen parts
 *          --> what the player knows
 *
 * Everything that is left follows from what was seen, so a state that is drawn from it cannot
 * depend on the truth.  hp become a share of a fixed maximum; random lengths become the turns that
 * have passed.
 */
#include "games/pokemon/battle.h"
#include "games/pokemon/belief.h"

#include <string.h>

/* --- one Pokémon --- */

/* Keeps only the moves that were seen, in the order of their numbers.  at: the arrival of the Pokémon
 * if it is active, else NULL. */
static void conceal_moves(struct pokemon_mon *mon, struct pokemon_arrival *at)
{
    struct pokemon_slots old = mon->slots, *slots = &mon->slots;
    struct pokemon_arrival before = {.hp = 0};
    unsigned left = mon->seen & 15u & ((1u << old.count) - 1);
    if (at) {
        before = *at;
        at->seen &= (uint8_t)~15;
        memset(at->spent, 0, sizeof at->spent);
    }
    memset(slots, 0, sizeof *slots);
    mon->seen &= (uint8_t)~15;
    for (; left; ++slots->count) {
        int from = -1, to = slots->count;
        for (int i = 0; i < 4; ++i)
            if ((left >> i & 1) && (from < 0 || old.id[i] < old.id[from]))
                from = i;
        left &= ~(1u << from);
        slots->id[to] = old.id[from];
        slots->pp[to] = old.pp[from];
        slots->max_pp[to] = old.max_pp[from];
        mon->seen |= (uint8_t)(SEEN_MOVE << to);
        if (!at)
            continue;
        slots->used |= (uint8_t)((old.used >> from & 1) << to);
        at->seen |= (uint8_t)((before.seen >> from & 1) << to);
        at->spent[to] = before.spent[from];
    }
}

/* Gives a Pokémon its species' common spread, and the highest hp that is shown as the same percentage. */
static void conceal_spread(struct pokemon_mon *mon, const struct belief_candidates *of)
{
    static const struct dex_spread usual = {.evs = {85, 85, 85, 85, 85, 85},
                                            .ivs = {31, 31, 31, 31, 31, 31}};
    const struct dex_spread *spread = of->count ? &dex_spreads[dex_sets[of->first].spread] : &usual;
    uint16_t stats[STAT_COUNT];
    int percent = hp_percent(mon->hp, mon->max_hp), least, most;
    bool large = mon->max_hp > mon->base_max_hp;
    memcpy(mon->evs, spread->evs, sizeof mon->evs);
    memcpy(mon->ivs, spread->ivs, sizeof mon->ivs);
    dex_stats(mon->base_species, mon->level, mon->evs, mon->ivs, stats);
    mon->base_max_hp = stats[STAT_HP];
    mon->max_hp = (uint16_t)(large ? 2 * stats[STAT_HP] : stats[STAT_HP]);
    hp_percent_range(percent, mon->max_hp, &least, &most);
    mon->hp = (uint16_t)most;
    dex_stats(mon->species, mon->level, mon->evs, mon->ivs, stats);
    memcpy(mon->stats, stats + 1, sizeof mon->stats);
}

bool conceal_hides_ability(const struct pokemon_mon *mon)
{
    return !(mon->seen & SEEN_ABILITY) && mon->species == mon->set_species &&
           mon->set_species != SPECIES_ZACIANCROWNED &&
           mon->set_species != SPECIES_ZAMAZENTACROWNED;
}

static void conceal_ability(struct pokemon_mon *mon, const struct belief_candidates *of)
{
    if (!conceal_hides_ability(mon))
        return;
    int ability = of->count ? dex_sets[of->first].ability : dex_species[mon->set_species].ability;
    if (mon->ability == mon->set_ability)
        mon->ability = (uint8_t)ability; /* otherwise its change was seen */
    mon->base_ability = mon->set_ability = (uint8_t)ability;
}

/* The sleep that is left becomes the longest possible.  The length of Rest is known. */
static void conceal_sleep(struct pokemon_mon *mon)
{
    if (mon->status != STATUS_SLP || !(mon->flags & MON_FOE_STATUS))
        return;
    int slept = mon->status_start > mon->status_time ? mon->status_start - mon->status_time : 0;
    mon->status_start = (uint8_t)(slept < 4 ? 4 : slept + 1);
    mon->status_time = (uint8_t)(mon->status_start - slept);
}

/* at: the arrival of the Pokémon if it is active, else NULL.  large: it is Dynamaxed. */
static void conceal_mon(struct pokemon_mon *mon, struct pokemon_arrival *at, bool large)
{
    struct belief_candidates of = belief_candidates(mon);
    conceal_moves(mon, at);
    conceal_spread(mon, &of);
    conceal_ability(mon, &of);
    if (!(mon->seen & SEEN_ITEM))
        mon->item = mon->last_item = ITEM_NONE;
    if (of.count > of.plain && !large)
        mon->flags &= (uint8_t)~MON_GIGANTAMAX;
}

/* --- the active Pokémon --- */

/* Converts hp, the hp after the last damage, to the maximum that all Pokémon of the species get. */
static int conceal_share(int hp, const struct pokemon_mon *before, const struct pokemon_mon *now)
{
    int least, most;
    if (hp == 0 || hp == before->hp)
        return hp ? now->hp : 0;
    hp_percent_range(hp_percent(hp, before->max_hp), now->max_hp, &least, &most);
    return most;
}

static void conceal_arrival(struct pokemon_arrival *at, const struct pokemon_mon *before,
                            const struct pokemon_mon *now)
{
    int least, most;
    hp_percent_range(hp_percent(at->hp, before->base_max_hp), now->base_max_hp, &least, &most);
    at->hp = (uint16_t)most;
}

static void conceal_arrived_asleep(struct pokemon_arrival *at)
{
    if (at->status == STATUS_SLP && (at->flags & MON_FOE_STATUS)) {
        at->status_start = (uint8_t)(4 + at->status_start - at->status_time);
        at->status_time = 4;
    }
}

void conceal_active(struct pokemon_active *active, const struct pokemon_mon *mon)
{
    active->volatiles &= ~CONCEALED_VOLATILES;
    active->choice_move = active->counter_damage = active->mirror_damage = 0;
    active->flags &= (uint16_t) ~(ACTIVE_COUNTER_HIT | ACTIVE_MIRROR_HIT);
    active->speed = 0;
    active->last_base = active->last_base ? MOVE_STRUGGLE : 0;
    if (conceal_hides_ability(mon) && mon->ability == mon->set_ability)
        active->ability_flags = active->ability_counter = 0;
    active->gorilla_move = 0;
    conceal_arrived_asleep(&active->arrival);
}

/* Converts two hp of the active Pokémon, after the last damage and at its arrival, to the maximum that all Pokémon of
 * its species get, and gives it the species' stats. */
static void conceal_shares(struct pokemon_active *active, const struct pokemon_mon *before,
                           const struct pokemon_mon *now)
{
    active->hurt = (uint16_t)conceal_share(active->hurt, before, now);
    conceal_arrival(&active->arrival, before, now);
    if (!(active->flags & ACTIVE_TRANSFORMED))
        memcpy(active->stats, now->stats, sizeof active->stats);
}

/* The players see only whether a substitute was hit, not how much hp it has left. */
static void conceal_substitute(struct pokemon_active *active, int full, int now_full)
{
    if (active->volatiles >> VOLATILE_SUBSTITUTE & 1)
        active->substitute = (uint16_t)(active->substitute < full ? 1 : now_full);
}

static uint8_t conceal_length(uint8_t left, uint8_t *start, int longest)
{
    int passed = *start > left ? *start - left : 0;
    *start = (uint8_t)(passed < longest ? longest : passed + 1);
    return (uint8_t)(*start - passed);
}

void conceal_lengths(struct pokemon_side *side)
{
    struct pokemon_active *a = &side->active;
    if (a->volatiles >> VOLATILE_CONFUSION & 1)
        a->confusion = conceal_length(a->confusion, &a->confusion_start, 5);
    if (a->volatiles >> VOLATILE_LOCKEDMOVE & 1)
        a->locked_true = conceal_length(a->locked_true, &a->locked_start, 3);
    if (a->volatiles >> VOLATILE_PARTIALLYTRAPPED & 1)
        a->trap_turns = conceal_length(a->trap_turns, &a->trap_start, 6);
    for (int i = 0; i < POKEMON_TEAM; ++i)
        conceal_sleep(&side->mons[i]);
}

/* --- the whole side --- */

/* Removes the order of the bench, which is not shown. */
static void conceal_bench_order(struct pokemon_side *side)
{
    int at = 1;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (i != side->order[0])
            side->order[at++] = (uint8_t)i;
}

static void conceal_team(struct pokemon_side *side)
{
    int in_play = side->order[0];
    const struct pokemon_mon before = side->mons[in_play];
    bool large = side->active.volatiles >> VOLATILE_DYNAMAX & 1;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &side->mons[i];
        bool told = (mon->seen & SEEN_SPECIES) || i == in_play || i + 1 == side->active.illusion;
        if (told)
            conceal_mon(mon, i == in_play ? &side->active.arrival : NULL, large && i == in_play);
        else
            memset(mon, 0, sizeof *mon);
    }
    const struct pokemon_mon *now = &side->mons[in_play];
    conceal_substitute(&side->active, before.max_hp / 4, now->max_hp / 4);
    conceal_active(&side->active, now);
    conceal_shares(&side->active, &before, now);
    conceal_bench_order(side);
}

/* Removes what the foe will do this turn; it stays visible that the foe has yet to act. */
static void conceal_queue(struct pokemon *s, int foe)
{
    struct pokemon_action waits = {.choice = CHOICE_MOVE,
                                   .side = (uint8_t)foe,
                                   .mon = s->sides[foe].order[0],
                                   .move = MOVE_STRUGGLE};
    int count = 0;
    bool there = false;
    for (int i = 0; i < s->queued; ++i) {
        const struct pokemon_action *action = &s->queue[i];
        if (action->side != foe || action->choice == CHOICE_RESIDUAL) {
            s->queue[count++] = *action;
            continue;
        }
        if (!there)
            s->queue[count++] = waits;
        there = true;
    }
    memset(&s->queue[count], 0, (size_t)(s->queued - count) * sizeof s->queue[0]);
    s->queued = (uint8_t)count;
}

void conceal_own(struct pokemon_side *own)
{
    int full = own->mons[own->order[0]].max_hp / 4;
    conceal_lengths(own);
    conceal_substitute(&own->active, full, full);
    own->active.speed = 0;
}

void conceal(struct pokemon *s, int viewer)
{
    struct pokemon_side *foe = &s->sides[!viewer], *own = &s->sides[viewer];
    if (disguise_holds(foe)) {
        int shown = foe->active.illusion - 1;
        disguise_pass(s, !viewer, shown);
        foe->active.illusion = 0;
        foe->mons[shown].seen |= SEEN_SPECIES;
    }
    conceal_queue(s, !viewer);
    conceal_team(foe);
    conceal_lengths(foe);
    conceal_own(own);
    foe->wish_hp = 0;
    memset(s->matchup, 0, sizeof s->matchup);
}
