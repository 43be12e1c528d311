/* Alpha-beta search for the mushroom game.
 *
 *      engine_think --> for depth = 1, 2, ...: engine_core.inc.h --> table of positions
 *
 * Two ways of searching share the code.  The full-width one looks at every
 * action to the same depth and counts cells.  The selective one looks at late
 * moves and at passes less deeply first, and knows more about its leaves.  Both
 * find the true result as soon as the depth reaches the end of every line; then
 * the answer says so.
 *
 * Values are leads in cells times ENGINE_CELL for the side to move; a game that
 * is won counts ENGINE_WIN, a draw 0.
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
    int tempo;    /* at the last ply the largest swing counts so many 16ths of a cell a cell */
    int tilt;     /* and the tilt of the position so many 16ths */
    bool endings; /* solves the end of the game as soon as it can */
    size_t table_bytes; /* a power of two is used, at most this */
};

/* When to stop; 0: no limit of this kind. */
struct engine_limits {
    int depth;
    uint64_t nodes;
    double soft_ms;          /* no further depth is begun after this */
    double hard_ms;          /* the search is broken off */
    double solve_ms;         /* the end of the game may take so long at once */
    const banyan_flag *stop; /* the search is broken off once it is set; borrowed */
};

struct engine_result {
    int action;
    int value;      /* for the side to move */
    int depth;      /* completed */
    bool exact;     /* value is the true result: +-ENGINE_WIN or 0 */
    uint64_t nodes; /* positions whose rectangles were generated or that the table knew */
    double elapsed_ms;
};

/* A place of the table: 16 bytes. */
struct engine_entry {
    uint32_t check; /* upper half of the key */
    uint16_t move;
    int16_t value;
    uint8_t depth;
    uint8_t bound; /* bit 0: value is at least that, bit 1: at most; 0: empty */
    uint16_t age;
    uint32_t zero;
};

struct engine {
    struct engine_options options;
    struct ending *ending;      /* NULL: without */
    int ending_failed;          /* with so many rectangles the end was not found */
    struct engine_entry *table; /* [buckets][4] */
    uint64_t bucket_mask;
    uint16_t age;

    /* of the search in progress */
    struct engine_limits limits;
    double start_ms;
    uint64_t nodes, node_limit;
    bool stop;
    bool cut; /* some line ended at the depth limit, not at the end of the game */
    uint16_t killers[ENGINE_MAX_PLY][2];
    int32_t history[2][BOARD_RECTANGLES + 1];
};

/* The defaults of the players "tournament" and (full_width) "alphabeta". */
void engine_options_default(bool full_width, struct engine_options *out);

enum banyan_status engine_create(struct engine **out, const struct engine_options *options,
                                 struct banyan_error *err);
void engine_destroy(struct engine *engine);

/* Forgets what it knows of another game. */
void engine_clear(struct engine *engine);

/* Thinks about state, which is not over. */
void engine_think(struct engine *engine, const struct mushroom_state *state,
                  const struct engine_limits *limits, struct engine_result *out);

/* Limits of one move for the side to move who has left_ms of bank_ms for the rest of the game. */
void engine_budget(const struct mushroom_state *state, double left_ms, double bank_ms,
                   struct engine_limits *out);

/* Milliseconds of a clock that only goes forward. */

/* What engine_think does before it searches. */
void engine_start(struct engine *engine, const struct engine_limits *limits);

/* The search itself, by instruction set. */
void engine_think_portable(struct engine *engine, const struct mushroom_state *state,
                           struct engine_result *out);
void engine_think_avx2(struct engine *engine, const struct mushroom_state *state,
                       struct engine_result *out);
void engine_think_avx512(struct engine *engine, const struct mushroom_state *state,
                         struct engine_result *out);

#endif
