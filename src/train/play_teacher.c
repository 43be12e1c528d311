/* Plays games of self-play by a teacher, a player that plays in the network's place. */
#include "train/play_teacher.h"

#include "base/rng.h"
#include "players/program/offers.h"

#include <banyan/player.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct play_teacher {
    const struct play_job *job;
    struct banyan_player seats[BANYAN_MAX_PLAYERS];
    unsigned char *before;
    banyan_action *legal;
    struct banyan_dice dice;
    struct banyan_die thrown[256]; /* dice of one apply */
};

enum banyan_status play_teacher_create(struct play_teacher **out, const struct play_job *job,
                                       struct banyan_error *err)
{
    *out = NULL;
    if (!job->options->teacher[0] || job->generation > job->options->teacher_generations)
        return BANYAN_OK;
    struct play_teacher *teacher = calloc(1, sizeof *teacher);
    if (!teacher)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a teacher");
    teacher->job = job;
    teacher->before = malloc(job->game->state_size);
    teacher->legal = calloc((size_t)job->game->max_legal, sizeof *teacher->legal);
    enum banyan_status status = teacher->before && teacher->legal
                                    ? BANYAN_OK
                                    : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a teacher");
    for (int p = 0; p < job->game->players && status == BANYAN_OK; ++p)
        status = banyan_player_create(job->game, job->options->teacher, program_offers, job->seed,
                                      &teacher->seats[p], err);
    *out = teacher;
    return status;
}

void play_teacher_destroy(struct play_teacher *teacher)
{
    if (!teacher)
        return;
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        banyan_player_close(&teacher->seats[p]);
    free(teacher->before);
    free(teacher->legal);
    free(teacher);
}

/* The game in progress. */
struct teacher_game {
    void *state;
    struct banyan_rng *rng;
    struct record *record;
};

/* The target is the teacher's action alone; *played is the action that is played. */
static enum banyan_status teacher_choose(struct play_teacher *teacher,
                                         const struct teacher_game *taught, int p,
                                         banyan_action *played, struct banyan_error *err)
{
    const void *state = taught->state;
    struct banyan_rng *rng = taught->rng;
    struct record *record = taught->record;
    const struct banyan_game *game = teacher->job->game;
    int count = game->legal(game, state, p, teacher->legal);
    struct banyan_player_move move = {.action = teacher->legal[0], .value = (double)NAN};
    if (count > 1) {
        enum banyan_status status =
            teacher->seats[p].choose(teacher->seats[p].ctx, state, NULL, &move, err);
        if (status != BANYAN_OK)
            return status;
    }
    *played = move.action;
    if (rng_unit(rng) < teacher->job->options->teacher_stray)
        *played = teacher->legal[rng_below(rng, (uint32_t)count)];
    struct record_choice choice = {.action = *played,
                                   .value = (float)move.value,
                                   .player = (uint8_t)p,
                                   .taught = count > 1,
                                   .first = record->action_count,
                                   .count = count > 1 ? count : 0};
    bool good = record_add_choice(record, &choice);
    for (int i = 0; i < choice.count && good; ++i)
        good = record_add_action(record, teacher->legal[i], teacher->legal[i] == move.action);
    return good ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
}

static enum banyan_status teacher_apply(struct play_teacher *teacher, void *state,
                                        const banyan_action joint[], struct record *record,
                                        struct banyan_error *err)
{
    const struct banyan_game *game = teacher->job->game;
    enum banyan_status status = BANYAN_OK;
    teacher->dice.log_count = 0;
    memcpy(teacher->before, state, game->state_size);
    game->apply(game, state, joint, &teacher->dice);
    if (teacher->dice.log_count == teacher->dice.log_max)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "one move of %s throws more than %d dice",
                           game->name, teacher->dice.log_max - 1);
    for (int i = 0; i < teacher->dice.log_count; ++i)
        if (!record_add_die(record, &teacher->thrown[i]))
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    for (int p = 0; p < game->players && status == BANYAN_OK; ++p)
        if (teacher->seats[p].observe)
            status = teacher->seats[p].observe(teacher->seats[p].ctx, teacher->before, joint, state,
                                               err);
    return status;
}

/* A choice for which the teacher gave no value gets the game's result as its value. */
static void teacher_fill_values(struct record *record)
{
    for (int i = 0; i < record->choice_count; ++i)
        if (!isfinite(record->choices[i].value))
            record->choices[i].value = record->returns[record->choices[i].player];
}

enum banyan_status play_teacher_game(struct play_teacher *teacher, void *state,
                                     struct banyan_rng *rng, struct record *record,
                                     struct banyan_error *err)
{
    const struct banyan_game *game = teacher->job->game;
    enum banyan_status status = BANYAN_OK;
    banyan_dice_drawn(&teacher->dice, rng);
    teacher->dice.log = teacher->thrown;
    teacher->dice.log_max = (int)(sizeof teacher->thrown / sizeof *teacher->thrown);
    for (int p = 0; p < game->players && status == BANYAN_OK; ++p)
        status = teacher->seats[p].open(teacher->seats[p].ctx, state, p, rng_next(rng), err);
    for (unsigned movers; status == BANYAN_OK && (movers = game->movers(game, state));) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        for (int p = 0; p < game->players && status == BANYAN_OK; ++p)
            if (movers >> p & 1)
                status = teacher_choose(teacher, &(struct teacher_game){state, rng, record}, p,
                                        &joint[p], err);
        if (status == BANYAN_OK)
            status = teacher_apply(teacher, state, joint, record, err);
    }
    if (status != BANYAN_OK)
        return status;
    game->returns(game, state, record->returns);
    teacher_fill_values(record);
    return BANYAN_OK;
}
