/* The most probable way to every square in reach, where no reroll by a skill matters.
 *
 * Ways grow step by step.  A way is worth following only when it is safer than all that came to its
 * square in fewer steps, so the open field is crossed in rings and only tackle zones and squares gone
 * for are visited again.
 */
#include "games/bloodbowl/path.h"

#include <string.h>

struct plain {
    struct path_search *p;
    double best[BB_SQUARES]; /* so far; more than 1: never enter */
    int16_t at[BB_SQUARES];  /* way that has it */
    int count, layer;        /* ways; the first of those one step longer than the present */
    int16_t next[PATH_WAYS]; /* of the list by diagonals */
    struct path_way *way;    /* [PATH_WAYS] */
};

static void plain_start(struct plain *w)
{
    struct path_search *p = w->p;
    for (int i = 0; i < BB_SQUARES; ++i)
        w->best[i] = p->kind[i] == PATH_FREE ? 0 : 2;
    w->way[0] = p->root;
    w->count = 1;
    w->best[p->start] = 2;
}

static void plain_enter(struct plain *w, const struct path_way *from, int step, double probability)
{
    struct path_search *p = w->p;
    int to = from->square + p->step[step], index = w->count;
    if (w->best[to] == probability) { /* the shorter of two */
        index = w->at[to];
        if (index < w->layer || w->way[index].diagonals <= from->diagonals + path_diagonal[step])
            return;
    } else if (w->best[to] > 0 && w->at[to] >= w->layer) {
        index = w->at[to];
    } else if (w->count == PATH_WAYS) {
        return;
    } else {
        ++w->count;
    }
    w->best[to] = probability;
    w->at[to] = (int16_t)index;
    w->way[index] = path_walk(p, from, step);
    w->way[index].probability = probability;
}

/* Probability of going one square further, before that square's own tests. */
static double plain_next(const struct path_search *p, const struct path_way *from)
{
    return from->moves > 0 ? from->probability : from->probability * p->gfi;
}

static void plain_expand(struct plain *w, const struct path_way *from)
{
    struct path_search *p = w->p;
    double probability = plain_next(p, from);
    bool dodges = p->zones[from->square] > 0;
    for (unsigned set = path_useful(p, from); set; set &= set - 1) {
        int step = bits_first64(set), to = from->square + p->step[step];
        double now = dodges ? probability * p->dodge[p->zones[to]] : probability;
        if (to == p->ball) {
            double success = p->pickup[p->zones[to]];
            now = p->hands ? now * (1 - success) * success + now * success : now * success;
        }
        if (now >= w->best[to])
            plain_enter(w, from, step, now);
    }
}

/* A square next to the start is entered directly, if that leaves more moves. */
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
    if (p->beside[from.square])
        path_reach_goals(p, &from, plain_next(p, &from));
    if (from.total > 0)
        plain_expand(w, &from);
}

/* Fewer diagonals first: of ways as good as another the first stays. */
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
    struct plain w; /* mostly never touched */
    w.p = p;
    w.way = p->room.plain;
    plain_start(&w);
    w.layer = w.count;
    plain_go_on(&w, 0);
    int direct = w.count;
    for (int first = 1; first < w.count; first = w.layer) {
        w.layer = w.count;
        plain_go_on_all(&w, first, w.layer);
    }
    plain_answer(&w, direct);
}
