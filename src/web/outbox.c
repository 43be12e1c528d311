/* Keeps what waits to be sent to one page: answers in order, and the latest state of each topic. */
#include "web/outbox.h"

#include <stdlib.h>
#include <string.h>

void outbox_init(struct outbox *outbox, void (*wake)(void *ctx), void *ctx)
{
    memset(outbox, 0, sizeof *outbox);
    pthread_mutex_init(&outbox->lock, NULL);
    outbox->wake = wake;
    outbox->ctx = ctx;
}

void outbox_free(struct outbox *outbox)
{
    struct outbox_text *text;
    while ((text = outbox_take(outbox)))
        free(text);
    pthread_mutex_destroy(&outbox->lock);
}

/* The text of value, which it frees; NULL: no memory. */
static struct outbox_text *outbox_write(json_t *value)
{
    char *json = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(value);
    size_t length = json ? strlen(json) : 0;
    struct outbox_text *text = json ? malloc(sizeof *text + OUTBOX_ROOM + length + 1) : NULL;
    if (text) {
        text->length = length;
        memcpy(text->bytes + OUTBOX_ROOM, json, length + 1);
    }
    free(json);
    return text;
}

static void outbox_wake(const struct outbox *outbox)
{
    if (outbox->wake)
        outbox->wake(outbox->ctx);
}

void outbox_answer(struct outbox *outbox, json_t *value)
{
    struct outbox_text *text = outbox_write(value);
    pthread_mutex_lock(&outbox->lock);
    if (text && outbox->count < OUTBOX_ANSWERS) {
        outbox->answers[(outbox->first + outbox->count++) % OUTBOX_ANSWERS] = text;
        text = NULL;
    } else {
        outbox->overrun = true;
    }
    pthread_mutex_unlock(&outbox->lock);
    free(text);
    outbox_wake(outbox);
}

void outbox_publish(struct outbox *outbox, enum outbox_topic topic, json_t *value)
{
    pthread_mutex_lock(&outbox->lock);
    uint64_t version = ++outbox->version;
    pthread_mutex_unlock(&outbox->lock);
    json_object_set_new(value, "version", json_integer((json_int_t)version));
    struct outbox_text *text = outbox_write(value);
    if (!text)
        return; /* no memory: the page gets the next state instead */
    pthread_mutex_lock(&outbox->lock);
    struct outbox_text *old = outbox->latest[topic];
    outbox->latest[topic] = text;
    pthread_mutex_unlock(&outbox->lock);
    free(old);
    outbox_wake(outbox);
}

void outbox_clear(struct outbox *outbox)
{
    pthread_mutex_lock(&outbox->lock);
    for (int i = 0; i < OUTBOX_TOPICS; ++i) {
        free(outbox->latest[i]);
        outbox->latest[i] = NULL;
    }
    pthread_mutex_unlock(&outbox->lock);
}

static struct outbox_text *outbox_take_answer(struct outbox *outbox)
{
    struct outbox_text *text = outbox->answers[outbox->first];
    outbox->first = (outbox->first + 1) % OUTBOX_ANSWERS;
    --outbox->count;
    return text;
}

/* The topics take turns, so that a busy one does not keep the others waiting. */
static struct outbox_text *outbox_take_latest(struct outbox *outbox)
{
    for (int i = 0; i < OUTBOX_TOPICS; ++i) {
        int topic = (outbox->turn + i) % OUTBOX_TOPICS;
        struct outbox_text *text = outbox->latest[topic];
        if (!text)
            continue;
        outbox->latest[topic] = NULL;
        outbox->turn = (topic + 1) % OUTBOX_TOPICS;
        return text;
    }
    return NULL;
}

struct outbox_text *outbox_take(struct outbox *outbox)
{
    pthread_mutex_lock(&outbox->lock);
    struct outbox_text *text =
        outbox->count ? outbox_take_answer(outbox) : outbox_take_latest(outbox);
    pthread_mutex_unlock(&outbox->lock);
    return text;
}

bool outbox_is_empty(struct outbox *outbox)
{
    pthread_mutex_lock(&outbox->lock);
    bool empty = outbox->count == 0;
    for (int i = 0; i < OUTBOX_TOPICS; ++i)
        empty = empty && !outbox->latest[i];
    pthread_mutex_unlock(&outbox->lock);
    return empty;
}

bool outbox_has_overrun(struct outbox *outbox)
{
    pthread_mutex_lock(&outbox->lock);
    bool overrun = outbox->overrun;
    pthread_mutex_unlock(&outbox->lock);
    return overrun;
}
