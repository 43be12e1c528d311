/* The rules of the mushroom game for two to four players (mushroom-n2, -n3, -n4). */
#include "games/mushroom/many.h"

#include "base/rng.h"

#include <stdbool.h>
#include <string.h>

enum { MANY_TARGET = 10 };

/* Digit of a cell; 0: no mushroom stands there. */
static int many_digit(const struct many_state *state, int row, int column)
{
    int value = state->cell[row * state->columns + column];
    return value < MANY_OWNED ? value : 0;
}

/* Whether row has a mushroom between the columns. */
static bool many_row_stands(const struct many_state *state, int row, int c1, int c2)
{
    for (int c = c1; c <= c2; ++c)
        if (many_digit(state, row, c))
            return true;
    return false;
}

/* The windows of one band: two ends slide along its column sums. */
static int many_slide(const struct many_state *state, const int *sums, int r1, int r2,
                      struct many_rectangle *out)
{
    int count = 0, left = 0, total = 0;
    for (int right = 0; right < state->columns; ++right) {
        total += sums[right];
        while (total > MANY_TARGET || (left < right && sums[left] == 0))
            total -= sums[left++];
        if (total == MANY_TARGET && sums[right] && many_row_stands(state, r1, left, right) &&
            many_row_stands(state, r2, left, right))
            out[count++] = (struct many_rectangle){r1, left, r2, right};
    }
    return count;
}

int many_rectangles(const struct many_state *state, struct many_rectangle *out)
{
    int count = 0;
    for (int r1 = 0; r1 < state->rows; ++r1) {
        int sums[MANY_COLUMNS] = {0};
        for (int r2 = r1; r2 < state->rows; ++r2) {
            int least = 255;
            for (int c = 0; c < state->columns; ++c) {
                sums[c] += many_digit(state, r2, c);
                least = sums[c] < least ? sums[c] : least;
            }
            if (least > MANY_TARGET)
                break; /* higher bands have even more */
            count += many_slide(state, sums, r1, r2, out + count);
        }
    }
    return count;
}

static int many_legal(const void *at, int player, banyan_action *out)
{
    (void)player;
    struct many_rectangle found[MANY_MAX_LEGAL];
    int count = many_rectangles(at, found);
    for (int i = 0; i < count; ++i)
        out[i] = many_action(found[i]);
    out[count] = MANY_PASS;
    return count + 1;
}

static unsigned many_movers(const void *at)
{
    const struct many_state *state = at;
    return state->passes >= state->players ? 0 : 1u << state->mover;
}

static void many_play(struct many_state *state, banyan_action action)
{
    state->passes = action == MANY_PASS ? (uint8_t)(state->passes + 1) : 0;
    if (action != MANY_PASS) {
        struct many_rectangle x = many_rectangle_of(action);
        for (int r = x.r1; r <= x.r2; ++r)
            memset(state->cell + r * state->columns + x.c1, MANY_OWNED + state->mover,
                   (size_t)(x.c2 - x.c1 + 1));
    }
    state->mover = (uint8_t)((state->mover + 1) % state->players);
}

static void many_apply(void *at, const banyan_action joint[], struct banyan_dice *dice)
{
    (void)dice;
    struct many_state *state = at;
    many_play(state, joint[state->mover]);
}

void many_counts(const struct many_state *state, int *out)
{
    for (int p = 0; p < state->players; ++p)
        out[p] = 0;
    for (int i = 0; i < state->rows * state->columns; ++i)
        if (state->cell[i] >= MANY_OWNED)
            ++out[state->cell[i] - MANY_OWNED];
}

/* One point is shared by those with most cells, and shifted so that all returns sum to 0: the only
 * winner of three gets 1, the others -1/2. */
static void many_returns(const void *at, float *out)
{
    const struct many_state *state = at;
    int counts[4], best = 0, winners = 0;
    many_counts(state, counts);
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

static uint64_t many_key(const void *at, int viewer)
{
    (void)viewer;
    uint64_t words[sizeof(struct many_state) / 8], sum = 0;
    memcpy(words, at, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        sum = rng_rotate((sum ^ words[i]) * 0x9fb21c651e98df25u, 29);
    return rng_mix(sum);
}

/* Random rectangles; everybody passes when there is none. */
static void many_rollout(void *at, int policy, int max_plies, struct banyan_rng *rng)
{
    struct many_state *state = at;
    struct many_rectangle found[MANY_MAX_LEGAL];
    for (int ply = 0; ply < max_plies && state->passes < state->players; ++ply) {
        int count = many_rectangles(state, found), choices = count + (policy == 0);
        int index = choices ? (int)rng_below(rng, (uint32_t)choices) : 0;
        many_play(state, index < count ? many_action(found[index]) : MANY_PASS);
    }
}

/* The lead over the best of the others, as a share of what is owned. */
static float many_heuristic(const void *at, int player)
{
    const struct many_state *state = at;
    int counts[4], rival = 0, all = 1;
    many_counts(state, counts);
    for (int p = 0; p < state->players; ++p) {
        all += counts[p];
        if (p != player && counts[p] > rival)
            rival = counts[p];
    }
    return (float)(counts[player] - rival) / (float)all;
}

/* In proportion to the cells won, stolen ones twice; the pass like half a cell. */
static void many_priors(const void *at, int player, const banyan_action *actions, int n, float *out)
{
    const struct many_state *state = at;
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        struct many_rectangle x = many_rectangle_of(actions[i]);
        int won = 0;
        for (int r = x.r1; r <= x.r2 && actions[i] != MANY_PASS; ++r)
            for (int c = x.c1; c <= x.c2; ++c) {
                int cell = state->cell[r * state->columns + c];
                won += cell < MANY_OWNED ? 1 : cell == MANY_OWNED + player ? 0 : 2;
            }
        out[i] = actions[i] == MANY_PASS ? 0.5f : (float)won;
        sum += out[i];
    }
    for (int i = 0; i < n; ++i)
        out[i] /= sum;
}

static const char *const many_policies[] = {"random", "rectangles", NULL};

/* A rectangle takes two mushrooms or more; before it there is at most one pass fewer than players,
 * and as many as players at the end. */
#define MANY_GAME(n)                                                                              \
    {                                                                                             \
        .name = "mushroom-n" #n, .title = "Mushroom game, other boards, " #n " players",          \
        .players = n, .state_size = sizeof(struct many_state), .action_bytes = 4,                 \
        .max_legal = MANY_MAX_LEGAL + 1, .max_plies = (MANY_CELLS / 2 + 1) * n, .return_min = -1, \
        .return_max = 1, .traits = BANYAN_ZERO_SUM, .init = many_init_##n, .movers = many_movers, \
        .legal = many_legal, .apply = many_apply, .returns = many_returns, .key = many_key,       \
        .format = many_format, .action_format = many_action_format,                               \
        .action_parse = many_action_parse, .rollout = many_rollout,                               \
        .rollout_policies = many_policies, .heuristic = many_heuristic, .priors = many_priors,    \
        .draw = many_draw,                                                                        \
    }

static const struct banyan_game many_games[MANY_VARIANTS] = {MANY_GAME(2), MANY_GAME(3),
                                                             MANY_GAME(4)};

const struct banyan_game *many_at(int index)
{
    return index < MANY_VARIANTS ? &many_games[index] : NULL;
}
