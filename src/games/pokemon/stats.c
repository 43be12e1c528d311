/* Stats with their boost stages, speeds and weights, and changes of boosts. */
#include "games/pokemon/effects.h"

#include <string.h>

int stats_seen_boost_by(const struct battle *b, int side, int boost, int value)
{
    int other = !side;
    if (state_ability_unbroken(b, other) != ABILITY_UNAWARE)
        return value;
    bool defends = boost == BOOST_DEF || boost == BOOST_SPD || boost == BOOST_EVASION;
    bool attacks =
        boost == BOOST_ATK || boost == BOOST_DEF || boost == BOOST_SPA || boost == BOOST_ACCURACY;
    if (other == b->user && side == b->target && defends)
        return 0;
    if (side == b->user && other == b->target && attacks)
        return 0;
    return value;
}

/* The speed stat with its modifiers; those of other stats count only in attacks (damage.c). */
static int stats_modified_speed(const struct battle *b, int side, int speed)
{
    const struct pokemon_mon *mon = mon_of(b, side);
    int modifier = MODIFIER_1, ability = mon->ability;
    if (!ability_hooks[ability].spe && !item_hooks[mon->item].spe &&
        !has_volatile(b, side, VOLATILE_UNBURDEN))
        return mon->status == STATUS_PAR ? speed / 2 : speed;
    if (has_volatile(b, side, VOLATILE_UNBURDEN) && !mon->item && state_ability(b, side))
        modifier = modifier_chain(modifier, MODIFIER_2);
    if (ability_hooks[ability].spe)
        modifier = ability_hooks[ability].spe(b, side, !side, NULL, modifier);
    if (item_hooks[mon->item].spe)
        modifier = item_hooks[mon->item].spe(b, side, !side, NULL, modifier);
    speed = modifier_apply(speed, modifier);
    return mon->status == STATUS_PAR ? speed / 2 : speed;
}

int stats_get(const struct battle *b, int side, int stat, bool unboosted, bool unmodified)
{
    const struct pokemon_active *active = active_of(b, side);
    int value = active->stats[stat];
    if (!unboosted) {
        int boost = active->boosts[stat];
        value = stats_boosted(value, unmodified ? boost : stats_seen_boost(b, side, stat, boost));
    }
    if (!unmodified && stat == BOOST_SPE)
        value = stats_modified_speed(b, side, value);
    return stat == BOOST_SPE && value > 10000 ? 10000 : value;
}

/* The speed that orders actions; of a fainted Pokémon, ability, item and paralysis do not count. */
int stats_action_speed(const struct battle *b, int side)
{
    int speed = stats_get(b, side, BOOST_SPE, false, is_fainted(b, side));
    if (b->s->trick_room)
        speed = 10000 - speed;
    return speed & 0x1fff;
}

void stats_update_speed(const struct battle *b, int side)
{
    active_of(b, side)->speed = (uint16_t)stats_action_speed(b, side);
}

void stats_update_speeds(const struct battle *b)
{
    for (int side = 0; side < 2; ++side)
        if (is_active(b, side))
            stats_update_speed(b, side);
}

/* The highest stat without boosts; the first one at a tie. */
int stats_best(const struct battle *b, int side)
{
    int best = BOOST_ATK, value = 0;
    for (int stat = BOOST_ATK; stat <= BOOST_SPE; ++stat) {
        int here = stats_get(b, side, stat, true, true);
        if (here > value) {
            value = here;
            best = stat;
        }
    }
    return best;
}

int stats_weight(const struct battle *b, int side)
{
    int weight = active_of(b, side)->weight, ability = state_ability_unbroken(b, side);
    if (ability_hooks[ability].weight)
        weight = ability_hooks[ability].weight(b, side, !side, NULL, weight);
    return weight < 1 ? 1 : weight;
}

/* --- boosts --- */

/* Limits boosts so that the stages stay in -6..6.  there[i]: the effect changes boost i, also if this
 * limit leaves a change of 0. */
static void boost_cap(const struct pokemon_active *active, int8_t *boosts, const bool *there)
{
    for (int i = 0; i < BOOST_COUNT; ++i) {
        int to = active->boosts[i] + boosts[i];
        to = to > 6 ? 6 : to < -6 ? -6 : to;
        boosts[i] = there[i] ? (int8_t)(to - active->boosts[i]) : 0;
    }
}

static bool boost_apply(struct battle *b, int side, int source, const int8_t *boosts,
                        const bool *there)
{
    struct pokemon_active *active = active_of(b, side);
    bool changed = false;
    for (int i = 0; i < BOOST_COUNT; ++i) {
        if (!there[i] || !boosts[i])
            continue;
        int to = active->boosts[i] + boosts[i];
        int8_t before = active->boosts[i];
        active->boosts[i] = (int8_t)(to > 6 ? 6 : to < -6 ? -6 : to);
        if (active->boosts[i] == before)
            continue;
        changed = true;
        int ability = state_ability(b, side);
        if (ability_hooks[ability].each_boost)
            ability_hooks[ability].each_boost(b, side, source, boosts[i]);
    }
    return changed;
}

int boost_change(struct battle *b, int side, int source, const int8_t boosts[BOOST_COUNT],
                 int cause)
{
    struct pokemon_active *active = active_of(b, side);
    if (!mon_of(b, side)->hp)
        return 0;
    if (is_fainted(b, side) || !side_of(b, !side)->left)
        return HIT_FAIL;
    int ability = state_ability_unbroken(b, side);
    int factor = ability_hooks[ability].boost_factor ? ability_hooks[ability].boost_factor : 1;
    int8_t change[BOOST_COUNT];
    bool there[BOOST_COUNT];
    for (int i = 0; i < BOOST_COUNT; ++i) {
        change[i] = (int8_t)(boosts[i] * factor);
        there[i] = boosts[i] != 0;
    }
    boost_cap(active, change, there);
    if (ability_hooks[ability].try_boost)
        ability_hooks[ability].try_boost(b, side, source, change, there, cause);
    if (!boost_apply(b, side, source, change, there))
        return HIT_NULL;
    for (int i = 0; i < BOOST_COUNT; ++i) {
        if (there[i] && change[i] > 0)
            active->flags |= ACTIVE_RAISED;
        if (there[i] && change[i] < 0)
            active->flags |= ACTIVE_LOWERED;
    }
    return HIT_DONE;
}

int boost_one(struct battle *b, int side, int source, int boost, int stages, int cause)
{
    int8_t boosts[BOOST_COUNT] = {0};
    boosts[boost] = (int8_t)stages;
    return boost_change(b, side, source, boosts, cause);
}

void boost_clear(struct battle *b, int side)
{
    memset(active_of(b, side)->boosts, 0, sizeof active_of(b, side)->boosts);
}
