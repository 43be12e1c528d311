/* The active Pokémon and the sides of a position: conditions, locked moves, side conditions. */
#include "showdown/position_parts.h"

#include "games/pokemon/battle.h"

#include <banyan/rng.h>

#include <string.h>

uint8_t parts_left(int length, int ended)
{
    return (uint8_t)(length - ended > 1 ? length - ended : 1);
}

/* --- sides --- */

static const struct {
    const char *id;
    uint8_t condition, most, length; /* length 0: the condition counts layers */
} side_conditions[] = {
    {"stealthrock", SIDE_STEALTHROCK, 1, 0},       {"spikes", SIDE_SPIKES, 3, 0},
    {"toxicspikes", SIDE_TOXICSPIKES, 2, 0},       {"stickyweb", SIDE_STICKYWEB, 1, 0},
    {"gmaxsteelsurge", SIDE_GMAXSTEELSURGE, 1, 0}, {"reflect", SIDE_REFLECT, 0, 5},
    {"lightscreen", SIDE_LIGHTSCREEN, 0, 5},       {"auroraveil", SIDE_AURORAVEIL, 0, 5},
    {"gmaxvinelash", SIDE_GMAXVINELASH, 0, 4},     {"gmaxcannonade", SIDE_GMAXCANNONADE, 0, 4},
    {"gmaxvolcalith", SIDE_GMAXVOLCALITH, 0, 4},
};

/* Whether screens last longer.  For the foe a Light Clay is assumed, because most users of screens
 * hold one; own items are known. */
static bool side_has_clay(const struct position_source *source, const struct pokemon_side *of,
                          int side)
{
    if (side != source->request->side)
        return true;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (of->mons[i].item == ITEM_LIGHTCLAY || of->mons[i].last_item == ITEM_LIGHTCLAY)
            return true;
    return false;
}

static void side_wishes(const struct position_source *source, struct pokemon *s, int side)
{
    const struct chronicle_side *from = &source->chronicle->sides[side];
    struct pokemon_side *of = &s->sides[side];
    int now = source->tracker->turn, viewer = source->request->side;
    of->healing_wish = from->healing_wish;
    if (from->wished) {
        of->wish_there = 1;
        of->wish_turn = (uint8_t)((from->wish_turn - 1) % 256);
        of->wish_hp = side == viewer ? (uint16_t)from->wish_hp : of->mons[0].base_max_hp;
    }
    if (!from->foreseen || now - from->foreseen_turn > 2)
        return;
    of->future_move = 1;
    of->future_turn = (uint8_t)(from->foreseen_turn - 1 + 2);
    const struct pokemon_side *other = &s->sides[!side];
    const struct tracker_pokemon *by =
        parts_tracked(&source->tracker->sides[!side], from->foreseen_by);
    for (int i = 0; by && i < POKEMON_TEAM; ++i)
        if (other->mons[i].base_species == position_species(by->species))
            of->future_source = (uint8_t)i;
}

void parts_side(const struct position_source *source, struct pokemon *s, int side)
{
    const struct tracker *tracker = source->tracker;
    struct pokemon_side *of = &s->sides[side];
    of->dynamax_used = tracker->sides[side].dynamax_turn > 0;
    if (side == source->request->side && source->request->can_dynamax)
        of->dynamax_used = 0;
    for (size_t i = 0; i < sizeof side_conditions / sizeof *side_conditions; ++i) {
        const struct tracker_effect *effect =
            tracker_effect(&tracker->sides[side].conditions, side_conditions[i].id);
        if (!effect)
            continue;
        int most = side_conditions[i].most, length = side_conditions[i].length;
        int ended = tracker->ends - effect->ends;
        if (length == 5 && (ended >= 5 || side_has_clay(source, of, side)))
            length = 8;
        of->condition[side_conditions[i].condition] =
            length ? parts_left(length, ended)
                   : (uint8_t)(effect->count < most ? effect->count : most);
        if (side_conditions[i].condition == SIDE_STICKYWEB)
            of->web_source = (uint8_t)(!side * POKEMON_TEAM);
    }
    side_wishes(source, s, side);
}

