/* Evaluators and players that the program has in every game besides the library's: the argument
 * `offers` of banyan_evaluator_create and banyan_player_create wherever the program reads a
 * user's text. */
#ifndef PLAYERS_PROGRAM_OFFERS_H
#define PLAYERS_PROGRAM_OFFERS_H

#include "players/player.h"

extern const struct banyan_offer program_offers[]; /* net, exec, human; name == NULL at the end */

/* The same without those that start other programs or ask the user: for texts that come from a web page. */
extern const struct banyan_offer program_offers_inside[];

player_create_fn player_exec_create;
player_create_fn player_gtp_create; /* "exec:gtp:..." */
player_create_fn player_human_create;

#endif
