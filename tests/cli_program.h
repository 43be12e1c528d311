/* Runs the program `banyan` that was built beside the test, as a user would, and keeps what it
 * printed. */
#ifndef TESTS_CLI_PROGRAM_H
#define TESTS_CLI_PROGRAM_H

#include <jansson.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

struct program_run {
    int code;  /* exit code; -1: ended by a signal */
    char *out; /* owned, ends with 0 */
    char *err;
};

/* Folder of the running test, where the program is too. */
static inline void program_folder(char *out, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    assert_true(length > 0);
    out[length] = 0;
    *strrchr(out, '/') = 0;
}

static inline char *program_read(FILE *file)
{
    size_t length = 0, room = 1 << 16;
    char *text = malloc(room);
    assert_non_null(text);
    rewind(file);
    for (size_t n; (n = fread(text + length, 1, room - length - 1, file)) > 0;) {
        length += n;
        if (length + 1 == room)
            assert_non_null(text = realloc(text, room *= 2));
    }
    text[length] = 0;
    fclose(file);
    return text;
}

/* Runs `banyan WORDS` through the shell with input (NULL: nothing) on its standard input. */
static inline struct program_run program_run(const char *input, const char *words)
{
    struct program_run run;
    char folder[1024], command[8192];
    FILE *in = tmpfile(), *out = tmpfile(), *err = tmpfile();
    assert_true(in && out && err);
    if (input)
        fputs(input, in);
    rewind(in);
    program_folder(folder, sizeof folder);
    assert_true(snprintf(command, sizeof command, "exec %s/banyan %s", folder, words) <
                (int)sizeof command);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fileno(in), 0);
        dup2(fileno(out), 1);
        dup2(fileno(err), 2);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    fclose(in);
    run.out = program_read(out);
    run.err = program_read(err);
    return run;
}

static inline void program_free(struct program_run *run)
{
    free(run->out);
    free(run->err);
}

static inline void assert_contains(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text ? text : "(nothing)");
}

/* Whether every line tells progress, as long commands do every 10 s. */
static inline bool tells_progress_only(const char *text)
{
    for (const char *end; *text; text = end + 1) {
        const char *part = strstr(text, " s, about ");
        end = strchr(text, '\n');
        if (!part || !end || part > end)
            return false;
    }
    return true;
}

/* Runs and expects exit code 0 with nothing but progress on stderr; returns stdout, caller
 * frees. */
static inline char *run_well(const char *input, const char *words)
{
    struct program_run run = program_run(input, words);
    if (run.code != 0 || !tells_progress_only(run.err))
        fail_msg("banyan %s: exit code %d, stderr: %s", words, run.code, run.err);
    free(run.err);
    return run.out;
}

static inline json_t *read_json(const char *words, const char *out)
{
    json_error_t error;
    json_t *json = json_loads(out, 0, &error);
    if (!json)
        fail_msg("banyan %s: %s in\n%s", words, error.text, out);
    return json;
}

static inline json_t *run_json(const char *words)
{
    char *out = run_well(NULL, words);
    json_t *json = read_json(words, out);
    free(out);
    return json;
}

/* Like run_json, for a command that may write its progress to stderr, as it does on a slow
 * machine. */
static inline json_t *run_long_json(const char *words)
{
    struct program_run run = program_run(NULL, words);
    if (run.code != 0)
        fail_msg("banyan %s: exit code %d, stderr: %s", words, run.code, run.err);
    json_t *json = read_json(words, run.out);
    free(run.out);
    free(run.err);
    return json;
}

static inline json_int_t get_int(const json_t *json, const char *key)
{
    json_t *value = json_object_get(json, key);
    if (!json_is_integer(value))
        fail_msg("no integer '%s'", key);
    return json_integer_value(value);
}

static inline const char *get_string(const json_t *json, const char *key)
{
    json_t *value = json_object_get(json, key);
    if (!json_is_string(value))
        fail_msg("no string '%s'", key);
    return json_string_value(value);
}

/* Checks the exit code, and that stderr has exactly one line, which contains part. */
static inline void assert_refuses(const char *words, int code, const char *part)
{
    struct program_run run = program_run(NULL, words);
    if (run.code != code)
        fail_msg("banyan %s: exit code %d, not %d; stderr: %s", words, run.code, code, run.err);
    assert_contains(run.err, part);
    assert_string_equal(run.out, "");
    char *end = strchr(run.err, '\n');
    if (!end || end[1])
        fail_msg("banyan %s: not one line: %s", words, run.err);
    program_free(&run);
}

#endif
