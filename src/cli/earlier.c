/* Understands command lines of version 0.1, and prints how they are written today. */
#include "cli/earlier.h"

#include "base/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct earlier_option {
    const char *name, *now;
    const char *unit; /* unit of its value; "player": a number from 0, which is now counted from
                         1 */
} earlier_options[] = {
    {"time-ms", "time", "ms"},
    {"clock-ms", "clock", "ms"},
    {"increment-ms", "increment", "ms"},
    {"bank-ms", "bank", "ms"},
    {"throttle-ms", "throttle", "ms"},
    {"silence-s", "silence", "s"},
    {"patience-s", "patience", "s"},
    {"seconds", "time", "s"},
    {"p0", "player1", ""},
    {"p1", "player2", ""},
    {"p2", "player3", ""},
    {"p3", "player4", ""},
    {"p4", "player5", ""},
    {"p5", "player6", ""},
    {"p6", "player7", ""},
    {"p7", "player8", ""},
    {"viewer", "as", "player"},
};

/* Text that lives as long as the program does. */
struct earlier_text {
    struct earlier_text *next;
    char text[];
};

static char *earlier_keep(size_t size)
{
    static struct earlier_text *all;
    struct earlier_text *kept = malloc(sizeof *kept + size);
    if (!kept)
        abort(); /* a few bytes at the start of the program */
    kept->next = all;
    all = kept;
    return kept->text;
}

static char *earlier_join(const char *before, const char *middle, const char *after)
{
    size_t size = strlen(before) + strlen(middle) + strlen(after) + 1;
    char *text = earlier_keep(size);
    snprintf(text, size, "%s%s%s", before, middle, after);
    return text;
}

static const struct earlier_option *earlier_find(const char *name)
{
    for (size_t i = 0; i < sizeof earlier_options / sizeof *earlier_options; ++i)
        if (strcmp(earlier_options[i].name, name) == 0)
            return &earlier_options[i];
    return NULL;
}

const char *earlier_name(const char *name)
{
    const struct earlier_option *option = earlier_find(name);
    return option ? option->now : NULL;
}

/* The value as it is written today; one that is no number, such as "5ms" or a name, is so already. */
static char *earlier_value(const struct earlier_option *option, const char *value)
{
    char number[24], *end;
    bool is_player = strcmp(option->unit, "player") == 0;
    if (is_player)
        snprintf(number, sizeof number, "%lu", strtoul(value, &end, 10) + 1);
    else
        strtod(value, &end);
    if (end == value || *end)
        return earlier_join(value, "", "");
    return is_player ? earlier_join(number, "", "") : earlier_join(value, option->unit, "");
}

void earlier_rewrite(const char *command, int argc, char **argv, int i)
{
    char name[64];
    const char *equals = strchr(argv[i], '=');
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[i] + 2, "="), argv[i] + 2);
    const struct earlier_option *option = earlier_find(name);
    if (!option || (!equals && i + 1 >= argc))
        return;
    const char *value = equals ? equals + 1 : argv[i + 1];
    char *written = earlier_value(option, value);
    char *word = earlier_join("--", option->now, equals ? "=" : "");
    fprintf(stderr, "%s: '--%s %s' is now written '--%s=%s'\n", command, option->name, value,
            option->now, written);
    argv[i] = equals ? earlier_join(word, written, "") : word;
    if (!equals)
        argv[i + 1] = written;
}

const char *earlier_text(const char *command, const char *text)
{
    int length = options_respell(text, OPTIONS_TYPED, NULL, 0);
    char *written = earlier_keep((size_t)length + 1);
    options_respell(text, OPTIONS_TYPED, written, (size_t)length + 1);
    if (strcmp(text, written) == 0)
        return text;
    fprintf(stderr, "%s: '%s' is now written '%s'\n", command, text, written);
    return written;
}
