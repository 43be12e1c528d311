/* The functions of this folder that the tables in mushroom.c name.  Each does what <banyan/game.h>
 * says of the member of the table that holds it. */
#ifndef MUSHROOM_TABLE_H
#define MUSHROOM_TABLE_H

#include "games/mushroom/windows.h"

#include <banyan/evaluator.h>
#include <banyan/observe.h>

/* The functions that take most of the time, for AVX2 with BMI2, and for AVX-512 with VBMI;
 * mushroom.c has the portable ones. */
int mushroom_legal_avx2(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out);
void mushroom_priors_avx2(const struct banyan_game *game, const void *state, int player,
                          const banyan_action *actions, int n, float *out);
void mushroom_apply_avx2(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice);
void mushroom_rollout_avx2(const struct banyan_game *game, void *state, int policy, int max_plies,
                           struct banyan_rng *rng);
int mushroom_legal_avx512(const struct banyan_game *game, const void *state, int player,
                          banyan_action *out);
void mushroom_priors_avx512(const struct banyan_game *game, const void *state, int player,
                            const banyan_action *actions, int n, float *out);
void mushroom_apply_avx512(const struct banyan_game *game, void *state, const banyan_action joint[],
                           struct banyan_dice *dice);
void mushroom_rollout_avx512(const struct banyan_game *game, void *state, int policy, int max_plies,
                             struct banyan_rng *rng);

/* The highest of these levels that the processor has. */
enum mushroom_level { MUSHROOM_PORTABLE, MUSHROOM_AVX2, MUSHROOM_AVX512, MUSHROOM_LEVELS };
enum mushroom_level mushroom_level(void);

/* The game with the functions of one level; for tests. */
const struct banyan_game *mushroom_at(enum mushroom_level level);

/* text.c */
enum banyan_status mushroom_init(const struct banyan_game *game, void *state, const char *setup,
                                 struct banyan_rng *rng, struct banyan_error *err);
int mushroom_format(const struct banyan_game *game, const void *state, char *out, size_t size);
int mushroom_action_format(const struct banyan_game *game, const void *state, int player,
                           banyan_action action, char *out, size_t size);
enum banyan_status mushroom_action_parse(const struct banyan_game *game, const void *state,
                                         int player, const char *text, banyan_action *out,
                                         struct banyan_error *err);

/* picture.c */
int mushroom_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                  size_t size);
int mushroom_svg(const struct banyan_game *game, const void *state, int viewer, char *out,
                 size_t size);
void mushroom_board(const struct banyan_game *game, const void *state, int viewer,
                    struct banyan_board *out);
int mushroom_board_cells(const struct banyan_game *game, const void *state, int player,
                         banyan_action action, int out[]);

/* value.c */
float mushroom_heuristic(const struct banyan_game *game, const void *state, int player);
void mushroom_bounds(const struct banyan_game *game, const void *state, int player, float *lo,
                     float *hi);

/* planes.c */
void mushroom_encode(const struct banyan_game *game, const void *state, int viewer, float *planes);
extern const struct banyan_feature mushroom_features[];
int mushroom_policy_index(const struct banyan_game *game, const void *state, int player,
                          banyan_action action);
void mushroom_targets(const struct banyan_game *game, const void *final, int viewer, float *score,
                      float *ownership);
void mushroom_symmetry(const struct banyan_game *game, const void *state, int k, void *out);
banyan_action mushroom_symmetry_action(const struct banyan_game *game, const void *state, int k,
                                       banyan_action action);
void mushroom_mirror(const struct banyan_game *game, const void *state, void *out);
banyan_action mushroom_mirror_action(const struct banyan_game *game, const void *state,
                                     banyan_action action);

extern const struct banyan_offer mushroom_offers[];

#endif
