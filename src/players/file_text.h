/* A whole text file in memory. */
#ifndef PLAYERS_FILE_TEXT_H
#define PLAYERS_FILE_TEXT_H

#include <banyan/status.h>

#include <stddef.h>

/* Reads the file at path, called `what` in messages ("book").  *out is freed by the caller, NUL stands
 * behind its *length bytes. */
enum banyan_status file_text_read(const char *path, const char *what, char **out, size_t *length,
                                  struct banyan_error *err);

#endif
