/* What `banyan showdown` shows: a live line per battle on a terminal, notes, the result. */
#ifndef CLI_SHOWDOWN_VIEW_H
#define CLI_SHOWDOWN_VIEW_H

#include "showdown/client.h"

#include <stdbool.h>

struct showdown_view {
    bool quiet, verbose, json;
    bool live; /* the terminal shows lines that are drawn again */
    int lines; /* number of these lines */
    double started_ms, drawn_ms;
};

void showdown_view_start(struct showdown_view *view);

/* The three events of a client; self is the view. */
void showdown_view_say(void *self, enum host_level level, const char *line);
void showdown_view_moved(void *self, const struct lobby *lobby);
void showdown_view_over(void *self, const struct battle *battle);

/* Erases the live lines and prints the result. */
void showdown_view_result(struct showdown_view *view, const struct client_settings *settings,
                          const char *player, const struct lobby_count *count);

#endif
