/* Values of Breakthrough positions without a search, and decisive moves. */
#include "games/breakthrough/breakthrough.h"

#include "base/compiler.h"

/* The mover's pieces that can go to one of `targets`, by direction. */
static void value_reaching(const struct breakthrough_state *state, uint64_t targets,
                           uint64_t able[3])
{
    breakthrough_able(state, able);
    for (int direction = 0; direction < 3; ++direction) {
        int steps = state->mover ? 7 + direction : 9 - direction;
        able[direction] &= state->mover ? targets >> steps : targets << steps;
    }
}

/* Writes the first `most` actions of `able` in the order of legal(); returns their number. */
static int value_write(const uint64_t able[3], int most, banyan_action *out)
{
    int count = 0;
    for (uint64_t left = able[0] | able[1] | able[2]; left; left &= left - 1)
        for (int direction = 0; direction < 3; ++direction)
            if (able[direction] >> bits_first64(left) & 1 && count < most)
                out[count++] = (banyan_action)(3 * bits_first64(left) + direction);
    return count;
}

/* Decisive moves.  The mover wins by a step to the far row, or by the capture of the last
 * piece.  If the opponent threatens a step to the far row, the mover must capture the piece that
 * would make it; two such pieces cannot be stopped, so then any move will do.  For a mover with
 * one piece left the defence is left to the search. */
int breakthrough_decisive(const struct banyan_game *game, const void *at, int player,
                          banyan_action *out)
{
    const struct breakthrough_state *state = at;
    uint64_t able[3], other = state->pieces[1 - player];
    uint64_t wins = breakthrough_goal(player) | (bits_count64(other) == 1 ? other : 0);
    uint64_t threats = other & breakthrough_near_goal(1 - player);
    value_reaching(state, wins, able);
    int count = value_write(able, 1, out);
    if (count || !threats || bits_count64(state->pieces[player]) == 1)
        return count;
    value_reaching(state, threats & (threats - 1) ? 0 : threats, able);
    count = value_write(able, BREAKTHROUGH_PIECES, out);
    if (count)
        return count;
    breakthrough_able(state, able);
    return value_write(able, 1, out);
}

/* The value of the pieces: a piece counts more the farther it has gone, but one on its first
 * row, where it defends, a little more than one on the second. */
static int value_material(uint64_t pieces, int player)
{
    static const int weights[8] = {11, 10, 11, 13, 16, 21, 28, 0};
    int sum = 0;
    for (int row = 0; row < 8; ++row)
        sum += weights[player ? row : 7 - row] * bits_count64(pieces >> 8 * row & 255);
    return sum;
}

/* The estimate for the side to move: 1 or -1 when the next two plies decide the game. */
static float value_estimate(const struct breakthrough_state *state)
{
    int mover = state->mover;
    uint64_t own = state->pieces[mover], other = state->pieces[1 - mover], able[3];
    uint64_t threats = other & breakthrough_near_goal(1 - mover);
    if (own & breakthrough_near_goal(mover))
        return 1;
    value_reaching(state, threats & (threats - 1) ? 0 : threats, able);
    if (threats && !(able[0] | able[1] | able[2]))
        return -1;
    int more = 3 + value_material(own, mover) - value_material(other, 1 - mover);
    float estimate = (float)more / 30.0f;
    return estimate / (1.0f + (estimate < 0 ? -estimate : estimate));
}

float breakthrough_heuristic(const struct banyan_game *game, const void *at, int player)
{
    const struct breakthrough_state *state = at;
    if (state->result != BREAKTHROUGH_OPEN)
        return state->result == BREAKTHROUGH_BLACK_WON + player ? 1 : -1;
    float value = value_estimate(state);
    return state->mover == player ? value : -value;
}
