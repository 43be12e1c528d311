/* The most probable path to every square in reach, when no reroll by a skill matters.
 *
 * Paths grow step by step.  A path is only continued if it is safer than all paths that reached its
 * square in fewer steps.  So squares without risk are visited once; only squares in tackle zones
 * and those that need a roll for going for it are visited again.
 */
#include "games/bloodbowl/path/path.h"

#include <string.h>

struct plain {
    struct path_search *p;
    double least[BB_SQUARES]; /* lowest probability of a useful path; more than 1: the square
                               * cannot be entered */
    int16_t at[BB_SQUARES];   /* the best path to each square, or -1 */
    int16_t next[PATH_WAYS];  /* the next path with as many diagonal steps, or -1 */
    int count, layer;         /* number of paths; index of the first path that is one step longer
                               * than the present ones */
    struct path_way *way;     /* [PATH_WAYS] */
};

static void plain_start(struct plain *w, struct path_search *p)
{
    w->p = p;
    w->way = p->room.plain;
    for (int i = 0; i < BB_SQUARES; ++i)
        w->least[i] = p->kind[i] == PATH_FREE ? 0 : 2;
    memset(w->at, 0xff, sizeof w->at);
    w->way[0] = p->root;
    w->count = w->layer = 1;
    w->least[p->start] = 2;
}

/* The smallest double above a positive number. */
static double plain_above(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    ++bits;
    memcpy(&number, &bits, sizeof bits);
    return number;
}

/* After all paths of this length are known, a longer path must be safer. */
static void plain_close(struct plain *w)
{
    for (int i = w->layer; i < w->count; ++i)
        w->least[w->way[i].square] = plain_above(w->way[i].probability);
}

/* Adds a step if it is useful; of two equally safe paths the one with fewer diagonal steps is
 * kept. */
static void plain_enter(struct plain *w, const struct path_way *from, int step, double probability)
{
    struct path_search *p = w->p;
    int to = from->square + p->step[step], index = w->at[to];
    if (index < w->layer) {
        if (w->count == PATH_WAYS)
            return;
        index = w->count++;
    } else if (w->least[to] == probability &&
               w->way[index].diagonals <= from->diagonals + path_diagonal[step]) {
        return;
    }
    w->least[to] = probability;
    w->at[to] = (int16_t)index;
    w->way[index] = path_walk(p, from, step);
    w->way[index].probability = probability;
}

/* Probability of moving one more square, before that square's own tests. */
static double plain_next(const struct path_search *p, const struct path_way *from)
{
    return from->moves > 0 ? from->probability : from->probability * p->gfi;
}

static double plain_pick_up(const struct path_search *p, double probability)
{
    double success = p->pickup[p->zones[p->ball]];
    return p->hands ? probability * (1 - success) * success + probability * success
                    : probability * success;
}

/* Extends a path in all eight directions without branches, because the processor could not predict
 * them. */
static void plain_expand(struct plain *w, const struct path_way *from)
{
    struct path_search *p = w->p;
    double on = plain_next(p, from), now[8];
    bool dodges = p->zones[from->square] > 0;
    unsigned enter = 0;
    for (int i = 0; i < 8; ++i)
        now[i] = on;
    for (int i = 0; dodges && i < 8; ++i)
        now[i] *= p->dodge[p->zones[from->square + p->step[i]]];
    for (int i = 0; p->beside[from->square] & PATH_BALL && i < 8; ++i)
        if (from->square + p->step[i] == p->ball)
            now[i] = plain_pick_up(p, now[i]);
    for (int i = 0; i < 8; ++i)
        enter |= (unsigned)(now[i] >= w->least[from->square + p->step[i]]) << i;
    for (; enter; enter &= enter - 1) {
        int step = bits_first64(enter);
        plain_enter(w, from, step, now[step]);
    }
}

/* Chooses the results.  A square next to the start is entered directly if that leaves more moves.
 */
static void plain_answer(struct plain *w, int direct)
{
    struct path_search *p = w->p;
    bool spares = p->root.moves > 1;
    for (int i = 1; i < w->count; ++i) {
        int square = w->way[i].square;
        if (spares && path_near(square, p->start) ? i < direct : w->at[square] == i)
            p->way[p->way_count++] = &w->way[i];
    }
}

static void plain_go_on(struct plain *w, int index)
{
    struct path_search *p = w->p;
    struct path_way from = w->way[index];
    if (path_ends(p, from.square))
        return;
    if (p->beside[from.square] & ~PATH_BALL)
        path_reach_goals(p, &from, plain_next(p, &from));
    if (from.total > 0)
        plain_expand(w, &from);
}

/* Extends paths with fewer diagonal steps first, because the first of equally good paths is kept.
 */
static void plain_go_on_all(struct plain *w, int first, int end)
{
    int16_t list[PATH_STEPS], last[PATH_STEPS];
    int most = 0;
    memset(list, 0xff, sizeof list);
    for (int i = first; i < end; ++i) {
        int diagonals = w->way[i].diagonals;
        w->next[i] = -1;
        if (list[diagonals] < 0)
            list[diagonals] = (int16_t)i;
        else
            w->next[last[diagonals]] = (int16_t)i;
        last[diagonals] = (int16_t)i;
        most = diagonals > most ? diagonals : most;
    }
    for (int diagonals = 0; diagonals <= most; ++diagonals)
        for (int i = list[diagonals]; i >= 0; i = w->next[i])
            plain_go_on(w, i);
}

void path_find_plain(struct path_search *p)
{
    struct plain w; /* large, but only a small part is normally used */
    plain_start(&w, p);
    plain_go_on(&w, 0);
    int direct = w.count;
    for (int first = 1; first < w.count; first = w.layer) {
        plain_close(&w);
        w.layer = w.count;
        plain_go_on_all(&w, first, w.layer);
    }
    plain_answer(&w, direct);
}
