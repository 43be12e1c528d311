/* Who beats whom by their sets: a table in the state, so that the value of a position need not ask
 * thirty-six times what an attack would do. */
#include "games/pokemon/estimate.h"

#include <string.h>

static void matchup_look(const struct pokemon_mon *mon, struct estimate_fighter *f)
{
    uint16_t stats[STAT_COUNT];
    dex_stats(mon->set_species, mon->level, mon->evs, mon->ivs, stats);
    estimate_set(mon, stats, f);
}

void matchup_fill(struct pokemon *s)
{
    static const struct estimate_field calm = {.screen = {1, 1, 1}};
    struct estimate_fighter fighters[2][POKEMON_TEAM];
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < POKEMON_TEAM; ++i)
            matchup_look(&s->sides[side].mons[i], &fighters[side][i]);
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < POKEMON_TEAM; ++i)
            for (int k = 0; k < POKEMON_TEAM; ++k) {
                float share = estimate_best(&fighters[side][i], &fighters[!side][k], &calm, false);
                float whole = share * MATCHUP_WHOLE;
                s->matchup[side][i][k] = whole > 255 ? 255 : (uint8_t)whole;
            }
}
