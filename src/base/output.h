/* A file that is written whole, or not at all.
 *
 *      a regular file, or none yet    PATH.PID.tmp --fsync, rename--> PATH
 *      a device, a pipe, a socket     written through: it stays what it is
 *      a symbolic link                the same for the file it leads to: the link stays
 *
 *      output_open --> write to stream ... --> output_close(..., BANYAN_OK)       there it is
 *                                         \--> output_close(..., another status)  as it was before
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <banyan/status.h>

#include <stdio.h>

struct output {
    FILE *stream;    /* buffered; errors may wait for output_close */
    char *path;      /* as the caller named it; owned */
    char *target;    /* where links lead to; owned */
    char *temporary; /* what becomes target; owned; NULL: written through */
};

/* BANYAN_IO, BANYAN_NO_MEMORY: nothing is open, nothing has changed. */
enum banyan_status output_open(struct output *output, const char *path, struct banyan_error *err);

/* Ends it.  status: how the writing went; it is returned, unless it is BANYAN_OK and the file cannot
 * be completed.  After anything but BANYAN_OK a regular file is as it was before. */
enum banyan_status output_close(struct output *output, enum banyan_status status,
                                struct banyan_error *err);

#endif
