/* Saves a game at the terminal as a record (docs/records.md), and goes on with a recorded one. */
#include "cli/play.h"

#include "base/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- saving --- */

/* Refuses to replace an existing file, except the one that `save` wrote last. */
static enum banyan_status save_allowed(const struct play *play, const char *path,
                                       struct banyan_error *err)
{
    if (strcmp(path, play->saved) == 0 || access(path, F_OK) != 0)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_INVALID, "%s is there already: name a new file", path);
}

static enum banyan_status save_write(struct play *play, const char *path, struct banyan_error *err)
{
    struct output output;
    enum banyan_status status = output_open(&output, path, err);
    if (status != BANYAN_OK)
        return status;
    game_record_end(&play->record, play_now(play));
    status = game_record_write(&play->record, output.stream, err);
    return output_close(&output, status, err);
}

void play_save(struct play *play, const char *path)
{
    char usual[sizeof play->saved];
    struct banyan_error err;
    snprintf(usual, sizeof usual, "%s-%llu.jsonl", play->game->name,
             (unsigned long long)play->position.seed);
    if (!*path)
        path = *play->saved ? play->saved : usual;
    if (strlen(path) >= sizeof play->saved)
        printf("the name of the file is too long\n");
    else if (save_allowed(play, path, &err) != BANYAN_OK ||
             save_write(play, path, &err) != BANYAN_OK)
        printf("not saved: %s\n", err.message);
    else {
        memmove(play->saved, path, strlen(path) + 1);
        printf("saved: `banyan play --from %s` goes on here\n", path);
    }
}

/* --- a record of the game from its first state on --- */

enum banyan_status play_record_begin(struct play *play, struct banyan_error *err)
{
    enum banyan_status status = game_record_begin(&play->record, play->game, play_now(play), err);
    for (int p = 0; status == BANYAN_OK && p < play->game->players; ++p)
        status = game_record_player(&play->record, p, play->seats[p].text, err);
    return status;
}

/* --- going on --- */

enum banyan_status play_find(struct play *play, const char *place, struct banyan_error *err)
{
    enum banyan_status status = game_record_find(&play->record, place, &play->from_ply, err);
    if (status == BANYAN_OK && play->game && play->game != play->record.game)
        status = banyan_fail(err, BANYAN_INVALID, "--from=%.200s is a game of %s, not of %s", place,
                             play->record.game->name, play->game->name);
    if (status == BANYAN_OK)
        play->game = play->position.game = play->record.game;
    return status;
}

/* Gives the seats the players of the record, unless the command line names others. */
static void save_seats(struct play *play)
{
    for (int p = 0; p < play->game->players; ++p)
        if (!play->seats[p].text && !play->level_given)
            play->seats[p].text = play->record.players[p];
}

/* Begins a new record at state: the old record lacks its dice, so steps added to it could not be
 * replayed. */
static enum banyan_status save_without_dice(struct play *play, const void *state,
                                            struct banyan_error *err)
{
    game_record_free(&play->record);
    play->length = 0;
    enum banyan_status status = play_push(play, state, err);
    return status == BANYAN_OK ? play_record_begin(play, err) : status;
}

enum banyan_status play_restore(struct play *play, struct banyan_error *err)
{
    struct game_replay replay;
    save_seats(play);
    play_seat_defaults(play);
    enum banyan_status status = game_replay_begin(&replay, &play->record, err);
    if (status != BANYAN_OK)
        return status;
    status = play_push(play, replay.state, err);
    int last = play->from_ply < 0 ? play->record.plies : play->from_ply;
    while (status == BANYAN_OK && replay.ply < last) {
        status = game_replay_to(&replay, replay.ply + 1, err);
        const struct game_step *step = &play->record.steps[replay.ply > 0 ? replay.ply - 1 : 0];
        if (status == BANYAN_OK)
            status = play_replayed(play, step->movers, step->joint, replay.state, err);
    }
    bool lacks_dice = play->game->traits & BANYAN_CHANCE && !play->record.has_dice;
    if (status == BANYAN_OK && lacks_dice)
        status = save_without_dice(play, replay.state, err);
    else
        game_record_cut(&play->record, last);
    game_replay_end(&replay);
    return status;
}
