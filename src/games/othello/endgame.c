#include "games/othello/endgame_search.h"
#include "games/othello/endgame_board.h"

#include <stdlib.h>
#include <string.h>

/* A move of the side that asks, and the position it leads to. */
struct endgame_move {
    uint64_t own, other; /* the side that answers first */
    int square;
    int guess; /* of the score, for the side that asks */
};

enum { ENDGAME_ALIGN = 64, ENDGAME_GUESS_DEPTH = 4 };

static bool endgame_has_avx2(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

static void endgame_choose(struct endgame_solver *solver)
{
    solver->search = endgame_search;
    solver->guess = endgame_guess;
#if defined(__x86_64__)
    if (endgame_has_avx2()) {
        solver->search = endgame_search_avx2;
        solver->guess = endgame_guess_avx2;
    }
#endif
}

enum banyan_status endgame_create(size_t size_bytes, struct endgame_solver **out,
                                  struct banyan_error *err)
{
    *out = NULL;
    if (size_bytes < ENDGAME_MIN_BYTES)
        return banyan_fail(err, BANYAN_INVALID, "an endgame solver needs %d bytes at least",
                           ENDGAME_MIN_BYTES);
    size_bytes -= size_bytes % ENDGAME_ALIGN;
    struct endgame_solver *solver = aligned_alloc(ENDGAME_ALIGN, size_bytes);
    if (!solver)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no %zu bytes for an endgame solver", size_bytes);
    memset(solver, 0, sizeof *solver);
    endgame_tables_fill(&solver->tables);
    size_t head = (sizeof *solver + ENDGAME_ALIGN - 1) / ENDGAME_ALIGN * ENDGAME_ALIGN;
    solver->table.entries = (struct table_entry *)((char *)solver + head);
    solver->table.buckets = (size_bytes - head) / (TABLE_BUCKET * sizeof(struct table_entry));
    if (solver->table.buckets > UINT32_MAX)
        solver->table.buckets = UINT32_MAX;
    endgame_clear(solver);
    endgame_choose(solver);
    *out = solver;
    return BANYAN_OK;
}

void endgame_destroy(struct endgame_solver *solver)
{
    free(solver);
}

void endgame_clear(struct endgame_solver *solver)
{
    memset(solver->table.entries, 0,
           solver->table.buckets * TABLE_BUCKET * sizeof(struct table_entry));
    solver->table.date = 0;
}

static int compare_guess(const void *a, const void *b)
{
    const struct endgame_move *x = a, *y = b;
    return x->guess != y->guess ? (x->guess < y->guess ? 1 : -1) : x->square - y->square;
}

static int endgame_moves(struct endgame_solver *solver, uint64_t own, uint64_t other,
                         struct endgame_move *list)
{
    int n = 0;
    for (uint64_t moves = board_moves(own, other); moves; moves &= moves - 1) {
        struct endgame_move *move = list + n++;
        move->square = __builtin_ctzll(moves);
        uint64_t flips = board_flips(&solver->tables, own, other, move->square);
        move->own = other ^ flips;
        move->other = own | flips | (moves & (0 - moves));
        move->guess = -solver->guess(solver, move->own, move->other, ENDGAME_GUESS_DEPTH);
    }
    qsort(list, (size_t)n, sizeof *list, compare_guess);
    return n;
}

/* Is what the side that moves gets by this move at least `score`? */
static bool endgame_reaches(struct endgame_solver *solver, const struct endgame_move *move,
                            int score, int *bound)
{
    *bound = -solver->search(solver, move->own, move->other, -score);
    return *bound >= score;
}

/* The exact value of a move that is known to lie in lower..upper, from a guess on. */
static int endgame_value(struct endgame_solver *solver, const struct endgame_move *move, int lower,
                         int upper, int guess)
{
    int step = 2, bound;
    while (lower < upper && !solver->stopped) {
        int test = guess <= lower ? lower + 2 : guess > upper ? upper : guess;
        if (endgame_reaches(solver, move, test, &bound)) {
            lower = bound;
            guess = lower + step;
        } else {
            upper = bound;
            guess = upper - step + 2;
        }
        step = step < 8 ? 2 * step : step;
    }
    return lower;
}

enum banyan_status endgame_solve(struct endgame_solver *solver, uint64_t own, uint64_t other,
                                 const struct endgame_limits *limits,
                                 struct endgame_result *result)
{
    struct endgame_move list[32];
    solver->nodes = 0;
    solver->stopped = false;
    solver->stop = limits ? limits->stop : NULL;
    solver->max_nodes = limits ? limits->max_nodes : 0;
    solver->table.date = (uint8_t)(solver->table.date % 255 + 1);
    int n = endgame_moves(solver, own, other, list);
    int best = -64;
    result->best = 0;
    for (int i = 0; i < n && !solver->stopped; ++i) {
        int bound = 64;
        if (i > 0 && !endgame_reaches(solver, list + i, best, &bound))
            continue;
        int guess = list[i].guess / 8;
        guess = i == 0 ? 2 * (guess / 2) : best + 2;
        int value = endgame_value(solver, list + i, i ? bound : -64, 64, guess);
        if (value > best)
            result->best = 0;
        best = value;
        result->best |= (uint64_t)1 << list[i].square;
    }
    result->score = best;
    result->nodes = solver->nodes;
    return solver->stopped ? BANYAN_INTERRUPTED : BANYAN_OK;
}
