/* Connect Four: two sets of squares in one word each.
 *
 *     .  .  .  .  .  .  .      bit 7 * column + row, row 0 at the bottom.  The top
 *     5 12 19 26 33 40 47      bit of each column (6, 13, ...) is never set: it keeps
 *     4 11 18 25 32 39 46      lines from running on in the next column, and adding
 *     3 10 17 24 31 38 45      one to the lowest square of a column carries to the
 *     2  9 16 23 30 37 44      square where the next disc of the column lands.
 *     1  8 15 22 29 36 43
 *     0  7 14 21 28 35 42      A line of four has steps of 1, 6, 7 or 8.
 *
 * Player 0 (X) moves first.  An action is a column, 0 to 6.
 */
#ifndef CONNECT4_CONNECT4_H
#define CONNECT4_CONNECT4_H

#include <banyan/game.h>

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum { CONNECT4_COLUMNS = 7, CONNECT4_ROWS = 6, CONNECT4_SQUARES = 42 };

#define CONNECT4_BOTTOM 0x0000040810204081u /* row 0 of every column */
#define CONNECT4_TOP    (CONNECT4_BOTTOM << 5)
#define CONNECT4_BOARD  (CONNECT4_BOTTOM * 63)

enum connect4_result { CONNECT4_OPEN, CONNECT4_X_WON, CONNECT4_O_WON, CONNECT4_DRAWN };

struct connect4_state {
    uint64_t own, other; /* discs of the side to move and of the opponent */
    uint8_t mover;       /* 0: X, 1: O; also changes after the last move */
    uint8_t result;      /* enum connect4_result */
    uint8_t zero[6];
};

static_assert(sizeof(struct connect4_state) == 24, "24 bytes");

/* The lines of four with this step that lie in `discs`, each marked at its first square. */
static inline uint64_t connect4_lines(uint64_t discs, int step)
{
    uint64_t pairs = discs & discs >> step;
    return pairs & pairs >> 2 * step;
}

/* The squares, taken or not, that would complete a line of four of this step. */
static inline uint64_t connect4_completes_step(uint64_t discs, int step)
{
    uint64_t up = discs << step & discs << 2 * step; /* squares above two discs of the set */
    uint64_t down = discs >> step & discs >> 2 * step;
    return (up & (discs << 3 * step | discs >> step)) |
           (down & (discs >> 3 * step | discs << step));
}

static inline uint64_t connect4_completes(uint64_t discs)
{
    return connect4_completes_step(discs, 1) | connect4_completes_step(discs, 6) |
           connect4_completes_step(discs, 7) | connect4_completes_step(discs, 8);
}

static inline bool connect4_wins(uint64_t discs)
{
    return (connect4_lines(discs, 1) | connect4_lines(discs, 6) | connect4_lines(discs, 7) |
            connect4_lines(discs, 8)) != 0;
}

/* The squares where a disc can land. */
static inline uint64_t connect4_landings(const struct connect4_state *state)
{
    return ((state->own | state->other) + CONNECT4_BOTTOM) & CONNECT4_BOARD;
}

/* Whether a column of an open game has room. */
static inline bool connect4_room(const struct connect4_state *state, unsigned column)
{
    return !((state->own | state->other) >> (7 * column + 5) & 1);
}

/* The side to move drops a disc in a column with room; the turn passes. */
static inline void connect4_drop(struct connect4_state *state, unsigned column)
{
    uint64_t squares = (uint64_t)63 << 7 * column;
    uint64_t discs = state->own | (connect4_landings(state) & squares);
    state->own = state->other;
    state->other = discs;
    if (connect4_wins(discs))
        state->result = (uint8_t)(CONNECT4_X_WON + state->mover);
    else if ((state->own | state->other) == CONNECT4_BOARD)
        state->result = CONNECT4_DRAWN;
    state->mover = (uint8_t)(1 - state->mover);
}

/* text.c: <banyan/game.h> says what each function must do. */
enum banyan_status connect4_init(const struct banyan_game *game, void *state, const char *setup,
                                 struct banyan_rng *rng, struct banyan_error *err);
int connect4_format(const struct banyan_game *game, const void *state, char *out, size_t size);
int connect4_action_format(const struct banyan_game *game, const void *state, int player,
                           banyan_action action, char *out, size_t size);
enum banyan_status connect4_action_parse(const struct banyan_game *game, const void *state,
                                         int player, const char *text, banyan_action *out,
                                         struct banyan_error *err);
int connect4_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                  size_t size);
int connect4_svg(const struct banyan_game *game, const void *state, int viewer, char *out,
                 size_t size);
void connect4_board(const struct banyan_game *game, const void *state, int viewer,
                    struct banyan_board *out);
int connect4_board_cells(const struct banyan_game *game, const void *state, int player,
                         banyan_action action, int out[]);

/* value.c */
float connect4_heuristic(const struct banyan_game *game, const void *state, int player);
void connect4_bounds(const struct banyan_game *game, const void *state, int player, float *lo,
                     float *hi);

#endif
