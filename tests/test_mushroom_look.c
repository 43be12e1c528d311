/* The last ply of mushroom's search, against the same rule written plainly from the rules of the game. */
#include "games/mushroom/windows_portable.h"

#include "games/mushroom/engine_core.inc.h"
#include "games/mushroom/table.h"
#include "mushroom_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ALL = 1000 };

static struct engine *make(int look)
{
    struct engine *engine;
    struct engine_options options;
    engine_options_default(false, &options);
    options.table_bytes = 1 << 16;
    options.look = look;
    assert_int_equal(engine_create(&engine, &options, NULL), BANYAN_OK);
    engine_start(engine, &(struct engine_limits){.nodes = UINT64_MAX});
    return engine;
}

/* The state after this action. */
static struct mushroom_state after(const struct mushroom_state *s, banyan_action action)
{
    struct mushroom_state next = *s;
    play_action(&next, (int)action);
    return next;
}

/* The number of cells in a rectangle that belong to player. */
static int inside(const struct mushroom_state *s, banyan_action action, int player)
{
    struct rectangle x = rectangle_of((int)action);
    int count = 0;
    for (int r = x.r1; r <= x.r2; ++r)
        for (int c = x.c1; c <= x.c2; ++c)
            count += cells_has(&s->owned[player], 18 * r + c);
    return count;
}

static int swing_of(const struct mushroom_state *s, banyan_action action)
{
    struct mushroom_state next = after(s, action);
    return mushroom_difference(&next, s->mover) - mushroom_difference(s, s->mover);
}

/* The estimate of docs/games/mushroom.md in sixteenths of a cell: the lead, half of the largest swing, and 6/16 of
 * the tilt.  *largest: the largest swing. */
static int estimate(const struct mushroom_state *s, bool with_swing, int *largest)
{
    static banyan_action actions[BOARD_MAX_LEGAL];
    int count = naive_legal(s, actions), tilt = 0;
    *largest = 0;
    for (int i = 0; i < count; ++i) {
        int swing = swing_of(s, actions[i]);
        *largest = swing > *largest ? swing : *largest;
        tilt += inside(s, actions[i], 1 - s->mover) - inside(s, actions[i], s->mover);
    }
    int lead = mushroom_difference(s, s->mover);
    return 16 * lead + 6 * tilt + (with_swing ? 8 * *largest : 0);
}

/* The estimate after one reply, for the side that makes it. */
static int after_reply(const struct mushroom_state *s, banyan_action action)
{
    struct mushroom_state next = after(s, action);
    int largest, value = estimate(&next, true, &largest);
    int lead = mushroom_difference(&next, s->mover);
    return largest ? -value : lead > 0 ? ENGINE_WIN : lead < 0 ? -ENGINE_WIN : 0;
}

/* The best of: staying, and all replies whose swing is at least `least`. */
static int look(const struct mushroom_state *s, int least)
{
    banyan_action actions[BOARD_MAX_LEGAL];
    int count = naive_legal(s, actions), largest, best = estimate(s, false, &largest);
    int pass = 16 * mushroom_difference(s, s->mover);
    best = pass > best ? pass : best;
    for (int i = 0; i < count; ++i) {
        int value = swing_of(s, actions[i]) >= least ? after_reply(s, actions[i]) : -CORE_INFINITE;
        best = value > best ? value : best;
    }
    return best;
}

/* The number of actions with the largest swing. */
static int with_largest(const struct mushroom_state *s, int *largest)
{
    banyan_action actions[BOARD_MAX_LEGAL];
    int count = naive_legal(s, actions), same = 0;
    estimate(s, false, largest);
    for (int i = 0; i < count; ++i)
        same += swing_of(s, actions[i]) == *largest;
    return same;
}

static int last_ply(struct engine *engine, const struct mushroom_state *s, int alpha, int beta)
{
    struct core_node node = {s, mushroom_difference(s, s->mover), 1};
    return core_last_ply(engine, &node, alpha, beta);
}

