/* A run's file of options, whatever it holds: it is refused with a message, or it is read, and what is
 * written then is read again as the same settings. */
#include "fuzz_talk.h"

#include "train/loop_state.h"

#include <sys/stat.h>

static const char *fuzz_folder(const uint8_t *data, size_t size)
{
    static char folder[64];
    char path[96];
    snprintf(folder, sizeof folder, "/tmp/banyan_fuzz_run_%ld", (long)getpid());
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/options", folder);
    FILE *file = fopen(path, "wb");
    FUZZ_CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    return folder;
}

static enum banyan_status fuzz_load(const struct loop_job *job, struct loop_settings *settings,
                                    struct banyan_error *err)
{
    struct loop *loop = calloc(1, sizeof *loop);
    FUZZ_CHECK(loop);
    loop->job = job;
    loop->game = job->game;
    loop->roles = LOOP_ALL;
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct loop_settings read, again;
    struct banyan_error err = {.message = ""};
    struct loop_job job = {.game = fuzz_game("tictactoe"), .folder = fuzz_folder(data, size)};
    FUZZ_CHECK(job.game && loop_settings_default(job.game, &job.settings, NULL) == BANYAN_OK);
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
