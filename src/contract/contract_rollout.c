/* The contract: rollouts end the game by legal moves, and the random policy is random play. */
#include "contract/contract.h"

#include <math.h>

int contract_policies(const struct banyan_game *g)
{
    int n = 0;
    while (g->rollout_policies && g->rollout_policies[n])
        ++n;
    return n > 0 ? n : 1;
}

void contract_check_rollout(struct contract *c, const void *state, int policy)
{
    const struct banyan_game *g = c->game;
    struct banyan_rng again = c->rng;
    void *end = contract_copy(c, SLOT_OTHER, state), *copy = contract_copy(c, SLOT_COPY, state);
    contract_calls(c, "rollout")->rollout(g, end, policy, g->max_plies, &c->rng);
    contract_check_guard(c, SLOT_OTHER, "rollout()");
    contract_calls(c, "rollout")->rollout(g, copy, policy, g->max_plies, &again);
    contract_check(c, contract_same(c, end, copy),
                   "rollout() twice with the same stream gave different bytes");
    if (contract_check(c, contract_calls(c, "movers")->movers(g, end) == 0,
                       "rollout() policy %d does not end the game", policy))
        contract_check_returns(c, end);
    copy = contract_copy(c, SLOT_COPY, state);
    contract_calls(c, "rollout")->rollout(g, copy, policy, 0, &c->rng);
    contract_check(c, contract_same(c, copy, state), "rollout() of 0 plies changes the state");
}

void contract_check_rollout_ply(struct contract *c, const void *state, int policy)
{
    const struct banyan_game *g = c->game;
    unsigned movers = contract_calls(c, "movers")->movers(g, state);
    if ((g->traits & BANYAN_CHANCE) || (movers & (movers - 1)))
        return;
    int p = contract_first(movers);
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, &c->rng);
    void *rolled = contract_copy(c, SLOT_OTHER, state);
    contract_calls(c, "rollout")->rollout(g, rolled, policy, 1, &c->rng);
    for (int i = 0; i < c->count[p]; ++i) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        joint[p] = c->legal[p][i];
        void *copy = contract_copy(c, SLOT_COPY, state);
        contract_calls(c, "apply")->apply(g, copy, joint, &dice);
        if (contract_same(c, copy, rolled))
            return;
    }
    contract_check(c, false, "one ply of rollout() policy %d is not a legal move", policy);
}

struct contract_mean {
    double n, sum[BANYAN_MAX_PLAYERS], squares[BANYAN_MAX_PLAYERS];
};

static void contract_count(struct contract *c, struct contract_mean *mean, const void *end)
{
    float out[BANYAN_MAX_PLAYERS];
    contract_returns(c, end, out);
    ++mean->n;
    for (int p = 0; p < c->game->players; ++p) {
        mean->sum[p] += (double)out[p];
        mean->squares[p] += (double)out[p] * (double)out[p];
    }
}

void contract_check_random_policy(struct contract *c)
{
    const struct banyan_game *g = c->game;
    struct contract_mean fast = {.n = 0}, plain = {.n = 0};
    const void *state = c->slot[SLOT_STATE];
    int length = contract_play_out(c, contract_copy(c, SLOT_PLAY, state), &c->rng);
    int games = 60000 / (length > 0 ? length : 1);
    games = games < 24 ? 24 : games > 4000 ? 4000 : games;
    for (int i = 0; i < games && length >= 0; ++i) {
        void *play = contract_copy(c, SLOT_PLAY, state);
        length = contract_play_out(c, play, &c->rng);
        if (contract_stopped(c))
            return;
        contract_count(c, &plain, play);
        play = contract_copy(c, SLOT_PLAY, state);
        contract_calls(c, "rollout")->rollout(g, play, 0, g->max_plies, &c->rng);
        if (contract_calls(c, "movers")->movers(g, play) == 0)
            contract_count(c, &fast, play);
    }
    for (int p = 0; p < g->players && length >= 0 && fast.n > 0; ++p) {
        double a = plain.sum[p] / plain.n, b = fast.sum[p] / fast.n;
        double spread = (plain.squares[p] / plain.n - a * a) / plain.n +
                        (fast.squares[p] / fast.n - b * b) / fast.n;
        double error = sqrt(fmax(spread, 0)) + 1e-6 * (double)(g->return_max - g->return_min);
        contract_check(c, fabs(a - b) < 4.5 * error,
                       "player %d gets %g by the random rollout and %g by random play, standard "
                       "error %g",
                       p, b, a, error);
    }
}
