/* Verifies mushroom games and positions, JSON lines made by an independent implementation:
 *
 *    {"id", "board", "moves", "counts", "moves_hash", "state_hash", "score", "result"}  a game;
 *             "legal" lists the legal rectangles before every ply
 *    {"id", "values", "owner", "to_move", "cases": [[[r1,c1,r2,c2], "ok|range|sum|edge"]...]}
 *    {"id", "values", "owner", "to_move", "passes", "perft": [...]}
 *
 * Hashes are FNV-1a of 64 bits: of the legal rectangles in lexicographic order (four bytes each),
 * and of 170 bytes of digits followed by 170 of owners.
 */
#include "records/records.h"

#include <jansson.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MUSHROOM_ROWS = 10, MUSHROOM_COLUMNS = 17, MUSHROOM_CELLS = 170 };

/* What the reader of a file needs. */
struct mushroom {
    const struct banyan_game *game;
    struct records_source *source;
    struct records_report *report;
    const char *id;
    void *state;           /* [state_size] */
    banyan_action *listed; /* [max_legal] rectangles in order */
    unsigned char *stack;  /* [MUSHROOM_DEPTH][state_size] for perft */
};

enum { MUSHROOM_DEPTH = 32 };

static uint64_t mushroom_fnv(uint64_t hash, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

#define MUSHROOM_FNV_START 0xcbf29ce484222325u

static int mushroom_order(const void *a, const void *b)
{
    const banyan_action *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int mushroom_mover(const struct mushroom *m)
{
    return m->game->movers(m->game, m->state) & 1 ? 0 : 1;
}

/* Lists the legal rectangles in order of their numbers, which is lexicographic, without the pass,
 * which has the highest number. */
static int mushroom_list(struct mushroom *m)
{
    int count = m->game->legal(m->game, m->state, mushroom_mover(m), m->listed) - 1;
    qsort(m->listed, (size_t)count + 1, sizeof *m->listed, mushroom_order);
    return count;
}

/* The corners of a rectangle, from the text of the action. */
static bool mushroom_corners(const struct mushroom *m, banyan_action action, unsigned char out[4])
{
    char text[64];
    unsigned v[4];
    m->game->action_format(m->game, m->state, mushroom_mover(m), action, text, sizeof text);
    if (sscanf(text, "%u,%u,%u,%u", &v[0], &v[1], &v[2], &v[3]) != 4)
        return false;
    for (int i = 0; i < 4; ++i)
        out[i] = (unsigned char)v[i];
    return true;
}

static uint64_t mushroom_moves_hash(const struct mushroom *m, int count)
{
    uint64_t hash = MUSHROOM_FNV_START;
    unsigned char corners[4] = {0};
    for (int i = 0; i < count; ++i) {
        mushroom_corners(m, m->listed[i], corners);
        hash = mushroom_fnv(hash, corners, 4);
    }
    return hash;
}

/* Digits and owners from the text of the state: ten rows of each. */
static void mushroom_cells(const struct mushroom *m, unsigned char out[2 * MUSHROOM_CELLS])
{
    char text[BANYAN_TEXT_MAX];
    int count = 0;
    m->game->format(m->game, m->state, text, sizeof text);
    for (const char *at = text; *at && count < 2 * MUSHROOM_CELLS; ++at) {
        if (*at == '/' || *at == ' ')
            continue;
        int owner = *at == 'F' ? 1 : *at == 'S' ? 2 : 0;
        out[count] = (unsigned char)(count < MUSHROOM_CELLS ? *at - '0' : owner);
        ++count;
    }
}

static uint64_t mushroom_state_hash(const struct mushroom *m)
{
    unsigned char cells[2 * MUSHROOM_CELLS] = {0};
    mushroom_cells(m, cells);
    return mushroom_fnv(MUSHROOM_FNV_START, cells, sizeof cells);
}

/* --- reading JSON --- */

static json_int_t mushroom_integer(const json_t *array, size_t index, json_int_t otherwise)
{
    const json_t *value = json_array_get(array, index);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

static void mushroom_check_hash(struct mushroom *m, const json_t *array, size_t index,
                                uint64_t ours, const char *what)
{
    char text[24];
    const char *theirs = json_string_value(json_array_get(array, index));
    snprintf(text, sizeof text, "%016" PRIx64, ours);
    if (!theirs || strcmp(theirs, text) != 0)
        records_differ(m->report, m->source, "%s: ply %zu: hash of %s is %s, ours %s", m->id, index,
                       what, theirs ? theirs : "missing", text);
}

/* Adds ten rows to text; false: they are not ten strings of 17 letters. */
static bool mushroom_add_rows(const json_t *rows, char *text, size_t size)
{
    if (json_array_size(rows) != MUSHROOM_ROWS)
        return false;
    for (size_t r = 0; r < MUSHROOM_ROWS; ++r) {
        const char *row = json_string_value(json_array_get(rows, r));
        size_t length = strlen(text);
        if (!row || strlen(row) != MUSHROOM_COLUMNS)
            return false;
        snprintf(text + length, size - length, "%s%s", r ? "/" : "", row);
    }
    return true;
}

/* Sets up the state from "board", or from "values", "owner", "to_move" and "passes". */
static bool mushroom_setup(struct mushroom *m, const json_t *record)
{
    char text[1024] = "";
    struct banyan_error err;
    const json_t *board = json_object_get(record, "board"),
                 *owner = json_object_get(record, "owner");
    const char *to_move = json_string_value(json_object_get(record, "to_move"));
    bool ok =
        mushroom_add_rows(board ? board : json_object_get(record, "values"), text, sizeof text);
    if (ok && owner) {
        strcat(text, " ");
        ok = mushroom_add_rows(owner, text, sizeof text);
    }
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, " %.1s %d", to_move ? to_move : "F",
             (int)json_integer_value(json_object_get(record, "passes")));
    if (ok && m->game->init(m->game, m->state, text, NULL, &err) == BANYAN_OK)
        return true;
    records_differ(m->report, m->source, "%s: %s", m->id,
                   ok ? err.message : "the board is not ten rows of 17 cells");
    return false;
}

/* --- games --- */

static void mushroom_check_list(struct mushroom *m, const json_t *record, size_t ply, int count)
{
    const json_t *legal = json_array_get(json_object_get(record, "legal"), ply);
    json_int_t theirs = mushroom_integer(json_object_get(record, "counts"), ply, -1);
    if (theirs != count)
        records_differ(m->report, m->source, "%s: ply %zu: %d legal rectangles, ours %d", m->id,
                       ply, (int)theirs, count);
    mushroom_check_hash(m, json_object_get(record, "moves_hash"), ply,
                        mushroom_moves_hash(m, count), "the legal rectangles");
    if (!legal)
        return;
    bool same = json_array_size(legal) == (size_t)count;
    for (size_t i = 0; same && i < (size_t)count; ++i)
        same = mushroom_integer(legal, i, -1) == (json_int_t)m->listed[i];
    if (!same)
        records_differ(m->report, m->source, "%s: ply %zu: the legal rectangles differ", m->id,
                       ply);
}

static void mushroom_check_end(struct mushroom *m, const json_t *record)
{
    unsigned char cells[2 * MUSHROOM_CELLS] = {0};
    float returns[BANYAN_MAX_PLAYERS];
    const json_t *score = json_object_get(record, "score");
    int ours[3] = {0};
    if (m->game->movers(m->game, m->state) != 0) {
        records_differ(m->report, m->source, "%s: the game is not over after its last move", m->id);
        return;
    }
    mushroom_cells(m, cells);
    for (int i = 0; i < MUSHROOM_CELLS; ++i)
        ++ours[cells[MUSHROOM_CELLS + i]];
    if (ours[1] != mushroom_integer(score, 0, -1) || ours[2] != mushroom_integer(score, 1, -1))
        records_differ(m->report, m->source, "%s: score %d : %d, ours %d : %d", m->id,
                       (int)mushroom_integer(score, 0, -1), (int)mushroom_integer(score, 1, -1),
                       ours[1], ours[2]);
    m->game->returns(m->game, m->state, returns);
    if (returns[0] != (float)json_integer_value(json_object_get(record, "result")))
        records_differ(m->report, m->source, "%s: result %d, ours %g", m->id,
                       (int)json_integer_value(json_object_get(record, "result")),
                       (double)returns[0]);
}

/* Whether action is a listed rectangle, or the pass. */
static bool mushroom_is_legal(const struct mushroom *m, json_int_t action, int count)
{
    for (int i = 0; i <= count; ++i)
        if (m->listed[i] == (banyan_action)action)
            return true;
    return false;
}

static void mushroom_game(struct mushroom *m, const json_t *record)
{
    const json_t *moves = json_object_get(record, "moves"),
                 *hashes = json_object_get(record, "state_hash");
    size_t count = json_array_size(moves);
    ++m->report->games;
    if (!mushroom_setup(m, record))
        return;
    for (size_t ply = 0; ply < count; ++ply) {
        banyan_action joint[BANYAN_MAX_PLAYERS];
        json_int_t action = mushroom_integer(moves, ply, -1);
        if (m->game->movers(m->game, m->state) == 0) {
            records_differ(m->report, m->source, "%s: ply %zu: by Banyan's rules the game is over",
                           m->id, ply);
            return;
        }
        int listed = mushroom_list(m);
        mushroom_check_list(m, record, ply, listed);
        mushroom_check_hash(m, hashes, ply, mushroom_state_hash(m), "the position");
        if (!mushroom_is_legal(m, action, listed)) {
            records_differ(m->report, m->source,
                           "%s: ply %zu: action %d is not legal by Banyan's rules", m->id, ply,
                           (int)action);
            return;
        }
        joint[0] = joint[1] = (banyan_action)action;
        m->game->apply(m->game, m->state, joint, NULL);
        ++m->report->steps;
    }
    mushroom_check_hash(m, hashes, count, mushroom_state_hash(m), "the position");
    mushroom_check_end(m, record);
}

/* --- verdicts --- */

/* The judge's word for the result of action_parse. */
static const char *mushroom_verdict(struct mushroom *m, const json_t *corners)
{
    char text[128];
    struct banyan_error err = {.message = ""};
    banyan_action action;
    snprintf(text, sizeof text, "%d,%d,%d,%d", (int)mushroom_integer(corners, 0, -9),
             (int)mushroom_integer(corners, 1, -9), (int)mushroom_integer(corners, 2, -9),
             (int)mushroom_integer(corners, 3, -9));
    enum banyan_status status =
        m->game->action_parse(m->game, m->state, mushroom_mover(m), text, &action, &err);
    if (status == BANYAN_OK) {
        int count = mushroom_list(m);
        return mushroom_is_legal(m, (json_int_t)action, count) ? "ok" : "not in the list";
    }
    return strstr(err.message, "sum")    ? "sum"
           : strstr(err.message, "side") ? "edge"
                                         : "range"; /* also for numbers that no rectangle can
                                                     * have */
}

static void mushroom_verdicts(struct mushroom *m, const json_t *record)
{
    const json_t *cases = json_object_get(record, "cases");
    ++m->report->games;
    if (!mushroom_setup(m, record))
        return;
    for (size_t i = 0; i < json_array_size(cases); ++i) {
        const json_t *entry = json_array_get(cases, i);
        const char *theirs = json_string_value(json_array_get(entry, 1));
        const char *ours = mushroom_verdict(m, json_array_get(entry, 0));
        ++m->report->steps;
        if (!theirs || strcmp(theirs, ours) != 0)
            records_differ(m->report, m->source, "%s: case %zu: verdict '%s', ours '%s'", m->id, i,
                           theirs ? theirs : "missing", ours);
    }
}

/* --- perft --- */

static uint64_t mushroom_lines(struct mushroom *m, unsigned char *state, int depth)
{
    const struct banyan_game *game = m->game;
    unsigned movers = game->movers(game, state);
    if (depth == 0)
        return 1;
    if (movers == 0)
        return 0;
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal), joint[2];
    uint64_t lines = 0;
    if (!legal)
        return 0;
    int count = game->legal(game, state, movers & 1 ? 0 : 1, legal);
    for (int i = 0; i < count && depth > 1; ++i) {
        memcpy(state + game->state_size, state, game->state_size);
        joint[0] = joint[1] = legal[i];
        game->apply(game, state + game->state_size, joint, NULL);
        lines += mushroom_lines(m, state + game->state_size, depth - 1);
    }
    free(legal);
    return depth == 1 ? (uint64_t)count : lines;
}

static void mushroom_perft(struct mushroom *m, const json_t *record)
{
    const json_t *counts = json_object_get(record, "perft");
    ++m->report->games;
    if (!mushroom_setup(m, record))
        return;
    memcpy(m->stack, m->state, m->game->state_size);
    for (size_t i = 0; i < json_array_size(counts) && i + 1 < MUSHROOM_DEPTH; ++i) {
        uint64_t ours = mushroom_lines(m, m->stack, (int)i + 1);
        ++m->report->steps;
        if (mushroom_integer(counts, i, -1) != (json_int_t)ours)
            records_differ(m->report, m->source, "%s: %d lines of %zu plies, ours %" PRIu64, m->id,
                           (int)mushroom_integer(counts, i, -1), i + 1, ours);
    }
}

/* --- the file --- */

static enum banyan_status mushroom_line(struct mushroom *m, const char *line, size_t length,
                                        struct banyan_error *err)
{
    json_error_t error;
    json_t *record = json_loadb(line, length, 0, &error);
    if (!record)
        return banyan_fail(err, BANYAN_CORRUPT, "%s:%" PRIu64 ": %s", records_path(m->source),
                           records_line_number(m->source), error.text);
    m->id = json_string_value(json_object_get(record, "id"));
    m->id = m->id ? m->id : "?";
    enum banyan_status status = BANYAN_OK;
    if (json_object_get(record, "moves"))
        mushroom_game(m, record);
    else if (json_object_get(record, "cases"))
        mushroom_verdicts(m, record);
    else if (json_object_get(record, "perft"))
        mushroom_perft(m, record);
    else
        status = banyan_fail(err, BANYAN_CORRUPT,
                             "%s:%" PRIu64 ": the record has no moves, cases or perft",
                             records_path(m->source), records_line_number(m->source));
    json_decref(record);
    return status;
}

static enum banyan_status mushroom_read(const struct banyan_game *game,
                                        struct records_source *source,
                                        struct records_report *report, struct banyan_error *err)
{
    char *line;
    size_t length, list = (size_t)game->max_legal * sizeof(banyan_action);
    struct mushroom m = {.game = game,
                         .source = source,
                         .report = report,
                         .state = malloc(game->state_size),
                         .listed = malloc(list),
                         .stack = malloc(MUSHROOM_DEPTH * game->state_size)};
    enum banyan_status status = BANYAN_OK;
    if (strcmp(game->name, "mushroom") != 0)
        status = banyan_fail(err, BANYAN_UNSUPPORTED, "records of %s are not in this format",
                             game->name);
    else if (!m.state || !m.listed || !m.stack)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", game->name);
    while (status == BANYAN_OK && !records_stopped(report) &&
           (status = records_line(source, &line, &length, err)) == BANYAN_OK && line)
        if (length > 0)
            status = mushroom_line(&m, line, length, err);
    free(m.state);
    free(m.listed);
    free(m.stack);
    return status;
}

static bool mushroom_claims(const char *first_line)
{
    return *first_line == '{';
}

const struct records_format records_mushroom = {
    .name = "mushroom",
    .games = "mushroom",
    .help = "JSON lines: games with move lists and hashes, positions with verdicts or perft counts",
    .claims = mushroom_claims,
    .read = mushroom_read,
};
