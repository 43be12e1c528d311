/* Tuning: the planted optimum of a noisy function, with any number of threads, also after a stop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "match/elo.h"
#include "match/tune.h"

#include <banyan/dice.h>
#include <banyan/options.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a game of one decision: both players show their strength in Elo, and a die says who wins --- */

enum { STRONGEST = 1000, FACES = 1 << 20 };

struct contest {
    int32_t winner; /* player; -1: not played yet */
};

static enum banyan_status contest_init(const struct banyan_game *game, void *state,
                                       const char *setup, struct banyan_rng *rng,
                                       struct banyan_error *error)
{
    ((struct contest *)state)->winner = setup && *setup ? setup[0] - '0' : -1;
    return BANYAN_OK;
}

static unsigned contest_movers(const struct banyan_game *game, const void *state)
{
    return ((const struct contest *)state)->winner < 0 ? 3 : 0;
}

static int contest_legal(const struct banyan_game *game, const void *state, int player,
                         banyan_action *out)
{
    for (int i = 0; i <= STRONGEST; ++i)
        out[i] = (banyan_action)i;
    return STRONGEST + 1;
}

static void contest_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                          struct banyan_dice *dice)
{
    double share = elo_to_score((double)joint[0] - (double)joint[1]);
    ((struct contest *)state)->winner = !banyan_dice_chance(dice, 0, (int)(share * FACES), FACES);
}

static void contest_returns(const struct banyan_game *game, const void *state, float *out)
{
    int winner = ((const struct contest *)state)->winner;
    out[winner] = 1;
    out[!winner] = -1;
}

static uint64_t contest_key(const struct banyan_game *game, const void *state, int viewer)
{
    return rng_mix((uint64_t)((const struct contest *)state)->winner + 2);
}

static int contest_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    int winner = ((const struct contest *)state)->winner;
    return winner < 0 ? snprintf(out, size, "%s", "") : snprintf(out, size, "%d", winner);
}

static int contest_action_format(const struct banyan_game *game, const void *state, int player,
                                 banyan_action action, char *out, size_t size)
{
    return snprintf(out, size, "%d", (int)action);
}

static enum banyan_status contest_action_parse(const struct banyan_game *game, const void *state,
                                               int player, const char *text, banyan_action *out,
                                               struct banyan_error *error)
{
    *out = (banyan_action)atoi(text);
    return BANYAN_OK;
}

/* --- its player: strongest at (7, -0.4) --- */

static const double best_x = 7, best_y = -0.4;

struct planted {
    double x, y;
};

static const struct banyan_option planted_table[] = {
    {"x", BANYAN_OPTION_REAL, offsetof(struct planted, x), 0, 10, NULL, 0, "best at 7"},
    {"y", BANYAN_OPTION_REAL, offsetof(struct planted, y), -1, 1, NULL, 0, "best at -0.4"},
    {0},
};

static double planted_elo(double x, double y)
{
    return STRONGEST - 8 * (x - best_x) * (x - best_x) - 200 * (y - best_y) * (y - best_y);
}

static enum banyan_status planted_open(void *ctx, const void *state, int seat, uint64_t seed,
                                       struct banyan_error *error)
{
    return BANYAN_OK;
}

static enum banyan_status planted_choose(void *ctx, const void *state,
                                         const struct banyan_player_clock *clock,
                                         struct banyan_player_move *out, struct banyan_error *error)
{
    const struct planted *planted = ctx;
    *out = (struct banyan_player_move){
        .action = (banyan_action)lround(planted_elo(planted->x, planted->y)), .value = (double)NAN};
    return BANYAN_OK;
}

static enum banyan_status planted_create(const struct banyan_game *game, const char *args,
                                         const struct banyan_offer *offers, uint64_t seed,
                                         struct banyan_player *out, struct banyan_error *error)
{
    struct planted *planted = calloc(1, sizeof *planted);
    assert_non_null(planted);
    enum banyan_status status = banyan_options_parse(planted_table, planted, args, error);
    if (status != BANYAN_OK) {
        free(planted);
        return status;
    }
    out->ctx = planted;
    out->open = planted_open;
    out->choose = planted_choose;
    out->close = free;
    return BANYAN_OK;
}

static const struct banyan_offer contest_offers[] = {
    {"planted", "x=0,y=0", "strongest at (7, -0.4)", NULL, planted_create},
    {0},
};

static const char *const contest_dice[] = {"winner", NULL};

