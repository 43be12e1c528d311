/* Reads the position that a command works on: GAME, --position, --moves. */
#include "cli/position.h"

#include "cli/cli.h"
#include "cli/setup.h"
#include "records/transcript.h"

#include <stdlib.h>

enum { POSITION_SETUP = 'p', POSITION_MOVES = 'm' };

static const struct argp_option position_options[] = {
    {"position", POSITION_SETUP, "TEXT", 0, "Start from this position, in the game's own text", 0},
    {"moves", POSITION_MOVES, "MOVES", 0,
     "Play these moves first, separated by blanks; moves of several players at the same time are "
     "joined by '|'",
     0},
    {0}};

static error_t position_option(int key, char *arg, struct argp_state *state)
{
    struct position *position = state->input;
    if (key == POSITION_SETUP)
        position->setup = arg;
    else if (key == POSITION_MOVES)
        position->moves = arg;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

const struct argp position_argp = {position_options, position_option, NULL, NULL, NULL, NULL, NULL};

enum banyan_status position_create(const struct position *position, void **state,
                                   struct banyan_error *err)
{
    const struct banyan_game *game = position->game;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, banyan_rng_child(position->seed, "position", 0));
    uint64_t steps = 0;
    void *made = calloc(1, game->state_size);
    if (!made)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", game->name);
    const char *setup;
    char text[BANYAN_TEXT_MAX];
    enum banyan_status status = setup_text(game, position->setup, text, &setup, err);
    if (status == BANYAN_OK)
        status = game->init(game, made, setup, &rng, err);
    if (status == BANYAN_OK && position->moves)
        status = transcript_play(game, made, position->moves, &rng, &steps, err);
    if (status != BANYAN_OK) {
        free(made);
        made = NULL;
    }
    *state = made;
    return status;
}
