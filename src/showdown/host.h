/* What battles and the lobby need from the program that runs them: sending and logging.
 *
 * Battles and the lobby do no input and output themselves, so a test can play the server.
 */
#ifndef SHOWDOWN_HOST_H
#define SHOWDOWN_HOST_H

#include <stddef.h>

enum host_level { HOST_DETAIL, HOST_NOTE, HOST_WARNING };

struct host {
    void *self;
    /* Sends text, which is copied.  room: "" for the server itself. */
    void (*send)(void *self, const char *room, const char *text);
    /* Logs one line, without its line end. */
    void (*say)(void *self, enum host_level level, const char *line);
};

/* Calls host->say with formatted text; text that is too long is cut. */
void host_say(const struct host *host, enum host_level level, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Calls host->send with formatted text; text that is too long is cut. */
void host_send(const struct host *host, const char *room, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
