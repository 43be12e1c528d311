/* Players by name: what they choose, their clocks, outside programs, people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/playing.h"
#include "players/budget.h"
#include "players/player.h"
#include "players/program/offers.h"

#include <banyan/evaluator.h>
#include <banyan/exact.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAKE     TEST_DATA "/engines/fake.sh"
#define FAKE_GTP TEST_DATA "/engines/fake_gtp.sh"

static struct banyan_error err;
static const struct banyan_game *tictactoe;
static const void *start; /* where duels start; NULL: the usual start */

static const struct banyan_game *game(const char *name)
{
    const struct banyan_game *found;
    if (banyan_game_find(name, &found, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return found;
}

static struct banyan_player made(const struct banyan_game *of, const char *text)
{
    struct banyan_player player;
    if (banyan_player_create(of, text, program_offers, 1, &player, &err) != BANYAN_OK)
        fail_msg("%s: %s", text, err.message);
    return player;
}

static void refused(const struct banyan_game *of, const char *text, enum banyan_status status,
                    const char *part)
{
    struct banyan_player player;
    enum banyan_status got = banyan_player_create(of, text, program_offers, 1, &player, &err);
    if (got != status || !strstr(err.message, part))
        fail_msg("%s: status %d, '%s' lacks '%s'", text, (int)got, err.message, part);
    assert_null(player.close);
}

/* Plays one game of a against b; *returns of a.  Stops at the first failure. */
static enum banyan_status duel(const struct banyan_game *of, struct banyan_player *a,
                               struct banyan_player *b, uint64_t seed, float *returns)
{
    struct playing table;
    uint64_t state[64] = {0}, seeds[2] = {seed, seed + 1};
    struct banyan_player *players[2] = {a, b};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, seed);
    assert_int_equal(playing_create(&table, of, &err), BANYAN_OK);
    assert_int_equal(of->init(of, state, NULL, &rng, &err), BANYAN_OK);
    if (start)
        memcpy(state, start, of->state_size);
    enum banyan_status status = playing_begin(&table, state, players, seeds, seed, &err);
    while (status == BANYAN_OK && playing_movers(&table))
        status = playing_step(&table, &err);
    if (status == BANYAN_OK)
        of->returns(of, table.state, returns);
    playing_destroy(&table);
    return status;
}

static float plays(const struct banyan_game *of, const char *a, const char *b, uint64_t seed)
{
    struct banyan_player player_a = made(of, a), player_b = made(of, b);
    float returns[BANYAN_MAX_PLAYERS] = {0};
    if (duel(of, &player_a, &player_b, seed, returns) != BANYAN_OK)
        fail_msg("%s against %s: %s", a, b, err.message);
    banyan_player_close(&player_a);
    banyan_player_close(&player_b);
    return returns[0];
}

/* Checks that a duel with this player fails, with this status and message. */
static void fails(const char *spec, enum banyan_status status, const char *part)
{
    struct banyan_player player = made(tictactoe, spec), other = made(tictactoe, "first");
    float returns[BANYAN_MAX_PLAYERS];
    enum banyan_status got = duel(tictactoe, &other, &player, 1, returns);
    if (got != status || !strstr(err.message, part) || strchr(err.message, '\n'))
        fail_msg("%s: status %d, '%s' lacks '%s'", spec, (int)got, err.message, part);
    banyan_player_close(&player);
    banyan_player_close(&other);
}

/* --- making them --- */

static void names_are_checked(void **unused)
{
    (void)unused;
    refused(tictactoe, "mctss", BANYAN_NOT_FOUND, "did you mean 'mcts'?");
    refused(tictactoe, "", BANYAN_NOT_FOUND,
            "random, first, perfect, mcts, best, level, net, exec, human");
    refused(tictactoe, "zzzzzzzz:a", BANYAN_NOT_FOUND, "there are: random");
    refused(tictactoe, "random:fast", BANYAN_INVALID, "takes no options");
    refused(tictactoe, "perfect:memory=1", BANYAN_INVALID, "64K");
    refused(tictactoe, "mcts:simulation=5", BANYAN_NOT_FOUND, "did you mean 'simulations'?");
    refused(tictactoe, "mcts:simulations=0", BANYAN_INVALID, "from 1 up");
    refused(tictactoe, "mcts:evaluator=nothing", BANYAN_NOT_FOUND, "nothing");
    refused(tictactoe, "mcts:endgame=on", BANYAN_UNSUPPORTED, "no endgame solver");
    refused(tictactoe, "exec:", BANYAN_INVALID, "needs a command");
    refused(tictactoe, "exec:timeout=0ms:x", BANYAN_INVALID, "a time from 1ms up");
    refused(tictactoe, "exec:gtp:x", BANYAN_UNSUPPORTED, "black and white");
    struct banyan_player player = made(tictactoe, "mcts:simulations=10,name=Fritz");
    assert_string_equal(player.name, "Fritz");
    banyan_player_close(&player);
}

/* Players and evaluators of games that take no options name in their message what they were
 * given. */
static void those_of_games_name_what_they_do_not_take(void **unused)
{
    static const struct {
        const char *game, *player, *message;
    } rows[] = {
        {"mushroom", "greedy:x", "player 'greedy' takes no options, but has 'x'"},
        {"pokemon", "maxpower:x", "player 'maxpower' takes no options, but has 'x'"},
        {"pokemon", "heuristic:x", "player 'heuristic' takes no options, but has 'x'"},
        {"pokemon", "mcts:evaluator=learned:x",
         "the evaluator 'learned' takes no options, but has 'x'"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        refused(game(rows[i].game), rows[i].player, BANYAN_INVALID, rows[i].message);
    refused(game("bloodbowl"), "scripted:knok=7", BANYAN_NOT_FOUND, "did you mean 'knock'?");
}

static void help_names_all(void **unused)
{
    (void)unused;
    char help[16384];
    assert_true(player_help(banyan_player_list(), help, sizeof help) < (int)sizeof help);
    for (const struct banyan_offer *kind = banyan_player_list(); kind->name; ++kind)
        assert_non_null(strstr(help, kind->name));
    assert_true(player_mcts_help(help, sizeof help) < (int)sizeof help);
    assert_non_null(strstr(help, "simulations=1000"));
    assert_non_null(strstr(help, "exploration="));
}

/* --- playing --- */

static void perfect_never_loses(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 50; ++seed) {
        assert_true(plays(tictactoe, "perfect", "random", seed) >= 0);
        assert_true(plays(tictactoe, "random", "perfect", seed) <= 0);
        assert_true(plays(tictactoe, "perfect", "perfect", seed) == 0);
    }
}

/* All nine first moves draw, so each of them must be chosen at some time. */
static void perfect_varies(void **unused)
{
    (void)unused;
    struct banyan_player player = made(tictactoe, "perfect");
    uint64_t state[16] = {0};
    unsigned seen = 0;
    assert_int_equal(tictactoe->init(tictactoe, state, NULL, NULL, &err), BANYAN_OK);
    for (uint64_t seed = 0; seed < 200; ++seed) {
        struct banyan_player_move move;
        char text[16];
        assert_int_equal(player.open(player.ctx, state, 0, seed, &err), BANYAN_OK);
        assert_int_equal(player.choose(player.ctx, state, NULL, &move, &err), BANYAN_OK);
        tictactoe->action_format(tictactoe, state, 0, move.action, text, sizeof text);
        seen |= 1u << (3 * (text[0] - 'a') + text[1] - '1');
        assert_true(move.value == 0 && move.exact);
        assert_true(isnan(move.score) != 0); /* a draw has no points here */
    }
    assert_int_equal(seen, 0x1ff);
    banyan_player_close(&player);
}

static void first_plays_first(void **unused)
{
    (void)unused;
    struct banyan_player player = made(tictactoe, "first");
    uint64_t state[16] = {0};
    struct banyan_player_move move;
    char text[16];
    assert_int_equal(tictactoe->init(tictactoe, state, NULL, NULL, &err), BANYAN_OK);
    assert_int_equal(player.open(player.ctx, state, 0, 5, &err), BANYAN_OK);
    assert_int_equal(player.choose(player.ctx, state, NULL, &move, &err), BANYAN_OK);
    tictactoe->action_format(tictactoe, state, 0, move.action, text, sizeof text);
    assert_string_equal(text, "a1");
    banyan_player_close(&player);
}

static void mcts_is_strong_and_repeatable(void **unused)
{
    (void)unused;
    float sum = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        float first = plays(tictactoe, "mcts:simulations=200", "random", seed);
        assert_true(first == plays(tictactoe, "mcts:simulations=200", "random", seed));
        sum += first;
    }
    assert_true(sum >= 16);
    for (uint64_t seed = 0; seed < 5; ++seed)
        assert_true(plays(tictactoe, "mcts:simulations=4000", "perfect", seed) == 0);
}

/* What a player did in earlier games must not change its play. */
static void games_start_afresh(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"random", "perfect", "mcts:simulations=50",
                                        "mcts:simulations=50,evaluator=(cache:size=1000,rollout)"};
    for (unsigned i = 0; i < sizeof specs / sizeof *specs; ++i) {
        struct banyan_player used = made(tictactoe, specs[i]), other = made(tictactoe, "random");
        for (uint64_t seed = 0; seed < 10; ++seed) {
            float returns[2];
            assert_int_equal(duel(tictactoe, &used, &other, seed, returns), BANYAN_OK);
            assert_true(returns[0] == plays(tictactoe, specs[i], "random", seed));
        }
        banyan_player_close(&used);
        banyan_player_close(&other);
    }
}