/* The number of the hazard with this effect's id; 0: the effect is no hazard. */
static int side_hazard(const struct tracker_effect *effect)
{
    for (size_t i = 0; i < sizeof side_conditions / sizeof *side_conditions; ++i)
        if (strcmp(side_conditions[i].id, effect->id) == 0 &&
            side_conditions[i].condition < SIDE_HAZARDS)
            return side_conditions[i].condition;
    return 0;
}

/* The tracker lists the effects of each side in the order in which they began. */
void parts_hazards(const struct position_source *source, struct pokemon *s)
{
    const struct tracker_effects *first = &source->tracker->sides[0].conditions,
                                 *second = &source->tracker->sides[1].conditions;
    uint8_t laid = 0;
    for (int i = 0, k = 0; i < first->count || k < second->count;) {
        bool side = i == first->count ||
                    (k < second->count && second->list[k].since < first->list[i].since);
        int hazard = side_hazard(side ? &second->list[k++] : &first->list[i++]);
        if (hazard)
            s->sides[side].stamp[hazard] = ++laid;
    }
}

/* --- volatiles --- */

static void active_set(struct pokemon_active *active, int id)
{
    active->volatiles |= (uint64_t)1 << id;
}

static void active_locks(struct pokemon_active *a, const struct tracker_effect *effect, int id,
                         int length, int ended)
{
    int move = position_move(effect->detail);
    switch (id) {
    case VOLATILE_TAUNT:
        a->taunt_turns = parts_left(length, ended);
        break;
    case VOLATILE_ENCORE:
        a->encore_turns = parts_left(length, ended);
        a->encore_move = a->last_base ? a->last_base : a->last_move;
        if (!a->encore_move)
            a->volatiles &= ~((uint64_t)1 << id);
        break;
    case VOLATILE_DISABLE:
        a->disable_turns = parts_left(length, ended);
        a->disable_move = (uint16_t)move;
        if (!move)
            a->volatiles &= ~((uint64_t)1 << id);
        break;
    case VOLATILE_THROATCHOP:
        a->throat_turns = parts_left(length, ended);
        break;
    case VOLATILE_YAWN:
        a->yawn_turns = parts_left(length, ended);
        break;
    case VOLATILE_MAGNETRISE:
        a->magnet_turns = parts_left(length, ended);
        break;
    case VOLATILE_DYNAMAX:
        a->dynamax_turns = (uint8_t)(ended < 3 ? ended : 3);
        break;
    default:
        break;
    }
}

static void active_volatiles(const struct position_source *source, struct pokemon *s, int side)
{
    const struct chronicle_side *from = &source->chronicle->sides[side];
    const struct {
        const char *id;
        int volatile_id, length;
    } rows[] = {
        {"leechseed", VOLATILE_LEECHSEED, 0},
        {"focusenergy", VOLATILE_FOCUSENERGY, 0},
        {"curse", VOLATILE_CURSE, 0},
        {"smackdown", VOLATILE_SMACKDOWN, 0},
        {"noretreat", VOLATILE_NORETREAT, 0},
        {"flashfire", VOLATILE_FLASHFIRE, 0},
        {"dynamax", VOLATILE_DYNAMAX, 0},
        {"taunt", VOLATILE_TAUNT, 3 + from->taunt_late},
        {"encore", VOLATILE_ENCORE, 3 + from->encore_late},
        {"disable", VOLATILE_DISABLE, 4 + from->disable_late},
        {"throatchop", VOLATILE_THROATCHOP, 2},
        {"yawn", VOLATILE_YAWN, 2},
        {"magnetrise", VOLATILE_MAGNETRISE, 5},
    };
    struct pokemon_active *a = &s->sides[side].active;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct tracker_effect *effect =
            tracker_effect(&source->tracker->sides[side].volatiles, rows[i].id);
        if (!effect)
            continue;
        active_set(a, rows[i].volatile_id);
        active_locks(a, effect, rows[i].volatile_id, rows[i].length,
                     source->tracker->ends - effect->ends);
    }
}

