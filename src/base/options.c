/* Reads settings from text into structs, by tables of options. */
#include "base/options.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTIONS_MAX = 128, /* entries of one table */
    OPTIONS_NAME_MAX = 64,
    OPTIONS_VALUE_MAX = 4096 /* bytes of one value in "name=value,..." */
};

/* --- errors --- */

static enum banyan_status options_unknown(const struct banyan_option *table, const char *name,
                                          struct banyan_error *err)
{
    const char *names[OPTIONS_MAX + 1] = {NULL};
    char listed[BANYAN_MESSAGE_MAX - 120];
    struct text text = text_start(listed, sizeof listed);
    for (int i = 0; table[i].name && i < OPTIONS_MAX; ++i) {
        names[i] = table[i].name;
        text_add(&text, "%s%s", i ? ", " : "", table[i].name);
    }
    const char *near = banyan_options_nearest(name, names);
    if (near)
        return banyan_fail(err, BANYAN_NOT_FOUND, "no option '%.40s'; did you mean '%s'?", name,
                           near);
    if (text.length >= sizeof listed)
        memcpy(listed + sizeof listed - 4, "...", 4);
    return banyan_fail(err, BANYAN_NOT_FOUND, "no option '%.40s'; there are: %s", name, listed);
}

static enum banyan_status options_bad(const struct banyan_option *option, const char *value,
                                      struct banyan_error *err)
{
    char range[BANYAN_MESSAGE_MAX - 160];
    struct text text = text_start(range, sizeof range);
    options_add_range(&text, option);
    return banyan_fail(err, BANYAN_INVALID, "option %s=%.60s: must be %s", option->name, value,
                       range);
}

/* --- reading one value of each type; false: it is not such a value, or out of range --- */

/* The factor that a suffix stands for: base, base^2 or base^3 for k, M or G in either case, 1 for
 * an empty suffix. Returns 0 for any other suffix. */
static int64_t options_factor(const char *suffix, int64_t base)
{
    static const char letters[] = "kmgKMG";
    if (!*suffix)
        return 1;
    const char *found = strchr(letters, *suffix);
    if (!found || suffix[1])
        return 0;
    int64_t factor = base;
    for (ptrdiff_t i = (found - letters) % 3; i > 0; --i)
        factor *= base;
    return factor;
}

bool options_whole(const char *text, int64_t suffix_base, int64_t *out)
{
    const char *digits = text + (*text == '-' || *text == '+');
    if (*digits < '0' || *digits > '9')
        return false; /* strtoll would take spaces and a second sign */
    char *end;
    errno = 0;
    int64_t number = strtoll(text, &end, 10);
    int64_t factor = options_factor(end, suffix_base);
    if (errno || !factor || number > INT64_MAX / factor || number < INT64_MIN / factor)
        return false;
    *out = number * factor;
    return true;
}

static bool options_real(const char *text, double *out)
{
    if (*text == 0 || strspn(text, "0123456789.+-eEinf") != strlen(text))
        return false; /* strtod would take spaces, hexadecimal and nan */
    char *end;
    double number = strtod(text, &end);
    if (*end || isnan(number))
        return false;
    *out = number;
    return true;
}

static bool options_bool(const char *text, bool *out)
{
    static const char *const words[] = {"off", "on", "false", "true", "no", "yes", "0", "1"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; ++i)
        if (strcmp(text, words[i]) == 0) {
            *out = i & 1;
            return true;
        }
    return false;
}

bool options_time(const char *text, double *out_ms)
{
    static const struct {
        const char *unit;
        double ms;
    } units[] = {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}};
    size_t length = strspn(text, "0123456789.+-eE");
    char number[40];
    if (length == 0 || length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = 0;
    if (!options_real(number, out_ms))
        return false;
    for (unsigned i = 0; i < sizeof units / sizeof *units; ++i)
        if (strcmp(units[i].unit, text + length) == 0) {
            *out_ms *= units[i].ms;
            return true;
        }
    return text[length] == 0 && fpclassify(*out_ms) == FP_ZERO;
}

