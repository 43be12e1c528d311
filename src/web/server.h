/* The server of the page: static files by HTTP, everything else through one WebSocket for each page.
 *
 *     browser --GET--> files.c                         read only
 *             --WebSocket--> gate.c --> worker.c       a thread for each page
 *                       <--- outbox.c <---+
 *
 * libwebsockets runs in the caller's thread; server.c is the only file that uses it.  Other threads
 * may call only one function of the library, lws_cancel_service, which wakes this thread.
 */
#ifndef WEB_SERVER_H
#define WEB_SERVER_H

#include "web/sources.h"

#include <banyan/status.h>
#include <banyan/stop.h>

enum { SERVER_CONNECTIONS = 16 }; /* WebSockets at once */

struct server_settings {
    int port;                 /* 0: a free one */
    const char *address;      /* "127.0.0.1" */
    const char *allowed_host; /* a name besides those of this machine; NULL: none */
    const char *folder;       /* files of the page; NULL: those that are built in */
    struct sources sources;   /* what pages may see; its host is made by the server */
    const banyan_flag *stop;  /* ends server_run */
};

struct server;

/* Starts to listen; settings are copied, their texts borrowed. */
enum banyan_status server_create(struct server **out, const struct server_settings *settings,
                                 struct banyan_error *err);
void server_destroy(struct server *server);

/* The link to open, with the token. */
const char *server_link(const struct server *server);

/* Serves until settings.stop is set. */
void server_run(struct server *server);

#endif
