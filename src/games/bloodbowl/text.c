/* Setups and states as text.
 *
 *    mode=path ask=bot/human quirks=botbowl home=orc away={3 3 1 2 0 0; 1 7 3 3 8 BLOCK; ...}
 *
 * mode: step or path.  ask: how the two coaches are asked about rerolls
 * (docs/games/bloodbowl-rules.md, "Rerolls"); one word sets both.  quirks: botbowl, rules, or a
 * number with one bit for each deviation.  A team is the name of a roster or its text
 * (teams_data.c).  After "game" comes a game in progress: a check number that is computed from all
 * the rest, so that a damaged or edited text is recognised, then plain numbers.  "position" begins
 * the same numbers written by another program, which cannot compute that check number: it writes a
 * hash of the text after the number instead.
 */
#include "games/bloodbowl/text.h"
#include "base/text.h"
#include "games/bloodbowl/rules.h"

#include <string.h>

static enum banyan_status text_expected(struct text_reader *reader, const char *what,
                                        struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_INVALID, "Blood Bowl, %s: expected %s", text_where(reader).text,
                       what);
}

static bool text_numbers(struct text_reader *reader, int64_t lo, int64_t hi, int64_t *out, int n)
{
    for (int i = 0; i < n; ++i)
        if (!text_integer(reader, lo, hi, &out[i]))
            return false;
    return true;
}

static bool text_bytes(struct text_reader *reader, uint8_t *const out[], int n)
{
    int64_t number;
    for (int i = 0; i < n; ++i) {
        if (!text_integer(reader, 0, 255, &number))
            return false;
        *out[i] = (uint8_t)number;
    }
    return true;
}

/* --- teams --- */

static bool text_skill(struct text_reader *reader, struct bb_player *player)
{
    char word[32];
    struct text_reader back = *reader;
    if (!text_word(reader, word, sizeof word))
        return false;
    for (int i = 0; i < BB_SKILLS; ++i)
        if (strcmp(word, bb_skill_names[i]) == 0) {
            player->skill_count =
                (uint8_t)(player->skill_count + !bb_has(player, (enum bb_skill)i));
            player->skills[i / 64] |= (uint64_t)1 << i % 64;
            return true;
        }
    *reader = back;
    return false;
}

static bool text_player(struct text_reader *reader, struct bb_player *player)
{
    int64_t number, body[4];
    if (!text_integer(reader, 1, 99, &number) || !text_numbers(reader, 1, 10, body, 4))
        return false;
    *player = (struct bb_player){.number = (uint8_t)number,
                                 .ma = (uint8_t)body[0],
                                 .st = (uint8_t)body[1],
                                 .ag = (uint8_t)body[2],
                                 .av = (uint8_t)body[3],
                                 .square = BB_NOWHERE,
                                 .flags = BB_UP};
    while (text_skill(reader, player))
        ;
    return true;
}

static enum banyan_status text_roster(struct text_reader *reader, struct bb_state *s, int t,
                                      struct banyan_error *err)
{
    struct bb_team *team = &s->team[t];
    int64_t staff[6];
    if (!text_numbers(reader, 0, 16, staff, 6))
        return text_expected(reader,
                             "six numbers: rerolls, fan factor, coaches, cheerleaders, "
                             "apothecaries, undead",
                             err);
    team->start_rerolls = team->rerolls = (uint8_t)staff[0];
    team->fan_factor = (uint8_t)staff[1];
    team->coaches = (uint8_t)staff[2];
    team->cheerleaders = (uint8_t)staff[3];
    team->apothecaries = (uint8_t)staff[4];
    team->undead = staff[5] != 0;
    memset(&s->player[bb_first(t)], 0, BB_TEAM_MAX * sizeof *s->player);
    for (int i = bb_first(t); i < bb_first(t) + BB_TEAM_MAX; ++i)
        s->player[i].square = BB_NOWHERE;
    for (team->players = 0; text_take(reader, ";"); ++team->players) {
        if (team->players == BB_TEAM_MAX)
            return text_expected(reader, "at most 16 players", err);
        struct bb_player *player = &s->player[bb_first(t) + team->players];
        if (!text_player(reader, player))
            return text_expected(reader, "a player: number MA ST AG AV and skills", err);
        for (int i = bb_first(t); &s->player[i] < player; ++i)
            if (s->player[i].number == player->number)
                return text_expected(reader, "a number that no other player has", err);
    }
    return team->players ? BANYAN_OK : text_expected(reader, "a player", err);
}

