/* The owner of a run, its workers and the server of their queue are killed at random moments, and the server's
 * disk is wiped sometimes: the run ends with the bytes of one that nobody disturbed.
 *
 *      test_train_kills [SEED [KILLS]]
 */
#include "train_run.h"

#include "redis_server.h"
#include "train/worker.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 3, LEASE_MS = 1500, RENEW_MS = 200, FEW_KILLS = 12 };

static struct redis_server server;
static char embedded[80], folder[64], cache[80];
static uint64_t seed = 0;
static int kills_wanted = FEW_KILLS;
static pid_t owner, workers[WORKERS];

/* small_run with more to do for workers, and so many generations that it is not over before the last kill */
static char loop[256];
static const char *const changes[] = {
    "loop", loop, "play", "simulations=400,at-once=4", "net", "channels=4,blocks=1", NULL};

static int generations(void)
{
    return kills_wanted > FEW_KILLS ? kills_wanted : 4;
}

static void write_loop(void)
{
    snprintf(
        loop, sizeof loop,
        "generations=%d,games=30,passes=4,batch=32,window=300,gate-games=16,gate-simulations=200,"
        "gate-plies=2,test=random,test-games=6,test-every=2,test-stop=off,seed=3,backend=plain",
        generations());
}

static pid_t start_owner(void)
{
    pid_t id = fork();
    if (id)
        return id;
    struct banyan_error err = {.message = ""};
    struct loop_job job = run_job(folder, changes);
    job.queue = server.url;
    job.lease_ms = LEASE_MS;
    enum banyan_status status;
    do /* the server may be dead, or dying, just now */
        status = loop_run(&job, &err);
    while (status == BANYAN_IO && strstr(err.message, "Redis"));
    if (status != BANYAN_OK)
        fprintf(stderr, "%s\n", err.message);
    _exit(status == BANYAN_OK ? 0 : 1);
}

static pid_t start_worker(void)
{
    pid_t id = fork();
    if (id)
        return id;
    struct banyan_error err = {.message = ""};
    struct worker_totals totals;
    enum worker_end end;
    const struct worker_job job = {.queue = server.url,
                                   .threads = 1,
                                   .cache = cache,
                                   .renew_ms = RENEW_MS,
                                   .idle_exit_ms = INFINITY};
    while (worker_run(&job, &totals, &end, &err) != BANYAN_OK)
        sleep_ms(20);
    _exit(0);
}

static void kill_process(pid_t id)
{
    kill(id, SIGKILL);
    waitpid(id, NULL, 0);
}

static int kills_of_server, kills_of_owner, kills_of_workers, wipes;

static void kill_server(struct banyan_rng *rng)
{
    bool wipe = banyan_rng_below(rng, 3) == 0;
    redis_server_kill(&server);
    if (wipe)
        redis_server_wipe(&server);
    assert_true(redis_server_start(&server, NULL, NULL));
    ++kills_of_server;
    wipes += wipe;
}

static void kill_owner(void)
{
    kill_process(owner);
    owner = start_owner();
    ++kills_of_owner;
}

static void kill_worker(struct banyan_rng *rng)
{
    pid_t *worker = &workers[banyan_rng_below(rng, WORKERS)];
    kill_process(*worker);
    *worker = start_worker();
    ++kills_of_workers;
}

/* Kills one of them, and starts it again: of ten kills the server gets three and the owner two, in any order. */
static void kill_one(struct banyan_rng *rng)
{
    static char kinds[] = "sssoowwwww";
    static int left;
    left = left ? left : 10;
    int at = (int)banyan_rng_below(rng, (uint32_t)left--);
    char kind = kinds[at];
    kinds[at] = kinds[left];
    kinds[left] = kind;
    if (kind == 's')
        kill_server(rng);
    else if (kind == 'o')
        kill_owner();
    else
        kill_worker(rng);
}

/* Whether the owner has ended by itself. */
static bool owner_ended(int how_to_wait)
{
    int how;
    pid_t found = waitpid(owner, &how, how_to_wait);
    if (found == 0)
        return false;
    assert_int_equal(found, owner);
    owner = 0;
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
    return true;
}

static void everything_is_killed(void **state)
{
    (void)state;
    struct banyan_rng rng;
    struct banyan_error err;
    int kills = 0;
    banyan_rng_seed(&rng, seed);
    printf("seed %llu\n", (unsigned long long)seed);
    fflush(stdout); /* also where this test is ended from outside */
    if (run_changes(embedded, changes, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    owner = start_owner();
    for (int i = 0; i < WORKERS; ++i)
        workers[i] = start_worker();
    bool ended = false;
    for (; kills < kills_wanted && !ended; ++kills) {
        sleep_ms(20 + (unsigned)banyan_rng_below(&rng, 150));
        ended = owner_ended(WNOHANG);
        if (!ended)
            kill_one(&rng);
    }
    if (!ended)
        owner_ended(0);
    printf("killed the server %d times (wiped %d), the owner %d, workers %d\n", kills_of_server,
           wipes, kills_of_owner, kills_of_workers);
    check_same_runs_of(generations(), embedded, folder);
}

static int stop_all(void **state)
{
    (void)state;
    if (owner)
        kill_process(owner);
    for (int i = 0; i < WORKERS; ++i)
        if (workers[i])
            kill_process(workers[i]);
    redis_server_destroy(&server);
    remove_folder(folder);
    remove_folder(embedded);
    remove_folder(cache);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_killed)};
    seed = (uint64_t)(argc > 1 ? atol(argv[1]) : (long)getpid());
    kills_wanted = argc > 2 ? atoi(argv[2]) : kills_wanted;
    write_loop();
    snprintf(folder, sizeof folder, "/tmp/banyan_test_kills_%ld", (long)getpid());
    snprintf(embedded, sizeof embedded, "%s_embedded", folder);
    snprintf(cache, sizeof cache, "%s_cache", folder);
    if (!redis_server_begin(&server))
        return 77;
    return cmocka_run_group_tests(tests, NULL, stop_all);
}
