/* Threads that only compute, and should not disturb others. */
#ifndef BASE_LONG_TURNS_H
#define BASE_LONG_TURNS_H

/* From now on the calling thread, and threads and programs that it starts, take longer turns where more threads compute
 * than there are processors: each change of turns costs what the processor's caches held.  Threads that have waited for
 * something are served first.  Does nothing where the system has no such turns. */
void long_turns(void);

#endif
