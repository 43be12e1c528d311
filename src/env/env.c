/* Many games of one kind, all of which take a step at once. */
#include <banyan/env.h>

#include "base/movers.h"
#include "base/struct_size.h"
#include "env/legal.h"
#include "env/pool.h"

#include <stdlib.h>
#include <string.h>

/* One thread's share of the games. */
struct env_part {
    int from, to;             /* games from..to-1 */
    unsigned char *new_state; /* [stride] */
    struct banyan_dice dice;
    enum banyan_status status; /* of its first game that has an error, with its message */
    struct banyan_error error;
};

/* What a call works with. */
struct env_call {
    struct banyan_env *env;
    const int64_t *actions;
    const uint8_t *which;
    struct banyan_env_arrays out;
};

struct banyan_env {
    const struct banyan_game *game;
    struct banyan_env_options options; /* setup is owned */
    int rows, width;
    size_t observation;     /* numbers in an observation */
    unsigned char *states;  /* [games][stride] */
    size_t stride;          /* state_size, rounded up to what any type needs */
    struct banyan_rng *rng; /* [games] */
    unsigned *movers;       /* [games] as the game's function returns them */
    struct legal legal;     /* [games][rows] lists */
    banyan_action *joint;   /* [games][BANYAN_MAX_PLAYERS] of the step that is being played */
    struct pool *pool;
    struct env_part *parts; /* [pool_parts] */
};

