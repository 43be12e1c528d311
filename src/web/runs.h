/* Runs of training for a page that shows them: their databases, read while `train` goes on.
 *
 *     runs_changed --> runs_list_json, runs_json --> topics
 */
#ifndef WEB_RUNS_H
#define WEB_RUNS_H

#include "match/follow.h"
#include "records/game_record.h"
#include "web/sources.h"

#include <jansson.h>

enum { RUNS_POINTS = 2000, RUNS_GAMES = 20, RUNS_PATH = 4096 };

struct runs_one {
    const char *folder;   /* borrowed */
    char path[RUNS_PATH]; /* of the run's database */
    struct follow follow;
    bool is_running;
};

struct runs {
    const struct sources *sources; /* borrowed */
    int count;
    struct runs_one one[SOURCES_RUNS];
};

void runs_begin(struct runs *runs, const struct sources *sources);
void runs_end(struct runs *runs);

/* The names of all runs, as an array; sources: NULL: none.  Caller frees. */
json_t *runs_names_json(const struct sources *sources);

/* Whether one of the runs (which: bits) has changed since the last call. */
bool runs_changed(struct runs *runs, unsigned which);

/* Each run in one row: how far it is, and its last tests.  Caller frees. */
json_t *runs_list_json(struct runs *runs);

/* The runs (bits) with their curves: at most RUNS_POINTS generations of each, evenly spaced, and the last one.
 * Caller frees. */
json_t *runs_json(struct runs *runs, unsigned which);

/* Reads a game of a run's self-play; number from 0.  BANYAN_NOT_FOUND: the run does not have it.  The caller frees *out
 * with game_record_free. */
enum banyan_status runs_record(struct runs *runs, int run, int64_t generation, int64_t number,
                               struct game_record *out, struct banyan_error *err);

#endif
