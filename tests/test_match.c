/* Matches: openings, games, results, intervals, sequential tests. */
#include "match_run.h"

#include "match/elo.h"
#include "match/opening.h"
#include "match/rating.h"

#include <banyan/rng.h>

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>

#define FAKE     TEST_DATA "/engines/fake.sh"
#define OPENINGS TEST_DATA "/openings/"

/* --- saved games --- */

static char *slurp(FILE *file)
{
    long length = ftell(file);
    char *text = calloc(1, (size_t)length + 1);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    fclose(file);
    return text;
}

/* The saved games of a match, as one text. */
static char *saved(const char *name, const char *a, const char *b, int jobs)
{
    options.jobs = jobs;
    options.save = tmpfile();
    assert_non_null(options.save);
    duel(name, a, b);
    char *text = slurp(options.save);
    options.save = NULL;
    return text;
}

/* The text in which the times of the moves, at the end of every line, are removed in place. */
static char *without_times(char *text)
{
    char *to = text;
    for (char *line = text; *line;) {
        char *end = strchr(line, '\n') + 1, *times = strstr(line, ",\"ms\":");
        assert_true(times && times < end);
        memmove(to, line, (size_t)(times - line));
        to += times - line;
        *to++ = '\n';
        line = end;
    }
    *to = 0;
    return text;
}

/* Line number i of text as JSON. */
static json_t *game_of(const char *text, int i)
{
    for (; i > 0; --i)
        text = strchr(text, '\n') + 1;
    json_t *game = json_loadb(text, strcspn(text, "\n"), 0, NULL);
    assert_non_null(game);
    return game;
}

static const char *word(const json_t *game, const char *key)
{
    return json_string_value(json_object_get(game, key));
}

static void results_do_not_depend_on_threads(void **unused)
{
    (void)unused;
    static const char *const games[] = {"tictactoe", "othello-6x6", "pig"};
    for (unsigned i = 0; i < sizeof games / sizeof *games; ++i) {
        options.games = 40;
        options.opening_plies = i == 1 ? 6 : 0;
        char *one = without_times(saved(games[i], "mcts:simulations=30", "random", 1));
        struct match_result first = result;
        char *four = without_times(saved(games[i], "mcts:simulations=30", "random", 4));
        assert_string_equal(one, four);
        assert_int_equal(first.players[0].wins, result.players[0].wins);
        assert_int_equal(first.players[0].simulations, result.players[0].simulations);
        assert_int_equal(first.distinct_games, result.distinct_games);
        options.seed = 2;
        char *other = without_times(saved(games[i], "mcts:simulations=30", "random", 1));
        assert_string_not_equal(one, other);
        options.seed = 1;
        free(one);
        free(four);
        free(other);
    }
}

static void rounds_share_openings(void **unused)
{
    (void)unused;
    options.games = 20;
    options.opening_plies = 5;
    char *text = saved("othello", "random", "first", 2);
    char seen[20][16];
    for (int i = 0; i < 20; ++i) {
        json_t *game = game_of(text, i);
        const json_t *players = json_object_get(game, "players");
        assert_int_equal(json_integer_value(json_object_get(game, "number")), i);
        assert_string_equal(json_string_value(json_array_get(players, (size_t)i % 2)), "random");
        assert_string_equal(json_string_value(json_array_get(players, (size_t)(i + 1) % 2)),
                            "first");
        snprintf(seen[i], sizeof seen[i], "%.14s", word(game, "actions"));
        json_decref(game);
    }
    int different = 0;
    for (int i = 0; i < 20; i += 2) {
        assert_string_equal(seen[i], seen[i + 1]);
        different += i > 0 && strcmp(seen[i], seen[0]) != 0;
    }
    assert_true(different >= 7);
    free(text);
}

static void openings_come_from_a_file(void **unused)
{
    (void)unused;
    static const char *const lines[] = {"f5 d6 c3 d3 c4", "f5 d6 c5 f4 e3", "f5 f6 e6 f4",
                                        "f5 d6 c4"};
    options.games = 10;
    options.openings_path = OPENINGS "othello.txt";
    char *text = saved("othello", "random", "random", 3);
    for (int i = 0; i < 10; ++i) {
        json_t *game = game_of(text, i);
        const char *line = lines[i / 2 % 4];
        assert_int_equal(strncmp(word(game, "actions"), line, strlen(line)), 0);
        json_decref(game);
    }
    free(text);
}

