/* The null-window search: "is the score above alpha?", and nothing else.
 *
 *     empty squares   how
 *     1..4            endgame_last.h
 *     5..7            search_shallow: moves in the order of parity
 *     8..             search_deep: table of bounds, stable discs, sorted moves; the more squares
 * are empty, the more work goes into the order
 */
#include "games/othello/endgame_search.h"
#include "games/othello/endgame_last.h"
#include "games/othello/endgame_stable.h"

#ifdef TUNE
extern int P[];
#else
static const int P[] = {7, 11, 9, 3, 4, 4, 16, 24, 64, 0};
#endif
#define SEARCH_SHALLOW   P[0]
#define SEARCH_GUESS     P[1]
#define SEARCH_TABLE_CUT P[2]
enum { SEARCH_INFINITE = 1 << 20 };

struct search_move {
    struct board next; /* the board it leads to, seen by the side that answers */
    int square;
    int order; /* higher: earlier */
};

/* Squares of `set` and those that touch them. */
static inline uint64_t search_around(uint64_t set)
{
    uint64_t wide = set | (set << 1 & STABLE_NOT_A) | (set >> 1 & STABLE_NOT_H);
    return wide | wide << 8 | wide >> 8;
}

/* An upper bound of the score: what the other side can never lose is lost. */
static inline int search_most(const struct endgame_solver *solver, struct board board)
{
    uint64_t lost = stable_discs(&solver->tables, board_pass(board), solver->area);
    return solver->squares - 2 * bits_count64(lost);
}

/* Worth the look only if many discs would have to be stable. */
static inline bool search_may_be_lost(int alpha, int empty)
{
    return alpha >= 2 * empty - P[4];
}

static int search_shallow(struct endgame_solver *solver, struct board board, int alpha, int empty,
                          uint64_t odd)
{
    if (empty == 4)
        return last_four(solver, board, alpha, odd);
    solver->nodes++;
    if (search_may_be_lost(alpha, empty)) {
        int most = search_most(solver, board);
        if (most <= alpha)
            return most;
    }
    uint64_t moves = board_legal(board, solver->area);
    if (!moves) {
        board = board_pass(board);
        return board_legal(board, solver->area)
                   ? -search_shallow(solver, board, -alpha - 1, empty, odd)
                   : -board_score(board, solver->area);
    }
    int best = LAST_NO_MOVE;
    uint64_t corners = moves & solver->corners, others = moves & ~solver->corners;
    const uint64_t groups[4] = {corners & odd, others & odd, corners & ~odd, others & ~odd};
    for (int g = 0; g < 4; ++g)
        for (uint64_t rest = groups[g]; rest; rest &= rest - 1) {
            struct board next = board_play(board, rest & (0 - rest));
            uint64_t left = odd ^ solver->tables.quadrant[bits_first64(rest)];
            int score = -search_shallow(solver, next, -alpha - 1, empty - 1, left);
            if (score > alpha)
                return score;
            best = last_better(best, score);
        }
    return best;
}

/* --- estimates --- */

/* What counts in an endgame, in 1/ENDGAME_DISC discs. */
static int search_features(const struct endgame_solver *solver, struct board board)
{
    const struct endgame_tables *tables = &solver->tables;
    struct board pass = board_pass(board);
    uint64_t empty = board_empty(board, solver->area);
    uint64_t mine = board_legal(board, solver->area), theirs = board_legal(pass, solver->area);
    if (!mine && !theirs)
        return ENDGAME_DISC * board_score(board, solver->area);
    int mobility = bits_count64(mine) - bits_count64(theirs) +
                   bits_count64(mine & solver->corners) - bits_count64(theirs & solver->corners);
    int potential = bits_count64(search_around(board.other) & empty) -
                    bits_count64(search_around(board.own) & empty);
    uint64_t risky = search_around(empty & solver->corners) & solver->x_squares;
    int given = bits_count64(board.other & risky) - bits_count64(board.own & risky);
    int stable =
        bits_count64(stable_edges(tables, board)) - bits_count64(stable_edges(tables, pass));
    return 2 * (2 * mobility + potential + 4 * given + 4 * stable);
}

static int search_estimate(struct endgame_solver *solver, struct board board, int depth, int alpha,
                           int beta)
{
    solver->nodes++;
    if (depth == 0)
        return search_features(solver, board);
    uint64_t moves = board_legal(board, solver->area);
    if (!moves) {
        board = board_pass(board);
        return board_legal(board, solver->area)
                   ? -search_estimate(solver, board, depth, -beta, -alpha)
                   : -ENDGAME_DISC * board_score(board, solver->area);
    }
    int best = -SEARCH_INFINITE;
    for (; moves && best < beta; moves &= moves - 1) {
        struct board next = board_play(board, moves & (0 - moves));
        int floor = best > alpha ? best : alpha;
        best = last_better(best, -search_estimate(solver, next, depth - 1, -beta, -floor));
    }
    return best;
}

int endgame_estimate(struct endgame_solver *solver, struct board board, int depth)
{
    return search_estimate(solver, board, depth, -SEARCH_INFINITE, SEARCH_INFINITE);
}

/* --- eight and more empty squares --- */

