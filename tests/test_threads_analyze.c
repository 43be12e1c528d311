/* The analysis service over TCP: run under ThreadSanitizer too. */
#include "cli/analyze.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { WORKERS = 2, UNREAD_MAX = 1 << 20, LINE = 1 << 18, SECONDS = 300 };

/* A service, and the thread that runs it. */
struct service {
    struct searcher base;
    struct analyze_pool *pool;
    int socket, port;
    banyan_flag stop;
    pthread_t thread;
};

static void *service_run(void *at)
{
    struct service *service = at;
    return analyze_listen_run(service->pool, service->socket, UNREAD_MAX, &service->stop, NULL) ==
                   BANYAN_OK
               ? NULL
               : at;
}

static void service_open(struct service *service)
{
    memset(service, 0, sizeof *service);
    struct searcher *base = &service->base;
    base->limits.struct_size = sizeof base->limits;
    base->limits.simulations = -10;
    base->evaluator_text = "uniform";
    base->viewer = -1;
    banyan_search_options_default(&base->options);
    base->options.memory_bytes = 1 << 20;
    assert_int_equal(banyan_game_find("go-9x9", &base->position.game, NULL), BANYAN_OK);
    const struct analyze_pool_options options = {base, WORKERS, 1};
    assert_int_equal(analyze_pool_open(&service->pool, &options, NULL), BANYAN_OK);
    assert_int_equal(analyze_listen_open(0, &service->socket, &service->port, NULL), BANYAN_OK);
    assert_int_equal(pthread_create(&service->thread, NULL, service_run, service), 0);
}

static void service_close(struct service *service)
{
    void *failed;
    banyan_flag_set(&service->stop);
    pthread_join(service->thread, &failed);
    assert_null(failed);
}

/* --- a client --- */

