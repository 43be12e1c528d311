/* Threads that wait for work and do equal parts of it.
 *
 *      pool_run(pool, run, ctx)   -->   run(ctx, 0) here, run(ctx, 1) ... run(ctx, parts - 1) beside it
 *
 * One pool_run at a time.  All parts see what was written before pool_run, and its caller sees what
 * they wrote.
 */
#ifndef ENV_POOL_H
#define ENV_POOL_H

struct pool;

/* Makes a pool that divides work into this many parts; the caller of pool_run does one of them.
 * NULL: no memory.  Where the system refuses threads there are fewer parts. */
struct pool *pool_create(int parts);
void pool_destroy(struct pool *pool);

int pool_parts(const struct pool *pool);
void pool_run(struct pool *pool, void (*run)(void *ctx, int part), void *ctx);

#endif
