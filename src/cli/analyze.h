/* The analysis service: many questions about positions of one game, answered by a pool of threads.
 *
 *     analyze.c          standard input --+                     +--> worker: a search --> its client
 *     analyze_listen.c   connections    --+--> questions wait --+--> worker: ...
 *                                              analyze_pool.c
 *
 * All workers use one network, which evaluates leaves of several searches in one batch
 * (players/program/gather.h).  analyze_line.c parses lines, analyze_talk.c carries them out;
 * docs/protocol.md describes the lines. */
#ifndef CLI_ANALYZE_H
#define CLI_ANALYZE_H

#include "cli/searcher.h"

#include <jansson.h>

#include <stdio.h>

enum {
    ANALYZE_LINE_MAX = 1 << 20,  /* bytes of a line */
    ANALYZE_ID_MAX = 200,        /* bytes of an id */
    ANALYZE_WAITING_MAX = 10000, /* questions that have no answer yet */
    ANALYZE_UNREAD_MAX = 1 << 26 /* bytes that wait for a client over TCP */
};

/* A question. */
struct analyze_question {
    json_t *json; /* owned: the line; the texts below are parts of it */
    char *moves;  /* owned: the moves of an array, joined by blanks; NULL: none */
    const char *id;
    struct searcher searcher; /* what is searched and how; it is not open yet */
    int64_t priority; /* higher ones are searched first; equal ones in the order of asking */
    double report_ms; /* time between reports; 0: only the answer */
    bool ownership;   /* answers say who will own the cells */
};

/* What a line asks for. */
enum analyze_kind { ANALYZE_QUESTION, ANALYZE_TERMINATE, ANALYZE_TERMINATE_ALL };

struct analyze_line {
    enum analyze_kind kind;
    struct analyze_question question; /* of ANALYZE_QUESTION */
    char id[ANALYZE_ID_MAX + 1];      /* of the line; "": the line has no valid id */
    char target[ANALYZE_ID_MAX + 1];  /* of ANALYZE_TERMINATE: id of the questions to end */
};

/* Parses a line. base: the values of members that the line does not have. After an error only
 * line->id is set. */
enum banyan_status analyze_line_read(struct analyze_line *line, const struct searcher *base,
                                     const char *text, size_t length, struct banyan_error *err);

/* Frees a question whose searcher is not open. */
void analyze_question_free(struct analyze_question *question);

/* A client, which asks questions.  Two clients may use the same id. */
struct analyze_client {
    /* Sends a line, which ends with its newline; any thread. */
    void (*send)(struct analyze_client *client, const char *line, size_t length);
    int questions; /* number of questions without an answer; guarded by the pool's lock */
};

/* Sends a line of JSON, which it frees. */
void analyze_print(struct analyze_client *client, json_t *line);

struct analyze_pool;

struct analyze_pool_options {
    const struct searcher *base; /* borrowed: the values of members that a question does not have */
    int threads;
    int calls; /* batches that a network computes at the same time */
};

enum banyan_status analyze_pool_open(struct analyze_pool **pool,
                                     const struct analyze_pool_options *options,
                                     struct banyan_error *err);

/* Adds a question to those that wait, and takes it over; after an error the caller still owns it.
 * BANYAN_INVALID: the question's id is in use, or too many questions wait. */
enum banyan_status analyze_pool_ask(struct analyze_pool *pool, struct analyze_client *client,
                                    const struct analyze_question *question,
                                    struct banyan_error *err);

/* Ends the searches of the client's questions with this id (client NULL: of all clients; id NULL:
 * any id). Each question is then answered with the result so far. Returns how many there are. */
int analyze_pool_terminate(struct analyze_pool *pool, const struct analyze_client *client,
                           const char *id);

/* How many questions of the client have no answer yet. */
int analyze_pool_questions(struct analyze_pool *pool, const struct analyze_client *client);

const struct searcher *analyze_pool_base(const struct analyze_pool *pool);

/* Waits until everything is answered, and ends the workers. */
void analyze_pool_close(struct analyze_pool *pool);

/* --- analyze_talk.c --- */

/* Carries out a line of a client. */
void analyze_take(struct analyze_pool *pool, struct analyze_client *client, const char *text,
                  size_t length);

/* Sends {"id": ..., "error": why}, or {"error": why} if id is "". */
void analyze_refuse(struct analyze_client *client, const char *id, const char *why);

/* --- analyze_listen.c --- */

/* Listens on 127.0.0.1; port 0: any free one.  *socket: for analyze_listen_run; *chosen: the port. */
enum banyan_status analyze_listen_open(int port, int *socket, int *chosen,
                                       struct banyan_error *err);

/* Serves everybody who connects, until stop is set; then ends all searches, sends what can be sent at
 * once, and closes socket and pool.  unread_max: bytes of answers that wait for a client before it is
 * disconnected. */
enum banyan_status analyze_listen_run(struct analyze_pool *pool, int socket, size_t unread_max,
                                      const banyan_flag *stop, struct banyan_error *err);

#endif
