/* The null-window search: "is the score above alpha?", and nothing else. */
#include "games/othello/endgame_search.h"

#ifndef ENDGAME_BOARD_IS_INCLUDED
#include "games/othello/endgame_board.h"
#endif
#include "games/othello/endgame_last.h"

#ifdef TUNE
extern int P[];
#else
static const int P[] = {7, 11, 9, 3, 0,0,0,0};
#endif
#define SHALLOW_MAX P[0]
#define DEEP_MIN P[1]
#define ETC_MIN P[2]

static const uint64_t corners = 0x8100000000000081;
static const uint64_t x_squares = 0x0042000000004200;

struct search_move {
    uint64_t flips;
    int square;
    int order; /* the higher, the earlier */
};

/* Squares that touch a square of `set`. */
static inline uint64_t search_around(uint64_t set)
{
    uint64_t wide = set | (set << 1 & 0xfefefefefefefefe) | (set >> 1 & 0x7f7f7f7f7f7f7f7f);
    return wide | wide << 8 | wide >> 8;
}

/* The squares of lines (by step, within `inside` after a step) that have no empty square. */
static inline uint64_t search_full(uint64_t empty, int step, uint64_t up, uint64_t down)
{
    uint64_t gap = empty | (empty << step & up) | (empty >> step & down);
    up &= up << step;
    down &= down >> step;
    gap |= (gap << 2 * step & up) | (gap >> 2 * step & down);
    up &= up << 2 * step;
    down &= down >> 2 * step;
    return ~(gap | (gap << 4 * step & up) | (gap >> 4 * step & down));
}

static inline unsigned search_column(uint64_t discs, int file)
{
    return (unsigned)(((discs >> file & 0x0101010101010101) * 0x0102040810204080) >> 56);
}

static inline uint64_t search_spread(unsigned column)
{
    return ((uint64_t)(column & 0x7f) * 0x0002040810204081 & 0x0101010101010101) |
           (uint64_t)(column >> 7) << 56;
}

static inline uint64_t search_stable_edges(const struct endgame_tables *tables, uint64_t own,
                                           uint64_t other)
{
    const uint8_t(*edge)[256] = tables->edge_stable;
    return edge[own & 255][other & 255] | (uint64_t)edge[own >> 56][other >> 56] << 56 |
           search_spread(edge[search_column(own, 0)][search_column(other, 0)]) |
           search_spread(edge[search_column(own, 7)][search_column(other, 7)]) << 7;
}

/* Discs of own that can never be turned again: not all of them, but surely these. */
static uint64_t search_stable(const struct endgame_tables *tables, uint64_t own, uint64_t other)
{
    const uint64_t inner = 0x007e7e7e7e7e7e00, not_a = 0xfefefefefefefefe,
                   not_h = 0x7f7f7f7f7f7f7f7f, all = ~(uint64_t)0;
    uint64_t empty = ~(own | other);
    uint64_t full1 = search_full(empty, 1, not_a, not_h), full8 = search_full(empty, 8, all, all);
    uint64_t full7 = search_full(empty, 7, not_h, not_a), full9 = search_full(empty, 9, not_a, not_h);
    uint64_t stable = search_stable_edges(tables, own, other) |
                      (own & full1 & full7 & full8 & full9);
    if (!stable)
        return 0;
    for (uint64_t before = 0; before != stable;) {
        before = stable;
        stable |= own & inner & (full1 | stable << 1 | stable >> 1) &
                  (full7 | stable << 7 | stable >> 7) & (full8 | stable << 8 | stable >> 8) &
                  (full9 | stable << 9 | stable >> 9);
    }
    return stable;
}

static inline uint64_t search_odd(const struct endgame_tables *tables, uint64_t empty)
{
    uint64_t odd = 0;
    for (int corner = 0; corner < 64; corner += corner == 4 ? 28 : 4) {
        uint64_t quadrant = tables->quadrant[corner];
        odd |= __builtin_popcountll(empty & quadrant) & 1 ? quadrant : 0;
        if (corner == 36)
            break;
    }
    return odd;
}

/* --- five to SHALLOW_MAX empty squares: parity alone orders the moves --- */

