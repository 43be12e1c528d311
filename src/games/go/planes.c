/* Go as input of a network, its symmetries, and the exchange of the players. */
#include "games/go/chains.h"

#include <string.h>

enum {
    PLANE_OWN,
    PLANE_OTHER,
    PLANE_ATARI,
    PLANE_TWO,
    PLANE_LAST,
    PLANE_FORBIDDEN,
    PLANE_TO_MOVE,
    PLANE_KOMI
};

const struct banyan_feature go_features[] = {
    {.name = "own", .help = "1 where the viewer's stones are", .shape = {1}, .max = 1},
    {.name = "other", .help = "1 where the opponent's stones are", .shape = {1}, .max = 1},
    {.name = "atari", .help = "1 on stones whose chain has one liberty", .shape = {1}, .max = 1},
    {.name = "two", .help = "1 on stones whose chain has two liberties", .shape = {1}, .max = 1},
    {.name = "last", .help = "1 where the last stone was placed", .shape = {1}, .max = 1},
    {.name = "forbidden",
     .help = "1 on empty cells that the mover may not play",
     .shape = {1},
     .max = 1},
    {.name = "to-move", .help = "1 everywhere if the viewer is to move", .shape = {1}, .max = 1},
    {.name = "komi",
     .help = "everywhere: the points of komi that the viewer gets, divided by the size",
     .kind = BANYAN_FEATURE_REAL,
     .shape = {1},
     .min = -GO_SIZE_MAX,
     .max = GO_SIZE_MAX},
    {0}};

/* Writes the number of liberties of the chain of the stone on `cell`, 3 for more than two, to
 * count[] of each of its stones. */
static void planes_liberties(const struct go_state *state, int cell, uint8_t count[])
{
    const uint8_t *stones = go_stones(state);
    uint16_t chain[GO_CELLS_MAX];
    uint8_t met[GO_CELLS_MAX] = {0};
    int length = 0, liberties = 0, next[4];
    chain[length++] = (uint16_t)cell;
    met[cell] = 1;
    for (int i = 0; i < length; ++i) {
        int near = go_neighbours(state->size, chain[i], next);
        for (int k = 0; k < near; ++k) {
            if (met[next[k]] || (stones[next[k]] != stones[cell] && stones[next[k]] != GO_EMPTY))
                continue;
            met[next[k]] = 1;
            if (stones[next[k]] == GO_EMPTY)
                ++liberties;
            else
                chain[length++] = (uint16_t)next[k];
        }
    }
    for (int i = 0; i < length; ++i)
        count[chain[i]] = (uint8_t)(liberties < 3 ? liberties : 3);
}

static void planes_stones(const struct go_state *state, int viewer, float *planes)
{
    const uint8_t *stones = go_stones(state);
    uint8_t liberties[GO_CELLS_MAX] = {0};
    int cells = go_cells(state);
    for (int cell = 0; cell < cells; ++cell) {
        if (stones[cell] != GO_EMPTY && liberties[cell] == 0)
            planes_liberties(state, cell, liberties);
        planes[PLANE_OWN * cells + cell] = (float)(stones[cell] == 1 + viewer);
        planes[PLANE_OTHER * cells + cell] = (float)(stones[cell] == 2 - viewer);
        planes[PLANE_ATARI * cells + cell] = (float)(liberties[cell] == 1);
        planes[PLANE_TWO * cells + cell] = (float)(liberties[cell] == 2);
    }
}

/* The planes that need more than the stones: the last move, and where the mover may not play. */
static void planes_rules(const struct go_state *state, float *planes)
{
    struct go_chains board;
    int cells = go_cells(state), last = state->plies ? go_moves(state)[state->plies - 1] : cells;
    bool over = go_is_over(state);
    go_chains_take(&board, state);
    for (int cell = 0; cell < cells; ++cell) {
        bool free = go_stones(state)[cell] == GO_EMPTY;
        bool legal = !free || over || go_chains_legal(&board, go_point(&board, cell));
        planes[PLANE_LAST * cells + cell] = (float)(cell == last);
        planes[PLANE_FORBIDDEN * cells + cell] = (float)!legal;
    }
}

void go_encode(const struct banyan_game *game, const void *at, int viewer, float *planes)
{
    const struct go_state *state = at;
    int cells = go_cells(state);
    float komi = (viewer == 1 ? 0.5f : -0.5f) * (float)state->komi / (float)state->size;
    planes_stones(state, viewer, planes);
    planes_rules(state, planes);
    for (int cell = 0; cell < cells; ++cell) {
        planes[PLANE_TO_MOVE * cells + cell] = (float)(state->mover == viewer);
        planes[PLANE_KOMI * cells + cell] = komi;
    }
}

int go_policy_index(const struct banyan_game *game, const void *at, int player,
                    banyan_action action)
{
    return (int)action;
}

/* Symmetry k: 1 exchanges left and right, 2 top and bottom, 4 rows and columns, in this order. */
static int planes_image(const struct go_state *state, int k, int cell)
{
    if (cell == go_pass(state))
        return cell;
    int last = state->size - 1, row = cell / state->size, column = cell % state->size;
    column = k & 1 ? last - column : column;
    row = k & 2 ? last - row : row;
    return k & 4 ? state->size * column + row : state->size * row + column;
}

/* Plays the image of the whole game: symmetry k maps the cells; exchange: 1 exchanges the
 * players. */
static void planes_replay(const struct go_state *state, int k, int exchange, struct go_state *out)
{
    memset(out, 0, GO_STATE_BYTES((size_t)state->size));
    out->size = state->size;
    out->first = (uint8_t)(state->first ^ exchange);
    out->komi = (int16_t)(exchange ? -state->komi : state->komi);
    for (int cell = 0; cell < go_cells(state); ++cell) {
        uint8_t stone = go_start(state)[cell];
        go_start(out)[planes_image(state, k, cell)] =
            exchange && stone ? (uint8_t)(3 - stone) : stone;
    }
    go_begin(out);
    for (int i = 0; i < state->plies; ++i)
        go_play(out, planes_image(state, k, go_moves(state)[i]));
}

void go_symmetry(const struct banyan_game *game, const void *at, int k, void *out)
{
    planes_replay(at, k, 0, out);
}

banyan_action go_symmetry_action(const struct banyan_game *game, const void *at, int k,
                                 banyan_action action)
{
    return (banyan_action)planes_image(at, k, (int)action);
}

void go_mirror(const struct banyan_game *game, const void *at, void *out)
{
    planes_replay(at, 0, 1, out);
}

banyan_action go_mirror_action(const struct banyan_game *game, const void *at, banyan_action action)
{
    return action;
}
