/* Status conditions of a Pokémon, and the conditions that it has only while it is active. */
#include "games/pokemon/effects.h"

/* --- status conditions --- */

bool status_immune(const struct battle *b, int side, int what)
{
    if (is_fainted(b, side) || (state_types(b, side) & dex_immune_to[what]))
        return true;
    if (what == IMMUNE_FREEZE && state_weather(b) == WEATHER_SUNNYDAY)
        return true;
    int ability = state_ability_unbroken(b, side);
    return ability_hooks[ability].immune && ability_hooks[ability].immune(b, side, what);
}

int status_immunity(int status)
{
    static const int8_t immune[STATUS_COUNT] = {[STATUS_BRN] = 1 + IMMUNE_BURN,
                                                [STATUS_PAR] = 1 + IMMUNE_PARALYSIS,
                                                [STATUS_FRZ] = 1 + IMMUNE_FREEZE,
                                                [STATUS_PSN] = 1 + IMMUNE_POISON,
                                                [STATUS_TOX] = 1 + IMMUNE_POISON};
    return immune[status] - 1;
}

static bool status_type_immune(const struct battle *b, int side, int status)
{
    int immunity = status_immunity(status);
    return immunity >= 0 && status_immune(b, side, immunity);
}

/* The sleep clause: a player may put only one of the foe's Pokémon to sleep at a time. */
static bool status_sleep_clause(const struct battle *b, int side, int source)
{
    if (source == side)
        return false;
    const struct pokemon_side *team = side_of(b, side);
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &team->mons[i];
        if (mon->hp && mon->status == STATUS_SLP && (mon->flags & MON_FOE_STATUS))
            return true;
    }
    return false;
}

static bool status_terrain_blocks(const struct battle *b, int side, int status)
{
    if (!state_grounded(b, side) || state_hidden(b, side))
        return false;
    int terrain = state_terrain(b);
    return terrain == TERRAIN_MISTYTERRAIN ||
           (terrain == TERRAIN_ELECTRICTERRAIN && status == STATUS_SLP);
}

static bool status_blocked(const struct battle *b, int side, int status, int source)
{
    int ability = state_ability_unbroken(b, side);
    if (ability_hooks[ability].blocks_status &&
        ability_hooks[ability].blocks_status(b, side, status))
        return true;
    return status_terrain_blocks(b, side, status) ||
           (status == STATUS_SLP && status_sleep_clause(b, side, source));
}

int status_set(struct battle *b, int side, int status, int source, int cause)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (source < 0)
        source = side;
    if (!mon->hp || mon->status == status)
        return HIT_FAIL;
    bool corrosion = state_ability(b, source) == ABILITY_CORROSION &&
                     (status == STATUS_PSN || status == STATUS_TOX);
    if (!corrosion && status_type_immune(b, side, status))
        return HIT_FAIL;
    if (status_blocked(b, side, status, source))
        return HIT_FAIL;
    mon->status = (uint8_t)status;
    mon->status_time = mon->status_start = 0;
    mon->flags =
        (uint8_t)(source != side ? mon->flags | MON_FOE_STATUS : mon->flags & ~MON_FOE_STATUS);
    if (status == STATUS_SLP)
        mon->status_time = mon->status_start =
            (uint8_t)(2 + banyan_dice_pick(b->dice, DIE_SLEEP, 3));
    int ability = state_ability_unbroken(b, side);
    if (ability_hooks[ability].after_status)
        ability_hooks[ability].after_status(b, side, status, source, cause);
    if (item_hooks[mon->item].after_status)
        item_hooks[mon->item].after_status(b, side);
    return HIT_DONE;
}

/* Sets a status if the Pokémon has none. */
int status_try(struct battle *b, int side, int status, int source, int cause)
{
    return mon_of(b, side)->status ? HIT_FAIL : status_set(b, side, status, source, cause);
}

