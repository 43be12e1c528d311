/* Fills the tables in which the endgame solver looks up lines, flips and stable edges. */
#include "games/othello/endgame_tables.h"
#include "base/compiler.h"

#include <stdbool.h>
#include <string.h>

/* The squares of the line through `square` in one direction and the opposite one, with `square`
 * itself. */
static uint64_t tables_line(int square, int columns, int rows)
{
    uint64_t line = 0;
    for (int k = -7; k <= 7; ++k) {
        int column = (square & 7) + k * columns, row = (square >> 3) + k * rows;
        if (column >= 0 && column < 8 && row >= 0 && row < 8)
            line |= (uint64_t)1 << (8 * row + column);
    }
    return line;
}

static void tables_fill_square(struct endgame_tables *tables, int square)
{
    uint64_t bit = (uint64_t)1 << square, wide = bit;
    tables->diagonals[square][0] = tables_line(square, -1, 1);
    tables->diagonals[square][1] = tables_line(square, 1, 1);
    wide |= (bit << 1 & 0xfefefefefefefefe) | (bit >> 1 & 0x7f7f7f7f7f7f7f7f);
    tables->neighbours[square] = (wide | wide << 8 | wide >> 8) & ~bit;
    tables->quadrant[square] = (uint64_t)0x0f0f0f0f << (square & 36);
}

/* The unbroken line of `other` that starts next to `place` in one direction; 0 unless a disc of
 * `own` follows it. */
static unsigned tables_run(int place, int step, unsigned own, unsigned other)
{
    unsigned run = 0;
    int at = place + step;
    for (; at >= 0 && at < 8 && (other >> at & 1); at += step)
        run |= 1u << at;
    return at >= 0 && at < 8 && (own >> at & 1) ? run : 0;
}

static unsigned tables_line_flips(int place, unsigned own, unsigned other)
{
    return tables_run(place, 1, own, other) | tables_run(place, -1, own, other);
}

static void tables_fill_lines(struct endgame_tables *tables)
{
    for (int place = 0; place < 8; ++place)
        for (unsigned own = 0; own < 256; ++own) {
            unsigned other = ~own & ~(1u << place) & 255;
            tables->line_flips[place][own] =
                (uint8_t)bits_count64(tables_line_flips(place, own, other));
        }
}

/* The stable discs of an edge: those that no sequence of moves on this edge, by either side, can
 * turn.  Moves that turn nothing along the edge are included, because they may turn discs
 * elsewhere. */
static unsigned tables_edge(struct endgame_tables *tables, bool known[256][256], unsigned own,
                            unsigned other)
{
    if (known[own][other])
        return tables->edge_stable[own][other];
    unsigned stable = own;
    for (int place = 0; place < 8; ++place) {
        unsigned bit = 1u << place;
        if ((own | other) & bit)
            continue;
        unsigned flips = tables_line_flips(place, own, other);
        stable &= tables_edge(tables, known, own | bit | flips, other & ~flips);
        flips = tables_line_flips(place, other, own);
        stable &= tables_edge(tables, known, own & ~flips, other | bit | flips);
    }
    known[own][other] = true;
    tables->edge_stable[own][other] = (uint8_t)stable;
    return stable;
}

void endgame_tables_fill(struct endgame_tables *tables)
{
    bool known[256][256];
    memset(known, 0, sizeof known);
    memset(tables, 0, sizeof *tables);
    for (int square = 0; square < 64; ++square)
        tables_fill_square(tables, square);
    tables_fill_lines(tables);
    for (unsigned own = 0; own < 256; ++own)
        for (unsigned other = 0; other < 256; ++other)
            if (!(own & other))
                tables_edge(tables, known, own, other);
}