/* How early a move should be tried that leads to `next` with so many empty squares. */
static int search_order(struct endgame_solver *solver, struct board next, int empty, int quiet)
{
    if (empty >= SEARCH_GUESS) {
        int depth = (empty - SEARCH_GUESS) / P[3];
        return 8 * quiet - 8 * search_estimate(solver, next, depth > P[9] ? P[9] : depth,
                                               -SEARCH_INFINITE, SEARCH_INFINITE);
    }
    uint64_t answers = board_legal(next, solver->area);
    int mobility = bits_count64(answers) + bits_count64(answers & solver->corners);
    int potential = bits_count64(search_around(next.other) & board_empty(next, solver->area));
    int stable = bits_count64(stable_edges(&solver->tables, board_pass(next)));
    return P[7] * quiet + P[6] * stable - P[8] * mobility - P[5] * potential;
}

/* Lists the moves with their order; a move that takes the last disc is the whole list. */
static int search_list(struct endgame_solver *solver, struct board board, uint64_t moves,
                       const struct bounds_entry *entry, int empty, uint64_t odd,
                       struct search_move *list)
{
    int n = 0;
    for (; moves; moves &= moves - 1) {
        uint64_t bit = moves & (0 - moves);
        struct search_move *move = list + n++;
        move->next = board_play(board, bit);
        move->square = bits_first64(bit);
        if (!move->next.own) {
            list[0] = *move;
            return 1;
        }
        if (entry && move->square == entry->move[0])
            move->order = SEARCH_INFINITE;
        else if (entry && move->square == entry->move[1])
            move->order = SEARCH_INFINITE - 1;
        else
            move->order = search_order(solver, move->next, empty - 1, (bit & odd) != 0);
    }
    return n;
}

static inline void search_bring_best(struct search_move *list, int n, int to)
{
    int best = to;
    for (int i = to + 1; i < n; ++i)
        if (list[i].order > list[best].order)
            best = i;
    struct search_move move = list[best];
    list[best] = list[to];
    list[to] = move;
}

/* Does the table know a move that is good enough?  Returns its bound, or LAST_NO_MOVE. */
static int search_known(const struct endgame_solver *solver, const struct search_move *list, int n,
                        int alpha)
{
    for (int i = 0; i < n; ++i) {
        const struct bounds_entry *entry = bounds_find(&solver->bounds, list[i].next);
        if (entry && -entry->upper > alpha)
            return -entry->upper;
    }
    return LAST_NO_MOVE;
}

static bool search_must_stop(struct endgame_solver *solver)
{
    if ((solver->stop && *solver->stop) ||
        (solver->max_nodes && solver->nodes >= solver->max_nodes))
        solver->stopped = true;
    return solver->stopped;
}

static int search_deep(struct endgame_solver *solver, struct board board, int alpha, int empty,
                       uint64_t odd);

static void search_all(struct endgame_solver *solver, struct search_move *list, int n, int empty,
                       uint64_t odd, struct bounds_fact *fact)
{
    for (int i = 0; i < n && fact->score <= fact->alpha; ++i) {
        search_bring_best(list, n, i);
        uint64_t left = odd ^ solver->tables.quadrant[list[i].square];
        int score = -search_deep(solver, list[i].next, -fact->alpha - 1, empty - 1, left);
        if (score > fact->score) {
            fact->score = score;
            fact->move = list[i].square;
        }
    }
}

static int search_deep(struct endgame_solver *solver, struct board board, int alpha, int empty,
                       uint64_t odd)
{
    if (empty <= SEARCH_SHALLOW)
        return search_shallow(solver, board, alpha, empty, odd);
    struct bounds_fact fact = {.alpha = alpha, .score = LAST_NO_MOVE, .nodes = solver->nodes++};
    if (search_must_stop(solver))
        return alpha;
    if (search_may_be_lost(alpha, empty)) {
        int most = search_most(solver, board);
        if (most <= alpha)
            return most;
    }
    uint64_t moves = board_legal(board, solver->area);
    if (!moves) {
        board = board_pass(board);
        return board_legal(board, solver->area)
                   ? -search_deep(solver, board, -alpha - 1, empty, odd)
                   : -board_score(board, solver->area);
    }
    const struct bounds_entry *entry = bounds_find(&solver->bounds, board);
    if (entry && (entry->lower > alpha || entry->upper <= alpha))
        return entry->lower > alpha ? entry->lower : entry->upper;
    struct search_move list[ENDGAME_MAX_MOVES];
    int n = search_list(solver, board, moves, entry, empty, odd, list);
    if (empty >= SEARCH_TABLE_CUT) {
        int known = search_known(solver, list, n, alpha);
        if (known != LAST_NO_MOVE)
            return known;
    }
    search_all(solver, list, n, empty, odd, &fact);
    if (solver->stopped)
        return alpha;
    fact.nodes = solver->nodes - fact.nodes;
    bounds_store(&solver->bounds, board, &fact);
    return fact.score;
}

/* The quadrants that have an odd number of empty squares. */
static uint64_t search_odd(const struct endgame_solver *solver, uint64_t empty)
{
    const uint64_t *quadrant = solver->tables.quadrant;
    uint64_t odd = 0;
    for (; empty; empty &= empty - 1)
        odd ^= quadrant[bits_first64(empty)];
    return odd;
}

int endgame_search(struct endgame_solver *solver, struct board board, int alpha)
{
    uint64_t empty = board_empty(board, solver->area), odd = search_odd(solver, empty);
    int count = bits_count64(empty), at[4];
    if (count >= 4)
        return search_deep(solver, board, alpha, count, odd);
    if (count == 3)
        return last_three(solver, board, alpha, odd);
    last_list(empty, odd, at);
    if (count == 2)
        return last_two(solver, board, alpha, at[0], at[1]);
    return count == 1 ? last_one(solver, board, at[0]) : board_score(board, solver->area);
}
