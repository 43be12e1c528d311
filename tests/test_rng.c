/* The generator: published vectors, fair bounds, independent child streams. */
#include <banyan/rng.h>

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

/* First outputs of xoshiro256++ from the state 1, 2, 3, 4 (the vector of Rust's rand_xoshiro, made
 * with the authors' C code). */
static void test_xoshiro_vector(void **unused)
{
    (void)unused;
    static const uint64_t expected[] = {41943041u,
                                        58720359u,
                                        3588806011781223u,
                                        3591011842654386u,
                                        9228616714210784205u,
                                        9973669472204895162u,
                                        14011001112246962877u,
                                        12406186145184390807u,
                                        15849039046786891736u,
                                        10450023813501588000u};
    struct banyan_rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i)
        assert_true(banyan_rng_next(&rng) == expected[i]);
}

/* splitmix64 from 1234567 fills the state. */
static void test_seed_vector(void **unused)
{
    (void)unused;
    static const uint64_t expected[4] = {6457827717110365317u, 3203168211198807973u,
                                         9817491932198370423u, 4593380528125082431u};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1234567);
    for (int i = 0; i < 4; ++i)
        assert_true(rng.s[i] == expected[i]);
    banyan_rng_seed(&rng, 0);
    assert_true(rng.s[0] | rng.s[1] | rng.s[2] | rng.s[3]);
}

static void test_inline_and_public_agree(void **unused)
{
    (void)unused;
    struct banyan_rng a, b;
    banyan_rng_seed(&a, 5);
    b = a;
    for (uint32_t i = 1; i < 1000; ++i) {
        assert_true(banyan_rng_next(&a) == rng_next(&b));
        assert_int_equal(banyan_rng_below(&a, i), rng_below(&b, i));
        assert_true(banyan_rng_unit(&a) == rng_unit(&b));
    }
}

/* Pearson's statistic over n classes; its mean is n - 1, its deviation sqrt(2 (n - 1)). */
static void check_even(const int *count, int n, int draws)
{
    double expected = (double)draws / n, sum = 0;
    for (int i = 0; i < n; ++i)
        sum += (count[i] - expected) * (count[i] - expected) / expected;
    assert_true(fabs(sum - (n - 1)) < 5 * sqrt(2.0 * (n - 1)) + 2);
}

static void test_below_is_even(void **unused)
{
    (void)unused;
    static const int sizes[] = {2, 3, 6, 7, 10, 20, 100};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    assert_int_equal(banyan_rng_below(&rng, 1), 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        int count[100] = {0}, draws = 100000;
        for (int d = 0; d < draws; ++d) {
            uint32_t value = banyan_rng_below(&rng, (uint32_t)sizes[i]);
            assert_in_range(value, 0, sizes[i] - 1);
            ++count[value];
        }
        check_even(count, sizes[i], draws);
    }
}

/* For 3 * 2^30 a remainder of 32 bits would give the first third twice as often as the others, a
 * product without rejection every third value. */
static void test_below_has_no_bias(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int third[3] = {0}, remainder[3] = {0}, draws = 300000;
    uint32_t n = 3u << 30;
    banyan_rng_seed(&rng, 2);
    for (int d = 0; d < draws; ++d) {
        uint32_t value = banyan_rng_below(&rng, n);
        assert_true(value < n);
        ++third[value >> 30];
        ++remainder[value % 3];
    }
    check_even(third, 3, draws);
    check_even(remainder, 3, draws);
}

static void test_unit(void **unused)
{
    (void)unused;
    struct banyan_rng rng, copy;
    double sum = 0, squares = 0;
    int draws = 200000;
    banyan_rng_seed(&rng, 3);
    for (int d = 0; d < draws; ++d) {
        copy = rng;
        double u = banyan_rng_unit(&rng);
        assert_true(u >= 0 && u < 1);
        assert_true(u * 0x1p53 == (double)(banyan_rng_next(&copy) >> 11));
        sum += u;
        squares += u * u;
    }
    assert_true(fabs(sum / draws - 0.5) < 0.003);
    assert_true(fabs(squares / draws - 1.0 / 3) < 0.003);
}

static int bits_apart(uint64_t a, uint64_t b)
{
    int n = 0;
    for (uint64_t x = a ^ b; x; x &= x - 1)
        ++n;
    return n;
}

/* One different bit in seed, label or index changes about half of the bits of the child. */
static void test_children_differ(void **unused)
{
    (void)unused;
    double sum = 0;
    for (int bit = 0; bit < 64; ++bit) {
        uint64_t one = (uint64_t)1 << bit, base = banyan_rng_child(7, "deal", 7);
        int by_seed = bits_apart(base, banyan_rng_child(7 ^ one, "deal", 7));
        int by_index = bits_apart(base, banyan_rng_child(7, "deal", 7 ^ one));
        assert_in_range(by_seed, 10, 54);
        assert_in_range(by_index, 10, 54);
        sum += by_seed + by_index;
    }
    assert_true(fabs(sum / 128 - 32) < 2);
    assert_true(banyan_rng_child(1, "deal", 0) == banyan_rng_child(1, "deal", 0));
    assert_true(banyan_rng_child(1, "deal", 0) != banyan_rng_child(1, "dice", 0));
    assert_true(banyan_rng_child(1, "ab", 0) != banyan_rng_child(1, "ba", 0));
    assert_true(banyan_rng_child(1, "", 0) != banyan_rng_child(1, "a", 0));
    assert_true(banyan_rng_child(0, "deal", 1) != banyan_rng_child(1, "deal", 0));
}

/* Streams of neighbouring indices do not run in step. */
static void test_child_streams_are_uncorrelated(void **unused)
{
    (void)unused;
    double sum = 0;
    int draws = 100000;
    struct banyan_rng a, b;
    banyan_rng_seed(&a, banyan_rng_child(1, "rollout", 0));
    banyan_rng_seed(&b, banyan_rng_child(1, "rollout", 1));
    for (int d = 0; d < draws; ++d)
        sum += (banyan_rng_unit(&a) - 0.5) * (banyan_rng_unit(&b) - 0.5) * 12;
    assert_true(fabs(sum / draws) < 5 / sqrt(draws));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xoshiro_vector),
        cmocka_unit_test(test_seed_vector),
        cmocka_unit_test(test_inline_and_public_agree),
        cmocka_unit_test(test_below_is_even),
        cmocka_unit_test(test_below_has_no_bias),
        cmocka_unit_test(test_unit),
        cmocka_unit_test(test_children_differ),
        cmocka_unit_test(test_child_streams_are_uncorrelated),
    };
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
