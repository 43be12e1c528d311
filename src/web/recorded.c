/* Shows recorded games ply by ply. */
#include "web/recorded.h"

#include "base/input.h"
#include "nypc/log.h"
#include "records/bloodbowl_record.h"
#include "records/records.h"
#include "web/battles.h"
#include "web/describe.h"
#include "web/folder.h"
#include "json/show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORDED_PATH = 4096, RECORDED_BATTLE = 4 << 20 };

/* --- files --- */

static bool recorded_ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

static bool recorded_is_name(const char *name)
{
    static const char *const ends[] = {".jsonl", ".jsonl.gz", ".log"};
    bool known = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
        known |= recorded_ends_with(name, ends[i]);
    return known && name[0] != '.';
}

/* Whether a file has the decisions of a bot in a battle whose log is in the same folder: the page
 * shows them with the log. */
static bool recorded_is_beside(const char *folder, const char *name)
{
    char log[RECORDED_PATH];
    size_t stem = strlen(name) - strlen(".jsonl");
    return strncmp(name, "battle-", 7) == 0 && recorded_ends_with(name, ".jsonl") &&
           snprintf(log, sizeof log, "%s/%.*s.log", folder, (int)stem, name) < (int)sizeof log &&
           access(log, R_OK) == 0;
}

/* Whether a file is listed. */
static bool recorded_is_wanted(const char *folder, const char *name)
{
    return recorded_is_name(name) && !recorded_is_beside(folder, name);
}

json_t *recorded_files(const char *folder)
{
    return folder_files(folder, recorded_is_wanted);
}

/* --- one game --- */

static enum banyan_status recorded_read_log(const char *path, struct game_record *record,
                                            struct banyan_error *err)
{
    FILE *in = fopen(path, "r");
    if (!in)
        return input_failed(err, path, errno);
    enum banyan_status status = nypc_log_read(in, path, record, err);
    fclose(in);
    return status;
}

/* What a bot expected in the battle of "ROOM.log", if the folder has its decisions. */
static json_t *recorded_expected(const char *folder, const char *name)
{
    char room[RECORDED_PATH];
    size_t length = strlen(name);
    if (!recorded_ends_with(name, ".log") || length >= sizeof room)
        return json_null();
    memcpy(room, name, length + 1);
    room[length - strlen(".log")] = 0;
    return battles_expected(folder, room);
}

/* Reads all lines into log[RECORDED_BATTLE + 1], as a text. */
static enum banyan_status recorded_read_lines(struct records_source *source, char *log,
                                              struct banyan_error *err)
{
    size_t used = 0, length;
    char *line;
    enum banyan_status status;
    log[0] = 0;
    while ((status = records_line(source, &line, &length, err)) == BANYAN_OK && line) {
        if (used + length + 1 > RECORDED_BATTLE)
            return banyan_fail(err, BANYAN_INVALID, "%s: the log has more than %d bytes",
                               records_path(source), RECORDED_BATTLE);
        memcpy(log + used, line, length);
        used += length;
        log[used++] = '\n';
        log[used] = 0;
    }
    return status;
}

static enum banyan_status recorded_read_battle(struct recorded *recorded, const char *path,
                                               struct banyan_error *err)
{
    struct records_source *source;
    enum banyan_status status = records_open(path, &source, err);
    if (status != BANYAN_OK)
        return status;
    recorded->log = malloc(RECORDED_BATTLE + 1);
    status = recorded->log ? recorded_read_lines(source, recorded->log, err)
                           : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %s", path);
    records_close(source);
    if (status != BANYAN_OK) {
        recorded_close(recorded);
        return status;
    }
    char *fitting = realloc(recorded->log, strlen(recorded->log) + 1);
    recorded->log = fitting ? fitting : recorded->log;
    return BANYAN_OK;
}

