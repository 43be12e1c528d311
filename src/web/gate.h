/* Who may connect: server.c asks these functions for every request, upgrade and first message.
 *
 *     every request     Host must be the server's own address                    (DNS rebinding)
 *     every upgrade     websocket only; Host, Origin, subprotocol exactly right  (foreign pages)
 *     first message     the token of the printed link                            (other users)
 */
#ifndef WEB_GATE_H
#define WEB_GATE_H

#include <stdbool.h>
#include <stddef.h>

enum { GATE_TOKEN = 32, GATE_NAME = 256 }; /* characters of a token; bytes of a host name */

#define GATE_SUBPROTOCOL "banyan.1"

struct gate {
    int port;
    const char *allowed_host;   /* --allow-host; NULL: this machine only */
    char token[GATE_TOKEN + 1]; /* hexadecimal digits */
};

/* Headers of an upgrade; NULL: the header is not there. */
struct gate_upgrade {
    const char *to; /* "websocket" */
    const char *host, *origin, *subprotocol;
};

/* Makes a new token.  False: the system gave no random bytes. */
bool gate_make_token(struct gate *gate);

/* Whether host is an address of this server: "127.0.0.1:PORT", "localhost:PORT" or the allowed host. */
bool gate_allows_host(const struct gate *gate, const char *host);

bool gate_allows_upgrade(const struct gate *gate, const struct gate_upgrade *upgrade);

/* Compares in a time that does not depend on where the texts differ. */
bool gate_allows_token(const struct gate *gate, const char *token);

#endif
