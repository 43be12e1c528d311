/* Pokémon: shares of hp, and the damage calculator. */
#include "games/pokemon/belief.h"
#include "games/pokemon/calc.h"
#include "pokemon_whole.h"

#include <math.h>

/* --- shares of hp --- */

/* The hp that are shown as a percentage, found by trying all of them. */
static void shares_of_hp(void **unused)
{
    (void)unused;
    for (int max = 100; max <= 720; ++max)
        for (int percent = 0; percent <= 100; ++percent) {
            int least = -1, most = -1, low, high;
            for (int hp = 0; hp <= max; ++hp)
                if (hp_percent(hp, max) == percent) {
                    least = least < 0 ? hp : least;
                    most = hp;
                }
            hp_percent_range(percent, max, &low, &high);
            if (low != least || high != most)
                fail_msg("%d %% of %d: %d to %d, not %d to %d", percent, max, low, high, least,
                         most);
            if (most > 0)
                assert_int_equal(hp_percent(belief_hp(most, max, 333), 333), percent);
        }
    assert_int_equal(belief_hp(0, 200, 300), 0);
    assert_int_equal(belief_hp(200, 200, 300), 300);
    assert_int_equal(belief_hp(77, 200, 200), 77);
    assert_int_equal(hp_percent(1, 720), 1);
    assert_int_equal(hp_percent(719, 720), 99);
}

/* --- the calculator --- */

static void knock_outs_by_hand(void **unused)
{
    (void)unused;
    static struct calc calc = {
        .amounts = {{0, false, 0.25}, {10, false, 0.5}, {20, true, 0.25}}, .count = 3, .hp = 30};
    int least = 0, most = 0;
    /* three times 10 at least on average: of 64 ways of three attacks (0: 1, 10: 2, 20: 1 of 4) those with 30
     * or more: 20 20 20: 1; 20 20 10: 6; 20 20 0: 3; 20 10 10: 12; 20 10 0: 12; 10 10 10: 8; of two: 20 20: 1
     * and 20 10: 4 of 16 */
    assert_true(calc_knock_out(&calc, 0) == 0);
    assert_true(calc_knock_out(&calc, 1) == 0);
    assert_true(fabs(calc_knock_out(&calc, 2) - 5.0 / 16) < 1e-12);
    assert_true(fabs(calc_knock_out(&calc, 3) - 42.0 / 64) < 1e-12);
    assert_true(calc_range(&calc, false, &least, &most));
    assert_true(least == 10 && most == 10);
    assert_true(calc_range(&calc, true, &least, &most));
    assert_true(least == 20 && most == 20);
    calc.count = 2;
    assert_false(calc_range(&calc, true, &least, &most));
    calc.hp = 1;
    assert_true(fabs(calc_knock_out(&calc, 1) - 0.5) < 1e-12);
}

/* The amounts of an attack are all different and sorted; Super Fang takes half. */
static void amounts_are_sorted(void **unused)
{
    (void)unused;
    static const int moves[] = {MOVE_BODYSLAM, MOVE_EARTHQUAKE, MOVE_ICEBEAM, MOVE_SURF};
    static struct calc calc;
    struct pokemon s;
    for (uint64_t seed = 1; seed <= 20; ++seed)
        for (int k = 0; k < 4; ++k) {
            double sum = 0, hits = 0;
            start(&s, seed);
            calc_attack(&s, 0, moves[k], false, &calc);
            for (int i = 0; i < calc.count; ++i) {
                const struct calc_amount *x = &calc.amounts[i];
                assert_true(!i || x[-1].crit < x->crit ||
                            (x[-1].crit == x->crit && x[-1].damage < x->damage));
                sum += x->chance;
                hits += x->damage ? x->chance : 0;
            }
            assert_true(fabs(sum - 1) < 1e-9 && fabs(hits - calc.hits) < 1e-9);
        }
    start(&s, 1);
    struct pokemon_mon *mon = lead(&s, FOE);
    memset(s.sides[FOE].active.types, TYPE_NONE, 2);
    mon->ability = ABILITY_STURDY;
    mon->hp = mon->max_hp = 303;
    calc_attack(&s, 0, MOVE_SUPERFANG, false, &calc);
    int least, most;
    assert_true(calc_range(&calc, false, &least, &most));
    assert_true(least == 151 && most == 151);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_hp),
        cmocka_unit_test(knock_outs_by_hand),
        cmocka_unit_test(amounts_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
