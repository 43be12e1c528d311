/* The rules of the mushroom game for two to four players (mushroom-n2, -n3, -n4). */
#include "games/mushroom/general.h"

#include "base/rng.h"

#include <stdbool.h>
#include <string.h>

enum { GENERAL_TARGET = 10 };

/* The digit of a cell; 0: there is no mushroom. */
static int general_digit(const struct general_state *state, int row, int column)
{
    int value = state->cell[row * state->columns + column];
    return value < GENERAL_OWNED ? value : 0;
}

/* Whether row has a mushroom between columns c1 and c2. */
static bool general_row_stands(const struct general_state *state, int row, int c1, int c2)
{
    for (int c = c1; c <= c2; ++c)
        if (general_digit(state, row, c))
            return true;
    return false;
}

/* Lists the rectangles of one band of rows: their two ends move along the band's column sums. */
static int general_slide(const struct general_state *state, const int *sums, int r1, int r2,
                         struct general_rectangle *out)
{
    int count = 0, left = 0, total = 0;
    for (int right = 0; right < state->columns; ++right) {
        total += sums[right];
        while (total > GENERAL_TARGET || (left < right && sums[left] == 0))
            total -= sums[left++];
        if (total == GENERAL_TARGET && sums[right] && general_row_stands(state, r1, left, right) &&
            general_row_stands(state, r2, left, right))
            out[count++] = (struct general_rectangle){r1, left, r2, right};
    }
    return count;
}

int general_rectangles(const struct general_state *state, struct general_rectangle *out)
{
    int count = 0;
    for (int r1 = 0; r1 < state->rows; ++r1) {
        int sums[GENERAL_COLUMNS] = {0};
        for (int r2 = r1; r2 < state->rows; ++r2) {
            int least = 255;
            for (int c = 0; c < state->columns; ++c) {
                sums[c] += general_digit(state, r2, c);
                least = sums[c] < least ? sums[c] : least;
            }
            if (least > GENERAL_TARGET)
                break; /* sums only grow with the height of the band */
            count += general_slide(state, sums, r1, r2, out + count);
        }
    }
    return count;
}

static int general_legal(const struct banyan_game *game, const void *at, int player,
                         banyan_action *out)
{
    (void)player;
    struct general_rectangle found[GENERAL_MAX_LEGAL];
    int count = general_rectangles(at, found);
    for (int i = 0; i < count; ++i)
        out[i] = general_action(found[i]);
    out[count] = GENERAL_PASS;
    return count + 1;
}

static unsigned general_movers(const struct banyan_game *game, const void *at)
{
    const struct general_state *state = at;
    return state->passes >= state->players ? 0 : 1u << state->mover;
}

static void general_play(struct general_state *state, banyan_action action)
{
    state->passes = action == GENERAL_PASS ? (uint8_t)(state->passes + 1) : 0;
    if (action != GENERAL_PASS) {
        struct general_rectangle x = general_rectangle_of(action);
        for (int r = x.r1; r <= x.r2; ++r)
            memset(state->cell + r * state->columns + x.c1, GENERAL_OWNED + state->mover,
                   (size_t)(x.c2 - x.c1 + 1));
    }
    state->mover = (uint8_t)((state->mover + 1) % state->players);
}

static void general_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                          struct banyan_dice *dice)
{
    (void)dice;
    struct general_state *state = at;
    general_play(state, joint[state->mover]);
}

void general_counts(const struct general_state *state, int *out)
{
    for (int p = 0; p < state->players; ++p)
        out[p] = 0;
    for (int i = 0; i < state->rows * state->columns; ++i)
        if (state->cell[i] >= GENERAL_OWNED)
            ++out[state->cell[i] - GENERAL_OWNED];
}

static void general_points(const struct banyan_game *game, const void *at, float *out)
{
    const struct general_state *state = at;
    int counts[4];
    general_counts(state, counts);
    for (int p = 0; p < state->players; ++p)
        out[p] = (float)counts[p];
}

/* The players with most cells share one point.  The shares are scaled and shifted so that they sum
 * to 0 and a sole winner gets 1; of three players, the two others then get -1/2. */
static void general_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct general_state *state = at;
    int counts[4], best = 0, winners = 0;
    general_counts(state, counts);
    for (int p = 0; p < state->players; ++p) {
        winners = counts[p] > best ? 1 : winners + (counts[p] == best);
        best = counts[p] > best ? counts[p] : best;
    }
    float n = (float)state->players;
    for (int p = 0; p < state->players; ++p) {
        float share = counts[p] == best ? 1.0f / (float)winners : 0.0f;
        out[p] = (share * n - 1) / (n - 1);
    }
}