static void single_actions_need_no_search(void **unused)
{
    (void)unused;
    struct banyan_player player = made(tictactoe, "mcts:simulations=1000");
    uint64_t state[16] = {0};
    struct banyan_player_move move;
    assert_int_equal(tictactoe->init(tictactoe, state, "xox/oxo/.xo x", NULL, &err), BANYAN_OK);
    assert_int_equal(player.open(player.ctx, state, 0, 1, &err), BANYAN_OK);
    assert_int_equal(player.choose(player.ctx, state, NULL, &move, &err), BANYAN_OK);
    assert_int_equal(move.simulations, 0);
    banyan_player_close(&player);
}

/* Ten squares from the end, the solver's player chooses what a search chooses whose evaluator is
 * the solver, also if the tree comes from earlier moves. */
static void endgames_are_exact(void **unused)
{
    (void)unused;
    const struct banyan_game *othello = game("othello");
    static const char *const specs[2] = {"endgame:empties=12", "mcts:simulations=300,endgame=on"};
    uint64_t state[16];
    for (uint64_t seed = 0; seed < 12; ++seed) {
        float returns[4][2];
        struct banyan_rng rng;
        banyan_rng_seed(&rng, seed);
        assert_int_equal(othello->init(othello, state, NULL, NULL, &err), BANYAN_OK);
        banyan_game_rollout(othello, state, 0, 50, &rng);
        if (!othello->movers(othello, state))
            continue;
        for (int i = 0; i < 4; ++i) {
            struct banyan_player a = made(othello, specs[i & 1]), b = made(othello, specs[i >> 1]);
            start = state;
            assert_int_equal(duel(othello, &a, &b, seed, returns[i]), BANYAN_OK);
            start = NULL;
            banyan_player_close(&a);
            banyan_player_close(&b);
            assert_true(returns[i][0] == returns[0][0]);
        }
    }
}

