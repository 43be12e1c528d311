/* Searches that are saved and go on later: the same trees, and files that are none. */
#include "hands.h"
#include "memory_file.h"

#include "search/search.h"

#include <stdio.h>

static struct memory_file save(struct searching *s)
{
    struct memory_file file = {.space = SIZE_MAX};
    searching_check(s, banyan_search_save(s->search, memory_file_put, &file, &s->err));
    return file;
}

static const struct {
    const char *game, *options, *evaluator;
} kinds[] = {
    {"tictactoe", "solver=off", "rollout"},
    {"connect4", "", "rollout"},
    {"connect4", "transpositions,batch=4", "rollout"},
    {"othello", "rule=puct,noise-weight=0.2", "uniform"},
    {"othello", "solver=off,memory=400K", "rollout"},
    {"pig", "rule=ucb1-tuned", "rollout"},
    {"kuhn", "worlds=3", "rollout"},
    {"kuhn", "worlds=3,world-baseline=on", "rollout"},
    {"rps", "rule=regret", "rollout"},
    {"pokemon", "", "rollout"},
    {"hex-5x5", "rule=gumbel,final=sample", "uniform"},
    {"bloodbowl-1", "ensemble=2", "rollout"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Searches, in some kinds with a limited root, makes a move and searches on.  with_stop: before the
 * move the search is saved, and another search loads the file and goes on. */
static uint64_t fingerprint(size_t kind, bool with_stop, banyan_action *chosen)
{
    struct searching s, other;
    banyan_action legal[64], joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_rng rng;
    struct banyan_dice dice;
    searching_open(&s, kinds[kind].game, NULL, kinds[kind].options, kinds[kind].evaluator);
    searching_open(&other, kinds[kind].game, NULL, kinds[kind].options, kinds[kind].evaluator);
    searching_run(&s, 1000);
    if (kind % 2 && s.game->movers(s.game, s.state) & 1 &&
        s.game->legal(s.game, s.state, 0, legal) > 1)
        searching_check(&s, banyan_search_avoid(s.search, 0, legal, 1, &s.err));
    if (with_stop) {
        struct memory_file file = save(&s);
        /* load replaces these simulations, and the new start behind them */
        searching_run(&other, 50);
        searching_check(&s, banyan_search_set_root(other.search, other.state, -1, &s.err));
        searching_run(&other, 7);
        searching_check(&s, banyan_search_load(other.search, memory_file_get, &file, &s.err));
        assert_int_equal(file.next, file.length);
        assert_int_equal(other.search->tree.table_used, s.search->tree.table_used);
        assert_true(banyan_search_signature(s.search) == banyan_search_signature(other.search));
        free(file.at);
    }
    struct searching *on = with_stop ? &other : &s;
    searching_run(on, 500);
    int mover = s.game->movers(s.game, s.state) & 1 ? 0 : 1;
    *chosen = searching_choice(on, mover);
    uint64_t first = banyan_search_signature(on->search);
    banyan_rng_seed(&rng, 3);
    banyan_dice_drawn(&dice, &rng);
    for (int p = 0; p < s.game->players; ++p)
        if (s.game->movers(s.game, s.state) >> p & 1) {
            s.game->legal(s.game, s.state, p, legal);
            joint[p] = legal[0];
        }
    s.game->apply(s.game, s.state, joint, &dice);
    if (s.game->movers(s.game, s.state)) {
        banyan_search_advance(on->search, joint, s.state);
        searching_run(on, 700);
    }
    uint64_t result = first ^ banyan_search_signature(on->search) * 3;
    searching_close(&s);
    searching_close(&other);
    return result;
}

static void the_same_tree_as_without_a_stop(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < KINDS; ++i) {
        banyan_action chosen[2];
        uint64_t through = fingerprint(i, false, &chosen[0]);
        if (fingerprint(i, true, &chosen[1]) != through || chosen[0] != chosen[1])
            fail_msg("another tree in %s with %s", kinds[i].game, kinds[i].options);
    }
}

/* Limits of the root's actions are saved, also before the first simulation. */
static void limits_are_saved(void **unused)
{
    (void)unused;
    for (int allow = 0; allow < 2; ++allow) {
        struct searching s, other;
        struct banyan_search_move rows[16];
        banyan_action legal[16];
        searching_open(&s, "connect4", NULL, "", "rollout");
        searching_open(&other, "connect4", NULL, "", "rollout");
        assert_int_equal(s.game->legal(s.game, s.state, 0, legal), 7);
        if (allow)
            searching_check(&s, banyan_search_allow(s.search, 0, legal, 2, &s.err));
        else
            searching_check(&s, banyan_search_avoid(s.search, 0, legal, 2, &s.err));
        for (int i = 2; i < 16; ++i) /* more names than there are actions */
            legal[i] = legal[i % 2];
        if (allow)
            searching_check(&s, banyan_search_allow(s.search, 0, legal, 16, &s.err));
        struct memory_file file = save(&s);
        searching_check(&s, banyan_search_load(other.search, memory_file_get, &file, &s.err));
        searching_run(&other, 300);
        int count = banyan_search_root_moves(other.search, 0, rows, 16);
        assert_int_equal(count, allow ? 2 : 5);
        for (int i = 0; i < count; ++i)
            assert_int_equal(rows[i].action == legal[0] || rows[i].action == legal[1], allow);
        free(file.at);
        searching_close(&s);
        searching_close(&other);
    }
}

/* Where cards are hidden, a search takes memory for the actions of many states.  One that has done so can load a
 * search that has not. */
static void a_search_that_has_grown_loads_a_small_one(void **unused)
{
    (void)unused;
    const char *const options[] = {"", "rule=regret", "rule=gumbel", "threads=2", "ensemble=2"};
    const struct banyan_game game = hands_game(HANDS_LARGE, OFFER_SMALL);
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s, other;
        struct banyan_search_stats stats[2];
        hands_open(&s, &game, options[i]);
        hands_open(&other, &game, options[i]);
        searching_run(&s, 4);
        searching_run(&other, 5000);
        struct memory_file file = save(&s);
        searching_check(&s, banyan_search_load(other.search, memory_file_get, &file, &s.err));
        assert_true(banyan_search_signature(s.search) == banyan_search_signature(other.search));
        banyan_search_stats(s.search, &stats[0], sizeof stats[0]);
        banyan_search_stats(other.search, &stats[1], sizeof stats[1]);
        assert_true(stats[1].bytes_used <= stats[0].bytes_used);
        assert_true(stats[0].bytes_allocated == stats[1].bytes_allocated);
        searching_run(&s, 5000);
        searching_run(&other, 5000);
        if (s.options.threads == 1 &&
            banyan_search_signature(s.search) != banyan_search_signature(other.search))
            fail_msg("%s: another tree", options[i]);
        assert_int_equal(hands_illegal, 0);
        free(file.at);
        searching_close(&s);
        searching_close(&other);
    }
}

