/* Duel in C: the twin of the game in test_define.py.  Prints the signature of a search.
 *
 *     twin SEED SIMULATIONS EVALUATOR [OPTION=VALUE...]
 *
 * Each player holds a hidden card of 1..6.  In each of three rounds both bid at the same time, up to their
 * card's half; then a die is rolled: who has card + die >= 7 wins their bid plus one, the other loses it. */
#include <banyan/search.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct duel {
    int8_t card[2], score[2], round, unused[3];
};

static enum banyan_status duel_init(const struct banyan_game *game, void *at, const char *setup,
                                    struct banyan_rng *rng, struct banyan_error *err)
{
    struct duel duel = {.round = 0};
    for (int p = 0; p < 2; ++p)
        duel.card[p] = (int8_t)(1 + banyan_rng_below(rng, 6));
    memcpy(at, &duel, sizeof duel);
    return BANYAN_OK;
}

static unsigned duel_movers(const struct banyan_game *game, const void *at)
{
    const struct duel *duel = at;
    return duel->round < 3 ? 3 : 0;
}

static int duel_legal(const struct banyan_game *game, const void *at, int player,
                      banyan_action *out)
{
    const struct duel *duel = at;
    int count = duel->card[player] / 2 + 1;
    for (int i = 0; i < count; ++i)
        out[i] = (banyan_action)i;
    return count;
}

static void duel_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                       struct banyan_dice *dice)
{
    struct duel *duel = at;
    int die = banyan_dice_roll(dice, 0, 6);
    for (int p = 0; p < 2; ++p) {
        int bid = (int)joint[p];
        duel->score[p] = (int8_t)(duel->score[p] + (duel->card[p] + die >= 7 ? bid + 1 : -bid));
    }
    ++duel->round;
}

static float duel_lead(const struct duel *duel, int player)
{
    return (float)(duel->score[player] - duel->score[!player]) / 32;
}

static void duel_returns(const struct banyan_game *game, const void *at, float *out)
{
    for (int p = 0; p < 2; ++p)
        out[p] = duel_lead(at, p);
}

static float duel_heuristic(const struct banyan_game *game, const void *at, int player)
{
    return duel_lead(at, player);
}

static uint64_t duel_key(const struct banyan_game *game, const void *at, int viewer)
{
    const struct duel *duel = at;
    uint64_t seen = (uint64_t)viewer + 2 * (uint64_t)duel->card[viewer] +
                    100 * (uint64_t)duel->round + 1000 * (uint64_t)(50 + duel->score[0]) +
                    100000 * (uint64_t)(50 + duel->score[1]);
    return banyan_rng_child(0, "key", seen);
}

static void duel_determinize(const struct banyan_game *game, void *at, int viewer,
                             struct banyan_rng *rng)
{
    struct duel *duel = at;
    duel->card[!viewer] = (int8_t)(1 + banyan_rng_below(rng, 6));
}

static int duel_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct duel *duel = at;
    return snprintf(out, size, "%d %d %d %d %d", duel->card[0], duel->card[1], duel->score[0],
                    duel->score[1], duel->round);
}

static int duel_action_format(const struct banyan_game *game, const void *at, int player,
                              banyan_action action, char *out, size_t size)
{
    return snprintf(out, size, "%d", (int)action);
}

static const struct banyan_game duel_game = {
    .struct_size = sizeof(struct banyan_game),
    .name = "duel",
    .title = "Duel",
    .players = 2,
    .state_size = sizeof(struct duel),
    .action_bytes = 1,
    .action_count = 4,
    .max_legal = 4,
    .max_plies = 3,
    .return_min = -1,
    .return_max = 1,
    .traits = BANYAN_CHANCE | BANYAN_SIMULTANEOUS | BANYAN_HIDDEN | BANYAN_ZERO_SUM,
    .init = duel_init,
    .movers = duel_movers,
    .legal = duel_legal,
    .apply = duel_apply,
    .returns = duel_returns,
    .key = duel_key,
    .format = duel_format,
    .action_format = duel_action_format,
    .determinize = duel_determinize,
    .heuristic = duel_heuristic,
};

static int failed(const struct banyan_error *err)
{
    fprintf(stderr, "twin: %s\n", err->message);
    return 1;
}

int main(int argc, char **argv)
{
    struct banyan_search_options options;
    struct banyan_search_limits limits = {.struct_size = sizeof limits};
    struct banyan_evaluator evaluator = {.struct_size = sizeof evaluator};
    struct banyan_search *search;
    struct banyan_error err;
    struct banyan_rng rng;
    struct duel duel;
    if (argc < 4)
        return 2;
    banyan_search_options_default(&options);
    for (int i = 4; i < argc; ++i) {
        char *value = strchr(argv[i], '=');
        if (!value)
            return 2;
        *value++ = 0;
        if (banyan_options_set(banyan_search_option_table(), &options, argv[i], value, &err) !=
            BANYAN_OK)
            return failed(&err);
    }
    banyan_rng_seed(&rng, banyan_rng_child(strtoull(argv[1], NULL, 10), "position", 0));
    duel_init(&duel_game, &duel, NULL, &rng, &err);
    limits.simulations = strtoll(argv[2], NULL, 10);
    if (banyan_evaluator_create(&duel_game, argv[3], NULL, &evaluator, &err) != BANYAN_OK ||
        banyan_search_create(&search, &duel_game, &options, &evaluator, &err) != BANYAN_OK ||
        banyan_search_set_root(search, &duel, 0, &err) != BANYAN_OK ||
        banyan_search_run(search, &limits, &err) != BANYAN_OK)
        return failed(&err);
    printf("%llu\n", (unsigned long long)banyan_search_signature(search));
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return 0;
}
