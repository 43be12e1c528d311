/* Games in the Smart Game Format as records: for `banyan page` and `banyan verify`. */
#include "records/records.h"
#include "records/sgf.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct records_format records_sgf;

bool sgf_serves(const struct banyan_game *game)
{
    return records_format_serves(&records_sgf, game);
}

bool sgf_claims(const char *text)
{
    text += strspn(text, " \t\r\n");
    return *text == '(' && text[1 + strspn(text + 1, " \t\r\n")] == ';';
}

/* Plays the moves from state on and notes them. */
static enum banyan_status sgf_note_moves(const struct sgf_game *sgf, void *state, void *before,
                                         struct game_record *record, struct banyan_error *err)
{
    const struct banyan_game *game = sgf->game;
    enum banyan_status status = BANYAN_OK;
    for (const char *at = sgf->moves; *at && status == BANYAN_OK;) {
        char move[8];
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        size_t length = strcspn(at, " ");
        unsigned movers = game->movers(game, state);
        snprintf(move, sizeof move, "%.*s", (int)length, at);
        at += length + strspn(at + length, " ");
        int player = movers == 2;
        status = movers ? game->action_parse(game, state, player, move, &joint[player], err)
                        : banyan_fail(err, BANYAN_ILLEGAL, "%s: the game is over", move);
        if (status != BANYAN_OK)
            break;
        memcpy(before, state, game->state_size);
        game->apply(game, state, joint, NULL);
        status = game_record_step(
            record, &(struct game_played){.before = before, .movers = movers, .joint = joint}, err);
    }
    return status;
}

/* Notes an end that does not follow from the rules: "B+Resign", "W+T", "B+F". */
static enum banyan_status sgf_note_result(const char *result, struct game_record *record,
                                          struct banyan_error *err)
{
    int loser = *result == 'B' ? 1 : *result == 'W' ? 0 : -1;
    char how = loser >= 0 && result[1] == '+' ? result[2] : 0;
    if (how == 'T')
        record->overstepped = loser;
    if (how != 'R' && how != 'F')
        return BANYAN_OK;
    record->forfeited = loser;
    record->reason = strdup(how == 'R' ? "resigned" : "forfeited the game");
    return record->reason ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
}

static enum banyan_status sgf_note(const struct sgf_game *sgf, void *state, void *before,
                                   struct game_record *record, struct banyan_error *err)
{
    enum banyan_status status = sgf->game->init(sgf->game, state, sgf->settings, NULL, err);
    if (status == BANYAN_OK)
        status = game_record_begin(record, sgf->game, state, err);
    if (status != BANYAN_OK)
        return status;
    for (int p = 0; p < 2 && status == BANYAN_OK; ++p)
        if (*sgf->about.players[p])
            status = game_record_player(record, p, sgf->about.players[p], err);
    if (status == BANYAN_OK)
        status = sgf_note_moves(sgf, state, before, record, err);
    if (status == BANYAN_OK && sgf->game->movers(sgf->game, state))
        status = sgf_note_result(sgf->about.result, record, err);
    if (status == BANYAN_OK)
        game_record_end(record, state);
    else
        game_record_free(record);
    return status;
}

/* The number of bytes up to the end of the first game; length if it has no end. */
static size_t sgf_length(const char *bytes, size_t length)
{
    bool in_value = false;
    int64_t depth = 0;
    for (size_t i = 0; i < length; ++i) {
        if (in_value && bytes[i] == '\\')
            ++i;
        else if (in_value)
            in_value = bytes[i] != ']';
        else if (bytes[i] == '[')
            in_value = true;
        else if (bytes[i] == '(')
            ++depth;
        else if (bytes[i] == ')' && --depth <= 0)
            return i + 1;
    }
    return length;
}

/* Whether there is anything but blanks. */
static bool sgf_has_more(const char *bytes, size_t length)
{
    size_t i = 0;
    while (i < length && strchr(" \t\r\n", bytes[i]))
        ++i;
    return i < length;
}

