/* The players and evaluators that Pokémon offers by name. */
#include "games/pokemon/players/agent.h"
#include "games/pokemon/players/baselines.h"
#include "games/pokemon/players/evaluate.h"
#include "games/pokemon/players/learned.h"
#include "games/pokemon/players/tutorial.h"

#include <banyan/player.h>

#include <math.h>
#include <stdlib.h>

struct players_player {
    baseline_choice *choice;
    struct banyan_rng rng;
    int seat;
};

static enum banyan_status players_open(void *ctx, const void *state, int seat, uint64_t seed,
                                       struct banyan_error *err)
{
    struct players_player *player = ctx;
    (void)state, (void)err;
    player->seat = seat;
    banyan_rng_seed(&player->rng, seed);
    return BANYAN_OK;
}

static enum banyan_status players_choose(void *ctx, const void *state,
                                         const struct banyan_player_clock *clock,
                                         struct banyan_player_move *out, struct banyan_error *err)
{
    struct players_player *player = ctx;
    (void)clock, (void)err;
    *out = (struct banyan_player_move){.action = player->choice(state, player->seat, &player->rng),
                                       .value = (double)NAN};
    return BANYAN_OK;
}

static enum banyan_status players_create(const char *name, baseline_choice *choice,
                                         const char *args, struct banyan_player *out,
                                         struct banyan_error *err)
{
    if (*args)
        return banyan_fail(err, BANYAN_INVALID, "player '%s' takes no options, but has '%.60s'",
                           name, args);
    struct players_player *player = calloc(1, sizeof *player);
    if (!player)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player '%s'", name);
    player->choice = choice;
    *out = (struct banyan_player){.struct_size = sizeof(struct banyan_player),
                                  .ctx = player,
                                  .open = players_open,
                                  .choose = players_choose,
                                  .close = free};
    return BANYAN_OK;
}

static enum banyan_status players_power(const struct banyan_game *game, const char *args,
                                        const struct banyan_offer *offers, uint64_t seed,
                                        struct banyan_player *out, struct banyan_error *err)
{
    (void)game, (void)seed;
    return players_create("maxpower", baseline_power, args, out, err);
}

static enum banyan_status players_heuristic(const struct banyan_game *game, const char *args,
                                            const struct banyan_offer *offers, uint64_t seed,
                                            struct banyan_player *out, struct banyan_error *err)
{
    (void)game, (void)seed;
    return players_create("heuristic", baseline_heuristic, args, out, err);
}

const struct banyan_offer pokemon_offers[] = {
    {"position", "value-NAME=W,...,prior-NAME=P,...",
     "weighted features of the position; priors are computed when a node needs them",
     evaluate_create, NULL},
    {"learned", "",
     "a small network over numbers of the position; priors are computed when a node needs them",
     learned_create, NULL},
    {"maxpower", "", "the move of the highest base power (poke-env's MaxBasePowerPlayer)", NULL,
     players_power},
    {"heuristic", "",
     "match-ups, hazards, set-up moves, Dynamax (poke-env's SimpleHeuristicsPlayer)", NULL,
     players_heuristic},
    {"agent", "time=100ms,simulations=0,...",
     "the search with the best settings for this game; takes the options of mcts too", NULL,
     agent_create},
    {"tutorial", "simulations=200",
     "UCB1 over a simple model of a turn, as in a published tutorial", NULL, tutorial_create},
    {0},
};
