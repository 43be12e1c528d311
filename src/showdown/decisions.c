/* Reads the decisions of a battle for its page. */
#include "showdown/decisions.h"

#include "base/input.h"
#include "games/pokemon/pokemon.h"
#include "showdown/position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECISIONS_ACTIONS = 20, DECISIONS_PLIES = 10, DECISIONS_TEXT = 200 };

/* --- the log, up to a line --- */

/* What the first lines of the log say. */
struct decisions_log {
    const char *text;
    size_t length, at; /* at: bytes that were read, whole lines */
    int lines, turn;
    char names[2][DECISIONS_TEXT];  /* of p1 and p2 */
    char active[2][DECISIONS_TEXT]; /* names of their Pokémon in the battle */
};

static bool decisions_begins(const char *line, const char *words)
{
    return strncmp(line, words, strlen(words)) == 0;
}

/* Copies the part of a line up to the next '|'. */
static void decisions_part(const char *from, char out[DECISIONS_TEXT])
{
    snprintf(out, DECISIONS_TEXT, "%.*s", (int)strcspn(from, "|\n"), from);
}

/* Whether the line says that a Pokémon of the side (0, 1) comes in; then *name is its name. */
static bool decisions_enters(const char *line, int side, const char **name)
{
    static const char *const kinds[] = {"|switch|", "|drag|", "|replace|"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        size_t length = strlen(kinds[i]);
        if (!decisions_begins(line, kinds[i]) ||
            !decisions_begins(line + length, side ? "p2a: " : "p1a: "))
            continue;
        *name = line + length + 5;
        return true;
    }
    return false;
}

/* Reads one more line; false: there is none. */
static bool decisions_next(struct decisions_log *log)
{
    if (log->at >= log->length)
        return false;
    const char *line = log->text + log->at, *name;
    const char *end = memchr(line, '\n', log->length - log->at);
    if (decisions_begins(line, "|turn|"))
        log->turn = atoi(line + 6);
    for (int i = 0; i < 2; ++i) {
        if (decisions_begins(line, i ? "|player|p2|" : "|player|p1|") && line[11] != '|')
            decisions_part(line + 11, log->names[i]);
        if (decisions_enters(line, i, &name))
            decisions_part(name, log->active[i]);
    }
    log->at = end ? (size_t)(end - log->text) + 1 : log->length;
    ++log->lines;
    return true;
}

static void decisions_rewind(struct decisions_log *log)
{
    *log = (struct decisions_log){.text = log->text, .length = log->length};
}

/* Reads the log up to this byte, or to the end of the line in which it is. */
static void decisions_to_byte(struct decisions_log *log, size_t byte)
{
    if (byte < log->at)
        decisions_rewind(log);
    while (log->at < byte && decisions_next(log))
        ;
}

/* Reads the log up to the start of the turn.  False: it has no such turn. */
static bool decisions_to_turn(struct decisions_log *log, json_int_t turn)
{
    decisions_rewind(log);
    while (log->turn != turn)
        if (!decisions_next(log))
            return false;
    return true;
}

/* Goes on to the line before the last one of the turn by which a Pokémon of the side comes in, or
 * to the turn's end. */
static void decisions_to_switch(struct decisions_log *log, int side)
{
    struct decisions_log found, before = *log, ahead = *log;
    const char *name;
    bool enters = false;
    while (decisions_next(&ahead) && ahead.turn == log->turn) {
        if (decisions_enters(log->text + before.at, side, &name)) {
            found = before;
            enters = true;
        }
        before = ahead;
    }
    *log = enters ? found : before;
}

/* --- where in the log a decision was made --- */

/* The name of the bot's Pokémon in the battle; "": not known. */
static const char *decisions_active(const json_t *side)
{
    const json_t *team = json_object_get(side, "pokemon"), *mon;
    size_t i;
    json_array_foreach(team, i, mon)
    {
        const char *ident = json_string_value(json_object_get(mon, "ident"));
        if (json_is_true(json_object_get(mon, "active")) && ident && strlen(ident) > 4)
            return ident + 4; /* "p1: Name" */
    }
    return "";
}

/* Reads the log up to the place in the decision's turn where it was asked for, as far as its
 * request tells.  The log that the server sends after a reconnect has fewer lines (without those
 * about the clock), so log_bytes of earlier decisions do not fit it.  False: in that turn another
 * Pokémon was in the battle. */
