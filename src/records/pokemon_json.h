/* Converts battles recorded by tools/showdown_trace.js to Banyan's states, dice and actions. */
#ifndef RECORDS_POKEMON_JSON_H
#define RECORDS_POKEMON_JSON_H

#include "games/pokemon/pokemon.h"

#include <jansson.h>

/* The two teams of a game record as a setup text: out[size]. */
enum banyan_status pokemon_json_teams(const json_t *game, char *out, size_t size,
                                      struct banyan_error *err);

/* The state of a step record, with the teams of its game.  `step` has the members s and rq. */
enum banyan_status pokemon_json_state(const json_t *game, const json_t *step, struct pokemon *out,
                                      struct banyan_error *err);

/* The recorded random calls as dice of the game; calls that the game does not need are left out.
 * Returns their number, or -1 when there are more than max. */
int pokemon_json_dice(const json_t *calls, struct banyan_die *out, int max);

/* A recorded choice ("move 2 dynamax", "switch 3") of a player who got this request in this state;
 * 0: it cannot be read. */
banyan_action pokemon_json_choice(const struct pokemon *state, int player, const json_t *request,
                                  const char *choice);

#endif
