/* Tic-tac-toe: two sets of squares.
 *
 *        a   b   c
 *    1   0 | 1 | 2      square = 3 * row + column is a bit of `marks`,
 *        3 | 4 | 5      and the action that marks it
 *        6 | 7 | 8
 *
 * X is player 0 and moves first, so the number of marks says whose turn it is. `mover` stores it as
 * well, because every function needs it. */
#ifndef TICTACTOE_TICTACTOE_H
#define TICTACTOE_TICTACTOE_H

#include <banyan/game.h>

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum { TICTACTOE_SQUARES = 9, TICTACTOE_FULL = 511 };

enum tictactoe_result { TICTACTOE_OPEN, TICTACTOE_X_WON, TICTACTOE_O_WON, TICTACTOE_DRAWN };

struct tictactoe_state {
    uint16_t marks[2]; /* of X, of O */
    uint8_t mover;     /* 0: X, 1: O */
    uint8_t result;    /* enum tictactoe_result */
    uint8_t zero[2];
};

static_assert(sizeof(struct tictactoe_state) == 8, "8 bytes");

/* Whether these squares hold three in a row.  The table has a bit for each of the 512 sets of
 * squares. */
static inline bool tictactoe_wins(unsigned marks)
{
    static const uint64_t wins[8] = {0xff80808080808080, 0xfff0aa80faf0aa80, 0xffcc8080cccc8080,
                                     0xfffcaa80fefcaa80, 0xfffaf0f0aaaa8080, 0xfffafaf0fafaaa80,
                                     0xfffef0f0eeee8080, 0xffffffffffffffff};
    return wins[marks >> 6] >> (marks & 63) & 1;
}

/* The squares, empty or not, that would complete three in a row of these marks. */
static inline unsigned tictactoe_completes(unsigned marks)
{
    unsigned left = marks << 1 & 0x1b6u, right = marks >> 1 & 0xdbu; /* beside a mark */
    unsigned row = left & right & 0x92u;                             /* column b */
    row |= marks >> 1 & marks >> 2 & 0x49u;
    row |= marks << 1 & marks << 2 & 0x124u;
    unsigned above = marks << 3, below = marks >> 3;
    unsigned column =
        (above & below & 0x38u) | (marks >> 3 & marks >> 6 & 7u) | (above & marks << 6 & 0x1c0u);
    unsigned falling = (marks << 4 & marks >> 4 & 0x10u) | (marks >> 4 & marks >> 8 & 1u) |
                       (marks << 4 & marks << 8 & 0x100u);
    unsigned rising = (marks << 2 & marks >> 2 & 0x10u) | (marks >> 2 & marks >> 4 & 4u) |
                      (marks << 2 & marks << 4 & 0x40u);
    return row | column | falling | rising;
}

static inline unsigned tictactoe_empty(const struct tictactoe_state *state)
{
    return TICTACTOE_FULL & ~(unsigned)(state->marks[0] | state->marks[1]);
}

/* The mover marks a square that is empty, in a game that is not over. */
static inline void tictactoe_mark(struct tictactoe_state *state, unsigned square)
{
    int mover = state->mover;
    state->marks[mover] = (uint16_t)(state->marks[mover] | 1u << square);
    state->mover = (uint8_t)(1 - mover);
    if (tictactoe_wins(state->marks[mover]))
        state->result = (uint8_t)(TICTACTOE_X_WON + mover);
    else if (!tictactoe_empty(state))
        state->result = TICTACTOE_DRAWN;
}

/* text.c: <banyan/game.h> says what each function must do. */
enum banyan_status tictactoe_init(const struct banyan_game *game, void *state, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err);
int tictactoe_format(const struct banyan_game *game, const void *state, char *out, size_t size);
int tictactoe_action_format(const struct banyan_game *game, const void *state, int player,
                            banyan_action action, char *out, size_t size);
enum banyan_status tictactoe_action_parse(const struct banyan_game *game, const void *state,
                                          int player, const char *text, banyan_action *out,
                                          struct banyan_error *err);
int tictactoe_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                   size_t size);
int tictactoe_svg(const struct banyan_game *game, const void *state, int viewer, char *out,
                  size_t size);
void tictactoe_board(const struct banyan_game *game, const void *state, int viewer,
                     struct banyan_board *out);
int tictactoe_board_cells(const struct banyan_game *game, const void *state, int player,
                          banyan_action action, int out[]);

#endif
