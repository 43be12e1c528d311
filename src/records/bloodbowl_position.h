/* A position of Blood Bowl as one JSON object (docs/json.md): the teams and the whole state.
 *
 *    {"game":"bloodbowl", "variant":11, "mode":"path", "ask":["bot","bot"], "quirks":"botbowl",
 *     "home":{team sheet}, "away":{team sheet}, "st":{recorded state}, "engine":"text"}
 *
 * "engine" is the game's own text of the state; with it the object can describe any state of a
 * game. An object without it, as another program writes it, is a position in an ordinary team turn
 * or in an activation of it.
 */
#ifndef RECORDS_BLOODBOWL_POSITION_H
#define RECORDS_BLOODBOWL_POSITION_H

#include "games/bloodbowl/bloodbowl.h"

#include <jansson.h>

/* Returns a new reference. */
json_t *bloodbowl_position_write(const struct bb_state *state);

/* Reads strictly: nothing may be missing, unknown, out of range or contradictory.  Otherwise the
 * error says in one line what is wrong, and *out stays as it was. */
enum banyan_status bloodbowl_position_read(const json_t *position, struct bb_state *out,
                                           struct banyan_error *err);
enum banyan_status bloodbowl_position_parse(const char *text, size_t length, struct bb_state *out,
                                            struct banyan_error *err);

#endif
