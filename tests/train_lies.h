/* Workers that give wrong results: what they take, and how they spoil games. */
#ifndef TESTS_TRAIN_LIES_H
#define TESTS_TRAIN_LIES_H

#include "nn/safetensors.h"
#include "queue/queue.h"
#include "train/job.h"
#include "train/job_settings.h"

#include <stdlib.h>
#include <string.h>

static inline struct queue *liar_open(const char *url, enum queue_role role)
{
    struct queue *queue;
    struct queue_settings settings;
    queue_settings_default(&settings);
    settings.role = role;
    if (queue_open(&queue, url, &settings, NULL) != BANYAN_OK)
        abort();
    return queue;
}

/* The next job; NULL: there are no more. */
static inline struct queue_item *liar_take(struct queue *queue)
{
    struct queue_item *item = NULL;
    while (!item)
        if (queue_take(queue, 1000, &item, NULL) != BANYAN_OK)
            return NULL;
    return item;
}

/* What is wrong with a result. */
enum wrong {
    WRONG_ACTION,
    WRONG_RETURNS,
    WRONG_LENGTH,
    WRONG_START,
    WRONG_NUMBER,
    WRONG_GENERATION,
    WRONG_TWICE,
    WRONG_BYTE,
    WRONG_END,
    WRONG_MORE,
    WRONG_KINDS,
    WRONG_NOTHING = WRONG_KINDS
};

/* The result of a job, as a dishonest worker makes it. */
struct lie {
    enum wrong wrong;
    int laziness; /* the number of simulations is divided by this */
    int64_t next, end;
    size_t length;
    char bytes[1 << 16];
};

static inline int64_t lie_next(void *ctx, bool idle)
{
    struct lie *lie = ctx;
    (void)idle;
    return lie->next < lie->end ? lie->next++ : -1;
}

static inline void lie_add(struct lie *lie, const void *bytes, size_t length)
{
    if (lie->length + length > sizeof lie->bytes)
        abort();
    memcpy(lie->bytes + lie->length, bytes, length);
    lie->length += length;
}

/* Spoils a game. */
static inline void lie_record(const struct lie *lie, struct record *record)
{
    switch (lie->wrong) {
    case WRONG_ACTION:
        record->choices[1].action = record->choices[0].action;
        break;
    case WRONG_RETURNS:
        record->returns[0] += 1;
        break;
    case WRONG_LENGTH:
        --record->choice_count;
        break;
    case WRONG_START:
        record->start[0] = '?';
        break;
    case WRONG_NUMBER:
        ++record->number;
        break;
    case WRONG_GENERATION:
        ++record->generation;
        break;
    default:
        break;
    }
}

/* Spoils the bytes of the game, which begin here. */
static inline void lie_bytes(struct lie *lie, size_t begin)
{
    char *bytes = lie->bytes + begin;
    size_t length = lie->length - begin;
    if (lie->wrong == WRONG_TWICE)
        lie_add(lie, bytes, length);
    else if (lie->wrong == WRONG_BYTE)
        bytes[length / 2] = (char)~bytes[length / 2];
    else if (lie->wrong == WRONG_END)
        --lie->length;
    else if (lie->wrong == WRONG_MORE)
        lie_add(lie, "", 1);
}

static inline enum banyan_status lie_deliver(void *ctx, struct record *record,
                                             struct banyan_error *why)
{
    struct lie *lie = ctx;
    unsigned char *frame;
    size_t length, begin = lie->length;
    lie_record(lie, record);
    enum banyan_status status = record_frame(record, &frame, &length, why);
    if (status != BANYAN_OK)
        abort();
    lie_add(lie, frame, length);
    free(frame);
    lie_bytes(lie, begin);
    return status;
}

/* Plays the games of a job. */
static inline void lie_play(struct queue *queue, const struct job_play *asked, struct lie *lie)
{
    const struct banyan_game *game;
    struct loop_settings lazy;
    struct safetensors *file;
    struct nn_net *net;
    struct play_totals totals;
    void *bytes, *network;
    size_t length, size;
    if (queue_get(queue, asked->settings, &bytes, &length, NULL) != BANYAN_OK ||
        job_settings_read(bytes, length, &game, &lazy, NULL) != BANYAN_OK ||
        queue_get(queue, asked->network, &network, &size, NULL) != BANYAN_OK ||
        safetensors_parse(&file, network, size, "network", NULL) != BANYAN_OK ||
        nn_net_parse(&net, file, "network", NULL, NULL) != BANYAN_OK)
        abort();
    lazy.play.simulations /= lie->laziness;
    lazy.play.threads = lazy.play.at_once = 1; /* the games come in the order of their numbers */
    struct play_job job = job_settings_play(game, &lazy, net, asked->generation);
    job.next = lie_next;
    job.deliver = lie_deliver;
    job.ctx = lie;
    if (play_run(&job, &totals, NULL) != BANYAN_OK)
        abort();
    safetensors_free(file);
    nn_net_free(net);
    free(bytes);
    free(network);
}

/* Gives a wrong result for a job. */
static inline void lie_tell(struct queue *queue, struct queue_item *item, enum wrong wrong,
                            int laziness)
{
    static struct lie lie;
    struct job_play asked;
    if (job_play_read(&asked, item->bytes, item->length, NULL, NULL) != BANYAN_OK)
        abort();
    lie.wrong = wrong;
    lie.laziness = laziness;
    lie.next = asked.first;
    lie.end = asked.first + asked.count;
    lie.length = (size_t)job_play_write(&asked, lie.bytes);
    lie.bytes[lie.length++] = '\n';
    lie_play(queue, &asked, &lie);
    const struct queue_item result = {.bytes = lie.bytes, .length = lie.length};
    if (queue_give(queue, item, &result, NULL) != BANYAN_OK)
        abort();
}

#endif
