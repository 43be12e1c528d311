/* Reads the addresses of servers. */
#include "showdown/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool address_scheme(const char **text, const char *scheme)
{
    size_t length = strlen(scheme);
    if (strncmp(*text, scheme, length) != 0)
        return false;
    *text += length;
    return true;
}

enum banyan_status link_address_parse(const char *text, const char *path, struct link_address *out,
                                      struct banyan_error *err)
{
    const char *rest = text;
    memset(out, 0, sizeof *out);
    out->tls = address_scheme(&rest, "wss://") || address_scheme(&rest, "https://");
    if (!out->tls && !address_scheme(&rest, "ws://"))
        address_scheme(&rest, "http://");
    size_t host = strcspn(rest, ":/");
    const char *after = rest + host;
    out->port = out->tls ? 443 : 80;
    if (*after == ':') {
        char *end;
        long port = strtol(after + 1, &end, 10);
        out->port = port >= 1 && port <= 65535 && end != after + 1 ? (int)port : 0;
        after = end;
    } else if (rest == text) {
        out->port = 8000; /* the default port of a Showdown server */
    }
    bool fits = host > 0 && host < sizeof out->host && strlen(after) < sizeof out->path;
    if (!fits || !out->port || (*after && *after != '/') || strpbrk(rest, " \r\n\t@"))
        return banyan_fail(
            err, BANYAN_INVALID,
            "expected a server as HOST[:PORT] or ws[s]://HOST[:PORT][/PATH], got '%.200s'", text);
    memcpy(out->host, rest, host);
    snprintf(out->path, sizeof out->path, "%s", *after ? after : path);
    return BANYAN_OK;
}

bool link_address_local(const struct link_address *address)
{
    return strcmp(address->host, "localhost") == 0 || strncmp(address->host, "127.", 4) == 0;
}
