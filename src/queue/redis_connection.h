/* One connection to a Redis server: connects, logs in, checks the server, sends bytes and waits for an answer. */
#ifndef QUEUE_REDIS_CONNECTION_H
#define QUEUE_REDIS_CONNECTION_H

#include "queue/redis_address.h"

#include <hiredis/hiredis.h>

/* How long an answer may take besides what the network and the server need. */
struct redis_wait {
    double ms;
    const banyan_flag *stop; /* ends the wait, if ms > 0 */
    /* Called again and again while ms > 0: whether the server can still be reached, which a silent connection
     * does not show.  NULL: not called. */
    bool (*reached)(void *ctx);
    void *ctx;
};

/* Connects within limit_ms, logs in, and loads the scripts (end with NULL).  NULL: it failed. */
redisContext *redis_connect(const struct redis_address *address, double limit_ms,
                            const char *const *scripts, struct banyan_error *err);

/* Whether the server is new enough, and keeps what it is given. */
enum banyan_status redis_server_check(redisContext *context, const struct redis_address *address,
                                      struct banyan_error *err);

/* Copies the value of a line "NAME:VALUE" of the server's answer to INFO.  False: there is none. */
bool redis_info(const char *info, const char *name, char *out, size_t size);

/* Sends bytes.  BANYAN_IO: the connection is lost. */
enum banyan_status redis_send(redisContext *context, const char *bytes, size_t length);

/* Waits for the next answer; the caller frees it.  NULL: none came. */
redisReply *redis_answer(redisContext *context, const struct redis_wait *wait);

#endif
