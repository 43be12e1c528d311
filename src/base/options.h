/* What the reading and the writing of settings (<banyan/options.h>) share. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/text.h"

#include <banyan/options.h>

/* Adds a description of the values that option accepts: "a whole number 1..9", "on or off", "a time
 * 1ms..1h (such as 50ms, 2s, 1m)", "one of ucb1, puct". */
void options_add_range(struct text *text, const struct banyan_option *option);

/* Adds the value that option has in settings, in the form that banyan_options_set reads. */
void options_add_value(struct text *text, const struct banyan_option *option, const void *settings);

/* Reads a whole number that fits in int64_t: "-5", "20k"; a suffix k, M or G, in either case, multiplies it by a
 * power of suffix_base. */
bool options_whole(const char *text, int64_t suffix_base, int64_t *out);

/* Reads a time: "50ms", "2s", "1m", "1h"; "0" needs no unit. */
bool options_time(const char *text, double *out_ms);

/* Adds a time, in the largest unit in which it is a whole number. */
void options_add_time(struct text *text, double ms);

/* Sorts "name=value,...": the items that table names go to own, the others to rest, of size bytes each.
 * BANYAN_INVALID: parentheses do not match, or the items do not fit. */
enum banyan_status options_split(const struct banyan_option *table, const char *text, char *own,
                                 char *rest, size_t size, struct banyan_error *err);

/* Where a text comes from, or goes to. */
enum options_origin {
    OPTIONS_TYPED, /* typed by a person: a time without a unit stays, and is refused later */
    OPTIONS_FILED, /* a file: there "time=500" means milliseconds */
    OPTIONS_KEY    /* a key to compare by: a time gets the largest unit in which it is whole */
};

/* Writes text, options or a player, in today's spelling: "mcts:time_ms=50,memory_mb=64" is
 * "mcts:time=50ms,memory=64M".  Text in today's spelling, and the command of "exec:", stay as they
 * are.  Returns the full length, as snprintf does. */
int options_respell(const char *text, enum options_origin origin, char *out, size_t size);

#endif
