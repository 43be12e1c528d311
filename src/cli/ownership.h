/* Who will own each cell of a board at the end of the game, and the points of each player: means
 * over playouts.
 *
 * The playouts are the game's own, by the last policy in its list, which is the strongest.  Cells and points
 * are those of the game's targets() and points() at the end of a playout. */
#ifndef CLI_OWNERSHIP_H
#define CLI_OWNERSHIP_H

#include <banyan/game.h>

enum { OWNERSHIP_CELLS_MAX = 32 * 32, OWNERSHIP_PLAYOUTS = 400 };

struct ownership {
    int cells;                        /* height * width of the game's planes */
    float owner[OWNERSHIP_CELLS_MAX]; /* 1: player 0, -1: player 1 */
    bool has_points;
    double points[BANYAN_MAX_PLAYERS]; /* [players] */
};

/* BANYAN_UNSUPPORTED: the game names no owners (targets), hides cards, or has too many cells. */
enum banyan_status ownership_check(const struct banyan_game *game, struct banyan_error *err);

/* Plays from state, which may be the end of the game.  BANYAN_UNSUPPORTED: as ownership_check. */
enum banyan_status ownership_estimate(const struct banyan_game *game, const void *state,
                                      uint64_t seed, struct ownership *out,
                                      struct banyan_error *err);

#endif