/* A position in brackets takes the place of the start, for this line only; it may have no actions. */
static void openings_may_begin_with_a_position(void **unused)
{
    (void)unused;
    static const char *const digits[] = {"4731", "5555", "4731"};
    static const char *const actions[] = {"pass;0,1,0,2", "0,0,0,1;pass", ""};
    options.games = 6;
    options.setup = NULL;
    options.openings_path = OPENINGS "boards.txt";
    char *text = saved("mushroom", "random", "random", 3);
    for (int i = 0; i < 6; ++i) {
        json_t *game = game_of(text, i);
        assert_int_equal(strncmp(word(game, "start"), digits[i / 2], 4), 0);
        assert_int_equal(strncmp(word(game, "actions"), actions[i / 2], strlen(actions[i / 2])), 0);
        json_decref(game);
    }
    free(text);
}

/* Blank actions between semicolons are skipped. */
static void blank_actions_are_skipped(void **unused)
{
    (void)unused;
    static const char *const lines[] = {"f5;d6;c3", "f5; ;d6; c3", "; f5 ;;\td6\t; ; c3 ; ;"};
    const struct banyan_game *othello;
    struct opening opening;
    banyan_action first[3] = {0};
    unsigned char state[256];
    assert_int_equal(banyan_game_find("othello", &othello, NULL), BANYAN_OK);
    assert_true(othello->state_size <= sizeof state);
    assert_int_equal(othello->init(othello, state, NULL, NULL, &err), BANYAN_OK);
    assert_int_equal(opening_create(&opening, othello, &err), BANYAN_OK);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        if (opening_parse(&opening, othello, state, lines[i], 1, &err) != BANYAN_OK)
            fail_msg("%s: %s", lines[i], err.message);
        assert_int_equal(opening.plies, 3);
        for (int ply = 0; ply < 3; ++ply) {
            const banyan_action *joint = &opening.joints[ply * BANYAN_MAX_PLAYERS];
            if (i == 0)
                first[ply] = joint[ply % 2];
            assert_int_equal(joint[ply % 2], first[ply]);
        }
    }
    opening_destroy(&opening);
}

static void bad_openings_are_refused(void **unused)
{
    (void)unused;
    options.openings_path = OPENINGS "illegal.txt";
    fails("othello", "random", "random", BANYAN_INVALID, "illegal.txt:2: f5 is occupied");
    options.openings_path = OPENINGS "illegal_board.txt";
    fails("mushroom", "random", "random", BANYAN_INVALID, "illegal_board.txt:1: ");
    options.openings_path = OPENINGS "no_bracket.txt";
    options.games = 4;
    fails("mushroom", "random", "random", BANYAN_INVALID, "no_bracket.txt:2: there is no ']'");
    options.openings_path = OPENINGS "empty.txt";
    fails("othello", "random", "random", BANYAN_INVALID, "no line with actions");
    options.openings_path = OPENINGS "nowhere.txt";
    fails("othello", "random", "random", BANYAN_NOT_FOUND, "nowhere.txt");
    options.openings_path = NULL;
    options.opening_plies = 9;
    fails("tictactoe", "random", "random", BANYAN_INVALID, "end every game");
    options.opening_plies = 0;
    options.setup = "nonsense";
    fails("tictactoe", "random", "random", BANYAN_INVALID, "");
    options.setup = "xxx/oo./... o";
    fails("tictactoe", "random", "random", BANYAN_INVALID, "");
}

/* --- totals --- */

