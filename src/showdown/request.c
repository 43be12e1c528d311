/* Reads a request of the server, and lists the choices that can answer it. */
#include "showdown/request.h"

#include <jansson.h>

#include <stdio.h>
#include <string.h>

static struct protocol_text request_text(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value))
        return (struct protocol_text){NULL, 0};
    return (struct protocol_text){json_string_value(value), json_string_length(value)};
}

static bool request_flag(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* A number of 0..max; `otherwise` if there is none. */
static int request_number(const json_t *object, const char *key, int max, int otherwise)
{
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);
    return json_is_integer(value) && number >= 0 && number <= max ? (int)number : otherwise;
}

/* --- the side --- */

static void request_pokemon(const json_t *from, struct request_pokemon *out)
{
    struct protocol_pokemon ident = protocol_pokemon(request_text(from, "ident"));
    struct protocol_details details = protocol_details(request_text(from, "details"));
    struct protocol_condition condition = protocol_condition(request_text(from, "condition"));
    protocol_copy(ident.name, out->name, sizeof out->name);
    protocol_copy(details.species, out->species, sizeof out->species);
    out->level = details.level;
    out->gender = details.gender;
    out->hp = condition.hp;
    out->hp_max = condition.hp_max;
    out->fainted = condition.fainted;
    protocol_id(condition.status, out->status, sizeof out->status);
    out->active = request_flag(from, "active");

    static const char *const stats[] = {"atk", "def", "spa", "spd", "spe"};
    const json_t *values = json_object_get(from, "stats");
    for (int i = 0; i < 5; ++i)
        out->stats[i] = request_number(values, stats[i], 65535, 0);
    const json_t *moves = json_object_get(from, "moves");
    for (size_t i = 0; i < REQUEST_MOVES; ++i) {
        const char *move = json_string_value(json_array_get(moves, i));
        protocol_id(protocol_text(move ? move : ""), out->moves[i], sizeof out->moves[i]);
    }
    protocol_id(request_text(from, "item"), out->item, sizeof out->item);
    protocol_id(request_text(from, "baseAbility"), out->base_ability, sizeof out->base_ability);
    protocol_id(request_text(from, "ability"), out->ability, sizeof out->ability);
    if (!out->ability[0])
        memcpy(out->ability, out->base_ability, sizeof out->ability);
}

static enum banyan_status request_side(const json_t *root, struct request *out,
                                       struct banyan_error *err)
{
    const json_t *side = json_object_get(root, "side");
    const json_t *team = json_object_get(side, "pokemon");
    struct protocol_text id = request_text(side, "id");
    out->side = protocol_is(id, "p1") ? 0 : protocol_is(id, "p2") ? 1 : -1;
    protocol_copy(request_text(side, "name"), out->player, sizeof out->player);
    if (out->kind == REQUEST_WAIT && !team)
        return BANYAN_OK;
    size_t count = json_array_size(team);
    if (count < 1 || count > REQUEST_TEAM)
        return banyan_fail(err, BANYAN_CORRUPT, "a request has a side of %zu Pokemon", count);
    for (size_t i = 0; i < count; ++i) {
        if (!json_is_object(json_array_get(team, i)))
            return banyan_fail(err, BANYAN_CORRUPT, "a Pokemon of a request is not an object");
        request_pokemon(json_array_get(team, i), &out->team[i]);
    }
    out->team_count = (int)count;
    return BANYAN_OK;
}

/* --- the moves --- */

static void request_max_moves(const json_t *active, struct request *out)
{
    const json_t *list = json_object_get(json_object_get(active, "maxMoves"), "maxMoves");
    for (int i = 0; i < out->move_count; ++i) {
        const json_t *entry = json_array_get(list, (size_t)i);
        protocol_id(request_text(entry, "move"), out->moves[i].max_id, sizeof out->moves[i].max_id);
        out->moves[i].max_disabled = !entry || request_flag(entry, "disabled");
    }
    out->gigantamax =
        json_is_string(json_object_get(json_object_get(active, "maxMoves"), "gigantamax"));
    out->can_dynamax = json_is_array(list) && request_flag(active, "canDynamax");
    out->dynamaxed = json_is_array(list) && !out->can_dynamax;
}

