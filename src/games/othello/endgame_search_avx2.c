/* endgame_search.c once more, for processors with AVX2 and BMI2.  board.h chooses its instructions
 * when it is compiled, and a flip is only fast when it is inlined into the innermost loops: so the
 * choice at run time is between two whole searches.  Same tree, same results; a test compares them.
 */
#if defined(__AVX2__)
#define endgame_search   endgame_search_avx2
#define endgame_estimate endgame_estimate_avx2
#include "games/othello/endgame_search.c"
#endif
