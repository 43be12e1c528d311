/* Convolutions of a training step on oneDNN in fp32, for the plain backend. */
#include "nn/onednn/learner.h"

#include "nn/model.h"

#include <stdlib.h>
#include <string.h>

enum { LEARNER_CONVS = 32, LEARNER_NARROW = 16 };

/* Primitives and memory for convolutions of one shape. */
struct learner_conv {
    struct conv_shape shape;
    struct conv forward, data, weights;
    struct reorder forward_weights, data_weights, gradients; /* convert between the files' and
                                                              * the kernels' layouts */
    dnnl_memory_desc_t in, out;                              /* boards */
};

struct learner {
    struct work work;
    struct ops_engine engine;
    struct learner_conv convs[LEARNER_CONVS];
    int count;
    /* scratch memory, as large as needed so far */
    void *packed;
    float *gradient;
    size_t packed_room, gradient_room;
};

static bool learner_room(void **block, size_t *room, size_t bytes)
{
    if (bytes <= *room)
        return true;
    free(*block);
    *block = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    *room = *block ? bytes : 0;
    return *block != NULL;
}

static bool learner_scratch(struct learner *learner, const struct learner_conv *conv)
{
    const struct conv_shape *s = &conv->shape;
    size_t file = (size_t)s->out * (size_t)s->in * (size_t)(s->kernel * s->kernel) * sizeof(float);
    size_t packed = dnnl_memory_desc_get_size(&conv->forward.weights);
    size_t more[] = {dnnl_memory_desc_get_size(&conv->data.weights),
                     dnnl_memory_desc_get_size(&conv->weights.weights)};
    for (int i = 0; i < 2; ++i)
        packed = more[i] > packed ? more[i] : packed;
    return learner_room(&learner->packed, &learner->packed_room, packed) &&
           learner_room((void **)&learner->gradient, &learner->gradient_room, file);
}

static dnnl_status_t learner_make(struct learner *learner, struct learner_conv *conv)
{
    const struct conv_extra plain = {.training = true};
    const struct conv_shape *shape = &conv->shape;
    dnnl_memory_desc_t file = conv_file_weights(shape);
    struct conv *const convs[] = {&conv->forward, &conv->data, &conv->weights};
    dnnl_status_t status = dnnl_success;
    conv->in = conv_board(shape, shape->in, dnnl_f32);
    conv->out = conv_board(shape, shape->out, dnnl_f32);
    for (int pass = 0; pass < 3 && status == dnnl_success; ++pass)
        status = conv_create(convs[pass], learner->work.engine, (enum conv_pass)pass, shape,
                             (struct conv_types){dnnl_f32, true}, &plain);
    if (status == dnnl_success)
        status =
            reorder_create(&conv->forward_weights, &learner->work, &file, &conv->forward.weights);
    if (status == dnnl_success)
        status = reorder_create(&conv->data_weights, &learner->work, &file, &conv->data.weights);
    if (status == dnnl_success)
        status = reorder_create(&conv->gradients, &learner->work, &conv->weights.weights, &file);
    return status;
}

static void learner_unmake(struct learner_conv *conv)
{
    struct conv *const convs[] = {&conv->forward, &conv->data, &conv->weights};
    struct reorder *const reorders[] = {&conv->forward_weights, &conv->data_weights,
                                        &conv->gradients};
    for (int i = 0; i < 3; ++i) {
        conv_destroy(convs[i]);
        reorder_destroy(reorders[i]);
    }
}

/* The primitives for this shape.  NULL: the plain backend computes it, because it is faster for 1x1
 * kernels and few output channels, or because oneDNN has no kernel for it. */
static struct learner_conv *learner_find(struct learner *learner, const struct ops_conv *ops)
{
    struct conv_shape shape = {ops->count, ops->height, ops->width, ops->in,
                               ops->out,   ops->kernel, false};
    if (ops->kernel == 1 || ops->out < LEARNER_NARROW)
        return NULL;
    for (int i = 0; i < learner->count; ++i)
        if (memcmp(&learner->convs[i].shape, &shape, sizeof shape) == 0)
            return &learner->convs[i];
    if (learner->count == LEARNER_CONVS)
        learner_unmake(&learner->convs[--learner->count]);
    struct learner_conv *conv = &learner->convs[learner->count];
    memset(conv, 0, sizeof *conv);
    conv->shape = shape;
    if (learner_make(learner, conv) != dnnl_success || !learner_scratch(learner, conv)) {
        learner_unmake(conv);
        return NULL;
    }
    ++learner->count;
    return conv;
}

