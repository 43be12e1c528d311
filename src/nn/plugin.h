/* Which backend computes: plain is in the program, others are plugins that are looked for in the
 * folder BANYAN_PLUGINS names, beside the program, and where they are installed. */
#ifndef NN_PLUGIN_H
#define NN_PLUGIN_H

#include "nn/backend.h"

/* Opens a backend by name, or for "" the best of those that open here.  The backend's table stays
 * loaded for good. */
enum banyan_status nn_backend_open(const char *name, const struct nn_model *model,
                                   const struct nn_backend_options *options,
                                   const struct nn_backend **backend, void **ctx,
                                   struct banyan_error *err);

/* Why nn_backend_open took this backend, in words; as snprintf. */
int nn_backend_reason(const char *name, const struct nn_model *model,
                      const struct nn_backend *backend, char *out, size_t size);

/* The table of a backend; NULL with err filled: not there. */
const struct nn_backend *nn_backend_find(const char *name, struct banyan_error *err);

#endif
