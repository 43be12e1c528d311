/* Searching while other players think; also run under ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/match.h"
#include "players/player.h"
#include "players/ponder.h"

#include <banyan/search.h>

#include <signal.h>
#include <string.h>
#include <time.h>

static struct banyan_error err;

static const struct banyan_game *game(const char *name)
{
    const struct banyan_game *found;
    if (banyan_game_find(name, &found, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return found;
}

static void check(enum banyan_status status)
{
    if (status != BANYAN_OK)
        fail_msg("%s", err.message);
}

static void wait_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* --- the thread --- */

struct bench {
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    uint64_t state[64];
};

static void bench_open(struct bench *bench, const char *name, const char *text)
{
    const struct banyan_game *of = game(name);
    struct banyan_search_options options;
    struct banyan_rng rng;
    memset(bench, 0, sizeof *bench);
    banyan_rng_seed(&rng, 1);
    banyan_search_options_default(&options);
    check(banyan_options_parse(banyan_search_option_table(), &options, text, &err));
    check(banyan_evaluator_create(of, "rollout", NULL, &bench->evaluator, &err));
    check(banyan_search_create(&bench->search, of, &options, &bench->evaluator, &err));
    check(of->init(of, bench->state, NULL, &rng, &err));
    check(banyan_search_set_root(bench->search, bench->state, -1, &err));
}

static void bench_close(struct bench *bench)
{
    banyan_search_destroy(bench->search);
    banyan_evaluator_close(&bench->evaluator);
}

static uint64_t bench_simulations(const struct bench *bench)
{
    struct banyan_search_stats stats;
    banyan_search_stats(bench->search, &stats, sizeof stats);
    return stats.simulations;
}

/* Ponders until there are more than `wanted` simulations, but not for ever. */
static void bench_ponder(struct bench *bench, struct ponder *ponder, uint64_t wanted)
{
    for (long ms = 1; bench_simulations(bench) <= wanted; ms *= 2) {
        ponder_start(ponder, bench->search);
        assert_true(ponder->running);
        wait_ms(ms);
        check(ponder_stop(ponder, &err));
        assert_false(ponder->running);
    }
    assert_true(bench_simulations(bench) > wanted);
}

static void the_thread_searches_until_it_is_stopped(void **unused)
{
    (void)unused;
    static const char *const options[] = {"", "threads=3", "ensemble=2", "memory=512K,solver=off",
                                          "final=max-robust,agree=on"};
    struct ponder ponder;
    memset(&ponder, 0, sizeof ponder);
    check(ponder_stop(&ponder, &err)); /* nothing runs: no error */
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct bench bench;
        struct banyan_search_move move;
        bench_open(&bench, "othello-6x6", options[i]);
        bench_ponder(&bench, &ponder, 2000);
        uint64_t before = bench_simulations(&bench);
        wait_ms(5);
        assert_int_equal(bench_simulations(&bench), before); /* no simulation after stopping */
        bench_ponder(&bench, &ponder, before + 100);         /* pondering may start again */
        check(banyan_search_choose(bench.search, 0, &move, &err));
        bench_close(&bench);
    }
}

static void a_proven_position_needs_no_stop(void **unused)
{
    (void)unused;
    struct bench bench;
    struct ponder ponder;
    memset(&ponder, 0, sizeof ponder);
    bench_open(&bench, "othello-4x4", "");
    for (int i = 0; i < 100; ++i) { /* the solver ends the thread after a while */
        ponder_start(&ponder, bench.search);
        wait_ms(1);
        check(ponder_stop(&ponder, &err));
    }
    bench_close(&bench);
}

/* Nobody knows how long the other players think, so sequential halving must not wait for a
 * number of simulations that never comes.  Seven actions share the first of three phases, and
 * the best two get all of the third; one long phase would give equal visits to all. */
static void pondering_halves(void **unused)
{
    (void)unused;
    for (long ms = 20;; ms *= 2) {
        struct bench bench;
        struct ponder ponder;
        struct banyan_search_move rows[7];
        memset(&ponder, 0, sizeof ponder);
        bench_open(&bench, "connect4", "rule=gumbel,solver=off,memory=1M");
        ponder_start(&ponder, bench.search);
        wait_ms(ms);
        check(ponder_stop(&ponder, &err));
        int count = banyan_search_root_moves(bench.search, 0, rows, 7);
        uint64_t made = bench_simulations(&bench);
        bench_close(&bench);
        if (made < 2000) /* the machine was too slow to compare */
            continue;
        assert_int_equal(count, 7);
        assert_true(2ull * rows[0].visits > 3ull * rows[6].visits);
        return;
    }
}

static atomic_bool has_failed;

static enum banyan_status fails(void *ctx, struct banyan_leaf *leaves, int n,
                                struct banyan_error *error)
{
    (void)ctx;
    (void)leaves;
    (void)n;
    atomic_store(&has_failed, true);
    return banyan_fail(error, BANYAN_IO, "the lamp went out");
}

static void a_failure_is_told_when_it_stops(void **unused)
{
    (void)unused;
    struct bench bench;
    struct ponder ponder;
    memset(&ponder, 0, sizeof ponder);
    bench_open(&bench, "othello-6x6", "");
    bench.evaluator.evaluate = fails;
    ponder_start(&ponder, bench.search);
    while (!atomic_load(&has_failed))
        wait_ms(1);
    assert_int_equal(ponder_stop(&ponder, &err), BANYAN_IO);
    assert_string_equal(err.message, "the lamp went out");
    check(ponder_stop(&ponder, &err)); /* once */
    bench_close(&bench);
}

