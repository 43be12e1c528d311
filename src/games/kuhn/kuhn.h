/* Kuhn poker: three cards, two players, one bet.  The smallest game with
 * hidden cards in which bluffing is right, and solved by hand (Kuhn 1950).
 *
 *      check ----- check   show, 1              Both put in 1 and get one card of
 *        |    \--- bet --- fold   1             J, Q, K; the third stays unseen.
 *        |            \--- call   show, 2       The higher card wins what is shown.
 *      bet ------- fold    1
 *             \--- call    show, 2
 */
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
    uint8_t bets; /* bit i: ply i was a bet */
};

static_assert(sizeof(struct kuhn) == 4, "no padding");

const struct banyan_game *kuhn_variant(int index);

#endif
