/* Turns a game of self-play into a struct game_record. */
#include "train/played.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct played {
    const struct record *record;
    const struct banyan_game *game;
    struct game_record *out;
    void *state, *before;   /* [state_size]; owned */
    struct banyan_die *log; /* [die_count + 1]; owned */
    struct banyan_dice dice;
    int next; /* index of the next choice */
};

/* Whether player may choose action. */
static bool played_is_legal(const struct played *played, int player, banyan_action action)
{
    const struct banyan_game *game = played->game;
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal);
    int count = legal ? game->legal(game, played->state, player, legal) : 0, i = 0;
    while (i < count && legal[i] != action)
        ++i;
    free(legal);
    return i < count;
}

/* Takes the choices of all movers; false: the record's next ones are not theirs, or not legal. */
static bool played_choose(struct played *played, unsigned movers, banyan_action *joint,
                          struct game_thought *thoughts)
{
    const struct record *record = played->record;
    while (movers) {
        const struct record_choice *choice = &record->choices[played->next];
        if (played->next == record->choice_count || choice->player >= played->game->players ||
            !(movers >> choice->player & 1) ||
            !played_is_legal(played, choice->player, choice->action))
            return false;
        joint[choice->player] = choice->action;
        thoughts[choice->player] =
            (struct game_thought){.value = choice->count ? (double)choice->value : (double)NAN,
                                  .elapsed_ms = (double)NAN};
        movers &= ~(1u << choice->player);
        ++played->next;
    }
    return true;
}

/* Plays the next ply. */
static enum banyan_status played_step(struct played *played, struct banyan_error *err)
{
    const struct banyan_game *game = played->game;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct game_thought thoughts[BANYAN_MAX_PLAYERS];
    unsigned movers = game->movers(game, played->state);
    memset(thoughts, 0, sizeof thoughts);
    if (!movers || !played_choose(played, movers, joint, thoughts))
        return banyan_fail(err, BANYAN_ILLEGAL, "choice %d of the game is not legal",
                           played->next + 1);
    memcpy(played->before, played->state, game->state_size);
    game->apply(game, played->state, joint, &played->dice);
    if (played->dice.failed)
        return banyan_fail(err, BANYAN_ILLEGAL, "before choice %d: %s", played->next + 1,
                           played->dice.message);
    const struct game_played step = {.before = played->before,
                                     .movers = movers,
                                     .joint = joint,
                                     .dice = &played->dice,
                                     .thoughts = thoughts};
    return game_record_step(played->out, &step, err);
}

/* Sets the result: by the rules, or the record's returns if a player has resigned. */
static void played_end(const struct played *played)
{
    const struct record *record = played->record;
    game_record_end(played->out, played->state);
    if (!record->resigned)
        return;
    played->out->finished = true;
    memcpy(played->out->returns, record->returns, sizeof record->returns);
}

static enum banyan_status played_all(struct played *played, struct banyan_error *err)
{
    const struct record *record = played->record;
    char who[64];
    enum banyan_status status =
        played->game->init(played->game, played->state, record->start, NULL, err);
    if (status == BANYAN_OK)
        status = game_record_begin(played->out, played->game, played->state, err);
    if (status != BANYAN_OK)
        return status;
    played->out->number = record->number;
    snprintf(who, sizeof who, "self-play of generation %lld", (long long)record->generation);
    for (int p = 0; p < played->game->players && status == BANYAN_OK; ++p)
        status = game_record_player(played->out, p, who, err);
    while (status == BANYAN_OK && played->next < record->choice_count)
        status = played_step(played, err);
    if (status == BANYAN_OK)
        played_end(played);
    else
        game_record_free(played->out);
    return status;
}

enum banyan_status played_convert(const struct record *record, const struct banyan_game *game,
                                  struct game_record *out, struct banyan_error *err)
{
    struct played played = {.record = record, .game = game, .out = out};
    enum banyan_status status = BANYAN_NO_MEMORY;
    played.state = calloc(1, game->state_size);
    played.before = calloc(1, game->state_size);
    played.log = calloc((size_t)record->die_count + 1, sizeof *played.log);
    banyan_dice_recorded(&played.dice, record->dice, record->die_count);
    played.dice.log = played.log;
    played.dice.log_max = record->die_count + 1;
    if (played.state && played.before && played.log)
        status = played_all(&played, err);
    else
        banyan_fail(err, status, "no memory for a game");
    free(played.state);
    free(played.before);
    free(played.log);
    return status;
}

enum banyan_status played_read(const char *path, const struct banyan_game *game, int64_t generation,
                               int64_t number, struct game_record *out, struct banyan_error *err)
{
    struct record_reader *reader;
    struct record record = {.start = NULL};
    bool found = false;
    enum banyan_status status = record_reader_open(&reader, path, game->name, err);
    if (status != BANYAN_OK)
        return status;
    while (!found && record_reader_next(reader, &record))
        found = record.generation == generation && record.number == number;
    record_reader_close(reader);
    status = found ? played_convert(&record, game, out, err)
                   : banyan_fail(err, BANYAN_NOT_FOUND, "%s has no game %lld of generation %lld",
                                 path, (long long)number + 1, (long long)generation);
    record_free(&record);
    return status;
}
