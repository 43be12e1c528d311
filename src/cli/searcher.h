/* A search as a command line describes it: GAME, position, evaluator, limits and
 * every row of the table of search options.
 *
 *     searcher_init --> cli_parse (searcher.argp is a child) --> searcher_open
 *         --> banyan_search_run ... --> searcher_close
 */
#ifndef CLI_SEARCHER_H
#define CLI_SEARCHER_H

#include "cli/position.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <argp.h>

enum { SEARCHER_ACTIONS = 64 }; /* most actions of --allow or --avoid */

/* Actions of the root as the command line names them. */
struct searcher_actions {
    const char *texts[SEARCHER_ACTIONS];
    int count;
};

struct searcher {
    struct position position;
    struct banyan_search_options options;
    struct banyan_search_limits limits;
    const char *evaluator_text;
    const char *book_path; /* NULL: none */
    struct searcher_actions allowed, avoided;
    const char *as; /* the player who searches, as --as names it; NULL: the viewer below */
    int viewer;     /* -1: the first mover */
    bool has_more;  /* the command line has options other than simulations and seed */

    /* the parser: has the options of position and of the table */
    struct argp argp;
    struct argp_option *rows; /* owned */
    char **docs;              /* [row_count], owned */
    int row_count;

    /* after searcher_open */
    const struct banyan_game *game;
    void *state;
    struct banyan_evaluator evaluator; /* searcher_open makes it, unless the caller has set it */
    struct banyan_search *search;
};

/* Defaults, and the parser.  simulations: the limit when the command line sets none. */
void searcher_init(struct searcher *searcher, int64_t simulations);

/* Makes state, evaluator and search, sets the root, puts the book into the tree and restricts the root (--allow,
 * --avoid).  A game that is over is BANYAN_INVALID. */
enum banyan_status searcher_open(struct searcher *searcher, struct banyan_error *err);

/* The player from whose view the position is drawn, the one who searches; -1: nothing is hidden. */
int searcher_eyes(const struct searcher *searcher);

/* Whether Ctrl-C ended the search before its limit. */
bool searcher_interrupted(const struct searcher *searcher);

/* If Ctrl-C ended the search before its limit: tells on standard error how much of it was done. */
void searcher_tell_interrupted(const struct searcher *searcher, const char *name);

void searcher_close(struct searcher *searcher);

#endif
