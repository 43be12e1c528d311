/* Replays recorded games of Blood Bowl decision by decision, without comparing states.
 *
 *    head --> move --> move --> ... --> end --> head --> ...
 *
 * When a move has been returned, the state is still the one before it; the next call plays the
 * move.
 */
#ifndef RECORDS_BLOODBOWL_REPLAY_H
#define RECORDS_BLOODBOWL_REPLAY_H

#include "games/bloodbowl/bloodbowl.h"
#include "records/records.h"

#include <jansson.h>

enum { BLOODBOWL_MAX_DICE = 256 };

struct bloodbowl_move {
    struct bb_action action;
    int dice_count;
    struct banyan_die dice[BLOODBOWL_MAX_DICE];
};

enum bloodbowl_event {
    BLOODBOWL_HEAD, /* a new game: state is its start */
    BLOODBOWL_MOVE, /* a decision in state */
    BLOODBOWL_CRASH,
    BLOODBOWL_END, /* state is the last one */
    BLOODBOWL_DONE /* there are no more lines */
};

struct bloodbowl_replay;

/* The caller closes the replay. */
enum banyan_status bloodbowl_replay_open(const char *path, struct bloodbowl_replay **out,
                                         struct banyan_error *err);

/* The same for a source, which is borrowed until the replay is closed. */
enum banyan_status bloodbowl_replay_from(struct records_source *source,
                                         struct bloodbowl_replay **out, struct banyan_error *err);
void bloodbowl_replay_close(struct bloodbowl_replay *replay);
enum banyan_status bloodbowl_replay_next(struct bloodbowl_replay *replay,
                                         enum bloodbowl_event *event, struct banyan_error *err);

/* Both are borrowed until the next call. */
const struct bb_state *bloodbowl_replay_state(const struct bloodbowl_replay *replay);
const struct bloodbowl_move *bloodbowl_replay_move(const struct bloodbowl_replay *replay);

/* Reads action and dice of a recorded step; BANYAN_ILLEGAL: the state does not offer the action. */
enum banyan_status bloodbowl_move_read(const struct bb_state *state, const json_t *step,
                                       struct bloodbowl_move *out, struct banyan_error *err);

/* Plays the move with its dice, which must fit and all be used; otherwise state stays as it was. */
enum banyan_status bloodbowl_move_play(const struct bloodbowl_move *move, struct bb_state *state,
                                       struct banyan_error *err);

#endif