static const struct bb_roster *text_find_roster(const struct bb_state *s, const char *name)
{
    if (strcmp(name, "human") == 0)
        name = bb_variants[s->variant].human;
    for (const struct bb_roster *roster = bb_rosters; roster->name; ++roster)
        if (strcmp(roster->name, name) == 0)
            return roster;
    return NULL;
}

static enum banyan_status text_team(struct text_reader *reader, struct bb_state *s, int t,
                                    struct banyan_error *err)
{
    char word[32];
    struct text_reader inner;
    if (text_take(reader, "{")) {
        enum banyan_status status = text_roster(reader, s, t, err);
        if (status == BANYAN_OK && !text_take(reader, "}"))
            status = text_expected(reader, "; or } in a team", err);
        return status;
    }
    const struct bb_roster *roster =
        text_word(reader, word, sizeof word) ? text_find_roster(s, word) : NULL;
    if (!roster)
        return text_expected(reader, "a team: human, orc, skaven ... or {...}", err);
    text_open(&inner, roster->text);
    return text_roster(&inner, s, t, err);
}

/* --- a game in progress: plain numbers in a fixed order --- */

enum { TEXT_GAME = 21, TEXT_TEAM = 8 };
enum { TEXT_RESERVE = 2200 }; /* characters by which the text of a state may grow during a game */

static void text_game_bytes(struct bb_state *s, uint8_t *out[TEXT_GAME])
{
    uint8_t *const all[TEXT_GAME] = {
        &s->half,         &s->round,          &s->weather,    &s->gust,       &s->spectators,
        &s->current,      &s->toss,           &s->kick_first, &s->kick_drive, &s->order,
        &s->active,       &s->activation,     &s->over,       &s->idle,       &s->ball_out,
        &s->ball_carried, &s->ball_on_ground, &s->bomb_out,   &s->path_left,  &s->path_action,
        &s->mirrored};
    memcpy(out, all, sizeof all);
}

static void text_team_bytes(struct bb_team *t, uint8_t *out[TEXT_TEAM])
{
    uint8_t *const all[TEXT_TEAM] = {&t->score,  &t->turn,         &t->rerolls, &t->reroll_used,
                                     &t->bribes, &t->apothecaries, &t->fame,    &t->forfeits};
    memcpy(out, all, sizeof all);
}

static void text_add_bytes(struct text *text, uint8_t *const bytes[], int n)
{
    for (int i = 0; i < n; ++i)
        text_add(text, " %d", *bytes[i]);
}

static void text_add_team_state(struct text *text, struct bb_team *team)
{
    uint8_t *bytes[TEXT_TEAM];
    text_team_bytes(team, bytes);
    text_add(text, " team");
    text_add_bytes(text, bytes, TEXT_TEAM);
    for (int place = 0; place < BB_PLACES; ++place) {
        text_add(text, " %d", team->listed[place]);
        for (int i = 0; i < team->listed[place]; ++i)
            text_add(text, " %d", team->list[place][i]);
    }
}

static void text_add_players(struct text *text, const struct bb_state *s)
{
    for (int i = 0; i < BB_PLAYERS; ++i) {
        const struct bb_player *who = &s->player[i];
        if (who->number)
            text_add(text, " p %d %d %d %d %d", who->square, who->flags, who->injuries, who->moves,
                     who->used);
    }
}

static void text_add_frames(struct text *text, const struct bb_state *s)
{
    for (int i = 0; i < s->depth; ++i) {
        const struct bb_frame *f = &s->frame[i];
        text_add(text, " %s %d %d %d %d %d %d %d %d %d %d %d", bb_procedure_names[f->procedure],
                 f->phase, f->team, f->player, f->other, f->around, f->number, f->extra, f->bits,
                 f->square, f->from, f->roll);
    }
}

