/* Lines of standard input that can be seen before they are taken. */
#include "cli/nboard_lines.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Reads the bytes that have come; if wait is set and there are none, waits for some. */
static void nboard_lines_fill(struct nboard_lines *lines, bool wait)
{
    struct pollfd input = {.fd = lines->descriptor, .events = POLLIN};
    size_t room = sizeof lines->text - 1 - lines->length;
    if (lines->ended || !room || (!wait && poll(&input, 1, 0) <= 0))
        return;
    ssize_t count = read(lines->descriptor, lines->text + lines->length, room);
    if (count > 0)
        lines->length += (size_t)count;
    else if (count == 0 || errno != EINTR)
        lines->ended = true;
    for (size_t i = lines->length - (count > 0 ? (size_t)count : 0); i < lines->length; ++i)
        if (!lines->text[i])
            lines->text[i] = ' '; /* a zero byte would end the text */
    lines->text[lines->length] = 0;
}

/* Forgets the line that was taken last. */
static void nboard_lines_drop(struct nboard_lines *lines)
{
    lines->length -= lines->taken;
    memmove(lines->text, lines->text + lines->taken, lines->length);
    lines->text[lines->length] = 0;
    lines->taken = 0;
}

char *nboard_lines_next(struct nboard_lines *lines)
{
    nboard_lines_drop(lines);
    while (!strchr(lines->text, '\n') && !lines->ended && lines->length < sizeof lines->text - 1)
        nboard_lines_fill(lines, true);
    if (!lines->length)
        return NULL;
    size_t length = strcspn(lines->text, "\n");
    lines->taken = length < lines->length ? length + 1 : length;
    lines->text[length] = 0;
    return lines->text;
}

bool nboard_lines_waiting(struct nboard_lines *lines, const char *word)
{
    const char *next = lines->text + lines->taken;
    size_t length = strlen(word);
    nboard_lines_fill(lines, false);
    return strchr(next, '\n') && strncmp(next, word, length) == 0 &&
           (next[length] == ' ' || next[length] == '\n' || next[length] == '\r');
}
