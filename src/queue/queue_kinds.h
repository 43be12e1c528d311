/* The kinds of queues, for queue.c. */
#ifndef QUEUE_QUEUE_KINDS_H
#define QUEUE_QUEUE_KINDS_H

#include "queue/queue.h"

/* The queue whose owner and workers are threads of one process. */
enum banyan_status queue_memory_open(struct queue **out, const struct queue_settings *settings,
                                     struct banyan_error *err);

/* The queue in a Redis server; only where BANYAN_HIREDIS is defined. */
enum banyan_status queue_redis_open(struct queue **out, const char *url,
                                    const struct queue_settings *settings,
                                    struct banyan_error *err);

/* Whether a blob or a worker may have this name. */
bool queue_name_valid(const char *name);

/* Whether name has the form of a hash. */
bool queue_name_is_hash(const char *name);

/* As queue_get, through the folder queue->cache.  Processes of this machine that want the same blob
 * wait for the one that gets it. */
enum banyan_status queue_cache_get(struct queue *queue, const char *name, void **bytes,
                                   size_t *length, struct banyan_error *err);

#endif
