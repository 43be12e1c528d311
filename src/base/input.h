/* Files that are read as a whole, and why one cannot be read. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <banyan/status.h>

#include <stddef.h>

/* What errno means for somebody who named a file to read: BANYAN_NOT_FOUND, there is none of that
 * name; else BANYAN_IO. */
enum banyan_status input_status(int reason);

/* "cannot read 'PATH': reason"; returns input_status(reason). */
enum banyan_status input_failed(struct banyan_error *err, const char *path, int reason);

/* Reads the file at path, called `what` in messages ("book "; "": it is only named).  *out is freed by
 * the caller, NUL stands behind its *length bytes.  Also from pipes. */
enum banyan_status input_read(const char *path, const char *what, char **out, size_t *length,
                              struct banyan_error *err);

#endif
