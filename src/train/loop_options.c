/* DIR/options: the settings of a run, one line "part text" for each part of them. */
#include "train/loop_state.h"

#include "base/options.h"
#include "base/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The result of reading the file. */
struct options_file {
    const char *path;
    bool game;
    unsigned parts; /* bit i: the line of loop_parts[i] was there */
};

static enum banyan_status options_write(struct loop *loop, const char *path,
                                        struct banyan_error *err)
{
    char text[LOOP_TEXT];
    struct output output;
    enum banyan_status status = output_open(&output, path, err);
    if (status != BANYAN_OK)
        return status;
    fprintf(output.stream, "game %s\n", loop->game->name);
    for (int i = 0; loop_parts[i]; ++i) {
        void *values;
        const struct banyan_option *table = loop_part(&loop->settings, loop_parts[i], &values);
        banyan_options_dump(table, values, NULL, text, sizeof text);
        fprintf(output.stream, "%s %s\n", loop_parts[i], text);
    }
    return output_close(&output, BANYAN_OK, err);
}

/* The program writes the settings completely or not at all: another program has changed the
 * file. */
static enum banyan_status options_damaged(const char *path, const char *why,
                                          struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_CORRUPT,
                       "'%s' is damaged: %.200s; put the file back, or begin a run in another "
                       "folder",
                       path, why);
}

static enum banyan_status options_game(struct loop *loop, struct options_file *file,
                                       const char *name, struct banyan_error *err)
{
    file->game = true;
    if (strcmp(name, loop->game->name) == 0)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_INVALID, "'%s' belongs to a run of the game %.60s, not of %s",
                       file->path, name, loop->game->name);
}

/* Reads one line, which ends with a newline. */
static enum banyan_status options_line(struct loop *loop, struct options_file *file, char *line,
                                       struct banyan_error *err)
{
    struct banyan_error why;
    char respelt[LOOP_TEXT + 64];
    char *end = strchr(line, '\n'), *text = strchr(line, ' ');
    if (!end || !text)
        return options_damaged(file->path, end ? "a line has no value" : "its last line is cut off",
                               err);
    *end = 0;
    *text++ = 0;
    if (strcmp(line, "game") == 0)
        return options_game(loop, file, text, err);
    if (options_respell(text, OPTIONS_FILED, respelt, sizeof respelt) >= (int)sizeof respelt)
        return options_damaged(file->path, "a line is too long", err);
    if (loop_settings_parse(&loop->settings, line, respelt, &why) != BANYAN_OK)
        return options_damaged(file->path, why.message, err);
    for (int i = 0; loop_parts[i]; ++i)
        if (strcmp(loop_parts[i], line) == 0)
            file->parts |= 1u << i;
    return BANYAN_OK;
}

static enum banyan_status options_complete(const struct options_file *file,
                                           struct banyan_error *err)
{
    char why[64];
    if (!file->game)
        return options_damaged(file->path, "the line 'game' is missing", err);
    for (int i = 0; loop_parts[i]; ++i) {
        snprintf(why, sizeof why, "the line '%s' is missing", loop_parts[i]);
        if (!(file->parts >> i & 1))
            return options_damaged(file->path, why, err);
    }
    return BANYAN_OK;
}

static enum banyan_status options_read(struct loop *loop, const char *path, FILE *stream,
                                       struct banyan_error *err)
{
    char line[LOOP_TEXT + 64];
    struct options_file file = {.path = path};
    enum banyan_status status = loop_settings_default(loop->game, &loop->settings, err);
    while (status == BANYAN_OK && fgets(line, sizeof line, stream))
        status = options_line(loop, &file, line, err);
    if (status == BANYAN_OK && ferror(stream))
        status = banyan_fail(err, BANYAN_IO, "cannot read '%s': %s", path, strerror(errno));
    return status == BANYAN_OK ? options_complete(&file, err) : status;
}

/* A run writes its settings before any of these files. */
static enum banyan_status options_missing(const struct loop *loop, const char *path,
                                          struct banyan_error *err)
{
    static const char *const later[] = {"learner.safetensors", "learner.prev.safetensors",
                                        "best.safetensors", "run.db", "log"};
    for (size_t i = 0; i < sizeof later / sizeof *later; ++i) {
        char other[LOOP_PATH];
        loop_path(loop, other, later[i]);
        if (access(other, F_OK) == 0)
            return banyan_fail(err, BANYAN_NOT_FOUND,
                               "'%s' is missing, but there is '%s': put the file back, or begin "
                               "a run in another folder",
                               path, other);
    }
    return BANYAN_OK;
}

enum banyan_status loop_options_load(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    loop->settings = loop->job->settings;
    loop_path(loop, path, "options");
    FILE *stream = fopen(path, "r");
    if (!stream && errno != ENOENT)
        return banyan_fail(err, BANYAN_IO, "cannot read '%s': %s", path, strerror(errno));
    bool there = stream != NULL;
    enum banyan_status status =
        there ? options_read(loop, path, stream, err) : options_missing(loop, path, err);
    if (there)
        fclose(stream);
    for (int i = 0; status == BANYAN_OK && loop->job->changes && loop->job->changes[2 * i]; ++i)
        status = loop_settings_parse(&loop->settings, loop->job->changes[2 * i],
                                     loop->job->changes[2 * i + 1], err);
    if (status == BANYAN_OK)
        status = loop_test_check(loop, err); /* errors must show now, not after the first hour */
    bool ours = loop->roles == LOOP_ALL || !there;
    return status == BANYAN_OK && ours ? options_write(loop, path, err) : status;
}
