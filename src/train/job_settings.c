/* What workers must know of a run, besides the network: the program and the settings. */
#include "train/job_settings.h"

#include "queue/queue_program.h"

#include <stdlib.h>
#include <string.h>

enum banyan_status job_settings_write(const struct banyan_game *game,
                                      struct loop_settings *settings, char **out, size_t *length,
                                      struct banyan_error *err)
{
    char program[QUEUE_PROGRAM];
    *out = NULL;
    FILE *stream = open_memstream(out, length);
    if (!stream)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the settings of a run");
    fprintf(stream, "program %s\n", queue_program(program));
    loop_settings_write(game, settings, stream);
    bool good = !ferror(stream);
    good = fclose(stream) == 0 && good;
    if (good)
        return BANYAN_OK;
    free(*out);
    *out = NULL;
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the settings of a run");
}

/* The line "program NAME". */
static enum banyan_status job_program_check(char *line, struct banyan_error *err)
{
    static const char word[] = "program ";
    line[strcspn(line, "\n")] = 0;
    bool named = strncmp(line, word, sizeof word - 1) == 0;
    return queue_program_check(named ? line + sizeof word - 1 : line, err);
}

/* The game of the line "game NAME". */
static enum banyan_status job_game(char *line, const struct banyan_game **game,
                                   struct banyan_error *err)
{
    static const char word[] = "game ";
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, word, sizeof word - 1) != 0)
        return banyan_fail(err, BANYAN_CORRUPT, "the settings of a run name no game");
    return banyan_game_find(line + sizeof word - 1, game, err);
}

static enum banyan_status job_settings_from(FILE *in, const struct banyan_game **game,
                                            struct loop_settings *settings,
                                            struct banyan_error *err)
{
    char line[256];
    const struct banyan_game *found;
    if (!fgets(line, sizeof line, in))
        return banyan_fail(err, BANYAN_CORRUPT, "the settings of a run are empty");
    enum banyan_status status = job_program_check(line, err);
    long at = ftell(in);
    if (status == BANYAN_OK && !fgets(line, sizeof line, in))
        status = banyan_fail(err, BANYAN_CORRUPT, "the settings of a run name no game");
    if (status == BANYAN_OK)
        status = job_game(line, &found, err);
    if (status == BANYAN_OK && fseek(in, at, SEEK_SET) != 0)
        status = banyan_fail(err, BANYAN_IO, "cannot read the settings of a run");
    if (status == BANYAN_OK)
        status = loop_settings_read(found, "settings of the run", in, settings, err);
    if (status == BANYAN_OK)
        *game = found;
    return status;
}

enum banyan_status job_settings_read(const void *bytes, size_t length,
                                     const struct banyan_game **game,
                                     struct loop_settings *settings, struct banyan_error *err)
{
    if (!length)
        return banyan_fail(err, BANYAN_CORRUPT, "the settings of a run are empty");
    FILE *in = fmemopen((void *)bytes, length, "r"); /* NOLINT: only read */
    if (!in)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the settings of a run");
    struct loop_settings read;
    enum banyan_status status = job_settings_from(in, game, &read, err);
    fclose(in);
    if (status == BANYAN_OK)
        *settings = read;
    return status;
}

struct play_job job_settings_play(const struct banyan_game *game,
                                  const struct loop_settings *settings, const struct nn_net *net,
                                  int64_t generation)
{
    const struct loop_options *options = &settings->loop;
    return (struct play_job){.game = game,
                             .options = &settings->play,
                             .search = &settings->search,
                             .model = &net->model,
                             .params = net->params,
                             .backend = options->backend,
                             .type = options->type,
                             .setup = options->setup[0] ? options->setup : NULL,
                             .seed = options->seed,
                             .generation = generation};
}
