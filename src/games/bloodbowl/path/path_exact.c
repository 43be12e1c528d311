/* The most probable paths with rerolls by skills, exactly; botbowl's single label per square misses
 * some of them.
 *
 * Paths grow step by step.  Later steps may or may not need a reroll.  So of two paths to a square
 * one is only removed if the other is at least as good in every respect: it has at least as many
 * moves left, is at least as probable, the probability that both rerolls are left is at least as
 * high, and so is, for each set of rerolls, the probability that at least one of them is left.
 */
#include "games/bloodbowl/path/path.h"

#include <string.h>

struct exact {
    struct path_search *p;
    int count;
    int16_t seen[BB_SQUARES]; /* the latest path to each square, or -1 */
    struct path_label *way;   /* [PATH_WAYS] */
};

static double exact_sum(const double cases[PATH_CASES])
{
    return cases[0] + cases[1] + cases[2] + cases[3];
}

static void exact_test(double cases[PATH_CASES], double success, unsigned skill)
{
    for (unsigned left = 0; left < PATH_CASES; ++left) { /* a failure leads to a set with fewer
                                                          * rerolls: compute that first */
        if (left & skill)
            cases[left & ~skill] += cases[left] * (1 - success) * success;
        cases[left] *= success;
    }
}

static bool exact_covers(const struct path_label *a, const struct path_label *b)
{
    const double *x = a->cases, *y = b->cases;
    return a->way.probability >= b->way.probability && x[3] >= y[3] && x[3] + x[1] >= y[3] + y[1] &&
           x[3] + x[2] >= y[3] + y[2] && x[3] + x[2] + x[1] >= y[3] + y[2] + y[1];
}

/* Keeps the path with number w->count, if it is useful. */
static void exact_keep(struct exact *w)
{
    struct path_label *now = &w->way[w->count];
    int16_t *seen = &w->seen[now->way.square];
    for (int i = *seen; i >= 0; i = w->way[i].below)
        if (exact_covers(&w->way[i], now))
            return;
    for (int i = *seen; i >= 0 && w->way[i].way.steps == now->way.steps; i = w->way[i].below)
        if (exact_covers(now, &w->way[i]))
            w->way[i].covered = true;
    now->below = *seen;
    now->covered = false;
    *seen = (int16_t)w->count++;
}

static void exact_enter(struct exact *w, const struct path_label *from,
                        const double cases[PATH_CASES], int step)
{
    struct path_search *p = w->p;
    struct path_label *now = &w->way[w->count];
    if (w->count == PATH_WAYS - 1)
        return;
    now->way = path_walk(p, &from->way, step);
    memcpy(now->cases, cases, sizeof now->cases);
    if (p->zones[from->way.square])
        exact_test(now->cases, p->dodge[p->zones[now->way.square]], PATH_DODGE);
    if (now->way.square == p->ball) {
        double success = p->pickup[p->zones[p->ball]];
        for (int i = 0; i < PATH_CASES; ++i)
            now->cases[i] *= p->hands ? success + (1 - success) * success : success;
    }
    now->way.probability = exact_sum(now->cases);
    exact_keep(w);
}

static void exact_expand(struct exact *w, const struct path_label *from)
{
    struct path_search *p = w->p;
    double cases[PATH_CASES];
    memcpy(cases, from->cases, sizeof cases);
    if (from->way.moves <= 0)
        exact_test(cases, p->gfi, PATH_FEET);
    if (p->beside[from->way.square] & ~PATH_BALL)
        path_reach_goals(p, &from->way, exact_sum(cases));
    for (unsigned set = from->way.total > 0 ? path_useful(p, &from->way) : 0; set; set &= set - 1) {
        int step = bits_first64(set);
        if (p->kind[from->way.square + p->step[step]] == PATH_FREE)
            exact_enter(w, from, cases, step);
    }
}

/* Chooses the best path to each square; a square next to the start is entered directly if that
 * leaves more moves. */
static void exact_answer(struct exact *w)
{
    struct path_search *p = w->p;
    for (int square = 0; square < BB_SQUARES; ++square) {
        int best = w->seen[square];
        if (best < 0 || square == p->start)
            continue;
        for (int i = w->way[best].below; i >= 0; i = w->way[i].below)
            if (path_compare(p, &w->way[i].way, &w->way[best].way) < 0)
                best = i;
        p->way[p->way_count++] = &w->way[best].way;
    }
}

void path_find_exact(struct path_search *p)
{
    struct exact w; /* large, but only a small part is normally used */
    struct path_label *root = &p->room.label[0];
    w.p = p;
    w.way = p->room.label;
    w.count = 0;
    memset(w.seen, 0xff, sizeof w.seen);
    memset(root, 0, sizeof *root);
    root->way = p->root;
    root->cases[p->owned] = root->way.probability;
    exact_keep(&w);
    for (int i = 0; i < w.count; ++i) {
        struct path_label from = w.way[i];
        if (!from.covered && !path_ends(p, from.way.square))
            exact_expand(&w, &from);
    }
    exact_answer(&w);
}
