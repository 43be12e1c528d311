/* Blood Bowl as JSON: the state, the choices and the team sheets of botbowl's recorded games.
 *
 *     head  --setup text-->  bb_state  <--load--  st
 *                               |  \--state-->  st, to compare and to show
 *                               +---choices-->  avail
 *
 * Players are written H3, A11 (team and shirt number), squares [x,y], teams "H", "A".
 */
#ifndef RECORDS_BLOODBOWL_JSON_H
#define RECORDS_BLOODBOWL_JSON_H

#include "games/bloodbowl/bloodbowl.h"

#include <jansson.h>

/* A fresh state with the teams and modes of a head; index of its variant, or an error. */
enum banyan_status bloodbowl_json_head(const json_t *head, struct bb_state *out,
                                       struct banyan_error *err);

/* Everything that a recorded state tells, as a new object (caller's reference). */
json_t *bloodbowl_json_state(const struct bb_state *state);

/* Keeps teams and modes of *state, and takes all else from a recorded state in an ordinary team turn, or
 * in an activation of it: whatever the game of *state was, it leaves no trace. */
enum banyan_status bloodbowl_json_load(const json_t *st, struct bb_state *state,
                                       struct banyan_error *err);

/* True when the stack is one that load can rebuild. */
bool bloodbowl_json_resumable(const json_t *st);

/* What the state offers, as a new array. */
json_t *bloodbowl_json_choices(const struct bb_state *state);

/* [type, player or null, square or null], and the path if there is one. */
enum banyan_status bloodbowl_json_action(const struct bb_state *state, const json_t *act,
                                         const json_t *path, struct bb_action *out,
                                         struct banyan_error *err);

#endif