/* Reads the game from a file of any format; the log of a battle goes to recorded->log. */
static enum banyan_status recorded_read(struct recorded *recorded, const char *path, int index,
                                        struct game_record *record, struct banyan_error *err)
{
    char first[64];
    enum banyan_status status = records_first_line(path, first, sizeof first, err);
    if (status != BANYAN_OK)
        return status;
    bool is_battle = *first == '|';
    bool is_judges = strncmp(first, "INIT", 4) == 0 || strncmp(first, "ABORT", 5) == 0;
    if ((is_battle || is_judges) && index > 0)
        return banyan_fail(err, BANYAN_NOT_FOUND, "the file is the log of one game");
    if (is_battle)
        return recorded_read_battle(recorded, path, err);
    if (is_judges)
        return recorded_read_log(path, record, err);
    if (strncmp(first, "{\"t\":\"head\"", 11) == 0)
        return bloodbowl_record_read(path, index, record, err);
    return game_record_read(record, path, index, err);
}

enum banyan_status recorded_open(struct recorded *recorded, const char *folder, const char *name,
                                 int index, struct banyan_error *err)
{
    char path[RECORDED_PATH];
    struct game_record record;
    recorded_close(recorded);
    if (!folder_has(folder, name, recorded_is_wanted) ||
        snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return banyan_fail(err, BANYAN_NOT_FOUND, "the folder of games has no file '%.80s'", name);
    enum banyan_status status = recorded_read(recorded, path, index, &record, err);
    if (status == BANYAN_OK && recorded->log)
        recorded->expected = recorded_expected(folder, name);
    return status == BANYAN_OK && !recorded->log ? recorded_take(recorded, &record, err) : status;
}

enum banyan_status recorded_take(struct recorded *recorded, struct game_record *record,
                                 struct banyan_error *err)
{
    recorded_close(recorded);
    recorded->record = *record;
    enum banyan_status status = game_replay_begin(&recorded->at, &recorded->record, err);
    if (status == BANYAN_OK)
        recorded->game = recorded->record.game;
    else
        game_record_free(&recorded->record);
    return status;
}

void recorded_close(struct recorded *recorded)
{
    if (recorded->game) {
        game_replay_end(&recorded->at);
        game_record_free(&recorded->record);
    }
    free(recorded->log);
    json_decref(recorded->expected);
    memset(recorded, 0, sizeof *recorded);
}

/* What each player expected at a ply; null where they said nothing. */
static json_t *recorded_values(const struct recorded *recorded, int ply)
{
    const struct game_step *step = &recorded->record.steps[ply];
    json_t *out = json_array();
    for (int p = 0; p < recorded->game->players; ++p)
        json_array_append_new(out, step->movers >> p & 1 ? show_number(step->thoughts[p].value)
                                                         : json_null());
    return out;
}

json_t *recorded_json(const struct recorded *recorded)
{
    const struct game_record *record = &recorded->record;
    if (recorded->log)
        return json_pack("{s:o, s:O}", "log", show_text(recorded->log), "expected",
                         recorded->expected);
    json_t *players = json_array(), *moves = json_array(), *values = json_array(),
           *returns = json_array();
    for (int p = 0; p < recorded->game->players; ++p) {
        json_array_append_new(players, json_string(record->players[p] ? record->players[p] : "?"));
        if (record->finished)
            json_array_append_new(returns, show_number((double)record->returns[p]));
    }
    for (int ply = 0; ply < record->plies; ++ply) {
        json_array_append_new(moves, json_string(game_record_text(record, ply)));
        json_array_append_new(values, recorded_values(recorded, ply));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "game", recorded->game->name, "players", players,
                     "moves", moves, "values", values, "returns", returns);
}

enum banyan_status recorded_show(struct recorded *recorded, int ply, int viewer, json_t **out,
                                 struct banyan_error *err)
{
    if (!recorded->game || ply > recorded->record.plies)
        return banyan_fail(err, BANYAN_INVALID,
                           recorded->game ? "the game has %d plies" : "no recorded game is open",
                           recorded->record.plies);
    if (viewer >= recorded->game->players)
        return banyan_fail(err, BANYAN_INVALID, "the game has %d players", recorded->game->players);
    enum banyan_status status = BANYAN_OK;
    if (ply < recorded->at.ply) { /* going back means replaying from the start */
        game_replay_end(&recorded->at);
        status = game_replay_begin(&recorded->at, &recorded->record, err);
    }
    if (status == BANYAN_OK)
        status = game_replay_to(&recorded->at, ply, err);
    if (status == BANYAN_OK)
        *out = describe_position(recorded->game, recorded->at.state, viewer, 0);
    return status;
}
