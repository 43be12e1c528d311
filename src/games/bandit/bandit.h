/* The multi-armed bandit: one player chooses one arm, once; each arm wins with its own probability.
 *
 * It is the smallest game of chance.  Its search tree is one node, so a selection rule must behave
 * here as the theory of bandits says.  Setup: each arm's probability of winning, as in "0.9 0.6".
 */
#ifndef GAMES_BANDIT_H
#define GAMES_BANDIT_H

#include <banyan/game.h>

#include <assert.h>

enum { BANDIT_MAX_ARMS = 16, BANDIT_UNIT = 1000000 };

enum bandit_die { BANDIT_WIN };

struct bandit {
    uint32_t chance[BANDIT_MAX_ARMS]; /* of winning, in millionths */
    uint8_t arms;
    uint8_t pulled; /* 0: no arm yet, otherwise arm + 1 */
    uint8_t won;    /* 0, 1 */
    uint8_t zero;
};

static_assert(sizeof(struct bandit) == 4 * BANDIT_MAX_ARMS + 4, "no padding");

const struct banyan_game *bandit_variant(int index);

#endif
