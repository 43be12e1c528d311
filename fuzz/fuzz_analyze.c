/* The analysis service, `banyan analyze`, on arbitrary lines. */
#include "fuzz_talk.h"

#include "cli/analyze.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct searcher base;
    struct analyze_line line;
    struct banyan_error err = {.message = ""};
    memset(&base, 0, sizeof base);
    banyan_search_options_default(&base.options);
    enum banyan_status status = analyze_line_read(&line, &base, (const char *)data, size, &err);
    FUZZ_CHECK(status == BANYAN_OK || err.message[0]);
    FUZZ_CHECK(strlen(line.id) <= ANALYZE_ID_MAX);
    if (status == BANYAN_OK && line.kind == ANALYZE_QUESTION)
        analyze_question_free(&line.question);
    return 0;
}
