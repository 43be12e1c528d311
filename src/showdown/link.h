/* The connections: one websocket to the game server, and one HTTPS request at a time to the login
 * server.
 *
 * libwebsockets does the work, in the caller's thread.  Frames arrive whole; messages wait in a
 * queue, because the server limits how often one may send.  Certificates are always verified.
 */
#ifndef SHOWDOWN_LINK_H
#define SHOWDOWN_LINK_H

#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>

enum { LINK_FRAME_MAX = 4 << 20, LINK_REPLY_MAX = 64 << 10, LINK_QUEUE_MAX = 1000 };

struct link_address {
    bool tls;
    char host[256];
    int port;
    char path[256]; /* "/showdown/websocket" */
};

/* Reads "wss://HOST[:PORT][/PATH]", "ws://...", "https://...", "http://..." or "HOST[:PORT]", which
 * means ws://.  path: the default path. */
enum banyan_status link_address_parse(const char *text, const char *path, struct link_address *out,
                                      struct banyan_error *err);

/* Whether the address is this machine. */
bool link_address_local(const struct link_address *address);

struct link_settings {
    const char *ca_file; /* trusted in addition to the system's authorities; NULL: none */
    double throttle_ms;  /* least time between two messages */
    int silence_s;       /* after this time without data a ping is sent; after the same time
                          * again the connection ends */
    int connect_s;       /* most time for connecting */
};

struct link_events {
    void *self;
    void (*opened)(void *self);
    void (*frame)(void *self, char *text, size_t length); /* text[length] is 0; the callback may
                                                           * change text */
    void (*closed)(void *self, const char *why);
    /* The answer to link_post; body NULL: there is none, for the reason `why`. */
    void (*reply)(void *self, const char *body, size_t length, const char *why);
};

struct link;

/* settings and events are copied. */
struct link *link_create(const struct link_settings *settings, const struct link_events *events,
                         struct banyan_error *err);
void link_destroy(struct link *link);

/* Begins to connect; calls `opened` or `closed` later, or before it returns. */
void link_connect(struct link *link, const struct link_address *address);

/* Ends the connection without a close message; calls `closed` later. */
void link_drop(struct link *link, const char *why);

/* Queues one message.  When a connection ends, queued messages are lost. */
void link_send(struct link *link, const char *room, const char *text);

/* Number of queued messages. */
int link_queued(const struct link *link);

/* Sets the least time between two messages. */
void link_throttle(struct link *link, double throttle_ms);

/* Posts a form; body is copied, and the copy is overwritten after the reply.  While another post is in progress,
 * `reply` is called at once and says so; the other post goes on. */
void link_post(struct link *link, const struct link_address *address, const char *body);

/* Handles all events; if wait is set, waits at most about 50 ms for one. */
void link_service(struct link *link, bool wait);

#endif
