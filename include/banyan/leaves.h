/* Leaves as arrays: what a network sees of them, and what it answers; from one search or from many.
 *
 *      searches --select_many--> leaves --observe, mask--> arrays --> network
 *          ^                                                             |
 *          +------update_many--- leaves <--set_values, set_policy--------+
 *
 * Rows: an array [rows] has one row for each player who chooses at a leaf, leaf after leaf, and in a leaf
 * by the numbers of the players.  In games in which players take turns every leaf has one row.
 *
 * All leaves of an array belong to one game.  Threads: one at a time for each search.
 */
#ifndef BANYAN_LEAVES_H
#define BANYAN_LEAVES_H

#include <banyan/observe.h>
#include <banyan/search.h>

#ifdef __cplusplus
extern "C" {
#endif

/* banyan_search_select_many asks `count` searches in turn for up to `each` leaves.  It writes them to
 * leaves[max], and to owners[max] the index of the search of each, and returns how many they are.  first: the
 * index of the search that is asked first; if max is reached before all searches were asked, the next call can
 * begin with another one. */
struct banyan_leaves_request {
    size_t struct_size;                    /* sizeof(struct banyan_leaves_request) */
    struct banyan_search *const *searches; /* [count], borrowed */
    int count, first, each;
};
int banyan_search_select_many(const struct banyan_leaves_request *request,
                              struct banyan_leaf *leaves, int *owners, int max);

/* Gives n leaves back, each to searches[owner]. */
void banyan_search_update_many(struct banyan_search *const *searches,
                               const struct banyan_leaf *leaves, const int *owners, int n);

/* Returns the number of rows of n leaves. */
int banyan_leaves_rows(const struct banyan_leaf *leaves, int n);

/* Writes out[rows][banyan_observation_size]: what the player of each row knows. */
void banyan_leaves_observe(const struct banyan_leaf *leaves, int n, float *out);

/* Writes out[rows][banyan_policy_width]: 1 at the policy indices of legal actions, else 0.  legal:
 * room for max_legal actions, which are overwritten. */
void banyan_leaves_mask(const struct banyan_leaf *leaves, int n, banyan_action *legal, int8_t *out);

/* Sets the values of n leaves to values[n][players], clipped to return_min..return_max of the game; NaN
 * becomes return_min. */
void banyan_leaves_set_values(struct banyan_leaf *leaves, int n, const float *values);

/* Sets the priors of n leaves to the softmax of logits[rows][banyan_policy_width] over their actions.
 * Precondition: the evaluator of their search wants_actions.  legal: as above. */
void banyan_leaves_set_policy(struct banyan_leaf *leaves, int n, const float *logits,
                              banyan_action *legal);

#ifdef __cplusplus
}
#endif
#endif