static uint64_t general_key(const struct banyan_game *game, const void *at, int viewer)
{
    (void)viewer;
    uint64_t words[sizeof(struct general_state) / 8], sum = 0;
    memcpy(words, at, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        sum = rng_rotate((sum ^ words[i]) * 0x9fb21c651e98df25u, 29);
    return rng_mix(sum);
}

/* Plays random rectangles; a player passes when there is none.  With policy 0 the pass is as
 * likely as each rectangle. */
static void general_rollout(const struct banyan_game *game, void *at, int policy, int max_plies,
                            struct banyan_rng *rng)
{
    struct general_state *state = at;
    struct general_rectangle found[GENERAL_MAX_LEGAL];
    for (int ply = 0; ply < max_plies && state->passes < state->players; ++ply) {
        int count = general_rectangles(state, found), choices = count + (policy == 0);
        int index = choices ? (int)rng_below(rng, (uint32_t)choices) : 0;
        general_play(state, index < count ? general_action(found[index]) : GENERAL_PASS);
    }
}

/* The lead over the best opponent, divided by the number of owned cells plus 1. */
static float general_heuristic(const struct banyan_game *game, const void *at, int player)
{
    const struct general_state *state = at;
    int counts[4], rival = 0, all = 1;
    general_counts(state, counts);
    for (int p = 0; p < state->players; ++p) {
        all += counts[p];
        if (p != player && counts[p] > rival)
            rival = counts[p];
    }
    return (float)(counts[player] - rival) / (float)all;
}

/* Priors in proportion to the cells that a rectangle gains, an opponent's cell counting twice; the
 * pass counts as half a cell. */
static void general_priors(const struct banyan_game *game, const void *at, int player,
                           const banyan_action *actions, int n, float *out)
{
    const struct general_state *state = at;
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        struct general_rectangle x = general_rectangle_of(actions[i]);
        int won = 0;
        for (int r = x.r1; r <= x.r2 && actions[i] != GENERAL_PASS; ++r)
            for (int c = x.c1; c <= x.c2; ++c) {
                int cell = state->cell[r * state->columns + c];
                won += cell < GENERAL_OWNED ? 1 : cell == GENERAL_OWNED + player ? 0 : 2;
            }
        out[i] = actions[i] == GENERAL_PASS ? 0.5f : (float)won;
        sum += out[i];
    }
    for (int i = 0; i < n; ++i)
        out[i] /= sum;
}

static const char *const general_policies[] = {"random", "rectangles", NULL};

/* Bound of a game's length: a rectangle takes at least two mushrooms; before each rectangle at most
 * players - 1 passes can stand, and the game ends with as many passes as players. */
#define GENERAL_GAME(n)                                                                          \
    {                                                                                            \
        .struct_size = sizeof(struct banyan_game), .name = "mushroom-n" #n,                      \
        .title = "Mushroom game, other boards, " #n " players", .players = n,                    \
        .state_size = sizeof(struct general_state), .action_bytes = 4,                           \
        .max_legal = GENERAL_MAX_LEGAL + 1, .max_plies = (GENERAL_CELLS / 2 + 1) * n,            \
        .return_min = -1, .return_max = 1, .traits = BANYAN_ZERO_SUM, .init = general_init_##n,  \
        .movers = general_movers, .legal = general_legal, .apply = general_apply,                \
        .returns = general_returns, .key = general_key, .format = general_format,                \
        .action_format = general_action_format, .action_parse = general_action_parse,            \
        .rollout = general_rollout, .rollout_policies = general_policies,                        \
        .heuristic = general_heuristic, .priors = general_priors, .points = general_points,      \
        .draw = general_draw, .best = "mcts:evaluator=heuristic", .policy_size = GENERAL_POLICY, \
        .planes = {GENERAL_PLANES(n), GENERAL_ROWS, GENERAL_COLUMNS}, .encode = general_encode,  \
        .policy_index = general_policy_index, .features = general_features_##n,                  \
        .board = general_board, .board_cells = general_board_cells,                              \
    }

static const struct banyan_game general_games[GENERAL_VARIANTS] = {GENERAL_GAME(2), GENERAL_GAME(3),
                                                                   GENERAL_GAME(4)};

const struct banyan_game *general_at(int index)
{
    return index < GENERAL_VARIANTS ? &general_games[index] : NULL;
}
