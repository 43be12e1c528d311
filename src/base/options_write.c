/* Writes settings as text, and the help text of a table of options. */
#include "base/options.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the shortest decimal text that reads back to the same number; whole numbers below 1e15 have no exponent. */
static void options_add_real(struct text *text, double number)
{
    char shortest[40];
    if (fabs(number) < 1e15 && number == floor(number)) {
        text_add(text, "%.0f", number);
        return;
    }
    for (int digits = 1; digits <= 17; ++digits) {
        snprintf(shortest, sizeof shortest, "%.*g", digits, number);
        if (strtod(shortest, NULL) == number)
            break;
    }
    text_add(text, "%s", shortest);
}

static void options_add_bytes(struct text *text, uint64_t bytes)
{
    static const char suffixes[] = "KMG";
    int i = -1;
    while (i < 2 && bytes && bytes % 1024 == 0) {
        bytes /= 1024;
        ++i;
    }
    text_add(text, "%" PRIu64, bytes);
    if (i >= 0)
        text_add(text, "%c", suffixes[i]);
}

void options_add_time(struct text *text, double ms)
{
    static const struct {
        const char *unit;
        double ms;
    } units[] = {{"h", 3600e3}, {"m", 60e3}, {"s", 1e3}};
    for (unsigned i = 0; i < sizeof units / sizeof *units; ++i)
        if (ms >= units[i].ms && fpclassify(fmod(ms, units[i].ms)) == FP_ZERO) {
            options_add_real(text, ms / units[i].ms);
            text_add(text, "%s", units[i].unit);
            return;
        }
    options_add_real(text, ms);
    text_add(text, "ms");
}

/* Adds number, with a suffix if it is at least ten times the base, or a multiple of the base: "9999", "128K",
 * "931G"; rounded down. */
static void options_add_rounded(struct text *text, double number, double base, const char *suffixes)
{
    int i = -1;
    while (i < 2 &&
           (number >= 10 * base || (number >= base && fpclassify(fmod(number, base)) == FP_ZERO))) {
        number = floor(number / base);
        ++i;
    }
    text_add(text, "%.0f", number);
    if (i >= 0)
        text_add(text, "%c", suffixes[i]);
}

static void options_add_bound(struct text *text, const struct banyan_option *option, double bound)
{
    bool whole = option->type == BANYAN_OPTION_INT || option->type == BANYAN_OPTION_INT64;
    if (option->type == BANYAN_OPTION_TIME)
        options_add_time(text, bound);
    else if (option->type == BANYAN_OPTION_SIZE)
        options_add_rounded(text, bound, 1024, "KMG");
    else if (whole && bound >= 1e6)
        options_add_rounded(text, bound, 1000, "kMG");
    else
        options_add_real(text, bound);
}

static bool options_unbounded(const struct banyan_option *option)
{
    switch (option->type) {
    case BANYAN_OPTION_REAL:
        return option->max >= DBL_MAX;
    case BANYAN_OPTION_TIME:
        return option->max >= 1e9; /* eleven days */
    case BANYAN_OPTION_INT:
        return option->max >= INT_MAX;
    default:
        return option->max >= 1e15; /* no user needs a larger number */
    }
}

static const char *options_kind(const struct banyan_option *option)
{
    switch (option->type) {
    case BANYAN_OPTION_REAL:
        return "a number";
    case BANYAN_OPTION_TIME:
        return "a time";
    case BANYAN_OPTION_SIZE:
        return "a size";
    default:
        return "a whole number";
    }
}

static void options_add_numbers(struct text *text, const struct banyan_option *option)
{
    bool whole = option->type == BANYAN_OPTION_INT || option->type == BANYAN_OPTION_INT64;
    text_add(text, "%s ", options_kind(option));
    if (options_unbounded(option) && option->min <= -0x1p31)
        text_add(text, "of any size");
    else if (options_unbounded(option)) {
        text_add(text, "from ");
        options_add_bound(text, option, option->min);
        text_add(text, " up");
    } else {
        options_add_bound(text, option, option->min);
        text_add(text, "..");
        options_add_bound(text, option, option->max);
    }
    if (whole && option->max >= 1e4)
        text_add(text, " (k, M, G: thousand, million, billion)");
    if (option->type == BANYAN_OPTION_SIZE)
        text_add(text, " (bytes; K, M, G: powers of 1024)");
    if (option->type == BANYAN_OPTION_TIME)
        text_add(text, " (such as 50ms, 2s, 1m)");
}

