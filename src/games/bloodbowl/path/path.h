/* What the ways of finding paths share (docs/games/bloodbowl-rules.md, "Paths").
 *
 *     path.c        the problem: squares, tackle zones, targets of dice; the choices made of the answer
 *     path_plain.c  no reroll by a skill matters: the best way is the most probable one
 *     path_label.c  with rerolls, as botbowl does it: one label a square
 *     path_exact.c  with rerolls, exact
 *
 * Every step costs one move, so the ways with equally many moves left have come equally many squares.
 */
#ifndef BLOODBOWL_PATH_H
#define BLOODBOWL_PATH_H

#include "base/compiler.h"
#include "games/bloodbowl/rules.h"

enum { PATH_STEPS = 16, PATH_NO_STEP = 8, PATH_WAYS = 5632 };
enum {
    PATH_DODGE = 1,
    PATH_FEET = 2,
    PATH_CASES = 4
};                                           /* rerolls that are still unused, as a set */
enum { PATH_FREE, PATH_TAKEN, PATH_TARGET }; /* squares */
enum { PATH_BALL = 0x40 };                   /* in `beside` */

/* How a square is reached, or what stands on it acted upon. */
struct path_way {
    double probability;
    uint64_t path; /* faces of the D8 less 1, 3 bits each, the first lowest */
    uint16_t square;
    uint8_t step;             /* the last, index into path_steps; PATH_NO_STEP */
    uint8_t steps, diagonals; /* on the way */
    int8_t moves, total;      /* left, without and with going for it */
    int8_t dice;              /* of a block */
    uint8_t foul, handoff;    /* target */
};

struct path_label { /* with rerolls */
    struct path_way way;
    double cases[PATH_CASES]; /* probability with these rerolls unused */
    int16_t next, below;      /* of a list; earlier one of its square, -1 */
    bool covered;             /* by a later one that has come as far */
};

struct path_search {
    const struct bb_state *s;
    int player, team;
    double gfi, dodge[9], pickup[9]; /* probabilities of success, by tackle zones */
    int end_zone;
    uint16_t ball, start; /* ball: lying where it could be picked up */
    bool carries, block, foul, handoff, stood_up, hands;
    uint8_t owned; /* rerolls that may matter, a set of PATH_ */
    struct path_way root;
    int8_t step[8]; /* as differences of squares */
    uint8_t zones[BB_SQUARES], kind[BB_SQUARES];
    uint8_t beside[BB_SQUARES]; /* number of targets next to the square, PATH_BALL */
    int way_count, goal_count;
    const struct path_way *way[BB_SQUARES]; /* the answer: a way to each square in reach */
    struct path_way goal[BB_TEAM_MAX];      /* and to each target */
    int8_t goal_of[BB_PLAYERS];             /* index into goal, -1 */
    union {                                 /* mostly never touched */
        struct path_way plain[PATH_WAYS];
        struct path_label label[PATH_WAYS];
    } room;
};

/* Steps in the order in which botbowl tries them, as faces of the D8 less 1; step 7 - i is back. */
extern const uint8_t path_steps[8];
extern const bool path_diagonal[8];
/* After a step: those that stay next to the square where it began, and back to it. */
extern const uint8_t path_beside[8];

/* Of the way, in 1/100000 squares. */
static inline int path_length(const struct path_way *way)
{
    return way->steps * 100000 + way->diagonals * 41421;
}

/* Neighbours or the same: in squares as numbers, three rows of three. */
static inline bool path_near(int a, int b)
{
    unsigned gap = (unsigned)(a - b + BB_ROW + 1);
    return gap % BB_ROW < 3 && gap / BB_ROW < 3;
}

/* Steps back, or round a corner that costs nothing to cut, cannot help: the others, as a set. */
static inline unsigned path_useful(const struct path_search *p, const struct path_way *way)
{
    if (way->step == PATH_NO_STEP)
        return 0xff;
    unsigned back = 1u << (7 - way->step), beside = path_beside[way->step], set = 0xff & ~back;
    if (!p->zones[way->square - p->step[way->step]])
        return set & ~beside;
    for (beside &= ~back; beside; beside &= beside - 1) {
        int step = bits_first64(beside);
        if (!p->zones[way->square + p->step[step]])
            set &= ~(1u << step);
    }
    return set;
}

/* No way leads on from the end zone with the ball, from the ball. */
static inline bool path_ends(const struct path_search *p, int square)
{
    return p->carries ? bb_x(square) == p->end_zone : square == p->ball;
}

/* way extended by step, without its tests. */
static inline struct path_way path_walk(const struct path_search *p, const struct path_way *way,
                                        int step)
{
    struct path_way next = *way;
    next.square = (uint16_t)(way->square + p->step[step]);
    next.path |= (uint64_t)path_steps[step] << 3 * way->steps;
    next.step = (uint8_t)step;
    ++next.steps;
    next.diagonals = (uint8_t)(way->diagonals + path_diagonal[step]);
    next.moves = (int8_t)(way->moves > 0 ? way->moves - 1 : 0);
    --next.total;
    return next;
}

/* Which of two ways to the same place is taken: negative a, positive b, 0 neither. */
int path_compare(const struct path_search *p, const struct path_way *a, const struct path_way *b);

/* Acts upon the targets next to the end of way; on: its probability after the square that a block
 * costs. */
void path_reach_goals(struct path_search *p, const struct path_way *way, double on);

/* Each fills in way and goal. */
void path_find_plain(struct path_search *p);
void path_find_labels(struct path_search *p);
void path_find_exact(struct path_search *p);

#endif
