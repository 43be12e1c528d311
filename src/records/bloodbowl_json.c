/* Reads and writes Blood Bowl states as the JSON of botbowl's recorded games. */
#include "records/bloodbowl_json_parts.h"

#include "base/text.h"
#include "games/bloodbowl/text.h"

#include <string.h>

static const char *const teams = "HA";
static const char flags[] = "UDSABHREKJWTLPXF"; /* the flag of bit 0 first */
static const char *const injuries[] = {"",   "MNG", "NIGGLING", "MA",  "AV",
                                       "AG", "ST",  "DEAD",     "NULL"};
static const struct {
    const char *name;
    unsigned bit;
} used_skills[] = {{"BREAK_TACKLE", BB_USED_BREAK_TACKLE},
                   {"DODGE", BB_USED_DODGE},
                   {"FRENZY", BB_USED_FRENZY},
                   {"LEAP", BB_USED_LEAP},
                   {"PRO", BB_USED_PRO},
                   {"SURE_FEET", BB_USED_SURE_FEET}};

enum banyan_status bloodbowl_json_missing(struct banyan_error *err, const char *what)
{
    return banyan_fail(err, BANYAN_CORRUPT, "\"%s\" of the record is missing or wrong", what);
}

static int json_number(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static const char *json_word(const json_t *object, const char *key)
{
    const char *word = json_string_value(json_object_get(object, key));
    return word ? word : "";
}

/* --- names --- */

json_t *bloodbowl_json_team(int team)
{
    return team == BB_NOBODY ? json_null() : json_stringn(teams + team, 1);
}

static int json_team_of(const json_t *value)
{
    const char *word = json_string_value(value);
    return word && word[0] == 'H' ? BB_HOME : word && word[0] == 'A' ? BB_AWAY : BB_NOBODY;
}

json_t *bloodbowl_json_player(const struct bb_state *s, int player)
{
    if (player == BB_NONE)
        return json_null();
    return json_sprintf("%c%d", teams[player / BB_TEAM_MAX], s->player[player].number);
}

int bloodbowl_json_player_of(const struct bb_state *s, const json_t *value)
{
    const char *word = json_string_value(value);
    int team = json_team_of(value), number = 0;
    if (team == BB_NOBODY || !word)
        return BB_NONE;
    for (const char *digit = word + 1; *digit >= '0' && *digit <= '9' && number < 100; ++digit)
        number = 10 * number + (*digit - '0');
    for (int i = 0; i < s->team[team].players; ++i)
        if (s->player[team * BB_TEAM_MAX + i].number == number)
            return team * BB_TEAM_MAX + i;
    return BB_NONE;
}

json_t *bloodbowl_json_square(int square)
{
    if (square == BB_NOWHERE)
        return json_pack("[i,i]", -1, -1);
    return json_pack("[i,i]", bb_x(square), bb_y(square));
}

int bloodbowl_json_square_of(const json_t *value)
{
    int x = (int)json_integer_value(json_array_get(value, 0));
    int y = (int)json_integer_value(json_array_get(value, 1));
    if (!json_is_array(value) || x < 0 || y < 0 || x >= BB_ROW - 1 || y > 16)
        return BB_NOWHERE;
    return bb_square(x, y);
}

/* --- the head --- */

static void json_add_team(struct text *text, const char *key, const json_t *team)
{
    const char *race = json_word(team, "race");
    bool undead = !strcmp(race, "Khemri") || !strcmp(race, "Necromantic") ||
                  !strcmp(race, "Undead") || !strcmp(race, "Vampire");
    size_t i, k;
    json_t *player, *skill;
    text_add(text, " %s={%d %d %d %d %d %d", key, json_number(team, "rerolls"),
             json_number(team, "fan_factor"), json_number(team, "ass_coaches"),
             json_number(team, "cheerleaders"), json_number(team, "apothecaries"), undead);
    json_array_foreach(json_object_get(team, "players"), i, player)
    {
        text_add(text, "; %d %d %d %d %d", json_number(player, "nr"), json_number(player, "ma"),
                 json_number(player, "st"), json_number(player, "ag"), json_number(player, "av"));
        json_array_foreach(json_object_get(player, "skills"), k, skill)
            text_add(text, " %s", json_string_value(skill) ? json_string_value(skill) : "?");
    }
    text_add(text, "}");
}

enum banyan_status bloodbowl_json_head(const json_t *head, struct bb_state *out,
                                       struct banyan_error *err)
{
    char name[32], setup[BANYAN_TEXT_MAX];
    const struct banyan_game *game;
    struct text text = text_start(name, sizeof name);
    text_add(&text, "bloodbowl-%d", json_number(head, "variant"));
    enum banyan_status status = banyan_game_find(name, &game, err);
    if (status != BANYAN_OK)
        return status;
    if (!json_is_object(json_object_get(head, "home")))
        return bloodbowl_json_missing(err, "home");
    text = text_start(setup, sizeof setup);
    const json_t *human = json_object_get(head, "human_mode"); /* one number for both sides, or
                                                                * one for each */
    bool home = json_integer_value(json_is_array(human) ? json_array_get(human, 0) : human) != 0;
    bool away = json_integer_value(json_is_array(human) ? json_array_get(human, 1) : human) != 0;
    text_add(&text, "mode=%s ask=%s/%s quirks=botbowl",
             json_is_string(json_object_get(head, "pathfinding")) ? "path" : "step",
             home ? "human" : "bot", away ? "human" : "bot");
    if (*json_word(json_object_get(head, "st"), "weather"))
        text_add(&text, " weather=%s", json_word(json_object_get(head, "st"), "weather"));
    json_add_team(&text, "home", json_object_get(head, "home"));
    json_add_team(&text, "away", json_object_get(head, "away"));
    if (text.length >= sizeof setup)
        return banyan_fail(err, BANYAN_CORRUPT, "the teams of the record are too long");
    return game->init(game, out, setup, NULL, err);
}

/* --- the state --- */

static json_t *json_pair(int home, int away)
{
    return json_pack("[i,i]", home, away);
}

static json_t *json_row(const struct bb_state *s, int player)
{
    const struct bb_player *who = &s->player[player];
    char letters[sizeof flags];
    int n = 0;
    for (int bit = 0; bit < 16; ++bit)
        if (who->flags >> bit & 1)
            letters[n++] = flags[bit];
    letters[n] = 0;
    bool off = who->square == BB_NOWHERE;
    json_t *row =
        json_pack("[o,i,i,s,i]", bloodbowl_json_player(s, player), off ? -1 : bb_x(who->square),
                  off ? -1 : bb_y(who->square), letters, who->moves);
    json_t *used = json_array(), *hurt = json_array();
    for (size_t i = 0; i < sizeof used_skills / sizeof *used_skills; ++i)
        if (who->used & used_skills[i].bit)
            json_array_append_new(used, json_string(used_skills[i].name));
    for (unsigned left = who->injuries; left; left >>= 4)
        json_array_append_new(hurt, json_string(injuries[left & 15]));
    if (json_array_size(used) || json_array_size(hurt))
        json_array_append(row, used);
    if (json_array_size(hurt))
        json_array_append(row, hurt);
    json_decref(used);
    json_decref(hurt);
    return row;
}

static json_t *json_rows(const struct bb_state *s)
{
    json_t *rows = json_array();
    for (int i = 0; i < BB_PLAYERS; ++i)
        if (s->player[i].number)
            json_array_append_new(rows, json_row(s, i));
    return rows;
}

static json_t *json_dugout(const struct bb_state *s, int team)
{
    json_t *dugout = json_array();
    for (int place = 0; place < BB_PLACES; ++place) {
        json_t *list = json_array();
        for (int i = 0; i < s->team[team].listed[place]; ++i)
            json_array_append_new(list, bloodbowl_json_player(s, s->team[team].list[place][i]));
        json_array_append_new(dugout, list);
    }
    return dugout;
}

static json_t *json_turn(const struct bb_state *s)
{
    const struct bb_frame *turn = bb_turn_frame(s);
    if (!turn)
        return json_null();
    unsigned bits = turn->bits;
    return json_pack("[i,i,i,i,i,i]", !!(bits & BB_TURN_BLITZ), !!(bits & BB_TURN_PASS),
                     !!(bits & BB_TURN_HANDOFF), !!(bits & BB_TURN_FOUL),
                     !!(bits & BB_TURN_IS_BLITZ), !!(bits & BB_TURN_IS_QUICK_SNAP));
}

static json_t *json_ball(const struct bb_state *s)
{
    json_t *ball = json_array();
    if (s->ball_out)
        json_array_append_new(ball, json_pack("[i,i,i,i]", bb_x(s->ball), bb_y(s->ball),
                                              s->ball_carried, s->ball_on_ground));
    return ball;
}

/* The name of a frame in botbowl's stack, which has its own names for the two special turns. */
static const char *json_frame(const struct bb_frame *f)
{
    if (f->procedure == BB_TURN && f->bits & BB_TURN_IS_BLITZ)
        return "Blitz";
    if (f->procedure == BB_TURN && f->bits & BB_TURN_IS_QUICK_SNAP)
        return "QuickSnap";
    return bb_procedure_names[f->procedure];
}

static json_t *json_stack(const struct bb_state *s)
{
    json_t *stack = json_array();
    for (int i = 0; i < s->depth; ++i)
        json_array_append_new(stack, json_string(json_frame(&s->frame[i])));
    return stack;
}

static json_t *json_order(const struct bb_state *s)
{
    return json_string(s->order == BB_NOBODY ? "" : s->order == BB_HOME ? "HA" : "AH");
}

#define JSON_PAIR(field) json_pair(s->team[BB_HOME].field, s->team[BB_AWAY].field)

json_t *bloodbowl_json_state(const struct bb_state *s)
{
    return json_pack(
        "{s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:i,s:s,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,"
        "s:o,s:[o,o],s:o,s:i}",
        "half", s->half, "round", s->round, "turn", JSON_PAIR(turn), "score", JSON_PAIR(score),
        "rr", JSON_PAIR(rerolls), "rru", JSON_PAIR(reroll_used), "bribes", JSON_PAIR(bribes), "apo",
        JSON_PAIR(apothecaries), "fame", JSON_PAIR(fame), "spect", 1000 * s->spectators, "weather",
        bb_weather_names[s->weather], "gust", s->gust, "cur", bloodbowl_json_team(s->current),
        "actor", bloodbowl_json_team(bb_asked(s)), "active", bloodbowl_json_player(s, s->active),
        "pat", s->activation ? json_string(bb_activation_names[s->activation]) : json_null(),
        "toss", bloodbowl_json_team(s->toss), "kick1", bloodbowl_json_team(s->kick_first), "kickd",
        bloodbowl_json_team(s->kick_drive), "order", json_order(s), "tp", json_turn(s), "ball",
        json_ball(s), "P", json_rows(s), "dug", json_dugout(s, BB_HOME), json_dugout(s, BB_AWAY),
        "stack", json_stack(s), "over", s->over);
}

/* --- loading --- */

static bool json_stack_is(const json_t *stack, size_t i, const char *name)
{
    const char *there = json_string_value(json_array_get(stack, i));
    return there && strcmp(there, name) == 0;
}

/* The activation on top of the stack; 0: there is none. */
static int json_activation(const json_t *st)
{
    static const uint8_t activations[] = {BB_MOVE_ACTION,    BB_BLITZ_ACTION, BB_PASS_ACTION,
                                          BB_HANDOFF_ACTION, BB_FOUL_ACTION,  BB_BLOCK_ACTION};
    const json_t *stack = json_object_get(st, "stack");
    for (size_t i = 0; i < sizeof activations; ++i)
        if (json_array_size(stack) &&
            json_stack_is(stack, json_array_size(stack) - 1, bb_procedure_names[activations[i]]))
            return activations[i];
    return 0;
}

/* Checks that the stack is EndGame Pregame Half [Half] [Turn] Turn [activation]; returns how many
 * turns wait below the top one, or -1 for another stack. */
static int json_waiting_turns(const json_t *st)
{
    const json_t *stack = json_object_get(st, "stack");
    size_t at = 2, n = json_array_size(stack), halves = json_number(st, "half") == 1 ? 2 : 1;
    n -= json_activation(st) != 0;
    if (!json_stack_is(stack, 0, "EndGame") || !json_stack_is(stack, 1, "Pregame"))
        return -1;
    for (size_t i = 0; i < halves; ++i, ++at)
        if (!json_stack_is(stack, at, "Half"))
            return -1;
    if (n < at + 1 || n > at + 2)
        return -1;
    for (size_t i = at; i < n; ++i)
        if (!json_stack_is(stack, i, "Turn"))
            return -1;
    return (int)(n - at) - 1;
}

bool bloodbowl_json_resumable(const json_t *st)
{
    return json_waiting_turns(st) >= 0;
}

int bloodbowl_json_choice_of(const char *word, const char *const names[], int count)
{
    for (int i = 0; i < count; ++i)
        if (names[i] && strcmp(names[i], word) == 0)
            return i;
    return -1;
}

static void json_load_player(struct bb_state *s, const json_t *row)
{
    int player = bloodbowl_json_player_of(s, json_array_get(row, 0));
    if (player == BB_NONE)
        return;
    struct bb_player *who = &s->player[player];
    const char *letters = json_string_value(json_array_get(row, 3));
    int x = (int)json_integer_value(json_array_get(row, 1));
    int y = (int)json_integer_value(json_array_get(row, 2));
    size_t i;
    json_t *word;
    for (int bit = 0; bit < 16; ++bit)
        if (letters && strchr(letters, flags[bit]))
            who->flags = (uint16_t)(who->flags | 1u << bit);
    who->moves = (uint8_t)json_integer_value(json_array_get(row, 4));
    who->square = (uint16_t)(x < 0 || x > 27 || y < 0 || y > 16 ? BB_NOWHERE : bb_square(x, y));
    if (who->square != BB_NOWHERE && !(who->flags & BB_IN_AIR))
        s->pitch[who->square] = (uint8_t)(player + 1);
    json_array_foreach(json_array_get(row, 5), i,
                       word) for (size_t k = 0; k < sizeof used_skills / sizeof *used_skills;
                                  ++k) if (json_string_value(word) &&
                                           !strcmp(json_string_value(word), used_skills[k].name))
        who->used = (uint8_t)(who->used | used_skills[k].bit);
    json_array_foreach(json_array_get(row, 6), i, word)
    {
        int injury = bloodbowl_json_choice_of(
            json_string_value(word) ? json_string_value(word) : "", injuries, 9);
        if (injury > 0 && i < 4)
            who->injuries = (uint16_t)(who->injuries | (unsigned)injury << 4 * i);
    }
}

static void json_load_team(struct bb_state *s, const json_t *st, int team)
{
    struct bb_team *t = &s->team[team];
    const json_t *dugout = json_array_get(json_object_get(st, "dug"), (size_t)team);
    const struct {
        const char *key;
        uint8_t *to;
    } pairs[] = {{"turn", &t->turn},       {"score", &t->score},   {"rr", &t->rerolls},
                 {"rru", &t->reroll_used}, {"bribes", &t->bribes}, {"apo", &t->apothecaries},
                 {"fame", &t->fame}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
        *pairs[i].to = (uint8_t)json_integer_value(
            json_array_get(json_object_get(st, pairs[i].key), (size_t)team));
    for (size_t place = 0; place < BB_PLACES; ++place) {
        size_t i;
        json_t *id;
        json_array_foreach(json_array_get(dugout, place), i, id)
        {
            int player = bloodbowl_json_player_of(s, id);
            if (player != BB_NONE && t->listed[place] < BB_TEAM_MAX)
                t->list[place][t->listed[place]++] = (uint8_t)player;
        }
    }
}

static void json_load_ball(struct bb_state *s, const json_t *st)
{
    const json_t *ball = json_array_get(json_object_get(st, "ball"), 0);
    s->ball_out = ball != NULL;
    s->ball = (uint16_t)(ball ? bloodbowl_json_square_of(ball) : BB_NOWHERE);
    s->ball_carried = (uint8_t)json_integer_value(json_array_get(ball, 2));
    s->ball_on_ground = (uint8_t)json_integer_value(json_array_get(ball, 3));
}

static void json_load_game(struct bb_state *s, const json_t *st)
{
    int weather = bloodbowl_json_choice_of(json_word(st, "weather"), bb_weather_names, BB_WEATHERS);
    s->half = (uint8_t)json_number(st, "half");
    s->round = (uint8_t)json_number(st, "round");
    s->weather = (uint8_t)(weather < 0 ? BB_NICE : weather);
    s->gust = (uint8_t)json_number(st, "gust");
    s->spectators = (uint8_t)(json_number(st, "spect") / 1000);
    s->current = (uint8_t)json_team_of(json_object_get(st, "cur"));
    s->toss = (uint8_t)json_team_of(json_object_get(st, "toss"));
    s->kick_first = (uint8_t)json_team_of(json_object_get(st, "kick1"));
    s->kick_drive = (uint8_t)json_team_of(json_object_get(st, "kickd"));
    s->order = (uint8_t)json_team_of(json_object_get(st, "order"));
    s->active = (uint8_t)bloodbowl_json_player_of(s, json_object_get(st, "active"));
    int activation =
        bloodbowl_json_choice_of(json_word(st, "pat"), bb_activation_names, BB_ACTIVATIONS);
    s->activation = (uint8_t)(activation < 0 ? BB_ACT_NONE : activation);
}

/* Keeps the teams and modes of a state, and resets everything else. */
static void json_clear(struct bb_state *s, const struct bb_state *of)
{
    bb_state_clear(s, of->variant);
    s->quirks = of->quirks;
    s->paths = of->paths;
    for (int team = BB_HOME; team <= BB_AWAY; ++team) {
        const struct bb_team *t = &of->team[team];
        s->team[team] = (struct bb_team){.players = t->players,
                                         .start_rerolls = t->start_rerolls,
                                         .fan_factor = t->fan_factor,
                                         .coaches = t->coaches,
                                         .cheerleaders = t->cheerleaders,
                                         .undead = t->undead,
                                         .human = t->human};
    }
    for (int i = 0; i < BB_PLAYERS; ++i) {
        struct bb_player *who = &s->player[i];
        *who = of->player[i];
        who->square = BB_NOWHERE;
        who->flags = who->injuries = 0;
        who->moves = who->used = 0;
    }
}

enum banyan_status bloodbowl_json_load(const json_t *st, struct bb_state *state,
                                       struct banyan_error *err)
{
    struct bb_state s;
    bool available[4];
    size_t i;
    json_t *row;
    int waiting = json_waiting_turns(st);
    if (waiting < 0)
        return bloodbowl_json_missing(err, "stack");
    if (json_team_of(json_object_get(st, "cur")) == BB_NOBODY)
        return bloodbowl_json_missing(err, "cur");
    json_clear(&s, state);
    json_array_foreach(json_object_get(st, "P"), i, row) json_load_player(&s, row);
    json_load_team(&s, st, BB_HOME);
    json_load_team(&s, st, BB_AWAY);
    json_load_ball(&s, st);
    json_load_game(&s, st);
    for (i = 0; i < 4; ++i)
        available[i] = json_integer_value(json_array_get(json_object_get(st, "tp"), i)) != 0;
    bb_state_resume(&s, waiting, available);
    if (json_activation(st))
        bb_state_activate(&s, (enum bb_procedure)json_activation(st));
    *state = s;
    return BANYAN_OK;
}
