/* Writes and reads the settings of a match and its jobs. */
#include "match/match_job.h"

#include "match/match_files.h"
#include "queue/queue_program.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char job_word[] = "match ";

static enum banyan_status job_no_memory(struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the jobs of a match");
}

static enum banyan_status job_wrong(struct banyan_error *err, const char *what)
{
    return banyan_fail(err, BANYAN_CORRUPT, "%s of a match cannot be read", what);
}

/* --- settings --- */

/* A 64-bit number as text, because JSON's numbers have fewer bits. */
static json_t *job_word64(uint64_t word)
{
    return json_sprintf("%" PRIu64, word);
}

/* The lines of the file of openings; lines that were left out are empty, so that all keep their numbers. */
static json_t *job_openings(const struct opening_list *list)
{
    json_t *lines = json_array();
    for (int i = 0; i < list->count; ++i) {
        while (json_array_size(lines) + 1 < (size_t)list->numbers[i])
            json_array_append_new(lines, json_string(""));
        json_array_append_new(lines, json_string(list->lines[i]));
    }
    return lines;
}

static json_t *job_handicaps(const struct match_plan *plan)
{
    json_t *list = json_array();
    for (int seat = 0; seat < plan->game->players; ++seat) {
        const char *text = plan->options->handicaps[seat];
        json_array_append_new(list, text ? json_string(text) : json_null());
    }
    return list;
}

/* files: this function takes over the caller's reference. */
static enum banyan_status job_settings_write(const struct match_plan *plan, json_t *files,
                                             char **out, struct banyan_error *err)
{
    const struct match_options *options = plan->options;
    char program[QUEUE_PROGRAM];
    json_t *json = json_pack(
        "{s:s, s:s, s:s?, s:o, s:i, s:s?, s:o, s:f, s:f, s:f, s:o, s:o}", "program",
        queue_program(program), "game", plan->game->name, "setup", options->setup, "seed",
        job_word64(options->seed), "opening_plies", options->opening_plies, "openings_path",
        options->openings_path, "openings", job_openings(&plan->openings), "move_ms",
        options->time.move_ms, "clock_ms", options->time.clock_ms, "increment_ms",
        options->time.increment_ms, "handicaps", job_handicaps(plan), "files", files);
    if (!json)
        return banyan_fail(err, BANYAN_INVALID,
                           "the settings of a match that goes to other machines have to be UTF-8");
    *out = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(json);
    return *out ? BANYAN_OK : job_no_memory(err);
}

enum banyan_status match_settings_write(const struct match_plan *plan, char **out,
                                        struct banyan_error *err)
{
    return job_settings_write(plan, json_object(), out, err);
}

/* Puts the files that players and handicaps name into the queue.  A queue in this process needs none. */
static enum banyan_status job_put_files(const struct match_plan *plan, struct queue *queue,
                                        json_t *files, struct banyan_error *err)
{
    const struct match_options *options = plan->options;
    enum banyan_status status = BANYAN_OK;
    if (!options->queue_url && !options->shared)
        return BANYAN_OK;
    for (int i = 0; status == BANYAN_OK && i < plan->count; ++i)
        status = match_files_put(files, plan->specs[i], queue, err);
    for (int seat = 0; status == BANYAN_OK && seat < plan->game->players; ++seat)
        if (options->handicaps[seat])
            status = match_files_put(files, options->handicaps[seat], queue, err);
    return status;
}

enum banyan_status match_settings_put(const struct match_plan *plan, struct queue *queue,
                                      char hash[QUEUE_HASH + 1], struct banyan_error *err)
{
    char *text;
    json_t *files = json_object();
    enum banyan_status status = job_put_files(plan, queue, files, err);
    if (status != BANYAN_OK) {
        json_decref(files);
        return status;
    }
    status = job_settings_write(plan, files, &text, err);
    if (status != BANYAN_OK)
        return status;
    queue_hash(text, strlen(text), hash);
    status = queue_put(queue, hash, text, strlen(text), err);
    free(text);
    return status;
}

void match_settings_drop(struct queue *queue, const char *hash, const char *keep)
{
    void *bytes;
    size_t length;
    if (queue_get(queue, hash, &bytes, &length, NULL) != BANYAN_OK)
        return;
    json_t *json = json_loadb(bytes, length, 0, NULL);
    match_files_drop(json_object_get(json, "files"), queue, keep);
    json_decref(json);
    free(bytes);
    queue_drop(queue, hash, NULL);
}

