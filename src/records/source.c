/* Reads lines from a file or from a block of memory. */
#include "records/records.h"

#include "base/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { SOURCE_CHUNK = 1 << 16, SOURCE_LINE_MAX = 1 << 26 };

struct records_source {
    char *path;
    gzFile file;                 /* NULL: memory */
    const unsigned char *memory; /* borrowed */
    size_t memory_left;
    uint64_t number;
    char *line; /* owned */
    size_t room;
    unsigned char chunk[SOURCE_CHUNK];
    size_t at, filled;
    char *
        again; /* lines, each with its newline, that records_peek has read and records_line gives again; owned */
    size_t again_at, again_used;
};

static enum banyan_status source_create(const char *path, struct records_source **out,
                                        struct banyan_error *err)
{
    struct records_source *source = calloc(1, sizeof *source);
    if (source)
        source->path = strdup(path);
    if (!source || !source->path) {
        free(source);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read %s", path);
    }
    *out = source;
    return BANYAN_OK;
}

enum banyan_status records_open(const char *path, struct records_source **out,
                                struct banyan_error *err)
{
    enum banyan_status status = source_create(path, out, err);
    if (status != BANYAN_OK)
        return status;
    errno = 0;
    (*out)->file = strcmp(path, "-") == 0 ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rb");
    if ((*out)->file)
        return BANYAN_OK;
    int reason = errno ? errno : ENOMEM;
    records_close(*out);
    *out = NULL;
    return input_failed(err, path, reason);
}

enum banyan_status records_open_memory(const char *name, const void *bytes, size_t size,
                                       struct records_source **out, struct banyan_error *err)
{
    enum banyan_status status = source_create(name, out, err);
    if (status != BANYAN_OK)
        return status;
    (*out)->memory = bytes;
    (*out)->memory_left = size;
    return BANYAN_OK;
}

void records_close(struct records_source *source)
{
    if (!source)
        return;
    if (source->file)
        gzclose(source->file);
    free(source->path);
    free(source->line);
    free(source->again);
    free(source);
}

uint64_t records_line_number(const struct records_source *source)
{
    return source->number;
}

const char *records_path(const struct records_source *source)
{
    return source->path;
}

/* Refills the buffer; if filled is 0 afterwards, the file has ended. */
static enum banyan_status source_fill(struct records_source *source, struct banyan_error *err)
{
    source->at = source->filled = 0;
    if (!source->file) {
        size_t count = source->memory_left < SOURCE_CHUNK ? source->memory_left : SOURCE_CHUNK;
        if (count)
            memcpy(source->chunk, source->memory, count);
        source->memory += count;
        source->memory_left -= count;
        source->filled = count;
        return BANYAN_OK;
    }
    int count = gzread(source->file, source->chunk, SOURCE_CHUNK);
    if (count > 0)
        source->filled = (size_t)count;
    int code;
    const char *message = gzerror(source->file, &code);
    if (count < 0 || code == Z_BUF_ERROR) /* Z_BUF_ERROR: the archive ends too early */
        return code == Z_ERRNO
                   ? banyan_fail(err, BANYAN_IO, "%s: %s", source->path, strerror(errno))
                   : banyan_fail(err, BANYAN_CORRUPT, "%s", message); /* zlib's message begins
                                                                       * with the path */
    return BANYAN_OK;
}

static enum banyan_status source_append(struct records_source *source, size_t length,
                                        const unsigned char *bytes, size_t count,
                                        struct banyan_error *err)
{
    if (length + count >= SOURCE_LINE_MAX)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: a line of more than %d bytes", source->path,
                           SOURCE_LINE_MAX);
    if (length + count + 1 > source->room) {
        size_t room = 2 * (length + count + 1);
        char *line = realloc(source->line, room);
        if (!line)
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a line of %s", source->path);
        source->line = line;
        source->room = room;
    }
    if (count)
        memcpy(source->line + length, bytes, count);
    source->line[length + count] = 0;
    return BANYAN_OK;
}

/* Gives the next line of those that records_peek has read; false: there is none. */
static bool source_again(struct records_source *source, char **line, size_t *length)
{
    size_t left = source->again_used - source->again_at;
    if (!left)
        return false;
    char *start = source->again + source->again_at, *end = memchr(start, '\n', left);
    *end = 0;
    source->again_at += (size_t)(end - start) + 1;
    ++source->number;
    *line = start;
    if (length)
        *length = (size_t)(end - start);
    return true;
}

enum banyan_status records_line(struct records_source *source, char **line, size_t *length,
                                struct banyan_error *err)
{
    size_t total = 0;
    bool complete = false, any = false;
    enum banyan_status status = BANYAN_OK;
    if (source_again(source, line, length))
        return BANYAN_OK;
    *line = NULL;
    while (status == BANYAN_OK && !complete) {
        if (source->at == source->filled) {
            status = source_fill(source, err);
            if (status != BANYAN_OK || source->filled == 0)
                break;
        }
        const unsigned char *start = source->chunk + source->at;
        size_t left = source->filled - source->at;
        const unsigned char *end = memchr(start, '\n', left);
        size_t count = end ? (size_t)(end - start) : left;
        status = source_append(source, total, start, count, err);
        total += count;
        source->at += count + (end != NULL);
        complete = end != NULL;
        any = true;
    }
    if (status != BANYAN_OK || !any)
        return status;
    if (total && source->line[total - 1] == '\r')
        source->line[--total] = 0;
    ++source->number;
    *line = source->line;
    if (length)
        *length = total;
    return BANYAN_OK;
}

/* Keeps a line for source_again. */
static enum banyan_status source_keep(struct records_source *source, const char *line,
                                      size_t length, struct banyan_error *err)
{
    char *again = realloc(source->again, source->again_used + length + 1);
    if (!again)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a line of %s", source->path);
    source->again = again;
    if (length)
        memcpy(again + source->again_used, line, length);
    again[source->again_used + length] = '\n';
    source->again_used += length + 1;
    return BANYAN_OK;
}

enum banyan_status records_peek(struct records_source *source, char *out, size_t size,
                                struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    char *line = NULL;
    size_t length;
    *out = 0;
    while (!*out && status == BANYAN_OK) {
        status = records_line(source, &line, &length, err);
        if (status != BANYAN_OK || !line)
            break;
        status = source_keep(source, line, length, err);
        source->again_at = source->again_used; /* records_line reads on */
        if (*line != '#')
            snprintf(out, size, "%s", line);
    }
    source->again_at = 0;
    source->number = 0;
    return status;
}

enum banyan_status records_rest(struct records_source *source, char **out, size_t *length,
                                struct banyan_error *err)
{
    enum banyan_status status;
    char *line;
    size_t count;
    *out = NULL;
    FILE *to = open_memstream(out, length);
    if (!to)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read %s", source->path);
    while ((status = records_line(source, &line, &count, err)) == BANYAN_OK && line) {
        fwrite(line, 1, count, to);
        putc('\n', to);
    }
    bool failed = ferror(to) != 0;
    if (fclose(to) != 0 || failed)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read %s", source->path);
    if (status == BANYAN_OK)
        return status;
    free(*out);
    *out = NULL;
    return status;
}

enum banyan_status records_first_line(const char *path, char *out, size_t size,
                                      struct banyan_error *err)
{
    struct records_source *source;
    char *line = NULL;
    *out = 0;
    enum banyan_status status = records_open(path, &source, err);
    if (status != BANYAN_OK)
        return status;
    while (!*out && (status = records_line(source, &line, NULL, err)) == BANYAN_OK && line)
        snprintf(out, size, "%s", line);
    records_close(source);
    return status;
}
