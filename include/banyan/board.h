/* A board that people click: what stands in each cell, and which cells mean an action.
 *
 *          a   b   c         columns and rows have names; cell = cols * row + column.
 *      1   0 | 1 | 2
 *      2   3 | 4 | 5         An action is chosen by clicks on the cells that banyan_game.board_cells
 *      3   6 | 7 | 8         names: on one (a square), or on two (from and to; two corners).
 *
 * A program that draws boards needs no knowledge of the game: `banyan web` draws them all by this struct.
 */
#ifndef BANYAN_BOARD_H
#define BANYAN_BOARD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BANYAN_BOARD_SIDE = 32, /* most rows, and most columns */
    BANYAN_BOARD_CELLS = BANYAN_BOARD_SIDE * BANYAN_BOARD_SIDE,
    BANYAN_BOARD_CLICKS = 2 /* most cells of an action */
};

enum banyan_board_kind {
    BANYAN_BOARD_SQUARES,
    BANYAN_BOARD_HEXAGONS, /* each row stands half a cell further to the right than the one above */
    BANYAN_BOARD_COLUMNS,  /* a click anywhere in a column chooses the action of that column */
    BANYAN_BOARD_RECTANGLES /* the two cells of an action are opposite corners of a rectangle */
};

enum banyan_cell_look {
    BANYAN_CELL_ABSENT = 1 << 0, /* not a part of the board */
    BANYAN_CELL_PIECE = 1 << 1,  /* the owner has a piece here; else the ground is the owner's */
    BANYAN_CELL_DARK = 1 << 2,   /* darker ground, such as an end zone */
    BANYAN_CELL_BALL = 1 << 3,   /* the ball is here */
    BANYAN_CELL_DOWN = 1 << 4,   /* the piece lies on the ground */
    BANYAN_CELL_SPENT = 1 << 5,  /* the piece has moved already */
    BANYAN_CELL_ACTIVE = 1 << 6, /* the piece moves just now */
    BANYAN_CELL_LOOKS = (1 << 7) - 1
};

struct banyan_cell {
    char mark[8];   /* what is written in it, such as "X" or "7"; "": nothing */
    char note[117]; /* more about it in words; "": nothing */
    int8_t owner;   /* player 0..players-1; -1: nobody */
    uint8_t looks;  /* bits: enum banyan_cell_look */
    uint8_t guards; /* bits: players whose pieces guard the cell (tackle zones) */
};

struct banyan_board {
    int32_t rows, cols; /* 1..BANYAN_BOARD_SIDE */
    int32_t kind;       /* enum banyan_board_kind */
    char row_names[BANYAN_BOARD_SIDE][4], col_names[BANYAN_BOARD_SIDE][4];
    struct banyan_cell cells[BANYAN_BOARD_CELLS]; /* [rows * cols], row by row from the top */
};

/* Empties a board: cells without owners, rows named 1, 2, ..., columns a, b, ... (or 1, 2, ... where there are
 * more than 26).  A game's board() usually begins with it. */
void banyan_board_begin(struct banyan_board *out, enum banyan_board_kind kind, int rows, int cols);

/* Names the rows and columns of a board by numbers: first, first + 1, ... */
void banyan_board_number(struct banyan_board *board, int first);

#ifdef __cplusplus
}
#endif
#endif
