/* A child process that answers through a pipe. */
#include "cli/apart.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void apart_child(apart_fn *work, void *ctx, int out, void *result, size_t size)
{
    const char *bytes = result;
    const struct rlimit no_core = {0, 0}; /* a crash is reported in one line, without a core file */
    setrlimit(RLIMIT_CORE, &no_core);
    work(ctx, result);
    fflush(stdout);
    while (size > 0) {
        ssize_t n = write(out, bytes, size);
        if (n < 0 && errno != EINTR)
            _exit(1);
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    _exit(0);
}

/* Reads size bytes; returns whether they came. */
static int apart_read(int in, char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = read(in, bytes, size);
        if (n == 0 || (n < 0 && errno != EINTR))
            return 0;
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 1;
}

int apart_run(apart_fn *work, void *ctx, void *result, size_t size)
{
    int ends[2], status = 0;
    fflush(NULL); /* otherwise the child would also write what is buffered */
    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        apart_child(work, ctx, ends[1], result, size);
    }
    close(ends[1]);
    int answered = child > 0 && apart_read(ends[0], result, size);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child > 0 && WIFSIGNALED(status))
        return WTERMSIG(status);
    return answered ? 0 : -1;
}
