/* The folder of a machine in which blobs are kept, so that its workers get each of them once. */
#include "queue/queue_kinds.h"

#include "base/input.h"
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Reads the file, if it has the bytes of this name. */
static bool cache_read(const char *path, const char *name, void **bytes, size_t *length)
{
    char hash[QUEUE_HASH + 1], *found;
    size_t size;
    if (input_read(path, "", &found, &size, NULL) != BANYAN_OK)
        return false;
    queue_hash(found, size, hash);
    if (strcmp(hash, name) != 0) {
        free(found);
        return false;
    }
    *bytes = found;
    *length = size;
    return true;
}

/* Writes the file.  A full disk costs later workers a download, nothing else. */
static void cache_write(const char *path, const void *bytes, size_t length)
{
    struct output output;
    if (output_open(&output, path, NULL) != BANYAN_OK)
        return;
    bool whole = fwrite(bytes, 1, length, output.stream) == length;
    output_close(&output, whole ? BANYAN_OK : BANYAN_IO, NULL);
}

/* Removes blobs that came more than a week ago: the networks of a long run. A worker that still
 * needs one gets it again. */
static void cache_prune(const char *folder)
{
    enum { KEPT_S = 7 * 24 * 3600 };
    DIR *files = opendir(folder);
    char path[PATH_MAX];
    struct stat about;
    for (struct dirent *file; files && (file = readdir(files));) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        if (queue_name_is_hash(file->d_name) && length < (int)sizeof path &&
            stat(path, &about) == 0 && about.st_mtime < time(NULL) - KEPT_S)
            unlink(path);
    }
    if (files)
        closedir(files);
}

/* Waits until this process alone may get the blob, at most a minute: the process that holds the
 * lock may be stuck. The lock ends with the descriptor. */
static int cache_lock(const struct queue *queue, const char *path)
{
    enum { STEP_MS = 20, STEPS = 3000 };
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    for (int i = 0; file >= 0 && i < STEPS && !banyan_flag_is_set(queue->stop); ++i) {
        if (fcntl(file, F_SETLK, &lock) == 0)
            break;
        nanosleep(&step, NULL);
    }
    return file;
}

enum banyan_status queue_cache_get(struct queue *queue, const char *name, void **bytes,
                                   size_t *length, struct banyan_error *err)
{
    char path[PATH_MAX], lock[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", queue->cache, name) >= (int)sizeof path ||
        snprintf(lock, sizeof lock, "%s/lock", queue->cache) >= (int)sizeof lock)
        return banyan_fail(err, BANYAN_INVALID, "the cache's path is too long");
    if (cache_read(path, name, bytes, length))
        return BANYAN_OK;
    if (mkdir(queue->cache, 0777) != 0 && errno != EEXIST)
        return banyan_fail(err, BANYAN_IO, "cannot create the cache '%s': %s", queue->cache,
                           strerror(errno));
    int file = cache_lock(queue, lock);
    if (file < 0)
        return banyan_fail(err, BANYAN_IO, "cannot lock the cache '%s': %s", queue->cache,
                           strerror(errno));
    enum banyan_status status = BANYAN_OK;
    if (!cache_read(path, name, bytes, length)) { /* nobody got it meanwhile */
        status = queue->can->get(queue, name, bytes, length, err);
        if (status == BANYAN_OK) {
            cache_write(path, *bytes, *length);
            cache_prune(queue->cache);
        }
    }
    close(file);
    return status;
}
