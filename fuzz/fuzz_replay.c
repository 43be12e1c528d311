/* `banyan search pokemon --replay`, and what the page shows, on arbitrary files of decisions. */
#include "fuzz_talk.h"

#include "cli/showdown_replay.h"
#include "web/battles.h"

/* A file may ask for any number of simulations: inputs with a number of more than two digits are
 * skipped. */
static bool fuzz_is_long(const char *text)
{
    for (const char *at = text; (at = strstr(at, "simulations")); ++at) {
        size_t digits = 0;
        for (const char *c = at + 11; *c && *c != ',' && *c != '}'; ++c)
            digits += strchr("0123456789eE", *c) != NULL;
        if (digits > 2)
            return true;
    }
    return false;
}

static void fuzz_page(const char *path)
{
    struct banyan_error err = {.message = ""};
    json_t *decisions;
    FILE *file = fopen(path, "r");
    FUZZ_CHECK(file);
    if (battles_read(file, "battle-x", 0, &decisions, &err) == BANYAN_OK)
        json_decref(decisions);
    else
        FUZZ_CHECK(err.message[0]);
    rewind(file);
    json_decref(battles_read_expected(file));
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct banyan_error err = {.message = ""};
    bool same;
    size_t all = size;
    const uint8_t *from = data;
    char *text = fuzz_take(&from, &all, size);
    fuzz_silence();
    fuzz_page(fuzz_file(data, size));
    if (!fuzz_is_long(text)) {
        const struct showdown_question question = {.path = fuzz_file(data, size), .json = size % 2};
        enum banyan_status status = showdown_replay(&question, &same, &err);
        FUZZ_CHECK(status == BANYAN_OK || err.message[0]);
    }
    free(text);
    return 0;
}
