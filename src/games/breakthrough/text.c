/* Breakthrough as text.
 *
 *     "a7a6 b2b3"             the moves from the usual start, or "moves:a7a6 b2b3"
 *     "bbbbbbbb/bbbbbbbb/......../......../......../......../wwwwwwww/wwwwwwww b"
 *                             rows from the top, then the side to move */
#include "games/breakthrough/breakthrough.h"

#include <banyan/board.h>

#include "base/compiler.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const colours[] = {"black", "white"};

/* Reads "d3" or "D3"; -1 if text does not begin with a square. */
static int text_square(const char *text)
{
    int column = tolower((unsigned char)text[0]) - 'a';
    if (column < 0 || column > 7 || text[1] < '1' || text[1] > '8')
        return -1;
    return 8 * (text[1] - '1') + column;
}

/* Reads "a7b6", "a7xb6", "a7-b6" or "a7b6*"; returns the length; 0: text does not begin with a
 * move. */
static size_t text_move(const char *text, int *from, int *to)
{
    *from = text_square(text);
    if (*from < 0)
        return 0;
    size_t between = text[2] == 'x' || text[2] == '-';
    *to = text_square(text + 2 + between);
    if (*to < 0)
        return 0;
    return 4 + between + (text[4 + between] == '*');
}

/* Finds the action that goes from one square to the other, or says why it cannot be played. */
static enum banyan_status text_action(const struct breakthrough_state *state, int from, int to,
                                      int *action, struct banyan_error *err)
{
    uint64_t able[3];
    int mover = state->mover, direction = to - from - (mover ? 7 : -9);
    char name[5] = {(char)('a' + from % 8), (char)('1' + from / 8), (char)('a' + to % 8),
                    (char)('1' + to / 8), 0};
    if (state->result != BREAKTHROUGH_OPEN)
        return banyan_fail(err, BANYAN_ILLEGAL, "%s: the game is over", name);
    if (!(state->pieces[mover] >> from & 1))
        return banyan_fail(err, BANYAN_ILLEGAL, "%s: %s has no piece on %.2s", name, colours[mover],
                           name);
    if (direction < 0 || direction > 2 || to % 8 - from % 8 != direction - 1)
        return banyan_fail(err, BANYAN_ILLEGAL,
                           "%s: a piece of %s goes one row %s, straight or diagonally", name,
                           colours[mover], mover ? "up" : "down");
    breakthrough_able(state, able);
    if (!(able[direction] >> from & 1))
        return banyan_fail(err, BANYAN_ILLEGAL, "%s: %s is occupied%s", name, name + 2,
                           direction == 1 ? "; pieces capture diagonally" : " by an own piece");
    *action = 3 * from + direction;
    return BANYAN_OK;
}

static enum banyan_status text_not_a_move(const char *text, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_INVALID,
                       "'%.8s' is not a move: write two squares, such as a7a6 or b3xc4", text);
}

static enum banyan_status text_read_moves(struct breakthrough_state *state, const char *text,
                                          struct banyan_error *err)
{
    while (*text) {
        if (isspace((unsigned char)*text) || *text == ',') {
            ++text;
            continue;
        }
        int from, to, action;
        size_t length = text_move(text, &from, &to);
        if (!length)
            return text_not_a_move(text, err);
        enum banyan_status status = text_action(state, from, to, &action, err);
        if (status != BANYAN_OK)
            return status;
        breakthrough_play(state, action);
        text += length;
    }
    return BANYAN_OK;
}

/* Reads the squares at *text, with or without '/' between rows; moves *text to the end of them. */
static enum banyan_status text_read_board(struct breakthrough_state *state, const char **text,
                                          struct banyan_error *err)
{
    static const char names[] = "bBwW.";
    const char *at = *text;
    int count = 0;
    for (; *at && *at != ' '; ++at) {
        if (*at == '/' && count % 8 == 0)
            continue;
        const char *name = strchr(names, *at);
        if (!name)
            return banyan_fail(err, BANYAN_INVALID,
                               "'%c' in a Breakthrough position: squares are b, w or .", *at);
        if (count < 64 && *name != '.')
            state->pieces[(name - names) / 2] |= (uint64_t)1 << (count ^ 56);
        ++count;
    }
    if (count != 64)
        return banyan_fail(err, BANYAN_INVALID,
                           "a Breakthrough position has 64 squares, the text has %d", count);
    *text = at;
    return BANYAN_OK;
}

