/* One connection to a Redis server, and messages about what can be wrong with it. */
#include "queue/redis_connection.h"

#include "base/clock.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ANSWER_MS = 2000, /* how long a server that owes an answer may be silent */
    STOP_MS = 100     /* how often a wait reads the stop flag */
};

/* --- exchanging --- */

/* Waits until something can be read. */
static bool connection_wait(const redisContext *context, const struct redis_wait *wait)
{
    double until = clock_now_ms() + ANSWER_MS + wait->ms;
    struct pollfd events = {.fd = context->fd, .events = POLLIN};
    for (double left; (left = until - clock_now_ms()) > 0;) {
        if (wait->ms > 0 && banyan_flag_is_set(wait->stop))
            return false;
        if (poll(&events, 1, left < STOP_MS ? (int)left + 1 : STOP_MS) > 0)
            return true;
        if (wait->ms > 0 && wait->reached && !wait->reached(wait->ctx))
            return poll(&events, 1, 0) > 0;
    }
    return false;
}

enum banyan_status redis_send(redisContext *context, const char *bytes, size_t length)
{
    int sent = 0;
    if (redisAppendFormattedCommand(context, bytes, length) != REDIS_OK)
        return BANYAN_NO_MEMORY;
    while (!sent)
        if (redisBufferWrite(context, &sent) != REDIS_OK)
            return BANYAN_IO;
    return BANYAN_OK;
}

redisReply *redis_answer(redisContext *context, const struct redis_wait *wait)
{
    void *reply = NULL;
    while (redisGetReplyFromReader(context, &reply) == REDIS_OK && !reply)
        if (!connection_wait(context, wait) || redisBufferRead(context) != REDIS_OK)
            break;
    return reply;
}

/* Adds a command to those that wait to be sent. */
static bool connection_add(redisContext *context, int count, const char **words)
{
    return redisAppendCommandArgv(context, count, words, NULL) == REDIS_OK;
}

/* Sends the commands that wait. */
static bool connection_flush(redisContext *context)
{
    return redis_send(context, "", 0) == BANYAN_OK;
}

/* --- what can be wrong --- */

static enum banyan_status connection_refused(const struct redis_address *address,
                                             const redisReply *reply, struct banyan_error *err)
{
    const char *shown = address->shown;
    if (strncmp(reply->str, "NOAUTH", 6) == 0)
        return banyan_fail(err, BANYAN_INVALID,
                           "Redis at %s wants a password: BANYAN_REDIS_PASSWORD in the "
                           "environment, or redis://[USER:]PASSWORD@HOST",
                           shown);
    if (strncmp(reply->str, "WRONGPASS", 9) == 0 || strstr(reply->str, "invalid password"))
        return banyan_fail(err, BANYAN_INVALID,
                           "Redis at %s refuses the password of the queue's URL (or user, or "
                           "BANYAN_REDIS_PASSWORD)",
                           shown);
    if (strstr(reply->str, "without any password configured"))
        return banyan_fail(err, BANYAN_INVALID,
                           "Redis at %s has no password: leave it out of the queue's URL", shown);
    if (strstr(reply->str, "DB index"))
        return banyan_fail(err, BANYAN_INVALID,
                           "Redis at %s has no database %d: see `databases` in redis.conf", shown,
                           address->database);
    return banyan_fail(err, BANYAN_IO, "Redis at %s: %s", shown, reply->str);
}

/* Reads the answer to one command.  False: the server refused it, or did not answer. */
static bool connection_accepted(redisContext *context, const struct redis_address *address,
                                struct banyan_error *err)
{
    static const struct redis_wait no_wait = {0};
    redisReply *reply = redis_answer(context, &no_wait);
    bool done = reply && reply->type != REDIS_REPLY_ERROR;
    if (!reply)
        banyan_fail(err, BANYAN_IO, "what is at %s does not answer as Redis does: %s",
                    address->shown, context->err ? context->errstr : "no answer");
    else if (!done)
        connection_refused(address, reply, err);
    freeReplyObject(reply);
    return done;
}

