/* What the files of bloodbowl_json.h share: names of teams, players and squares, and messages. */
#ifndef RECORDS_BLOODBOWL_JSON_PARTS_H
#define RECORDS_BLOODBOWL_JSON_PARTS_H

#include "records/bloodbowl_json.h"

/* "H", "A", or null for BB_NOBODY. */
json_t *bloodbowl_json_team(int team);

/* "H7", or null for BB_NONE; reading gives BB_NONE if no player has this name. */
json_t *bloodbowl_json_player(const struct bb_state *s, int player);
int bloodbowl_json_player_of(const struct bb_state *s, const json_t *value);

/* [x, y], or [-1, -1] for BB_NOWHERE; reading gives BB_NOWHERE if there is no such square. */
json_t *bloodbowl_json_square(int square);
int bloodbowl_json_square_of(const json_t *value);

/* The index of word in names[count]; -1: it is not there. */
int bloodbowl_json_choice_of(const char *word, const char *const names[], int count);

/* Fails with BANYAN_CORRUPT: this part of the record is missing or wrong. */
enum banyan_status bloodbowl_json_missing(struct banyan_error *err, const char *what);

#endif
