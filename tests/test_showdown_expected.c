/* What a search for a decision expects: the foe's replies and the line of play. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "showdown/searching.h"

#include <jansson.h>

#include <string.h>

struct position {
    struct pokemon root;
    struct belief belief;
};

/* The position of a recorded decision. */
static void read_position(struct position *position)
{
    struct banyan_error err;
    json_error_t where;
    const char *state, *belief;
    json_t *line =
        json_load_file(TEST_DATA "/pokemon/decision.jsonl", JSON_DISABLE_EOF_CHECK, &where);
    assert_int_equal(
        json_unpack(line, "{s:{s:s, s:s}}", "detail", "state", &state, "belief", &belief), 0);
    assert_int_equal(text_parse(&position->root, state, &err), BANYAN_OK);
    assert_int_equal(belief_parse(&position->belief, belief, &err), BANYAN_OK);
    json_decref(line);
}

/* Searches the position with the settings; the caller closes *searching. */
static void search(const struct position *position, const char *settings,
                   struct searching *searching)
{
    struct banyan_error err;
    struct searching_task task = {
        .root = &position->root, .belief = &position->belief, .seed = 7, .simulations = 3000};
    assert_int_equal(searching_open(searching, settings, &err), BANYAN_OK);
    assert_int_equal(searching_run(searching, &task, &err), BANYAN_OK);
}

/* The replies are the most visited actions of the foe, the best first, out of all visits. */
static void test_replies(void **state)
{
    (void)state;
    struct position position;
    struct searching searching;
    read_position(&position);
    search(&position, "", &searching);
    const struct expected *expected = &searching.expected;
    uint64_t sum = 0;
    assert_int_equal(expected->reply_count, EXPECTED_REPLIES);
    for (int i = 0; i < expected->reply_count; ++i) {
        assert_true(i == 0 || expected->replies[i].visits <= expected->replies[i - 1].visits);
        assert_true(expected->replies[i].visits > 0);
        sum += expected->replies[i].visits;
    }
    assert_true(sum <= expected->reply_visits);
    assert_true(expected->reply_visits <= searching.stats.simulations);
    assert_true(expected->reply_visits > searching.stats.simulations * 9 / 10);
    searching_close(&searching);
}

/* The line begins with the chosen action and the first reply, goes on, and gets rarer. */
static void test_line(void **state)
{
    (void)state;
    struct position position;
    struct searching searching;
    read_position(&position);
    search(&position, "", &searching);
    const struct expected *expected = &searching.expected;
    int own = position.belief.viewer;
    assert_in_range(expected->line_length, 2, EXPECTED_PLIES);
    assert_int_equal(expected->line[0].movers, 3);
    assert_int_equal(expected->line[0].actions[own], searching.chosen);
    assert_int_equal(expected->line[0].actions[!own], expected->replies[0].action);
    for (int i = 1; i < expected->line_length; ++i) {
        assert_true(expected->line[i].visits < expected->line[0].visits);
        assert_in_range(expected->line[i].movers, 1, 3);
    }
    searching_close(&searching);
}

/* The same search expects the same. */
static void test_same(void **state)
{
    (void)state;
    struct position position;
    struct searching one, two;
    read_position(&position);
    search(&position, "", &one);
    search(&position, "", &two);
    assert_int_equal(one.expected.line_length, two.expected.line_length);
    assert_memory_equal(one.expected.line, two.expected.line, sizeof one.expected.line);
    assert_int_equal(one.expected.reply_visits, two.expected.reply_visits);
    searching_close(&one);
    searching_close(&two);
}

/* With full keys the foe has a node for each team, so no reply is told; an ensemble and threads
 * have both. */
static void test_settings(void **state)
{
    (void)state;
    static const char *const shared[] = {"ensemble=2", "threads=2", "worlds=0", "rule=regret"};
    struct position position;
    struct searching searching;
    read_position(&position);
    search(&position, "keys=full", &searching);
    assert_int_equal(searching.expected.reply_count, 0);
    assert_true(searching.expected.line_length >= 1);
    searching_close(&searching);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; ++i) {
        search(&position, shared[i], &searching);
        assert_true(searching.expected.reply_count > 0);
        assert_true(searching.expected.line_length >= 1);
        searching_close(&searching);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replies),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