/* Sends all commands of the beginning together: over a slow link each answer takes long. */
static bool connection_begin(redisContext *context, const struct redis_address *address,
                             const char *const *scripts, struct banyan_error *err)
{
    char database[16];
    snprintf(database, sizeof database, "%d", address->database);
    const char *login[] = {"AUTH", address->user, address->password},
               *login_short[] = {"AUTH", address->password}, *chosen[] = {"SELECT", database};
    int commands = 1;
    bool sent = true;
    if (address->password[0]) {
        sent = connection_add(context, address->user[0] ? 3 : 2,
                              address->user[0] ? login : login_short);
        ++commands;
    }
    sent = sent && connection_add(context, 2, chosen);
    for (int i = 0; sent && scripts[i]; ++i, ++commands) {
        const char *load[] = {"SCRIPT", "LOAD", scripts[i]};
        sent = connection_add(context, 3, load);
    }
    if (!sent) {
        banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a command to Redis");
        return false;
    }
    connection_flush(context); /* if it fails, so does reading, which names the cause */
    while (commands > 0 && connection_accepted(context, address, err))
        --commands;
    return commands == 0;
}

/* A write to a server that is gone is an error like others, and does not end the program. */
static void connection_ignore_pipe(void)
{
    struct sigaction old;
    if (sigaction(SIGPIPE, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        signal(SIGPIPE, SIG_IGN);
}

redisContext *redis_connect(const struct redis_address *address, double limit_ms,
                            const char *const *scripts, struct banyan_error *err)
{
    const struct timeval limit = {.tv_sec = (time_t)(limit_ms / 1e3),
                                  .tv_usec = (suseconds_t)(fmod(limit_ms, 1e3) * 1e3)},
                         answer = {.tv_sec = ANSWER_MS / 1000};
    connection_ignore_pipe();
    redisContext *context = address->host[0]
                                ? redisConnectWithTimeout(address->host, address->port, limit)
                                : redisConnectUnixWithTimeout(address->path, limit);
    if (!context || context->err) {
        banyan_fail(err, BANYAN_IO,
                    "no Redis at %s: %s; start one (`make redis`, `systemctl start redis-server`) "
                    "or mend the queue's URL",
                    address->shown, context ? context->errstr : "no memory");
    } else {
        if (address->host[0])
            redisEnableKeepAlive(context);
        redisSetTimeout(context, answer);
        if (connection_begin(context, address, scripts, err))
            return context;
    }
    redisFree(context);
    return NULL;
}

/* --- the server --- */

bool redis_info(const char *info, const char *name, char *out, size_t size)
{
    size_t length = strlen(name);
    for (const char *line = info; *line; line += strspn(line, "\r\n")) {
        size_t end = strcspn(line, "\r\n");
        if (end > length && strncmp(line, name, length) == 0 && line[length] == ':') {
            snprintf(out, size, "%.*s", (int)(end - length - 1), line + length + 1);
            return true;
        }
        line += end;
    }
    return false;
}

static enum banyan_status server_judge(const char *info, const struct redis_address *address,
                                       struct banyan_error *err)
{
    char version[64], policy[64];
    int major = 0, minor = 0;
    if (!redis_info(info, "redis_version", version, sizeof version) ||
        sscanf(version, "%d.%d", &major, &minor) != 2)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "what is at %s does not say its version as Redis does", address->shown);
    if (major < 6 || (major == 6 && minor < 2))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "Redis at %s is version %s: a queue needs 6.2 or later", address->shown,
                           version);
    if (redis_info(info, "maxmemory_policy", policy, sizeof policy) &&
        strcmp(policy, "noeviction") != 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "Redis at %s may drop jobs when its memory is full (%s): `redis-cli "
                           "config set maxmemory-policy noeviction`, and so in redis.conf",
                           address->shown, policy);
    return BANYAN_OK;
}

enum banyan_status redis_server_check(redisContext *context, const struct redis_address *address,
                                      struct banyan_error *err)
{
    static const struct redis_wait no_wait = {0};
    const char *words[] = {"INFO"};
    bool sent = connection_add(context, 1, words) && connection_flush(context);
    redisReply *reply = sent ? redis_answer(context, &no_wait) : NULL;
    enum banyan_status status =
        reply && reply->type == REDIS_REPLY_STRING
            ? server_judge(reply->str, address, err)
            : banyan_fail(err, BANYAN_IO, "what is at %s does not answer as Redis does",
                          address->shown);
    freeReplyObject(reply);
    return status;
}