/* Calls check with positions of random games in which something can still be taken. */
static void each_position(int count, void (*check)(const struct mushroom_state *s))
{
    banyan_action actions[BOARD_MAX_LEGAL];
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 31);
    for (int i = 0; i < count;) {
        struct mushroom_state s;
        assert_int_equal(mushroom_init(NULL, &s, NULL, &rng, NULL), BANYAN_OK);
        int legal = naive_legal(&s, actions), stop = (int)banyan_rng_below(&rng, 45);
        for (int ply = 0; legal && ply < stop; ++ply) {
            play_action(&s, (int)actions[banyan_rng_below(&rng, (uint32_t)legal)]);
            legal = naive_legal(&s, actions);
        }
        if (!legal)
            continue;
        check(&s);
        ++i;
    }
}

static struct engine *none, *one, *all;

static void check_looks(const struct mushroom_state *s)
{
    int largest, same = with_largest(s, &largest), pass = 16 * mushroom_difference(s, s->mover);
    int plain = estimate(s, true, &largest);
    assert_int_equal(last_ply(none, s, -CORE_INFINITE, CORE_INFINITE), plain > pass ? plain : pass);
    banyan_action actions[BOARD_MAX_LEGAL];
    uint64_t before = all->nodes;
    assert_int_equal(last_ply(all, s, -CORE_INFINITE, CORE_INFINITE), look(s, 1));
    assert_int_equal(all->nodes - before, naive_legal(s, actions)); /* each reply once */
    if (same == 1)
        assert_int_equal(last_ply(one, s, -CORE_INFINITE, CORE_INFINITE), look(s, largest));
}

static void the_last_ply_looks_at_replies(void **unused)
{
    (void)unused;
    none = make(0), one = make(1), all = make(ALL);
    each_position(300, check_looks);
    engine_destroy(none), engine_destroy(one), engine_destroy(all);
}

/* An estimate far from the window is returned as it is. */
static void check_far(const struct mushroom_state *s)
{
    int largest, plain = estimate(s, true, &largest), pass = 16 * mushroom_difference(s, s->mover);
    if (plain <= pass)
        return; /* the pass decides */
    assert_int_equal(last_ply(all, s, plain + 64, plain + 65), plain);
    if (pass < plain - 64)
        assert_int_equal(last_ply(all, s, plain - 65, plain - 64), plain);
    uint64_t before = all->nodes;
    last_ply(all, s, plain + 64, plain + 65);
    assert_int_equal(all->nodes, before);
    last_ply(all, s, plain + 63, CORE_INFINITE);
    assert_true(all->nodes > before); /* nearer, and replies are looked at */
    before = all->nodes;
    if (pass < plain - 63 && estimate(s, false, &largest) < plain - 63) {
        last_ply(all, s, -CORE_INFINITE, plain - 63);
        assert_true(all->nodes > before);
    }
}

static void far_estimates_are_enough(void **unused)
{
    (void)unused;
    all = make(ALL);
    each_position(100, check_far);
    engine_destroy(all);
}

/* Two pairs far from each other.  The mover, two cells behind, takes one and draws: then nothing is left. */
static void a_reply_that_ends_the_game_counts_exactly(void **unused)
{
    (void)unused;
    struct mushroom_state s;
    struct engine *engine = make(2);
    assert_int_equal(
        mushroom_init(NULL, &s,
                      "19000000000000000/00000000000000000/00000000000000000/00000000000000000/"
                      "00000000000000000/00000000000000000/00000000000000000/00000000000000000/"
                      "00000000000000000/00000000000000019",
                      NULL, NULL),
        BANYAN_OK);
    assert_int_equal(last_ply(engine, &s, -CORE_INFINITE, CORE_INFINITE), 2 * 16 - 1 * 16);
    struct mushroom_state next = after(&s, 0); /* 0,0,0,1 */
    assert_int_equal(last_ply(engine, &next, -CORE_INFINITE, CORE_INFINITE), 0);
    struct engine_result found;
    engine_start(engine, &(struct engine_limits){.depth = ENGINE_MAX_DEPTH});
    core_think(engine, &s, &found);
    assert_true(found.exact && found.value == 0);
    engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_ply_looks_at_replies),
        cmocka_unit_test(far_estimates_are_enough),
        cmocka_unit_test(a_reply_that_ends_the_game_counts_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
