/* The files of the page: built into the program (cmake/web.cmake), or read from a folder by --web-dir. */
#ifndef WEB_FILES_H
#define WEB_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* A file as it is built in, compressed by gzip. */
struct files_entry {
    const char *name; /* "app.js"; NULL ends the table */
    const char *type; /* media type */
    const unsigned char *bytes, *end;
};

/* The table of the build; empty where it was built without the page. */
extern const struct files_entry files_built_in[];

/* Whether this program has the page. */
bool files_are_built_in(void);

struct files_body {
    const char *type;
    const unsigned char *bytes; /* [length] */
    size_t length;
    bool gzipped;
    unsigned char *owned; /* NULL: the bytes are static */
};

/* Finds the file for the path of an address: a file by its name, or the page itself for "/" and for
 * the page's own addresses such as "/search/othello".  folder: --web-dir; NULL: the files that are
 * built in. False: there is no such file. */
bool files_find(const char *path, const char *folder, struct files_body *out);
void files_free(struct files_body *body);

#endif
