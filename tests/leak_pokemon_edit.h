/* Pokémon, the leak test: changes each hidden part so that the viewer cannot notice.  Nothing here
 * uses the code that draws worlds. */
#ifndef TESTS_LEAK_POKEMON_EDIT_H
#define TESTS_LEAK_POKEMON_EDIT_H

#include "leak_pokemon_fields.h"

/* --- what is told --- */

static inline int leak_percent(int hp, int max_hp)
{
    int percent = (100 * hp + max_hp - 1) / max_hp;
    return percent == 100 && hp < max_hp ? 99 : percent;
}

static inline bool leak_told(const struct pokemon_side *side, int i)
{
    return (side->mons[i].seen & SEEN_SPECIES) || i == side->order[0] ||
           i + 1 == side->active.illusion;
}

static inline bool leak_hides_ability(const struct pokemon_mon *mon)
{
    return !(mon->seen & SEEN_ABILITY) && mon->ability == mon->set_ability &&
           mon->base_ability == mon->set_ability && mon->species == mon->set_species;
}

static inline const struct dex_entry *leak_entry(const struct pokemon_mon *mon)
{
    for (int i = 0; i < dex_entry_count; ++i)
        if (dex_entries[i].species == mon->set_species && dex_entries[i].level == mon->level)
            return &dex_entries[i];
    return NULL;
}

static inline bool leak_set_has(const struct dex_set *set, int move)
{
    return set->moves[0] == move || set->moves[1] == move || set->moves[2] == move ||
           set->moves[3] == move;
}

/* Whether the set has all moves that were seen. */
static inline bool leak_set_fits(const struct pokemon_mon *mon, const struct dex_set *set)
{
    for (int i = 0; i < mon->slots.count; ++i)
        if ((mon->seen >> i & 1) && !leak_set_has(set, mon->slots.id[i]))
            return false;
    return true;
}

/* A set of the species, drawn at random, that has the seen moves; NULL: 20 draws gave none. */
static inline const struct dex_set *leak_other_set(const struct pokemon_mon *mon,
                                                   struct banyan_rng *rng)
{
    const struct dex_entry *entry = leak_entry(mon);
    for (int tries = 0; entry && tries < 20; ++tries) {
        const struct dex_set *set =
            &dex_sets[entry->first_set + banyan_rng_below(rng, entry->sets)];
        if (leak_set_fits(mon, set))
            return set;
    }
    return NULL;
}

/* The moves that may be chosen next turn, after a change of moves or item. */
static inline void leak_close_moves(struct pokemon *s, int side)
{
    struct battle b;
    battle_open(&b, s, NULL);
    turn_disable_moves(&b, side);
}

/* --- editors: lengths --- */

static inline bool leak_edit_sleep(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    bool any = false;
    (void)viewer;
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            struct pokemon_mon *mon = &s->sides[side].mons[i];
            if (mon->status != STATUS_SLP || !(mon->flags & MON_FOE_STATUS))
                continue;
            int slept = mon->status_start - mon->status_time;
            int start = 2 + (int)banyan_rng_below(rng, 3);
            if (start <= slept)
                continue;
            any |= start != mon->status_start;
            mon->status_start = (uint8_t)start;
            mon->status_time = (uint8_t)(start - slept);
            uint8_t *arrived = leak_active_byte(&s->sides[side].active, "arrivedstart");
            uint8_t *time = leak_active_byte(&s->sides[side].active, "arrivedtime");
            if (side != viewer && i == s->sides[side].order[0] && arrived && *arrived) {
                *time = (uint8_t)(start - (*arrived - *time));
                *arrived = (uint8_t)start;
            }
        }
    return any;
}

/* A length from `least` to `most`; the state of an earlier version does not contain the drawn
 * length. */
