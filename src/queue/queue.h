/* A queue of work between one owner, who wants jobs done, and any number of workers.
 *
 *      owner    offer --> waiting --take--> leased --give--> given --fetch--> held --acknowledge--> gone
 *                            ^                 |                                \--refuse--> bad
 *      worker                +---- release ----+     also when a lease is over, which `renew` prevents
 *
 * A job is bytes with a number, and so is its result; the owner chooses the number, and the queue
 * knows nothing else.  A worker has a job for a certain time, its lease.  A job is done at least
 * once: after the lease is over another worker may do it again, and both results arrive.  The owner
 * takes the first result for each number and drops the others; they are equal where a result depends
 * on nothing but the job.  So a queue may lose or repeat jobs and results: only what the owner has
 * stored counts.  A job whose lease was over QUEUE_DELIVERIES times comes back to the owner as given
 * up.
 *
 * A blob is bytes that the owner puts beside the jobs under a name, and that workers get by this
 * name: networks, under the hash of their bytes, and the settings of a run.
 *
 * Threads: any thread, also several at a time.
 */
#ifndef QUEUE_QUEUE_H
#define QUEUE_QUEUE_H

#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    QUEUE_DELIVERIES = 5, /* a job is given up when so many of its leases have ended */
    QUEUE_KINDS = 64,     /* bytes of a list of kinds, with the 0 at its end */
    QUEUE_NAME = 64,      /* most characters of a blob's or worker's name: letters, digits, "-._" */
    QUEUE_HASH = 64       /* characters of the name that is a hash */
};

/* A job that somebody has taken, or a result that the owner holds.  It belongs to the queue, and is
 * valid until it is given, released, acknowledged or refused. */
struct queue_item {
    uint64_t number;
    const void *bytes; /* [length]; may be NULL if length is 0 */
    size_t length;
    int deliveries;     /* of a job: how often it was taken and not released, this time included */
    bool given_up;      /* of a result: the job was given up, so there is no result and no bytes */
    const char *worker; /* of a result: the name of the worker who gave it */
};

enum queue_role {
    QUEUE_OWNER,
    QUEUE_WORKER,
    QUEUE_VISITOR /* looks, and sets the mode */
};

/* What a worker does when it wants a job. */
enum queue_mode {
    QUEUE_OPEN,    /* take one */
    QUEUE_PAUSED,  /* wait */
    QUEUE_DRAINED, /* stop; the jobs stay */
    QUEUE_OVER     /* stop: there are no more jobs */
};

struct queue_settings {
    enum queue_role role;
    const char *name; /* of this worker or owner; NULL: made of host, process and a random number */
    double lease_ms;  /* how long a job may be held without being renewed; set by the owner */
    int64_t limit;    /* workers wait while so many results wait for the owner; set by the owner */
    const char *kinds; /* a worker takes only jobs whose first word is among these, "play,match";
                          NULL: any job */
    const char
        *cache; /* folder of this machine that keeps blobs whose name is a hash; NULL: none */
    double patience_ms; /* how long an operation tries to reach a server that was there before */
    const banyan_flag
        *stop; /* when set, waiting for a server ends: BANYAN_INTERRUPTED; may be NULL */
    /* Called by any thread when a server that was there does not answer (why), and when it does again
     * (NULL); may be NULL */
    void (*lost)(void *ctx, const char *why);
    void *lost_ctx;
};

/* Sets the defaults: a worker, a lease of 30 s, a limit of 10,000 results, no cache, patience without
 * end. */
void queue_settings_default(struct queue_settings *settings);

struct queue_counts {
    enum queue_mode mode;
    int64_t waiting, leased, given, bad, workers;
    double oldest_lease_ms; /* time since the lease that ends first began or was renewed; 0: none */
};

/* Gets every worker's name and what it reported last. */
typedef void queue_worker_fn(void *ctx, const char *name, const char *report);

enum { QUEUE_PLACE = 300, QUEUE_BAD_SHOWN = 10 };

/* The server that keeps a queue, for whoever administers it. */
struct queue_server {
    char name[QUEUE_NAME + 1];    /* of the queue in it */
    char place[QUEUE_PLACE];      /* "HOST:PORT", or the path of its socket */
    bool present;                 /* the queue is there */
    char owner[QUEUE_NAME + 1];   /* who owns it now; "": nobody */
    char version[32];             /* of the server */
    double round_trip_ms;         /* round trip of the fastest of a few commands */
    int64_t memory, memory_limit; /* bytes; limit 0: none */
    int64_t clients, clients_limit;
    bool on_disk;        /* it writes its contents to its disk */
    char sync[16];       /* how often it waits for its disk: always, everysec, no; "": unknown */
    bool disk_failed;    /* the last write failed */
    int64_t sync_delays; /* number of answers that were late because of its disk */
};

/* Gets a result that was refused, or a job that was given up. */
typedef void queue_bad_fn(void *ctx, uint64_t number, const char *worker, const char *reason);

