/* Three players on one board. max^n, paranoid and coalition each play 200 games against two of
 * max^n. Two players who search as a coalition must win more often together than when both
 * search max^n, on the same boards with the same seeds. docs/results.md quotes the shares. */
#include <banyan/evaluator.h>
#include <banyan/game.h>
#include <banyan/rng.h>
#include <banyan/search.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLAYERS = 3, GAMES = 200, SIMULATIONS = 150 };

/* How the players of one game search. */
struct table {
    const struct banyan_game *game;
    struct banyan_evaluator evaluator;
    int opponents[PLAYERS]; /* enum banyan_search_opponents of each seat */
    int odd;                /* the seat that is alone, where others are a coalition */
};

static struct banyan_search *sit_down(struct table *table, int seat, uint64_t seed)
{
    struct banyan_search_options options;
    struct banyan_search *search;
    banyan_search_options_default(&options);
    options.opponents = (enum banyan_search_opponents)table->opponents[seat];
    options.seed = seed + (uint64_t)seat;
    options.memory_bytes = (size_t)4 << 20;
    for (int p = 0; p < PLAYERS; ++p)
        options.side[p] = p == table->odd;
    assert_int_equal(banyan_search_create(&search, table->game, &options, &table->evaluator, NULL),
                     BANYAN_OK);
    return search;
}

/* Plays one game; points[seat]: 1 for the winner, shared by equal winners. */
static void play(struct table *table, uint64_t seed, double points[PLAYERS])
{
    static const struct banyan_search_limits limits = {
        .struct_size = sizeof(struct banyan_search_limits), .simulations = SIMULATIONS};
    struct banyan_search *searches[PLAYERS];
    unsigned char *state = malloc(table->game->state_size);
    char setup[48];
    float returns[PLAYERS];
    snprintf(setup, sizeof setup, "size=6x8 seed=%d digits=9", (int)seed);
    assert_int_equal(table->game->init(table->game, state, setup, NULL, NULL), BANYAN_OK);
    for (int seat = 0; seat < PLAYERS; ++seat)
        searches[seat] = sit_down(table, seat, 3 * seed);
    for (unsigned movers; (movers = table->game->movers(table->game, state)) != 0;) {
        int seat = movers == 1 ? 0 : movers == 2 ? 1 : 2;
        struct banyan_search_move move;
        banyan_action joint[PLAYERS];
        assert_int_equal(banyan_search_set_root(searches[seat], state, seat, NULL), BANYAN_OK);
        assert_int_equal(banyan_search_run(searches[seat], &limits, NULL), BANYAN_OK);
        assert_int_equal(banyan_search_choose(searches[seat], seat, &move, NULL), BANYAN_OK);
        joint[0] = joint[1] = joint[2] = move.action;
        table->game->apply(table->game, state, joint, NULL);
    }
    /* each winner gets (share * n - 1) / (n - 1) */
    table->game->returns(table->game, state, returns);
    for (int seat = 0; seat < PLAYERS; ++seat) {
        points[seat] = ((double)returns[seat] * (PLAYERS - 1) + 1) / PLAYERS;
        banyan_search_destroy(searches[seat]);
    }
    free(state);
}

/* Wilson's interval of 95 %. */
static void report(const char *name, double points, double games, double *lo, double *hi)
{
    double z = 1.96, share = points / games, scale = 1 + z * z / games;
    double under = share * (1 - share) / games + z * z / (4 * games * games), root = 1;
    for (int i = 0; i < 60; ++i)
        root = (root + under / root) / 2;
    *lo = (share + z * z / (2 * games) - z * root) / scale;
    *hi = (share + z * z / (2 * games) + z * root) / scale;
    print_message("%-44s %6.1f of %3.0f = %.3f [%.3f, %.3f]\n", name, points, games, share, *lo,
                  *hi);
}

static struct table open_table(void)
{
    struct table table = {.odd = 2};
    assert_int_equal(banyan_game_find("mushroom-n3", &table.game, NULL), BANYAN_OK);
    assert_int_equal(banyan_evaluator_create(table.game, "rollout:policy=rectangles", NULL,
                                             &table.evaluator, NULL),
                     BANYAN_OK);
    return table;
}

/* Plays each model in every seat in turn, against two of max^n. */
static void test_models(void **unused)
{
    (void)unused;
    static const char *const names[3] = {"max^n against two of max^n",
                                         "paranoid against two of max^n",
                                         "coalition of the others against two of max^n"};
    static const int models[3] = {BANYAN_OPPONENTS_MAXN, BANYAN_OPPONENTS_PARANOID,
                                  BANYAN_OPPONENTS_COALITION};
    struct table table = open_table();
    for (int m = 0; m < 3; ++m) {
        double sum = 0, lo, hi;
        for (int game = 0; game < GAMES; ++game) {
            double points[PLAYERS];
            int seat = game % PLAYERS;
            for (int p = 0; p < PLAYERS; ++p)
                table.opponents[p] = p == seat ? models[m] : BANYAN_OPPONENTS_MAXN;
            table.odd = seat;
            play(&table, (uint64_t)(1 + game / PLAYERS), points);
            sum += points[seat];
        }
        report(names[m], sum, GAMES, &lo, &hi);
        assert_true(sum > 0 && sum < GAMES);
    }
    banyan_evaluator_close(&table.evaluator);
}

static void test_coalition(void **unused)
{
    (void)unused;
    struct table table = open_table();
    double sums[2] = {0, 0}, lo[2], hi[2];
    for (int together = 0; together < 2; ++together) {
        for (int game = 0; game < GAMES; ++game) {
            double points[PLAYERS];
            table.odd = game % PLAYERS;
            for (int p = 0; p < PLAYERS; ++p)
                table.opponents[p] =
                    together && p != table.odd ? BANYAN_OPPONENTS_COALITION : BANYAN_OPPONENTS_MAXN;
            play(&table, (uint64_t)(1001 + game / PLAYERS), points);
            sums[together] += 1 - points[table.odd];
        }
        report(together ? "two as a coalition win" : "the same two as max^n win", sums[together],
               GAMES, &lo[together], &hi[together]);
    }
    assert_true(sums[1] > sums[0]);
    banyan_evaluator_close(&table.evaluator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_coalition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
