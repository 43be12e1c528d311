/* Publishes what other processes write: matches and runs of training. */
#include "web/watch.h"

#include "base/clock.h"
#include "web/host.h"

#include <string.h>

void watch_begin(struct watch *watch, const struct sources *sources, struct outbox *outbox)
{
    memset(watch, 0, sizeof *watch);
    watch->outbox = outbox;
    watch->sources = sources;
    matches_begin(&watch->matches, sources);
    runs_begin(&watch->runs, sources);
}

void watch_end(struct watch *watch)
{
    matches_end(&watch->matches);
    runs_end(&watch->runs);
}

void watch_leave(struct watch *watch)
{
    watch->what = WATCH_NOTHING;
}

/* Publishes value, an object, as a topic, and frees it. */
static void watch_publish(struct watch *watch, const char *topic, json_t *value)
{
    json_object_set_new(value, "t", json_string(topic));
    outbox_publish(watch->outbox, OUTBOX_WATCH, value);
}

/* --- matches --- */

static bool watch_host_is_playing(const struct watch *watch)
{
    return watch->sources && watch->sources->host && host_is_playing(watch->sources->host);
}

/* Publishes the match; "problem" says why it cannot be read any more. */
static void watch_publish_match(struct watch *watch)
{
    struct banyan_error err;
    json_t *match;
    if (matches_one_json(&watch->matches, watch->match, &match, &err) == BANYAN_OK)
        watch_publish(watch, "match", json_pack("{s:o, s:s}", "match", match, "problem", ""));
    else
        watch_publish(watch, "match", json_pack("{s:n, s:s}", "match", "problem", err.message));
}

static void watch_publish_matches(struct watch *watch)
{
    watch->is_playing = watch_host_is_playing(watch);
    if (watch->what == WATCH_MATCH)
        watch_publish_match(watch);
    else
        watch_publish(watch, "matches", matches_list_json(&watch->matches));
}

static void watch_look_at_matches(struct watch *watch)
{
    if (matches_changed(&watch->matches) || watch_host_is_playing(watch) != watch->is_playing)
        watch_publish_matches(watch);
}

void watch_matches(struct watch *watch)
{
    watch->what = WATCH_MATCHES;
    matches_changed(&watch->matches);
    watch_publish_matches(watch);
}

enum banyan_status watch_match(struct watch *watch, int64_t match, struct banyan_error *err)
{
    json_t *found;
    matches_changed(&watch->matches);
    enum banyan_status status = matches_one_json(&watch->matches, match, &found, err);
    if (status != BANYAN_OK)
        return status;
    json_decref(found);
    watch->what = WATCH_MATCH;
    watch->match = match;
    watch_publish_matches(watch);
    return BANYAN_OK;
}

/* --- runs of training --- */

static void watch_publish_runs(struct watch *watch)
{
    if (watch->what == WATCH_TRAIN)
        watch_publish(watch, "train", runs_json(&watch->runs, watch->which));
    else
        watch_publish(watch, "runs", runs_list_json(&watch->runs));
}

static void watch_follow_runs(struct watch *watch, enum watch_what what, unsigned which)
{
    watch->what = what;
    watch->which = which;
    runs_changed(&watch->runs, which);
    watch_publish_runs(watch);
}

void watch_runs(struct watch *watch)
{
    watch_follow_runs(watch, WATCH_RUNS, ~0u);
}

/* The run that is called name[length]. */
static enum banyan_status watch_find_run(const struct watch *watch, const char *name, int length,
                                         int *run, struct banyan_error *err)
{
    *run = watch->sources ? sources_find_run(watch->sources, name, length) : -1;
    if (*run >= 0)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_NOT_FOUND,
                       "no run is called '%.*s': start banyan web with --run DIR",
                       length < 80 ? length : 80, name);
}

enum banyan_status watch_train_game(struct watch *watch, const char *name, int64_t generation,
                                    int64_t number, struct game_record *out,
                                    struct banyan_error *err)
{
    int run;
    enum banyan_status status = watch_find_run(watch, name, (int)strlen(name), &run, err);
    return status == BANYAN_OK ? runs_record(&watch->runs, run, generation, number, out, err)
                               : status;
}

enum banyan_status watch_train(struct watch *watch, const char *names, struct banyan_error *err)
{
    unsigned which = 0;
    for (const char *at = names; *at;) {
        int run, length = (int)strcspn(at, "\n");
        enum banyan_status status = watch_find_run(watch, at, length, &run, err);
        if (status != BANYAN_OK)
            return status;
        which |= 1u << run;
        at += length + (at[length] == '\n');
    }
    watch_follow_runs(watch, WATCH_TRAIN, which);
    return BANYAN_OK;
}

/* --- all --- */

static void watch_look(struct watch *watch)
{
    if (watch->what == WATCH_MATCHES || watch->what == WATCH_MATCH)
        watch_look_at_matches(watch);
    else if (runs_changed(&watch->runs, watch->which))
        watch_publish_runs(watch);
}

int watch_work(struct watch *watch)
{
    int every_ms = watch->what == WATCH_TRAIN ? WATCH_TRAIN_MS : WATCH_MS;
    double now_ms = clock_now_ms(), left_ms = watch->looked_ms + every_ms - now_ms;
    if (watch->what == WATCH_NOTHING)
        return -1;
    if (left_ms > 0 && left_ms <= every_ms)
        return (int)left_ms + 1;
    watch->looked_ms = now_ms;
    watch_look(watch);
    return every_ms;
}
