/* Architectures of networks: options, defaults, comparison and checks. */
#include "nn/arch.h"

#include <stddef.h>
#include <string.h>

static const char *const arch_norms[] = {"none", "batch", "weight", NULL};
static const char *const arch_heads[] = {"full", "pairs", NULL};

#define AT(member) offsetof(struct nn_arch, member)
/* clang-format off */
const struct banyan_option nn_arch_table[] = {
    {"planes", BANYAN_OPTION_INT, AT(planes), 1, NN_MAX_CHANNELS, NULL, 0, "input planes of the game's encoding"},
    {"height", BANYAN_OPTION_INT, AT(height), 1, NN_MAX_SIDE, NULL, 0, "rows of a plane"},
    {"width", BANYAN_OPTION_INT, AT(width), 1, NN_MAX_SIDE, NULL, 0, "columns of a plane"},
    {"actions", BANYAN_OPTION_INT, AT(actions), 0, NN_MAX_ACTIONS, NULL, 0, "width of the policy"},
    {"values", BANYAN_OPTION_INT, AT(values), 1, 8, NULL, 0, "number of values; 1: that of the viewer; n: one for each of n players"},
    {"channels", BANYAN_OPTION_INT, AT(channels), 1, NN_MAX_CHANNELS, NULL, 0, "width of the trunk"},
    {"blocks", BANYAN_OPTION_INT, AT(blocks), 0, NN_MAX_BLOCKS, NULL, 0, "residual blocks"},
    {"norm", BANYAN_OPTION_CHOICE, AT(norm), 0, 0, arch_norms, 0, "normalisation of the trunk"},
    {"head-norm", BANYAN_OPTION_BOOL, AT(head_norm), 0, 1, NULL, 0, "normalise the heads too"},
    {"pool", BANYAN_OPTION_INT, AT(pool), 0, NN_MAX_BLOCKS, NULL, 0, "every pool-th block pools over the whole board; 0: none"},
    {"policy-head", BANYAN_OPTION_CHOICE, AT(policy_head), 0, 0, arch_heads, 0, "full, or pairs of cells"},
    {"policy-channels", BANYAN_OPTION_INT, AT(policy_channels), 1, 256, NULL, 0, "channels of the policy head"},
    {"value-channels", BANYAN_OPTION_INT, AT(value_channels), 1, 256, NULL, 0, "channels of the value head"},
    {"value-hidden", BANYAN_OPTION_INT, AT(value_hidden), 1, 4096, NULL, 0, "hidden units of the value head"},
    {"owner", BANYAN_OPTION_BOOL, AT(owner), 0, 1, NULL, 0, "auxiliary head: who owns each cell at the end"},
    {"score", BANYAN_OPTION_BOOL, AT(score), 0, 1, NULL, 0, "auxiliary head: the final score"},
    {0},
};
/* clang-format on */
#undef AT

void nn_arch_default(struct nn_arch *arch)
{
    *arch = (struct nn_arch){.values = 1,
                             .channels = 32,
                             .blocks = 2,
                             .norm = NN_NORM_WEIGHT,
                             .policy_channels = 4,
                             .value_channels = 4,
                             .value_hidden = 32};
}

void nn_arch_published(struct nn_arch *arch)
{
    arch->channels = 128;
    arch->blocks = 2;
    arch->norm = NN_NORM_BATCH;
    arch->head_norm = true;
    arch->pool = 0;
    arch->policy_head = NN_POLICY_FULL;
    arch->policy_channels = 2;
    arch->value_channels = 1;
    arch->value_hidden = 128;
    arch->owner = arch->score = false;
}

bool nn_arch_equal(const struct nn_arch *a, const struct nn_arch *b)
{
    for (const struct banyan_option *o = nn_arch_table; o->name; ++o) {
        size_t size = o->type == BANYAN_OPTION_BOOL ? sizeof(bool) : sizeof(int);
        if (memcmp((const char *)a + o->offset, (const char *)b + o->offset, size) != 0)
            return false;
    }
    return true;
}

/* The largest network that is accepted, in weights. */
static const double arch_weights_max = 1e9;

enum banyan_status nn_arch_check(const struct nn_arch *arch, struct banyan_error *err)
{
    for (const struct banyan_option *o = nn_arch_table; o->name; ++o) {
        if (o->type != BANYAN_OPTION_INT)
            continue;
        int value = *(const int *)((const char *)arch + o->offset);
        if (value < o->min || value > o->max)
            return banyan_fail(err, BANYAN_INVALID, "network: %s=%d is not in %g..%g", o->name,
                               value, o->min, o->max);
    }
    if (arch->norm < 0 || arch->norm > NN_NORM_WEIGHT || arch->policy_head < 0 ||
        arch->policy_head > NN_POLICY_PAIRS)
        return banyan_fail(err, BANYAN_INVALID, "network: unknown norm or policy head");
    double cells = nn_arch_cells(arch), channels = arch->channels;
    double weights = channels * channels * 18.0 * arch->blocks + channels * 9.0 * arch->planes +
                     cells * arch->policy_channels * (double)arch->actions +
                     cells * arch->value_channels * arch->value_hidden;
    if (weights > arch_weights_max)
        return banyan_fail(err, BANYAN_INVALID,
                           "network: about %.2g weights, more than the %.0g that are allowed",
                           weights, arch_weights_max);
    return BANYAN_OK;
}
