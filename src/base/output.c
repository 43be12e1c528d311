/* Writes regular files whole or not at all, and devices and pipes directly. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_LINKS = 40, OUTPUT_LINK_MAX = 4096 };

/* The first a_length bytes of a, followed by b; freed by the caller; NULL: no memory. */
static char *output_join(const char *a, size_t a_length, const char *b)
{
    size_t length = strlen(b);
    char *text = malloc(a_length + length + 1);
    if (!text)
        return NULL;
    memcpy(text, a, a_length);
    memcpy(text + a_length, b, length + 1);
    return text;
}

static size_t output_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The path of the file to which the symbolic links at the end of path lead, even if there is no
 * such file yet.  The caller frees it; NULL: no memory. */
static char *output_follow(const char *path)
{
    char link[OUTPUT_LINK_MAX];
    char *at = output_join(path, strlen(path), "");
    for (int i = 0; at && i < OUTPUT_LINKS; ++i) {
        ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0)
            break;
        link[length] = 0;
        char *next = output_join(at, link[0] == '/' ? 0 : output_folder_length(at), link);
        free(at);
        at = next;
    }
    return at;
}

/* The number of the program's own stream (standard output or error) that is open on this file; -1:
 * none is. */
static int output_own_stream(const struct stat *file)
{
    for (int fd = 1; fd <= 2; ++fd) {
        struct stat own;
        if (fstat(fd, &own) == 0 && own.st_dev == file->st_dev && own.st_ino == file->st_ino)
            return fd;
    }
    return -1;
}

/* Opens a temporary file in the folder of the target; returns false, with the reason in errno, when
 * it cannot be made. */
static bool output_open_temporary(struct output *output, const struct stat *before)
{
    char ending[32];
    snprintf(ending, sizeof ending, ".%ld.tmp", (long)getpid());
    output->temporary = output_join(output->target, strlen(output->target), ending);
    if (!output->temporary)
        return false;
    int fd = open(output->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0 && before)
        (void)fchmod(fd, before->st_mode & 07777); /* if this fails, the file has the usual
                                                    * permissions */
    output->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (output->stream)
        return true;
    int reason = errno;
    if (fd >= 0)
        close(fd);
    free(output->temporary);
    output->temporary = NULL;
    errno = reason;
    return false;
}

/* Writes directly to the target.  If one of the program's own streams is open on the same file, the
 * writing starts at that stream's position. */
static void output_open_through(struct output *output, const struct stat *there)
{
    int own = there ? output_own_stream(there) : -1;
    int fd = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 3)
                      : open(output->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    output->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && !output->stream)
        close(fd);
}

static void output_free(struct output *output)
{
    free(output->path);
    free(output->target);
    free(output->temporary);
    memset(output, 0, sizeof *output);
}

enum banyan_status output_open(struct output *output, const char *path, struct banyan_error *err)
{
    struct stat there;
    memset(output, 0, sizeof *output);
    bool exists = stat(path, &there) == 0;
    output->path = output_join(path, strlen(path), "");
    output->target = output_follow(path);
    errno = ENOMEM;
    if (output->path && output->target) {
        bool whole = !exists || (S_ISREG(there.st_mode) && output_own_stream(&there) < 0);
        /* a user may have the right to write to a file but not to its folder */
        if (!(whole && output_open_temporary(output, exists ? &there : NULL)) &&
            (!whole || errno == EACCES || errno == EPERM))
            output_open_through(output, exists ? &there : NULL);
    }
    if (output->stream)
        return BANYAN_OK;
    int reason = errno;
    output_free(output);
    return banyan_fail(err, reason == ENOMEM ? BANYAN_NO_MEMORY : BANYAN_IO,
                       "cannot write '%s': %s", path, strerror(reason));
}

/* Makes the disk keep the file's new name, too; cuts path down to its folder. */
static void output_sync_folder(char *path)
{
    size_t length = output_folder_length(path);
    path[length] = 0;
    int fd = open(length ? path : ".", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* Writes out what is left and gives the file its name; returns false, with the reason in errno,
 * when something fails. */
static bool output_complete(struct output *output)
{
    bool good = fflush(output->stream) == 0 && !ferror(output->stream);
    if (good && output->temporary)
        good = fsync(fileno(output->stream)) == 0;
    int reason = errno;
    if (fclose(output->stream) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && output->temporary && rename(output->temporary, output->target) != 0) {
        good = false;
        reason = errno;
    }
    errno = reason;
    return good;
}

static enum banyan_status output_failed(const struct output *output, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s%s", output->path,
                       errno ? strerror(errno) : "is there room on the disk?",
                       output->temporary ? "; what was there is unchanged" : "");
}

enum banyan_status output_close(struct output *output, enum banyan_status status,
                                struct banyan_error *err)
{
    errno = 0; /* errno no longer holds the reason of an earlier failed write */
    if (status == BANYAN_OK) {
        if (!output_complete(output))
            status = output_failed(output, err);
    } else {
        if (status == BANYAN_IO && ferror(output->stream))
            output_failed(output, err); /* the caller knows only the stream, so the message names
                                         * the file */
        fclose(output->stream);
    }
    if (output->temporary && status != BANYAN_OK)
        unlink(output->temporary);
    else if (output->temporary)
        output_sync_folder(output->target);
    output_free(output);
    return status;
}
