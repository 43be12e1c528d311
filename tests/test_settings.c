/* Ranges and defaults of the settings of learning: what a run takes, and what it refuses. */
#include "nn/arch.h"
#include "nn/optimizer.h"
#include "train/loop.h"
#include "train/play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The bounds of a setting, as text; `below` and `above` are outside of them, and are refused. */
struct range {
    const char *name, *below, *least, *most, *above;
};

static void check_range(const struct banyan_option *table, void *values, const struct range *range)
{
    const char *const texts[] = {range->below, range->least, range->most, range->above};
    for (int i = 0; i < 4; ++i) {
        struct banyan_error err = {.message = ""};
        bool inside = i == 1 || i == 2;
        enum banyan_status status = banyan_options_set(table, values, range->name, texts[i], &err);
        if (status != (inside ? BANYAN_OK : BANYAN_INVALID))
            fail_msg("%s=%s: status %d %s", range->name, texts[i], (int)status, err.message);
    }
}

#define REAL(name, least, most, above)     \
    {                                      \
        name, "-0.001", least, most, above \
    }
#define COUNT(name, most, above)    \
    {                               \
        name, "0", "1", most, above \
    }

static void ranges_of_the_optimizer(void **unused)
{
    static const struct range ranges[] = {
        REAL("rate", "0", "100", "100.1"),      REAL("momentum", "0", "0.9999", "1"),
        REAL("beta1", "0", "0.9999", "1"),      REAL("beta2", "0", "0.999999", "1"),
        {"epsilon", "0", "1e-12", "1", "1.1"},  REAL("decay", "0", "10", "10.1"),
        REAL("clip", "0", "1e9", "1000000001"), REAL("average", "0", "0.99999", "1"),
        REAL("follow", "0", "1", "1.1")};
    struct nn_optimizer_options options;
    (void)unused;
    nn_optimizer_options_default(&options);
    assert_int_equal(options.method, NN_ADAMW);
    assert_true(options.beta1 == 0.9 && options.beta2 == 0.99 && options.epsilon == 1e-8);
    assert_true(options.decay == 0.01 && options.clip == 5 && options.average == 0.99);
    assert_true(options.rate == 0.002 && options.momentum == 0.9 && options.follow == 0.1);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
        check_range(nn_optimizer_table, &options, &ranges[i]);
    assert_true(options.beta1 == 0.9999 && options.average == 0.99999 && options.follow == 1);
}

static void ranges_of_self_play(void **unused)
{
    static const struct range ranges[] = {
        COUNT("at-once", "4096", "4097"),
        COUNT("threads", "256", "257"),
        COUNT("simulations", "1000000000", "1000000001"),
        COUNT("fast-simulations", "1000000000", "1000000001"),
        {"whole-share", "0", "0.001", "1", "1.1"},
        {"random-plies", "-1", "0", "1000", "1001"},
        {"warm-plies", "-1", "0", "1000000", "1000001"},
        REAL("warm", "0", "10", "10.1"),
        REAL("cold", "0", "10", "10.1"),
        REAL("resign", "0", "0.5", "0.51"),
        REAL("audit", "0", "1", "1.1"),
        {"teacher-generations", "-1", "0", "1000000000", "1000000001"},
        REAL("teacher-stray", "0", "1", "1.1")};
    struct play_options options;
    (void)unused;
    play_options_default(&options);
    assert_int_equal(options.at_once, 32);
    assert_int_equal(options.threads, 1);
    assert_int_equal(options.simulations, 100);
    assert_int_equal(options.fast_simulations, 20);
    assert_int_equal(options.random_plies, 0);
    assert_int_equal(options.warm_plies, 10);
    assert_int_equal(options.teacher_generations, 0);
    assert_true(options.whole_share == 1 && options.warm == 1 && options.cold == 0.25);
    assert_true(options.resign == 0 && options.audit == 0.1 && options.teacher_stray == 0.1);
    assert_true(options.prune);
    assert_string_equal(options.teacher, "");
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
        check_range(play_table, &options, &ranges[i]);
    assert_true(options.warm == 10 && options.resign == 0.5 && options.at_once == 4096);
}

static void ranges_of_a_run(void **unused)
{
    static const struct range ranges[] = {COUNT("generations", "1000000000", "1000000001"),
                                          COUNT("games", "1000000", "1000001"),
                                          COUNT("window", "1000000000000", "1000000000001"),
                                          {"hold", "-1", "0", "1000000", "1000001"},
                                          {"passes", "0", "0.001", "1e6", "1000001"},
                                          COUNT("batch", "65536", "65537"),
                                          REAL("rate-end", "0", "1", "1.1"),
                                          REAL("value-mix", "0", "1", "1.1"),
                                          REAL("value-weight", "0", "100", "100.1"),
                                          REAL("owner-weight", "0", "100", "100.1"),
                                          REAL("score-weight", "0", "100", "100.1"),
                                          {"gate-games", "-1", "0", "1000000", "1000001"},
                                          COUNT("gate-simulations", "1000000000", "1000000001"),
                                          {"gate-plies", "-1", "0", "1000", "1001"},
                                          REAL("gate-share", "0", "1", "1.1"),
                                          {"gate-elo0", "-1001", "-1000", "1000", "1001"},
                                          {"gate-elo1", "-1001", "-1000", "1000", "1001"},
                                          COUNT("test-games", "1000000", "1000001"),
                                          COUNT("test-every", "1000000", "1000001"),
                                          COUNT("test-simulations", "1000000000", "1000000001"),
                                          {"test-plies", "-1", "0", "1000", "1001"}};
    struct loop_options options;
    (void)unused;
    memset(&options, 0, sizeof options);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
        check_range(loop_table, &options, &ranges[i]);
    assert_true(options.gate_elo1 == 1000 && options.window == 1000000000000);
}

static void ranges_of_a_network(void **unused)
{
    static const struct range ranges[] = {COUNT("planes", "1024", "1025"),
                                          COUNT("height", "64", "65"),
                                          COUNT("width", "64", "65"),
                                          {"actions", "-1", "0", "1048576", "1048577"},
                                          COUNT("values", "8", "9"),
                                          COUNT("channels", "1024", "1025"),
                                          {"blocks", "-1", "0", "64", "65"},
                                          {"pool", "-1", "0", "64", "65"},
                                          COUNT("policy-channels", "256", "257"),
                                          COUNT("value-channels", "256", "257"),
                                          COUNT("value-hidden", "4096", "4097")};
    struct nn_arch arch;
    (void)unused;
    nn_arch_default(&arch);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
        check_range(nn_arch_table, &arch, &ranges[i]);
    assert_int_equal(arch.value_hidden, 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_of_the_optimizer), cmocka_unit_test(ranges_of_self_play),
        cmocka_unit_test(ranges_of_a_run), cmocka_unit_test(ranges_of_a_network)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
