/* Frames of records: compressed, with a checksum, and with a mark so that they can be found
 * after damage. */
#include "train/record.h"

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

enum { FRAME_HEAD = 20, FRAME_MAX = 64 << 20, FRAME_LEVEL = 3, MAGIC_LENGTH = 8 };

static const char record_magic[] = "BANYREC1";
static const unsigned char frame_mark[4] = {0xba, 0x4e, 0x59, 0xa7};

static void frame_put(unsigned char *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        out[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t frame_get(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; --i)
        value = value << 8 | at[i];
    return value;
}

/* Makes a whole frame from bytes; freed by the caller. */
static unsigned char *frame_make(const void *bytes, size_t size, size_t *length)
{
    size_t bound = ZSTD_compressBound(size);
    unsigned char *frame = malloc(FRAME_HEAD + bound);
    if (!frame)
        return NULL;
    size_t packed = ZSTD_compress(frame + FRAME_HEAD, bound, bytes, size, FRAME_LEVEL);
    if (ZSTD_isError(packed)) {
        free(frame);
        return NULL;
    }
    memcpy(frame, frame_mark, 4);
    frame_put(frame + 4, packed, 4);
    frame_put(frame + 8, size, 4);
    frame_put(frame + 12, XXH64(frame + FRAME_HEAD, packed, size), 8);
    *length = FRAME_HEAD + packed;
    return frame;
}

/* Whether an undamaged frame begins at head: returns the number of its packed bytes, which follow
 * the FRAME_HEAD, 0: no; *size: bytes of its content. */
static size_t frame_check(const unsigned char *head, size_t left, size_t *size)
{
    if (left < FRAME_HEAD || memcmp(head, frame_mark, 4) != 0)
        return 0;
    size_t packed = (size_t)frame_get(head + 4, 4);
    *size = (size_t)frame_get(head + 8, 4);
    bool sound = packed <= left - FRAME_HEAD && *size <= FRAME_MAX && *size > 0 &&
                 XXH64(head + FRAME_HEAD, packed, *size) == frame_get(head + 12, 8);
    return sound ? packed : 0;
}

/* --- one game as a frame --- */

enum banyan_status record_frame(const struct record *record, unsigned char **out, size_t *length,
                                struct banyan_error *err)
{
    unsigned char *bytes;
    size_t size;
    *out = NULL;
    enum banyan_status status = record_pack(record, &bytes, &size, err);
    if (status != BANYAN_OK)
        return status;
    *out = frame_make(bytes, size, length);
    free(bytes);
    return *out ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game record");
}

enum banyan_status record_unframe(struct record *record, const void *bytes, size_t length,
                                  size_t *used, struct banyan_error *err)
{
    const unsigned char *head = bytes;
    size_t size, packed = frame_check(head, length, &size);
    if (!packed)
        return banyan_fail(err, BANYAN_CORRUPT, "the frame of a game is damaged");
    unsigned char *plain = malloc(size);
    if (!plain)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game record");
    enum banyan_status status = BANYAN_OK;
    if (ZSTD_decompress(plain, size, head + FRAME_HEAD, packed) != size)
        status = banyan_fail(err, BANYAN_CORRUPT, "the frame of a game is damaged");
    if (status == BANYAN_OK)
        status = record_unpack(record, plain, size, err);
    free(plain);
    if (status == BANYAN_OK)
        *used = FRAME_HEAD + packed;
    return status;
}

/* --- reading --- */

struct record_reader {
    unsigned char *bytes;
    size_t size, at;
    size_t sound; /* end of the last undamaged frame */
    uint64_t damaged;
    unsigned char *plain; /* [plain_room] one frame's content */
    size_t plain_room, plain_size;
    bool refused; /* there was no memory for a frame: it may be undamaged */
};

/* Reads the frame at `at`: returns its length, with its content in reader->plain; 0: there is no
 * undamaged frame. */
static size_t frame_read(struct record_reader *reader, size_t at)
{
    const unsigned char *head = reader->bytes + at;
    size_t size, packed = frame_check(head, reader->size - at, &size);
    if (!packed)
        return 0;
    if (size > reader->plain_room) {
        unsigned char *more = realloc(reader->plain, size);
        reader->refused = !more;
        if (!more)
            return 0;
        reader->plain = more;
        reader->plain_room = size;
    }
    if (ZSTD_decompress(reader->plain, size, head + FRAME_HEAD, packed) != size)
        return 0;
    reader->plain_size = size;
    return FRAME_HEAD + packed;
}

/* Finds the next undamaged frame from reader->at on.  False: there is none, or no memory for it. */
static bool frame_next(struct record_reader *reader)
{
    while (reader->at < reader->size) {
        size_t length = frame_read(reader, reader->at);
        if (length) {
            reader->at += length;
            reader->sound = reader->at;
            return true;
        }
        if (reader->refused)
            return false;
        ++reader->at;
        ++reader->damaged;
    }
    return false;
}

static enum banyan_status reader_begin(struct record_reader *reader, const char *name,
                                       const char *game, struct banyan_error *err)
{
    if (reader->size < MAGIC_LENGTH || memcmp(reader->bytes, record_magic, MAGIC_LENGTH) != 0)
        return banyan_fail(err, BANYAN_CORRUPT, "'%s' is not a file of game records", name);
    reader->at = MAGIC_LENGTH;
    size_t length = frame_read(reader, reader->at);
    if (reader->refused)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read '%s'", name);
    if (!length)
        return banyan_fail(err, BANYAN_CORRUPT, "'%s': its first frame is damaged", name);
    if (reader->plain_size != strlen(game) || memcmp(reader->plain, game, strlen(game)) != 0)
        return banyan_fail(err, BANYAN_INVALID, "'%s' holds games of '%.*s', not of %s", name,
                           (int)(reader->plain_size < 64 ? reader->plain_size : 64), reader->plain,
                           game);
    reader->at += length;
    reader->sound = reader->at;
    return BANYAN_OK;
}

static enum banyan_status reader_take(struct record_reader **out, unsigned char *bytes, size_t size,
                                      const char *name, const char *game, struct banyan_error *err)
{
    struct record_reader *reader = calloc(1, sizeof *reader);
    *out = NULL;
    if (!reader || !bytes) {
        free(bytes);
        free(reader);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read '%s'", name);
    }
    reader->bytes = bytes;
    reader->size = size;
    enum banyan_status status = reader_begin(reader, name, game, err);
    if (status != BANYAN_OK)
        record_reader_close(reader);
    else
        *out = reader;
    return status;
}

enum banyan_status record_reader_parse(struct record_reader **out, const void *bytes, size_t size,
                                       const char *name, const char *game, struct banyan_error *err)
{
    unsigned char *copy = malloc(size ? size : 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return reader_take(out, copy, size, name, game, err);
}

enum banyan_status record_reader_open(struct record_reader **out, const char *path,
                                      const char *game, struct banyan_error *err)
{
    *out = NULL;
    int fd = open(path, O_RDONLY);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        int reason = errno;
        if (fd >= 0)
            close(fd);
        return banyan_fail(err, reason == ENOENT ? BANYAN_NOT_FOUND : BANYAN_IO,
                           "cannot read '%s': %s", path, strerror(reason));
    }
    size_t size = (size_t)info.st_size, done = 0;
    unsigned char *bytes = malloc(size ? size : 1);
    ssize_t n = 1;
    while (bytes && done < size && n != 0) {
        n = read(fd, bytes + done, size - done);
        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    int reason = errno;
    close(fd);
    if (n >= 0 || reason == EINTR)
        return reader_take(out, bytes, done, path, game, err);
    free(bytes); /* fails, since a writer would cut off what was not read */
    return banyan_fail(err, BANYAN_IO, "cannot read '%s': %s", path, strerror(reason));
}

bool record_reader_next(struct record_reader *reader, struct record *record)
{
    while (frame_next(reader))
        if (record_unpack(record, reader->plain, reader->plain_size, NULL) == BANYAN_OK)
            return true;
    return false;
}

uint64_t record_reader_damaged(const struct record_reader *reader)
{
    return reader->damaged;
}

void record_reader_close(struct record_reader *reader)
{
    if (!reader)
        return;
    free(reader->bytes);
    free(reader->plain);
    free(reader);
}

/* --- writing --- */

struct record_writer {
    int fd;
    off_t end;
    char *path;
};

static enum banyan_status writer_failed(const struct record_writer *writer,
                                        struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", writer->path, strerror(errno));
}

/* Writes all bytes or none. */
static enum banyan_status writer_append(struct record_writer *writer, const unsigned char *bytes,
                                        size_t size, struct banyan_error *err)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = pwrite(writer->fd, bytes + done, size - done, writer->end + (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            enum banyan_status status = writer_failed(writer, err);
            if (ftruncate(writer->fd, writer->end) != 0)
                (void)0; /* the next reader finds an incomplete frame */
            return status;
        }
        done += (size_t)n;
    }
    writer->end += (off_t)size;
    return BANYAN_OK;
}

/* Whether the file is missing, or has no complete header. */
static bool writer_is_new(const struct record_writer *writer, enum banyan_status status)
{
    struct stat info;
    return status == BANYAN_NOT_FOUND ||
           (status == BANYAN_CORRUPT && stat(writer->path, &info) == 0 && info.st_size < 256);
}

/* Makes the file together with its header, so that another process never reads half a header. */
static enum banyan_status writer_begin(struct record_writer *writer, const char *game,
                                       struct banyan_error *err)
{
    struct output output;
    size_t length;
    unsigned char *frame = frame_make(game, strlen(game), &length);
    if (!frame)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to write '%s'", writer->path);
    enum banyan_status status = output_open(&output, writer->path, err);
    if (status == BANYAN_OK) {
        fwrite(record_magic, 1, MAGIC_LENGTH, output.stream);
        fwrite(frame, 1, length, output.stream);
        status = output_close(&output, BANYAN_OK, err);
    }
    free(frame);
    return status;
}

/* Opens the file, makes it if necessary, and finds where its last undamaged frame ends. */
static enum banyan_status writer_continue(struct record_writer *writer, const char *game,
                                          struct banyan_error *err)
{
    struct record_reader *reader;
    enum banyan_status status = record_reader_open(&reader, writer->path, game, err);
    if (writer_is_new(writer, status)) {
        status = writer_begin(writer, game, err);
        if (status == BANYAN_OK)
            status = record_reader_open(&reader, writer->path, game, err);
    }
    if (status != BANYAN_OK)
        return status;
    while (frame_next(reader))
        ;
    bool refused = reader->refused; /* undamaged games may follow, and would be cut off */
    writer->end = (off_t)reader->sound;
    record_reader_close(reader);
    if (refused)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to read '%s'", writer->path);
    writer->fd = open(writer->path, O_RDWR);
    if (writer->fd < 0 || ftruncate(writer->fd, writer->end) != 0)
        return writer_failed(writer, err);
    return BANYAN_OK;
}

enum banyan_status record_writer_open(struct record_writer **out, const char *path,
                                      const char *game, struct banyan_error *err)
{
    struct record_writer *writer = calloc(1, sizeof *writer);
    *out = NULL;
    if (!writer || !(writer->path = strdup(path))) {
        free(writer);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory to write '%s'", path);
    }
    writer->fd = -1;
    enum banyan_status status = writer_continue(writer, game, err);
    if (status != BANYAN_OK) {
        record_writer_close(writer);
        return status;
    }
    *out = writer;
    return BANYAN_OK;
}

enum banyan_status record_writer_add(struct record_writer *writer, const struct record *record,
                                     struct banyan_error *err)
{
    unsigned char *frame;
    size_t length;
    enum banyan_status status = record_frame(record, &frame, &length, err);
    if (status == BANYAN_OK)
        status = writer_append(writer, frame, length, err);
    free(frame);
    return status;
}

enum banyan_status record_writer_add_frame(struct record_writer *writer, const void *frame,
                                           size_t length, struct banyan_error *err)
{
    return writer_append(writer, frame, length, err);
}

void record_writer_close(struct record_writer *writer)
{
    if (!writer)
        return;
    if (writer->fd >= 0) {
        fsync(writer->fd);
        close(writer->fd);
    }
    free(writer->path);
    free(writer);
}
