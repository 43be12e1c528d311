/* Convolutions of a training step on oneDNN, in fp32, as an engine for the plain backend. */
#ifndef NN_ONEDNN_LEARNER_H
#define NN_ONEDNN_LEARNER_H

#include "nn/onednn/work.h"
#include "nn/ops.h"

struct learner;

enum banyan_status learner_create(struct learner **out, int threads, struct banyan_error *err);
void learner_destroy(struct learner *learner);
const struct ops_engine *learner_engine(const struct learner *learner);

#endif
