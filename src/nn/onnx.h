/* A network for other programs: an ONNX file (opset 13).
 *
 *      planes [N][C][H][W] --> policy [N][actions] logits, value [N][values], -1..1
 *
 * Norms are folded into the weights, auxiliary heads are left out. */
#ifndef NN_ONNX_H
#define NN_ONNX_H

#include "nn/model.h"

enum banyan_status nn_onnx_write(const char *path, const struct nn_model *model,
                                 const float *params, struct banyan_error *err);

#endif
