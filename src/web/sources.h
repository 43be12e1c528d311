/* What the program was told to show: where recorded games, matches and runs of training lie. */
#ifndef WEB_SOURCES_H
#define WEB_SOURCES_H

#include <stdbool.h>

enum { SOURCES_RUNS = 16 };

struct host;

/* Texts are borrowed. */
struct sources {
    const char *games;              /* folder of recorded games; NULL: none */
    const char *showdown;           /* folder of `showdown --save`; NULL: none */
    const char *db;                 /* database of `match --db`; NULL: none */
    const char *runs[SOURCES_RUNS]; /* folders of `train` */
    int run_count;
    struct host *host; /* plays the matches that pages start; NULL: none can be started */
};

/* Adds a run; there must be fewer than SOURCES_RUNS.  False: another run has the same name. */
bool sources_add_run(struct sources *sources, const char *folder);

/* The run that is called name[length]: the last part of its folder's path.  -1: there is none. */
int sources_find_run(const struct sources *sources, const char *name, int length);

/* The name of a run, without a 0 at its end, and its length. */
const char *sources_run_name(const struct sources *sources, int run, int *length);

#endif
