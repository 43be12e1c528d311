/* Jobs as lines of text, and as numbers. */
#include "train/job.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* generation | first | count - 1: 30, 30 and 4 bits */
enum { JOB_COUNT_BITS = 4, JOB_FIRST_BITS = 30 };

int job_play_write(const struct job_play *job, char out[JOB_TEXT])
{
    return snprintf(out, JOB_TEXT,
                    "play generation=%" PRId64 " first=%" PRId64 " count=%d network=%s settings=%s",
                    job->generation, job->first, job->count, job->network, job->settings);
}

static bool job_read_hash(struct text_reader *reader, const char *name, char out[JOB_HASH + 1])
{
    return text_take(reader, name) && text_word(reader, out, JOB_HASH + 1) &&
           strspn(out, "0123456789abcdef") == JOB_HASH;
}

static bool job_read_fields(struct text_reader *reader, struct job_play *job)
{
    int64_t count;
    if (!text_take(reader, "play") || !text_take(reader, "generation=") ||
        !text_integer(reader, 1, JOB_NUMBER_MAX - 1, &job->generation) ||
        !text_take(reader, "first=") ||
        !text_integer(reader, 0, JOB_NUMBER_MAX - JOB_GAMES, &job->first) ||
        !text_take(reader, "count=") || !text_integer(reader, 1, JOB_GAMES, &count))
        return false;
    job->count = (int)count;
    return job_read_hash(reader, "network=", job->network) &&
           job_read_hash(reader, "settings=", job->settings);
}

enum banyan_status job_play_read(struct job_play *job, const void *bytes, size_t length,
                                 size_t *used, struct banyan_error *err)
{
    char line[JOB_TEXT], same[JOB_TEXT];
    struct text_reader reader;
    struct job_play read;
    const char *end = length ? memchr(bytes, '\n', length) : NULL;
    size_t size = end ? (size_t)(end - (const char *)bytes) : length;
    bool good = size > 0 && size < sizeof line;
    if (good) {
        memcpy(line, bytes, size);
        line[size] = 0;
        text_open(&reader, line);
        good = strlen(line) == size && job_read_fields(&reader, &read) && text_end(&reader);
    }
    if (good) { /* a job is written in one way only, without blanks and comments that the parser
                 * of options would skip */
        job_play_write(&read, same);
        good = strcmp(same, line) == 0;
    }
    if (!good)
        return banyan_fail(err, BANYAN_CORRUPT,
                           "not a line 'play generation=... first=... count=... network=... "
                           "settings=...'");
    *job = read;
    if (used)
        *used = size + (end != NULL);
    return BANYAN_OK;
}

bool job_is(const char *kind, const void *bytes, size_t length)
{
    size_t size = strlen(kind);
    return length > size && memcmp(bytes, kind, size) == 0 && ((const char *)bytes)[size] == ' ';
}

uint64_t job_play_number(const struct job_play *job)
{
    return (uint64_t)job->generation << (JOB_FIRST_BITS + JOB_COUNT_BITS) |
           (uint64_t)job->first << JOB_COUNT_BITS | (uint64_t)(job->count - 1);
}

uint64_t job_match_number(int64_t generation, int which)
{
    /* fewer bits than in the number of any job of self-play, so that job_play_of_number tells the
     * two apart */
    enum { GAMES_BITS = 20, WHICH_BITS = 4, GENERATION_BITS = 10 };
    uint64_t low = (uint64_t)generation & ((1u << GENERATION_BITS) - 1);
    uint64_t kind = (uint64_t)which & ((1u << WHICH_BITS) - 1);
    return (low << WHICH_BITS | kind) << GAMES_BITS;
}

bool job_play_of_number(uint64_t number, struct job_play *job)
{
    *job = (struct job_play){
        .generation = (int64_t)(number >> (JOB_FIRST_BITS + JOB_COUNT_BITS)),
        .first = (int64_t)(number >> JOB_COUNT_BITS & (JOB_NUMBER_MAX - 1)),
        .count = (int)(number & (JOB_GAMES - 1)) + 1,
    };
    return job->generation > 0;
}
