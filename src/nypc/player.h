/* The mushroom player for the judge of NYPC 2025: one command per line.
 *
 *     READY FIRST|SECOND        -> OK
 *     INIT row0 ... row9        ->
 *     TIME mine_ms other_ms     -> r1 c1 r2 c2      (-1 -1 -1 -1: pass)
 *     OPP r1 c1 r2 c2 ms        ->
 *     FINISH, end of input      -> the function returns
 *
 * Whatever the input is, every TIME is answered with a move that is legal on the board that the
 * player has stored; input that cannot be read is reported on `errors`.
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
    int64_t nodes;      /* positions per move, without a clock; 0: uses the clock */
    size_t table_bytes; /* memory of the search's table */
    bool full_width;    /* the full-width search "alphabeta" instead of "tournament" */
    bool report;        /* writes depth, value and time of every move to `errors` */
    const struct banyan_player *player; /* a player of the game "mushroom", borrowed; it decides
                                         * instead of the engine, which answers when the player
                                         * fails; NULL: none */
    uint64_t seed;                      /* of the player */
};

void nypc_options_default(struct nypc_options *options);

/* Plays until FINISH or the end of `in`.  Writes answers to `out` and flushes each of them. */
enum banyan_status nypc_player(FILE *in, FILE *out, FILE *errors,
                               const struct nypc_options *options, struct banyan_error *err);

#endif
