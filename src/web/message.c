/* Parses the requests of a page, by one table of types and fields. */
#include "web/message.h"

#include <banyan/game.h>

#include <string.h>

enum { MESSAGE_FIELDS = 8, MESSAGE_TEXT = 60 << 10, MESSAGE_BUDGET = 5000 };

#define MESSAGE_MOST \
    ((int64_t)1 << 50) /* simulations; a page counts in doubles, exact up to 2^53 */

struct message_field {
    const char *name; /* NULL ends the list */
    bool is_text;
    bool required;
    int64_t min, max; /* of an integer; of the bytes of a text */
};

#define MESSAGE_NAMED(name, most) \
    {                             \
        name, true, true, 1, most \
    }
#define MESSAGE_OPTIONAL(name)             \
    {                                      \
        name, true, false, 0, MESSAGE_TEXT \
    }
#define MESSAGE_NUMBER(name, least, most) \
    {                                     \
        name, false, true, least, most    \
    }

#define MESSAGE_MAYBE(name, least, most) \
    {                                    \
        name, false, false, least, most  \
    }

static const struct message_kind {
    const char *name;
    struct message_field fields[MESSAGE_FIELDS];
} message_kinds[MESSAGE_TYPES] = {
    [MESSAGE_HELLO] = {"hello", {MESSAGE_NAMED("token", 64)}},
    [MESSAGE_LIST] = {"list", {{NULL, false, false, 0, 0}}},
    [MESSAGE_OPEN] = {"open",
                      {MESSAGE_NAMED("game", 64), MESSAGE_OPTIONAL("position"),
                       MESSAGE_OPTIONAL("moves"), MESSAGE_OPTIONAL("options"),
                       MESSAGE_OPTIONAL("evaluator")}},
    [MESSAGE_EXPLAIN] = {"explain",
                         {MESSAGE_NAMED("game", 64), MESSAGE_OPTIONAL("position"),
                          MESSAGE_OPTIONAL("moves"), MESSAGE_OPTIONAL("options"),
                          MESSAGE_OPTIONAL("evaluator"), MESSAGE_NUMBER("n", 1, 200)}},
    [MESSAGE_BATTLES] = {"battles", {{NULL, false, false, 0, 0}}},
    [MESSAGE_BATTLE] = {"battle",
                        {MESSAGE_NAMED("room", 200), MESSAGE_NUMBER("first", 0, 1000000000)}},
    [MESSAGE_RUN] = {"run", {MESSAGE_NUMBER("simulations", 1, MESSAGE_MOST)}},
    [MESSAGE_PAUSE] = {"pause", {{NULL, false, false, 0, 0}}},
    [MESSAGE_STEP] = {"step", {MESSAGE_NUMBER("n", 1, MESSAGE_MOST)}},
    [MESSAGE_GOTO] = {"goto", {MESSAGE_NUMBER("k", 1, MESSAGE_MOST)}},
    [MESSAGE_VIEW] = {"view",
                      {MESSAGE_OPTIONAL("path"), MESSAGE_NUMBER("depth", 1, 500),
                       MESSAGE_NUMBER("budget", 1, MESSAGE_BUDGET)}},
    [MESSAGE_SIT] = {"sit",
                     {MESSAGE_NAMED("game", 64), MESSAGE_NAMED("seats", 4096),
                      MESSAGE_NUMBER("seed", 0, MESSAGE_MOST), MESSAGE_OPTIONAL("position"),
                      MESSAGE_OPTIONAL("record"), MESSAGE_MAYBE("clock_ms", 0, 86400000),
                      MESSAGE_MAYBE("increment_ms", 0, 3600000)}},
    [MESSAGE_LINE] = {"line", {{NULL, false, false, 0, 0}}},
    [MESSAGE_CLOCK] = {"clock", {{NULL, false, false, 0, 0}}},
    [MESSAGE_PLAY] = {"play",
                      {MESSAGE_NUMBER("player", 0, BANYAN_MAX_PLAYERS - 1),
                       MESSAGE_NAMED("action", 4096)}},
    [MESSAGE_UNDO] = {"undo", {{NULL, false, false, 0, 0}}},
    [MESSAGE_HINT] = {"hint", {MESSAGE_NUMBER("player", 0, BANYAN_MAX_PLAYERS - 1)}},
    [MESSAGE_SAVE] = {"save", {{NULL, false, false, 0, 0}}},
    [MESSAGE_FILES] = {"files", {{NULL, false, false, 0, 0}}},
    [MESSAGE_REPLAY] = {"replay",
                        {MESSAGE_NAMED("name", 255), MESSAGE_NUMBER("game", 1, 1000000000)}},
    [MESSAGE_SHOW] = {"show",
                      {MESSAGE_NUMBER("ply", 0, 1000000000),
                       MESSAGE_MAYBE("seat", 0, BANYAN_MAX_PLAYERS - 1)}},
    [MESSAGE_SWEEP] = {"sweep", {MESSAGE_NUMBER("simulations", 1, 1000000)}},
    [MESSAGE_SWEEP_END] = {"sweep_end", {{NULL, false, false, 0, 0}}},
    [MESSAGE_MATCHES] = {"matches", {{NULL, false, false, 0, 0}}},
    [MESSAGE_MATCH] = {"match", {MESSAGE_NUMBER("match", 1, MESSAGE_MOST)}},
    [MESSAGE_MATCH_GAMES] = {"match_games",
                             {MESSAGE_NUMBER("match", 1, MESSAGE_MOST),
                              MESSAGE_NUMBER("first", 1, MESSAGE_MOST)}},
    [MESSAGE_MATCH_GAME] = {"match_game",
                            {MESSAGE_NUMBER("match", 1, MESSAGE_MOST),
                             MESSAGE_NUMBER("game", 1, MESSAGE_MOST)}},
    [MESSAGE_START] = {"start",
                       {MESSAGE_NAMED("game", 64), MESSAGE_NAMED("players", 16384),
                        MESSAGE_NUMBER("games", 1, 1000000000),
                        MESSAGE_NUMBER("seed", 0, MESSAGE_MOST),
                        MESSAGE_NUMBER("opening_plies", 0, 1000),
                        MESSAGE_NUMBER("move_ms", 0, 86400000), MESSAGE_OPTIONAL("sprt")}},
    [MESSAGE_STOP] = {"stop", {{NULL, false, false, 0, 0}}},
    [MESSAGE_RUNS] = {"runs", {{NULL, false, false, 0, 0}}},
    [MESSAGE_TRAIN] = {"train", {MESSAGE_NAMED("runs", 4096)}},
    [MESSAGE_TRAIN_GAME] = {"train_game",
                            {MESSAGE_NAMED("run", 255),
                             MESSAGE_NUMBER("generation", 1, MESSAGE_MOST),
                             MESSAGE_NUMBER("game", 1, MESSAGE_MOST)}},
    [MESSAGE_LEAVE] = {"leave", {{NULL, false, false, 0, 0}}},
    [MESSAGE_INSPECT] = {"inspect", {MESSAGE_NAMED("path", MESSAGE_TEXT)}},
};

