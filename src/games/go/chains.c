/* The board for playouts: chains with pseudo-liberties, and the filter of earlier boards. */
#include "games/go/chains.h"

#include <string.h>

/* --- liberties --- */

static void chain_gain(struct go_chain *chain, int point)
{
    ++chain->count;
    chain->sum += (uint32_t)point;
    chain->squares += (uint32_t)(point * point);
}

static void chain_lose(struct go_chain *chain, int point)
{
    --chain->count;
    chain->sum -= (uint32_t)point;
    chain->squares -= (uint32_t)(point * point);
}

static bool board_is_stone(const struct go_chains *board, int point)
{
    return board->stone[point] == GO_BLACK || board->stone[point] == GO_WHITE;
}

static struct go_chain *board_chain(struct go_chains *board, int point)
{
    return &board->chain[board->head[point]];
}

/* --- the list of empty points --- */

static void board_fill(struct go_chains *board, int point)
{
    uint16_t slot = board->slot[point], last = board->empty[--board->empties];
    board->empty[slot] = last;
    board->slot[last] = slot;
}

static void board_clear(struct go_chains *board, int point)
{
    board->slot[point] = (uint16_t)board->empties;
    board->empty[board->empties++] = (uint16_t)point;
}

/* --- stones --- */

/* The smaller of two chains of one colour becomes part of the larger one. */
static void board_join(struct go_chains *board, int one, int other)
{
    int keep = board->head[one], lose = board->head[other];
    if (keep == lose)
        return;
    if (board->chain[keep].stones < board->chain[lose].stones) {
        int swap = keep;
        keep = lose;
        lose = swap;
    }
    int stone = lose;
    do {
        board->head[stone] = (uint16_t)keep;
        stone = board->next[stone];
    } while (stone != lose);
    uint16_t after = board->next[keep]; /* two rings become one */
    board->next[keep] = board->next[lose];
    board->next[lose] = after;
    struct go_chain *to = &board->chain[keep];
    const struct go_chain *from = &board->chain[lose];
    to->count = (uint16_t)(to->count + from->count);
    to->stones = (uint16_t)(to->stones + from->stones);
    to->sum += from->sum;
    to->squares += from->squares;
}

/* Puts a stone on an empty point and joins it with its neighbours; captures nothing. */
static void board_put(struct go_chains *board, int point, int stone)
{
    board->stone[point] = (uint8_t)stone;
    board->head[point] = board->next[point] = (uint16_t)point;
    board->chain[point] = (struct go_chain){.stones = 1};
    board->hash ^= go_hash_stone(stone, board->cell[point]);
    board_fill(board, point);
    GO_EACH_NEIGHBOUR(board, point, near)
    {
        if (board->stone[near] == GO_EMPTY)
            chain_gain(&board->chain[point], near);
        else if (board->stone[near] != GO_EDGE)
            chain_lose(board_chain(board, near), point);
    }
    GO_EACH_NEIGHBOUR(board, point, near)
    if (board->stone[near] == stone)
        board_join(board, near, point);
}

/* Takes the chain of a stone off the board. */
static void board_capture(struct go_chains *board, int first)
{
    int point = first;
    do {
        board->hash ^= go_hash_stone(board->stone[point], board->cell[point]);
        board->stone[point] = GO_EMPTY;
        board_clear(board, point);
        GO_EACH_NEIGHBOUR(board, point, near)
        if (board_is_stone(board, near))
            chain_gain(board_chain(board, near), point);
        point = board->next[point];
    } while (point != first);
}

/* --- earlier boards --- */

static void seen_add(struct go_chains *board, uint64_t hash)
{
    board->seen[hash % GO_SEEN_BITS / 64] |= (uint64_t)1 << hash % 64;
}

static void seen_add_all(struct go_chains *board)
{
    memset(board->seen, 0, sizeof board->seen);
    for (int i = 0; i <= board->state->plies; ++i)
        seen_add(board, board->state->past[i]);
}

/* Whether a board with this hash has occurred in the game. */
static bool board_has_been(const struct go_chains *board, uint64_t hash)
{
    if (!(board->seen[hash % GO_SEEN_BITS / 64] >> hash % 64 & 1))
        return false;
    for (int i = board->state->plies; i >= 0; --i)
        if (board->state->past[i] == hash)
            return true;
    return false;
}

/* The hash of a chain's stones. */
static uint64_t board_chain_hash(const struct go_chains *board, int first)
{
    uint64_t hash = 0;
    int point = first;
    do {
        hash ^= go_hash_stone(board->stone[point], board->cell[point]);
        point = board->next[point];
    } while (point != first);
    return hash;
}

/* The hash of the board after a stone of the mover on an empty point. */
static uint64_t board_hash_after(const struct go_chains *board, int point)
{
    int mover = board->state->mover, taken[4], count = 0;
    uint64_t hash = board->hash ^ go_hash_stone(1 + mover, board->cell[point]);
    GO_EACH_NEIGHBOUR(board, point, near)
    {
        if (board->stone[near] != 2 - mover || !go_chain_in_atari(&board->chain[board->head[near]]))
            continue;
        bool again = false; /* the chain may touch the point twice */
        for (int k = 0; k < count; ++k)
            again = again || taken[k] == board->head[near];
        if (!again) {
            hash ^= board_chain_hash(board, near);
            taken[count++] = board->head[near];
        }
    }
    return hash;
}

