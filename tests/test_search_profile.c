/* The profile of a search: each count is what was counted from outside. */
#include "searching.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

struct counted {
    atomic_int evaluated;
};

static enum banyan_status count_leaves(void *ctx, struct banyan_leaf *leaves, int n,
                                       struct banyan_error *err)
{
    struct counted *counted = ctx;
    (void)err;
    atomic_fetch_add(&counted->evaluated, n);
    for (int i = 0; i < n; ++i)
        for (int p = 0; p < leaves[i].game->players; ++p)
            leaves[i].values[p] = 0;
    return BANYAN_OK;
}

static void open_counted(struct searching *s, struct counted *counted, const char *game,
                         const char *setup, const char *options)
{
    struct banyan_rng rng;
    memset(s, 0, sizeof *s);
    banyan_rng_seed(&rng, 1);
    atomic_init(&counted->evaluated, 0);
    s->evaluator = (struct banyan_evaluator){.struct_size = sizeof s->evaluator,
                                             .name = "counted",
                                             .reentrant = true,
                                             .ctx = counted,
                                             .evaluate = count_leaves};
    searching_check(s, banyan_game_find(game, &s->game, &s->err));
    banyan_search_options_default(&s->options);
    s->options.memory_bytes = (uint64_t)64 << 20;
    searching_check(
        s, banyan_options_parse(banyan_search_option_table(), &s->options, options, &s->err));
    searching_check(s,
                    banyan_search_create(&s->search, s->game, &s->options, &s->evaluator, &s->err));
    s->state = calloc(1, s->game->state_size);
    assert_non_null(s->state);
    searching_check(s, s->game->init(s->game, s->state, setup, &rng, &s->err));
    searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
}

static uint64_t sum_of(const struct banyan_search_profile *profile)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof profile->depth / sizeof *profile->depth; ++i)
        sum += profile->depth[i];
    return sum;
}

/* Every simulation copies the root once and is backed up once, from one depth; every leaf that is not the end of
 * a game is evaluated; where players alternate, every choice is applied. */
static void counts_of_simulations(void **unused)
{
    static const struct {
        const char *game, *options;
        bool alternate;
    } rows[] = {{"connect4", "solver=off", true},
                {"connect4", "solver=off,batch=8", false},
                {"connect4", "solver=off,threads=2", false},
                {"connect4", "solver=off,ensemble=3", true},
                {"othello", "solver=off,rule=puct", true},
                {"tictactoe", "solver=off,expand-visits=3", true},
                {"pig", "solver=off", true},
                {"kuhn", "solver=off", true},
                {"rps", "", false}};
    enum { SIMULATIONS = 700 };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct searching s;
        struct counted counted;
        struct banyan_search_profile profile;
        char options[64];
        snprintf(options, sizeof options, "profile%s%s", *rows[i].options ? "," : "",
                 rows[i].options);
        open_counted(&s, &counted, rows[i].game, NULL, options);
        searching_run(&s, SIMULATIONS);
        banyan_search_profile(s.search, &profile, sizeof profile);
        struct banyan_search_stats stats;
        banyan_search_stats(s.search, &stats, sizeof stats);
        uint64_t plies = 0;
        for (size_t d = 0; d < sizeof profile.depth / sizeof *profile.depth; ++d)
            plies += d * profile.depth[d];
        if (profile.backups != SIMULATIONS || sum_of(&profile) != SIMULATIONS ||
            profile.evaluations != (uint64_t)atomic_load(&counted.evaluated) ||
            profile.copies < SIMULATIONS || (rows[i].alternate && profile.applies != plies) ||
            (rows[i].alternate && profile.selects != plies))
            fail_msg("%s %s: %llu backups, %llu depths, %llu evaluations (%d), %llu copies, %llu "
                     "applies and %llu selects of %llu plies",
                     rows[i].game, options, (unsigned long long)profile.backups,
                     (unsigned long long)sum_of(&profile), (unsigned long long)profile.evaluations,
                     atomic_load(&counted.evaluated), (unsigned long long)profile.copies,
                     (unsigned long long)profile.applies, (unsigned long long)profile.selects,
                     (unsigned long long)plies);
        assert_true(fabs(stats.mean_depth * SIMULATIONS - (double)plies) < 1e-6);
        assert_true(profile.backup_ms >= 0 && profile.select_ms >= 0 && profile.apply_ms >= 0 &&
                    profile.evaluate_ms >= 0 && profile.expand_ms >= 0);
        searching_close(&s);
    }
}

/* Without the option no time is measured. */
static void nothing_is_timed_unless_asked(void **unused)
{
    struct searching s;
    struct counted counted;
    struct banyan_search_profile profile;
    (void)unused;
    open_counted(&s, &counted, "connect4", NULL, "");
    searching_run(&s, 500);
    banyan_search_profile(s.search, &profile, sizeof profile);
    assert_true(profile.backup_ms == 0 && profile.select_ms == 0 && profile.apply_ms == 0 &&
                profile.evaluate_ms == 0 && profile.expand_ms == 0);
    searching_close(&s);
}

/* In a chain each simulation goes one deeper than the one before; the last number counts all that are deeper
 * than 62. */
static void depths_of_a_chain(void **unused)
{
    enum { LENGTH = 80 };
    char setup[6 * LENGTH + 16];
    size_t used = 0;
    struct searching s;
    struct counted counted;
    struct banyan_search_profile profile;
    (void)unused;
    for (int i = 0; i < LENGTH; ++i)
        used += (size_t)snprintf(setup + used, sizeof setup - used, "(1 A:");
    used += (size_t)snprintf(setup + used, sizeof setup - used, "[0]");
    for (int i = 0; i < LENGTH; ++i)
        used += (size_t)snprintf(setup + used, sizeof setup - used, ")");
    open_counted(&s, &counted, "tree", setup, "profile,solver=off");
    searching_run(&s, LENGTH);
    banyan_search_profile(s.search, &profile, sizeof profile);
    for (int d = 0; d < 63; ++d)
        assert_true(profile.depth[d] <= 2);
    assert_true(profile.depth[62] == 1 && profile.depth[20] == 1);
    assert_in_range(profile.depth[63], LENGTH - 64, LENGTH - 62);
    assert_true(sum_of(&profile) == LENGTH);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_simulations),
        cmocka_unit_test(nothing_is_timed_unless_asked),
        cmocka_unit_test(depths_of_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
