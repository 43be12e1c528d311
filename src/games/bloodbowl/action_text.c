/* Actions as text, and the picture of a state.
 *
 *    start_move H7        place_player A3 12,5     place_player A3 -      end_turn
 *    move 12,5            move path 5338           each digit is one step, a face of the D8
 */
#include "base/text.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct bb_name bb_player_name(const struct bb_state *s, int player)
{
    struct bb_name name = {"-"};
    if (player != BB_NONE)
        snprintf(name.text, sizeof name.text, "%c%d", "HA"[bb_team_of(player)],
                 s -> player[player].number);
    return name;
}

struct bb_words bb_in_words(const char *name)
{
    struct bb_words words;
    struct text text = text_start(words.text, sizeof words.text);
    for (const char *at = name; *at; ++at) {
        if (at > name && isupper((unsigned char)*at) && islower((unsigned char)at[-1]))
            text_add(&text, " ");
        text_add(&text, "%c", *at == '_' ? ' ' : tolower((unsigned char)*at));
    }
    return words;
}

int bb_action_format(const struct bb_state *s, const struct bb_action *a, char *out, size_t size)
{
    struct text text = text_start(out, size);
    for (const char *c = bb_action_names[a->type]; *c; ++c)
        text_add(&text, "%c", tolower((unsigned char)*c));
    if (a->length) {
        text_add(&text, " path ");
        for (int i = 0; i < a->length; ++i)
            text_add(&text, "%d", (int)(a->path >> 3 * i & 7) + 1);
        return (int)text.length;
    }
    if (a->player != BB_NONE)
        text_add(&text, " %s", bb_player_name(s, a->player).text);
    if (a->square != BB_NOWHERE)
        text_add(&text, " %d,%d", bb_x(a->square), bb_y(a->square));
    else if (a->type == BB_DO_PLACE_PLAYER)
        text_add(&text, " -");
    return (int)text.length;
}

/* --- reading --- */

static bool action_type(struct text_reader *reader, struct bb_action *a)
{
    char word[32];
    if (!text_word(reader, word, sizeof word))
        return false;
    for (char *c = word; *c; ++c)
        *c = (char)toupper((unsigned char)*c);
    for (int type = 1; type < BB_ACTIONS; ++type)
        if (strcmp(word, bb_action_names[type]) == 0) {
            a->type = (uint8_t)type;
            return true;
        }
    return false;
}

static bool action_player(struct text_reader *reader, const struct bb_state *s, struct bb_action *a)
{
    int64_t number;
    int team = text_take(reader, "H") ? BB_HOME : text_take(reader, "A") ? BB_AWAY : BB_NOBODY;
    if (team == BB_NOBODY)
        return true;
    if (!text_integer(reader, 1, 99, &number))
        return false;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        if (s->player[i].number == number)
            a->player = (uint8_t)i;
    return a->player != BB_NONE;
}

static bool action_path(struct text_reader *reader, struct bb_action *a)
{
    char steps[BB_PATH_MAX + 2];
    if (!text_word(reader, steps, sizeof steps))
        return false;
    for (const char *c = steps; *c; ++c) {
        if (*c < '1' || *c > '8' || a->length == BB_PATH_MAX)
            return false;
        a->path |= (uint64_t)(*c - '1') << 3 * a->length++;
    }
    return true;
}

static bool action_square(struct text_reader *reader, struct bb_action *a)
{
    int64_t x, y;
    if (text_end(reader) || text_take(reader, "-"))
        return true;
    if (!text_integer(reader, 0, BB_ROW - 2, &x) || !text_take(reader, ",") ||
        !text_integer(reader, 0, 16, &y))
        return false;
    a->square = (uint16_t)bb_square((int)x, (int)y);
    return true;
}