static enum banyan_status sgf_record_first(const char *bytes, size_t length,
                                           struct game_record *record, struct banyan_error *err)
{
    struct sgf_game *sgf = malloc(sizeof *sgf);
    if (!sgf)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    enum banyan_status status = sgf_read(bytes, length, INT_MAX, sgf, err);
    if (status == BANYAN_OK) {
        void *state = calloc(2, sgf->game->state_size);
        status = state ? sgf_note(sgf, state, (char *)state + sgf->game->state_size, record, err)
                       : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state");
        free(state);
    }
    free(sgf);
    return status;
}

enum banyan_status sgf_record(const char *bytes, size_t length, int index,
                              struct game_record *record, struct banyan_error *err)
{
    for (int i = 0; i < index; ++i) {
        size_t used = sgf_length(bytes, length);
        bytes += used;
        length -= used;
    }
    if (index > 0 && !sgf_has_more(bytes, length))
        return banyan_fail(err, BANYAN_NOT_FOUND, "the file does not have so many games");
    return sgf_record_first(bytes, length, record, err);
}

enum banyan_status sgf_write_record(struct text *out, struct game_record *record,
                                    struct banyan_error *err)
{
    struct game_replay replay;
    struct sgf_about about = {.result = ""};
    int loser = record->overstepped >= 0 ? record->overstepped : record->forfeited;
    enum banyan_status status = game_replay_begin(&replay, record, err);
    if (status != BANYAN_OK)
        return status;
    status = game_replay_to(&replay, -1, err);
    for (int p = 0; p < 2; ++p)
        if (record->players[p])
            snprintf(about.players[p], SGF_NAME_MAX, "%.*s", SGF_NAME_MAX - 1, record->players[p]);
    if (loser >= 0)
        snprintf(about.result, SGF_NAME_MAX, "%c+%s", loser ? 'B' : 'W',
                 record->overstepped >= 0                                    ? "Time"
                 : record->reason && strcmp(record->reason, "resigned") == 0 ? "Resign"
                                                                             : "Forfeit");
    if (status == BANYAN_OK)
        sgf_write(out, record->game, replay.state, &about);
    game_replay_end(&replay);
    return status;
}

/* --- banyan verify --- */

/* Reads what is left of a source into one piece of memory, which the caller frees. */
static enum banyan_status sgf_read_all(struct records_source *source, char **out, size_t *size,
                                       struct banyan_error *err)
{
    char *line;
    size_t length, room = 0;
    enum banyan_status status;
    *out = NULL;
    *size = 0;
    while ((status = records_line(source, &line, &length, err)) == BANYAN_OK && line) {
        if (*size + length + 1 > room) {
            char *larger = realloc(*out, room = 2 * room + length + 4096);
            if (!larger)
                return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a file of games");
            *out = larger;
        }
        memcpy(*out + *size, line, length);
        *size += length;
        (*out)[(*size)++] = '\n';
    }
    return status;
}

static enum banyan_status sgf_verify(const struct banyan_game *game, struct records_source *source,
                                     struct records_report *report, struct banyan_error *err)
{
    char *bytes;
    size_t size, at = 0;
    enum banyan_status status = sgf_read_all(source, &bytes, &size, err);
    while (status == BANYAN_OK && at < size && sgf_has_more(bytes + at, size - at) &&
           !records_stopped(report)) {
        struct game_record record;
        struct banyan_error why;
        size_t length = sgf_length(bytes + at, size - at);
        ++report->games;
        enum banyan_status read = sgf_record_first(bytes + at, length, &record, &why);
        if (read == BANYAN_NO_MEMORY)
            status = banyan_fail(err, BANYAN_NO_MEMORY, "%s", why.message);
        else if (read != BANYAN_OK)
            records_differ(report, source, "game %d: %s", (int)report->games, why.message);
        else
            report->steps += (uint64_t)record.plies;
        if (read == BANYAN_OK)
            game_record_free(&record);
        at += length;
    }
    free(bytes);
    return status;
}

const struct records_format records_sgf = {
    .name = "sgf",
    .games = "go",
    .help = "Smart Game Format, FF[4] and older: the main line of each game of a file",
    .claims = sgf_claims,
    .read = sgf_verify,
};
