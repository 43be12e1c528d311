/* The queue in this process, for the files that implement it. */
#ifndef QUEUE_QUEUE_MEMORY_H
#define QUEUE_QUEUE_MEMORY_H

#include "queue/queue.h"

#include <pthread.h>

/* A job or a result.  When the lease of a job ends while a worker holds it, a copy of the job waits
 * for another worker, and the first worker's item is marked as lost. */
struct memory_item {
    struct queue_item item; /* comes first: callers hold a pointer to it */
    struct memory_item *next;
    double deadline_ms; /* end of the lease */
    bool lost;          /* the lease was over, or the job was withdrawn */
};

/* A list from its first to its last item. */
struct memory_list {
    struct memory_item *first, *last;
};

/* Bytes under a name. */
struct memory_blob {
    struct memory_blob *next;
    size_t length;
    char name[QUEUE_NAME + 1];
    char bytes[]; /* [length] */
};

struct memory {
    struct queue queue; /* comes first: callers hold a pointer to it */
    double lease_ms;
    int64_t limit;
    char kinds[QUEUE_KINDS];      /* kinds of jobs that all workers take; "": any */
    char name[QUEUE_NAME + 1];    /* one name for all workers */
    pthread_mutex_t lock;         /* guards everything below */
    pthread_cond_t jobs, results; /* somebody may be waiting for one */
    struct memory_list waiting, leased, given, held;
    struct memory_blob *blobs;
    enum queue_mode mode;
    int64_t given_count, bad_count;
    char report[256];
};

enum banyan_status memory_full(struct banyan_error *err);

/* --- queue_memory_jobs.c --- */

/* Frees the items of the list. */
void memory_clear(struct memory_list *list);

/* When the first lease ends, or `otherwise` if that is earlier. The lock is held. */
double memory_next_deadline(const struct memory *memory, double otherwise);

enum banyan_status memory_offer(struct queue *queue, const struct queue_item *job,
                                struct banyan_error *err);
enum banyan_status memory_withdraw(struct queue *queue, uint64_t first, uint64_t count,
                                   struct banyan_error *err);
enum banyan_status memory_take(struct queue *queue, double wait_ms, struct queue_item **out,
                               struct banyan_error *err);
enum banyan_status memory_renew_all(struct queue *queue, struct queue_item *const jobs[], int count,
                                    struct banyan_error *err);
enum banyan_status memory_renew(struct queue *queue, struct queue_item *job,
                                struct banyan_error *err);
enum banyan_status memory_release(struct queue *queue, struct queue_item *job,
                                  struct banyan_error *err);
enum banyan_status memory_give(struct queue *queue, struct queue_item *job,
                               const struct queue_item *result, struct banyan_error *err);
enum banyan_status memory_fetch(struct queue *queue, double wait_ms, struct queue_item **out,
                                struct banyan_error *err);
enum banyan_status memory_acknowledge(struct queue *queue, struct queue_item *result,
                                      const char *reason, struct banyan_error *err);
enum banyan_status memory_acknowledge_later(struct queue *queue, struct queue_item *result,
                                            struct banyan_error *err);
enum banyan_status memory_set_mode(struct queue *queue, enum queue_mode mode,
                                   struct banyan_error *err);

#endif
