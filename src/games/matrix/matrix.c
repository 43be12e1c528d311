/* Matrix games: rules, texts and the tables of their functions. */
#include "games/matrix/matrix.h"

#include "base/rng.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const char *const matrix_rps_names[] = {"rock", "paper", "scissors"};

/* --- setup --- */

static enum banyan_status matrix_expected(struct text_reader *reader, const char *what,
                                          struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_INVALID, "matrix, %s: expected %s", text_where(reader).text,
                       what);
}

/* Reads one row of numbers; returns how many there are, or -1 when there are too many. */
static int matrix_read_row(struct text_reader *reader, int16_t row[MATRIX_SIDE])
{
    int64_t number;
    int n = 0;
    while (text_decimal(reader, 2, -100 * MATRIX_CENTS, 100 * MATRIX_CENTS, &number)) {
        if (n == MATRIX_SIDE)
            return -1;
        row[n++] = (int16_t)number;
    }
    return n;
}

/* Reads the table of one player; player 2's table must be as large as player 1's. */
static enum banyan_status matrix_read_table(struct matrix *matrix, int player,
                                            struct text_reader *reader, struct banyan_error *err)
{
    int rows = 0;
    do {
        if (rows == MATRIX_SIDE)
            return matrix_expected(reader, "no more than 8 rows", err);
        int columns = matrix_read_row(reader, matrix->payoff[player][rows++]);
        if (columns <= 0)
            return matrix_expected(
                reader, "a row of 1..8 payoffs of -100..100 with at most 2 decimals", err);
        if (matrix->columns == 0)
            matrix->columns = (uint8_t)columns;
        if (columns != matrix->columns)
            return matrix_expected(reader, "all rows to be of the same length", err);
    } while (text_take(reader, ";"));
    if (player == 1 && rows != matrix->rows)
        return matrix_expected(reader, "a table with as many rows as player 1's", err);
    matrix->rows = (uint8_t)rows;
    return BANYAN_OK;
}

static void matrix_negate(struct matrix *matrix)
{
    for (int i = 0; i < matrix->rows; ++i)
        for (int j = 0; j < matrix->columns; ++j)
            matrix->payoff[1][i][j] = (int16_t)-matrix->payoff[0][i][j];
}

/* Reads played=ROW,COLUMN as numbers, or as names in a game that has names. */
static enum banyan_status matrix_read_played(struct matrix *matrix, const char *const *names,
                                             struct text_reader *reader, struct banyan_error *err)
{
    int count[2] = {matrix->rows, matrix->columns};
    matrix->played = text_take(reader, "played=");
    for (int p = 0; p < 2 && matrix->played; ++p) {
        int64_t number = 1;
        if (p == 1 && !text_take(reader, ","))
            return matrix_expected(reader, "',' and the choice of player 2", err);
        while (names && number <= count[p] && !text_take(reader, names[number - 1]))
            ++number;
        if (names ? number > count[p] : !text_integer(reader, 1, count[p], &number))
            return matrix_expected(reader, "a choice of the player", err);
        matrix->choice[p] = (uint8_t)(number - 1);
    }
    if (!text_end(reader))
        return matrix_expected(reader, "a payoff, ';', 'played=ROW,COLUMN' or the end", err);
    return BANYAN_OK;
}

static enum banyan_status matrix_init(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    (void)rng;
    struct matrix *matrix = state;
    struct text_reader reader;
    memset(matrix, 0, sizeof *matrix);
    text_open(&reader, setup && *setup ? setup : "2 -1;-1 1");
    enum banyan_status status = matrix_read_table(matrix, 0, &reader, err);
    if (status != BANYAN_OK)
        return status;
    matrix_negate(matrix);
    return matrix_read_played(matrix, NULL, &reader, err);
}

