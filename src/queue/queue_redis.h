/* The queue in a Redis server, for the files that implement it.
 *
 *      key (behind "banyan:{NAME}:")   type            holds
 *      run                             hash            protocol, mode, lease_ms, limit, owner;
 *                                                      look_ms, looked (see script_take)
 *      jobs, group w                   stream          n: number, b: bytes, d: deliveries before
 *      done, group t                   stream          n: number, w: worker, b: bytes, or g: given up
 *      bad                             stream          n, w, why; the last 1,000 or so
 *      blob:BLOB                       hash            size, and chunks 0, 1, ... of 1 MiB
 *      new:BLOB                        hash            the same, while it is written
 *      w:WORKER                        string, 30 s    what the worker reported
 *      owner                           string, 10 s    name of the owner
 *
 * The lists of pending entries are the leases, and XCLAIM renews one.  Entries are acknowledged and
 * deleted together, and jobs and done are never cut: what is in them is what is left to do.  A server
 * may lose everything at any time: the owner has copies of blobs and of jobs without a result, and
 * writes again what is missing.
 */
#ifndef QUEUE_QUEUE_REDIS_H
#define QUEUE_QUEUE_REDIS_H

#include "queue/redis_link.h"

#include <pthread.h>

enum {
    REDIS_PROTOCOL = 1, /* version of the keys and their contents */
    REDIS_ID = 48       /* bytes of an entry's id, with the 0 at its end */
};

/* A job that a worker has taken, or a result that the owner has fetched. */
struct redis_item {
    struct queue_item item; /* comes first: callers hold a pointer to it */
    struct redis_item *next;
    char id[REDIS_ID]; /* of its entry */
    int64_t taken;     /* how often the entry was delivered */
    char worker[QUEUE_NAME + 1];
    char bytes[]; /* [length] */
};

struct redis_owner;

struct redis_queue {
    struct queue queue; /* comes first: callers hold a pointer to it */
    struct redis_link *link;
    const char *prefix; /* all keys begin with it; belongs to the link */
    char name[QUEUE_NAME + 1];
    char kinds[QUEUE_KINDS]; /* kinds of jobs that this worker takes; "": any */
    double lease_ms;
    int64_t limit;
    pthread_mutex_t lock;      /* guards what follows */
    struct redis_item *taken;  /* jobs that callers hold: neither given nor released */
    unsigned losses;           /* redis_link_losses() when no job of this worker was missing */
    struct redis_owner *owner; /* NULL: this is a worker or a visitor */
};

enum redis_script { REDIS_TAKE, REDIS_KEEP, REDIS_OWN, REDIS_NUMBERS, REDIS_WITHDRAW };

/* A new item for the entry with this id; number and bytes may be NULL.  NULL: no memory. */
struct redis_item *redis_item_create(const char *id, const redisReply *number,
                                     const redisReply *bytes);

/* Takes the item out of the list, if it is there. */
void redis_item_unlink(struct redis_item **list, struct redis_item *item);
void redis_items_free(struct redis_item *list);

/* The value of a field of an entry; NULL: there is none. */
const redisReply *redis_field(const redisReply *fields, const char *name);

/* A whole number; 0 if the reply is none. */
int64_t redis_number(const redisReply *reply);

enum banyan_status redis_no_memory(struct banyan_error *err);

/* The mode of this name; QUEUE_OPEN if there is none. */
enum queue_mode redis_mode(const char *name);

/* Deletes all keys of the queue that start with `begin`, behind its prefix. */
enum banyan_status redis_delete(struct redis_queue *queue, const char *begin,
                                struct banyan_error *err);

/* --- queue_redis_owner.c --- */

enum banyan_status redis_owner_open(struct redis_queue *queue, struct banyan_error *err);
void redis_owner_close(struct redis_queue *queue);
enum banyan_status redis_offer(struct queue *queue, const struct queue_item *job,
                               struct banyan_error *err);
enum banyan_status redis_offer_later(struct queue *queue, const struct queue_item *job,
                                     struct banyan_error *err);
enum banyan_status redis_withdraw(struct queue *queue, uint64_t first, uint64_t count,
                                  struct banyan_error *err);
enum banyan_status redis_fetch(struct queue *queue, double wait_ms, struct queue_item **out,
                               struct banyan_error *err);
enum banyan_status redis_acknowledge(struct queue *queue, struct queue_item *result,
                                     const char *reason, struct banyan_error *err);
enum banyan_status redis_acknowledge_later(struct queue *queue, struct queue_item *result,
                                           struct banyan_error *err);
enum banyan_status redis_put(struct queue *queue, const char *name, const void *bytes,
                             size_t length, struct banyan_error *err);
enum banyan_status redis_drop(struct queue *queue, const char *name, struct banyan_error *err);

enum banyan_status redis_owner_set_mode(struct redis_queue *queue, enum queue_mode mode,
                                        struct banyan_error *err);

/* Forgets the copies of all jobs and blobs. */
void redis_owner_forget(struct redis_queue *queue);

/* --- queue_redis_worker.c --- */

enum banyan_status redis_take(struct queue *queue, double wait_ms, struct queue_item **out,
                              struct banyan_error *err);
enum banyan_status redis_renew(struct queue *queue, struct queue_item *job,
                               struct banyan_error *err);
enum banyan_status redis_renew_all(struct queue *queue, struct queue_item *const jobs[], int count,
                                   struct banyan_error *err);
enum banyan_status redis_release(struct queue *queue, struct queue_item *job,
                                 struct banyan_error *err);
enum banyan_status redis_give(struct queue *queue, struct queue_item *job,
                              const struct queue_item *result, struct banyan_error *err);

/* --- queue_redis_inspect.c --- */

enum banyan_status redis_inspect(struct queue *queue, struct queue_server *out, queue_bad_fn *each,
                                 void *ctx, struct banyan_error *err);

/* --- queue_redis_blobs.c --- */

enum banyan_status redis_blob_write(struct redis_queue *queue, const char *name, const void *bytes,
                                    size_t length, struct banyan_error *err);
enum banyan_status redis_blob_drop(struct redis_queue *queue, const char *name,
                                   struct banyan_error *err);

/* Whether the server has all chunks of a blob of this length. */
enum banyan_status redis_blob_is_whole(struct redis_queue *queue, const char *name, size_t length,
                                       bool *out, struct banyan_error *err);

enum banyan_status redis_get(struct queue *queue, const char *name, void **bytes, size_t *length,
                             struct banyan_error *err);

#endif