static inline bool leak_edit_length(struct pokemon *s, int volatile_id, const char *left_key,
                                    const char *drawn_key, int least, int most,
                                    struct banyan_rng *rng)
{
    bool any = false;
    for (int side = 0; side < 2; ++side) {
        struct pokemon_active *active = &s->sides[side].active;
        uint8_t *left = leak_active_byte(active, left_key),
                *drawn = leak_active_byte(active, drawn_key);
        if (!(active->volatiles >> volatile_id & 1))
            continue;
        int passed = drawn ? *drawn - *left : 0;
        int start = least + (int)banyan_rng_below(rng, (uint32_t)(most - least + 1));
        if (start <= passed || start - passed == *left)
            continue;
        *left = (uint8_t)(start - passed);
        if (drawn)
            *drawn = (uint8_t)start;
        any = true;
    }
    return any;
}

static inline bool leak_edit_confusion(void *state, int viewer, struct banyan_rng *rng)
{
    (void)viewer;
    return leak_edit_length(state, VOLATILE_CONFUSION, "confusion", "confusiondrawn", 2, 5, rng);
}

static inline bool leak_edit_locked(void *state, int viewer, struct banyan_rng *rng)
{
    (void)viewer;
    return leak_edit_length(state, VOLATILE_LOCKEDMOVE, "lockedtrue", "lockeddrawn", 2, 3, rng);
}

static inline bool leak_edit_trap(void *state, int viewer, struct banyan_rng *rng)
{
    (void)viewer;
    return leak_edit_length(state, VOLATILE_PARTIALLYTRAPPED, "trapturns", "trapdrawn", 5, 6, rng);
}

static inline bool leak_edit_substitute(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    bool any = false;
    (void)viewer;
    for (int side = 0; side < 2; ++side) {
        struct pokemon_active *active = &s->sides[side].active;
        int full = s->sides[side].mons[s->sides[side].order[0]].max_hp / 4;
        if (!(active->volatiles >> VOLATILE_SUBSTITUTE & 1) || active->substitute >= full)
            continue;
        active->substitute = (uint16_t)(1 + banyan_rng_below(rng, (uint32_t)(full - 1)));
        any = true;
    }
    return any;
}

/* --- editors: hp, sets --- */

/* A number of hp near this one, perhaps the same, that the viewer sees as the same per cent. */
static inline int leak_other_hp(int hp, int max_hp, int percent, struct banyan_rng *rng)
{
    for (int tries = 0; tries < 40; ++tries) {
        int other = hp - 8 + (int)banyan_rng_below(rng, 17);
        if (other > 0 && other <= max_hp && leak_percent(other, max_hp) == percent)
            return other;
    }
    return hp;
}

static inline bool leak_edit_hp(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    struct pokemon_active *active = &foe->active;
    const struct pokemon_mon *out = &foe->mons[foe->order[0]];
    int before = out->hp;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &foe->mons[i];
        if (leak_told(foe, i) && mon->hp)
            mon->hp = (uint16_t)leak_other_hp(mon->hp, mon->max_hp,
                                              leak_percent(mon->hp, mon->max_hp), rng);
    }
    if (active->hurt)
        active->hurt = active->hurt == before
                           ? out->hp
                           : (uint16_t)leak_other_hp(active->hurt, out->max_hp,
                                                     leak_percent(active->hurt, out->max_hp), rng);
    uint8_t *at = leak_active_byte(active, "arrivedhp");
    uint16_t arrived = 0;
    if (at)
        memcpy(&arrived, at, sizeof arrived);
    if (arrived && arrived <= out->base_max_hp) {
        arrived = (uint16_t)leak_other_hp(arrived, out->base_max_hp,
                                          leak_percent(arrived, out->base_max_hp), rng);
        memcpy(at, &arrived, sizeof arrived);
    }
    return true;
}

/* The least hp that are shown as `percent` of max_hp. */
static inline uint16_t leak_hp_of(int percent, int max_hp)
{
    for (int hp = 1; hp < max_hp; ++hp)
        if (leak_percent(hp, max_hp) == percent)
            return (uint16_t)hp;
    return (uint16_t)(percent ? max_hp : 0);
}

