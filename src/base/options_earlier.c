/* Converts options as early states of version 0.1 wrote them to today's spelling, so that old files
 * stay readable. */
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

struct earlier {
    const char *start, *at;
    enum options_origin origin;
    int depth; /* depth of parentheses at `at` */
    struct text out;
};

static void earlier_copy(struct earlier *e, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        e->depth += (e->at[i] == '(') - (e->at[i] == ')');
        text_add(&e->out, "%c", e->at[i]);
    }
    e->at += length;
}

static bool earlier_ends(const char *name, size_t length, const char *end)
{
    size_t size = strlen(end);
    return length > size && (name[length - size - 1] == '-' || name[length - size - 1] == '_') &&
           memcmp(name + length - size, end, size) == 0;
}

/* Writes the name of an option in today's spelling, and "="; in a run "exam" and "exam_games" are now "test" and
 * "test-games". */
static void earlier_name(struct earlier *e, size_t length)
{
    size_t i = 0;
    if (length >= 4 && memcmp(e->at, "exam", 4) == 0 &&
        (length == 4 || e->at[4] == '_' || e->at[4] == '-')) {
        text_add(&e->out, "test");
        i = 4;
    }
    for (; i < length; ++i)
        text_add(&e->out, "%c", e->at[i] == '_' ? '-' : e->at[i]);
    text_add(&e->out, "=");
}

/* Whether value is a time; name: length of the name of its option, at e->at; *ms: the time. */
static bool earlier_time(const struct earlier *e, size_t name, const char *value, double *ms)
{
    bool number = value[strspn(value, "0123456789.")] == 0 && *value;
    if (number && earlier_ends(e->at, name, "ms")) {
        *ms = strtod(value, NULL);
        return true;
    }
    bool is_time = name == 4 && memcmp(e->at, "time", 4) == 0;
    if (is_time && number && e->origin != OPTIONS_TYPED) {
        *ms = strtod(value, NULL);
        return true;
    }
    return is_time && !number && e->origin == OPTIONS_KEY && options_time(value, ms);
}

/* Converts one "name=value"; the name has this length. */
static void earlier_option(struct earlier *e, size_t name)
{
    char value[40] = "";
    size_t length = strcspn(e->at + name + 1, ",()|:");
    double ms;
    if (length < sizeof value)
        memcpy(value, e->at + name + 1, length); /* a longer text is not a number */
    if (earlier_time(e, name, value, &ms)) {
        earlier_name(e, earlier_ends(e->at, name, "ms") ? name - 3 : name);
        options_add_time(&e->out, ms);
        e->at += name + 1 + length;
    } else if (earlier_ends(e->at, name, "mb") && *value &&
               value[strspn(value, "0123456789")] == 0) {
        earlier_name(e, name - 3);
        text_add(&e->out, "%sM", value);
        e->at += name + 1 + length;
    } else {
        earlier_name(e, name);
        e->at += name + 1;
    }
}

/* Copies "exec:" and its command unchanged, up to the end of the player's text. */
static void earlier_command(struct earlier *e)
{
    bool alone = e->at == e->start;
    int depth = e->depth;
    earlier_copy(e, strlen("exec:"));
    if (strncmp(e->at, "gtp:", 4) == 0)
        earlier_copy(e, 4);
    size_t name = strspn(e->at, "timeout_-ms");
    if (strncmp(e->at, "timeout", 7) == 0 && e->at[name] == '=')
        earlier_option(e, name);
    while (*e->at && (alone || e->depth > depth || !strchr(depth ? "|)" : "|,)", *e->at)))
        earlier_copy(e, 1);
}

int options_respell(const char *text, enum options_origin origin, char *out, size_t size)
{
    struct earlier e = {text, text, origin, 0, text_start(out, size)};
    bool name_may_stand = true;
    text_add(&e.out, "%s", "");
    while (*e.at) {
        bool value = e.at > text && e.at[-1] == '=';
        size_t name =
            strspn(e.at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
        if ((name_may_stand || value) && strncmp(e.at, "exec:", 5) == 0)
            earlier_command(&e);
        else if (name_may_stand && name && e.at[name] == '=')
            earlier_option(&e, name);
        else if (*e.at)
            earlier_copy(&e, 1);
        name_may_stand = e.at > text && strchr(":,(|", e.at[-1]);
    }
    return (int)e.out.length;
}
