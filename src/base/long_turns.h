/* Longer turns for threads that only compute and should not delay others. */
#ifndef BASE_LONG_TURNS_H
#define BASE_LONG_TURNS_H

/* From now on the calling thread, and threads and programs that it starts, get longer turns (time
 * slices) where more threads compute than there are processors: at each change of turns the
 * processor's caches lose their contents.  Threads that have waited for something run first.  Does
 * nothing where the system cannot lengthen turns. */
void long_turns(void);

#endif
