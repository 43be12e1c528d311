/* The analysis service: many questions about positions of one game, answered by a pool of threads.
 *
 *     reader --> analyze_question_read --> analyze_pool_ask --+--> worker: a search --> line out
 *                                                             +--> worker: ...
 *
 * docs/protocol.md describes the lines. */
#ifndef CLI_ANALYZE_H
#define CLI_ANALYZE_H

#include "cli/searcher.h"

#include <jansson.h>

#include <stdio.h>

enum {
    ANALYZE_LINE_MAX = 1 << 20, /* bytes of a line */
    ANALYZE_ID_MAX = 200,       /* bytes of an id */
    ANALYZE_WAITING_MAX = 10000 /* questions that have no answer yet */
};

/* A question. */
struct analyze_question {
    json_t *json; /* owned: the line; the texts below are parts of it */
    char *moves;  /* owned: the moves of an array, joined by blanks; NULL: none */
    const char *id;
    struct searcher searcher; /* what is searched and how; nothing of it is open */
    int64_t priority; /* higher ones are searched first; equal ones in the order of asking */
    double report_ms; /* time between reports; 0: only the answer */
};

/* What a line asks for. */
enum analyze_kind { ANALYZE_QUESTION, ANALYZE_TERMINATE, ANALYZE_TERMINATE_ALL };

struct analyze_line {
    enum analyze_kind kind;
    struct analyze_question question; /* of ANALYZE_QUESTION */
    char id[ANALYZE_ID_MAX + 1];      /* of the line; "": it has none that can be read */
    char target[ANALYZE_ID_MAX + 1];  /* of ANALYZE_TERMINATE */
};

/* Reads a line.  base: what a question is where the line says nothing.  After an error only the
 * line's id is set. */
enum banyan_status analyze_line_read(struct analyze_line *line, const struct searcher *base,
                                     const char *text, size_t length, struct banyan_error *err);

/* Frees a question of which nothing is open. */
void analyze_question_free(struct analyze_question *question);

struct analyze_pool;

/* Starts `threads` workers that answer to `out`, which others must not write meanwhile.  base is
 * borrowed; its evaluator is made once for each worker. */
enum banyan_status analyze_pool_open(struct analyze_pool **pool, const struct searcher *base,
                                     int threads, FILE *out, struct banyan_error *err);

/* Hands over a question.  BANYAN_INVALID: its id is in use, or too many wait; the caller keeps it. */
enum banyan_status analyze_pool_ask(struct analyze_pool *pool,
                                    const struct analyze_question *question,
                                    struct banyan_error *err);

/* Ends the search of question id (NULL: of all), which then answers with what it has.  Returns how
 * many questions that are. */
int analyze_pool_terminate(struct analyze_pool *pool, const char *id);

/* Prints a line of JSON between those of the workers, and frees it. */
void analyze_pool_print(struct analyze_pool *pool, json_t *line);

/* Waits until everything is answered, and ends the workers. */
void analyze_pool_close(struct analyze_pool *pool);

#endif
