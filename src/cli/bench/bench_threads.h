/* What `banyan bench GAME --threads` measures. */
#ifndef CLI_BENCH_BENCH_THREADS_H
#define CLI_BENCH_BENCH_THREADS_H

#include <banyan/game.h>

/* Prints simulations per second of wall clock by number of threads and batch, from the start of
 * the game with random rollouts, without the solver and otherwise with default options, and which
 * pair is best on this machine.  seconds: for each pair. */
enum banyan_status bench_threads(const struct banyan_game *game, double seconds,
                                 struct banyan_error *err);

#endif