static void totals_add_up(void **unused)
{
    (void)unused;
    options.games = 101;
    duel("tictactoe", "perfect", "random");
    const struct match_player *a = &result.players[0], *b = &result.players[1];
    assert_int_equal(result.games, 101);
    assert_int_equal(a->wins + a->draws + a->losses, 101);
    assert_int_equal(a->losses, 0);
    assert_int_equal(a->wins, b->losses);
    assert_int_equal(a->draws, b->draws);
    assert_true(a->score == (double)a->wins + (double)a->draws / 2);
    assert_true(a->score + b->score == 101);
    assert_true(a->returns == -b->returns);
    assert_int_equal(result.plies, a->decisions + b->decisions);
    int64_t rounds = 0;
    for (int k = 0; k < MATCH_PAIR_OUTCOMES; ++k)
        rounds += result.pairs[k];
    assert_int_equal(rounds, 50);
    assert_int_equal(result.pairs[0] + result.pairs[1], 0);

    options.games = 10;
    duel("tictactoe", "perfect", "perfect");
    assert_int_equal(result.players[0].draws, 10);
    assert_int_equal(result.first_draws, 10);
    duel("tictactoe", "first", "first");
    assert_int_equal(result.distinct_games, 1);
    assert_int_equal(result.first_wins, 10);
    assert_int_equal(result.players[0].wins, 5);
}

/* Uniformly random play wins 0.584921 of all games for X, draws 0.126984 (counted over all 255168
 * games by their probability). */
static void random_play_has_known_odds(void **unused)
{
    (void)unused;
    options.games = 20000;
    options.jobs = 2;
    duel("tictactoe", "random", "random");
    assert_true(fabs((double)result.first_wins / 20000 - 0.584921) < 0.0105); /* 3 sigma */
    assert_true(fabs((double)result.first_draws / 20000 - 0.126984) < 0.0071);
    assert_true(fabs(result.players[0].score / 20000 - 0.5) < 0.0102);
}

static void seats_rotate_among_three(void **unused)
{
    (void)unused;
    const char *const specs[] = {"random", "first", "mcts:simulations=20"};
    options.games = 12;
    options.save = tmpfile();
    assert_int_equal(run("pig-3", 3, specs), BANYAN_OK);
    char *text = slurp(options.save);
    options.save = NULL;
    for (int i = 0; i < 12; ++i) {
        json_t *game = game_of(text, i), *before = game_of(text, i - i % 3);
        for (int seat = 0; seat < 3; ++seat)
            assert_string_equal(
                json_string_value(json_array_get(json_object_get(game, "players"), (size_t)seat)),
                specs[(seat + i) % 3]);
        assert_string_equal(word(game, "dice_seed"), word(before, "dice_seed"));
        json_decref(game);
        json_decref(before);
    }
    double points = 0;
    for (int i = 0; i < 3; ++i)
        points += result.players[i].score;
    /* each game gives 1 + 1/2 + 0 points, however it ends */
    assert_true(fabs(points - 12 * 1.5) < 1e-9);
    free(text);
}

static void one_player_has_returns_only(void **unused)
{
    (void)unused;
    const char *const specs[] = {"random", "first"};
    options.games = 20;
    assert_int_equal(run("bandit", 2, specs), BANYAN_OK);
    assert_int_equal(result.players[0].games, 10);
    assert_int_equal(result.players[1].games, 10);
    assert_int_equal(result.players[0].wins + result.players[0].losses, 0);
}

/* --- what is refused --- */

static void wrong_matches_are_refused(void **unused)
{
    (void)unused;
    const char *const three[] = {"random", "random", "random"};
    assert_int_equal(run("tictactoe", 3, three), BANYAN_INVALID);
    fails("tictactoe", "human", "random", BANYAN_INVALID, "banyan play");
    fails("tictactoe", "random", "randon", BANYAN_NOT_FOUND, "did you mean 'random'?");
    fails("tictactoe", "random", "exec:" FAKE " crash", BANYAN_IO, "exit code 3");
    fails("tictactoe", "first", "exec:" FAKE " illegal", BANYAN_ILLEGAL, "not legal here");
    assert_int_equal(result.games, 0);
    options.jobs = 3;
    fails("tictactoe", "random", "exec:" FAKE " garbage", BANYAN_CORRUPT,
          "instead of 'action ...'");
}

/* A handicap holds for every player in the seat, is told in the records, and leaves the other seat
 * alone. */
