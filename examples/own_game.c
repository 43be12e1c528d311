/* A program outside of Banyan that uses the installed library: it searches Nim, which Banyan does not
 * know, and plays it against random moves.  The search starts in a won position and must win. */
#include "nim.h"

#include <banyan/evaluator.h>
#include <banyan/rng.h>
#include <banyan/search.h>

#include <stdio.h>

enum { SIMULATIONS = 20000 };

static banyan_action random_action(const struct nim_state *state, struct banyan_rng *rng)
{
    banyan_action legal[NIM_HEAPS * NIM_MAX_HEAP];
    int count = nim_game.legal(&nim_game, state, state->mover, legal);
    return legal[banyan_rng_below(rng, (uint32_t)count)];
}

static enum banyan_status searched_action(struct banyan_search *search,
                                          const struct nim_state *state, banyan_action *out,
                                          struct banyan_error *err)
{
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = SIMULATIONS};
    struct banyan_search_move best;
    enum banyan_status status = banyan_search_set_root(search, state, -1, err);
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, err);
    if (status == BANYAN_OK)
        status = banyan_search_choose(search, state->mover, &best, err);
    if (status == BANYAN_OK)
        *out = best.action;
    return status;
}

static enum banyan_status play(struct banyan_search *search, struct nim_state *state,
                               struct banyan_error *err)
{
    struct banyan_rng rng;
    enum banyan_status status = nim_game.init(&nim_game, state, "1 2 4 1", NULL, err);
    banyan_rng_seed(&rng, 1);
    while (status == BANYAN_OK && nim_game.movers(&nim_game, state)) {
        banyan_action joint[2];
        char text[16];
        int mover = state->mover;
        if (mover == 0)
            status = searched_action(search, state, &joint[0], err);
        else
            joint[1] = random_action(state, &rng);
        if (status != BANYAN_OK)
            break;
        nim_game.action_format(&nim_game, state, mover, joint[mover], text, sizeof text);
        nim_game.apply(&nim_game, state, joint, NULL);
        printf("player %d takes %s, leaves sum %d\n", mover + 1, text, nim_sum(state));
        if (mover == 0 && nim_sum(state) != 0)
            status = banyan_fail(err, BANYAN_INVALID, "the search gave a won game away");
    }
    return status;
}

int main(void)
{
    struct nim_state state;
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search = NULL;
    struct banyan_error err;

    if (banyan_evaluator_create(&nim_game, "rollout", NULL, &evaluator, &err) != BANYAN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    banyan_search_options_default(&options);
    options.transpositions = true; /* the same heaps can be reached by different orders of moves */
    enum banyan_status status =
        banyan_search_create(&search, &nim_game, &options, &evaluator, &err);
    if (status == BANYAN_OK)
        status = play(search, &state, &err);
    if (status == BANYAN_OK)
        printf("player %d has won\n", 2 - state.mover);
    else
        fprintf(stderr, "%s\n", err.message);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return status == BANYAN_OK ? 0 : 1;
}
