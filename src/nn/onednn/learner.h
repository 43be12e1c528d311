/* Convolutions of a training step on oneDNN, as an engine for the plain backend: fp32 outside,
 * inside fp32 or bf16 with fp32 sums. */
#ifndef NN_ONEDNN_LEARNER_H
#define NN_ONEDNN_LEARNER_H

#include "nn/onednn/work.h"
#include "nn/ops.h"

struct learner;

enum banyan_status learner_create(struct learner **out, dnnl_data_type_t type, int threads,
                                  struct banyan_error *err);
void learner_destroy(struct learner *learner);
const struct ops_engine *learner_engine(const struct learner *learner);

#endif
