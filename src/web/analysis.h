/* A search that a page watches: it runs in slices, and between two slices it can be looked at.
 *
 *     analysis_open --> analysis_aim --> analysis_slice ... --> analysis_root, tree_rows_json
 *                            ^                                        |
 *                            +------- run, step, pause, goto ---------+
 *
 * With one thread a search in slices makes the same tree as a search at once, and the same seed
 * makes the same tree again.  So going back to simulation k means running anew up to k.
 */
#ifndef WEB_ANALYSIS_H
#define WEB_ANALYSIS_H

#include <banyan/evaluator.h>
#include <banyan/search.h>
#include <banyan/stop.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What is to be searched; texts are borrowed for the call; NULL or "": the default. */
struct analysis_question {
    const char *game, *position, *moves, *options, *evaluator;
};

struct analysis {
    const struct banyan_game *game; /* NULL: nothing is open */
    void *state;
    int viewer; /* who searches; -1: the first mover */
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    char *evaluator_text;
    struct banyan_search *search;
    int64_t done, target; /* simulations; done < target: it runs */
    int64_t slice;        /* simulations of the next slice */
    double wall_ms, cpu_ms;
    banyan_flag stop; /* set by another thread to end a slice early */
};

/* Opens a search in place of the one before.  On failure nothing is open. */
enum banyan_status analysis_open(struct analysis *analysis,
                                 const struct analysis_question *question,
                                 struct banyan_error *err);
/* As analysis_open, but searches `state` (copied), not the question's position and moves.  viewer:
 * the player whose knowledge is used; -1: the first mover. */
enum banyan_status analysis_open_at(struct analysis *analysis,
                                    const struct analysis_question *question, const void *state,
                                    int viewer, struct banyan_error *err);
void analysis_close(struct analysis *analysis);

/* Sets at which simulation the search pauses; if it has passed that one, it runs anew from the
 * start. */
enum banyan_status analysis_aim(struct analysis *analysis, int64_t target,
                                struct banyan_error *err);

/* Runs for about ANALYSIS_SLICE_MS, or to the target; with rule=gumbel or agree=on always to the
 * target. The search ends early when the result is proven. */
enum { ANALYSIS_SLICE_MS = 20 };
enum banyan_status analysis_slice(struct analysis *analysis, struct banyan_error *err);

static inline bool analysis_is_running(const struct analysis *analysis)
{
    return analysis->search && analysis->done < analysis->target;
}

/* The table of root moves and the figures of the open search (docs/json.md, "search"); caller frees. */
json_t *analysis_root(const struct analysis *analysis);

/* The positions of the principal variation, at most ANALYSIS_LINE: "action", and "position" (describe.h) after it.
 * Empty where an action does not lead to one known position: with dice, hidden cards or simultaneous choices.  Caller
 * frees. */
enum { ANALYSIS_LINE = 8 };
json_t *analysis_line(const struct analysis *analysis);

/* From whose side the position is shown; -1: all of it is shown. */
int analysis_viewer(const struct analysis *analysis);

#endif