/* --- the functions of chains.h --- */

void go_chains_take(struct go_chains *board, const struct go_state *state)
{
    int size = state->size, width = size + 1, end = (size + 2) * width + 1;
    board->state = state;
    board->width = width;
    board->empties = 0;
    board->hash = 0;
    memset(board->stone, GO_EDGE, (size_t)end);
    for (int cell = 0, point = width + 1; cell < size * size; ++cell, ++point) {
        if (cell > 0 && cell % size == 0)
            ++point;
        board->cell[point] = (uint16_t)cell;
        board->stone[point] = GO_EMPTY;
        board_clear(board, point);
    }
    const uint8_t *stones = go_stones(state);
    for (int cell = 0; cell < size * size; ++cell)
        if (stones[cell] != GO_EMPTY)
            board_put(board, go_point(board, cell), stones[cell]);
    if (state->captured)
        seen_add_all(board);
}

/* Whether a stone of the mover on this point would have a liberty: an empty neighbour, a chain
 * of the mover with another liberty, or a captured neighbour. */
static bool board_lives(const struct go_chains *board, int point)
{
    int own = 1 + board->state->mover;
    GO_EACH_NEIGHBOUR(board, point, near)
    {
        int stone = board->stone[near];
        if (stone == GO_EMPTY)
            return true;
        if (stone != GO_EDGE &&
            go_chain_in_atari(&board->chain[board->head[near]]) != (stone == own))
            return true;
    }
    return false;
}

bool go_chains_legal(const struct go_chains *board, int point)
{
    if (!board_lives(board, point))
        return false;
    return !board->state->captured || !board_has_been(board, board_hash_after(board, point));
}

int go_chain_liberties(const struct go_chains *board, int first, int most)
{
    int found[8], count = 0, stone = first;
    do {
        GO_EACH_NEIGHBOUR(board, stone, near)
        {
            bool known = board->stone[near] != GO_EMPTY;
            for (int i = 0; i < count && !known; ++i)
                known = found[i] == near;
            if (!known)
                found[count++] = near;
            if (count == most)
                return count;
        }
        stone = board->next[stone];
    } while (stone != first);
    return count;
}

/* How many of the neighbours of a point belong to the chain of this head. */
static uint32_t board_touching(const struct go_chains *board, int point, int head)
{
    uint32_t count = 0;
    GO_EACH_NEIGHBOUR(board, point, near)
    count += board_is_stone(board, near) && board->head[near] == head;
    return count;
}

/* The liberties of a chain besides one point: 0 if there is none, -1 if there are several, else the
 * only one. */
static int chain_other_liberty(const struct go_chain *chain, int point, uint32_t touching)
{
    struct go_chain rest = *chain;
    rest.count = (uint16_t)(rest.count - touching);
    rest.sum -= touching * (uint32_t)point;
    rest.squares -= touching * (uint32_t)(point * point);
    if (rest.count == 0)
        return 0;
    return go_chain_in_atari(&rest) ? (int)(rest.sum / rest.count) : -1;
}

bool go_chains_self_atari(const struct go_chains *board, int point, int *stones)
{
    int own = 1 + board->state->mover, only = 0, heads[4], count = 0;
    *stones = 1;
    GO_EACH_NEIGHBOUR(board, point, near)
    {
        int stone = board->stone[near], liberty = near;
        if (stone == GO_EDGE)
            continue;
        if (stone != GO_EMPTY) {
            int head = board->head[near], known = 0;
            const struct go_chain *chain = &board->chain[head];
            if (stone != own && go_chain_in_atari(chain))
                return false;
            while (known < count && heads[known] != head)
                ++known;
            if (stone != own || known < count)
                continue;
            heads[count++] = head;
            liberty = chain_other_liberty(chain, point, board_touching(board, point, head));
            *stones += chain->stones;
        }
        if (liberty < 0 || (liberty && only && liberty != only))
            return false;
        only = liberty ? liberty : only;
    }
    return true;
}

/* Captures the chains that the stone on a point has left without liberties.  Returns whether there
 * were any. */
static bool board_capture_around(struct go_chains *board, int point)
{
    int other = 3 - board->stone[point], before = board->empties;
    GO_EACH_NEIGHBOUR(board, point, near)
    if (board->stone[near] == other && board_chain(board, near)->count == 0)
        board_capture(board, near);
    return board->empties > before;
}

void go_chains_play(struct go_chains *board, struct go_state *state, int point)
{
    bool first = false; /* this move captures, and none did before */
    if (point) {
        board_put(board, point, 1 + state->mover);
        first = board_capture_around(board, point) && !state->captured;
    }
    go_moves(state)[state->plies] = point ? board->cell[point] : (uint16_t)go_pass(state);
    state->past[++state->plies] = board->hash;
    state->mover = (uint8_t)(1 - state->mover);
    if (first)
        seen_add_all(board);
    else if (state->captured)
        seen_add(board, board->hash);
    state->captured |= first;
}

void go_chains_give(const struct go_chains *board, struct go_state *state)
{
    uint8_t *stones = go_stones(state);
    for (int cell = 0; cell < go_cells(state); ++cell)
        stones[cell] = board->stone[go_point(board, cell)];
}
