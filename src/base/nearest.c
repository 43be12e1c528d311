/* Finds the known name that is nearest to a misspelt one, for error messages. */
#include <banyan/options.h>

#include "base/least.h"

#include <string.h>

enum { NEAREST_MAX = 63 };

/* Levenshtein distance: insertions, deletions and replacements of one character. */
static int nearest_distance(const char *a, const char *b)
{
    int row[NEAREST_MAX + 1];
    int length = (int)strlen(b);
    if (length > NEAREST_MAX)
        return NEAREST_MAX;
    for (int j = 0; j <= length; ++j)
        row[j] = j;
    for (int i = 1; *a; ++a, ++i) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; ++j) {
            int replaced = diagonal + (*a != b[j - 1]);
            diagonal = row[j];
            row[j] = least_int(replaced, 1 + least_int(row[j], row[j - 1]));
        }
    }
    return row[length];
}

const char *banyan_options_nearest(const char *name, const char *const *names)
{
    const char *best = NULL;
    /* this distance, or a larger one, is not a typing error */
    int least = (int)strlen(name) / 3 + 2;
    for (; *names; ++names) {
        int distance = nearest_distance(name, *names);
        if (strncmp(name, *names, strlen(name)) == 0 && *name)
            distance = least_int(distance, 1);
        if (distance < least) {
            least = distance;
            best = *names;
        }
    }
    return best;
}
