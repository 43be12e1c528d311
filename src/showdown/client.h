/* `banyan showdown` without its command line: the link and the lobby, and the time between.
 *
 *     link  --frames-->  lobby  --requests-->  battles  --questions-->  chooser
 *       ^------------------------- /choose ----------------------------------'
 *
 * A connection that breaks is made again, more and more slowly; battles go on where they are.
 */
#ifndef SHOWDOWN_CLIENT_H
#define SHOWDOWN_CLIENT_H

#include "showdown/link.h"
#include "showdown/lobby.h"
#include "showdown/login.h"

#include <banyan/stop.h>

struct client_settings {
    struct lobby_settings lobby;
    struct link_address server, login; /* login: used when lobby.assertion is set */
    const char *ca_file;               /* NULL: the system's authorities alone */
    char password[LOGIN_PASSWORD];     /* empty: the name is nobody's */
    double throttle_ms;
    int silence_s;  /* of the server, before it is asked whether it is there */
    int patience_s; /* without being logged in, before all is given up */
    int drop_every; /* for tests: drop the connection after so many decisions; 0: never */
};

struct client_events {
    void *self;
    void (*say)(void *self, enum host_level level, const char *line);
    void (*moved)(void *self, const struct lobby *lobby); /* after a decision, or a battle's end */
    void (*over)(void *self, const struct battle *battle);
};

/* Fills in what suits the server: throttle, login, patience. */
void client_settings_default(struct client_settings *settings);
enum banyan_status client_settings_server(struct client_settings *settings, const char *text,
                                          struct banyan_error *err);

/* Plays until all games are played (BANYAN_OK), *stop is set (BANYAN_INTERRUPTED) or it cannot go
 * on.  *count: what was played, in every case.  settings->password is wiped. */
enum banyan_status client_run(struct client_settings *settings, const struct client_events *events,
                              const banyan_flag *stop, struct lobby_count *count,
                              struct banyan_error *err);

#endif
