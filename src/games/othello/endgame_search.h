/* The fields of the endgame solver, and its search, which is compiled twice: as endgame_search.c
 * for any processor and as endgame_search_avx2.c. */
#ifndef GAMES_OTHELLO_ENDGAME_SEARCH_H
#define GAMES_OTHELLO_ENDGAME_SEARCH_H

#include "games/othello/endgame.h"
#include "games/othello/endgame_bounds.h"
#include "games/othello/endgame_tables.h"

enum { ENDGAME_MAX_MOVES = 33 }; /* no position has more moves */

struct endgame_solver {
    struct endgame_tables tables;
    struct bounds_table bounds;
    uint64_t area, corners; /* of the board in use */
    int squares;            /* of the area */
    uint64_t nodes, max_nodes;
    uint64_t next_look; /* node count at which the clock is read next */
    double deadline_ms; /* 0: none */
    const banyan_flag *stop;
    bool stopped; /* a limit was reached, so the values that are being returned are not valid */

    /* Tells whether the score is above alpha (an odd number).  Returns a bound: a value above alpha
     * is a lower bound of the true score, any other value an upper bound. */
    int (*search)(struct endgame_solver *solver, struct board board, int alpha);
    /* An estimate of the score, in 1/ENDGAME_DISC discs, from a full search of `depth` plies. */
    int (*estimate)(struct endgame_solver *solver, struct board board, int depth);
};

enum { ENDGAME_DISC = 16 };

int endgame_search(struct endgame_solver *solver, struct board board, int alpha);
int endgame_search_avx2(struct endgame_solver *solver, struct board board, int alpha);
int endgame_estimate(struct endgame_solver *solver, struct board board, int depth);
int endgame_estimate_avx2(struct endgame_solver *solver, struct board board, int depth);

#endif
