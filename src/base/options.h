/* What reading and writing of settings (<banyan/options.h>) have in common. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/text.h"

#include <banyan/options.h>

/* Adds a description of the values that option accepts: "a whole number 1..9", "on or off", "a time
 * 1ms..1h (such as 50ms, 2s, 1m)", "one of ucb1, puct". */
void options_add_range(struct text *text, const struct banyan_option *option);

/* Adds the value that option has in settings, in the form that banyan_options_set reads. */
void options_add_value(struct text *text, const struct banyan_option *option, const void *settings);

#endif