void banyan_env_options_init(struct banyan_env_options *options, size_t struct_size)
{
    struct banyan_env_options all = {.struct_size = struct_size,
                                     .games = 1,
                                     .autoreset = BANYAN_ENV_NEXT_STEP,
                                     .seed = 1,
                                     .threads = 1};
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

/* Called when a state has changed. */
static void env_ask_movers(struct banyan_env *env, int index)
{
    env->movers[index] = env->game->movers(env->game, env_at(env, index));
}

/* The player of a row; -1: nobody chooses there. */
static int env_row_player(const struct banyan_env *env, unsigned movers, int row)
{
    if (env->rows > 1)
        return movers >> row & 1 ? row : -1;
    return movers_first(movers);
}

/* --- what the arrays show --- */

/* Writes the row to the arrays that the caller gave, and always to the lists of legal actions. */
static void env_write_row(const struct env_call *call, int index, int row)
{
    struct banyan_env *env = call->env;
    const struct banyan_env_arrays *out = &call->out;
    const void *state = env_at(env, index);
    int player = env_row_player(env, env->movers[index], row);
    size_t at = (size_t)index * (size_t)env->rows + (size_t)row, width = (size_t)env->width;
    int8_t *mask = out->masks ? out->masks + at * width : NULL;
    float *observation = out->observations ? out->observations + at * env->observation : NULL;
    if (out->movers)
        out->movers[at] = (int8_t)player;
    if (player >= 0)
        legal_list(&env->legal, at, state, player, mask);
    else if (mask)
        memset(mask, 0, width);
    if (observation && player >= 0)
        banyan_observe(env->game, state, player, observation);
    else if (observation)
        memset(observation, 0, env->observation * sizeof *observation);
}

static void env_write(const struct env_call *call, int index)
{
    for (int row = 0; row < call->env->rows; ++row)
        env_write_row(call, index, row);
}

/* ended: the game ended in this step; over: it was over before, and stays over. */
static void env_write_end(const struct env_call *call, int index, bool ended, bool over)
{
    const struct banyan_env *env = call->env;
    const struct banyan_env_arrays *out = &call->out;
    const void *state = env_at(env, index);
    size_t players = (size_t)env->game->players, at = (size_t)index * players;
    float returns[BANYAN_MAX_PLAYERS] = {0};
    if (ended)
        env->game->returns(env->game, state, returns);
    if (out->rewards)
        memcpy(out->rewards + at, returns, players * sizeof *returns);
    if (out->done)
        out->done[index] = ended || over;
    for (size_t p = 0; p < players && ended && out->final_observations; ++p)
        banyan_observe(env->game, state, (int)p,
                       out->final_observations + (at + p) * env->observation);
}

/* --- making an env --- */

void banyan_env_seed_one(struct banyan_env *env, int index, uint64_t seed)
{
    banyan_rng_seed(&env->rng[index], banyan_rng_child(seed, "env", 0));
}

void banyan_env_seed(struct banyan_env *env, uint64_t seed)
{
    for (int i = 0; i < env->options.games; ++i)
        banyan_rng_seed(&env->rng[i], banyan_rng_child(seed, "env", (uint64_t)i));
}

/* Begins a new game in place of game number index.  False: the setup is refused, and the old game stays. */
static bool env_begin(struct banyan_env *env, struct env_part *part, int index)
{
    const struct banyan_game *game = env->game;
    struct banyan_error error = {.message = ""};
    memset(part->new_state, 0, game->state_size);
    enum banyan_status status =
        game->init(game, part->new_state, env->options.setup, &env->rng[index], &error);
    if (status == BANYAN_OK) {
        memcpy(env_at(env, index), part->new_state, game->state_size);
        env_ask_movers(env, index);
    } else if (part->status == BANYAN_OK) {
        part->status = status;
        part->error = error;
    }
    return status == BANYAN_OK;
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
    if (options->struct_size == sizeof *options && options->threads < 1)
        return banyan_fail(err, BANYAN_INVALID, "an env has 1 thread or more, not %d",
                           options->threads);
    return BANYAN_OK;
}

static bool env_allocate_parts(struct banyan_env *env)
{
    int games = env->options.games;
    int threads = env->options.threads < games ? env->options.threads : games;
    env->pool = pool_create(threads);
    env->parts = env->pool ? calloc((size_t)threads, sizeof *env->parts) : NULL;
    int count = env->parts ? pool_parts(env->pool) : 0;
    bool there = count > 0;
    for (int i = 0; i < count; ++i) {
        struct env_part *part = &env->parts[i];
        part->from = (int)((int64_t)games * i / count);
        part->to = (int)((int64_t)games * (i + 1) / count);
        part->new_state = calloc(1, env->stride);
        banyan_dice_drawn(&part->dice, NULL);
        there = there && part->new_state;
    }
    return there;
}

static bool env_allocate(struct banyan_env *env)
{
    size_t games = (size_t)env->options.games, text = 1;
    const char *setup = env->options.setup;
    env->stride = (env->game->state_size + 15) / 16 * 16;
    env->states = calloc(games, env->stride);
    env->rng = calloc(games, sizeof *env->rng);
    env->movers = calloc(games, sizeof *env->movers);
    env->joint = calloc(games, BANYAN_MAX_PLAYERS * sizeof *env->joint);
    if (setup)
        text += strlen(setup);
    char *copy = calloc(text, 1);
    if (copy && setup)
        memcpy(copy, setup, text);
    env->options.setup = copy;
    return env->states && env->rng && env->movers && env->joint && copy &&
           legal_create(&env->legal, env->game, games * (size_t)env->rows) &&
           env_allocate_parts(env);
}

static enum banyan_status env_begin_all(struct banyan_env *env)
{
    const struct env_call only_lists = {.env = env};
    for (int i = 0; i < env->options.games && env_begin(env, &env->parts[0], i); ++i)
        env_write(&only_lists, i);
    return env->parts[0].status;
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
    env->width = banyan_policy_width(game);
    if (!env_allocate(env)) {
        banyan_env_destroy(env);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an env of %d games",
                           options->games);
    }
    banyan_env_seed(env, env->options.seed);
    status = env_begin_all(env);
    if (status != BANYAN_OK && err)
        *err = env->parts[0].error;
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
    free(env->movers);
    free(env->joint);
    legal_destroy(&env->legal);
    for (int i = 0; env->parts && i < pool_parts(env->pool); ++i)
        free(env->parts[i].new_state);
    free(env->parts);
    pool_destroy(env->pool);
    free((char *)(uintptr_t)env->options.setup);
    free(env);
}

/* --- the work of one thread --- */

static void env_reset_part(void *ctx, int number)
{
    const struct env_call *call = ctx;
    struct env_part *part = &call->env->parts[number];
    part->status = BANYAN_OK;
    for (int i = part->from; i < part->to; ++i) {
        if (!call->which || call->which[i])
            env_begin(call->env, part, i);
        env_write(call, i);
        env_write_end(call, i, false, call->env->movers[i] == 0);
    }
}