/* The default setup is the prisoner's dilemma: 1 = keep silent, 2 = confess. */
static enum banyan_status matrix_init_two(const struct banyan_game *game, void *state,
                                          const char *setup, struct banyan_rng *rng,
                                          struct banyan_error *err)
{
    (void)rng;
    struct matrix *matrix = state;
    struct text_reader reader;
    memset(matrix, 0, sizeof *matrix);
    text_open(&reader, setup && *setup ? setup : "-1 -3;0 -2|-1 0;-3 -2");
    enum banyan_status status = matrix_read_table(matrix, 0, &reader, err);
    if (status != BANYAN_OK)
        return status;
    if (!text_take(&reader, "|"))
        return matrix_expected(&reader, "'|' and the payoffs of player 2", err);
    status = matrix_read_table(matrix, 1, &reader, err);
    return status == BANYAN_OK ? matrix_read_played(matrix, NULL, &reader, err) : status;
}

static enum banyan_status matrix_init_rps(const struct banyan_game *game, void *state,
                                          const char *setup, struct banyan_rng *rng,
                                          struct banyan_error *err)
{
    (void)rng;
    struct matrix *matrix = state;
    struct text_reader reader;
    memset(matrix, 0, sizeof *matrix);
    matrix->rows = matrix->columns = 3;
    for (int i = 0; i < 3; ++i) { /* each choice loses to the next */
        matrix->payoff[0][i][(i + 1) % 3] = -MATRIX_CENTS;
        matrix->payoff[0][i][(i + 2) % 3] = MATRIX_CENTS;
    }
    matrix_negate(matrix);
    text_open(&reader, setup ? setup : "");
    text_take(&reader, "usual");
    return matrix_read_played(matrix, matrix_rps_names, &reader, err);
}

/* --- rules --- */

static unsigned matrix_movers(const struct banyan_game *game, const void *state)
{
    const struct matrix *matrix = state;
    return matrix->played ? 0 : 3;
}

static int matrix_choices(const struct matrix *matrix, int player)
{
    return player == 0 ? matrix->rows : matrix->columns;
}

static int matrix_legal(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out)
{
    int n = matrix_choices(state, player);
    for (int i = 0; i < n; ++i)
        out[i] = (banyan_action)i;
    return n;
}

static void matrix_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    (void)dice;
    struct matrix *matrix = state;
    matrix->played = 1;
    matrix->choice[0] = (uint8_t)joint[0];
    matrix->choice[1] = (uint8_t)joint[1];
}

static void matrix_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct matrix *matrix = state;
    for (int p = 0; p < 2; ++p)
        out[p] = (float)matrix->payoff[p][matrix->choice[0]][matrix->choice[1]] / MATRIX_CENTS;
}

static uint64_t matrix_key(const struct banyan_game *game, const void *state, int viewer)
{
    (void)viewer;
    const struct matrix *matrix = state;
    uint64_t key = rng_mix((uint64_t)matrix->rows | (uint64_t)matrix->columns << 8 |
                           (uint64_t)matrix->played << 16 | (uint64_t)matrix->choice[0] << 24 |
                           (uint64_t)matrix->choice[1] << 32);
    for (int i = 0; i < matrix->rows; ++i)
        for (int j = 0; j < matrix->columns; ++j)
            key = rng_mix(key ^ (uint64_t)(matrix->payoff[0][i][j] + 0x8000) ^
                          (uint64_t)(matrix->payoff[1][i][j] + 0x8000) << 32);
    return key;
}

static void matrix_write_table(const struct matrix *matrix, int player, struct text *out)
{
    for (int i = 0; i < matrix->rows; ++i)
        for (int j = 0; j < matrix->columns; ++j) {
            text_add(out, j ? " " : i ? ";" : "");
            text_add_decimal(out, matrix->payoff[player][i][j], 2);
        }
}

static int matrix_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    const struct matrix *matrix = state;
    struct text writer = text_start(out, size);
    matrix_write_table(matrix, 0, &writer);
    if (matrix->played)
        text_add(&writer, " played=%d,%d", matrix->choice[0] + 1, matrix->choice[1] + 1);
    return (int)writer.length;
}

static int matrix_format_two(const struct banyan_game *game, const void *state, char *out,
                             size_t size)
{
    const struct matrix *matrix = state;
    struct text writer = text_start(out, size);
    matrix_write_table(matrix, 0, &writer);
    text_add(&writer, "|");
    matrix_write_table(matrix, 1, &writer);
    if (matrix->played)
        text_add(&writer, " played=%d,%d", matrix->choice[0] + 1, matrix->choice[1] + 1);
    return (int)writer.length;
}

