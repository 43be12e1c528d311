/* Playouts of Go.
 *
 *     random   every legal action is equally likely, also passes and moves into one's own eyes: the
 *              games are long and say little
 *     light    every legal point that is no eye of the mover is equally likely; a player without
 *              such a point passes.  At the end only chains with eyes are left, and area scoring is
 *              exact (Bruegmann 1993; Bouzy and Helmstetter 2003)
 *     answer   as light, but first answers the last stone: saves a chain beside this stone from
 *              atari, or captures the chain of this stone; else takes the vital point of an eye
 *              beside this stone; else plays beside it where a pattern says so (Gelly, Wang, Munos
 *              and Teytaud 2006; nakade: Chaslot, Fiter, Hoock, Rimmel and Teytaud 2010).  No stone
 *              puts its own chain in atari, except a chain of a few stones inside one enemy chain,
 *              which they may kill */
#include "games/go/answer.h"

const char *const go_policies[] = {"random", "light", "answer", NULL};

enum { ROLLOUT_RANDOM, ROLLOUT_LIGHT, ROLLOUT_ANSWER };

/* Whether the policy would not play on an empty point, legal or not. */
static bool rollout_avoids(const struct go_chains *board, int policy, int point)
{
    return (policy != ROLLOUT_RANDOM && go_is_eye(board, point)) ||
           (policy == ROLLOUT_ANSWER && go_answer_loses(board, point));
}

/* Draws among all legal points that the policy does not avoid, and with policy random also the
 * pass.  Returns 0 for the pass.  A point that may not be played is put behind the others and
 * another one is drawn, so all others stay equally likely. */
static int rollout_draw(struct go_chains *board, int policy, struct banyan_rng *rng)
{
    bool random = policy == ROLLOUT_RANDOM;
    for (int left = board->empties; left + random > 0; --left) {
        int k = (int)rng_below(rng, (uint32_t)(left + random));
        if (k == left)
            return 0;
        uint16_t point = board->empty[k], last = board->empty[left - 1];
        if (!rollout_avoids(board, policy, point) && go_chains_legal(board, point))
            return point;
        board->empty[k] = last;
        board->empty[left - 1] = point;
        board->slot[last] = (uint16_t)k;
        board->slot[point] = (uint16_t)(left - 1);
    }
    return 0;
}

/* The point of the next ply; 0: pass. */
static int rollout_choose(struct go_chains *board, int policy, struct banyan_rng *rng)
{
    int point = policy == ROLLOUT_ANSWER ? go_answer(board, rng) : 0;
    return point ? point : rollout_draw(board, policy, rng);
}

static void rollout_note(struct banyan_playout *playout, int player, const struct go_state *state)
{
    if (playout && playout->count < playout->room)
        playout->moves[playout->count++] =
            (uint32_t)(player * (go_cells(state) + 1) + go_moves(state)[state->plies - 1]);
}

void go_rollout_logged(const struct banyan_game *game, void *at, int policy, int max_plies,
                       struct banyan_rng *rng, struct banyan_playout *playout)
{
    struct go_state *state = at;
    struct go_chains board;
    struct banyan_rng stream = *rng;
    go_chains_take(&board, state);
    for (; max_plies > 0 && !go_is_over(state); --max_plies) {
        int player = state->mover;
        go_chains_play(&board, state, rollout_choose(&board, policy, &stream));
        rollout_note(playout, player, state);
    }
    go_chains_give(&board, state);
    *rng = stream;
}

void go_rollout(const struct banyan_game *game, void *at, int policy, int max_plies,
                struct banyan_rng *rng)
{
    go_rollout_logged(game, at, policy, max_plies, rng, NULL);
}
