/* banyan queue, against a real Redis server: what it says, what it does, and what it says of servers that
 * are not as they should be. */
#include "cli_program.h"

#include "queue/queue.h"
#include "redis_server.h"

#include <netinet/in.h>
#include <pthread.h>

static struct redis_server server;
static char place[160]; /* the queue of the test, for the command line */
static struct banyan_error err;

static struct queue *open_end(enum queue_role role)
{
    struct queue_settings settings;
    struct queue *queue;
    queue_settings_default(&settings);
    settings.role = role;
    settings.name = role == QUEUE_OWNER ? "the-owner" : "worker-1";
    if (queue_open(&queue, place, &settings, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return queue;
}

/* "queue ACTION URL REST" */
static const char *words(const char *action, const char *url, const char *rest)
{
    static char text[512];
    snprintf(text, sizeof text, "queue %s '%s' %s", action, url, rest);
    return text;
}

static void done(enum banyan_status status)
{
    if (status != BANYAN_OK)
        fail_msg("%s", err.message);
}

static struct queue_item *take(struct queue *worker)
{
    struct queue_item *job;
    done(queue_take(worker, 0, &job, &err));
    assert_non_null(job);
    return job;
}

/* A queue with two jobs waiting, one leased, one result, and one that was refused. */
static void fill(struct queue *owner, struct queue *worker)
{
    struct queue_item *result;
    const struct queue_item seven = {.bytes = "7", .length = 1};
    for (uint64_t i = 1; i <= 5; ++i)
        done(queue_offer(owner, &(struct queue_item){.number = i}, &err));
    done(queue_give(worker, take(worker), &seven, &err));
    done(queue_fetch(owner, 60000, &result, &err));
    done(queue_refuse(owner, result, "seven is no result", &err));
    done(queue_give(worker, take(worker), &seven, &err));
    take(worker);
}

static void check_status(void)
{
    json_t *status = run_json(words("status", place, "--json"));
    assert_string_equal(get_string(status, "queue"), "cli");
    assert_string_equal(get_string(status, "mode"), "open");
    assert_string_equal(get_string(status, "owner"), "the-owner");
    assert_int_equal(get_int(status, "waiting"), 2);
    assert_int_equal(get_int(status, "leased"), 1);
    assert_int_equal(get_int(status, "given"), 1);
    assert_int_equal(get_int(status, "bad"), 1);
    const json_t *worker = json_array_get(json_object_get(status, "workers"), 0);
    assert_string_equal(get_string(worker, "name"), "worker-1");
    assert_string_equal(get_string(worker, "report"), "12 games/s");
    const json_t *bad = json_array_get(json_object_get(status, "last_bad"), 0);
    assert_int_equal(get_int(bad, "job"), 1);
    assert_string_equal(get_string(bad, "worker"), "worker-1");
    assert_string_equal(get_string(bad, "reason"), "seven is no result");
    assert_true(get_int(json_object_get(status, "server"), "memory_bytes") > 100000);
    json_decref(status);
}

static void check_text(const char *action, const char *rest, const char *const parts[])
{
    char *text = run_well(NULL, words(action, place, rest));
    for (int i = 0; parts[i]; ++i)
        assert_contains(text, parts[i]);
    free(text);
}

/* The server forgets an owner that is silent for 10 s, and a worker's report after 30 s. */
static void stay(struct queue *owner, struct queue *worker)
{
    done(queue_put(owner, "stay", "", 0, &err));
    done(queue_report(worker, "12 games/s", &err));
}

static void test_status(void **state)
{
    (void)state;
    struct queue *owner = open_end(QUEUE_OWNER), *worker = open_end(QUEUE_WORKER);
    fill(owner, worker);
    stay(owner, worker);
    check_status();
    stay(owner, worker);
    check_text("status", "",
               (const char *const[]){"queue 'cli' at ", ": open, owner the-owner\n",
                                     "jobs: 2 waiting, 1 leased, the oldest lease ",
                                     "results: 1 wait for the owner, 1 bad\n", "server: Redis ",
                                     "  worker-1: 12 games/s\n",
                                     "bad: job 1 of worker-1: seven is no result\n", NULL});
    stay(owner, worker);
    check_text("status", "--prometheus",
               (const char *const[]){"banyan_queue_jobs_waiting{queue=\"cli\"} 2\n",
                                     "banyan_queue_jobs_leased{queue=\"cli\"} 1\n",
                                     "# TYPE banyan_queue_results gauge\n",
                                     "banyan_queue_bad{queue=\"cli\"} 1\n",
                                     "banyan_queue_workers{queue=\"cli\"} 1\n", NULL});
    check_text("doctor", "",
               (const char *const[]){"server       good   Redis ", "disk         good   ",
                                     "bad          note   1 results were refused", NULL});
    stay(owner, worker);
    assert_refuses(words("clear", place, ""), 1, "has an owner, the-owner: stop it");
    queue_close(worker);
    queue_close(owner);
}

static enum queue_mode mode_now(struct queue *visitor)
{
    struct queue_counts counts;
    done(queue_count(visitor, &counts, NULL, NULL, &err));
    return counts.mode;
}

static void test_modes(void **state)
{
    (void)state;
    struct queue *owner = open_end(QUEUE_OWNER);
    static const struct {
        const char *action, *says;
        enum queue_mode mode;
    } steps[] = {{"pause", "is paused: workers finish what they have, and wait\n", QUEUE_PAUSED},
                 {"drain", "is drained: workers finish what they have, and end\n", QUEUE_DRAINED},
                 {"resume", "is open: workers take jobs\n", QUEUE_OPEN}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        check_text(steps[i].action, "", (const char *const[]){steps[i].says, NULL});
        assert_int_equal(mode_now(owner), steps[i].mode);
    }
    done(queue_end(owner, &err));
    assert_refuses(words("resume", place, ""), 1, "the queue 'cli' is over");
    queue_close(owner);
    check_text("clear", "", (const char *const[]){"queue 'cli' at ", " is deleted\n", NULL});
    assert_refuses(words("status", place, ""), 1, "there is no queue 'cli'");
    assert_refuses(words("pause", place, ""), 1, "there is no queue 'cli'");
    check_text("doctor", "", (const char *const[]){"queue        note   there is no queue", NULL});
}

static void test_wrong_words(void **state)
{
    (void)state;
    assert_refuses("queue", 2, "needs an action and the queue's URL");
    assert_refuses("queue statsu redis://h", 2, "status");
    assert_refuses("queue pause redis://h --json", 2, "--json is for status and doctor");
    assert_refuses("queue status redis://h --json --prometheus", 2, "without --json");
    assert_refuses("queue status redis://h x", 2, "x");
    assert_refuses("queue status memory:", 2, "a queue within one process");
    assert_refuses("queue status http://h", 2, "'http://h' is no queue");
    assert_refuses("queue status redis://h:66000", 2, "a wrong HOST:PORT");
    assert_refuses("queue status rediss://h", 2, "stunnel");
    assert_refuses("queue status redis+unix:///nowhere/socket", 1, "start one (`make redis`");
}

/* --- workers --- */

/* Starts `banyan worker` with its output nowhere. */
static pid_t start_worker(void)
{
    char program[1100];
    program_folder(program, sizeof program - 16);
    strcat(program, "/banyan");
    pid_t worker = fork();
    if (worker == 0) {
        if (chdir("/") != 0) /* another folder, as on another machine */
            _exit(127);
        const char *const arguments[] = {"banyan", "worker",  "--queue",     place, "--threads",
                                         "2",      "--cache", server.folder, NULL};
        if (!freopen("/dev/null", "w", stdout))
            _exit(127);
        execv(program, (char *const *)arguments);
        _exit(127);
    }
    return worker;
}

static int compared;

/* Runs a command here, and by two workers: what it prints is the same but for times. */
static void compare(const char *command, const char *const keys[])
{
    char there[512];
    int status;
    snprintf(place, sizeof place, "%s?prefix=c%d", server.url, ++compared); /* a new queue */
    snprintf(there, sizeof there, "%s --queue '%s'", command, place);
    pid_t workers[] = {start_worker(), start_worker()};
    json_t *a = run_long_json(command), *b = run_long_json(there);
    for (int i = 0; keys[i]; ++i)
        if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])))
            fail_msg("%s: other values of '%s' by workers", command, keys[i]);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(waitpid(workers[i], &status, 0), workers[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    json_decref(a);
    json_decref(b);
}

static void test_workers(void **state)
{
    (void)state;
    compare("match connect4 mcts:simulations=40,memory=1M mcts:simulations=10,memory=1M --games "
            "400 --sprt 0,200 "
            "--opening-plies 2 --json",
            (const char *const[]){"wins_a", "draws", "wins_b", "pairs", "sprt", "games",
                                  "distinct_games", NULL});
    compare(
        "tune tictactoe mcts:simulations=8,memory=1M,exploration=1.9 --param exploration=0.1..2 "
        "--games 60 --json",
        (const char *const[]){"found", "params", "games", NULL});
    assert_int_equal(chdir(server.folder), 0);
    free(run_well(NULL, "search tictactoe -n 2000 --save-book=own.book"));
    compare("match tictactoe mcts:simulations=9,memory=1M,book=own.book "
            "mcts:simulations=9,memory=1M --games 12 --opening-plies 1 --json",
            (const char *const[]){"wins_a", "draws", "wins_b", "distinct_games", NULL});
    assert_refuses("match tictactoe first first --queue redis://h -j 2", 2, "--queue or --jobs");
    assert_refuses("match tictactoe first first --queue redis+unix:///nowhere/socket", 1,
                   "start one (`make redis`");
    snprintf(place, sizeof place, "%s?prefix=cli", server.url);
}

/* --- servers that are not as they should be --- */

/* A program that speaks a little of Redis' language on a port of its own. */
struct false_server {
    int listening;
    char url[64];
    const char *version; /* NULL: it does not speak it at all */
    pthread_t thread;
};

static void false_answer(const struct false_server *of, int client, const char *request)
{
    char info[96], answer[160];
    snprintf(info, sizeof info, "# Server\r\nredis_version:%s\r\n", of->version ? of->version : "");
    if (!of->version)
        snprintf(answer, sizeof answer, "HTTP/1.1 400 Bad Request\r\n\r\n");
    else if (strstr(request, "INFO"))
        snprintf(answer, sizeof answer, "$%zu\r\n%s\r\n", strlen(info), info);
    else
        snprintf(answer, sizeof answer, "+OK\r\n");
    if (write(client, answer, strlen(answer)) < 0)
        return;
}

static void *false_serve(void *argument)
{
    const struct false_server *of = argument;
    char request[16384];
    for (int client; (client = accept(of->listening, NULL, NULL)) >= 0; close(client))
        for (ssize_t n; (n = read(client, request, sizeof request - 1)) > 0;) {
            request[n] = 0;
            false_answer(of, client, request);
        }
    return NULL;
}

static void false_begin(struct false_server *of, const char *version)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    of->version = version;
    of->listening = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(of->listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(of->listening, 4), 0);
    assert_int_equal(getsockname(of->listening, (struct sockaddr *)&address, &size), 0);
    snprintf(of->url, sizeof of->url, "redis://127.0.0.1:%d", ntohs(address.sin_port));
    assert_int_equal(pthread_create(&of->thread, NULL, false_serve, of), 0);
}

