/* Files that the texts of players name, such as networks and books, for workers that do not have them.
 *
 *      owner    net:best.safetensors,simulations=100     {"best.safetensors": HASH} among the settings,
 *                                                        and a blob under HASH
 *      worker   net:CACHE/HASH,simulations=100
 *
 * A word of a text, between two of ":,=()|", names a file if it is no number, has a dot or a slash, and
 * is the path of a regular file.  Texts of programs (exec:) are left as they are.
 */
#ifndef MATCH_MATCH_FILES_H
#define MATCH_MATCH_FILES_H

#include "queue/queue.h"

#include <jansson.h>

/* Puts the files that text names into the queue, and their hashes into files, an object. */
enum banyan_status match_files_put(json_t *files, const char *text, struct queue *queue,
                                   struct banyan_error *err);

/* Removes the files from the queue.  keep: hash of a file that stays; NULL: none stays. */
void match_files_drop(const json_t *files, struct queue *queue, const char *keep);

/* Gets all files into the queue's cache on this machine.  BANYAN_INVALID: there is no cache. */
enum banyan_status match_files_get(const json_t *files, struct queue *queue,
                                   struct banyan_error *err);

/* The text with the cached files in place of those that it names; the caller frees it.  NULL: no
 * memory. */
char *match_files_local(const json_t *files, const char *text, const char *cache);

#endif
