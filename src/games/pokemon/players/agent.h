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
enum { AGENT_TEXT = 4096 }; /* bytes of a player's options */

/* Reads options by a table of settings, and points (points.h).  evaluator, the text of these settings, must be
 * AGENT_EVALUATOR if there are points, which are added to it. */
enum banyan_status agent_options(const struct banyan_option *table, void *settings,
                                 char evaluator[AGENT_TEXT], const char *args,
                                 struct banyan_error *err);

/* Makes the player; struct banyan_offer describes such functions. */
enum banyan_status agent_create(const struct banyan_game *game, const char *args,
                                const struct banyan_offer *offers, uint64_t seed,
                                struct banyan_player *out, struct banyan_error *err);

#endif
