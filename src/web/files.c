/* Finds the files of the page. */
#include "web/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_HTML "text/html; charset=utf-8"

enum { FILES_MAX = 4 << 20, FILES_PATH = 4096 };

/* The only paths that are served, and their types; the path of a request is compared with them and
 * never given to the file system. */
static const struct {
    const char *path, *name, *type;
    bool below; /* paths below this one mean the same file */
} files_names[] = {
    {"/", "index.html", FILES_HTML, false},
    {"/app.js", "app.js", "text/javascript; charset=utf-8", false},
    {"/app.css", "app.css", "text/css; charset=utf-8", false},
    {"/search/", "index.html", FILES_HTML, true},
    {"/explain/", "index.html", FILES_HTML, true},
    {"/play/", "index.html", FILES_HTML, true},
    {"/game", "index.html", FILES_HTML, false},
    {"/game/", "index.html", FILES_HTML, true},
    {"/showdown", "index.html", FILES_HTML, false},
    {"/showdown/", "index.html", FILES_HTML, true},
    {"/match", "index.html", FILES_HTML, false},
    {"/match/", "index.html", FILES_HTML, true},
    {"/train", "index.html", FILES_HTML, false},
    {"/train/", "index.html", FILES_HTML, true},
};

bool files_are_built_in(void)
{
    return files_built_in[0].name != NULL;
}

static bool files_built(const char *name, struct files_body *out)
{
    for (const struct files_entry *entry = files_built_in; entry->name; ++entry) {
        if (strcmp(entry->name, name) != 0)
            continue;
        out->bytes = entry->bytes;
        out->length = (size_t)(entry->end - entry->bytes);
        out->gzipped = true;
        return true;
    }
    return false;
}

static bool files_read(const char *folder, const char *name, struct files_body *out)
{
    char path[FILES_PATH];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    out->owned = malloc(FILES_MAX);
    out->bytes = out->owned;
    out->length = out->owned ? fread(out->owned, 1, FILES_MAX, file) : 0;
    fclose(file);
    return out->owned != NULL;
}

bool files_find(const char *path, const char *folder, struct files_body *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < sizeof files_names / sizeof *files_names; ++i) {
        const char *known = files_names[i].path;
        if (files_names[i].below ? strncmp(path, known, strlen(known)) != 0
                                 : strcmp(path, known) != 0)
            continue;
        out->type = files_names[i].type;
        return folder ? files_read(folder, files_names[i].name, out)
                      : files_built(files_names[i].name, out);
    }
    return false;
}

void files_free(struct files_body *body)
{
    free(body->owned);
    body->owned = NULL;
}
