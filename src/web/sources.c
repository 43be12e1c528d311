/* Names the runs of training that are shown. */
#include "web/sources.h"

#include <string.h>

static const char *sources_last_part(const char *path, int *length)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        --end;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        --start;
    *length = (int)(end - start);
    return path + start;
}

const char *sources_run_name(const struct sources *sources, int run, int *length)
{
    return sources_last_part(sources->runs[run], length);
}

int sources_find_run(const struct sources *sources, const char *name, int length)
{
    for (int i = 0; i < sources->run_count; ++i) {
        int own_length;
        const char *own = sources_run_name(sources, i, &own_length);
        if (own_length == length && memcmp(own, name, (size_t)length) == 0)
            return i;
    }
    return -1;
}

bool sources_add_run(struct sources *sources, const char *folder)
{
    int length;
    const char *name = sources_last_part(folder, &length);
    if (sources_find_run(sources, name, length) >= 0)
        return false;
    sources->runs[sources->run_count++] = folder;
    return true;
}
