/* The name of this version of the program: owner and workers of a queue must have the same. */
#include "queue/queue_program.h"

#include <banyan/version.h>

#include <stdio.h>
#include <string.h>

const char *queue_program(char out[QUEUE_PROGRAM])
{
    snprintf(out, QUEUE_PROGRAM, "%s %s", banyan_version_text(), BANYAN_SIGNATURE);
    return out;
}

enum banyan_status queue_program_check(const char *program, struct banyan_error *err)
{
    char ours[QUEUE_PROGRAM];
    if (strcmp(program, queue_program(ours)) == 0)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_UNSUPPORTED,
                       "the jobs belong to another program (%.60s; this one is %s): install the "
                       "same version on all machines",
                       program, ours);
}
