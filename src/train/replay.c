/* The window of recent games, from which learning draws positions. */
#include "train/replay.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    const struct banyan_game *game;
    const struct nn_arch *arch;
    struct record *records; /* [room]; the window is `count` of them, beginning at `first` */
    int64_t *samples;       /* [room] for each game the number of its positions with targets */
    int64_t first, count, room;
    int64_t positions;
    unsigned char *state, *image, *final; /* [state_size] */
    banyan_action *legal;                 /* [max_legal] */
    /* the batch */
    int batch;
    float *planes, *policy, *policy_weight, *values, *owner, *score;
    int *start;
    int32_t *actions;
};

/* --- making --- */

enum banyan_status replay_create(struct replay **out, const struct banyan_game *game,
                                 const struct nn_arch *arch, struct banyan_error *err)
{
    struct replay *replay = calloc(1, sizeof *replay);
    *out = replay;
    if (replay) {
        replay->game = game;
        replay->arch = arch;
        replay->state = malloc(game->state_size);
        replay->image = malloc(game->state_size);
        replay->final = malloc(game->state_size);
        replay->legal = calloc((size_t)game->max_legal, sizeof *replay->legal);
    }
    if (replay && replay->state && replay->image && replay->final && replay->legal)
        return BANYAN_OK;
    replay_destroy(replay);
    *out = NULL;
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a window of games");
}

void replay_destroy(struct replay *replay)
{
    if (!replay)
        return;
    for (int64_t i = 0; i < replay->count; ++i)
        record_free(&replay->records[replay->first + i]);
    free(replay->records);
    free(replay->samples);
    free(replay->state);
    free(replay->image);
    free(replay->final);
    free(replay->legal);
    free(replay->planes);
    free(replay->policy);
    free(replay->policy_weight);
    free(replay->values);
    free(replay->owner);
    free(replay->score);
    free(replay->start);
    free(replay->actions);
    free(replay);
}

/* --- replaying a record --- */

/* A replay of a record's choices. */
struct replay_walk {
    const struct banyan_game *game;
    const struct record *record;
    unsigned char *state;
    struct banyan_dice dice;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    unsigned waiting;
    int next; /* index of the next choice */
};

static enum banyan_status walk_begin(struct replay_walk *walk, struct banyan_error *err)
{
    memset(walk->state, 0, walk->game->state_size);
    enum banyan_status status =
        walk->game->init(walk->game, walk->state, walk->record->start, NULL, err);
    banyan_dice_recorded(&walk->dice, walk->record->dice, walk->record->die_count);
    walk->next = 0;
    walk->waiting = status == BANYAN_OK ? walk->game->movers(walk->game, walk->state) : 0;
    return status;
}

/* Reads one choice; when all movers have chosen, plays the joint action. */
static void walk_step(struct replay_walk *walk)
{
    const struct record_choice *choice = &walk->record->choices[walk->next++];
    walk->joint[choice->player] = choice->action;
    walk->waiting &= ~(1u << choice->player);
    if (walk->waiting)
        return;
    walk->game->apply(walk->game, walk->state, walk->joint, &walk->dice);
    walk->waiting = walk->game->movers(walk->game, walk->state);
}

enum banyan_status replay_show(const struct banyan_game *game, const struct record *record,
                               void (*show)(void *ctx, const void *state, int number), void *ctx)
{
    struct replay_walk walk = {.game = game, .record = record, .state = malloc(game->state_size)};
    enum banyan_status status = walk.state ? walk_begin(&walk, NULL) : BANYAN_NO_MEMORY;
    while (status == BANYAN_OK) {
        show(ctx, walk.state, walk.next);
        if (walk.next == record->choice_count || !walk.waiting || walk.dice.failed)
            break;
        walk_step(&walk);
    }
    free(walk.state);
    return status;
}

static bool replay_legal(struct replay *replay, const void *state, int player, banyan_action action)
{
    int count = replay->game->legal(replay->game, state, player, replay->legal);
    for (int i = 0; i < count; ++i)
        if (replay->legal[i] == action)
            return true;
    return false;
}

