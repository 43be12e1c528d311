/* Blobs of a queue in Redis: chunks in a hash. */
#include "queue/queue_redis.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t blob_chunk = 1 << 20, blob_most = (size_t)1 << 31;

/* --- writing --- */

static enum banyan_status blob_write_chunks(struct redis_queue *queue, const char *name,
                                            const char *bytes, size_t length,
                                            struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (size_t at = 0, i = 0; status == BANYAN_OK && at < length; at += blob_chunk, ++i) {
        struct redis_pipe pipe = {0};
        size_t size = length - at < blob_chunk ? length - at : blob_chunk;
        redis_pipe_add(&pipe, "HSET %snew:%s %llu %b", queue->prefix, name, (unsigned long long)i,
                       bytes + at, size);
        status = redis_do(queue->link, &pipe, err);
    }
    return status;
}

/* Writes a blob beside the present one, which it then replaces as a whole.  *lost: the server has
 * lost the new blob, or has put it in place of the old one and only the answer was lost. */
static enum banyan_status blob_write(struct redis_queue *queue, const char *name, const void *bytes,
                                     size_t length, bool *lost, struct banyan_error *err)
{
    struct redis_pipe first = {0}, last = {0};
    struct redis_answers answers;
    const char *p = queue->prefix;
    redis_pipe_add(&first, "DEL %snew:%s", p, name);
    redis_pipe_add(&first, "HSET %snew:%s size %llu", p, name, (unsigned long long)length);
    enum banyan_status status = redis_do(queue->link, &first, err);
    if (status == BANYAN_OK)
        status = blob_write_chunks(queue, name, bytes, length, err);
    if (status != BANYAN_OK)
        return status;
    redis_pipe_add(&last, "RENAME %snew:%s %sblob:%s", p, name, p, name);
    status = redis_run(queue->link, &last, &answers, err);
    *lost = status == BANYAN_OK && redis_is_error(answers.at[0], "ERR no such key");
    if (status == BANYAN_OK && !*lost)
        status = redis_check(queue->link, &answers, err);
    redis_answers_free(&answers);
    return status;
}

enum banyan_status redis_blob_write(struct redis_queue *queue, const char *name, const void *bytes,
                                    size_t length, struct banyan_error *err)
{
    enum { TRIES = 5 };
    bool lost = true;
    enum banyan_status status = BANYAN_OK;
    if (length > blob_most)
        return banyan_fail(err, BANYAN_INVALID, "more than 2 GiB for a queue");
    for (int i = 0; status == BANYAN_OK && lost && i < TRIES; ++i)
        status = blob_write(queue, name, bytes, length, &lost, err);
    return status == BANYAN_OK && lost
               ? banyan_fail(err, BANYAN_IO, "Redis at %s loses what it is given",
                             redis_link_shown(queue->link))
               : status;
}

enum banyan_status redis_blob_drop(struct redis_queue *queue, const char *name,
                                   struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    redis_pipe_add(&pipe, "DEL %sblob:%s", queue->prefix, name);
    return redis_do(queue->link, &pipe, err);
}

enum banyan_status redis_blob_is_whole(struct redis_queue *queue, const char *name, size_t length,
                                       bool *out, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    redis_pipe_add(&pipe, "HLEN %sblob:%s", queue->prefix, name);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status == BANYAN_OK)
        *out = redis_number(answers.at[0]) == 1 + (int64_t)((length + blob_chunk - 1) / blob_chunk);
    redis_answers_free(&answers);
    return status;
}

/* --- reading --- */

/* The value of one field; *out is NULL if there is none. */
static enum banyan_status blob_field(struct redis_queue *queue, const char *name, const char *field,
                                     redisReply **out, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    *out = NULL;
    redis_pipe_add(&pipe, "HGET %sblob:%s %s", queue->prefix, name, field);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status == BANYAN_OK)
        status = redis_check(queue->link, &answers, err);
    if (status == BANYAN_OK && answers.at[0]->type == REDIS_REPLY_STRING) {
        *out = answers.at[0];
        answers.count = 0;
    }
    redis_answers_free(&answers);
    return status;
}

static enum banyan_status blob_absent(const char *name, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NOT_FOUND, "the queue has no '%s'", name);
}

static enum banyan_status blob_size(struct redis_queue *queue, const char *name, size_t *out,
                                    struct banyan_error *err)
{
    redisReply *reply;
    enum banyan_status status = blob_field(queue, name, "size", &reply, err);
    if (status != BANYAN_OK)
        return status;
    int64_t size = reply ? redis_number(reply) : -1;
    bool whole = size >= 0 && (uint64_t)size <= blob_most;
    freeReplyObject(reply);
    if (!whole)
        return blob_absent(name, err);
    *out = (size_t)size;
    return BANYAN_OK;
}

/* BANYAN_NOT_FOUND: a chunk is not there or has another size, since the blob was replaced meanwhile. */
static enum banyan_status blob_read_chunks(struct redis_queue *queue, const char *name, char *bytes,
                                           size_t length, struct banyan_error *err)
{
    char field[24];
    redisReply *reply;
    for (size_t at = 0; at < length; at += blob_chunk) {
        size_t size = length - at < blob_chunk ? length - at : blob_chunk;
        snprintf(field, sizeof field, "%zu", at / blob_chunk);
        enum banyan_status status = blob_field(queue, name, field, &reply, err);
        if (status != BANYAN_OK)
            return status;
        bool whole = reply && (size_t)reply->len == size;
        if (whole)
            memcpy(bytes + at, reply->str, size);
        freeReplyObject(reply);
        if (!whole)
            return blob_absent(name, err);
    }
    return BANYAN_OK;
}

enum banyan_status redis_get(struct queue *base, const char *name, void **bytes, size_t *length,
                             struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    size_t size = 0;
    enum banyan_status status = blob_size(queue, name, &size, err);
    char *found = status == BANYAN_OK ? malloc(size + 1) : NULL;
    if (status == BANYAN_OK)
        status = found ? blob_read_chunks(queue, name, found, size, err) : redis_no_memory(err);
    if (status != BANYAN_OK) {
        free(found);
        return status;
    }
    *bytes = found;
    *length = size;
    return BANYAN_OK;
}
