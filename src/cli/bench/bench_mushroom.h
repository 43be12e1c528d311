/* What `banyan bench mushroom` prints besides the figures of every game: the tables of the
 * published AlphaZero for this game (in Python), with Banyan's figures. */
#ifndef CLI_BENCH_BENCH_MUSHROOM_H
#define CLI_BENCH_BENCH_MUSHROOM_H

#include <banyan/game.h>

/* Measures each figure for `seconds` and prints the tables. */
enum banyan_status bench_mushroom(const struct banyan_game *game, double seconds,
                                  struct banyan_error *err);

/* Where the time of a simulation goes, beside the published profile. */
enum banyan_status bench_mushroom_profile(const struct banyan_game *game, double seconds,
                                          struct banyan_error *err);

#endif
