/* Joins the leaves of many threads into batches of one evaluator. */
#include "players/program/gather.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The leaves that one thread wants evaluated. */
struct gather_request {
    struct banyan_leaf *leaves; /* [n] borrowed */
    int n;
    struct banyan_error *err;
    enum banyan_status status;
    bool done;
    pthread_cond_t turn; /* signalled when it is done, or when a call is free for it */
    struct gather_request *next;
};

/* Memory for one call of the inner evaluator. */
struct gather_call {
    struct banyan_leaf *leaves; /* [room] */
    int room;
    bool is_busy;
};

struct gather {
    struct banyan_evaluator inner;
    int most;
    pthread_mutex_t lock;          /* guards the members below */
    struct gather_request *first;  /* waiting requests, the oldest first */
    struct gather_request **after; /* where the next request is linked */
    int call_count;
    struct gather_call calls[];
};

/* --- the queue --- */

static void gather_add(struct gather *gather, struct gather_request *request)
{
    *gather->after = request;
    gather->after = &request->next;
}

/* Takes the oldest requests of at most gather->most leaves together, but at least one request; *total: the number
 * of their leaves. */
static struct gather_request *gather_take(struct gather *gather, int *total)
{
    struct gather_request *first = gather->first, **end = &gather->first;
    *total = 0;
    do {
        *total += (*end)->n;
        end = &(*end)->next;
    } while (*end && *total + (*end)->n <= gather->most);
    gather->first = *end;
    *end = NULL;
    if (!gather->first)
        gather->after = &gather->first;
    return first;
}

static struct gather_call *gather_free_call(struct gather *gather)
{
    for (int i = 0; i < gather->call_count; ++i)
        if (!gather->calls[i].is_busy)
            return &gather->calls[i];
    return NULL;
}

/* Wakes the oldest waiting request if a call is free. */
static void gather_wake(struct gather *gather)
{
    if (gather->first && gather_free_call(gather))
        pthread_cond_signal(&gather->first->turn);
}

/* --- a call --- */

static bool call_reserve(struct gather_call *call, int total)
{
    if (total <= call->room)
        return true;
    struct banyan_leaf *leaves = realloc(call->leaves, (size_t)total * sizeof *leaves);
    if (!leaves)
        return false;
    call->leaves = leaves;
    call->room = total;
    return true;
}

/* Copies leaves from or to the requests.  Priors need no copy, because a leaf only points to them. */
static void call_copy(const struct gather_call *call, const struct gather_request *request,
                      bool back)
{
    struct banyan_leaf *at = call->leaves;
    for (; request; at += request->n, request = request->next) {
        size_t bytes = (size_t)request->n * sizeof *at;
        memcpy(back ? request->leaves : at, back ? at : request->leaves, bytes);
    }
}

static enum banyan_status call_evaluate(const struct gather *gather, struct gather_call *call,
                                        const struct gather_request *requests, int total,
                                        struct banyan_error *err)
{
    if (!call_reserve(call, total))
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a batch");
    call_copy(call, requests, false);
    enum banyan_status status = gather->inner.evaluate(gather->inner.ctx, call->leaves, total, err);
    if (status == BANYAN_OK)
        call_copy(call, requests, true);
    return status;
}

/* Gives the requests of a list the status of their call.  A request ends when its thread wakes, so none
 * is read after the lock is released. */
static void gather_finish(struct gather_request *requests, enum banyan_status status,
                          const struct banyan_error *err)
{
    for (struct gather_request *request = requests, *next; request; request = next) {
        next = request->next;
        request->status =
            status == BANYAN_OK ? status : banyan_fail(request->err, status, "%s", err->message);
        request->done = true;
        pthread_cond_signal(&request->turn);
    }
}

/* Evaluates waiting requests with a free call.  The caller holds the lock, which is released during
 * the evaluation. */
static void gather_run(struct gather *gather, struct gather_call *call)
{
    struct banyan_error err = {.message = ""};
    int total;
    struct gather_request *requests = gather_take(gather, &total);
    call->is_busy = true;
    gather_wake(gather);
    pthread_mutex_unlock(&gather->lock);
    enum banyan_status status = call_evaluate(gather, call, requests, total, &err);
    pthread_mutex_lock(&gather->lock);
    call->is_busy = false;
    gather_finish(requests, status, &err);
    gather_wake(gather);
}

/* --- the evaluator --- */

static enum banyan_status gather_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                          struct banyan_error *err)
{
    struct gather *gather = ctx;
    struct gather_request request = {.leaves = leaves, .n = n, .err = err};
    struct gather_call *call;
    pthread_cond_init(&request.turn, NULL);
    pthread_mutex_lock(&gather->lock);
    gather_add(gather, &request);
    while (!request.done) {
        if (gather->first && (call = gather_free_call(gather)))
            gather_run(gather, call);
        else
            pthread_cond_wait(&request.turn, &gather->lock);
    }
    pthread_mutex_unlock(&gather->lock);
    pthread_cond_destroy(&request.turn);
    return request.status;
}

static void gather_close(void *ctx)
{
    struct gather *gather = ctx;
    banyan_evaluator_close(&gather->inner);
    for (int i = 0; i < gather->call_count; ++i)
        free(gather->calls[i].leaves);
    pthread_mutex_destroy(&gather->lock);
    free(gather);
}

enum banyan_status gather_create(const struct banyan_evaluator *inner, int calls, int most,
                                 struct banyan_evaluator *out, struct banyan_error *err)
{
    struct gather *gather = calloc(1, sizeof *gather + (size_t)calls * sizeof gather->calls[0]);
    if (!gather)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an evaluator");
    gather->inner = *inner;
    gather->most = most;
    gather->call_count = calls;
    gather->after = &gather->first;
    pthread_mutex_init(&gather->lock, NULL);
    *out = *inner;
    out->ctx = gather;
    out->reentrant = true;
    out->evaluate = gather_evaluate;
    out->close = gather_close;
    return BANYAN_OK;
}
