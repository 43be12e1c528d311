/* Turns a game that was recorded from botbowl into a struct game_record. */
#include "records/bloodbowl_record.h"

#include "records/bloodbowl_replay.h"

/* Goes on to the head of game number index. */
static enum banyan_status record_find(struct bloodbowl_replay *replay, const char *path, int index,
                                      struct banyan_error *err)
{
    enum bloodbowl_event event;
    enum banyan_status status;
    for (int left = index; left >= 0; left -= event == BLOODBOWL_HEAD) {
        status = bloodbowl_replay_next(replay, &event, err);
        if (status != BANYAN_OK)
            return status;
        if (event == BLOODBOWL_DONE)
            return banyan_fail(err, BANYAN_NOT_FOUND, "%s has no game %d", path, index + 1);
    }
    return BANYAN_OK;
}

/* Adds the move that the replay is about to play. */
static enum banyan_status record_add(const struct bloodbowl_replay *replay,
                                     struct game_record *record, struct banyan_error *err)
{
    const struct bb_state *state = bloodbowl_replay_state(replay);
    struct bloodbowl_move move = *bloodbowl_replay_move(replay);
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_dice dice;
    int player = bb_asked(state);
    joint[player] = bb_action_pack(&move.action);
    banyan_dice_recorded(&dice, NULL, 0);
    dice.log = move.dice;
    dice.log_count = move.dice_count;
    dice.log_max = BLOODBOWL_MAX_DICE + 1; /* a full log counts as one that lost dice */
    return game_record_step(
        record,
        &(struct game_played){
            .before = state, .movers = 1u << player, .joint = joint, .dice = &dice},
        err);
}

/* Adds all moves, and the end.  A game whose moves are followed by the head of the next game is not finished. */
static enum banyan_status record_moves(struct bloodbowl_replay *replay, struct game_record *record,
                                       struct banyan_error *err)
{
    enum bloodbowl_event event = BLOODBOWL_MOVE;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && event == BLOODBOWL_MOVE) {
        status = bloodbowl_replay_next(replay, &event, err);
        if (status == BANYAN_OK && event == BLOODBOWL_MOVE)
            status = record_add(replay, record, err);
    }
    if (status == BANYAN_OK && event != BLOODBOWL_HEAD)
        game_record_end(record, bloodbowl_replay_state(replay));
    return status;
}

static enum banyan_status record_read(struct bloodbowl_replay *replay, struct game_record *out,
                                      struct banyan_error *err)
{
    const struct bb_state *state = bloodbowl_replay_state(replay);
    const struct banyan_game *game;
    enum banyan_status status = banyan_game_find(bb_variants[state->variant].name, &game, err);
    if (status == BANYAN_OK)
        status = game_record_begin(out, game, state, err);
    if (status != BANYAN_OK)
        return status;
    out->is_checked = true; /* by bloodbowl_replay_next */
    status = record_moves(replay, out, err);
    if (status != BANYAN_OK)
        game_record_free(out);
    return status;
}

enum banyan_status bloodbowl_record_read_from(struct records_source *source, int index,
                                              struct game_record *out, struct banyan_error *err)
{
    struct bloodbowl_replay *replay;
    enum banyan_status status = bloodbowl_replay_from(source, &replay, err);
    if (status != BANYAN_OK)
        return status;
    status = record_find(replay, records_path(source), index, err);
    if (status == BANYAN_OK)
        status = record_read(replay, out, err);
    bloodbowl_replay_close(replay);
    return status;
}

enum banyan_status bloodbowl_record_read(const char *path, int index, struct game_record *out,
                                         struct banyan_error *err)
{
    struct records_source *source;
    enum banyan_status status = records_open(path, &source, err);
    if (status != BANYAN_OK)
        return status;
    status = bloodbowl_record_read_from(source, index, out, err);
    records_close(source);
    return status;
}
