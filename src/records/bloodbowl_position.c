/* Reads and writes a Blood Bowl position as one JSON object (docs/json.md). */
#include "records/bloodbowl_position.h"

#include "base/text.h"
#include "games/bloodbowl/text.h"
#include "records/bloodbowl_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- writing --- */

static json_t *position_sheet(const struct bb_state *s, int t)
{
    const struct bb_team *team = &s->team[t];
    json_t *players = json_array();
    for (int i = t * BB_TEAM_MAX; i < t * BB_TEAM_MAX + team->players; ++i) {
        const struct bb_player *who = &s->player[i];
        json_t *skills = json_array();
        for (int k = 0; k < BB_SKILLS; ++k)
            if (bb_has(who, (enum bb_skill)k))
                json_array_append_new(skills, json_string(bb_skill_names[k]));
        json_array_append_new(players, json_pack("{s:i,s:i,s:i,s:i,s:i,s:o}", "nr", who->number,
                                                 "ma", who->ma, "st", who->st, "ag", who->ag, "av",
                                                 who->av, "skills", skills));
    }
    return json_pack("{s:i,s:i,s:i,s:i,s:i,s:i,s:o}", "rerolls", team->start_rerolls, "fan_factor",
                     team->fan_factor, "ass_coaches", team->coaches, "cheerleaders",
                     team->cheerleaders, "apothecaries",
                     (int)(team->apothecaries > 16 ? 16 : team->apothecaries), "undead",
                     team->undead, "players", players);
}

static json_t *position_quirks(uint64_t quirks)
{
    struct bb_state all;
    bb_state_clear(&all, 0); /* botbowl's rules are the default */
    if (quirks == all.quirks)
        return json_string("botbowl");
    return quirks ? json_integer((json_int_t)quirks) : json_string("rules");
}

json_t *bloodbowl_position_write(const struct bb_state *s)
{
    static const char *const asked[2] = {"bot", "human"};
    char text[BANYAN_TEXT_MAX];
    bb_format(s, text, sizeof text);
    return json_pack("{s:s,s:i,s:s,s:[s,s],s:o,s:o,s:o,s:o,s:s}", "game", "bloodbowl", "variant",
                     bb_variants[s->variant].number, "mode", s->paths ? "path" : "step", "ask",
                     asked[s->team[BB_HOME].human], asked[s->team[BB_AWAY].human], "quirks",
                     position_quirks(s->quirks), "home", position_sheet(s, BB_HOME), "away",
                     position_sheet(s, BB_AWAY), "st", bloodbowl_json_state(s), "engine", text);
}

/* --- reading: every value is checked before it is used --- */

struct position {
    const json_t *json, *st;
    const struct bb_variant *variant;
    int index; /* index of the variant */
    struct banyan_error *err;
    enum banyan_status status; /* status of the first error */
    int names;                 /* number of players, home's first; their ids are in name[] */
    char name[BB_PLAYERS][8];
    int x[BB_PLAYERS], y[BB_PLAYERS]; /* -1: not on the pitch */
    char flags[BB_PLAYERS][20];
};