void status_clear(struct pokemon_mon *mon)
{
    mon->status = STATUS_NONE;
    mon->status_time = mon->status_start = 0;
    mon->flags &= (uint8_t)~MON_FOE_STATUS;
}

bool status_cure(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (!mon->hp || !mon->status)
        return false;
    status_clear(mon);
    return true;
}

/* --- conditions of the active Pokémon --- */

static bool volatile_blocked(const struct battle *b, int side, int id)
{
    int ability = state_ability_unbroken(b, side);
    if (id == VOLATILE_FLINCH &&
        (is_dynamaxed(b, side) || has_volatile(b, side, VOLATILE_FOCUSPUNCH)))
        return true;
    if (ability_hooks[ability].blocks_volatile &&
        ability_hooks[ability].blocks_volatile(b, side, id))
        return true;
    if (!state_grounded(b, side) || state_hidden(b, side))
        return false;
    int terrain = state_terrain(b);
    return (terrain == TERRAIN_ELECTRICTERRAIN && id == VOLATILE_YAWN) ||
           (terrain == TERRAIN_MISTYTERRAIN && id == VOLATILE_CONFUSION);
}

/* Sets the number of turns that a condition lasts; 0: until something ends it. */
static void volatile_last(struct pokemon_active *a, int id)
{
    if (id == VOLATILE_STALL)
        a->stall_turns = 2;
    else if (id == VOLATILE_TAUNT)
        a->taunt_turns = 3;
    else if (id == VOLATILE_ENCORE)
        a->encore_turns = 3;
    else if (id == VOLATILE_DISABLE)
        a->disable_turns = 5;
    else if (id == VOLATILE_THROATCHOP || id == VOLATILE_YAWN)
        *(id == VOLATILE_YAWN ? &a->yawn_turns : &a->throat_turns) = 2;
    else if (id == VOLATILE_MAGNETRISE)
        a->magnet_turns = 5;
    else if (id == VOLATILE_LOCKEDMOVE)
        a->locked_turns = 2;
    else if (id == VOLATILE_TWOTURNMOVE)
        a->charge_turns = 2;
    else if (id == VOLATILE_BOUNCE || id == VOLATILE_FLY || id == VOLATILE_PHANTOMFORCE)
        a->hidden_turns = 2;
}

static bool volatile_start_encore(struct battle *b, int side)
{
    struct pokemon_active *a = active_of(b, side);
    struct pokemon_slots *slots = state_slots(side_of(b, side));
    int move = a->last_base ? a->last_base : a->last_move;
    if (!move || is_dynamaxed(b, side))
        return false;
    int slot = state_slot_of(slots, move);
    if ((dex_moves[move].flags & MOVE_FLAG_FAILENCORE) || slot < 0 || !slots->pp[slot])
        return false;
    a->encore_move = (uint16_t)move;
    if (!state_will_move(b, side))
        ++a->encore_turns;
    return true;
}

static bool volatile_start_disable(struct battle *b, int side)
{
    struct pokemon_active *a = active_of(b, side);
    struct pokemon_slots *slots = state_slots(side_of(b, side));
    if (state_will_move(b, side) || (side == b->user && b->move))
        --a->disable_turns;
    if (!a->last_move)
        return false;
    int slot = state_slot_of(slots, a->last_move);
    if (slot >= 0 && !slots->pp[slot])
        return false;
    a->disable_move = a->last_move;
    return true;
}

static bool volatile_start_smackdown(struct battle *b, int side)
{
    struct pokemon_active *a = active_of(b, side);
    bool applies =
        state_has_type(b, side, TYPE_FLYING) || state_ability(b, side) == ABILITY_LEVITATE;
    volatile_remove(b, side, VOLATILE_SMACKDOWN);
    if (has_volatile(b, side, VOLATILE_FLY) || has_volatile(b, side, VOLATILE_BOUNCE)) {
        volatile_end(b, side, VOLATILE_FLY);
        volatile_end(b, side, VOLATILE_BOUNCE);
        turn_cancel_move(b, side);
        volatile_end(b, side, VOLATILE_TWOTURNMOVE);
        applies = true;
    }
    if (has_volatile(b, side, VOLATILE_MAGNETRISE)) {
        volatile_remove(b, side, VOLATILE_MAGNETRISE);
        applies = true;
    }
    a->volatiles |= (uint64_t)1 << VOLATILE_SMACKDOWN;
    return applies;
}

