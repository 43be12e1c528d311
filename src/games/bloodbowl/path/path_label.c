/* Paths with rerolls by skills as botbowl finds them: one label per square
 * (docs/games/bloodbowl-rules.md, "Paths"; deviation 37).
 *
 * Labels are expanded in layers of equal probability, the safest layer first:
 *
 *    layer p:   open --expand--> same p: open again   (more moves left first, then fewer diagonals)
 *                                less:   risky, lists by probability
 *    its best labels are fixed per square; the next layer starts from the safest risky labels
 *
 * A label is not expanded if the fixed label of its square is better in probability and in moves
 * left.  A label stores its probability for each set of rerolls not used up (its cases).  A label
 * that is in no respect better than an earlier one of its square is removed immediately.
 */
#include "games/bloodbowl/path/path.h"

#include <string.h>

enum { LABEL_RISKS = 1024 };

struct label_list { /* first in, first out */
    int16_t first, last;
};

struct labels {
    struct path_search *p;
    double layer; /* probability of the labels in this layer */
    int count, touched_count, reached_count, highest, risk_count;
    int16_t fixed[BB_SQUARES], current[BB_SQUARES], seen[BB_SQUARES]; /* -1: none */
    uint16_t touched[BB_SQUARES], reached[BB_SQUARES]; /* squares with current labels, squares
                                                        * with fixed labels */
    struct label_list open[PATH_STEPS][PATH_STEPS];    /* by moves left and number of diagonal
                                                        * steps */
    double risk[LABEL_RISKS];                          /* probabilities of risky labels, in
                                                        * increasing order */
    struct label_list risky[LABEL_RISKS];
    struct path_label *label; /* [PATH_WAYS] */
};

/* --- tests --- */

static double label_sum(const double cases[PATH_CASES])
{
    return cases[0] + cases[1] + cases[2] + cases[3];
}

/* Applies a test with this probability of success; a failed test uses the skill's reroll if that is
 * left. */
static void label_test(double cases[PATH_CASES], double success, unsigned skill)
{
    for (unsigned left = 0; left < PATH_CASES; ++left) { /* a failure leads to a set with fewer
                                                          * rerolls: compute that first */
        if (left & skill)
            cases[left & ~skill] += cases[left] * (1 - success) * success;
        cases[left] *= success;
    }
}

/* The probability after picking up the ball.  That is the last step of a path, so it does not
 * matter whether its reroll is then used up. */
static double label_picked_up(const struct path_search *p, const double cases[PATH_CASES],
                              double success)
{
    double sum = 0;
    for (int i = 0; i < PATH_CASES && p->hands; ++i)
        sum += cases[i] * (1 - success) * success;
    for (int i = 0; i < PATH_CASES; ++i)
        sum += cases[i] * success;
    return sum;
}

/* --- queues --- */

static void label_append(struct labels *w, struct label_list *list, int index)
{
    w->label[index].next = -1;
    if (list->first < 0)
        list->first = (int16_t)index;
    else
        w->label[list->last].next = (int16_t)index;
    list->last = (int16_t)index;
}

static void label_open(struct labels *w, int index)
{
    const struct path_way *way = &w->label[index].way;
    if (w->current[way->square] < 0)
        w->touched[w->touched_count++] = way->square;
    w->current[way->square] = (int16_t)index;
    if (path_ends(w->p, way->square) || (way->total <= 0 && !w->p->handoff && !w->p->foul))
        return;
    label_append(w, &w->open[way->total][way->diagonals], index);
    if (way->total > w->highest)
        w->highest = way->total;
}

/* The list of this probability; it is made if there is none.  NULL: there is no room. */
static struct label_list *label_risks(struct labels *w, double probability)
{
    int low = 0, high = w->risk_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (w->risk[middle] < probability)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < w->risk_count && w->risk[low] == probability)
        return &w->risky[low];
    if (w->risk_count == LABEL_RISKS)
        return NULL;
    size_t above = (size_t)(w->risk_count++ - low);
    memmove(w->risk + low + 1, w->risk + low, above * sizeof *w->risk);
    memmove(w->risky + low + 1, w->risky + low, above * sizeof *w->risky);
    w->risk[low] = probability;
    w->risky[low] = (struct label_list){-1, -1};
    return &w->risky[low];
}

static void label_keep(struct labels *w, int index)
{
    const struct path_way *way = &w->label[index].way;
    w->label[index].below = w->seen[way->square];
    w->seen[way->square] = (int16_t)index;
    if (way->probability >= w->layer) {
        label_open(w, index);
        return;
    }
    struct label_list *list = label_risks(w, way->probability);
    if (list)
        label_append(w, list, index);
}

/* --- labels that need not be expanded --- */

/* Whether the fixed label of the square, which is safer, also has more moves left, or as many and a
 * shorter path. */
static bool label_beaten(const struct labels *w, const struct path_way *way)
{
    int index = w->fixed[way->square];
    if (index < 0)
        return false;
    const struct path_way *fixed = &w->label[index].way;
    if (fixed->moves != way->moves && path_near(way->square, w->p->start))
        return fixed->moves > way->moves;
    return fixed->total > way->total ||
           (fixed->total == way->total && path_length(fixed) < path_length(way));
}

