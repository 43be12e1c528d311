/* How items are used, eaten, taken and given; items.c says what each of them does. */
#include "games/pokemon/effects.h"

static bool item_unnerved(const struct battle *b, int side)
{
    int foe = state_ability(b, !side);
    return (foe == ABILITY_UNNERVE || foe == ABILITY_ASONEGLASTRIER ||
            foe == ABILITY_ASONESPECTRIER) &&
           (active_of(b, !side)->ability_flags & ABILITY_UNNERVED);
}

/* With Berserk, healing berries are not eaten before the move that hurt the holder is over. */
static bool item_waits(const struct battle *b, int side, int item)
{
    if (state_ability(b, side) != ABILITY_BERSERK)
        return false;
    bool heals = item == ITEM_SITRUSBERRY || item == ITEM_AGUAVBERRY || item == ITEM_FIGYBERRY ||
                 item == ITEM_IAPAPABERRY || item == ITEM_MAGOBERRY || item == ITEM_WIKIBERRY;
    return heals && !(active_of(b, side)->ability_flags & ABILITY_CHECKED_BERSERK);
}

static void item_lost(struct battle *b, int side)
{
    int ability = state_ability(b, side);
    if (ability_hooks[ability].lost_item)
        ability_hooks[ability].lost_item(b, side);
}

/* Applies the effect of eating the item to side, which need not have held it (Bug Bite). */
void item_eaten(struct battle *b, int item, int side)
{
    int ability = state_ability(b, side);
    if (item_hooks[item].eat)
        item_hooks[item].eat(b, side);
    if (ability_hooks[ability].eaten)
        ability_hooks[ability].eaten(b, side);
}

bool item_eat(struct battle *b, int side, bool forced)
{
    struct pokemon_mon *mon = mon_of(b, side);
    int item = mon->item;
    if (!item || !mon->hp || is_fainted(b, side))
        return false;
    if (!forced && (item_unnerved(b, side) || item_waits(b, side, item)))
        return false;
    item_eaten(b, item, side);
    mon->last_item = mon->item;
    mon->item = ITEM_NONE;
    mon->flags |= MON_ATE_BERRY;
    mon->seen |= SEEN_ITEM;
    item_lost(b, side);
    return true;
}

bool item_use(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    int item = mon->item;
    if (!item || !mon->hp || is_fainted(b, side))
        return false;
    if (dex_items[item].has_boosts)
        boost_change(b, side, side, dex_items[item].boosts, CAUSE_ITEM);
    mon->last_item = mon->item;
    mon->item = ITEM_NONE;
    mon->seen |= SEEN_ITEM;
    item_lost(b, side);
    return true;
}

/* False if the forme of either Pokémon depends on the item: then it cannot be lost or taken. */
bool item_may_leave(const struct battle *b, int item, int side, int source)
{
    int kept = dex_items[item].kept_by;
    if (!kept)
        return true;
    return dex_species[mon_of(b, side)->base_species].number != kept &&
           dex_species[mon_of(b, source)->base_species].number != kept;
}

static bool item_stuck(const struct battle *b, int side, int source)
{
    return state_ability_unbroken(b, side) == ABILITY_STICKYHOLD && mon_of(b, side)->hp &&
           (source != side || (b->move && b->move->id == MOVE_KNOCKOFF));
}

int item_take(struct battle *b, int side, int source)
{
    struct pokemon_mon *mon = mon_of(b, side);
    int item = mon->item;
    if (!item)
        return 0;
    if (item_stuck(b, side, source) || !item_may_leave(b, item, side, source))
        return -1;
    item_lost(b, side);
    mon->item = ITEM_NONE;
    mon->seen |= SEEN_ITEM;
    return item;
}

bool item_give(struct battle *b, int side, int item)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (!mon->hp || is_fainted(b, side))
        return false;
    mon->item = (uint8_t)item;
    mon->seen |= SEEN_ITEM;
    if (item_hooks[item].start)
        item_hooks[item].start(b, side);
    return true;
}