struct queue;

/* What a kind of queue can do; one table for each kind. */
struct queue_functions {
    enum banyan_status (*offer)(struct queue *queue, const struct queue_item *job,
                                struct banyan_error *err);
    enum banyan_status (*take)(struct queue *queue, double wait_ms, struct queue_item **out,
                               struct banyan_error *err);
    enum banyan_status (*renew)(struct queue *queue, struct queue_item *job,
                                struct banyan_error *err);
    enum banyan_status (*renew_all)(struct queue *queue, struct queue_item *const jobs[], int count,
                                    struct banyan_error *err);
    enum banyan_status (*release)(struct queue *queue, struct queue_item *job,
                                  struct banyan_error *err);
    enum banyan_status (*give)(struct queue *queue, struct queue_item *job,
                               const struct queue_item *result, struct banyan_error *err);
    enum banyan_status (*offer_later)(struct queue *queue, const struct queue_item *job,
                                      struct banyan_error *err);
    enum banyan_status (*withdraw)(struct queue *queue, uint64_t first, uint64_t count,
                                   struct banyan_error *err);
    enum banyan_status (*fetch)(struct queue *queue, double wait_ms, struct queue_item **out,
                                struct banyan_error *err);
    enum banyan_status (*acknowledge)(struct queue *queue, struct queue_item *result,
                                      const char *reason, struct banyan_error *err);
    enum banyan_status (*acknowledge_later)(struct queue *queue, struct queue_item *result,
                                            struct banyan_error *err);
    enum banyan_status (*put)(struct queue *queue, const char *name, const void *bytes,
                              size_t length, struct banyan_error *err);
    enum banyan_status (*get)(struct queue *queue, const char *name, void **bytes, size_t *length,
                              struct banyan_error *err);
    enum banyan_status (*drop)(struct queue *queue, const char *name, struct banyan_error *err);
    enum banyan_status (*report)(struct queue *queue, const char *text, struct banyan_error *err);
    enum banyan_status (*set_mode)(struct queue *queue, enum queue_mode mode,
                                   struct banyan_error *err);
    enum banyan_status (*count)(struct queue *queue, struct queue_counts *out,
                                queue_worker_fn *each, void *ctx, struct banyan_error *err);
    enum banyan_status (*inspect)(struct queue *queue, struct queue_server *out, queue_bad_fn *each,
                                  void *ctx, struct banyan_error *err); /* NULL: no server */
    enum banyan_status (*clear)(struct queue *queue, struct banyan_error *err);
    void (*close)(struct queue *queue);
};

struct queue {
    const struct queue_functions *can;
    char *cache; /* folder; NULL: none */
    const banyan_flag *stop;
};

/* Opens the queue at url:
 *
 *     memory:                                              in this process; its workers are threads
 *     redis://[[USER:]PASSWORD@]HOST[:PORT][/DB][?prefix=NAME]     in a Redis server
 *     redis+unix://PATH[?prefix=NAME]
 *
 * Does not wait for a server that is not there. */
enum banyan_status queue_open(struct queue **out, const char *url,
                              const struct queue_settings *settings, struct banyan_error *err);

/* Closes the queue, which no thread may be using.  A queue in a server keeps its contents there. */
void queue_close(struct queue *queue);

/* --- the owner --- */

/* Adds a job, which is copied. */
static inline enum banyan_status queue_offer(struct queue *queue, const struct queue_item *job,
                                             struct banyan_error *err)
{
    return queue->can->offer(queue, job, err);
}

/* As queue_offer, for an owner who fetches soon: the job may go out only with the next queue_fetch. */
static inline enum banyan_status
queue_offer_later(struct queue *queue, const struct queue_item *job, struct banyan_error *err)
{
    return queue->can->offer_later(queue, job, err);
}

/* The jobs first .. first + count - 1 are no longer wanted: nobody will take them.  A worker who has taken one
 * already may still give its result. */
static inline enum banyan_status queue_withdraw(struct queue *queue, uint64_t first, uint64_t count,
                                                struct banyan_error *err)
{
    return queue->can->withdraw(queue, first, count, err);
}

/* Waits for a result, at most wait_ms.  *out is NULL if none came.  Results that an earlier owner did
 * not acknowledge come too. */
static inline enum banyan_status queue_fetch(struct queue *queue, double wait_ms,
                                             struct queue_item **out, struct banyan_error *err)
{
    return queue->can->fetch(queue, wait_ms, out, err);
}

/* The owner has stored the result: the queue may forget it. */
static inline enum banyan_status queue_acknowledge(struct queue *queue, struct queue_item *result,
                                                   struct banyan_error *err)
{
    return queue->can->acknowledge(queue, result, NULL, err);
}

/* As queue_acknowledge, for an owner who fetches soon: the server may get the acknowledgement only
 * with the next queue_fetch. */
