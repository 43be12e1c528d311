/* Proofs by PUCT where the priors leave actions out. */
#include "searching.h"

/* Nearly all of the prior goes to the first legal action, whatever it is. */
static enum banyan_status first_only(void *ctx, struct banyan_leaf *leaves, int n,
                                     struct banyan_error *err)
{
    (void)ctx, (void)err;
    for (int i = 0; i < n; ++i)
        for (int p = 0; p < 2; ++p) {
            leaves[i].values[p] = 0;
            for (int k = 0; leaves[i].movers >> p & 1 && k < leaves[i].count[p]; ++k)
                leaves[i].priors[p][k] = k ? 1e-9f : 1;
        }
    return BANYAN_OK;
}

/* Simulations until the position is proven. */
static int64_t until_proven(const char *game, const char *setup, int64_t most)
{
    struct searching s;
    struct banyan_search_stats stats;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = most};
    memset(&s, 0, sizeof s);
    searching_check(&s, banyan_game_find(game, &s.game, &s.err));
    banyan_search_options_default(&s.options);
    s.options.rule = BANYAN_RULE_PUCT;
    s.evaluator = (struct banyan_evaluator){.struct_size = sizeof s.evaluator,
                                            .name = "first",
                                            .wants_actions = true,
                                            .reentrant = true,
                                            .evaluate = first_only};
    searching_check(&s, banyan_search_create(&s.search, s.game, &s.options, &s.evaluator, &s.err));
    s.state = calloc(1, s.game->state_size);
    searching_check(&s, s.game->init(s.game, s.state, setup, NULL, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
    banyan_search_stats(s.search, &stats, sizeof stats);
    int64_t simulations = (int64_t)stats.simulations;
    searching_close(&s);
    return simulations;
}

/* Few squares are left.  If the search went on visiting the lost action of high prior, the other ones would come to
 * their first visit after some billions of simulations. */
static void actions_of_small_prior_are_tried(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *setup;
        int64_t most;
    } rows[] = {{"tictactoe", "moves:b2 a1 c3 a3", 200},
                {"tictactoe", "moves:a1 b2", 3000},
                {"tictactoe", NULL, 30000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        int64_t simulations = until_proven(rows[i].game, rows[i].setup, 20 * rows[i].most);
        if (simulations > rows[i].most)
            fail_msg("%s %s: not proven after %lld simulations", rows[i].game,
                     rows[i].setup ? rows[i].setup : "", (long long)simulations);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(actions_of_small_prior_are_tried)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