/* Sets conditions that the chronicle counts, and draws their numbers that are not shown:
 * Substitute, confusion, traps, protection. */
static void active_guessed(const struct position_source *source, struct pokemon *s, int side,
                           struct banyan_rng *rng)
{
    const struct tracker_effects *there = &source->tracker->sides[side].volatiles;
    const struct chronicle_side *from = &source->chronicle->sides[side];
    struct pokemon_side *of = &s->sides[side];
    struct pokemon_active *a = &of->active;
    if (tracker_effect(there, "substitute")) {
        active_set(a, VOLATILE_SUBSTITUTE);
        int full = of->mons[of->order[0]].base_max_hp / 4;
        a->substitute = (uint16_t)(from->substitute_hit ? full / 2 + 1 : full + !full);
    }
    if (tracker_effect(there, "confusion")) {
        int least = from->confused + 1 > 2 ? from->confused + 1 : 2;
        int start = least >= 5 ? least : least + (int)banyan_rng_below(rng, (uint32_t)(6 - least));
        active_set(a, VOLATILE_CONFUSION);
        a->confusion_start = (uint8_t)start;
        a->confusion = (uint8_t)(start - from->confused);
    }
    if (from->bound[0]) {
        active_set(a, VOLATILE_PARTIALLYTRAPPED);
        a->trap_start = (uint8_t)(5 + banyan_rng_below(rng, 2));
        a->trap_turns = parts_left(a->trap_start, source->tracker->ends - from->bound_ends);
        a->trap_divisor = 8;
        a->trap_source = s->sides[!side].order[0];
    }
    if (from->trapped) {
        active_set(a, VOLATILE_TRAPPED);
        active_set(&s->sides[!side].active, VOLATILE_TRAPPER);
    }
    if (from->destiny)
        active_set(a, VOLATILE_DESTINYBOND);
    int ended = source->tracker->ends - from->protect_ends;
    if (from->protects && ended <= 1) {
        active_set(a, VOLATILE_STALL);
        a->stall_counter = 1;
        for (int i = 0; i < from->protects && a->stall_counter < 729; ++i)
            a->stall_counter = (uint16_t)(a->stall_counter * 3);
        a->stall_turns = (uint8_t)(2 - ended);
    }
}

/* --- moves that continue --- */

static void active_charge(const struct position_source *source, struct pokemon_active *a, int side)
{
    static const uint16_t marks[][2] = {{MOVE_BOUNCE, VOLATILE_BOUNCE},
                                        {MOVE_FLY, VOLATILE_FLY},
                                        {MOVE_PHANTOMFORCE, VOLATILE_PHANTOMFORCE},
                                        {MOVE_GEOMANCY, VOLATILE_GEOMANCY},
                                        {MOVE_METEORBEAM, VOLATILE_METEORBEAM},
                                        {MOVE_SOLARBEAM, VOLATILE_SOLARBEAM}};
    const struct chronicle_side *from = &source->chronicle->sides[side];
    int move = position_move(from->charging), ended = source->tracker->ends - from->charge_ends;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i)
        if (move && marks[i][0] == move && ended <= 1) {
            active_set(a, VOLATILE_TWOTURNMOVE);
            active_set(a, marks[i][1]);
            a->charge_move = (uint16_t)move;
            a->charge_turns = (uint8_t)(2 - ended);
            bool hides = marks[i][1] == VOLATILE_BOUNCE || marks[i][1] == VOLATILE_FLY ||
                         marks[i][1] == VOLATILE_PHANTOMFORCE;
            a->hidden_turns = hides ? a->charge_turns : 0;
        }
}

static void active_rampage(const struct position_source *source, struct pokemon_active *a, int side,
                           struct banyan_rng *rng)
{
    const struct chronicle_side *from = &source->chronicle->sides[side];
    const struct request *request = source->request;
    int move = position_move(from->rampage);
    if (side == request->side && request->kind == REQUEST_FOR_MOVE &&
        (!request->trapped || request->move_count != 1))
        move = 0; /* the request would show that the Pokémon is locked in */
    if (!move || from->rampaged > 2 || tracker_dynamaxed(source->tracker, side))
        return;
    active_set(a, VOLATILE_LOCKEDMOVE);
    a->locked_move = (uint16_t)move;
    a->locked_turns = 1;
    a->locked_true = (uint8_t)(from->rampaged > 1 ? 1 : 1 + (int)banyan_rng_below(rng, 2));
    a->locked_start = (uint8_t)(a->locked_true + from->rampaged);
}