bool replay_is_sample(const struct record_choice *choice)
{
    return choice->taught && choice->count > 1;
}

/* Whether the rules allow the next choice; record_unpack has checked that its player is one of
 * BANYAN_MAX_PLAYERS. */
static bool replay_sound_choice(struct replay *replay, const struct replay_walk *walk)
{
    const struct record *record = walk->record;
    const struct record_choice *choice = &record->choices[walk->next];
    if (!(walk->waiting >> choice->player & 1) || choice->count > walk->game->max_legal ||
        !replay_legal(replay, walk->state, choice->player, choice->action))
        return false;
    for (int i = choice->first; i < choice->first + choice->count; ++i)
        if (!replay_legal(replay, walk->state, choice->player, record->actions[i]))
            return false;
    return true;
}

static enum banyan_status replay_verify(struct replay *replay, const struct record *record,
                                        struct banyan_error *err)
{
    struct replay_walk walk = {.game = replay->game, .record = record, .state = replay->state};
    enum banyan_status status = walk_begin(&walk, err);
    if (status != BANYAN_OK)
        return status;
    while (walk.next < record->choice_count) {
        if (!replay_sound_choice(replay, &walk))
            return banyan_fail(err, BANYAN_ILLEGAL,
                               "game %lld of generation %lld: choice %d is not legal in %s",
                               (long long)record->number + 1, (long long)record->generation,
                               walk.next + 1, replay->game->name);
        walk_step(&walk);
    }
    if (walk.dice.failed || (walk.waiting && !record->resigned))
        return banyan_fail(err, BANYAN_ILLEGAL, "game %lld of generation %lld does not end",
                           (long long)record->number + 1, (long long)record->generation);
    return BANYAN_OK;
}

/* Whether the record has the returns of the rules; a player who resigned has the least one. */
static bool replay_sound_returns(const struct replay *replay, const struct record *record)
{
    const struct banyan_game *game = replay->game;
    float returns[BANYAN_MAX_PLAYERS] = {0};
    if (record->resigned) {
        int loser = record->returns[1] < record->returns[0];
        returns[loser] = game->return_min;
        returns[!loser] = game->return_max;
    } else {
        game->returns(game, replay->state, returns);
    }
    return memcmp(returns, record->returns, (size_t)game->players * sizeof *returns) == 0;
}

enum banyan_status replay_check(struct replay *replay, const struct record *record,
                                struct banyan_error *err)
{
    enum banyan_status status = replay_verify(replay, record, err);
    if (status == BANYAN_OK && !replay_sound_returns(replay, record))
        status = banyan_fail(err, BANYAN_ILLEGAL, "game %lld of generation %lld has another result",
                             (long long)record->number + 1, (long long)record->generation);
    return status;
}

/* --- the window --- */

static bool replay_room(struct replay *replay)
{
    if (replay->first + replay->count < replay->room)
        return true;
    if (replay->first > replay->room / 2) {
        memmove(replay->records, replay->records + replay->first,
                sizeof *replay->records * (size_t)replay->count);
        memmove(replay->samples, replay->samples + replay->first,
                sizeof *replay->samples * (size_t)replay->count);
        replay->first = 0;
        return true;
    }
    int64_t room = 2 * replay->room + 256;
    struct record *records = realloc(replay->records, sizeof *records * (size_t)room);
    if (records)
        replay->records = records;
    int64_t *samples = realloc(replay->samples, sizeof *samples * (size_t)room);
    if (samples)
        replay->samples = samples;
    if (records && samples)
        replay->room = room;
    return records && samples;
}

