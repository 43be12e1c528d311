/* What the parts of the plain backend share: one pass over the layers. */
#ifndef NN_PLAIN_PASS_H
#define NN_PLAIN_PASS_H

#include "nn/plain.h"

/* A convolution and its activations. */
struct plain_layer {
    const struct nn_conv *conv;
    float *pre; /* [rows][out] before batch norm */
    float *out; /* [rows][out] */
};

struct plain_block {
    struct plain_layer first, second;
    float *pooled, *spread; /* [count][2 channels], [count][channels] */
};

struct plain {
    const struct nn_model *model;
    struct ops ops;
    const struct plain_trunk *trunk; /* computes the trunk in training; NULL: this backend does */
    float *folded;    /* for forward: weights with folded norms; owned unless `borrows` */
    bool borrows;     /* another context owns folded; this one does not train */
    float *effective; /* for gradients: the weights, with standardised ones in place of the raw
                       * ones */
    float *deffective;
    char description[32];
    bool failed; /* the trunk failed in this step */

    /* activations for `room` positions, all in one allocation */
    int room;
    bool learning; /* the memory includes the gradients */
    float *memory;
    float *input;
    struct plain_layer stem, policy, value, owner;
    struct plain_block blocks[NN_MAX_BLOCKS];
    float *embed, *hidden, *values, *score;
    /* gradients */
    float *dtrunk, *dinner, *dspare; /* [rows][channels] */
    float *dhead;                    /* [rows][widest head] */
    float *dembed, *dhidden, *dvalues, *dscore, *dpooled, *dlogits;
};

/* One pass over the layers. */
struct plain_pass {
    struct plain *plain;
    int count;
    const float *weights; /* the weights to multiply with */
    const float *params;  /* training: gains and biases of batch norms */
    float *gradients;     /* training; NULL: a search */
};

static inline float *plain_at(const struct plain *plain, const float *block, int tensor)
{
    return (float *)block + plain->model->tensors[tensor].offset;
}

/* plain_trunk.c */
size_t plain_rows(const struct plain_pass *pass);
size_t plain_trunk_size(const struct plain_pass *pass);
void plain_conv_forward(const struct plain_pass *pass, const struct plain_layer *layer,
                        const float *x);
void plain_conv_backward(const struct plain_pass *pass, const struct plain_layer *layer,
                         const float *x, float *dout, float *dx);
void plain_weight_norm_back(const struct plain_pass *pass, const struct nn_conv *conv);
void plain_dense_forward(const struct plain_pass *pass, const struct nn_dense *dense,
                         const float *x, float *y);
void plain_dense_backward(const struct plain_pass *pass, const struct nn_dense *dense,
                          const float *x, const float *dy, float *dx);
void plain_add(size_t n, const float *x, float *y);
const float *plain_trunk_forward(const struct plain_pass *pass, const float *planes);
void plain_trunk_backward(const struct plain_pass *pass);

/* plain_heads.c */
void plain_heads_forward(const struct plain_pass *pass, const float *trunk);
void plain_logits(const struct plain_pass *pass, int position, int n, const int32_t *actions,
                  float *logits);
void plain_policy_learn(const struct plain_pass *pass, const struct nn_head *head,
                        const float *trunk, struct nn_losses *losses);
void plain_value_learn(const struct plain_pass *pass, const struct nn_head *head,
                       const float *trunk, struct nn_losses *losses);
void plain_owner_learn(const struct plain_pass *pass, const struct nn_head *head,
                       const float *trunk, struct nn_losses *losses);

#endif
