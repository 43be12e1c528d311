/* Reads tests/data/othello/fforum.tsv, the public FForum endgame positions. */
#ifndef TESTS_OTHELLO_FFORUM_H
#define TESTS_OTHELLO_FFORUM_H

#include "games/othello/board.h"

#include <stdio.h>
#include <string.h>

struct fforum_position {
    int id, empties, score;
    struct board board;
    uint64_t best;
};

/* "G8 A5" as a set of squares. */
static uint64_t fforum_squares(const char *text)
{
    uint64_t set = 0;
    for (; text[0] >= 'A' && text[0] <= 'H'; text += text[2] == ' ' ? 3 : 2)
        set |= (uint64_t)1 << (8 * (text[1] - '1') + text[0] - 'A');
    return set;
}

/* The next position of file; returns 0 at its end. */
static int fforum_next(FILE *file, struct fforum_position *position)
{
    char line[512], cells[80], mover, best[128];
    while (fgets(line, sizeof line, file)) {
        memset(position, 0, sizeof *position);
        if (sscanf(line, "%d %79s %c %d %d %127[A-H1-8 ]", &position->id, cells, &mover,
                   &position->empties, &position->score, best) != 6)
            continue;
        for (int square = 0; square < 64; ++square) {
            uint64_t bit = (uint64_t)1 << square;
            if (cells[square] == mover)
                position->board.own |= bit;
            else if (cells[square] != '-')
                position->board.other |= bit;
        }
        position->best = fforum_squares(best);
        return 1;
    }
    return 0;
}

#endif