static bool options_in_range(const struct banyan_option *option, double number)
{
    return number >= option->min && number <= option->max;
}

static enum banyan_status options_set_real(const struct banyan_option *option, double *at,
                                           const char *value, struct banyan_error *err)
{
    double number;
    bool is_time = option->type == BANYAN_OPTION_TIME;
    if (is_time && options_real(value, &number) && number > 0)
        return banyan_fail(err, BANYAN_INVALID,
                           "option %s=%.60s: a time has a unit: write 50ms or 2s", option->name,
                           value);
    if (!(is_time ? options_time(value, &number) : options_real(value, &number)) ||
        !options_in_range(option, number))
        return options_bad(option, value, err);
    *at = number;
    return BANYAN_OK;
}

/* A seed may have a suffix K, M or G for a power of 1024, as in files of early states of version
 * 0.1. */
static enum banyan_status options_set_whole(const struct banyan_option *option, void *at,
                                            const char *value, struct banyan_error *err)
{
    bool thousands = option->type == BANYAN_OPTION_INT || option->type == BANYAN_OPTION_INT64;
    int64_t whole;
    if (!options_whole(value, thousands ? 1000 : 1024, &whole) ||
        !options_in_range(option, (double)whole))
        return options_bad(option, value, err);
    if (option->type == BANYAN_OPTION_INT) {
        assert(option->min >= INT_MIN && option->max <= INT_MAX);
        *(int *)at = (int)whole;
    } else if (option->type == BANYAN_OPTION_INT64)
        *(int64_t *)at = whole;
    else
        *(uint64_t *)at = (uint64_t)whole;
    return BANYAN_OK;
}

static enum banyan_status options_set_choice(const struct banyan_option *option, int *at,
                                             const char *value, struct banyan_error *err)
{
    for (int i = 0; option->choices[i]; ++i)
        if (strcmp(option->choices[i], value) == 0) {
            *at = i;
            return BANYAN_OK;
        }
    options_bad(option, value, err);
    const char *near = banyan_options_nearest(value, option->choices);
    if (near && err) {
        size_t used = strlen(err->message);
        struct text text = text_start(err->message + used, sizeof err->message - used);
        text_add(&text, "; did you mean '%s'?", near);
    }
    return BANYAN_INVALID;
}

/* Whether every '(' has its ')': only then can the text be written as "name=(value)". */
static bool options_balanced(const char *text)
{
    int depth = 0;
    for (; *text && depth >= 0; ++text)
        depth += (*text == '(') - (*text == ')');
    return depth == 0;
}

static enum banyan_status options_set_text(const struct banyan_option *option, char *at,
                                           const char *value, struct banyan_error *err)
{
    size_t length = strlen(value);
    if (length >= option->size)
        return banyan_fail(err, BANYAN_INVALID, "option %s: text of %zu bytes, at most %zu fit",
                           option->name, length, option->size - 1);
    if (!options_balanced(value))
        return banyan_fail(err, BANYAN_INVALID, "option %s=%.60s: parentheses do not match",
                           option->name, value);
    memcpy(at, value, length + 1);
    return BANYAN_OK;
}

/* value NULL: the option was written without "=". */
static enum banyan_status options_store(const struct banyan_option *option, void *settings,
                                        const char *value, struct banyan_error *err)
{
    void *at = (char *)settings + option->offset;
    if (!value) {
        if (option->type != BANYAN_OPTION_BOOL)
            return banyan_fail(err, BANYAN_INVALID, "option %s needs a value: write %s=...",
                               option->name, option->name);
        value = "on";
    }
    switch (option->type) {
    case BANYAN_OPTION_BOOL:
        return options_bool(value, at) ? BANYAN_OK : options_bad(option, value, err);
    case BANYAN_OPTION_CHOICE:
        return options_set_choice(option, at, value, err);
    case BANYAN_OPTION_TEXT:
        return options_set_text(option, at, value, err);
    case BANYAN_OPTION_REAL:
    case BANYAN_OPTION_TIME:
        return options_set_real(option, at, value, err);
    case BANYAN_OPTION_INT:
    case BANYAN_OPTION_INT64:
    case BANYAN_OPTION_SIZE:
    case BANYAN_OPTION_SEED:
        break;
    }
    return options_set_whole(option, at, value, err);
}

