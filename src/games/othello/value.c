/* The value of an Othello position without a search: exact bounds, and an estimate. */
#include "games/othello/othello.h"
#include "games/othello/play.h"
#include "games/othello/table.h"

/* --- exact bounds --- */

/* Squares whose line in this direction has no empty square.  Empty squares spread along their
 * lines; the masks `up` and `down` are the squares that a step can reach without leaving the board.
 */
static uint64_t value_full(uint64_t empty, int step, uint64_t up, uint64_t down)
{
    uint64_t gaps = empty;
    for (int i = 0; i < 7; ++i)
        gaps |= (gaps << step & up) | (gaps >> step & down);
    return ~gaps;
}

/* Own discs that no move can turn, though not all of them.  Such a disc is safe along each of
 * its four lines: the line is full, or the disc is at the border, or its neighbour on the line
 * is such a disc. */
static uint64_t value_stable(struct board board, uint64_t area)
{
    const uint64_t not_a = 0xfefefefefefefefeu, not_h = 0x7f7f7f7f7f7f7f7fu, all = ~(uint64_t)0;
    uint64_t empty = board_empty(board, area), outside = ~area;
    uint64_t full[4] = {value_full(empty, 1, not_a, not_h), value_full(empty, 7, not_h, not_a),
                        value_full(empty, 8, all, all), value_full(empty, 9, not_a, not_h)};
    /* the border of the 8x8 board; on smaller boards `outside` marks the border */
    full[0] |= ~(not_a & not_h);
    full[1] |= 0xff818181818181ffu;
    full[2] |= 0xff000000000000ffu;
    full[3] |= 0xff818181818181ffu;
    static const int steps[4] = {1, 7, 8, 9};
    uint64_t stable = 0, before;
    do {
        before = stable;
        uint64_t anchors = stable | outside;
        stable = board.own;
        for (int i = 0; i < 4; ++i)
            stable &= full[i] | anchors << steps[i] | anchors >> steps[i];
    } while (stable != before);
    return stable;
}

/* The discs of black and of white. */
void othello_points(const struct banyan_game *game, const void *at, float *out)
{
    const struct othello_state *state = at;
    int mover = othello_mover(state);
    out[mover] = (float)bits_count64(state->own);
    out[1 - mover] = (float)bits_count64(state->other);
}

/* A player whose stable discs are more than half of all squares has won. */
void othello_bounds(const struct banyan_game *game, const void *at, int player, float *lo,
                    float *hi)
{
    const struct othello_state *state = at;
    struct board board = othello_board(state);
    uint64_t area = othello_area(state);
    int half = bits_count64(area) / 2, difference = board_difference(board);
    float sign = othello_mover(state) == player ? 1.0f : -1.0f;
    *lo = -1;
    *hi = 1;
    if (state->moves & OTHELLO_OVER)
        *lo = *hi = sign * (float)((difference > 0) - (difference < 0));
    else if (bits_count64(board.own) > half && bits_count64(value_stable(board, area)) > half)
        *lo = *hi = sign;
    else if (bits_count64(board.other) > half &&
             bits_count64(value_stable(board_pass(board), area)) > half)
        *lo = *hi = -sign;
}

/* --- estimate --- */

/* The corners, and the squares whose discs are weak while the corner next to them is empty. */
struct value_map {
    uint64_t corners;
    uint64_t diagonal; /* diagonally next to a corner: a disc here may give the corner to the
                        * opponent */
    uint64_t beside;   /* next to a corner on an edge */
};

static struct value_map value_map_of(int size)
{
    static const struct value_map maps[3] = {
        {0x8100000000000081u, 0x0042000000004200u, 0x4281000000008142u},
        {0x0042000000004200u, 0x0000240000240000u, 0x0024420000422400u},
        {0x0000240000240000u, 0x0000001818000000u, 0x0000182424180000u},
    };
    return maps[(8 - size) / 2];
}

static uint64_t value_around(uint64_t bits)
{
    uint64_t row = bits | (bits << 1 & 0xfefefefefefefefeu) | (bits >> 1 & 0x7f7f7f7f7f7f7f7fu);
    return row | row << 8 | row >> 8;
}

/* One side's part of the estimate, in about 1/100 of a disc. */
static int value_side(const struct value_map *map, uint64_t own, uint64_t other, uint64_t legal,
                      uint64_t empty)
{
    uint64_t bad = value_around(empty & map->corners); /* squares next to an empty corner */
    int corners = bits_count64(own & map->corners), reach = bits_count64(legal & map->corners);
    int diagonal = bits_count64(own & bad & map->diagonal);
    int beside = bits_count64(own & bad & map->beside);
    int frontier = bits_count64(empty & value_around(other)); /* squares where future moves are
                                                               * likely */
    return 700 * corners + 250 * reach - 250 * diagonal - 100 * beside + 80 * bits_count64(legal) +
           40 * frontier;
}

/* The estimate for the side to move; the disc difference counts more as the board fills. */
static int value_estimate(const struct othello_state *state)
{
    struct board board = othello_board(state);
    uint64_t area = othello_area(state), empty = board_empty(board, area);
    struct value_map map = value_map_of(othello_size(state));
    int own = value_side(&map, board.own, board.other, othello_legal(state), empty);
    int other =
        value_side(&map, board.other, board.own, board_legal(board_pass(board), area), empty);
    return own - other + 1500 * board_difference(board) / (10 + 3 * bits_count64(empty));
}

/* Maps an estimate to the open interval -1..1. */
static float value_squeeze(int estimate)
{
    float x = (float)estimate / 1000.0f;
    return x / (1.0f + (x < 0 ? -x : x));
}

float othello_heuristic(const struct banyan_game *game, const void *at, int player)
{
    const struct othello_state *state = at;
    float lo, hi;
    othello_bounds(game, at, player, &lo, &hi);
    if (lo == hi)
        return lo;
    float value = value_squeeze(value_estimate(state));
    return othello_mover(state) == player ? value : -value;
}

/* Priors: the better the estimate after an action, the higher its prior.  An estimate 1.2 below
 * the best gives a tenth of the best action's weight. */
void othello_priors(const struct banyan_game *game, const void *at, int player,
                    const banyan_action *actions, int n, float *out)
{
    float values[64], best = -2, sum = 0;
    for (int i = 0; i < n; ++i) {
        struct othello_state next = play_action(*(const struct othello_state *)at, actions[i]);
        values[i] = othello_heuristic(game, &next, player);
        best = values[i] > best ? values[i] : best;
    }
    for (int i = 0; i < n; ++i) {
        float behind = 1.0f + 1.8f * (best - values[i]);
        sum += out[i] = 1.0f / (behind * behind);
    }
    for (int i = 0; i < n; ++i)
        out[i] /= sum;
}
