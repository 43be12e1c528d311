/* The mushroom game on other boards and for more players: mushroom-n2, mushroom-n3, mushroom-n4.
 *
 * A board has up to 16 rows of 32 cells.  The players move in turn.  The game ends when all players
 * have passed one after the other.  The player with most cells wins; players with equally many
 * share the win.  A cell is a byte: its digit, or its owner, or neither (a hole).
 */
#ifndef MUSHROOM_GENERAL_H
#define MUSHROOM_GENERAL_H

#include <banyan/observe.h>

#include <assert.h>
#include <stdint.h>

enum {
    GENERAL_ROWS = 16,
    GENERAL_COLUMNS = 32,
    GENERAL_CELLS = GENERAL_ROWS * GENERAL_COLUMNS,
    GENERAL_OWNED = 16,           /* a cell of GENERAL_OWNED + p belongs to player p */
    GENERAL_PASS = 1 << 18,       /* the other actions are corners: 4, 5, 4 and 5 bits */
    GENERAL_MAX_LEGAL = 136 * 32, /* number of bands of rows times number of left columns */
    GENERAL_VARIANTS = 3          /* for 2, 3 and 4 players */
};

struct general_state {
    uint8_t cell[GENERAL_CELLS]; /* row by row without gaps; 0 after the last cell */
    uint8_t rows, columns, players;
    uint8_t mover, passes; /* number of passes since the last rectangle; equal to players: the
                            * game is over */
    uint8_t zero[3];
};

static_assert(sizeof(struct general_state) == 520, "520 bytes");

struct general_rectangle {
    int r1, c1, r2, c2;
};

static inline banyan_action general_action(struct general_rectangle x)
{
    return (banyan_action)(x.r1 << 14 | x.c1 << 9 | x.r2 << 5 | x.c2);
}

static inline struct general_rectangle general_rectangle_of(banyan_action action)
{
    return (struct general_rectangle){(int)(action >> 14 & 15), (int)(action >> 9 & 31),
                                      (int)(action >> 5 & 15), (int)(action & 31)};
}

/* The variant with this index; NULL past the last. */
const struct banyan_game *general_at(int index);

/* general.c: the legal rectangles without the pass, ordered by band of rows, then by left column.
 */
int general_rectangles(const struct general_state *state, struct general_rectangle *out);
void general_counts(const struct general_state *state, int *out);

/* general_planes.c */
enum { GENERAL_POLICY = 136 * GENERAL_COLUMNS + 1 };
#define GENERAL_PLANES(players) (9 + 1 + 2 * (players) + 1)
extern const struct banyan_feature general_features_2[], general_features_3[], general_features_4[];
void general_encode(const struct banyan_game *game, const void *state, int viewer, float *planes);
int general_policy_index(const struct banyan_game *game, const void *state, int player,
                         banyan_action action);

/* general_text.c: the functions of <banyan/game.h>.  There is one init for each number of players.
 */
enum banyan_status general_init_2(const struct banyan_game *game, void *state, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err);
enum banyan_status general_init_3(const struct banyan_game *game, void *state, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err);
enum banyan_status general_init_4(const struct banyan_game *game, void *state, const char *setup,
                                  struct banyan_rng *rng, struct banyan_error *err);
int general_format(const struct banyan_game *game, const void *state, char *out, size_t size);
int general_action_format(const struct banyan_game *game, const void *state, int player,
                          banyan_action action, char *out, size_t size);
enum banyan_status general_action_parse(const struct banyan_game *game, const void *state,
                                        int player, const char *text, banyan_action *out,
                                        struct banyan_error *err);
int general_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                 size_t size);
void general_board(const struct banyan_game *game, const void *state, int viewer,
                   struct banyan_board *out);
int general_board_cells(const struct banyan_game *game, const void *state, int player,
                        banyan_action action, int out[]);

#endif
