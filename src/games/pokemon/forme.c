/* Formes, Transform, and what a Pokémon keeps when it leaves. */
#include "games/pokemon/effects.h"

#include <string.h>

static void forme_stats(const struct pokemon_mon *mon, int species, uint16_t out[STAT_COUNT])
{
    dex_stats(species, mon->level, mon->evs, mon->ivs, out);
}

/* Changes types, weight and stats to those of a species. */
void forme_species(struct battle *b, int side, int species, bool transform)
{
    struct pokemon_mon *mon = mon_of(b, side);
    struct pokemon_active *active = active_of(b, side);
    uint16_t stats[STAT_COUNT];
    forme_stats(mon, species, stats);
    mon->species = (uint16_t)species;
    memcpy(active->types, dex_species[species].types, sizeof active->types);
    active->added_type = 0;
    active->weight = dex_species[species].weight;
    memcpy(active->stats, stats + 1, sizeof active->stats);
    if (!transform)
        memcpy(mon->stats, stats + 1, sizeof mon->stats);
    active->speed = stats[STAT_SPE];
}

void forme_max_hp(struct pokemon_mon *mon, bool dynamaxed)
{
    uint16_t stats[STAT_COUNT];
    dex_stats(mon->species, mon->level, mon->evs, mon->ivs, stats);
    if (stats[STAT_HP] == mon->base_max_hp)
        return;
    mon->base_max_hp = stats[STAT_HP];
    int full = dynamaxed ? 2 * mon->base_max_hp : mon->base_max_hp;
    int hp = full - (mon->max_hp - mon->hp);
    mon->hp = (uint16_t)(mon->hp == 0 ? 0 : hp < 1 ? 1 : hp);
    mon->max_hp = (uint16_t)full;
}

void forme_change(struct battle *b, int side, int species, bool permanent, bool keep_ability)
{
    struct pokemon_mon *mon = mon_of(b, side);
    forme_species(b, side, species, false);
    if (!permanent)
        return;
    mon->base_species = (uint16_t)species;
    forme_max_hp(mon, is_dynamaxed(b, side));
    if (!keep_ability) {
        ability_set(b, side, dex_species[species].ability, true, false);
        mon->base_ability = dex_species[species].ability;
    }
}

static void forme_copy_slots(const struct pokemon_slots *from, struct pokemon_slots *to)
{
    memset(to, 0, sizeof *to);
    to->count = from->count;
    for (int i = 0; i < from->count; ++i) {
        int pp = dex_moves[from->id[i]].base_pp;
        to->id[i] = from->id[i];
        to->pp[i] = to->max_pp[i] = (uint8_t)(pp < 5 ? pp : 5);
    }
}

bool forme_transform(struct battle *b, int side, int into)
{
    struct pokemon_mon *model = mon_of(b, into);
    struct pokemon_active *active = active_of(b, side), *shape = active_of(b, into);
    if (is_fainted(b, into) || active->illusion || shape->illusion ||
        has_volatile(b, into, VOLATILE_SUBSTITUTE) || (shape->flags & ACTIVE_TRANSFORMED) ||
        (active->flags & ACTIVE_TRANSFORMED))
        return false;
    forme_species(b, side, model->species, true);
    forme_copy_slots(state_slots(side_of(b, into)), &active->slots);
    active->flags |= ACTIVE_TRANSFORMED;
    /* both players now see the moves and the ability, because they are copied */
    model->seen |= (uint8_t)(((1 << model->slots.count) - 1) | SEEN_ABILITY);
    active->weight = shape->weight;
    memcpy(active->types, shape->types, sizeof active->types);
    active->added_type = shape->added_type;
    memcpy(active->stats, shape->stats, sizeof active->stats);
    memcpy(active->boosts, shape->boosts, sizeof active->boosts);
    volatile_end(b, side, VOLATILE_FOCUSENERGY);
    if (has_volatile(b, into, VOLATILE_FOCUSENERGY))
        volatile_add(b, side, VOLATILE_FOCUSENERGY, side);
    ability_set(b, side, model->ability, true, true);
    return true;
}

/* Returns the Pokémon to its base forme and clears its struct pokemon_active, except the state of its
 * ability, its disguise and its turns.  Unless it is switching, some flags stay, too. */
void forme_clear(struct battle *b, int side, bool switching)
{
    struct pokemon_mon *mon = mon_of(b, side);
    struct pokemon_active *active = active_of(b, side);
    uint16_t keep = switching
                        ? 0
                        : active->flags & (ACTIVE_SWITCH | ACTIVE_FORCED | ACTIVE_EXIT |
                                           ACTIVE_SWITCH_READY | ACTIVE_RAISED | ACTIVE_LOWERED);
    uint8_t flags = active->ability_flags, counter = active->ability_counter,
            illusion = active->illusion;
    uint16_t turns = active->turns, actions = active->actions, gorilla = active->gorilla_move;
    volatile_remove(b, side, VOLATILE_TRAPPED);
    volatile_remove(b, side, VOLATILE_TRAPPER);
    memset(active, 0, sizeof *active);
    mon->ability = mon->base_ability;
    forme_species(b, side, mon->base_species, false);
    active->flags = keep | ACTIVE_NEW;
    active->ability_flags = flags;
    active->ability_counter = counter;
    active->gorilla_move = gorilla;
    active->illusion = illusion;
    active->turns = turns;
    active->actions = actions;
}
