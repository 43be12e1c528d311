/* Commands to a Redis server, sent again after lost connections. */
#include "queue/redis_link.h"

#include "queue/redis_connection.h"

#include "base/clock.h"

#include <math.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    IDLE_CONNECTIONS = 64,
    OPEN_MS = 1000, /* how long opening a link tries again after a connection that broke */
    OPEN_TRIES = 3,
    CONNECT_MS = 1000,     /* how long a server may need to accept a connection */
    CONNECT_MORE_MS = 300, /* a short try waits so long beyond twice connect_ms */
    CONNECT_LONG = 4,      /* one in so many tries waits for the whole CONNECT_MS */
    PING_MS = 2000 /* how often a long wait for an answer looks whether the server can be reached */
};

struct redis_link {
    struct redis_address address;
    const char *const *scripts;                               /* ends with NULL */
    char script_hashes[REDIS_SCRIPTS][REDIS_SCRIPT_HASH + 1]; /* scripts' names in the server */
    char prefix[QUEUE_NAME + 16];
    double patience_ms;
    const banyan_flag *stop;
    void (*lost)(void *ctx, const char *why);
    void *lost_ctx;
    pthread_mutex_t lock; /* guards what follows */
    bool away;            /* the last command got no answer */
    double connect_ms;    /* the shortest time that a connection and its login needed */
    redisContext *idle[IDLE_CONNECTIONS];
    int idle_count;
    unsigned connections, losses, random; /* connections made; those lost; state for random waits */
    unsigned connect_tries;
};

/* --- pipes --- */

/* Adds a command that hiredis has formatted, and frees it; length < 0: there was no memory. */
static void pipe_append(struct redis_pipe *pipe, char *command, int length)
{
    char *longer = length > 0 ? realloc(pipe->bytes, pipe->length + (size_t)length) : NULL;
    if (longer) {
        memcpy(longer + pipe->length, command, (size_t)length);
        pipe->bytes = longer;
        pipe->length += (size_t)length;
        ++pipe->count;
    } else {
        pipe->full = true;
    }
    if (length > 0)
        redisFreeCommand(command);
}

static void pipe_add(struct redis_pipe *pipe, const char *format, va_list arguments)
{
    char *command = NULL;
    int length = redisvFormatCommand(&command, format, arguments);
    pipe_append(pipe, command, length);
}

void redis_pipe_words(struct redis_pipe *pipe, int count, const char **words)
{
    char *command = NULL;
    int length = redisFormatCommandArgv(&command, count, words, NULL);
    pipe_append(pipe, command, length);
}

void redis_pipe_add(struct redis_pipe *pipe, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pipe_add(pipe, format, arguments);
    va_end(arguments);
}

void redis_pipe_script(struct redis_pipe *pipe, const struct redis_link *link, int script,
                       const char *format, ...)
{
    char command[512];
    va_list arguments;
    snprintf(command, sizeof command, "EVALSHA %s %s", link->script_hashes[script], format);
    va_start(arguments, format);
    pipe_add(pipe, command, arguments);
    va_end(arguments);
}

static enum banyan_status pipe_full(struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a command to Redis");
}

/* --- answers --- */

void redis_answers_free(struct redis_answers *answers)
{
    for (int i = 0; i < answers->count; ++i)
        freeReplyObject(answers->at[i]);
    answers->count = 0;
}

bool redis_is_error(const redisReply *reply, const char *begin)
{
    return reply->type == REDIS_REPLY_ERROR && strncmp(reply->str, begin, strlen(begin)) == 0;
}

/* The error in a reply, or among its elements: the reply to EXEC contains those of its commands. */
static const redisReply *answers_error(const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_ERROR)
        return reply;
    for (size_t i = 0; reply->type == REDIS_REPLY_ARRAY && i < reply->elements; ++i)
        if (reply->element[i]->type == REDIS_REPLY_ERROR)
            return reply->element[i];
    return NULL;
}

enum banyan_status redis_check(const struct redis_link *link, const struct redis_answers *answers,
                               struct banyan_error *err)
{
    for (int i = 0; i < answers->count; ++i) {
        const redisReply *error = answers_error(answers->at[i]);
        if (error)
            return banyan_fail(err, BANYAN_IO, "Redis at %s: %s", link->address.shown, error->str);
    }
    return BANYAN_OK;
}

