/* Abilities of a Pokémon that react when a hit has reached it. */
#include "games/pokemon/abilities.h"

static bool guard_contact(const struct battle_move *move)
{
    return (move->flags & MOVE_FLAG_CONTACT) != 0;
}

#define ANSWER(name) \
    void name(struct battle *b, int side, int source, struct battle_move *move, int damage)
#define UNUSED_ANSWER (void)b, (void)side, (void)source, (void)move, (void)damage

ANSWER(guard_aftermath)
{
    UNUSED_ANSWER;
    if (!mon_of(b, side)->hp && guard_contact(move))
        hp_damage(b, source, mon_of(b, source)->base_max_hp / 4, side, CAUSE_ABILITY);
}

ANSWER(guard_rough_skin)
{
    UNUSED_ANSWER;
    if (guard_contact(move))
        hp_damage(b, source, mon_of(b, source)->base_max_hp / 8, side, CAUSE_ABILITY);
}

ANSWER(guard_cursed_body)
{
    UNUSED_ANSWER;
    if (has_volatile(b, source, VOLATILE_DISABLE) || move->is_max || move->is_future ||
        move->id == MOVE_STRUGGLE)
        return;
    if (banyan_dice_chance(b->dice, DIE_ABILITY, 3, 10))
        volatile_add(b, source, VOLATILE_DISABLE, side);
}

ANSWER(guard_effect_spore)
{
    UNUSED_ANSWER;
    if (!guard_contact(move) || status_immune(b, source, IMMUNE_POWDER))
        return;
    int roll = banyan_dice_pick(b->dice, DIE_EFFECT_SPORE, 100);
    if (roll < 30)
        status_try(b, source,
                   roll < 11   ? STATUS_SLP
                   : roll < 21 ? STATUS_PAR
                               : STATUS_PSN,
                   side, CAUSE_ABILITY);
}

static void guard_touch(struct battle *b, int side, int source, const struct battle_move *move,
                        int status)
{
    if (guard_contact(move) && banyan_dice_chance(b->dice, DIE_ABILITY, 3, 10))
        status_try(b, source, status, side, CAUSE_ABILITY);
}

ANSWER(guard_flame_body)
{
    UNUSED_ANSWER;
    guard_touch(b, side, source, move, STATUS_BRN);
}

ANSWER(guard_static)
{
    UNUSED_ANSWER;
    guard_touch(b, side, source, move, STATUS_PAR);
}

ANSWER(guard_gulp_missile)
{
    UNUSED_ANSWER;
    int species = mon_of(b, side)->species;
    if (!mon_of(b, source)->hp || is_fainted(b, source) || state_hidden(b, side))
        return;
    if (species != SPECIES_CRAMORANTGULPING && species != SPECIES_CRAMORANTGORGING)
        return;
    hp_damage(b, source, mon_of(b, source)->base_max_hp / 4, side, CAUSE_ABILITY);
    if (species == SPECIES_CRAMORANTGULPING)
        boost_one(b, source, side, BOOST_DEF, -1, CAUSE_ABILITY);
    else
        status_try(b, source, STATUS_PAR, side, CAUSE_ABILITY);
    forme_change(b, side, SPECIES_CRAMORANT, false, false);
}

void guard_gulp(struct battle *b, int side, int target, struct battle_move *move)
{
    (void)target;
    const struct pokemon_mon *mon = mon_of(b, side);
    if (move->id != MOVE_SURF || mon->species != SPECIES_CRAMORANT)
        return;
    bool gorging = mon->hp * 2 <= mon->max_hp;
    forme_change(b, side, gorging ? SPECIES_CRAMORANTGORGING : SPECIES_CRAMORANTGULPING, false,
                 false);
}

ANSWER(guard_illusion)
{
    UNUSED_ANSWER;
    disguise_end(side_of(b, side));
}

ANSWER(guard_justified)
{
    UNUSED_ANSWER;
    if (move->type == TYPE_DARK)
        boost_one(b, side, source, BOOST_ATK, 1, CAUSE_ABILITY);
}

ANSWER(guard_stamina)
{
    UNUSED_ANSWER;
    boost_one(b, side, source, BOOST_DEF, 1, CAUSE_ABILITY);
}

ANSWER(guard_water_compaction)
{
    UNUSED_ANSWER;
    if (move->type == TYPE_WATER)
        boost_one(b, side, source, BOOST_DEF, 2, CAUSE_ABILITY);
}

ANSWER(guard_weak_armor)
{
    UNUSED_ANSWER;
    static const int8_t boosts[BOOST_COUNT] = {[BOOST_DEF] = -1, [BOOST_SPE] = 2};
    if (move->category == CATEGORY_PHYSICAL)
        boost_change(b, side, side, boosts, CAUSE_ABILITY);
}

ANSWER(guard_tangling_hair)
{
    UNUSED_ANSWER;
    if (guard_contact(move))
        boost_one(b, source, side, BOOST_SPE, -1, CAUSE_ABILITY);
}

ANSWER(guard_mummy)
{
    UNUSED_ANSWER;
    int theirs = mon_of(b, source)->ability;
    if ((dex_abilities[theirs].flags & ABILITY_FLAG_CANTSUPPRESS) || theirs == ABILITY_MUMMY ||
        !guard_contact(move))
        return;
    ability_set(b, source, ABILITY_MUMMY, false, false);
}

ANSWER(guard_wandering_spirit)
{
    UNUSED_ANSWER;
    if (!guard_contact(move) || is_fainted(b, side) || is_fainted(b, source) ||
        is_dynamaxed(b, side) || is_dynamaxed(b, source))
        return;
    struct pokemon_mon *a = mon_of(b, source), *c = mon_of(b, side);
    if ((dex_abilities[a->ability].flags | dex_abilities[c->ability].flags) &
        ABILITY_FLAG_FAILSKILLSWAP)
        return;
    int first = a->ability, second = c->ability;
    ability_end(b, source, first);
    ability_end(b, side, second);
    a->ability = (uint8_t)second;
    c->ability = (uint8_t)first;
    active_of(b, source)->ability_flags = active_of(b, side)->ability_flags = 0;
    active_of(b, source)->ability_counter = active_of(b, side)->ability_counter = 0;
    active_of(b, source)->gorilla_move = active_of(b, side)->gorilla_move = 0;
    ability_start(b, side);
    ability_start(b, source);
}

void guard_pickpocket(struct battle *b, int side, int source, struct battle_move *move, int last)
{
    (void)last;
    if (source == side || !guard_contact(move) || mon_of(b, side)->item ||
        (active_of(b, side)->flags & (ACTIVE_SWITCH | ACTIVE_FORCED)) ||
        (active_of(b, source)->flags & ACTIVE_EXIT))
        return;
    int item = item_take(b, source, side);
    if (item > 0 && !item_give(b, side, item))
        mon_of(b, source)->item = (uint8_t)item;
}
