/* The last four empty squares, where most of the time goes: no lists, no
 * table, squares in the order of parity.  Part of endgame_search.c, which is
 * built once for each endgame_board*.h.
 */
#ifndef GAMES_OTHELLO_ENDGAME_LAST_H
#define GAMES_OTHELLO_ENDGAME_LAST_H

/* The score of a finished game: empty squares go to the winner. */
static inline int last_final(uint64_t own, uint64_t other)
{
    int mine = __builtin_popcountll(own), theirs = __builtin_popcountll(other);
    int lead = mine - theirs, empty = 64 - mine - theirs;
    return lead > 0 ? lead + empty : lead < 0 ? lead - empty : 0;
}

static inline int last_one(struct endgame_solver *solver, uint64_t own, int square)
{
    const struct endgame_tables *tables = &solver->tables;
    solver->nodes++;
    int mine = __builtin_popcountll(own);
    int flips = board_count_last(tables, own, square);
    if (flips)
        return 2 * (mine + flips) - 62;
    uint64_t other = ~own & ~((uint64_t)1 << square);
    flips = board_count_last(tables, other, square);
    if (flips)
        return 2 * (mine - flips) - 64;
    return 2 * mine - (mine > 31 ? 62 : 64);
}

/* What `own` gets by moving to `square` when `left` is empty too; -128: he cannot. */
static inline int last_try_two(struct endgame_solver *solver, uint64_t own, uint64_t other,
                               int square, int left)
{
    const struct endgame_tables *tables = &solver->tables;
    uint64_t flips;
    if (!(tables->neighbours[square] & other) ||
        !(flips = board_flips(tables, own, other, square)))
        return -128;
    return -last_one(solver, other ^ flips, left);
}

static int last_two(struct endgame_solver *solver, uint64_t own, uint64_t other, int alpha, int a,
                    int b)
{
    solver->nodes++;
    int best = last_try_two(solver, own, other, a, b);
    if (best > alpha)
        return best;
    int score = last_try_two(solver, own, other, b, a);
    best = score > best ? score : best;
    if (best > -128)
        return best;
    best = last_try_two(solver, other, own, a, b); /* own passes */
    if (best >= -alpha)
        return -best;
    score = last_try_two(solver, other, own, b, a);
    best = score > best ? score : best;
    return best > -128 ? -best : last_final(own, other);
}

static inline int last_try_three(struct endgame_solver *solver, uint64_t own, uint64_t other,
                                 int alpha, int square, int a, int b)
{
    const struct endgame_tables *tables = &solver->tables;
    uint64_t flips;
    if (!(tables->neighbours[square] & other) ||
        !(flips = board_flips(tables, own, other, square)))
        return -128;
    return -last_two(solver, other ^ flips, own | flips | (uint64_t)1 << square, -alpha - 1, a, b);
}

static int last_three_in_order(struct endgame_solver *solver, uint64_t own, uint64_t other,
                               int alpha, const int at[3])
{
    int best = last_try_three(solver, own, other, alpha, at[0], at[1], at[2]);
    if (best > alpha)
        return best;
    int score = last_try_three(solver, own, other, alpha, at[1], at[0], at[2]);
    if (score > alpha)
        return score;
    best = score > best ? score : best;
    score = last_try_three(solver, own, other, alpha, at[2], at[0], at[1]);
    return score > best ? score : best;
}

/* Takes the squares of `set` in an order in which a quadrant with an odd number of empty squares
 * comes first: who moves there last gets it quietly. */
static inline int last_squares(uint64_t set, uint64_t odd, int *at)
{
    int n = 0;
    for (uint64_t rest = set & odd; rest; rest &= rest - 1)
        at[n++] = __builtin_ctzll(rest);
    for (uint64_t rest = set & ~odd; rest; rest &= rest - 1)
        at[n++] = __builtin_ctzll(rest);
    return n;
}

static int last_three(struct endgame_solver *solver, uint64_t own, uint64_t other, int alpha,
                      uint64_t odd)
{
    int at[3];
    solver->nodes++;
    last_squares(~(own | other), odd, at);
    int best = last_three_in_order(solver, own, other, alpha, at);
    if (best > -128)
        return best;
    best = last_three_in_order(solver, other, own, -alpha - 1, at);
    return best > -128 ? -best : last_final(own, other);
}

static int last_four_in_order(struct endgame_solver *solver, uint64_t own, uint64_t other,
                              int alpha, uint64_t odd, const int at[4])
{
    const struct endgame_tables *tables = &solver->tables;
    int best = -128;
    for (int i = 0; i < 4; ++i) {
        uint64_t flips;
        if (!(tables->neighbours[at[i]] & other) ||
            !(flips = board_flips(tables, own, other, at[i])))
            continue;
        int score = -last_three(solver, other ^ flips, own | flips | (uint64_t)1 << at[i],
                                -alpha - 1, odd ^ tables->quadrant[at[i]]);
        if (score > alpha)
            return score;
        best = score > best ? score : best;
    }
    return best;
}

static int last_four(struct endgame_solver *solver, uint64_t own, uint64_t other, int alpha,
                     uint64_t odd)
{
    int at[4];
    solver->nodes++;
    last_squares(~(own | other), odd, at);
    int best = last_four_in_order(solver, own, other, alpha, odd, at);
    if (best > -128)
        return best;
    best = last_four_in_order(solver, other, own, -alpha - 1, odd, at);
    return best > -128 ? -best : last_final(own, other);
}

#endif
