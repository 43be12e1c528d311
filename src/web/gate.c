/* Decides who may connect to the page's server. */
#include "web/gate.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool gate_make_token(struct gate *gate)
{
    unsigned char bytes[GATE_TOKEN / 2];
    FILE *random = fopen("/dev/urandom", "rb");
    size_t got = random ? fread(bytes, 1, sizeof bytes, random) : 0;
    if (random)
        fclose(random);
    for (size_t i = 0; i < got; ++i)
        snprintf(gate->token + 2 * i, 3, "%02x", bytes[i]);
    return got == sizeof bytes;
}

/* Whether text is prefix, name and the port, and nothing else. */
static bool gate_is_address(const struct gate *gate, const char *text, const char *prefix,
                            const char *name)
{
    char address[GATE_NAME + 32];
    int length = snprintf(address, sizeof address, "%s%s:%d", prefix, name, gate->port);
    return length < (int)sizeof address && strcasecmp(text, address) == 0;
}

static bool gate_is_own(const struct gate *gate, const char *text, const char *prefix)
{
    return text &&
           (gate_is_address(gate, text, prefix, "127.0.0.1") ||
            gate_is_address(gate, text, prefix, "localhost") ||
            (gate->allowed_host && gate_is_address(gate, text, prefix, gate->allowed_host)));
}

bool gate_allows_host(const struct gate *gate, const char *host)
{
    return gate_is_own(gate, host, "");
}

bool gate_allows_upgrade(const struct gate *gate, const struct gate_upgrade *upgrade)
{
    /* The page may be open as 127.0.0.1 or localhost, but Origin and Host must have the same
     * name. */
    return upgrade->to && strcasecmp(upgrade->to, "websocket") == 0 &&
           gate_is_own(gate, upgrade->host, "") && gate_is_own(gate, upgrade->origin, "http://") &&
           strcasecmp(upgrade->origin + strlen("http://"), upgrade->host) == 0 &&
           upgrade->subprotocol && strcmp(upgrade->subprotocol, GATE_SUBPROTOCOL) == 0;
}

bool gate_allows_token(const struct gate *gate, const char *token)
{
    unsigned char differs = 0;
    if (strlen(token) != GATE_TOKEN || strlen(gate->token) != GATE_TOKEN)
        return false;
    for (size_t i = 0; i < GATE_TOKEN; ++i)
        differs |= (unsigned char)(token[i] ^ gate->token[i]);
    return differs == 0;
}
