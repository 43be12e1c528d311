/* Reads suites of positions with questions and answers (docs/suite.md). */
#include "records/suite.h"

#include "records/transcript.h"

#include <banyan/options.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct suite_reader {
    struct records_source *source;
    struct suite *suite;
    struct banyan_error *err;
    const struct banyan_game *game; /* the game of the following positions */
};

static enum banyan_status suite_wrong(const struct suite_reader *reader, const char *message,
                                      const char *text)
{
    return banyan_fail(reader->err, BANYAN_CORRUPT, "%s:%" PRIu64 ": %s%.200s",
                       records_path(reader->source), records_line_number(reader->source), message,
                       text);
}

static enum banyan_status suite_no_memory(const struct suite_reader *reader, const char *text)
{
    return banyan_fail(reader->err, BANYAN_NO_MEMORY, "%s:%" PRIu64 ": no memory for %.200s",
                       records_path(reader->source), records_line_number(reader->source), text);
}

static enum banyan_status suite_text(struct suite_reader *reader, char **out, const char *value)
{
    free(*out);
    *out = strdup(value);
    return *out ? BANYAN_OK : suite_no_memory(reader, value);
}

/* Reads exactly count numbers, separated by blanks. */
static enum banyan_status suite_numbers(struct suite_reader *reader, const char *value, int count,
                                        double *out)
{
    const char *at = value;
    for (int i = 0; i < count; ++i) {
        char *end;
        out[i] = strtod(at, &end);
        if (end == at || !isfinite(out[i]))
            return suite_wrong(
                reader, count == 1 ? "expected a number, not " : "expected numbers, not ", value);
        at = end;
    }
    return at[strspn(at, " \t")] ? suite_wrong(reader, "too many numbers: ", value) : BANYAN_OK;
}

/* --- the words of the language --- */

static enum banyan_status suite_game(struct suite_reader *reader, const char *value)
{
    struct banyan_error err;
    if (banyan_game_find(value, &reader->game, &err) != BANYAN_OK)
        return suite_wrong(reader, "", err.message);
    return BANYAN_OK;
}

static enum banyan_status suite_position_begin(struct suite_reader *reader, const char *value)
{
    struct suite *suite = reader->suite;
    if (!reader->game)
        return suite_wrong(reader, "the game must be named before the first position", "");
    if (suite->count == suite->room) {
        int room = suite->room ? 2 * suite->room : 64;
        struct suite_position *positions =
            realloc(suite->positions, (size_t)room * sizeof *positions);
        if (!positions)
            return suite_no_memory(reader, value);
        suite->positions = positions;
        suite->room = room;
    }
    suite->positions[suite->count++] =
        (struct suite_position){.game = reader->game,
                                .line = records_line_number(reader->source),
                                .player = -1,
                                .level = NAN,
                                .score = NAN,
                                .value_lo = NAN,
                                .value_hi = NAN,
                                .legal = -1};
    return suite_text(reader, &suite->positions[suite->count - 1].id, value);
}

enum suite_word {
    SUITE_GAME,
    SUITE_POSITION,
    SUITE_SETUP,
    SUITE_MOVES,
    SUITE_PLAYER,
    SUITE_LEVEL,
    SUITE_BEST,
    SUITE_AVOID,
    SUITE_SCORE,
    SUITE_VALUE,
    SUITE_LEGAL
};

static const char *const suite_words[] = {
    [SUITE_GAME] = "game",   [SUITE_POSITION] = "position", [SUITE_SETUP] = "setup",
    [SUITE_MOVES] = "moves", [SUITE_PLAYER] = "player",     [SUITE_LEVEL] = "level",
    [SUITE_BEST] = "best",   [SUITE_AVOID] = "avoid",       [SUITE_SCORE] = "score",
    [SUITE_VALUE] = "value", [SUITE_LEGAL] = "legal",       [SUITE_LEGAL + 1] = NULL};

static enum banyan_status suite_whole(struct suite_reader *reader, const char *value, int64_t max,
                                      int64_t *out)
{
    double number;
    enum banyan_status status = suite_numbers(reader, value, 1, &number);
    if (status != BANYAN_OK)
        return status;
    if (number < 0 || number > (double)max || number != floor(number))
        return suite_wrong(reader, "out of range: ", value);
    *out = (int64_t)number;
    return BANYAN_OK;
}

