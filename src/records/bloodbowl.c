/* Verifies games of Blood Bowl recorded from botbowl: one JSON object per line, a head, steps, an
 * end.
 *
 * Each step is compared with Banyan's rules: first the choices, field by field; then, after the
 * recorded action and dice, whether all dice were used, and every field of the next state.  After a
 * difference the reader waits for the next decision in an ordinary team turn and continues from the
 * state that the record has there.
 */
#include "records/bloodbowl_json.h"
#include "records/bloodbowl_replay.h"
#include "records/records.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct bloodbowl_reader {
    struct records_source *source;
    struct records_report *report;
    struct bb_state state;
    json_t *before; /* the recorded state before the next step */
    bool playing;   /* a game has begun */
    bool lost;      /* there was a difference, so state is not valid */
    bool differs;   /* there was a difference in this step */
    bool whole;     /* there was no difference in this game so far */
    int game;
    int64_t step;
};

/* Reports a difference.  A step counts once, however many fields differ; all of them are printed.
 */
static void bloodbowl_differ(struct bloodbowl_reader *r, const char *field, const char *expected,
                             const char *got)
{
    if (!r->differs)
        records_differ(r->report, r->source, "game %d step %lld: %s: expected %s, got %s", r->game,
                       (long long)r->step, field, expected, got);
    else if (r->report->out && r->report->differences <= r->report->shown)
        fprintf(r->report->out, "    and %s: expected %s, got %s\n", field, expected, got);
    r->differs = true;
}

static void bloodbowl_report(struct bloodbowl_reader *r, const char *field, const json_t *expected,
                             const json_t *got)
{
    char *left = expected ? json_dumps(expected, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS |
                                                     JSON_REAL_PRECISION(6))
                          : NULL;
    char *right = got ? json_dumps(got, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS |
                                            JSON_REAL_PRECISION(6))
                      : NULL;
    bloodbowl_differ(r, field, left ? left : "nothing", right ? right : "nothing");
    free(left);
    free(right);
}

/* --- comparison --- */

static void bloodbowl_compare_rows(struct bloodbowl_reader *r, const json_t *expected,
                                   const json_t *got)
{
    size_t i;
    json_t *row;
    json_array_foreach(expected, i, row)
    {
        json_t *ours = json_array_get(got, i);
        if (!json_equal(row, ours))
            bloodbowl_report(r, "P", row, ours);
    }
    if (json_array_size(expected) != json_array_size(got))
        bloodbowl_report(r, "P", expected, got);
}

static void bloodbowl_compare_state(struct bloodbowl_reader *r, const json_t *expected)
{
    json_t *got = bloodbowl_json_state(&r->state), *value;
    const char *key;
    json_object_foreach((json_t *)expected, key, value)
    {
        json_t *ours = json_object_get(got, key);
        if (strcmp(key, "P") == 0)
            bloodbowl_compare_rows(r, value, ours);
        else if (!json_equal(value, ours))
            bloodbowl_report(r, key, value, ours);
    }
    json_decref(got);
}

/* Whether two values are equal but for rounding; a list of one number equals this number. */
static bool bloodbowl_same(const json_t *a, const json_t *b)
{
    if (json_is_array(b) && json_is_number(a) && json_array_size(b) == 1)
        return bloodbowl_same(a, json_array_get(b, 0));
    if (json_is_number(a) && json_is_number(b))
        return fabs(json_number_value(a) - json_number_value(b)) <= 1e-5;
    if (!json_is_array(a) || !json_is_array(b))
        return json_equal(a, b);
    if (json_array_size(a) != json_array_size(b))
        return false;
    for (size_t i = 0; i < json_array_size(a); ++i)
        if (!bloodbowl_same(json_array_get(a, i), json_array_get(b, i)))
            return false;
    return true;
}

static bool bloodbowl_fields_match(const json_t *expected, const json_t *got, const char *keys[])
{
    for (int i = 0; keys[i]; ++i) {
        const json_t *a = json_object_get(expected, keys[i]), *b = json_object_get(got, keys[i]);
        if (a ? !b || !bloodbowl_same(a, b) : b != NULL)
            return false;
    }
    return true;
}

static void bloodbowl_compare_choices(struct bloodbowl_reader *r, const json_t *expected)
{
    static const char *identity[] = {"a", "t", "s", "dis", NULL};
    static const char *fields[] = {"p", "q", "bd", "r", "prob", "len", "pr"};
    json_t *got = bloodbowl_json_choices(&r->state), *choice;
    size_t i;
    json_array_foreach(expected, i, choice)
    {
        size_t k = 0, n = json_array_size(got);
        while (k < n && !bloodbowl_fields_match(choice, json_array_get(got, k), identity))
            ++k;
        if (k == n) {
            bloodbowl_report(r, "avail", choice, NULL);
            continue;
        }
        json_t *ours = json_array_get(got, k);
        for (size_t f = 0; f < sizeof fields / sizeof *fields; ++f) {
            json_t *a = json_object_get(choice, fields[f]), *b = json_object_get(ours, fields[f]);
            bool optional = f >= 2; /* the record may leave out these numbers */
            if (a ? !b || !bloodbowl_same(a, b) : b && !optional)
                bloodbowl_report(r, fields[f], choice, ours);
        }
        json_array_remove(got, k);
    }
    json_array_foreach(got, i, choice) bloodbowl_report(r, "avail", NULL, choice);
    json_decref(got);
}