static bool text_read_list(struct text_reader *reader, struct bb_team *team, int place)
{
    int64_t n, player;
    if (!text_integer(reader, 0, BB_TEAM_MAX, &n))
        return false;
    team->listed[place] = (uint8_t)n;
    for (int i = 0; i < n; ++i) {
        if (!text_integer(reader, 0, BB_PLAYERS - 1, &player))
            return false;
        team->list[place][i] = (uint8_t)player;
    }
    return true;
}

static bool text_read_team_state(struct text_reader *reader, struct bb_team *team)
{
    uint8_t *bytes[TEXT_TEAM];
    text_team_bytes(team, bytes);
    if (!text_take(reader, "team") || !text_bytes(reader, bytes, TEXT_TEAM))
        return false;
    for (int place = 0; place < BB_PLACES; ++place)
        if (!text_read_list(reader, team, place))
            return false;
    return true;
}

static bool text_read_players(struct text_reader *reader, struct bb_state *s)
{
    int64_t number[5];
    for (int i = 0; i < BB_PLAYERS; ++i) {
        struct bb_player *who = &s->player[i];
        if (!who->number)
            continue;
        if (!text_take(reader, "p ") || !text_numbers(reader, 0, 65535, number, 5) ||
            number[0] >= BB_SQUARES - BB_ROW || number[3] > 63 || number[4] > 63)
            return false;
        who->square = (uint16_t)number[0];
        who->flags = (uint16_t)number[1];
        who->injuries = (uint16_t)number[2];
        who->moves = (uint8_t)number[3];
        who->used = (uint8_t)number[4];
        if (who->square == BB_NOWHERE || who->flags & BB_IN_AIR)
            continue;
        if (s->pitch[who->square])
            return false;
        s->pitch[who->square] = (uint8_t)(i + 1);
    }
    return true;
}

/* Whether the number means nobody (all bits of the byte set) or a player of the teams. */
static bool text_somebody(const struct bb_state *s, int64_t player)
{
    return player == BB_NONE || (player < BB_PLAYERS && s->player[player].number);
}

static bool text_read_frame(struct text_reader *reader, struct bb_state *s)
{
    char word[32];
    int64_t n[11];
    int procedure = 0;
    if (s->depth >= BB_DEPTH || !text_word(reader, word, sizeof word))
        return false;
    while (procedure < BB_PROCEDURES && strcmp(word, bb_procedure_names[procedure]) != 0)
        ++procedure;
    if (procedure == BB_PROCEDURES || !text_numbers(reader, -128, 65535, n, 11))
        return false;
    for (int i = 0; i < 11; ++i)
        if (i != 5 && (n[i] < 0 || (i < 7 && n[i] > 255)))
            return false;
    if (n[5] > 127 || n[1] > BB_NOBODY || n[8] >= BB_SQUARES || n[9] >= BB_SQUARES)
        return false;
    if (!text_somebody(s, n[2]) || !text_somebody(s, n[3]))
        return false;
    s->frame[s->depth++] = (struct bb_frame){.procedure = (uint8_t)procedure,
                                             .phase = (uint8_t)n[0],
                                             .team = (uint8_t)n[1],
                                             .player = (uint8_t)n[2],
                                             .other = (uint8_t)n[3],
                                             .around = (uint8_t)n[4],
                                             .number = (int8_t)n[5],
                                             .extra = (uint8_t)n[6],
                                             .bits = (uint16_t)n[7],
                                             .square = (uint16_t)n[8],
                                             .from = (uint16_t)n[9],
                                             .roll = (uint16_t)n[10]};
    return true;
}

