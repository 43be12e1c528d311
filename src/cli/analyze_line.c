/* Reads the lines of the analysis service. */
#include "cli/analyze.h"

#include <banyan/options.h>

#include <stdlib.h>
#include <string.h>

static enum banyan_status line_text(const json_t *value, const char *name, const char **out,
                                    struct banyan_error *err)
{
    if (!json_is_string(value))
        return banyan_fail(err, BANYAN_INVALID, "\"%s\" must be a text", name);
    *out = json_string_value(value);
    return BANYAN_OK;
}

/* When the value is refused, *out does not change, so the caller may convert it to an integer. */
static enum banyan_status line_number(const json_t *value, const char *name, double min, double max,
                                      double *out, struct banyan_error *err)
{
    double number = json_number_value(value);
    if (json_is_number(value) && number >= min && number <= max) {
        *out = number;
        return BANYAN_OK;
    }
    return banyan_fail(err, BANYAN_INVALID, "\"%s\" must be a number of %.15g to %.15g", name, min,
                       max);
}

static enum banyan_status line_truth(const json_t *value, const char *name, bool *out,
                                     struct banyan_error *err)
{
    *out = json_is_true(value);
    return json_is_boolean(value)
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_INVALID, "\"%s\" must be true or false", name);
}

/* Reads an array of texts. */
static enum banyan_status line_texts(const json_t *value, const char *name,
                                     struct searcher_actions *out, struct banyan_error *err)
{
    size_t count = json_array_size(value);
    if (!json_is_array(value) || count > SEARCHER_ACTIONS)
        return banyan_fail(err, BANYAN_INVALID, "\"%s\" must be an array of at most %d texts", name,
                           SEARCHER_ACTIONS);
    enum banyan_status status = BANYAN_OK;
    for (out->count = 0; out->count < (int)count && status == BANYAN_OK; ++out->count)
        status = line_text(json_array_get(value, (size_t)out->count), name, &out->texts[out->count],
                           err);
    return status;
}

/* "moves": a text, or an array of texts, which are joined. */
static enum banyan_status line_moves(struct analyze_question *question, const json_t *value,
                                     struct banyan_error *err)
{
    if (!json_is_array(value))
        return line_text(value, "moves", &question->searcher.position.moves, err);
    size_t size = 1, index, used = 0;
    json_t *move;
    json_array_foreach(value, index, move)
    {
        if (!json_is_string(move))
            return banyan_fail(err, BANYAN_INVALID,
                               "\"moves\" must be a text or an array of texts");
        size += json_string_length(move) + 1;
    }
    question->moves = calloc(size, 1);
    if (!question->moves)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the moves");
    json_array_foreach(value, index, move)
    {
        memcpy(question->moves + used, json_string_value(move), json_string_length(move));
        used += json_string_length(move);
        question->moves[used++] = ' ';
    }
    question->searcher.position.moves = question->moves;
    return BANYAN_OK;
}

/* "options": the text of search options, as --option takes it. */
static enum banyan_status line_options(struct searcher *searcher, const json_t *value,
                                       struct banyan_error *err)
{
    const char *text = NULL;
    enum banyan_status status = line_text(value, "options", &text, err);
    if (status == BANYAN_OK)
        status = banyan_options_parse(banyan_search_option_table(), &searcher->options, text, err);
    return status;
}

/* The limits of a question replace those of the command line. */
static void line_limit(struct analyze_question *question, double simulations, double time_ms)
{
    question->searcher.limits.simulations = (int64_t)simulations;
    question->searcher.limits.time_ms = time_ms;
}

/* Reads a member of a question whose value is a text or an array. */
static enum banyan_status line_words(struct analyze_question *question, const char *name,
                                     const json_t *value, bool *known, struct banyan_error *err)
{
    struct searcher *searcher = &question->searcher;
    *known = true;
    if (strcmp(name, "position") == 0)
        return line_text(value, name, &searcher->position.setup, err);
    if (strcmp(name, "moves") == 0)
        return line_moves(question, value, err);
    if (strcmp(name, "as") == 0)
        return line_text(value, name, &searcher->as, err);
    if (strcmp(name, "options") == 0)
        return line_options(searcher, value, err);
    if (strcmp(name, "allow") == 0)
        return line_texts(value, name, &searcher->allowed, err);
    if (strcmp(name, "avoid") == 0)
        return line_texts(value, name, &searcher->avoided, err);
    *known = false;
    return BANYAN_OK;
}

