/* The value of a mushroom position without a search: exact bounds, and an estimate. */
#include "games/mushroom/mushroom.h"
#include "games/mushroom/table.h"

/* --- exact bounds ---
 *
 * A rectangle may still become legal if enough of its mushrooms can be harvested before: the
 * mushrooms that certainly stay sum to 10 or less, all that are there now sum to 10 or more, and
 * every side has one.  Which mushrooms can be harvested depends on which rectangles may become
 * legal.  Both sets start empty and grow until they no longer change.  The owners of cells that
 * none of these rectangles covers are final.
 */

/* A band of rows by column: the sums of all mushrooms, and of those that certainly stay; and which
 * columns have a mushroom in its top and bottom row. */
struct value_band {
    int all[BOARD_COLUMNS], fixed[BOARD_COLUMNS];
    uint32_t top, bottom; /* bit c: there is a mushroom in column c */
};

static uint32_t value_row(const struct cells *live, int row)
{
    int at = BOARD_STRIDE * row, k = at >> 6, shift = at & 63;
    uint64_t bits = live->word[k] >> shift;
    if (shift > 64 - BOARD_COLUMNS)
        bits |= live->word[k + 1] << (64 - shift);
    return (uint32_t)bits & 0x1ffff;
}

/* The right column of the widest window from c1 that may become legal; -1: there is none. */
static int value_widest(const struct value_band *band, int c1)
{
    int all = 0, fixed = 0, widest = -1;
    uint32_t span = 0;
    for (int c2 = c1; c2 < BOARD_COLUMNS && band->all[c1]; ++c2) {
        all += band->all[c2];
        fixed += band->fixed[c2];
        span |= (uint32_t)1 << c2;
        if (fixed > BOARD_TARGET)
            break;
        if (all >= BOARD_TARGET && band->all[c2] && (band->top & span) && (band->bottom & span))
            widest = c2;
    }
    return widest;
}

static void value_add_row(struct value_band *band, const struct mushroom_state *state,
                          const struct cells *open, int row)
{
    band->bottom = value_row(&state->live, row);
    uint32_t free = value_row(open, row);
    for (int c = 0; c < BOARD_COLUMNS; ++c) {
        int digit = state->digits[BOARD_STRIDE * row + c];
        band->all[c] += digit;
        band->fixed[c] += free >> c & 1 ? 0 : digit;
    }
}

/* Adds the cells that can be covered, by rectangles whose top row is r1, if the mushrooms in open can
 * be harvested. */
static void value_spread_from(const struct mushroom_state *state, const struct cells *open, int r1,
                              struct cells *next)
{
    struct value_band band = {.top = value_row(&state->live, r1)};
    for (int r2 = r1; r2 < BOARD_ROWS && band.top; ++r2) {
        value_add_row(&band, state, open, r2);
        for (int c1 = 0; c1 < BOARD_COLUMNS; ++c1) {
            int c2 = value_widest(&band, c1);
            if (c2 >= 0)
                *next = cells_or(*next, rectangle_cells((struct rectangle){
                                            (uint8_t)r1, (uint8_t)c1, (uint8_t)r2, (uint8_t)c2}));
        }
    }
}

/* Whether one side's safe cells outnumber the other's and all open cells, or equal them.  No: neither
 * do they if more cells are open. */
static bool value_settles(const struct mushroom_state *state, struct cells open)
{
    int lead = cells_count(cells_less(state->owned[0], open)) -
               cells_count(cells_less(state->owned[1], open));
    return (lead < 0 ? -lead : lead) >= cells_count(open);
}

/* The cells whose owner may still change; only some of them, as soon as these are too many to settle
 * the game. */
static struct cells value_open(const struct mushroom_state *state)
{
    struct cells open, next = {{0, 0, 0}};
    do {
        open = next;
        for (int r1 = 0; r1 < BOARD_ROWS && value_settles(state, next); ++r1)
            value_spread_from(state, &open, r1, &next);
    } while (cells_any(cells_less(next, open)) && value_settles(state, next));
    return next;
}

enum { VALUE_FULL = 125 }; /* with more mushrooms hardly any cell is safe, so the test is skipped */

void mushroom_bounds(const struct banyan_game *game, const void *at, int player, float *lo,
                     float *hi)
{
    const struct mushroom_state *state = at;
    struct cells open = {{0, 0, 0}};
    *lo = -1;
    *hi = 1;
    if (state->passes < 2 && cells_count(state->live) > VALUE_FULL)
        return;
    if (state->passes < 2)
        open = value_open(state);
    int own = cells_count(cells_less(state->owned[player], open));
    int other = cells_count(cells_less(state->owned[1 - player], open));
    int loose = cells_count(open);
    *lo = own > other + loose ? 1.0f : own == other + loose ? 0.0f : -1.0f;
    *hi = own + loose < other ? -1.0f : own + loose == other ? 0.0f : 1.0f;
}

/* --- estimate --- */

/* The lead divided by the number of owned cells plus 1, as in the published AlphaZero for this
 * game. */
float mushroom_heuristic(const struct banyan_game *game, const void *at, int player)
{
    const struct mushroom_state *state = at;
    int own = cells_count(state->owned[player]), other = cells_count(state->owned[1 - player]);
    float value = (float)(own - other) / (float)(own + other + 1);
    return value > 1 ? 1 : value < -1 ? -1 : value;
}
