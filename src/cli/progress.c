/* Shows the progress of a long command on stderr. */
#include "cli/progress.h"

#include "cli/timing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PROGRESS_WIDTH = 30 };

static const double progress_bar_s = 0.1; /* between two drawings of the bar */
static const double progress_line_s = 10; /* between two lines in a log */

void progress_start(struct progress *progress, const char *what, uint64_t total)
{
    *progress = (struct progress){.what = what, .total = total, .terminal = isatty(2)};
    progress->started_s = progress->shown_s = timing_wall_s();
}

void progress_step(struct progress *progress, uint64_t done, const char *note)
{
    double now = timing_wall_s();
    if (now - progress->shown_s < (progress->terminal ? progress_bar_s : progress_line_s))
        return;
    progress->shown_s = now;
    double elapsed = now - progress->started_s;
    double left = done ? elapsed * (double)(progress->total - done) / (double)done : 0;
    if (!progress->terminal) {
        fprintf(stderr, "%" PRIu64 "/%" PRIu64 " %s, %.0f s, about %.0f s left %s\n", done,
                progress->total, progress->what, elapsed, left, note ? note : "");
        return;
    }
    int filled = progress->total ? (int)(done * PROGRESS_WIDTH / progress->total) : 0;
    fprintf(stderr, "\r[%.*s%*s] %" PRIu64 "/%" PRIu64 " %s, %.0f s left %-30.30s", filled,
            "##############################", PROGRESS_WIDTH - filled, "", done, progress->total,
            progress->what, left, note ? note : "");
}

void progress_end(struct progress *progress)
{
    if (progress->terminal && progress->shown_s > progress->started_s)
        fprintf(stderr, "\r%100s\r", "");
}
