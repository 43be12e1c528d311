/* Tic-tac-toe as text: positions, moves, pictures.
 *
 *     "x.o/.x./... x"     rows 1 to 3, then the side to move (may be left out)
 *     "moves:b2 a1"       the moves that lead to the position
 */
#include "games/tictactoe/tictactoe.h"

#include <banyan/board.h>

#include "base/compiler.h"
#include "base/marks.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

static char tictactoe_square(const struct tictactoe_state *state, int square, const char *names)
{
    return names[(state->marks[0] >> square & 1) + 2 * (state->marks[1] >> square & 1)];
}

/* Reads "b2"; -1 if text does not begin with a square. */
static int tictactoe_square_parse(const char *text)
{
    int column = tolower((unsigned char)text[0]) - 'a';
    if (column < 0 || column > 2 || text[1] < '1' || text[1] > '3')
        return -1;
    return 3 * (text[1] - '1') + column;
}

/* Accepts only positions that can occur when X moves first. */
static enum banyan_status tictactoe_check(struct tictactoe_state *state, struct banyan_error *err)
{
    int xs = bits_count64(state->marks[0]), os = bits_count64(state->marks[1]);
    bool x_won = tictactoe_wins(state->marks[0]), o_won = tictactoe_wins(state->marks[1]);
    if (xs != os && xs != os + 1)
        return banyan_fail(err, BANYAN_INVALID,
                           "%d X and %d O: X moves first, so there are as many X as O or one more",
                           xs, os);
    if (x_won && o_won)
        return banyan_fail(err, BANYAN_INVALID, "both X and O have three in a row");
    if (x_won && xs == os)
        return banyan_fail(err, BANYAN_INVALID, "X has three in a row, but O moved after that");
    if (o_won && xs != os)
        return banyan_fail(err, BANYAN_INVALID, "O has three in a row, but X moved after that");
    state->mover = (uint8_t)(xs - os);
    state->result = x_won                     ? TICTACTOE_X_WON
                    : o_won                   ? TICTACTOE_O_WON
                    : !tictactoe_empty(state) ? TICTACTOE_DRAWN
                                              : TICTACTOE_OPEN;
    return BANYAN_OK;
}

/* Reads nine squares at *text; moves *text to the end of them. */
static enum banyan_status tictactoe_read_board(struct tictactoe_state *state, const char **text,
                                               struct banyan_error *err)
{
    static const struct marks_board board = {"tic-tac-toe", 3, 3, "x.o/.x./... o"};
    unsigned char squares[TICTACTOE_SQUARES];
    enum banyan_status status = marks_read_board(&board, text, squares, err);
    for (int i = 0; status == BANYAN_OK && i < TICTACTOE_SQUARES; ++i)
        if (squares[i])
            state->marks[squares[i] - 1] = (uint16_t)(state->marks[squares[i] - 1] | 1u << i);
    return status;
}

static enum banyan_status tictactoe_read_position(struct tictactoe_state *state, const char *text,
                                                  struct banyan_error *err)
{
    enum banyan_status status = tictactoe_read_board(state, &text, err);
    if (status == BANYAN_OK)
        status = tictactoe_check(state, err);
    if (status != BANYAN_OK)
        return status;
    return marks_read_side(text, state->mover, "marks", err);
}

static enum banyan_status tictactoe_read_moves(struct tictactoe_state *state, const char *text,
                                               struct banyan_error *err)
{
    while (*text) {
        if (*text == ' ' || *text == ',') {
            ++text;
            continue;
        }
        int square = tictactoe_square_parse(text);
        if (square < 0)
            return banyan_fail(err, BANYAN_INVALID, "'%.2s' is not a square: write a1 to c3", text);
        if (state->result != TICTACTOE_OPEN)
            return banyan_fail(err, BANYAN_ILLEGAL, "the game is over before '%.2s'", text);
        if (!(tictactoe_empty(state) >> square & 1))
            return banyan_fail(err, BANYAN_ILLEGAL, "'%.2s' is marked already", text);
        tictactoe_mark(state, (unsigned)square);
        text += 2;
    }
    return BANYAN_OK;
}

enum banyan_status tictactoe_init(const struct banyan_game *game, void *at, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err)
{
    (void)rng;
    struct tictactoe_state state = {.mover = 0};
    enum banyan_status status = BANYAN_OK;
    if (setup && strncmp(setup, "moves:", 6) == 0)
        status = tictactoe_read_moves(&state, setup + 6, err);
    else if (setup && *setup)
        status = tictactoe_read_position(&state, setup, err);
    if (status == BANYAN_OK)
        memcpy(at, &state, sizeof state);
    return status;
}

