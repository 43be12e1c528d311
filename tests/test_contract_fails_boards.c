/* The contract test reports games whose boards break a promise of <banyan/board.h>. */
#include "broken_games.h"

#include <banyan/board.h>

static void board_none(const struct banyan_game *game, const void *state, int viewer,
                       struct banyan_board *out)
{
    memset(out, 0, sizeof *out);
}

/* A piece that belongs to nobody who plays, and a mark without an end. */
static void board_of_others(const struct banyan_game *game, const void *state, int viewer,
                            struct banyan_board *out)
{
    connect4()->board(connect4(), state, viewer, out);
    out->cells[3].owner = 2;
    memset(out->cells[4].mark, 'x', sizeof out->cells[4].mark);
}

/* A line break in the name of a row. */
static void board_of_two_lines(const struct banyan_game *game, const void *state, int viewer,
                               struct banyan_board *out)
{
    connect4()->board(connect4(), state, viewer, out);
    out->row_names[2][0] = '\n';
}

static int cells_beyond(const struct banyan_game *game, const void *state, int player,
                        banyan_action action, int out[])
{
    out[0] = (int)(42 + action);
    return 1;
}

static int cells_three(const struct banyan_game *game, const void *state, int player,
                       banyan_action action, int out[])
{
    out[0] = out[1] = out[2] = 0;
    return 3;
}

/* Both cards on the board, whoever looks. */
static void board_shows_all(const struct banyan_game *game, const void *state, int viewer,
                            struct banyan_board *out)
{
    banyan_board_begin(out, BANYAN_BOARD_SQUARES, 1, 1);
    kuhn()->format(kuhn(), state, out->cells[0].note, sizeof out->cells[0].note);
}

SPOIL_WITH(board_none, board)
SPOIL_WITH(board_of_others, board)
SPOIL_WITH(board_of_two_lines, board)
SPOIL_WITH(board_shows_all, board)
SPOIL_WITH(cells_beyond, board_cells)
SPOIL_WITH(cells_three, board_cells)
SPOIL(no_board, board, NULL)

static const struct broken_game broken[] = {
    {connect4, spoil_board_none, "board() has 0 rows and 0 columns"},
    {connect4, spoil_board_of_others, "cell 3 belongs to player 2"},
    {connect4, spoil_board_of_others, "the mark of cell 4 is no line of text"},
    {connect4, spoil_board_of_two_lines, "the name of row 2 is no line of text"},
    {connect4, spoil_cells_beyond, "names cell 42, which is not on the board"},
    {connect4, spoil_cells_three, "board_cells() gave 3 cells"},
    {connect4, spoil_no_board, "board_cells() needs board()"},
    {kuhn, spoil_board_shows_all, "board() shows player"},
};

static void test_boards(void **unused)
{
    (void)unused;
    broken_games_are_found(broken, sizeof broken / sizeof *broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_boards)};
    return cmocka_run_group_tests_name("contract fails, boards", tests, NULL, NULL);
}
