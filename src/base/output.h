/* Writes a file whole, or not at all, where its folder allows that.
 *
 *     a regular file, or a new one   written as PATH.PID.tmp, then fsync and rename to PATH
 *     a file in a folder that may    written directly, because no temporary file can be made there
 *     not be written to
 *     our standard output or error   written directly, from the position where that stream is
 *     a device, a pipe, a socket     written directly, so that it stays a device, pipe or socket
 *     a symbolic link                the same for the file it leads to: the link stays
 *
 *     output_open --> write to stream ... --> output_close(..., BANYAN_OK)       the new file
 *                                        \--> output_close(..., another status)  the old file */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <banyan/status.h>

#include <stdio.h>

struct output {
    FILE *stream;    /* buffered: an error may not appear before output_close */
    char *path;      /* as the caller named it; owned */
    char *target;    /* the path after following symbolic links; owned */
    char *temporary; /* the temporary file, renamed to target at the end; owned; NULL: written
                      * directly */
};

/* On BANYAN_IO and BANYAN_NO_MEMORY nothing is open and nothing has changed. */
enum banyan_status output_open(struct output *output, const char *path, struct banyan_error *err);

/* Closes the file.  status says how the writing went.  Returns status; BANYAN_IO if status is
 * BANYAN_OK and the file cannot be completed.  If the result is not BANYAN_OK, a file that was not
 * written directly keeps its old contents. */
enum banyan_status output_close(struct output *output, enum banyan_status status,
                                struct banyan_error *err);

#endif