/* --- time --- */

static void clocks_give_shares(void **unused)
{
    (void)unused;
    struct banyan_player_clock clock = budget_per_move(-1);
    assert_false(budget_limited(&clock, 0));
    assert_false(budget_limited(NULL, 0));
    clock = budget_per_move(50);
    assert_true(budget_limited(&clock, 1));
    assert_true(budget_ms(&clock, 1, 20) == 50);
    clock = (struct banyan_player_clock){.left_ms = {10000, 500}, .increment_ms = 0};
    double budget = budget_ms(&clock, 0, 19);
    assert_true(budget > 450 && budget <= 500);
    clock.increment_ms = 100;
    assert_true(budget_ms(&clock, 0, 19) > budget);
    for (double left = 0; left < 300; left += 0.5) { /* a plan never takes more time than is left */
        clock = (struct banyan_player_clock){.left_ms = {left}, .increment_ms = 3};
        assert_true(budget_ms(&clock, 0, 1) <= left);
        assert_true(budget_ms(&clock, 0, 1) >= 0);
    }
}

static void decisions_are_foreseen(void **unused)
{
    (void)unused;
    uint64_t state[16] = {0};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 3);
    assert_int_equal(tictactoe->init(tictactoe, state, NULL, NULL, &err), BANYAN_OK);
    double left = budget_decisions_left(tictactoe, state, 0, &rng);
    assert_true(left > 3 && left <= 4); /* the ninth move is forced */
    assert_int_equal(tictactoe->init(tictactoe, state, "xox/oxo/.xo x", NULL, &err), BANYAN_OK);
    assert_true(budget_decisions_left(tictactoe, state, 0, &rng) == 1);
}

