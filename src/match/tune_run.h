/* The files of a tuning run: settings.txt, and results.txt with a line "K WINS DRAWS LOSSES" for
 * every iteration, in order. */
#ifndef MATCH_TUNE_RUN_H
#define MATCH_TUNE_RUN_H

#include "match/tune.h"

#include <stdio.h>

/* Results of the two games of an iteration, for the side whose values were moved along delta
 * (spsa.h). */
struct tune_score {
    int wins, draws, losses;
};

struct tune_run_files {
    FILE *results;             /* NULL: the run keeps no files */
    struct tune_score *scores; /* [count] of the iterations that are done; owned */
    int64_t count;
};

/* Opens the folder, which is made if it is not there.  settings: the text that identifies the run;
 * older: the bytes of it that earlier versions wrote, which get the rest.  BANYAN_INVALID: the folder
 * holds a run of other settings.  A line that was cut off is removed. */
enum banyan_status tune_run_open(struct tune_run_files *files, const char *folder,
                                 const char *settings, size_t older, struct banyan_error *err);

/* Adds the result of iteration k. */
enum banyan_status tune_run_add(struct tune_run_files *files, int64_t k,
                                const struct tune_score *score, struct banyan_error *err);

void tune_run_close(struct tune_run_files *files);

#endif