/* Effort and individual values of any set: another maximum, other stats, the same share of hp. */
static inline bool leak_edit_spread(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &foe->mons[i];
        bool out = i == foe->order[0], large = mon->max_hp > mon->base_max_hp;
        const struct dex_spread *spread =
            &dex_spreads[banyan_rng_below(rng, (uint32_t)dex_spread_count)];
        uint16_t stats[STAT_COUNT], arrived = 0;
        uint8_t *at = out ? leak_active_byte(&foe->active, "arrivedhp") : NULL;
        int percent = leak_percent(mon->hp, mon->max_hp);
        int hurt = out ? leak_percent(foe->active.hurt, mon->max_hp) : 0;
        bool whole_sub = foe->active.substitute >= mon->max_hp / 4;
        if (at)
            memcpy(&arrived, at, sizeof arrived);
        int came = leak_percent(arrived, mon->base_max_hp);
        memcpy(mon->evs, spread->evs, sizeof mon->evs);
        memcpy(mon->ivs, spread->ivs, sizeof mon->ivs);
        dex_stats(mon->base_species, mon->level, mon->evs, mon->ivs, stats);
        mon->base_max_hp = stats[STAT_HP];
        mon->max_hp = (uint16_t)(large ? 2 * stats[STAT_HP] : stats[STAT_HP]);
        mon->hp = leak_hp_of(percent, mon->max_hp);
        dex_stats(mon->species, mon->level, mon->evs, mon->ivs, stats);
        memcpy(mon->stats, stats + 1, sizeof mon->stats);
        if (!out)
            continue;
        if (!(foe->active.flags & ACTIVE_TRANSFORMED))
            memcpy(foe->active.stats, stats + 1, sizeof foe->active.stats);
        foe->active.hurt = leak_hp_of(hurt, mon->max_hp);
        arrived = leak_hp_of(came, mon->base_max_hp);
        if (at)
            memcpy(at, &arrived, sizeof arrived);
        if (foe->active.volatiles >> VOLATILE_SUBSTITUTE & 1)
            foe->active.substitute = (uint16_t)(whole_sub ? mon->max_hp / 4 : 1);
    }
    if (foe->wish_there)
        foe->wish_hp = (uint16_t)(foe->wish_hp + 1 + banyan_rng_below(rng, 4));
    return true;
}

/* Unseen moves from other sets of the species, or from anywhere. */
static inline bool leak_edit_moves(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &foe->mons[i];
        const struct dex_set *set = leak_other_set(mon, rng);
        for (int k = 0; k < mon->slots.count; ++k) {
            int move = set && k < 4 ? set->moves[(k + i) % 4] : 0;
            if (mon->seen >> k & 1)
                continue;
            while (!move || state_slot_of(&mon->slots, move) >= 0)
                move = dex_sets[banyan_rng_below(rng, (uint32_t)dex_set_count)].moves[0];
            mon->slots.id[k] = (uint16_t)move;
            mon->slots.max_pp[k] = dex_moves[move].pp;
            mon->slots.pp[k] = dex_moves[move].pp;
            mon->slots.used &= (uint8_t) ~(1 << k);
            mon->slots.disabled ^= (uint8_t)(banyan_rng_below(rng, 2) << k);
        }
    }
    if (foe->active.last_base && !(foe->active.flags & ACTIVE_TRANSFORMED))
        foe->active.last_base = foe->mons[foe->order[0]].slots.id[0];
    if (!s->mid_turn)
        leak_close_moves(s, !viewer);
    return true;
}

/* Moves in another order: the viewer is not told in which slot a move is. */
static inline bool leak_edit_slots(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &foe->mons[i];
        struct pokemon_slots *slots = &mon->slots;
        int a = (int)banyan_rng_below(rng, slots->count),
            b = (int)banyan_rng_below(rng, slots->count);
        uint8_t *masks[] = {&slots->used, &slots->disabled, &slots->hard, &mon->seen, NULL};
        uint8_t *spent = NULL;
        if (i == foe->order[0]) {
            masks[4] = leak_active_byte(&foe->active, "arrivedseen");
            spent = leak_active_byte(&foe->active, "spent");
        }
        struct pokemon_slots old = *slots;
        slots->id[a] = old.id[b], slots->id[b] = old.id[a];
        slots->pp[a] = old.pp[b], slots->pp[b] = old.pp[a];
        slots->max_pp[a] = old.max_pp[b], slots->max_pp[b] = old.max_pp[a];
        for (int m = 0; m < 5; ++m)
            if (masks[m] && (*masks[m] >> a & 1) != (*masks[m] >> b & 1))
                *masks[m] ^= (uint8_t)(1 << a | 1 << b);
        if (spent) {
            uint8_t keep = spent[a];
            spent[a] = spent[b];
            spent[b] = keep;
        }
    }
    return true;
}

