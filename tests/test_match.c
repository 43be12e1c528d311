/* Matches: openings, games, results, intervals, tests of claims, saved matches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/elo.h"
#include "match/match.h"
#include "match/opening.h"
#include "match/rating.h"

#include <jansson.h>
#include <sqlite3.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAKE     TEST_DATA "/engines/fake.sh"
#define OPENINGS TEST_DATA "/openings/"

static struct banyan_error err;
static struct match_options options;
static struct match_result result;

static enum banyan_status run(const char *name, int count, const char *const specs[])
{
    const struct banyan_game *game;
    if (banyan_game_find(name, &game, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return match_run(game, specs, count, &options, &result, &err);
}

static void duel(const char *name, const char *a, const char *b)
{
    const char *const specs[] = {a, b};
    if (run(name, 2, specs) != BANYAN_OK)
        fail_msg("%s: %s against %s: %s", name, a, b, err.message);
}

static void fails(const char *name, const char *a, const char *b, enum banyan_status status,
                  const char *part)
{
    const char *const specs[] = {a, b};
    enum banyan_status got = run(name, 2, specs);
    if (got != status || !strstr(err.message, part) || strchr(err.message, '\n'))
        fail_msg("%s, %s: status %d, '%s' lacks '%s'", a, b, (int)got, err.message, part);
}

static int reset(void **unused)
{
    (void)unused;
    match_options_default(&options);
    return 0;
}

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

static void bad_openings_are_refused(void **unused)
{
    (void)unused;
    options.openings_path = OPENINGS "illegal.txt";
    fails("othello", "random", "random", BANYAN_INVALID, "illegal.txt:2: f5 is occupied");
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

static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.9g, not %.9g", found, expected);
}

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

/* --- the database --- */

static char db_path[64];

static void fresh_db(void)
{
    char path[96];
    static const char *const ends[] = {"", "-wal", "-shm"};
    snprintf(db_path, sizeof db_path, "banyan-test-%ld.db.tmp", (long)getpid());
    for (int i = 0; i < 3; ++i) {
        snprintf(path, sizeof path, "%s%s", db_path, ends[i]);
        unlink(path);
    }
    options.db_path = db_path;
}

static int64_t asked(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    int64_t number = -1;
    if (sqlite3_open_v2(db_path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(db, 5000);
        if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK &&
            sqlite3_step(row) == SQLITE_ROW)
            number = sqlite3_column_int64(row, 0);
        sqlite3_finalize(row);
    }
    sqlite3_close(db);
    return number;
}

static void games_are_stored(void **unused)
{
    (void)unused;
    fresh_db();
    options.games = 30;
    options.jobs = 3;
    duel("tictactoe", "perfect", "random");
    duel("tictactoe", "random", "random");
    assert_int_equal(asked("SELECT count(*) FROM matches"), 2);
    assert_int_equal(asked("SELECT count(*) FROM games"), 60);
    assert_int_equal(asked("SELECT min(games_counted) FROM matches WHERE finished IS NOT NULL"),
                     30);
    assert_int_equal(asked("SELECT count(*) FROM match_players WHERE spec = 'perfect'"), 1);
    assert_int_equal(asked("SELECT count(*) FROM games WHERE match = 1 AND seats = '0 1'"), 15);
    assert_int_equal(asked("SELECT count(*) FROM games WHERE plies <> length(actions) / 3 + 1"), 0);
    assert_int_equal(asked("SELECT count(*) FROM games WHERE match = 1 AND (seats = '0 1' AND "
                           "returns = '-1 1' OR seats = '1 0' AND returns = '1 -1')"),
                     0); /* the perfect player does not lose */
    fresh_db();
}