int tictactoe_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct tictactoe_state *state = at;
    struct text text = text_start(out, size);
    for (int square = 0; square < TICTACTOE_SQUARES; ++square)
        text_add(&text, "%s%c", square == 3 || square == 6 ? "/" : "",
                 tictactoe_square(state, square, ".xo"));
    text_add(&text, " %c", "xo"[state->mover]);
    return (int)text.length;
}

int tictactoe_action_format(const struct banyan_game *game, const void *at, int player,
                            banyan_action action, char *out, size_t size)
{
    (void)at;
    (void)player;
    struct text text = text_start(out, size);
    text_add(&text, "%c%d", 'a' + (int)(action % 3), 1 + (int)(action / 3));
    return (int)text.length;
}

enum banyan_status tictactoe_action_parse(const struct banyan_game *game, const void *at,
                                          int player, const char *text, banyan_action *out,
                                          struct banyan_error *err)
{
    (void)player;
    const struct tictactoe_state *state = at;
    int square = tictactoe_square_parse(text);
    if (square < 0 || text[2])
        return banyan_fail(err, BANYAN_INVALID, "'%s' is not a square: write a1 to c3", text);
    if (state->result != TICTACTOE_OPEN)
        return banyan_fail(err, BANYAN_ILLEGAL, "the game is over");
    if (!(tictactoe_empty(state) >> square & 1))
        return banyan_fail(err, BANYAN_ILLEGAL, "%s is marked already", text);
    *out = (banyan_action)square;
    return BANYAN_OK;
}

static const char *tictactoe_caption(const struct tictactoe_state *state)
{
    static const enum marks_result results[] = {[TICTACTOE_OPEN] = MARKS_OPEN,
                                                [TICTACTOE_X_WON] = MARKS_X_WON,
                                                [TICTACTOE_O_WON] = MARKS_O_WON,
                                                [TICTACTOE_DRAWN] = MARKS_DRAWN};
    return marks_caption(results[state->result], state->mover);
}

int tictactoe_draw(const struct banyan_game *game, const void *at, int viewer, char *out,
                   size_t size)
{
    (void)viewer;
    const struct tictactoe_state *state = at;
    struct text text = text_start(out, size);
    text_add(&text, "    a   b   c\n");
    for (int row = 0; row < 3; ++row) {
        char squares[3];
        for (int column = 0; column < 3; ++column)
            squares[column] = tictactoe_square(state, 3 * row + column, " XO");
        text_add(&text, "%s%d   %c | %c | %c\n", row ? "   ---+---+---\n" : "", row + 1, squares[0],
                 squares[1], squares[2]);
    }
    text_add(&text, "%s\n", tictactoe_caption(state));
    return (int)text.length;
}

static void tictactoe_svg_mark(struct text *text, int mark, int x, int y)
{
    if (mark == 'X')
        text_add(text, "<path class=\"x\" d=\"M%d %dl40 40m0 -40l-40 40\"/>\n", x - 20, y - 20);
    else if (mark == 'O')
        text_add(text, "<circle class=\"o\" cx=\"%d\" cy=\"%d\" r=\"22\"/>\n", x, y);
}

int tictactoe_svg(const struct banyan_game *game, const void *at, int viewer, char *out,
                  size_t size)
{
    (void)viewer;
    const struct tictactoe_state *state = at;
    struct text text = text_start(out, size);
    text_add(&text,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 240 264\" fill=\"none\" "
             "stroke-width=\"6\" stroke-linecap=\"round\">\n"
             "<style>.x{stroke:#c0392b}.o{stroke:#2471a3}.grid{stroke:#444;stroke-width:3}"
             "text{font:16px sans-serif;fill:#222;text-anchor:middle}</style>\n"
             "<path class=\"grid\" d=\"M80 6v228M160 6v228M6 80h228M6 160h228\"/>\n");
    for (int square = 0; square < TICTACTOE_SQUARES; ++square)
        tictactoe_svg_mark(&text, tictactoe_square(state, square, " XO"), 40 + 80 * (square % 3),
                           40 + 80 * (square / 3));
    text_add(&text, "<text x=\"120\" y=\"258\">%s</text>\n</svg>\n", tictactoe_caption(state));
    return (int)text.length;
}

void tictactoe_board(const struct banyan_game *game, const void *at, int viewer,
                     struct banyan_board *out)
{
    (void)viewer;
    const struct tictactoe_state *state = at;
    banyan_board_begin(out, BANYAN_BOARD_SQUARES, 3, 3);
    for (int square = 0; square < TICTACTOE_SQUARES; ++square)
        if (!(tictactoe_empty(state) >> square & 1))
            out->cells[square].mark[0] = tictactoe_square(state, square, " XO");
}

int tictactoe_board_cells(const struct banyan_game *game, const void *at, int player,
                          banyan_action action, int out[])
{
    (void)at;
    (void)player;
    out[0] = (int)action;
    return 1;
}
