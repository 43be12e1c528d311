/* What the solver looks up: filled once per solver, read only afterwards. */
#ifndef GAMES_OTHELLO_ENDGAME_TABLES_H
#define GAMES_OTHELLO_ENDGAME_TABLES_H

#include <stdint.h>

struct endgame_tables {
    uint64_t neighbours[64];
    uint64_t quadrant[64];     /* the 4x4 corner area it lies in */
    uint64_t diagonals[64][2]; /* with the square itself, by step 7 and step 9 */
    /* [place on a line][own discs of it, all others being the other's]: how many turn */
    uint8_t line_flips[8][256];
    /* [own][other] discs of an edge: own discs that nothing can ever turn */
    uint8_t edge_stable[256][256];
};

void endgame_tables_fill(struct endgame_tables *tables);

#endif
