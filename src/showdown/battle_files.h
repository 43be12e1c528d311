/* The files that a battle writes to the folder of its settings:
 *
 *    ROOM.html    the battle as a page, for a browser
 *    ROOM.log     the log as the server sent it, without messages to this player alone or about the room
 *    ROOM.jsonl   a line for each decision: the request, the seed, the place in the log, the answer
 */
#ifndef SHOWDOWN_BATTLE_FILES_H
#define SHOWDOWN_BATTLE_FILES_H

#include "showdown/battle.h"

/* Adds the last decision to the dump; detail: a JSON object, or NULL. */
void battle_files_dump(struct battle *battle, uint64_t seed, double time_ms, double took_ms,
                       const char *detail);

/* Writes the log and the replay of a battle that is over; or removes its decisions, if the settings want no
 * files of such a battle. */
void battle_files_save(struct battle *battle);

void battle_files_close(struct battle *battle);

#endif
