/* A program outside of Banyan that uses the installed library: it plays Nim, which Banyan does not
 * know, and finds the games that it does. */
#include "nim.h"

#include <banyan/dice.h>
#include <banyan/game.h>
#include <banyan/rng.h>

#include <stdio.h>

int main(void)
{
    struct nim_state state;
    struct banyan_rng rng;
    struct banyan_error err;
    const struct banyan_game *game;
    banyan_action legal[NIM_HEAPS * NIM_MAX_HEAP], joint[2];

    banyan_rng_seed(&rng, 1);
    if (nim_game.init(&state, NULL, &rng, &err) != BANYAN_OK)
        return 1;
    while (nim_game.movers(&state)) {
        char text[16];
        int count = nim_game.legal(&state, state.mover, legal);
        joint[state.mover] = legal[banyan_rng_below(&rng, (uint32_t)count)];
        nim_game.action_format(&state, state.mover, joint[state.mover], text, sizeof text);
        printf("player %d takes %s\n", state.mover + 1, text);
        nim_game.apply(&state, joint, NULL);
    }
    if (banyan_game_find("nim", &game, &err) != BANYAN_NOT_FOUND)
        return 1;
    printf("%s\nnim works\n", err.message);
    return 0;
}