static bool decisions_by_turn(struct decisions_log *log, const json_t *decision, int side)
{
    const json_t *request = json_object_get(decision, "request");
    if (!decisions_to_turn(log, json_integer_value(json_object_get(decision, "turn"))))
        return false;
    if (json_object_get(request, "forceSwitch"))
        decisions_to_switch(log, side);
    return strcmp(log->active[side], decisions_active(json_object_get(request, "side"))) == 0;
}

/* Reads the log up to where the decision was made.  False: the decision does not fit the log. */
static bool decisions_place(struct decisions_log *log, const json_t *decision)
{
    const json_t *side = json_object_get(json_object_get(decision, "request"), "side");
    const char *id = json_string_value(json_object_get(side, "id"));
    const char *name = json_string_value(json_object_get(side, "name"));
    json_int_t bytes = json_integer_value(json_object_get(decision, "log_bytes"));
    if (!id || !name || (strcmp(id, "p1") != 0 && strcmp(id, "p2") != 0) || bytes < 0)
        return false;
    int number = id[1] - '1';
    decisions_to_byte(log, (size_t)bytes);
    bool found = log->at == (size_t)bytes &&
                 log->turn == json_integer_value(json_object_get(decision, "turn"));
    return (found || decisions_by_turn(log, decision, number)) &&
           strcmp(log->names[number], name) == 0;
}

/* --- rows --- */

/* An action in words: "move aurawheel dynamax" is "Aura Wheel, Dynamax"; other texts stay as they
 * are. */
static json_t *decisions_words(const char *action)
{
    char words[DECISIONS_TEXT], id[64] = "", more[16] = "";
    int end = 0;
    snprintf(words, sizeof words, "%s", action);
    if (strncmp(action, "switch ", 7) == 0)
        snprintf(words, sizeof words, "switch to %s", action + 7);
    if (sscanf(action, "move %63s%n %15s%n", id, &end, more, &end) < 1 || action[end])
        id[0] = 0;
    bool dynamax = strcmp(more, "dynamax") == 0;
    int move = id[0] && (!more[0] || dynamax) ? position_move(id) : 0;
    if (move)
        snprintf(words, sizeof words, "%s%s", dex_moves[move].name, dynamax ? ", Dynamax" : "");
    json_t *out = json_string(words);
    return out ? out : json_string("?"); /* a character of several bytes was cut */
}

/* Adds the actions of a table or of replies to out, the first DECISIONS_ACTIONS of them.  False: a
 * row is wrong. */
static bool decisions_actions(json_t *rows, json_t *out)
{
    json_t *row;
    size_t i;
    double all = 0;
    if (!json_is_array(rows))
        return false;
    json_array_foreach(rows, i, row) all += json_number_value(json_object_get(row, "visits"));
    json_array_foreach(rows, i, row)
    {
        const char *action;
        double visits, mean, share = -1;
        if (json_unpack(row, "{s:s, s:F, s:F, s?F}", "action", &action, "visits", &visits, "mean",
                        &mean, "share", &share) != 0 ||
            visits < 0 || mean < -1 || mean > 1 || share > 1)
            return false;
        if (share < 0)
            share = all > 0 ? visits / all : 0;
        if (i < DECISIONS_ACTIONS)
            json_array_append_new(out,
                                  json_pack("{s:o, s:f, s:f}", "action", decisions_words(action),
                                            "share", share, "mean", mean));
    }
    return true;
}

/* Adds the line of play to out, at most DECISIONS_PLIES.  False: a ply is wrong. */
static bool decisions_line(json_t *line, json_t *out)
{
    json_t *ply;
    size_t i;
    if (!json_is_array(line))
        return false;
    json_array_foreach(line, i, ply)
    {
        const char *own = NULL, *foe = NULL;
        if (json_unpack(ply, "{s?s, s?s}", "own", &own, "foe", &foe) != 0)
            return false;
        json_t *words = json_object();
        if (own)
            json_object_set_new(words, "own", decisions_words(own));
        if (foe)
            json_object_set_new(words, "foe", decisions_words(foe));
        if (i < DECISIONS_PLIES)
            json_array_append(out, words);
        json_decref(words);
    }
    return true;
}

/* The share of the table's visits that the action has; 0: it has no row. */
static double decisions_share(const json_t *table, const char *action)
{
    json_t *row;
    size_t i;
    double all = 0, own = 0;
    json_array_foreach(table, i, row)
    {
        double visits = json_number_value(json_object_get(row, "visits"));
        const char *text = json_string_value(json_object_get(row, "action"));
        all += visits;
        own += text && strcmp(text, action) == 0 ? visits : 0;
    }
    return all > 0 ? own / all : 0;
}

