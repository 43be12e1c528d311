/* The solver's inside: the struct, and the search that is built twice. */
#ifndef GAMES_OTHELLO_ENDGAME_SEARCH_H
#define GAMES_OTHELLO_ENDGAME_SEARCH_H

#include "games/othello/endgame.h"
#include "games/othello/endgame_table.h"
#include "games/othello/endgame_tables.h"

/* Is the score of a position (side to move first) greater than alpha?  alpha is odd.  Returns a bound: a value > alpha
 * is not above the score, a value <= alpha is not below it. */
typedef int endgame_search_fn(struct endgame_solver *solver, uint64_t own, uint64_t other,
                              int alpha);
/* A quick estimate of the score. */
typedef int endgame_guess_fn(struct endgame_solver *solver, uint64_t own, uint64_t other,
                             int depth);

struct endgame_solver {
    struct endgame_tables tables;
    struct table table;
    endgame_search_fn *search;
    endgame_guess_fn *guess;
    uint64_t nodes, max_nodes;
    const volatile bool *stop;
    bool stopped; /* a limit was reached: values on the way back mean nothing */
};

endgame_search_fn endgame_search, endgame_search_avx2;
endgame_guess_fn endgame_guess, endgame_guess_avx2;

#endif
