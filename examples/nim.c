/* Nim: the rules, texts and the table of functions of a game of your own. */
#include "nim.h"

#include <banyan/plugin.h>

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct nim_state) == 4, "no padding");

int nim_sum(const struct nim_state *state)
{
    return state->heap[0] ^ state->heap[1] ^ state->heap[2];
}

/* Text of a state: the heaps and the mover, as in "3 4 5 2". */
static enum banyan_status nim_init(const struct banyan_game *game, void *at, const char *setup,
                                   struct banyan_rng *rng, struct banyan_error *err)
{
    unsigned heap[NIM_HEAPS], mover;
    char rest;
    (void)rng; /* the start position is not random */
    if (!setup || !*setup)
        setup = "3 4 5 1";
    if (sscanf(setup, "%u %u %u %u%c", &heap[0], &heap[1], &heap[2], &mover, &rest) != 4 ||
        mover < 1 || mover > 2)
        return banyan_fail(err, BANYAN_INVALID, "'%s' is not three heaps and player 1 or 2", setup);
    struct nim_state state = {.mover = (uint8_t)(mover - 1)};
    for (int i = 0; i < NIM_HEAPS; ++i) {
        if (heap[i] > NIM_MAX_HEAP)
            return banyan_fail(err, BANYAN_INVALID, "a heap has at most %d", NIM_MAX_HEAP);
        state.heap[i] = (uint8_t)heap[i];
    }
    memcpy(at, &state, sizeof state);
    return BANYAN_OK;
}

static unsigned nim_movers(const struct banyan_game *game, const void *at)
{
    const struct nim_state *state = at;
    int left = state->heap[0] + state->heap[1] + state->heap[2];
    return left ? 1u << state->mover : 0;
}

/* An action is 10 * heap + number taken. */
static int nim_legal(const struct banyan_game *game, const void *at, int player, banyan_action *out)
{
    const struct nim_state *state = at;
    int count = 0;
    (void)player;
    for (unsigned i = 0; i < NIM_HEAPS; ++i)
        for (unsigned take = 1; take <= state->heap[i]; ++take)
            out[count++] = 10 * i + take;
    return count;
}

static void nim_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                      struct banyan_dice *dice)
{
    struct nim_state *state = at;
    unsigned action = (unsigned)joint[state->mover];
    (void)dice;
    state->heap[action / 10] = (uint8_t)(state->heap[action / 10] - action % 10);
    state->mover = !state->mover;
}

/* The player to move has lost if all heaps are empty. */
static void nim_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct nim_state *state = at;
    out[state->mover] = -1;
    out[!state->mover] = 1;
}

static uint64_t nim_key(const struct banyan_game *game, const void *at, int viewer)
{
    const struct nim_state *state = at;
    uint64_t bytes = 0;
    (void)viewer;
    for (int i = 0; i < NIM_HEAPS; ++i)
        bytes = bytes << 8 | state->heap[i];
    return banyan_rng_child(bytes, "nim", state->mover);
}

static int nim_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct nim_state *state = at;
    return snprintf(out, size, "%d %d %d %d", state->heap[0], state->heap[1], state->heap[2],
                    state->mover + 1);
}

/* "b2": two from the second heap. */
static int nim_action_format(const struct banyan_game *game, const void *at, int player,
                             banyan_action action, char *out, size_t size)
{
    (void)at, (void)player;
    return snprintf(out, size, "%c%d", "abc"[action / 10], (int)(action % 10));
}

static enum banyan_status nim_action_parse(const struct banyan_game *game, const void *at,
                                           int player, const char *text, banyan_action *out,
                                           struct banyan_error *err)
{
    const struct nim_state *state = at;
    (void)player;
    if (text[0] < 'a' || text[0] > 'c' || text[1] < '1' || text[1] > '9' || text[2])
        return banyan_fail(err, BANYAN_INVALID, "'%s' is not a heap a-c and a number", text);
    unsigned heap = (unsigned)(text[0] - 'a'), take = (unsigned)(text[1] - '0');
    if (take > state->heap[heap])
        return banyan_fail(err, BANYAN_ILLEGAL, "heap %c has only %d", text[0], state->heap[heap]);
    *out = 10 * heap + take;
    return BANYAN_OK;
}

/* A picture for people: a line for each heap */
static int nim_draw(const struct banyan_game *game, const void *at, int viewer, char *out,
                    size_t size)
{
    const struct nim_state *state = at;
    return snprintf(out, size, "a %.*s\nb %.*s\nc %.*s\n", state->heap[0], "ooooooooo",
                    state->heap[1], "ooooooooo", state->heap[2], "ooooooooo");
}

/* planes[heap][0][n]: 1 if the heap has more than n objects (-1 if viewer is not to move), else 0. */
static void nim_encode(const struct banyan_game *game, const void *at, int viewer, float *planes)
{
    const struct nim_state *state = at;
    float object = state->mover == viewer ? 1 : -1;
    for (int i = 0; i < NIM_HEAPS; ++i)
        for (int n = 0; n < NIM_MAX_HEAP; ++n)
            planes[i * NIM_MAX_HEAP + n] = n < state->heap[i] ? object : 0;
}

static int nim_policy_index(const struct banyan_game *game, const void *at, int player,
                            banyan_action action)
{
    return (int)(action / 10 * NIM_MAX_HEAP + action % 10 - 1);
}

const struct banyan_game nim_game = {
    .struct_size = sizeof(struct banyan_game),
    .name = "nim",
    .title = "Nim",
    .players = 2,
    .state_size = sizeof(struct nim_state),
    .action_bytes = 1,
    .max_legal = NIM_HEAPS * NIM_MAX_HEAP,
    .max_plies = NIM_HEAPS * NIM_MAX_HEAP,
    .return_min = -1,
    .return_max = 1,
    .traits = BANYAN_ZERO_SUM,
    .init = nim_init,
    .movers = nim_movers,
    .legal = nim_legal,
    .apply = nim_apply,
    .returns = nim_returns,
    .key = nim_key,
    .format = nim_format,
    .action_format = nim_action_format,
    .action_parse = nim_action_parse,
    /* more than the rules: */
    .draw = nim_draw,
    .policy_size = NIM_HEAPS * NIM_MAX_HEAP,
    .planes = {NIM_HEAPS, 1, NIM_MAX_HEAP},
    .encode = nim_encode,
    .policy_index = nim_policy_index,
};

/* With this line the file alone is a plugin: `banyan --game ./nim.so play nim`. */
BANYAN_PLUGIN(&nim_game);