/* Whether the reply is an error that begins with this word.  If a command of a script is refused,
 * Redis 6.2 puts other words before it. */
static bool answers_begin(const redisReply *reply, const char *word)
{
    char inside[32];
    snprintf(inside, sizeof inside, " -%s", word);
    return redis_is_error(reply, word) ||
           (redis_is_error(reply, "ERR Error running script") && strstr(reply->str, inside));
}

/* Whether the server refuses only for the moment, so that the same commands may succeed later. */
static bool answers_pass(const struct redis_answers *answers)
{
    static const char *const passing[] = {"LOADING",  "BUSY ",    "OOM",       "MISCONF",
                                          "READONLY", "NOSCRIPT", "EXECABORT", "MASTERDOWN"};
    for (int i = 0; i < answers->count; ++i)
        for (size_t j = 0; j < sizeof passing / sizeof *passing; ++j)
            if (answers_begin(answers->at[i], passing[j]))
                return true;
    return false;
}

/* --- connections --- */

/* How long to wait for a connection.  While there is no network each try waits in vain, so most
 * tries are short: then one of them finds the server soon after the network is back.  Some are
 * long: the network may have become slower. */
static double link_connect_limit(struct redis_link *link)
{
    pthread_mutex_lock(&link->lock);
    double usual_ms = 2 * link->connect_ms + CONNECT_MORE_MS;
    bool whole = ++link->connect_tries % CONNECT_LONG == 0;
    pthread_mutex_unlock(&link->lock);
    return whole ? CONNECT_MS : fmin(CONNECT_MS, usual_ms);
}

/* Makes a connection that is ready for commands. */
static redisContext *link_connect(struct redis_link *link, struct banyan_error *err)
{
    double limit_ms = link_connect_limit(link);
    double begin_ms = clock_now_ms();
    redisContext *context = redis_connect(&link->address, limit_ms, link->scripts, err);
    double took_ms = clock_now_ms() - begin_ms;
    pthread_mutex_lock(&link->lock);
    if (context)
        link->connect_ms = fmin(link->connect_ms, took_ms);
    link->connections += context != NULL;
    pthread_mutex_unlock(&link->lock);
    return context;
}

static redisContext *link_borrow(struct redis_link *link, struct banyan_error *err)
{
    redisContext *context = NULL;
    pthread_mutex_lock(&link->lock);
    if (link->idle_count > 0)
        context = link->idle[--link->idle_count];
    pthread_mutex_unlock(&link->lock);
    return context ? context : link_connect(link, err);
}

static void link_return(struct redis_link *link, redisContext *context)
{
    pthread_mutex_lock(&link->lock);
    bool keep = link->idle_count < IDLE_CONNECTIONS;
    if (keep)
        link->idle[link->idle_count++] = context;
    pthread_mutex_unlock(&link->lock);
    if (!keep)
        redisFree(context);
}

/* Closes the idle connections: after a failure they are lost too, and the next command makes a new one. */
static void link_drop_all(struct redis_link *link)
{
    pthread_mutex_lock(&link->lock);
    while (link->idle_count > 0)
        redisFree(link->idle[--link->idle_count]);
    pthread_mutex_unlock(&link->lock);
}

unsigned redis_link_connections(struct redis_link *link)
{
    pthread_mutex_lock(&link->lock);
    unsigned connections = link->connections;
    pthread_mutex_unlock(&link->lock);
    return connections;
}

bool redis_pause(struct redis_link *link, int tries)
{
    enum { FIRST_MS = 100, LAST_MS = 500, STEP_MS = 20 };
    double ms = FIRST_MS * exp2(tries < 10 ? tries : 10);
    pthread_mutex_lock(&link->lock); /* half of the wait is random, so that many workers do not
                                      * come back at the same moment */
    link->random = link->random * 1103515245u + 12345u;
    ms = (ms < LAST_MS ? ms : LAST_MS) * (0.5 + (link->random >> 16 & 1023) / 2048.0);
    pthread_mutex_unlock(&link->lock);
    double until = clock_now_ms() + ms;
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    while (clock_now_ms() < until && !banyan_flag_is_set(link->stop))
        nanosleep(&step, NULL);
    return !banyan_flag_is_set(link->stop);
}

