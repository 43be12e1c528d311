/* The seam between a battle and whoever decides in it.
 *
 *     chooser --open--> one for all battles --begin--> one mind per battle
 *                                                       observe(line) ... observe(line)
 *                                                       choose(question) -> answer
 *
 * A mind hears every line of its battle, in order, after the tracker has taken it in; when a battle
 * is taken up again from its log, the old mind ends and a new one hears it all from the beginning.
 * All calls come from one thread.  A mind that fails, or answers what is not legal, costs nothing
 * but the decision: the client sends `default`.
 */
#ifndef SHOWDOWN_DECIDE_H
#define SHOWDOWN_DECIDE_H

#include "showdown/request.h"
#include "showdown/tracker.h"

#include <banyan/status.h>

struct decide_question {
    const struct request *request; /* borrowed, as all here; has at least one choice */
    const struct tracker *tracker;
    uint64_t
        seed; /* the same question with the same seed has the same answer, if time is no limit */
    double time_ms; /* to answer in; the client takes longer for a lost connection */
};

struct decide_answer {
    struct request_choice choice;
    char note[200];      /* what went not as it should, for the log; empty: nothing */
    char shown[40];      /* what the player thinks of the battle, for the live view */
    char different[200]; /* which, for the log */
    int differences;     /* choices that the engine and the request did not agree on */
    char *detail; /* a JSON object that tells why, for the dump; NULL: nothing; caller frees */
};

struct decide_chooser {
    const char *name, *help;

    /* settings: what follows the name, "simulations=1000"; empty when nothing does.  *self may stay
     * NULL where there is nothing to keep. */
    enum banyan_status (*open)(const char *settings, void **self, struct banyan_error *err);
    void (*close)(void *self);

    /* These may be NULL: a chooser without memory. */
    enum banyan_status (*begin)(void *self, const char *room, uint64_t seed, void **mind,
                                struct banyan_error *err);
    void (*observe)(void *mind, const struct tracker *tracker, const struct protocol_line *line);
    void (*end)(void *mind);

    enum banyan_status (*choose)(void *self, void *mind, const struct decide_question *question,
                                 struct decide_answer *answer, struct banyan_error *err);
};

/* The choosers there are, by index; NULL past the last. */
const struct decide_chooser *decide_chooser(int index);

/* A chooser that was opened by "name" or "name:settings". */
struct decide {
    const struct decide_chooser *chooser;
    void *self;
};

enum banyan_status decide_open(struct decide *decide, const char *text, struct banyan_error *err);
void decide_close(struct decide *decide);

/* Help lines, one per chooser.  As snprintf. */
int decide_help(char *out, size_t size);

/* Asks; an answer that is not among the request's choices is an error. */
enum banyan_status decide_choose(const struct decide *decide, void *mind,
                                 const struct decide_question *question,
                                 struct decide_answer *answer, struct banyan_error *err);

#endif