static void time_limits_hold(void **unused)
{
    (void)unused;
    struct banyan_player player = made(game("othello"), "mcts");
    uint64_t state[16] = {0};
    struct banyan_player_move move;
    struct banyan_player_clock clock = budget_per_move(40);
    assert_int_equal(game("othello")->init(game("othello"), state, NULL, NULL, &err), BANYAN_OK);
    assert_int_equal(player.open(player.ctx, state, 0, 1, &err), BANYAN_OK);
    assert_int_equal(player.choose(player.ctx, state, &clock, &move, &err), BANYAN_OK);
    /* with a time the default of 1000 simulations does not apply */
    assert_true(move.elapsed_ms >= 35);
    banyan_player_close(&player);
    player = made(game("othello"), "mcts:simulations=20");
    assert_int_equal(player.open(player.ctx, state, 0, 1, &err), BANYAN_OK);
    assert_int_equal(player.choose(player.ctx, state, &clock, &move, &err), BANYAN_OK);
    assert_int_equal(move.simulations, 20); /* but a number that is given does */
    banyan_player_close(&player);
}

/* The first decisions of two players in Othello are equal in action, mean and visits. */
static bool decide_alike(const char *a, const char *b)
{
    const char *const texts[] = {a, b};
    struct banyan_player_move moves[2];
    uint64_t state[16] = {0};
    assert_int_equal(game("othello")->init(game("othello"), state, NULL, NULL, &err), BANYAN_OK);
    for (int i = 0; i < 2; ++i) {
        struct banyan_player player = made(game("othello"), texts[i]);
        assert_int_equal(player.open(player.ctx, state, 0, 1, &err), BANYAN_OK);
        assert_int_equal(player.choose(player.ctx, state, NULL, &moves[i], &err), BANYAN_OK);
        banyan_player_close(&player);
    }
    return moves[0].action == moves[1].action && moves[0].visits == moves[1].visits &&
           moves[0].value == moves[1].value;
}

static void priors_make_puct_the_rule(void **unused)
{
    (void)unused;
    assert_true(decide_alike("mcts:evaluator=heuristic", "mcts:rule=puct,evaluator=heuristic"));
    assert_true(decide_alike("mcts:evaluator=(cache:size=99,heuristic),endgame=on",
                             "mcts:evaluator=(cache:size=99,heuristic),endgame=on,rule=puct"));
    assert_true(decide_alike("mcts:evaluator=heuristic,exploration=0.5",
                             "mcts:rule=ucb1,evaluator=heuristic"));
    assert_true(decide_alike("mcts", "mcts:rule=ucb1"));
    assert_false(decide_alike("mcts:evaluator=heuristic", "mcts:rule=ucb1,evaluator=heuristic"));
}

/* --- the best player of a game --- */

enum { BEST_PLIES = 200 };

/* Plays `of` from its start, each seat by `text` with this clock, until a decision has
 * simulations; returns their number; 0: no decision has any. */