static void volatile_start_dynamax(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    volatile_end(b, side, VOLATILE_SUBSTITUTE);
    if ((mon->species == SPECIES_CRAMORANTGULPING || mon->species == SPECIES_CRAMORANTGORGING) &&
        !(active_of(b, side)->flags & ACTIVE_TRANSFORMED))
        forme_change(b, side, SPECIES_CRAMORANT, false, false);
    active_of(b, side)->dynamax_turns = 0;
    if (dex_species[mon->base_species].flags & SPECIES_IS_ONE_HP)
        return;
    mon->max_hp = (uint16_t)(mon->max_hp * 2);
    mon->hp = (uint16_t)(mon->hp * 2);
}

static void volatile_start_charge(struct battle *b, int side)
{
    struct pokemon_active *a = active_of(b, side);
    static const uint8_t marks[][2] = {{VOLATILE_BOUNCE, 0},       {VOLATILE_FLY, 0},
                                       {VOLATILE_PHANTOMFORCE, 0}, {VOLATILE_GEOMANCY, 0},
                                       {VOLATILE_METEORBEAM, 0},   {VOLATILE_SOLARBEAM, 0}};
    static const uint16_t moves[] = {MOVE_BOUNCE,   MOVE_FLY,        MOVE_PHANTOMFORCE,
                                     MOVE_GEOMANCY, MOVE_METEORBEAM, MOVE_SOLARBEAM};
    a->charge_move = b->move->id;
    for (unsigned i = 0; i < sizeof moves / sizeof *moves; ++i)
        if (moves[i] == b->move->id)
            volatile_add(b, side, marks[i][0], side);
    int ability = state_ability(b, side);
    if (ability_hooks[ability].prepare)
        ability_hooks[ability].prepare(b, side, b->move);
}

/* The effect of a condition when it begins; false: it does not begin. */
static bool volatile_start(struct battle *b, int side, int id, int source)
{
    struct pokemon_active *a = active_of(b, side);
    switch (id) {
    case VOLATILE_CHOICELOCK:
        a->choice_move = b->move ? b->move->id : 0;
        return b->move && !b->move->is_bounced;
    case VOLATILE_CONFUSION:
        a->confusion = a->confusion_start =
            (uint8_t)(2 + banyan_dice_pick(b->dice, DIE_CONFUSION_TURNS, 4));
        return true;
    case VOLATILE_COUNTER:
        a->counter_damage = 0;
        a->flags &= (uint16_t)~ACTIVE_COUNTER_HIT;
        return true;
    case VOLATILE_MIRRORCOAT:
        a->mirror_damage = 0;
        a->flags &= (uint16_t)~ACTIVE_MIRROR_HIT;
        return true;
    case VOLATILE_DISABLE:
        return volatile_start_disable(b, side);
    case VOLATILE_DYNAMAX:
        volatile_start_dynamax(b, side);
        return true;
    case VOLATILE_ENCORE:
        return volatile_start_encore(b, side);
    case VOLATILE_FOCUSPUNCH:
        a->flags &= (uint16_t)~ACTIVE_LOST_FOCUS;
        return true;
    case VOLATILE_LOCKEDMOVE:
        a->locked_true = a->locked_start = (uint8_t)(2 + banyan_dice_pick(b->dice, DIE_LOCKED, 2));
        a->locked_move = b->move->id;
        return true;
    case VOLATILE_PARTIALLYTRAPPED:
        a->trap_divisor = 8;
        a->trap_source = side_of(b, source)->order[0];
        return true;
    case VOLATILE_SMACKDOWN:
        return volatile_start_smackdown(b, side);
    case VOLATILE_STALL:
        a->stall_counter = 3;
        return true;
    case VOLATILE_SUBSTITUTE:
        a->substitute = (uint16_t)(mon_of(b, side)->max_hp / 4);
        volatile_remove(b, side, VOLATILE_PARTIALLYTRAPPED);
        return true;
    case VOLATILE_TAUNT:
        if (a->turns && !state_will_move(b, side))
            ++a->taunt_turns;
        return true;
    case VOLATILE_TWOTURNMOVE:
        volatile_start_charge(b, side);
        return true;
    default:
        return true;
    }
}