enum banyan_status bb_action_parse(const struct bb_state *s, const char *text,
                                   struct bb_action *out, struct banyan_error *err)
{
    struct text_reader reader;
    struct bb_action a = {.player = BB_NONE, .square = BB_NOWHERE};
    text_open(&reader, text);
    if (!action_type(&reader, &a))
        return banyan_fail(err, BANYAN_INVALID,
                           "'%s' does not begin with an action such as move or end_turn", text);
    if (text_take(&reader, "path") ? !action_path(&reader, &a)
                                   : !action_player(&reader, s, &a) || !action_square(&reader, &a))
        return banyan_fail(err, BANYAN_INVALID,
                           "'%s': expected a player (H7), a square (12,5) or a path (path 5338)",
                           text);
    if (!text_end(&reader))
        return banyan_fail(err, BANYAN_INVALID, "'%s': nothing may follow the action", text);
    *out = a;
    return BANYAN_OK;
}

/* --- the picture --- */

/* The character of an empty square: end zone, wing or centre. */
static char draw_ground(const struct bb_variant *v, int x, int y)
{
    if (x == 1 || x == v->width - 2)
        return ':';
    return y < v->centre_top || y > v->centre_bottom ? ',' : '.';
}

/* The digits of the largest number on a shirt. */
static int draw_digits(const struct bb_state *s)
{
    for (int i = 0; i < BB_PLAYERS; ++i)
        if (s->player[i].number > 9)
            return 2;
    return 1;
}

/* Draws two characters and the digits of a number. */
static void draw_square(struct text *text, const struct bb_state *s, int square, int digits)
{
    const struct bb_variant *v = bb_variant(s);
    int player = bb_at(s, square);
    bool ball = s->ball_out && s->ball == square;
    if (player == BB_NONE) {
        char ground = bb_out(s, square) ? '#' : draw_ground(v, bb_x(square), bb_y(square));
        text_add(text, " %c%*s", ball ? 'o' : ground, digits, "");
        return;
    }
    const struct bb_player *who = &s->player[player];
    const char *letters = who->flags & BB_USED ? "ha" : "HA";
    char state = who->flags & BB_UP ? ' ' : who->flags & BB_STUNNED ? '*' : '-';
    char mark = ball ? 'o' : player == s->active ? '>' : state;
    text_add(text, "%c%c%-*d", mark, letters[bb_team_of(player)], digits, who->number);
}

static void draw_pitch(struct text *text, const struct bb_state *s)
{
    const struct bb_variant *v = bb_variant(s);
    int digits = draw_digits(s);
    text_add(text, "   ");
    for (int x = 0; x < v->width; ++x)
        text_add(text, "%s%2d%*s", x == v->width / 2 ? " " : "", x, digits, "");
    text_add(text, "\n");
    for (int y = 0; y < v->height; ++y) {
        text_add(text, "%2d ", y);
        for (int x = 0; x < v->width; ++x) {
            text_add(text, "%s", x == v->width / 2 ? "|" : "");
            draw_square(text, s, bb_square(x, y), digits);
        }
        text_add(text, "\n");
    }
}

static void draw_list(struct text *text, const struct bb_state *s, int team, int place)
{
    static const char *const names[] = {"reserves", "KO", "casualties", "ejected"};
    const struct bb_team *t = &s->team[team];
    if (t->listed[place] == 0)
        return;
    text_add(text, "  %s:", names[place]);
    for (int i = 0; i < t->listed[place]; ++i)
        text_add(text, " %s", bb_player_name(s, t->list[place][i]).text);
}

int bb_draw(const struct bb_state *s, char *out, size_t size)
{
    struct text text = text_start(out, size);
    int asked = bb_asked(s);
    draw_pitch(&text, s);
    text_add(&text, "o ball, > active, h has acted, - prone, * stunned\nhalf %d, round %d, %s",
             s->half, s->round, bb_in_words(bb_weather_names[s->weather]).text);
    if (asked != BB_NOBODY)
        text_add(&text, "; %s decides: %s", asked == BB_HOME ? "home" : "away",
                 bb_in_words(bb_procedure_names[s->frame[s->depth - 1].procedure]).text);
    text_add(&text, "\n");
    for (int t = BB_HOME; t <= BB_AWAY; ++t) {
        text_add(&text, "%s: %d touchdowns, turn %d, %d rerolls", t == BB_HOME ? "home" : "away",
                 s->team[t].score, s->team[t].turn, s->team[t].rerolls);
        for (int place = 0; place < BB_PLACES; ++place)
            draw_list(&text, s, t, place);
        text_add(&text, "\n");
    }
    return (int)text.length;
}
