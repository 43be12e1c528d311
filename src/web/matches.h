/* The matches of a database, counted while they are played, for a page that shows them.
 *
 *     matches_changed --> matches_list_json, matches_one_json --> topics
 *
 * Games are read once: the totals of each match are kept, and the number of the next game to be read. */
#ifndef WEB_MATCHES_H
#define WEB_MATCHES_H

#include "match/history.h"
#include "records/game_record.h"
#include "web/sources.h"

#include <jansson.h>

enum { MATCHES_LISTED = 200 }; /* the newest ones */

struct matches_entry; /* the totals of one match */

struct matches {
    const struct sources *sources; /* borrowed; NULL: there is no database */
    struct follow follow;
    struct matches_entry *entries; /* a list */
    int opened;                    /* follow.opened when the entries were made */
    int alive;                     /* matches that were being played when they were read last */
};

void matches_begin(struct matches *matches, const struct sources *sources);
void matches_end(struct matches *matches);

/* Whether there is something new since the last call. */
bool matches_changed(struct matches *matches);

/* The newest matches with their results, and a cross table for each set of matches of two players with the same
 * game and conditions, if three or more players took part; "problem" says what could not be read.  Caller frees. */
json_t *matches_list_json(struct matches *matches);

/* One match; BANYAN_NOT_FOUND: the database has no such match.  Caller frees *out. */
enum banyan_status matches_one_json(struct matches *matches, int64_t id, json_t **out,
                                    struct banyan_error *err);

/* At most MATCHES_GAMES games of a match from number `first` on, as an array; caller frees *out. */
enum { MATCHES_GAMES = 100 };
enum banyan_status matches_games_json(struct matches *matches, int64_t id, int64_t first,
                                      json_t **out, struct banyan_error *err);

/* Reads one game as a record, which caller frees. */
enum banyan_status matches_record(struct matches *matches, int64_t id, int64_t number,
                                  struct game_record *record, struct banyan_error *err);

#endif