/* The text that opening_list_parse reads; the caller frees it. */
static char *job_opening_text(const json_t *lines)
{
    const json_t *line;
    size_t i, length;
    char *text = NULL;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    json_array_foreach(lines, i, line)
        fprintf(stream, "%s\n", json_is_string(line) ? json_string_value(line) : "");
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static enum banyan_status job_read_openings(struct match_settings *settings, const json_t *lines,
                                            struct banyan_error *err)
{
    const char *path = settings->options.openings_path;
    if (json_array_size(lines) == 0)
        return BANYAN_OK;
    char *text = job_opening_text(lines);
    enum banyan_status status =
        text ? opening_list_parse(&settings->plan.openings, path ? path : "", text, err)
             : job_no_memory(err);
    free(text);
    return status;
}

static void job_read_handicaps(struct match_settings *settings, const json_t *list)
{
    for (int seat = 0; seat < settings->plan.game->players; ++seat)
        settings->options.handicaps[seat] = json_string_value(json_array_get(list, (size_t)seat));
}

static bool job_times_valid(const struct match_options *options)
{
    const struct playing_time *time = &options->time;
    return options->opening_plies >= 0 && time->move_ms >= 0 && time->clock_ms >= 0 &&
           time->increment_ms >= 0;
}

static enum banyan_status job_read_settings(struct match_settings *settings,
                                            struct banyan_error *err)
{
    struct match_options *options = &settings->options;
    const char *program, *game, *seed;
    const json_t *setup, *path, *openings, *handicaps, *files;
    match_options_default(options);
    if (json_unpack(settings->json, "{s:s, s:s, s:o, s:s, s:i, s:o, s:o, s:F, s:F, s:F, s:o, s:o}",
                    "program", &program, "game", &game, "setup", &setup, "seed", &seed,
                    "opening_plies", &options->opening_plies, "openings_path", &path, "openings",
                    &openings, "move_ms", &options->time.move_ms, "clock_ms",
                    &options->time.clock_ms, "increment_ms", &options->time.increment_ms,
                    "handicaps", &handicaps, "files", &files) != 0 ||
        !job_times_valid(options))
        return job_wrong(err, "the settings");
    enum banyan_status status = queue_program_check(program, err);
    if (status == BANYAN_OK)
        status = banyan_game_find(game, &settings->plan.game, err);
    if (status != BANYAN_OK)
        return status;
    settings->files = files;
    options->setup = json_string_value(setup);
    options->openings_path = json_string_value(path);
    options->seed = strtoull(seed, NULL, 10);
    settings->plan.options = options;
    job_read_handicaps(settings, handicaps);
    return job_read_openings(settings, openings, err);
}

enum banyan_status match_settings_read(struct match_settings *out, const void *bytes, size_t length,
                                       struct banyan_error *err)
{
    *out = (struct match_settings){.json = json_loadb(bytes, length, 0, NULL)};
    enum banyan_status status =
        out->json ? job_read_settings(out, err) : job_wrong(err, "the settings");
    if (status != BANYAN_OK)
        match_settings_free(out);
    return status;
}

void match_settings_free(struct match_settings *settings)
{
    match_plan_free(&settings->plan);
    json_decref(settings->json);
    *settings = (struct match_settings){.json = NULL};
}

/* --- jobs --- */

enum banyan_status match_job_write(const struct match_job *job, char **out,
                                   char hash[QUEUE_HASH + 1], struct banyan_error *err)
{
    json_t *players = json_array(), *json;
    for (int i = 0; i < job->count; ++i)
        json_array_append_new(players, json_string(job->specs[i]));
    bool whole = json_array_size(players) == (size_t)job->count;
    json = json_pack("{s:s, s:I, s:i, s:o}", "settings", job->settings, "first",
                     (json_int_t)job->first, "games", job->games, "players", players);
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    size_t size = text ? strlen(text) + sizeof job_word : 0;
    *out = text ? malloc(size) : NULL;
    if (*out) {
        snprintf(*out, size, "%s%s", job_word, text);
        queue_hash(*out, size - 1, hash);
    }
    free(text);
    json_decref(json);
    if (*out && whole)
        return BANYAN_OK;
    free(*out);
    *out = NULL;
    return whole ? job_no_memory(err)
                 : banyan_fail(err, BANYAN_INVALID,
                               "the texts of players that go to other machines have to be UTF-8");
}

static enum banyan_status job_read_players(struct match_job *job, const json_t *players,
                                           struct banyan_error *err)
{
    const json_t *player;
    size_t i;
    if (json_array_size(players) < 1 || json_array_size(players) > MATCH_MAX_PLAYERS)
        return job_wrong(err, "a job");
    json_array_foreach(players, i, player)
    {
        if (!json_is_string(player))
            return job_wrong(err, "a job");
        job->specs[job->count] = strdup(json_string_value(player));
        if (!job->specs[job->count])
            return job_no_memory(err);
        ++job->count;
    }
    return BANYAN_OK;
}

static enum banyan_status job_read(struct match_job *job, const json_t *json,
                                   struct banyan_error *err)
{
    const char *settings;
    const json_t *players;
    json_int_t first;
    if (json_unpack((json_t *)json, "{s:s, s:I, s:i, s:o}", "settings", &settings, "first", &first,
                    "games", &job->games, "players", &players) != 0 ||
        strlen(settings) != QUEUE_HASH || first < 0 || first > INT64_MAX - MATCH_JOB_GAMES ||
        job->games < 1 || job->games > MATCH_JOB_GAMES)
        return job_wrong(err, "a job");
    memcpy(job->settings, settings, QUEUE_HASH + 1);
    job->first = first;
    return job_read_players(job, players, err);
}

enum banyan_status match_job_read(struct match_job *out, const void *bytes, size_t length,
                                  struct banyan_error *err)
{
    enum { WORD = sizeof job_word - 1 };
    struct match_job job = {.count = 0};
    if (length <= WORD || memcmp(bytes, job_word, WORD) != 0)
        return job_wrong(err, "a job");
    json_t *json = json_loadb((const char *)bytes + WORD, length - WORD, 0, NULL);
    enum banyan_status status = json ? job_read(&job, json, err) : job_wrong(err, "a job");
    json_decref(json);
    if (status == BANYAN_OK)
        *out = job;
    else
        match_job_free(&job);
    return status;
}

void match_job_free(struct match_job *job)
{
    for (int i = 0; i < job->count; ++i)
        free((void *)(uintptr_t)job->specs[i]);
    job->count = 0;
}