static uint64_t best_searches(const struct banyan_game *of, const char *text,
                              const struct banyan_player_clock *clock)
{
    static uint64_t state[BANYAN_STATE_MAX / 8];
    struct banyan_player players[BANYAN_MAX_PLAYERS] = {{0}};
    struct banyan_player_move move = {.simulations = 0};
    struct banyan_rng rng;
    struct banyan_dice dice;
    unsigned movers;
    banyan_rng_seed(&rng, 3);
    banyan_dice_drawn(&dice, &rng);
    assert_true(of->state_size <= sizeof state);
    assert_int_equal(of->init(of, state, NULL, &rng, &err), BANYAN_OK);
    for (int p = 0; p < of->players; ++p) {
        if (banyan_player_create(of, text, NULL, 1, &players[p], &err) != BANYAN_OK)
            fail_msg("%s: %s", of->name, err.message);
        assert_int_equal(players[p].open(players[p].ctx, state, p, 5, &err), BANYAN_OK);
    }
    for (int ply = 0; ply < BEST_PLIES && (movers = of->movers(of, state)); ++ply) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        for (int p = 0; p < of->players && !move.simulations; ++p)
            if (movers >> p & 1) {
                if (players[p].choose(players[p].ctx, state, clock, &move, &err) != BANYAN_OK)
                    fail_msg("%s: %s", of->name, err.message);
                joint[p] = move.action;
            }
        if (move.simulations)
            break;
        of->apply(of, state, joint, &dice);
    }
    for (int p = 0; p < of->players; ++p)
        banyan_player_close(&players[p]);
    return move.simulations;
}

/* The library contains this player, so it needs no file. */
static void every_game_has_a_best_player(void **unused)
{
    (void)unused;
    const struct banyan_game *of;
    for (int i = 0; (of = banyan_game_at(i)); ++i)
        if (best_searches(of, "best:time=2ms", NULL) == 0)
            fail_msg("%s: the best player never searches", of->name);
}

/* Whether a decision of 100 ms has twice as many simulations as one of 3 ms.  A busy machine may give it no processor
 * for so long: then a longer one is compared, up to six seconds. */
static bool more_time_is_used(const struct banyan_game *of, bool is_budget)
{
    bool more = false;
    for (int ms = 100; !more && ms <= 6400; ms *= 2) {
        char text[32];
        struct banyan_player_clock brief = budget_per_move(3), longer = budget_per_move(ms);
        snprintf(text, sizeof text, "best:time=%dms", ms);
        uint64_t few = is_budget ? best_searches(of, "best", &brief)
                                 : best_searches(of, "best:time=3ms", NULL);
        uint64_t many =
            is_budget ? best_searches(of, "best", &longer) : best_searches(of, text, NULL);
        more = many > 2 * few;
    }
    return more;
}

static void best_uses_the_time_it_has(void **unused)
{
    (void)unused;
    static const char *const names[] = {"othello", "mushroom", "bloodbowl-3", "pokemon", "pig"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
        const struct banyan_game *of = game(names[i]);
        if (!more_time_is_used(of, true))
            fail_msg("%s: a longer budget brings hardly more simulations", of->name);
        if (!more_time_is_used(of, false))
            fail_msg("%s: a longer time= brings hardly more simulations", of->name);
    }
}

static void best_passes_options_on(void **unused)
{
    (void)unused;
    assert_int_equal(best_searches(game("othello"), "best:simulations=30", NULL), 30);
    assert_int_equal(best_searches(game("pokemon"), "best:simulations=30", NULL), 30);
    refused(tictactoe, "best:simulation=3", BANYAN_NOT_FOUND, "did you mean 'simulations'?");
    refused(tictactoe, "best:time=0", BANYAN_INVALID, "time=0");
    refused(tictactoe, "best:evaluator=(rollout", BANYAN_INVALID, "parentheses");
}

/* --- outside programs --- */

static void outside_programs_play(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 3; ++seed) {
        assert_true(plays(tictactoe, "perfect", "exec:" FAKE " good", seed) >= 0);
        assert_true(plays(tictactoe, "exec:timeout=900000ms:" FAKE " good", "first", seed) == 1);
    }
    struct banyan_player player = made(tictactoe, "exec:" FAKE " info");
    uint64_t state[16] = {0};
    struct banyan_player_move move;
    assert_int_equal(tictactoe->init(tictactoe, state, NULL, NULL, &err), BANYAN_OK);
    assert_int_equal(player.open(player.ctx, state, 0, 1, &err), BANYAN_OK);
    assert_int_equal(player.choose(player.ctx, state, NULL, &move, &err), BANYAN_OK);
    assert_int_equal(move.simulations, 42);
    assert_true(move.value == 0.25);
    banyan_player_close(&player);
}

