#include "showdown/battle_files.h"

#include <jansson.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The folder's file of that battle.  Rooms are checked to be letters, digits and - (lobby.c). */
static FILE *files_open(struct battle *battle, const char *suffix, const char *mode)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s", battle->settings->folder, battle->room, suffix);
    FILE *file = fopen(path, mode);
    if (!file)
        host_say(battle->host, HOST_WARNING, "%s: cannot write %s: %s", battle->room, path,
                 strerror(errno));
    return file;
}

static void files_shut(struct battle *battle, FILE *file, const char *what)
{
    bool bad = ferror(file);
    if (fclose(file) != 0 || bad)
        host_say(battle->host, HOST_WARNING, "%s: the %s is not complete: %s", battle->room, what,
                 strerror(errno));
}

void battle_files_dump(struct battle *battle, uint64_t seed, double time_ms, double took_ms,
                       const char *detail)
{
    if (!battle->settings->folder)
        return;
    if (!battle->dump && !(battle->dump = files_open(battle, "jsonl", "a")))
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
    if (battle->dump)
        files_shut(battle, battle->dump, "dump");
    battle->dump = NULL;
}

/* The log inside a script element: nothing in it may end that element. */
static void files_write_script(FILE *file, const char *log, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        if (log[i] == '/')
            fputc('\\', file);
        fputc(log[i], file);
    }
}

static void files_write_text(FILE *file, const char *text)
{
    for (; *text; ++text) {
        if (strchr("<>&\"'", *text))
            fprintf(file, "&#%d;", *text);
        else
            fputc(*text, file);
    }
}

static void files_replay(struct battle *battle)
{
    FILE *file = files_open(battle, "html", "w");
    if (!file)
        return;
    const struct tracker *tracker = &battle->tracker;
    fputs("<!DOCTYPE html>\n<meta charset=\"utf-8\" />\n<title>", file);
    files_write_text(file, tracker->tier);
    fputs(": ", file);
    files_write_text(file, tracker->sides[0].player);
    fputs(" vs. ", file);
    files_write_text(file, tracker->sides[1].player);
    fputs(
        "</title>\n<div class=\"wrapper replay-wrapper\" style=\"max-width:1180px;margin:0 auto\">"
        "\n<div class=\"battle\"></div><div class=\"battle-log\"></div>"
        "<div class=\"replay-controls\"></div><div class=\"replay-controls-2\"></div>\n"
        "<script type=\"text/plain\" class=\"battle-log-data\">",
        file);
    files_write_script(file, battle->log, battle->log_length);
    fputs("</script>\n</div>\n"
          "<script src=\"https://play.pokemonshowdown.com/js/replay-embed.js\"></script>\n",
          file);
    files_shut(battle, file, "replay");
}

void battle_files_save(struct battle *battle)
{
    if (!battle->settings->folder || battle->log_length == 0)
        return;
    FILE *file = files_open(battle, "log", "w");
    if (file) {
        fwrite(battle->log, 1, battle->log_length, file);
        files_shut(battle, file, "log");
    }
    files_replay(battle);
}
