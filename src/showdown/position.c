/* Makes a state of the game from what is known of a battle. */
#include "showdown/position.h"
#include "showdown/position_parts.h"

#include "games/pokemon/battle.h"

#include <stdio.h>
#include <string.h>

/* --- names --- */

static void position_id(const char *name, char out[PROTOCOL_NAME])
{
    protocol_id(protocol_text(name), out, PROTOCOL_NAME);
}

int position_species(const char *name)
{
    char id[PROTOCOL_NAME];
    position_id(name, id);
    return dex_find_species(id);
}

int position_move(const char *name)
{
    char id[PROTOCOL_NAME];
    position_id(name, id);
    return dex_find_move(id);
}

int position_item(const char *name)
{
    char id[PROTOCOL_NAME];
    position_id(name, id);
    return dex_find_item(id);
}

int position_ability(const char *name)
{
    char id[PROTOCOL_NAME];
    position_id(name, id);
    return dex_find_ability(id);
}

/* --- memory --- */

static struct position_known *position_known_of(struct position_memory *memory, const char *name)
{
    for (int i = 0; i < memory->count; ++i)
        if (strcmp(memory->own[i].name, name) == 0)
            return &memory->own[i];
    if (memory->count == REQUEST_TEAM)
        return NULL;
    struct position_known *known = &memory->own[memory->count++];
    memset(known, 0, sizeof *known);
    memcpy(known->name, name, sizeof known->name);
    for (int i = 0; i < REQUEST_MOVES; ++i)
        known->pp[i] = -1;
    return known;
}

static void position_remember_pp(struct position_known *known, const struct request *request,
                                 const struct tracker_pokemon *tracked)
{
    for (int i = 0; i < request->move_count; ++i)
        for (int k = 0; k < REQUEST_MOVES; ++k)
            if (request->moves[i].pp >= 0 && strcmp(known->moves[k], request->moves[i].id) == 0) {
                known->pp[k] = request->moves[i].pp;
                known->used[k] = parts_used(tracked, known->moves[k]);
            }
}

int parts_used(const struct tracker_pokemon *tracked, const char *move)
{
    for (int i = 0; tracked && i < tracked->move_count; ++i)
        if (strcmp(tracked->moves[i].id, move) == 0)
            return tracked->moves[i].used;
    return 0;
}

void position_remember(struct position_memory *memory, const struct request *request,
                       const struct tracker *tracker)
{
    if (request->side < 0)
        return;
    const struct tracker_side *side = &tracker->sides[request->side];

    for (int i = 0; i < request->team_count; ++i) {
        const struct request_pokemon *mon = &request->team[i];
        struct position_known *known = position_known_of(memory, mon->name);
        if (!known)
            continue;
        if (!known->moves[0][0]) /* later moves may be those of another Pokémon, after Transform */
            memcpy(known->moves, mon->moves, sizeof known->moves);
        if (position_species(mon->species) == SPECIES_DITTO) { /* a first request may list moves
                                                                * that Ditto has copied */
            memset(known->moves, 0, sizeof known->moves);
            memcpy(known->moves[0], "transform", sizeof "transform");
        }
        if (!mon->fainted && !mon->active)
            known->hp_max = mon->hp_max;
        if (!mon->active || request->kind != REQUEST_FOR_MOVE)
            continue;
        if (!tracker_dynamaxed(tracker, request->side))
            known->hp_max = mon->hp_max;
        position_remember_pp(known, request, parts_tracked(side, mon->name));
        known->gigantamax |= request->gigantamax;
    }
}

/* --- actions and choices --- */

/* The species (of the set) of the own Pokémon at a place of the request's team. */
static int position_own(const struct request *request, const struct pokemon *state, int slot)
{
    return state->sides[request->side].mons[slot].set_species;
}

banyan_action position_action(const struct request *request, const struct pokemon *state,
                              struct request_choice choice)
{
    int move;
    switch (choice.kind) {
    case REQUEST_CHOOSE_SWITCH:
        return POKEMON_ACTION(ACTION_SWITCH, position_own(request, state, choice.slot));
    case REQUEST_CHOOSE_MOVE:
    case REQUEST_CHOOSE_DYNAMAX:
        move = position_move(request->moves[choice.slot].id);
        return move ? POKEMON_ACTION(
                          choice.kind == REQUEST_CHOOSE_MOVE ? ACTION_MOVE : ACTION_DYNAMAX, move)
                    : 0;
    default:
        return 0;
    }
}

