/* The functions of othello.c that take most of the time, for processors with AVX2 and BMI2: four
 * directions in one vector. */
#include "games/othello/table.h"

#if defined(__AVX2__)

#include "games/othello/after.h"
#include "games/othello/play.h"

int othello_legal_avx2(const struct banyan_game *game, const void *at, int player,
                       banyan_action *out)
{
    (void)player;
    return play_legal(at, out);
}

int othello_legal_count_avx2(const struct banyan_game *game, const void *at, int player)
{
    (void)player;
    return play_legal_count(at);
}

uint64_t othello_legal_count_after_avx2(const struct banyan_game *game, const void *at, int player,
                                        int *ended)
{
    (void)player;
    return after_count(at, ended);
}

void othello_apply_avx2(const struct banyan_game *game, void *at, const banyan_action joint[],
                        struct banyan_dice *dice)
{
    (void)dice;
    struct othello_state *state = at;
    *state = play_action(*state, joint[othello_mover(state)]);
}

void othello_rollout_avx2(const struct banyan_game *game, void *at, int policy, int max_plies,
                          struct banyan_rng *rng)
{
    (void)policy;
    struct othello_state *state = at;
    *state = play_random(*state, max_plies, rng);
}

#endif