static void bad_programs_are_named(void **unused)
{
    (void)unused;
    refused(tictactoe, "exec:/no/such/program", BANYAN_IO, "exit code 127");
    refused(tictactoe, "exec:" FAKE " dead", BANYAN_IO, "ended with exit code 7");
    refused(tictactoe, "exec:" FAKE " babble", BANYAN_CORRUPT, "instead of 'ready NAME'");
    refused(tictactoe, "exec:timeout=200ms:sleep 1000", BANYAN_IO, "did not answer within");
    fails("exec:" FAKE " crash", BANYAN_IO, "ended with exit code 3; it said: out of cheese");
    fails("exec:exec " FAKE " killed", BANYAN_IO, "ended by signal 9");
    fails("exec:" FAKE " garbage", BANYAN_CORRUPT, "answered 'b2' instead of 'action ...'");
    fails("exec:" FAKE " unknown", BANYAN_CORRUPT, "answered 'z99', which is not an action");
    fails("exec:" FAKE " illegal", BANYAN_ILLEGAL, "answered 'a1', which is not legal here");
    fails("exec:" FAKE " flood", BANYAN_CORRUPT, "a line of more than");
    fails("exec:" FAKE " complain", BANYAN_IO, "reports: I do not want to");
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* there are no zombies */
    assert_int_equal(errno, ECHILD);
}

static bool is_gone(long id)
{
    for (;;) {
        char path[64], line[256] = "";
        snprintf(path, sizeof path, "/proc/%ld/stat", id);
        FILE *file = fopen(path, "r");
        if (!file)
            return kill((pid_t)id, 0) != 0;
        if (!fgets(line, sizeof line, file))
            line[0] = 0;
        fclose(file);
        if (strstr(line, ") Z")) /* a zombie: its new parent has still to wait for it */
            return true;
        struct timespec tick = {.tv_nsec = 10000000};
        nanosleep(&tick, NULL);
    }
}

/* A program that hangs is ended, with all processes that it started. */
static void hanging_programs_are_killed(void **unused)
{
    (void)unused;
    long shell = 0, child = 0;
    fails("exec:timeout=10000ms:" FAKE " hang", BANYAN_IO, "did not answer within");
    const char *said = strstr(err.message, "it said: pids ");
    assert_non_null(said);
    assert_int_equal(sscanf(said, "it said: pids %ld %ld", &shell, &child), 2);
    assert_true(is_gone(shell));
    assert_true(is_gone(child));
}

static void gtp_programs_are_checked(void **unused)
{
    (void)unused;
    const struct banyan_game *othello = game("othello");
    float returns[2];
    static const struct {
        const char *spec;
        enum banyan_status status;
        const char *part;
    } cases[] = {
        {"exec:gtp:" FAKE_GTP " refuse", BANYAN_ILLEGAL, "refuses 'clear_board': what is a board"},
        {"exec:gtp:" FAKE_GTP " taken", BANYAN_ILLEGAL, "answered 'd4', which is not legal here"},
        {"exec:gtp:" FAKE_GTP " resign", BANYAN_CORRUPT, "answered 'resign'"},
        {"exec:gtp:" FAKE_GTP " chatter", BANYAN_CORRUPT, "answered 'thinking' to 'genmove black'"},
        {"exec:gtp:" FAKE_GTP " crash", BANYAN_IO, "exit code 4"},
    };
    refused(othello, "exec:gtp:" FAKE_GTP " babble", BANYAN_CORRUPT, "a GTP reply begins with");
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct banyan_player bad = made(othello, cases[i].spec), other = made(othello, "random");
        enum banyan_status status = duel(othello, &bad, &other, 1, returns);
        if (status != cases[i].status || !strstr(err.message, cases[i].part))
            fail_msg("%s: status %d, '%s'", cases[i].spec, (int)status, err.message);
        banyan_player_close(&bad);
        banyan_player_close(&other);
    }
}

/* --- human --- */

