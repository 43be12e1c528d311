/* The memory of a search.  When the system gives none, the search says so, at any of its allocations, and frees
 * all that it took.  What it takes is what it counts, and it writes nothing behind its blocks. */
#include "refused_memory.h"

#include <banyan/evaluator.h>
#include <banyan/exact.h>
#include <banyan/search.h>

#include "search/amaf.h"
#include "search/search.h"

#include <limits.h>
#include <stdio.h>

struct searched {
    const char *game, *options, *evaluator;
    bool only_made; /* not run: a run takes fewer actions of a hidden game for lack of memory */
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

/* A random game takes memory for the actions of a state where they may be many. */
static enum banyan_status rollouts(void *ctx, struct banyan_error *err)
{
    const struct banyan_game *game = ctx;
    static unsigned char state[1 << 12];
    struct banyan_evaluator evaluator;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    assert_true(game->state_size <= sizeof state);
    enum banyan_status status = game->init(game, state, NULL, &rng, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, "rollout", NULL, &evaluator, err);
    if (status != BANYAN_OK)
        return status;
    struct banyan_leaf leaf = {.game = game, .state = state, .movers = 1, .rng = &rng};
    status = evaluator.evaluate(evaluator.ctx, &leaf, 1, err);
    banyan_evaluator_close(&evaluator);
    return status;
}

static void rollouts_without_memory(void **unused)
{
    (void)unused;
    const struct banyan_game *tictactoe;
    assert_int_equal(banyan_game_find("tictactoe", &tictactoe, NULL), BANYAN_OK);
    struct banyan_game game = *tictactoe;
    game.rollout = NULL;
    game.rollout_logged = NULL;
    game.max_legal = 1000;
    assert_int_equal(refuse_each(rollouts, &game, "rollout"), 2);
}

/* A walk takes memory for each level, and gives it back. */
static enum banyan_status walks(void *ctx, struct banyan_error *err)
{
    const struct banyan_game *game = ctx;
    static unsigned char state[1 << 12];
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    banyan_search_options_default(&options);
    options.memory_bytes = 1 << 20;
    options.rule = BANYAN_RULE_REGRET;
    assert_true(game->state_size <= sizeof state);
    memset(state, 0, sizeof state);
    enum banyan_status status = game->init(game, state, NULL, &rng, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, "rollout", NULL, &evaluator, err);
    if (status != BANYAN_OK)
        return status;
    status = banyan_search_create(&search, game, &options, &evaluator, err);
    if (status == BANYAN_OK) {
        status = banyan_search_set_root(search, state, 0, err);
        if (status == BANYAN_OK)
            status = banyan_search_walk(search, 20, NULL, err);
        banyan_search_destroy(search);
    }
    banyan_evaluator_close(&evaluator);
    return status;
}

static void walks_without_memory(void **unused)
{
    (void)unused;
    static const char *const names[] = {"kuhn", "rps"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const struct banyan_game *game;
        assert_int_equal(banyan_game_find(names[i], &game, NULL), BANYAN_OK);
        assert_true(refuse_each(walks, (void *)(uintptr_t)game, names[i]) >= 7);
    }
}

/* --- what is counted is what is taken --- */

enum { COUNTED_TREES = 4, COUNTED_MEMORY = 16 << 20 };

struct counted {
    const struct banyan_game *game;
    struct banyan_evaluator evaluator;
    struct banyan_search_options options;
    struct banyan_search *search;
    uint32_t arenas[COUNTED_TREES]; /* units of the arenas as they were made */
    unsigned char state[1 << 16];
};

static void counted_check(enum banyan_status status, const struct banyan_error *err)
{
    if (status != BANYAN_OK)
        fail_msg("%s", err->message);
}

static const struct banyan_search *counted_tree(const struct counted *c, int number)
{
    return number ? c->search->parallel.members[number - 1] : c->search;
}

/* Bytes that the search has taken from the system: without its structs, which are no part of its
 * limit, and without the part of an arena that was given up for something else, which is never
 * used. */
static uint64_t counted_taken(const struct counted *c)
{
    int trees = c->options.ensemble;
    uint64_t bytes = 0;
    for (int i = 0; i < refused.held; ++i)
        bytes += refused.blocks[i].size;
    for (int i = 0; i < trees; ++i) {
        const struct banyan_search *one = counted_tree(c, i);
        bytes -= sizeof *one + (one->amaf ? sizeof *one->amaf : 0);
        bytes -= 8 * (uint64_t)(c->arenas[i] - one->tree.size);
    }
    return trees > 1 ? bytes - (uint64_t)trees * sizeof(struct banyan_search *) : bytes;
}

/* `spare`: bytes that may be counted but not taken, because sizes are rounded up. */
static void counted_compare(const struct counted *c, uint64_t spare, const char *when)
{
    struct banyan_search_stats stats;
    banyan_search_stats(c->search, &stats, sizeof stats);
    uint64_t taken = counted_taken(c);
    if (stats.bytes_allocated < taken || stats.bytes_allocated > taken + spare ||
        stats.bytes_allocated > COUNTED_MEMORY)
        fail_msg("%s, %s: %llu bytes are counted, %llu are taken", c->game->name, when,
                 (unsigned long long)stats.bytes_allocated, (unsigned long long)taken);
    assert_true(stats.bytes_used <= stats.bytes_allocated);
}

static void counted_open(struct counted *c, const char *game, const char *options,
                         const char *evaluator)
{
    struct banyan_error err = {.message = ""};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    memset(c, 0, sizeof *c);
    banyan_search_options_default(&c->options);
    c->options.memory_bytes = COUNTED_MEMORY;
    counted_check(banyan_game_find(game, &c->game, &err), &err);
    assert_true(c->game->state_size <= sizeof c->state);
    counted_check(c->game->init(c->game, c->state, NULL, &rng, &err), &err);
    counted_check(banyan_options_parse(banyan_search_option_table(), &c->options, options, &err),
                  &err);
    counted_check(banyan_evaluator_create(c->game, evaluator, NULL, &c->evaluator, &err), &err);
    refused_begin(LONG_MAX);
    counted_check(banyan_search_create(&c->search, c->game, &c->options, &c->evaluator, &err),
                  &err);
    for (int i = 0; i < c->options.ensemble; ++i)
        c->arenas[i] = counted_tree(c, i)->tree.size;
}

static void counted_run(struct counted *c, int64_t simulations)
{
    struct banyan_error err = {.message = ""};
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = simulations};
    counted_check(banyan_search_set_root(c->search, c->state, -1, &err), &err);
    counted_check(banyan_search_run(c->search, &limits, &err), &err);
}

