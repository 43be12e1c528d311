/* Blood Bowl as JSON: the states, choices and team sheets of botbowl's recorded games.
 *
 *    head  --setup text-->  bb_state  <--load--  st
 *                              |  \--state-->  st, to compare and to show
 *                              +---choices-->  avail
 *
 * Players are written H3, A11 (team and shirt number), squares [x,y], teams "H", "A".
 */
#ifndef RECORDS_BLOODBOWL_JSON_H
#define RECORDS_BLOODBOWL_JSON_H

#include "games/bloodbowl/bloodbowl.h"

#include <jansson.h>

/* Sets *out to a new state with the teams and modes of a head. */
enum banyan_status bloodbowl_json_head(const json_t *head, struct bb_state *out,
                                       struct banyan_error *err);

/* Everything that a recorded state contains, as a new object (the caller owns the reference). */
json_t *bloodbowl_json_state(const struct bb_state *state);

/* Keeps the teams and modes of *state, and takes everything else from a recorded state in an
 * ordinary team turn or in an activation of it. */
enum banyan_status bloodbowl_json_load(const json_t *st, struct bb_state *state,
                                       struct banyan_error *err);

/* Whether bloodbowl_json_load can rebuild the stack of this state. */
bool bloodbowl_json_resumable(const json_t *st);

/* The choices of the state, as a new array. */
json_t *bloodbowl_json_choices(const struct bb_state *state);

/* Reads [type, player or null, square or null], and the path if there is one. */
enum banyan_status bloodbowl_json_action(const struct bb_state *state, const json_t *act,
                                         const json_t *path, struct bb_action *out,
                                         struct banyan_error *err);

#endif