enum banyan_status replay_add(struct replay *replay, struct record *record,
                              struct banyan_error *err)
{
    enum banyan_status status = replay_verify(replay, record, err);
    if (status != BANYAN_OK)
        return status;
    if (!replay_room(replay))
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a window of games");
    int64_t at = replay->first + replay->count++, samples = 0;
    for (int i = 0; i < record->choice_count; ++i)
        samples += replay_is_sample(&record->choices[i]);
    replay->records[at] = *record;
    replay->samples[at] = samples;
    replay->positions += samples;
    memset(record, 0, sizeof *record);
    return BANYAN_OK;
}

void replay_trim(struct replay *replay, int64_t positions)
{
    while (replay->count > 1 && replay->positions - replay->samples[replay->first] >= positions) {
        replay->positions -= replay->samples[replay->first];
        record_free(&replay->records[replay->first++]);
        --replay->count;
    }
}

int64_t replay_games(const struct replay *replay)
{
    return replay->count;
}

int64_t replay_positions(const struct replay *replay)
{
    return replay->positions;
}

/* --- batches --- */

static bool replay_grow(void **block, size_t count, size_t size)
{
    void *more = realloc(*block, count * size + 1);
    if (more)
        *block = more;
    return more != NULL;
}

static bool replay_batch_room(struct replay *replay, int count)
{
    if (count <= replay->batch)
        return true;
    size_t n = (size_t)count, cells = (size_t)nn_arch_cells(replay->arch);
    size_t actions = n * (size_t)replay->game->max_legal;
    bool good = replay_grow((void **)&replay->planes, n * cells * (size_t)replay->arch->planes,
                            sizeof(float)) &&
                replay_grow((void **)&replay->policy, actions, sizeof(float)) &&
                replay_grow((void **)&replay->policy_weight, n, sizeof(float)) &&
                replay_grow((void **)&replay->values, n * BANYAN_MAX_PLAYERS, sizeof(float)) &&
                replay_grow((void **)&replay->owner, n * cells, sizeof(float)) &&
                replay_grow((void **)&replay->score, n, sizeof(float)) &&
                replay_grow((void **)&replay->start, n + 1, sizeof(int)) &&
                replay_grow((void **)&replay->actions, actions, sizeof(int32_t));
    if (good)
        replay->batch = count;
    return good;
}

float replay_scaled(const struct banyan_game *game, float value)
{
    float middle = (game->return_min + game->return_max) / 2;
    return 2 * (value - middle) / (game->return_max - game->return_min);
}

/* Writes the values of all players, the viewer first: each is the result mixed with the root's
 * value.  The record has the viewer's root value, which in a two-player game with a constant sum
 * gives the other player's, too.  In other games the values of the others are their results. */
static void replay_values(const struct replay *replay, const struct record *record,
                          const struct record_choice *choice, double mix, float *out)
{
    const struct banyan_game *game = replay->game;
    float searched = replay_scaled(game, choice->value), part = (float)mix;
    bool shared = game->players == 2 && game->traits & BANYAN_ZERO_SUM;
    for (int k = 0; k < replay->arch->values; ++k) {
        int p = (choice->player + k) % game->players;
        float result = replay_scaled(game, record->returns[p]);
        float root = k == 0 ? searched : shared ? -searched : result; /* scaled to -1..1 */
        out[k] = (1 - part) * result + part * root;
    }
}

static void replay_policy(struct replay *replay, const struct record *record,
                          const struct record_choice *choice, int image, int at)
{
    const struct banyan_game *game = replay->game;
    const void *state = image ? replay->image : replay->state;
    double sum = 0;
    for (int i = 0; i < choice->count; ++i)
        sum += record->weights[choice->first + i];
    for (int i = 0; i < choice->count; ++i) {
        banyan_action action = record->actions[choice->first + i];
        if (image)
            action = game->symmetry_action(game, replay->state, image, action);
        replay->actions[at + i] = game->policy_index(game, state, choice->player, action);
        replay->policy[at + i] =
            (float)(sum > 0 ? record->weights[choice->first + i] / sum : 1.0 / choice->count);
    }
}

