/* Reads the URL of a queue in Redis. */
#include "queue/redis_address.h"

#include "queue/queue_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum banyan_status address_bad(struct banyan_error *err, const char *what)
{
    return banyan_fail(err, BANYAN_INVALID,
                       "%s in the queue's URL; it is "
                       "redis://[[USER:]PASSWORD@]HOST[:PORT][/DB][?prefix=NAME] or "
                       "redis+unix://PATH[?prefix=NAME]",
                       what);
}

static int address_digit(char c)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) % 16 : -1;
}

/* Copies text[length], in which %XX stands for a character.  False: it does not fit,
 * or has a % without two hexadecimal digits, or a %00. */
static bool address_copy(char *out, size_t size, const char *text, size_t length)
{
    size_t at = 0;
    for (size_t i = 0; i < length; ++i) {
        int c = (unsigned char)text[i];
        if (c == '%') {
            if (i + 2 >= length || address_digit(text[i + 1]) < 0 || address_digit(text[i + 2]) < 0)
                return false;
            c = 16 * address_digit(text[i + 1]) + address_digit(text[i + 2]);
            i += 2;
        }
        if (c == 0 || at + 1 >= size)
            return false;
        out[at++] = (char)c;
    }
    out[at] = 0;
    return true;
}

/* A whole number that is all of text[length]. */
static bool address_number(const char *text, size_t length, int hi, int *out)
{
    int value = 0;
    for (size_t i = 0; i < length; ++i) {
        if (text[i] < '0' || text[i] > '9' || value > hi)
            return false;
        value = 10 * value + (text[i] - '0');
    }
    if (length == 0 || value > hi)
        return false;
    *out = value;
    return true;
}

/* "[USER:]PASSWORD" */
static bool address_login(struct redis_address *out, const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    size_t user = colon ? (size_t)(colon - text) : 0, skip = colon ? user + 1 : 0;
    return address_copy(out->user, sizeof out->user, text, user) &&
           address_copy(out->password, sizeof out->password, text + skip, length - skip);
}

/* "HOST[:PORT]"; an IPv6 address stands in brackets. */
static bool address_host(struct redis_address *out, const char *text, size_t length)
{
    const char *end = text + length, *host = text, *host_end, *colon;
    if (length > 0 && *text == '[') {
        host = text + 1;
        host_end = memchr(text, ']', length);
        colon = host_end ? host_end + 1 : NULL;
        if (!host_end || (colon < end && *colon != ':'))
            return false;
    } else {
        colon = memchr(text, ':', length);
        host_end = colon ? colon : end;
    }
    if (colon && colon < end &&
        !address_number(colon + 1, (size_t)(end - colon - 1), 65535, &out->port))
        return false;
    return host_end > host &&
           address_copy(out->host, sizeof out->host, host, (size_t)(host_end - host));
}

/* "?prefix=NAME" */
static enum banyan_status address_query(struct redis_address *out, const char *text,
                                        struct banyan_error *err)
{
    if (!*text)
        return BANYAN_OK;
    if (strncmp(text, "?prefix=", 8) != 0)
        return address_bad(err, "only ?prefix=NAME may follow");
    if (!queue_name_valid(text + 8))
        return address_bad(err, "a prefix is of letters, digits, '-', '.' and '_'");
    snprintf(out->prefix, sizeof out->prefix, "%s", text + 8);
    return BANYAN_OK;
}

static enum banyan_status address_tcp(struct redis_address *out, const char *text, size_t length,
                                      struct banyan_error *err)
{
    const char *end = text + length, *slash = memchr(text, '/', length);
    if (slash && slash + 1 < end &&
        !address_number(slash + 1, (size_t)(end - slash - 1), 1000000, &out->database))
        return address_bad(err, "a database is a number");
    end = slash ? slash : end;
    const char *at = end;
    while (at > text && at[-1] != '@')
        --at;
    if (at > text && !address_login(out, text, (size_t)(at - 1 - text)))
        return address_bad(err, "a wrong user or password");
    if (!address_host(out, at, (size_t)(end - at)))
        return address_bad(err, "a wrong HOST:PORT");
    bool is_v6 = strchr(out->host, ':') != NULL;
    snprintf(out->shown, sizeof out->shown, is_v6 ? "[%s]:%d" : "%s:%d", out->host, out->port);
    return BANYAN_OK;
}

static enum banyan_status address_unix(struct redis_address *out, const char *text, size_t length,
                                       struct banyan_error *err)
{
    if (length == 0 || !address_copy(out->path, sizeof out->path, text, length))
        return address_bad(err, "no path, or a path of more than 107 characters");
    snprintf(out->shown, sizeof out->shown, "%s", out->path);
    return BANYAN_OK;
}

static enum banyan_status address_read(struct redis_address *out, const char *url,
                                       struct banyan_error *err)
{
    if (strncmp(url, "rediss", 6) == 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "TLS is not built in: let stunnel, WireGuard or ssh carry redis://");
    if (strncmp(url, "redis://", 8) != 0 && strncmp(url, "redis+unix://", 13) != 0)
        return address_bad(err, "an unknown scheme");
    const char *rest = strstr(url, "://") + 3;
    size_t length = strcspn(rest, "?");
    enum banyan_status status =
        url[5] == '+' ? address_unix(out, rest, length, err) : address_tcp(out, rest, length, err);
    return status == BANYAN_OK ? address_query(out, rest + length, err) : status;
}

enum banyan_status redis_address_read(struct redis_address *out, const char *url,
                                      struct banyan_error *err)
{
    const char *password = getenv("BANYAN_REDIS_PASSWORD");
    struct redis_address read = {.port = 6379, .prefix = "run"};
    enum banyan_status status = address_read(&read, url, err);
    if (status != BANYAN_OK)
        return status;
    if (!read.password[0] && password)
        snprintf(read.password, sizeof read.password, "%s", password);
    *out = read;
    return BANYAN_OK;
}