static inline enum banyan_status
queue_acknowledge_later(struct queue *queue, struct queue_item *result, struct banyan_error *err)
{
    return queue->can->acknowledge_later(queue, result, err);
}

/* As queue_acknowledge, for a result that is wrong: it is kept with the reason among the bad ones. */
static inline enum banyan_status queue_refuse(struct queue *queue, struct queue_item *result,
                                              const char *reason, struct banyan_error *err)
{
    return queue->can->acknowledge(queue, result, reason, err);
}

/* Keeps bytes (copied) under a name; another value replaces the earlier one. */
enum banyan_status queue_put(struct queue *queue, const char *name, const void *bytes,
                             size_t length, struct banyan_error *err);

/* Deletes a blob. */
static inline enum banyan_status queue_drop(struct queue *queue, const char *name,
                                            struct banyan_error *err)
{
    return queue->can->drop(queue, name, err);
}

/* There will be no more jobs: waiting ones are dropped, and workers stop waiting for one. */
static inline enum banyan_status queue_end(struct queue *queue, struct banyan_error *err)
{
    return queue->can->set_mode(queue, QUEUE_OVER, err);
}

/* --- a worker --- */

/* Takes a job of this worker's kinds: one whose lease is over, or the first of those that wait.  Waits for one
 * at most wait_ms; *out is NULL if none came.  BANYAN_NOT_FOUND: the queue is over or drained. */
static inline enum banyan_status queue_take(struct queue *queue, double wait_ms,
                                            struct queue_item **out, struct banyan_error *err)
{
    return queue->can->take(queue, wait_ms, out, err);
}

/* Begins the lease anew.  BANYAN_NOT_FOUND: it was over, and another worker may have the job, or the job was
 * withdrawn; the result may still be given. */
static inline enum banyan_status queue_renew(struct queue *queue, struct queue_item *job,
                                             struct banyan_error *err)
{
    return queue->can->renew(queue, job, err);
}

/* As queue_renew for jobs[count] together; that a lease was over is no failure here. */
static inline enum banyan_status queue_renew_all(struct queue *queue,
                                                 struct queue_item *const jobs[], int count,
                                                 struct banyan_error *err)
{
    return queue->can->renew_all(queue, jobs, count, err);
}

/* Returns the job undone: the next worker may take it at once. */
static inline enum banyan_status queue_release(struct queue *queue, struct queue_item *job,
                                               struct banyan_error *err)
{
    return queue->can->release(queue, job, err);
}

/* Delivers the result of the job (copied; its number is the job's), also after the lease. */
static inline enum banyan_status queue_give(struct queue *queue, struct queue_item *job,
                                            const struct queue_item *result,
                                            struct banyan_error *err)
{
    return queue->can->give(queue, job, result, err);
}

/* The bytes under this name; the caller frees *bytes.  BANYAN_NOT_FOUND: there are none (yet).
 * BANYAN_CORRUPT: the name is a hash, and three times the server sent bytes with another hash. */
enum banyan_status queue_get(struct queue *queue, const char *name, void **bytes, size_t *length,
                             struct banyan_error *err);

/* One line that a worker says about itself, for queue_count; a server forgets it after 30 s. */
static inline enum banyan_status queue_report(struct queue *queue, const char *text,
                                              struct banyan_error *err)
{
    return queue->can->report(queue, text, err);
}

/* --- anybody --- */

static inline enum banyan_status queue_set_mode(struct queue *queue, enum queue_mode mode,
                                                struct banyan_error *err)
{
    return queue->can->set_mode(queue, mode, err);
}

/* each: called for every worker that reported lately; may be NULL. */
static inline enum banyan_status queue_count(struct queue *queue, struct queue_counts *out,
                                             queue_worker_fn *each, void *ctx,
                                             struct banyan_error *err)
{
    return queue->can->count(queue, out, each, ctx, err);
}

/* Describes the queue's server.  each: called for the last QUEUE_BAD_SHOWN bad results, the latest
 * first; may be NULL.
 * BANYAN_UNSUPPORTED: the queue is in this process, and has no server. */
enum banyan_status queue_inspect(struct queue *queue, struct queue_server *out, queue_bad_fn *each,
                                 void *ctx, struct banyan_error *err);

/* Deletes everything in the queue, blobs too. */
static inline enum banyan_status queue_clear(struct queue *queue, struct banyan_error *err)
{
    return queue->can->clear(queue, err);
}

/* The name for these bytes: their SHA-256 in hexadecimal digits. */
void queue_hash(const void *bytes, size_t length, char out[QUEUE_HASH + 1]);

/* Whether the first word of a job is among the kinds, a list as in struct queue_settings; "": any word is. */
bool queue_is_of_kind(const char *kinds, const void *bytes, size_t length);

/* The name of a mode: "open", "paused", ... */
const char *queue_mode_name(enum queue_mode mode);

#endif
