/* Reads the records of games, of every version: a line without "record" is of version 0, which had
 * actions and seeds only. */
#include "records/game_record.h"
#include "records/records.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { READ_VERSION = 1, READ_DICE_MAX = 1 << 20 };

static enum banyan_status read_wrong(struct banyan_error *err, const char *key, const char *want)
{
    return banyan_fail(err, BANYAN_CORRUPT, "\"%s\" of the record is not %s", key, want);
}

static enum banyan_status read_no_memory(struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the record of a game");
}

static enum banyan_status read_text(const json_t *line, const char *key, char **out,
                                    struct banyan_error *err)
{
    const char *text = json_string_value(json_object_get(line, key));
    if (!text)
        return read_wrong(err, key, "a text");
    *out = strdup(text);
    return *out ? BANYAN_OK : read_no_memory(err);
}

/* Reads a number of 64 bits from a text of digits. */
static bool read_word(const json_t *value, uint64_t *out)
{
    char *end;
    const char *text = json_string_value(value);
    if (!text || *text < '0' || *text > '9')
        return false;
    *out = strtoull(text, &end, 10);
    return *end == 0;
}

static double read_number(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Reads a player's index; null or a missing member gives -1. */
static enum banyan_status read_player(const struct game_record *record, const json_t *line,
                                      const char *key, int *out, struct banyan_error *err)
{
    const json_t *value = json_object_get(line, key);
    *out = -1;
    if (!value || json_is_null(value))
        return BANYAN_OK;
    json_int_t player = json_is_integer(value) ? json_integer_value(value) : -1;
    if (player < 0 || player >= record->game->players)
        return read_wrong(err, key, "the index of a player or null");
    *out = (int)player;
    return BANYAN_OK;
}

/* --- parts of the line --- */

static enum banyan_status read_game(struct game_record *record, const json_t *line,
                                    struct banyan_error *err)
{
    const json_t *version = json_object_get(line, "record");
    const char *name = json_string_value(json_object_get(line, "game"));
    if (version && (!json_is_integer(version) || json_integer_value(version) > READ_VERSION))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the record has a version above 1: a later program wrote it");
    return name ? banyan_game_find(name, &record->game, err)
                : read_wrong(err, "game", "the name of a game");
}

static enum banyan_status read_players(struct game_record *record, const json_t *line,
                                       struct banyan_error *err)
{
    const json_t *players = json_object_get(line, "players");
    if (json_array_size(players) != (size_t)record->game->players)
        return read_wrong(err, "players", "a list with every player");
    enum banyan_status status = BANYAN_OK;
    for (int p = 0; status == BANYAN_OK && p < record->game->players; ++p) {
        const char *text = json_string_value(json_array_get(players, (size_t)p));
        if (text)
            status = game_record_player(record, p, text, err);
    }
    return status;
}

static void read_start(struct game_record *record, const json_t *line)
{
    const json_t *limits = json_object_get(line, "limits");
    record->number = json_integer_value(json_object_get(line, "number"));
    record->has_seeds = read_word(json_object_get(line, "setup_seed"), &record->setup_seed) &&
                        read_word(json_object_get(line, "dice_seed"), &record->dice_seed);
    record->limits =
        (struct game_limits){json_number_value(json_object_get(limits, "move_ms")),
                             json_number_value(json_object_get(limits, "clock_ms")),
                             json_number_value(json_object_get(limits, "increment_ms"))};
}

static enum banyan_status read_floats(const struct game_record *record, const json_t *line,
                                      const char *key, float *out, struct banyan_error *err)
{
    const json_t *list = json_object_get(line, key);
    for (int p = 0; p < record->game->players; ++p) {
        const json_t *value = json_array_get(list, (size_t)p);
        if (!json_is_number(value))
            return read_wrong(err, key, "a number for every player");
        out[p] = (float)json_number_value(value);
    }
    return BANYAN_OK;
}

static enum banyan_status read_result(struct game_record *record, const json_t *line,
                                      struct banyan_error *err)
{
    enum banyan_status status = read_player(record, line, "overstepped", &record->overstepped, err);
    record->finished = json_is_array(json_object_get(line, "returns"));
    if (status == BANYAN_OK)
        status = read_player(record, line, "forfeited", &record->forfeited, err);
    if (status == BANYAN_OK && json_object_get(line, "reason"))
        status = read_text(line, "reason", &record->reason, err);
    if (status == BANYAN_OK && record->finished)
        status = read_floats(record, line, "returns", record->returns, err);
    record->has_points = json_object_get(line, "points") != NULL;
    if (status == BANYAN_OK && record->has_points)
        status = read_floats(record, line, "points", record->points, err);
    return status;
}

/* --- plies --- */

/* Splits the text of actions: each ply is a word, or the part between two semicolons. */
static enum banyan_status read_actions(struct game_record *record, const json_t *line,
                                       struct banyan_error *err)
{
    enum banyan_status status = read_text(line, "actions", &record->texts, err);
    if (status != BANYAN_OK)
        return status;
    json_int_t plies = json_integer_value(json_object_get(line, "plies"));
    char mark = plies == 1 ? 0 : strchr(record->texts, ';') ? ';' : ' ';
    size_t length = strlen(record->texts), first = 0, count = 1;
    for (size_t i = 0; i < length; ++i)
        count += record->texts[i] == mark;
    record->steps = calloc(count, sizeof *record->steps);
    if (!record->steps)
        return read_no_memory(err);
    for (size_t i = 0; length && i <= length; ++i)
        if (record->texts[i] == mark || !record->texts[i]) {
            record->texts[i] = 0;
            record->steps[record->plies++].text = first;
            first = i + 1;
        }
    record->room = (int)count;
    record->text_used = record->text_room = length + 1;
    return plies == record->plies
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_CORRUPT, "the record has %d actions and says %lld plies",
                             record->plies, (long long)plies);
}

