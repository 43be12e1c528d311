/* Connections to a Redis server, as many as are used at the same time.  A command that loses its
 * connection is sent again over another.
 *
 *     struct redis_pipe pipe = {0};            commands that go out together
 *     redis_pipe_add(&pipe, "XLEN %sjobs", prefix);
 *     redis_run(link, &pipe, &answers, err);   sends them again after a lost connection
 *     redis_answers_free(&answers);
 *
 * Commands may therefore be done twice, and must be such that this does no harm.
 *
 * Threads: any thread; a pipe belongs to one.
 */
#ifndef QUEUE_REDIS_LINK_H
#define QUEUE_REDIS_LINK_H

#include "queue/redis_address.h"

#include <hiredis/hiredis.h>

enum {
    REDIS_PIPE = 16,   /* commands of a pipe */
    REDIS_SCRIPTS = 5, /* scripts that a link may have */
    REDIS_SCRIPT_HASH = 40
};

struct redis_link;

struct redis_pipe {
    char *bytes;
    size_t length;
    int count;      /* commands */
    bool full;      /* no memory */
    double wait_ms; /* how long the server may wait before it answers the last command (BLOCK) */
};

struct redis_answers {
    int count;
    redisReply *at[REDIS_PIPE];
};

/* Connects, and refuses a server that cannot hold a queue.  scripts: Lua, borrowed, ends with NULL. */
enum banyan_status redis_link_open(struct redis_link **out, const char *url,
                                   const struct queue_settings *settings,
                                   const char *const *scripts, struct banyan_error *err);
void redis_link_close(struct redis_link *link);

/* "banyan:{NAME}:", with which all keys begin. */
const char *redis_link_prefix(const struct redis_link *link);

/* NAME, by which its users know the queue. */
const char *redis_link_name(const struct redis_link *link);

/* "HOST:PORT", for messages. */
const char *redis_link_shown(const struct redis_link *link);

/* How many connections were made.  When this number has changed, the server may have lost what it knew. */
unsigned redis_link_connections(struct redis_link *link);

/* How many connections were lost before all answers had come: the server may have done what was asked. */
unsigned redis_link_losses(struct redis_link *link);

/* The hash by which the server knows a script. */
const char *redis_link_script(const struct redis_link *link, int script);

/* Adds a command, in the format of redisCommand. */
void redis_pipe_add(struct redis_pipe *pipe, const char *format, ...);

/* Adds a command of words. */
void redis_pipe_words(struct redis_pipe *pipe, int count, const char **words);

/* Adds a call of script number `script`; format: the number of keys, the keys, the arguments. */
void redis_pipe_script(struct redis_pipe *pipe, const struct redis_link *link, int script,
                       const char *format, ...);

/* Sends the commands, and waits for the answers, of which any may be an error of the server.  Frees the
 * pipe.  BANYAN_IO: no server for as long as the link's patience.  BANYAN_INTERRUPTED: stopped. */
enum banyan_status redis_run(struct redis_link *link, struct redis_pipe *pipe,
                             struct redis_answers *answers, struct banyan_error *err);

/* As redis_run, for callers who do not need the answers: an error of the server is BANYAN_IO. */
enum banyan_status redis_do(struct redis_link *link, struct redis_pipe *pipe,
                            struct banyan_error *err);

void redis_answers_free(struct redis_answers *answers);

/* Whether the reply is an error whose text begins like this. */
bool redis_is_error(const redisReply *reply, const char *begin);

/* The first error among the answers as a status; BANYAN_OK if there is none. */
enum banyan_status redis_check(const struct redis_link *link, const struct redis_answers *answers,
                               struct banyan_error *err);

/* From now on a lost server is given up at once. */
void redis_link_hurry(struct redis_link *link);

/* Waits a moment, longer after every try.  False: stopped. */
bool redis_pause(struct redis_link *link, int tries);

#endif