static void false_end(struct false_server *of)
{
    shutdown(of->listening, SHUT_RDWR); /* accept() returns */
    pthread_join(of->thread, NULL);
    close(of->listening);
}

static void expect_false_server(const char *version, int code, const char *told)
{
    struct false_server of;
    false_begin(&of, version);
    assert_refuses(words("status", of.url, ""), code, told);
    assert_refuses(words("doctor", of.url, ""), code, told);
    false_end(&of);
    assert_refuses(words("status", of.url, ""), 1, "no Redis at 127.0.0.1:"); /* it is gone */
}

static void test_false_servers(void **state)
{
    (void)state;
    expect_false_server("5.0.14", 2, "is version 5.0.14: a queue needs 6.2 or later");
    expect_false_server("6.0.16", 2, "is version 6.0.16: a queue needs 6.2 or later");
    expect_false_server("seven", 2, "does not say its version as Redis does");
    expect_false_server(NULL, 1, "does not answer as Redis does");
}

/* Starts the server anew with an option that it should not have. */
static void expect_server(const char *name, const char *value, int code, const char *told)
{
    redis_server_kill(&server);
    assert_true(redis_server_start(&server, name, value));
    assert_refuses(words("status", server.url, ""), code, told);
}

static void test_wrong_servers(void **state)
{
    (void)state;
    expect_server("--requirepass", "secret", 1, "wants a password: BANYAN_REDIS_PASSWORD");
    setenv("BANYAN_REDIS_PASSWORD", "wrong", 1);
    assert_refuses(words("status", server.url, ""), 1, "refuses the password");
    setenv("BANYAN_REDIS_PASSWORD", "secret", 1);
    check_text("doctor", "", (const char *const[]){"server       good", NULL});
    unsetenv("BANYAN_REDIS_PASSWORD");
    expect_server("--maxmemory-policy", "allkeys-lru", 2, "maxmemory-policy noeviction");
    redis_server_kill(&server);
    assert_true(redis_server_start(&server, "--appendonly", "no"));
    check_text("doctor", "",
               (const char *const[]){"disk         note   the server keeps nothing on disk", NULL});
}

static int stop_server(void **state)
{
    (void)state;
    redis_server_destroy(&server);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_words),   cmocka_unit_test(test_status),
        cmocka_unit_test(test_modes),         cmocka_unit_test(test_workers),
        cmocka_unit_test(test_false_servers), cmocka_unit_test(test_wrong_servers)};
    struct program_run run = program_run(NULL, "queue status redis+unix:///nowhere/socket");
    bool built = !strstr(run.err, "this build knows no Redis");
    program_free(&run);
    if (!built || !redis_server_create(&server)) {
        puts(built ? "SKIPPED: there is no redis-server" : "SKIPPED: built without hiredis");
        return 77;
    }
    snprintf(place, sizeof place, "%s?prefix=cli", server.url);
    return cmocka_run_group_tests(tests, NULL, stop_server);
}
