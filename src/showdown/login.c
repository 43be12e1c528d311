/* Writes requests to the login server, and reads its replies. */
#include "showdown/login.h"

#include "base/input.h"
#include "showdown/protocol.h"

#include <jansson.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- the request --- */

/* Adds text in the encoding of forms (application/x-www-form-urlencoded); false: it does not fit.
 */
static bool login_encode(char *out, size_t *length, const char *text)
{
    static const char hex[] = "0123456789ABCDEF";
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-_.~", c);
        if (*length + 4 > LOGIN_BODY)
            return false;
        if (plain) {
            out[(*length)++] = (char)c;
        } else {
            out[(*length)++] = '%';
            out[(*length)++] = hex[c >> 4];
            out[(*length)++] = hex[c & 15];
        }
    }
    out[*length] = 0;
    return true;
}

static bool login_field(char *out, size_t *length, const char *key, const char *value)
{
    size_t size = strlen(key);
    if (*length + size + 3 > LOGIN_BODY)
        return false;
    if (*length)
        out[(*length)++] = '&';
    memcpy(out + *length, key, size);
    *length += size;
    out[(*length)++] = '=';
    out[*length] = 0;
    return login_encode(out, length, value);
}

enum banyan_status login_request(const char *name, const char *password, const char *challstr,
                                 char *out, struct banyan_error *err)
{
    bool secret = password && password[0], fits;
    char id[PROTOCOL_ID];
    size_t length = 0;
    protocol_id(protocol_text(name), id, sizeof id);
    out[0] = 0;
    if (secret)
        fits = login_field(out, &length, "act", "login") &&
               login_field(out, &length, "name", name) &&
               login_field(out, &length, "pass", password);
    else
        fits = login_field(out, &length, "act", "getassertion") &&
               login_field(out, &length, "userid", id);
    if (!fits || !login_field(out, &length, "challstr", challstr))
        return banyan_fail(err, BANYAN_INVALID, "the name, password or challenge is too long");
    return BANYAN_OK;
}

/* --- the reply --- */

static enum banyan_status login_assertion(const char *text, char *out, struct banyan_error *err)
{
    if (text[0] == ';' && text[1] == ';')
        return banyan_fail(err, BANYAN_INVALID, "the login server says: %.200s", text + 2);
    if (text[0] == ';')
        return banyan_fail(err, BANYAN_INVALID,
                           "this name is registered: it needs its password (--password-file)");
    size_t length = strlen(text);
    bool plain = length > 0 && length < LOGIN_ASSERTION;
    for (size_t i = 0; plain && i < length; ++i)
        plain = text[i] > ' ' && text[i] < 0x7F;
    if (!plain || strchr(text, '<'))
        return banyan_fail(err, BANYAN_CORRUPT, "the login server's answer is not an assertion");
    memcpy(out, text, length + 1);
    return BANYAN_OK;
}

static enum banyan_status login_json(const char *reply, size_t length, char *out,
                                     struct banyan_error *err)
{
    if (length && reply[0] == ']') { /* the ']' prevents web pages from running the reply as a
                                      * script */
        ++reply;
        --length;
    }
    json_t *root = json_loadb(reply, length, 0, NULL);
    const char *assertion = json_string_value(json_object_get(root, "assertion"));
    const json_t *user = json_object_get(root, "curuser");
    enum banyan_status status;
    if (!json_is_object(root))
        status = banyan_fail(err, BANYAN_CORRUPT, "the login server's answer is not JSON");
    else if (assertion && assertion[0] == ';')
        status = login_assertion(assertion, out, err);
    else if (!json_is_true(json_object_get(root, "actionsuccess")) || !assertion ||
             json_is_false(json_object_get(user, "loggedin")))
        status = banyan_fail(err, BANYAN_INVALID, "the login server refuses: wrong password?");
    else
        status = login_assertion(assertion, out, err);
    json_decref(root);
    return status;
}

enum banyan_status login_reply(const char *reply, size_t length, bool with_password, char *out,
                               struct banyan_error *err)
{
    if (with_password)
        return login_json(reply, length, out, err);
    char text[LOGIN_ASSERTION];
    protocol_copy((struct protocol_text){reply, length}, text, sizeof text);
    text[strcspn(text, "\r\n")] = 0;
    return login_assertion(text, out, err);
}

/* --- the password --- */

enum banyan_status login_password_file(const char *path, char *out, struct banyan_error *err)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return banyan_fail(err, input_status(errno), "cannot read the password file %s: %s", path,
                           strerror(errno));
    const char *line = fgets(out, LOGIN_PASSWORD, file);
    bool whole = line && (strchr(out, '\n') || feof(file));
    fclose(file);
    if (!line)
        return banyan_fail(err, BANYAN_CORRUPT, "the password file %s is empty", path);
    out[strcspn(out, "\r\n")] = 0;
    if (!whole || !out[0])
        return banyan_fail(err, BANYAN_CORRUPT,
                           "the password file %s has no password of at most %d bytes in line 1",
                           path, LOGIN_PASSWORD - 2);
    return BANYAN_OK;
}