/* Whether a is at least as good as b for every continuation: in moves left, length and probability,
 * in the probability that both rerolls are left, and for each set of rerolls in the probability
 * that at least one of them is left. */
static bool label_covers(const struct path_label *a, const struct path_label *b)
{
    const double *x = a->cases, *y = b->cases;
    if (a->way.total < b->way.total || a->way.probability < b->way.probability ||
        (a->way.total == b->way.total && path_length(&a->way) > path_length(&b->way)))
        return false;
    return x[3] >= y[3] && x[3] + x[1] >= y[3] + y[1] && x[3] + x[2] >= y[3] + y[2] &&
           x[3] + x[2] + x[1] >= y[3] + y[2] + y[1];
}

static bool label_is_covered(const struct labels *w, const struct path_label *label)
{
    for (int i = w->seen[label->way.square]; i >= 0; i = w->label[i].below)
        if (label_covers(&w->label[i], label))
            return true;
    return false;
}

/* --- expanding labels --- */

static void label_to_square(struct labels *w, const struct path_label *from,
                            const double cases[PATH_CASES], int step)
{
    struct path_search *p = w->p;
    int to = from->way.square + p->step[step];
    if (w->current[to] >= 0 && from->way.total - 1 <= w->label[w->current[to]].way.total)
        return;
    struct path_label *label = &w->label[w->count];
    label->way = path_walk(p, &from->way, step);
    if (label_beaten(w, &label->way) || w->count == PATH_WAYS - 1)
        return;
    memcpy(label->cases, cases, sizeof label->cases);
    if (p->zones[from->way.square])
        label_test(label->cases, p->dodge[p->zones[to]], PATH_DODGE);
    label->way.probability = to == p->ball
                                 ? label_picked_up(p, label->cases, p->pickup[p->zones[to]])
                                 : label_sum(label->cases);
    if (!label_is_covered(w, label))
        label_keep(w, w->count++);
}

static void label_expand(struct labels *w, int index)
{
    struct path_search *p = w->p;
    const struct path_label *from = &w->label[index];
    double cases[PATH_CASES];
    memcpy(cases, from->cases, sizeof cases);
    if (from->way.moves <= 0)
        label_test(cases, p->gfi, PATH_FEET);
    if (p->beside[from->way.square] & ~PATH_BALL)
        path_reach_goals(p, &from->way, label_sum(cases));
    if (from->way.total <= 0)
        return;
    for (unsigned set = path_useful(p, &from->way); set; set &= set - 1) {
        int step = bits_first64(set);
        if (p->kind[from->way.square + p->step[step]] == PATH_FREE)
            label_to_square(w, from, cases, step);
    }
}

/* --- layers --- */

static void label_expand_layer(struct labels *w)
{
    for (int total = w->highest; total >= 0; --total)
        for (int diagonals = 0; diagonals < PATH_STEPS; ++diagonals) {
            struct label_list *list = &w->open[total][diagonals];
            for (int index = list->first; index >= 0; index = w->label[index].next)
                label_expand(w, index);
            list->first = -1;
        }
    w->highest = 0;
}

static void label_fix_layer(struct labels *w)
{
    for (int i = 0; i < w->touched_count; ++i) {
        int square = w->touched[i], now = w->current[square], fixed = w->fixed[square];
        if (fixed < 0)
            w->reached[w->reached_count++] = (uint16_t)square;
        if (fixed < 0 || path_compare(w->p, &w->label[now].way, &w->label[fixed].way) < 0)
            w->fixed[square] = (int16_t)now;
        w->current[square] = -1;
    }
    w->touched_count = 0;
}

static void label_next_layer(struct labels *w)
{
    w->layer = w->risk[--w->risk_count];
    for (int index = w->risky[w->risk_count].first, next; index >= 0; index = next) {
        const struct path_way *way = &w->label[index].way;
        int current = w->current[way->square];
        next = w->label[index].next;
        if (!label_beaten(w, way) &&
            (current < 0 || path_compare(w->p, way, &w->label[current].way) < 0))
            label_open(w, index);
    }
}

static void label_start(struct labels *w)
{
    struct path_label *root = &w->label[0];
    w->layer = w->p->root.probability;
    w->count = 1;
    w->risk_count = w->touched_count = w->reached_count = w->highest = 0;
    memset(w->fixed, 0xff, sizeof w->fixed);
    memset(w->current, 0xff, sizeof w->current);
    memset(w->seen, 0xff, sizeof w->seen);
    memset(w->open, 0xff, sizeof w->open);
    memset(root, 0, sizeof *root);
    root->way = w->p->root;
    root->cases[w->p->owned] = root->way.probability;
    label_keep(w, 0);
}

void path_find_labels(struct path_search *p)
{
    struct labels w; /* large, but only a small part is normally used */
    w.p = p;
    w.label = p->room.label;
    label_start(&w);
    label_expand_layer(&w);
    label_fix_layer(&w);
    while (w.risk_count) {
        label_next_layer(&w);
        label_expand_layer(&w);
        label_fix_layer(&w);
    }
    for (int i = 0; i < w.reached_count; ++i)
        if (w.reached[i] != p->start)
            p->way[p->way_count++] = &w.label[w.fixed[w.reached[i]]].way;
}
