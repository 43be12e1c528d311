/* What a page may ask: one JSON object in each message, {"t":TYPE,"id":N,...}.
 *
 * message.c has the table of all types with their fields and ranges.  A parsed message has every
 * required field, each of the right kind and in its range, and no unknown field.  docs/web.md lists
 * the same table for people. */
#ifndef WEB_MESSAGE_H
#define WEB_MESSAGE_H

#include <banyan/status.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MESSAGE_MAX = 64 << 10 }; /* bytes */

enum message_type {
    MESSAGE_HELLO,
    MESSAGE_LIST,
    MESSAGE_OPEN,
    MESSAGE_EXPLAIN,
    MESSAGE_RUN,
    MESSAGE_PAUSE,
    MESSAGE_STEP,
    MESSAGE_GOTO,
    MESSAGE_VIEW,
    MESSAGE_INSPECT,
    MESSAGE_SIT,
    MESSAGE_PLAY,
    MESSAGE_UNDO,
    MESSAGE_HINT,
    MESSAGE_SAVE,
    MESSAGE_FILES,
    MESSAGE_REPLAY,
    MESSAGE_SHOW,
    MESSAGE_SWEEP,
    MESSAGE_SWEEP_END,
    MESSAGE_MATCHES,
    MESSAGE_MATCH,
    MESSAGE_MATCH_GAMES,
    MESSAGE_MATCH_GAME,
    MESSAGE_START,
    MESSAGE_STOP,
    MESSAGE_RUNS,
    MESSAGE_TRAIN,
    MESSAGE_TRAIN_GAME,
    MESSAGE_LEAVE,
    MESSAGE_BATTLES,
    MESSAGE_CLOCK,
    MESSAGE_LINE,
    MESSAGE_BATTLE,
    MESSAGE_TYPES
};

struct message {
    enum message_type type;
    int64_t id; /* the page's own number, which the answer repeats */
    json_t *body;
};

/* Reads one message.  BANYAN_INVALID: err says what is wrong; message->id is the page's number if
 * it could be read, else 0, and there is nothing to free. */
enum banyan_status message_parse(const char *text, size_t length, struct message *message,
                                 struct banyan_error *err);
void message_free(struct message *message);

/* Whether an optional field is there. */
bool message_has(const struct message *message, const char *field);

/* A field of the message; NULL and 0 where an optional one is not there. */
const char *message_text(const struct message *message, const char *field);
int64_t message_integer(const struct message *message, const char *field);

/* "hello", "open", ...; static storage. */
const char *message_name(enum message_type type);

#endif
