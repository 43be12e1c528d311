/* What all kinds of queues have in common: how they are opened, and the names of blobs. */
#include "queue/queue.h"

#include "queue/queue_kinds.h"

#include <math.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void queue_settings_default(struct queue_settings *settings)
{
    *settings = (struct queue_settings){
        .role = QUEUE_WORKER, .lease_ms = 30000, .limit = 10000, .patience_ms = INFINITY};
}

static enum banyan_status queue_check(const struct queue_settings *settings,
                                      struct banyan_error *err)
{
    if (!(settings->lease_ms > 0) || settings->limit < 1)
        return banyan_fail(err, BANYAN_INVALID, "a queue needs a lease > 0 and a limit >= 1");
    if (!(settings->patience_ms >= 0))
        return banyan_fail(err, BANYAN_INVALID, "a queue needs a patience >= 0 ms, not %g",
                           settings->patience_ms);
    if (settings->kinds && strlen(settings->kinds) >= QUEUE_KINDS)
        return banyan_fail(err, BANYAN_INVALID, "the list of kinds '%s' is too long",
                           settings->kinds);
    if (settings->name && !queue_name_valid(settings->name))
        return banyan_fail(
            err, BANYAN_INVALID,
            "'%s' is no name in a queue: letters, digits, '-', '.' and '_', at most %d",
            settings->name, QUEUE_NAME);
    return BANYAN_OK;
}

static enum banyan_status queue_open_kind(struct queue **out, const char *url,
                                          const struct queue_settings *settings,
                                          struct banyan_error *err)
{
    if (strcmp(url, "memory:") == 0)
        return queue_memory_open(out, settings, err);
    if (strncmp(url, "redis", 5) == 0)
#ifdef BANYAN_HIREDIS
        return queue_redis_open(out, url, settings, err);
#else
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "this build knows no Redis: build it where hiredis is (Debian: "
                           "libhiredis-dev)");
#endif
    return banyan_fail(err, BANYAN_INVALID,
                       "'%s' is no queue: redis://HOST, redis+unix://PATH or memory:", url);
}

enum banyan_status queue_open(struct queue **out, const char *url,
                              const struct queue_settings *settings, struct banyan_error *err)
{
    *out = NULL;
    enum banyan_status status = queue_check(settings, err);
    if (status == BANYAN_OK)
        status = queue_open_kind(out, url, settings, err);
    if (status == BANYAN_OK)
        (*out)->stop = settings->stop;
    if (status != BANYAN_OK || !settings->cache)
        return status;
    (*out)->cache = strdup(settings->cache);
    if ((*out)->cache)
        return BANYAN_OK;
    queue_close(*out);
    *out = NULL;
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a queue");
}

void queue_close(struct queue *queue)
{
    if (!queue)
        return;
    free(queue->cache);
    queue->can->close(queue);
}

enum banyan_status queue_inspect(struct queue *queue, struct queue_server *out, queue_bad_fn *each,
                                 void *ctx, struct banyan_error *err)
{
    if (!queue->can->inspect)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "memory: is a queue within one process: nobody else can look at it");
    return queue->can->inspect(queue, out, each, ctx, err);
}

const char *queue_mode_name(enum queue_mode mode)
{
    static const char *const names[] = {"open", "paused", "drained", "over"};
    return names[mode];
}

bool queue_is_of_kind(const char *kinds, const void *bytes, size_t length)
{
    const char *text = bytes;
    size_t size = 0;
    while (size < length && text[size] != ' ')
        ++size;
    for (const char *at = kinds; *at; at += strspn(at, ",")) {
        size_t word = strcspn(at, ",");
        if (word == size && memcmp(at, text, size) == 0)
            return true;
        at += word;
    }
    return !*kinds;
}

/* --- names and blobs --- */

bool queue_name_valid(const char *name)
{
    size_t length =
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._");
    return length > 0 && length <= QUEUE_NAME && !name[length] && name[0] != '.';
}

bool queue_name_is_hash(const char *name)
{
    return strlen(name) == QUEUE_HASH && strspn(name, "0123456789abcdef") == QUEUE_HASH;
}

void queue_hash(const void *bytes, size_t length, char out[QUEUE_HASH + 1])
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(bytes, length, digest);
    for (int i = 0; i < SHA256_DIGEST_LENGTH; ++i)
        snprintf(out + 2 * i, 3, "%02x", digest[i]);
}

static enum banyan_status queue_name_check(const char *name, struct banyan_error *err)
{
    return queue_name_valid(name)
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_INVALID, "'%s' is no name for bytes in a queue", name);
}

enum banyan_status queue_put(struct queue *queue, const char *name, const void *bytes,
                             size_t length, struct banyan_error *err)
{
    enum banyan_status status = queue_name_check(name, err);
    return status == BANYAN_OK ? queue->can->put(queue, name, bytes, length, err) : status;
}

enum banyan_status queue_get(struct queue *queue, const char *name, void **bytes, size_t *length,
                             struct banyan_error *err)
{
    enum { TRIES = 3 };
    char hash[QUEUE_HASH + 1];
    enum banyan_status status = queue_name_check(name, err);
    *bytes = NULL;
    *length = 0;
    for (int i = 0; status == BANYAN_OK && i < TRIES; ++i) {
        status = queue->cache && queue_name_is_hash(name)
                     ? queue_cache_get(queue, name, bytes, length, err)
                     : queue->can->get(queue, name, bytes, length, err);
        if (status != BANYAN_OK || !queue_name_is_hash(name))
            return status;
        queue_hash(*bytes, *length, hash);
        if (strcmp(hash, name) == 0)
            return BANYAN_OK;
        free(*bytes);
        *bytes = NULL;
        *length = 0;
    }
    return status == BANYAN_OK ? banyan_fail(err, BANYAN_CORRUPT,
                                             "the bytes under %.12s... have another hash", name)
                               : status;
}
