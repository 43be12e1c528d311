/* The result of a match, as text and as JSON (docs/json.md, "match"). */
#ifndef CLI_MATCH_REPORT_H
#define CLI_MATCH_REPORT_H

#include "match/match.h"

#include <argp.h>
#include <jansson.h>
#include <stdio.h>

struct match_report {
    const struct banyan_game *game;
    const char *const *specs; /* [result->count] */
    const struct match_options *options;
    const struct match_result *result;
};

void match_report_print(const struct match_report *report, FILE *out);
/* Prints what the rounds of a match of two show: interval, variance saved, SPRT. */
void match_report_rounds(const struct match_report *report, FILE *out);
json_t *match_report_json(const struct match_report *report);

/* Reads the value of --sprt, ELO0,ELO1[,ALPHA,BETA], into *sprt; else cli_usage. */
void match_report_sprt(const struct argp_state *state, const char *text, struct sprt *sprt);

enum { MATCH_REPORT_NAME = 36 }; /* characters of a player's name in a table */

/* A player's name for a table, in out if it is too long: its middle is left out then, since long names often
 * differ at their end. */
const char *match_report_name(const char *spec, char out[MATCH_REPORT_NAME + 1]);

/* "+531", "-12", "+inf" in out[size]; returns out. */
char *match_report_elo(double elo, char *out, size_t size);

#endif
