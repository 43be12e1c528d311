/* Breakthrough (Dan Troyka, 2000) on 8x8 squares: a set of pieces for each player.
 *
 *     8  b b b b b b b b      bit 8 * row + column: a1 is bit 0, h8 bit 63
 *     7  b b b b b b b b
 *        ...                  Black (player 0) moves first and down the board, white up.  A piece
 *     2  w w w w w w w w      goes one square straight or diagonally ahead, and captures diagonally
 *     1  w w w w w w w w      only.  A piece on the far row wins, and so does the capture of the
 *        a b c d e f g h      last piece.
 *
 * An action is 3 * square + direction: 0 towards column a, 1 straight, 2 towards column h.
 */
#ifndef BREAKTHROUGH_BREAKTHROUGH_H
#define BREAKTHROUGH_BREAKTHROUGH_H

#include <banyan/game.h>

#include <assert.h>
#include <stdint.h>

enum { BREAKTHROUGH_ACTIONS = 192, BREAKTHROUGH_PIECES = 16 };

#define BREAKTHROUGH_LEFT  0x0101010101010101u /* column a */
#define BREAKTHROUGH_RIGHT (BREAKTHROUGH_LEFT << 7)

enum breakthrough_result { BREAKTHROUGH_OPEN, BREAKTHROUGH_BLACK_WON, BREAKTHROUGH_WHITE_WON };

struct breakthrough_state {
    uint64_t pieces[2]; /* of black, of white */
    uint8_t mover;      /* also changes after the last move */
    uint8_t result;     /* enum breakthrough_result */
    uint8_t zero[6];
};

static_assert(sizeof(struct breakthrough_state) == 24, "24 bytes");

/* The row that wins for player, and the row before it. */
static inline uint64_t breakthrough_goal(int player)
{
    return (uint64_t)255 << (player ? 56 : 0);
}

static inline uint64_t breakthrough_near_goal(int player)
{
    return (uint64_t)255 << (player ? 48 : 8);
}

static inline int breakthrough_target(int player, int action)
{
    return action / 3 + (player ? 7 : -9) + action % 3;
}

/* Writes the mover's pieces that can move in each direction. */
static inline void breakthrough_able(const struct breakthrough_state *state, uint64_t able[3])
{
    uint64_t own = state->pieces[state->mover], free = ~own;
    uint64_t empty = free & ~state->pieces[1 - state->mover];
    uint64_t left = own & ~BREAKTHROUGH_LEFT, right = own & ~BREAKTHROUGH_RIGHT;
    able[0] = left & (state->mover ? free >> 7 : free << 9);
    able[1] = own & (state->mover ? empty >> 8 : empty << 8);
    able[2] = right & (state->mover ? free >> 9 : free << 7);
}

/* Plays a legal action; the turn passes. */
static inline void breakthrough_play(struct breakthrough_state *state, int action)
{
    int mover = state->mover;
    uint64_t to = (uint64_t)1 << breakthrough_target(mover, action);
    state->pieces[mover] ^= to | (uint64_t)1 << action / 3;
    state->pieces[1 - mover] &= ~to;
    if ((to & breakthrough_goal(mover)) || !state->pieces[1 - mover])
        state->result = (uint8_t)(BREAKTHROUGH_BLACK_WON + mover);
    state->mover = (uint8_t)(1 - mover);
}

/* text.c: <banyan/game.h> says what each function must do. */
enum banyan_status breakthrough_init(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err);
int breakthrough_format(const struct banyan_game *game, const void *state, char *out, size_t size);
int breakthrough_action_format(const struct banyan_game *game, const void *state, int player,
                               banyan_action action, char *out, size_t size);
enum banyan_status breakthrough_action_parse(const struct banyan_game *game, const void *state,
                                             int player, const char *text, banyan_action *out,
                                             struct banyan_error *err);
int breakthrough_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                      size_t size);
int breakthrough_svg(const struct banyan_game *game, const void *state, int viewer, char *out,
                     size_t size);
void breakthrough_board(const struct banyan_game *game, const void *state, int viewer,
                        struct banyan_board *out);
int breakthrough_board_cells(const struct banyan_game *game, const void *state, int player,
                             banyan_action action, int out[]);

/* value.c */
float breakthrough_heuristic(const struct banyan_game *game, const void *state, int player);
int breakthrough_decisive(const struct banyan_game *game, const void *state, int player,
                          banyan_action *out);

#endif
