/* What the two halves of <banyan/options.h>, reading and writing, share. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/text.h"

#include <banyan/options.h>

/* Adds the values that option accepts, for people: "a whole number 1..9", "on or off", "a time
 * 1ms..1h (such as 50ms, 2s, 1m)", "one of ucb1, puct". */
void options_add_range(struct text *text, const struct banyan_option *option);

/* Adds the option's value in settings, as banyan_options_set reads it. */
void options_add_value(struct text *text, const struct banyan_option *option, const void *settings);

#endif
