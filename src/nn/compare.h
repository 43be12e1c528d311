/* Compares two backends on the same weights and positions. */
#ifndef NN_COMPARE_H
#define NN_COMPARE_H

#include "nn/plugin.h"

struct nn_comparison {
    char first[NN_DESCRIPTION_MAX], second[NN_DESCRIPTION_MAX]; /* their descriptions */
    double forward;          /* relative L2 error of logits and values together */
    double gradient;         /* the largest relative L2 error of the gradient of any tensor */
    char worst[NN_NAME_MAX]; /* that tensor */
    double loss;             /* relative error of the sum of all losses */
};

/* A backend and the type that it computes in. */
struct nn_contender {
    const char *backend, *type;
};

/* Compares contenders[2] on random weights and `count` random positions. */
enum banyan_status nn_compare(const struct nn_model *model, const struct nn_contender contenders[],
                              int count, struct nn_comparison *out, struct banyan_error *err);

#endif
