/* Connect Four as text.
 *
 *     "4453"                  the columns that were played, or "moves:4453"
 *     "......./......./......./...o.../...xx../..ox... o"
 *                             rows from the top, then the side to move (may be left out) */
#include "games/connect4/connect4.h"

#include <banyan/board.h>

#include "base/compiler.h"
#include "base/marks.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* Writes the discs of X and O. */
static void text_discs(const struct connect4_state *state, uint64_t discs[2])
{
    discs[state->mover] = state->own;
    discs[1 - state->mover] = state->other;
}

/* The character of `names` for this square: names[0] for an empty square, names[1] for a disc of
 * X, names[2] for one of O. Row 0 is the bottom. */
static char text_square(const uint64_t discs[2], int row, int column, const char *names)
{
    int square = 7 * column + row;
    return names[(discs[0] >> square & 1) + 2 * (discs[1] >> square & 1)];
}

static enum banyan_status text_read_moves(struct connect4_state *state, const char *text,
                                          struct banyan_error *err)
{
    for (; *text; ++text) {
        if (isspace((unsigned char)*text) || *text == ',')
            continue;
        if (*text < '1' || *text > '7')
            return banyan_fail(err, BANYAN_INVALID, "'%c' is not a column: write 1 to 7", *text);
        if (state->result != CONNECT4_OPEN)
            return banyan_fail(err, BANYAN_ILLEGAL, "the game is over before the last '%s'", text);
        if (!connect4_room(state, (unsigned)(*text - '1')))
            return banyan_fail(err, BANYAN_ILLEGAL, "column %c is full before '%s'", *text, text);
        connect4_drop(state, (unsigned)(*text - '1'));
    }
    return BANYAN_OK;
}

/* Reads 42 squares at *text, rows from the top; moves *text to the end of them. */
static enum banyan_status text_read_board(const char **text, uint64_t discs[2],
                                          struct banyan_error *err)
{
    static const struct marks_board board = {"Connect Four", CONNECT4_ROWS, CONNECT4_COLUMNS,
                                             "......./......./......./...o.../...xx../..ox... o"};
    unsigned char squares[CONNECT4_SQUARES];
    enum banyan_status status = marks_read_board(&board, text, squares, err);
    for (int i = 0; status == BANYAN_OK && i < CONNECT4_SQUARES; ++i) {
        int row = CONNECT4_ROWS - 1 - i / CONNECT4_COLUMNS, column = i % CONNECT4_COLUMNS;
        if (squares[i])
            discs[squares[i] - 1] |= (uint64_t)1 << (7 * column + row);
    }
    return status;
}

/* Accepts only positions in which every disc lies on another or on the bottom, X began, and nobody
 * moved after a line of four. */
static enum banyan_status text_check(struct connect4_state *state, const uint64_t discs[2],
                                     struct banyan_error *err)
{
    uint64_t both = discs[0] | discs[1];
    uint64_t floating = both & ~(both << 1 | CONNECT4_BOTTOM);
    int xs = bits_count64(discs[0]), os = bits_count64(discs[1]), mover = xs - os;
    bool x_won = connect4_wins(discs[0]), o_won = connect4_wins(discs[1]);
    if (floating)
        return banyan_fail(err, BANYAN_INVALID, "in column %d a disc lies on an empty square",
                           1 + bits_first64(floating) / 7);
    if (mover != 0 && mover != 1)
        return banyan_fail(err, BANYAN_INVALID,
                           "%d X and %d O: X moves first, so there are as many X as O or one more",
                           xs, os);
    if (x_won && o_won)
        return banyan_fail(err, BANYAN_INVALID, "both X and O have four in a row");
    if (mover ? o_won : x_won)
        return banyan_fail(err, BANYAN_INVALID, "%s has four in a row, but %s moved after that",
                           mover ? "O" : "X", mover ? "X" : "O");
    state->own = discs[mover];
    state->other = discs[1 - mover];
    state->mover = (uint8_t)mover;
    state->result = x_won                    ? CONNECT4_X_WON
                    : o_won                  ? CONNECT4_O_WON
                    : both == CONNECT4_BOARD ? CONNECT4_DRAWN
                                             : CONNECT4_OPEN;
    return BANYAN_OK;
}

static enum banyan_status text_read_position(struct connect4_state *state, const char *text,
                                             struct banyan_error *err)
{
    uint64_t discs[2] = {0, 0};
    enum banyan_status status = text_read_board(&text, discs, err);
    if (status == BANYAN_OK)
        status = text_check(state, discs, err);
    if (status != BANYAN_OK)
        return status;
    return marks_read_side(text, state->mover, "discs", err);
}

enum banyan_status connect4_init(const struct banyan_game *game, void *at, const char *setup,
                                 struct banyan_rng *rng, struct banyan_error *err)
{
    (void)rng;
    struct connect4_state state = {.mover = 0};
    enum banyan_status status = BANYAN_OK;
    if (setup && strncmp(setup, "moves:", 6) == 0)
        status = text_read_moves(&state, setup + 6, err);
    else if (setup && isdigit((unsigned char)*setup))
        status = text_read_moves(&state, setup, err);
    else if (setup && *setup)
        status = text_read_position(&state, setup, err);
    if (status == BANYAN_OK)
        memcpy(at, &state, sizeof state);
    return status;
}