static bool text_read_squares(struct text_reader *reader, struct bb_state *s)
{
    int64_t square[3], path;
    if (!text_numbers(reader, 0, BB_SQUARES - 1, square, 3) ||
        !text_integer(reader, 0, ((int64_t)1 << 42) - 1, &path))
        return false;
    s->ball = (uint16_t)square[0];
    s->bomb = (uint16_t)square[1];
    s->path_square = (uint16_t)square[2];
    s->path = (uint64_t)path;
    return true;
}

static uint32_t text_hash(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    uint32_t hash = 0x811c9dc5u; /* FNV-1a */
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ bytes[i]) * 0x01000193u;
    return hash;
}

static uint32_t text_check_number(const struct bb_state *s)
{
    return text_hash(s, sizeof *s);
}

/* Reads the text after "game" and its check number. */
static enum banyan_status text_read_numbers(struct text_reader *reader, struct bb_state *s,
                                            struct banyan_error *err)
{
    uint8_t *bytes[TEXT_GAME];
    text_game_bytes(s, bytes);
    if (!text_bytes(reader, bytes, TEXT_GAME) || !text_read_squares(reader, s))
        return text_expected(reader, "the numbers of a game", err);
    if (!text_read_team_state(reader, &s->team[BB_HOME]) ||
        !text_read_team_state(reader, &s->team[BB_AWAY]))
        return text_expected(reader, "the state of two teams", err);
    if (!text_read_players(reader, s))
        return text_expected(reader, "square and state of each player, one per square", err);
    if (!text_take(reader, "stack"))
        return text_expected(reader, "stack", err);
    while (!text_end(reader))
        if (!text_read_frame(reader, s))
            return text_expected(reader, "a procedure and its eleven numbers", err);
    return BANYAN_OK;
}

/* foreign: another program has written the text, so the check number is a hash of the text. */
static enum banyan_status text_read_game(struct text_reader *reader, struct bb_state *s,
                                         bool foreign, struct banyan_error *err)
{
    int64_t check;
    if (!text_integer(reader, 0, UINT32_MAX, &check))
        return text_expected(reader, "the check number of the game", err);
    uint32_t right = foreign ? text_hash(reader->at, strlen(reader->at)) : 0;
    enum banyan_status status = text_read_numbers(reader, s, err);
    if (status != BANYAN_OK || check == (foreign ? right : text_check_number(s)))
        return status;
    return banyan_fail(err, BANYAN_INVALID,
                       "Blood Bowl: the check number does not fit the game: the text was "
                       "edited or damaged");
}

/* --- the whole text --- */

static bool text_ask(struct text_reader *reader, uint8_t *human)
{
    *human = text_take(reader, "human");
    return *human || text_take(reader, "bot");
}

static enum banyan_status text_quirks(struct text_reader *reader, struct bb_state *s,
                                      struct banyan_error *err)
{
    int64_t bits;
    if (text_take(reader, "botbowl"))
        s->quirks = BB_ALL_QUIRKS;
    else if (text_take(reader, "rules"))
        s->quirks = 0;
    else if (text_integer(reader, 0, (int64_t)BB_ALL_QUIRKS, &bits))
        s->quirks = (uint64_t)bits;
    else
        return text_expected(reader, "botbowl, rules or a number", err);
    return BANYAN_OK;
}

/* Weather before the game; the weather table is rolled anyway. */
static enum banyan_status text_weather(struct text_reader *reader, struct bb_state *s,
                                       struct banyan_error *err)
{
    char word[32];
    if (text_word(reader, word, sizeof word))
        for (int i = 0; i < BB_WEATHERS; ++i)
            if (strcmp(word, bb_weather_names[i]) == 0) {
                s->weather = (uint8_t)i;
                return BANYAN_OK;
            }
    return text_expected(reader, "SWELTERING_HEAT, VERY_SUNNY, NICE, POURING_RAIN or BLIZZARD",
                         err);
}

