/* Rounds of a match as jobs of a queue (queue/queue.h), in bytes.
 *
 *      settings   JSON: the program, the game, and all that the games of a match share; a blob,
 *                 under its hash
 *      job        match {"settings": HASH, "first": 12, "games": 2, "players": ["mcts", "random"]}
 *      result     match HASH-OF-THE-JOB, a newline, and the record of each game (game_record.h), a
 *                 line each; or "error", a space, and why they could not be played; or nothing, if
 *                 the queue did not have the settings
 *
 * A game is a function of its number and of these texts, unless its players are limited by time.
 */
#ifndef MATCH_MATCH_JOB_H
#define MATCH_MATCH_JOB_H

#include "match/match_game.h"
#include "queue/queue.h"

enum { MATCH_JOB_GAMES = 64 };

/* A job; when read, its texts are owned. */
struct match_job {
    char settings[QUEUE_HASH + 1];
    int64_t first;
    int games;
    int count; /* number of players */
    const char *specs[MATCH_MAX_PLAYERS];
};

/* Writes the settings of the games of plan; the caller frees *out. */
enum banyan_status match_settings_write(const struct match_plan *plan, char **out,
                                        struct banyan_error *err);

/* Puts these settings into a queue, under their hash, with the files that the plan's players name. */
enum banyan_status match_settings_put(const struct match_plan *plan, struct queue *queue,
                                      char hash[QUEUE_HASH + 1], struct banyan_error *err);

/* Removes settings and files from the queue.  keep: hash of a file that stays; NULL: none. */
void match_settings_drop(struct queue *queue, const char *hash, const char *keep);

/* What a worker knows of a match: a plan without players. */
struct match_settings {
    struct match_options options;
    struct match_plan plan; /* its options are those above */
    void *json;             /* owns the texts */
    const void *files;      /* those that players need: for match_files.h; borrowed from json */
};

/* Reads settings; freed with match_settings_free, if it succeeds.  BANYAN_UNSUPPORTED: they are of another
 * program. */
enum banyan_status match_settings_read(struct match_settings *out, const void *bytes, size_t length,
                                       struct banyan_error *err);
void match_settings_free(struct match_settings *settings);

/* Writes a job; the caller frees *out.  hash gets the hash of its bytes. */
enum banyan_status match_job_write(const struct match_job *job, char **out,
                                   char hash[QUEUE_HASH + 1], struct banyan_error *err);

/* Reads a job; freed with match_job_free, if it succeeds. */
enum banyan_status match_job_read(struct match_job *out, const void *bytes, size_t length,
                                  struct banyan_error *err);
void match_job_free(struct match_job *job);

#endif