static int search_shallow(struct endgame_solver *solver, uint64_t own, uint64_t other, int alpha,
                          int empty, uint64_t odd)
{
    const struct endgame_tables *tables = &solver->tables;
    solver->nodes++;
    if (alpha >= 2 * empty - 4) {
        int most = 64 - 2 * __builtin_popcountll(search_stable(tables, other, own));
        if (most <= alpha)
            return most;
    }
    uint64_t moves = board_moves(own, other);
    if (!moves) {
        if (!board_moves(other, own))
            return last_final(own, other);
        return -search_shallow(solver, other, own, -alpha - 1, empty, odd);
    }
    int best = -128;
    const uint64_t parts[4] = {moves & odd & corners, moves & odd & ~corners,
                               moves & ~odd & corners, moves & ~odd & ~corners};
    for (int p = 0; p < 4; ++p)
        for (uint64_t rest = parts[p]; rest; rest &= rest - 1) {
            int square = __builtin_ctzll(rest);
            uint64_t flips = board_flips(tables, own, other, square);
            uint64_t mine = own | flips | (rest & (0 - rest));
            uint64_t left = odd ^ tables->quadrant[square];
            int score = -(empty == 5
                              ? last_four(solver, other ^ flips, mine, -alpha - 1, left)
                              : search_shallow(solver, other ^ flips, mine, -alpha - 1, empty - 1, left));
            if (score > alpha)
                return score;
            best = score > best ? score : best;
        }
    return best;
}

/* --- a quick estimate: a few plies, then features that count in an endgame --- */

static int search_estimate(const struct endgame_tables *tables, uint64_t own, uint64_t other)
{
    uint64_t empty = ~(own | other);
    uint64_t mine = board_moves(own, other), theirs = board_moves(other, own);
    if (!mine && !theirs)
        return last_final(own, other);
    int mobility = __builtin_popcountll(mine) - __builtin_popcountll(theirs) +
                   __builtin_popcountll(mine & corners) - __builtin_popcountll(theirs & corners);
    int potential = __builtin_popcountll(search_around(other) & empty) -
                    __builtin_popcountll(search_around(own) & empty);
    uint64_t risky = search_around(empty & corners) & x_squares;
    int squares = __builtin_popcountll(other & risky) - __builtin_popcountll(own & risky);
    int stable = __builtin_popcountll(search_stable_edges(tables, own, other)) -
                 __builtin_popcountll(search_stable_edges(tables, other, own));
    return 2 * mobility + potential + 4 * squares + 4 * stable;
}

static int search_guess(struct endgame_solver *solver, uint64_t own, uint64_t other, int depth,
                        int alpha, int beta)
{
    const struct endgame_tables *tables = &solver->tables;
    solver->nodes++;
    if (depth == 0)
        return search_estimate(tables, own, other);
    uint64_t moves = board_moves(own, other);
    if (!moves) {
        if (!board_moves(other, own))
            return last_final(own, other);
        return -search_guess(solver, other, own, depth, -beta, -alpha);
    }
    int best = -1000;
    for (; moves; moves &= moves - 1) {
        int square = __builtin_ctzll(moves);
        uint64_t flips = board_flips(tables, own, other, square);
        int score = -search_guess(solver, other ^ flips, own | flips | (moves & (0 - moves)),
                                  depth - 1, -beta, best > alpha ? -best : -alpha);
        best = score > best ? score : best;
        if (best >= beta)
            break;
    }
    return best;
}

int endgame_guess(struct endgame_solver *solver, uint64_t own, uint64_t other, int depth)
{
    return search_guess(solver, own, other, depth, -1000, 1000);
}

/* --- more empty squares: table, cut-offs, sorted moves --- */

static int search_order(struct endgame_solver *solver, uint64_t own, uint64_t other, int empty,
                        uint64_t odd, int square)
{
    /* own, other: after the move, the side that answers first */
    const struct endgame_tables *tables = &solver->tables;
    uint64_t bit = (uint64_t)1 << square;
    if (empty >= DEEP_MIN) {
        int depth = (empty - DEEP_MIN) / P[3];
        return -16 * search_guess(solver, own, other, depth > 4 ? 4 : depth, -1000, 1000) + (bit & odd ? 8 : 0);
    }
    uint64_t answers = board_moves(own, other);
    int mobility = __builtin_popcountll(answers) + __builtin_popcountll(answers & corners);
    int potential = __builtin_popcountll(search_around(other) & ~(own | other));
    int stable = __builtin_popcountll(search_stable_edges(tables, other, own));
    return -64 * mobility - 4 * potential + 16 * stable + (bit & odd ? 24 : 0);
}

