/* DIR/options: the settings of a run, one line "part text" for each part of them. */
#include "train/loop_state.h"

#include "base/options.h"
#include "base/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The file that is read. */
struct options_file {
    const char *path;
    const struct banyan_game *expected;
    struct loop_settings *settings;
    bool game;
    unsigned parts; /* bit i: the line of loop_parts[i] was there */
};

void loop_settings_write(const struct banyan_game *game, struct loop_settings *settings, FILE *out)
{
    char text[LOOP_TEXT];
    fprintf(out, "game %s\n", game->name);
    for (int i = 0; loop_parts[i]; ++i) {
        void *values;
        const struct banyan_option *table = loop_part(settings, loop_parts[i], &values);
        banyan_options_dump(table, values, NULL, text, sizeof text);
        fprintf(out, "%s %s\n", loop_parts[i], text);
    }
}

static enum banyan_status options_write(struct loop *loop, const char *path,
                                        struct banyan_error *err)
{
    struct output output;
    enum banyan_status status = output_open(&output, path, err);
    if (status != BANYAN_OK)
        return status;
    loop_settings_write(loop->game, &loop->settings, output.stream);
    return output_close(&output, BANYAN_OK, err);
}

/* Banyan writes the settings completely or not at all, so something else has changed a damaged
 * file. */
static enum banyan_status options_damaged(const char *path, const char *why,
                                          struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_CORRUPT,
                       "'%s' is damaged: %.200s; put the file back, or begin a run in another "
                       "folder",
                       path, why);
}

static enum banyan_status options_game(struct options_file *file, const char *name,
                                       struct banyan_error *err)
{
    file->game = true;
    if (strcmp(name, file->expected->name) == 0)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_INVALID, "'%s' belongs to a run of the game %.60s, not of %s",
                       file->path, name, file->expected->name);
}

/* Reads one line, which ends with a newline. */
static enum banyan_status options_line(struct options_file *file, char *line,
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
        return options_game(file, text, err);
    if (options_respell(text, OPTIONS_FILED, respelt, sizeof respelt) >= (int)sizeof respelt)
        return options_damaged(file->path, "a line is too long", err);
    if (loop_settings_parse(file->settings, line, respelt, &why) != BANYAN_OK)
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

enum banyan_status loop_settings_read(const struct banyan_game *game, const char *path, FILE *in,
                                      struct loop_settings *settings, struct banyan_error *err)
{
    char line[LOOP_TEXT + 64];
    struct options_file file = {.path = path, .expected = game, .settings = settings};
    enum banyan_status status = loop_settings_default(game, settings, err);
    while (status == BANYAN_OK && fgets(line, sizeof line, in))
        status = options_line(&file, line, err);
    if (status == BANYAN_OK && ferror(in))
        status = banyan_fail(err, BANYAN_IO, "cannot read '%s': %s", path, strerror(errno));
    return status == BANYAN_OK ? options_complete(&file, err) : status;
}

/* Fails if the run has files that are only written after its settings. */
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

/* Refuses another network than that of the run, if it has one already. */
static enum banyan_status options_check_net(struct loop *loop, const struct nn_arch *before,
                                            struct banyan_error *err)
{
    char path[LOOP_PATH], text[LOOP_TEXT];
    struct nn_net *net;
    const struct nn_arch *arch = &loop->settings.arch;
    loop_path(loop, path, "best.safetensors");
    if (nn_arch_equal(arch, before) || nn_net_read(&net, path, NULL, NULL) != BANYAN_OK)
        return BANYAN_OK;
    bool same = nn_arch_equal(arch, &net->model.arch);
    banyan_options_dump(nn_arch_table, arch, &net->model.arch, text, sizeof text);
    nn_net_free(net);
    return same ? BANYAN_OK
                : banyan_fail(err, BANYAN_INVALID,
                              "the network of '%.300s' is another one than with --net %.300s: "
                              "begin a run in another folder",
                              loop->job->folder, text);
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
        there ? loop_settings_read(loop->game, path, stream, &loop->settings, err)
              : options_missing(loop, path, err);
    if (there)
        fclose(stream);
    const struct nn_arch arch = loop->settings.arch;
    for (int i = 0; status == BANYAN_OK && loop->job->changes && loop->job->changes[2 * i]; ++i)
        status = loop_settings_parse(&loop->settings, loop->job->changes[2 * i],
                                     loop->job->changes[2 * i + 1], err);
    if (status == BANYAN_OK && there)
        status = options_check_net(loop, &arch, err);
    if (status == BANYAN_OK)
        status = loop_test_check(loop, err); /* errors must show now, not after the first hour */
    return status == BANYAN_OK ? options_write(loop, path, err) : status;
}
