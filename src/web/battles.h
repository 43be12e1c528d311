/* Reads the battles that a running `banyan showdown --save DIR` plays (option --showdown DIR).
 *
 *     DIR/ROOM.jsonl   a line for each decision, added by the bot (showdown/battle_files.h)
 */
#ifndef WEB_BATTLES_H
#define WEB_BATTLES_H

#include <banyan/status.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { BATTLES_AT_ONCE = 20 /* decisions in one answer */ };

/* An array of the battles, by room: "room", "decisions", "turn", "player"; of more than FOLDER_FILES
 * (web/folder.h) the newest.  Empty without a folder.  Caller frees. */
json_t *battles_list(const char *folder);

/* Writes the decisions of a battle from number first (0: the first one), at most BATTLES_AT_ONCE, as an array.
 * Decisions for which the player searched have the table as in the file, what each action means with its damage, and
 * what the player knew.  A room without a file is BANYAN_NOT_FOUND.  Caller frees *out. */
enum banyan_status battles_decisions(const char *folder, const char *room, int64_t first,
                                     json_t **out, struct banyan_error *err);

/* What the bot expected in a battle: {"who": its name, "values": [[bytes of the log that it knew, value], ...]}; null:
 * the folder has no decisions of the room.  Caller frees. */
json_t *battles_expected(const char *folder, const char *room);

/* As battles_decisions, for an open file of decisions. */
enum banyan_status battles_read(FILE *file, const char *room, int64_t first, json_t **out,
                                struct banyan_error *err);
json_t *battles_read_expected(FILE *file);

#endif
