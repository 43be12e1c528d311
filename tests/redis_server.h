/* A Redis server of the test's own: on a socket in a new folder, where its files are too. */
#ifndef TESTS_REDIS_SERVER_H
#define TESTS_REDIS_SERVER_H

#include "base/clock.h"
#include "queue/queue.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct redis_server {
    char folder[64];
    char socket[80];
    char url[128]; /* without ?prefix= */
    pid_t process; /* 0: it does not run */
};

static inline bool redis_server_answers(const struct redis_server *server)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char answer[16] = "";
    snprintf(address.sun_path, sizeof address.sun_path, "%s", server->socket);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    bool answers = file >= 0 && connect(file, (struct sockaddr *)&address, sizeof address) == 0 &&
                   write(file, "PING\r\n", 6) == 6 && read(file, answer, sizeof answer - 1) > 0 &&
                   (answer[0] == '+' || strncmp(answer, "-NOAUTH", 7) == 0);
    if (file >= 0)
        close(file);
    return answers;
}

/* Starts the server; it reads what it had written before.  name, value: one more option, or NULL.
 * It never waits for its disk, since clients of a server that is silent for seconds send their
 * commands again; what it has written survives its own death in the system's cache.  False: there
 * is no redis-server. */
static inline bool redis_server_start(struct redis_server *server, const char *name,
                                      const char *value)
{
    const char *const arguments[] = {"redis-server",
                                     "--port",
                                     "0",
                                     "--unixsocket",
                                     server->socket,
                                     "--dir",
                                     server->folder,
                                     "--appendonly",
                                     "yes",
                                     "--appendfsync",
                                     "no",
                                     "--save",
                                     "",
                                     "--logfile",
                                     "log",
                                     name,
                                     value,
                                     NULL};
    server->process = fork();
    if (server->process == 0) {
        execvp("redis-server", (char *const *)arguments);
        _exit(127);
    }
    const struct timespec step = {.tv_nsec = 5000000};
    while (!redis_server_answers(server)) {
        if (waitpid(server->process, NULL, WNOHANG) != 0) {
            server->process = 0;
            return false;
        }
        nanosleep(&step, NULL);
    }
    return true;
}

static inline bool redis_server_create(struct redis_server *server)
{
    snprintf(server->folder, sizeof server->folder, "/tmp/banyan-redis-XXXXXX");
    if (!mkdtemp(server->folder))
        return false;
    snprintf(server->socket, sizeof server->socket, "%s/socket", server->folder);
    snprintf(server->url, sizeof server->url, "redis+unix://%s", server->socket);
    return redis_server_start(server, NULL, NULL);
}

/* Dies at once, as a machine does that loses its power but not its disk's cache. */
static inline void redis_server_kill(struct redis_server *server)
{
    if (server->process > 0) {
        kill(server->process, SIGKILL);
        waitpid(server->process, NULL, 0);
    }
    server->process = 0;
    unlink(server->socket);
}

/* Deletes what the server had written. */
static inline void redis_server_wipe(const struct redis_server *server)
{
    char command[192];
    snprintf(command, sizeof command, "rm -rf %s/appendonlydir %s/*.rdb", server->folder,
             server->folder);
    if (system(command) != 0)
        abort();
}

static inline void redis_server_destroy(struct redis_server *server)
{
    char command[192];
    redis_server_kill(server);
    snprintf(command, sizeof command, "rm -rf %s", server->folder);
    if (system(command) != 0)
        abort();
}

/* Starts the server of a test program.  False: the program is to end as skipped (77); the reason is printed. */
static inline bool redis_server_begin(struct redis_server *server)
{
    struct queue *found;
    struct queue_settings asked;
    struct banyan_error why;
    if (!redis_server_create(server)) {
        puts("SKIPPED: there is no redis-server");
        return false;
    }
    queue_settings_default(&asked);
    if (queue_open(&found, server->url, &asked, &why) == BANYAN_UNSUPPORTED) {
        printf("SKIPPED: %s\n", why.message);
        redis_server_destroy(server);
        return false;
    }
    queue_close(found);
    return true;
}

#endif