static enum banyan_status suite_answer(struct suite_reader *reader, int word, const char *value)
{
    struct suite *suite = reader->suite;
    if (suite->count == 0)
        return suite_wrong(
            reader, "this word must not stand before the first position: ", suite_words[word]);
    struct suite_position *position = &suite->positions[suite->count - 1];
    double range[2];
    int64_t player;
    enum banyan_status status;
    switch (word) {
    case SUITE_SETUP:
        return suite_text(reader, &position->setup, value);
    case SUITE_MOVES:
        return suite_text(reader, &position->moves, value);
    case SUITE_BEST:
        return suite_text(reader, &position->best, value);
    case SUITE_AVOID:
        return suite_text(reader, &position->avoid, value);
    case SUITE_LEVEL:
        return suite_numbers(reader, value, 1, &position->level);
    case SUITE_SCORE:
        return suite_numbers(reader, value, 1, &position->score);
    case SUITE_LEGAL:
        return suite_whole(reader, value, INT32_MAX, &position->legal);
    case SUITE_PLAYER:
        status = suite_whole(reader, value, position->game->players - 1, &player);
        position->player = status == BANYAN_OK ? (int)player : -1;
        return status;
    default: /* SUITE_VALUE */
        status = suite_numbers(reader, value, 2, range);
        position->value_lo = range[0];
        position->value_hi = range[1];
        return status;
    }
}

static enum banyan_status suite_line(struct suite_reader *reader, char *line)
{
    line += strspn(line, " \t");
    for (size_t n = strlen(line); n > 0 && strchr(" \t", line[n - 1]); --n)
        line[n - 1] = 0;
    if (*line == 0 || *line == '#')
        return BANYAN_OK;
    size_t length = strcspn(line, " \t");
    char *value = line + length;
    value += strspn(value, " \t");
    line[length] = 0;
    int word = 0;
    while (suite_words[word] && strcmp(suite_words[word], line) != 0)
        ++word;
    if (!suite_words[word]) {
        const char *near = banyan_options_nearest(line, suite_words);
        char message[128];
        snprintf(message, sizeof message, "unknown word%s%s%s: ", near ? ", did you mean '" : "",
                 near ? near : "", near ? "'" : "");
        return suite_wrong(reader, message, line);
    }
    if (!*value)
        return suite_wrong(reader, "a value is missing after ", line);
    if (word == SUITE_GAME)
        return suite_game(reader, value);
    if (word == SUITE_POSITION)
        return suite_position_begin(reader, value);
    return suite_answer(reader, word, value);
}

enum banyan_status suite_read(struct records_source *source, struct suite *suite,
                              struct banyan_error *err)
{
    struct suite_reader reader = {.source = source, .suite = suite, .err = err};
    enum banyan_status status;
    char *line;
    size_t length;
    memset(suite, 0, sizeof *suite);
    while ((status = records_line(source, &line, &length, err)) == BANYAN_OK && line) {
        status = memchr(line, 0, length) ? suite_wrong(&reader, "not a text file", "")
                                         : suite_line(&reader, line);
        if (status != BANYAN_OK)
            break;
    }
    return status;
}

void suite_free(struct suite *suite)
{
    for (int i = 0; i < suite->count; ++i) {
        struct suite_position *position = &suite->positions[i];
        free(position->id);
        free(position->setup);
        free(position->moves);
        free(position->best);
        free(position->avoid);
    }
    free(suite->positions);
    memset(suite, 0, sizeof *suite);
}

enum banyan_status suite_state(const struct suite_position *position, void **state,
                               struct banyan_error *err)
{
    struct banyan_rng rng;
    uint64_t steps = 0;
    banyan_rng_seed(&rng, 0);
    *state = calloc(1, position->game->state_size);
    if (!*state)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for position %s", position->id);
    enum banyan_status status =
        position->game->init(position->game, *state, position->setup, &rng, err);
    if (status == BANYAN_OK && position->moves)
        status = transcript_play(position->game, *state, position->moves, &rng, &steps, err);
    if (status != BANYAN_OK) {
        free(*state);
        *state = NULL;
    }
    return status;
}

enum banyan_status suite_names(const struct suite_position *position,
                               const struct suite_answer *answer, const char *list, bool *found,
                               struct banyan_error *err)
{
    banyan_action whole;
    if (position->game->action_parse(position->game, answer->state, answer->player, list, &whole,
                                     NULL) == BANYAN_OK) {
        *found = whole == answer->action;
        return BANYAN_OK;
    }
    char *copy = strdup(list), *rest = copy;
    if (!copy)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for position %s", position->id);
    const char *separators = strchr(list, ';') ? ";" : " ,\t";
    enum banyan_status status = BANYAN_OK;
    *found = false;
    for (char *word; status == BANYAN_OK && (word = strtok_r(rest, separators, &rest)) != NULL;) {
        banyan_action named;
        status = position->game->action_parse(position->game, answer->state, answer->player,
                                              word + strspn(word, " \t"), &named, err);
        *found |= status == BANYAN_OK && named == answer->action;
    }
    free(copy);
    return status;
}
