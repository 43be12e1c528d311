#include "games/othello/endgame_tables.h"

#include <stdbool.h>
#include <string.h>

static const int step_file[4] = {1, -1, 0, 1}; /* +1 +7 +8 +9 */
static const int step_rank[4] = {0, 1, 1, 1};

static uint64_t tables_ray(int square, int direction)
{
    int sign = direction < 4 ? 1 : -1;
    int df = sign * step_file[direction & 3], dr = sign * step_rank[direction & 3];
    int file = (square & 7) + df, rank = (square >> 3) + dr;
    uint64_t ray = 0;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += df, rank += dr)
        ray |= (uint64_t)1 << (8 * rank + file);
    return ray;
}

static void tables_fill_square(struct endgame_tables *t, int square)
{
    uint64_t bit = (uint64_t)1 << square, wide = bit;
    uint64_t *rays = t->rays[square];
    for (int d = 0; d < 8; ++d)
        rays[d] = tables_ray(square, d);
    t->lines[square][0] = rays[3] | bit | rays[7];
    t->lines[square][1] = rays[1] | bit | rays[5];
    t->lines[square][2] = rays[2] | bit | rays[6];
    for (int k = 0; k < 2; ++k)
        t->place[square][k] = (uint8_t)__builtin_popcountll(t->lines[square][k] & (bit - 1));
    wide |= (bit << 1 & 0xfefefefefefefefe) | (bit >> 1 & 0x7f7f7f7f7f7f7f7f);
    t->neighbours[square] = (wide | wide << 8 | wide >> 8) & ~bit;
    int corner = (square & 4) | (square & 32);
    t->quadrant[square] = (uint64_t)0x0f0f0f0f << corner;
}

/* The discs between `place` and the nearest own disc on both sides of a line of eight; `other`: where
 * the other side has discs. */
static unsigned tables_line_flips(int place, unsigned own, unsigned other)
{
    unsigned flips = 0, run = 0;
    int at;
    for (at = place + 1; at < 8 && (other >> at & 1); ++at)
        run |= 1u << at;
    if (at < 8 && (own >> at & 1))
        flips |= run;
    run = 0;
    for (at = place - 1; at >= 0 && (other >> at & 1); --at)
        run |= 1u << at;
    if (at >= 0 && (own >> at & 1))
        flips |= run;
    return flips;
}

/* A disc of an edge is stable if no sequence of moves on that edge, by either side, turns it.  (A move
 * needs not turn a disc along the edge: it may be legal because of what it turns elsewhere.) */
static unsigned tables_edge(struct endgame_tables *t, bool *known, unsigned own, unsigned other)
{
    if (known[256 * own + other])
        return t->edge_stable[own][other];
    unsigned stable = own;
    for (int place = 0; place < 8 && stable; ++place) {
        unsigned bit = 1u << place;
        if ((own | other) & bit)
            continue;
        unsigned flips = tables_line_flips(place, own, other);
        stable &= tables_edge(t, known, own | bit | flips, other & ~flips);
        flips = tables_line_flips(place, other, own);
        stable &= tables_edge(t, known, own & ~flips, other | bit | flips);
    }
    known[256 * own + other] = true;
    t->edge_stable[own][other] = (uint8_t)stable;
    return stable;
}

void endgame_tables_fill(struct endgame_tables *tables)
{
    bool known[256 * 256];
    memset(known, 0, sizeof known);
    memset(tables, 0, sizeof *tables);
    for (int square = 0; square < 64; ++square)
        tables_fill_square(tables, square);
    for (int place = 0; place < 8; ++place)
        for (unsigned own = 0; own < 256; ++own)
            tables->flips_in_line[place][own] = (uint8_t)__builtin_popcount(
                tables_line_flips(place, own & ~(1u << place), ~own & 255 & ~(1u << place)));
    for (unsigned own = 0; own < 256; ++own)
        for (unsigned other = 0; other < 256; ++other)
            if (!(own & other))
                tables_edge(tables, known, own, other);
}
