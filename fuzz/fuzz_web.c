/* The messages of a page: each line of the bytes is one.  A session with a small search works on
 * those that can be read, and answers each. */
#include "fuzz.h"

#include "web/session.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether the game is short and its seats are for a human and `random` only, who do not think for
 * long. */
static bool is_quick(const char *game, const char *seats)
{
    return (strcmp(game, "kuhn") == 0 || strcmp(game, "tictactoe") == 0) &&
           strspn(seats, "human\nrado") == strlen(seats);
}

/* Whether the session answers soon: messages that ask for more would only be slow. */
static bool is_small(const struct message *message)
{
    if (message->type == MESSAGE_SIT)
        return is_quick(message_text(message, "game"), message_text(message, "seats"));
    return message->type != MESSAGE_OPEN && message->type != MESSAGE_HINT &&
           message_integer(message, "simulations") <= 1000 &&
           message_integer(message, "n") <= 1000 && message_integer(message, "k") <= 1000;
}

static void say(struct session *session, const char *text, size_t length)
{
    struct message message;
    struct banyan_error err = {.message = ""};
    if (message_parse(text, length, &message, &err) != BANYAN_OK) {
        FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));
        FUZZ_CHECK(!message.body);
        return;
    }
    FUZZ_CHECK(message.id >= 0 && message.type < MESSAGE_TYPES);
    if (is_small(&message)) {
        session_handle(session, &message);
        while (session_work(session))
            continue;
        FUZZ_CHECK(!outbox_is_empty(session->outbox));
    }
    message_free(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char open[] =
        "{\"t\":\"open\",\"id\":1,\"game\":\"tictactoe\",\"options\":\"memory=1M\"}";
    struct outbox outbox;
    struct session session;
    struct message message;
    outbox_init(&outbox, NULL, NULL);
    session_init(&session, &outbox, NULL);
    FUZZ_CHECK(message_parse(open, sizeof open - 1, &message, NULL) == BANYAN_OK);
    session_handle(&session, &message);
    message_free(&message);
    for (char *line; size > 0;) {
        line = fuzz_line(&data, &size);
        say(&session, line, strlen(line));
        free(line);
        for (struct outbox_text *text; (text = outbox_take(&outbox));)
            free(text);
    }
    session_free(&session);
    outbox_free(&outbox);
    return 0;
}
