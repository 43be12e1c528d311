/* Solves Othello endgames exactly: creation and limits of a solver, and the search at the root. */
#include "games/othello/endgame.h"
#include "games/othello/endgame_search.h"
#include "games/othello/table.h"

#include <stdlib.h>
#include <string.h>

enum { ENDGAME_ALIGN = 64, ENDGAME_MAX_PLIES = 4 };

struct endgame_move {
    struct board next; /* the board after the move, seen by the opponent */
    int square;
    int guess; /* estimate of the score for the mover, in 1/ENDGAME_DISC discs */
};

/* What a caller wants to know about a position. */
struct endgame_question {
    int lower, upper; /* only scores in this range are computed exactly */
    bool all;         /* true: all best moves; false: one of them */
};

static void endgame_choose_variant(struct endgame_solver *solver)
{
    solver->search = endgame_search;
    solver->estimate = endgame_estimate;
#if defined(__x86_64__)
    if (othello_level() >= OTHELLO_AVX2) {
        solver->search = endgame_search_avx2;
        solver->estimate = endgame_estimate_avx2;
    }
#endif
}

static void endgame_set_area(struct endgame_solver *solver, uint64_t area)
{
    int first = bits_first64(area), side = area == BOARD_AREA_8 ? 8 : area == BOARD_AREA_6 ? 6 : 4;
    int right = first + side - 1, down = 8 * (side - 1);
    uint64_t top = (uint64_t)1 << first | (uint64_t)1 << right;
    solver->area = area;
    solver->squares = side * side;
    solver->corners = top | top << down;
}

enum banyan_status endgame_create(size_t size_bytes, uint64_t area, struct endgame_solver **out,
                                  struct banyan_error *err)
{
    *out = NULL;
    if (size_bytes < ENDGAME_MIN_BYTES)
        return banyan_fail(err, BANYAN_INVALID,
                           "an endgame solver needs at least %d bytes, not %zu", ENDGAME_MIN_BYTES,
                           size_bytes);
    size_bytes -= size_bytes % ENDGAME_ALIGN;
    struct endgame_solver *solver = aligned_alloc(ENDGAME_ALIGN, size_bytes);
    if (!solver)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no %zu bytes for an endgame solver", size_bytes);
    memset(solver, 0, sizeof *solver);
    endgame_tables_fill(&solver->tables);
    endgame_set_area(solver, area);
    endgame_choose_variant(solver);
    size_t head = (sizeof *solver / ENDGAME_ALIGN + 1) * ENDGAME_ALIGN;
    uint64_t buckets = (size_bytes - head) / (BOUNDS_BUCKET * sizeof(struct bounds_entry));
    solver->bounds.entries = (struct bounds_entry *)((char *)solver + head);
    solver->bounds.buckets = buckets < UINT32_MAX ? buckets : UINT32_MAX;
    endgame_clear(solver);
    *out = solver;
    return BANYAN_OK;
}

void endgame_destroy(struct endgame_solver *solver)
{
    free(solver);
}

void endgame_clear(struct endgame_solver *solver)
{
    struct bounds_table *bounds = &solver->bounds;
    memset(bounds->entries, 0, bounds->buckets * BOUNDS_BUCKET * sizeof *bounds->entries);
    bounds->date = 0;
}

static int endgame_compare(const void *a, const void *b)
{
    const struct endgame_move *x = a, *y = b;
    return x->guess != y->guess ? (x->guess < y->guess ? 1 : -1) : x->square - y->square;
}

/* Lists the moves, the best estimate first.  The fewer empty squares, the shallower the estimates.
 */
static int endgame_moves(struct endgame_solver *solver, struct board board,
                         struct endgame_move *list)
{
    int n = 0, plies = bits_count64(board_empty(board, solver->area)) / 4 - 2;
    plies = plies < 0 ? 0 : plies < ENDGAME_MAX_PLIES ? plies : ENDGAME_MAX_PLIES;
    for (uint64_t moves = board_legal(board, solver->area); moves; moves &= moves - 1) {
        struct endgame_move *move = list + n++;
        move->square = bits_first64(moves);
        move->next = board_play(board, moves & (0 - moves));
        move->guess = -solver->estimate(solver, move->next, plies);
    }
    qsort(list, (size_t)n, sizeof *list, endgame_compare);
    return n;
}

