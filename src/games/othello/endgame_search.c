/* The null-window search of the endgame solver: it only tells whether the score is above alpha.
 *
 *    empty squares   how
 *    1..4            endgame_last.h
 *    5..6            search_shallow: moves ordered by the parity of their quadrant
 *    7..             search_deep: table of bounds, stable discs, sorted moves;
 *                    from 14 on, estimates by searches of up to two plies sort the moves
 */
#include "games/othello/endgame_search.h"

#include "base/clock.h"
#include "games/othello/endgame_last.h"
#include "games/othello/endgame_stable.h"

enum {
    SEARCH_SHALLOW = 6, /* most empty squares for search_shallow */
    SEARCH_LOOK = 13,   /* fewest empty squares after the moves at which estimates order them */
    SEARCH_PLIES = 2,   /* most plies of such an estimate */
    SEARCH_INFINITE = 1 << 20
};

struct search_move {
    struct board next; /* the board after the move, seen by the opponent */
    int square;
    int order; /* moves of higher order are searched first */
};

/* The squares of `set` and all their neighbours. */
static inline uint64_t search_around(uint64_t set)
{
    uint64_t wide = set | (set << 1 & STABLE_NOT_A) | (set >> 1 & STABLE_NOT_H);
    return wide | wide << 8 | wide >> 8;
}

/* An upper bound of the score, from discs that the opponent cannot lose.  With many empty squares
 * it is only computed when alpha is high, because otherwise it rarely helps. */
static inline int search_most(const struct endgame_solver *solver, struct board board, int alpha,
                              int empty)
{
    if (alpha < 2 * empty - 4)
        return solver->squares;
    uint64_t lost = stable_discs(&solver->tables, board_pass(board), solver->area);
    return solver->squares - 2 * bits_count64(lost);
}

static int search_shallow(struct endgame_solver *solver, struct board board, int alpha, int empty,
                          uint64_t odd)
{
    if (empty == 4)
        return last_four(solver, board, alpha, odd);
    solver->nodes++;
    int most = search_most(solver, board, alpha, empty);
    if (most <= alpha)
        return most;
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

/* The number of legal moves; a move to a corner counts twice. */
static inline int search_mobility(const struct endgame_solver *solver, struct board board)
{
    uint64_t moves = board_legal(board, solver->area);
    return bits_count64(moves) + bits_count64(moves & solver->corners);
}

/* The estimate for one side, in 1/ENDGAME_DISC discs.  The weights are from a least-squares fit to
 * the exact scores of 40 000 positions with 7 to 17 empty squares from searches of the FForum
 * positions, then adjusted to lower node counts. */
static int search_side(const struct endgame_solver *solver, struct board board)
{
    uint64_t empty = board_empty(board, solver->area);
    uint64_t beside = search_around(empty & solver->corners) & board.own;
    uint64_t touching = search_around(board.own) & empty;
    int stable = bits_count64(stable_edges(&solver->tables, board));
    return 40 * search_mobility(solver, board) + 64 * bits_count64(board.own & solver->corners) +
           21 * stable - 40 * bits_count64(beside) + 10 * bits_count64(touching);
}

static int search_estimate(struct endgame_solver *solver, struct board board, int depth, int alpha,
                           int beta)
{
    solver->nodes++;
    if (depth == 0)
        return search_side(solver, board) - search_side(solver, board_pass(board));
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

/* --- seven and more empty squares --- */

/* The order of the move that leads to `next`.  A move after which the opponent has few replies
 * makes a small tree; a move after which the position is good is likely to give a cut-off.  quiet:
 * the move is in a quadrant with an odd number of empty squares. */
static int search_order(struct endgame_solver *solver, struct board next, int empty, bool quiet)
{
    int mobility = search_mobility(solver, next);
    if (empty >= SEARCH_LOOK) {
        int depth = empty - SEARCH_LOOK < SEARCH_PLIES ? empty - SEARCH_LOOK : SEARCH_PLIES;
        return quiet - 25 * mobility -
               search_estimate(solver, next, depth, -SEARCH_INFINITE, SEARCH_INFINITE);
    }
    uint64_t targets = search_around(next.other) & board_empty(next, solver->area);
    uint64_t stable = stable_edges(&solver->tables, board_pass(next));
    return 6 * quiet + 4 * bits_count64(stable) - 16 * mobility - bits_count64(targets);
}

/* A position with seven empty squares or more. */
struct search_spot {
    struct board board;
    uint64_t moves;
    int empty;
    uint64_t odd; /* the quadrants with an odd number of empty squares */
};

/* Lists the moves with their order.  A move that takes the opponent's last disc is listed alone. */
static int search_list(struct endgame_solver *solver, const struct search_spot *spot,
                       const struct bounds_entry *entry, struct search_move *list)
{
    int n = 0;
    for (uint64_t moves = spot->moves; moves; moves &= moves - 1) {
        uint64_t bit = moves & (0 - moves);
        struct search_move *move = list + n++;
        move->next = board_play(spot->board, bit);
        if (spot->empty > SEARCH_SHALLOW + 1)
            bounds_prefetch(&solver->bounds, move->next);
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
            move->order = search_order(solver, move->next, spot->empty - 1, (bit & spot->odd) != 0);
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

/* Looks in the table of bounds for a move whose score is known to be above alpha.  Returns its
 * bound, or LAST_NO_MOVE. */
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

/* Whether the deadline has passed.  Reading the clock takes as long as searching a position, so it
 * is read about once a millisecond. */
static bool search_is_late(struct endgame_solver *solver)
{
    if (solver->deadline_ms <= 0 || solver->nodes < solver->next_look)
        return false;
    solver->next_look = solver->nodes + 16384;
    return clock_now_ms() >= solver->deadline_ms;
}

static bool search_must_stop(struct endgame_solver *solver)
{
    if (banyan_flag_is_set(solver->stop) ||
        (solver->max_nodes && solver->nodes >= solver->max_nodes) || search_is_late(solver))
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
    int most = search_most(solver, board, alpha, empty);
    if (most <= alpha)
        return most;
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
    int n = search_list(solver, &(struct search_spot){board, moves, empty, odd}, entry, list);
    int known = empty > SEARCH_SHALLOW + 1 ? search_known(solver, list, n, alpha) : LAST_NO_MOVE;
    if (known != LAST_NO_MOVE)
        return known;
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
