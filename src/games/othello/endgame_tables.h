/* What the solver looks up: filled once per solver, read only afterwards. */
#ifndef GAMES_OTHELLO_ENDGAME_TABLES_H
#define GAMES_OTHELLO_ENDGAME_TABLES_H

#include <stdalign.h>
#include <stdint.h>

struct endgame_tables {
    /* The squares seen from a square, by direction: +1 +7 +8 +9, then -1 -7 -8 -9. */
    alignas(32) uint64_t rays[64][8];
    uint64_t lines[64][3]; /* with the square itself: diagonal (9), diagonal (7), file */
    uint8_t place[64][2];  /* how many squares of that diagonal come before it */
    uint64_t neighbours[64];
    uint64_t quadrant[64]; /* the 4x4 corner area it lies in */
    /* [place][own discs of a line of 8, all others being the other's]: how many turn */
    uint8_t flips_in_line[8][256];
    uint8_t edge_stable[256][256]; /* [own][other] discs of an edge: own discs that never turn */
};

void endgame_tables_fill(struct endgame_tables *tables);

#endif
