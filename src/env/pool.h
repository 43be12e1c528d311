/* Threads that wait for work and do equal parts of it.
 *
 *      pool_run(pool, run, ctx)   -->   run(ctx, 0) here, run(ctx, 1) ... run(ctx, parts - 1) beside it
 *
 * One pool_run at a time.  What was written before it is seen by all parts, and what they wrote is seen
 * after it.
 */
#ifndef ENV_POOL_H
#define ENV_POOL_H

struct pool;

/* Makes a pool that works in so many parts: this thread does one of them.  NULL: no memory.  Where the
 * system refuses threads there are fewer parts. */
struct pool *pool_create(int parts);
void pool_destroy(struct pool *pool);

int pool_parts(const struct pool *pool);
void pool_run(struct pool *pool, void (*run)(void *ctx, int part), void *ctx);

#endif