static void position_fail(struct position *p, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static void position_fail(struct position *p, const char *format, ...)
{
    char message[160];
    va_list list;
    if (p->status != BANYAN_OK)
        return;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    p->status = banyan_fail(p->err, BANYAN_INVALID, "Blood Bowl position: %s", message);
}

static const json_t *position_get(struct position *p, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        position_fail(p, "\"%s\" is missing", key);
    return value;
}

static int position_number(struct position *p, const json_t *value, const char *what, int lo,
                           int hi)
{
    if (json_is_integer(value) && json_integer_value(value) >= lo &&
        json_integer_value(value) <= hi)
        return (int)json_integer_value(value);
    position_fail(p, "\"%s\" must be an integer, %d to %d", what, lo, hi);
    return lo;
}

static int position_integer(struct position *p, const json_t *object, const char *key, int lo,
                            int hi)
{
    const json_t *value = position_get(p, object, key);
    return value ? position_number(p, value, key, lo, hi) : lo;
}

/* The array of exactly n entries, or NULL. */
static const json_t *position_array(struct position *p, const json_t *object, const char *key,
                                    size_t n)
{
    const json_t *value = position_get(p, object, key);
    if (value && json_is_array(value) && json_array_size(value) == n)
        return value;
    if (value)
        position_fail(p, "\"%s\" must be a list of %d", key, (int)n);
    return NULL;
}

static void position_pair(struct position *p, const char *key, int lo, int hi)
{
    const json_t *pair = position_array(p, p->st, key, 2);
    for (size_t i = 0; pair && i < 2; ++i)
        position_number(p, json_array_get(pair, i), key, lo, hi);
}

static int position_index(const char *word, const char *const names[], int count)
{
    for (int i = 0; word && i < count; ++i)
        if (names[i] && strcmp(word, names[i]) == 0)
            return i;
    return -1;
}

/* The index of the word in names; message lists the names. */
static int position_word(struct position *p, const json_t *object, const char *key,
                         const char *const names[], int count, const char *message)
{
    const json_t *value = position_get(p, object, key);
    int found = position_index(json_string_value(value), names, count);
    if (value && found < 0)
        position_fail(p, "\"%s\" must be %s", key, message);
    return found < 0 ? 0 : found;
}

static void position_known(struct position *p, const json_t *object, const char *where,
                           const char *const keys[])
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        int i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            ++i;
        if (!keys[i])
            position_fail(p, "\"%.40s\" of %s is not known", key, where);
    }
}

/* --- the teams --- */

static void position_player_sheet(struct position *p, int team, const json_t *player)
{
    static const char *const keys[] = {"nr", "ma", "st", "ag", "av", "skills", "id", "role", NULL};
    if (!json_is_object(player)) {
        position_fail(p, "a player must be an object");
        return;
    }
    position_known(p, player, "a player", keys);
    int number = position_integer(p, player, "nr", 1, 99);
    for (int i = 1; keys[i] && i < 5; ++i)
        position_integer(p, player, keys[i], 1, 10);
    const json_t *skills = position_get(p, player, "skills");
    if (skills && !json_is_array(skills))
        position_fail(p, "\"skills\" must be a list");
    for (size_t i = 0; i < json_array_size(skills); ++i) {
        const char *word = json_string_value(json_array_get(skills, i));
        if (position_index(word, bb_skill_names, BB_SKILLS) < 0)
            position_fail(p, "no skill is called \"%.30s\"", word ? word : "");
    }
    snprintf(p->name[p->names], sizeof p->name[0], "%c%d", "HA"[team], number);
    for (int i = 0; i < p->names; ++i)
        if (strcmp(p->name[i], p->name[p->names]) == 0)
            position_fail(p, "two players are called %s", p->name[i]);
    ++p->names;
}

static void position_check_sheet(struct position *p, int team)
{
    static const char *const keys[] = {"rerolls",      "fan_factor", "ass_coaches", "cheerleaders",
                                       "apothecaries", "undead",     "players",     "name",
                                       "race",         NULL};
    const char *key = team == BB_HOME ? "home" : "away";
    const json_t *sheet = position_get(p, p->json, key);
    if (sheet && !json_is_object(sheet))
        position_fail(p, "\"%s\" must be an object", key);
    if (!sheet || p->status != BANYAN_OK)
        return;
    position_known(p, sheet, key, keys);
    for (int i = 0; i < 5; ++i)
        position_integer(p, sheet, keys[i], 0, 16);
    if (json_object_get(sheet, "undead"))
        position_integer(p, sheet, "undead", 0, 1);
    const json_t *players = position_get(p, sheet, "players");
    size_t n = json_array_size(players);
    if (players && (n < 1 || n > BB_TEAM_MAX))
        position_fail(p, "\"players\" of %s must be a list of 1 to 16", key);
    for (size_t i = 0; i < n && p->status == BANYAN_OK; ++i)
        position_player_sheet(p, team, json_array_get(players, i));
}