static enum banyan_status text_setting(struct text_reader *reader, struct bb_state *s,
                                       struct banyan_error *err)
{
    if (text_take(reader, "home="))
        return text_team(reader, s, BB_HOME, err);
    if (text_take(reader, "away="))
        return text_team(reader, s, BB_AWAY, err);
    if (text_take(reader, "quirks="))
        return text_quirks(reader, s, err);
    if (text_take(reader, "mode=")) {
        s->paths = text_take(reader, "path");
        return s->paths || text_take(reader, "step") ? BANYAN_OK
                                                     : text_expected(reader, "step or path", err);
    }
    if (text_take(reader, "ask=")) {
        bool good = text_ask(reader, &s->team[BB_HOME].human);
        s->team[BB_AWAY].human = s->team[BB_HOME].human;
        if (good && text_take(reader, "/"))
            good = text_ask(reader, &s->team[BB_AWAY].human);
        return good ? BANYAN_OK : text_expected(reader, "bot or human", err);
    }
    if (text_take(reader, "weather="))
        return text_weather(reader, s, err);
    return text_expected(reader, "home=, away=, mode=, ask=, quirks=, weather=, game or position",
                         err);
}

enum banyan_status bb_parse(struct bb_state *out, int variant, const char *setup,
                            struct banyan_error *err)
{
    struct bb_state s;
    struct text_reader reader, usual;
    enum banyan_status status = BANYAN_OK;
    bb_state_clear(&s, variant);
    text_open(&reader, setup ? setup : "");
    for (int team = BB_HOME; team <= BB_AWAY; ++team) {
        text_open(&usual, "human");
        text_team(&usual, &s, team, NULL);
    }
    while (status == BANYAN_OK && !text_end(&reader)) {
        bool foreign = text_take(&reader, "position");
        if (foreign || text_take(&reader, "game")) {
            status = text_read_game(&reader, &s, foreign, err);
            if (status == BANYAN_OK)
                *out = s;
            return status;
        }
        status = text_setting(&reader, &s, err);
    }
    if (status != BANYAN_OK)
        return status;
    bb_state_begin(&s);
    if (bb_format(&s, NULL, 0) > BANYAN_TEXT_MAX - TEXT_RESERVE)
        return banyan_fail(err, BANYAN_INVALID, "Blood Bowl: the players have too many skills");
    *out = s;
    return BANYAN_OK;
}

static void text_add_team(struct text *text, const struct bb_state *s, int t)
{
    const struct bb_team *team = &s->team[t];
    text_add(text, "{%d %d %d %d %d %d", team->start_rerolls, team->fan_factor, team->coaches,
             team->cheerleaders, team->apothecaries, team->undead);
    for (int i = bb_first(t); i < bb_end(s, t); ++i) {
        const struct bb_player *who = &s->player[i];
        text_add(text, "; %d %d %d %d %d", who->number, who->ma, who->st, who->ag, who->av);
        for (int k = 0; k < BB_SKILLS; ++k)
            if (bb_has(who, (enum bb_skill)k))
                text_add(text, " %s", bb_skill_names[k]);
    }
    text_add(text, "}");
}

int bb_format(const struct bb_state *state, char *out, size_t size)
{
    static const char *const asked[2] = {"bot", "human"};
    struct bb_state copy = *state;
    uint8_t *bytes[TEXT_GAME];
    struct text text = text_start(out, size);
    text_add(&text, "mode=%s ask=%s/%s quirks=%llu home=", state->paths ? "path" : "step",
             asked[state->team[BB_HOME].human], asked[state->team[BB_AWAY].human],
             (unsigned long long)state->quirks);
    text_add_team(&text, state, BB_HOME);
    text_add(&text, " away=");
    text_add_team(&text, state, BB_AWAY);
    text_add(&text, " game %lu", (unsigned long)text_check_number(state));
    text_game_bytes(&copy, bytes);
    text_add_bytes(&text, bytes, TEXT_GAME);
    text_add(&text, " %d %d %d %llu", state->ball, state->bomb, state->path_square,
             (unsigned long long)state->path);
    text_add_team_state(&text, &copy.team[BB_HOME]);
    text_add_team_state(&text, &copy.team[BB_AWAY]);
    text_add_players(&text, state);
    text_add(&text, " stack");
    text_add_frames(&text, state);
    return (int)text.length;
}
