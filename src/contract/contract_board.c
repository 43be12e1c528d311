/* The contract: boards that people click. */
#include "contract/contract.h"

#include <string.h>

/* Draws into an empty board, so that equal boards have equal bytes. */
static void contract_draw_board(struct contract *c, const void *state, int viewer,
                                struct banyan_board *out)
{
    memset(out, 0, sizeof *out);
    contract_calls(c, "board")->board(c->game, state, viewer, out);
}

static bool contract_board_fits(struct contract *c, const struct banyan_board *board)
{
    return contract_check(c,
                          board->rows >= 1 && board->rows <= BANYAN_BOARD_SIDE &&
                              board->cols >= 1 && board->cols <= BANYAN_BOARD_SIDE,
                          "board() has %d rows and %d columns, and 1 to %d are possible",
                          (int)board->rows, (int)board->cols, BANYAN_BOARD_SIDE) &&
           contract_check(c, board->kind >= 0 && board->kind <= BANYAN_BOARD_RECTANGLES,
                          "board() has the kind %d", (int)board->kind);
}

/* Whether text[size] has an end and no control characters. */
static bool contract_is_line(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    for (size_t i = 0; i < length; ++i)
        if ((unsigned char)text[i] < ' ')
            return false;
    return length < size;
}

static void contract_check_names(struct contract *c, const struct banyan_board *board)
{
    for (int row = 0; row < board->rows; ++row)
        contract_check(c, contract_is_line(board->row_names[row], sizeof *board->row_names),
                       "board(): the name of row %d is no line of text", row);
    for (int col = 0; col < board->cols; ++col)
        contract_check(c, contract_is_line(board->col_names[col], sizeof *board->col_names),
                       "board(): the name of column %d is no line of text", col);
}

static void contract_check_cell(struct contract *c, const struct banyan_cell *cell, int at)
{
    contract_check(c, contract_is_line(cell->mark, sizeof cell->mark),
                   "board(): the mark of cell %d is no line of text", at);
    contract_check(c, contract_is_line(cell->note, sizeof cell->note),
                   "board(): the note of cell %d is no line of text", at);
    contract_check(c, cell->owner >= -1 && cell->owner < c->game->players,
                   "board(): cell %d belongs to player %d", at, cell->owner);
    contract_check(c, (cell->looks & ~BANYAN_CELL_LOOKS) == 0,
                   "board(): cell %d has a look that is not known", at);
    contract_check(c, cell->guards >> c->game->players == 0,
                   "board(): cell %d is guarded by somebody who is no player", at);
}

void contract_check_board(struct contract *c, const void *state, int viewer)
{
    contract_draw_board(c, state, viewer, c->board);
    if (!contract_board_fits(c, c->board))
        return;
    contract_check_names(c, c->board);
    for (int i = 0; i < c->board->rows * c->board->cols; ++i)
        contract_check_cell(c, &c->board->cells[i], i);
}

/* Whether a cell can be clicked. */
static bool contract_is_cell(const struct banyan_board *board, int cell)
{
    return cell >= 0 && cell < board->rows * board->cols &&
           !(board->cells[cell].looks & BANYAN_CELL_ABSENT);
}

void contract_check_board_cells(struct contract *c, const void *state, int player)
{
    int cells[BANYAN_BOARD_CLICKS + CONTRACT_GUARD];
    contract_draw_board(c, state, player, c->board);
    if (!contract_board_fits(c, c->board))
        return;
    for (int i = 0; i < c->count[player]; ++i) {
        int n = contract_calls(c, "board_cells")
                    ->board_cells(c->game, state, player, c->legal[player][i], cells);
        if (!contract_check(c, n >= 0 && n <= BANYAN_BOARD_CLICKS,
                            "board_cells() gave %d cells, and 0 to %d are possible", n,
                            BANYAN_BOARD_CLICKS))
            return;
        for (int k = 0; k < n; ++k)
            contract_check(c, contract_is_cell(c->board, cells[k]),
                           "board_cells() names cell %d, which is not on the board", cells[k]);
    }
}

/* Whether an action of viewer, who moves, has the same cells in two states. */
static bool contract_same_cells(struct contract *c, const void *a, const void *b, int viewer,
                                banyan_action action)
{
    int one[BANYAN_BOARD_CLICKS] = {0}, other[BANYAN_BOARD_CLICKS] = {0};
    return contract_calls(c, "board_cells")->board_cells(c->game, a, viewer, action, one) ==
               contract_calls(c, "board_cells")->board_cells(c->game, b, viewer, action, other) &&
           memcmp(one, other, sizeof one) == 0;
}

void contract_check_board_look(struct contract *c, const void *a, const void *b, int viewer)
{
    const struct banyan_game *g = c->game;
    contract_draw_board(c, a, viewer, c->board);
    contract_draw_board(c, b, viewer, c->board_2);
    contract_check(c, memcmp(c->board, c->board_2, sizeof *c->board) == 0,
                   "board() shows player %d what determinize() may change", viewer);
    if (!g->board_cells || !(contract_calls(c, "movers")->movers(g, a) >> viewer & 1))
        return;
    for (int i = 0; i < c->count[viewer]; ++i)
        contract_check(c, contract_same_cells(c, a, b, viewer, c->legal[viewer][i]),
                       "board_cells() shows player %d what determinize() may change", viewer);
}