static void position_add_sheet(struct text *text, const char *key, const json_t *team)
{
    static const char *const staff[] = {"rerolls", "fan_factor", "ass_coaches", "cheerleaders",
                                        "apothecaries"};
    static const char *const body[] = {"nr", "ma", "st", "ag", "av"};
    size_t i, k;
    json_t *player, *skill;
    text_add(text, " %s={", key);
    for (i = 0; i < 5; ++i)
        text_add(text, "%d ", (int)json_integer_value(json_object_get(team, staff[i])));
    text_add(text, "%d", (int)json_integer_value(json_object_get(team, "undead")));
    json_array_foreach(json_object_get(team, "players"), i, player)
    {
        text_add(text, ";");
        for (k = 0; k < 5; ++k)
            text_add(text, " %d", (int)json_integer_value(json_object_get(player, body[k])));
        json_array_foreach(json_object_get(player, "skills"), k, skill)
            text_add(text, " %s", json_string_value(skill));
    }
    text_add(text, "}");
}

/* --- the state --- */

static int position_who(const struct position *p, const json_t *value)
{
    const char *word = json_string_value(value);
    for (int i = 0; word && i < p->names; ++i)
        if (strcmp(word, p->name[i]) == 0)
            return i;
    return -1;
}

static void position_words(struct position *p, const json_t *list, const char *what,
                           const char *const names[], int count, size_t most)
{
    if (!list)
        return;
    if (!json_is_array(list) || json_array_size(list) > most)
        position_fail(p, "the %s of a player must be a list of at most %d entries", what,
                      (int)most);
    for (size_t i = 0; i < json_array_size(list); ++i)
        if (position_index(json_string_value(json_array_get(list, i)), names, count) < 0)
            position_fail(p, "the %s of a player cannot be read", what);
}

static void position_check_flags(struct position *p, int who)
{
    const char *flags = p->flags[who];
    bool on = p->x[who] >= 0;
    if (strspn(flags, "UDSABHREKJWTLPXF") != strlen(flags))
        position_fail(p, "%s has unknown flags in \"%s\"", p->name[who], flags);
    else if (on && strchr(flags, 'U') && strchr(flags, 'S'))
        position_fail(p, "%s stands and is stunned", p->name[who]);
    else if (on && (strchr(flags, 'K') || strchr(flags, 'J')))
        position_fail(p, "%s is on the pitch and knocked out or ejected", p->name[who]);
    for (size_t i = 0; flags[i]; ++i)
        if (strchr(flags + i + 1, flags[i]))
            position_fail(p, "%s has flag %c twice", p->name[who], flags[i]);
}

static void position_check_row(struct position *p, int who, const json_t *row)
{
    static const char *const used[] = {"BREAK_TACKLE", "DODGE", "FRENZY",
                                       "LEAP",         "PRO",   "SURE_FEET"};
    static const char *const hurt[] = {"MNG", "NIGGLING", "MA", "AV", "AG", "ST", "DEAD", "NULL"};
    size_t n = json_array_size(row);
    if (n < 5 || n > 7 || position_who(p, json_array_get(row, 0)) != who) {
        position_fail(p, "\"P\" must have [id, x, y, flags, moves] of %s next", p->name[who]);
        return;
    }
    p->x[who] = position_number(p, json_array_get(row, 1), "x", -1, p->variant->width - 2);
    p->y[who] = position_number(p, json_array_get(row, 2), "y", -1, p->variant->height - 2);
    if (p->x[who] == 0 || p->y[who] == 0 || (p->x[who] < 0) != (p->y[who] < 0))
        position_fail(p, "%s is not on a square of the pitch", p->name[who]);
    const char *flags = json_string_value(json_array_get(row, 3));
    if (!flags || strlen(flags) >= sizeof p->flags[0])
        position_fail(p, "the flags of %s cannot be read", p->name[who]);
    snprintf(p->flags[who], sizeof p->flags[0], "%s", flags ? flags : "");
    position_check_flags(p, who);
    position_number(p, json_array_get(row, 4), "moves", 0, 60);
    position_words(p, json_array_get(row, 5), "used skills", used, 6, 6);
    position_words(p, json_array_get(row, 6), "injuries", hurt, 8, 4);
}

/* Checks that no two players are on one square, except players in the air, and that at most
 * pitch_max players of a team are on the pitch. */
static void position_check_squares(struct position *p)
{
    for (int a = 0; a < p->names; ++a)
        for (int b = a + 1; b < p->names; ++b)
            if (p->x[a] >= 0 && p->x[a] == p->x[b] && p->y[a] == p->y[b] &&
                !strchr(p->flags[a], 'A') && !strchr(p->flags[b], 'A'))
                position_fail(p, "%s and %s are on one square", p->name[a], p->name[b]);
    for (int team = BB_HOME; team <= BB_AWAY; ++team) {
        int on = 0;
        for (int i = 0; i < p->names; ++i)
            on += p->x[i] >= 0 && p->name[i][0] == "HA"[team];
        if (on > p->variant->pitch_max)
            position_fail(p, "%d players of a team are on the pitch", on);
    }
}

