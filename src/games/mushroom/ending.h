/* Solves the end of a mushroom game exactly.
 *
 * The end is a sum of parts (parts.h), and each move changes one of them.  A search over sets and
 * owners answers the question: can the side to move gain k cells more than the opponent?  It need
 * not generate rectangles, and it stops as soon as bounds settle the question.  The bounds are sums
 * over the parts.  Where first(i) and second(i) are what the side to move gains in part i alone if
 * it begins there, or if its opponent does (both may pass),
 *
 *     the sum of all second(i), but first(i) in one part  <=  gain  <=  the sum of all first(i)
 *
 * for a side can answer each move in the part in which it was made (Milnor 1953, "Sums of
 * positional games").  The same search finds first and second; where only one part is left, it
 * knows that cells out of reach keep their owners.
 */
#ifndef MUSHROOM_ENDING_H
#define MUSHROOM_ENDING_H

#include "games/mushroom/parts.h"

#include <banyan/status.h>
#include <banyan/stop.h>

#include <stddef.h>

enum {
    ENDING_RECTANGLES = 11, /* with more rectangles, the engine does not try to solve */
    ENDING_SETS = PARTS_SETS,
    ENDING_PLACES = 1 << 21 /* entries of the table */
};

/* Bounds of what the side to move can gain in a position: at least `least`, at most `most`. */
struct ending_known {
    uint64_t check;
    int16_t least, most;
    uint16_t action; /* the best one so far; 0xffff: none */
    uint16_t age;    /* 0: empty */
};

struct ending_limits {
    int sets;       /* most sets to list for this position */
    uint64_t nodes; /* most positions to search */
    double (*now)(void);
    double deadline;         /* a time of that clock; 0: none */
    double write_deadline;   /* the sets must be listed before this time; used if deadline is not
                              * 0 */
    const banyan_flag *stop; /* the solver stops when it is set; borrowed; NULL: none */
};

struct ending {
    struct parts parts;
    struct ending_known *known; /* [ENDING_PLACES] */
    int32_t history[2][BOARD_RECTANGLES];
    uint16_t age;
    uint64_t nodes;
    struct ending_limits limits;
    bool stop;
};

struct ending_result {
    int value;  /* 1, 0, -1: the side to move wins, draws, loses */
    int action; /* an action that reaches the value; any action when the side to move loses */
};

enum banyan_status ending_create(struct ending **out, struct banyan_error *err);
void ending_destroy(struct ending *ending);
void ending_clear(struct ending *ending);

/* Returns true when *out is the true result of state, which is not over and has rectangles, and
 * false when a limit was reached.  ending->nodes counts the positions searched. */
bool ending_solve(struct ending *ending, const struct mushroom_state *state, parts_list_fn *list,
                  const struct ending_limits *limits, struct ending_result *out);

#endif
