/* Recorded games of one folder (--games), to be looked at ply by ply.
 *
 *     records of match, judge, play      --+
 *     logs of the judge                  --+--> a record, which is replayed
 *     recordings of botbowl              --+
 *     logs of battles on Pokemon Showdown ----> a text, which the page reads
 */
#ifndef WEB_RECORDED_H
#define WEB_RECORDED_H

#include "records/game_record.h"

#include <jansson.h>

struct recorded {
    const struct banyan_game *game; /* NULL: no record is open */
    struct game_record record;
    struct game_replay at;
    char *log;        /* of a battle; owned; NULL: a record */
    json_t *expected; /* what a bot expected in the battle (web/battles.h); owned */
};

/* The names of the folder's files of games (.jsonl, .jsonl.gz, .log), sorted; of more than FOLDER_FILES
 * (web/folder.h) the newest.  A file with a bot's
 * decisions in a battle is not listed if the log of the battle is there.  Empty without a folder.
 * Caller frees. */
json_t *recorded_files(const char *folder);

/* Opens game number index (from 0) of a file of the folder, in place of the game before.  A name
 * of no such file is BANYAN_NOT_FOUND.  On failure nothing is open. */
enum banyan_status recorded_open(struct recorded *recorded, const char *folder, const char *name,
                                 int index, struct banyan_error *err);
void recorded_close(struct recorded *recorded);

/* Opens a game that was read elsewhere; takes record over, also on failure. */
enum banyan_status recorded_take(struct recorded *recorded, struct game_record *record,
                                 struct banyan_error *err);

/* Players, moves, what players expected, and the result; or the log of a battle, and what a bot expected
 * in it, if the file of its decisions is in the same folder.  Caller frees. */
json_t *recorded_json(const struct recorded *recorded);

/* Goes to a ply, 0 to the number of plies, and writes the position there as viewer sees it (-1: everything); caller
 * frees *out. */
enum banyan_status recorded_show(struct recorded *recorded, int ply, int viewer, json_t **out,
                                 struct banyan_error *err);

#endif