/* The row of a decision with a table; NULL: one of its members is wrong.  Files of earlier states
 * have no replies and no line. */
static json_t *decisions_row(json_t *decision, const struct decisions_log *log)
{
    json_t *detail = json_object_get(decision, "detail"), *table, *replies = NULL, *line = NULL;
    const json_t *side = json_object_get(json_object_get(decision, "request"), "side");
    const char *action;
    double value;
    if (json_unpack(detail, "{s:s, s:F, s:o, s?o, s?o}", "action", &action, "value", &value,
                    "table", &table, "replies", &replies, "line", &line) != 0 ||
        value < -1 || value > 1)
        return NULL;
    json_t *own = json_array(), *foe = json_array(), *plies = json_array();
    bool whole = decisions_actions(table, own) && (!replies || decisions_actions(replies, foe)) &&
                 (!line || decisions_line(line, plies));
    json_t *row = json_pack("{s:i, s:O?, s:O?, s:O, s:f, s:o, s:f, s:o, s:o, s:o}", "after",
                            log->lines, "who", json_object_get(side, "name"), "side",
                            json_object_get(side, "id"), "turn", json_object_get(decision, "turn"),
                            "value", value, "action", decisions_words(action), "share",
                            decisions_share(table, action), "own", own, "foe", foe, "line", plies);
    if (whole)
        return row;
    json_decref(row);
    return NULL;
}

/* --- the file --- */

static enum banyan_status decisions_add(struct decisions *out, json_t *decision,
                                        struct decisions_log *log, struct banyan_error *err)
{
    if (!json_is_string(json_object_get(decision, "room")) ||
        !json_is_integer(json_object_get(decision, "turn")) ||
        !json_is_integer(json_object_get(decision, "log_bytes")))
        return banyan_fail(err, BANYAN_CORRUPT, "not a decision of banyan showdown");
    bool fits = decisions_place(log, decision);
    ++out->count;
    out->left_out += !fits;
    if (!json_object_get(json_object_get(decision, "detail"), "table"))
        return BANYAN_OK; /* the player did not search */
    json_t *row = decisions_row(decision, log);
    if (!row)
        return banyan_fail(err, BANYAN_CORRUPT,
                           "'detail' has not the actions, visits and values of a search");
    if (fits)
        json_array_append(out->rows, row);
    json_decref(row);
    return BANYAN_OK;
}

/* Reads one line of the file. */
static enum banyan_status decisions_line_read(struct decisions *out, const char *line, size_t size,
                                              struct decisions_log *log, struct banyan_error *err)
{
    json_error_t where;
    json_t *decision = json_loadb(line, size, 0, &where);
    enum banyan_status status =
        decision ? decisions_add(out, decision, log, err)
                 : banyan_fail(err, BANYAN_CORRUPT, "not JSON: %.100s", where.text);
    json_decref(decision);
    return status;
}

static enum banyan_status decisions_text(struct decisions *out, const char *path, const char *text,
                                         struct decisions_log *log, struct banyan_error *err)
{
    struct banyan_error why;
    for (int number = 1; *text; ++number) {
        size_t size = strcspn(text, "\n");
        if (size && decisions_line_read(out, text, size, log, &why) != BANYAN_OK)
            return banyan_fail(err, BANYAN_CORRUPT, "%s:%d: %s", path, number, why.message);
        text += size + (text[size] == '\n');
    }
    if (out->count && out->left_out == out->count)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: these decisions are of another battle", path);
    return BANYAN_OK;
}

enum banyan_status decisions_read(const char *path, const char *log, size_t length,
                                  struct decisions *out, struct banyan_error *err)
{
    char *text;
    size_t size;
    struct decisions_log from = {.text = log, .length = length};
    *out = (struct decisions){.rows = NULL};
    enum banyan_status status = input_read(path, "", &text, &size, err);
    if (status != BANYAN_OK)
        return status == BANYAN_NOT_FOUND ? BANYAN_OK : status;
    out->rows = json_array();
    status = strlen(text) == size ? decisions_text(out, path, text, &from, err)
                                  : banyan_fail(err, BANYAN_CORRUPT, "%s: not JSON", path);
    free(text);
    if (status != BANYAN_OK)
        decisions_free(out);
    return status;
}

void decisions_free(struct decisions *decisions)
{
    json_decref(decisions->rows);
    decisions->rows = NULL;
}
