/* Shows a random game of a search move by move. */
#include "json/rollout.h"

#include "base/movers.h"
#include "json/show.h"

#include <stdlib.h>
#include <string.h>

enum { ROLLOUT_TEXT = 64, ROLLOUT_DRAWING = 8 << 10 };

/* The bytes that a state takes among several in a block: each is aligned for any type. */
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

static json_t *rollout_drawing(const struct banyan_game *game, const void *state)
{
    char text[ROLLOUT_DRAWING];
    if (!game->draw || game->draw(game, state, -1, text, sizeof text) >= ROLLOUT_DRAWING)
        return json_null();
    return json_string(text);
}

/* Plays the random game again, one move longer each time. */
static void rollout_replay(const struct banyan_leaf *leaf, struct banyan_rng rng,
                           unsigned char *states, banyan_action *actions, bool draws, json_t *out)
{
    const struct banyan_game *game = leaf->game;
    size_t room = rollout_room(game);
    unsigned char *from = states, *to = states + room, *scratch = to + room;
    memcpy(from, leaf->state, game->state_size);
    for (int plies = 1; game->movers(game, from) && plies <= ROLLOUT_MOVES; ++plies) {
        struct banyan_rng again = rng;
        banyan_action action;
        char text[ROLLOUT_TEXT];
        memcpy(to, leaf->state, game->state_size);
        banyan_game_rollout(game, to, 0, plies, &again);
        if (!rollout_between(game, from, to, scratch, actions, &action))
            return;
        int player = movers_first(game->movers(game, from));
        show_action(game, from, player, action, text, sizeof text);
        json_array_append_new(out, json_pack("{s:i, s:s, s:o}", "player", player, "action", text,
                                             "drawing",
                                             draws ? rollout_drawing(game, to) : json_null()));
        memcpy(from, to, game->state_size);
    }
}

json_t *rollout_json(const struct banyan_leaf *leaf, struct banyan_rng rng, bool draws)
{
    const struct banyan_game *game = leaf->game;
    if (game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS) || !leaf->movers)
        return json_null();
    unsigned char *states = malloc(3 * rollout_room(game));
    banyan_action *actions = malloc((size_t)game->max_legal * sizeof *actions);
    json_t *out = json_array();
    if (states && actions)
        rollout_replay(leaf, rng, states, actions, draws, out);
    free(states);
    free(actions);
    return out;
}
