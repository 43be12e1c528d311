/* The files of a folder whose content is shown: games, and the decisions of a bot. */
#ifndef WEB_FOLDER_H
#define WEB_FOLDER_H

#include <jansson.h>
#include <stdbool.h>

enum { FOLDER_FILES = 500 /* names in a list */ };

/* Whether a name of a folder is wanted. */
typedef bool folder_wants(const char *folder, const char *name);

/* The wanted names of regular files, sorted; of more than FOLDER_FILES the newest.  (To open a named pipe would mean
 * waiting until somebody writes.)  Empty without a folder, or without memory.  Caller frees. */
json_t *folder_files(const char *folder, folder_wants *wanted);

/* Whether the folder has a regular file of exactly this name, which is wanted; never of a path. */
bool folder_has(const char *folder, const char *name, folder_wants *wanted);

#endif
