/* Input planes of Othello for networks, its symmetries, and positions with colours exchanged. */
#include "games/othello/othello.h"
#include "games/othello/table.h"

#include <banyan/observe.h>

#include <string.h>

/* Bit number of square i of the board, row by row. */
static int planes_square(int size, int i)
{
    int margin = (8 - size) / 2;
    return 8 * (margin + i / size) + margin + i % size;
}

static float planes_bit(uint64_t bits, int square)
{
    return (float)(bits >> square & 1);
}

/* Three planes: the viewer's discs, the opponent's discs, and the legal squares of the side to move
 * (1 if that is the viewer, otherwise -1). */
void othello_encode(const struct banyan_game *game, const void *at, int viewer, float *planes)
{
    const struct othello_state *state = at;
    int size = othello_size(state), squares = size * size;
    int moves = othello_mover(state) == viewer;
    uint64_t own = moves ? state->own : state->other, other = moves ? state->other : state->own;
    for (int i = 0; i < squares; ++i) {
        int square = planes_square(size, i);
        planes[i] = planes_bit(own, square);
        planes[squares + i] = planes_bit(other, square);
        planes[2 * squares + i] = moves ? planes_bit(othello_legal(state), square)
                                        : -planes_bit(othello_legal(state), square);
    }
}

const struct banyan_feature othello_features[] = {
    {.name = "own", .help = "1 where the viewer's discs are", .shape = {1}, .max = 1},
    {.name = "other", .help = "1 where the opponent's discs are", .shape = {1}, .max = 1},
    {.name = "legal",
     .help = "legal squares of the side to move: 1 if that is the viewer, -1 if it is the opponent",
     .kind = BANYAN_FEATURE_COUNT,
     .shape = {1},
     .min = -1,
     .max = 1},
    {0}};

/* The network's index of an action: squares row by row, then the pass. */
int othello_policy_index(const struct banyan_game *game, const void *at, int player,
                         banyan_action action)
{
    int size = othello_size(at), margin = (8 - size) / 2;
    if (action == OTHELLO_PASS)
        return size * size;
    return ((int)(action / 8) - margin) * size + (int)(action % 8) - margin;
}

/* Training targets.  Score: the disc difference, divided by the number of squares.  Ownership: 1,
 * -1 or 0 on each square. */
void othello_targets(const struct banyan_game *game, const void *at, int viewer, float *score,
                     float *ownership)
{
    const struct othello_state *state = at;
    int size = othello_size(state), squares = size * size;
    float sign = othello_mover(state) == viewer ? 1.0f : -1.0f;
    *score = sign * (float)board_difference(othello_board(state)) / (float)squares;
    for (int i = 0; i < squares; ++i) {
        int square = planes_square(size, i);
        ownership[i] = sign * (planes_bit(state->own, square) - planes_bit(state->other, square));
    }
}

static uint64_t planes_mirror_columns(uint64_t bits)
{
    bits = (bits >> 1 & 0x5555555555555555u) | (bits & 0x5555555555555555u) << 1;
    bits = (bits >> 2 & 0x3333333333333333u) | (bits & 0x3333333333333333u) << 2;
    return (bits >> 4 & 0x0f0f0f0f0f0f0f0fu) | (bits & 0x0f0f0f0f0f0f0f0fu) << 4;
}

static uint64_t planes_mirror_rows(uint64_t bits)
{
    bits = (bits >> 8 & 0x00ff00ff00ff00ffu) | (bits & 0x00ff00ff00ff00ffu) << 8;
    bits = (bits >> 16 & 0x0000ffff0000ffffu) | (bits & 0x0000ffff0000ffffu) << 16;
    return bits >> 32 | bits << 32;
}

/* Exchanges the bits of mask with those `shift` above them. */
static uint64_t planes_exchange(uint64_t bits, uint64_t mask, int shift)
{
    uint64_t differ = (bits ^ bits >> shift) & mask;
    return bits ^ differ ^ differ << shift;
}

/* Exchanges rows and columns, by exchanging 1x1, then 2x2, then 4x4 blocks across the diagonal. */
static uint64_t planes_transpose(uint64_t bits)
{
    bits = planes_exchange(bits, 0x00aa00aa00aa00aau, 7);
    bits = planes_exchange(bits, 0x0000cccc0000ccccu, 14);
    return planes_exchange(bits, 0x00000000f0f0f0f0u, 28);
}

/* Each bit of k switches one symmetry on: 1 mirrors the columns, 2 mirrors the rows, 4 exchanges
 * rows and columns. */
static uint64_t planes_image(uint64_t bits, int k)
{
    if (k & 1)
        bits = planes_mirror_columns(bits);
    if (k & 2)
        bits = planes_mirror_rows(bits);
    return k & 4 ? planes_transpose(bits) : bits;
}

void othello_symmetry(const struct banyan_game *game, const void *at, int k, void *out)
{
    const struct othello_state *state = at;
    struct othello_state image = {.own = planes_image(state->own, k),
                                  .other = planes_image(state->other, k),
                                  .moves = planes_image(othello_legal(state), k) |
                                           (state->moves & BOARD_CENTRE)};
    memcpy(out, &image, sizeof image);
}

banyan_action othello_symmetry_action(const struct banyan_game *game, const void *at, int k,
                                      banyan_action action)
{
    (void)at;
    if (action == OTHELLO_PASS)
        return action;
    banyan_action row = action / 8, column = action % 8;
    if (k & 1)
        column = 7 - column;
    if (k & 2)
        row = 7 - row;
    return k & 4 ? 8 * column + row : 8 * row + column;
}

/* Exchanges the colours.  The board is stored as the mover's and the opponent's discs, so only the
 * mover's colour changes. */
void othello_mirror(const struct banyan_game *game, const void *at, void *out)
{
    struct othello_state image = *(const struct othello_state *)at;
    image.moves ^= OTHELLO_WHITE;
    memcpy(out, &image, sizeof image);
}

banyan_action othello_mirror_action(const struct banyan_game *game, const void *at,
                                    banyan_action action)
{
    (void)at;
    return action;
}
