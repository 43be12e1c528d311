/* What the methods of finding paths share (docs/games/bloodbowl-rules.md, "Paths").
 *
 *    path.c        the problem: squares, tackle zones, targets of dice; makes choices of the result
 *    path_plain.c  if no reroll by a skill matters: the best path is the most probable one
 *    path_label.c  with rerolls, as in botbowl: one label per square
 *    path_exact.c  with rerolls, exact
 *
 * Every step costs one move, so paths with equally many moves left have equally many squares.
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
};                                           /* rerolls by skills that are not used up, as a set */
enum { PATH_FREE, PATH_TAKEN, PATH_TARGET }; /* what is on a square */
enum { PATH_BALL = 0x40 };                   /* bit of `beside`: next to the ball */

/* A path to a square, or to a target on it. */
struct path_way {
    double probability;
    uint64_t path; /* faces of the D8 minus 1, 3 bits each, the first lowest */
    uint16_t square;
    uint8_t step;             /* the last step, index into path_steps; PATH_NO_STEP: none */
    uint8_t steps, diagonals; /* of the path */
    int8_t moves, total;      /* moves left, without and with going for it */
    int8_t dice;              /* dice of a block */
    uint8_t foul, handoff;    /* roll that the foul or the hand-off needs */
};

struct path_label { /* a path with rerolls */
    struct path_way way;
    double cases[PATH_CASES]; /* probability with this set of rerolls not used up */
    int16_t next, below;      /* next in a list; earlier label of the same square, or -1 */
    bool covered;             /* by a later label with the same number of steps that is at least
                               * as good */
};

struct path_search {
    const struct bb_state *s;
    int player, team;
    double gfi, dodge[9], pickup[9]; /* probabilities of success, by tackle zones */
    int end_zone;
    uint16_t ball, start; /* ball: square of a ball that could be picked up */
    bool carries, block, foul, handoff, stood_up, hands;
    uint8_t owned; /* rerolls that may matter, as a set of PATH_DODGE and PATH_FEET */
    struct path_way root;
    int8_t step[8]; /* as differences of squares */
    uint8_t zones[BB_SQUARES], kind[BB_SQUARES];
    uint8_t beside[BB_SQUARES]; /* number of targets next to the square, plus PATH_BALL */
    int way_count, goal_count;
    const struct path_way *way[BB_SQUARES]; /* the result: a path to each square in reach */
    struct path_way goal[BB_TEAM_MAX];      /* the result: a path to each target */
    int8_t goal_of[BB_PLAYERS];             /* index into goal, or -1 */
    union {                                 /* large, but only a small part is normally used */
        struct path_way plain[PATH_WAYS];
        struct path_label label[PATH_WAYS];
    } room;
};

/* Steps in the order of botbowl's search, as faces of the D8 minus 1; step 7 - i leads back. */
extern const uint8_t path_steps[8];
extern const bool path_diagonal[8];
/* For each step: the set of next steps to the square that the step left, or next to that square. */
extern const uint8_t path_beside[8];

/* Length of the path in 1/100000 squares. */
static inline int path_length(const struct path_way *way)
{
    return way->steps * 100000 + way->diagonals * 41421;
}

/* Whether two squares are the same or neighbours. */
static inline bool path_near(int a, int b)
{
    unsigned gap = (unsigned)(a - b + BB_ROW + 1);
    return gap % BB_ROW < 3 && gap / BB_ROW < 3;
}

/* The useful next steps, as a set: not back, and not to a square that the previous square reaches
 * in one step with no more risk. */
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

/* Whether every path ends on this square: the end zone for a ball carrier, or the ball. */
static inline bool path_ends(const struct path_search *p, int square)
{
    return p->carries ? bb_x(square) == p->end_zone : square == p->ball;
}

/* The path extended by one step, without the tests of that step. */
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

/* Compares two paths to the same place: negative if a is better, positive if b is, 0 if neither. */
int path_compare(const struct path_search *p, const struct path_way *a, const struct path_way *b);

/* Adds the actions on targets next to the end of the path; on: the probability of the path with the
 * extra square that a block costs. */
void path_reach_goals(struct path_search *p, const struct path_way *way, double on);

/* Each of these methods finds the paths: it fills in `way` and `goal`. */
void path_find_plain(struct path_search *p);
void path_find_labels(struct path_search *p);
void path_find_exact(struct path_search *p);

#endif