const char *message_name(enum message_type type)
{
    return message_kinds[type].name;
}

static enum banyan_status message_check_field(const struct message_kind *kind,
                                              const struct message_field *field,
                                              const json_t *value, struct banyan_error *err)
{
    if (!value)
        return field->required ? banyan_fail(err, BANYAN_INVALID, "'%s' needs the field '%s'",
                                             kind->name, field->name)
                               : BANYAN_OK;
    if (field->is_text ? !json_is_string(value) : !json_is_integer(value))
        return banyan_fail(err, BANYAN_INVALID, "'%s' of '%s' must be %s", field->name, kind->name,
                           field->is_text ? "a text" : "a whole number");
    int64_t size =
        field->is_text ? (int64_t)json_string_length(value) : (int64_t)json_integer_value(value);
    if (size < field->min || size > field->max)
        return banyan_fail(err, BANYAN_INVALID, "'%s' of '%s' must %s %lld to %lld, got %lld",
                           field->name, kind->name, field->is_text ? "have a length of" : "be",
                           (long long)field->min, (long long)field->max, (long long)size);
    return BANYAN_OK;
}

static bool message_knows(const struct message_kind *kind, const char *name)
{
    if (strcmp(name, "t") == 0 || strcmp(name, "id") == 0)
        return true;
    for (int i = 0; i < MESSAGE_FIELDS && kind->fields[i].name; ++i)
        if (strcmp(name, kind->fields[i].name) == 0)
            return true;
    return false;
}

static enum banyan_status message_check(const struct message_kind *kind, json_t *body,
                                        struct banyan_error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach(body, name, value)
    {
        if (!message_knows(kind, name))
            return banyan_fail(err, BANYAN_INVALID, "'%s' has no field '%.40s'", kind->name, name);
    }
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < MESSAGE_FIELDS && kind->fields[i].name && status == BANYAN_OK; ++i)
        status = message_check_field(kind, &kind->fields[i],
                                     json_object_get(body, kind->fields[i].name), err);
    return status;
}

static enum banyan_status message_read(json_t *body, struct message *message,
                                       struct banyan_error *err)
{
    const json_t *type = json_object_get(body, "t"), *id = json_object_get(body, "id");
    message->id = json_is_integer(id) ? (int64_t)json_integer_value(id) : 0;
    if (!json_is_string(type))
        return banyan_fail(err, BANYAN_INVALID,
                           "a message needs its type, a text in the field 't'");
    if (!json_is_integer(id) || message->id < 0)
        return banyan_fail(err, BANYAN_INVALID, "a message needs its number 'id', 0 or more");
    for (int i = 0; i < MESSAGE_TYPES; ++i) {
        if (strcmp(json_string_value(type), message_kinds[i].name) != 0)
            continue;
        message->type = (enum message_type)i;
        return message_check(&message_kinds[i], body, err);
    }
    return banyan_fail(err, BANYAN_INVALID, "no message has the type '%.40s'",
                       json_string_value(type));
}

enum banyan_status message_parse(const char *text, size_t length, struct message *message,
                                 struct banyan_error *err)
{
    json_error_t where;
    *message = (struct message){.body = NULL};
    if (length > MESSAGE_MAX)
        return banyan_fail(err, BANYAN_INVALID, "a message has at most %d bytes", MESSAGE_MAX);
    json_t *body = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (!json_is_object(body)) {
        json_decref(body);
        return banyan_fail(err, BANYAN_INVALID, "a message must be one JSON object");
    }
    enum banyan_status status = message_read(body, message, err);
    if (status == BANYAN_OK)
        message->body = body;
    else
        json_decref(body);
    return status;
}

void message_free(struct message *message)
{
    json_decref(message->body);
    message->body = NULL;
}

bool message_has(const struct message *message, const char *field)
{
    return json_object_get(message->body, field) != NULL;
}

const char *message_text(const struct message *message, const char *field)
{
    return json_string_value(json_object_get(message->body, field));
}

int64_t message_integer(const struct message *message, const char *field)
{
    return (int64_t)json_integer_value(json_object_get(message->body, field));
}