/* --- a step --- */

static enum banyan_status bloodbowl_play(struct bloodbowl_reader *r, const json_t *step,
                                         struct banyan_error *err)
{
    struct bloodbowl_move move;
    struct banyan_dice dice;
    enum banyan_status status = bloodbowl_move_read(&r->state, step, &move, err);
    if (status == BANYAN_ILLEGAL) {
        bloodbowl_report(r, "act", json_object_get(step, "act"), NULL);
        return BANYAN_OK;
    }
    if (status != BANYAN_OK)
        return status;
    banyan_dice_recorded(&dice, move.dice, move.dice_count);
    bb_apply(&r->state, &move.action, &dice);
    if (dice.failed || dice.next != move.dice_count) {
        char used[80];
        snprintf(used, sizeof used, "%d of %d used; %.40s", dice.next, move.dice_count,
                 dice.message);
        bloodbowl_differ(r, "dice", "all used", used);
    }
    return BANYAN_OK;
}

/* Continues from the recorded state where the record allows it. */
static void bloodbowl_resume(struct bloodbowl_reader *r, const json_t *step)
{
    const char *asked = json_string_value(json_object_get(step, "proc"));
    if (r->lost && r->before && asked && strcmp(asked, "Turn") == 0 &&
        bloodbowl_json_resumable(r->before) &&
        bloodbowl_json_load(r->before, &r->state, NULL) == BANYAN_OK)
        r->lost = false;
}

static enum banyan_status bloodbowl_step(struct bloodbowl_reader *r, json_t *step,
                                         struct banyan_error *err)
{
    json_t *after = json_object_get(step, "st");
    bool crash = json_object_get(step, "t") != NULL; /* botbowl had an internal error in this
                                                      * step */
    enum banyan_status status = BANYAN_OK;
    r->step = json_integer_value(json_object_get(step, "i"));
    bloodbowl_resume(r, step);
    if (!r->lost) {
        r->differs = false;
        bloodbowl_compare_choices(r, json_object_get(step, "avail"));
        if (!crash)
            status = bloodbowl_play(r, step, err);
        if (!crash && status == BANYAN_OK && !r->differs)
            bloodbowl_compare_state(r, after);
        ++r->report->steps;
        r->lost = r->differs;
        r->whole &= !r->differs;
    }
    json_decref(r->before);
    r->before = json_incref(after);
    return status;
}

static enum banyan_status bloodbowl_head(struct bloodbowl_reader *r, const json_t *head,
                                         struct banyan_error *err)
{
    enum banyan_status status = bloodbowl_json_head(head, &r->state, err);
    if (status != BANYAN_OK)
        return status;
    ++r->report->games;
    ++r->game;
    r->step = -1;
    r->playing = true;
    r->differs = false;
    bloodbowl_compare_state(r, json_object_get(head, "st"));
    r->lost = r->differs;
    r->whole = !r->differs;
    return BANYAN_OK;
}

static void bloodbowl_end(struct bloodbowl_reader *r)
{
    r->report->whole += r->playing && r->whole;
    r->playing = false;
}

static enum banyan_status bloodbowl_line(struct bloodbowl_reader *r, const char *line,
                                         size_t length, struct banyan_error *err)
{
    json_error_t why;
    json_t *json = json_loadb(line, length, 0, &why);
    enum banyan_status status = BANYAN_OK;
    if (!json)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: line %llu: %s", records_path(r->source),
                           (unsigned long long)records_line_number(r->source), why.text);
    const char *type = json_string_value(json_object_get(json, "t"));
    if (type && strcmp(type, "head") == 0)
        status = bloodbowl_head(r, json, err);
    else if (type && strcmp(type, "end") == 0)
        bloodbowl_end(r);
    else if (r->playing)
        status = bloodbowl_step(r, json, err);
    else
        status = banyan_fail(
            err, BANYAN_CORRUPT, "%s: line %llu: a step, but no head of a game before it",
            records_path(r->source), (unsigned long long)records_line_number(r->source));
    json_decref(json);
    return status;
}

static enum banyan_status bloodbowl_read(const struct banyan_game *game,
                                         struct records_source *source,
                                         struct records_report *report, struct banyan_error *err)
{
    struct bloodbowl_reader reader = {.source = source, .report = report};
    char *line;
    size_t length;
    enum banyan_status status;
    (void)game; /* each head names its variant */
    report->wholes = true;
    while ((status = records_line(source, &line, &length, err)) == BANYAN_OK && line &&
           !records_stopped(report)) {
        if (length == 0)
            continue;
        status = bloodbowl_line(&reader, line, length, err);
        if (status != BANYAN_OK)
            break;
    }
    json_decref(reader.before);
    return status;
}

static bool bloodbowl_claims(const char *first_line)
{
    return strncmp(first_line, "{\"t\":\"head\"", 11) == 0 && strstr(first_line, "\"botbowl");
}

const struct records_format records_bloodbowl = {
    .name = "bloodbowl",
    .games = "bloodbowl",
    .help = "games recorded from botbowl, one JSON object per line",
    .claims = bloodbowl_claims,
    .read = bloodbowl_read,
};
