/* Pictures of Othello: a board for the terminal, and one as SVG. */
#include "games/othello/othello.h"
#include "games/othello/table.h"

#include <banyan/board.h>

#include "base/text.h"

struct picture {
    int size, margin;  /* squares on a side; columns of the 8x8 board to the left of this board */
    uint64_t discs[2]; /* black, white */
    uint64_t legal;
    char caption[96];
};

/* sides: the names of black and white in the picture. */
static struct picture picture_of(const struct othello_state *state, const char *const sides[2])
{
    int size = othello_size(state), mover = othello_mover(state);
    struct picture picture = {
        .size = size, .margin = (8 - size) / 2, .legal = othello_legal(state)};
    picture.discs[mover] = state->own;
    picture.discs[1 - mover] = state->other;
    int black = bits_count64(picture.discs[0]), white = bits_count64(picture.discs[1]);
    struct text text = text_start(picture.caption, sizeof picture.caption);
    text_add(&text, "%s %d, %s %d: ", sides[0], black, sides[1], white);
    if (!(state->moves & OTHELLO_OVER))
        text_add(&text, "%s to move%s", sides[mover], picture.legal ? "" : ", who must pass");
    else if (black == white)
        text_add(&text, "a draw");
    else
        text_add(&text, "%s has won", sides[black < white]);
    return picture;
}

/* The character of this square: '.' empty, '*' a legal move, 'X' black, 'O' white. */
static char picture_square(const struct picture *picture, int row, int column)
{
    int square = 8 * (row + picture->margin) + column + picture->margin;
    if (picture->discs[0] >> square & 1)
        return 'X';
    if (picture->discs[1] >> square & 1)
        return 'O';
    return picture->legal >> square & 1 ? '*' : '.';
}

int othello_draw(const struct banyan_game *game, const void *at, int viewer, char *out, size_t size)
{
    static const char *const sides[] = {"X", "O"};
    (void)viewer;
    struct picture picture = picture_of(at, sides);
    struct text text = text_start(out, size);
    text_add(&text, " ");
    for (int column = 0; column < picture.size; ++column)
        text_add(&text, " %c", 'a' + column);
    for (int row = 0; row < picture.size; ++row) {
        text_add(&text, "\n%d", row + 1);
        for (int column = 0; column < picture.size; ++column)
            text_add(&text, " %c", picture_square(&picture, row, column));
    }
    text_add(&text, "\n%s\n", picture.caption);
    return (int)text.length;
}

static void picture_svg_square(struct text *text, char square, int x, int y)
{
    text_add(text, "<rect class=\"square\" x=\"%d\" y=\"%d\" width=\"40\" height=\"40\"/>\n", x, y);
    if (square == '*')
        text_add(text, "<circle class=\"legal\" cx=\"%d\" cy=\"%d\" r=\"5\"/>\n", x + 20, y + 20);
    else if (square != '.')
        text_add(text, "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"16\"/>\n",
                 square == 'X' ? "black" : "white", x + 20, y + 20);
}

int othello_svg(const struct banyan_game *game, const void *at, int viewer, char *out, size_t size)
{
    static const char *const sides[] = {"black", "white"};
    (void)viewer;
    struct picture picture = picture_of(at, sides);
    struct text text = text_start(out, size);
    int side = 40 * picture.size;
    text_add(
        &text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n"
        "<style>.square{fill:#2e7d4f;stroke:#1b4d31}.black{fill:#111}.white{fill:#f4f4f4}"
        ".legal{fill:#1b4d31}text{font:14px sans-serif;fill:#222;text-anchor:middle}</style>\n",
        side + 40, side + 52);
    for (int i = 0; i < picture.size; ++i)
        text_add(&text, "<text x=\"%d\" y=\"13\">%c</text><text x=\"10\" y=\"%d\">%d</text>\n",
                 40 + 40 * i, 'a' + i, 45 + 40 * i, i + 1);
    for (int row = 0; row < picture.size; ++row)
        for (int column = 0; column < picture.size; ++column)
            picture_svg_square(&text, picture_square(&picture, row, column), 20 + 40 * column,
                               20 + 40 * row);
    text_add(&text, "<text x=\"%d\" y=\"%d\">%s</text>\n</svg>\n", side / 2 + 20, side + 42,
             picture.caption);
    return (int)text.length;
}

void othello_draw_board(const struct banyan_game *game, const void *at, int viewer,
                        struct banyan_board *out)
{
    static const char *const sides[] = {"", ""};
    (void)viewer;
    struct picture picture = picture_of(at, sides);
    banyan_board_begin(out, BANYAN_BOARD_SQUARES, picture.size, picture.size);
    for (int row = 0; row < picture.size; ++row)
        for (int column = 0; column < picture.size; ++column) {
            struct banyan_cell *cell = &out->cells[picture.size * row + column];
            char disc = picture_square(&picture, row, column);
            if (disc != 'X' && disc != 'O')
                continue;
            cell->owner = disc == 'O';
            cell->looks = BANYAN_CELL_PIECE;
        }
}

int othello_board_cells(const struct banyan_game *game, const void *at, int player,
                        banyan_action action, int out[])
{
    (void)player;
    int size = othello_size(at), margin = (8 - size) / 2;
    if (action == OTHELLO_PASS)
        return 0;
    out[0] = size * ((int)action / 8 - margin) + (int)action % 8 - margin;
    return 1;
}