/* Locks a Pokémon with a known Choice item into its last own move. */
static void active_choice_lock(const struct position_source *source, struct pokemon *s, int side)
{
    struct pokemon_side *of = &s->sides[side];
    const struct pokemon_mon *mon = &of->mons[of->order[0]];
    const struct chronicle_side *from = &source->chronicle->sides[side];
    int move = position_move(from->own_move);
    bool slot = state_slot_of(state_slots(of), move) >= 0;
    if (!(dex_items[mon->item].flags & ITEM_FLAG_CHOICE) || !move || !slot)
        return;
    active_set(&of->active, VOLATILE_CHOICELOCK);
    of->active.choice_move = (uint16_t)move;
}

/* --- types, formes, abilities --- */

/* Reads "fireflying": the ids of one or two types without a separator. */
static void active_types(struct pokemon_active *a, const char *text)
{
    int count = 0;
    uint8_t types[2] = {TYPE_NONE, TYPE_NONE};
    while (*text && count < 2) {
        size_t length = 0;
        for (int i = 0; i < TYPE_NONE && !length; ++i) {
            char id[PROTOCOL_ID];
            protocol_id(protocol_text(dex_type_names[i]), id, sizeof id);
            if (strncmp(text, id, strlen(id)) == 0) {
                types[count++] = (uint8_t)i;
                length = strlen(id);
            }
        }
        if (!length)
            return;
        text += length;
    }
    if (count)
        memcpy(a->types, types, sizeof types);
}

static void active_transform(const struct position_source *source, struct pokemon *s, int side)
{
    struct pokemon_side *of = &s->sides[side];
    const struct pokemon_side *other = &s->sides[!side];
    const struct tracker_pokemon *tracked = tracker_active(source->tracker, side);
    int species = tracked ? position_species(tracked->forme) : 0, index = other->order[0];
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (other->mons[i].species == species || other->mons[i].base_species == species)
            index = i;
    const struct pokemon_mon *model = &other->mons[index];
    struct pokemon_mon *mon = &of->mons[of->order[0]];
    struct pokemon_active *a = &of->active;
    a->flags |= ACTIVE_TRANSFORMED;
    mon->species = model->species;
    if (side != source->request->side)
        mon->ability = model->ability;
    memcpy(a->stats, model->stats, sizeof a->stats);
    memcpy(a->types, dex_species[model->species].types, sizeof a->types);
    a->weight = dex_species[model->species].weight;
    a->slots.count = model->slots.count;
    for (int i = 0; i < model->slots.count; ++i) {
        int pp = dex_moves[model->slots.id[i]].base_pp;
        a->slots.id[i] = model->slots.id[i];
        a->slots.pp[i] = a->slots.max_pp[i] = (uint8_t)(pp < 5 ? pp : 5);
    }
    const struct request *request = source->request;
    if (side != request->side || request->kind != REQUEST_FOR_MOVE || request->move_count < 1 ||
        request->moves[0].pp < 0)
        return;
    a->slots.count = 0; /* the request lists the copied moves */
    for (int i = 0; i < request->move_count; ++i) {
        int move = position_move(request->moves[i].id), k = a->slots.count;
        if (!move)
            continue;
        a->slots.id[k] = (uint16_t)move;
        a->slots.pp[k] = (uint8_t)(request->moves[i].pp < 64 ? request->moves[i].pp : 64);
        a->slots.max_pp[k] =
            (uint8_t)(request->moves[i].pp_max < 64 ? request->moves[i].pp_max : 64);
        ++a->slots.count;
    }
}