/* Whether this move is worth at least `score` (an even number).  *bound becomes a lower bound of
 * the move's value if it is, and an upper bound if not. */
static bool endgame_reaches(struct endgame_solver *solver, const struct endgame_move *move,
                            int score, int *bound)
{
    *bound = -solver->search(solver, move->next, -score);
    return *bound >= score;
}

/* The exact value of a move, which lies in lower..upper, by null-window searches that begin at the
 * estimate. */
static int endgame_value(struct endgame_solver *solver, const struct endgame_move *move, int lower,
                         int upper, int guess)
{
    for (int step = 2; lower < upper && !solver->stopped; step = step < 8 ? 2 * step : step) {
        int bound, test = guess <= lower ? lower + 2 : guess > upper ? upper : guess;
        if (endgame_reaches(solver, move, test, &bound)) {
            lower = bound < upper ? bound : upper;
            guess = lower + step;
        } else {
            upper = bound > lower ? bound : lower;
            guess = upper - step + 2;
        }
    }
    return lower;
}

/* Principal variation search at the root.  It computes the value of the first move, and tests
 * for every other move whether it is better (with question->all: at least as good); only then it
 * computes the value of this move. */
static void endgame_root(struct endgame_solver *solver, const struct endgame_question *question,
                         const struct endgame_move *list, int n, struct endgame_result *result)
{
    const int guess = list[0].guess / (2 * ENDGAME_DISC) * 2;
    int best = endgame_value(solver, list, question->lower, question->upper, guess);
    result->best = (uint64_t)1 << list[0].square;
    for (int i = 1; i < n && !solver->stopped; ++i) {
        int bound, test = question->all ? best : best + 2;
        if (test > question->upper || !endgame_reaches(solver, list + i, test, &bound))
            continue;
        int lower = bound < question->upper ? bound : question->upper;
        int value = endgame_value(solver, list + i, lower, question->upper, lower + 2);
        result->best = (value > best ? 0 : result->best) | (uint64_t)1 << list[i].square;
        best = value;
    }
    result->score = best;
}

static enum banyan_status endgame_ask(struct endgame_solver *solver, struct board board,
                                      const struct endgame_question *question,
                                      const struct endgame_limits *limits,
                                      struct endgame_result *result)
{
    struct endgame_move list[ENDGAME_MAX_MOVES];
    struct board pass = board_pass(board);
    solver->nodes = 0;
    solver->stopped = false;
    solver->stop = limits ? limits->stop : NULL;
    solver->max_nodes = limits ? limits->max_nodes : 0;
    solver->deadline_ms = limits ? limits->deadline_ms : 0;
    solver->next_look = 0;
    solver->bounds.date = (uint8_t)(solver->bounds.date % UINT8_MAX + 1);
    *result = (struct endgame_result){.score = board_score(board, solver->area)};
    int n = endgame_moves(solver, board, list);
    if (n > 0) {
        endgame_root(solver, question, list, n, result);
    } else if ((n = endgame_moves(solver, pass, list)) > 0) {
        const struct endgame_question reply = {-question->upper, -question->lower, false};
        endgame_root(solver, &reply, list, n, result);
        result->score = -result->score;
        result->best = 0;
    }
    result->nodes = solver->nodes;
    return solver->stopped ? BANYAN_INTERRUPTED : BANYAN_OK;
}

enum banyan_status endgame_solve(struct endgame_solver *solver, struct board board,
                                 const struct endgame_limits *limits, struct endgame_result *result)
{
    const struct endgame_question question = {-solver->squares, solver->squares, true};
    return endgame_ask(solver, board, &question, limits, result);
}

enum banyan_status endgame_score(struct endgame_solver *solver, struct board board,
                                 const struct endgame_limits *limits, struct endgame_result *result)
{
    const struct endgame_question question = {-solver->squares, solver->squares, false};
    return endgame_ask(solver, board, &question, limits, result);
}

enum banyan_status endgame_outcome(struct endgame_solver *solver, struct board board,
                                   const struct endgame_limits *limits,
                                   struct endgame_result *result)
{
    const struct endgame_question question = {-2, 2, false};
    enum banyan_status status = endgame_ask(solver, board, &question, limits, result);
    result->score = (result->score > 0) - (result->score < 0);
    return status;
}
