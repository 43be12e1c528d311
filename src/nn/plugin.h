/* Chooses the backend that computes.  The plain backend is part of the program.  Others are
 * plugins; they are searched for in the folder that BANYAN_PLUGINS names, in the program's folder,
 * and where they are installed. */
#ifndef NN_PLUGIN_H
#define NN_PLUGIN_H

#include "nn/backend.h"

/* Opens the backend of this name, or for "" the best one that works on this machine.  The plugin
 * stays loaded until the program ends. */
enum banyan_status nn_backend_open(const char *name, const struct nn_model *model,
                                   const struct nn_backend_options *options,
                                   const struct nn_backend **backend, void **ctx,
                                   struct banyan_error *err);

/* Writes why nn_backend_open chose this backend; returns what snprintf returns. */
int nn_backend_reason(const char *name, const struct nn_model *model,
                      const struct nn_backend *backend, char *out, size_t size);

/* The table of a backend; NULL, with err filled in: it is not available. */
const struct nn_backend *nn_backend_find(const char *name, struct banyan_error *err);

#endif
