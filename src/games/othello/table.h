/* The functions of this folder that the tables in othello.c name.  Each does what <banyan/game.h>
 * says of the member of the table that holds it. */
#ifndef OTHELLO_TABLE_H
#define OTHELLO_TABLE_H

#include <banyan/observe.h>

/* The functions that take most of the time, for AVX2 with BMI2, and for AVX-512; othello.c has the
 * portable ones. */
int othello_legal_avx2(const struct banyan_game *game, const void *state, int player,
                       banyan_action *out);
int othello_legal_count_avx2(const struct banyan_game *game, const void *state, int player);
uint64_t othello_legal_count_after_avx2(const struct banyan_game *game, const void *state,
                                        int player, int *ended);
void othello_apply_avx2(const struct banyan_game *game, void *state, const banyan_action joint[],
                        struct banyan_dice *dice);
void othello_rollout_avx2(const struct banyan_game *game, void *state, int policy, int max_plies,
                          struct banyan_rng *rng);
int othello_legal_avx512(const struct banyan_game *game, const void *state, int player,
                         banyan_action *out);
int othello_legal_count_avx512(const struct banyan_game *game, const void *state, int player);
uint64_t othello_legal_count_after_avx512(const struct banyan_game *game, const void *state,
                                          int player, int *ended);
void othello_apply_avx512(const struct banyan_game *game, void *state, const banyan_action joint[],
                          struct banyan_dice *dice);
void othello_rollout_avx512(const struct banyan_game *game, void *state, int policy, int max_plies,
                            struct banyan_rng *rng);

/* The highest of these levels that the processor has. */
enum othello_level { OTHELLO_PORTABLE, OTHELLO_AVX2, OTHELLO_AVX512, OTHELLO_LEVELS };
enum othello_level othello_level(void);

/* othello_variant with the functions of one level; for tests.  index 0..2. */
const struct banyan_game *othello_variant_at(int index, enum othello_level level);

/* text.c.  There is one init per size, because a setup text does not name the size. */
enum banyan_status othello_init_8(const struct banyan_game *game, void *state, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err);
enum banyan_status othello_init_6(const struct banyan_game *game, void *state, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err);
enum banyan_status othello_init_4(const struct banyan_game *game, void *state, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err);
int othello_format(const struct banyan_game *game, const void *state, char *out, size_t size);
int othello_action_format(const struct banyan_game *game, const void *state, int player,
                          banyan_action action, char *out, size_t size);
enum banyan_status othello_action_parse(const struct banyan_game *game, const void *state,
                                        int player, const char *text, banyan_action *out,
                                        struct banyan_error *err);

/* picture.c */
int othello_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                 size_t size);
int othello_svg(const struct banyan_game *game, const void *state, int viewer, char *out,
                size_t size);
void othello_draw_board(const struct banyan_game *game, const void *state, int viewer,
                        struct banyan_board *out);
int othello_board_cells(const struct banyan_game *game, const void *state, int player,
                        banyan_action action, int out[]);

/* value.c */
void othello_points(const struct banyan_game *game, const void *state, float *out);
float othello_heuristic(const struct banyan_game *game, const void *state, int player);
void othello_bounds(const struct banyan_game *game, const void *state, int player, float *lo,
                    float *hi);
void othello_priors(const struct banyan_game *game, const void *state, int player,
                    const banyan_action *actions, int n, float *out);

/* planes.c */
void othello_encode(const struct banyan_game *game, const void *state, int viewer, float *planes);
extern const struct banyan_feature othello_features[];
int othello_policy_index(const struct banyan_game *game, const void *state, int player,
                         banyan_action action);
void othello_targets(const struct banyan_game *game, const void *final, int viewer, float *score,
                     float *ownership);
void othello_symmetry(const struct banyan_game *game, const void *state, int k, void *out);
banyan_action othello_symmetry_action(const struct banyan_game *game, const void *state, int k,
                                      banyan_action action);
void othello_mirror(const struct banyan_game *game, const void *state, void *out);
banyan_action othello_mirror_action(const struct banyan_game *game, const void *state,
                                    banyan_action action);

#endif