static int matrix_format_rps(const struct banyan_game *game, const void *state, char *out,
                             size_t size)
{
    const struct matrix *matrix = state;
    if (!matrix->played)
        return snprintf(out, size, "usual");
    return snprintf(out, size, "usual played=%s,%s", matrix_rps_names[matrix->choice[0]],
                    matrix_rps_names[matrix->choice[1]]);
}

static int matrix_action_format(const struct banyan_game *game, const void *state, int player,
                                banyan_action action, char *out, size_t size)
{
    (void)state, (void)player;
    return snprintf(out, size, "%d", (int)action + 1);
}

static enum banyan_status matrix_action_parse(const struct banyan_game *game, const void *state,
                                              int player, const char *text, banyan_action *out,
                                              struct banyan_error *err)
{
    const struct matrix *matrix = state;
    struct text_reader reader;
    int64_t number;
    text_open(&reader, text);
    if (!text_integer(&reader, 1, INT32_MAX, &number) || !text_end(&reader))
        return banyan_fail(err, BANYAN_INVALID, "'%s' is not the number of a %s: write 1..%d", text,
                           player == 0 ? "row" : "column", matrix_choices(matrix, player));
    if (matrix->played || number > matrix_choices(matrix, player))
        return banyan_fail(err, BANYAN_ILLEGAL, "%s %d cannot be chosen here",
                           player == 0 ? "row" : "column", (int)number);
    *out = (banyan_action)(number - 1);
    return BANYAN_OK;
}

static int matrix_action_format_rps(const struct banyan_game *game, const void *state, int player,
                                    banyan_action action, char *out, size_t size)
{
    (void)state, (void)player;
    return snprintf(out, size, "%s", matrix_rps_names[action]);
}

static enum banyan_status matrix_action_parse_rps(const struct banyan_game *game, const void *state,
                                                  int player, const char *text, banyan_action *out,
                                                  struct banyan_error *err)
{
    (void)player;
    const struct matrix *matrix = state;
    int choice = 0;
    while (choice < 3 && strcmp(text, matrix_rps_names[choice]) != 0)
        ++choice;
    if (choice == 3)
        return banyan_fail(err, BANYAN_INVALID, "'%s' is not rock, paper or scissors", text);
    if (matrix->played)
        return banyan_fail(err, BANYAN_ILLEGAL, "both players have already chosen");
    *out = (banyan_action)choice;
    return BANYAN_OK;
}

/* --- planes, mirror and symmetries --- */

static void matrix_bounds(const struct banyan_game *game, const void *state, int player, float *lo,
                          float *hi)
{
    const struct matrix *matrix = state;
    const int16_t(*payoff)[MATRIX_SIDE] = matrix->payoff[player];
    int least = payoff[matrix->choice[0]][matrix->choice[1]], most = least;
    for (int i = 0; i < matrix->rows && !matrix->played; ++i)
        for (int j = 0; j < matrix->columns; ++j) {
            least = payoff[i][j] < least ? payoff[i][j] : least;
            most = payoff[i][j] > most ? payoff[i][j] : most;
        }
    *lo = (float)least / MATRIX_CENTS;
    *hi = (float)most / MATRIX_CENTS;
}

static int matrix_policy_index(const struct banyan_game *game, const void *state, int player,
                               banyan_action action)
{
    (void)state;
    return (int)action;
}

/* Exchanges the players: each gets the other's table, with rows and columns exchanged. */
static void matrix_mirror(const struct banyan_game *game, const void *state, void *out)
{
    const struct matrix *matrix = state;
    struct matrix *image = out;
    memset(image, 0, sizeof *image);
    image->rows = matrix->columns;
    image->columns = matrix->rows;
    image->played = matrix->played;
    for (int p = 0; p < 2; ++p) {
        image->choice[p] = matrix->choice[!p];
        for (int i = 0; i < matrix->rows; ++i)
            for (int j = 0; j < matrix->columns; ++j)
                image->payoff[p][j][i] = matrix->payoff[!p][i][j];
    }
}

static banyan_action matrix_mirror_action(const struct banyan_game *game, const void *state,
                                          banyan_action action)
{
    (void)state;
    return action;
}

