/* Pictures of Hex: a rhombus for the terminal, and one as SVG. */
#include "games/hex/hex.h"

#include <banyan/board.h>

#include "base/text.h"

static char picture_cell(const struct hex_state *state, int cell)
{
    return ".XO"[hex_has(state, HEX_STONES, cell) + 2 * hex_has(state, HEX_STONES + 1, cell)];
}

/* sides: the names of black and white in the picture. */
static void picture_add_caption(struct text *text, const struct hex_state *state,
                                const char *const sides[2])
{
    if (state->result != HEX_OPEN)
        text_add(text, "%s has won", sides[state->result == HEX_WHITE_WON]);
    else
        text_add(text, "%s to move%s", sides[state->mover],
                 hex_may_swap(state) ? ", who may swap" : "");
}

/* Each row stands half a cell to the right of the row above it. */
int hex_draw(const struct banyan_game *game, const void *at, int viewer, char *out, size_t size)
{
    (void)viewer;
    const struct hex_state *state = at;
    struct text text = text_start(out, size);
    text_add(&text, "  ");
    for (int column = 0; column < state->size; ++column)
        text_add(&text, " %c", 'a' + column);
    for (int row = 0; row < state->size; ++row) {
        text_add(&text, "\n%*s%2d", row, "", row + 1);
        for (int column = 0; column < state->size; ++column)
            text_add(&text, " %c", picture_cell(state, state->size * row + column));
    }
    text_add(&text, "\nX links top and bottom, O left and right.\n");
    picture_add_caption(&text, state, (const char *const[]){"X", "O"});
    text_add(&text, "\n");
    return (int)text.length;
}

enum { CELL_WIDTH = 34, CELL_HEIGHT = 30, CELL_MARGIN = 40 };

/* The centre of a cell. */
static int picture_x(int row, int column)
{
    return CELL_MARGIN + CELL_WIDTH * column + CELL_WIDTH / 2 * row;
}

static int picture_y(int row)
{
    return CELL_MARGIN + 10 + CELL_HEIGHT * row;
}

/* Lines along the four edges, in the colour of the player who links them. */
static void picture_edges(struct text *text, int size)
{
    int last = size - 1, x = CELL_WIDTH / 2 + 4, y = 24;
    text_add(text,
             "<path class=\"top\" d=\"M%d %dL%d %dM%d %dL%d %d\"/>\n"
             "<path class=\"side\" d=\"M%d %dL%d %dM%d %dL%d %d\"/>\n",
             picture_x(0, 0), picture_y(0) - y, picture_x(0, last), picture_y(0) - y,
             picture_x(last, 0), picture_y(last) + y, picture_x(last, last), picture_y(last) + y,
             picture_x(0, 0) - x, picture_y(0), picture_x(last, 0) - x, picture_y(last),
             picture_x(0, last) + x, picture_y(0), picture_x(last, last) + x, picture_y(last));
}

static void picture_labels(struct text *text, int size)
{
    for (int i = 0; i < size; ++i)
        text_add(text, "<text x=\"%d\" y=\"%d\">%c</text><text x=\"%d\" y=\"%d\">%d</text>\n",
                 picture_x(0, i), picture_y(0) - 30, 'a' + i, picture_x(i, 0) - 32,
                 picture_y(i) + 5, i + 1);
}

int hex_svg(const struct banyan_game *game, const void *at, int viewer, char *out, size_t size)
{
    (void)viewer;
    const struct hex_state *state = at;
    struct text text = text_start(out, size);
    int last = state->size - 1;
    text_add(&text,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n"
             "<style>.cell{fill:#f3e3c3;stroke:#8a6d3b}.X{fill:#111}.O{fill:#fff;stroke:#111}"
             "path{stroke-width:5;fill:none}.top{stroke:#111}.side{stroke:#bbb}"
             "text{font:13px sans-serif;fill:#222;text-anchor:middle}</style>\n"
             "<defs><path id=\"c\" class=\"cell\" style=\"stroke-width:1;fill:#f3e3c3\" "
             "d=\"M0-20l17 10v20l-17 10l-17-10v-20z\"/><circle id=\"s\" r=\"12\"/></defs>\n",
             picture_x(last, last) + CELL_MARGIN, picture_y(last) + 70);
    for (int row = 0; row < state->size; ++row)
        for (int column = 0; column < state->size; ++column) {
            char cell = picture_cell(state, state->size * row + column);
            int x = picture_x(row, column), y = picture_y(row);
            text_add(&text, "<use href=\"#c\" x=\"%d\" y=\"%d\"/>", x, y);
            if (cell != '.')
                text_add(&text, "<use href=\"#s\" class=\"%c\" x=\"%d\" y=\"%d\"/>", cell, x, y);
            text_add(&text, "\n");
        }
    picture_edges(&text, state->size);
    picture_labels(&text, state->size);
    text_add(&text, "<text x=\"%d\" y=\"%d\">", (picture_x(0, 0) + picture_x(last, last)) / 2,
             picture_y(last) + 52);
    picture_add_caption(&text, state, (const char *const[]){"black", "white"});
    text_add(&text, "</text>\n</svg>\n");
    return (int)text.length;
}

void hex_board(const struct banyan_game *game, const void *at, int viewer, struct banyan_board *out)
{
    (void)viewer;
    const struct hex_state *state = at;
    banyan_board_begin(out, BANYAN_BOARD_HEXAGONS, state->size, state->size);
    for (int cell = 0; cell < state->size * state->size; ++cell)
        for (int p = 0; p < 2; ++p)
            if (hex_has(state, HEX_STONES + p, cell)) {
                out->cells[cell].owner = (int8_t)p;
                out->cells[cell].looks = BANYAN_CELL_PIECE;
            }
}

int hex_board_cells(const struct banyan_game *game, const void *at, int player,
                    banyan_action action, int out[])
{
    (void)player;
    out[0] = (int)action;
    return out[0] != hex_swap_action(at);
}
