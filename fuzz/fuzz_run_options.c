/* A run's file of options, whatever it holds: it is refused with a message, or it is read, and what
 * is written then is read again as the same settings.  The same holds for the settings that a
 * worker gets by a queue. */
#include "fuzz_talk.h"

#include "train/job_settings.h"
#include "train/loop_state.h"

#include <unistd.h>

static char fuzz_folder_path[] = "/tmp/banyan_fuzz_run_XXXXXX";

static void fuzz_folder_remove(void)
{
    char path[sizeof fuzz_folder_path + 10];
    snprintf(path, sizeof path, "%s/options", fuzz_folder_path);
    unlink(path);
    rmdir(fuzz_folder_path);
}

/* Returns a folder, removed when the process exits, whose file of options holds the bytes. */
static const char *fuzz_folder(const uint8_t *data, size_t size)
{
    static bool made;
    char path[sizeof fuzz_folder_path + 10];
    FUZZ_CHECK(made || (mkdtemp(fuzz_folder_path) && atexit(fuzz_folder_remove) == 0));
    made = true;
    snprintf(path, sizeof path, "%s/options", fuzz_folder_path);
    FILE *file = fopen(path, "wb");
    FUZZ_CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    return fuzz_folder_path;
}

static enum banyan_status fuzz_load(const struct loop_job *job, struct loop_settings *settings,
                                    struct banyan_error *err)
{
    struct loop *loop = calloc(1, sizeof *loop);
    FUZZ_CHECK(loop);
    loop->job = job;
    loop->game = job->game;
    enum banyan_status status = loop_options_load(loop, err);
    *settings = loop->settings;
    free(loop);
    return status;
}

static void fuzz_same(struct loop_settings *one, struct loop_settings *two)
{
    static char first[1 << 16], second[1 << 16];
    for (int i = 0; loop_parts[i]; ++i) {
        void *values;
        const struct banyan_option *table = loop_part(one, loop_parts[i], &values);
        banyan_options_dump(table, values, NULL, first, sizeof first);
        table = loop_part(two, loop_parts[i], &values);
        banyan_options_dump(table, values, NULL, second, sizeof second);
        FUZZ_CHECK(strcmp(first, second) == 0);
    }
}

/* What a worker gets: the program's line, then the settings. */
static void fuzz_job_settings(const struct loop_job *job, const uint8_t *data, size_t size)
{
    static struct loop_settings own, read, again;
    const struct banyan_game *game;
    char *text;
    size_t length;
    own = job->settings;
    FUZZ_CHECK(job_settings_write(job->game, &own, &text, &length, NULL) == BANYAN_OK);
    size_t head = strcspn(text, "\n") + 1;
    char *bytes = malloc(head + size);
    FUZZ_CHECK(bytes);
    memcpy(bytes, text, head);
    memcpy(bytes + head, data, size);
    free(text);
    (void)job_settings_read(data, size, &game, &read, NULL);
    if (job_settings_read(bytes, head + size, &game, &read, NULL) == BANYAN_OK) {
        FUZZ_CHECK(job_settings_write(game, &read, &text, &length, NULL) == BANYAN_OK);
        FUZZ_CHECK(job_settings_read(text, length, &game, &again, NULL) == BANYAN_OK);
        fuzz_same(&read, &again);
        free(text);
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct loop_settings read, again;
    struct banyan_error err = {.message = ""};
    struct loop_job job = {.game = fuzz_game("tictactoe"), .folder = fuzz_folder(data, size)};
    FUZZ_CHECK(job.game && loop_settings_default(job.game, &job.settings, NULL) == BANYAN_OK);
    fuzz_job_settings(&job, data, size);
    enum banyan_status status = fuzz_load(&job, &read, &err);
    FUZZ_CHECK(status == BANYAN_OK || err.message[0]);
    if (status == BANYAN_OK) {
        status = fuzz_load(&job, &again, &err);
        if (status != BANYAN_OK)
            fuzz_broken(err.message, __FILE__, __LINE__);
        fuzz_same(&read, &again);
    }
    return 0;
}
