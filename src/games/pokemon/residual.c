/* The end of a turn, step by step; steps of the same order run for the faster Pokémon first. */
#include "games/pokemon/effects.h"

#include "base/compiler.h"

struct residual_step {
    uint8_t order, sub;
    bool (*applies)(const struct battle *b, int side);
    void (*run)(struct battle *b, int side);
};

/* Counts a condition down; returns true while it lasts. */
static bool residual_lasts(struct battle *b, int side, int id, uint8_t *turns)
{
    if (*turns && --*turns)
        return true;
    volatile_end(b, side, id);
    return false;
}

#define APPLIES(name, id)                              \
    static bool name(const struct battle *b, int side) \
    {                                                  \
        return has_volatile(b, side, id);              \
    }

/* --- slot conditions --- */

static int residual_turn(const struct battle *b)
{
    return (b->s->turn - 1) % 256;
}

static bool residual_has_future(const struct battle *b, int side)
{
    return side_of(b, side)->future_move != 0;
}

static void residual_future(struct battle *b, int side)
{
    if (residual_turn(b) >= side_of(b, side)->future_turn)
        hit_future(b, side);
}

static bool residual_has_wish(const struct battle *b, int side)
{
    return side_of(b, side)->wish_there != 0;
}

static void residual_wish(struct battle *b, int side)
{
    struct pokemon_side *s = side_of(b, side);
    if (residual_turn(b) <= s->wish_turn)
        return;
    if (!is_fainted(b, side))
        hp_heal(b, side, s->wish_hp / 2);
    s->wish_there = s->wish_turn = 0;
    s->wish_hp = s->wish_source = 0;
}

/* --- damage and healing --- */

static bool residual_has_chip(const struct battle *b, int side)
{
    const uint8_t *c = side_of(b, side)->condition;
    return c[SIDE_GMAXVINELASH] || c[SIDE_GMAXCANNONADE] || c[SIDE_GMAXVOLCALITH];
}

static void residual_chip(struct battle *b, int side)
{
    static const uint8_t chips[][2] = {{SIDE_GMAXVINELASH, TYPE_GRASS},
                                       {SIDE_GMAXCANNONADE, TYPE_WATER},
                                       {SIDE_GMAXVOLCALITH, TYPE_ROCK}};
    for (int i = 0; i < 3; ++i)
        if (side_of(b, side)->condition[chips[i][0]] && !state_has_type(b, side, chips[i][1]))
            hp_damage(b, side, mon_of(b, side)->base_max_hp / 6, -1, CAUSE_HAZARD);
}

static bool residual_has_grass(const struct battle *b, int side)
{
    (void)side;
    return state_terrain(b) == TERRAIN_GRASSYTERRAIN;
}

static void residual_grass(struct battle *b, int side)
{
    if (residual_has_grass(b, side) && state_grounded(b, side) && !state_hidden(b, side))
        hp_heal(b, side, mon_of(b, side)->base_max_hp / 16);
}

/* Abilities and items have their own steps, which are found by order and suborder. */
static bool residual_ability_at(const struct battle *b, int side, int order, int sub)
{
    const struct ability_hooks *hooks = &ability_hooks[mon_of(b, side)->ability];
    return hooks->residual && hooks->residual_order == order && hooks->residual_sub == sub;
}

static bool residual_item_at(const struct battle *b, int side, int order, int sub)
{
    const struct item_hooks *hooks = &item_hooks[mon_of(b, side)->item];
    return hooks->residual && hooks->residual_order == order && hooks->residual_sub == sub;
}

static void residual_ability(struct battle *b, int side)
{
    int ability = state_ability(b, side);
    if (ability_hooks[ability].residual)
        ability_hooks[ability].residual(b, side);
}

static void residual_item(struct battle *b, int side)
{
    int item = mon_of(b, side)->item;
    if (item_hooks[item].residual)
        item_hooks[item].residual(b, side);
}

#define AT_STEP(name, finds, order, sub)               \
    static bool name(const struct battle *b, int side) \
    {                                                  \
        return finds(b, side, order, sub);             \
    }

AT_STEP(residual_ability_5_3, residual_ability_at, 5, 3)
AT_STEP(residual_item_5_4, residual_item_at, 5, 4)
AT_STEP(residual_ability_28_2, residual_ability_at, 28, 2)
AT_STEP(residual_item_28_3, residual_item_at, 28, 3)
AT_STEP(residual_ability_29, residual_ability_at, 29, 7)
AT_STEP(residual_item_29, residual_item_at, 29, 8)

