/* The player "agent": the library's search with the settings that play best in this game. */
#ifndef GAMES_POKEMON_PLAYERS_AGENT_H
#define GAMES_POKEMON_PLAYERS_AGENT_H

#include <banyan/options.h>
#include <banyan/player.h>
#include <banyan/search.h>

/* Fills in the search settings of this player.  The client of a real server starts with the same
 * settings and with the evaluator of this name. */
void agent_search_default(struct banyan_search_options *options);
#define AGENT_EVALUATOR "position"

/* Makes the player; struct banyan_offer describes such functions. */
enum banyan_status agent_create(const struct banyan_game *game, const char *args,
                                const struct banyan_offer *offers, uint64_t seed,
                                struct banyan_player *out, struct banyan_error *err);

#endif