static const struct banyan_game contest = {.struct_size = sizeof contest,
                                           .name = "contest",
                                           .title = "Contest",
                                           .players = 2,
                                           .state_size = sizeof(struct contest),
                                           .action_bytes = 2,
                                           .max_legal = STRONGEST + 1,
                                           .max_plies = 1,
                                           .return_min = -1,
                                           .return_max = 1,
                                           .traits = BANYAN_CHANCE | BANYAN_SIMULTANEOUS |
                                                     BANYAN_ZERO_SUM,
                                           .init = contest_init,
                                           .movers = contest_movers,
                                           .legal = contest_legal,
                                           .apply = contest_apply,
                                           .returns = contest_returns,
                                           .key = contest_key,
                                           .format = contest_format,
                                           .action_format = contest_action_format,
                                           .action_parse = contest_action_parse,
                                           .dice_kinds = contest_dice,
                                           .offers = contest_offers};

/* --- tests --- */

static struct banyan_error err;
static struct tune_options options;
static struct tune_result result;
static struct spsa spsa;

static int reset(void **unused)
{
    (void)unused;
    tune_options_default(&options);
    spsa = (struct spsa){.count = 2,
                         .iterations = 400,
                         .params = {{.name = "x", .lo = 0, .hi = 10, .start = 2},
                                    {.name = "y", .lo = -1, .hi = 1, .start = 0.8}}};
    return 0;
}

