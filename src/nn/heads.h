/* The last layers of a search's forward pass, on the host: what backends do alike once they have the
 * boards of the heads' first convolutions. */
#ifndef NN_HEADS_H
#define NN_HEADS_H

#include "nn/backend.h"
#include "nn/ops.h"

struct nn_heads {
    const struct nn_model *model; /* borrowed */
    const float *folded;          /* borrowed: [model->size] weights with norms folded in */
    struct ops ops;
    int room;              /* positions of a batch */
    float *hidden, *embed; /* owned */
};

enum banyan_status nn_heads_open(struct nn_heads *heads, const struct nn_model *model,
                                 const float *folded, int room, struct banyan_error *err);
void nn_heads_close(struct nn_heads *heads);

/* Values and logits of count positions from number `first` of the request on; policy[count][cells]
 * [channels] and value alike have had their bias and ReLU. */
void nn_heads_answer(struct nn_heads *heads, const struct nn_request *request, int first, int count,
                     const float *policy, const float *value);

#endif