static int connected(const struct service *service)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)service->port)};
    const struct timeval limit = {.tv_sec = SECONDS};
    int small = 4096, fd = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(fd >= 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* The next line without its end; NULL: the service has closed the connection. */
static const char *hear(int fd)
{
    static char line[LINE];
    for (size_t length = 0; length < sizeof line - 1; ++length) {
        ssize_t count = recv(fd, line + length, 1, 0);
        if (count == 0)
            return NULL;
        if (count < 0)
            fail_msg("no answer in %d s", SECONDS);
        line[length + 1] = 0;
        if (line[length] == '\n') {
            line[length] = 0;
            return line;
        }
    }
    fail_msg("the line is too long");
    return NULL;
}

/* The next line has this part. */
static void hear_part(int fd, const char *part)
{
    const char *line = hear(fd);
    if (!line || !strstr(line, part))
        fail_msg("'%s' instead of a line with '%s'", line ? line : "the end", part);
}

static void hear_end(int fd)
{
    const char *line = hear(fd);
    if (line)
        fail_msg("'%s' instead of the end", line);
    close(fd);
}

/* How many whole lines are still there for a client whom the service has disconnected. It may be
 * none: what did not fit into the client's own small buffer is lost with the connection. */
static int lines_until_the_end(int fd)
{
    int lines = 0;
    char bytes[4096];
    ssize_t count;
    while ((count = recv(fd, bytes, sizeof bytes, 0)) > 0)
        for (ssize_t i = 0; i < count; ++i)
            lines += bytes[i] == '\n';
    assert_true(count == 0 || errno == ECONNRESET);
    return lines;
}

/* --- tests --- */

static void every_client_has_its_own_ids(void **unused)
{
    (void)unused;
    struct service service;
    service_open(&service);
    int one = connected(&service), other = connected(&service);
    say(one, "{\"id\": \"a\", \"simulations\": 1000000000000, \"report_ms\": 5}\n");
    hear_part(one, "\"id\":\"a\",\"during\":true");
    say(other, "{\"id\": \"a\", \"simula");
    say(other, "tions\": 7}\n\n");
    hear_part(other, "\"simulations\":7");
    say(other, "{\"id\": \"t\", \"terminate_all\": true}\n");
    hear_part(other, "{\"id\":\"t\",\"terminated\":0}");
    say(one, "{\"id\": \"t\", \"terminate\": \"a\"}\n");
    bool terminated = false, interrupted = false; /* the two lines come in any order */
    while (!terminated || !interrupted) {
        const char *line = hear(one);
        assert_non_null(line);
        terminated = terminated || strstr(line, "{\"id\":\"t\",\"terminated\":1}");
        interrupted = interrupted || strstr(line, "\"interrupted\":true");
    }
    close(one);
    close(other);
    service_close(&service);
}

static void a_line_that_is_no_object_ends_the_connection(void **unused)
{
    (void)unused;
    struct service service;
    service_open(&service);
    int fd = connected(&service);
    say(fd, "POST / HTTP/1.1\r\nHost: x\r\n\r\n{\"id\": \"a\", \"simulations\": 7}\n");
    hear_part(fd, "no JSON object");
    hear_end(fd);
    service_close(&service);
}

/* Both workers search for a client who leaves. */
static void who_leaves_ends_their_questions(void **unused)
{
    (void)unused;
    struct service service;
    service_open(&service);
    int one = connected(&service), other = connected(&service);
    say(one, "{\"id\": \"a\", \"simulations\": 1000000000000, \"report_ms\": 1}\n"
             "{\"id\": \"b\", \"simulations\": 1000000000000}\n"
             "{\"id\": \"c\", \"simulations\": 1000000000000}\n");
    hear_part(one, "\"id\":\"a\",\"during\":true");
    close(one);
    say(other, "{\"id\": \"d\", \"simulations\": 7}\n");
    hear_part(other, "\"id\":\"d\",\"during\":false");
    close(other);
    service_close(&service);
}

/* A client asks for more answers than buffers hold, and reads none. */
static void who_does_not_read_stops_nobody(void **unused)
{
    (void)unused;
    struct service service;
    service_open(&service);
    int silent = connected(&service), other = connected(&service);
    enum { QUESTIONS = 2000 };
    for (int i = 0; i < QUESTIONS; ++i) {
        char line[64];
        snprintf(line, sizeof line, "{\"id\": \"%d\", \"simulations\": 1}\n", i);
        if (send(silent, line, strlen(line), MSG_NOSIGNAL) < 0)
            break; /* it has been disconnected */
    }
    say(other, "{\"id\": \"a\", \"simulations\": 7, \"priority\": 1}\n");
    hear_part(other, "\"id\":\"a\",\"during\":false");
    /* this one comes after all those of the silent client, which has been disconnected meanwhile */
    say(other, "{\"id\": \"b\", \"simulations\": 7, \"priority\": -1}\n");
    hear_part(other, "\"id\":\"b\",\"during\":false");
    close(other);
    assert_true(lines_until_the_end(silent) < QUESTIONS);
    close(silent);
    service_close(&service);
}

/* Searches of clients who are still there are answered when the service ends. */
static void the_end_answers_everybody(void **unused)
{
    (void)unused;
    struct service service;
    service_open(&service);
    int fd = connected(&service);
    say(fd, "{\"id\": \"a\", \"simulations\": 1000000000000, \"report_ms\": 1}\n");
    hear_part(fd, "\"id\":\"a\",\"during\":true");
    banyan_flag_set(&service.stop);
    const char *line;
    do
        assert_non_null(line = hear(fd));
    while (strstr(line, "\"during\":true"));
    assert_non_null(strstr(line, "\"interrupted\":true"));
    hear_end(fd);
    service_close(&service);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_client_has_its_own_ids),
        cmocka_unit_test(a_line_that_is_no_object_ends_the_connection),
        cmocka_unit_test(who_leaves_ends_their_questions),
        cmocka_unit_test(who_does_not_read_stops_nobody),
        cmocka_unit_test(the_end_answers_everybody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
