/* What the program was told to show: where recorded games, matches and runs of training lie. */
#ifndef WEB_SOURCES_H
#define WEB_SOURCES_H

enum { SOURCES_RUNS = 16 };

struct host;

/* Texts are borrowed. */
struct sources {
    const char *games;              /* folder of recorded games; NULL: none */
    const char *db;                 /* database of `match --db`; NULL: none */
    const char *runs[SOURCES_RUNS]; /* folders of `train` */
    int run_count;
    struct host *host; /* plays the matches that pages start; NULL: none can be started */
};

#endif