static void expect_broken(struct searching *s, struct memory_file file, const char *message)
{
    file.next = 0;
    s->err.message[0] = 0;
    assert_int_equal(banyan_search_load(s->search, memory_file_get, &file, &s->err),
                     BANYAN_INVALID);
    if (!strstr(s->err.message, message))
        fail_msg("'%s' does not say '%s'", s->err.message, message);
    assert_null(strchr(s->err.message, '\n'));
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 1};
    assert_int_equal(banyan_search_run(s->search, &limits, NULL), BANYAN_INVALID); /* no root */
}

static void what_is_no_saved_search_is_told(void **unused)
{
    struct searching s, other;
    (void)unused;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    searching_run(&s, 100);
    struct memory_file file = save(&s), cut = file;
    for (size_t length = 0; length < file.length; length += 1 + length / 16) {
        cut.length = length;
        expect_broken(&s, cut, "is not complete: it ends within the");
    }
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (int i = 0; i < 3000; ++i) {
        size_t at = banyan_rng_below(&rng, (uint32_t)(i % 2 ? file.length : 256));
        unsigned char kept = file.at[at];
        file.at[at] ^= (unsigned char)(1u << banyan_rng_below(&rng, 8));
        expect_broken(&s, file, "saved search");
        file.at[at] = kept;
    }
    struct memory_file text = {.at = (unsigned char *)"f5 d6 : 60 0.4\n.........", .length = 24};
    expect_broken(&s, text, "this is not a saved search");
    file.next = 0;
    searching_check(&s, banyan_search_load(s.search, memory_file_get, &file, &s.err));
    searching_run(&s, 100);
    searching_close(&s);
    searching_open(&other, "connect4", NULL, "", "rollout");
    expect_broken(&other, file, "the game 'tictactoe', this one 'connect4'");
    searching_close(&other);
    searching_open(&other, "tictactoe", NULL, "rule=puct", "rollout");
    expect_broken(&other, file, "this one 'rule=puct");
    searching_close(&other);
    searching_open(&other, "tictactoe", NULL, "ensemble=2", "rollout");
    expect_broken(&other, file, "another number of trees (1 in the saved search, now 2)");
    searching_close(&other);
    free(file.at);
}

/* The message names what has changed since: the game, or the kind of evaluator. */
static void what_has_changed_since_is_told(void **unused)
{
    struct searching s, other;
    (void)unused;
    struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    hands_open(&s, &game, "");
    searching_run(&s, 100);
    struct memory_file file = save(&s);
    ++game.max_legal;
    hands_open(&other, &game, "");
    expect_broken(&other, file, "max_legal is different (4 in the saved search, now 5)");
    searching_close(&other);
    --game.max_legal;
    searching_close(&s);
    free(file.at);
}

static void what_cannot_be_saved_is_refused(void **unused)
{
    struct searching s;
    struct memory_file none = {.space = 0}, few = {.space = 1000};
    struct banyan_leaf leaf;
    (void)unused;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    searching_run(&s, 10);
    assert_int_equal(banyan_search_save(s.search, memory_file_put, &none, &s.err), BANYAN_IO);
    assert_int_equal(banyan_search_save(s.search, memory_file_put, &few, &s.err), BANYAN_IO);
    assert_int_equal(banyan_search_select(s.search, &leaf, 1), 1);
    assert_int_equal(banyan_search_save(s.search, memory_file_put, &few, &s.err), BANYAN_INVALID);
    searching_close(&s);
    searching_open(&s, "tictactoe", NULL, "rule=grave", "rollout");
    assert_int_equal(banyan_search_save(s.search, memory_file_put, &few, &s.err),
                     BANYAN_UNSUPPORTED);
    searching_close(&s);
    free(few.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_tree_as_without_a_stop),
        cmocka_unit_test(limits_are_saved),
        cmocka_unit_test(a_search_that_has_grown_loads_a_small_one),
        cmocka_unit_test(what_is_no_saved_search_is_told),
        cmocka_unit_test(what_has_changed_since_is_told),
        cmocka_unit_test(what_cannot_be_saved_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
