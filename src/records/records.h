/* Recorded games, and whether our rules agree with them: the door of `banyan verify`.
 *
 *     file (plain or .gz) --source--> lines --format--> our rules, step by step
 *                                                |
 *                                                +--> report: games, steps, differences
 *
 * A format is one file of this folder: it exports a struct records_format and
 * has one line in records.def.  Its reader takes lines, replays them through the
 * game interface and tells the report what it did; the report prints differences
 * and counts them.
 */
#ifndef RECORDS_RECORDS_H
#define RECORDS_RECORDS_H

#include <banyan/game.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* --- lines --- */

struct records_source;

/* Opens a file; one compressed by gzip is read as if it were not.  "-": standard input. */
enum banyan_status records_open(const char *path, struct records_source **out,
                                struct banyan_error *err);

/* The same over size bytes in memory, borrowed until records_close. */
enum banyan_status records_open_memory(const char *name, const void *bytes, size_t size,
                                       struct records_source **out, struct banyan_error *err);
void records_close(struct records_source *source);

/* The next line without its end, *line = NULL after the last; valid until the next call. Its bytes
 * may include zeros: *length counts them all (length may be NULL).  BANYAN_CORRUPT: a damaged
 * archive, or a line of more than 64 MiB. */
enum banyan_status records_line(struct records_source *source, char **line, size_t *length,
                                struct banyan_error *err);

/* Number of the line that records_line gave last, from 1. */
uint64_t records_line_number(const struct records_source *source);
const char *records_path(const struct records_source *source);

/* --- what came out --- */

struct records_report {
    uint64_t games, steps, differences;
    uint64_t whole; /* games that were equal when played from their start, our states all the way */
    bool wholes;    /* the format plays them so */
    FILE *out;      /* differences are printed here, the first `shown` of them; may be NULL */
    uint64_t shown;
    const banyan_flag *stop; /* may be NULL; readers end early when it becomes true */
};

/* One difference between the record and our rules: printed as "FILE:LINE: message". */
void records_differ(struct records_report *report, const struct records_source *source,
                    const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

static inline bool records_stopped(const struct records_report *report)
{
    return banyan_flag_is_set(report->stop);
}

/* --- formats --- */

struct records_format {
    const char *name;  /* "moves": what --format says */
    const char *games; /* names of games, separated by blanks; "othello" means its variants
                          "othello-6x6" too; "*": all games */
    const char *help;  /* one line: what a file looks like */

    /* Whether a file that begins with this line may be of this format; NULL: any may. */
    bool (*claims)(const char *first_line);

    /* Reads source to its end, replays it with game and counts into report.  A record that our
     * rules contradict is a difference (records_differ), never a status; what cannot be read at all
     * is BANYAN_CORRUPT.  game is the one the user named; a reader whose records name a variant
     * themselves may look that up instead. */
    enum banyan_status (*read)(const struct banyan_game *game, struct records_source *source,
                               struct records_report *report, struct banyan_error *err);
};

/* Format number index, NULL past the last. */
const struct records_format *records_format_at(int index);

/* Whether format reads records of game. */
bool records_format_serves(const struct records_format *format, const struct banyan_game *game);

/* Reads one file: by the format called `name`, or (NULL) by the first that serves game and claims
 * the first line. */
enum banyan_status records_verify(const struct banyan_game *game, const char *name,
                                  const char *path, struct records_report *report,
                                  struct banyan_error *err);

#endif
