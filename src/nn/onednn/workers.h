/* A group of worker threads that compute parts of the same work. */
#ifndef NN_ONEDNN_WORKERS_H
#define NN_ONEDNN_WORKERS_H

#include <banyan/status.h>

struct workers;

/* threads >= 1; the caller counts as one of them. */
enum banyan_status workers_create(struct workers **out, int threads, struct banyan_error *err);
void workers_destroy(struct workers *workers);
int workers_size(const struct workers *workers);

/* Calls work(ctx, i) in each thread i; returns when all are done. */
void workers_run(struct workers *workers, void (*work)(void *ctx, int i), void *ctx);

/* To be called inside work: waits until all threads have called it. */
void workers_wait(struct workers *workers);

#endif
