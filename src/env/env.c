/* Many games of one kind, all of which take a step at once. */
#include <banyan/env.h>

#include "base/struct_size.h"

#include <stdlib.h>
#include <string.h>

struct banyan_env {
    const struct banyan_game *game;
    struct banyan_env_options options; /* setup is owned */
    int rows, width;
    size_t observation;       /* numbers of one */
    unsigned char *states;    /* [games][stride] */
    size_t stride;            /* state_size, rounded up to what any type needs */
    struct banyan_rng *rng;   /* [games] */
    banyan_action *joint;     /* [games][BANYAN_MAX_PLAYERS] of the step that is being played */
    banyan_action *legal;     /* [max_legal] */
    unsigned char *new_state; /* [state_size] */
};

void banyan_env_options_init(struct banyan_env_options *options, size_t struct_size)
{
    struct banyan_env_options all = {
        .struct_size = struct_size, .games = 1, .autoreset = BANYAN_ENV_NEXT_STEP, .seed = 1};
    struct_size_copy(options, struct_size, &all, sizeof all);
}

int banyan_env_rows(const struct banyan_env *env)
{
    return env->rows;
}

int banyan_env_width(const struct banyan_env *env)
{
    return env->width;
}

static void *env_at(const struct banyan_env *env, int index)
{
    return env->states + (size_t)index * env->stride;
}

const void *banyan_env_state(const struct banyan_env *env, int index)
{
    return env_at(env, index);
}

static unsigned env_movers(const struct banyan_env *env, int index)
{
    return env->game->movers(env->game, env_at(env, index));
}

/* --- making one --- */

void banyan_env_seed_one(struct banyan_env *env, int index, uint64_t seed)
{
    banyan_rng_seed(&env->rng[index], banyan_rng_child(seed, "env", 0));
}

void banyan_env_seed(struct banyan_env *env, uint64_t seed)
{
    for (int i = 0; i < env->options.games; ++i)
        banyan_rng_seed(&env->rng[i], banyan_rng_child(seed, "env", (uint64_t)i));
}

/* A new game in place of game number index, which stays as it is where the setup is refused. */
static enum banyan_status env_begin(struct banyan_env *env, int index, struct banyan_error *err)
{
    const struct banyan_game *game = env->game;
    memset(env->new_state, 0, game->state_size);
    enum banyan_status status =
        game->init(game, env->new_state, env->options.setup, &env->rng[index], err);
    if (status == BANYAN_OK)
        memcpy(env_at(env, index), env->new_state, game->state_size);
    return status;
}

static enum banyan_status env_check(const struct banyan_game *game,
                                    const struct banyan_env_options *options,
                                    struct banyan_error *err)
{
    enum banyan_status status =
        struct_size_match("banyan_game", game->struct_size, sizeof *game, err);
    if (status == BANYAN_OK)
        status =
            struct_size_check("banyan_env_options", options->struct_size, sizeof *options, err);
    if (status != BANYAN_OK)
        return status;
    if (options->games < 1)
        return banyan_fail(err, BANYAN_INVALID, "an env has 1 game or more, not %d",
                           options->games);
    if ((unsigned)options->autoreset > BANYAN_ENV_DISABLED)
        return banyan_fail(err, BANYAN_INVALID, "autoreset is 0, 1 or 2, not %d",
                           (int)options->autoreset);
    return BANYAN_OK;
}

static bool env_allocate(struct banyan_env *env)
{
    size_t games = (size_t)env->options.games, text = 1;
    const char *setup = env->options.setup;
    env->stride = (env->game->state_size + 15) / 16 * 16;
    env->states = calloc(games, env->stride);
    env->rng = calloc(games, sizeof *env->rng);
    env->joint = calloc(games, BANYAN_MAX_PLAYERS * sizeof *env->joint);
    env->legal = calloc((size_t)env->game->max_legal, sizeof *env->legal);
    env->new_state = calloc(1, env->stride);
    if (setup)
        text += strlen(setup);
    char *copy = calloc(text, 1);
    if (copy && setup)
        memcpy(copy, setup, text);
    env->options.setup = copy;
    return env->states && env->rng && env->joint && env->legal && env->new_state && copy;
}

enum banyan_status banyan_env_create(struct banyan_env **out, const struct banyan_game *game,
                                     const struct banyan_env_options *options,
                                     struct banyan_error *err)
{
    *out = NULL;
    enum banyan_status status = env_check(game, options, err);
    if (status != BANYAN_OK)
        return status;
    struct banyan_env *env = calloc(1, sizeof *env);
    if (!env)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an env");
    env->game = game;
    banyan_env_options_default(&env->options);
    struct_size_copy(&env->options, sizeof env->options, options, options->struct_size);
    env->rows = game->traits & BANYAN_SIMULTANEOUS ? game->players : 1;
    env->observation = (size_t)banyan_observation_size(game);
    env->width = game->policy_index ? game->policy_size : game->max_legal;
    if (!env_allocate(env)) {
        banyan_env_destroy(env);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an env of %d games",
                           options->games);
    }
    banyan_env_seed(env, env->options.seed);
    for (int i = 0; i < env->options.games && status == BANYAN_OK; ++i)
        status = env_begin(env, i, err);
    if (status == BANYAN_OK)
        *out = env;
    else
        banyan_env_destroy(env);
    return status;
}

void banyan_env_destroy(struct banyan_env *env)
{
    if (!env)
        return;
    free(env->states);
    free(env->rng);
    free(env->joint);
    free(env->legal);
    free(env->new_state);
    free((char *)(uintptr_t)env->options.setup);
    free(env);
}

/* --- what the arrays show --- */

