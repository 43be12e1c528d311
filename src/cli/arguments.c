/* Parses command lines with argp, and names the nearest option for a misspelt one. */
#include "cli/cli.h"

#include "base/options.h"
#include "cli/earlier.h"
#include "cli/interrupt.h"
#include "players/program/net.h"

#include <banyan/options.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 256 };

/* All options of a command: its own and those of its parser's children. */
struct arguments {
    const struct argp_option *option[ARGUMENTS_MAX];
    int count;
};

static void arguments_gather(const struct argp *argp, struct arguments *all)
{
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); ++o)
        if (all->count < ARGUMENTS_MAX)
            all->option[all->count++] = o;
    for (const struct argp_child *child = argp->children; child && child->argp; ++child)
        arguments_gather(child->argp, all);
}

static const struct argp_option *arguments_short(const struct arguments *all, int key)
{
    for (int i = 0; i < all->count; ++i)
        if (all->option[i]->key == key)
            return all->option[i];
    return NULL;
}

/* The option with this long name, else an option whose name begins with it, which getopt_long
 * accepts, too; NULL: none. */
static const struct argp_option *arguments_long(const struct arguments *all, const char *name,
                                                size_t length)
{
    const struct argp_option *found = NULL;
    for (int i = 0; i < all->count; ++i) {
        const struct argp_option *o = all->option[i];
        if (!o->name || strncmp(o->name, name, length) != 0)
            continue;
        if (o->name[length] == 0)
            return o;
        found = o;
    }
    return found;
}

static _Noreturn void arguments_unknown(const struct arguments *all, const char *command,
                                        const char *name)
{
    const char *names[ARGUMENTS_MAX + 1];
    int count = 0;
    for (int i = 0; i < all->count; ++i)
        if (all->option[i]->name)
            names[count++] = all->option[i]->name;
    names[count] = NULL;
    const char *near = banyan_options_nearest(name, names);
    fprintf(stderr, "%s: no option is called '--%s'", command, name);
    if (strcmp(name, "game") == 0)
        fprintf(stderr, ": it stands before the command, as in `banyan --game ./nim.so play nim`");
    else if (near)
        fprintf(stderr, ": did you mean '--%s'?", near);
    fprintf(stderr, "; `%s --help` names all\n", command);
    exit(CLI_USAGE);
}

/* Checks "--name[=value]"; returns whether its value is the next word. */
static bool arguments_check_long(const struct arguments *all, const char *command, const char *word)
{
    static const char *const of_argp[] = {"help", "usage", "version", NULL};
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (int i = 0; of_argp[i]; ++i)
        if (strncmp(of_argp[i], name, strlen(name)) == 0)
            return false;
    const struct argp_option *o = arguments_long(all, name, strlen(name));
    if (!o)
        arguments_unknown(all, command, name);
    return o->arg && !(o->flags & OPTION_ARG_OPTIONAL) && !strchr(word, '=');
}

/* word: short options in a row, such as "jn".  Whether the next word is the last one's value. */
static bool arguments_skip_short(const struct arguments *all, const char *word)
{
    for (; *word; ++word) {
        const struct argp_option *o = arguments_short(all, *word);
        if (o && o->arg)
            return word[1] == 0;
    }
    return false;
}

/* Whether the command has an option of exactly this name. */
static bool arguments_has(const struct arguments *all, const char *name)
{
    for (int i = 0; i < all->count; ++i)
        if (all->option[i]->name && strcmp(all->option[i]->name, name) == 0)
            return true;
    return false;
}

/* Replaces an option of an earlier version by today's spelling. */
static void arguments_earlier(const struct arguments *all, int argc, char **argv, int i)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[i] + 2, "="), argv[i] + 2);
    const char *now = earlier_name(name);
    if (now && arguments_has(all, now) && !arguments_has(all, name))
        earlier_rewrite(argv[0], argc, argv, i);
}

/* Checks the names of all options: for an unknown one argp would not name the nearest option. */
static void arguments_check(const struct argp *argp, int argc, char **argv)
{
    struct arguments all = {.count = 0};
    arguments_gather(argp, &all);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (strncmp(argv[i], "--", 2) == 0) {
            arguments_earlier(&all, argc, argv, i);
            i += arguments_check_long(&all, argv[0], argv[i] + 2);
        } else if (argv[i][0] == '-')
            i += arguments_skip_short(&all, argv[i] + 1);
    }
}

void cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    static char name[64]; /* argp keeps this pointer for its messages */
    snprintf(name, sizeof name, "banyan %s", argv[0]);
    argv[0] = name;
    argp_err_exit_status = CLI_USAGE;
    arguments_check(argp, argc, argv);
    error_t failed = argp_parse(argp, argc, argv, 0, NULL, input);
    if (failed) {
        fprintf(stderr, "%s: %s; `%s --help` explains its options\n", name, strerror(failed), name);
        exit(CLI_USAGE);
    }
}

void cli_usage(const struct argp_state *state, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", state->name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(CLI_USAGE);
}

