/* Tells how much damage an attack does, as far as a player can know. */
#include "base/text.h"
#include "games/pokemon/calc.h"
#include "games/pokemon/words.h"

#include <math.h>

enum { DAMAGE_WORLDS = 4 }; /* sets of the foe that are drawn */

/* Widens least..most, in percent of the foe's hp, to what a hit does in s; false: it does no
 * damage. */
static bool damage_widen(const struct pokemon *s, int player, int move, double *least, double *most)
{
    struct calc calc;
    int low, high;
    bool max = s->sides[player].active.volatiles >> VOLATILE_DYNAMAX & 1;
    calc_attack(s, player, move, max, &calc);
    if (!calc_range(&calc, false, &low, &high))
        return false;
    *least = 100.0 * low / calc.max_hp < *least ? 100.0 * low / calc.max_hp : *least;
    *most = 100.0 * high / calc.max_hp > *most ? 100.0 * high / calc.max_hp : *most;
    return true;
}

void words_add_damage(struct text *text, const struct banyan_game *game, const struct pokemon *s,
                      int player, int move)
{
    double least = INFINITY, most = 0;
    bool hits = false;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (int i = 0; i < DAMAGE_WORLDS; ++i) {
        struct pokemon world = *s;
        game->determinize(game, &world, player, &rng);
        hits |= damage_widen(&world, player, move, &least, &most);
    }
    if (hits)
        text_add(text, ", damage %.0f to %.0f %%", least, most);
}
