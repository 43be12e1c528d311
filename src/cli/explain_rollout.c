/* Shows a random game of a search move by move. */
#include "base/movers.h"
#include "cli/explain.h"
#include "cli/show.h"

#include <stdlib.h>
#include <string.h>

enum { ROLLOUT_MOVES = 60 /* shown */, ROLLOUT_TEXT = 64 };

/* Of one of several states in a block: states are aligned for any type. */
static size_t rollout_room(const struct banyan_game *game)
{
    return (game->state_size + 15) / 16 * 16;
}

/* The action that leads from one state to another; false: none does. */
static bool rollout_between(const struct banyan_game *game, const void *from, const void *to,
                            void *scratch, banyan_action *actions, banyan_action *out)
{
    int player = movers_first(game->movers(game, from));
    int count = game->legal(game, from, player, actions);
    for (int i = 0; i < count; ++i) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        joint[player] = *out = actions[i];
        memcpy(scratch, from, game->state_size);
        game->apply(game, scratch, joint, NULL);
        if (memcmp(scratch, to, game->state_size) == 0)
            return true;
    }
    return false;
}

/* Plays the random game again, one move longer each time. */
static void rollout_replay(const struct banyan_leaf *leaf, struct banyan_rng rng,
                           unsigned char *states, banyan_action *actions, FILE *out)
{
    const struct banyan_game *game = leaf->game;
    size_t room = rollout_room(game);
    unsigned char *from = states, *to = states + room, *scratch = to + room;
    memcpy(from, leaf->state, game->state_size);
    for (int plies = 1; game->movers(game, from); ++plies) {
        struct banyan_rng again = rng;
        banyan_action action;
        char text[ROLLOUT_TEXT];
        memcpy(to, leaf->state, game->state_size);
        banyan_game_rollout(game, to, 0, plies, &again);
        if (plies > ROLLOUT_MOVES || !rollout_between(game, from, to, scratch, actions, &action)) {
            fprintf(out, " ...");
            return;
        }
        int player = movers_first(game->movers(game, from));
        fprintf(out, " %s %s", banyan_game_player_name(game, player),
                show_action(game, from, player, action, text, sizeof text));
        memcpy(from, to, game->state_size);
    }
}

void explain_rollout(const struct banyan_leaf *leaf, struct banyan_rng rng, FILE *out)
{
    const struct banyan_game *game = leaf->game;
    if (game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS) || !leaf->movers)
        return;
    unsigned char *states = malloc(3 * rollout_room(game));
    banyan_action *actions = malloc((size_t)game->max_legal * sizeof *actions);
    if (states && actions) {
        fprintf(out, "  play on   at random:");
        rollout_replay(leaf, rng, states, actions, out);
        fputc('\n', out);
    }
    free(states);
    free(actions);
}
