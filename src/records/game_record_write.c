/* Writes the record of a game as a line of JSON. */
#include "records/game_record.h"

#include "base/text.h"

#include <banyan/version.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GAME_RECORD_VERSION = 1 };

/* 64-bit words do not fit into the integers of JSON readers. */
static json_t *write_word(uint64_t word)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)word);
    return json_string(text);
}

static json_t *write_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* A player's index, or null. */
static json_t *write_player(int player)
{
    return player < 0 ? json_null() : json_integer(player);
}

static json_t *write_floats(const float *values, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; ++i)
        json_array_append_new(list, json_real((double)values[i]));
    return list;
}

/* --- columns: an array for each ply, in which every mover has an entry, the lowest player first --- */

typedef json_t *write_entry_fn(const struct game_step *step, int player);

static json_t *write_column(const struct game_record *record, write_entry_fn *entry)
{
    json_t *column = json_array();
    for (int i = 0; i < record->plies; ++i) {
        const struct game_step *step = &record->steps[i];
        json_t *row = json_array();
        for (int p = 0; p < record->game->players; ++p)
            if (step->movers >> p & 1)
                json_array_append_new(row, entry(step, p));
        json_array_append_new(column, row);
    }
    return column;
}

static json_t *write_mover(const struct game_step *step, int player)
{
    (void)step;
    return json_integer(player);
}

static json_t *write_code(const struct game_step *step, int player)
{
    return write_word(step->joint[player]);
}

static json_t *write_value(const struct game_step *step, int player)
{
    return write_number(step->thoughts[player].value);
}

static json_t *write_simulations(const struct game_step *step, int player)
{
    return json_integer((json_int_t)step->thoughts[player].simulations);
}

/* Microseconds are precise enough, and keep the text short. */
static json_t *write_ms(const struct game_step *step, int player)
{
    return write_number(round(step->thoughts[player].elapsed_ms * 1000) / 1000);
}

static json_t *write_dice(const struct game_record *record)
{
    const struct banyan_game *game = record->game;
    json_t *column = json_array();
    for (int i = 0; i < record->plies; ++i) {
        const struct game_step *step = &record->steps[i];
        json_t *row = json_array();
        for (int k = 0; k < step->dice_count; ++k) {
            const struct banyan_die *die = &record->dice[step->dice_first + k];
            json_t *kind = game->dice_kinds ? json_string(game->dice_kinds[die->kind])
                                            : json_integer(die->kind);
            json_array_append_new(row, json_pack("[o, i, i]", kind, die->sides, die->value));
        }
        json_array_append_new(column, row);
    }
    return column;
}

/* --- the line --- */

static void write_head(const struct game_record *record, json_t *line)
{
    char program[64];
    json_t *players = json_array();
    snprintf(program, sizeof program, "banyan %s", banyan_version_text());
    for (int p = 0; p < record->game->players; ++p)
        json_array_append_new(players,
                              record->players[p] ? json_string(record->players[p]) : json_null());
    json_object_set_new(line, "record", json_integer(GAME_RECORD_VERSION));
    json_object_set_new(line, "program", json_string(program));
    json_object_set_new(line, "game", json_string(record->game->name));
    json_object_set_new(line, "number", json_integer(record->number));
    json_object_set_new(line, "players", players);
    json_object_set_new(line, "start", json_string(record->start));
    if (record->has_seeds) {
        json_object_set_new(line, "setup_seed", write_word(record->setup_seed));
        json_object_set_new(line, "dice_seed", write_word(record->dice_seed));
    }
    const struct game_limits *limits = &record->limits;
    if (limits->move_ms > 0 || limits->clock_ms > 0)
        json_object_set_new(line, "limits",
                            json_pack("{s:f, s:f, s:f}", "move_ms", limits->move_ms, "clock_ms",
                                      limits->clock_ms, "increment_ms", limits->increment_ms));
}

static void write_result(const struct game_record *record, json_t *line)
{
    int players = record->game->players;
    json_object_set_new(line, "returns",
                        record->finished ? write_floats(record->returns, players) : json_null());
    if (record->has_points)
        json_object_set_new(line, "points", write_floats(record->points, players));
    json_object_set_new(line, "overstepped", write_player(record->overstepped));
    if (record->forfeited >= 0)
        json_object_set_new(line, "forfeited", write_player(record->forfeited));
    if (record->reason)
        json_object_set_new(line, "reason", json_string(record->reason));
}

/* Times, which depend on the machine, are written last. */
static void write_plies(const struct game_record *record, json_t *line)
{
    json_object_set_new(line, "movers", write_column(record, write_mover));
    json_object_set_new(line, "codes", write_column(record, write_code));
    if (record->has_dice && record->game->traits & BANYAN_CHANCE)
        json_object_set_new(line, "dice", write_dice(record));
    json_object_set_new(line, "values", write_column(record, write_value));
    json_object_set_new(line, "simulations", write_column(record, write_simulations));
    json_object_set_new(line, "ms", write_column(record, write_ms));
}

/* Whether the file lacks the newline at its end, as after a write that was cut off. */
static bool write_lacks_newline(const char *path)
{
    FILE *file = fopen(path, "rb");
    bool lacks = file && fseek(file, -1, SEEK_END) == 0 && getc(file) != '\n';
    if (file)
        fclose(file);
    return lacks;
}

enum banyan_status game_records_open(const char *path, bool append, FILE **out,
                                     struct banyan_error *err)
{
    struct stat there;
    bool exists = stat(path, &there) == 0;
    bool has_content = exists && S_ISREG(there.st_mode) && there.st_size > 0;
    if (has_content && !append)
        return banyan_fail(err, BANYAN_INVALID,
                           "--save: '%s' is there already: --append adds to it", path);
    bool begins_line = has_content && write_lacks_newline(path);
    *out = fopen(path, append || !exists ? "a" : "w");
    if (!*out)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", path, strerror(errno));
    if (begins_line)
        putc('\n', *out); /* game_record_write finds errors */
    return BANYAN_OK;
}

/* JSON would leave out a text that is not UTF-8. */
static enum banyan_status write_check(const struct game_record *record, struct banyan_error *err)
{
    for (int p = 0; p < record->game->players; ++p)
        if (record->players[p] && !text_is_utf8(record->players[p]))
            return banyan_fail(err, BANYAN_INVALID,
                               "a game cannot be saved: the text of player %d is not UTF-8", p + 1);
    return BANYAN_OK;
}

enum banyan_status game_record_write(const struct game_record *record, FILE *out,
                                     struct banyan_error *err)
{
    enum banyan_status status = write_check(record, err);
    if (status != BANYAN_OK)
        return status;
    char *actions = game_record_actions(record);
    json_t *line = json_object();
    if (!actions || !line) {
        free(actions);
        json_decref(line);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to save a game");
    }
    write_head(record, line);
    json_object_set_new(line, "opening_plies", json_integer(record->opening_plies));
    json_object_set_new(line, "plies", json_integer(record->plies));
    json_object_set_new(line, "actions", json_string(actions));
    write_result(record, line);
    write_plies(record, line);
    errno = 0;
    int failed = json_dumpf(line, out, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(line);
    free(actions);
    if (failed || putc('\n', out) == EOF || fflush(out) != 0)
        return banyan_fail(err, BANYAN_IO, "cannot save a game: %s", strerror(errno));
    return BANYAN_OK;
}