static enum banyan_status line_member(struct analyze_question *question, const char *name,
                                      const json_t *value, struct banyan_error *err)
{
    double number = 0;
    bool known;
    enum banyan_status status = line_words(question, name, value, &known, err);
    if (known || strcmp(name, "id") == 0)
        return status;
    if (strcmp(name, "seed") == 0) {
        status = line_number(value, name, 0, 0x1p53, &number, err);
        question->searcher.options.seed = (uint64_t)number;
    } else if (strcmp(name, "priority") == 0) {
        status = line_number(value, name, -0x1p53, 0x1p53, &number, err);
        question->priority = (int64_t)number;
    } else if (strcmp(name, "report_ms") == 0) {
        status = line_number(value, name, 1, 1e9, &question->report_ms, err);
    } else if (strcmp(name, "simulations") == 0 || strcmp(name, "time_ms") == 0) {
        return BANYAN_OK; /* line_limits() reads them */
    } else if (strcmp(name, "early") == 0) {
        status = line_truth(value, name, &question->searcher.limits.early, err);
    } else if (strcmp(name, "ownership") == 0) {
        status = line_truth(value, name, &question->ownership, err);
    } else {
        status = banyan_fail(err, BANYAN_INVALID,
                             "\"%.40s\" is unknown: a question has id, position, moves, as, "
                             "simulations, time_ms, early, seed, options, allow, avoid, priority, "
                             "report_ms, ownership",
                             name);
    }
    return status;
}

static enum banyan_status line_limits(struct analyze_question *question, struct banyan_error *err)
{
    const json_t *simulations = json_object_get(question->json, "simulations");
    const json_t *time_ms = json_object_get(question->json, "time_ms");
    double most = 0, ms = 0;
    enum banyan_status status = BANYAN_OK;
    if (simulations)
        status = line_number(simulations, "simulations", 1, 1e15, &most, err);
    if (status == BANYAN_OK && time_ms)
        status = line_number(time_ms, "time_ms", 0.001, 1e12, &ms, err);
    if (simulations || time_ms)
        line_limit(question, most, ms);
    return status;
}

static enum banyan_status line_question(struct analyze_question *question,
                                        const struct searcher *base, struct banyan_error *err)
{
    const char *name;
    json_t *value;
    question->searcher = *base;
    enum banyan_status status = line_limits(question, err);
    json_object_foreach(question->json, name, value)
    {
        if (status == BANYAN_OK)
            status = line_member(question, name, value, err);
    }
    const struct searcher *s = &question->searcher;
    if (status == BANYAN_OK && s->allowed.count && s->avoided.count)
        status = banyan_fail(err, BANYAN_INVALID, "\"allow\" and \"avoid\" cannot both be given");
    return status;
}

/* Reads the member `name` of a line, which is an id. */
static enum banyan_status line_id(const json_t *json, const char *name, char out[],
                                  struct banyan_error *err)
{
    const json_t *id = json_object_get(json, name);
    size_t length = json_string_length(id);
    if (!json_is_string(id) || length == 0 || length > ANALYZE_ID_MAX)
        return banyan_fail(err, BANYAN_INVALID, "needs \"%s\", a text of 1 to %d bytes", name,
                           ANALYZE_ID_MAX);
    memcpy(out, json_string_value(id), length + 1);
    return BANYAN_OK;
}

enum banyan_status analyze_line_read(struct analyze_line *line, const struct searcher *base,
                                     const char *text, size_t length, struct banyan_error *err)
{
    json_error_t why;
    memset(line, 0, sizeof *line);
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (!json_is_object(json)) {
        json_decref(json);
        return banyan_fail(err, BANYAN_INVALID, "the line is no JSON object: %.200s",
                           json ? "it is another value" : why.text);
    }
    enum banyan_status status = line_id(json, "id", line->id, err);
    const json_t *all = json_object_get(json, "terminate_all");
    if (status == BANYAN_OK && all && !json_is_true(all))
        status = banyan_fail(err, BANYAN_INVALID, "\"terminate_all\" must be true");
    if (all)
        line->kind = ANALYZE_TERMINATE_ALL;
    else if (json_object_get(json, "terminate"))
        line->kind = ANALYZE_TERMINATE;
    if (status == BANYAN_OK && line->kind == ANALYZE_TERMINATE)
        status = line_id(json, "terminate", line->target, err);
    if (status != BANYAN_OK || line->kind != ANALYZE_QUESTION) {
        json_decref(json);
        return status;
    }
    line->question.json = json;
    line->question.id = json_string_value(json_object_get(json, "id"));
    status = line_question(&line->question, base, err);
    if (status != BANYAN_OK)
        analyze_question_free(&line->question);
    return status;
}

void analyze_question_free(struct analyze_question *question)
{
    free(question->moves);
    json_decref(question->json);
    memset(question, 0, sizeof *question);
}