/* --- running --- */

unsigned redis_link_losses(struct redis_link *link)
{
    pthread_mutex_lock(&link->lock);
    unsigned losses = link->losses;
    pthread_mutex_unlock(&link->lock);
    return losses;
}

/* Closes a connection that got no answer, and all idle ones. */
static void link_lose(struct redis_link *link, redisContext *context)
{
    pthread_mutex_lock(&link->lock);
    ++link->losses;
    pthread_mutex_unlock(&link->lock);
    redisFree(context);
    link_drop_all(link);
}

/* Whether another connection gets an answer. */
static bool link_ping(struct redis_link *link)
{
    static const char ping[] = "PING\r\n";
    static const struct redis_wait no_wait = {0};
    redisContext *context = link_borrow(link, NULL);
    bool sent = context && redis_send(context, ping, sizeof ping - 1) == BANYAN_OK;
    redisReply *reply = sent ? redis_answer(context, &no_wait) : NULL;
    bool answered = reply != NULL;
    freeReplyObject(reply);
    if (answered)
        link_return(link, context);
    else if (context)
        link_lose(link, context);
    return answered;
}

/* A long wait for an answer. */
struct link_watch {
    struct redis_link *link;
    unsigned losses; /* before it */
    double pinged_ms;
};

/* Whether the server can be reached.  A broken network is as silent as a server that waits for a job; the first
 * thread that notices a loss counts it in the link, where the others see it. */
static bool link_reached(void *ctx)
{
    struct link_watch *watch = ctx;
    if (redis_link_losses(watch->link) != watch->losses)
        return false;
    if (clock_now_ms() < watch->pinged_ms + PING_MS)
        return true;
    bool reached = link_ping(watch->link);
    watch->pinged_ms = clock_now_ms();
    return reached;
}

/* One try; false: no answer, and the connection is gone. */
static bool link_try(struct redis_link *link, const struct redis_pipe *pipe,
                     struct redis_answers *answers, struct banyan_error *err)
{
    redisContext *context = link_borrow(link, err);
    if (!context)
        return false;
    struct link_watch watch = {link, redis_link_losses(link), clock_now_ms()};
    const struct redis_wait wait = {
        .ms = pipe->wait_ms, .stop = link->stop, .reached = link_reached, .ctx = &watch};
    bool whole = redis_send(context, pipe->bytes, pipe->length) == BANYAN_OK;
    answers->count = 0;
    while (whole && answers->count < pipe->count) {
        redisReply *reply = redis_answer(context, &wait);
        whole = reply != NULL;
        if (whole)
            answers->at[answers->count++] = reply;
    }
    if (whole) {
        link_return(link, context);
        return true;
    }
    banyan_fail(err, BANYAN_IO, "no answer from Redis at %s: %s", link->address.shown,
                context->err ? context->errstr : "it takes too long");
    redis_answers_free(answers);
    link_lose(link, context);
    return false;
}

/* Tells the caller once when the server stops answering (why), and once when it answers again
 * (NULL). */
static void link_tell(struct redis_link *link, const char *why)
{
    pthread_mutex_lock(&link->lock);
    bool is_news = link->lost && link->away != (why != NULL);
    link->away = why != NULL;
    pthread_mutex_unlock(&link->lock);
    if (is_news)
        link->lost(link->lost_ctx, why);
}

static enum banyan_status link_run(struct redis_link *link, const struct redis_pipe *pipe,
                                   struct redis_answers *answers, struct banyan_error *err)
{
    double until = clock_now_ms() + link->patience_ms;
    for (int tries = 0;; ++tries) {
        bool answered = link_try(link, pipe, answers, err);
        if (answered && !answers_pass(answers)) {
            link_tell(link, NULL);
            return BANYAN_OK;
        }
        if (answered) {
            redis_check(link, answers, err);
            redis_answers_free(answers);
            link_drop_all(link); /* a new connection loads the scripts */
        }
        if (banyan_flag_is_set(link->stop))
            return banyan_fail(err, BANYAN_INTERRUPTED, "stopped while waiting for Redis at %s",
                               link->address.shown);
        if (tries > 0) /* nobody needs to hear of a connection that the first new try restores */
            link_tell(link, err->message);
        if (clock_now_ms() >= until)
            return BANYAN_IO;
        redis_pause(link, tries);
    }
}

