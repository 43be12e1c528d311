/* `banyan search pokemon --replay` on arbitrary files of decisions. */
#include "fuzz_talk.h"

#include "cli/showdown_replay.h"

/* A file may ask for any number of simulations: no more than two digits are waited for. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct banyan_error err = {.message = ""};
    bool same;
    size_t all = size;
    const uint8_t *from = data;
    char *text = fuzz_take(&from, &all, size);
    fuzz_silence();
    if (!fuzz_is_long(text)) {
        const struct showdown_question question = {.path = fuzz_file(data, size), .json = size % 2};
        enum banyan_status status = showdown_replay(&question, &same, &err);
        FUZZ_CHECK(status == BANYAN_OK || err.message[0]);
    }
    free(text);
    return 0;
}
