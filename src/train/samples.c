/* Turns a recorded game into rows of arrays. */
#include "train/samples.h"

#include <banyan/observe.h>

#include <stdlib.h>
#include <string.h>

enum banyan_status samples_begin(struct samples *samples, const struct banyan_game *game,
                                 struct banyan_error *err)
{
    *samples = (struct samples){
        .game = game, .width = banyan_observation_size(game), .policy = game->policy_size};
    if (samples->width && samples->policy)
        return replay_create(&samples->replay, game, NULL, err);
    return banyan_fail(err, BANYAN_UNSUPPORTED, "%s has no %s, so no network can learn it",
                       game->name, samples->width ? "policy head" : "observation");
}

void samples_end(struct samples *samples)
{
    replay_destroy(samples->replay);
    free(samples->observations);
    free(samples->policies);
    free(samples->results);
    free(samples->searched);
    free(samples->choices);
}

static bool samples_grow(void **block, int rows, int columns, size_t size)
{
    void *more = realloc(*block, (size_t)rows * (size_t)columns * size);
    if (more)
        *block = more;
    return more != NULL;
}

static bool samples_room(struct samples *samples, int count)
{
    if (count <= samples->room)
        return true;
    bool well =
        samples_grow((void **)&samples->observations, count, samples->width, sizeof(float)) &&
        samples_grow((void **)&samples->policies, count, samples->policy, sizeof(float)) &&
        samples_grow((void **)&samples->results, count, samples->game->players, sizeof(float)) &&
        samples_grow((void **)&samples->searched, count, 1, sizeof(float)) &&
        samples_grow((void **)&samples->choices, count, 1, sizeof(int32_t));
    if (well)
        samples->room = count;
    return well;
}

/* The weights of a choice as shares; if all are 0, all actions get the same share. */
static void samples_policy(const struct samples *samples, const struct record *record,
                           const struct record_choice *choice, const void *state)
{
    const struct banyan_game *game = samples->game;
    float *row = samples->policies + (size_t)samples->count * (size_t)samples->policy;
    double sum = 0;
    memset(row, 0, (size_t)samples->policy * sizeof *row);
    for (int i = 0; i < choice->count; ++i)
        sum += record->weights[choice->first + i];
    for (int i = 0; i < choice->count; ++i) {
        int at =
            game->policy_index(game, state, choice->player, record->actions[choice->first + i]);
        row[at] = (float)(sum > 0 ? record->weights[choice->first + i] / sum : 1.0 / choice->count);
    }
}

struct samples_visit {
    struct samples *samples;
    const struct record *record;
};

/* Adds the row of a choice, where it has a policy target. */
static void samples_visit(void *ctx, const void *state, int number)
{
    const struct samples_visit *visit = ctx;
    struct samples *samples = visit->samples;
    const struct record *record = visit->record;
    const struct banyan_game *game = samples->game;
    if (number == record->choice_count || !replay_is_sample(&record->choices[number]))
        return;
    const struct record_choice *choice = &record->choices[number];
    float *results = samples->results + (size_t)samples->count * (size_t)game->players;
    banyan_observe(game, state, choice->player,
                   samples->observations + (size_t)samples->count * (size_t)samples->width);
    samples_policy(samples, record, choice, state);
    for (int k = 0; k < game->players; ++k)
        results[k] = replay_scaled(game, record->returns[(choice->player + k) % game->players]);
    samples->searched[samples->count] = replay_scaled(game, choice->value);
    samples->choices[samples->count++] = number;
}

enum banyan_status samples_read(struct samples *samples, const struct record *record,
                                struct banyan_error *err)
{
    struct samples_visit visit = {samples, record};
    int count = 0;
    samples->count = 0;
    for (int i = 0; i < record->choice_count; ++i)
        count += replay_is_sample(&record->choices[i]);
    enum banyan_status status = replay_check(samples->replay, record, err);
    if (status == BANYAN_OK && !samples_room(samples, count))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %d positions", count);
    if (status == BANYAN_OK)
        status = replay_show(samples->game, record, samples_visit, &visit);
    return status;
}
