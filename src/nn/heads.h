/* The last layers of a search's forward pass, computed on the host.  The backends onednn and cuda use
 * them after the first convolutions of the heads; plain has its own (plain_heads.c). */
#ifndef NN_HEADS_H
#define NN_HEADS_H

#include "nn/backend.h"
#include "nn/ops.h"

struct nn_heads {
    const struct nn_model *model; /* borrowed */
    const float *folded;          /* borrowed: [model->size] weights with folded norms */
    struct ops ops;
    int room;              /* largest number of positions in a batch */
    float *hidden, *embed; /* owned */
};

enum banyan_status nn_heads_open(struct nn_heads *heads, const struct nn_model *model,
                                 const float *folded, int room, struct banyan_error *err);
void nn_heads_close(struct nn_heads *heads);

/* Computes values and logits of count positions, beginning with number `first` of the request.
 * policy[count][cells][channels] and value are the outputs of the first convolutions with bias, and
 * with ReLU where conv->relu is set. */
void nn_heads_answer(struct nn_heads *heads, const struct nn_request *request, int first, int count,
                     const float *policy, const float *value);

#endif
