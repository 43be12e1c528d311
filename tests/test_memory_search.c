/* What a search does when the system gives no memory: at any of its allocations it says so and frees all
 * that it took. */
#include "refused_memory.h"

#include <banyan/evaluator.h>
#include <banyan/exact.h>
#include <banyan/search.h>

#include <stdio.h>

struct searched {
    const char *game, *options, *evaluator;
    bool only_made; /* a run copes with less memory: it takes fewer of a hidden game's actions */
};

static bool no_text(void *ctx, const char *text, size_t length)
{
    (void)text;
    *(size_t *)ctx += length;
    return true;
}

static enum banyan_status writes(const struct banyan_search *search, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int format = BANYAN_TREE_TEXT; format <= BANYAN_TREE_HTML && status == BANYAN_OK;
         ++format) {
        struct banyan_search_tree_view view = {.format = (enum banyan_search_tree_format)format,
                                               .depth = 1};
        size_t length = 0;
        status = banyan_search_write_tree(search, &view, no_text, &length, err);
    }
    return status;
}

static enum banyan_status uses(struct banyan_search *search, const void *state,
                               struct banyan_error *err)
{
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 30};
    struct banyan_search_move move;
    enum banyan_status status = banyan_search_set_root(search, state, 0, err);
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, err);
    if (status == BANYAN_OK)
        status = banyan_search_choose(search, 0, &move, err);
    if (status == BANYAN_OK)
        status = writes(search, err);
    return status;
}

static enum banyan_status searches(void *ctx, struct banyan_error *err)
{
    const struct searched *how = ctx;
    static unsigned char state[1 << 16];
    const struct banyan_game *game;
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    banyan_search_options_default(&options);
    options.memory_bytes = 4 << 20;
    enum banyan_status status = banyan_game_find(how->game, &game, err);
    if (status == BANYAN_OK)
        status = banyan_options_parse(banyan_search_option_table(), &options, how->options, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, how->evaluator, NULL, &evaluator, err);
    if (status != BANYAN_OK)
        return status;
    assert_true(game->state_size <= sizeof state);
    status = banyan_search_create(&search, game, &options, &evaluator, err);
    if (status == BANYAN_OK) {
        memset(state, 0, game->state_size);
        status = game->init(game, state, NULL, &rng, err);
        if (status == BANYAN_OK)
            status = how->only_made ? BANYAN_OK : uses(search, state, err);
        banyan_search_destroy(search);
    }
    banyan_evaluator_close(&evaluator);
    return status;
}

static void searches_without_memory(void **unused)
{
    (void)unused;
    struct searched hows[] = {
        {"tictactoe", "", "rollout", false},
        {"tictactoe", "transpositions=on,rule=puct", "cache:size=64,rollout", false},
        {"tictactoe", "ensemble=3", "rollout", false},
        {"tictactoe", "rule=grave", "rollout", false},
        {"tictactoe", "rule=gumbel,batch=4", "mast", false},
        {"kuhn", "rule=regret", "rollout", true},
        {"pig", "widen-factor=1", "mixture:weight=0.5,rollout:cutoff=3|uniform", false},
        {"othello-6x6", "implicit-minimax=0.3", "script:0 1 -1", false},
        {"pokemon", "worlds=2,availability=on", "heuristic", true},
    };
    for (size_t i = 0; i < sizeof hows / sizeof *hows; ++i) {
        char what[128];
        snprintf(what, sizeof what, "%s %s %s", hows[i].game, hows[i].options, hows[i].evaluator);
        assert_true(refuse_each(searches, &hows[i], what) >= 4);
    }
}

static enum banyan_status solves(void *ctx, struct banyan_error *err)
{
    const struct banyan_game *game = ctx;
    static unsigned char state[1 << 12];
    double values[BANYAN_MAX_PLAYERS];
    struct banyan_exact *exact;
    assert_true(game->state_size <= sizeof state);
    memset(state, 0, game->state_size);
    enum banyan_status status = game->init(game, state, "moves:a1 b2 c3", NULL, err);
    if (status == BANYAN_OK)
        status = banyan_exact_create(&exact, game, 1 << 20, err);
    if (status != BANYAN_OK)
        return status;
    status = banyan_exact_value(exact, state, values, err);
    if (status == BANYAN_OK)
        assert_true(values[0] == -values[1]);
    banyan_exact_destroy(exact);
    return status;
}

static void a_solver_without_memory(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    assert_true(refuse_each(solves, (void *)game, "exact values") >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_without_memory),
        cmocka_unit_test(a_solver_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
