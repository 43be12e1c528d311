/* Players by name, for a game that Banyan does not know: `mcts:` plays Nim against `random`.  The
 * program runs the whole game: it asks the player who has to move, applies the action, and tells
 * every player the result. */
#include "nim.h"

#include <banyan/player.h>

#include <stdio.h>

static const char *const names[2] = {"mcts:simulations=2000,transpositions=on", "random"};

static enum banyan_status begin(struct banyan_player players[2], const struct nim_state *state,
                                struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int seat = 0; seat < 2 && status == BANYAN_OK; ++seat) {
        status = banyan_player_create(&nim_game, names[seat], NULL, 1, &players[seat], err);
        if (status == BANYAN_OK)
            status = players[seat].open(players[seat].ctx, state, seat, 7, err);
    }
    return status;
}

/* One decision of the player who has to move. */
static enum banyan_status step(struct banyan_player players[2], struct nim_state *state,
                               struct banyan_player_clock *clock, struct banyan_error *err)
{
    struct nim_state before = *state;
    struct banyan_player_move move;
    banyan_action joint[2] = {0};
    char text[16];
    int seat = state->mover;
    enum banyan_status status = players[seat].choose(players[seat].ctx, state, clock, &move, err);
    if (status != BANYAN_OK)
        return status;
    if (clock->left_ms[seat] >= 0)
        clock->left_ms[seat] += clock->increment_ms - move.elapsed_ms;
    joint[seat] = move.action;
    nim_game.action_format(&nim_game, state, seat, move.action, text, sizeof text);
    nim_game.apply(&nim_game, state, joint, NULL);
    printf("%s takes %s, leaves sum %d\n", players[seat].name, text, nim_sum(state));
    for (int p = 0; p < 2 && status == BANYAN_OK; ++p)
        if (players[p].observe)
            status = players[p].observe(players[p].ctx, &before, joint, state, err);
    return status;
}

int main(void)
{
    struct banyan_player players[2] = {{0}, {0}};
    struct banyan_player_clock clock = {.left_ms = {60000, -1}}; /* a minute for mcts */
    struct nim_state state = {.mover = 0};
    struct banyan_error err;
    enum banyan_status status = nim_game.init(&nim_game, &state, "1 2 4 1", NULL, &err);
    if (status == BANYAN_OK)
        status = begin(players, &state, &err);
    while (status == BANYAN_OK && nim_game.movers(&nim_game, &state))
        status = step(players, &state, &clock, &err);
    int winner = 1 - state.mover; /* the player who took the last object */
    if (status == BANYAN_OK)
        printf("%s has won\n", players[winner].name);
    else
        fprintf(stderr, "%s\n", err.message);
    banyan_player_close(&players[0]);
    banyan_player_close(&players[1]);
    return status == BANYAN_OK && winner == 0 ? 0 : 1; /* the first player can win this start */
}
