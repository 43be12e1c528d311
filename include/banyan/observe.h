/* What a player may know of a state, as numbers with names.
 *
 *      state, viewer --observe--> | own | other | to-move |     one array of floats,
 *                                   ^ features, one after the other
 *
 * An observation is the features of a game in the order of its table.  Every feature is an array of
 * [C][H][W] numbers: a board, a list (H and W are 1), or one number.  What viewer cannot know has
 * no effect on these numbers.  The table of features says which numbers there are, what they mean,
 * and between which bounds they lie: all that learning from a game needs.
 *
 * A game that has encode() and no observe() shows its planes, and its features say what they are.
 */
#ifndef BANYAN_OBSERVE_H
#define BANYAN_OBSERVE_H

#include <banyan/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum banyan_feature_kind {
    BANYAN_FEATURE_FLAG,  /* 0 or 1 */
    BANYAN_FEATURE_COUNT, /* a whole number */
    BANYAN_FEATURE_ID,    /* a whole number that stands for something: see the member `word` */
    BANYAN_FEATURE_REAL   /* any number */
};

enum { BANYAN_UNKNOWN = -1 }; /* stands in place of a number that the viewer does not know */

struct banyan_feature {
    const char *name; /* "own-discs" */
    const char *help; /* one line: "1 where the viewer's discs are" */
    enum banyan_feature_kind kind;
    int shape[3];   /* C, H, W; in a game's table 0 stands for H or W of its planes */
    float min, max; /* each number is in min..max or, if `hidden`, may be BANYAN_UNKNOWN */
    bool hidden;    /* the viewer may not know some of the numbers */
    const char *(*word)(int value); /* what an ID stands for; NULL: only its number is known */
};

/* Writes feature number index (0, 1, ...) of the observations of game, with its complete shape.
 * Returns where its numbers begin; -1 past the last.  A game without a table has one feature, its planes. */
int banyan_observation_feature(const struct banyan_game *game, int index,
                               struct banyan_feature *out);

/* Returns how many numbers an observation has; 0: the game shows none. */
int banyan_observation_size(const struct banyan_game *game);

/* Writes out[banyan_observation_size]: what viewer, 0..players-1, may know of state. */
void banyan_observe(const struct banyan_game *game, const void *state, int viewer, float *out);

/* Writes an observation as a JSON object: for each feature a member with nested arrays of its shape
 * (without the dimensions of size 1); words for IDs that have them, null for what is unknown or not finite, at
 * most six decimals.  Returns the full length, as snprintf does. */
int banyan_observation_json(const struct banyan_game *game, const float *observation, char *out,
                            size_t size);

/* Returns the width of a policy: policy_size, or max_legal in a game without a policy head.  There a policy index is
 * a place in the list of legal(). */
int banyan_policy_width(const struct banyan_game *game);

/* Writes out[banyan_policy_width]: 1 at the policy indices of player's legal actions, else 0.
 * player must be a mover.  legal: room for max_legal actions, which are overwritten. */
void banyan_policy_mask(const struct banyan_game *game, const void *state, int player,
                        banyan_action *legal, int8_t *out);

/* Finds the legal action of player, who is a mover, that has this policy index: the inverse of
 * policy_index.  legal: room for max_legal actions, which are overwritten.  False: no legal action has this index. */
bool banyan_policy_action(const struct banyan_game *game, const void *state, int player,
                          int64_t index, banyan_action *legal, banyan_action *out);

#ifdef __cplusplus
}
#endif
#endif
