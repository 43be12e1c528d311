/* Runs the program `banyan` at a pseudo-terminal, as somebody who types would, and keeps what it shows. */
#ifndef TESTS_TERMINAL_H
#define TESTS_TERMINAL_H

#include "cli_program.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>

struct terminal {
    pid_t child;
    int fd;
    char *seen; /* all that was shown; owned */
    size_t length, room;
    size_t read; /* how much of it the test has looked at */
};

enum {
    /* long enough for a busy machine; a program that is silent for longer hangs */
    TERMINAL_WAIT_MS = 300000
};

/* Starts `banyan WORDS` at a terminal of 24 lines of 80 columns whose type is term. */
static inline void terminal_open(struct terminal *terminal, const char *term, const char *words)
{
    char folder[1024], command[2048];
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    program_folder(folder, sizeof folder);
    assert_true(snprintf(command, sizeof command, "exec %s/banyan %s", folder, words) <
                (int)sizeof command);
    memset(terminal, 0, sizeof *terminal);
    fflush(NULL);
    terminal->child = forkpty(&terminal->fd, NULL, NULL, &size);
    assert_true(terminal->child >= 0);
    if (terminal->child == 0) {
        setenv("TERM", term, 1);
        unsetenv("NO_COLOR");
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
}

/* Reads what is shown next; false at the end. */
static inline bool terminal_more(struct terminal *terminal)
{
    struct pollfd poll_fd = {.fd = terminal->fd, .events = POLLIN};
    if (poll(&poll_fd, 1, TERMINAL_WAIT_MS) <= 0)
        fail_msg("nothing more is shown after:\n%s", terminal->seen + terminal->read);
    if (terminal->room < terminal->length + 4097) {
        terminal->room = 2 * terminal->room + 8192;
        assert_non_null(terminal->seen = realloc(terminal->seen, terminal->room));
    }
    ssize_t count = read(terminal->fd, terminal->seen + terminal->length, 4096);
    if (count <= 0)
        return false; /* a terminal whose program has ended answers with an error */
    terminal->length += (size_t)count;
    terminal->seen[terminal->length] = 0;
    return true;
}

/* Waits for `what`, and returns what has been shown since the last wait; NULL: the program has ended. */
static inline const char *terminal_wait(struct terminal *terminal, const char *what)
{
    size_t start = terminal->read;
    for (;;) {
        const char *at = terminal->seen ? strstr(terminal->seen + start, what) : NULL;
        if (at) {
            terminal->read = (size_t)(at - terminal->seen) + strlen(what);
            return terminal->seen + start;
        }
        if (!terminal_more(terminal))
            return NULL;
    }
}

static inline void terminal_type(struct terminal *terminal, const char *keys)
{
    assert_int_equal(write(terminal->fd, keys, strlen(keys)), strlen(keys));
}

/* Reads to the end; returns the exit code, -1 for a program that a signal ended. */
static inline int terminal_end(struct terminal *terminal)
{
    int status;
    while (terminal_more(terminal))
        ;
    assert_int_equal(waitpid(terminal->child, &status, 0), terminal->child);
    close(terminal->fd);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
