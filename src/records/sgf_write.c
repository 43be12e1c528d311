/* Writes games of Go in the Smart Game Format. */
#include "records/sgf.h"

#include <banyan/version.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SGF_MOVES_PER_LINE = 10 };

/* Letters of the columns in Banyan's texts. */
static const char sgf_columns[] = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/* Adds "[ee]" for a move of Banyan's text: "E5"; "[]" for a pass. */
static void sgf_add_move(struct text *out, int size, const char *move)
{
    const char *column = strchr(sgf_columns, *move);
    long row = strtol(move + 1, NULL, 10);
    if (*move == 'p' || !column)
        text_add(out, "[]");
    else
        text_add(out, "[%c%c]", (char)('a' + (column - sgf_columns)), (char)('a' + size - row));
}

/* Adds the stones of the setting `name` of the text, such as "black=C3,G7", as values of a property. */
static void sgf_add_setting(struct text *out, int size, const char *text, const char *name,
                            const char *property)
{
    const char *at = strstr(text, name);
    if (!at)
        return;
    text_add(out, "%s", property);
    at += strlen(name);
    for (;;) {
        sgf_add_move(out, size, at);
        at += strcspn(at, ", ");
        if (*at++ != ',')
            return;
    }
}

/* Adds a property such as PB[name], with ']' and '\' escaped; nothing if the value is empty. */
static void sgf_add_text(struct text *out, const char *property, const char *value)
{
    if (!*value)
        return;
    text_add(out, "%s[", property);
    for (; *value; ++value)
        text_add(out, strchr("]\\", *value) ? "\\%c" : "%c", *value);
    text_add(out, "]");
}

/* The result by the rules; "": the game is not over. */
static void sgf_result(const struct banyan_game *game, const void *state, char out[SGF_NAME_MAX])
{
    float points[BANYAN_MAX_PLAYERS];
    *out = 0;
    if (game->movers(game, state))
        return;
    game->points(game, state, points);
    double lead = (double)(points[0] - points[1]);
    if (lead == 0)
        snprintf(out, SGF_NAME_MAX, "0");
    else
        snprintf(out, SGF_NAME_MAX, "%c+%g", lead > 0 ? 'B' : 'W', fabs(lead));
}

static void sgf_write_moves(struct text *out, int size, const char *text)
{
    bool white = strstr(text, " first=white") != NULL;
    const char *at = strstr(text, "moves:");
    at = at ? at + strlen("moves:") : "";
    for (int i = 0; *at; ++i, white = !white) {
        text_add(out, "%s;%c", i % SGF_MOVES_PER_LINE ? "" : "\n", white ? 'W' : 'B');
        sgf_add_move(out, size, at);
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
}

/* The number of stones that black placed for a handicap; 0: none. */
static int sgf_handicap(const char *text)
{
    const char *at = strstr(text, " black=");
    int count = at != NULL;
    if (!strstr(text, " first=white") || strstr(text, " white="))
        return 0;
    for (at = at ? at + strlen(" black=") : ""; *at && *at != ' '; ++at)
        count += *at == ',';
    return count >= 2 ? count : 0;
}

void sgf_write(struct text *out, const struct banyan_game *game, const void *state,
               const struct sgf_about *about)
{
    char text[BANYAN_TEXT_MAX], result[SGF_NAME_MAX];
    int size = game->planes[1];
    game->format(game, state, text, sizeof text);
    sgf_result(game, state, result);
    text_add(out, "(;GM[1]FF[4]CA[UTF-8]AP[Banyan:%s]SZ[%d]KM[%.*s]RU[Chinese]",
             banyan_version_text(), size, (int)strcspn(text + strlen("komi="), " "),
             text + strlen("komi="));
    if (sgf_handicap(text))
        text_add(out, "HA[%d]", sgf_handicap(text));
    sgf_add_text(out, "PB", about ? about->players[0] : "");
    sgf_add_text(out, "PW", about ? about->players[1] : "");
    sgf_add_text(out, "RE", about && *about->result ? about->result : result);
    sgf_add_setting(out, size, text, " black=", "AB");
    sgf_add_setting(out, size, text, " white=", "AW");
    text_add(out, "PL[%c]", strstr(text, " first=white") ? 'W' : 'B');
    sgf_write_moves(out, size, text);
    text_add(out, ")\n");
}
