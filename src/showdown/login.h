/* Names and passwords: the login server of Showdown, without the network between.
 *
 *     challstr  -- login_request -->  POST body  ~~ https ~~>  reply  -- login_reply -->  assertion
 *
 * The assertion goes back to the game server in /trn NAME,0,ASSERTION.  It holds for one connection.
 */
#ifndef SHOWDOWN_LOGIN_H
#define SHOWDOWN_LOGIN_H

#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>

enum { LOGIN_BODY = 4096, LOGIN_ASSERTION = 2048, LOGIN_PASSWORD = 256 };

/* The form of a login, in out[LOGIN_BODY]; without password (NULL or empty) that of a name that
 * nobody has registered.  Overwrite it after use: the password is in it. */
enum banyan_status login_request(const char *name, const char *password, const char *challstr,
                                 char *out, struct banyan_error *err);

/* Takes the assertion out of a reply, into out[LOGIN_ASSERTION].  with_password: as requested. */
enum banyan_status login_reply(const char *reply, size_t length, bool with_password, char *out,
                               struct banyan_error *err);

/* The first line of a file, into out[LOGIN_PASSWORD]. */
enum banyan_status login_password_file(const char *path, char *out, struct banyan_error *err);

#endif
