/* Teams. */
#include "games/pokemon/pokemon.h"

#include "base/rng.h"

#include <string.h>

/* Zacian and Zamazenta with their item are crowned from the start. */
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

void setup_mon(struct pokemon_mon *mon, int species, int level, bool gmax, char gender, int item,
               int ability, const uint16_t moves[4], const uint8_t evs[STAT_COUNT],
               const uint8_t ivs[STAT_COUNT])
{
    uint16_t known[4], stats[STAT_COUNT];
    memset(mon, 0, sizeof *mon);
    memcpy(known, moves, sizeof known);
    int forme = setup_species(species, item, known);
    mon->species = mon->base_species = mon->set_species = (uint16_t)forme;
    mon->level = (uint8_t)level;
    mon->gender = (char)(gender == 'N' ? 0 : gender);
    mon->flags = gmax ? MON_GIGANTAMAX : 0;
    mon->item = (uint8_t)item;
    if (forme != species)
        ability = dex_species[forme].ability;
    mon->ability = mon->base_ability = mon->set_ability = (uint8_t)ability;
    memcpy(mon->evs, evs, sizeof mon->evs);
    memcpy(mon->ivs, ivs, sizeof mon->ivs);
    dex_stats(forme, level, evs, ivs, stats);
    mon->hp = mon->max_hp = mon->base_max_hp = stats[STAT_HP];
    memcpy(mon->stats, stats + 1, sizeof mon->stats);
    for (int i = 0; i < 4 && known[i]; ++i) {
        mon->slots.id[i] = known[i];
        mon->slots.pp[i] = mon->slots.max_pp[i] = dex_moves[known[i]].pp;
        mon->slots.count = (uint8_t)(i + 1);
    }
}

/* --- from the set prior --- */

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
    setup_mon(mon, entry->species, entry->level, entry->gmax,
              setup_draw_gender(entry->species, rng), set->item, set->ability, set->moves,
              spread->evs, spread->ivs);
}

/* Six of different kinds. */
void setup_team(struct pokemon_side *side, struct banyan_rng *rng)
{
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct dex_entry *entry;
        bool taken;
        do {
            entry = setup_draw_entry(rng);
            taken = false;
            for (int k = 0; k < i; ++k)
                taken |=
                    dex_species[side->mons[k].set_species].base == dex_species[entry->species].base;
        } while (taken);
        setup_from_set(&side->mons[i], entry, setup_draw_set(entry, rng), rng);
        side->order[i] = (uint8_t)i;
    }
    side->left = POKEMON_TEAM;
}