APPLIES(residual_has_seed, VOLATILE_LEECHSEED)
static void residual_seed(struct battle *b, int side)
{
    if (is_fainted(b, !side) || !mon_of(b, !side)->hp)
        return;
    int damage = hp_damage(b, side, mon_of(b, side)->base_max_hp / 8, !side, CAUSE_VOLATILE);
    if (damage > 0)
        hp_heal(b, !side, damage);
}

static bool residual_has_poison(const struct battle *b, int side)
{
    int status = mon_of(b, side)->status;
    return status == STATUS_PSN || status == STATUS_TOX;
}

static void residual_poison(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (mon->status == STATUS_PSN)
        hp_damage(b, side, mon->base_max_hp / 8, -1, CAUSE_STATUS);
    if (mon->status != STATUS_TOX)
        return;
    if (mon->status_time < 15)
        ++mon->status_time;
    int part = mon->base_max_hp / 16;
    hp_damage(b, side, (part < 1 ? 1 : part) * mon->status_time, -1, CAUSE_STATUS);
}

static bool residual_has_burn(const struct battle *b, int side)
{
    return mon_of(b, side)->status == STATUS_BRN;
}

static void residual_burn(struct battle *b, int side)
{
    hp_damage(b, side, mon_of(b, side)->base_max_hp / 16, -1, CAUSE_STATUS);
}

APPLIES(residual_has_curse, VOLATILE_CURSE)
static void residual_curse(struct battle *b, int side)
{
    hp_damage(b, side, mon_of(b, side)->base_max_hp / 4, -1, CAUSE_VOLATILE);
}

APPLIES(residual_has_trap, VOLATILE_PARTIALLYTRAPPED)
static void residual_trap(struct battle *b, int side)
{
    struct pokemon_active *active = active_of(b, side);
    if (!residual_lasts(b, side, VOLATILE_PARTIALLYTRAPPED, &active->trap_turns))
        return;
    bool there = side_of(b, !side)->order[0] == active->trap_source && is_active(b, !side) &&
                 mon_of(b, !side)->hp && active_of(b, !side)->turns;
    if (there)
        hp_damage(b, side, mon_of(b, side)->base_max_hp / active->trap_divisor, -1, CAUSE_VOLATILE);
    else
        volatile_remove(b, side, VOLATILE_PARTIALLYTRAPPED);
}

/* --- conditions that run out --- */

