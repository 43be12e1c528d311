/* Go: stones on a board, the boards that have occurred, and the moves that led to them.
 *
 *        A B C            cell = size * row + column; row 0 is the top one.  Actions are cells, and
 *     3  . . .            size * size is the pass.
 *     2  . . .
 *     1  . . .            Black is player 0.
 *
 * A chain is a set of stones of one colour that are connected; a liberty of it is an empty cell
 * beside it.  A chain without liberties is captured; nobody may take the last liberty of a chain of
 * their own (no suicide), or repeat a board that has occurred (positional superko).  Two passes in
 * a row, or GO_PLIES(size) plies, end the game.  The player with more stones and surrounded empty
 * cells (area scoring) wins; white's komi counts as area.
 *
 * Superko needs all earlier boards, so a state holds a hash of 64 bits for each.  Two boards of
 * equal hash are taken for the same board. */
#ifndef GO_GO_H
#define GO_GO_H

#include "base/rng.h"

#include <banyan/observe.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GO_SIZE_MAX = 19,
    GO_CELLS_MAX = GO_SIZE_MAX * GO_SIZE_MAX,
    GO_KOMI = 15 /* half points: 7.5 */
};

enum go_stone { GO_EMPTY, GO_BLACK, GO_WHITE, GO_EDGE }; /* player p has stones 1 + p */

/* The most plies of a game: three for each cell; on 19x19 two, since a state must not be too large.
 */
#define GO_PLIES(n) ((n) == 19 ? 2 * (n) * (n) : 3 * (n) * (n))

/* A board of n x n cells uses the first GO_STATE_BYTES(n) bytes: after the members below stand
 *
 *     uint64_t past[GO_PLIES + 1]   hashes of the boards before each ply, and of the present one
 *     uint16_t moves[GO_PLIES]      actions since the start
 *     uint8_t  stones[n * n]        enum go_stone
 *     uint8_t  start[n * n]         the stones with which the game began
 *
 * Entries beyond the plies played are 0. */
struct go_state {
    uint8_t size;
    uint8_t mover;    /* also changes after the last move */
    uint8_t first;    /* who moved first: white in games with handicap */
    uint8_t captured; /* 1 if a stone was ever captured: before that no board can come back */
    int16_t komi;     /* half points that white gets */
    uint16_t plies;
    uint64_t past[]; /* followed by the other arrays */
};

#define GO_STATE_BYTES(n)                                                                         \
    ((offsetof(struct go_state, past) + 8 * ((size_t)GO_PLIES(n) + 1) + 2 * (size_t)GO_PLIES(n) + \
      2 * (size_t)(n) * (n) + 7) /                                                                \
     8 * 8)

static inline int go_cells(const struct go_state *state)
{
    return state->size * state->size;
}

static inline int go_plies_max(const struct go_state *state)
{
    return GO_PLIES(state->size);
}

static inline uint16_t *go_moves(const struct go_state *state)
{
    return (uint16_t *)(state->past + go_plies_max(state) + 1);
}

static inline uint8_t *go_stones(const struct go_state *state)
{
    return (uint8_t *)(go_moves(state) + go_plies_max(state));
}

static inline uint8_t *go_start(const struct go_state *state)
{
    return go_stones(state) + go_cells(state);
}

static inline int go_pass(const struct go_state *state)
{
    return go_cells(state);
}

/* The hash of the present board. */
static inline uint64_t go_hash(const struct go_state *state)
{
    return state->past[state->plies];
}

/* The hash of one stone (enum go_stone); the hash of a board is the xor of its stones' hashes. */
static inline uint64_t go_hash_stone(int stone, int cell)
{
    return rng_mix(0x9e3779b97f4a7c15u * (uint64_t)(2 * cell + stone));
}

/* Writes the neighbours of a cell to out[4] and returns how many there are. */
int go_neighbours(int size, int cell, int out[4]);

bool go_is_over(const struct go_state *state);

/* Begins a game; the caller has set size, komi, first and the stones of go_start(). */
void go_begin(struct go_state *state);

/* Plays a legal action. */
void go_play(struct go_state *state, int action);

/* Whether the chain of the stone on `cell` has a liberty. */
bool go_has_liberty(const struct go_state *state, int cell);

/* Why the mover may not play an action; NULL: it is legal. */
const char *go_forbidden(const struct go_state *state, int action);

/* area.c: for whom each cell counts: owner[cell] becomes GO_BLACK, GO_WHITE or GO_EMPTY (nobody).
 * Returns black's cells minus white's, without komi. */
int go_area(const struct go_state *state, uint8_t owner[]);

/* <banyan/game.h> says what each of these functions must do.  rollout.c */
extern const char *const go_policies[];
void go_rollout(const struct banyan_game *game, void *state, int policy, int max_plies,
                struct banyan_rng *rng);
void go_rollout_logged(const struct banyan_game *game, void *state, int policy, int max_plies,
                       struct banyan_rng *rng, struct banyan_playout *playout);

/* priors.c */
void go_priors(const struct banyan_game *game, const void *state, int player,
               const banyan_action *actions, int n, float *out);

/* area.c */
void go_returns(const struct banyan_game *game, const void *state, float *out);
void go_points(const struct banyan_game *game, const void *state, float *out);
void go_targets(const struct banyan_game *game, const void *final, int viewer, float *score,
                float *ownership);

/* text.c */
enum banyan_status go_init(const struct banyan_game *game, void *state, const char *setup,
                           struct banyan_rng *rng, struct banyan_error *err);
int go_format(const struct banyan_game *game, const void *state, char *out, size_t size);
int go_action_format(const struct banyan_game *game, const void *state, int player,
                     banyan_action action, char *out, size_t size);
enum banyan_status go_action_parse(const struct banyan_game *game, const void *state, int player,
                                   const char *text, banyan_action *out, struct banyan_error *err);

/* picture.c */
int go_draw(const struct banyan_game *game, const void *state, int viewer, char *out, size_t size);
int go_svg(const struct banyan_game *game, const void *state, int viewer, char *out, size_t size);
void go_board(const struct banyan_game *game, const void *state, int viewer,
              struct banyan_board *out);
int go_board_cells(const struct banyan_game *game, const void *state, int player,
                   banyan_action action, int out[]);

/* planes.c */
void go_encode(const struct banyan_game *game, const void *state, int viewer, float *planes);
extern const struct banyan_feature go_features[];
int go_policy_index(const struct banyan_game *game, const void *state, int player,
                    banyan_action action);
void go_symmetry(const struct banyan_game *game, const void *state, int k, void *out);
banyan_action go_symmetry_action(const struct banyan_game *game, const void *state, int k,
                                 banyan_action action);
void go_mirror(const struct banyan_game *game, const void *state, void *out);
banyan_action go_mirror_action(const struct banyan_game *game, const void *state,
                               banyan_action action);

#endif