static void what_is_counted_is_what_is_taken(void **unused)
{
    (void)unused;
    static struct counted c;
    static const struct {
        const char *game, *options, *evaluator;
        int simulations;
    } rows[] = {
        {"tictactoe", "", "rollout", 2000},
        {"tictactoe", "transpositions=on,rule=puct,batch=3", "rollout", 2000},
        {"tictactoe", "threads=3", "rollout", 20000},
        {"tictactoe", "threads=2,batch=4,transpositions=on", "rollout", 5000},
        {"tictactoe", "ensemble=3", "rollout", 2000},
        {"othello", "rule=ucb1-tuned,threads=2", "rollout", 2000},
        {"othello", "root-pruning=1", "rollout", 2000},
        {"hex-5x5", "rule=grave,batch=4", "rollout", 5000},
        {"hex-5x5", "progressive-history=1", "rollout", 5000},
        {"connect4", "rule=gumbel,threads=3", "rollout", 2000},
        {"pig", "widen-factor=1,threads=2", "rollout", 2000},
        {"kuhn", "worlds=3,threads=3", "rollout", 2000},
        {"kuhn", "rule=regret,batch=2", "rollout", 2000},
        {"pokemon", "rule=regret", "heuristic", 1000},
        {"pokemon", "availability=on", "heuristic", 1000},
        {"pokemon", "availability=on,worlds=5,threads=3,rule=ucb1-tuned", "heuristic", 1000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        counted_open(&c, rows[i].game, rows[i].options, rows[i].evaluator);
        counted_compare(&c, 16 * (uint64_t)(c.options.threads + c.options.ensemble), "made");
        counted_run(&c, rows[i].simulations);
        counted_compare(&c, 4096, "after a run");
        banyan_search_destroy(c.search);
        refused.counting = false;
        banyan_evaluator_close(&c.evaluator);
        assert_int_equal(refused.held, 0);
        assert_false(refused.overrun);
    }
}

/* A setting takes only what it needs: here two bytes for each action of the longest list, in units of 16. */
static void what_is_off_takes_nothing(void **unused)
{
    (void)unused;
    static struct counted c;
    uint64_t bytes[2];
    for (int on = 0; on < 2; ++on) {
        counted_open(&c, "othello", on ? "root-pruning=0.5" : "", "rollout");
        bytes[on] = c.search->tree.fixed_bytes;
        banyan_search_destroy(c.search);
        refused.counting = false;
        banyan_evaluator_close(&c.evaluator);
    }
    assert_int_equal(bytes[1] - bytes[0], (2 * (size_t)c.game->max_legal + 15) / 16 * 16);
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
    else if (!strstr(err->message, "the system does not give more memory"))
        fail_msg("%s", err->message);
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

/* The exact values of a position of tic-tac-toe within `memory` bytes.  Returns the most bytes that were taken, without
 * the solver's struct, which is its first block. */
static size_t exact_within(const char *setup, size_t memory, enum banyan_status right)
{
    const struct banyan_game *game;
    double values[BANYAN_MAX_PLAYERS];
    struct banyan_exact *exact;
    struct banyan_error err = {.message = ""};
    unsigned char state[256] = {0};
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    assert_int_equal(game->init(game, state, setup, NULL, NULL), BANYAN_OK);
    refused_begin(LONG_MAX);
    enum banyan_status status = banyan_exact_create(&exact, game, memory, NULL);
    assert_int_equal(status, BANYAN_OK);
    size_t own = refused.blocks[0].size;
    status = banyan_exact_value(exact, state, values, &err);
    banyan_exact_destroy(exact);
    refused.counting = false;
    if (status == BANYAN_NO_MEMORY)
        assert_non_null(strstr(err.message, "the memory allowed"));
    if (status != right)
        fail_msg("%zu bytes: status %d, not %d", memory, (int)status, (int)right);
    assert_int_equal(refused.held, 0);
    assert_false(refused.overrun);
    return refused.most_bytes - own;
}

/* The values need a list of levels, a block for each ply that is left, and a table of 1,024 rows; as much memory is
 * enough, a byte less is not, and never is more taken than allowed. */
static void exact_values_keep_to_their_memory(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    size_t levels = (size_t)game->max_plies * 2 * sizeof(void *);
    size_t block =
        (game->state_size + 15) / 16 * 16 + (size_t)game->max_legal * sizeof(banyan_action);
    size_t row = 1 + game->state_size + 2 * sizeof(double);
    size_t needed = levels + 6 * block + 1024 * row;
    assert_int_equal(exact_within("moves:a1 b2 c3", needed, BANYAN_OK), needed);
    assert_true(exact_within("moves:a1 b2 c3", needed - 1, BANYAN_NO_MEMORY) < needed);
    /* 5,478 positions: while the table grows there are two, of 4,096 and 8,192 rows */
    needed = levels + 9 * block + (4096 + 8192) * row;
    assert_int_equal(exact_within("", needed, BANYAN_OK), needed);
    assert_true(exact_within("", needed - 1, BANYAN_NO_MEMORY) < needed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_without_memory),
        cmocka_unit_test(rollouts_without_memory),
        cmocka_unit_test(walks_without_memory),
        cmocka_unit_test(what_is_counted_is_what_is_taken),
        cmocka_unit_test(what_is_off_takes_nothing),
        cmocka_unit_test(a_solver_without_memory),
        cmocka_unit_test(exact_values_keep_to_their_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
