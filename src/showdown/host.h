/* What battles and the lobby want from whoever runs them: a wire, a log, a clock.
 *
 * They do no input and output of their own, so that a test can be the server.
 */
#ifndef SHOWDOWN_HOST_H
#define SHOWDOWN_HOST_H

#include <stddef.h>

enum host_level { HOST_DETAIL, HOST_NOTE, HOST_WARNING };

struct host {
    void *self;
    /* room: "" for the server itself.  Copied. */
    void (*send)(void *self, const char *room, const char *text);
    /* One line for a human, without its end. */
    void (*say)(void *self, enum host_level level, const char *line);
};

/* host->say of a printf format; what does not fit is cut. */
void host_say(const struct host *host, enum host_level level, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* host->send of a printf format. */
void host_send(const struct host *host, const char *room, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif
