/* Writes the files of a battle: log, decisions, replay. */
#include "showdown/battle_files.h"

#include "base/output.h"
#include "showdown/battle_page.h"
#include "showdown/decisions.h"

#include <jansson.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_PATH = 1024 };

/* The path of the battle's file.  Room names have only letters, digits and - (lobby_battles.c). */
static void files_path(const struct battle *battle, const char *suffix, char path[FILES_PATH])
{
    snprintf(path, FILES_PATH, "%s/%s.%s", battle->settings->folder, battle->room, suffix);
}

static void files_warn(struct battle *battle, const struct banyan_error *err)
{
    host_say(battle->host, HOST_WARNING, "%s: %s", battle->room, err->message);
}

/* Opens the file to which every decision is added; NULL: it cannot be written. */
static FILE *files_open_dump(struct battle *battle)
{
    char path[FILES_PATH];
    struct banyan_error err;
    files_path(battle, "jsonl", path);
    FILE *file = fopen(path, "a");
    if (file)
        return file;
    banyan_fail(&err, BANYAN_IO, "cannot write '%s': %s", path, strerror(errno));
    files_warn(battle, &err);
    return NULL;
}

/* Writes one file from its start to its end. */
static void files_write(struct battle *battle, const char *suffix,
                        void (*write)(struct battle *battle, FILE *file))
{
    char path[FILES_PATH];
    struct output output;
    struct banyan_error err;
    files_path(battle, suffix, path);
    enum banyan_status status = output_open(&output, path, &err);
    if (status == BANYAN_OK) {
        write(battle, output.stream);
        status = output_close(&output, BANYAN_OK, &err);
    }
    if (status != BANYAN_OK)
        files_warn(battle, &err);
}

void battle_files_dump(struct battle *battle, uint64_t seed, double time_ms, double took_ms,
                       const char *detail)
{
    if (!battle->settings->folder)
        return;
    if (!battle->dump && !(battle->dump = files_open_dump(battle)))
        return;
    char seed_text[24];
    snprintf(seed_text, sizeof seed_text, "%016llx", (unsigned long long)seed);
    const char *request = battle->request_json ? battle->request_json : "null";
    json_t *line =
        json_pack("{s:s, s:s, s:i, s:I, s:s, s:I, s:f, s:f, s:s, s:o?, s:o?}", "room", battle->room,
                  "player", battle->settings->decide->chooser->name, "turn", battle->tracker.turn,
                  "rqid", (json_int_t)battle->request.rqid, "seed", seed_text, "log_bytes",
                  (json_int_t)battle->log_length, "time_ms", time_ms, "took_ms", took_ms, "choice",
                  battle->answer, "request", json_loads(request, JSON_DECODE_ANY, NULL), "detail",
                  detail ? json_loads(detail, 0, NULL) : NULL);
    if (line) {
        json_dumpf(line, battle->dump, JSON_COMPACT);
        fputc('\n', battle->dump);
        fflush(battle->dump);
    }
    json_decref(line);
}

void battle_files_close(struct battle *battle)
{
    if (!battle->dump)
        return;
    bool bad = ferror(battle->dump);
    if (fclose(battle->dump) != 0 || bad)
        host_say(battle->host, HOST_WARNING, "%s: the dump is not complete: %s", battle->room,
                 strerror(errno));
    battle->dump = NULL;
}

static void files_write_log(struct battle *battle, FILE *file)
{
    fwrite(battle->log, 1, battle->log_length, file);
}

/* The page has what the search found, as far as the file of decisions has it. */
static void files_write_page(struct battle *battle, FILE *file)
{
    char path[FILES_PATH];
    struct decisions decisions;
    struct banyan_error err;
    files_path(battle, "jsonl", path);
    if (decisions_read(path, battle->log, battle->log_length, &decisions, &err) != BANYAN_OK)
        files_warn(battle, &err);
    else if (decisions.left_out)
        host_say(battle->host, HOST_WARNING,
                 "%s: the page leaves out %d of %d decisions, which do not fit the log",
                 battle->room, decisions.left_out, decisions.count);
    battle_page_write(battle->log, battle->log_length, decisions.rows, file);
    decisions_free(&decisions);
}

/* Removes the decisions of a battle whose files are not wanted. */
static void files_drop(struct battle *battle)
{
    char path[FILES_PATH];
    struct banyan_error err;
    if (!battle->dump)
        return;
    battle_files_close(battle);
    files_path(battle, "jsonl", path);
    if (unlink(path) == 0)
        return;
    banyan_fail(&err, BANYAN_IO, "cannot remove '%s': %s", path, strerror(errno));
    files_warn(battle, &err);
}

void battle_files_save(struct battle *battle)
{
    bool lost = battle->result != BATTLE_WON && battle->result != BATTLE_TIED;
    if (!battle->settings->folder || battle->log_length == 0)
        return;
    if (battle->settings->only_losses && !lost) {
        files_drop(battle);
        return;
    }
    files_write(battle, "log", files_write_log);
    files_write(battle, "html", files_write_page);
}