static void handicaps_weaken_a_seat(void **unused)
{
    (void)unused;
    options.games = 8;
    options.handicaps[0] = "simulations=1";
    char *text = saved("tictactoe", "mcts:simulations=40", "mcts:simulations=20", 2);
    for (int i = 0; i < 8; ++i) {
        json_t *game = game_of(text, i);
        const json_t *players = json_object_get(game, "players"), *steps;
        const char *first = json_string_value(json_array_get(players, 0));
        const char *second = json_string_value(json_array_get(players, 1));
        const char *weak[] = {"mcts:simulations=40,simulations=1",
                              "mcts:simulations=20,simulations=1"};
        assert_string_equal(first, weak[i % 2]);
        assert_string_equal(second, i % 2 ? "mcts:simulations=40" : "mcts:simulations=20");
        steps = json_object_get(game, "simulations");
        assert_int_equal(json_integer_value(json_array_get(json_array_get(steps, 0), 0)), 1);
        assert_int_equal(json_integer_value(json_array_get(json_array_get(steps, 1), 0)),
                         i % 2 ? 40 : 20);
        json_decref(game);
    }
    free(text);
    fails("tictactoe", "random", "mcts", BANYAN_INVALID, "player 'random' takes no options");
    options.handicaps[0] = "simulatons=1";
    fails("tictactoe", "mcts", "mcts", BANYAN_NOT_FOUND, "did you mean 'simulations'?");
}

static void the_clock_decides(void **unused)
{
    (void)unused;
    options.games = 2;
    options.time.clock_ms = 300;
    duel("tictactoe", "exec:" FAKE " slow", "first");
    assert_int_equal(result.players[0].losses, 2);
    assert_int_equal(result.players[0].overstepped, 2);
    assert_int_equal(result.players[1].overstepped, 0);
}

/* --- stopping --- */

static banyan_flag stop_now;

static void stop_after_five(void *ctx, const struct match_result *so_far)
{
    (void)ctx;
    if (so_far->games >= 5)
        banyan_flag_set(&stop_now);
}

static void stopping_keeps_finished_games(void **unused)
{
    (void)unused;
    banyan_flag_clear(&stop_now);
    options.games = 1000000;
    options.stop = &stop_now;
    options.progress = stop_after_five;
    fails("tictactoe", "random", "random", BANYAN_INTERRUPTED, "stopped after 5 of 1000000 games");
    assert_true(result.interrupted);
    assert_int_equal(result.games, 5);
    banyan_flag_clear(&stop_now);
    options.jobs = 4;
    const char *const specs[] = {"random", "random"};
    assert_int_equal(run("tictactoe", 2, specs), BANYAN_INTERRUPTED);
    assert_true(result.games >= 5 &&
                result.games < 1000000); /* also games that had to wait for an earlier, slow one */
}

static void sprt_stops_at_the_same_game(void **unused)
{
    (void)unused;
    options.use_sprt = true;
    options.sprt = (struct sprt){.elo0 = 0, .elo1 = 50, .alpha = 0.05, .beta = 0.05};
    options.games = 5000;
    duel("tictactoe", "mcts:simulations=40", "random");
    assert_int_equal(result.sprt, SPRT_ELO1);
    assert_true(result.games < 200);
    assert_int_equal(result.games % 2, 0);
    struct match_result first = result;
    options.jobs = 4;
    duel("tictactoe", "mcts:simulations=40", "random");
    assert_int_equal(result.games, first.games);
    assert_int_equal(result.players[0].wins, first.players[0].wins);
    assert_true(result.llr == first.llr);
    duel("tictactoe", "random", "mcts:simulations=40");
    assert_int_equal(result.sprt, SPRT_ELO0);
}

/* --- figures --- */

/* 8 of 10 is the usual textbook example of Wilson's interval; Elo is from 1 / (1 + 10^(-d/400)).
 */
static void intervals_are_known(void **unused)
{
    (void)unused;
    double lo, hi;
    elo_wilson(8, 10, 1.959964, &lo, &hi);
    near(lo, 0.4901625, 1e-6);
    near(hi, 0.9433178, 1e-6);
    elo_wilson(10, 10, 1.959964, &lo, &hi);
    near(lo, 0.7224672, 1e-6);
    assert_true(hi == 1);
    elo_wilson(0, 0, 1.959964, &lo, &hi);
    assert_true(lo == 0 && hi == 1);
    near(elo_from_score(0.75), 190.848502, 1e-6);
    near(elo_to_score(190.848502), 0.75, 1e-9);
    assert_true(isinf(elo_from_score(1)));
}

