/* The functions of mushroom.c that take most of the time, for processors with AVX-512. */
#include "games/mushroom/table.h"

#if defined(__AVX512VBMI__)

#include "games/mushroom/windows_kept.inc.h"

#include "games/mushroom/play.inc.h"

int mushroom_legal_avx512(const struct banyan_game *game, const void *state, int player,
                          banyan_action *out)
{
    (void)player;
    return play_legal(state, out);
}

void mushroom_priors_avx512(const struct banyan_game *game, const void *state, int player,
                            const banyan_action *actions, int n, float *out)
{
    play_priors(state, player, actions, n, out);
}

void mushroom_apply_avx512(const struct banyan_game *game, void *at, const banyan_action joint[],
                           struct banyan_dice *dice)
{
    (void)dice;
    struct mushroom_state *state = at;
    play_action(state, (int)joint[state->mover]);
}

void mushroom_rollout_avx512(const struct banyan_game *game, void *state, int policy, int max_plies,
                             struct banyan_rng *rng)
{
    play_rollout(state, policy, max_plies, rng);
}

#endif
