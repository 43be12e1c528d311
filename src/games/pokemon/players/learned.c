/* The evaluator "learned": a network over the numbers of both sides. */
#include "games/pokemon/players/learned.h"

#include <assert.h>
#include <string.h>

/* Four units of a layer, computed at once; as many units as the processor's registers hold for both
 * sides, LEARNED_BLOCK, are computed in one pass over the layer below. */
typedef float learned_lanes __attribute__((vector_size(16)));

enum { LEARNED_LANES = 4, LEARNED_BLOCK = 16, LEARNED_GROUPS = LEARNED_BLOCK / LEARNED_LANES };

static_assert(LEARNED_HIDDEN % LEARNED_BLOCK == 0, "whole blocks");
static_assert((int)LEARNED_SECOND == (int)LEARNED_BLOCK, "one block");

/* A block of a layer, for both sides. */
struct learned_block {
    learned_lanes sums[2][LEARNED_GROUPS];
};

static inline learned_lanes learned_read(const float *numbers)
{
    learned_lanes lanes;
    memcpy(&lanes, numbers, sizeof lanes);
    return lanes;
}

static inline void learned_start(struct learned_block *block, const float *bias)
{
    for (int g = 0; g < LEARNED_GROUPS; ++g)
        block->sums[0][g] = block->sums[1][g] = learned_read(bias + LEARNED_LANES * g);
}

/* Adds x * weights to the sums of side 0, y * weights to those of side 1. */
static inline void learned_add(struct learned_block *block, const float *weights, float x, float y)
{
    for (int g = 0; g < LEARNED_GROUPS; ++g) {
        learned_lanes row = learned_read(weights + LEARNED_LANES * g);
        block->sums[0][g] += x * row;
        block->sums[1][g] += y * row;
    }
}

/* Writes the sums, with 0 in place of those below 0. */
static inline void learned_rectify(const struct learned_block *block, float *mine, float *theirs)
{
    float *out[2] = {mine, theirs};
    for (int side = 0; side < 2; ++side) {
        memcpy(out[side], block->sums[side], sizeof block->sums[side]);
        for (int i = 0; i < LEARNED_BLOCK; ++i)
            out[side][i] = out[side][i] > 0 ? out[side][i] : 0;
    }
}

/* Lists the inputs that are not 0 for both sides: less than half of all. */
static int learned_list(const float sides[2][INPUT_COUNT], uint8_t out[INPUT_COUNT])
{
    int count = 0;
    for (int i = 0; i < INPUT_COUNT; ++i) {
        out[count] = (uint8_t)i;
        count += (sides[0][i] != 0) | (sides[1][i] != 0);
    }
    return count;
}

/* Both sides' sums are made in one order, so that their values add up to 0. */
static void learned_first(const float sides[2][INPUT_COUNT], const uint8_t *inputs, int count,
                          float out[2][LEARNED_HIDDEN])
{
    for (int at = 0; at < LEARNED_HIDDEN; at += LEARNED_BLOCK) {
        struct learned_block block;
        learned_start(&block, learned_bias + at);
        for (int k = 0; k < count; ++k) {
            int i = inputs[k];
            learned_add(&block, learned_mine[i] + at, sides[0][i], sides[1][i]);
            learned_add(&block, learned_theirs[i] + at, sides[1][i], sides[0][i]);
        }
        learned_rectify(&block, out[0] + at, out[1] + at);
    }
}

static void learned_then(const float hidden[2][LEARNED_HIDDEN], float out[2][LEARNED_SECOND])
{
    struct learned_block block;
    learned_start(&block, learned_second_bias);
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < LEARNED_HIDDEN; ++i)
            learned_add(&block, learned_second[k][i], hidden[k][i], hidden[!k][i]);
    learned_rectify(&block, out[0], out[1]);
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
    uint8_t inputs[INPUT_COUNT];
    int count = learned_list(sides, inputs);
    learned_first(sides, inputs, count, hidden);
    learned_then((const float(*)[LEARNED_HIDDEN])hidden, second);
    for (int k = 0; k < count; ++k)
        sum += learned_linear[inputs[k]] * (sides[0][inputs[k]] - sides[1][inputs[k]]);
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