/* Sets the result.  Rejects positions with more than 16 pieces of a colour, a win of the side to
 * move, or two pieces on a far row. */
static enum banyan_status text_check(struct breakthrough_state *state, struct banyan_error *err)
{
    int last = 1 - state->mover;
    for (int player = 0; player < 2; ++player) {
        int pieces = bits_count64(state->pieces[player]);
        int arrived = bits_count64(state->pieces[player] & breakthrough_goal(player));
        if (pieces > BREAKTHROUGH_PIECES)
            return banyan_fail(err, BANYAN_INVALID, "%s has %d pieces; there are at most 16",
                               colours[player], pieces);
        if (arrived > (player == last))
            return banyan_fail(err, BANYAN_INVALID,
                               "%s has %d pieces on the far row, where the first one wins",
                               colours[player], arrived);
    }
    if (!state->pieces[last])
        return banyan_fail(err, BANYAN_INVALID, "%s moved last, but has no piece", colours[last]);
    if ((state->pieces[last] & breakthrough_goal(last)) || !state->pieces[state->mover])
        state->result = (uint8_t)(BREAKTHROUGH_BLACK_WON + last);
    return BANYAN_OK;
}

static enum banyan_status text_read_position(struct breakthrough_state *state, const char *text,
                                             struct banyan_error *err)
{
    *state = (struct breakthrough_state){.mover = 0};
    enum banyan_status status = text_read_board(state, &text, err);
    if (status != BANYAN_OK)
        return status;
    while (*text == ' ')
        ++text;
    int side = tolower((unsigned char)*text);
    if ((side != 'b' && side != 'w') || text[1])
        return banyan_fail(err, BANYAN_INVALID,
                           "expected the side to move after the squares, b or w, not '%.8s'", text);
    state->mover = side == 'w';
    return text_check(state, err);
}

enum banyan_status breakthrough_init(const struct banyan_game *game, void *at, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    (void)rng;
    struct breakthrough_state state = {.pieces = {0xffff000000000000u, 0xffff}};
    enum banyan_status status = BANYAN_OK;
    if (setup && strncmp(setup, "moves:", 6) == 0)
        status = text_read_moves(&state, setup + 6, err);
    else if (setup && text_square(setup) >= 0)
        status = text_read_moves(&state, setup, err);
    else if (setup && *setup)
        status = text_read_position(&state, setup, err);
    if (status == BANYAN_OK)
        memcpy(at, &state, sizeof state);
    return status;
}

/* The character of `names` for this square: names[0] for an empty one, then black, white. */
static char text_name(const struct breakthrough_state *state, int square, const char *names)
{
    return names[(state->pieces[0] >> square & 1) + 2 * (state->pieces[1] >> square & 1)];
}

int breakthrough_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct breakthrough_state *state = at;
    struct text text = text_start(out, size);
    for (int i = 0; i < 64; ++i)
        text_add(&text, "%s%c", i && i % 8 == 0 ? "/" : "", text_name(state, i ^ 56, ".bw"));
    text_add(&text, " %c", "bw"[state->mover]);
    return (int)text.length;
}

int breakthrough_action_format(const struct banyan_game *game, const void *at, int player,
                               banyan_action action, char *out, size_t size)
{
    const struct breakthrough_state *state = at;
    int from = (int)action / 3, to = breakthrough_target(player, (int)action);
    bool captures = state->pieces[1 - player] >> to & 1;
    return snprintf(out, size, "%c%d%s%c%d", 'a' + from % 8, 1 + from / 8, captures ? "x" : "",
                    'a' + to % 8, 1 + to / 8);
}

