/* What Othello offers beyond its rules: the evaluator "endgame". */
#ifndef GAMES_OTHELLO_ENDGAME_OFFER_H
#define GAMES_OTHELLO_ENDGAME_OFFER_H

#include <banyan/evaluator.h>

extern const struct banyan_offer othello_offers[]; /* name == NULL at the end */

#endif
