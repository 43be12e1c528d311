/* Readers of recorded games and of suites on arbitrary bytes: a line with the name of a game, then
 * the file.  Whatever a file says, the reader counts its steps, and counts its contradictions as
 * differences. */
#include "fuzz.h"

#include "records/records.h"
#include "records/suite.h"

static struct records_source *records_from(const uint8_t *data, size_t size)
{
    struct records_source *source = NULL;
    struct banyan_error err;
    FUZZ_CHECK(records_open_memory("fuzz", data, size, &source, &err) == BANYAN_OK);
    return source;
}

static void records_all_formats(const struct banyan_game *game, const uint8_t *data, size_t size)
{
    const struct records_format *format;
    for (int i = 0; (format = records_format_at(i)); ++i) {
        struct records_report report = {.out = NULL};
        struct banyan_error err = {.message = ""};
        if (!records_format_serves(format, game))
            continue;
        struct records_source *source = records_from(data, size);
        if (format->read(game, source, &report, &err) != BANYAN_OK)
            FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));
        FUZZ_CHECK(report.differences <= report.games + report.steps);
        records_close(source);
    }
}

static void records_suite(const uint8_t *data, size_t size)
{
    struct records_source *source = records_from(data, size);
    struct suite suite;
    struct banyan_error err = {.message = ""};
    if (suite_read(source, &suite, &err) != BANYAN_OK)
        FUZZ_CHECK(err.message[0]);
    for (int i = 0; i < suite.count; ++i) {
        void *state = NULL;
        if (suite_state(&suite.positions[i], &state, &err) == BANYAN_OK)
            suite.positions[i].game->movers(suite.positions[i].game, state);
        free(state);
    }
    suite_free(&suite);
    records_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *whole = data;
    size_t all = size;
    char *name = fuzz_line(&data, &size);
    const struct banyan_game *game = fuzz_game(name);
    if (game)
        records_all_formats(game, data, size);
    records_suite(whole, all);
    free(name);
    return 0;
}