enum banyan_status breakthrough_action_parse(const struct banyan_game *game, const void *at,
                                             int player, const char *text, banyan_action *out,
                                             struct banyan_error *err)
{
    (void)player;
    int from, to, action;
    size_t length = text_move(text, &from, &to);
    if (!length || text[length])
        return text_not_a_move(text, err);
    enum banyan_status status = text_action(at, from, to, &action, err);
    if (status == BANYAN_OK)
        *out = (banyan_action)action;
    return status;
}

static const char *text_caption(const struct breakthrough_state *state)
{
    static const char *const results[] = {
        [BREAKTHROUGH_BLACK_WON] = "black has won", [BREAKTHROUGH_WHITE_WON] = "white has won"};
    if (state->result != BREAKTHROUGH_OPEN)
        return results[state->result];
    return state->mover ? "white to move, up" : "black to move, down";
}

int breakthrough_draw(const struct banyan_game *game, const void *at, int viewer, char *out,
                      size_t size)
{
    (void)viewer;
    const struct breakthrough_state *state = at;
    struct text text = text_start(out, size);
    for (int row = 7; row >= 0; --row) {
        text_add(&text, "%d", row + 1);
        for (int column = 0; column < 8; ++column)
            text_add(&text, " %c", text_name(state, 8 * row + column, ".BW"));
        text_add(&text, "\n");
    }
    text_add(&text, "  a b c d e f g h\n%s\n", text_caption(state));
    return (int)text.length;
}

int breakthrough_svg(const struct banyan_game *game, const void *at, int viewer, char *out,
                     size_t size)
{
    (void)viewer;
    const struct breakthrough_state *state = at;
    struct text text = text_start(out, size);
    text_add(&text, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 360 372\">\n"
                    "<style>.B{fill:#222}.W{fill:#fff;stroke:#222}"
                    "text{font:14px sans-serif;fill:#222;text-anchor:middle}</style>\n"
                    "<rect x=\"30\" y=\"10\" width=\"320\" height=\"320\" fill=\"#eed9b4\"/>\n");
    for (int square = 0; square < 64; ++square) {
        int x = 30 + 40 * (square % 8), y = 10 + 40 * (7 - square / 8);
        char name = text_name(state, square, ".BW");
        if ((square / 8 + square % 8) % 2 == 0)
            text_add(&text,
                     "<rect x=\"%d\" y=\"%d\" width=\"40\" height=\"40\" fill=\"#b98b56\"/>\n", x,
                     y);
        if (name != '.')
            text_add(&text, "<circle class=\"%c\" cx=\"%d\" cy=\"%d\" r=\"15\"/>\n", name, x + 20,
                     y + 20);
    }
    for (int i = 0; i < 8; ++i)
        text_add(&text, "<text x=\"%d\" y=\"346\">%c</text><text x=\"15\" y=\"%d\">%d</text>\n",
                 50 + 40 * i, 'a' + i, 35 + 40 * i, 8 - i);
    text_add(&text, "<text x=\"190\" y=\"366\">%s</text>\n</svg>\n", text_caption(state));
    return (int)text.length;
}

/* The cell of a square: the top row of the board is row 8. */
static int text_cell(int square)
{
    return 8 * (7 - square / 8) + square % 8;
}

void breakthrough_board(const struct banyan_game *game, const void *at, int viewer,
                        struct banyan_board *out)
{
    (void)viewer;
    const struct breakthrough_state *state = at;
    banyan_board_begin(out, BANYAN_BOARD_SQUARES, 8, 8);
    for (int row = 0; row < 8; ++row)
        out->row_names[row][0] = (char)('8' - row);
    for (int square = 0; square < 64; ++square) {
        struct banyan_cell *cell = &out->cells[text_cell(square)];
        if ((square / 8 + square % 8) % 2 == 0)
            cell->looks = BANYAN_CELL_DARK;
        for (int p = 0; p < 2; ++p)
            if (state->pieces[p] >> square & 1) {
                cell->owner = (int8_t)p;
                cell->looks |= BANYAN_CELL_PIECE;
            }
    }
}

int breakthrough_board_cells(const struct banyan_game *game, const void *at, int player,
                             banyan_action action, int out[])
{
    (void)at;
    out[0] = text_cell((int)action / 3);
    out[1] = text_cell(breakthrough_target(player, (int)action));
    return 2;
}
