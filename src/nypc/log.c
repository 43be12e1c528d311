/* Reads game logs of the official tool of NYPC 2025, and writes them as pages. */
#include "nypc/log.h"

#include "games/mushroom/mushroom.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_LINE = 1024 };

static void *log_state(const struct nypc_log *log, int index)
{
    return log->states + (size_t)index * log->game->state_size;
}

static enum banyan_status log_start(struct nypc_log *log, const char *rows, const char *name,
                                    struct banyan_error *err)
{
    struct banyan_error inner = {.message = ""};
    if (log->count > 0)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: a second INIT", name);
    if (log->game->init(log->game, log_state(log, 0), rows, NULL, &inner) != BANYAN_OK)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: INIT: %.200s", name, inner.message);
    log->count = 1;
    return BANYAN_OK;
}

/* Reads a move; words: "r1 c1 r2 c2 ms" of player. */
static enum banyan_status log_move(struct nypc_log *log, int player, char *words, const char *name,
                                   struct banyan_error *err)
{
    struct banyan_error inner = {.message = ""};
    banyan_action joint[2];
    int at = 0, v;
    for (int i = 0; i < 4; ++i) { /* leaves out the time */
        int length = 0;
        if (sscanf(words + at, "%d%n", &v, &length) != 1)
            return banyan_fail(err, BANYAN_CORRUPT, "%s: move %d: four numbers are needed", name,
                               log->count);
        at += length;
    }
    words[at] = 0;
    if (log->count == 0 || log->count == NYPC_LOG_MAX)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: %s", name,
                           log->count ? "too many moves" : "a move before INIT");
    struct mushroom_state *last = log_state(log, log->count - 1),
                          *next = log_state(log, log->count);
    if (last->passes < 2 && last->mover != player)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: move %d is by the wrong player", name,
                           log->count);
    if (log->game->action_parse(log->game, last, player, words, &joint[0], &inner) != BANYAN_OK)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: move %d: %.200s", name, log->count,
                           inner.message);
    joint[1] = joint[0];
    memcpy(next, last, log->game->state_size);
    log->game->apply(log->game, next, joint, NULL);
    ++log->count;
    return BANYAN_OK;
}

static enum banyan_status log_line(struct nypc_log *log, char *line, const char *name,
                                   struct banyan_error *err)
{
    if (strncmp(line, "INIT ", 5) == 0)
        return log_start(log, line + 5, name, err);
    if (strncmp(line, "FIRST ", 6) == 0)
        return log_move(log, 0, line + 6, name, err);
    if (strncmp(line, "SECOND ", 7) == 0)
        return log_move(log, 1, line + 7, name, err);
    if (strncmp(line, "SCORE", 5) == 0 || !*line)
        return BANYAN_OK;
    if (strncmp(line, "FINISH", 6) != 0 && strncmp(line, "ABORT ", 6) != 0)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: '%.40s' is not a line of a game log", name,
                           line);
    snprintf(log->end, sizeof log->end, "%.70s", line);
    return BANYAN_OK;
}

enum banyan_status nypc_log_read(FILE *in, const char *name, struct nypc_log *out,
                                 struct banyan_error *err)
{
    char line[LOG_LINE];
    *out = (struct nypc_log){.count = 0};
    enum banyan_status status = banyan_game_find("mushroom", &out->game, err);
    if (status != BANYAN_OK)
        return status;
    out->states = malloc(NYPC_LOG_MAX * out->game->state_size);
    if (!out->states)
        return banyan_fail(err, BANYAN_NO_MEMORY, "%s: no memory for its positions", name);
    while (status == BANYAN_OK && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\r\n")] = 0;
        status = log_line(out, line, name, err);
    }
    if (status == BANYAN_OK && out->count == 0)
        status = banyan_fail(err, BANYAN_CORRUPT, "%s: there is no INIT line", name);
    if (status != BANYAN_OK)
        nypc_log_free(out);
    return status;
}

void nypc_log_free(struct nypc_log *log)
{
    free(log->states);
    log->states = NULL;
}

static void log_picture(const struct nypc_log *log, int index, FILE *out)
{
    const void *state = log_state(log, index);
    int length = log->game->svg(log->game, state, -1, NULL, 0);
    char *svg = malloc((size_t)length + 1);
    if (!svg)
        return;
    log->game->svg(log->game, state, -1, svg, (size_t)length + 1);
    fprintf(out, "<div class='p'%s>%s</div>\n", index ? " hidden" : "", svg);
    free(svg);
}

void nypc_log_page(const struct nypc_log *log, FILE *out)
{
    fprintf(out,
            "<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>Mushroom game</title>"
            "<style>body{font-family:sans-serif;max-width:44em;margin:1em auto}"
            "input{width:100%%}</style>\n"
            "<input id='s' type='range' min='0' max='%d' value='0' autofocus>"
            "<p><b id='n'>0</b> of %d moves%s%s</p>\n",
            log->count - 1, log->count - 1, *log->end ? "; " : "", log->end);
    for (int i = 0; i < log->count; ++i)
        log_picture(log, i, out);
    fprintf(out,
            "<script>const p=document.querySelectorAll('.p'),s=document.getElementById('s'),"
            "n=document.getElementById('n');s.oninput=()=>{p.forEach((e,i)=>e.hidden=i!=s.value"
            ");n.textContent=s.value}</script></html>\n");
}
