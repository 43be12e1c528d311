/* Pictures of Go: for the terminal, and as SVG. */
#include "games/go/go.h"

#include "base/text.h"

#include <banyan/board.h>

#include <math.h>
#include <stdio.h>

static const char picture_letters[] = "ABCDEFGHJKLMNOPQRST";

/* Whether a cell is marked by a dot on real boards. */
static bool picture_is_star(int size, int cell)
{
    int edge = size < 13 ? 2 : 3, row = cell / size, column = cell % size, middle = size / 2;
    bool rows = row == edge || row == size - 1 - edge || row == middle;
    bool columns = column == edge || column == size - 1 - edge || column == middle;
    bool centre = row == middle && column == middle;
    return rows && columns && (size == 19 || centre || (row != middle && column != middle));
}

static int picture_last(const struct go_state *state)
{
    return state->plies ? go_moves(state)[state->plies - 1] : -1;
}

static void picture_caption(struct text *text, const struct go_state *state)
{
    static const char *const colours[] = {"Black", "White"};
    uint8_t owner[GO_CELLS_MAX];
    int lead = 2 * go_area(state, owner) - state->komi;
    bool passed = picture_last(state) == go_pass(state);
    if (!go_is_over(state))
        text_add(text, "%s to move%s, komi %g", colours[state->mover],
                 passed ? " after a pass" : "", (double)state->komi / 2);
    else if (lead == 0)
        text_add(text, "The game is drawn");
    else
        text_add(text, "%s has won by %g", colours[lead < 0], fabs((double)lead) / 2);
}

static char picture_cell(const struct go_state *state, int cell)
{
    char empty = picture_is_star(state->size, cell) ? '+' : '.';
    return ((const char[]){empty, 'X', 'O'})[go_stones(state)[cell]];
}

static void picture_line(struct text *text, int size)
{
    text_add(text, "  ");
    for (int column = 0; column < size; ++column)
        text_add(text, " %c", picture_letters[column]);
}

/* The last stone stands in brackets. */
int go_draw(const struct banyan_game *game, const void *at, int viewer, char *out, size_t size)
{
    const struct go_state *state = at;
    struct text text = text_start(out, size);
    int last = picture_last(state);
    picture_line(&text, state->size);
    for (int cell = 0; cell < go_cells(state); ++cell) {
        int row = cell / state->size, column = cell % state->size;
        if (column == 0)
            text_add(&text, "\n%2d", state->size - row);
        text_add(&text, "%c%c",
                 cell == last                 ? '('
                 : cell == last + 1 && column ? ')'
                                              : ' ',
                 picture_cell(state, cell));
        if (column == state->size - 1)
            text_add(&text, "%c%d", cell == last ? ')' : ' ', state->size - row);
    }
    text_add(&text, "\n");
    picture_line(&text, state->size);
    text_add(&text, "\nX is black, O is white.  ");
    picture_caption(&text, state);
    text_add(&text, "\n");
    return (int)text.length;
}

enum { CELL = 28, MARGIN = 40 }; /* pixels */

static void picture_grid(struct text *text, int size)
{
    int first = MARGIN, last = MARGIN + CELL * (size - 1);
    text_add(text, "<path d=\"");
    for (int i = 0; i < size; ++i) {
        int at = MARGIN + CELL * i;
        text_add(text, "M%d %dH%dM%d %dV%d", first, at, last, at, first, last);
    }
    text_add(text, "\"/>\n");
    for (int i = 0; i < size; ++i) {
        int at = MARGIN + CELL * i;
        text_add(text, "<text x=\"%d\" y=\"20\">%c</text><text x=\"16\" y=\"%d\">%d</text>\n", at,
                 picture_letters[i], at + 5, size - i);
    }
}

static void picture_stone(struct text *text, const struct go_state *state, int cell)
{
    int x = MARGIN + CELL * (cell % state->size), y = MARGIN + CELL * (cell / state->size);
    int stone = go_stones(state)[cell];
    if (stone != GO_EMPTY)
        text_add(text, "<use href=\"#s\" class=\"%c\" x=\"%d\" y=\"%d\"/>\n", " XO"[stone], x, y);
    else if (picture_is_star(state->size, cell))
        text_add(text, "<circle cx=\"%d\" cy=\"%d\" r=\"3\"/>\n", x, y);
    if (stone != GO_EMPTY && cell == picture_last(state))
        text_add(text, "<circle class=\"last\" cx=\"%d\" cy=\"%d\" r=\"5\"/>\n", x, y);
}

int go_svg(const struct banyan_game *game, const void *at, int viewer, char *out, size_t size)
{
    const struct go_state *state = at;
    struct text text = text_start(out, size);
    int width = 2 * MARGIN + CELL * (state->size - 1);
    text_add(&text,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n"
             "<style>path{stroke:#6b4f1d;fill:none}.X{fill:#111}.O{fill:#fff;stroke:#111}"
             ".last{fill:none;stroke:#d33;stroke-width:2}"
             "text{font:13px sans-serif;fill:#222;text-anchor:middle}</style>\n"
             "<defs><circle id=\"s\" r=\"13\"/></defs>\n"
             "<rect width=\"%d\" height=\"%d\" fill=\"#e8c98a\"/>\n",
             width, width + 20, width, width);
    picture_grid(&text, state->size);
    for (int cell = 0; cell < go_cells(state); ++cell)
        picture_stone(&text, state, cell);
    text_add(&text, "<text x=\"%d\" y=\"%d\">", width / 2, width + 12);
    picture_caption(&text, state);
    text_add(&text, "</text>\n</svg>\n");
    return (int)text.length;
}

/* Rows are numbered from below; the last stone is marked as active. */
void go_board(const struct banyan_game *game, const void *at, int viewer, struct banyan_board *out)
{
    const struct go_state *state = at;
    banyan_board_begin(out, BANYAN_BOARD_SQUARES, state->size, state->size);
    for (int i = 0; i < state->size; ++i) {
        snprintf(out->row_names[i], sizeof *out->row_names, "%d", state->size - i);
        out->col_names[i][0] = picture_letters[i];
    }
    for (int cell = 0; cell < go_cells(state); ++cell)
        if (go_stones(state)[cell] != GO_EMPTY) {
            out->cells[cell].owner = (int8_t)(go_stones(state)[cell] - 1);
            out->cells[cell].looks =
                BANYAN_CELL_PIECE | (cell == picture_last(state) ? BANYAN_CELL_ACTIVE : 0);
        }
}

int go_board_cells(const struct banyan_game *game, const void *at, int player, banyan_action action,
                   int out[])
{
    out[0] = (int)action;
    return out[0] != go_pass(at);
}
