/* perfect: computes exact values, and plays any of the best actions with equal chance. */
#include "base/clock.h"
#include "players/player.h"

#include <banyan/exact.h>
#include <banyan/options.h>

#include <math.h>
#include <stdlib.h>

struct perfect_settings {
    uint64_t memory_bytes;
};

static const struct banyan_option perfect_table[] = {
    {"memory", BANYAN_OPTION_SIZE, offsetof(struct perfect_settings, memory_bytes), 1 << 16, 0x1p40,
     NULL, 0, "memory for all states that can be reached"},
    {NULL, BANYAN_OPTION_INT, 0, 0, 0, NULL, 0, NULL},
};

struct perfect {
    const struct banyan_game *game;
    /* kept between games, since the values do not depend on the game played */
    struct banyan_exact *exact;
    struct banyan_rng rng;
    struct banyan_exact_action rows[]; /* [max_legal] */
};

static enum banyan_status perfect_open(void *ctx, const void *state, int seat, uint64_t seed,
                                       struct banyan_error *err)
{
    struct perfect *perfect = ctx;
    (void)state;
    (void)seat; /* one player moves at a time, and the values are theirs */
    (void)err;
    banyan_rng_seed(&perfect->rng, seed);
    return BANYAN_OK;
}

static enum banyan_status perfect_choose(void *ctx, const void *state,
                                         const struct banyan_player_clock *clock,
                                         struct banyan_player_move *out, struct banyan_error *err)
{
    struct perfect *perfect = ctx;
    double start_ms = clock_now_ms();
    int count = 0, optimal = 0;
    banyan_exact_set_stop(perfect->exact, clock ? clock->stop : NULL);
    enum banyan_status status =
        banyan_exact_actions(perfect->exact, state, perfect->rows, &count, err);
    if (status != BANYAN_OK)
        return status;
    for (int i = 0; i < count; ++i)
        optimal += perfect->rows[i].optimal;
    uint32_t skip = banyan_rng_below(&perfect->rng, (uint32_t)optimal);
    const struct banyan_exact_action *row = perfect->rows;
    while (!row->optimal || skip--)
        ++row;
    *out = (struct banyan_player_move){.action = row->action,
                                       .value = row->value,
                                       .elapsed_ms = clock_now_ms() - start_ms,
                                       .exact = true,
                                       .score = (double)NAN};
    return BANYAN_OK;
}

static void perfect_close(void *ctx)
{
    struct perfect *perfect = ctx;
    banyan_exact_destroy(perfect->exact);
    free(perfect);
}

enum banyan_status player_perfect_create(const struct banyan_game *game, const char *args,
                                         const struct banyan_offer *offers, uint64_t seed,
                                         struct banyan_player *out, struct banyan_error *err)
{
    struct perfect_settings settings = {.memory_bytes = 256 << 20};
    enum banyan_status status = banyan_options_parse(perfect_table, &settings, args, err);
    if (status != BANYAN_OK)
        return status;
    struct perfect *perfect =
        malloc(sizeof *perfect + (size_t)game->max_legal * sizeof *perfect->rows);
    if (!perfect)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'perfect'");
    perfect->game = game;
    banyan_rng_seed(&perfect->rng, seed);
    status = banyan_exact_create(&perfect->exact, game, settings.memory_bytes, err);
    if (status != BANYAN_OK) {
        free(perfect);
        return status;
    }
    out->ctx = perfect;
    out->open = perfect_open;
    out->choose = perfect_choose;
    out->close = perfect_close;
    return BANYAN_OK;
}