/* --- values that the settings hold already --- */

/* A bool is read as a byte: in a struct that was never filled it may hold anything. */
static double options_number(const struct banyan_option *option, const void *at)
{
    switch (option->type) {
    case BANYAN_OPTION_INT:
    case BANYAN_OPTION_CHOICE:
        return *(const int *)at;
    case BANYAN_OPTION_INT64:
        return (double)*(const int64_t *)at;
    case BANYAN_OPTION_SIZE:
    case BANYAN_OPTION_SEED:
        return (double)*(const uint64_t *)at;
    case BANYAN_OPTION_REAL:
    case BANYAN_OPTION_TIME:
        return *(const double *)at;
    case BANYAN_OPTION_BOOL:
        return *(const unsigned char *)at;
    case BANYAN_OPTION_TEXT:
        break;
    }
    return 0;
}

static bool options_allowed(const struct banyan_option *option, const void *at)
{
    double number = options_number(option, at);
    int choices = 0;
    switch (option->type) {
    case BANYAN_OPTION_TEXT:
        return memchr(at, 0, option->size) != NULL;
    case BANYAN_OPTION_BOOL:
        return number <= 1;
    case BANYAN_OPTION_CHOICE:
        while (option->choices[choices])
            ++choices;
        return number >= 0 && number < choices;
    case BANYAN_OPTION_INT:
    case BANYAN_OPTION_INT64:
    case BANYAN_OPTION_SIZE:
    case BANYAN_OPTION_REAL:
    case BANYAN_OPTION_TIME:
    case BANYAN_OPTION_SEED:
        break;
    }
    return options_in_range(option, number);
}

enum banyan_status banyan_options_check(const struct banyan_option *table, const void *settings,
                                        struct banyan_error *err)
{
    for (const struct banyan_option *option = table; option->name; ++option) {
        const void *at = (const char *)settings + option->offset;
        char value[40] = "(text without an end)";
        if (options_allowed(option, at))
            continue;
        if (option->type != BANYAN_OPTION_TEXT)
            snprintf(value, sizeof value, "%.15g", options_number(option, at));
        return options_bad(option, value, err);
    }
    return BANYAN_OK;
}

/* --- names --- */

/* Whether name is that of option; *unit: the unit that old files have in the name, or "". */
static bool options_named(const struct banyan_option *option, const char *name, const char **unit)
{
    const char *at = option->name;
    for (; *at && (*at == *name || (*at == '-' && *name == '_')); ++at)
        ++name;
    *unit = "";
    if (*at || !*name)
        return *at == *name;
    if (*name != '-' && *name != '_')
        return false;
    bool is_time = option->type == BANYAN_OPTION_TIME;
    *unit = is_time ? "ms" : "M";
    return (is_time && strcmp(name + 1, "ms") == 0) ||
           (option->type == BANYAN_OPTION_SIZE && strcmp(name + 1, "mb") == 0);
}

enum banyan_status banyan_options_set(const struct banyan_option *table, void *settings,
                                      const char *name, const char *value, struct banyan_error *err)
{
    const char *unit;
    char with_unit[64];
    for (const struct banyan_option *option = table; option->name; ++option) {
        if (!options_named(option, name, &unit))
            continue;
        if (!*unit || !value)
            return options_store(option, settings, value, err);
        snprintf(with_unit, sizeof with_unit, "%.60s%s", value, unit);
        return options_store(option, settings, with_unit, err);
    }
    return options_unknown(table, name, err);
}

/* --- "name=value,name=(a,b),flag" --- */

