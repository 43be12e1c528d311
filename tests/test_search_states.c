/* States of nodes in a game where both players choose, then one alone, and a die falls each time: what is told of the
 * way from a player's choice to their next one. */
#include "searching.h"

#include <stdio.h>

/* --- the game: both choose, then the second player, then the first, who ends it --- */

struct throws {
    uint8_t ply, dice[3];
};

enum { THROWS_DIE, THROWS_FACES = 3 };

static unsigned throws_movers(const struct banyan_game *game, const void *state)
{
    static const unsigned movers[] = {3, 2, 1, 0};
    return movers[((const struct throws *)state)->ply];
}

static int throws_legal(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out)
{
    (void)player;
    out[0] = 7;
    return 1;
}

static void throws_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    struct throws *s = state;
    assert_true(s->ply == 1 || joint[0] == 7);
    assert_true(s->ply == 2 || joint[1] == 7);
    s->dice[s->ply] = (uint8_t)banyan_dice_roll(dice, THROWS_DIE, THROWS_FACES);
    ++s->ply;
}

static void throws_returns(const struct banyan_game *game, const void *state, float *out)
{
    out[0] = out[1] = 0;
}

static uint64_t throws_key(const struct banyan_game *game, const void *state, int viewer)
{
    const struct throws *s = state;
    uint64_t seen = (uint64_t)s->ply << 16 | (uint64_t)s->dice[0] << 8 | s->dice[1];
    return banyan_rng_child(seen, "throws", (uint64_t)viewer);
}

static int throws_action(const struct banyan_game *game, const void *state, int player,
                         banyan_action action, char *out, size_t size)
{
    (void)action;
    /* the state before the action is the one that it is told of */
    return snprintf(out, size, "move %d", ((const struct throws *)state)->ply + player);
}

static const char *const throws_kinds[] = {"die", NULL};
static const struct banyan_game throws_game = {.struct_size = sizeof(struct banyan_game),
                                               .name = "throws",
                                               .title = "Throws",
                                               .players = 2,
                                               .traits = BANYAN_CHANCE | BANYAN_SIMULTANEOUS |
                                                         BANYAN_ZERO_SUM,
                                               .state_size = sizeof(struct throws),
                                               .action_bytes = 1,
                                               .max_legal = 1,
                                               .max_plies = 3,
                                               .return_min = -1,
                                               .return_max = 1,
                                               .dice_kinds = throws_kinds,
                                               .movers = throws_movers,
                                               .legal = throws_legal,
                                               .apply = throws_apply,
                                               .returns = throws_returns,
                                               .key = throws_key,
                                               .action_format = throws_action};

static void throws_open(struct searching *s)
{
    struct throws state = {.ply = 0};
    *s = (struct searching){.game = &throws_game};
    banyan_search_options_default(&s->options);
    searching_check(s, banyan_evaluator_create(s->game, "rollout", NULL, &s->evaluator, &s->err));
    searching_check(s,
                    banyan_search_create(&s->search, s->game, &s->options, &s->evaluator, &s->err));
    searching_check(s, banyan_search_set_root(s->search, &state, -1, &s->err));
}

static char written[1 << 16];

static bool keep(void *ctx, const char *text, size_t length)
{
    size_t *used = ctx;
    assert_true(*used + length < sizeof written);
    memcpy(written + *used, text, length);
    *used += length;
    written[*used] = 0;
    return true;
}

static int times(const char *part)
{
    int count = 0;
    for (const char *at = written; (at = strstr(at, part)); at += strlen(part))
        ++count;
    return count;
}

/* Every throw and every other choice is named once, in their order, and each outcome is found. */
static void the_way_to_the_next_choice_is_told(void **unused)
{
    const struct banyan_search_tree_view view = {.format = BANYAN_TREE_TEXT, .depth = 2};
    struct searching s;
    size_t used = 0;
    (void)unused;
    throws_open(&s);
    searching_run(&s, 500);
    searching_check(&s, banyan_search_write_tree(s.search, &view, keep, &used, &s.err));
    for (int i = 1; i <= THROWS_FACES; ++i) {
        char way[64];
        for (int k = 1; k <= THROWS_FACES; ++k) {
            snprintf(way, sizeof way, "(player 2 move 1, die %d, player 2 move 2, die %d: ", i, k);
            assert_int_equal(times(way), 1);
        }
        snprintf(way, sizeof way, "(player 1 move 0, die %d: ", i);
        assert_int_equal(times(way), 1);
    }
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_way_to_the_next_choice_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
