/* How far a long command is: a bar that is drawn over itself on a terminal, else a line now and
 * then, so that a log stays readable.  All of it goes to stderr. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what; /* borrowed: "positions" */
    uint64_t total;
    bool terminal;
    double started_s, shown_s;
};

void progress_start(struct progress *progress, const char *what, uint64_t total);
void progress_step(struct progress *progress, uint64_t done, const char *note);
void progress_end(struct progress *progress); /* removes the bar */

#endif