static void signals_are_left_to_others(void **unused)
{
    (void)unused;
    sigset_t before, after;
    struct bench bench;
    struct ponder ponder;
    memset(&ponder, 0, sizeof ponder);
    bench_open(&bench, "othello-6x6", "");
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    ponder_start(&ponder, bench.search);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    assert_int_equal(sigismember(&after, SIGINT), 0);
    check(ponder_stop(&ponder, &err));
    bench_close(&bench);
}

/* --- the player --- */

struct seat {
    const struct banyan_game *of;
    struct banyan_player player;
    uint64_t state[64], before[64];
};

static void seat_open(struct seat *seat, const char *name, const char *spec)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    memset(seat, 0, sizeof *seat);
    seat->of = game(name);
    check(banyan_player_create(seat->of, spec, NULL, 1, &seat->player, &err));
    check(seat->of->init(seat->of, seat->state, NULL, &rng, &err));
    check(seat->player.open(seat->player.ctx, seat->state, 0, 7, &err));
}

static void seat_play(struct seat *seat, banyan_action action)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    int mover = seat->of->movers(seat->of, seat->state) & 1 ? 0 : 1;
    joint[mover] = action;
    memcpy(seat->before, seat->state, sizeof seat->before);
    seat->of->apply(seat->of, seat->state, joint, NULL);
    check(seat->player.observe(seat->player.ctx, seat->before, joint, seat->state, &err));
}

static struct banyan_player_move seat_choose(struct seat *seat)
{
    struct banyan_player_move move;
    check(seat->player.choose(seat->player.ctx, seat->state, NULL, &move, &err));
    return move;
}

/* Visits of the action chosen at the second decision, if the other player took thinking_ms to
 * answer. */
static uint64_t visits_after(const char *spec, long thinking_ms)
{
    struct seat seat;
    banyan_action legal[64];
    seat_open(&seat, "othello-6x6", spec);
    seat_play(&seat, seat_choose(&seat).action);
    wait_ms(thinking_ms);
    seat.of->legal(seat.of, seat.state, 1, legal);
    seat_play(&seat, legal[0]);
    struct banyan_player_move move = seat_choose(&seat);
    /* simulations of the decision; those of pondering are not counted */
    assert_int_equal(move.simulations, 100);
    banyan_player_close(&seat.player);
    return move.visits;
}

static void the_others_time_is_used(void **unused)
{
    (void)unused;
    const char *alone = "mcts:simulations=100,solver=off", *with =
                                                               "mcts:simulations=100,solver=off,"
                                                               "ponder=on";
    assert_true(visits_after(alone, 0) <= 200);
    assert_int_equal(visits_after(alone, 0), visits_after(alone, 30));
    uint64_t visits = 0;
    for (long ms = 10; visits <= 200; ms *= 2)
        visits = visits_after(with, ms);
    assert_true(visits > 200);
}

static void it_ends_with_whatever_comes(void **unused)
{
    (void)unused;
    struct seat seat;
    uint64_t start[64];
    seat_open(&seat, "othello-6x6", "mcts:simulations=50,ponder=on");
    memcpy(start, seat.state, sizeof start);
    for (int round = 0; round < 10; ++round) {
        memcpy(seat.state, start, sizeof start);
        check(seat.player.open(seat.player.ctx, seat.state, 0, 7, &err)); /* while it ponders */
        seat_play(&seat, seat_choose(&seat).action);
        wait_ms(round % 3);
    }
    memcpy(seat.state, start, sizeof start);
    seat_choose(&seat); /* a position that the player has not pondered about */
    seat_play(&seat, seat_choose(&seat).action);
    banyan_player_close(&seat.player); /* while it ponders */
}

static void games_go_well(void **unused)
{
    (void)unused;
    static const char *const games[] = {"othello-6x6", "connect4", "tictactoe", "pig",
                                        "kuhn",        "rps",      "pig-3"};
    for (size_t i = 0; i < sizeof games / sizeof *games; ++i) {
        const char *const specs[] = {"mcts:simulations=30,ponder=on", "random",
                                     "mcts:simulations=20,ponder=on,threads=2"};
        const struct banyan_game *of = game(games[i]);
        struct match_options options;
        struct match_result result;
        match_options_default(&options);
        options.games = 6;
        options.jobs = 2;
        check(match_run(of, specs, of->players, &options, &result, &err));
        assert_int_equal(result.games, 6);
    }
}

static void it_needs_a_tree_that_is_kept(void **unused)
{
    (void)unused;
    struct banyan_player player;
    assert_int_equal(
        banyan_player_create(game("tictactoe"), "mcts:ponder=on,reuse=off", NULL, 1, &player, &err),
        BANYAN_INVALID);
    assert_non_null(strstr(err.message, "ponder needs reuse=on"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_thread_searches_until_it_is_stopped),
        cmocka_unit_test(pondering_halves),
        cmocka_unit_test(a_proven_position_needs_no_stop),
        cmocka_unit_test(a_failure_is_told_when_it_stops),
        cmocka_unit_test(signals_are_left_to_others),
        cmocka_unit_test(the_others_time_is_used),
        cmocka_unit_test(it_ends_with_whatever_comes),
        cmocka_unit_test(games_go_well),
        cmocka_unit_test(it_needs_a_tree_that_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