/* The effect of adding a condition that is already there. */
static int volatile_again(struct battle *b, int side, int id)
{
    struct pokemon_active *a = active_of(b, side);
    if (id == VOLATILE_STALL) {
        if (a->stall_counter < 729)
            a->stall_counter = (uint16_t)(a->stall_counter * 3);
        a->stall_turns = 2;
        return HIT_DONE;
    }
    if (id == VOLATILE_LOCKEDMOVE) {
        if (a->locked_true >= 2)
            a->locked_turns = 2;
        return HIT_DONE;
    }
    if (id == VOLATILE_SMACKDOWN) {
        if (has_volatile(b, side, VOLATILE_FLY) || has_volatile(b, side, VOLATILE_BOUNCE))
            volatile_start_smackdown(b, side);
        return HIT_DONE;
    }
    return HIT_FAIL;
}

int volatile_add(struct battle *b, int side, int id, int source)
{
    struct pokemon_active *a = active_of(b, side);
    if (!mon_of(b, side)->hp)
        return HIT_FAIL;
    if (has_volatile(b, side, id))
        return volatile_again(b, side, id);
    if (id == VOLATILE_TRAPPED && status_immune(b, side, IMMUNE_TRAPPED))
        return HIT_FAIL;
    if (volatile_blocked(b, side, id))
        return HIT_NULL;
    if (id == VOLATILE_PARTIALLYTRAPPED)
        a->trap_turns = a->trap_start = (uint8_t)(5 + banyan_dice_pick(b->dice, DIE_TRAP, 2));
    a->volatiles |= (uint64_t)1 << id;
    volatile_last(a, id);
    if (!volatile_start(b, side, id, source)) {
        volatile_remove(b, side, id);
        return HIT_FAIL;
    }
    return HIT_DONE;
}

static void volatile_end_dynamax(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (dex_species[mon->base_species].flags & SPECIES_IS_ONE_HP)
        return;
    mon->hp = (uint16_t)state_undynamaxed(b, side, mon->hp);
    mon->max_hp = mon->base_max_hp;
}

/* The effect of a condition when it ends; its numbers are still set. */
static void volatile_consequence(struct battle *b, int side, int id)
{
    struct pokemon_active *a = active_of(b, side);
    static const uint16_t charging[] = {MOVE_BOUNCE,   MOVE_FLY,        MOVE_PHANTOMFORCE,
                                        MOVE_GEOMANCY, MOVE_METEORBEAM, MOVE_SOLARBEAM};
    static const uint8_t marks[] = {VOLATILE_BOUNCE,   VOLATILE_FLY,        VOLATILE_PHANTOMFORCE,
                                    VOLATILE_GEOMANCY, VOLATILE_METEORBEAM, VOLATILE_SOLARBEAM};
    if (id == VOLATILE_DYNAMAX)
        volatile_end_dynamax(b, side);
    else if (id == VOLATILE_LOCKEDMOVE && a->locked_true <= 1)
        volatile_add(b, side, VOLATILE_CONFUSION, side);
    else if (id == VOLATILE_YAWN)
        status_try(b, side, STATUS_SLP, !side, CAUSE_YAWN);
    else if (id == VOLATILE_TWOTURNMOVE)
        for (unsigned i = 0; i < sizeof charging / sizeof *charging; ++i)
            if (charging[i] == a->charge_move)
                volatile_end(b, side, marks[i]);
}

