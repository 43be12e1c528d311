/* Reads runs of training for a page. */
#include "web/runs.h"

#include "match/elo.h"
#include "train/database.h"
#include "train/played.h"
#include "json/show.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RUNS_DIGITS = 5 };

/* --- runs --- */

void runs_begin(struct runs *runs, const struct sources *sources)
{
    memset(runs, 0, sizeof *runs);
    runs->sources = sources;
    for (int i = 0; sources && i < sources->run_count; ++i) {
        struct runs_one *run = &runs->one[runs->count++];
        run->folder = sources->runs[i];
        snprintf(run->path, sizeof run->path, "%s/run.db", run->folder);
        follow_begin(&run->follow, run->path);
    }
}

void runs_end(struct runs *runs)
{
    for (int i = 0; i < runs->count; ++i)
        follow_end(&runs->one[i].follow);
}

json_t *runs_names_json(const struct sources *sources)
{
    json_t *names = json_array();
    for (int i = 0; sources && i < sources->run_count; ++i) {
        int length;
        const char *name = sources_run_name(sources, i, &length);
        json_array_append_new(names, json_stringn(name, (size_t)length));
    }
    return names;
}

bool runs_changed(struct runs *runs, unsigned which)
{
    bool any = false;
    for (int i = 0; i < runs->count; ++i) {
        struct runs_one *run = &runs->one[i];
        bool changed = false, was_open = run->follow.db != NULL;
        if (!(which >> i & 1))
            continue;
        bool open = follow_look(&run->follow, &changed, NULL) == BANYAN_OK;
        bool is_running = loop_is_running(run->folder);
        any |= changed || open != was_open || is_running != run->is_running;
        run->is_running = is_running;
    }
    return any;
}

/* --- what a run holds --- */

struct runs_row {
    struct loop_generation g;
    double
        elo_error; /* half the 95 % interval of g.elo: the errors of its gates, added as squares */
};

struct runs_reading {
    struct runs_row *rows; /* [count]; owned */
    double squares;        /* sum of the squared errors of the gates passed so far */
    int count, room;
    struct loop_generation now; /* the generation that is not finished; number 0: none */
    json_t *tests, *games;
    char game[64], title[128]; /* "": not known */
    int64_t all_games;
    struct banyan_error *err;
};

/* Half the 95 % interval of a gate's Elo difference, as the run's report has it. */
static double runs_gate_error(const struct loop_generation *g)
{
    double lo, hi;
    elo_wilson(g->gate_score * (double)g->gate_games, (double)g->gate_games, ELO_Z95, &lo, &hi);
    return (elo_from_score(fmin(hi, 0.999)) - elo_from_score(fmax(lo, 0.001))) / 2;
}

static enum banyan_status runs_add_row(void *ctx, const struct loop_generation *g)
{
    struct runs_reading *reading = ctx;
    if (reading->count == reading->room) {
        int room = 2 * reading->room + 256;
        struct runs_row *rows = realloc(reading->rows, (size_t)room * sizeof *rows);
        if (!rows)
            return banyan_fail(reading->err, BANYAN_NO_MEMORY, "no memory for a generation");
        reading->rows = rows;
        reading->room = room;
    }
    if (g->published && g->gate_games)
        reading->squares += runs_gate_error(g) * runs_gate_error(g);
    reading->rows[reading->count++] = (struct runs_row){*g, sqrt(reading->squares)};
    reading->all_games += g->games;
    return BANYAN_OK;
}

static enum banyan_status runs_note_progress(void *ctx, const struct loop_generation *g)
{
    ((struct runs_reading *)ctx)->now = *g;
    return BANYAN_OK;
}

/* A number rounded to RUNS_DIGITS digits, since a chart shows no more; as an integer if the rounded
 * number is whole. */
