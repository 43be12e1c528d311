/* The input of banyan gtp: read without stdio, so that it is known whether a line waits. */
#include "cli/gtp.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads the bytes that have come, or waits until some come.  False at the end of input. */
static bool input_fill(struct gtp_input *input)
{
    ssize_t count;
    if (input->start == input->end)
        input->start = input->end = 0;
    memmove(input->bytes, input->bytes + input->start, input->end - input->start);
    input->end -= input->start;
    input->start = 0;
    do
        count = read(fileno(stdin), input->bytes + input->end, sizeof input->bytes - input->end);
    while (count < 0 && errno == EINTR);
    input->end += count > 0 ? (size_t)count : 0;
    return count > 0;
}

bool gtp_input_line(struct gtp_input *input, char *line)
{
    for (;;) {
        const char *start = input->bytes + input->start;
        size_t held = input->end - input->start;
        const char *newline = held ? memchr(start, '\n', held) : NULL;
        size_t length = newline ? (size_t)(newline - start) : held;
        if (newline || held == sizeof input->bytes || (!input_fill(input) && held > 0)) {
            if (length > GTP_LINE_MAX - 1)
                length = GTP_LINE_MAX - 1;
            memcpy(line, input->bytes + input->start, length);
            line[length] = 0;
            input->start += length + (newline && start + length == newline);
            return true;
        }
        if (input->end == input->start)
            return false;
    }
}

bool gtp_input_ready(struct gtp_input *input, int wait_ms)
{
    struct pollfd watched = {.fd = fileno(stdin), .events = POLLIN};
    if (input->end > input->start)
        return true;
    while (poll(&watched, 1, wait_ms) < 0)
        if (errno != EINTR)
            return true;
    return watched.revents != 0;
}
