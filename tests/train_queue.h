/* A run whose games are played by the workers of a queue in a Redis server, for tests that compare it with the same run
 * without a queue. */
#ifndef TESTS_TRAIN_QUEUE_H
#define TESTS_TRAIN_QUEUE_H

#include "train_lies.h"
#include "train_run.h"

#include "played.h"
#include "redis_raw.h"

static struct redis_server server;
static char embedded[80], folder[64]; /* of the run without a queue, and of the test's */
static char url[160];                 /* of the queue of this test */
static int tests_begun;               /* every test has a queue of its own */
static struct banyan_error err;
static struct played first, second; /* workers */

static int begin(void **state)
{
    (void)state;
    remove_folder(folder);
    snprintf(url, sizeof url, "%s?prefix=test%d", server.url, tests_begun++);
    return 0;
}

static inline void done(enum banyan_status status)
{
    if (status != BANYAN_OK)
        fail_msg("%s", err.message);
}

static inline int stop_server(void **state)
{
    (void)state;
    remove_folder(folder);
    remove_folder(embedded);
    redis_server_destroy(&server);
    return 0;
}

/* Starts the server; false: there is no redis-server, and a line says so.  name: of the folders. */
static inline bool start_server(const char *name)
{
    snprintf(folder, sizeof folder, "/tmp/banyan_test_%s_%ld", name, (long)getpid());
    snprintf(embedded, sizeof embedded, "%s_embedded", folder);
    return redis_server_begin(&server);
}

#endif
