/* Policy heads over listed actions, and losses. */
#include "base/numeric.h"
#include "nn/ops.h"

#include <math.h>
#include <string.h>

enum { DOT_LANES = 8 };

float ops_dot(int n, const float *a, const float *b)
{
    float lanes[DOT_LANES] = {0}, rest = 0;
    int i = 0;
    for (; i + DOT_LANES <= n; i += DOT_LANES)
        for (int j = 0; j < DOT_LANES; ++j)
            lanes[j] += a[i + j] * b[i + j];
    for (; i < n; ++i)
        rest += a[i] * b[i];
    for (int j = 0; j < DOT_LANES; ++j)
        rest += lanes[j];
    return rest;
}

/* y += factor * x */
static void loss_add(int n, float factor, const float *x, float *y)
{
    for (int i = 0; i < n; ++i)
        y[i] += factor * x[i];
}

/* --- full policy: one row of weights for each action --- */

void ops_rows_forward(const struct ops_rows *rows, const float *hidden, const float *weight,
                      const float *bias, float *out)
{
    for (int i = 0; i < rows->n; ++i)
        out[i] = ops_dot(rows->in, hidden, weight + (long)rows->actions[i] * rows->in) +
                 bias[rows->actions[i]];
}

void ops_rows_backward(const struct ops_rows *rows, const float *hidden, const float *weight,
                       const struct ops_back *back)
{
    for (int i = 0; i < rows->n; ++i) {
        long at = (long)rows->actions[i] * rows->in;
        loss_add(rows->in, back->dy[i], weight + at, back->dx);
        loss_add(rows->in, back->dy[i], hidden, back->dweight + at);
        back->dbias[rows->actions[i]] += back->dy[i];
    }
}

/* --- policy of pairs --- */

void ops_mean_cell_forward(const struct ops_pairs *pairs, float *embed)
{
    int wide = 2 * pairs->length;
    float *mean = embed + (long)pairs->cells * wide;
    memset(mean, 0, sizeof *mean * (size_t)wide);
    for (int cell = 0; cell < pairs->cells; ++cell)
        loss_add(wide, 1 / (float)pairs->cells, embed + (long)cell * wide, mean);
}

void ops_mean_cell_backward(const struct ops_pairs *pairs, float *dembed)
{
    int wide = 2 * pairs->length;
    const float *mean = dembed + (long)pairs->cells * wide;
    for (int cell = 0; cell < pairs->cells; ++cell)
        loss_add(wide, 1 / (float)pairs->cells, mean, dembed + (long)cell * wide);
}

struct loss_pair {
    long a, b; /* offsets of the two halves of the embeddings */
};

static struct loss_pair loss_pair_at(const struct ops_pairs *pairs, int i)
{
    const float *cells = pairs->table + 2 * (long)pairs->actions[i];
    return (struct loss_pair){(long)cells[0] * 2 * pairs->length,
                              (long)cells[1] * 2 * pairs->length + pairs->length};
}

void ops_pairs_forward(const struct ops_pairs *pairs, const float *embed, const float *bias,
                       float *out)
{
    float scale = 1 / sqrtf((float)pairs->length);
    for (int i = 0; i < pairs->n; ++i) {
        struct loss_pair at = loss_pair_at(pairs, i);
        out[i] =
            scale * ops_dot(pairs->length, embed + at.a, embed + at.b) + bias[pairs->actions[i]];
    }
}

void ops_pairs_backward(const struct ops_pairs *pairs, const float *embed, const float *dout,
                        float *dembed, float *dbias)
{
    float scale = 1 / sqrtf((float)pairs->length);
    for (int i = 0; i < pairs->n; ++i) {
        struct loss_pair at = loss_pair_at(pairs, i);
        loss_add(pairs->length, scale * dout[i], embed + at.b, dembed + at.a);
        loss_add(pairs->length, scale * dout[i], embed + at.a, dembed + at.b);
        dbias[pairs->actions[i]] += dout[i];
    }
}

/* --- losses --- */

void ops_softmax(int n, float *logits)
{
    double sum = 0;
    float most = -INFINITY;
    for (int i = 0; i < n; ++i)
        most = logits[i] > most ? logits[i] : most;
    for (int i = 0; i < n; ++i) {
        logits[i] = (float)numeric_exp((double)logits[i] - most);
        sum += logits[i];
    }
    for (int i = 0; i < n; ++i)
        logits[i] = (float)(logits[i] / sum);
}

double ops_softmax_loss(int n, const float *logits, const float *target, float weight,
                        float *dlogits)
{
    double sum = 0, loss = 0;
    float most = -INFINITY;
    for (int i = 0; i < n; ++i)
        most = logits[i] > most ? logits[i] : most;
    for (int i = 0; i < n; ++i)
        sum += numeric_exp((double)logits[i] - most);
    double log_sum = numeric_ln(sum) + most;
    for (int i = 0; i < n; ++i) {
        loss += target[i] * (log_sum - logits[i]);
        dlogits[i] = (float)(weight * (numeric_exp((double)logits[i] - most) / sum - target[i]));
    }
    return loss;
}

double ops_square_loss(int n, const float *y, const float *target, float weight, float *dy)
{
    double loss = 0;
    for (int i = 0; i < n; ++i) {
        double off = (double)y[i] - target[i];
        loss += off * off;
        dy[i] = (float)(weight * 2 * off);
    }
    return loss;
}
