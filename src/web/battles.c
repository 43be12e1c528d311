/* Reads the decisions that `banyan showdown --save` writes. */
#include "web/battles.h"

#include "web/cards.h"
#include "web/folder.h"

#include <banyan/game.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATTLES_PATH = 4096, BATTLES_ENDING = 6 };

/* --- the folder --- */

/* Whether a name is that of decisions: "battle-FORMAT-17.jsonl". */
static bool battles_is_name(const char *folder, const char *name)
{
    size_t length = strlen(name);
    (void)folder;
    return length > BATTLES_ENDING && strncmp(name, "battle-", 7) == 0 &&
           strcmp(name + length - BATTLES_ENDING, ".jsonl") == 0;
}

/* Opens the file of a room. */
static FILE *battles_open(const char *folder, const char *room)
{
    char name[BATTLES_PATH], path[2 * BATTLES_PATH];
    if (snprintf(name, sizeof name, "%s.jsonl", room) >= (int)sizeof name ||
        !folder_has(folder, name, battles_is_name) ||
        snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return NULL;
    return fopen(path, "r");
}

/* The next line, if it is whole: the bot may be writing it just now. */
static bool battles_line(FILE *file, char **line, size_t *room)
{
    ssize_t length = getline(line, room, file);
    return length > 0 && (*line)[length - 1] == '\n';
}

static json_t *battles_row(const char *folder, const char *name)
{
    char room[BATTLES_PATH];
    snprintf(room, sizeof room, "%.*s", (int)(strlen(name) - BATTLES_ENDING), name);
    FILE *file = battles_open(folder, room);
    char *line = NULL, *last = NULL;
    size_t size = 0;
    int decisions = 0;
    while (file && battles_line(file, &line, &size)) {
        ++decisions;
        free(last);
        last = line;
        line = NULL;
        size = 0;
    }
    json_t *decision = last ? json_loads(last, 0, NULL) : NULL;
    const char *player = json_string_value(json_object_get(decision, "player"));
    json_t *out = json_pack("{s:s, s:i, s:I, s:s}", "room", room, "decisions", decisions, "turn",
                            (json_int_t)json_integer_value(json_object_get(decision, "turn")),
                            "player", player ? player : "");
    json_decref(decision);
    free(line);
    free(last);
    if (file)
        fclose(file);
    return out;
}

json_t *battles_list(const char *folder)
{
    json_t *names = folder_files(folder, battles_is_name), *out = json_array(), *name;
    size_t i;
    json_array_foreach(names, i, name)
    {
        json_array_append_new(out, battles_row(folder, json_string_value(name)));
    }
    json_decref(names);
    return out;
}

/* --- one decision --- */

/* A position of the search, from the text in the file. */
struct battles_position {
    const struct banyan_game *game;
    void *state; /* NULL: the text could not be read */
    int viewer;
};

static struct battles_position battles_position(const json_t *decision)
{
    struct battles_position position = {.state = NULL};
    struct banyan_error err;
    const char *side = json_string_value(
        json_object_get(json_object_get(json_object_get(decision, "request"), "side"), "id"));
    const char *text =
        json_string_value(json_object_get(json_object_get(decision, "detail"), "state"));
    position.viewer = side && strcmp(side, "p2") == 0;
    if (!text || banyan_game_find("pokemon", &position.game, &err) != BANYAN_OK)
        return position;
    position.state = calloc(1, position.game->state_size);
    if (position.state &&
        position.game->init(position.game, position.state, text, NULL, &err) != BANYAN_OK) {
        free(position.state);
        position.state = NULL;
    }
    return position;
}

/* Adds the action of a row in words, and the damage that it does. */
static void battles_describe(const struct battles_position *at, json_t *row)
{
    char words[BANYAN_TEXT_MAX] = "";
    banyan_action action;
    struct banyan_error err;
    const char *text = json_string_value(json_object_get(row, "action"));
    bool known =
        text && at->state && at->game->movers(at->game, at->state) >> at->viewer & 1 &&
        at->game->action_parse(at->game, at->state, at->viewer, text, &action, &err) == BANYAN_OK;
    if (known)
        at->game->describe(at->game, at->state, at->viewer, action, words, sizeof words);
    char *note = strchr(words, '\t');
    if (note)
        *note++ = 0;
    json_object_set_new(row, "words", json_string(words));
    json_object_set_new(row, "note", json_string(note ? note : ""));
}

/* Whether the page can show a row of the table. */
static bool battles_is_row(json_t *row)
{
    const char *action;
    double visits, mean;
    return json_unpack(row, "{s:s, s:F, s:F}", "action", &action, "visits", &visits, "mean",
                       &mean) == 0;
}

/* Whether the page can show what a player says about its search. */
static bool battles_is_detail(json_t *detail)
{
    const char *action, *belief;
    double value, simulations, search_ms;
    json_t *table, *row;
    size_t i;
    bool well = json_unpack(detail, "{s:s, s:s, s:F, s:F, s:F, s:o}", "action", &action, "belief",
                            &belief, "value", &value, "simulations", &simulations, "search_ms",
                            &search_ms, "table", &table) == 0 &&
                json_is_array(table);
    if (well)
        json_array_foreach(table, i, row) well &= battles_is_row(row);
    return well;
}

/* A decision as the page shows it: without the request. */
static json_t *battles_decision(json_t *decision, int64_t number)
{
    struct battles_position position = battles_position(decision);
    json_t *detail = json_object_get(decision, "detail"), *row;
    size_t i;
    if (!battles_is_detail(detail))
        json_object_set_new(decision, "detail", json_null());
    else
        json_array_foreach(json_object_get(detail, "table"), i, row)
            battles_describe(&position, row);
    json_object_set_new(decision, "number", json_integer((json_int_t)number));
    json_object_set_new(decision, "cards",
                        position.state ? cards_json(position.game, position.state, position.viewer)
                                       : json_null());
    json_object_del(decision, "request");
    json_object_del(json_object_get(decision, "detail"), "state");
    free(position.state);
    return decision;
}

/* --- all decisions of a file --- */

enum banyan_status battles_read(FILE *file, const char *room, int64_t first, json_t **out,
                                struct banyan_error *err)
{
    char *line = NULL;
    size_t size = 0;
    json_t *found = json_array();
    enum banyan_status status = BANYAN_OK;
    for (int64_t i = 0; status == BANYAN_OK && json_array_size(found) < BATTLES_AT_ONCE &&
                        battles_line(file, &line, &size);
         ++i) {
        json_t *decision = i >= first ? json_loads(line, 0, NULL) : NULL;
        if (json_is_object(decision))
            json_array_append_new(found, battles_decision(decision, i));
        else if (i >= first)
            status = banyan_fail(err, BANYAN_INVALID,
                                 "%.100s: line %lld is no decision of banyan showdown", room,
                                 (long long)i + 1);
        if (status != BANYAN_OK)
            json_decref(decision);
    }
    free(line);
    if (status == BANYAN_OK)
        *out = found;
    else
        json_decref(found);
    return status;
}

enum banyan_status battles_decisions(const char *folder, const char *room, int64_t first,
                                     json_t **out, struct banyan_error *err)
{
    FILE *file = battles_open(folder, room);
    if (!file)
        return banyan_fail(err, BANYAN_NOT_FOUND, "the folder of battles has no file '%.80s.jsonl'",
                           room);
    enum banyan_status status = battles_read(file, room, first, out, err);
    fclose(file);
    return status;
}

/* Adds the value of a decision; returns the name of who decided, which belongs to the decision. */
static const char *battles_add_value(const json_t *decision, json_t *values)
{
    json_t *value = json_object_get(json_object_get(decision, "detail"), "value");
    json_t *bytes = json_object_get(decision, "log_bytes");
    if (json_is_number(value) && json_is_integer(bytes))
        json_array_append_new(values, json_pack("[O, O]", bytes, value));
    return json_string_value(
        json_object_get(json_object_get(json_object_get(decision, "request"), "side"), "name"));
}

json_t *battles_read_expected(FILE *file)
{
    json_t *values = json_array(), *who = NULL;
    char *line = NULL;
    size_t size = 0;
    while (battles_line(file, &line, &size)) {
        json_t *decision = json_loads(line, 0, NULL);
        const char *name = battles_add_value(decision, values);
        if (!who && name)
            who = json_string(name);
        json_decref(decision);
    }
    free(line);
    return json_pack("{s:o, s:o}", "who", who ? who : json_string("?"), "values", values);
}

json_t *battles_expected(const char *folder, const char *room)
{
    FILE *file = battles_open(folder, room);
    if (!file)
        return json_null();
    json_t *out = battles_read_expected(file);
    fclose(file);
    return out;
}
