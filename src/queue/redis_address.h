/* Where a queue in Redis is, as its URL says. */
#ifndef QUEUE_REDIS_ADDRESS_H
#define QUEUE_REDIS_ADDRESS_H

#include "queue/queue.h"

enum { REDIS_TEXT = 256, REDIS_PATH = 108 };

struct redis_address {
    char host[REDIS_TEXT]; /* name, or IPv4 or IPv6 address; "": a socket in the file system */
    char path[REDIS_PATH]; /* of that socket */
    char user[REDIS_TEXT], password[REDIS_TEXT]; /* "": none */
    char prefix[QUEUE_NAME + 1];                 /* the queue's name in the server */
    int port, database;
    char shown[REDIS_TEXT + 16]; /* for messages: "HOST:PORT" or the path */
};

/* Reads redis://[[USER:]PASSWORD@]HOST[:PORT][/DB][?prefix=NAME] or redis+unix://PATH[?prefix=NAME];
 * %XX stands for a character.  If the URL has no password, $BANYAN_REDIS_PASSWORD is used. */
enum banyan_status redis_address_read(struct redis_address *out, const char *url,
                                      struct banyan_error *err);

#endif
