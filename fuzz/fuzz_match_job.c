/* Settings and jobs of matches, as a worker gets them from a queue: an input is refused with a
 * message, or is the same after it was written and read again. */
#include "fuzz.h"

#include "match/match_job.h"
#include "queue/queue_program.h"

static void check_job(const uint8_t *data, size_t size)
{
    struct match_job job, again;
    struct banyan_error err = {.message = ""};
    char hash[QUEUE_HASH + 1], *text;
    if (match_job_read(&job, data, size, &err) != BANYAN_OK) {
        FUZZ_CHECK(err.message[0]);
        return;
    }
    FUZZ_CHECK(job.first >= 0 && job.games >= 1 && job.games <= MATCH_JOB_GAMES);
    FUZZ_CHECK(match_job_write(&job, &text, hash, &err) == BANYAN_OK);
    FUZZ_CHECK(match_job_read(&again, text, strlen(text), &err) == BANYAN_OK);
    FUZZ_CHECK(again.first == job.first && again.games == job.games && again.count == job.count);
    for (int i = 0; i < job.count; ++i)
        FUZZ_CHECK(strcmp(again.specs[i], job.specs[i]) == 0);
    match_job_free(&again);
    match_job_free(&job);
    free(text);
}

/* The input with this program's name in place of the first "PROGRAM"; the caller frees it. */
static char *with_program(const uint8_t *data, size_t size)
{
    char program[QUEUE_PROGRAM], *text = fuzz_take(&data, &size, size);
    size_t room = strlen(text) + QUEUE_PROGRAM;
    char *at = strstr(text, "PROGRAM"), *whole = malloc(room);
    FUZZ_CHECK(whole);
    size_t before = at ? (size_t)(at - text) : strlen(text);
    snprintf(whole, room, "%.*s%s%s", (int)before, text, at ? queue_program(program) : "",
             at ? at + strlen("PROGRAM") : "");
    free(text);
    return whole;
}

static void check_settings(const uint8_t *data, size_t size)
{
    struct match_settings settings, again;
    struct banyan_error err = {.message = ""};
    char *text, *input = with_program(data, size);
    enum banyan_status status = match_settings_read(&settings, input, strlen(input), &err);
    free(input);
    if (status != BANYAN_OK) {
        FUZZ_CHECK(err.message[0]);
        return;
    }
    FUZZ_CHECK(match_settings_write(&settings.plan, &text, &err) == BANYAN_OK);
    FUZZ_CHECK(match_settings_read(&again, text, strlen(text), &err) == BANYAN_OK);
    FUZZ_CHECK(again.options.seed == settings.options.seed);
    FUZZ_CHECK(again.plan.openings.count == settings.plan.openings.count);
    match_settings_free(&again);
    match_settings_free(&settings);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_job(data, size);
    check_settings(data, size);
    return 0;
}
