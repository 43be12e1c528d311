/* Every settings struct has a table of its options.
 *
 * Command lines, the options file of a training run, --help, the texts of options in records and
 * checkpoints, and the tables of the manual are all read or made by this table.  Defaults are the
 * values that `banyan_x_options_default` writes to the struct; a file, and then the command line, replaces
 * them.
 *
 * Threads: any thread; the functions write only into what they are given.
 */
#ifndef BANYAN_OPTIONS_H
#define BANYAN_OPTIONS_H

#include <banyan/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum banyan_option_type {
    BANYAN_OPTION_INT,    /* int; suffixes k, M, G (powers of 1000) */
    BANYAN_OPTION_INT64,  /* int64_t; suffixes k, M, G (powers of 1000) */
    BANYAN_OPTION_SIZE,   /* uint64_t bytes; suffixes K, M, G (powers of 1024) */
    BANYAN_OPTION_REAL,   /* double */
    BANYAN_OPTION_BOOL,   /* bool; on/off, true/false, yes/no, 1/0; the bare name means on */
    BANYAN_OPTION_CHOICE, /* int: index into `choices` */
    BANYAN_OPTION_TEXT,   /* char[size] inside the struct */
    BANYAN_OPTION_TIME,   /* double: milliseconds; written with its unit: 50ms, 2s, 1m, 1h; or 0 */
    BANYAN_OPTION_SEED    /* uint64_t, written without a suffix; text is read up to 2^63 - 1 */
};

struct banyan_option {
    const char *name; /* "simulations", "expand-visits": words with hyphens; NULL ends a table */
    enum banyan_option_type type;
    size_t offset;              /* offsetof(struct, member) */
    double min, max;            /* INT, INT64, SIZE, REAL, TIME (ms), SEED: inclusive */
    const char *const *choices; /* CHOICE: names, NULL at the end */
    size_t size;                /* TEXT: size of the array */
    const char *help;           /* one line: what it does, unit */
};

/* Sets one option of the settings struct at `settings`.  value NULL: the name was written alone, which
 * turns a BOOL on.  BANYAN_NOT_FOUND: the name is unknown, and the message has the nearest name;
 * BANYAN_INVALID: the value is wrong, and the message has the range or the choices.
 *
 * In a name '_' is the same as '-'.  The spelling of early states of version 0.1 is read too:
 * "time_ms=50" sets a TIME called "time" to 50ms, "memory_mb=64" a SIZE called "memory" to 64M. */
enum banyan_status banyan_options_set(const struct banyan_option *table, void *settings,
                                      const char *name, const char *value,
                                      struct banyan_error *err);

/* Sets every option of "name=value,name=value,flag".  A value that contains commas stands in parentheses:
 * "evaluator=(mixture:weight=0.5,rollout|heuristic)". */
enum banyan_status banyan_options_parse(const struct banyan_option *table, void *settings,
                                        const char *text, struct banyan_error *err);

/* Checks a settings struct that was filled by hand: BANYAN_INVALID names the first option whose value the
 * table does not allow, the value, and the range. */
enum banyan_status banyan_options_check(const struct banyan_option *table, const void *settings,
                                        struct banyan_error *err);

/* Writes "name=value,..." for all options, or only for those that differ from `defaults` (NULL: all);
 * banyan_options_parse reads it back.  Returns the full length, as snprintf does. */
int banyan_options_dump(const struct banyan_option *table, const void *settings,
                        const void *defaults, char *out, size_t size);

/* Writes two lines of help for each option: its name and default; its meaning, with the range or the choices.
 * Returns the full length, as snprintf does. */
int banyan_options_help(const struct banyan_option *table, const void *defaults, char *out,
                        size_t size);

/* Returns the entry of `names` (NULL at the end) that is nearest to `name`, or NULL if none is near: for
 * messages that ask "did you mean ...?". */
const char *banyan_options_nearest(const char *name, const char *const *names);

#ifdef __cplusplus
}
#endif
#endif