bool position_choice(const struct request *request, const struct pokemon *state,
                     banyan_action action, struct request_choice *out)
{
    for (int i = 0; i < request->choice_count; ++i)
        if (position_action(request, state, request->choices[i]) == action) {
            *out = request->choices[i];
            return true;
        }
    return false;
}

int position_differences(const struct request *request, const struct pokemon *state, char *out,
                         size_t size)
{
    banyan_action legal[16], asked[REQUEST_CHOICES];
    char text[64];
    int count = legal_actions(state, request->side, legal), differences = 0;
    size_t length = 0;
    out[0] = 0;
    for (int i = 0; i < request->choice_count; ++i)
        asked[i] = position_action(request, state, request->choices[i]);
    for (int k = 0; k < count + request->choice_count; ++k) {
        bool ours = k < count, found = false;
        banyan_action action = ours ? legal[k] : asked[k - count];
        for (int i = 0; i < (ours ? request->choice_count : count); ++i)
            found |= (ours ? asked[i] : legal[i]) == action;
        bool hidden = request->maybe_trapped && action >> 16 == ACTION_SWITCH;
        if (found || hidden) /* a hidden trap: the request may not show it, but the game knows it */
            continue;
        ++differences;
        text_action(action, text, sizeof text);
        if (length < size)
            length += (size_t)snprintf(out + length, size - length, "%s%s: %s", length ? ", " : "",
                                       ours ? "only the game" : "only the request", text);
    }
    return differences;
}

/* --- who must choose, and the actions that are left in this turn --- */

static void position_queue(const struct position_source *source, struct pokemon *s)
{
    int viewer = source->request->side, foe = !viewer;
    const struct pokemon_side *there = &s->sides[foe];
    bool alive = !(there->mons[there->order[0]].flags & MON_FAINTED);
    if (source->chronicle->run_down)
        return;
    if (alive && !source->chronicle->sides[foe].acted) {
        int move = there->mons[there->order[0]].slots.id[0];
        s->queue[s->queued++] =
            (struct pokemon_action){.choice = CHOICE_MOVE,
                                    .side = (uint8_t)foe,
                                    .mon = there->order[0],
                                    .move = (uint16_t)move,
                                    .max = (there->active.volatiles >> VOLATILE_DYNAMAX & 1) != 0,
                                    .speed = there->active.speed};
    }
    s->queue[s->queued++] = (struct pokemon_action){.choice = CHOICE_RESIDUAL, .speed = 1};
}

static void position_requests(const struct position_source *source, struct pokemon *s)
{
    int viewer = source->request->side, foe = !viewer;
    if (source->request->kind == REQUEST_FOR_MOVE) {
        s->request[0] = s->request[1] = REQUEST_MOVE;
        return;
    }
    const struct pokemon_side *there = &s->sides[foe];
    bool alive = !(there->mons[there->order[0]].flags & MON_FAINTED);
    s->mid_turn = 1;
    s->request[viewer] = REQUEST_SWITCH;
    s->sides[viewer].active.flags |= ACTIVE_SWITCH | ACTIVE_SWITCH_READY;
    if (!alive && there->left && source->chronicle->run_down) {
        s->request[foe] = REQUEST_SWITCH;
        s->sides[foe].active.flags |= ACTIVE_SWITCH;
    }
    position_queue(source, s);
}

/* --- the whole position --- */

