/* Look-up tables of the endgame solver.  They are filled once per solver and then only read. */
#ifndef GAMES_OTHELLO_ENDGAME_TABLES_H
#define GAMES_OTHELLO_ENDGAME_TABLES_H

#include <stdint.h>

struct endgame_tables {
    uint64_t neighbours[64];
    uint64_t quadrant[64];     /* the 4x4 quarter of the board that contains the square */
    uint64_t diagonals[64][2]; /* through the square: in steps of 7 and of 9, with the square
                                * itself */
    /* number of discs turned: [place on a line][own discs of the line; all others are the
     * opponent's] */
    uint8_t line_flips[8][256];
    /* own discs that no move can ever turn: [own][opponent's] discs of an edge */
    uint8_t edge_stable[256][256];
};

void endgame_tables_fill(struct endgame_tables *tables);

#endif
