/* Leaves of several threads in common batches of one evaluator: run under ThreadSanitizer too. */
#include "players/program/gather.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 100, CALLS = 2, MOST = 5 };

/* An evaluator whose values are those of the states, which are numbers. */
struct inner {
    atomic_int asking;  /* threads that ask or are about to */
    atomic_int running; /* threads that may still ask */
    atomic_int inside, most_inside, largest;
    atomic_bool closed, fails;
};

static void raise_to(atomic_int *most, int value)
{
    for (int old = atomic_load(most);
         old < value && !atomic_compare_exchange_weak(most, &old, value);)
        ;
}

static enum banyan_status inner_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                         struct banyan_error *err)
{
    struct inner *inner = ctx;
    raise_to(&inner->most_inside, atomic_fetch_add(&inner->inside, 1) + 1);
    raise_to(&inner->largest, n);
    while (atomic_load(&inner->asking) < atomic_load(&inner->running))
        sched_yield(); /* so that the others have asked when this call ends */
    for (int i = 0; i < n; ++i) {
        leaves[i].values[0] = (float)*(const int *)leaves[i].state;
        leaves[i].priors[0][0] = -leaves[i].values[0];
        leaves[i].exact = leaves[i].values[0] > 0;
    }
    atomic_fetch_sub(&inner->inside, 1);
    return atomic_load(&inner->fails) ? banyan_fail(err, BANYAN_IO, "the wire is cut") : BANYAN_OK;
}

static void inner_close(void *ctx)
{
    atomic_store(&((struct inner *)ctx)->closed, true);
}

struct thread {
    pthread_t id;
    struct inner *inner;
    struct banyan_evaluator *evaluator;
    int number, wrong;
};

/* Asks for 1 to 3 leaves; whether each got its own numbers. */
static bool ask(struct thread *thread, int round)
{
    struct banyan_leaf leaves[3];
    int states[3], n = 1 + (thread->number + round) % 3;
    float priors[3];
    struct banyan_error err = {.message = ""};
    memset(leaves, 0, sizeof leaves);
    for (int i = 0; i < n; ++i) {
        states[i] = 1000 * thread->number + 3 * round + i;
        leaves[i].state = &states[i];
        leaves[i].priors[0] = &priors[i];
    }
    atomic_fetch_add(&thread->inner->asking, 1);
    enum banyan_status status =
        thread->evaluator->evaluate(thread->evaluator->ctx, leaves, n, &err);
    atomic_fetch_sub(&thread->inner->asking, 1);
    if (atomic_load(&thread->inner->fails))
        return status == BANYAN_IO && strcmp(err.message, "the wire is cut") == 0;
    for (int i = 0; i < n; ++i)
        if (status != BANYAN_OK || leaves[i].values[0] != (float)states[i] ||
            priors[i] != (float)-states[i] || leaves[i].exact != (states[i] > 0))
            return false;
    return true;
}

static void *ask_often(void *at)
{
    struct thread *thread = at;
    for (int round = 0; round < ROUNDS; ++round)
        thread->wrong += !ask(thread, round);
    atomic_fetch_sub(&thread->inner->running, 1);
    return NULL;
}

/* Lets all threads ask; returns how many answers were wrong. */
static int ask_all(struct inner *inner, int most)
{
    struct thread threads[THREADS];
    struct banyan_evaluator gathered;
    const struct banyan_evaluator plain = {.struct_size = sizeof plain,
                                           .name = "inner",
                                           .wants_actions = true,
                                           .reentrant = true,
                                           .ctx = inner,
                                           .evaluate = inner_evaluate,
                                           .close = inner_close};
    int wrong = 0;
    assert_int_equal(gather_create(&plain, CALLS, most, &gathered, NULL), BANYAN_OK);
    assert_true(gathered.wants_actions && gathered.reentrant);
    atomic_store(&inner->running, THREADS);
    for (int i = 0; i < THREADS; ++i) {
        threads[i] = (struct thread){.inner = inner, .evaluator = &gathered, .number = i};
        assert_int_equal(pthread_create(&threads[i].id, NULL, ask_often, &threads[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i].id, NULL);
        wrong += threads[i].wrong;
    }
    assert_false(atomic_load(&inner->closed));
    banyan_evaluator_close(&gathered);
    assert_true(atomic_load(&inner->closed));
    return wrong;
}

static void everybody_gets_their_own_values(void **unused)
{
    (void)unused;
    struct inner inner = {.asking = 0};
    assert_int_equal(ask_all(&inner, MOST), 0);
    assert_in_range(atomic_load(&inner.largest), 4, MOST); /* more than one thread asks for */
    assert_in_range(atomic_load(&inner.most_inside), 1, CALLS);
}

/* Also where a single thread asks for more than a batch has. */
static void no_batch_is_too_small(void **unused)
{
    (void)unused;
    struct inner inner = {.asking = 0};
    assert_int_equal(ask_all(&inner, 1), 0);
    assert_int_equal(atomic_load(&inner.largest), 3);
}

static void everybody_hears_of_a_failure(void **unused)
{
    (void)unused;
    struct inner inner = {.asking = 0};
    atomic_store(&inner.fails, true);
    assert_int_equal(ask_all(&inner, MOST), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everybody_gets_their_own_values),
                                       cmocka_unit_test(no_batch_is_too_small),
                                       cmocka_unit_test(everybody_hears_of_a_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
