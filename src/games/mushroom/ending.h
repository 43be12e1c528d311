/* The end of a mushroom game, solved.
 *
 * Which rectangles are legal depends only on the mushrooms that stand, not on who owns what; and
 * sets of standing mushrooms are few where few rectangles are left.  So first all sets that can
 * arise are written down, each once:
 *
 *      set --> rectangles, each with the set that it leaves
 *          --> reach: all cells that any rectangle from here on can still cover
 *
 * Then the question "can the side to move gain k cells more than the other?" is answered by a search
 * over sets and owners.  It asks for no rectangles, it knows that cells out of reach will never
 * change hands (a bound that ends most lines long before the last pass), and its table knows a
 * position again whatever has happened out of reach.
 */
#ifndef MUSHROOM_ENDING_H
#define MUSHROOM_ENDING_H

#include "games/mushroom/windows.h"

#include <banyan/status.h>
#include <banyan/stop.h>

#include <stddef.h>

enum {
    ENDING_RECTANGLES = 11, /* with more no try is made */
    ENDING_SETS = 1 << 18,
    ENDING_STEPS = 8 * ENDING_SETS,
    ENDING_PLACES = 1 << 21 /* of the table */
};

/* One set of standing mushrooms. */
struct ending_set {
    struct cells live, reach;
    uint32_t first, count; /* of its steps */
};

struct ending_step {
    struct rectangle rectangle;
    uint32_t next : 31; /* the set that it leaves */
    uint32_t alone : 1; /* touches no other step, now or ever */
};

/* What is known of a position for the side to move: it can gain `least`, not more than `most`. */
struct ending_known {
    uint64_t check;
    int16_t least, most;
    uint16_t step; /* best tried; 0xffff: none */
    uint16_t age;  /* 0: empty */
};

struct ending_limits {
    int sets;       /* at most so many are written down for this position */
    uint64_t nodes; /* at most so many positions are looked at */
    double (*now)(void);
    double deadline;         /* by that clock; 0: none */
    double write_deadline;   /* the sets are written down before this; holds if deadline does */
    const banyan_flag *stop; /* gives up once it is set; borrowed; NULL: nobody asks */
};

struct ending {
    uint8_t digits[BOARD_BYTES]; /* of the board that the sets belong to */
    struct cells live;
    struct ending_set *sets;    /* [ENDING_SETS] */
    struct ending_step *steps;  /* [ENDING_STEPS] */
    uint32_t *places;           /* [2 * ENDING_SETS]: sets by hash, + 1 */
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
    int action; /* that reaches it; when it loses, any */
};

/* Legal rectangles of a state, by instruction set. */
typedef void ending_list_fn(const struct mushroom_state *state, struct windows_list *out);

enum banyan_status ending_create(struct ending **out, struct banyan_error *err);
void ending_destroy(struct ending *ending);
void ending_clear(struct ending *ending);

/* True: *out is the true result of state, which is not over and has rectangles.  False: a limit was
 * reached.  ending->nodes counts what was looked at. */
bool ending_solve(struct ending *ending, const struct mushroom_state *state, ending_list_fn *list,
                  const struct ending_limits *limits, struct ending_result *out);

#endif