int connect4_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct connect4_state *state = at;
    struct text text = text_start(out, size);
    uint64_t discs[2];
    text_discs(state, discs);
    for (int row = CONNECT4_ROWS - 1; row >= 0; --row)
        for (int column = 0; column < CONNECT4_COLUMNS; ++column)
            text_add(&text, "%s%c", column == 0 && row < CONNECT4_ROWS - 1 ? "/" : "",
                     text_square(discs, row, column, ".xo"));
    text_add(&text, " %c", "xo"[state->mover]);
    return (int)text.length;
}

int connect4_action_format(const struct banyan_game *game, const void *at, int player,
                           banyan_action action, char *out, size_t size)
{
    (void)at;
    (void)player;
    struct text text = text_start(out, size);
    text_add(&text, "%d", 1 + (int)action);
    return (int)text.length;
}

enum banyan_status connect4_action_parse(const struct banyan_game *game, const void *at, int player,
                                         const char *text, banyan_action *out,
                                         struct banyan_error *err)
{
    (void)player;
    const struct connect4_state *state = at;
    if (text[0] < '1' || text[0] > '7' || text[1])
        return banyan_fail(err, BANYAN_INVALID, "'%s' is not a column: write 1 to 7", text);
    if (state->result != CONNECT4_OPEN)
        return banyan_fail(err, BANYAN_ILLEGAL, "the game is over");
    if (!connect4_room(state, (unsigned)(text[0] - '1')))
        return banyan_fail(err, BANYAN_ILLEGAL, "column %s is full", text);
    *out = (banyan_action)(text[0] - '1');
    return BANYAN_OK;
}

static const char *text_caption(const struct connect4_state *state)
{
    static const enum marks_result results[] = {[CONNECT4_OPEN] = MARKS_OPEN,
                                                [CONNECT4_X_WON] = MARKS_X_WON,
                                                [CONNECT4_O_WON] = MARKS_O_WON,
                                                [CONNECT4_DRAWN] = MARKS_DRAWN};
    return marks_caption(results[state->result], state->mover);
}

int connect4_draw(const struct banyan_game *game, const void *at, int viewer, char *out,
                  size_t size)
{
    (void)viewer;
    const struct connect4_state *state = at;
    struct text text = text_start(out, size);
    uint64_t discs[2];
    text_discs(state, discs);
    for (int row = CONNECT4_ROWS - 1; row >= 0; --row) {
        text_add(&text, "|");
        for (int column = 0; column < CONNECT4_COLUMNS; ++column)
            text_add(&text, " %c", text_square(discs, row, column, ".XO"));
        text_add(&text, " |\n");
    }
    text_add(&text, "+---------------+\n  1 2 3 4 5 6 7\n%s\n", text_caption(state));
    return (int)text.length;
}

int connect4_svg(const struct banyan_game *game, const void *at, int viewer, char *out, size_t size)
{
    (void)viewer;
    const struct connect4_state *state = at;
    static const char *const names[] = {['.'] = "empty", ['X'] = "x", ['O'] = "o"};
    struct text text = text_start(out, size);
    uint64_t discs[2];
    text_discs(state, discs);
    text_add(&text, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 350 352\">\n"
                    "<style>.board{fill:#2471a3}.empty{fill:#eaf2f8}.x{fill:#c0392b}"
                    ".o{fill:#f1c40f}text{font:16px sans-serif;fill:#222;text-anchor:middle}"
                    "</style>\n<rect class=\"board\" width=\"350\" height=\"300\" rx=\"8\"/>\n");
    for (int row = CONNECT4_ROWS - 1; row >= 0; --row)
        for (int column = 0; column < CONNECT4_COLUMNS; ++column)
            text_add(&text, "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"20\"/>\n",
                     names[(unsigned char)text_square(discs, row, column, ".XO")], 25 + 50 * column,
                     275 - 50 * row);
    for (int column = 0; column < CONNECT4_COLUMNS; ++column)
        text_add(&text, "<text x=\"%d\" y=\"318\">%d</text>\n", 25 + 50 * column, column + 1);
    text_add(&text, "<text x=\"175\" y=\"344\">%s</text>\n</svg>\n", text_caption(state));
    return (int)text.length;
}

/* The cell of a square; the top row of the board is the last row of squares. */
static int text_cell(int row, int column)
{
    return CONNECT4_COLUMNS * (CONNECT4_ROWS - 1 - row) + column;
}

void connect4_board(const struct banyan_game *game, const void *at, int viewer,
                    struct banyan_board *out)
{
    (void)viewer;
    uint64_t discs[2];
    text_discs(at, discs);
    banyan_board_begin(out, BANYAN_BOARD_COLUMNS, CONNECT4_ROWS, CONNECT4_COLUMNS);
    for (int column = 0; column < CONNECT4_COLUMNS; ++column)
        out->col_names[column][0] = (char)('1' + column);
    for (int row = 0; row < CONNECT4_ROWS; ++row) {
        out->row_names[row][0] = 0;
        for (int column = 0; column < CONNECT4_COLUMNS; ++column)
            for (int p = 0; p < 2; ++p)
                if (discs[p] >> (7 * column + row) & 1) {
                    struct banyan_cell *cell = &out->cells[text_cell(row, column)];
                    cell->owner = (int8_t)p;
                    cell->looks = BANYAN_CELL_PIECE;
                    cell->mark[0] = "XO"[p];
                }
    }
}

int connect4_board_cells(const struct banyan_game *game, const void *at, int player,
                         banyan_action action, int out[])
{
    (void)player;
    int row = 0, column = (int)action;
    uint64_t landings = connect4_landings(at);
    while (!(landings >> (7 * column + row) & 1))
        ++row;
    out[0] = text_cell(row, column);
    return 1;
}
