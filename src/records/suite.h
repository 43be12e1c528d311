/* A suite: positions with questions and their answers in one text file
 * (docs/suite.md).
 *
 *     game othello
 *
 *     position fforum-1
 *       setup  --XXXXX--OOOXX-O-...  X
 *       best   g8
 *       score  18
 */
#ifndef RECORDS_SUITE_H
#define RECORDS_SUITE_H

#include "records/records.h"

#include <banyan/game.h>

struct suite_position {
    const struct banyan_game *game;
    uint64_t line; /* number of its first line, from 1 */
    /* owned texts; NULL: not given */
    char *id, *setup, *moves, *best, *avoid;
    int player;                /* the player who is asked; -1: the first mover */
    double level;              /* difficulty in the suite's own measure; NaN: not given */
    double score;              /* the player's points with perfect play; NaN: not given */
    double value_lo, value_hi; /* bounds of the player's expected return; NaN: not given */
    int64_t legal;             /* number of legal actions; -1: not given */
};

struct suite {
    struct suite_position *positions; /* [count], owned */
    int count, room;
};

/* Reads a whole suite; *suite needs suite_free even after an error.  Messages name file and line.
 */
enum banyan_status suite_read(struct records_source *source, struct suite *suite,
                              struct banyan_error *err);
void suite_free(struct suite *suite);

/* A new state (caller frees) of the position. */
enum banyan_status suite_state(const struct suite_position *position, void **state,
                               struct banyan_error *err);

/* What a player did in a position. */
struct suite_answer {
    const void *state;
    int player;
    banyan_action action;
};

/* Whether the answer is one of the actions that `list` names: "g8 a4", "move toxic; move roost" where
 * texts have blanks, or one action. */
enum banyan_status suite_names(const struct suite_position *position,
                               const struct suite_answer *answer, const char *list, bool *found,
                               struct banyan_error *err);

#endif
