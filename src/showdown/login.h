/* Requests to the login server of Showdown, and its replies, without the network.
 *
 *    challstr  -- login_request -->  POST body  ~~ https ~~>  reply  -- login_reply -->  assertion
 *
 * The assertion is sent to the game server in /trn NAME,0,ASSERTION.  It is valid for one
 * connection.
 */
#ifndef SHOWDOWN_LOGIN_H
#define SHOWDOWN_LOGIN_H

#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>

enum { LOGIN_BODY = 4096, LOGIN_ASSERTION = 2048, LOGIN_PASSWORD = 256 };

/* Writes the form of a login to out[LOGIN_BODY]; without a password (NULL or empty) the form for a
 * name that is not registered.  Overwrite it after use, because it contains the password. */
enum banyan_status login_request(const char *name, const char *password, const char *challstr,
                                 char *out, struct banyan_error *err);

/* Copies the assertion of a reply to out[LOGIN_ASSERTION].  with_password: as in the request. */
enum banyan_status login_reply(const char *reply, size_t length, bool with_password, char *out,
                               struct banyan_error *err);

/* Reads the first line of a file into out[LOGIN_PASSWORD]. */
enum banyan_status login_password_file(const char *path, char *out, struct banyan_error *err);

#endif
