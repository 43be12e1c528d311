/* Matches in tests: the options of the next one, its result, and what it must say. */
#ifndef TESTS_MATCH_RUN_H
#define TESTS_MATCH_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/match.h"

#include <math.h>
#include <string.h>

static struct banyan_error err;
static struct match_options options;
static struct match_result result;

/* Plays a match; its result is in `result`. */
static inline enum banyan_status run(const char *name, int count, const char *const specs[])
{
    const struct banyan_game *game;
    if (banyan_game_find(name, &game, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return match_run(game, specs, count, &options, &result, &err);
}

/* A match of two that must succeed. */
static inline void duel(const char *name, const char *a, const char *b)
{
    const char *const specs[] = {a, b};
    if (run(name, 2, specs) != BANYAN_OK)
        fail_msg("%s: %s against %s: %s", name, a, b, err.message);
}

/* A match of two that must fail with this status, and a message of one line that has this part. */
static inline void fails(const char *name, const char *a, const char *b, enum banyan_status status,
                         const char *part)
{
    const char *const specs[] = {a, b};
    enum banyan_status got = run(name, 2, specs);
    if (got != status || !strstr(err.message, part) || strchr(err.message, '\n'))
        fail_msg("%s, %s: status %d, '%s' lacks '%s'", a, b, (int)got, err.message, part);
}

/* Before each test: the default options. */
static inline int reset(void **unused)
{
    (void)unused;
    match_options_default(&options);
    return 0;
}

static inline void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.9g, not %.9g", found, expected);
}

#endif
