/* The interface between a battle and the chooser that decides in it.
 *
 *    chooser --open--> one for all battles --begin--> one memory per battle
 *                                                      observe(line) ... observe(line)
 *                                                      choose(question) -> answer
 *
 * The memory of a battle is told every line, in order, after the tracker has read it.  When a
 * battle is rebuilt from its log, the old memory ends and a new one is told all lines from the
 * beginning. All calls come from one thread.  If a chooser fails, or its answer is not legal, the
 * client sends `default` for this decision.
 */
#ifndef SHOWDOWN_DECIDE_H
#define SHOWDOWN_DECIDE_H

#include "showdown/request.h"
#include "showdown/tracker.h"

#include <banyan/status.h>

struct decide_question {
    const struct request *request; /* borrowed, like all pointers here; has at least one choice */
    const struct tracker *tracker;
    uint64_t seed;  /* the same question with the same seed has the same answer, unless time is the
               * limit */
    double time_ms; /* time for the answer; a client that is busy for longer loses its connection */
};

struct decide_answer {
    struct request_choice choice;
    char note[200];      /* a problem, for the log; empty: none */
    char shown[40];      /* the chooser's estimate of the battle, for the live view */
    char different[200]; /* the differing choices, for the log */
    int differences;     /* number of choices that only the game or only the request has */
    char *detail; /* a JSON object with the reasons, for the dump; NULL: none; the caller frees
                   * it */
};

struct decide_chooser {
    const char *name, *help;

    /* settings: the text after the name, such as "simulations=1000"; may be empty.  *self may stay
     * NULL if there is nothing to store. */
    enum banyan_status (*open)(const char *settings, void **self, struct banyan_error *err);
    void (*close)(void *self);

    /* These may be NULL for a chooser without memory. */
    enum banyan_status (*begin)(void *self, const char *room, uint64_t seed, void **memory,
                                struct banyan_error *err);
    void (*observe)(void *memory, const struct tracker *tracker, const struct protocol_line *line);
    void (*end)(void *memory);

    enum banyan_status (*choose)(void *self, void *memory, const struct decide_question *question,
                                 struct decide_answer *answer, struct banyan_error *err);
};

/* The chooser with this index; NULL past the last. */
const struct decide_chooser *decide_chooser(int index);

/* A chooser opened by "name" or "name:settings". */
struct decide {
    const struct decide_chooser *chooser;
    void *self;
};

enum banyan_status decide_open(struct decide *decide, const char *text, struct banyan_error *err);
void decide_close(struct decide *decide);

/* Writes help lines, one for each chooser; returns what snprintf returns. */
int decide_help(char *out, size_t size);

/* Asks the chooser; it is an error if the answer is not one of the request's choices. */
enum banyan_status decide_choose(const struct decide *decide, void *memory,
                                 const struct decide_question *question,
                                 struct decide_answer *answer, struct banyan_error *err);

#endif
