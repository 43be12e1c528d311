/* The analysis service over TCP on this machine: one thread reads and writes for all clients.
 *
 *     client --> in --> analyze_take --> ... worker --> out --> client
 *
 * A client that does not read its answers makes `out` grow, and delays nobody; at a limit it is
 * disconnected.  A client that closes its connection ends its questions. */
#include "cli/analyze.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LISTEN_CLIENTS = 64,
    LISTEN_CHUNK = 1 << 16,
    LISTEN_IDLE_MS = 500, /* between two checks of the stop flag */
    LISTEN_ENDING_MS = 10 /* the same while a client waits for the end of its last searches */
};

struct bytes {
    char *at;
    size_t start, length, room; /* the bytes in use are at[start .. start + length) */
};

struct listen_client {
    struct analyze_client client; /* comes first: the pool holds a pointer to it */
    struct listen_server *server;
    int fd; /* -1: closed */
    struct bytes in;
    bool is_too_long;     /* the rest of this line is skipped */
    bool ended;           /* nothing more is read */
    pthread_mutex_t lock; /* guards the two members below */
    struct bytes out;
    bool lost; /* nothing more can be written */
    struct listen_client *next;
};

struct listen_server {
    struct analyze_pool *pool;
    size_t unread_max;
    int socket;
    int wake[2]; /* a pipe: workers write a byte when there is something to send */
    struct listen_client *clients;
    int count;
};

/* --- bytes --- */

static bool bytes_add(struct bytes *bytes, const char *more, size_t length)
{
    size_t end = bytes->start + bytes->length;
    if (end + length > bytes->room) {
        size_t room = 2 * (end + length);
        char *larger = realloc(bytes->at, room);
        if (!larger)
            return false;
        bytes->at = larger;
        bytes->room = room;
    }
    if (length > 0)
        memcpy(bytes->at + end, more, length);
    bytes->length += length;
    return true;
}

static void bytes_drop(struct bytes *bytes, size_t length)
{
    bytes->start += length;
    bytes->length -= length;
    if (bytes->start < bytes->length)
        return; /* the rest moves once it is at most half of all: moving costs less than sending */
    memmove(bytes->at, bytes->at + bytes->start, bytes->length);
    bytes->start = 0;
}

/* --- out --- */

static void listen_wake(const struct listen_server *server)
{
    ssize_t written;
    do
        written = write(server->wake[1], "", 1); /* a full pipe wakes the reader, too */
    while (written < 0 && errno == EINTR);
}

/* Called by any thread. */
static void listen_send(struct analyze_client *at, const char *line, size_t length)
{
    struct listen_client *client = (struct listen_client *)at;
    pthread_mutex_lock(&client->lock);
    if (client->out.length + length > client->server->unread_max ||
        (!client->lost && !bytes_add(&client->out, line, length)))
        client->lost = true;
    pthread_mutex_unlock(&client->lock);
    listen_wake(client->server);
}

static void listen_write(struct listen_client *client)
{
    pthread_mutex_lock(&client->lock);
    while (client->out.length > 0 && !client->lost) {
        ssize_t sent =
            send(client->fd, client->out.at + client->out.start, client->out.length, MSG_NOSIGNAL);
        if (sent > 0)
            bytes_drop(&client->out, (size_t)sent);
        else if (errno != EINTR) {
            client->lost = errno != EAGAIN && errno != EWOULDBLOCK;
            break;
        }
    }
    pthread_mutex_unlock(&client->lock);
}

/* --- in --- */

/* Reads nothing more from the client, and ends its searches; their answers are still sent. */
static void listen_end(struct listen_client *client)
{
    if (!client->ended)
        analyze_pool_terminate(client->server->pool, &client->client, NULL);
    client->ended = true;
}

/* Carries out a line.  A client whose line does not begin an object does not speak this protocol:
 * it may be a browser that a foreign web page told to connect, so the connection ends. */
static void listen_line(struct listen_client *client)
{
    size_t length = client->in.length, blanks = 0;
    const char *text = client->in.at;
    while (blanks < length && strchr(" \t\r", text[blanks]) && text[blanks])
        ++blanks;
    if (client->is_too_long) {
        analyze_refuse(&client->client, "", "the line is longer than 1 MiB");
    } else if (blanks < length && text[blanks] != '{') {
        analyze_refuse(&client->client, "", "the line is no JSON object; the connection ends");
        listen_end(client);
    } else if (blanks < length) {
        analyze_take(client->server->pool, &client->client, text, length);
    }
}

/* Adds the bytes that were received, and carries out every line that is now complete. */
static void listen_take(struct listen_client *client, const char *at, size_t length)
{
    while (length > 0 && !client->ended) {
        const char *end = memchr(at, '\n', length);
        size_t part = end ? (size_t)(end - at) : length;
        client->is_too_long = client->is_too_long || client->in.length + part > ANALYZE_LINE_MAX ||
                              !bytes_add(&client->in, at, part);
        if (end) {
            listen_line(client);
            client->in.length = 0;
            client->is_too_long = false;
        }
        part += end != NULL;
        at += part;
        length -= part;
    }
}

