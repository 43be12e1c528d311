/* Arbitrary JSON as a request: it is refused, or every choice that is found may answer it. */
#include "fuzz.h"

#include "showdown/decide.h"

static void request_check(const struct request *request)
{
    FUZZ_CHECK(request->move_count >= 0 && request->move_count <= REQUEST_MOVES);
    FUZZ_CHECK(request->team_count >= 0 && request->team_count <= REQUEST_TEAM);
    FUZZ_CHECK((request->choice_count == 0) == (request->kind == REQUEST_WAIT));
    FUZZ_CHECK(request->choice_count <= REQUEST_CHOICES);
    for (int i = 0; i < request->choice_count; ++i) {
        const struct request_choice *choice = &request->choices[i];
        bool moves = choice->kind == REQUEST_CHOOSE_MOVE || choice->kind == REQUEST_CHOOSE_DYNAMAX;
        char text[REQUEST_TEXT];
        request_choice_text(*choice, text);
        FUZZ_CHECK(choice->slot >= 0);
        if (moves)
            FUZZ_CHECK(choice->slot < request->move_count && strncmp(text, "move ", 5) == 0);
        if (choice->kind == REQUEST_CHOOSE_SWITCH)
            FUZZ_CHECK(choice->slot < request->team_count && !request->team[choice->slot].fainted);
    }
}

static void request_ask_all(const struct request *request)
{
    struct tracker tracker;
    tracker_start(&tracker);
    for (int i = 0; decide_chooser(i); ++i) {
        struct decide decide;
        struct decide_answer answer;
        struct decide_question question = {request, &tracker, 7, 1};
        FUZZ_CHECK(decide_open(&decide, decide_chooser(i)->name, NULL) == BANYAN_OK);
        if (!decide.chooser->begin)
            FUZZ_CHECK(decide_choose(&decide, NULL, &question, &answer, NULL) == BANYAN_OK);
        decide_close(&decide);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request;
    struct banyan_error err = {.message = ""};
    size_t length = size;
    char *json = fuzz_take(&data, &size, size); /* a copy, so that a byte too many is noticed */
    if (request_parse(json, length, &request, &err) != BANYAN_OK) {
        FUZZ_CHECK(err.message[0]);
    } else {
        request_check(&request);
        if (request.choice_count)
            request_ask_all(&request);
    }
    free(json);
    return 0;
}
