/* How a banyan function reports that something outside the program went wrong.
 *
 * Programming errors are assertions.  What a user, a file, a server or a full
 * disk can cause is a status, and (if the caller passed a struct for it) an error
 * whose message names what is wrong and says what to do.  The library never exits and
 * never prints.
 *
 * Threads: any thread; an error belongs to the thread that passes it.
 */
#ifndef BANYAN_STATUS_H
#define BANYAN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

enum banyan_status {
    BANYAN_OK = 0,
    BANYAN_INVALID,     /* an argument, option or text that is not valid */
    BANYAN_ILLEGAL,     /* a well-formed action that the rules forbid here */
    BANYAN_NOT_FOUND,   /* no game, player, file ... of that name */
    BANYAN_IO,          /* the operating system refused: message has its reason */
    BANYAN_CORRUPT,     /* a file or message that is not what it claims to be */
    BANYAN_NO_MEMORY,   /* a limit in bytes was reached, or the system gives no memory */
    BANYAN_UNSUPPORTED, /* not possible for this game, this build, or a struct of this size */
    BANYAN_INTERRUPTED  /* the caller asked to stop */
};

enum { BANYAN_MESSAGE_MAX = 480 };

struct banyan_error {
    enum banyan_status status;
    char message[BANYAN_MESSAGE_MAX]; /* one line, no newline at the end */
};

/* Fills *err (may be NULL) from a printf format and returns status, so that a
 * function can say `return banyan_fail(err, BANYAN_INVALID, ...)`. */
enum banyan_status banyan_fail(struct banyan_error *err, enum banyan_status status,
                               const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* "ok", "invalid", ...; static storage. */
const char *banyan_status_name(enum banyan_status status);

#ifdef __cplusplus
}
#endif
#endif
