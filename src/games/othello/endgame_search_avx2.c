/* endgame_search.c once more, for processors with AVX2 and BMI2: board.h and
 * endgame_last.h choose their instructions when they are compiled, and only an
 * inlined flip is fast, so the choice at run time is between whole searches.
 * Same tree, same results; a test compares the two.
 */
#if defined(__AVX2__) && defined(__BMI2__)
#define endgame_search   endgame_search_avx2
#define endgame_estimate endgame_estimate_avx2
#include "games/othello/endgame_search.c"
#endif