/* The share of variance that these rounds of decided games saved. */
static double saved_by(int64_t lost, int64_t shared, int64_t won)
{
    double share;
    memset(&result, 0, sizeof result);
    result.pairs[0] = lost;
    result.pairs[2] = shared;
    result.pairs[4] = won;
    result.players[0].games = 2 * (lost + shared + won);
    result.players[0].wins = shared + 2 * won;
    assert_true(match_variance_saved(&result, &share));
    return share;
}

static void pairs_save_variance(void **unused)
{
    (void)unused;
    double share;
    near(saved_by(2500, 5000, 2500), 0, 1e-3); /* the games of a round are independent */
    near(saved_by(0, 5000, 0), 1, 1e-9);       /* whoever moves first wins */
    near(saved_by(5000, 0, 5000), -1, 1e-3);   /* both games of a round end alike */
    result.players[0].wins = 0;
    assert_false(match_variance_saved(&result, &share)); /* all games ended alike */
    memset(&result, 0, sizeof result);
    assert_false(match_variance_saved(&result, &share));
}

/* Players without dice of their own have the same dice in both games of a round, whoever sits
 * where. */
static void rounds_share_setup_and_dice(void **unused)
{
    (void)unused;
    static const char *const games[] = {"mushroom", "pig"};
    for (int k = 0; k < 2; ++k) {
        options.games = 12;
        char *text = saved(games[k], "first", "first", 2);
        char seen[12][512];
        for (int i = 0; i < 12; ++i) {
            json_t *game = game_of(text, i);
            char *dice = json_dumps(json_object_get(game, "dice"), JSON_ENCODE_ANY);
            snprintf(seen[i], sizeof seen[i], "%.200s %.200s %.80s", word(game, "start"),
                     dice ? dice : "", word(game, "actions"));
            free(dice);
            json_decref(game);
        }
        for (int i = 0; i < 12; i += 2) {
            assert_string_equal(seen[i], seen[i + 1]);
            assert_true(i == 0 || strcmp(seen[i], seen[i - 2]) != 0);
        }
        free(text);
    }
}

/* Largest log-likelihood of these losses, draws and wins with mean score s, over all shares of
 * draws. */
static double best_likelihood(double losses, double draws, double wins, double s)
{
    double best = -INFINITY, most = 2 * fmin(s, 1 - s);
    for (int i = 1; i < 200000; ++i) {
        double d = most * i / 200000, w = s - d / 2, l = 1 - s - d / 2;
        best = fmax(best, losses * log(l) + draws * log(d) + wins * log(w));
    }
    return best;
}

static void sprt_is_the_likelihood_ratio(void **unused)
{
    (void)unused;
    static const double counts[][3] = {{100, 200, 130}, {10, 5, 30}, {400, 10, 380}, {3, 900, 9}};
    const struct sprt sprt = {.elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.1};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; ++i) {
        const double *c = counts[i];
        double expected = best_likelihood(c[0], c[1], c[2], elo_to_score(20)) -
                          best_likelihood(c[0], c[1], c[2], elo_to_score(0));
        near(sprt_llr(&sprt, c, 3), expected, 1e-4);
    }
    near(sprt_lower(&sprt), log(0.1 / 0.95), 1e-12);
    near(sprt_upper(&sprt), log(0.9 / 0.05), 1e-12);
    assert_int_equal(sprt_decide(&sprt, 3), SPRT_ELO1);
    assert_int_equal(sprt_decide(&sprt, -2.3), SPRT_ELO0);
    assert_int_equal(sprt_decide(&sprt, 0), SPRT_GO_ON);
    const double none[5] = {0, 0, 0, 0, 7}; /* only wins: the result is still finite */
    assert_true(sprt_llr(&sprt, none, 5) > 0);
}

/* Pairs whose two games are independent give the same evidence as single games. */
static void sprt_of_pairs_agrees(void **unused)
{
    (void)unused;
    const struct sprt sprt = {.elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.05};
    const double l = 0.3, d = 0.3, w = 0.4, games = 20000;
    const double three[3] = {games * l, games * d, games * w};
    const double five[5] = {games / 2 * l * l, games / 2 * 2 * l * d,
                            games / 2 * (d * d + 2 * l * w), games / 2 * 2 * d * w,
                            games / 2 * w * w};
    double a = sprt_llr(&sprt, three, 3), b = sprt_llr(&sprt, five, 5);
    near(b / a, 1, 0.02);
}

