/* A search of every position of a recorded game: what the players could expect, and what each choice cost them.
 *
 *     position --> a search                        --> values; the best action
 *              --> a search of the best action alone   --> its value
 *              --> a search of the played action alone --> its value; loss = the difference
 *
 * All searches start before the dice fall, so bad luck does not count as a loss.  If cards are
 * hidden, each player who chooses has their own searches, which know only what this player knew.
 * Sweeps of one record are always the same.
 */
#ifndef WEB_SWEEP_H
#define WEB_SWEEP_H

#include "records/game_record.h"
#include "web/analysis.h"

struct sweep {
    struct game_record *record; /* borrowed; NULL: nothing is open */
    struct game_replay at;      /* the position that is searched */
    struct analysis analysis;
    int64_t simulations; /* of each search */
    bool running;
    int viewer;         /* who searches; -1: nothing is hidden */
    int judged;         /* whose actions are searched alone; -1: all actions are searched */
    unsigned pending;   /* bits: whose actions are still to be searched alone */
    banyan_action only; /* the action of judged */
    struct banyan_search_move best[BANYAN_MAX_PLAYERS]; /* of this position */
    json_t *now[3];     /* of this position: values, best, loss; owned */
    json_t *columns[3]; /* of all positions before; owned */
};

/* Begins a sweep of record, borrowed until sweep_close, in place of the one before.  BANYAN_ILLEGAL and others: the
 * rules do not allow the record; then nothing is open. */
enum banyan_status sweep_open(struct sweep *sweep, struct game_record *record, int64_t simulations,
                              struct banyan_error *err);
void sweep_close(struct sweep *sweep);

/* Searches on for a slice (analysis.h).  *ended: a position is done, or all are. */
enum banyan_status sweep_work(struct sweep *sweep, bool *ended, struct banyan_error *err);

/* Ends the sweep; its results are kept. */
void sweep_stop(struct sweep *sweep);

/* "plies", "done" (how many were searched), "running", "simulations", and arrays by ply and player: "values" (the
 * expected return), "best" (an action), "loss" (expected return that the played action gave away); null: not known, or
 * the player did not choose.  Caller frees. */
json_t *sweep_json(const struct sweep *sweep);

#endif