static enum banyan_status request_active(const json_t *root, struct request *out,
                                         struct banyan_error *err)
{
    const json_t *all = json_object_get(root, "active");
    const json_t *active = json_array_get(all, 0);
    const json_t *moves = json_object_get(active, "moves");
    if (json_array_size(all) != 1)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "a request for %zu Pokemon at once: only singles are played",
                           json_array_size(all));
    size_t count = json_array_size(moves);
    if (count < 1 || count > REQUEST_MOVES)
        return banyan_fail(err, BANYAN_CORRUPT, "a request has %zu moves", count);
    for (size_t i = 0; i < count; ++i) {
        const json_t *move = json_array_get(moves, i);
        struct request_move *to = &out->moves[i];
        struct protocol_text id = request_text(move, "id");
        protocol_id(id.length ? id : request_text(move, "move"), to->id, sizeof to->id);
        to->pp = request_number(move, "pp", 1000, -1);
        to->pp_max = request_number(move, "maxpp", 1000, -1);
        /* The value may be the id of the effect that disables the move, instead of true. */
        const json_t *disabled = json_object_get(move, "disabled");
        to->disabled = json_is_true(disabled) || json_string_length(disabled) > 0;
    }
    out->move_count = (int)count;
    request_max_moves(active, out);
    out->trapped = request_flag(active, "trapped");
    out->maybe_trapped = request_flag(active, "maybeTrapped");
    out->maybe_disabled = request_flag(active, "maybeDisabled");
    out->maybe_locked = request_flag(active, "maybeLocked");
    return BANYAN_OK;
}

/* --- the choices --- */

static void request_add(struct request *request, enum request_choice_kind kind, int slot)
{
    request->choices[request->choice_count++] = (struct request_choice){kind, slot};
}

static void request_add_switches(struct request *request)
{
    for (int i = 0; i < request->team_count; ++i)
        if (!request->team[i].active && !request->team[i].fainted)
            request_add(request, REQUEST_CHOOSE_SWITCH, i);
}

static void request_choices(struct request *request)
{
    if (request->kind == REQUEST_WAIT)
        return;
    for (int i = 0; request->kind == REQUEST_FOR_MOVE && i < request->move_count; ++i) {
        const struct request_move *move = &request->moves[i];
        /* A move that a Max move replaces may be disabled by Disable or Encore.  The request marks only
         * that move, and the server would accept the Max move.  Here, as in the game and in
         * recorded lists of legal choices, marked moves are not offered. */
        if (!move->disabled && !(request->dynamaxed && move->max_disabled))
            request_add(request, REQUEST_CHOOSE_MOVE, i);
        if (request->can_dynamax && !move->max_disabled)
            request_add(request, REQUEST_CHOOSE_DYNAMAX, i);
    }
    if (request->kind == REQUEST_FOR_SWITCH ||
        (request->kind == REQUEST_FOR_MOVE && !request->trapped))
        request_add_switches(request);
    if (request->choice_count == 0)
        request_add(request, REQUEST_CHOOSE_DEFAULT, 0);
}

void request_choice_text(struct request_choice choice, char out[REQUEST_TEXT])
{
    switch (choice.kind) {
    case REQUEST_CHOOSE_MOVE:
        snprintf(out, REQUEST_TEXT, "move %d", choice.slot + 1);
        break;
    case REQUEST_CHOOSE_DYNAMAX:
        snprintf(out, REQUEST_TEXT, "move %d dynamax", choice.slot + 1);
        break;
    case REQUEST_CHOOSE_SWITCH:
        snprintf(out, REQUEST_TEXT, "switch %d", choice.slot + 1);
        break;
    case REQUEST_CHOOSE_DEFAULT:
        snprintf(out, REQUEST_TEXT, "default");
        break;
    }
}

/* --- the whole request --- */

static enum request_kind request_kind(const json_t *root)
{
    if (request_flag(root, "wait"))
        return REQUEST_WAIT;
    if (request_flag(root, "teamPreview"))
        return REQUEST_TEAM_PREVIEW;
    if (json_is_true(json_array_get(json_object_get(root, "forceSwitch"), 0)))
        return REQUEST_FOR_SWITCH;
    return json_object_get(root, "active") ? REQUEST_FOR_MOVE : REQUEST_WAIT;
}

static enum banyan_status request_read(const json_t *root, struct request *out,
                                       struct banyan_error *err)
{
    if (json_is_null(root))
        return BANYAN_OK;
    if (!json_is_object(root))
        return banyan_fail(err, BANYAN_CORRUPT, "a request is not a JSON object");
    out->kind = request_kind(root);
    json_int_t rqid = json_integer_value(json_object_get(root, "rqid"));
    out->rqid = rqid > 0 ? rqid : 0;
    out->update = request_flag(root, "update");
    enum banyan_status status = request_side(root, out, err);
    if (status == BANYAN_OK && out->kind == REQUEST_FOR_MOVE)
        status = request_active(root, out, err);
    if (status == BANYAN_OK)
        request_choices(out);
    return status;
}

enum banyan_status request_parse(const char *json, size_t length, struct request *out,
                                 struct banyan_error *err)
{
    memset(out, 0, sizeof *out);
    out->side = -1;
    if (length == 0)
        return BANYAN_OK;
    json_error_t where;
    json_t *root = json_loadb(json, length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &where);
    if (!root)
        return banyan_fail(err, BANYAN_CORRUPT, "a request is not JSON: %s at byte %d", where.text,
                           where.position);
    enum banyan_status status = request_read(root, out, err);
    json_decref(root);
    return status;
}
