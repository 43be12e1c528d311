/* Starts an outside program, and exchanges lines with it. */
#include "players/program/process.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    PROCESS_WORDS_MAX = 160,
    PROCESS_TICK_MS = 5,
    PROCESS_WATCH_MS = 50,   /* time between two checks of the stop flag */
    PROCESS_HASTE_MS = 100,  /* time to end for a program that was interrupted */
    PROCESS_GROUPS_MAX = 256 /* programs at once that process_kill_all knows */
};

struct process {
    pid_t id;
    int talk, errors;              /* our ends of its stdin and stdout, and of its stderr */
    char command[128];             /* for messages */
    char buffer[PROCESS_LINE_MAX]; /* received, but not handed out yet */
    size_t used, given;            /* bytes in buffer; bytes of the line handed out */
    char words[PROCESS_WORDS_MAX]; /* the end of what it wrote to stderr */
    double asked_ms;               /* when the last line was sent */
    siginfo_t exit;                /* exit status */
    const banyan_flag *stop;       /* borrowed; NULL: there is no stop flag */
    bool interrupted;              /* a wait was ended by stop */
    bool gone;                     /* a call found that the program had ended */
};

/* Global, because Ctrl-C is for the whole program, and because what makes a player gets no flag. */
static const banyan_flag *process_interrupt; /* borrowed; NULL: there is none */

void process_watch_always(const banyan_flag *stop)
{
    process_interrupt = stop;
}

/* --- the programs that run now --- */

/* Global, because a signal handler has no argument.  The ids of their process groups; 0: free. */
static atomic_int process_groups[PROCESS_GROUPS_MAX];

/* Replaces one entry; with a full list nothing is entered. */
static void process_list(int from, int to)
{
    for (int i = 0; i < PROCESS_GROUPS_MAX; ++i) {
        int expected = from;
        if (atomic_compare_exchange_strong(&process_groups[i], &expected, to))
            return;
    }
}

void process_kill_all(void)
{
    for (int i = 0; i < PROCESS_GROUPS_MAX; ++i) {
        int group = atomic_load(&process_groups[i]);
        if (group)
            kill(-group, SIGKILL);
    }
}

/* --- starting --- */

/* Sockets are better than pipes here: writing to a program that has ended gives an error, not a
 * signal to this process. */
static bool process_pair(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return true;
}

static int process_spawn(struct process *process, const char *command, int talk, int errors)
{
    char shell[] = "sh", option[] = "-c";
    char *text = strdup(command);
    char *words[] = {shell, option, text, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t defaults, none;
    if (!text)
        return ENOMEM;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, talk, 0);
    posix_spawn_file_actions_adddup2(&files, talk, 1);
    posix_spawn_file_actions_adddup2(&files, errors, 2);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    /* Ctrl-C at the terminal must not reach the program: this process handles it */
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK);
    int error = posix_spawn(&process->id, "/bin/sh", &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(text);
    return error;
}

enum banyan_status process_start(struct process **out, const char *command,
                                 struct banyan_error *err)
{
    int talk[2] = {-1, -1}, errors[2] = {-1, -1};
    *out = NULL;
    struct process *process = calloc(1, sizeof *process);
    if (!process)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a program");
    snprintf(process->command, sizeof process->command, "%s", command);
    int error = 0;
    if (!process_pair(talk) || !process_pair(errors))
        error = errno;
    else
        error = process_spawn(process, command, talk[1], errors[1]);
    if (talk[1] >= 0)
        close(talk[1]);
    if (errors[1] >= 0)
        close(errors[1]);
    process->talk = talk[0];
    process->errors = errors[0];
    if (error) {
        if (talk[0] >= 0)
            close(talk[0]);
        if (errors[0] >= 0)
            close(errors[0]);
        free(process);
        return banyan_fail(err, BANYAN_IO, "cannot start '%.100s': %s", command, strerror(error));
    }
    process_list(0, process->id);
    *out = process;
    return BANYAN_OK;
}

/* --- how the program ended --- */

/* Reads what the program wrote to stderr, so that it never blocks there, and keeps the end. */
static void process_hear_errors(struct process *process)
{
    char heard[1024];
    ssize_t length;
    while (process->errors >= 0) {
        length = recv(process->errors, heard, sizeof heard, 0);
        if (length == 0) {
            close(process->errors); /* otherwise poll would report the closed socket for ever */
            process->errors = -1;
        }
        if (length <= 0)
            return;
        char *words = process->words;
        size_t room = sizeof process->words - 1, fresh = (size_t)length;
        size_t skip = fresh > room ? fresh - room : 0;
        size_t old = strlen(words), keep = room - (fresh - skip);
        if (old > keep) {
            memmove(words, words + old - keep, keep);
            old = keep;
        }
        memcpy(words + old, heard + skip, fresh - skip);
        words[old + fresh - skip] = 0;
    }
}

/* The last line that the program wrote to stderr, for error messages. */
static const char *process_last_words(struct process *process)
{
    char *words = process->words;
    process_hear_errors(process);
    size_t length = strlen(words);
    while (length && (words[length - 1] == '\n' || words[length - 1] == '\r'))
        words[--length] = 0;
    const char *line = strrchr(words, '\n');
    for (char *at = words; *at; ++at)
        if ((unsigned char)*at < ' ' && *at != '\n')
            *at = ' ';
    return line ? line + 1 : words;
}

/* Whether the program has ended within wait_ms.  It stays a zombie until process_stop, so that no
 * other process can get its id, which is also the id of its process group. */
