/* Lines of standard input for a command that may be in the middle of a long search: it can see the
 * next line without waiting for it. */
#ifndef CLI_NBOARD_LINES_H
#define CLI_NBOARD_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum { NBOARD_LINE_MAX = 65536 };

struct nboard_lines {
    int descriptor;
    char text[NBOARD_LINE_MAX]; /* what was read and not taken */
    size_t length;
    size_t taken; /* bytes at the start of text that belong to the line taken last */
    bool ended;   /* the input has ended */
};

/* Waits for the next line and returns it without its newline, valid until the next call; NULL: there
 * is none.  A line that is too long comes in parts. */
char *nboard_lines_next(struct nboard_lines *lines);

/* Whether the next line is already there and begins with word. */
bool nboard_lines_waiting(struct nboard_lines *lines, const char *word);

#endif