#define RUNS_OUT(name, id, turns)                                \
    APPLIES(name##_there, id)                                    \
    static void name(struct battle *b, int side)                 \
    {                                                            \
        residual_lasts(b, side, id, &active_of(b, side)->turns); \
    }

RUNS_OUT(residual_taunt, VOLATILE_TAUNT, taunt_turns)
RUNS_OUT(residual_disable, VOLATILE_DISABLE, disable_turns)
RUNS_OUT(residual_magnet, VOLATILE_MAGNETRISE, magnet_turns)
RUNS_OUT(residual_throat, VOLATILE_THROATCHOP, throat_turns)
RUNS_OUT(residual_yawn, VOLATILE_YAWN, yawn_turns)

APPLIES(residual_has_encore, VOLATILE_ENCORE)
static void residual_encore(struct battle *b, int side)
{
    struct pokemon_active *active = active_of(b, side);
    if (!residual_lasts(b, side, VOLATILE_ENCORE, &active->encore_turns))
        return;
    struct pokemon_slots *slots = state_slots(side_of(b, side));
    int slot = state_slot_of(slots, active->encore_move);
    if (slot < 0 || !slots->pp[slot])
        volatile_end(b, side, VOLATILE_ENCORE);
}

APPLIES(residual_has_roost, VOLATILE_ROOST)
static void residual_roost(struct battle *b, int side)
{
    volatile_end(b, side, VOLATILE_ROOST);
}

/* The positions of the steps in their table, used as bits of a plan. */
enum residual_early {
    EARLY_FUTURE,
    EARLY_WISH,
    EARLY_CHIP,
    EARLY_GRASS,
    EARLY_ABILITY,
    EARLY_ITEM,
    EARLY_SEED,
    EARLY_POISON,
    EARLY_BURN,
    EARLY_CURSE,
    EARLY_TRAP,
    EARLY_TAUNT,
    EARLY_ENCORE,
    EARLY_DISABLE,
    EARLY_MAGNET,
    EARLY_THROAT,
    EARLY_YAWN,
    EARLY_ROOST
};

static const struct residual_step residual_steps[] = {
    [EARLY_FUTURE] = {3, 0, residual_has_future, residual_future},
    [EARLY_WISH] = {4, 0, residual_has_wish, residual_wish},
    [EARLY_CHIP] = {5, 1, residual_has_chip, residual_chip},
    [EARLY_GRASS] = {5, 2, residual_has_grass, residual_grass},
    [EARLY_ABILITY] = {5, 3, residual_ability_5_3, residual_ability},
    [EARLY_ITEM] = {5, 4, residual_item_5_4, residual_item},
    [EARLY_SEED] = {8, 0, residual_has_seed, residual_seed},
    [EARLY_POISON] = {9, 0, residual_has_poison, residual_poison},
    [EARLY_BURN] = {10, 0, residual_has_burn, residual_burn},
    [EARLY_CURSE] = {12, 0, residual_has_curse, residual_curse},
    [EARLY_TRAP] = {13, 0, residual_has_trap, residual_trap},
    [EARLY_TAUNT] = {15, 0, residual_taunt_there, residual_taunt},
    [EARLY_ENCORE] = {16, 0, residual_has_encore, residual_encore},
    [EARLY_DISABLE] = {17, 0, residual_disable_there, residual_disable},
    [EARLY_MAGNET] = {18, 0, residual_magnet_there, residual_magnet},
    [EARLY_THROAT] = {22, 0, residual_throat_there, residual_throat},
    [EARLY_YAWN] = {23, 0, residual_yawn_there, residual_yawn},
    [EARLY_ROOST] = {25, 0, residual_has_roost, residual_roost},
};
static const struct residual_step residual_late[] = {
    {28, 2, residual_ability_28_2, residual_ability},
    {28, 3, residual_item_28_3, residual_item},
    {29, 7, residual_ability_29, residual_ability},
    {29, 8, residual_item_29, residual_item},
};

enum {
    RESIDUAL_STEPS = sizeof residual_steps / sizeof *residual_steps,
    RESIDUAL_LATE = sizeof residual_late / sizeof *residual_late
};

/* The steps that apply to each side when the end of the turn begins; conditions that begin later
 * must wait for the next turn.  Between equally fast Pokémon, dice decide for each step who is
 * first; all are rolled at the beginning, also for Pokémon that faint before their step. */
struct residual_plan {
    uint32_t early[2], late[2], second[2]; /* second: steps (early, late) in which side 1 comes
                                            * first */
    uint64_t volatiles[2];                 /* conditions at that time */
    int lead;                              /* the faster side; -1: equally fast */
};

static uint32_t residual_bit(bool there, int step)
{
    return (uint32_t)there << step;
}

/* The steps for the conditions of the active Pokémon, as a set. */
static uint32_t residual_find_volatiles(const struct battle *b, int side)
{
    static const uint8_t steps[][2] = {
        {VOLATILE_LEECHSEED, EARLY_SEED},    {VOLATILE_CURSE, EARLY_CURSE},
        {VOLATILE_TAUNT, EARLY_TAUNT},       {VOLATILE_PARTIALLYTRAPPED, EARLY_TRAP},
        {VOLATILE_ENCORE, EARLY_ENCORE},     {VOLATILE_DISABLE, EARLY_DISABLE},
        {VOLATILE_MAGNETRISE, EARLY_MAGNET}, {VOLATILE_THROATCHOP, EARLY_THROAT},
        {VOLATILE_YAWN, EARLY_YAWN},         {VOLATILE_ROOST, EARLY_ROOST}};
    uint64_t there = active_of(b, side)->volatiles;
    uint32_t mask = 0;
    for (unsigned i = 0; there && i < sizeof steps / sizeof *steps; ++i)
        mask |= (uint32_t)(there >> steps[i][0] & 1) << steps[i][1];
    return mask;
}

/* Gives the same result as calling applies() for every step, but faster. */
static uint32_t residual_find_early(const struct battle *b, int side)
{
    const struct pokemon_side *s = side_of(b, side);
    const struct pokemon_mon *mon = mon_of(b, side);
    uint32_t mask = residual_find_volatiles(b, side);
    mask |= residual_bit(s->future_move != 0, EARLY_FUTURE);
    mask |= residual_bit(s->wish_there != 0, EARLY_WISH);
    mask |= residual_bit(residual_has_chip(b, side), EARLY_CHIP);
    mask |= residual_bit(residual_has_grass(b, side), EARLY_GRASS);
    if (ability_hooks[mon->ability].residual)
        mask |= residual_bit(residual_ability_5_3(b, side), EARLY_ABILITY);
    if (item_hooks[mon->item].residual)
        mask |= residual_bit(residual_item_5_4(b, side), EARLY_ITEM);
    if (mon->status) {
        mask |= residual_bit(residual_has_poison(b, side), EARLY_POISON);
        mask |= residual_bit(residual_has_burn(b, side), EARLY_BURN);
    }
    return mask;
}

static uint32_t residual_find_late(const struct battle *b, int side)
{
    const struct pokemon_mon *mon = mon_of(b, side);
    uint32_t mask = 0;
    if (!ability_hooks[mon->ability].residual && !item_hooks[mon->item].residual)
        return 0;
    for (int i = 0; i < RESIDUAL_LATE; ++i)
        mask |= residual_bit(residual_late[i].applies(b, side), i);
    return mask;
}

static uint32_t residual_ties(struct battle *b, const uint32_t mask[2])
{
    uint32_t second = 0;
    for (uint32_t both = mask[0] & mask[1]; both; both &= both - 1)
        if (banyan_dice_pick(b->dice, DIE_ORDER_RESIDUAL, 2))
            second |= both & ~(both - 1);
    return second;
}

static void residual_make_plan(struct battle *b, struct residual_plan *plan)
{
    int speed[2] = {active_of(b, 0)->speed, active_of(b, 1)->speed};
    for (int side = 0; side < 2; ++side) {
        plan->early[side] = residual_find_early(b, side);
        plan->late[side] = residual_find_late(b, side);
    }
    plan->lead = speed[0] > speed[1] ? 0 : speed[0] < speed[1] ? 1 : -1;
    plan->second[0] = plan->lead < 0 ? residual_ties(b, plan->early) : 0;
    plan->second[1] = plan->lead < 0 ? residual_ties(b, plan->late) : 0;
    for (int side = 0; side < 2; ++side)
        plan->volatiles[side] = active_of(b, side)->volatiles;
}

static bool residual_step_run(struct battle *b, const struct residual_step *step, int side)
{
    bool slot = step->order == 3 || step->order == 4;
    if (is_fainted(b, side) && !slot)
        return false;
    if (step->applies(b, side))
        step->run(b, side);
    return hp_faints(b, true);
}

static bool residual_both(struct battle *b, const struct residual_step *step,
                          const uint32_t mask[2], int i, int lead)
{
    for (int k = 0; k < 2; ++k) {
        int side = k ? !lead : lead;
        if ((mask[side] >> i & 1) && residual_step_run(b, step, side))
            return true;
    }
    return false;
}

/* The steps of a turn's end that apply. */
struct residual_due {
    const struct residual_step *steps;
    const uint32_t *mask; /* [2] bits of steps, by side */
    uint32_t second;      /* bits of steps in which side 1 comes first, where lead is < 0 */
    int lead;             /* the faster side; < 0: equally fast */
};

/* Runs the steps from..to-1 of one order: all of them for the faster Pokémon, then all for the
 * other. With equal speeds the dice decide for each step. */
static bool residual_order(struct battle *b, const struct residual_due *due, int from, int to)
{
    const struct residual_step *steps = due->steps;
    const uint32_t *mask = due->mask;
    int lead = due->lead;
    if (lead < 0) {
        for (int i = from; i < to; ++i)
            if (residual_both(b, &steps[i], mask, i, (int)(due->second >> i & 1)))
                return true;
        return false;
    }
    for (int k = 0; k < 2; ++k) {
        int side = k ? !lead : lead;
        for (int i = from; i < to; ++i)
            if ((mask[side] >> i & 1) && residual_step_run(b, &steps[i], side))
                return true;
    }
    return false;
}

static bool residual_all(struct battle *b, const struct residual_step *steps, int count,
                         const uint32_t mask[2], uint32_t second, int lead)
{
    const struct residual_due due = {steps, mask, second, lead};
    for (uint32_t left = mask[0] | mask[1]; left;) {
        int from = bits_first64(left), end = from + 1;
        while (end < count && steps[end].order == steps[from].order)
            ++end;
        if (residual_order(b, &due, from, end))
            return true;
        left = left >> end << end;
    }
    return false;
}

/* --- weather --- */

static void residual_weather_on(struct battle *b, int side)
{
    int weather = b->s->weather;
    if (is_fainted(b, side) || !state_weather(b))
        return;
    int ability = state_ability(b, side);
    if (ability_hooks[ability].weather)
        ability_hooks[ability].weather(b, side, weather);
    if ((weather == WEATHER_SANDSTORM || weather == WEATHER_HAIL) && mon_of(b, side)->hp)
        hp_damage(b, side, mon_of(b, side)->base_max_hp / 16, -1, CAUSE_WEATHER);
}

static bool residual_weather(struct battle *b)
{
    int first[2], weather = b->s->weather;
    if (!weather)
        return false;
    if (!--b->s->weather_turns) {
        field_clear_weather(b);
        return hp_faints(b, true);
    }
    bool storm = weather == WEATHER_SANDSTORM || weather == WEATHER_HAIL;
    if (storm && !state_weather(b))
        return hp_faints(b, true);
    bool both = is_active(b, 0) && is_active(b, 1);
    state_order(b, first, both ? DIE_ORDER_WEATHER : -1);
    residual_weather_on(b, first[0]);
    residual_weather_on(b, first[1]);
    update_all(b);
    return hp_faints(b, true);
}

/* --- sides and field --- */

static void residual_sides(struct battle *b)
{
    for (int side = 0; side < 2; ++side)
        for (int i = SIDE_REFLECT; i < SIDE_COUNT; ++i)
            if (side_of(b, side)->condition[i])
                --side_of(b, side)->condition[i];
    if (b->s->trick_room)
        --b->s->trick_room;
    if (b->s->terrain && !--b->s->terrain_turns)
        field_clear_terrain(b);
}

/* --- conditions of a turn or two, and Dynamax --- */

static void residual_short(struct battle *b, int side, uint64_t there)
{
    static const uint8_t single[] = {
        VOLATILE_BANEFULBUNKER, VOLATILE_COUNTER,     VOLATILE_FLINCH,
        VOLATILE_FOCUSPUNCH,    VOLATILE_KINGSSHIELD, VOLATILE_MAXGUARD,
        VOLATILE_PROTECT,       VOLATILE_SPIKYSHIELD, VOLATILE_MIRRORCOAT};
    const uint64_t lasting = (uint64_t)1 << VOLATILE_CHOICELOCK | (uint64_t)1 << VOLATILE_UNBURDEN |
                             (uint64_t)1 << VOLATILE_SUBSTITUTE | (uint64_t)1 << VOLATILE_FLASHFIRE;
    struct pokemon_active *active = active_of(b, side);
    if (is_fainted(b, side) || !(active->volatiles & ~lasting))
        return;
    for (unsigned i = 0; i < sizeof single; ++i)
        volatile_end(b, side, single[i]);
    if (has_volatile(b, side, VOLATILE_STALL))
        residual_lasts(b, side, VOLATILE_STALL, &active->stall_turns);
    const uint8_t hidden[] = {VOLATILE_BOUNCE, VOLATILE_FLY, VOLATILE_PHANTOMFORCE};
    for (unsigned i = 0; i < sizeof hidden; ++i)
        if (has_volatile(b, side, hidden[i]))
            residual_lasts(b, side, hidden[i], &active->hidden_turns);
    if (has_volatile(b, side, VOLATILE_TWOTURNMOVE))
        residual_lasts(b, side, VOLATILE_TWOTURNMOVE, &active->charge_turns);
    if (has_volatile(b, side, VOLATILE_LOCKEDMOVE) &&
        residual_lasts(b, side, VOLATILE_LOCKEDMOVE, &active->locked_turns)) {
        --active->locked_true;
        if (mon_of(b, side)->status == STATUS_SLP)
            volatile_remove(b, side, VOLATILE_LOCKEDMOVE);
    }
    if ((there >> VOLATILE_DYNAMAX & 1) && is_dynamaxed(b, side))
        ++active->dynamax_turns;
}

void residual_run(struct battle *b)
{
    struct residual_plan plan;
    residual_make_plan(b, &plan);
    if (residual_weather(b))
        return;
    if (residual_all(b, residual_steps, RESIDUAL_STEPS, plan.early, plan.second[0], plan.lead))
        return;
    residual_sides(b);
    if (residual_all(b, residual_late, RESIDUAL_LATE, plan.late, plan.second[1], plan.lead))
        return;
    b->s->ion_deluge = 0;
    for (int side = 0; side < 2; ++side)
        residual_short(b, side, plan.volatiles[side]);
    hp_faints(b, true);
}
