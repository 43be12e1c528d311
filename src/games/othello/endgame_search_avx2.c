/* The search of endgame_search.c, compiled for processors with AVX2 and BMI2.  board.h selects its
 * instructions at compile time, and flips are only fast when inlined into the innermost loops, so
 * the program chooses at run time between two whole searches.  Both search the same tree and give
 * the same results; a test compares them. */
#if defined(__AVX2__)
#define endgame_search   endgame_search_avx2
#define endgame_estimate endgame_estimate_avx2
#include "games/othello/endgame_search.c"
#endif