void options_add_range(struct text *text, const struct banyan_option *option)
{
    switch (option->type) {
    case BANYAN_OPTION_BOOL:
        text_add(text, "on or off");
        return;
    case BANYAN_OPTION_CHOICE:
        for (int i = 0; option->choices[i]; ++i)
            text_add(text, "%s%s", i ? ", " : "one of ", option->choices[i]);
        return;
    case BANYAN_OPTION_TEXT:
        text_add(text, "text of at most %zu bytes", option->size - 1);
        return;
    case BANYAN_OPTION_INT:
    case BANYAN_OPTION_INT64:
    case BANYAN_OPTION_SIZE:
    case BANYAN_OPTION_REAL:
    case BANYAN_OPTION_TIME:
    case BANYAN_OPTION_SEED:
        break;
    }
    options_add_numbers(text, option);
}

/* A comma would end the value, and parentheses that enclose it would be removed on reading, so such
 * a value is written in parentheses. */
static void options_add_text(struct text *text, const char *value)
{
    bool wrap = strchr(value, ',') || *value == '(';
    text_add(text, wrap ? "(%s)" : "%s", value);
}

void options_add_value(struct text *text, const struct banyan_option *option, const void *settings)
{
    const void *at = (const char *)settings + option->offset;
    switch (option->type) {
    case BANYAN_OPTION_INT:
        text_add(text, "%d", *(const int *)at);
        return;
    case BANYAN_OPTION_INT64:
        text_add(text, "%" PRId64, *(const int64_t *)at);
        return;
    case BANYAN_OPTION_SIZE:
        options_add_bytes(text, *(const uint64_t *)at);
        return;
    case BANYAN_OPTION_REAL:
        options_add_real(text, *(const double *)at);
        return;
    case BANYAN_OPTION_BOOL:
        text_add(text, "%s", *(const bool *)at ? "on" : "off");
        return;
    case BANYAN_OPTION_CHOICE:
        text_add(text, "%s", option->choices[*(const int *)at]);
        return;
    case BANYAN_OPTION_TEXT:
        options_add_text(text, at);
        return;
    case BANYAN_OPTION_TIME:
        options_add_time(text, *(const double *)at);
        return;
    case BANYAN_OPTION_SEED:
        text_add(text, "%" PRIu64, *(const uint64_t *)at);
        return;
    }
}

static bool options_same(const struct banyan_option *option, const void *a, const void *b)
{
    const char *at_a = (const char *)a + option->offset, *at_b = (const char *)b + option->offset;
    switch (option->type) {
    case BANYAN_OPTION_INT:
    case BANYAN_OPTION_CHOICE:
        return *(const int *)at_a == *(const int *)at_b;
    case BANYAN_OPTION_INT64:
    case BANYAN_OPTION_SIZE:
    case BANYAN_OPTION_SEED:
        return *(const uint64_t *)at_a == *(const uint64_t *)at_b;
    case BANYAN_OPTION_REAL:
    case BANYAN_OPTION_TIME:
        return *(const double *)at_a == *(const double *)at_b;
    case BANYAN_OPTION_BOOL:
        return *(const bool *)at_a == *(const bool *)at_b;
    case BANYAN_OPTION_TEXT:
        return strcmp(at_a, at_b) == 0;
    }
    return false;
}

int banyan_options_dump(const struct banyan_option *table, const void *settings,
                        const void *defaults, char *out, size_t size)
{
    struct text text = text_start(out, size);
    for (const struct banyan_option *option = table; option->name; ++option) {
        if (defaults && options_same(option, settings, defaults))
            continue;
        text_add(&text, "%s%s=", text.length ? "," : "", option->name);
        options_add_value(&text, option, settings);
    }
    return (int)text.length;
}

int banyan_options_help(const struct banyan_option *table, const void *defaults, char *out,
                        size_t size)
{
    struct text text = text_start(out, size);
    for (const struct banyan_option *option = table; option->name; ++option) {
        text_add(&text, "  %s=", option->name);
        options_add_value(&text, option, defaults);
        text_add(&text, "\n      %s; ", option->help);
        options_add_range(&text, option);
        text_add(&text, "\n");
    }
    return (int)text.length;
}
