/* The jobs of a run as bytes, for a queue between the process that owns the run and its workers.
 *
 *      job:     play generation=3 first=16 count=4 network=HASH settings=HASH
 *      result:  the job's line, a newline, and one frame of record.h for each game
 *
 * The first word is the kind of work.  A game is a function of the run's settings, the network, its
 * generation and its number, so the line says all that a worker must know: it gets the settings and
 * the network from the queue under their hashes.  The line of a result says what the result is,
 * even long after the owner has forgotten the job.
 */
#ifndef TRAIN_JOB_H
#define TRAIN_JOB_H

#include "train/record.h"

#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JOB_TEXT = 256,           /* bytes that a job's line needs, with the zero at its end */
    JOB_HASH = 64,            /* digits of a hash */
    JOB_GAMES = 16,           /* most games of a job */
    JOB_TESTS = 15,           /* most opponents of the tests of a run */
    JOB_NUMBER_MAX = 1 << 30, /* generations and numbers of games are below this */
};

/* Games of self-play: `count` of them in a row. */
struct job_play {
    int64_t generation, first;
    int count;
    char network[JOB_HASH + 1], settings[JOB_HASH + 1];
};

/* Writes the line, without a newline; returns its length. */
int job_play_write(const struct job_play *job, char out[JOB_TEXT]);

/* Reads the line at the start of bytes, up to a newline or the last byte; *used (may be NULL) gets
 * its length with the newline. BANYAN_CORRUPT: it is no such line, and *job is as it was. */
enum banyan_status job_play_read(struct job_play *job, const void *bytes, size_t length,
                                 size_t *used, struct banyan_error *err);

/* Whether the bytes begin with this word: the kind of a job. */
bool job_is(const char *kind, const void *bytes, size_t length);

/* The job's number in a queue.  A range of games has the same number each time it is offered. */
uint64_t job_play_number(const struct job_play *job);

/* The number of the first job of a match in the queue of a run.  Neither this number nor the
 * million numbers after it belong to games of self-play, or to another match, unless that match is
 * 1024 generations away.  which: 0: the gate; 1 to JOB_TESTS: the tests. */
uint64_t job_match_number(int64_t generation, int which);

/* Gets the games of the job with this number; hashes are empty.  False: no job of self-play. */
bool job_play_of_number(uint64_t number, struct job_play *job);

#endif
