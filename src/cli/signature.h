/* The behaviour signature: one number computed from fixed searches and playouts.  A commit that
 * is not meant to change behaviour must not change this number (tests/golden/signature). */
#ifndef CLI_SIGNATURE_H
#define CLI_SIGNATURE_H

#include <banyan/game.h>

#include <stdio.h>

/* Prints the signature of all games (game == NULL) or of one, 16 hexadecimal digits; verbose:
 * prints before it a line for each search and each set of playouts, so that a difference can be
 * located. */
enum banyan_status signature_print(const struct banyan_game *game, bool verbose, FILE *out,
                                   struct banyan_error *err);

/* Plays state to the end by uniformly random legal actions; returns the plies.  legal: room for
 * max_legal actions. */
uint64_t signature_play_out(const struct banyan_game *game, void *state, banyan_action *legal,
                            struct banyan_rng *rng);

#endif