static void position_check_players(struct position *p)
{
    const json_t *rows = position_array(p, p->st, "P", (size_t)p->names);
    for (int i = 0; i < p->names && p->status == BANYAN_OK; ++i)
        position_check_row(p, i, json_array_get(rows, (size_t)i));
    if (p->status == BANYAN_OK)
        position_check_squares(p);
}

/* Checks that every player who is not on the pitch is in exactly one list of the team's dugout. */
static void position_check_dugouts(struct position *p)
{
    int listed[BB_PLAYERS] = {0};
    const json_t *both = position_array(p, p->st, "dug", 2);
    for (size_t team = 0; team < json_array_size(both); ++team) {
        const json_t *lists = json_array_get(both, team);
        if (json_array_size(lists) != BB_PLACES)
            position_fail(p, "a dugout must be four lists");
        for (size_t place = 0; place < json_array_size(lists); ++place) {
            const json_t *list = json_array_get(lists, place);
            if (!json_is_array(list))
                position_fail(p, "a dugout must be four lists");
            for (size_t i = 0; i < json_array_size(list); ++i) {
                int who = position_who(p, json_array_get(list, i));
                if (who < 0 || p->name[who][0] != "HA"[team])
                    position_fail(p, "a player in a dugout is not of that team");
                else
                    ++listed[who];
            }
        }
    }
    for (int i = 0; i < p->names && p->status == BANYAN_OK; ++i)
        if (listed[i] != (p->x[i] < 0))
            position_fail(p, "%s must be either on the pitch or once in a dugout", p->name[i]);
}

static void position_check_ball(struct position *p)
{
    const json_t *balls = position_get(p, p->st, "ball");
    if (!balls || (json_is_array(balls) && json_array_size(balls) == 0))
        return;
    const json_t *ball = json_array_get(balls, 0);
    if (json_array_size(balls) != 1 || json_array_size(ball) != 4) {
        position_fail(p, "\"ball\" must be [] or [[x, y, carried, on_ground]]");
        return;
    }
    int x = position_number(p, json_array_get(ball, 0), "ball", 1, p->variant->width - 2);
    int y = position_number(p, json_array_get(ball, 1), "ball", 1, p->variant->height - 2);
    int carried = position_number(p, json_array_get(ball, 2), "ball", 0, 1), carrier = 0;
    position_number(p, json_array_get(ball, 3), "ball", 0, 1);
    while (carrier < p->names && (p->x[carrier] != x || p->y[carrier] != y))
        ++carrier;
    if (carried && carrier == p->names)
        position_fail(p, "the ball is carried on a square without a player");
}

static void position_check_game(struct position *p)
{
    static const char *const sides[] = {"H", "A"}, *const orders[] = {"HA", "AH"};
    const struct {
        const char *key;
        int lo, hi;
    } pairs[] = {{"turn", 0, 20},   {"score", 0, 99}, {"rr", 0, 30}, {"rru", 0, 1},
                 {"bribes", 0, 30}, {"apo", 0, 16},   {"fame", 0, 2}};
    position_integer(p, p->st, "half", 1, 2);
    position_integer(p, p->st, "round", 1, p->variant->turns);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
        position_pair(p, pairs[i].key, pairs[i].lo, pairs[i].hi);
    if (position_integer(p, p->st, "spect", 0, 255000) % 1000)
        position_fail(p, "\"spect\" must be a number of thousands");
    position_word(p, p->st, "weather", bb_weather_names, BB_WEATHERS,
                  "SWELTERING_HEAT, VERY_SUNNY, NICE, POURING_RAIN or BLIZZARD");
    position_integer(p, p->st, "gust", 0, 1);
    int current = position_word(p, p->st, "cur", sides, 2, "H or A, the side on turn");
    if (position_word(p, p->st, "actor", sides, 2, "H or A, the side that decides") != current)
        position_fail(p, "\"actor\" must be \"cur\" in a team turn");
    position_word(p, p->st, "toss", sides, 2, "H or A");
    position_word(p, p->st, "kick1", sides, 2, "H or A");
    position_word(p, p->st, "kickd", sides, 2, "H or A");
    position_word(p, p->st, "order", orders, 2, "HA or AH");
    position_integer(p, p->st, "over", 0, 0);
    const json_t *turn = position_array(p, p->st, "tp", 6);
    for (size_t i = 0; turn && i < 6; ++i)
        position_number(p, json_array_get(turn, i), "tp", 0, i < 4);
}