/* The result of a match that goes on is that of one which was never ended. */
static void matches_go_on(void **unused)
{
    (void)unused;
    fresh_db();
    options.games = 30;
    options.handicaps[1] = "simulations=5";
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    struct match_result whole = result;
    asked("DELETE FROM games WHERE number IN (3, 11, 12) OR number > 20");
    options.resume = true;
    options.jobs = 3;
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    assert_int_equal(asked("SELECT count(*) FROM matches"), 1);
    assert_int_equal(asked("SELECT count(*) FROM games"), 30);
    assert_int_equal(result.games, 30);
    assert_int_equal(result.distinct_games, whole.distinct_games);
    assert_int_equal(result.plies, whole.plies);
    assert_memory_equal(result.pairs, whole.pairs, sizeof whole.pairs);
    for (int i = 0; i < 2; ++i) {
        const struct match_player *a = &result.players[i], *b = &whole.players[i];
        assert_true(a->wins == b->wins && a->draws == b->draws && a->losses == b->losses);
        assert_true(a->simulations == b->simulations && a->decisions == b->decisions);
        assert_memory_equal(a->seat, b->seat, sizeof a->seat);
    }
    options.games = 40; /* more games */
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    assert_int_equal(asked("SELECT count(*) FROM games"), 40);
    assert_int_equal(asked("SELECT games_counted FROM matches"), 40);
    options.games = 10; /* fewer */
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    assert_int_equal(result.games, 10);
    /* other settings, other players: other matches */
    options.seed = 2;
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    options.handicaps[1] = NULL;
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    duel("pig", "mcts:simulations=10", "mcts:simulations=20");
    assert_int_equal(asked("SELECT count(*) FROM matches"), 4);
    asked("UPDATE games SET used = '1 2' WHERE number = 5");
    fails("pig", "mcts:simulations=10", "mcts:simulations=20", BANYAN_CORRUPT, "game 5 of match 4");
    fresh_db();
}

/* A test that decided early decides alike when its games are read again, and plays none. */
static void a_resumed_test_decides_alike(void **unused)
{
    (void)unused;
    fresh_db();
    options.games = 2000;
    options.use_sprt = true;
    duel("tictactoe", "perfect", "random");
    int64_t games = result.games;
    double llr = result.llr;
    assert_true(result.sprt == SPRT_ELO1 && games < 500);
    int64_t stored = asked("SELECT count(*) FROM games");
    options.resume = true;
    duel("tictactoe", "perfect", "random");
    assert_true(result.sprt == SPRT_ELO1 && result.games == games);
    near(result.llr, llr, 1e-12);
    assert_int_equal(asked("SELECT count(*) FROM games"), stored);
    fresh_db();
}

static void bad_databases_are_refused(void **unused)
{
    (void)unused;
    fresh_db();
    FILE *file = fopen(db_path, "w");
    for (int i = 0; i < 5000; ++i)
        putc(i * 7 % 251, file);
    fclose(file);
    fails("tictactoe", "random", "random", BANYAN_CORRUPT, "not a database");

    fresh_db();
    assert_int_equal(asked("SELECT 1"), -1); /* the file does not exist */
    sqlite3 *db;
    sqlite3_open(db_path, &db);
    sqlite3_exec(db, "CREATE TABLE cats(name)", NULL, NULL, NULL);
    sqlite3_close(db);
    fails("tictactoe", "random", "random", BANYAN_CORRUPT, "belongs to another program");

    fresh_db();
    duel("tictactoe", "random", "random");
    asked("PRAGMA user_version = 99");
    fails("tictactoe", "random", "random", BANYAN_CORRUPT, "version 99");
    fresh_db();
    duel("tictactoe", "random", "random");
    assert_int_equal(truncate(db_path, 5000), 0);
    fails("tictactoe", "random", "random", BANYAN_CORRUPT, db_path);
    fresh_db();
    options.db_path = "/no/such/folder/x.db";
    fails("tictactoe", "random", "random", BANYAN_IO, "unable to open");
    options.db_path = NULL;
}

/* A match is killed in the middle: the finished games are in the file, and the file is valid. */
static void a_killed_match_keeps_its_games(void **unused)
{
    (void)unused;
    fresh_db();
    options.games = 10000000;
    options.jobs = 2;
    pid_t child = fork();
    if (child == 0) {
        duel("tictactoe", "random", "random");
        _exit(0);
    }
    assert_true(child > 0);
    while (asked("SELECT count(*) FROM games") < 20) {
        struct timespec tick = {.tv_nsec = 20000000};
        nanosleep(&tick, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    int64_t kept = asked("SELECT count(*) FROM games");
    assert_true(kept >= 20);
    assert_int_equal(asked("SELECT count(*) FROM matches WHERE finished IS NULL"), 1);
    options.games = 10; /* the file can be continued */
    duel("tictactoe", "random", "random");
    assert_int_equal(asked("SELECT count(*) FROM games"), kept + 10);
    fresh_db();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {
        TEST(results_do_not_depend_on_threads),
        TEST(rounds_share_openings),
        TEST(rounds_share_setup_and_dice),
        TEST(openings_come_from_a_file),
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
        TEST(ratings_fit),
        TEST(games_are_stored),
        TEST(matches_go_on),
        TEST(a_resumed_test_decides_alike),
        TEST(bad_databases_are_refused),
        TEST(a_killed_match_keeps_its_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
