/* A search for one decision; the states that it starts from are drawn from a belief.
 *
 *    root, belief, seed --> banyan_search_run (states from belief_draw) --> table of own actions, and what
 *                                                                           the search expects
 *
 * The same root, belief, seed, settings and number of simulations give the same table.
 */
#ifndef SHOWDOWN_SEARCHING_H
#define SHOWDOWN_SEARCHING_H

#include "games/pokemon/belief.h"
#include "games/pokemon/players/agent.h"
#include "showdown/expected.h"

#include <banyan/evaluator.h>
#include <banyan/options.h>
#include <banyan/search.h>

enum { SEARCHING_ACTIONS = 16 };

struct searching_settings {
    struct banyan_search_options search; /* the first member, so that the offsets of its option
                                          * table are valid here */
    int64_t simulations;                 /* 0: as many as the time allows */
    char evaluator[AGENT_TEXT];
};

struct searching {
    struct searching_settings settings;
    char text[AGENT_TEXT]; /* the settings as they were given; all others are those of the player
                            * "agent" */
    const struct banyan_game *game;
    struct banyan_evaluator evaluator;

    /* of the last decision */
    struct banyan_search_move rows[SEARCHING_ACTIONS]; /* most visited first */
    int row_count;
    struct banyan_search_stats stats;
    banyan_action chosen;
    double value; /* mean return of the chosen action */
    struct expected expected;
    double prepare_ms; /* time for making the tree, before the search */
};

enum banyan_status searching_open(struct searching *searching, const char *settings,
                                  struct banyan_error *err);
void searching_close(struct searching *searching);

/* Help lines for all settings. */
int searching_help(char *out, size_t size);

/* What is searched, and for how long: a time, a number of simulations, or both must be given. */
struct searching_task {
    const struct pokemon *root;
    const struct belief *belief;
    uint64_t seed;
    double time_ms;      /* 0: no limit; not used if the settings limit the simulations */
    int64_t simulations; /* 0: those of the settings */
};
enum banyan_status searching_run(struct searching *searching, const struct searching_task *task,
                                 struct banyan_error *err);

#endif
