/* Draws and sets up the teams of a new battle. */
#include "games/pokemon/pokemon.h"

#include "base/rng.h"

#include <string.h>

/* The species of a set: Zacian and Zamazenta with their item start in their crowned forme, and their
 * Iron Head becomes another move. */
static int setup_species(int species, int item, uint16_t moves[4])
{
    bool sword = species == SPECIES_ZACIAN && item == ITEM_RUSTEDSWORD;
    bool shield = species == SPECIES_ZAMAZENTA && item == ITEM_RUSTEDSHIELD;
    if (!sword && !shield)
        return species;
    for (int i = 0; i < 4; ++i)
        if (moves[i] == MOVE_IRONHEAD)
            moves[i] = sword ? MOVE_BEHEMOTHBLADE : MOVE_BEHEMOTHBASH;
    return sword ? SPECIES_ZACIANCROWNED : SPECIES_ZAMAZENTACROWNED;
}

void setup_mon(struct pokemon_mon *mon, const struct pokemon_set *set)
{
    int species = set->species, ability = set->ability;
    uint16_t known[4], stats[STAT_COUNT];
    memset(mon, 0, sizeof *mon);
    memcpy(known, set->moves, sizeof known);
    int forme = setup_species(species, set->item, known);
    mon->species = mon->base_species = mon->set_species = (uint16_t)forme;
    mon->level = (uint8_t)set->level;
    mon->gender = (char)(set->gender == 'N' ? 0 : set->gender);
    mon->flags = set->gmax ? MON_GIGANTAMAX : 0;
    mon->item = (uint8_t)set->item;
    if (forme != species)
        ability = dex_species[forme].ability;
    mon->ability = mon->base_ability = mon->set_ability = (uint8_t)ability;
    memcpy(mon->evs, set->evs, sizeof mon->evs);
    memcpy(mon->ivs, set->ivs, sizeof mon->ivs);
    dex_stats(forme, set->level, set->evs, set->ivs, stats);
    mon->hp = mon->max_hp = mon->base_max_hp = stats[STAT_HP];
    memcpy(mon->stats, stats + 1, sizeof mon->stats);
    for (int i = 0; i < 4 && known[i]; ++i) {
        mon->slots.id[i] = known[i];
        mon->slots.pp[i] = mon->slots.max_pp[i] = dex_moves[known[i]].pp;
        mon->slots.count = (uint8_t)(i + 1);
    }
}

/* --- from the table of sets --- */

const struct dex_entry *setup_draw_entry(struct banyan_rng *rng)
{
    uint32_t at = rng_below(rng, dex_entry_total);
    int i = 0;
    while (at >= dex_entries[i].count)
        at -= dex_entries[i++].count;
    return &dex_entries[i];
}

static const struct dex_set *setup_draw_set(const struct dex_entry *entry, struct banyan_rng *rng)
{
    uint32_t at = rng_below(rng, entry->count);
    const struct dex_set *set = &dex_sets[entry->first_set];
    while (at >= set->count)
        at -= (set++)->count;
    return set;
}

static char setup_draw_gender(int species, struct banyan_rng *rng)
{
    char fixed = dex_species[species].gender;
    return (char)(fixed ? fixed : rng_next(rng) >> 63 ? 'M' : 'F');
}

void setup_from_set(struct pokemon_mon *mon, const struct dex_entry *entry,
                    const struct dex_set *set, struct banyan_rng *rng)
{
    const struct dex_spread *spread = &dex_spreads[set->spread];
    setup_mon(mon, &(struct pokemon_set){.species = entry->species,
                                         .level = entry->level,
                                         .gmax = entry->gmax,
                                         .gender = setup_draw_gender(entry->species, rng),
                                         .item = set->item,
                                         .ability = set->ability,
                                         .moves = set->moves,
                                         .evs = spread->evs,
                                         .ivs = spread->ivs});
}

/* --- conditions of the generator for a team --- */

/* How often the damage of an attack of this type on a species is doubled; below 0: halved; far
 * below 0: the species is immune. */
static int setup_effect(int type, int species)
{
    const uint8_t *types = dex_species[species].types;
    int steps = 0;
    for (int i = 0; i < 2; ++i) {
        if (types[i] == TYPE_NONE)
            continue;
        steps += dex_effectiveness[type][types[i]];
        if (dex_immune_types[type] >> types[i] & 1)
            steps -= 8;
    }
    return steps;
}

static bool setup_is_of_type(int species, int type)
{
    return dex_species[species].types[0] == type || dex_species[species].types[1] == type;
}

/* Whether the team with this entry satisfies the generator: each base species once, each type at
 * most twice, at most three Pokémon weak and one doubly weak to any type, and one of level 100. */
static bool setup_fits(const struct pokemon_side *side, int count, const struct dex_entry *entry)
{
    int species = entry->species;
    for (int i = 0; i < count; ++i)
        if (dex_species[side->mons[i].set_species].base == dex_species[species].base ||
            (entry->level == 100 && side->mons[i].level == 100))
            return false;
    for (int type = 0; type < TYPE_NONE; ++type) {
        int of_type = 0, weak = 0, doubly = 0, own = setup_effect(type, species);
        for (int i = 0; i < count; ++i) {
            int steps = setup_effect(type, side->mons[i].set_species);
            of_type += setup_is_of_type(side->mons[i].set_species, type);
            weak += steps > 0;
            doubly += steps > 1;
        }
        if ((setup_is_of_type(species, type) && of_type >= 2) || (own > 0 && weak >= 3) ||
            (own > 1 && doubly >= 1))
            return false;
    }
    return true;
}

void setup_team(struct pokemon_side *side, struct banyan_rng *rng)
{
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct dex_entry *entry;
        do
            entry = setup_draw_entry(rng);
        while (!setup_fits(side, i, entry));
        setup_from_set(&side->mons[i], entry, setup_draw_set(entry, rng), rng);
        side->order[i] = (uint8_t)i;
    }
    side->left = POKEMON_TEAM;
}
