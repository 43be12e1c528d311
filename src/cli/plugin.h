/* Games in shared libraries: `banyan --game ./nim.so COMMAND ...`. */
#ifndef CLI_PLUGIN_H
#define CLI_PLUGIN_H

#include <banyan/status.h>

#include <stdbool.h>

/* Loads the plugin at path and registers its games, which stay for ever.  checked: each game is checked
 * first, as by `banyan check --games=2`. */
enum banyan_status plugin_load(const char *path, bool checked, struct banyan_error *err);

#endif