/* Items that were not seen; a Choice item comes with its lock, and the lock goes with the item. */
static inline bool leak_edit_items(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &foe->mons[i];
        if (!(mon->seen & SEEN_ITEM))
            mon->item = dex_sets[banyan_rng_below(rng, (uint32_t)dex_set_count)].item;
    }
    struct pokemon_active *active = &foe->active;
    const struct pokemon_mon *out = &foe->mons[foe->order[0]];
    bool choice = (dex_items[out->item].flags & ITEM_FLAG_CHOICE) != 0;
    int move = active->last_base ? 0 : active->last_move;
    active->volatiles &= ~((uint64_t)1 << VOLATILE_CHOICELOCK);
    active->choice_move = 0;
    if (choice && move && state_slot_of(state_slots(foe), move) >= 0) {
        active->volatiles |= (uint64_t)1 << VOLATILE_CHOICELOCK;
        active->choice_move = (uint16_t)move;
    }
    if (!s->mid_turn)
        leak_close_moves(s, !viewer);
    return true;
}

/* Abilities that were not seen: those of another set, unless the viewer would notice a trap or
 * its end. */
static inline bool leak_edit_abilities(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    bool trapped = legal_trapped(s, viewer), any = false;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &foe->mons[i];
        bool out = i == foe->order[0];
        if (!leak_hides_ability(mon) || (out && foe->active.illusion))
            continue;
        const struct dex_entry *entry = leak_entry(mon);
        int old = mon->ability, sets = entry ? entry->sets : 0;
        int ability =
            sets ? dex_sets[entry->first_set + banyan_rng_below(rng, (uint32_t)sets)].ability : old;
        if (!leak_told(foe, i) || banyan_rng_below(rng, 4) == 0)
            ability = banyan_rng_below(rng, 2) ? ABILITY_GLUTTONY : ABILITY_BERSERK;
        mon->ability = mon->base_ability = mon->set_ability = (uint8_t)ability;
        if (out && legal_trapped(s, viewer) != trapped)
            mon->ability = mon->base_ability = mon->set_ability = (uint8_t)old;
        else if (out && ability != old)
            foe->active.ability_flags = ability == ABILITY_GLUTTONY ? ABILITY_GLUTTONY_AWAKE : 0;
        any |= mon->ability != old;
    }
    return any;
}

/* Makes a form that can Gigantamax of one that cannot, and the reverse, where the species has
 * both. */
static inline bool leak_edit_gigantamax(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    bool any = false;
    (void)rng;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &foe->mons[i];
        const struct dex_entry *entry = leak_entry(mon);
        bool both = entry && entry + 1 < dex_entries + dex_entry_count &&
                    entry[1].species == entry->species && entry[1].level == entry->level;
        bool large = i == foe->order[0] && (foe->active.volatiles >> VOLATILE_DYNAMAX & 1);
        bool max = i == foe->order[0] && foe->active.last_base;
        if (!both || large || max)
            continue;
        mon->flags ^= MON_GIGANTAMAX;
        any = true;
    }
    return any;
}

/* --- editors: the team --- */

/* Replaces the Pokémon that the viewer was not told of by others. */
static inline bool leak_edit_bench(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    bool any = false;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        if (leak_told(foe, i))
            continue;
        const struct dex_entry *entry = setup_draw_entry(rng);
        setup_from_set(&foe->mons[i], entry,
                       &dex_sets[entry->first_set + banyan_rng_below(rng, entry->sets)], rng);
        any = true;
    }
    return any;
}

static inline bool leak_edit_order(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    if (foe->active.illusion)
        return false; /* the disguise is the last one of the team */
    for (int i = POKEMON_TEAM - 1; i > 1; --i) {
        int k = 1 + (int)banyan_rng_below(rng, (uint32_t)i);
        uint8_t keep = foe->order[i];
        foe->order[i] = foe->order[k];
        foe->order[k] = keep;
    }
    return true;
}

