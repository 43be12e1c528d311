/* Progress of a long command on stderr: a bar that is redrawn on a terminal; otherwise a line
 * from time to time, so that a log stays readable. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what; /* unit of the work, borrowed: "positions" */
    uint64_t total;
    bool terminal;
    double started_s, shown_s;
};

void progress_start(struct progress *progress, const char *what, uint64_t total);
void progress_step(struct progress *progress, uint64_t done, const char *note);
void progress_end(struct progress *progress); /* removes the bar */

#endif