static enum banyan_status env_decode_one(const struct env_call *call, struct env_part *part,
                                         int index)
{
    const struct banyan_env *env = call->env;
    const int64_t *actions = call->actions + (size_t)index * (size_t)env->rows;
    unsigned movers = *actions == BANYAN_ENV_HOLD ? 0 : env->movers[index];
    size_t list = (size_t)index * (size_t)env->rows;
    for (int row = 0; row < env->rows; ++row, ++list) {
        int player = env_row_player(env, movers, row);
        if (player >= 0 && !legal_find(&env->legal, list, env_at(env, index), player, actions[row],
                                       &env->joint[index * BANYAN_MAX_PLAYERS + player]))
            return banyan_fail(&part->error, BANYAN_ILLEGAL,
                               "game %d: action %lld is not legal for player %d; the mask says "
                               "which are",
                               index, (long long)actions[row], player);
    }
    return BANYAN_OK;
}

static void env_decode_part(void *ctx, int number)
{
    const struct env_call *call = ctx;
    struct env_part *part = &call->env->parts[number];
    part->status = BANYAN_OK;
    for (int i = part->from; i < part->to && part->status == BANYAN_OK; ++i)
        part->status = env_decode_one(call, part, i);
}

/* Plays the joint action of a game; returns whether that ended it. */
static bool env_play(struct banyan_env *env, struct env_part *part, int index)
{
    part->dice.rng = &env->rng[index];
    env->game->apply(env->game, env_at(env, index), &env->joint[index * BANYAN_MAX_PLAYERS],
                     &part->dice);
    env_ask_movers(env, index);
    return env->movers[index] == 0;
}

/* Plays a step of one game, or begins a new game in place of one that was over. */
static void env_step_one(const struct env_call *call, struct env_part *part, int index)
{
    struct banyan_env *env = call->env;
    enum banyan_env_autoreset autoreset = env->options.autoreset;
    bool holds = call->actions[(size_t)index * (size_t)env->rows] == BANYAN_ENV_HOLD;
    bool was_over = env->movers[index] == 0;
    bool ended = !holds && !was_over && env_play(env, part, index);
    if (ended) /* before a new game takes its place */
        env_write_end(call, index, true, false);
    /* with BANYAN_ENV_SAME_STEP a game was over if the setup of the next one was refused */
    bool begins = (!holds && was_over && autoreset != BANYAN_ENV_DISABLED) ||
                  (ended && autoreset == BANYAN_ENV_SAME_STEP);
    if (begins)
        env_begin(env, part, index);
    if (!ended)
        env_write_end(call, index, false, env->movers[index] == 0);
    env_write(call, index);
}

static void env_step_part(void *ctx, int number)
{
    const struct env_call *call = ctx;
    struct env_part *part = &call->env->parts[number];
    part->status = BANYAN_OK;
    for (int i = part->from; i < part->to; ++i)
        env_step_one(call, part, i);
}

/* --- calls --- */

/* Lets all threads do their part; an error is that of the first game that has one. */
static enum banyan_status env_run(struct env_call *call, void (*run)(void *ctx, int part),
                                  struct banyan_error *err)
{
    struct banyan_env *env = call->env;
    pool_run(env->pool, run, call);
    for (int i = 0; i < pool_parts(env->pool); ++i)
        if (env->parts[i].status != BANYAN_OK) {
            if (err)
                *err = env->parts[i].error;
            return env->parts[i].status;
        }
    return BANYAN_OK;
}

static enum banyan_status env_take_arrays(struct env_call *call,
                                          const struct banyan_env_arrays *out,
                                          struct banyan_error *err)
{
    enum banyan_status status =
        struct_size_check("banyan_env_arrays", out->struct_size, sizeof *out, err);
    if (status == BANYAN_OK)
        struct_size_copy(&call->out, sizeof call->out, out, out->struct_size);
    return status;
}

enum banyan_status banyan_env_reset(struct banyan_env *env, const uint8_t *which,
                                    const struct banyan_env_arrays *out, struct banyan_error *err)
{
    struct env_call call = {.env = env, .which = which};
    enum banyan_status status = env_take_arrays(&call, out, err);
    return status == BANYAN_OK ? env_run(&call, env_reset_part, err) : status;
}

enum banyan_status banyan_env_step(struct banyan_env *env, const int64_t *actions,
                                   const struct banyan_env_arrays *out, struct banyan_error *err)
{
    struct env_call call = {.env = env, .actions = actions};
    enum banyan_status status = env_take_arrays(&call, out, err);
    if (status == BANYAN_OK)
        status = env_run(&call, env_decode_part, err);
    return status == BANYAN_OK ? env_run(&call, env_step_part, err) : status;
}
