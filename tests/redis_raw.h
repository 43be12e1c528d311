/* Commands to a Redis server from outside of the program: one line out, one answer back. */
#ifndef TESTS_REDIS_RAW_H
#define TESTS_REDIS_RAW_H

#include "redis_server.h"

/* Sends words (NULL at the end) as one command; false: no answer, or an error.  answer[size] gets its
 * beginning; NULL: nobody wants it. */
static inline bool redis_raw(const struct redis_server *server, const char *const words[],
                             char *answer, size_t size)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char command[4096], text[4096] = "";
    int count = 0, length = 0;
    while (words[count])
        ++count;
    length = snprintf(command, sizeof command, "*%d\r\n", count);
    for (int i = 0; i < count && length < (int)sizeof command; ++i)
        length += snprintf(command + length, sizeof command - (size_t)length, "$%zu\r\n%s\r\n",
                           strlen(words[i]), words[i]);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", server->socket);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    ssize_t got = -1;
    if (length < (int)sizeof command &&
        connect(file, (struct sockaddr *)&address, sizeof address) == 0 &&
        write(file, command, (size_t)length) == length)
        got = read(file, text, sizeof text - 1);
    close(file);
    if (answer)
        snprintf(answer, size, "%s", text);
    return got > 0 && text[0] != '-';
}

#endif
