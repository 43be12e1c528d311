/* Statuses as text, and errors with their messages (<banyan/status.h>). */
#include <banyan/status.h>

#include <stdarg.h>
#include <stdio.h>

enum banyan_status banyan_fail(struct banyan_error *err, enum banyan_status status,
                               const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        for (char *c = err->message; *c; ++c) /* the message may quote a user's text: replace
                                               * control characters, so that it stays one line */
            if ((unsigned char)*c < ' ' || *c == 0x7f)
                *c = '?';
        err->status = status;
    }
    return status;
}

const char *banyan_status_name(enum banyan_status status)
{
    static const char *const names[] = {
        [BANYAN_OK] = "ok",
        [BANYAN_INVALID] = "invalid",
        [BANYAN_ILLEGAL] = "illegal",
        [BANYAN_NOT_FOUND] = "not found",
        [BANYAN_IO] = "input/output",
        [BANYAN_CORRUPT] = "corrupt",
        [BANYAN_NO_MEMORY] = "no memory",
        [BANYAN_UNSUPPORTED] = "unsupported",
        [BANYAN_INTERRUPTED] = "interrupted",
    };
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}
