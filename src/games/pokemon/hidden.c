/* What a player knows, and what the rest may be. */
#include "games/pokemon/battle.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

/* --- the key --- */

static uint64_t hidden_mix(uint64_t key, uint64_t value)
{
    return rng_mix(key * 0x9e3779b97f4a7c15u ^ value);
}

static uint64_t hidden_bytes(uint64_t key, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        key = hidden_mix(key, word);
    }
    return key;
}

/* hp as it is shown to the other player. */
static int hidden_percent(const struct pokemon_mon *mon)
{
    int percent = (100 * mon->hp + mon->max_hp - 1) / mon->max_hp;
    return percent == 100 && mon->hp < mon->max_hp ? 99 : percent;
}

static uint64_t hidden_key_foe_mon(uint64_t key, const struct pokemon_mon *mon)
{
    if (!(mon->seen & SEEN_SPECIES))
        return hidden_mix(key, 0);
    key = hidden_mix(key, (uint64_t)mon->species << 32 | (uint64_t)mon->set_species << 16 |
                              (uint64_t)hidden_percent(mon) << 8 | mon->status);
    key = hidden_mix(key, (uint64_t)mon->flags << 8 | mon->seen);
    if (mon->seen & SEEN_ITEM)
        key = hidden_mix(key, (uint64_t)mon->item << 8 | mon->last_item);
    if (mon->seen & SEEN_ABILITY)
        key = hidden_mix(key, mon->ability);
    uint64_t moves = 0; /* in any order: slots are not seen */
    for (int i = 0; i < mon->slots.count; ++i)
        if (mon->seen >> i & 1)
            moves += rng_mix((uint64_t)mon->slots.id[i] << 8 | mon->slots.pp[i]);
    return hidden_mix(key, moves);
}

/* What of the active Pokémon can be seen by both. */
static uint64_t hidden_key_active(uint64_t key, const struct pokemon_active *a)
{
    const uint64_t secret = (uint64_t)1 << VOLATILE_CHOICELOCK;
    key = hidden_mix(key, a->volatiles & ~secret);
    key = hidden_bytes(key, a->boosts, sizeof a->boosts);
    key = hidden_mix(key, (uint64_t)a->types[0] << 8 | a->types[1]);
    key = hidden_mix(key, (uint64_t)a->last_move << 16 | a->encore_move);
    key = hidden_mix(key, (uint64_t)a->disable_move << 32 | (uint64_t)a->charge_move << 16 |
                              a->locked_move);
    return hidden_mix(key, (uint64_t)a->dynamax_turns << 16 | (uint64_t)a->taunt_turns << 8 |
                               a->encore_turns);
}

uint64_t hidden_key(const void *state, int viewer)
{
    const struct pokemon *s = state;
    const struct pokemon_side *own = &s->sides[viewer], *foe = &s->sides[!viewer];
    uint64_t key = hidden_mix((uint64_t)viewer + 1, s->turn);
    key = hidden_bytes(key, own->mons, sizeof own->mons);
    key = hidden_bytes(key, own->order, sizeof own->order);
    key = hidden_key_active(key, &own->active);
    key = hidden_mix(key, own->active.choice_move);
    int shown = foe->active.illusion ? foe->active.illusion - 1 : foe->order[0];
    key = hidden_mix(key, foe->mons[shown].species);
    key = hidden_mix(key, (uint64_t)hidden_percent(&foe->mons[foe->order[0]]));
    uint64_t bench = 0;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        bench += hidden_key_foe_mon(0, &foe->mons[i]);
    key = hidden_mix(key, bench);
    key = hidden_key_active(key, &foe->active);
    for (int side = 0; side < 2; ++side) {
        key = hidden_bytes(key, s->sides[side].condition, SIDE_COUNT);
        key = hidden_mix(key, (uint64_t)s->sides[side].dynamax_used << 16 |
                                  (uint64_t)s->sides[side].wish_there << 8 |
                                  s->sides[side].future_move);
    }
    key = hidden_mix(key, (uint64_t)s->weather << 40 | (uint64_t)s->weather_turns << 32 |
                              (uint64_t)s->terrain << 24 | (uint64_t)s->terrain_turns << 16 |
                              (uint64_t)s->trick_room << 8 | s->winner);
    if (s->request[viewer] == REQUEST_MOVE) /* the request tells */
        key = hidden_mix(key, legal_trapped(s, viewer));
    return hidden_mix(key, (uint64_t)s->request[0] << 8 | s->request[1]);
}

/* --- drawing what is not seen --- */

static bool hidden_knows_move(const struct dex_set *set, int move)
{
    for (int i = 0; i < 4; ++i)
        if (set->moves[i] == move)
            return true;
    return false;
}

/* Whether a set may be that of a Pokémon of which something was seen. */
static bool hidden_fits(const struct pokemon_mon *mon, const struct dex_set *set)
{
    for (int i = 0; i < mon->slots.count; ++i)
        if ((mon->seen >> i & 1) && !hidden_knows_move(set, mon->slots.id[i]))
            return false;
    int item = mon->item ? mon->item : mon->last_item;
    if ((mon->seen & SEEN_ITEM) && set->item != item)
        return false;
    return !(mon->seen & SEEN_ABILITY) || set->ability == mon->set_ability;
}

static const struct dex_entry *hidden_entry(const struct pokemon_mon *mon)
{
    for (int i = 0; i < dex_entry_count; ++i)
        if (dex_entries[i].species == mon->set_species && dex_entries[i].level == mon->level &&
            dex_entries[i].gmax == ((mon->flags & MON_GIGANTAMAX) != 0))
            return &dex_entries[i];
    return NULL;
}