enum banyan_status redis_run(struct redis_link *link, struct redis_pipe *pipe,
                             struct redis_answers *answers, struct banyan_error *err)
{
    struct banyan_error own;
    answers->count = 0;
    enum banyan_status status = pipe->full ? pipe_full(&own) : link_run(link, pipe, answers, &own);
    free(pipe->bytes);
    *pipe = (struct redis_pipe){0};
    return status == BANYAN_OK ? status : banyan_fail(err, status, "%s", own.message);
}

enum banyan_status redis_do(struct redis_link *link, struct redis_pipe *pipe,
                            struct banyan_error *err)
{
    struct redis_answers answers;
    enum banyan_status status = redis_run(link, pipe, &answers, err);
    if (status == BANYAN_OK)
        status = redis_check(link, &answers, err);
    redis_answers_free(&answers);
    return status;
}

/* --- opening --- */

static void link_hash_scripts(struct redis_link *link)
{
    for (int i = 0; link->scripts[i]; ++i) {
        unsigned char digest[SHA_DIGEST_LENGTH];
        SHA1((const unsigned char *)link->scripts[i], strlen(link->scripts[i]), digest);
        for (int j = 0; j < SHA_DIGEST_LENGTH; ++j)
            snprintf(link->script_hashes[i] + 2 * j, 3, "%02x", digest[j]);
    }
}

/* Checks the server over a connection of its own, one question at a time: what is there may not be Redis. */
static enum banyan_status link_check(const struct redis_link *link, struct banyan_error *err)
{
    static const char *const no_scripts[] = {NULL};
    double until = clock_now_ms() + OPEN_MS;
    enum banyan_status status = BANYAN_IO;
    for (int tries = 0; status == BANYAN_IO && tries < OPEN_TRIES && clock_now_ms() < until;
         ++tries) {
        redisContext *context = redis_connect(&link->address, CONNECT_MS, no_scripts, err);
        if (context) {
            status = redis_server_check(context, &link->address, err);
            redisFree(context);
        }
    }
    return status;
}

enum banyan_status redis_link_open(struct redis_link **out, const char *url,
                                   const struct queue_settings *settings,
                                   const char *const *scripts, struct banyan_error *err)
{
    struct redis_link *link = calloc(1, sizeof *link);
    if (!link)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a queue");
    link->scripts = scripts;
    link->patience_ms = settings->patience_ms;
    link->stop = settings->stop;
    link->lost = settings->lost;
    link->lost_ctx = settings->lost_ctx;
    link->random = (unsigned)getpid() * 2654435761u;
    link->connect_ms = INFINITY;
    link_hash_scripts(link);
    pthread_mutex_init(&link->lock, NULL);
    enum banyan_status status = redis_address_read(&link->address, url, err);
    snprintf(link->prefix, sizeof link->prefix, "banyan:{%s}:", link->address.prefix);
    if (status == BANYAN_OK)
        status = link_check(link, err);
    if (status == BANYAN_OK)
        *out = link;
    else
        redis_link_close(link);
    return status;
}

void redis_link_close(struct redis_link *link)
{
    if (!link)
        return;
    link_drop_all(link);
    pthread_mutex_destroy(&link->lock);
    free(link);
}

void redis_link_hurry(struct redis_link *link)
{
    link->patience_ms = 0;
}

const char *redis_link_script(const struct redis_link *link, int script)
{
    return link->script_hashes[script];
}

const char *redis_link_prefix(const struct redis_link *link)
{
    return link->prefix;
}

const char *redis_link_name(const struct redis_link *link)
{
    return link->address.prefix;
}

const char *redis_link_shown(const struct redis_link *link)
{
    return link->address.shown;
}