static bool process_ended(struct process *process, double wait_ms)
{
    double until_ms = clock_now_ms() + wait_ms;
    for (;;) {
        process->exit.si_pid = 0;
        if (waitid(P_PID, (id_t)process->id, &process->exit, WEXITED | WNOHANG | WNOWAIT) != 0)
            return errno == ECHILD;
        if (process->exit.si_pid == process->id)
            return true;
        if (clock_now_ms() >= until_ms)
            return false;
        struct timespec tick = {.tv_nsec = PROCESS_TICK_MS * 1000000L};
        nanosleep(&tick, NULL);
    }
}

static enum banyan_status process_died(struct process *process, struct banyan_error *err)
{
    char how[64];
    process->gone = true;
    if (!process_ended(process, 500))
        snprintf(how, sizeof how, "closed its output");
    else
        snprintf(how, sizeof how,
                 process->exit.si_code == CLD_EXITED ? "ended with exit code %d"
                                                     : "was ended by signal %d",
                 process->exit.si_status);
    const char *words = process_last_words(process);
    return banyan_fail(err, BANYAN_IO, "'%s' %s%s%s", process->command, how,
                       *words ? "; it said: " : "", words);
}

static bool process_stopped(const struct process *process)
{
    return banyan_flag_is_set(process->stop) || banyan_flag_is_set(process_interrupt);
}

/* The error for a wait that ended although nothing could be read or written. */
static enum banyan_status process_late(struct process *process, struct banyan_error *err)
{
    process->interrupted = process_stopped(process);
    if (process->interrupted)
        return banyan_fail(err, BANYAN_INTERRUPTED, "stopped while waiting for '%s'",
                           process->command);
    double waited_ms = clock_now_ms() - process->asked_ms;
    const char *words = process_last_words(process);
    return banyan_fail(err, BANYAN_IO, "'%s' did not answer within %.0f ms%s%s", process->command,
                       waited_ms, *words ? "; it said: " : "", words);
}

/* --- exchanging lines --- */

/* Waits until the socket is ready for events; 0: time is over, or stop is set. */
static int process_wait(struct process *process, short events, double until_ms)
{
    for (;;) {
        double left_ms = until_ms - clock_now_ms();
        if (left_ms <= 0 || process_stopped(process))
            return 0;
        if ((process->stop || process_interrupt) && left_ms > PROCESS_WATCH_MS)
            left_ms = PROCESS_WATCH_MS;
        struct pollfd files[2] = {{.fd = process->talk, .events = events},
                                  {.fd = process->errors, .events = POLLIN}};
        int ready = poll(files, 2, left_ms < 1e6 ? (int)left_ms + 1 : 1000000);
        if (ready > 0 && files[1].revents)
            process_hear_errors(process);
        if (ready > 0 && files[0].revents)
            return 1;
    }
}

static enum banyan_status process_push(struct process *process, const char *bytes, size_t size,
                                       double until_ms, struct banyan_error *err)
{
    while (size) {
        ssize_t sent = send(process->talk, bytes, size, MSG_NOSIGNAL);
        if (sent >= 0) {
            bytes += sent;
            size -= (size_t)sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!process_wait(process, POLLOUT, until_ms))
                return process_late(process, err);
        } else if (errno != EINTR) {
            return process_died(process, err);
        }
    }
    return BANYAN_OK;
}

enum banyan_status process_send(struct process *process, const char *line, double timeout_ms,
                                struct banyan_error *err)
{
    process->asked_ms = clock_now_ms();
    double until_ms = process->asked_ms + timeout_ms;
    enum banyan_status status = process_push(process, line, strlen(line), until_ms, err);
    if (status != BANYAN_OK)
        return status;
    return process_push(process, "\n", 1, until_ms, err);
}

/* A whole line in the buffer, as a string; NULL: there is none yet. */
static char *process_take(struct process *process)
{
    char *end = memchr(process->buffer, '\n', process->used);
    if (!end)
        return NULL;
    process->given = (size_t)(end - process->buffer) + 1;
    *end = 0;
    if (end > process->buffer && end[-1] == '\r')
        end[-1] = 0;
    return process->buffer;
}

enum banyan_status process_receive(struct process *process, const char **line, double timeout_ms,
                                   struct banyan_error *err)
{
    double until_ms = clock_now_ms() + timeout_ms;
    process->used -= process->given;
    memmove(process->buffer, process->buffer + process->given, process->used);
    process->given = 0;
    while (!(*line = process_take(process))) {
        size_t room = sizeof process->buffer - process->used;
        if (room == 0)
            return banyan_fail(err, BANYAN_CORRUPT, "'%s' sent a line of more than %d bytes",
                               process->command, PROCESS_LINE_MAX);
        ssize_t length = recv(process->talk, process->buffer + process->used, room, 0);
        if (length > 0)
            process->used += (size_t)length;
        else if (length == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            return process_died(process, err);
        else if (!process_wait(process, POLLIN, until_ms))
            return process_late(process, err);
    }
    return BANYAN_OK;
}

void process_watch(struct process *process, const banyan_flag *stop)
{
    process->stop = stop;
}

bool process_gone(const struct process *process)
{
    return process->gone;
}

const char *process_command(const struct process *process)
{
    return process->command;
}

double process_cpu_ms(const struct process *process)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(process->id, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return -1;
    return (double)used.tv_sec * 1e3 + (double)used.tv_nsec * 1e-6;
}

void process_stop(struct process *process, double grace_ms)
{
    if (!process)
        return;
    shutdown(process->talk, SHUT_WR);
    if ((process->interrupted || process_stopped(process)) && grace_ms > PROCESS_HASTE_MS)
        grace_ms = PROCESS_HASTE_MS;
    process_ended(process, grace_ms);
    kill(-process->id, SIGKILL);  /* the whole group, with all processes that it started */
    process_list(process->id, 0); /* before another process can get this id */
    while (waitpid(process->id, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(process->talk);
    if (process->errors >= 0)
        close(process->errors);
    free(process);
}