static void humans_are_helped(void **unused)
{
    (void)unused;
    uint64_t state[16] = {0};
    struct banyan_player_move move;
    FILE *words = tmpfile();
    assert_non_null(words);
    fputs("?\n\nz9\n  b2  \nquit\n", words);
    rewind(words);
    int keyboard = dup(0);
    assert_true(dup2(fileno(words), 0) == 0);
    struct banyan_player player = made(tictactoe, "human");
    assert_int_equal(tictactoe->init(tictactoe, state, NULL, NULL, &err), BANYAN_OK);
    assert_int_equal(player.open(player.ctx, state, 0, 1, &err), BANYAN_OK);
    assert_int_equal(player.choose(player.ctx, state, NULL, &move, &err), BANYAN_OK);
    char text[16];
    tictactoe->action_format(tictactoe, state, 0, move.action, text, sizeof text);
    assert_string_equal(text, "b2");
    assert_int_equal(player.choose(player.ctx, state, NULL, &move, &err), BANYAN_INTERRUPTED);
    assert_int_equal(player.choose(player.ctx, state, NULL, &move, &err), BANYAN_INTERRUPTED);
    assert_string_equal(err.message, "end of input");
    banyan_player_close(&player);
    dup2(keyboard, 0);
    close(keyboard);
    fclose(words);
}

/* One player has one text: options in the order of their table, values in one spelling. */
static void players_have_one_text(void **unused)
{
    (void)unused;
    static const char *const rows[][2] = {
        {"random", "random"},
        {"mcts:", "mcts:"},
        {"mcts:simulations=20,memory=1024K", "mcts:memory=1M,simulations=20"},
        {"mcts:memory=1M,simulations=20", "mcts:memory=1M,simulations=20"},
        {"mcts:simulations=2k,ponder,time=2000ms", "mcts:simulations=2000,time=2s,ponder=on"},
        {"mcts:evaluator=(mixture:weight=0.5,rollout|heuristic),rule=puct",
         "mcts:rule=puct,evaluator=(mixture:weight=0.5,rollout|heuristic)"},
        {"mcts:evaluator=(heuristic),exploration=0.50", "mcts:exploration=0.5,evaluator=heuristic"},
        {"mcts:simulations=1,rule=no,simulations=2", "mcts:rule=no,simulations=1,simulations=2"},
        {"net:a,b.safetensors,simulations=9,backend=plain,batch=08",
         "net:a,b.safetensors,backend=plain,batch=8,simulations=9"},
        {"alphabeta:nodes=2k,memory=2048K,depth=3", "alphabeta:depth=3,nodes=2k,memory=2M"},
        {"exec:./a b=1,a=2", "exec:./a b=1,a=2"},
    };
    char out[256], again[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        int length = player_key(rows[i][0], out, sizeof out);
        assert_string_equal(out, rows[i][1]);
        assert_int_equal(length, strlen(out));
        assert_int_equal(player_key(rows[i][0], again, 8), length);
        player_key(out, again, sizeof again);
        assert_string_equal(again, out);
    }
}

static int find_games(void **unused)
{
    (void)unused;
    tictactoe = game("tictactoe");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(those_of_games_name_what_they_do_not_take),
        cmocka_unit_test(help_names_all),
        cmocka_unit_test(players_have_one_text),
        cmocka_unit_test(perfect_never_loses),
        cmocka_unit_test(perfect_varies),
        cmocka_unit_test(first_plays_first),
        cmocka_unit_test(mcts_is_strong_and_repeatable),
        cmocka_unit_test(games_start_afresh),
        cmocka_unit_test(single_actions_need_no_search),
        cmocka_unit_test(endgames_are_exact),
        cmocka_unit_test(clocks_give_shares),
        cmocka_unit_test(decisions_are_foreseen),
        cmocka_unit_test(time_limits_hold),
        cmocka_unit_test(priors_make_puct_the_rule),
        cmocka_unit_test(every_game_has_a_best_player),
        cmocka_unit_test(best_uses_the_time_it_has),
        cmocka_unit_test(best_passes_options_on),
        cmocka_unit_test(outside_programs_play),
        cmocka_unit_test(bad_programs_are_named),
        cmocka_unit_test(hanging_programs_are_killed),
        cmocka_unit_test(gtp_programs_are_checked),
        cmocka_unit_test(humans_are_helped),
    };
    return cmocka_run_group_tests(tests, find_games, NULL);
}
