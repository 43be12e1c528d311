/* What the value of a position looks at (eval_features.c), and the weights that go with it
 * (eval_data.c).
 *
 * The side that the next touchdown of the half is told for is the owner: who carries the ball, who
 * plays when it is loose, who receives before a kick-off.  Three things can come next: the owner
 * scores, the other scores, nobody does before the half is over.
 */
#ifndef BLOODBOWL_EVAL_FEATURES_H
#define BLOODBOWL_EVAL_FEATURES_H

#include "games/bloodbowl/bloodbowl.h"

enum { EVAL_FEATURES = 30 };

enum eval_mode {
    EVAL_CARRIED,  /* the owner has the ball and plays */
    EVAL_DEFENDED, /* the owner has the ball, the other plays */
    EVAL_LOOSE,
    EVAL_KICK, /* before the ball is in play */
    EVAL_MODES
};

struct eval_view {
    enum eval_mode mode;
    int owner;
    int turns[2]; /* by team: in which it still acts in this half */
    float needed; /* turns until the owner could score */
    float squads; /* the owner's players for the next drive less the other's; 1: a full pitch */
    float x[EVAL_FEATURES];
};

/* A state of a game that is not over and where a coin has been tossed; else false. */
bool eval_look(const struct bb_state *s, struct eval_view *out);

/* Of a kick-off: what the receiver sees with so many turns of his own and the other's; squads as in
 * struct eval_view. */
void eval_look_at_kick(int receiver_turns, int kicker_turns, float squads, float *x);

struct eval_weights {
    float next[EVAL_MODES][2][EVAL_FEATURES]; /* log odds against "nobody": owner, other */
    float spread[2]; /* of what may still happen: squared, at the end and per turn */
};

extern const struct eval_weights eval_weights[BB_VARIANTS];

#endif
