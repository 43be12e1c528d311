/* The result of a match, as text and as JSON (docs/json.md, "match"). */
#ifndef CLI_MATCH_REPORT_H
#define CLI_MATCH_REPORT_H

#include "match/match.h"

#include <jansson.h>
#include <stdio.h>

struct match_report {
    const struct banyan_game *game;
    const char *const *specs; /* [result->count] */
    const struct match_options *options;
    const struct match_result *result;
};

void match_report_print(const struct match_report *report, FILE *out);
json_t *match_report_json(const struct match_report *report);

/* "+531", "-12", "+inf" in out[size]; returns out. */
char *match_report_elo(double elo, char *out, size_t size);

#endif
