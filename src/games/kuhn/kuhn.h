/* Kuhn poker: three cards, two players, one bet.  It is the smallest game with hidden cards in
 * which a good player must bluff.  Kuhn (1950) gives its solution.
 *
 *     check ----- check   show, 1              Each player puts in 1 and gets one card of
 *       |    \--- bet --- fold   1             J, Q, K; nobody sees the third card.
 *       |            \--- call   show, 2       At a showdown (show) the higher card wins.
 *     bet ------- fold    1
 *            \--- call    show, 2 */
#ifndef GAMES_KUHN_H
#define GAMES_KUHN_H

#include <banyan/game.h>

#include <assert.h>

enum { KUHN_CARDS = 3, KUHN_PLIES = 3 };

/* Check and fold are one action, bet and call the other. */
enum kuhn_action { KUHN_PASS, KUHN_BET };

struct kuhn {
    uint8_t card[2]; /* 0 J, 1 Q, 2 K */
    uint8_t plies;
    uint8_t bets; /* bit i is set when ply i was a bet or a call */
};

static_assert(sizeof(struct kuhn) == 4, "no padding");

const struct banyan_game *kuhn_variant(int index);

#endif
