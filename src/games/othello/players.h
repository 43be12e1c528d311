/* What Othello has besides its rules: the evaluator and the player "endgame". */
#ifndef GAMES_OTHELLO_PLAYERS_H
#define GAMES_OTHELLO_PLAYERS_H

#include <banyan/evaluator.h>

/* endgame_player.c; struct banyan_offer says what the function does */
enum banyan_status othello_endgame_player(const struct banyan_game *game, const char *args,
                                          const struct banyan_offer *offers, uint64_t seed,
                                          struct banyan_player *out, struct banyan_error *err);

extern const struct banyan_offer othello_offers[]; /* name == NULL at the end */

#endif
