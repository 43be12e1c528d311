/* Finds species, moves, abilities and items by name, and computes stats. */
#include "games/pokemon/dex/dex.h"

#include <string.h>

/* Finds a row by binary search: the rows of every table are sorted by id. */
#define DEX_FIND(table, count, id)                        \
    do {                                                  \
        int low = 1, high = (count)-1;                    \
        while (low <= high) {                             \
            int middle = (low + high) / 2;                \
            int order = strcmp((id), (table)[middle].id); \
            if (order == 0)                               \
                return middle;                            \
            if (order < 0)                                \
                high = middle - 1;                        \
            else                                          \
                low = middle + 1;                         \
        }                                                 \
        return 0;                                         \
    } while (0)

int dex_find_species(const char *id)
{
    DEX_FIND(dex_species, SPECIES_COUNT, id);
}

int dex_find_move(const char *id)
{
    DEX_FIND(dex_moves, MOVE_COUNT, id);
}

int dex_find_ability(const char *id)
{
    DEX_FIND(dex_abilities, ABILITY_COUNT, id);
}

int dex_find_item(const char *id)
{
    DEX_FIND(dex_items, ITEM_COUNT, id);
}

/* Natures are neutral in this format. */
void dex_stats(int species, int level, const uint8_t evs[STAT_COUNT], const uint8_t ivs[STAT_COUNT],
               uint16_t out[STAT_COUNT])
{
    const struct dex_species *row = &dex_species[species];
    for (int i = 0; i < STAT_COUNT; ++i) {
        int sum = 2 * row->stats[i] + ivs[i] + evs[i] / 4;
        out[i] = (uint16_t)(i == STAT_HP ? (sum + 100) * level / 100 + 10 : sum * level / 100 + 5);
    }
    if (row->flags & SPECIES_IS_ONE_HP)
        out[STAT_HP] = 1;
}
