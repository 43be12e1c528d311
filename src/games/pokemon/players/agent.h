/* The player "agent": the common search with the settings that play best here. */
#ifndef GAMES_POKEMON_PLAYERS_AGENT_H
#define GAMES_POKEMON_PLAYERS_AGENT_H

#include <banyan/options.h>
#include <banyan/player.h>
#include <banyan/search.h>

/* Who decides elsewhere (a client of a real server) begins with the same settings, and the evaluator
 * of this name. */
void agent_search_default(struct banyan_search_options *options);
#define AGENT_EVALUATOR "position"

/* See struct banyan_offer. */
enum banyan_status agent_create(const struct banyan_game *game, const char *args,
                                const struct banyan_offer *offers, uint64_t seed,
                                struct banyan_player *out, struct banyan_error *err);

#endif
