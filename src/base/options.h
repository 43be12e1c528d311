/* What the two halves of <banyan/options.h>, reading and writing, share. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/text.h"

#include <banyan/options.h>

/* Adds the values that option accepts: "1..9", "0..1", "on, off", "ucb1, puct". */
void options_add_range(struct text *text, const struct banyan_option *option);

/* Adds the option's value in settings, as banyan_options_set reads it. */
void options_add_value(struct text *text, const struct banyan_option *option, const void *settings);

#endif
