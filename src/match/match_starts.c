/* What the games of a match start from: its openings, and a hash by which a match that goes on knows them. */
#include "match/match_game.h"

#include <stdio.h>
#include <stdlib.h>

/* The path of a file says nothing of its lines, which may have changed since a match was ended. */
static enum banyan_status match_plan_hash(struct match_plan *plan, struct banyan_error *err)
{
    const struct match_host *host = plan->options->host;
    char *text = NULL;
    size_t length;
    if (!plan->openings.count && !(host && host->start))
        return BANYAN_OK;
    FILE *out = open_memstream(&text, &length);
    for (int i = 0; out && i < plan->openings.count; ++i)
        fprintf(out, "%s\n", plan->openings.lines[i]);
    if (out && host && host->start)
        fprintf(out, "start %s\n", host->start);
    if (!out || fclose(out) != 0) {
        free(text);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a match");
    }
    queue_hash(text, length, plan->starts);
    free(text);
    return BANYAN_OK;
}

enum banyan_status match_plan_starts(struct match_plan *plan, struct banyan_error *err)
{
    const char *path = plan->options->openings_path;
    enum banyan_status status = path ? opening_list_read(&plan->openings, path, err) : BANYAN_OK;
    return status == BANYAN_OK ? match_plan_hash(plan, err) : status;
}
