/* endgame_search.c once more, for processors with AVX2 and BMI2: the board
 * functions are inlined into the innermost loops, so a choice at run time must
 * be made for the search as a whole.  Same tree, same results.
 */
#if defined(__AVX2__) && defined(__BMI2__)
#include "games/othello/endgame_board_avx2.h"

#define ENDGAME_BOARD_IS_INCLUDED
#define endgame_search endgame_search_avx2
#define endgame_guess  endgame_guess_avx2
#include "games/othello/endgame_search.c"
#endif
