/* Replays the record of a game, and compares it with Banyan's rules. */
#include "records/game_record.h"
#include "records/transcript.h"

#include <stdlib.h>
#include <string.h>

enum banyan_status game_replay_begin(struct game_replay *replay, struct game_record *record,
                                     struct banyan_error *err)
{
    const struct banyan_game *game = record->game;
    struct banyan_error why = {.message = ""};
    *replay =
        (struct game_replay){.record = record,
                             .state = calloc(1, game->state_size),
                             .before = calloc(1, game->state_size),
                             .legal = malloc((size_t)game->max_legal * sizeof *replay->legal)};
    enum banyan_status status = BANYAN_OK;
    banyan_rng_seed(&replay->rng, record->setup_seed);
    if (!replay->state || !replay->before || !replay->legal)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", game->name);
    else if ((status = game->init(game, replay->state, record->start, &replay->rng, &why)) !=
             BANYAN_OK)
        banyan_fail(err, status, "the start of the record: %s", why.message);
    if (status != BANYAN_OK)
        game_replay_end(replay);
    banyan_rng_seed(&replay->rng, record->dice_seed);
    banyan_dice_drawn(&replay->dice, &replay->rng);
    return status;
}

void game_replay_end(struct game_replay *replay)
{
    free(replay->state);
    free(replay->before);
    free(replay->legal);
    replay->state = replay->before = NULL;
    replay->legal = NULL;
}

/* Whether the recorded actions are legal for the movers. */
static enum banyan_status replay_legal(struct game_replay *replay, const struct game_step *step,
                                       unsigned movers, struct banyan_error *err)
{
    const struct banyan_game *game = replay->record->game;
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        int count = game->legal(game, replay->state, p, replay->legal), i = 0;
        while (i < count && replay->legal[i] != step->joint[p])
            ++i;
        if (i == count)
            return banyan_fail(err, BANYAN_ILLEGAL, "ply %d: '%.200s' of %s is not legal",
                               replay->ply + 1, game_record_text(replay->record, replay->ply),
                               banyan_game_player_name(game, p));
    }
    return BANYAN_OK;
}

/* Reads the actions of the ply. If the record has their codes (version 0 has not), it compares those too. */
static enum banyan_status replay_actions(struct game_replay *replay, struct game_step *step,
                                         unsigned movers, struct banyan_error *err)
{
    const struct banyan_game *game = replay->record->game;
    struct banyan_error why = {.message = ""};
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    const char *text = game_record_text(replay->record, replay->ply);
    enum banyan_status status = transcript_parse(game, replay->state, text, joint, &why);
    if (status != BANYAN_OK)
        return banyan_fail(err, status, "ply %d: %.400s", replay->ply + 1, why.message);
    if (step->movers && step->movers != movers)
        return banyan_fail(err, BANYAN_ILLEGAL, "ply %d: by Banyan's rules other players choose",
                           replay->ply + 1);
    for (int p = 0; step->movers && p < game->players; ++p)
        if (movers >> p & 1 && joint[p] != step->joint[p])
            return banyan_fail(err, BANYAN_ILLEGAL,
                               "ply %d: '%.200s' has the code %llu here, not %llu", replay->ply + 1,
                               text, (unsigned long long)joint[p],
                               (unsigned long long)step->joint[p]);
    step->movers = movers;
    memcpy(step->joint, joint, sizeof joint);
    return replay_legal(replay, step, movers, err);
}

/* Applies the ply with the recorded dice; the rules must use all of them. */
static enum banyan_status replay_apply(struct game_replay *replay, const struct game_step *step,
                                       struct banyan_error *err)
{
    const struct game_record *record = replay->record;
    const struct banyan_game *game = record->game;
    struct banyan_dice recorded;
    struct banyan_dice *dice = record->has_dice ? &recorded : &replay->dice;
    if (game->traits & BANYAN_CHANCE && !record->has_dice && !record->has_seeds)
        return banyan_fail(err, BANYAN_CORRUPT, "the record has neither dice nor their seed");
    if (record->has_dice) /* also in a game without chance: then the list is empty */
        banyan_dice_recorded(&recorded, record->dice ? record->dice + step->dice_first : NULL,
                             step->dice_count);
    memcpy(replay->before, replay->state, game->state_size);
    game->apply(game, replay->state, step->joint, dice);
    if (!record->has_dice || (!recorded.failed && recorded.next == recorded.count))
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_ILLEGAL, "ply %d: %s", replay->ply + 1,
                       recorded.failed ? recorded.message : "the record has more dice");
}

enum banyan_status game_replay_next(struct game_replay *replay, struct banyan_error *err)
{
    const struct banyan_game *game = replay->record->game;
    struct game_step *step = &replay->record->steps[replay->ply];
    unsigned movers = game->movers(game, replay->state);
    bool is_checked = replay->record->is_checked && step->movers == movers;
    if (!movers)
        return banyan_fail(err, BANYAN_ILLEGAL, "ply %d: the game is over", replay->ply + 1);
    enum banyan_status status = BANYAN_OK;
    if (!is_checked)
        status = replay_actions(replay, step, movers, err);
    if (status == BANYAN_OK)
        status = replay_apply(replay, step, err);
    replay->ply += status == BANYAN_OK;
    return status;
}

enum banyan_status game_replay_check(const struct game_replay *replay, struct banyan_error *err)
{
    const struct game_record *record = replay->record;
    const struct banyan_game *game = record->game;
    struct game_record ours = {
        .game = game, .overstepped = record->overstepped, .forfeited = record->forfeited};
    game_record_end(&ours, replay->state);
    if (!record->finished && !ours.finished)
        return BANYAN_OK;
    if (record->finished != ours.finished)
        return banyan_fail(err, BANYAN_ILLEGAL,
                           "by Banyan's rules the game is %s after its last ply",
                           ours.finished ? "over" : "not over");
    for (int p = 0; p < game->players; ++p)
        if (record->returns[p] != ours.returns[p] ||
            (record->has_points && ours.has_points && record->points[p] != ours.points[p]))
            return banyan_fail(err, BANYAN_ILLEGAL,
                               "%s has the return %g and %g points; by Banyan's rules %g and %g",
                               banyan_game_player_name(game, p), (double)record->returns[p],
                               (double)record->points[p], (double)ours.returns[p],
                               (double)ours.points[p]);
    return BANYAN_OK;
}

enum banyan_status game_replay_to(struct game_replay *replay, int ply, struct banyan_error *err)
{
    int last = replay->record->plies;
    enum banyan_status status = BANYAN_OK;
    if (ply > last)
        return banyan_fail(err, BANYAN_NOT_FOUND, "the game has %d plies: there is no ply %d", last,
                           ply);
    while (status == BANYAN_OK && replay->ply < (ply < 0 ? last : ply))
        status = game_replay_next(replay, err);
    return status;
}