/* What the foe has chosen and not yet carried out. */
static inline bool leak_edit_queue(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    bool any = false;
    for (int i = 0; i < s->queued; ++i) {
        struct pokemon_action *action = &s->queue[i];
        const struct pokemon_slots *slots = state_slots(foe);
        if (action->side == viewer || action->choice != CHOICE_MOVE || !slots->count)
            continue;
        action->move = slots->id[banyan_rng_below(rng, slots->count)];
        any = true;
        if (banyan_rng_below(rng, 2) || action->max || (foe->active.flags & ACTIVE_TRANSFORMED))
            continue;
        bool counter = banyan_rng_below(rng, 2);
        action->move = counter ? MOVE_COUNTER : MOVE_MIRRORCOAT;
        foe->active.volatiles |= (uint64_t)1 << (counter ? VOLATILE_COUNTER : VOLATILE_MIRRORCOAT);
        *(counter ? &foe->active.counter_damage : &foe->active.mirror_damage) =
            (uint16_t)banyan_rng_below(rng, 200);
        foe->active.flags |= counter ? ACTIVE_COUNTER_HIT : ACTIVE_MIRROR_HIT;
    }
    return any;
}

/* --- editors: Illusion --- */

/* Whether it is turn 1, and the side's Pokémon has shown nothing and is unhurt and without a
 * status. */
static inline bool leak_is_fresh(struct pokemon *s, int side)
{
    struct pokemon_side *p = &s->sides[side];
    const struct pokemon_mon *out = &p->mons[p->order[0]];
    return s->turn == 1 && !s->mid_turn && out->hp == out->max_hp && !out->status &&
           !(out->seen & ~SEEN_SPECIES) && !(p->active.flags & ACTIVE_TRANSFORMED);
}

static inline void leak_arrive(struct pokemon *s, int side, int seen)
{
    struct pokemon_side *p = &s->sides[side];
    const struct pokemon_mon *out = &p->mons[p->order[0]];
    const struct dex_species *row = &dex_species[out->species];
    uint8_t *hp = leak_active_byte(&p->active, "arrivedhp"),
            *flags = leak_active_byte(&p->active, "arrivedseen");
    memcpy(p->active.types, row->types, sizeof p->active.types);
    memcpy(p->active.stats, out->stats, sizeof p->active.stats);
    p->active.weight = row->weight;
    p->active.ability_flags = p->active.ability_counter = 0;
    if (hp)
        memcpy(hp, &out->hp, sizeof out->hp);
    if (flags)
        *flags = (uint8_t)seen;
    if (!s->mid_turn)
        leak_close_moves(s, side);
}

/* A disguised Zoroark becomes the Pokémon that it shows, or the reverse. */
static inline bool leak_edit_illusion(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    int out = foe->order[0], shown = foe->active.illusion - 1;
    bool trapped = legal_trapped(s, viewer);
    if (!leak_is_fresh(s, !viewer))
        return false;
    int in = shown >= 0 ? shown : 1 + (int)banyan_rng_below(rng, POKEMON_TEAM - 1);
    for (int i = 1; i < POKEMON_TEAM; ++i)
        if (foe->order[i] == in)
            foe->order[i] = (uint8_t)out;
    foe->order[0] = (uint8_t)in;
    if (shown >= 0) {
        foe->active.illusion = 0;
        foe->mons[in].seen |= SEEN_SPECIES;
        foe->mons[out].seen = 0;
    } else {
        const struct pokemon_mon zoroark = {.set_species = SPECIES_ZOROARK, .level = 82};
        const struct dex_entry *entry = leak_entry(&zoroark);
        assert_non_null(entry);
        setup_from_set(&foe->mons[in], entry, &dex_sets[entry->first_set], rng);
        foe->active.illusion = (uint8_t)(out + 1);
        foe->mons[out].seen = 0;
    }
    leak_arrive(s, !viewer, 0);
    return legal_trapped(s, viewer) == trapped;
}

#endif
