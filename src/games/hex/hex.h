/* Hex: two sets of stones, and for each player the set of stones linked to their first edge.
 *
 *        a b c            cell = size * row + column.  Its neighbours are left and right, above and
 *     1  . . .            above to the right, below and below to the left.
 *      2  . . .
 *       3  . . .          Black (player 0) moves first and links top and bottom, white left and
 *                         right.
 *
 * A stone is linked if a chain of its colour leads from it to its player's first edge: the top
 * (black) or the left edge (white).  A linked stone stays linked, so hex_link() visits each stone
 * only once in a game.  The player who links a stone at the far edge has won; then the linked sets
 * are emptied, so that equal boards have equal bytes.
 *
 * With the swap rule white may answer the first move by "swap": the stone is reflected in the long
 * diagonal, which exchanges the edges, and becomes white.  So players keep their colours.
 */
#ifndef HEX_HEX_H
#define HEX_HEX_H

#include <banyan/observe.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HEX_SIZE_MIN = 5,
    HEX_SIZE_MAX = 19,
    HEX_CELLS_MAX = HEX_SIZE_MAX * HEX_SIZE_MAX,
    HEX_WORDS_MAX = (HEX_CELLS_MAX + 63) / 64
};

enum hex_result { HEX_OPEN, HEX_BLACK_WON, HEX_WHITE_WON };

/* number of a set in bits[]: one of these plus the player */
enum hex_set { HEX_STONES = 0, HEX_LINKED = 2, HEX_SETS = 4 };

/* A board of n x n cells uses the first HEX_STATE_BYTES(n) bytes only. */
struct hex_state {
    uint8_t size;   /* n */
    uint8_t words;  /* number of words of a set */
    uint8_t mover;  /* also changes after the last move */
    uint8_t result; /* enum hex_result */
    uint8_t swap;   /* 1: the swap rule holds, and at most one stone was placed */
    uint8_t zero[3];
    uint64_t bits[HEX_SETS * HEX_WORDS_MAX]; /* [HEX_SETS][words] */
};

#define HEX_WORDS(n) (((n) * (n) + 63) / 64)
#define HEX_STATE_BYTES(n) \
    (offsetof(struct hex_state, bits) + HEX_SETS * sizeof(uint64_t) * HEX_WORDS((size_t)(n)))

static inline const uint64_t *hex_bits(const struct hex_state *state, int set)
{
    return state->bits + set * state->words;
}

static inline bool hex_has(const struct hex_state *state, int set, int cell)
{
    return hex_bits(state, set)[cell >> 6] >> (cell & 63) & 1;
}

static inline void hex_add(struct hex_state *state, int set, int cell)
{
    state->bits[set * state->words + (cell >> 6)] |= (uint64_t)1 << (cell & 63);
}

/* The set of empty cells in one word. */
static inline uint64_t hex_empty(const struct hex_state *state, int word)
{
    int left = state->size * state->size - 64 * word;
    uint64_t board = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
    return board & ~(hex_bits(state, HEX_STONES)[word] | hex_bits(state, HEX_STONES + 1)[word]);
}

static inline bool hex_is_empty(const struct hex_state *state, int cell)
{
    return hex_empty(state, cell >> 6) >> (cell & 63) & 1;
}

/* The number of player's stones. */
int hex_count(const struct hex_state *state, int player);

/* The cell reflected in the long diagonal, a1 to the last: black's edges become white's. */
static inline int hex_reflect(const struct hex_state *state, int cell)
{
    return cell % state->size * state->size + cell / state->size;
}

/* The number of the action "swap"; the other actions are cells. */
static inline int hex_swap_action(const struct hex_state *state)
{
    return state->size * state->size;
}

/* Whether the mover may swap now. */
bool hex_may_swap(const struct hex_state *state);

/* Places a stone on an empty cell; unless the game is over, links it and sets the result.  The
 * mover stays the same. */
void hex_place(struct hex_state *state, int player, int cell);

/* Plays a legal action. */
void hex_play(struct hex_state *state, int action);

/* rollout.c: the winner on a full board. */
enum hex_result hex_full_result(const struct hex_state *state);

/* <banyan/game.h> says what each of these functions must do.  rollout.c */
void hex_rollout(const struct banyan_game *game, void *state, int policy, int max_plies,
                 struct banyan_rng *rng);
void hex_rollout_logged(const struct banyan_game *game, void *state, int policy, int max_plies,
                        struct banyan_rng *rng, struct banyan_playout *playout);

/* text.c */
enum banyan_status hex_init(const struct banyan_game *game, void *state, const char *setup,
                            struct banyan_rng *rng, struct banyan_error *err);
int hex_format(const struct banyan_game *game, const void *state, char *out, size_t size);
int hex_action_format(const struct banyan_game *game, const void *state, int player,
                      banyan_action action, char *out, size_t size);
enum banyan_status hex_action_parse(const struct banyan_game *game, const void *state, int player,
                                    const char *text, banyan_action *out, struct banyan_error *err);

/* picture.c */
int hex_draw(const struct banyan_game *game, const void *state, int viewer, char *out, size_t size);
int hex_svg(const struct banyan_game *game, const void *state, int viewer, char *out, size_t size);
void hex_board(const struct banyan_game *game, const void *state, int viewer,
               struct banyan_board *out);
int hex_board_cells(const struct banyan_game *game, const void *state, int player,
                    banyan_action action, int out[]);

/* planes.c */
void hex_encode(const struct banyan_game *game, const void *state, int viewer, float *planes);
extern const struct banyan_feature hex_features[];
int hex_policy_index(const struct banyan_game *game, const void *state, int player,
                     banyan_action action);
void hex_symmetry(const struct banyan_game *game, const void *state, int k, void *out);
banyan_action hex_symmetry_action(const struct banyan_game *game, const void *state, int k,
                                  banyan_action action);
void hex_mirror(const struct banyan_game *game, const void *state, void *out);
banyan_action hex_mirror_action(const struct banyan_game *game, const void *state,
                                banyan_action action);

#endif
