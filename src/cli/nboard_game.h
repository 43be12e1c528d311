/* The game of Othello that `banyan nboard` works on: its positions, and reading it from GGF (the
 * Generic Game Format), in which NBoard sends a game:
 *
 *     (;GM[Othello]PB[Ann]PW[Bob]BO[8 64 squares, the side to move]B[F5]W[F6//1.5]B[PA];)
 */
#ifndef CLI_NBOARD_GAME_H
#define CLI_NBOARD_GAME_H

#include "games/othello/othello.h"

#include <banyan/game.h>

enum { NBOARD_MAX_PLIES = 128 }; /* 60 discs, and at most one pass before each of them */

struct nboard_game {
    const struct banyan_game *rules;                   /* "othello" */
    struct othello_state states[NBOARD_MAX_PLIES + 1]; /* from the start of the game to its end */
    int plies;                                         /* moves that were made */
};

/* The position after all moves. */
const struct othello_state *nboard_game_state(const struct nboard_game *game);

/* Starts from the usual position. */
enum banyan_status nboard_game_start(struct nboard_game *game, struct banyan_error *err);

/* Replaces the game by one in GGF.  After an error the earlier game is still there. */
enum banyan_status nboard_game_read(struct nboard_game *game, const char *ggf,
                                    struct banyan_error *err);

/* Plays "F5" or "PA"; what follows a slash (value and time) is ignored. */
enum banyan_status nboard_game_move(struct nboard_game *game, const char *text,
                                    struct banyan_error *err);

/* The state after the action. */
struct othello_state nboard_game_after(const struct nboard_game *game,
                                       const struct othello_state *state, banyan_action action);

/* Number of empty squares. */
int nboard_game_empties(const struct othello_state *state);

/* The score of a game that is over: own discs minus other discs, seen by the side to move; empty
 * squares go to the winner. */
int nboard_game_score(const struct othello_state *state);

/* Writes "F5" or "PA" to out. */
void nboard_game_square(banyan_action action, char out[3]);

#endif