/* The player of a row; -1: nobody chooses there. */
static int env_row_player(const struct banyan_env *env, unsigned movers, int row)
{
    if (env->rows > 1)
        return movers >> row & 1 ? row : -1;
    for (int p = 0; p < env->game->players; ++p)
        if (movers >> p & 1)
            return p;
    return -1;
}

static void env_write_mask(const struct banyan_env *env, const void *state, int player,
                           int8_t *mask)
{
    const struct banyan_game *game = env->game;
    memset(mask, 0, (size_t)env->width);
    if (player < 0)
        return;
    int count = game->legal(game, state, player, env->legal);
    if (!game->policy_index)
        memset(mask, 1, (size_t)count);
    for (int k = 0; game->policy_index && k < count; ++k)
        mask[game->policy_index(game, state, player, env->legal[k])] = 1;
}

static void env_write_row(const struct banyan_env *env, int index, int row, unsigned movers,
                          const struct banyan_env_arrays *out)
{
    const struct banyan_game *game = env->game;
    const void *state = env_at(env, index);
    int player = env_row_player(env, movers, row);
    size_t at = (size_t)index * (size_t)env->rows + (size_t)row;
    if (out->movers)
        out->movers[at] = (int8_t)player;
    if (out->masks)
        env_write_mask(env, state, player, out->masks + at * (size_t)env->width);
    if (!out->observations)
        return;
    if (player >= 0)
        banyan_observe(game, state, player, out->observations + at * env->observation);
    else
        memset(out->observations + at * env->observation, 0, env->observation * sizeof(float));
}

static void env_write(const struct banyan_env *env, int index, const struct banyan_env_arrays *out)
{
    unsigned movers = env_movers(env, index);
    for (int row = 0; row < env->rows; ++row)
        env_write_row(env, index, row, movers, out);
}

static void env_write_end(const struct banyan_env *env, int index, bool ended, bool over,
                          const struct banyan_env_arrays *out)
{
    int players = env->game->players;
    float returns[BANYAN_MAX_PLAYERS] = {0};
    if (ended)
        env->game->returns(env->game, env_at(env, index), returns);
    if (out->rewards)
        memcpy(out->rewards + (size_t)index * (size_t)players, returns,
               (size_t)players * sizeof *returns);
    if (out->done)
        out->done[index] = ended || over;
}

/* --- steps --- */

enum banyan_status banyan_env_reset(struct banyan_env *env, const uint8_t *which,
                                    const struct banyan_env_arrays *out, struct banyan_error *err)
{
    enum banyan_status status =
        struct_size_match("banyan_env_arrays", out->struct_size, sizeof *out, err);
    for (int i = 0; i < env->options.games && status == BANYAN_OK; ++i) {
        if (!which || which[i])
            status = env_begin(env, i, err);
        env_write(env, i, out);
        env_write_end(env, i, false, env_movers(env, i) == 0, out);
    }
    return status;
}

static enum banyan_status env_decode_all(struct banyan_env *env, const int64_t *actions,
                                         struct banyan_error *err)
{
    for (int i = 0; i < env->options.games; ++i) {
        unsigned movers = env_movers(env, i);
        bool hold = *actions == BANYAN_ENV_HOLD;
        for (int row = 0; row < env->rows; ++row, ++actions) {
            int player = hold ? -1 : env_row_player(env, movers, row);
            if (player >= 0 &&
                !banyan_policy_action(env->game, env_at(env, i), player, *actions, env->legal,
                                      &env->joint[i * BANYAN_MAX_PLAYERS + player]))
                return banyan_fail(err, BANYAN_ILLEGAL,
                                   "game %d: action %lld is not legal for player %d; the mask "
                                   "says which are",
                                   i, (long long)*actions, player);
        }
    }
    return BANYAN_OK;
}

/* A game that does not take this step. */
static void env_hold_one(const struct banyan_env *env, int index,
                         const struct banyan_env_arrays *out)
{
    env_write_end(env, index, false, env_movers(env, index) == 0, out);
    env_write(env, index, out);
}

/* One game: a step, or a new game in place of one that was over. */
static enum banyan_status env_step_one(struct banyan_env *env, int index,
                                       const struct banyan_env_arrays *out,
                                       struct banyan_error *err)
{
    const struct banyan_game *game = env->game;
    enum banyan_status status = BANYAN_OK;
    bool was_over = env_movers(env, index) == 0, ended = false;
    if (!was_over) {
        struct banyan_dice dice;
        banyan_dice_drawn(&dice, &env->rng[index]);
        game->apply(game, env_at(env, index), &env->joint[index * BANYAN_MAX_PLAYERS], &dice);
        ended = env_movers(env, index) == 0;
    }
    env_write_end(env, index, ended, was_over && env->options.autoreset == BANYAN_ENV_DISABLED,
                  out);
    if ((was_over && env->options.autoreset == BANYAN_ENV_NEXT_STEP) ||
        (ended && env->options.autoreset == BANYAN_ENV_SAME_STEP))
        status = env_begin(env, index, err);
    env_write(env, index, out);
    return status;
}

enum banyan_status banyan_env_step(struct banyan_env *env, const int64_t *actions,
                                   const struct banyan_env_arrays *out, struct banyan_error *err)
{
    enum banyan_status status =
        struct_size_match("banyan_env_arrays", out->struct_size, sizeof *out, err);
    if (status == BANYAN_OK)
        status = env_decode_all(env, actions, err);
    for (int i = 0; i < env->options.games && status == BANYAN_OK; ++i)
        if (actions[(size_t)i * (size_t)env->rows] == BANYAN_ENV_HOLD)
            env_hold_one(env, i, out);
        else
            status = env_step_one(env, i, out, err);
    return status;
}
