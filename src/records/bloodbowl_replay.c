/* Replays recorded games of Blood Bowl, decision by decision. */
#include "records/bloodbowl_replay.h"

#include "games/bloodbowl/table.h"
#include "records/bloodbowl_json.h"

#include <stdlib.h>
#include <string.h>

struct bloodbowl_replay {
    struct records_source *source;
    bool owns_source; /* close closes it */
    struct bb_state state;
    struct bloodbowl_move move;
    bool playing, pending; /* a game has begun; the move that was returned last is not played yet */
};

static int replay_block_face(const char *name)
{
    static const char *const faces[] = {"ATTACKER_DOWN", "BOTH_DOWN", "PUSH", "DEFENDER_STUMBLES",
                                        "DEFENDER_DOWN"};
    for (int i = 0; i < 5; ++i)
        if (name && strcmp(name, faces[i]) == 0)
            return i + 1;
    return 0;
}

static int replay_die_kind(const char *where)
{
    for (int i = 0; where && i < BB_DICE; ++i)
        if (strcmp(where, bb_die_names[i]) == 0)
            return i;
    return -1;
}

/* Reads [kind, value, where], for example ["D6", 4, "Dodge"]. */
static bool replay_die(const json_t *json, struct banyan_die *die)
{
    const char *kind = json_string_value(json_array_get(json, 0));
    const char *where = json_string_value(json_array_get(json, 2));
    const json_t *value = json_array_get(json, 1);
    if (!kind)
        return false;
    *die = (struct banyan_die){.kind = (int16_t)replay_die_kind(where),
                               .value = (int32_t)json_integer_value(value)};
    if (strcmp(kind, "BB") == 0) {
        die->sides = 6;
        die->value = replay_block_face(json_string_value(value));
    } else if (strcmp(kind, "coin") == 0) {
        die->sides = 2;
    } else if (strncmp(kind, "choice", 6) == 0) {
        die->sides = (int16_t)strtol(kind + 6, NULL, 10);
        if (die->kind < 0) /* the second victim of Throw a Rock, while the first one's fall is on
                            * top of the stack */
            die->kind = BB_DIE_ROCK;
    } else if (kind[0] == 'D') {
        die->sides = (int16_t)strtol(kind + 1, NULL, 10);
    }
    return die->kind >= 0;
}

enum banyan_status bloodbowl_move_read(const struct bb_state *state, const json_t *step,
                                       struct bloodbowl_move *out, struct banyan_error *err)
{
    const json_t *rolled = json_object_get(step, "dice");
    int count = (int)json_array_size(rolled);
    enum banyan_status status = bloodbowl_json_action(
        state, json_object_get(step, "act"), json_object_get(step, "path"), &out->action, err);
    if (status == BANYAN_OK && !bb_possible(state, &out->action))
        status = banyan_fail(err, BANYAN_ILLEGAL, "\"act\" is not among the choices");
    if (status != BANYAN_OK)
        return status;
    if (count > BLOODBOWL_MAX_DICE)
        return banyan_fail(err, BANYAN_CORRUPT, "a step has %d dice, which are too many", count);
    for (int i = 0; i < count; ++i)
        if (!replay_die(json_array_get(rolled, (size_t)i), &out->dice[i]))
            return banyan_fail(err, BANYAN_CORRUPT, "die %d of a step cannot be read", i);
    out->dice_count = count;
    return BANYAN_OK;
}

enum banyan_status bloodbowl_replay_from(struct records_source *source,
                                         struct bloodbowl_replay **out, struct banyan_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read %s", records_path(source));
    (*out)->source = source;
    return BANYAN_OK;
}

enum banyan_status bloodbowl_replay_open(const char *path, struct bloodbowl_replay **out,
                                         struct banyan_error *err)
{
    struct records_source *source;
    *out = NULL;
    enum banyan_status status = records_open(path, &source, err);
    if (status != BANYAN_OK)
        return status;
    status = bloodbowl_replay_from(source, out, err);
    if (status == BANYAN_OK)
        (*out)->owns_source = true;
    else
        records_close(source);
    return status;
}

void bloodbowl_replay_close(struct bloodbowl_replay *r)
{
    if (r->owns_source)
        records_close(r->source);
    free(r);
}

enum banyan_status bloodbowl_move_play(const struct bloodbowl_move *move, struct bb_state *state,
                                       struct banyan_error *err)
{
    struct banyan_dice dice;
    struct bb_state next = *state;
    banyan_dice_recorded(&dice, move->dice, move->dice_count);
    bb_apply(&next, &move->action, &dice);
    if (dice.failed || dice.next != dice.count)
        return banyan_fail(err, BANYAN_CORRUPT, "%d of %d dice used; %s", dice.next, dice.count,
                           dice.message);
    *state = next;
    return BANYAN_OK;
}

/* Plays the move that was returned last. */
static enum banyan_status replay_advance(struct bloodbowl_replay *r, struct banyan_error *err)
{
    struct banyan_error why;
    if (!r->pending)
        return BANYAN_OK;
    r->pending = false;
    if (bloodbowl_move_play(&r->move, &r->state, &why) == BANYAN_OK)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_CORRUPT, "%s: before line %llu: %s", records_path(r->source),
                       (unsigned long long)records_line_number(r->source), why.message);
}

/* Says what a line is, and reads it.  The pending move is played first, unless the line is a head. */
static enum banyan_status replay_line(struct bloodbowl_replay *r, const json_t *json,
                                      enum bloodbowl_event *event, struct banyan_error *err)
{
    const char *type = json_string_value(json_object_get(json, "t"));
    enum banyan_status status = BANYAN_OK;
    *event = BLOODBOWL_MOVE;
    if (type && strcmp(type, "head") == 0) {
        *event = BLOODBOWL_HEAD;
        r->pending = false;
        status = bloodbowl_json_head(json, &r->state, err);
        r->playing = status == BANYAN_OK;
    } else if (type) { /* an internal error of botbowl, or the end */
        *event = strcmp(type, "end") == 0 ? BLOODBOWL_END : BLOODBOWL_CRASH;
        status = replay_advance(r, err);
    } else if (!r->playing) {
        status = banyan_fail(err, BANYAN_CORRUPT, "a step, but no head of a game before it");
    } else {
        status = replay_advance(r, err);
        if (status == BANYAN_OK)
            status = bloodbowl_move_read(&r->state, json, &r->move, err);
        r->pending = status == BANYAN_OK;
    }
    return status;
}

enum banyan_status bloodbowl_replay_next(struct bloodbowl_replay *r, enum bloodbowl_event *event,
                                         struct banyan_error *err)
{
    char *line;
    size_t length;
    json_error_t why;
    enum banyan_status status;
    do
        status = records_line(r->source, &line, &length, err);
    while (status == BANYAN_OK && line && length == 0);
    *event = BLOODBOWL_DONE;
    if (status != BANYAN_OK || !line)
        return status == BANYAN_OK ? replay_advance(r, err) : status;
    json_t *json = json_loadb(line, length, 0, &why);
    if (!json)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: line %llu: %s", records_path(r->source),
                           (unsigned long long)records_line_number(r->source), why.text);
    status = replay_line(r, json, event, err);
    json_decref(json);
    return status;
}

const struct bb_state *bloodbowl_replay_state(const struct bloodbowl_replay *r)
{
    return &r->state;
}

const struct bloodbowl_move *bloodbowl_replay_move(const struct bloodbowl_replay *r)
{
    return &r->move;
}
