/* Estimates a Connect Four position without a search, from its 69 lines of four. */
#include "games/connect4/connect4.h"

#include "base/compiler.h"

static const int value_steps[4] = {1, 6, 7, 8};

/* Whether there is a line of four squares without a disc of the opponent. */
static bool value_can_win(uint64_t other)
{
    return connect4_wins(CONNECT4_BOARD & ~other);
}

/* A player for whom value_can_win() is false cannot win any more. */
void connect4_bounds(const struct banyan_game *game, const void *at, int player, float *lo,
                     float *hi)
{
    const struct connect4_state *state = at;
    bool moves = state->mover == player;
    if (state->result == CONNECT4_OPEN) {
        *hi = value_can_win(moves ? state->other : state->own) ? 1 : 0;
        *lo = value_can_win(moves ? state->own : state->other) ? -1 : 0;
    } else {
        int winner = state->result == CONNECT4_DRAWN ? -1 : state->result - CONNECT4_X_WON;
        *lo = *hi = (float)((winner == player) - (winner == 1 - player));
    }
}

/* The empty squares on which one more disc of `own` completes four: at the end of three in a row,
 * or in the gap of a line that has the other three. */
static uint64_t value_wins(uint64_t own, uint64_t empty)
{
    uint64_t wins = 0;
    for (int i = 0; i < 4; ++i) {
        int step = value_steps[i];
        uint64_t pairs = own & own >> step; /* each pair is marked at its lower square */
        uint64_t threes = pairs & own >> 2 * step;
        wins |= threes << 3 * step | threes >> step;
        wins |= (pairs & own >> 3 * step) << 2 * step | (own & pairs >> 2 * step) << step;
    }
    return wins & empty;
}

/* Counts each disc once for every line of four through it that holds no disc of the opponent. */
static int value_reach(uint64_t own, uint64_t other)
{
    int reach = 0;
    for (int i = 0; i < 4; ++i) {
        int step = value_steps[i];
        uint64_t open = connect4_lines(CONNECT4_BOARD & ~other, step);
        for (int place = 0; place < 4; ++place)
            reach += bits_count64(open & own >> place * step);
    }
    return reach;
}

/* The estimate for the side to move: 1 or -1 when the next plies decide the game, otherwise from
 * threats and open lines. */
static float value_estimate(const struct connect4_state *state)
{
    uint64_t landings = connect4_landings(state);
    uint64_t empty = CONNECT4_BOARD & ~(state->own | state->other);
    uint64_t own = value_wins(state->own, empty), other = value_wins(state->other, empty);
    if (own & landings)
        return 1;
    if (bits_count64(other & landings) > 1)
        return -1;
    int threats = bits_count64(own) - bits_count64(other);
    int reach = value_reach(state->own, state->other) - value_reach(state->other, state->own);
    float estimate = (float)(8 * threats + reach) / 30.0f;
    return estimate / (1.0f + (estimate < 0 ? -estimate : estimate));
}

float connect4_heuristic(const struct banyan_game *game, const void *at, int player)
{
    const struct connect4_state *state = at;
    float lo, hi;
    connect4_bounds(game, at, player, &lo, &hi);
    if (lo == hi)
        return lo;
    float value = value_estimate(state);
    return state->mover == player ? value : -value;
}