/* Whether some `more` results, of this outcome or better ones, decide. */
static bool some_decide(const struct sprt *sprt, double counts[5], int outcome, int64_t more)
{
    if (more == 0 || outcome == 5)
        return more == 0 && sprt_decide(sprt, sprt_llr(sprt, counts, 5)) != SPRT_GO_ON;
    bool decide = false;
    for (int64_t i = 0; i <= more; ++i) {
        counts[outcome] += (double)i;
        decide = decide || some_decide(sprt, counts, outcome + 1, more - i);
        counts[outcome] -= (double)i;
    }
    return decide;
}

/* Checked by all results that may come: as many as are certain never decide, one more may. */
static void sprt_knows_what_cannot_decide(void **unused)
{
    (void)unused;
    enum { MOST = 5 };
    static const double elo1s[] = {1, 30, 150};
    struct banyan_rng rng;
    int seen[MOST + 1] = {0};
    banyan_rng_seed(&rng, 7);
    for (int i = 0; i < 600; ++i) {
        struct sprt sprt = {.elo0 = i % 2 ? -2 : 0, .elo1 = elo1s[i % 3]};
        sprt.alpha = sprt.beta = i % 5 ? 0.05 : 0.3;
        double counts[5];
        for (int k = 0; k < 5; ++k)
            counts[k] = banyan_rng_below(&rng, i % 7 ? 30 : 3); /* also none */
        if (sprt_decide(&sprt, sprt_llr(&sprt, counts, 5)) != SPRT_GO_ON)
            continue;
        int64_t certain = sprt_certain(&sprt, counts, 5, MOST);
        assert_in_range(certain, 0, MOST);
        ++seen[certain];
        for (int64_t more = 1; more <= certain; ++more)
            assert_false(some_decide(&sprt, counts, 0, more));
        if (certain < MOST)
            assert_true(some_decide(&sprt, counts, 0, certain + 1));
    }
    for (int n = 0; n <= MOST; ++n)
        assert_true(seen[n] > 0);
    const struct sprt sprt = {.elo0 = 0, .elo1 = 0.1, .alpha = 0.05, .beta = 0.05};
    const double many[5] = {100, 200, 300, 200, 100};
    int64_t certain = sprt_certain(&sprt, many, 5, 1000000);
    assert_in_range(certain, 3000, 30000);
    assert_int_equal(sprt_certain(&sprt, many, 5, certain - 1), certain - 1);
}

static void ratings_fit(void **unused)
{
    (void)unused;
    double elo[3];
    const double two[4] = {0, 7500, 2500, 0};
    rating_fit(2, two, elo);
    near(elo[0] - elo[1], 190.85, 0.2); /* 0.1 less, because of the draws that are added */
    near(elo[0] + elo[1], 0, 1e-6);
    double three[9] = {0};
    const double strength[3] = {100, 0, -100};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            three[3 * i + j] = i == j ? 0 : 1e6 * elo_to_score(strength[i] - strength[j]);
    rating_fit(3, three, elo);
    for (int i = 0; i < 3; ++i)
        near(elo[i], strength[i], 0.01);
    const double whitewash[4] = {0, 10, 0, 0};
    rating_fit(2, whitewash, elo);
    assert_true(isfinite(elo[0]) && elo[0] > elo[1]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {
        TEST(results_do_not_depend_on_threads),
        TEST(rounds_share_openings),
        TEST(rounds_share_setup_and_dice),
        TEST(openings_come_from_a_file),
        TEST(openings_may_begin_with_a_position),
        TEST(blank_actions_are_skipped),
        TEST(bad_openings_are_refused),
        TEST(totals_add_up),
        TEST(random_play_has_known_odds),
        TEST(seats_rotate_among_three),
        TEST(one_player_has_returns_only),
        TEST(wrong_matches_are_refused),
        TEST(handicaps_weaken_a_seat),
        TEST(the_clock_decides),
        TEST(stopping_keeps_finished_games),
        TEST(sprt_stops_at_the_same_game),
        TEST(intervals_are_known),
        TEST(pairs_save_variance),
        TEST(sprt_is_the_likelihood_ratio),
        TEST(sprt_of_pairs_agrees),
        TEST(sprt_knows_what_cannot_decide),
        TEST(ratings_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
