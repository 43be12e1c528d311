/* What is checked for both active Pokémon after each action: berries, cures, formes. */
#include "games/pokemon/effects.h"

/* Whether there may be anything to check; this is tested after every step, and is mostly false. */
static inline bool update_watches(const struct battle *b, int side)
{
    const struct pokemon_mon *mon = mon_of(b, side);
    return ability_hooks[mon->ability].update || item_hooks[mon->item].update;
}

static void update_one(struct battle *b, int side)
{
    if (!update_watches(b, side) || is_fainted(b, side))
        return;
    int ability = state_ability_unbroken(b, side);
    if (ability_hooks[ability].update)
        ability_hooks[ability].update(b, side);
    int item = mon_of(b, side)->item;
    if (item_hooks[item].update && mon_of(b, side)->hp)
        item_hooks[item].update(b, side);
}

void update_all(struct battle *b)
{
    int first[2];
    if (!update_watches(b, 0) && !update_watches(b, 1))
        return;
    state_order(b, first, -1);
    update_one(b, first[0]);
    update_one(b, first[1]);
}

void update_emergency_exit(struct battle *b, int side)
{
    struct pokemon_active *active = active_of(b, side);
    if (state_ability(b, side) != ABILITY_EMERGENCYEXIT || !state_switches(side_of(b, side)) ||
        (active->flags & (ACTIVE_FORCED | ACTIVE_SWITCH)))
        return;
    for (int s = 0; s < 2; ++s)
        active_of(b, s)->flags &= (uint16_t) ~(ACTIVE_SWITCH | ACTIVE_EXIT);
    active->flags |= ACTIVE_SWITCH | ACTIVE_EXIT;
}