/* The entry with this index in the row of ply, in the column called key; NULL: there is none. */
static const json_t *read_entry(const json_t *line, const char *key, int ply, size_t index)
{
    return json_array_get(json_array_get(json_object_get(line, key), (size_t)ply), index);
}

/* Reads the movers of a ply, and their values for the decision. */
static bool read_ply(struct game_record *record, const json_t *line, int ply)
{
    struct game_step *step = &record->steps[ply];
    const json_t *value;
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        step->thoughts[p].value = step->thoughts[p].elapsed_ms = (double)NAN;
    for (size_t i = 0; (value = read_entry(line, "movers", ply, i)); ++i) {
        json_int_t p = json_is_integer(value) ? json_integer_value(value) : -1;
        if (p < 0 || p >= record->game->players || step->movers >> p ||
            !read_word(read_entry(line, "codes", ply, i), &step->joint[p]))
            return false;
        json_int_t simulations = json_integer_value(read_entry(line, "simulations", ply, i));
        step->movers |= 1u << p;
        step->thoughts[p] =
            (struct game_thought){.value = read_number(read_entry(line, "values", ply, i)),
                                  .elapsed_ms = read_number(read_entry(line, "ms", ply, i)),
                                  .simulations = simulations > 0 ? (uint64_t)simulations : 0};
    }
    return true;
}

/* The number of a kind of dice, which is written by its name if it has one; -1: unknown. */
static int read_kind(const struct banyan_game *game, const json_t *value)
{
    const char *name = json_string_value(value);
    for (int kind = 0; name && game->dice_kinds && game->dice_kinds[kind]; ++kind)
        if (strcmp(name, game->dice_kinds[kind]) == 0)
            return kind;
    json_int_t kind = json_is_integer(value) ? json_integer_value(value) : -1;
    return kind >= 0 && kind <= INT16_MAX ? (int)kind : -1;
}

static bool read_die(const struct banyan_game *game, const json_t *entry, struct banyan_die *out)
{
    const json_t *sides = json_array_get(entry, 1), *value = json_array_get(entry, 2);
    int kind = read_kind(game, json_array_get(entry, 0));
    if (kind < 0 || !json_is_integer(sides) || !json_is_integer(value) ||
        json_integer_value(sides) < 0 || json_integer_value(sides) > INT16_MAX ||
        llabs(json_integer_value(value)) > INT16_MAX)
        return false;
    *out = (struct banyan_die){.kind = (int16_t)kind,
                               .sides = (int16_t)json_integer_value(sides),
                               .value = (int32_t)json_integer_value(value)};
    return true;
}

