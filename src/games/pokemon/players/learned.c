/* The evaluator "learned": a network over the numbers of both sides. */
#include "games/pokemon/players/learned.h"

#include <string.h>

static inline void learned_add(float *restrict sums, const float *restrict weights, float factor,
                               int n)
{
    for (int i = 0; i < n; ++i)
        sums[i] += factor * weights[i];
}

static void learned_rectify(float *numbers, int n)
{
    for (int i = 0; i < n; ++i)
        numbers[i] = numbers[i] > 0 ? numbers[i] : 0;
}

/* Computes the first hidden layer for both sides.  Inputs that are 0, as most are, are skipped. */
static void learned_first(const float sides[2][INPUT_COUNT], float out[2][LEARNED_HIDDEN])
{
    for (int side = 0; side < 2; ++side)
        memcpy(out[side], learned_bias, sizeof out[side]);
    for (int i = 0; i < INPUT_COUNT; ++i)
        for (int side = 0; side < 2; ++side) { /* in one order, so that both values add up to 0 */
            if (sides[side][i] != 0)
                learned_add(out[side], learned_mine[i], sides[side][i], LEARNED_HIDDEN);
            if (sides[!side][i] != 0)
                learned_add(out[side], learned_theirs[i], sides[!side][i], LEARNED_HIDDEN);
        }
    for (int side = 0; side < 2; ++side)
        learned_rectify(out[side], LEARNED_HIDDEN);
}

static void learned_then(const float hidden[2][LEARNED_HIDDEN], float out[2][LEARNED_SECOND])
{
    for (int side = 0; side < 2; ++side) {
        memcpy(out[side], learned_second_bias, sizeof out[side]);
        for (int k = 0; k < 2; ++k)
            for (int i = 0; i < LEARNED_HIDDEN; ++i)
                if (hidden[side ^ k][i] > 0)
                    learned_add(out[side], learned_second[k][i], hidden[side ^ k][i],
                                LEARNED_SECOND);
        learned_rectify(out[side], LEARNED_SECOND);
    }
}

/* An approximation of tanh by a ratio of polynomials: the error is below 0.002. */
static float learned_tanh(float x)
{
    float square = x * x;
    float value = x * (945 + square * (105 + square)) / (945 + square * (420 + 15 * square));
    return value > 1 ? 1 : value < -1 ? -1 : value;
}

float learned_value(const float sides[2][INPUT_COUNT])
{
    float hidden[2][LEARNED_HIDDEN], second[2][LEARNED_SECOND], sum = 0;
    learned_first(sides, hidden);
    learned_then((const float(*)[LEARNED_HIDDEN])hidden, second);
    for (int i = 0; i < INPUT_COUNT; ++i)
        sum += learned_linear[i] * (sides[0][i] - sides[1][i]);
    for (int i = 0; i < LEARNED_SECOND; ++i)
        sum += learned_out[i] * (second[0][i] - second[1][i]);
    return learned_tanh(sum);
}

static enum banyan_status learned_leaves(void *ctx, struct banyan_leaf *leaves, int n,
                                         struct banyan_error *err)
{
    (void)ctx, (void)err;
    for (int i = 0; i < n; ++i) {
        float sides[2][INPUT_COUNT];
        learned_inputs(leaves[i].state, sides);
        leaves[i].values[0] = learned_value((const float(*)[INPUT_COUNT])sides);
        leaves[i].values[1] = -leaves[i].values[0];
    }
    return BANYAN_OK;
}

enum banyan_status learned_create(const struct banyan_game *game, const char *args,
                                  const struct banyan_offer *offers, struct banyan_evaluator *out,
                                  struct banyan_error *err)
{
    (void)game, (void)offers;
    if (*args)
        return banyan_fail(err, BANYAN_INVALID,
                           "the evaluator 'learned' takes no options, but has '%.60s'", args);
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "learned",
                                     .reentrant = true,
                                     .evaluate = learned_leaves};
    return BANYAN_OK;
}