/* Checks that the stack is a turn, or an activation in it of a player on the pitch who belongs to
 * the team on turn. */
static void position_check_stack(struct position *p)
{
    static const char *const actions[] = {"MOVE", "BLITZ", "PASS", "HANDOFF", "FOUL", "BLOCK"};
    static const char *const frames[] = {"MoveAction",    "BlitzAction", "PassAction",
                                         "HandoffAction", "FoulAction",  "BlockAction"};
    const json_t *stack = position_get(p, p->st, "stack"),
                 *active = json_object_get(p->st, "active"), *pat = json_object_get(p->st, "pat");
    if (!stack || !position_get(p, p->st, "active") || !position_get(p, p->st, "pat"))
        return;
    if (!json_is_array(stack) || !bloodbowl_json_resumable(p->st)) {
        position_fail(p,
                      "without \"engine\" the stack must be that of a team turn or an activation "
                      "in it");
        return;
    }
    int frame = position_index(json_string_value(json_array_get(stack, json_array_size(stack) - 1)),
                               frames, 6);
    int who = position_who(p, active);
    if (frame < 0 && !json_is_null(pat))
        position_fail(p, "\"pat\" must be null in a turn without an activation");
    if (frame < 0 && !json_is_null(active) && who < 0)
        position_fail(p, "\"active\" must be null or a player");
    if (frame >= 0 && position_index(json_string_value(pat), actions, 6) != frame)
        position_fail(p, "\"pat\" and the top of the stack contradict each other");
    if (frame >= 0 && (who < 0 || p->x[who] < 0 || strchr(p->flags[who], 'A') ||
                       strcmp(json_string_value(json_object_get(p->st, "cur")),
                              p->name[who][0] == 'H' ? "H" : "A") != 0))
        position_fail(p, "\"active\" must be on the pitch and of the side on turn");
}

static void position_check_state(struct position *p)
{
    static const char *const keys[] = {
        "half",  "round",   "turn", "score", "rr",    "rru",    "bribes", "apo",  "fame",
        "spect", "weather", "gust", "cur",   "actor", "active", "pat",    "toss", "kick1",
        "kickd", "order",   "tp",   "ball",  "P",     "dug",    "stack",  "over", NULL};
    if (!json_is_object(p->st)) {
        position_fail(p, "\"st\" must be an object");
        return;
    }
    position_known(p, p->st, "st", keys);
    position_check_game(p);
    if (p->status == BANYAN_OK)
        position_check_players(p);
    if (p->status == BANYAN_OK)
        position_check_dugouts(p);
    if (p->status == BANYAN_OK)
        position_check_ball(p);
    if (p->status == BANYAN_OK)
        position_check_stack(p);
}

/* --- the whole position --- */

static void position_check_variant(struct position *p)
{
    int number = position_integer(p, p->json, "variant", 1, 11);
    while (p->index < BB_VARIANTS && bb_variants[p->index].number != number)
        ++p->index;
    if (p->index == BB_VARIANTS)
        position_fail(p, "\"variant\" must be 1, 3, 5, 7 or 11");
    else
        p->variant = &bb_variants[p->index];
}

