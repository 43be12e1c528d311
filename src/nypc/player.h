/* The mushroom player as the judge of NYPC 2025 runs it: one command per line.
 *
 *      READY FIRST|SECOND        -> OK
 *      INIT row0 ... row9        ->
 *      TIME mine_ms other_ms     -> r1 c1 r2 c2      (-1 -1 -1 -1: pass)
 *      OPP r1 c1 r2 c2 ms        ->
 *      FINISH, end of input      -> the agent returns
 *
 * Whatever comes in, every TIME is answered with a move that is legal on the
 * board as the agent knows it; what it cannot understand it says on `errors`.
 */
#ifndef NYPC_PLAYER_H
#define NYPC_PLAYER_H

#include <banyan/player.h>
#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct nypc_options {
    int64_t nodes;      /* per move, then the clock is not looked at; 0: by the clock */
    size_t table_bytes; /* of the search's table */
    bool full_width;    /* the sparring partner "alphabeta" instead of "tournament" */
    bool report;        /* depth, value and time of every move on `errors` */
    const struct banyan_player *player; /* of the game "mushroom", borrowed, decides instead of the
                                           engine, which still answers where he fails; NULL: none */
    uint64_t seed;                      /* of the player */
};

void nypc_options_default(struct nypc_options *options);

/* Plays until FINISH or the end of `in`.  Writes to out, flushed after each answer. */
enum banyan_status nypc_player(FILE *in, FILE *out, FILE *errors,
                               const struct nypc_options *options, struct banyan_error *err);

#endif
