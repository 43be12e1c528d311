/* Solves the end of a mushroom game exactly.
 *
 * Which rectangles are legal depends only on which mushrooms are left, not on the owners; and when
 * few rectangles are left, few different sets of mushrooms can arise.  So all sets that can arise
 * are listed first, each once:
 *
 *     set --> its rectangles, each with the set that is left after it
 *         --> reach: all cells that this or any later rectangle can cover
 *
 * Then a search over sets and owners answers the question: can the side to move gain k cells more
 * than the opponent?  The search need not generate rectangles.  It knows that cells out of reach
 * keep their owners; this bound ends most lines of play long before the last pass.  Its table
 * treats positions that differ only out of reach as one.
 */
#ifndef MUSHROOM_ENDING_H
#define MUSHROOM_ENDING_H

#include "games/mushroom/windows.h"

#include <banyan/status.h>
#include <banyan/stop.h>

#include <stddef.h>

enum {
    ENDING_RECTANGLES = 11, /* with more rectangles, solving is not tried */
    ENDING_SETS = 1 << 18,
    ENDING_STEPS = 8 * ENDING_SETS,
    ENDING_PLACES = 1 << 21 /* entries of the table */
};

/* One set of mushrooms that can be left. */
struct ending_set {
    struct cells live, reach;
    uint32_t first, count; /* its steps */
};

struct ending_step {
    struct rectangle rectangle;
    uint32_t next : 31; /* the set that is left after it */
    uint32_t alone : 1; /* no other rectangle, now or later, shares a cell with it */
};

/* Bounds of what the side to move can gain in a position: at least `least`, at most `most`. */
struct ending_known {
    uint64_t check;
    int16_t least, most;
    uint16_t step; /* the best step so far; 0xffff: none */
    uint16_t age;  /* 0: empty */
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
    uint8_t digits[BOARD_BYTES]; /* the board that the sets belong to */
    struct cells live;
    struct ending_set *sets;    /* [ENDING_SETS] */
    struct ending_step *steps;  /* [ENDING_STEPS] */
    uint32_t *places;           /* [2 * ENDING_SETS]: hash table of the sets, each as its number
                                 * + 1 */
    struct ending_known *known; /* [ENDING_PLACES] */
    uint32_t set_count, step_count;
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

/* Lists the legal rectangles of a state; one function for each instruction set. */
typedef void ending_list_fn(const struct mushroom_state *state, struct windows_list *out);

enum banyan_status ending_create(struct ending **out, struct banyan_error *err);
void ending_destroy(struct ending *ending);
void ending_clear(struct ending *ending);

/* Returns true when *out is the true result of state, which is not over and has rectangles, and
 * false when a limit was reached.  ending->nodes counts the positions searched. */
bool ending_solve(struct ending *ending, const struct mushroom_state *state, ending_list_fn *list,
                  const struct ending_limits *limits, struct ending_result *out);

#endif
