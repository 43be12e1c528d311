/* Alpha-beta search for the mushroom game.
 *
 *     engine_think --> for depth = 1, 2, ...: engine_core.inc.h --> table of positions
 *
 * There are two kinds of search.  The full-width search examines every action to the same depth and
 * counts cells.  The selective search examines late moves and passes less deeply at first, and uses
 * a better evaluation at the last ply, depth 1.  Both find the true result when the depth reaches
 * the end of every line; the result then says that it is exact.
 *
 * A value is the lead of the side to move in cells, times ENGINE_CELL; a won game counts
 * ENGINE_WIN, a draw 0.
 */
#ifndef MUSHROOM_ENGINE_H
#define MUSHROOM_ENGINE_H

#include "base/clock.h"
#include "games/mushroom/ending.h"

#include <banyan/status.h>
#include <banyan/stop.h>

#include <stddef.h>

enum { ENGINE_CELL = 16, ENGINE_WIN = 20000, ENGINE_MAX_DEPTH = 120, ENGINE_MAX_PLY = 200 };

struct engine_options {
    bool selective;
    int tempo;          /* at the last ply the largest swing adds tempo/16 of its cells */
    int tilt;           /* at the last ply the tilt (swings.inc.h) adds tilt/16 of its cells */
    int look;           /* at the last ply, the number of replies that are looked at; 0: none */
    bool endings;       /* solves the end of the game exactly as soon as possible */
    size_t table_bytes; /* the largest power of two up to this size is used */
};

/* When to stop; 0: no limit of this kind. */
struct engine_limits {
    int depth;
    uint64_t nodes;
    double soft_ms;          /* no new depth is started after about this time */
    double hard_ms;          /* the search is stopped at this time */
    double solve_ms;         /* most time for one attempt to solve the end of the game */
    double game_ms;          /* time for this and all later moves; the three above are not read */
    const banyan_flag *stop; /* the search stops when it is set; borrowed */
};

struct engine_result {
    int action;
    int value;      /* for the side to move */
    int depth;      /* completed */
    bool exact;     /* value is the true result: +-ENGINE_WIN or 0 */
    uint64_t nodes; /* positions searched, also those that the solver of endings searched */
    double elapsed_ms;
};

/* An entry of the table: 16 bytes. */
struct engine_entry {
    uint32_t check; /* upper half of the key */
    uint16_t move;
    int16_t value;
    uint8_t depth;
    uint8_t bound; /* bit 0: value is a lower bound, bit 1: an upper bound; 0: empty */
    uint16_t age;
    uint32_t zero;
};

struct engine {
    struct engine_options options;
    struct ending *ending;      /* NULL: the end of the game is not solved */
    int ending_failed;          /* number of rectangles in the last position whose end could not be
                                 * solved */
    struct engine_entry *table; /* [buckets][4] */
    uint64_t bucket_mask;
    uint16_t age;

    /* state of the search in progress */
    struct engine_limits limits;
    double start_ms;
    uint64_t nodes, node_limit;
    uint64_t clock_nodes; /* the clock is read when there are this many nodes */
    bool stop;
    bool cut; /* some line ended at the depth limit, not at the end of the game */
    uint16_t killers[ENGINE_MAX_PLY][2];
    int32_t history[2][BOARD_RECTANGLES + 1];
};

/* The default settings of the players "tournament" and, with full_width, "alphabeta". */
void engine_options_default(bool full_width, struct engine_options *out);

enum banyan_status engine_create(struct engine **out, const struct engine_options *options,
                                 struct banyan_error *err);
void engine_destroy(struct engine *engine);

/* Writes the table once, before any search.  Otherwise the first move waits until the system has
 * found this memory, which can take a third of a second. */
void engine_warm(struct engine *engine);

/* Removes all that was stored about another game. */
void engine_clear(struct engine *engine);

/* Searches state, which is not over. */
void engine_think(struct engine *engine, const struct mushroom_state *state,
                  const struct engine_limits *limits, struct engine_result *out);

/* The limits for one move of a side that has left_ms for the rest of the game, out of bank_ms. */
void engine_budget(double left_ms, double bank_ms, struct engine_limits *out);

/* Sets the limits of time for one move from game_ms, if there is one. */
void engine_share(struct engine_limits *limits, int rectangles);

/* The last depths: whether one more is worth its time. */
struct engine_course {
    int values[2]; /* of the last depth and of the one before; odd and even depths differ */
    int same;      /* depths for which the best action has been the same */
};

/* The factor of soft_ms after a depth with this value, and with the same best action as before or
 * another one.  A new best action and a lead that melts away are reasons to look deeper, an action
 * that stays the best is none.  Also adds the depth to the course. */
double engine_patience(struct engine_course *course, bool same, int value);

/* The part of engine_think before the search: sets the limits and the counters. */
void engine_start(struct engine *engine, const struct engine_limits *limits);

/* The search, one for each instruction set. */
void engine_think_portable(struct engine *engine, const struct mushroom_state *state,
                           struct engine_result *out);
void engine_think_avx2(struct engine *engine, const struct mushroom_state *state,
                       struct engine_result *out);
void engine_think_avx512(struct engine *engine, const struct mushroom_state *state,
                         struct engine_result *out);

#endif
