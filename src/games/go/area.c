/* Area scoring: stones, and the empty cells that only one colour surrounds. */
#include "games/go/go.h"

#include <math.h>
#include <string.h>

enum { AREA_NEW = 4 }; /* an empty cell whose region is not known yet */

/* Gives the region of empty cells around `cell` to the only colour beside it, or to nobody. */
static void area_region(int size, uint8_t owner[], int cell)
{
    int16_t region[GO_CELLS_MAX];
    int count = 0, beside = 0, next[4];
    owner[cell] = GO_EMPTY;
    region[count++] = (int16_t)cell;
    for (int i = 0; i < count; ++i) {
        int near = go_neighbours(size, region[i], next);
        for (int k = 0; k < near; ++k) {
            if (owner[next[k]] == AREA_NEW) {
                owner[next[k]] = GO_EMPTY;
                region[count++] = (int16_t)next[k];
            } else {
                beside |= owner[next[k]];
            }
        }
    }
    for (int i = 0; i < count; ++i)
        owner[region[i]] = (uint8_t)(beside == (GO_BLACK | GO_WHITE) ? GO_EMPTY : beside);
}

int go_area(const struct go_state *state, uint8_t owner[])
{
    const uint8_t *stones = go_stones(state);
    int difference = 0;
    for (int cell = 0; cell < go_cells(state); ++cell)
        owner[cell] = stones[cell] == GO_EMPTY ? AREA_NEW : stones[cell];
    for (int cell = 0; cell < go_cells(state); ++cell)
        if (owner[cell] == AREA_NEW)
            area_region(state->size, owner, cell);
    for (int cell = 0; cell < go_cells(state); ++cell)
        difference += (owner[cell] == GO_BLACK) - (owner[cell] == GO_WHITE);
    return difference;
}

/* Black's lead in half points. */
static int area_lead(const struct go_state *state)
{
    uint8_t owner[GO_CELLS_MAX];
    return 2 * go_area(state, owner) - state->komi;
}

void go_returns(const struct banyan_game *game, const void *at, float *out)
{
    int lead = area_lead(at);
    out[0] = (float)((lead > 0) - (lead < 0));
    out[1] = 0 - out[0];
}

void go_points(const struct banyan_game *game, const void *at, float *out)
{
    const struct go_state *state = at;
    uint8_t owner[GO_CELLS_MAX];
    go_area(state, owner);
    out[0] = 0;
    out[1] = (float)state->komi / 2;
    for (int cell = 0; cell < go_cells(state); ++cell)
        if (owner[cell] != GO_EMPTY)
            ++out[owner[cell] - 1];
}

/* Score: the viewer's lead, divided by the number of cells.  Ownership: 1, -1 or 0 on each cell. */
void go_targets(const struct banyan_game *game, const void *at, int viewer, float *score,
                float *ownership)
{
    const struct go_state *state = at;
    uint8_t owner[GO_CELLS_MAX];
    float sign = viewer == 0 ? 1 : -1;
    int lead = 2 * go_area(state, owner) - state->komi;
    *score = sign * (float)lead / (2 * (float)go_cells(state));
    for (int cell = 0; cell < go_cells(state); ++cell)
        ownership[cell] = sign * (float)((owner[cell] == GO_BLACK) - (owner[cell] == GO_WHITE));
}
