/* Replaces what a player has not seen of a state by a draw from their belief. */
#include "games/pokemon/battle.h"
#include "games/pokemon/belief.h"

void hidden_determinize(const struct banyan_game *game, void *state, int viewer,
                        struct banyan_rng *rng)
{
    struct belief belief;
    belief_start(&belief, viewer);
    belief_draw(&belief, state, state, rng);
}
