/* A few threads that work on one thing together, each on its part of it. */
#ifndef NN_ONEDNN_CREW_H
#define NN_ONEDNN_CREW_H

#include <banyan/status.h>

struct crew;

/* threads >= 1; one of them is the caller's. */
enum banyan_status crew_create(struct crew **out, int threads, struct banyan_error *err);
void crew_destroy(struct crew *crew);
int crew_size(const struct crew *crew);

/* work(ctx, i) by thread i of all; returns when all are done. */
void crew_run(struct crew *crew, void (*work)(void *ctx, int i), void *ctx);

/* Inside work: waits for all the others. */
void crew_wait(struct crew *crew);

#endif