/* Writes the targets of the auxiliary heads; this replays the game to its end. */
static void replay_targets(struct replay *replay, struct replay_walk *walk, int viewer, int image,
                           float *score, float *owner)
{
    while (walk->next < walk->record->choice_count)
        walk_step(walk);
    const void *final = walk->state;
    if (image) {
        replay->game->symmetry(replay->game, walk->state, image, replay->final);
        final = replay->final;
    }
    replay->game->targets(replay->game, final, viewer, score, owner);
}

/* A position of a game, as one of its symmetric images. */
struct replay_pick {
    const struct record *record;
    int index; /* index of its choice */
    int image; /* number of the image; 0: as it was */
};

/* Writes position number i of the batch. replay_add has played the record once, so its start can be
 * read. */
static void replay_fill(struct replay *replay, const struct replay_pick *pick, double mix, int i)
{
    const struct record *record = pick->record;
    int index = pick->index, image = pick->image;
    const struct nn_arch *arch = replay->arch;
    const struct banyan_game *game = replay->game;
    const struct record_choice *choice = &record->choices[index];
    size_t cells = (size_t)nn_arch_cells(arch);
    struct replay_walk walk = {.game = game, .record = record, .state = replay->state};
    (void)walk_begin(&walk, NULL);
    while (walk.next < index)
        walk_step(&walk);
    if (image)
        game->symmetry(game, replay->state, image, replay->image);
    game->encode(game, image ? replay->image : replay->state, choice->player,
                 replay->planes + (size_t)i * cells * (size_t)arch->planes);
    replay_policy(replay, record, choice, image, replay->start[i]);
    replay->start[i + 1] = replay->start[i] + choice->count;
    replay->policy_weight[i] = 1;
    replay_values(replay, record, choice, mix, replay->values + i * arch->values);
    replay->score[i] = 0;
    if (game->targets && (arch->owner || arch->score))
        replay_targets(replay, &walk, choice->player, image, &replay->score[i],
                       replay->owner + (size_t)i * cells);
}

/* Finds position number `at` among all that have targets. */
static const struct record *replay_find(const struct replay *replay, int64_t at, int *index)
{
    int64_t game = replay->first;
    while (at >= replay->samples[game])
        at -= replay->samples[game++];
    const struct record *record = &replay->records[game];
    for (*index = 0;; ++*index)
        if (replay_is_sample(&record->choices[*index]) && at-- == 0)
            return record;
}

/* A number of 0..count-1. */
static int64_t replay_draw(struct banyan_rng *rng, int64_t count)
{
    if (count <= UINT32_MAX)
        return rng_below(rng, (uint32_t)count);
    return (int64_t)(rng_next(rng) % (uint64_t)count); /* the bias is far too small to matter */
}

enum banyan_status replay_sample(struct replay *replay, const struct replay_options *options,
                                 int count, struct banyan_rng *rng, struct nn_batch *batch,
                                 struct banyan_error *err)
{
    const struct banyan_game *game = replay->game;
    int images = options->symmetries && game->symmetry ? game->symmetries : 1;
    if (replay->positions == 0)
        return banyan_fail(err, BANYAN_INVALID, "the window has no position with targets");
    if (!replay_batch_room(replay, count))
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a batch of %d", count);
    replay->start[0] = 0;
    for (int i = 0; i < count; ++i) {
        struct replay_pick pick = {.image = 0};
        pick.record = replay_find(replay, replay_draw(rng, replay->positions), &pick.index);
        if (images > 1)
            pick.image = (int)rng_below(rng, (uint32_t)images);
        replay_fill(replay, &pick, options->value_mix, i);
    }
    *batch = (struct nn_batch){.count = count,
                               .planes = replay->planes,
                               .start = replay->start,
                               .actions = replay->actions,
                               .policy = replay->policy,
                               .policy_weight = replay->policy_weight,
                               .values = replay->values,
                               .owner = game->targets ? replay->owner : NULL,
                               .score = game->targets ? replay->score : NULL};
    return BANYAN_OK;
}