/* Adds "mode=... ask=... quirks=...". */
static void position_add_modes(struct position *p, struct text *text)
{
    static const char *const modes[] = {"step", "path"}, *const asked[] = {"bot", "human"};
    const json_t *ask = position_array(p, p->json, "ask", 2);
    const json_t *quirks = position_get(p, p->json, "quirks");
    int home = position_index(json_string_value(json_array_get(ask, 0)), asked, 2);
    int away = position_index(json_string_value(json_array_get(ask, 1)), asked, 2);
    if (ask && (home < 0 || away < 0))
        position_fail(p, "\"ask\" must be two of bot, human");
    text_add(text, "mode=%s ask=%s/%s",
             modes[position_word(p, p->json, "mode", modes, 2, "step or path")], asked[home > 0],
             asked[away > 0]);
    if (json_is_integer(quirks) && json_integer_value(quirks) >= 0)
        text_add(text, " quirks=%lld", (long long)json_integer_value(quirks));
    else if (json_is_string(quirks) && (!strcmp(json_string_value(quirks), "botbowl") ||
                                        !strcmp(json_string_value(quirks), "rules")))
        text_add(text, " quirks=%s", json_string_value(quirks));
    else
        position_fail(p, "\"quirks\" must be botbowl, rules or a number");
}

static void position_from_state(struct position *p, struct bb_state *s)
{
    char setup[BANYAN_TEXT_MAX];
    struct text text = text_start(setup, sizeof setup);
    position_add_modes(p, &text);
    position_check_sheet(p, BB_HOME);
    position_check_sheet(p, BB_AWAY);
    if (p->status == BANYAN_OK)
        position_check_state(p);
    if (p->status != BANYAN_OK)
        return;
    position_add_sheet(&text, "home", json_object_get(p->json, "home"));
    position_add_sheet(&text, "away", json_object_get(p->json, "away"));
    if (text.length >= sizeof setup)
        position_fail(p, "the teams have too many skills");
    if (p->status == BANYAN_OK)
        p->status = bb_parse(s, p->index, setup, p->err);
    if (p->status == BANYAN_OK)
        p->status = bloodbowl_json_load(p->st, s, p->err);
}

/* Reads the state from its text; all other members must agree with it. */
static void position_from_engine(struct position *p, struct bb_state *s)
{
    const char *text = json_string_value(json_object_get(p->json, "engine")), *key;
    json_t *value;
    if (!text || !strstr(text, " game ")) {
        position_fail(p, "\"engine\" must be the text of a game in progress");
        return;
    }
    p->status = bb_parse(s, p->index, text, p->err);
    if (p->status != BANYAN_OK)
        return;
    json_t *whole = bloodbowl_position_write(s);
    json_object_foreach(whole, key, value)
    {
        const char *field;
        json_t *inner, *given = json_object_get(p->json, key);
        if (json_equal(given, value))
            continue;
        if (!given)
            position_fail(p, "\"%s\" is missing", key);
        json_object_foreach(strcmp(key, "st") == 0 && given ? value : NULL, field,
                            inner) if (!json_equal(inner, json_object_get(given, field)))
            position_fail(p, "\"%s\" of st contradicts \"engine\"", field);
        position_fail(p, "\"%s\" contradicts \"engine\"", key);
    }
    json_decref(whole);
}

enum banyan_status bloodbowl_position_read(const json_t *json, struct bb_state *out,
                                           struct banyan_error *err)
{
    static const char *const keys[] = {"game", "variant", "mode", "ask",    "quirks",
                                       "home", "away",    "st",   "engine", NULL};
    struct position p = {.json = json, .st = json_object_get(json, "st"), .err = err};
    struct bb_state s;
    if (!json_is_object(json))
        position_fail(&p, "it must be an object");
    else
        position_known(&p, json, "it", keys);
    const json_t *game = p.status == BANYAN_OK ? position_get(&p, json, "game") : NULL;
    if (game && (!json_is_string(game) || strcmp(json_string_value(game), "bloodbowl") != 0))
        position_fail(&p, "\"game\" must be bloodbowl");
    if (p.status == BANYAN_OK)
        position_check_variant(&p);
    if (p.status == BANYAN_OK && json_object_get(json, "engine"))
        position_from_engine(&p, &s);
    else if (p.status == BANYAN_OK)
        position_from_state(&p, &s);
    if (p.status == BANYAN_OK)
        *out = s;
    return p.status;
}

enum banyan_status bloodbowl_position_parse(const char *text, size_t length, struct bb_state *out,
                                            struct banyan_error *err)
{
    json_error_t why;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (!json)
        return banyan_fail(err, BANYAN_INVALID, "Blood Bowl position: line %d: %s", why.line,
                           why.text);
    enum banyan_status status = bloodbowl_position_read(json, out, err);
    json_decref(json);
    return status;
}