static void tune(void)
{
    if (tune_run(&contest, "planted", &spsa, &options, &result, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

/* Points that a pair gains for one Elo: 2 games, each with d(2 score - 1)/dElo = ln 10 / 800. */
static const double points_of_elo = 2 * 2.302585 / 800;

/* The least number of iterations, in steps of 250, after which the mean path has come to within a
 * twentieth of each range of the optimum. */
static int64_t predicted_iterations(void)
{
    for (spsa.iterations = 250;; spsa.iterations += 250) {
        double x = spsa.params[0].start, y = spsa.params[1].start;
        for (int64_t k = 0; k < spsa.iterations; ++k) {
            x += spsa_drift(&spsa, k, 0, -16 * (x - best_x) * points_of_elo);
            y += spsa_drift(&spsa, k, 1, -400 * (y - best_y) * points_of_elo);
        }
        if (fabs(x - best_x) < 10.0 / 20 && fabs(y - best_y) < 2.0 / 20)
            return spsa.iterations;
    }
}

static void the_planted_optimum_is_found(void **unused)
{
    (void)unused;
    int64_t predicted = predicted_iterations();
    assert_in_range(predicted, 250, 2000);
    spsa.iterations = predicted;
    double lost = 0;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        options.match.seed = spsa.seed = seed;
        tune();
        assert_int_equal(result.iterations, predicted);
        assert_int_equal(result.wins + result.draws + result.losses, 2 * predicted);
        lost += (STRONGEST - planted_elo(result.means[0], result.means[1])) / 4;
    }
    double before = STRONGEST - planted_elo(2, 0.8); /* 488 Elo */
    if (lost > before / 20)
        fail_msg("%.1f Elo are still missing after %lld iterations", lost, (long long)predicted);
}

/* Values far from the optimum and values on a grid: a step of 1 is played as whole numbers. */
static void grids_are_kept(void **unused)
{
    (void)unused;
    spsa.params[0].step = 1;
    double plus[2], minus[2], values[2] = {3.25, 0}, sum = 0;
    for (int64_t k = 0; k < 4000; ++k) {
        spsa_pair(&spsa, k % spsa.iterations + k, values, plus, minus);
        assert_true(floor(plus[0]) == plus[0] && floor(minus[0]) == minus[0]);
        assert_true(plus[0] >= 0 && plus[0] <= 10 && minus[0] >= 0 && minus[0] <= 10);
        assert_true(plus[0] != minus[0]);
        sum += plus[0] + minus[0];
    }
    assert_true(fabs(sum / 8000 - 3.25) < 0.03); /* rounding is right on average */
    assert_true(spsa_nearest(&spsa.params[0], 6.6) == 7);
    tune();
    assert_true(spsa_nearest(&spsa.params[0], result.means[0]) <= 10);
}

/* A parameter that is moved by factors: its sides are a factor apart, and a win multiplies it. */
static void factors_are_kept(void **unused)
{
    (void)unused;
    spsa.count = 1;
    spsa.params[0] =
        (struct spsa_param){.name = "x", .lo = 0.1, .hi = 10, .start = 1, .by_ratio = true};
    double plus, minus, first = 0;
    for (int i = 0; i < 4; ++i) {
        double value = 0.5 * pow(2, i), moved = value;
        spsa_pair(&spsa, 7, &value, &plus, &minus);
        assert_true(fabs(plus * minus - value * value) < 1e-6 * value * value);
        spsa_move(&spsa, 7, 2, &moved);
        assert_true((moved > value) == (plus > value));
        first = i ? first : moved / value;
        assert_true(fabs(moved / value - first) < 1e-6);
    }
    tune();
    assert_true(result.means[0] > 2 && result.means[0] <= 10); /* best at 7 */
}

static void results_do_not_depend_on_threads(void **unused)
{
    (void)unused;
    tune();
    struct tune_result one = result;
    options.match.jobs = 4;
    tune();
    assert_memory_equal(result.values, one.values, sizeof one.values);
    assert_memory_equal(result.means, one.means, sizeof one.means);
    assert_int_equal(result.wins, one.wins);
    options.match.seed = 2;
    tune();
    assert_memory_not_equal(result.values, one.values, sizeof one.values);
}

static void values_take_the_place_of_others(void **unused)
{
    (void)unused;
    static const char *const texts[][2] = {
        {"planted", "planted:x=1.5,y=-2"},
        {"planted:y=3", "planted:x=1.5,y=-2"},
        {"p:a=1,x=2,b=(q:x=3,c=4),x=5", "p:a=1,b=(q:x=3,c=4),x=1.5,y=-2"},
        {"net:file.x=1,xx=2", "net:file.x=1,xx=2,x=1.5,y=-2"},
        {"exec:prog --player p:x=3", "exec:prog --player p:x=3,x=1.5,y=-2"},
    };
    const double values[] = {1.5, -2};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
        char out[128];
        assert_int_equal(tune_text(&spsa, texts[i][0], values, out, sizeof out),
                         strlen(texts[i][1]));
        assert_string_equal(out, texts[i][1]);
    }
}

/* --- run folders --- */

static char folder[64];

static void remove_folder(void)
{
    char path[96];
    static const char *const names[] = {"settings.txt", "results.txt"};
    for (int i = 0; i < 2; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void stop_at_100(void *ctx, const struct tune_result *so_far)
{
    if (so_far->iterations == 100)
        banyan_flag_set(ctx);
}

static void runs_go_on(void **unused)
{
    (void)unused;
    static banyan_flag stop;
    char path[96];
    snprintf(folder, sizeof folder, "banyan-test-tune-%ld.tmp", (long)getpid());
    remove_folder();
    tune();
    struct tune_result whole = result;
    options.run = folder;
    options.match.jobs = 3;
    options.match.stop = &stop;
    options.progress = stop_at_100;
    options.progress_ctx = &stop;
    assert_int_equal(tune_run(&contest, "planted", &spsa, &options, &result, &err),
                     BANYAN_INTERRUPTED);
    assert_true(result.interrupted && result.iterations >= 100 && result.iterations < 400);
    snprintf(path, sizeof path, "%s/results.txt", folder);
    FILE *file = fopen(path, "a"); /* and a line is cut off */
    fprintf(file, "%lld 1 ", (long long)result.iterations);
    fclose(file);
    options.match.stop = NULL;
    tune();
    assert_int_equal(result.iterations, 400);
    assert_memory_equal(result.values, whole.values, sizeof whole.values);
    assert_memory_equal(result.means, whole.means, sizeof whole.means);
    tune(); /* it is done: nothing is played */
    assert_memory_equal(result.values, whole.values, sizeof whole.values);

    spsa.params[1].hi = 0.9;
    assert_int_equal(tune_run(&contest, "planted", &spsa, &options, &result, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "y=-1..1:0 from 0.8', not 'param y=-1..0.9:0 from 0.8'"));
    spsa.params[1].hi = 1;
    file = fopen(path, "w");
    fprintf(file, "0 1 1 0\n1 2 2 2\n");
    fclose(file);
    assert_int_equal(tune_run(&contest, "planted", &spsa, &options, &result, &err), BANYAN_CORRUPT);
    assert_non_null(strstr(err.message, "results.txt:2: not the result of an iteration"));
    remove_folder();
}

static void refused(enum banyan_status status, const char *player, const char *words)
{
    assert_int_equal(tune_run(&contest, player, &spsa, &options, &result, &err), status);
    if (!strstr(err.message, words))
        fail_msg("'%s' lacks '%s'", err.message, words);
}

static void wrong_runs_are_refused(void **unused)
{
    (void)unused;
    refused(BANYAN_NOT_FOUND, "plantet", "planted");
    refused(BANYAN_INVALID, "random", "takes no options");
    options.match.jobs = 3;
    refused(BANYAN_NOT_FOUND, "planted:z=1", "z");
    spsa.params[0].start = 11;
    refused(BANYAN_INVALID, "planted", "parameter x");
}

#define TEST(name) cmocka_unit_test_setup(name, reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_planted_optimum_is_found),
        TEST(grids_are_kept),
        TEST(factors_are_kept),
        TEST(results_do_not_depend_on_threads),
        TEST(values_take_the_place_of_others),
        TEST(runs_go_on),
        TEST(wrong_runs_are_refused),
    };
    if (banyan_game_register(&contest, &err) != BANYAN_OK) {
        puts(err.message);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
