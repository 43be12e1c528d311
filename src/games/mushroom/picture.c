/* Pictures of the mushroom game: coloured cells for the terminal, SVG. */
#include "games/mushroom/mushroom.h"
#include "games/mushroom/table.h"

#include "base/text.h"

#include <banyan/board.h>

/* Finds the rectangle that was played last; returns false when there is none or it was a pass. */
static bool picture_last(const struct mushroom_state *state, struct rectangle *out)
{
    if (state->last >= BOARD_PASS)
        return false;
    *out = rectangle_of(state->last);
    return true;
}

static bool picture_inside(struct rectangle x, int row, int column)
{
    return row >= x.r1 && row <= x.r2 && column >= x.c1 && column <= x.c2;
}

static int picture_owner(const struct mushroom_state *state, int cell)
{
    return cells_has(&state->owned[0], cell) ? 0 : cells_has(&state->owned[1], cell) ? 1 : -1;
}

/* Draws one cell: its digit or the letter of its owner; '>' marks the cells of the last rectangle.
 */
static void picture_cell(struct text *text, const struct mushroom_state *state, int row, int column,
                         bool marked)
{
    int cell = BOARD_STRIDE * row + column, owner = picture_owner(state, cell);
    if (state->digits[cell])
        text_add(text, " %d", state->digits[cell]);
    else if (owner < 0)
        text_add(text, "  ");
    else
        text_add(text, "%c%c", marked ? '>' : ' ', "FS"[owner]);
}

static void picture_footer(struct text *text, const struct mushroom_state *state)
{
    struct rectangle x;
    int first = cells_count(state->owned[0]), second = cells_count(state->owned[1]);
    text_add(text, "FIRST %d, SECOND %d", first, second);
    if (picture_last(state, &x))
        text_add(text, "; last action: %d %d %d %d", x.r1, x.c1, x.r2, x.c2);
    else if (state->last == BOARD_PASS)
        text_add(text, "; last action: a pass");
    if (state->passes >= 2)
        text_add(text, "; over\n");
    else
        text_add(text, "; %s to move\n", state->mover ? "SECOND" : "FIRST");
}

int mushroom_draw(const struct banyan_game *game, const void *at, int viewer, char *out,
                  size_t size)
{
    (void)viewer;
    const struct mushroom_state *state = at;
    struct rectangle last = {1, 1, 0, 0};
    struct text text = text_start(out, size);
    picture_last(state, &last);
    text_add(&text, "   0 1 2 3 4 5 6 7 8 910111213141516\n");
    for (int r = 0; r < BOARD_ROWS; ++r) {
        text_add(&text, "%2d", r);
        for (int c = 0; c < BOARD_COLUMNS; ++c)
            picture_cell(&text, state, r, c, picture_inside(last, r, c));
        text_add(&text, "\n");
    }
    picture_footer(&text, state);
    return (int)text.length;
}

enum { PICTURE_SIDE = 32 }; /* of a cell, in pixels */

static void picture_svg_cell(struct text *text, const struct mushroom_state *state, int row,
                             int column)
{
    static const char *const fills[3] = {"#f4ead5", "#7fb2e5", "#ee9a8b"};
    int cell = BOARD_STRIDE * row + column, owner = picture_owner(state, cell);
    int x = PICTURE_SIDE * column + 1, y = PICTURE_SIDE * row + 1;
    text_add(text, "<rect x='%d' y='%d' width='%d' height='%d' fill='%s' stroke='#fff'/>", x, y,
             PICTURE_SIDE, PICTURE_SIDE, fills[owner + 1]);
    if (state->digits[cell])
        text_add(text, "<text x='%d' y='%d'>%d</text>", x + PICTURE_SIDE / 2,
                 y + PICTURE_SIDE * 11 / 16, state->digits[cell]);
}

int mushroom_svg(const struct banyan_game *game, const void *at, int viewer, char *out, size_t size)
{
    (void)viewer;
    const struct mushroom_state *state = at;
    struct text text = text_start(out, size);
    struct rectangle last;
    text_add(&text,
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' text-anchor='middle' "
             "font-family='sans-serif' font-size='18'>",
             PICTURE_SIDE * BOARD_COLUMNS + 2, PICTURE_SIDE * (BOARD_ROWS + 1) + 2);
    for (int r = 0; r < BOARD_ROWS; ++r)
        for (int c = 0; c < BOARD_COLUMNS; ++c)
            picture_svg_cell(&text, state, r, c);
    if (picture_last(state, &last))
        text_add(&text,
                 "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#222' "
                 "stroke-width='3'/>",
                 PICTURE_SIDE * last.c1 + 1, PICTURE_SIDE * last.r1 + 1,
                 PICTURE_SIDE * (last.c2 - last.c1 + 1), PICTURE_SIDE * (last.r2 - last.r1 + 1));
    text_add(&text,
             "<text x='%d' y='%d' text-anchor='start'><tspan fill='#2868a8'>FIRST %d</tspan> : "
             "<tspan fill='#b8432f'>%d SECOND</tspan>%s</text></svg>",
             4, PICTURE_SIDE * BOARD_ROWS + 24, cells_count(state->owned[0]),
             cells_count(state->owned[1]),
             state->passes >= 2          ? ", over"
             : state->last == BOARD_PASS ? ", a pass"
                                         : "");
    return (int)text.length;
}

void mushroom_board(const struct banyan_game *game, const void *at, int viewer,
                    struct banyan_board *out)
{
    (void)viewer;
    const struct mushroom_state *state = at;
    banyan_board_begin(out, BANYAN_BOARD_RECTANGLES, BOARD_ROWS, BOARD_COLUMNS);
    banyan_board_number(out, 0);
    for (int r = 0; r < BOARD_ROWS; ++r)
        for (int c = 0; c < BOARD_COLUMNS; ++c) {
            struct banyan_cell *cell = &out->cells[BOARD_COLUMNS * r + c];
            int at_cell = BOARD_STRIDE * r + c;
            cell->owner = (int8_t)picture_owner(state, at_cell);
            if (state->digits[at_cell])
                cell->mark[0] = (char)('0' + state->digits[at_cell]);
            else if (cell->owner < 0)
                cell->looks = BANYAN_CELL_DARK; /* a hole */
        }
}

int mushroom_board_cells(const struct banyan_game *game, const void *at, int player,
                         banyan_action action, int out[])
{
    (void)at;
    (void)player;
    if (action == BOARD_PASS)
        return 0;
    struct rectangle x = rectangle_of((int)action);
    out[0] = BOARD_COLUMNS * x.r1 + x.c1;
    out[1] = BOARD_COLUMNS * x.r2 + x.c2;
    return 2;
}
