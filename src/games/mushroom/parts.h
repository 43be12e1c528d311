/* The end of a mushroom game as a sum of independent parts.
 *
 * Which rectangles are legal depends only on which mushrooms are left, not on the owners.  Near the
 * end the board falls apart: rectangles that never share a cell, and never make each other legal,
 * form parts that can be listed one by one.  Seven parts of ten sets of mushrooms each are 70 sets,
 * and not ten million:
 *
 *     part --> all sets of its mushrooms that can be left, each once
 *     set  --> its rectangles, each with the set that is left after it
 *          --> reach: all cells that this or any later rectangle of the part can cover
 *
 * Two parts become one if a rectangle of one shares a cell with a rectangle of the other, now or
 * later, or if mushrooms taken in both could make a rectangle legal.
 */
#ifndef MUSHROOM_PARTS_H
#define MUSHROOM_PARTS_H

#include "games/mushroom/windows.h"

#include <banyan/status.h>
#include <banyan/stop.h>

enum {
    PARTS_RECTANGLES = 24, /* with more rectangles, parts are not looked for */
    PARTS_SETS = 1 << 18,
    PARTS_STEPS = 8 * PARTS_SETS
};

/* A set of mushrooms of one part that can be left.  Set 0 belongs to no part, and has no steps. */
struct parts_set {
    struct cells gone, reach; /* gone: what was taken from the part */
    uint32_t first, count;    /* its steps */
    uint32_t part;            /* the part: its rectangles at the start, as bits */
    uint32_t place;           /* in the hash table */
};

struct parts_step {
    struct rectangle rectangle;
    uint32_t next : 31; /* the set that is left after it */
    uint32_t alone : 1; /* no other rectangle, now or later, shares a cell with it */
};

struct parts_part {
    uint32_t members;     /* its rectangles at the start, as bits */
    uint32_t first, size; /* its sets; the first has all mushrooms; size 0: not listed yet */
    struct cells region;  /* all cells that its rectangles can cover, as far as is known */
};

struct parts_limits {
    int sets; /* most sets to list */
    double (*now)(void);
    double deadline;         /* a time of that clock; 0: none */
    const banyan_flag *stop; /* listing ends when it is set; borrowed; NULL: none */
};

/* Lists the legal rectangles of a state; one function for each instruction set. */
typedef void parts_list_fn(const struct mushroom_state *state, struct windows_list *out);

struct parts {
    struct parts_set *sets;   /* [PARTS_SETS] */
    struct parts_step *steps; /* [PARTS_STEPS] */
    uint32_t *places;         /* [2 * PARTS_SETS]: hash table of the sets; 0: free */
    uint32_t set_count, step_count;
    struct parts_part part[PARTS_RECTANGLES];
    int count;

    /* the position that the parts belong to */
    uint8_t digits[BOARD_BYTES];
    struct cells live;
    struct rectangle start[PARTS_RECTANGLES];
    int start_count;
    uint8_t member[BOARD_RECTANGLES]; /* the number of a rectangle of the start, plus 1; 0: none */

    struct parts_limits limits;
    parts_list_fn *list;
};

enum banyan_status parts_create(struct parts *out, struct banyan_error *err);
void parts_destroy(struct parts *parts);
void parts_clear(struct parts *parts);

/* Finds the parts of a state and lists their sets.  Returns false, and clears all, when a limit was
 * reached or the state has more than PARTS_RECTANGLES rectangles. */
bool parts_find(struct parts *parts, const struct mushroom_state *state, parts_list_fn *list,
                const struct parts_limits *limits);

/* Whether the listed sets belong to a board from which this state can follow.  out[i]: the set of
 * part i in the state. */
bool parts_locate(const struct parts *parts, const struct mushroom_state *state,
                  uint32_t out[PARTS_RECTANGLES]);

#endif