/* Sets the numbers of a condition that names a move, or hides its user, to 0. */
static void volatile_clear_move(struct pokemon_active *a, int id)
{
    switch (id) {
    case VOLATILE_CHOICELOCK:
        a->choice_move = 0;
        break;
    case VOLATILE_DISABLE:
        a->disable_move = 0;
        a->disable_turns = 0;
        break;
    case VOLATILE_ENCORE:
        a->encore_move = 0;
        a->encore_turns = 0;
        break;
    case VOLATILE_LOCKEDMOVE:
        a->locked_move = 0;
        a->locked_turns = a->locked_true = a->locked_start = 0;
        break;
    case VOLATILE_TWOTURNMOVE:
        a->charge_move = 0;
        a->charge_turns = 0;
        break;
    case VOLATILE_BOUNCE:
    case VOLATILE_FLY:
    case VOLATILE_PHANTOMFORCE:
        a->hidden_turns = 0;
        break;
    default:
        break;
    }
}

/* Sets the numbers of a condition that has ended to 0, so that equal states have equal bytes. */
static void volatile_clear_numbers(struct pokemon_active *a, int id)
{
    switch (id) {
    case VOLATILE_CONFUSION:
        a->confusion = a->confusion_start = 0;
        break;
    case VOLATILE_COUNTER:
        a->counter_damage = 0;
        a->flags &= (uint16_t)~ACTIVE_COUNTER_HIT;
        break;
    case VOLATILE_MIRRORCOAT:
        a->mirror_damage = 0;
        a->flags &= (uint16_t)~ACTIVE_MIRROR_HIT;
        break;
    case VOLATILE_DYNAMAX:
        a->dynamax_turns = 0;
        break;
    case VOLATILE_FOCUSPUNCH:
        a->flags &= (uint16_t)~ACTIVE_LOST_FOCUS;
        break;
    case VOLATILE_MAGNETRISE:
        a->magnet_turns = 0;
        break;
    case VOLATILE_PARTIALLYTRAPPED:
        a->trap_turns = a->trap_start = a->trap_divisor = a->trap_source = 0;
        break;
    case VOLATILE_STALL:
        a->stall_counter = 0;
        a->stall_turns = 0;
        break;
    case VOLATILE_SUBSTITUTE:
        a->substitute = 0;
        break;
    case VOLATILE_TAUNT:
        a->taunt_turns = 0;
        break;
    case VOLATILE_THROATCHOP:
        a->throat_turns = 0;
        break;
    case VOLATILE_YAWN:
        a->yawn_turns = 0;
        break;
    default:
        volatile_clear_move(a, id);
        break;
    }
}

static void volatile_clear(struct pokemon_active *a, int id)
{
    a->volatiles &= ~((uint64_t)1 << id);
    volatile_clear_numbers(a, id);
}

/* When one of the trapping and the trapped Pokémon loses its condition, the other does, too. */
static void volatile_clear_other_end(const struct battle *b, int side, int id)
{
    if (!has_volatile(b, side, id))
        return;
    if (id == VOLATILE_TRAPPED)
        volatile_clear(active_of(b, !side), VOLATILE_TRAPPER);
    if (id == VOLATILE_TRAPPER)
        volatile_clear(active_of(b, !side), VOLATILE_TRAPPED);
}

bool volatile_end(struct battle *b, int side, int id)
{
    if (!has_volatile(b, side, id) || !mon_of(b, side)->hp)
        return false;
    volatile_consequence(b, side, id);
    volatile_remove(b, side, id);
    return true;
}

void volatile_remove(struct battle *b, int side, int id)
{
    volatile_clear_other_end(b, side, id);
    volatile_clear(active_of(b, side), id);
}
