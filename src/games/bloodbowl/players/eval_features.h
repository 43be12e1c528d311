/* The features of a position (eval_features.c), and their weights for its value (eval_data.c).
 *
 * One side is called the owner: the side that carries the ball; with a loose ball, the side to
 * play; before a kick-off, the receiving side.  Three things can happen next in this half: the
 * owner scores, the other side scores, or nobody does.
 */
#ifndef BLOODBOWL_EVAL_FEATURES_H
#define BLOODBOWL_EVAL_FEATURES_H

#include "games/bloodbowl/bloodbowl.h"

enum { EVAL_FEATURES = 30 };

enum eval_mode {
    EVAL_CARRIED,  /* the owner has the ball and is to play */
    EVAL_DEFENDED, /* the owner has the ball, the other side is to play */
    EVAL_LOOSE,
    EVAL_KICK, /* before the ball is in play */
    EVAL_MODES
};

struct eval_view {
    enum eval_mode mode;
    int owner;
    int turns[2]; /* turns that each team still plays in this half */
    float needed; /* turns that the owner needs to score */
    float squads; /* players available for the next drive, the owner's minus the other's; a
                   * full team counts 1 */
    float x[EVAL_FEATURES];
};

/* Computes the features.  False: the game is over, or the coin has not been tossed. */
bool eval_look(const struct bb_state *s, struct eval_view *out);

/* The features of a kick-off: the receivers and the kickers have these numbers of turns left;
 * squads as in struct eval_view. */
void eval_look_at_kick(int receiver_turns, int kicker_turns, float squads, float *x);

struct eval_weights {
    float next[EVAL_MODES][2][EVAL_FEATURES]; /* for ln(p(a side scores next) / p(nobody does)):
                                               * the owner, the other side */
    float spread[2]; /* variance of the final lead: its value at the end, and its increase for
                      * each turn that is left */
};

extern const struct eval_weights eval_weights[BB_VARIANTS];

#endif
