/* The parts of endings of the mushroom game compared with all sets of mushrooms that can be left,
 * listed without parts. */
#include "games/mushroom/harvest.h"
#include "games/mushroom/parts.h"
#include "games/mushroom/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The legal rectangles as the game lists them. */
static void list(const struct mushroom_state *state, struct windows_list *out)
{
    const struct banyan_game *game = mushroom_at(mushroom_level());
    banyan_action legal[BOARD_MAX_LEGAL + 1];
    out->count = game->legal(game, state, state->mover, legal) - 1;
    for (int i = 0; i < out->count; ++i) {
        struct rectangle x = rectangle_of((int)legal[i]);
        out->cell[i] = (uint8_t)(BOARD_STRIDE * x.r1 + x.c1);
        out->down[i] = (uint8_t)(x.r2 - x.r1);
        out->width[i] = (uint8_t)(x.c2 - x.c1);
    }
}

/* A position of a game between players "tournament": 13 rectangles. */
static const char few_sets[] =
    "02219159504937171/00000005106925740/47000667860009850/97909974358000000/14752776099200097/"
    "60000527024800084/00059860071760001/00050970470000000/73080990727200310/72913270437000470 "
    "F........S......./FSSSFFF..S......F/..FFF.....SSS...F/...S.......SFFSSS/........S...FFS../"
    ".SSSS...S...SSS../SSF....FF....FSF./FFF.F..S..SSFFSFF/..F.F..S....FF..F/.......S...SSS..F F 0 "
    "6121";

static const struct parts_limits no_limits = {.sets = PARTS_SETS};

/* All sets of mushrooms that were seen, in a hash table with open addressing. */
enum { SEEN = 1 << 16, MOST = 20000 };

struct seen {
    struct cells live[SEEN];
    int count;
};

static bool seen_add(struct seen *seen, struct cells live)
{
    uint64_t mix = live.word[0] * 3 + live.word[1] * 5 + live.word[2] * 7;
    uint64_t hash = mix * 0x9e3779b97f4a7c15u >> 48;
    for (;; hash = (hash + 1) % SEEN) {
        struct cells *at = &seen->live[hash];
        if (memcmp(at, &live, sizeof live) == 0)
            return false;
        if (!cells_any(*at)) {
            *at = live;
            ++seen->count;
            return true;
        }
    }
}

/* The rectangles of a state are the steps of its sets, and each step leads to the set that is left
 * after it. */
static void check_state(const struct parts *parts, const struct mushroom_state *state)
{
    uint32_t sets[PARTS_RECTANGLES], after[PARTS_RECTANGLES];
    struct windows_list legal;
    int steps = 0;
    assert_true(parts_locate(parts, state, sets));
    list(state, &legal);
    for (int i = 0; i < parts->count; ++i)
        for (uint32_t k = 0; k < parts->sets[sets[i]].count; ++k, ++steps) {
            const struct parts_step *step = &parts->steps[parts->sets[sets[i]].first + k];
            struct mushroom_state next = *state;
            bool found = false;
            for (int n = 0; n < legal.count; ++n) {
                struct rectangle x = windows_corners(&legal, n);
                found |= memcmp(&x, &step->rectangle, sizeof x) == 0;
            }
            assert_true(found);
            play_harvest(&next, step->rectangle);
            assert_true(parts_locate(parts, &next, after));
            for (int n = 0; n < parts->count; ++n)
                assert_int_equal(after[n], n == i ? step->next : sets[n]);
        }
    assert_int_equal(steps, legal.count);
}

/* Checks all states that can follow; stops after MOST of them. */
static void check_all(const struct parts *parts, const struct mushroom_state *state,
                      struct seen *seen)
{
    struct windows_list legal;
    if (seen->count >= MOST || !seen_add(seen, state->live))
        return;
    check_state(parts, state);
    list(state, &legal);
    for (int i = 0; i < legal.count; ++i) {
        struct mushroom_state next = *state;
        play_harvest(&next, windows_corners(&legal, i));
        check_all(parts, &next, seen);
    }
}

/* No cell is within reach of two parts. */
static void check_apart(const struct parts *parts)
{
    for (int i = 0; i < parts->count; ++i)
        for (int k = 0; k < i; ++k)
            assert_false(cells_any(cells_and(parts->sets[parts->part[i].first].reach,
                                             parts->sets[parts->part[k].first].reach)));
}

static void test_equal_all_sets(void **unused)
{
    (void)unused;
    const struct banyan_game *game = mushroom_at(mushroom_level());
    struct seen *seen = malloc(sizeof *seen);
    struct parts parts;
    struct banyan_rng rng;
    int several = 0, all = 0, listed = 0;
    assert_non_null(seen);
    assert_int_equal(parts_create(&parts, NULL), BANYAN_OK);
    banyan_rng_seed(&rng, 5);
    for (int i = 0; i < 400; ++i) {
        struct mushroom_state state;
        struct windows_list legal;
        assert_int_equal(mushroom_init(game, &state, NULL, &rng, NULL), BANYAN_OK);
        do
            game->rollout(game, &state, 1, 1, &rng), list(&state, &legal);
        while (legal.count > 8);
        assert_true(parts_find(&parts, &state, list, &no_limits));
        memset(seen, 0, sizeof *seen);
        check_apart(&parts);
        check_all(&parts, &state, seen);
        several += parts.count > 1;
        all += seen->count;
        listed += (int)parts.set_count;
    }
    assert_true(several > 200);
    assert_true(all > 2 * listed);
    parts_destroy(&parts);
    free(seen);
}

/* An ending of 368,640 sets of mushrooms: eight parts have 91 sets together. */
static void test_few_sets(void **unused)
{
    (void)unused;
    struct mushroom_state state;
    struct parts parts;
    assert_int_equal(mushroom_init(NULL, &state, few_sets, NULL, NULL), BANYAN_OK);
    assert_int_equal(parts_create(&parts, NULL), BANYAN_OK);
    assert_true(parts_find(&parts, &state, list, &no_limits));
    assert_int_equal(parts.count, 8);
    int sets = 0;
    for (int i = 0; i < parts.count; ++i)
        sets += (int)parts.part[i].size;
    assert_in_range(sets, 20, 91);
    parts_destroy(&parts);
}

/* A limit ends the search for parts, and leaves nothing behind. */
static void test_limits(void **unused)
{
    (void)unused;
    struct mushroom_state state;
    struct parts parts;
    uint32_t sets[PARTS_RECTANGLES];
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    assert_int_equal(parts_create(&parts, NULL), BANYAN_OK);
    assert_int_equal(mushroom_init(NULL, &state, NULL, &rng, NULL), BANYAN_OK);
    assert_false(parts_find(&parts, &state, list, &no_limits)); /* too many rectangles */
    assert_false(parts_locate(&parts, &state, sets));
    assert_int_equal(mushroom_init(NULL, &state, few_sets, NULL, NULL), BANYAN_OK);
    assert_false(parts_find(&parts, &state, list, &(struct parts_limits){.sets = 30}));
    assert_false(parts_locate(&parts, &state, sets));
    assert_true(parts_find(&parts, &state, list, &no_limits));
    assert_true(parts_locate(&parts, &state, sets));
    state.digits[0] = (uint8_t)(state.digits[0] % 9 + 1); /* another board */
    cells_put(&state.live, 0);
    assert_false(parts_locate(&parts, &state, sets));
    parts_destroy(&parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_all_sets),
        cmocka_unit_test(test_few_sets),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
