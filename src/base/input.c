/* Reads whole files. */
#include "base/input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads all that is left of file; the caller frees it.  NULL: no memory. */
static char *input_slurp(FILE *file, size_t *length)
{
    size_t used = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text) {
        used += fread(text + used, 1, room - used - 1, file);
        if (used + 1 < room)
            break;
        char *larger = realloc(text, room *= 2);
        if (!larger)
            free(text);
        text = larger;
    }
    if (text)
        text[used] = 0;
    *length = used;
    return text;
}

enum banyan_status input_status(int reason)
{
    return reason == ENOENT || reason == ENOTDIR ? BANYAN_NOT_FOUND : BANYAN_IO;
}

enum banyan_status input_failed(struct banyan_error *err, const char *path, int reason)
{
    return banyan_fail(err, input_status(reason), "cannot read '%s': %s", path, strerror(reason));
}

enum banyan_status input_read(const char *path, const char *what, char **out, size_t *length,
                              struct banyan_error *err)
{
    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return banyan_fail(err, input_status(errno), "cannot read %s'%s': %s", what, path,
                           strerror(errno));
    errno = 0;
    char *text = input_slurp(file, length);
    bool failed = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    if (text && !failed) {
        *out = text;
        return BANYAN_OK;
    }
    free(text);
    return failed
               ? banyan_fail(err, BANYAN_IO, "cannot read %s'%s': %s", what, path, strerror(reason))
               : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %s'%s'", what, path);
}
