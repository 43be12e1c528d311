/* A link between clients on a port of this machine and a server's socket, which a test can slow, delay, hold up
 * and cut. */
#ifndef TESTS_TCP_PROXY_H
#define TESTS_TCP_PROXY_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PROXY_LINKS = 256, PROXY_STEP_MS = 5, PROXY_PIECE = 4096 };

/* Settings may be changed while it runs. */
struct tcp_proxy {
    const char *target; /* path of the server's socket */
    int listening, port;
    atomic_bool down;    /* nothing comes through; connections stay */
    atomic_int delay_ms; /* of every piece, each way */
    atomic_int bytes_ms; /* how many bytes come through in a millisecond, each way; 0: any number */
    atomic_int cut_every; /* one piece in so many cuts its connection; 0: never */
    atomic_int pieces;
    atomic_bool over;
    pthread_t thread;
    struct tcp_proxy_link {
        bool used;         /* it has threads to join, and files to close */
        atomic_int moving; /* number of ways that still pass pieces on */
        struct tcp_proxy_way {
            struct tcp_proxy *proxy;
            struct tcp_proxy_link *link;
            int from, to;
            pthread_t thread;
        } ways[2]; /* there and back */
    } links[PROXY_LINKS];
};

static inline void tcp_proxy_sleep(int ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

/* Waits until something can be read while the link is up; false: the proxy is over. */
static inline bool tcp_proxy_wait(struct tcp_proxy *proxy, int file)
{
    struct pollfd events = {.fd = file, .events = POLLIN};
    while (!atomic_load(&proxy->over)) {
        if (atomic_load(&proxy->down))
            tcp_proxy_sleep(PROXY_STEP_MS);
        else if (poll(&events, 1, PROXY_STEP_MS) > 0)
            return true;
    }
    return false;
}

/* Passes one piece on; false: the connection has ended, or is cut. */
static inline bool tcp_proxy_piece(const struct tcp_proxy_way *way)
{
    struct tcp_proxy *proxy = way->proxy;
    char piece[PROXY_PIECE];
    ssize_t length = read(way->from, piece, sizeof piece);
    int cut = atomic_load(&proxy->cut_every), rate = atomic_load(&proxy->bytes_ms);
    if (length <= 0 || (cut && atomic_fetch_add(&proxy->pieces, 1) % cut == cut - 1))
        return false;
    tcp_proxy_sleep(atomic_load(&proxy->delay_ms) + (rate ? (int)length / rate : 0));
    for (ssize_t sent = 0, n; sent < length; sent += n)
        if ((n = send(way->to, piece + sent, (size_t)(length - sent), MSG_NOSIGNAL)) <= 0)
            return false;
    return true;
}

static inline void *tcp_proxy_pass(void *argument)
{
    const struct tcp_proxy_way *way = argument;
    while (tcp_proxy_wait(way->proxy, way->from) && tcp_proxy_piece(way))
        ;
    shutdown(way->from, SHUT_RDWR); /* the other way ends too */
    shutdown(way->to, SHUT_RDWR);
    atomic_fetch_sub(&way->link->moving, 1);
    return NULL;
}

/* Waits for the end of a link, which can be used again then. */
static inline void tcp_proxy_clear(struct tcp_proxy_link *link)
{
    for (int i = 0; i < 2; ++i)
        pthread_join(link->ways[i].thread, NULL);
    for (int i = 0; i < 2; ++i)
        close(link->ways[i].from);
    link->used = false;
}

/* NULL: all links are in use. */
static inline struct tcp_proxy_link *tcp_proxy_free_link(struct tcp_proxy *proxy)
{
    for (int i = 0; i < PROXY_LINKS; ++i) {
        struct tcp_proxy_link *link = &proxy->links[i];
        if (link->used && atomic_load(&link->moving) == 0)
            tcp_proxy_clear(link);
        if (!link->used)
            return link;
    }
    return NULL;
}

static inline void tcp_proxy_connect(struct tcp_proxy *proxy, int client)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct tcp_proxy_link *link = tcp_proxy_free_link(proxy);
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", proxy->target);
    if (!link || connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
        close(server);
        close(client);
        return;
    }
    link->used = true;
    atomic_store(&link->moving, 2);
    link->ways[0] = (struct tcp_proxy_way){proxy, link, .from = client, .to = server};
    link->ways[1] = (struct tcp_proxy_way){proxy, link, .from = server, .to = client};
    for (int i = 0; i < 2; ++i)
        assert_int_equal(
            pthread_create(&link->ways[i].thread, NULL, tcp_proxy_pass, &link->ways[i]), 0);
}

static inline void *tcp_proxy_serve(void *argument)
{
    struct tcp_proxy *proxy = argument;
    while (tcp_proxy_wait(proxy, proxy->listening)) {
        int client = accept(proxy->listening, NULL, NULL);
        if (client >= 0)
            tcp_proxy_connect(proxy, client);
    }
    return NULL;
}

static inline void tcp_proxy_begin(struct tcp_proxy *proxy, const char *target)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    memset(proxy, 0, sizeof *proxy);
    proxy->target = target;
    proxy->listening = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(proxy->listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(proxy->listening, 64), 0);
    assert_int_equal(getsockname(proxy->listening, (struct sockaddr *)&address, &size), 0);
    proxy->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&proxy->thread, NULL, tcp_proxy_serve, proxy), 0);
}

static inline void tcp_proxy_end(struct tcp_proxy *proxy)
{
    atomic_store(&proxy->over, true);
    pthread_join(proxy->thread, NULL);
    for (int i = 0; i < PROXY_LINKS; ++i)
        if (proxy->links[i].used)
            tcp_proxy_clear(&proxy->links[i]);
    close(proxy->listening);
}

#endif