/* Rock becomes paper, paper becomes scissors, scissors become rock. */
static banyan_action matrix_symmetry_action(const struct banyan_game *game, const void *state,
                                            int k, banyan_action action)
{
    (void)state;
    return (action + (banyan_action)k) % 3;
}

static void matrix_symmetry(const struct banyan_game *game, const void *state, int k, void *out)
{
    struct matrix *image = out;
    *image = *(const struct matrix *)state;
    for (int p = 0; p < 2 && image->played; ++p)
        image->choice[p] = (uint8_t)((image->choice[p] + k) % 3);
}

static int matrix_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                       size_t size)
{
    (void)viewer;
    const struct matrix *matrix = state;
    struct text writer = text_start(out, size);
    for (int i = 0; i < matrix->rows; ++i) {
        for (int j = 0; j < matrix->columns; ++j) {
            bool here = matrix->played && matrix->choice[0] == i && matrix->choice[1] == j;
            text_add(&writer, here ? " [" : "  ");
            text_add_decimal(&writer, matrix->payoff[0][i][j], 2);
            text_add(&writer, ",");
            text_add_decimal(&writer, matrix->payoff[1][i][j], 2);
            text_add(&writer, here ? "]" : " ");
        }
        text_add(&writer, "\n");
    }
    return (int)writer.length;
}

static const char *const matrix_levels[] = {"best", NULL}; /* matrix games have no levels */

#define MATRIX_COMMON                                                                              \
    .players = 2, .state_size = sizeof(struct matrix), .action_bytes = 1, .max_plies = 1,          \
    .movers = matrix_movers, .legal = matrix_legal, .apply = matrix_apply,                         \
    .returns = matrix_returns, .key = matrix_key, .bounds = matrix_bounds,                         \
    .policy_index = matrix_policy_index, .mirror = matrix_mirror,                                  \
    .planes = {4, MATRIX_SIDE, MATRIX_SIDE}, .encode = matrix_encode, .features = matrix_features, \
    .mirror_action = matrix_mirror_action, .draw = matrix_draw,                                    \
    .best = "mcts:rule=regret,final=average", .levels = matrix_levels

static const struct banyan_game matrix_variants[] = {
    {.struct_size = sizeof(struct banyan_game),
     .name = "rps",
     .title = "Rock, paper, scissors",
     .max_legal = 3,
     .policy_size = 3,
     .return_min = -1,
     .return_max = 1,
     .traits = BANYAN_SIMULTANEOUS | BANYAN_ZERO_SUM,
     .init = matrix_init_rps,
     .format = matrix_format_rps,
     .action_format = matrix_action_format_rps,
     .action_parse = matrix_action_parse_rps,
     .symmetries = 3,
     .symmetry = matrix_symmetry,
     .symmetry_action = matrix_symmetry_action,
     MATRIX_COMMON},
    {.struct_size = sizeof(struct banyan_game),
     .name = "matrix",
     .title = "Matrix game, zero sum",
     .max_legal = MATRIX_SIDE,
     .policy_size = MATRIX_SIDE,
     .return_min = -100,
     .return_max = 100,
     .traits = BANYAN_SIMULTANEOUS | BANYAN_ZERO_SUM,
     .init = matrix_init,
     .format = matrix_format,
     .action_format = matrix_action_format,
     .action_parse = matrix_action_parse,
     MATRIX_COMMON},
    {.struct_size = sizeof(struct banyan_game),
     .name = "bimatrix",
     .title = "Matrix game, a table for each player",
     .max_legal = MATRIX_SIDE,
     .policy_size = MATRIX_SIDE,
     .return_min = -100,
     .return_max = 100,
     .traits = BANYAN_SIMULTANEOUS,
     .init = matrix_init_two,
     .format = matrix_format_two,
     .action_format = matrix_action_format,
     .action_parse = matrix_action_parse,
     MATRIX_COMMON},
};

const struct banyan_game *matrix_variant(int index)
{
    int n = (int)(sizeof matrix_variants / sizeof *matrix_variants);
    return index >= 0 && index < n ? &matrix_variants[index] : NULL;
}
