/* Whether this program may do jobs for another one: a job's result depends on the program, too. */
#ifndef QUEUE_QUEUE_PROGRAM_H
#define QUEUE_QUEUE_PROGRAM_H

#include <banyan/status.h>

enum { QUEUE_PROGRAM = 128 };

/* Writes the version of this program and the signature of its behaviour, which owner and workers must have in
 * common, to out, and returns out. */
const char *queue_program(char out[QUEUE_PROGRAM]);

/* Checks that program names this program.  BANYAN_UNSUPPORTED: it names another one. */
enum banyan_status queue_program_check(const char *program, struct banyan_error *err);

#endif
