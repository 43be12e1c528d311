/* The priors of moves.  They depend on the tests of playouts (answer.h), on the distance of the
 * move from the last two moves, and on its place on the board.
 *
 * A move's prior is the product of the factors below that apply to the move, divided by the sum of
 * these products over all moves.  This form and the distance are those of Coulom 2007 ("Computing
 * Elo ratings of move patterns in the game of Go", ICGA Journal 30). */
#include "games/go/answer.h"
#include "games/go/patterns.h"

#include <stdlib.h>

static const float prior_pass = 0.02f;       /* while the other player has not passed */
static const float prior_pass_answer = 0.3f; /* to a pass */
static const float prior_eye = 0.01f;        /* fills an eye of one's own */
static const float prior_bad = 0.15f;        /* puts its own stones in atari */
static const float prior_save = 6;           /* saves a chain in atari */
static const float prior_capture = 6;        /* takes a chain; for each of its stones, up to 4 */
static const float prior_atari = 2;          /* puts a chain in atari */
static const float prior_pattern = 2.5f;     /* plays a 3x3 pattern */

/* By the distance to the last move, and to the one before it. */
static const float prior_near[] = {1, 1, 4, 3.5f, 2.5f, 2, 1.5f, 1.3f};
static const float prior_nearer[] = {1, 1, 2, 1.8f, 1.5f, 1.3f, 1.2f, 1.1f};

/* By the distance from the edge, for moves without a stone on the eight points around. */
static const float prior_lines[] = {0.08f, 0.4f, 1.2f};

/* dx + dy + max(dx, dy), where dx and dy are the distances in columns and rows. */
static int prior_distance(int size, int cell, int other)
{
    int columns = abs(cell % size - other % size), rows = abs(cell / size - other / size);
    return columns + rows + (columns > rows ? columns : rows);
}

/* The factor for the distance to the move `back` plies ago. */
static float prior_of_distance(const struct go_state *state, int cell, int back,
                               const float factors[8])
{
    int last = state->plies >= back ? go_moves(state)[state->plies - back] : go_pass(state);
    int distance = last == go_pass(state) ? 8 : prior_distance(state->size, cell, last);
    return distance < 8 ? factors[distance] : 1;
}

static float prior_of_line(int size, int cell)
{
    int row = cell / size, column = cell % size;
    int line = row < size - 1 - row ? row : size - 1 - row;
    line = column < line ? column : line;
    line = size - 1 - column < line ? size - 1 - column : line;
    return prior_lines[line < 2 ? line : 2];
}

/* The factor for the chains beside a point. */
static float prior_of_chains(const struct go_chains *board, int point, bool bad)
{
    int own = 1 + board->state->mover;
    float factor = 1;
    GO_EACH_NEIGHBOUR(board, point, near)
    {
        int stone = board->stone[near];
        if (stone == GO_EMPTY || stone == GO_EDGE)
            continue;
        int liberties = go_chain_liberties(board, near, 3);
        int stones = board->chain[board->head[near]].stones;
        float found = 1;
        if (stone == own)
            found = liberties == 1 && !bad ? prior_save : 1;
        else if (liberties == 1)
            found = prior_capture * (float)(stones < 4 ? stones : 4);
        else if (liberties == 2 && !bad)
            found = prior_atari;
        factor = found > factor ? found : factor;
    }
    return factor;
}

static float prior_of_point(const struct go_chains *board, int point)
{
    const struct go_state *state = board->state;
    int cell = board->cell[point];
    bool bad = go_answer_is_bad(board, point);
    if (go_is_eye(board, point))
        return prior_eye;
    float prior = prior_of_chains(board, point, bad) * (bad ? prior_bad : 1);
    unsigned around = go_surrounding(board, point);
    if (!bad && go_pattern(state->mover, around))
        prior *= prior_pattern;
    if (go_surrounding_is_empty(around))
        prior *= prior_of_line(state->size, cell);
    return prior * prior_of_distance(state, cell, 1, prior_near) *
           prior_of_distance(state, cell, 2, prior_nearer);
}

void go_priors(const struct banyan_game *game, const void *at, int player,
               const banyan_action *actions, int n, float *out)
{
    (void)player;
    const struct go_state *state = at;
    struct go_chains board;
    bool answers_pass = state->plies && go_moves(state)[state->plies - 1] == go_pass(state);
    float sum = 0;
    go_chains_take(&board, state);
    for (int i = 0; i < n; ++i) {
        if (actions[i] == (banyan_action)go_pass(state))
            out[i] = answers_pass ? prior_pass_answer : prior_pass;
        else
            out[i] = prior_of_point(&board, go_point(&board, (int)actions[i]));
        sum += out[i];
    }
    for (int i = 0; i < n; ++i)
        out[i] /= sum;
}