static enum banyan_status read_dice(struct game_record *record, const json_t *line,
                                    struct banyan_error *err)
{
    const json_t *column = json_object_get(line, "dice"), *entry;
    size_t count = 0;
    record->has_dice = json_array_size(column) == (size_t)record->plies && column;
    if (column && !record->has_dice)
        return read_wrong(err, "dice", "a list for every ply");
    for (int ply = 0; ply < record->plies; ++ply)
        count += json_array_size(json_array_get(column, (size_t)ply));
    if (count > READ_DICE_MAX)
        return banyan_fail(err, BANYAN_CORRUPT, "the record has %zu dice, and %d are the most",
                           count, READ_DICE_MAX);
    record->dice = malloc((count + 1) * sizeof *record->dice);
    if (!record->dice)
        return read_no_memory(err);
    for (int ply = 0; ply < record->plies; ++ply) {
        struct game_step *step = &record->steps[ply];
        step->dice_first = record->dice_count;
        for (size_t i = 0; (entry = read_entry(line, "dice", ply, i)); ++i)
            if (!read_die(record->game, entry, &record->dice[record->dice_count++]))
                return read_wrong(err, "dice", "a list of [KIND, SIDES, VALUE]");
        step->dice_count = record->dice_count - step->dice_first;
    }
    return BANYAN_OK;
}

static enum banyan_status read_plies(struct game_record *record, const json_t *line,
                                     struct banyan_error *err)
{
    enum banyan_status status = read_actions(record, line, err);
    for (int ply = 0; status == BANYAN_OK && ply < record->plies; ++ply)
        if (!read_ply(record, line, ply))
            status = read_wrong(err, "movers", "a list of players and \"codes\" of their actions");
    if (status == BANYAN_OK)
        status = read_dice(record, line, err);
    json_int_t opening = json_integer_value(json_object_get(line, "opening_plies"));
    record->opening_plies = opening > 0 && opening <= record->plies ? (int)opening : 0;
    return status;
}

/* --- lines and files --- */

enum banyan_status game_record_parse(struct game_record *record, const char *text, size_t length,
                                     struct banyan_error *err)
{
    json_error_t problem;
    json_t *line = json_loadb(text, length, 0, &problem);
    *record = (struct game_record){.overstepped = -1, .forfeited = -1};
    if (!line)
        return banyan_fail(err, BANYAN_CORRUPT, "the line is not JSON: %s", problem.text);
    enum banyan_status status = read_game(record, line, err);
    if (status == BANYAN_OK)
        status = read_players(record, line, err);
    if (status == BANYAN_OK)
        status = read_text(line, "start", &record->start, err);
    if (status == BANYAN_OK) {
        read_start(record, line);
        status = read_result(record, line, err);
    }
    if (status == BANYAN_OK)
        status = read_plies(record, line, err);
    json_decref(line);
    if (status != BANYAN_OK)
        game_record_free(record);
    return status;
}

enum banyan_status game_record_read_from(struct game_record *record, struct records_source *source,
                                         int index, struct banyan_error *err)
{
    struct banyan_error why;
    char *line = NULL;
    size_t length = 0;
    const char *path = records_path(source);
    enum banyan_status status = BANYAN_OK;
    for (int left = index; left >= 0 && status == BANYAN_OK;) {
        status = records_line(source, &line, &length, err);
        if (status == BANYAN_OK && !line)
            status = banyan_fail(err, BANYAN_NOT_FOUND, "%s has no game %d", path, index + 1);
        left -= status == BANYAN_OK && length > 0;
    }
    if (status != BANYAN_OK)
        return status;
    status = game_record_parse(record, line, length, &why);
    return status == BANYAN_OK
               ? status
               : banyan_fail(err, status, "%s:%llu: %s", path,
                             (unsigned long long)records_line_number(source), why.message);
}

enum banyan_status game_record_read(struct game_record *record, const char *path, int index,
                                    struct banyan_error *err)
{
    struct records_source *source;
    enum banyan_status status = records_open(path, &source, err);
    if (status != BANYAN_OK)
        return status;
    status = game_record_read_from(record, source, index, err);
    records_close(source);
    return status;
}

/* Removes ":NUMBER" from the end of place; false: place does not end with it. */
static bool read_number_behind(char *place, int least, int *out)
{
    char *colon = strrchr(place, ':'), *end;
    if (!colon || colon == place || colon[1] < '0' || colon[1] > '9')
        return false;
    long number = strtol(colon + 1, &end, 10);
    if (*end || number < least || number > INT32_MAX)
        return false;
    *out = (int)number;
    *colon = 0;
    return true;
}

enum banyan_status game_record_find(struct game_record *record, const char *place, int *ply,
                                    struct banyan_error *err)
{
    int game = 1;
    char *path = strdup(place);
    *ply = -1;
    if (!path)
        return read_no_memory(err);
    if (read_number_behind(path, 0, ply))
        read_number_behind(path, 1, &game);
    enum banyan_status status = game_record_read(record, path, game - 1, err);
    free(path);
    return status;
}