static void position_field(const struct position_source *source, struct pokemon *s)
{
    static const char *const weathers[WEATHER_COUNT] = {"", "sunnyday", "raindance", "sandstorm",
                                                        "hail"};
    static const char *const terrains[TERRAIN_COUNT] = {"", "electricterrain", "grassyterrain",
                                                        "mistyterrain", "psychicterrain"};
    const struct tracker *tracker = source->tracker;
    s->turn = (uint16_t)(tracker->turn > 0 ? tracker->turn : 1);
    for (int i = 1; i < WEATHER_COUNT; ++i)
        if (strcmp(tracker->weather, weathers[i]) == 0) {
            s->weather = (uint8_t)i;
            s->weather_turns = parts_left(5, tracker->ends - tracker->weather_ends);
        }
    for (int i = 1; i < TERRAIN_COUNT; ++i) {
        const struct tracker_effect *effect = tracker_effect(&tracker->field, terrains[i]);
        if (effect) {
            s->terrain = (uint8_t)i;
            s->terrain_turns = parts_left(5, tracker->ends - effect->ends);
        }
    }
    const struct tracker_effect *room = tracker_effect(&tracker->field, "trickroom");
    s->trick_room = room ? parts_left(5, tracker->ends - room->ends) : 0;
}

static void position_finish(const struct position_source *source, struct pokemon *s)
{
    struct battle b;
    int viewer = source->request->side;
    battle_open(&b, s, NULL);
    stats_update_speeds(&b);
    for (int side = 0; side < 2; ++side) {
        const struct pokemon_side *there = &s->sides[side];
        if (there->mons[there->order[0]].flags & MON_FAINTED)
            continue;
        turn_disable_moves(&b, side);
    }
    position_requests(source, s);
    if (source->request->kind != REQUEST_FOR_MOVE)
        return;
    /* The request says which own moves may be chosen. */
    struct pokemon_slots *slots = state_slots(&s->sides[viewer]);
    if (position_move(source->request->moves[0].id) == MOVE_STRUGGLE)
        slots->disabled = slots->hard = (uint8_t)((1u << slots->count) - 1);
    for (int i = 0; i < source->request->move_count && source->request->move_count > 1; ++i) {
        int slot = state_slot_of(slots, position_move(source->request->moves[i].id));
        if (slot < 0 || source->request->moves[i].pp == 0)
            continue;
        uint8_t bit = (uint8_t)(1u << slot);
        if (source->request->moves[i].disabled)
            slots->disabled |= bit;
        else
            slots->disabled &= (uint8_t)~bit;
        slots->hard &= slots->disabled;
    }
}

/* Checks the state, so that the rules never get one that they cannot play. */
static enum banyan_status position_check(struct pokemon *s, struct banyan_error *err)
{
    char text[2 * BANYAN_TEXT_MAX];
    struct pokemon again;
    if (text_state(s, text, sizeof text) >= (int)sizeof text)
        return banyan_fail(err, BANYAN_CORRUPT, "the text of the state is too long");
    enum banyan_status status = text_parse(&again, text, err);
    if (status != BANYAN_OK)
        return status;
    matchup_fill(s);
    if (memcmp(&again, s, sizeof again) != 0)
        status = banyan_fail(err, BANYAN_CORRUPT, "the state differs from its own text");
    return status;
}

enum banyan_status position_build(const struct position_source *source, struct pokemon *out,
                                  struct belief *belief, struct banyan_rng *rng,
                                  struct banyan_error *err)
{
    const struct request *request = source->request;
    int viewer = request->side;
    if (viewer < 0 || request->team_count != POKEMON_TEAM || !request->team[0].active)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "the request does not have six Pokémon");
    memset(out, 0, sizeof *out);
    belief_start(belief, viewer);
    enum banyan_status status = parts_own(source, &out->sides[viewer], rng, err);
    if (status == BANYAN_OK)
        status = parts_foe(source, &out->sides[!viewer], belief, rng, err);
    if (status != BANYAN_OK)
        return status;
    position_field(source, out);
    for (int side = 0; side < 2; ++side)
        parts_side(source, out, side);
    for (int side = 0; side < 2; ++side)
        parts_active(source, out, side, rng);
    parts_hazards(source, out);
    position_finish(source, out);
    status = position_check(out, err);
    if (status != BANYAN_OK)
        return status;
    if (request->kind == REQUEST_FOR_MOVE)
        belief->trapped = request->trapped;
    belief_draw(belief, out, out, rng);
    /* If every possible set of the foe traps, the viewer is trapped in the state, even if the
     * request does not say so: the belief follows the state. */
    if (request->kind == REQUEST_FOR_MOVE)
        belief->trapped = legal_trapped(out, viewer);
    return BANYAN_OK;
}
