/* Makes an empty board, and names its rows and columns. */
#include <banyan/board.h>

#include <stdio.h>
#include <string.h>

static void board_write(char out[4], int number)
{
    snprintf(out, 4, "%u", (unsigned)number % 1000u);
}

void banyan_board_begin(struct banyan_board *out, enum banyan_board_kind kind, int rows, int cols)
{
    memset(out, 0, sizeof *out);
    out->rows = rows;
    out->cols = cols;
    out->kind = (int32_t)kind;
    for (int row = 0; row < rows; ++row)
        board_write(out->row_names[row], row + 1);
    for (int col = 0; col < cols; ++col)
        if (cols > 26)
            board_write(out->col_names[col], col + 1);
        else
            out->col_names[col][0] = (char)('a' + col);
    for (int cell = 0; cell < rows * cols; ++cell)
        out->cells[cell].owner = -1;
}

void banyan_board_number(struct banyan_board *board, int first)
{
    for (int row = 0; row < board->rows; ++row)
        board_write(board->row_names[row], first + row);
    for (int col = 0; col < board->cols; ++col)
        board_write(board->col_names[col], first + col);
}