/* Length of the first item of text, which ends before a comma outside of parentheses. Returns -1
 * when the parentheses do not match. */
static ptrdiff_t options_item(const char *text)
{
    int depth = 0;
    const char *at = text;
    for (; *at && (*at != ',' || depth > 0); ++at) {
        depth += (*at == '(') - (*at == ')');
        if (depth < 0)
            return -1;
    }
    return depth == 0 ? at - text : -1;
}

/* Removes one pair of parentheses when it encloses the whole value. */
static char *options_unwrap(char *value)
{
    size_t length = strlen(value);
    int depth = 0;
    if (length < 2 || *value != '(')
        return value;
    for (size_t i = 0; i + 1 < length; ++i) {
        depth += (value[i] == '(') - (value[i] == ')');
        if (depth == 0)
            return value;
    }
    value[length - 1] = 0;
    return value + 1;
}

static enum banyan_status options_parse_item(const struct banyan_option *table, void *settings,
                                             const char *item, size_t length,
                                             struct banyan_error *err)
{
    char name[OPTIONS_NAME_MAX], value[OPTIONS_VALUE_MAX];
    const char *equals = memchr(item, '=', length);
    size_t name_length = equals ? (size_t)(equals - item) : length;
    size_t value_length = equals ? length - name_length - 1 : 0;
    if (name_length == 0)
        return banyan_fail(err, BANYAN_INVALID, "empty option at '%.40s': write name=value,...",
                           item);
    if (name_length >= sizeof name || value_length >= sizeof value)
        return banyan_fail(err, BANYAN_INVALID, "option too long at '%.40s'", item);
    memcpy(name, item, name_length);
    name[name_length] = 0;
    if (equals)
        memcpy(value, equals + 1, value_length);
    value[value_length] = 0;
    return banyan_options_set(table, settings, name, equals ? options_unwrap(value) : NULL, err);
}

static bool options_names_item(const struct banyan_option *table, const char *item, size_t length)
{
    char name[OPTIONS_NAME_MAX];
    const char *unit, *equals = memchr(item, '=', length);
    size_t name_length = equals ? (size_t)(equals - item) : length;
    if (name_length >= sizeof name)
        return false;
    memcpy(name, item, name_length);
    name[name_length] = 0;
    for (; table->name; ++table)
        if (options_named(table, name, &unit))
            return true;
    return false;
}

enum banyan_status options_split(const struct banyan_option *table, const char *text, char *own,
                                 char *rest, size_t size, struct banyan_error *err)
{
    struct text owned = text_start(own, size), others = text_start(rest, size);
    while (*text) {
        ptrdiff_t length = options_item(text);
        if (length < 0)
            return banyan_fail(err, BANYAN_INVALID, "parentheses do not match in '%.60s'", text);
        struct text *to = options_names_item(table, text, (size_t)length) ? &owned : &others;
        text_add(to, "%s%.*s", to->length ? "," : "", (int)length, text);
        text += length;
        if (*text == ',' && *++text == 0)
            return banyan_fail(err, BANYAN_INVALID, "a comma at the end of the options");
    }
    if (owned.length >= size || others.length >= size)
        return banyan_fail(err, BANYAN_INVALID, "the options '%.60s...' are too long", own);
    return BANYAN_OK;
}

enum banyan_status banyan_options_parse(const struct banyan_option *table, void *settings,
                                        const char *text, struct banyan_error *err)
{
    while (*text) {
        ptrdiff_t length = options_item(text);
        if (length < 0)
            return banyan_fail(err, BANYAN_INVALID, "parentheses do not match in '%.60s'", text);
        enum banyan_status status = options_parse_item(table, settings, text, (size_t)length, err);
        if (status != BANYAN_OK)
            return status;
        text += length;
        if (*text == ',' && *++text == 0)
            return banyan_fail(err, BANYAN_INVALID, "a comma at the end of the options");
    }
    return BANYAN_OK;
}