static void listen_read(struct listen_client *client)
{
    char chunk[LISTEN_CHUNK];
    ssize_t count = recv(client->fd, chunk, sizeof chunk, 0);
    if (count > 0)
        listen_take(client, chunk, (size_t)count);
    else if (count == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
        listen_end(client);
}

/* --- clients --- */

static bool listen_unblock(int fd)
{
    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0;
}

static void listen_accept(struct listen_server *server)
{
    int fd = accept(server->socket, NULL, NULL);
    struct listen_client *client = fd >= 0 && listen_unblock(fd) ? calloc(1, sizeof *client) : NULL;
    if (!client) {
        if (fd >= 0)
            close(fd);
        return;
    }
    client->client.send = listen_send;
    client->server = server;
    client->fd = fd;
    pthread_mutex_init(&client->lock, NULL);
    client->next = server->clients;
    server->clients = client;
    ++server->count;
}

static void listen_free(struct listen_client *client)
{
    if (client->fd >= 0)
        close(client->fd);
    pthread_mutex_destroy(&client->lock);
    free(client->in.at);
    free(client->out.at);
    free(client);
}

/* How many bytes wait to be sent; *lost: nothing more can be sent. */
static size_t listen_unsent(struct listen_client *client, bool *lost)
{
    pthread_mutex_lock(&client->lock);
    size_t unsent = client->lost ? 0 : client->out.length;
    *lost = client->lost;
    pthread_mutex_unlock(&client->lock);
    return unsent;
}

/* Closes lost connections, and frees clients who have ended and for whom no answer is left. */
static void listen_sweep(struct listen_server *server)
{
    for (struct listen_client **at = &server->clients; *at;) {
        struct listen_client *client = *at;
        bool lost, answered = analyze_pool_questions(server->pool, &client->client) == 0;
        size_t unsent = listen_unsent(client, &lost);
        if (lost && client->fd >= 0) {
            listen_end(client);
            close(client->fd);
            client->fd = -1;
        }
        if (client->ended && answered && unsent == 0) {
            *at = client->next;
            --server->count;
            listen_free(client);
        } else {
            at = &client->next;
        }
    }
}

/* --- the loop --- */

/* Fills files[2 + clients] for poll(); returns the timeout in milliseconds. */
static int listen_watch(struct listen_server *server, struct pollfd files[])
{
    int wait_ms = LISTEN_IDLE_MS;
    files[0] = (struct pollfd){.fd = server->wake[0], .events = POLLIN};
    files[1] = (struct pollfd){.fd = server->count < LISTEN_CLIENTS ? server->socket : -1,
                               .events = POLLIN};
    files += 2;
    for (struct listen_client *client = server->clients; client; client = client->next, ++files) {
        bool lost;
        size_t unsent = listen_unsent(client, &lost);
        bool watched = !client->ended || unsent > 0;
        *files = (struct pollfd){.fd = watched ? client->fd : -1};
        files->events = (short)((client->ended ? 0 : POLLIN) | (unsent > 0 ? POLLOUT : 0));
        if (client->ended)
            wait_ms = LISTEN_ENDING_MS;
    }
    return wait_ms;
}

static void listen_drain(const struct listen_server *server)
{
    char bytes[256];
    while (read(server->wake[0], bytes, sizeof bytes) > 0)
        ;
}

static void listen_step(struct listen_server *server)
{
    struct pollfd files[2 + LISTEN_CLIENTS];
    int wait_ms = listen_watch(server, files), i = 2;
    if (poll(files, (nfds_t)(2 + server->count), wait_ms) <= 0) {
        listen_sweep(server);
        return;
    }
    listen_drain(server);
    for (struct listen_client *client = server->clients; client; client = client->next, ++i) {
        if (files[i].fd >= 0 && files[i].revents && !client->ended)
            listen_read(client);
        if (client->fd >= 0)
            listen_write(client);
    }
    if (files[1].revents & POLLIN)
        listen_accept(server);
    listen_sweep(server);
}

/* Ends all searches and sends what can be sent at once. */
static void listen_close(struct listen_server *server)
{
    analyze_pool_terminate(server->pool, NULL, NULL);
    analyze_pool_close(server->pool);
    while (server->clients) {
        struct listen_client *client = server->clients;
        server->clients = client->next;
        if (client->fd >= 0)
            listen_write(client);
        listen_free(client);
    }
    close(server->wake[0]);
    close(server->wake[1]);
    close(server->socket);
}

enum banyan_status analyze_listen_open(int port, int *out, int *chosen, struct banyan_error *err)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof address;
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd >= 0 && listen_unblock(fd) &&
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, LISTEN_CLIENTS) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &size) == 0) {
        *out = fd;
        *chosen = ntohs(address.sin_port);
        return BANYAN_OK;
    }
    banyan_fail(err, BANYAN_IO, "cannot listen on 127.0.0.1, port %d: %s", port, strerror(errno));
    if (fd >= 0)
        close(fd);
    return BANYAN_IO;
}

enum banyan_status analyze_listen_run(struct analyze_pool *pool, int socket, size_t unread_max,
                                      const banyan_flag *stop, struct banyan_error *err)
{
    struct listen_server server = {.pool = pool, .socket = socket, .unread_max = unread_max};
    if (pipe(server.wake) != 0) {
        analyze_pool_close(pool);
        close(socket);
        return banyan_fail(err, BANYAN_IO, "cannot make a pipe: %s", strerror(errno));
    }
    listen_unblock(server.wake[0]);
    listen_unblock(server.wake[1]);
    while (!banyan_flag_is_set(stop))
        listen_step(&server);
    listen_close(&server);
    return BANYAN_OK;
}