static const struct dex_set *hidden_draw_set(const struct pokemon_mon *mon,
                                             const struct dex_entry *entry, struct banyan_rng *rng)
{
    uint32_t total = 0;
    const struct dex_set *sets = &dex_sets[entry->first_set];
    for (int i = 0; i < entry->sets; ++i)
        if (hidden_fits(mon, &sets[i]))
            total += sets[i].count;
    if (!total)
        return NULL;
    uint32_t at = rng_below(rng, total);
    for (int i = 0; i < entry->sets; ++i) {
        if (!hidden_fits(mon, &sets[i]))
            continue;
        if (at < sets[i].count)
            return &sets[i];
        at -= sets[i].count;
    }
    return NULL;
}

/* Unseen moves, item and ability are those of another set; what was seen stays as it is. */
static void hidden_take_set(struct pokemon_mon *mon, const struct dex_set *set)
{
    uint16_t rest[4];
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        bool known = false;
        for (int k = 0; k < mon->slots.count; ++k)
            known |= (mon->seen >> k & 1) && mon->slots.id[k] == set->moves[i];
        if (!known && set->moves[i])
            rest[count++] = set->moves[i];
    }
    int next = 0;
    for (int k = 0; k < mon->slots.count; ++k)
        if (!(mon->seen >> k & 1) && next < count) {
            mon->slots.id[k] = rest[next++];
            mon->slots.pp[k] = mon->slots.max_pp[k] = dex_moves[mon->slots.id[k]].pp;
        }
    if (!(mon->seen & SEEN_ITEM))
        mon->item = set->item;
    if (!(mon->seen & SEEN_ABILITY) && mon->ability == mon->set_ability &&
        mon->base_ability == mon->set_ability && mon->species == mon->set_species)
        mon->ability = mon->base_ability = mon->set_ability = set->ability;
}

static void hidden_redraw_seen(struct pokemon_mon *mon, struct banyan_rng *rng)
{
    const struct dex_entry *entry = hidden_entry(mon);
    const struct dex_set *set = entry ? hidden_draw_set(mon, entry, rng) : NULL;
    if (set)
        hidden_take_set(mon, set);
}

/* A Choice item locks its holder into the move that it made, and nothing else does. */
static void hidden_choice_lock(struct pokemon *s, int side)
{
    struct battle b;
    battle_open(&b, s, NULL);
    struct pokemon_active *active = active_of(&b, side);
    const struct pokemon_mon *mon = mon_of(&b, side);
    bool choice = (dex_items[mon->item].flags & ITEM_FLAG_CHOICE) != 0;
    volatile_drop(&b, side, VOLATILE_CHOICELOCK);
    if (choice && active->last_move && !is_dynamaxed(&b, side) &&
        state_slot_of(state_slots(side_of(&b, side)), active->last_move) >= 0) {
        active->volatiles |= (uint64_t)1 << VOLATILE_CHOICELOCK;
        active->choice_move = active->last_move;
    }
    if (!s->mid_turn)
        turn_disable_moves(&b, side);
}

/* The active foe: what traps the viewer, and what does not, is known from his request. */
static void hidden_redraw_active(struct pokemon *s, int viewer, struct banyan_rng *rng)
{
    struct pokemon_side *foe = &s->sides[!viewer];
    struct pokemon_mon *mon = &foe->mons[foe->order[0]], before = *mon;
    bool trapped = legal_trapped(s, viewer);
    hidden_redraw_seen(mon, rng);
    if (legal_trapped(s, viewer) != trapped)
        *mon = before;
    hidden_choice_lock(s, !viewer);
}

static bool hidden_base_taken(const struct pokemon_side *side, int upto, int species)
{
    int base = dex_species[species].base;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[i];
        if (((mon->seen & SEEN_SPECIES) || i < upto) && dex_species[mon->set_species].base == base)
            return true;
    }
    return false;
}

static void hidden_redraw_unseen(struct pokemon_side *side, int index, struct banyan_rng *rng)
{
    const struct dex_entry *entry;
    do
        entry = setup_draw_entry(rng);
    while (hidden_base_taken(side, index, entry->species));
    uint32_t at = rng_below(rng, entry->count);
    const struct dex_set *set = &dex_sets[entry->first_set];
    while (at >= set->count)
        at -= (set++)->count;
    setup_from_set(&side->mons[index], entry, set, rng);
}

/* A move that the foe has chosen but not shown is chosen again. */
static void hidden_redraw_queue(struct pokemon *s, int foe, struct banyan_rng *rng)
{
    for (int i = 0; i < s->queued; ++i) {
        struct pokemon_action *action = &s->queue[i];
        if (action->choice != CHOICE_MOVE || action->side != foe)
            continue;
        banyan_action legal[16];
        int count = legal_actions(s, foe, legal), moves = 0;
        while (moves < count && legal[moves] >> 16 == ACTION_MOVE)
            ++moves;
        int move = moves ? (int)(legal[rng_below(rng, (uint32_t)moves)] & 0xffff) : MOVE_STRUGGLE;
        if (!action->max || move != MOVE_STRUGGLE)
            action->move = (uint16_t)move;
    }
}

void hidden_determinize(void *state, int viewer, struct banyan_rng *rng)
{
    struct pokemon *s = state;
    struct pokemon_side *foe = &s->sides[!viewer];
    bool changed = (foe->active.flags & ACTIVE_TRANSFORMED) || foe->active.illusion;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        struct pokemon_mon *mon = &foe->mons[i];
        if (!(mon->seen & SEEN_SPECIES) && i != foe->order[0])
            hidden_redraw_unseen(foe, i, rng);
        else if (i != foe->order[0])
            hidden_redraw_seen(mon, rng);
        else if (!changed)
            hidden_redraw_active(s, viewer, rng);
    }
    hidden_redraw_queue(s, !viewer, rng);
}
