/* The part of a tree that a page shows.  The server selects it, because the whole tree is too large
 * to send.
 *
 *     tree of a million nodes --> actions of at least so many visits, at most `budget` --> columns
 *
 * A row is an action or an outcome (of dice, of hidden cards, of the others' choices).  Its parent stands
 * before it.  A row may have more visits than the rows below it together: the rest are visits of rows that
 * were left out ("more") and of simulations that ended there.
 *
 * A path is a text, PLAYER then /ACTION or /ACTION@KEY for each level: "0/19/26", "0/1@9f3c/0".  It means
 * the same after the search was run again from its seed.
 */
#ifndef WEB_TREE_ROWS_H
#define WEB_TREE_ROWS_H

#include <banyan/search.h>

#include <jansson.h>

enum { TREE_ROWS_STEPS = 512 };

struct tree_rows_step {
    banyan_action action;
    uint64_t key; /* of the outcome; 0: the action has only one, or the path means all of them */
};

struct tree_rows_path {
    int player;
    int length;
    struct tree_rows_step steps[TREE_ROWS_STEPS];
};

/* Reads a path; BANYAN_INVALID says what is wrong with it. */
enum banyan_status tree_rows_parse(const char *text, int players, struct tree_rows_path *out,
                                   struct banyan_error *err);

/* A position that is searched, and its search; borrowed. */
struct tree_rows_source {
    const struct banyan_game *game;
    const struct banyan_search *search;
    const void *state; /* of the root */
};

/* Writes at most budget rows down to depth levels below the end of path, as an object of columns.  Above that
 * there are only the rows on the path; if they alone are more than budget, the first of them are written.
 * path NULL: the whole tree.  Caller frees *out. */
enum banyan_status tree_rows_json(const struct tree_rows_source *source,
                                  const struct tree_rows_path *path, int depth, int budget,
                                  json_t **out, struct banyan_error *err);

/* Writes the node at the end of path: its picture, and a row for each action that was tried.  BANYAN_NOT_FOUND:
 * the tree does not reach so far.  Caller frees *out. */
enum banyan_status tree_rows_node(const struct tree_rows_source *source,
                                  const struct tree_rows_path *path, json_t **out,
                                  struct banyan_error *err);

#endif
