/* Reads recorded games and compares them with Banyan's rules, for `banyan verify`.
 *
 *    file (plain or .gz) --source--> lines --format--> Banyan's rules, step by step
 *                                                |
 *                                                +--> report: games, steps, differences
 *
 * A format is one file of this folder, with one line in records.def: it exports a struct
 * records_format.  Its reader takes lines, replays them through the game interface and tells the
 * report what it found; the report counts differences and prints them.
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

/* Opens a file, which may be compressed by gzip.  "-": standard input. */
enum banyan_status records_open(const char *path, struct records_source **out,
                                struct banyan_error *err);

/* Opens size bytes in memory, borrowed until records_close. */
enum banyan_status records_open_memory(const char *name, const void *bytes, size_t size,
                                       struct records_source **out, struct banyan_error *err);
void records_close(struct records_source *source);

/* Reads the next line, without its line end; *line is NULL after the last.  It is valid until the
 * next call.  It may contain zero bytes: *length counts all bytes (length may be NULL).
 * BANYAN_CORRUPT: a damaged archive, or a line of more than 64 MiB. */
enum banyan_status records_line(struct records_source *source, char **line, size_t *length,
                                struct banyan_error *err);

/* Writes to out[size] the beginning of the first line that is neither empty nor a comment (#), by which formats
 * recognise their files; "": there is none.  Called once, before the first records_line, which begins at the first line
 * nevertheless, also in a pipe. */
enum banyan_status records_peek(struct records_source *source, char *out, size_t size,
                                struct banyan_error *err);

/* Reads the lines that are left, each with a newline; the caller frees *out, which has a zero byte behind it. */
enum banyan_status records_rest(struct records_source *source, char **out, size_t *length,
                                struct banyan_error *err);

/* The number of the line that was read last, from 1. */
uint64_t records_line_number(const struct records_source *source);
const char *records_path(const struct records_source *source);

/* --- results --- */

struct records_report {
    uint64_t games, steps, differences;
    uint64_t whole; /* games that agreed when played from their start with Banyan's rules only */
    bool wholes;    /* the format plays games from their start */
    FILE *out;      /* the first `shown` differences are printed here; may be NULL */
    uint64_t shown;
    const banyan_flag *stop; /* may be NULL; readers end early when it is set */
};

/* Reports one difference between the record and Banyan's rules, printed as "FILE:LINE: message". */
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
    const char *name;  /* the name that --format takes, such as "moves" */
    const char *games; /* names of games, separated by blanks; "othello" means its variants
                          "othello-6x6" too; "*": all games */
    const char *help;  /* text of --help: what a file of this format looks like */

    /* Whether a file that begins with this line may have this format; NULL: any file may. */
    bool (*claims)(const char *first_line);

    /* Reads source to its end, replays it with game and counts in report.  Where Banyan's rules
     * contradict a record, that is a difference (records_differ), not an error; what cannot be read
     * is BANYAN_CORRUPT.  game is the one that the user named; a reader whose records name a
     * variant may use that one instead. */
    enum banyan_status (*read)(const struct banyan_game *game, struct records_source *source,
                               struct records_report *report, struct banyan_error *err);
};

/* The format with this index; NULL past the last. */
const struct records_format *records_format_at(int index);

/* Whether format reads records of game. */
bool records_format_serves(const struct records_format *format, const struct banyan_game *game);

/* Reads one file with the format called `name`, or (NULL) with the first that reads records of game
 * and accepts the first line. */
enum banyan_status records_verify(const struct banyan_game *game, const char *name,
                                  const char *path, struct records_report *report,
                                  struct banyan_error *err);

/* Writes the beginning of the first line that is not empty, by which the format of a file is known, to out[size]. */
enum banyan_status records_first_line(const char *path, char *out, size_t size,
                                      struct banyan_error *err);

#endif