static void active_body(const struct position_source *source, struct pokemon *s, int side)
{
    struct pokemon_side *of = &s->sides[side];
    const struct tracker_side *from = &source->tracker->sides[side];
    struct pokemon_mon *mon = &of->mons[of->order[0]];
    struct pokemon_active *a = &of->active;
    memcpy(a->types, dex_species[mon->species].types, sizeof a->types);
    memcpy(a->stats, mon->stats, sizeof a->stats);
    a->weight = dex_species[mon->species].weight;
    if (from->transformed)
        active_transform(source, s, side);
    const struct tracker_effect *types = tracker_effect(&from->volatiles, "typechange");
    if (types)
        active_types(a, types->detail);
    const struct tracker_effect *light = tracker_effect(&from->volatiles, "autotomize");
    if (light)
        a->weight =
            (uint16_t)(a->weight > 1000 * light->count ? a->weight - 1000 * light->count : 1);
    for (int i = 0; i < BOOST_COUNT; ++i)
        a->boosts[i] = (int8_t)from->boosts[i];
}

/* Sets the counter and the flags of the ability, Unburden, and the move of Gorilla Tactics. */
static void active_ability(const struct position_source *source, struct pokemon *s, int side)
{
    struct pokemon_side *of = &s->sides[side];
    const struct pokemon_mon *mon = &of->mons[of->order[0]];
    const struct chronicle_side *from = &source->chronicle->sides[side];
    const struct tracker_side *seen = &source->tracker->sides[side];
    const struct tracker_effect *slow = tracker_effect(&seen->volatiles, "slowstart");
    if (slow)
        of->active.ability_counter = parts_left(5, source->tracker->ends - slow->ends);
    if (mon->ability == ABILITY_UNNERVE || mon->ability == ABILITY_ASONEGLASTRIER ||
        mon->ability == ABILITY_ASONESPECTRIER)
        of->active.ability_flags |= ABILITY_UNNERVED;
    if (mon->ability == ABILITY_GLUTTONY)
        of->active.ability_flags |= ABILITY_GLUTTONY_AWAKE;
    if (mon->ability == ABILITY_UNBURDEN && !mon->item && mon->last_item)
        active_set(&of->active, VOLATILE_UNBURDEN);
    if (mon->ability == ABILITY_GORILLATACTICS && from->first_move[0])
        of->active.gorilla_move = (uint16_t)position_move(from->first_move);
}

/* Own Illusion: lines use the name of the Pokémon that the active one looks like. */
static void active_illusion(const struct position_source *source, struct pokemon *s, int side)
{
    const struct request *request = source->request;
    const struct tracker_pokemon *shown = tracker_active(source->tracker, side);
    if (side != request->side || !shown || strcmp(shown->name, request->team[0].name) == 0)
        return;
    for (int i = 1; i < request->team_count; ++i)
        if (strcmp(shown->name, request->team[i].name) == 0 &&
            s->sides[side].mons[0].ability == ABILITY_ILLUSION)
            s->sides[side].active.illusion = (uint8_t)(i + 1);
}

void parts_active(const struct position_source *source, struct pokemon *s, int side,
                  struct banyan_rng *rng)
{
    const struct chronicle_side *from = &source->chronicle->sides[side];
    struct pokemon_side *of = &s->sides[side];
    struct pokemon_active *a = &of->active;
    active_body(source, s, side);
    if (of->mons[of->order[0]].flags & MON_FAINTED)
        return;
    a->turns = (uint16_t)from->turns;
    a->actions = (uint16_t)from->tries;
    a->result_last = from->failed_once ? RESULT_FAILED : RESULT_NONE;
    a->last_move =
        (uint16_t)(from->tries ? position_move(source->tracker->sides[side].last_move) : 0);
    a->last_base =
        (uint16_t)(a->last_move && !from->own_last && (dex_moves[a->last_move].props & MOVE_IS_MAX)
                       ? position_move(from->own_move)
                       : 0);
    active_volatiles(source, s, side);
    active_guessed(source, s, side, rng);
    active_charge(source, a, side);
    active_rampage(source, a, side, rng);
    active_choice_lock(source, s, side);
    active_ability(source, s, side);
    active_illusion(source, s, side);
}