static bool learner_forward(void *ctx, const struct ops_conv *ops, const float *x,
                            const float *weight, const float *bias, float *y)
{
    struct learner *learner = ctx;
    struct learner_conv *conv = learner_find(learner, ops);
    if (!conv || !learner_scratch(learner, conv) ||
        reorder_run(&conv->forward_weights, &learner->work, weight, learner->packed) !=
            dnnl_success)
        return false;
    const struct work_argument arguments[] = {
        {DNNL_ARG_SRC, conv->in, (void *)x},
        {DNNL_ARG_WEIGHTS, conv->forward.weights, learner->packed},
        {DNNL_ARG_DST, conv->out, y}};
    if (work_run(&learner->work, conv->forward.primitive, arguments, 3) != dnnl_success)
        return false;
    size_t rows = (size_t)ops->count * (size_t)ops->height * (size_t)ops->width;
    for (size_t row = 0; bias && row < rows; ++row, y += ops->out)
        for (int o = 0; o < ops->out; ++o)
            y[o] += bias[o];
    return true;
}

static bool learner_backward_data(struct learner *learner, const struct learner_conv *conv,
                                  const float *dy, const float *weight, float *dx)
{
    const struct work_argument arguments[] = {
        {DNNL_ARG_DIFF_DST, conv->out, (void *)dy},
        {DNNL_ARG_WEIGHTS, conv->data.weights, learner->packed},
        {DNNL_ARG_DIFF_SRC, conv->in, dx}};
    return reorder_run(&conv->data_weights, &learner->work, weight, learner->packed) ==
               dnnl_success &&
           work_run(&learner->work, conv->data.primitive, arguments, 3) == dnnl_success;
}

static bool learner_backward(void *ctx, const struct ops_conv *ops, const float *x,
                             const float *weight, const struct ops_back *back)
{
    const float *dy = back->dy;
    struct learner *learner = ctx;
    struct learner_conv *conv = learner_find(learner, ops);
    if (!conv || !learner_scratch(learner, conv))
        return false;
    const struct work_argument arguments[] = {
        {DNNL_ARG_SRC, conv->in, (void *)x},
        {DNNL_ARG_DIFF_DST, conv->out, (void *)dy},
        {DNNL_ARG_DIFF_WEIGHTS, conv->weights.weights, learner->packed}};
    if (work_run(&learner->work, conv->weights.primitive, arguments, 3) != dnnl_success ||
        reorder_run(&conv->gradients, &learner->work, learner->packed, learner->gradient) !=
            dnnl_success)
        return false;
    size_t weights = (size_t)ops->out * (size_t)ops->in * (size_t)(ops->kernel * ops->kernel);
    if (back->dx && !learner_backward_data(learner, conv, dy, weight, back->dx))
        return false;
    for (size_t i = 0; i < weights; ++i)
        back->dweight[i] += learner->gradient[i];
    size_t rows = (size_t)ops->count * (size_t)ops->height * (size_t)ops->width;
    for (size_t row = 0; back->dbias && row < rows; ++row, dy += ops->out)
        for (int o = 0; o < ops->out; ++o)
            back->dbias[o] += dy[o];
    return true;
}

enum banyan_status learner_create(struct learner **out, int threads, struct banyan_error *err)
{
    struct learner *learner = calloc(1, sizeof *learner);
    *out = NULL;
    if (!learner)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    learner->engine = (struct ops_engine){learner, learner_forward, learner_backward};
    enum banyan_status status = work_create(&learner->work, threads, err);
    if (status != BANYAN_OK) {
        learner_destroy(learner);
        return status;
    }
    *out = learner;
    return BANYAN_OK;
}

void learner_destroy(struct learner *learner)
{
    if (!learner)
        return;
    for (int i = 0; i < learner->count; ++i)
        learner_unmake(&learner->convs[i]);
    work_destroy(&learner->work);
    free(learner->packed);
    free(learner->gradient);
    free(learner);
}

const struct ops_engine *learner_engine(const struct learner *learner)
{
    return &learner->engine;
}
