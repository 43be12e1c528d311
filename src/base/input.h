/* Reads files as a whole, and says why one cannot be read. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <banyan/status.h>

#include <stddef.h>

/* The status for a file that cannot be opened for the reason errno: BANYAN_NOT_FOUND when there is
 * no file of that name, otherwise BANYAN_IO. */
enum banyan_status input_status(int reason);

/* "cannot read 'PATH': reason"; returns input_status(reason). */
enum banyan_status input_failed(struct banyan_error *err, const char *path, int reason);

/* Reads the whole file at path; it may be a pipe.  Messages call it `what` and its path: `what` is
 * "book " for "cannot read book 'PATH'", and "" for "cannot read 'PATH'".  The caller frees *out; a
 * zero byte follows its *length bytes. */
enum banyan_status input_read(const char *path, const char *what, char **out, size_t *length,
                              struct banyan_error *err);

#endif
