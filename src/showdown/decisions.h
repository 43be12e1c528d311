/* The decisions of a battle as its page shows them, from the ROOM.jsonl of battle_files.h.
 *
 *     ROOM.jsonl --> lines of a search --> those that fit the log --> rows for battle_page.html
 *
 * The file may be damaged or of another battle: each text and number is checked before it is a
 * part of a row.
 */
#ifndef SHOWDOWN_DECISIONS_H
#define SHOWDOWN_DECISIONS_H

#include <banyan/status.h>

#include <jansson.h>
#include <stddef.h>

/* Rows: an array of
 *
 *     {"after": lines of the log that were known, "who": the bot's name, "side": "p1" or "p2",
 *      "turn", "value": -1..1, "action", "share": 0..1, "own": actions, "foe": actions,
 *      "line": plies}
 *
 *     an action: {"action", "share", "mean"}, as its player sees it
 *     a ply:     {"own", "foe"}, either may be missing
 */
struct decisions {
    json_t *rows; /* owned; NULL: there is no such file */
    int count;    /* all decisions of the file; a player that did not search has no rows */
    int left_out; /* decisions that do not fit the log and are not in rows */
};

/* Reads the file at path, which belongs to log[length], the lines of the battle, the last one with
 * its end.  A path without a file is no error.  BANYAN_CORRUPT: a line is no decision, or a wrong
 * one, or no decision fits the log; on an error rows is NULL.  Caller calls decisions_free. */
enum banyan_status decisions_read(const char *path, const char *log, size_t length,
                                  struct decisions *out, struct banyan_error *err);
void decisions_free(struct decisions *decisions);

#endif