static int search_moves(struct endgame_solver *solver, uint64_t own, uint64_t other, int empty,
                        uint64_t odd, const struct table_entry *entry, uint64_t moves,
                        struct search_move *list)
{
    const struct endgame_tables *tables = &solver->tables;
    int n = 0;
    for (; moves; moves &= moves - 1) {
        struct search_move *move = list + n++;
        move->square = __builtin_ctzll(moves);
        move->flips = board_flips(tables, own, other, move->square);
        if (move->flips == other) {
            list[0] = *move;
            return 1;
        }
        if (entry && move->square == entry->move[0])
            move->order = 1 << 20;
        else if (entry && move->square == entry->move[1])
            move->order = 1 << 19;
        else
            move->order = search_order(solver, other ^ move->flips,
                                       own | move->flips | (moves & (0 - moves)), empty - 1, odd,
                                       move->square);
    }
    return n;
}

static inline void search_pick(struct search_move *list, int n, int from)
{
    int best = from;
    for (int i = from + 1; i < n; ++i)
        if (list[i].order > list[best].order)
            best = i;
    struct search_move move = list[best];
    list[best] = list[from];
    list[from] = move;
}

static bool search_must_stop(struct endgame_solver *solver)
{
    if ((solver->stop && *solver->stop) ||
        (solver->max_nodes && solver->nodes >= solver->max_nodes))
        solver->stopped = true;
    return solver->stopped;
}

static int search_deep(struct endgame_solver *solver, uint64_t own, uint64_t other, int alpha,
                       int empty, uint64_t odd)
{
    const struct endgame_tables *tables = &solver->tables;
    if (empty <= SHALLOW_MAX)
        return search_shallow(solver, own, other, alpha, empty, odd);
    uint64_t spent = solver->nodes++;
    if (search_must_stop(solver))
        return alpha;
    if (alpha >= 2 * empty - 4) {
        int most = 64 - 2 * __builtin_popcountll(search_stable(tables, other, own));
        if (most <= alpha)
            return most;
    }
    uint64_t moves = board_moves(own, other);
    if (!moves) {
        if (!board_moves(other, own))
            return last_final(own, other);
        return -search_deep(solver, other, own, -alpha - 1, empty, odd);
    }
    const struct table_entry *entry =
        table_find(table_bucket(&solver->table, own, other), own, other);
    if (entry) {
        if (entry->lower > alpha)
            return entry->lower;
        if (entry->upper <= alpha)
            return entry->upper;
    }
    struct search_move list[32];
    int n = search_moves(solver, own, other, empty, odd, entry, moves, list);
    if (list[0].flips == other)
        return 64;
    if (empty > ETC_MIN)
        for (int i = 0; i < n; ++i) {
            uint64_t next_own = other ^ list[i].flips,
                     next_other = own | list[i].flips | (uint64_t)1 << list[i].square;
            const struct table_entry *next =
                table_find(table_bucket(&solver->table, next_own, next_other), next_own, next_other);
            if (next && -next->upper > alpha) {
                return -next->upper;
            }
        }
    int best = -128, best_square = TABLE_NO_MOVE;
    for (int i = 0; i < n; ++i) {
        search_pick(list, n, i);
        uint64_t flips = list[i].flips;
        int square = list[i].square;
        int score = -search_deep(solver, other ^ flips, own | flips | (uint64_t)1 << square,
                                 -alpha - 1, empty - 1, odd ^ tables->quadrant[square]);
        if (solver->stopped)
            return alpha;
        if (score > best) {
            best = score;
            best_square = square;
            if (best > alpha)
                break;
        }
    }
    spent = solver->nodes - spent;
    table_store(&solver->table, own, other, alpha, best, best_square,
                63 - (unsigned)__builtin_clzll(spent | 1));
    return best;
}

int endgame_search(struct endgame_solver *solver, uint64_t own, uint64_t other, int alpha)
{
    uint64_t empty = ~(own | other);
    int count = __builtin_popcountll(empty);
    uint64_t odd = search_odd(&solver->tables, empty);
    if (count > SHALLOW_MAX)
        return search_deep(solver, own, other, alpha, count, odd);
    if (count > 4)
        return search_shallow(solver, own, other, alpha, count, odd);
    if (count == 4)
        return last_four(solver, own, other, alpha, odd);
    if (count == 3)
        return last_three(solver, own, other, alpha, odd);
    if (count == 2)
        return last_two(solver, own, other, alpha, __builtin_ctzll(empty),
                        63 - __builtin_clzll(empty));
    return count == 1 ? last_one(solver, own, __builtin_ctzll(empty)) : last_final(own, other);
}
