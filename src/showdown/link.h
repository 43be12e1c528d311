/* The wire: one websocket to the game server, and one HTTPS request at a time to the login server.
 *
 * libwebsockets does the work, in the caller's thread.  Whole frames arrive; what is sent waits its
 * turn in a queue, as slowly as the server wants it.  Certificates are verified, always.
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
 * is a ws:// one.  path: where none is said. */
enum banyan_status link_address_parse(const char *text, const char *path, struct link_address *out,
                                      struct banyan_error *err);

/* Whether the address is this machine's own. */
bool link_address_local(const struct link_address *address);

struct link_settings {
    const char *ca_file; /* trusted besides the system's authorities; NULL: none */
    double throttle_ms;  /* at least between two lines that are sent */
    int silence_s;       /* without a sign of life: a ping; the same again: the end */
    int connect_s;       /* for a connection to come about */
};

struct link_events {
    void *self;
    void (*opened)(void *self);
    void (*frame)(void *self, char *text, size_t length); /* text[length] is 0; may be changed */
    void (*closed)(void *self, const char *why);
    /* The answer to link_post; body NULL: there is none, and why says so. */
    void (*reply)(void *self, const char *body, size_t length, const char *why);
};

struct link;

/* settings and events are copied. */
struct link *link_create(const struct link_settings *settings, const struct link_events *events,
                         struct banyan_error *err);
void link_destroy(struct link *link);

/* Begins to connect; `opened` or `closed` follows, perhaps before this returns. */
void link_connect(struct link *link, const struct link_address *address);

/* Ends the connection, without a farewell; `closed` follows. */
void link_drop(struct link *link, const char *why);

/* Queues one message.  What is queued when a connection ends is forgotten. */
void link_send(struct link *link, const char *room, const char *text);

/* Messages that are queued. */
int link_queued(const struct link *link);

/* From now on at least so long between two messages. */
void link_throttle(struct link *link, double throttle_ms);

/* Posts a form; body is copied, and wiped when it was sent. */
void link_post(struct link *link, const struct link_address *address, const char *body);

/* Handles what is there; waits for something to happen, at most about 50 ms, when wait is set. */
void link_service(struct link *link, bool wait);

#endif
