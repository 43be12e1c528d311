/* A Go board for fast playouts: each chain has a count of its liberties.
 *
 * Playouts make thousands of moves a millisecond, and legal() tests every empty cell.  Both build
 * such a board from the stones of a state.
 *
 * Points are cells and edge: there is a column of edge before each row, and a row of edge above and
 * below, so that every cell has four neighbours:  point = (row + 1) * (size + 1) + column + 1.
 *
 * Liberties are counted once for each stone beside them ("pseudo-liberties"), so a stone that is
 * added or removed changes a chain beside it by one addition.  The chain has a single liberty
 * exactly if count * squares == sum * sum (all addends are equal: Cauchy and Schwarz). */
#ifndef GO_CHAINS_H
#define GO_CHAINS_H

#include "games/go/go.h"

enum {
    GO_POINTS_MAX = (GO_SIZE_MAX + 2) * (GO_SIZE_MAX + 1) + 1,
    GO_SEEN_BITS = 4096 /* of the Bloom filter of earlier boards */
};

struct go_chain {
    uint32_t squares, sum; /* of the points of its liberties */
    uint16_t count;        /* pseudo-liberties */
    uint16_t stones;
};

struct go_chains {
    const struct go_state *state; /* borrowed: the mover, and the boards that have occurred */
    int width;                    /* from a point to the one below it */
    int empties;
    uint64_t hash;
    uint8_t stone[GO_POINTS_MAX];         /* enum go_stone */
    uint16_t head[GO_POINTS_MAX];         /* the stone that names the chain of a stone */
    uint16_t next[GO_POINTS_MAX];         /* the next stone of the chain, in a ring */
    struct go_chain chain[GO_POINTS_MAX]; /* [head] */
    uint16_t empty[GO_CELLS_MAX];         /* [empties], in any order */
    uint16_t slot[GO_POINTS_MAX];         /* where an empty point stands in empty[] */
    uint16_t cell[GO_POINTS_MAX];         /* the cell of a point */
    uint64_t seen[GO_SEEN_BITS / 64];     /* Bloom filter; used once stones were captured */
};

static inline int go_point(const struct go_chains *board, int cell)
{
    int size = board->state->size;
    return (cell / size + 1) * board->width + cell % size + 1;
}

/* The point of the last stone; 0: none, or a pass. */
static inline int go_chains_last(const struct go_chains *board)
{
    const struct go_state *state = board->state;
    int action = state->plies ? go_moves(state)[state->plies - 1] : go_pass(state);
    return action == go_pass(state) ? 0 : go_point(board, action);
}

/* Whether all liberties of the chain are one point. */
static inline bool go_chain_in_atari(const struct go_chain *chain)
{
    return (uint64_t)chain->count * chain->squares == (uint64_t)chain->sum * chain->sum;
}

/* The four neighbours of a point, one after another. */
#define GO_EACH_NEIGHBOUR(board_, point_, near_)                                    \
    for (int steps_[4] = {-(board_)->width, -1, 1, (board_)->width}, i_ = 0, near_; \
         i_ < 4 && (near_ = (point_) + steps_[i_], true); ++i_)

/* Takes over the stones and the history of state, which is borrowed as long as the board is used.
 */
void go_chains_take(struct go_chains *board, const struct go_state *state);

/* Whether the mover may play on an empty point. */
bool go_chains_legal(const struct go_chains *board, int point);

/* The number of liberties of the chain of a stone, counted only up to `most`, which is at most 8.
 */
int go_chain_liberties(const struct go_chains *board, int stone, int most);

/* Whether a stone of the mover on an empty point captures nothing and would have at most one
 * liberty.  *stones: if so, how many stones the chain of this stone would have. */
bool go_chains_self_atari(const struct go_chains *board, int point, int *stones);

/* Plays a legal point, 0 for a pass.  state: the state that go_chains_take got; all of it is
 * updated but the stones, which go_chains_give writes. */
void go_chains_play(struct go_chains *board, struct go_state *state, int point);
void go_chains_give(const struct go_chains *board, struct go_state *state);

#endif
