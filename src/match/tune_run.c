/* Keeps the results of a tuning run in a folder. */
#include "match/tune_run.h"

#include "base/input.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TUNE_PATH = 4096 };

static enum banyan_status tune_run_path(const char *folder, const char *name, char path[TUNE_PATH],
                                        struct banyan_error *err)
{
    int length = snprintf(path, TUNE_PATH, "%s/%s", folder, name);
    return length < TUNE_PATH ? BANYAN_OK
                              : banyan_fail(err, BANYAN_INVALID, "the folder's name is too long");
}

static enum banyan_status tune_run_compare(const char *folder, const char *settings,
                                           const char *there, struct banyan_error *err)
{
    size_t same = 0;
    if (strcmp(settings, there) == 0)
        return BANYAN_OK;
    while (settings[same] && settings[same] == there[same])
        ++same;
    while (same > 0 && settings[same - 1] != '\n')
        --same;
    return banyan_fail(err, BANYAN_INVALID, "'%s' holds a run with '%.*s', not '%.*s'", folder,
                       (int)strcspn(there + same, "\n"), there + same,
                       (int)strcspn(settings + same, "\n"), settings + same);
}

/* Compares the settings with those of the folder, or writes them there. */
static enum banyan_status tune_run_settings(const char *folder, const char *settings, size_t older,
                                            struct banyan_error *err)
{
    char path[TUNE_PATH], *there;
    size_t length;
    struct output output;
    enum banyan_status status = tune_run_path(folder, "settings.txt", path, err);
    if (status != BANYAN_OK)
        return status;
    status = input_read(path, "", &there, &length, err);
    if (status == BANYAN_OK) {
        bool is_older = length == older && settings[older] && memcmp(settings, there, older) == 0;
        if (!is_older)
            status = tune_run_compare(folder, settings, there, err);
        free(there);
        if (!is_older)
            return status;
    } else if (status != BANYAN_NOT_FOUND)
        return status;
    status = output_open(&output, path, err);
    if (status != BANYAN_OK)
        return status;
    fputs(settings, output.stream);
    return output_close(&output, BANYAN_OK, err);
}

/* Reads the line at text, the result of iteration k; returns its length, 0: it is none. */
static size_t tune_run_line(const char *text, int64_t k, struct tune_score *score)
{
    int64_t number;
    int length = 0;
    if (sscanf(text, "%" SCNd64 " %d %d %d%n", &number, &score->wins, &score->draws, &score->losses,
               &length) != 4 ||
        number != k || text[length] != '\n' || score->wins < 0 || score->draws < 0 ||
        score->losses < 0 || score->wins + score->draws + score->losses != 2)
        return 0;
    return (size_t)length + 1;
}

/* Reads the results that are there; *used: bytes of whole lines. */
static enum banyan_status tune_run_read(struct tune_run_files *files, const char *path,
                                        size_t *used, struct banyan_error *err)
{
    char *text;
    size_t length, line;
    int64_t room = 0;
    struct tune_score score;
    *used = 0;
    enum banyan_status status = input_read(path, "", &text, &length, err);
    if (status != BANYAN_OK)
        return status == BANYAN_NOT_FOUND ? BANYAN_OK : status;
    while (status == BANYAN_OK && (line = tune_run_line(text + *used, files->count, &score)) > 0) {
        *used += line;
        if (files->count == room) {
            room = 2 * room + 1024;
            struct tune_score *larger =
                realloc(files->scores, (size_t)room * sizeof *files->scores);
            if (!larger) {
                status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for '%s'", path);
                break;
            }
            files->scores = larger;
        }
        files->scores[files->count++] = score;
    }
    if (status == BANYAN_OK && strchr(text + *used, '\n')) /* a whole line, but no result */
        status = banyan_fail(err, BANYAN_CORRUPT, "%s:%" PRId64 ": not the result of an iteration",
                             path, files->count + 1);
    free(text);
    return status;
}

enum banyan_status tune_run_open(struct tune_run_files *files, const char *folder,
                                 const char *settings, size_t older, struct banyan_error *err)
{
    char path[TUNE_PATH];
    size_t used;
    *files = (struct tune_run_files){.results = NULL};
    if (!folder)
        return BANYAN_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return banyan_fail(err, BANYAN_IO, "cannot make folder '%s': %s", folder, strerror(errno));
    enum banyan_status status = tune_run_settings(folder, settings, older, err);
    if (status == BANYAN_OK)
        status = tune_run_path(folder, "results.txt", path, err);
    if (status == BANYAN_OK)
        status = tune_run_read(files, path, &used, err);
    if (status != BANYAN_OK)
        return status;
    files->results = fopen(path, "a");
    if (!files->results || ftruncate(fileno(files->results), (off_t)used) != 0)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", path, strerror(errno));
    return BANYAN_OK;
}

enum banyan_status tune_run_add(struct tune_run_files *files, int64_t k,
                                const struct tune_score *score, struct banyan_error *err)
{
    if (!files->results)
        return BANYAN_OK;
    if (fprintf(files->results, "%" PRId64 " %d %d %d\n", k, score->wins, score->draws,
                score->losses) < 0 ||
        fflush(files->results) != 0)
        return banyan_fail(err, BANYAN_IO, "cannot write the results: %s", strerror(errno));
    return BANYAN_OK;
}

void tune_run_close(struct tune_run_files *files)
{
    if (files->results)
        fclose(files->results);
    free(files->scores);
    *files = (struct tune_run_files){.results = NULL};
}