void cli_too_many(const struct argp_state *state, const char *word)
{
    cli_usage(state, "'%s' is one word too many; `%s --help` shows which words it takes", word,
              state->name);
}

const char *cli_path(const struct argp_state *state, const char *what, const char *text)
{
    if (!*text)
        cli_usage(state, "%s is empty: it needs a name", what);
    return text;
}

const char *cli_database(const struct argp_state *state, const char *what, const char *text)
{
    if (strcmp(text, ":memory:") == 0)
        cli_usage(state, "%s needs a file: ':memory:' keeps nothing", what);
    return cli_path(state, what, text);
}

const char *cli_queue_url(const struct argp_state *state, const char *text)
{
    if (strcmp(text, "memory:") == 0)
        cli_usage(state, "'memory:' is a queue within one process: redis://HOST or "
                         "redis+unix://PATH is one for others");
    return text;
}

int cli_fail(const char *name, int code, const struct banyan_error *err)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", name, err->message);
    return code;
}

int cli_end(const char *name, enum banyan_status status, const struct banyan_error *err)
{
    switch (status) {
    case BANYAN_OK:
        return CLI_OK;
    case BANYAN_INVALID:
    case BANYAN_NOT_FOUND:
    case BANYAN_UNSUPPORTED:
        return cli_fail(name, CLI_USAGE, err);
    case BANYAN_INTERRUPTED:
        return cli_fail(name, CLI_INTERRUPTED, err);
    default:
        return cli_fail(name, CLI_FAILURE, err);
    }
}

void cli_tell_interrupted(const char *name, uint64_t done, uint64_t wanted, const char *what)
{
    if (!interrupt_seen() || done >= wanted)
        return;
    fflush(stdout);
    fprintf(stderr, "%s: stopped after %llu of %llu %s\n", name, (unsigned long long)done,
            (unsigned long long)wanted, what);
}

int64_t cli_integer(const struct argp_state *state, const char *what, const char *text, int64_t min,
                    int64_t max)
{
    int64_t value;
    const char *suffix = text + strspn(text, "+-0123456789");
    bool known = !*suffix || (strchr("kMG", *suffix) && !suffix[1]);
    if (!known || !options_whole(text, 1000, &value) || value < min || value > max)
        cli_usage(state, "%s is an integer from %lld to %lld, not '%s'%s", what, (long long)min,
                  (long long)max, text,
                  isalpha((unsigned char)*suffix) && !known
                      ? " (k, M and G stand for a thousand, a million, a thousand million)"
                      : "");
    return value;
}

double cli_number(const struct argp_state *state, const char *what, const char *text, double min,
                  double max)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= min && value <= max))
        cli_usage(state, "%s is a number from %g to %g, not '%s'", what, min, max, text);
    return value;
}

/* Reads one value into *out, as the tables of options do. */
static void arguments_value(const struct argp_state *state, const struct banyan_option *option,
                            const char *text, void *out)
{
    struct banyan_error err;
    const struct banyan_option table[] = {*option, {0}};
    if (banyan_options_set(table, out, option->name, text, &err) != BANYAN_OK)
        cli_usage(state, "%s", err.message);
}

double cli_time(const struct argp_state *state, const char *what, const char *text, double min_ms,
                double max_ms)
{
    double ms = 0;
    arguments_value(state,
                    &(struct banyan_option){
                        .name = what, .type = BANYAN_OPTION_TIME, .min = min_ms, .max = max_ms},
                    text, &ms);
    return ms;
}

uint64_t cli_size(const struct argp_state *state, const char *what, const char *text, uint64_t min,
                  uint64_t max)
{
    uint64_t bytes = 0;
    arguments_value(
        state,
        &(struct banyan_option){
            .name = what, .type = BANYAN_OPTION_SIZE, .min = (double)min, .max = (double)max},
        text, &bytes);
    return bytes;
}

const char *cli_utf8(const struct argp_state *state, const char *text)
{
    char plain[128];
    if (text_is_utf8(text))
        return text;
    snprintf(plain, sizeof plain, "%s", text);
    text_make_plain(plain);
    cli_usage(state, "'%s' is not UTF-8", plain);
}

const char *cli_text(const struct argp_state *state, const char *text)
{
    return earlier_text(state->name, cli_utf8(state, text));
}

int cli_choice(const struct argp_state *state, const char *what, const char *text,
               const char *const *names)
{
    char list[256] = "";
    for (int i = 0; names[i]; ++i) {
        if (strcmp(names[i], text) == 0)
            return i;
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", names[i]);
    }
    cli_usage(state, "%s is one of %s, not '%s'", what, list, text);
}

const struct banyan_game *cli_game(const struct argp_state *state, const char *text)
{
    const struct banyan_game *game;
    struct banyan_error err;
    const char *end = strrchr(text, '.');
    if (banyan_game_find(text, &game, &err) == BANYAN_OK)
        return game;
    if (end && strcmp(end, ".so") == 0)
        cli_usage(state, "'%s' is a file, not a game: `banyan --game %s list` names its games",
                  text, text);
    cli_usage(state, "%s", err.message);
}
