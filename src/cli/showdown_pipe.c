/* `banyan showdown --pipe`: decides in one battle whose connection another program holds. */
#include "cli/showdown_pipe.h"

#include "base/clock.h"
#include "showdown/battle_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pipe {
    const struct battle_settings *settings;
    char own_id[PROTOCOL_ID];
    struct host host;
    struct battle battle;
    bool open;
    char answer[REQUEST_TEXT]; /* the choice to be sent when an empty line asks for it */
};

/* Keeps choices only: the other program sends everything else itself. */
static void pipe_send(void *self, const char *room, const char *text)
{
    struct pipe *pipe = self;
    (void)room;
    if (strncmp(text, "/choose ", 8) == 0)
        snprintf(pipe->answer, sizeof pipe->answer, "%s", text);
}

static void pipe_say(void *self, enum host_level level, const char *line)
{
    (void)self;
    if (level == HOST_WARNING)
        fprintf(stderr, "%s\n", line);
}

static void pipe_close(struct pipe *pipe)
{
    if (!pipe->open)
        return;
    battle_files_save(&pipe->battle);
    battle_close(&pipe->battle);
    pipe->open = false;
}

static void pipe_decide(struct pipe *pipe)
{
    if (pipe->open && !pipe->answer[0])
        battle_decide(&pipe->battle, clock_now_ms());
    printf("%s\n", pipe->answer);
    fflush(stdout);
    pipe->answer[0] = 0;
}

static enum banyan_status pipe_line(struct pipe *pipe, const char *line, struct banyan_error *err)
{
    if (!*line) {
        pipe_decide(pipe);
    } else if (*line == '>' && !pipe->open) {
        battle_open(&pipe->battle, line + 1, pipe->own_id, pipe->settings, &pipe->host,
                    clock_now_ms());
        pipe->open = true;
    } else if (!pipe->open) {
        return banyan_fail(
            err, BANYAN_INVALID,
            "standard input: expected '>ROOM' before the lines of a room, got '%.60s'", line);
    } else if (*line != '>') {
        battle_line(&pipe->battle, protocol_text(line), clock_now_ms());
    }
    return BANYAN_OK;
}

enum banyan_status showdown_pipe(const struct battle_settings *settings, const char *name,
                                 struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    struct pipe *pipe = calloc(1, sizeof *pipe);
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    if (!pipe)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a battle");
    pipe->settings = settings;
    pipe->host = (struct host){pipe, pipe_send, pipe_say};
    protocol_id(protocol_text(name), pipe->own_id, sizeof pipe->own_id);
    while (status == BANYAN_OK && (length = getline(&line, &size, stdin)) >= 0) {
        line[strcspn(line, "\r\n")] = 0;
        status = pipe_line(pipe, line, err);
    }
    pipe_close(pipe);
    free(line);
    free(pipe);
    return status;
}
