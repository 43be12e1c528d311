/* What a player knows of a battle, as numbers with names, and where actions stand in a policy. */
#ifndef GAMES_POKEMON_OBSERVE_H
#define GAMES_POKEMON_OBSERVE_H

#include <banyan/observe.h>

enum {
    OBSERVE_MOVE = 0,    /* four slots */
    OBSERVE_DYNAMAX = 4, /* four slots */
    OBSERVE_SWITCH = 8,  /* to Pokémon 1..5 of the player's order */
    OBSERVE_OTHER = 13,  /* a move that is in no slot */
    OBSERVE_POLICY = 14
};

/* features, observe and policy_index of struct banyan_game. */
extern const struct banyan_feature pokemon_features[];
void pokemon_observe(const struct banyan_game *game, const void *state, int viewer, float *out);
int pokemon_policy_index(const struct banyan_game *game, const void *state, int player,
                         banyan_action action);

#endif