static json_t *runs_number(double value)
{
    char text[40];
    if (!isfinite(value))
        return json_null();
    snprintf(text, sizeof text, "%.*g", RUNS_DIGITS, value);
    value = strtod(text, NULL);
    return fabs(value) < 1e15 && value == floor(value) ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

static void runs_add_test(void *ctx, const struct train_database_test *test)
{
    struct runs_reading *reading = ctx;
    double lo, hi;
    elo_wilson(test->score * (double)test->games, (double)test->games, ELO_Z95, &lo, &hi);
    json_t *list = json_object_get(reading->tests, test->opponent);
    if (!list) {
        list = json_array();
        json_object_set_new(reading->tests, test->opponent, list);
    }
    json_array_append_new(list,
                          json_pack("[I, I, o, o, o, I]", (json_int_t)test->generation,
                                    (json_int_t)test->games, runs_number(test->score),
                                    runs_number(lo), runs_number(hi), (json_int_t)test->losses));
}

static void runs_add_game(void *ctx, const struct train_database_game *game)
{
    struct runs_reading *reading = ctx;
    json_array_append_new(reading->games,
                          json_pack("{s:I, s:I, s:i, s:b, s:[o, o]}", "generation",
                                    (json_int_t)game->generation, "number",
                                    (json_int_t)game->number + 1, "choices", game->choices,
                                    "resigned", game->resigned, "returns",
                                    runs_number(game->returns[0]), runs_number(game->returns[1])));
}

/* The first line of DIR/options names the game; "": it is not known. */
static void runs_read_name(const struct runs_one *run, char name[64])
{
    char path[RUNS_PATH];
    struct stat about;
    name[0] = 0;
    if (snprintf(path, sizeof path, "%s/options", run->folder) >= (int)sizeof path)
        return;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return; /* the page must not wait for a pipe */
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    if (fscanf(file, "game %63s", name) != 1)
        name[0] = 0;
    fclose(file);
}

static void runs_read_game(const struct runs_one *run, struct runs_reading *reading)
{
    const struct banyan_game *game;
    runs_read_name(run, reading->game);
    bool known = banyan_game_find(reading->game, &game, NULL) == BANYAN_OK;
    snprintf(reading->title, sizeof reading->title, "%s", known ? game->title : reading->game);
}

/* Reads generations, progress and tests of a run; games: its last games, too. */
static enum banyan_status runs_read(struct runs_one *run, bool games, struct runs_reading *reading,
                                    struct banyan_error *err)
{
    struct train_database *db;
    *reading = (struct runs_reading){.tests = json_object(), .games = json_array(), .err = err};
    runs_read_game(run, reading);
    if (!run->follow.db || !follow_has_table(&run->follow, "generations"))
        return BANYAN_OK; /* the run begins */
    enum banyan_status status = train_database_read(&db, run->follow.db, err);
    if (status != BANYAN_OK)
        return status;
    status = train_database_each_generation(db, TRAIN_DATABASE_GENERATIONS, 0, runs_add_row,
                                            reading, err);
    int64_t next = reading->count ? reading->rows[reading->count - 1].g.generation + 1 : 0;
    if (status == BANYAN_OK)
        status = train_database_each_generation(db, TRAIN_DATABASE_PROGRESS, next,
                                                runs_note_progress, reading, err);
    if (status == BANYAN_OK)
        status = train_database_each_test(db, runs_add_test, reading, err);
    if (status == BANYAN_OK && games)
        status = train_database_each_game(db, RUNS_GAMES, runs_add_game, reading, err);
    train_database_close(db);
    return status;
}

/* Frees the rows, and gives up the references to tests and games. */
static void runs_reading_free(struct runs_reading *reading)
{
    free(reading->rows);
    json_decref(reading->tests);
    json_decref(reading->games);
}

/* --- one row for each --- */

/* The last test against each opponent: {OPPONENT: [generation, games, score, lo, hi, losses]}. */
static json_t *runs_last_tests(json_t *tests)
{
    json_t *out = json_object(), *list;
    const char *opponent;
    json_object_foreach(tests, opponent, list)
        json_object_set(out, opponent, json_array_get(list, json_array_size(list) - 1));
    return out;
}

static json_t *runs_summary(const struct runs *runs, int i, const struct runs_reading *reading)
{
    int length;
    const char *name = sources_run_name(runs->sources, i, &length);
    const struct loop_generation *last =
        reading->count ? &reading->rows[reading->count - 1].g : NULL;
    return json_pack(
        "{s:s%, s:s, s:s, s:b, s:I, s:I, s:o, s:o, s:o}", "name", name, (size_t)length, "game",
        reading->game, "title", reading->title, "running", runs->one[i].is_running, "generations",
        (json_int_t)(last ? last->generation : 0), "games", (json_int_t)reading->all_games, "elo",
        last ? runs_number(last->elo) : json_null(), "games_per_s",
        last && last->play_s > 0 ? runs_number((double)last->games / last->play_s) : json_null(),
        "tests", runs_last_tests(reading->tests));
}

json_t *runs_list_json(struct runs *runs)
{
    json_t *list = json_array();
    char problem[BANYAN_MESSAGE_MAX] = "";
    for (int i = 0; i < runs->count; ++i) {
        struct runs_reading reading;
        struct banyan_error err = {.message = ""};
        if (runs_read(&runs->one[i], false, &reading, &err) != BANYAN_OK)
            snprintf(problem, sizeof problem, "%s", err.message);
        json_array_append_new(list, runs_summary(runs, i, &reading));
        runs_reading_free(&reading);
    }
    return json_pack("{s:o, s:s}", "runs", list, "problem", problem);
}

/* --- curves --- */

/* The curves of a run; optional ones are left out where they have only zeros. */
static const struct runs_column {
    const char *name;
    size_t offset; /* in struct runs_row */
    enum { RUNS_WHOLE, RUNS_REAL, RUNS_FLAG } kind;
    bool optional;
} runs_columns[] = {{"generation", offsetof(struct runs_row, g.generation), RUNS_WHOLE, false},
                    {"games", offsetof(struct runs_row, g.games), RUNS_WHOLE, false},
                    {"policy", offsetof(struct runs_row, g.learned.policy), RUNS_REAL, false},
                    {"entropy", offsetof(struct runs_row, g.learned.entropy), RUNS_REAL, false},
                    {"value", offsetof(struct runs_row, g.learned.value), RUNS_REAL, false},
                    {"owner", offsetof(struct runs_row, g.learned.owner), RUNS_REAL, true},
                    {"score", offsetof(struct runs_row, g.learned.score), RUNS_REAL, true},
                    {"held_policy", offsetof(struct runs_row, g.held.policy), RUNS_REAL, true},
                    {"held_value", offsetof(struct runs_row, g.held.value), RUNS_REAL, true},
                    {"gate_games", offsetof(struct runs_row, g.gate_games), RUNS_WHOLE, true},
                    {"gate_score", offsetof(struct runs_row, g.gate_score), RUNS_REAL, true},
                    {"published", offsetof(struct runs_row, g.published), RUNS_FLAG, false},
                    {"elo", offsetof(struct runs_row, g.elo), RUNS_REAL, true},
                    {"elo_error", offsetof(struct runs_row, elo_error), RUNS_REAL, true},
                    {"play_s", offsetof(struct runs_row, g.play_s), RUNS_REAL, false},
                    {"learn_s", offsetof(struct runs_row, g.learn_s), RUNS_REAL, false},
                    {NULL, 0, RUNS_REAL, false}};

static double runs_value(const struct runs_row *row, const struct runs_column *column)
{
    const char *at = (const char *)row + column->offset;
    switch (column->kind) {
    case RUNS_WHOLE:
        return (double)*(const int64_t *)(const void *)at;
    case RUNS_FLAG:
        return *(const bool *)(const void *)at;
    default:
        return *(const double *)(const void *)at;
    }
}

/* The distance between two rows that are shown: a power of two, so that a growing run mostly shows the same rows. */
static int runs_stride(int count)
{
    int stride = 1;
    while ((count - 1) / stride + 2 > RUNS_POINTS)
        stride *= 2;
    return stride;
}

static json_t *runs_curve(const struct runs_reading *reading, const struct runs_column *column)
{
    json_t *values = json_array();
    int stride = runs_stride(reading->count);
    bool any = !column->optional;
    for (int i = 0; i < reading->count; ++i) {
        double value = runs_value(&reading->rows[i], column);
        any |= value != 0;
        if (i % stride == 0 || i == reading->count - 1)
            json_array_append_new(values, runs_number(value));
    }
    if (any)
        return values;
    json_decref(values);
    return NULL;
}

static json_t *runs_curves(const struct runs_reading *reading)
{
    json_t *curves = json_object();
    for (const struct runs_column *column = runs_columns; column->name; ++column) {
        json_t *values = runs_curve(reading, column);
        if (values)
            json_object_set_new(curves, column->name, values);
    }
    return curves;
}

/* The progress of the generation that is not finished. */
static json_t *runs_progress(const struct loop_generation *now)
{
    if (!now->generation)
        return json_null();
    return json_pack("{s:I, s:I}", "generation", (json_int_t)now->generation, "games",
                     (json_int_t)now->games);
}

static json_t *runs_one_json(struct runs *runs, int i, char *problem, size_t size)
{
    struct runs_reading reading;
    struct banyan_error err = {.message = ""};
    if (runs_read(&runs->one[i], true, &reading, &err) != BANYAN_OK)
        snprintf(problem, size, "%s", err.message);
    json_t *out = runs_summary(runs, i, &reading);
    json_object_set_new(out, "curves", runs_curves(&reading));
    json_object_set(out, "tests", reading.tests);
    json_object_set(out, "last", reading.games);
    json_object_set_new(out, "progress", runs_progress(&reading.now));
    runs_reading_free(&reading);
    return out;
}

json_t *runs_json(struct runs *runs, unsigned which)
{
    json_t *list = json_array();
    char problem[BANYAN_MESSAGE_MAX] = "";
    for (int i = 0; i < runs->count; ++i)
        if (which >> i & 1)
            json_array_append_new(list, runs_one_json(runs, i, problem, sizeof problem));
    return json_pack("{s:o, s:s}", "runs", list, "problem", problem);
}

/* --- one game --- */

/* The path of the file that holds a game of the run, in out[RUNS_PATH]. */
static enum banyan_status runs_find_file(struct runs_one *run, int64_t generation, int64_t number,
                                         char *out, struct banyan_error *err)
{
    struct train_database *db;
    char file[256];
    bool changed;
    enum banyan_status status = follow_look(&run->follow, &changed, err);
    if (status == BANYAN_OK && (!run->follow.db || !follow_has_table(&run->follow, "games")))
        return banyan_fail(err, BANYAN_NOT_FOUND, "%s has no games yet", run->path);
    if (status == BANYAN_OK)
        status = train_database_read(&db, run->follow.db, err);
    if (status != BANYAN_OK)
        return status;
    status = train_database_find_file(db, generation, number, file, sizeof file, err);
    train_database_close(db);
    if (status == BANYAN_OK && (strncmp(file, "records/", 8) != 0 || strstr(file, "..") ||
                                snprintf(out, RUNS_PATH, "%s/%s", run->folder, file) >= RUNS_PATH))
        status = banyan_fail(err, BANYAN_CORRUPT, "%s: '%.80s' is no file in the run's folder",
                             run->path, file);
    return status;
}

enum banyan_status runs_record(struct runs *runs, int run, int64_t generation, int64_t number,
                               struct game_record *out, struct banyan_error *err)
{
    char name[64], path[RUNS_PATH];
    const struct banyan_game *game;
    struct runs_one *one = &runs->one[run];
    runs_read_name(one, name);
    enum banyan_status status = banyan_game_find(name, &game, err);
    if (status == BANYAN_OK)
        status = runs_find_file(one, generation, number, path, err);
    return status == BANYAN_OK ? played_read(path, game, generation, number, out, err) : status;
}
