/* The client of `banyan showdown` without its command line: it connects link, lobby and battles.
 *
 *    link  --frames-->  lobby  --requests-->  battles  --questions-->  chooser
 *      ^------------------------- /choose ----------------------------------'
 *
 * A lost connection is opened again, with growing intervals between attempts; battles continue.
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
    const char *ca_file;               /* CA certificates in addition; NULL: only the system's */
    char password[LOGIN_PASSWORD];     /* empty: the name is not registered */
    double throttle_ms;
    int silence_s;  /* seconds without data before the client asks whether the server is there */
    int patience_s; /* seconds without being logged in before the client gives up */
    int drop_every; /* for tests: drops the connection after this number of decisions; 0: never */
};

struct client_events {
    void *self;
    void (*say)(void *self, enum host_level level, const char *line);
    void (*moved)(void *self, const struct lobby *lobby); /* called after a decision */
    void (*over)(void *self, const struct battle *battle);
};

/* Sets the defaults; those that depend on the server stay 0. */
void client_settings_default(struct client_settings *settings);

/* Reads the server's address, or "showdown", and sets what depends on it: the time between two
 * messages and between two challenges, and the login. */
enum banyan_status client_settings_server(struct client_settings *settings, const char *text,
                                          struct banyan_error *err);

/* Plays until all games are played (BANYAN_OK), *stop is set (BANYAN_INTERRUPTED) or it cannot
 * continue.  *count: the results in every case.  Overwrites settings->password. */
enum banyan_status client_run(struct client_settings *settings, const struct client_events *events,
                              const banyan_flag *stop, struct lobby_count *count,
                              struct banyan_error *err);

#endif
