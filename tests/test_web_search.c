/* The page's server without a socket: searches in slices, their trees as rows, sessions, explained searches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hands.h"
#include "web/analysis.h"
#include "web/explained.h"
#include "web/message.h"
#include "web/outbox.h"
#include "web/session.h"
#include "web/tree_rows.h"
#include "json/explain.h"
#include "json/result.h"

#include <banyan/tree.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a search in slices --- */

static void open_analysis(struct analysis *analysis, const char *game, const char *options)
{
    struct banyan_error err;
    const struct analysis_question question = {.game = game, .options = options};
    if (analysis_open(analysis, &question, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

static void run_to(struct analysis *analysis, int64_t k)
{
    assert_int_equal(analysis_aim(analysis, k, NULL), BANYAN_OK);
    while (analysis_is_running(analysis))
        assert_int_equal(analysis_slice(analysis, NULL), BANYAN_OK);
}

/* The fingerprint of a search that ran at once. */
static uint64_t signature_at_once(const struct analysis *like, int64_t k, json_t **rows)
{
    struct banyan_search *search;
    struct banyan_evaluator evaluator;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = k};
    assert_int_equal(banyan_evaluator_create(like->game, "rollout", NULL, &evaluator, NULL),
                     BANYAN_OK);
    assert_int_equal(banyan_search_create(&search, like->game, &like->options, &evaluator, NULL),
                     BANYAN_OK);
    assert_int_equal(banyan_search_set_root(search, like->state, -1, NULL), BANYAN_OK);
    assert_int_equal(banyan_search_run(search, &limits, NULL), BANYAN_OK);
    uint64_t signature = banyan_search_signature(search);
    *rows = result_rows_json(like->game, search, like->state);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return signature;
}

static void check_slices(const char *game, const char *options)
{
    static const int64_t goals[] = {3000, 1, 100, 2999}; /* forwards and back */
    struct analysis analysis = {.game = NULL};
    open_analysis(&analysis, game, options);
    for (size_t i = 0; i < sizeof goals / sizeof *goals; ++i) {
        json_t *wanted;
        run_to(&analysis, goals[i]);
        assert_int_equal(analysis.done, goals[i]);
        json_t *root = analysis_root(&analysis);
        assert_int_equal(json_integer_value(json_object_get(root, "simulations")), goals[i]);
        if (banyan_search_signature(analysis.search) !=
            signature_at_once(&analysis, goals[i], &wanted))
            fail_msg("%s with %s: another tree at simulation %d", game, options, (int)goals[i]);
        assert_true(json_equal(json_object_get(root, "root"), wanted));
        json_decref(wanted);
        json_decref(root);
    }
    analysis_close(&analysis);
}

static void test_slices(void **state)
{
    (void)state;
    check_slices("othello", "seed=3");
    check_slices("othello-6x6", "rule=puct,noise-weight=0.25,seed=5");
    check_slices("othello-6x6", "rule=gumbel,seed=5");
    check_slices("othello-6x6", "final=max-robust,seed=6");
    check_slices("othello-6x6", "final=sample,temperature=1,seed=6");
    check_slices("pig", "seed=2");
    check_slices("kuhn", "rule=regret,seed=2");
    check_slices("mushroom", "threads=1,solver=off,seed=9");
}

static void test_proven(void **state)
{
    (void)state;
    struct analysis analysis = {.game = NULL};
    open_analysis(&analysis, "tictactoe", "solver=on");
    run_to(&analysis, 10000000);
    assert_true(analysis.done > 100 && analysis.done < 10000000);
    assert_int_equal(analysis.done, analysis.target);
    analysis_close(&analysis);
}

static void test_open_errors(void **state)
{
    (void)state;
    struct analysis analysis = {.game = NULL};
    struct banyan_error err;
    static const struct analysis_question questions[] = {
        {.game = "chess"},
        {.game = "othello", .options = "rule=magic"},
        {.game = "othello", .moves = "a1"},
        {.game = "othello", .position = "nonsense"},
        {.game = "othello", .evaluator = "oracle"},
        {.game = "tictactoe", .moves = "a1 a2 b1 b2 c1"},
        {.game = "othello", .options = "memory=1"}};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
        assert_int_not_equal(analysis_open(&analysis, &questions[i], &err), BANYAN_OK);
        assert_null(analysis.search);
        assert_int_not_equal(analysis_aim(&analysis, 1, &err), BANYAN_OK);
    }
    analysis_close(&analysis);
}

/* --- the tree as rows --- */

static int64_t cell(const json_t *columns, const char *name, size_t row)
{
    return (int64_t)json_integer_value(json_array_get(json_object_get(columns, name), row));
}

/* The path of a row, as the page builds it. */
static void row_path(const json_t *columns, size_t row, char *out, size_t size)
{
    char above[512] = "";
    int64_t parent = cell(columns, "parent", row);
    if (parent >= 0)
        row_path(columns, (size_t)parent, above, sizeof above);
    snprintf(out, size, "%s%s", above,
             json_string_value(json_array_get(json_object_get(columns, "id"), row)));
}

/* Parents stand before their children, and no row's children have more visits than the row. */
static void check_rows(const json_t *columns, int budget)
{
    size_t count = json_array_size(json_object_get(columns, "parent"));
    int64_t *below = calloc(count + 1, sizeof *below);
    assert_non_null(below);
    assert_true(count > 0 && count <= (size_t)budget);
    const char *name;
    json_t *column;
    json_object_foreach((json_t *)(uintptr_t)columns, name, column)
        assert_int_equal(json_array_size(column), count);
    for (size_t i = 0; i < count; ++i) {
        int64_t parent = cell(columns, "parent", i);
        assert_true(parent < (int64_t)i);
        if (parent >= 0)
            below[parent] += cell(columns, "visits", i);
    }
    for (size_t i = 0; i < count; ++i)
        assert_true(below[i] <= cell(columns, "visits", i));
    free(below);
}

/* Looks below a row that has children: the row has the same visits there. */
static void check_zoom(const struct analysis *analysis, const json_t *columns, int budget)
{
    const struct tree_rows_source source = {analysis->game, analysis->search, analysis->state};
    struct tree_rows_path path;
    struct banyan_error err;
    json_t *zoomed, *node;
    char text[1024], again[1024];
    size_t count = json_array_size(json_object_get(columns, "parent")), deep = 0;
    for (size_t i = 1; i < count; ++i)
        if (cell(columns, "parent", i) > 1)
            deep = (size_t)cell(columns, "parent", i);
    row_path(columns, deep, text, sizeof text);
    assert_int_equal(tree_rows_parse(text, analysis->game->players, &path, &err), BANYAN_OK);
    if (tree_rows_json(&source, &path, 100, budget, &zoomed, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    check_rows(zoomed, budget);
    size_t at = 0;
    for (; at < json_array_size(json_object_get(zoomed, "parent")); ++at) {
        row_path(zoomed, at, again, sizeof again);
        if (strcmp(again, text) == 0)
            break;
    }
    assert_int_equal(cell(zoomed, "visits", at), cell(columns, "visits", deep));
    assert_int_equal(tree_rows_node(&source, &path, &node, &err), BANYAN_OK);
    json_decref(node);
    json_decref(zoomed);
}

static void check_tree(const char *game, const char *options, int budget)
{
    struct analysis analysis = {.game = NULL};
    struct banyan_error err;
    json_t *columns;
    open_analysis(&analysis, game, options);
    run_to(&analysis, 5000);
    const struct tree_rows_source source = {analysis.game, analysis.search, analysis.state};
    assert_int_equal(tree_rows_json(&source, NULL, 100, budget, &columns, &err), BANYAN_OK);
    check_rows(columns, budget);
    check_zoom(&analysis, columns, budget);
    json_decref(columns);
    analysis_close(&analysis);
}

static void test_tree(void **state)
{
    (void)state;
    check_tree("othello", "seed=1", 5000);
    check_tree("othello", "seed=1", 50);
    check_tree("pig", "seed=1", 500);
    check_tree("kuhn", "seed=1", 500);
    check_tree("rps", "seed=1", 500);
}

/* The roots and the rows on the path are shown whatever their visits; the budget may be too small for them. */
static void test_budget_below_path(void **state)
{
    (void)state;
    static const char *const games[] = {"othello", "rps", "pig"};
    for (size_t g = 0; g < sizeof games / sizeof *games; ++g) {
        struct analysis analysis = {.game = NULL};
        struct tree_rows_path path = {.player = 0};
        struct banyan_error err;
        struct banyan_tree_edge edge;
        open_analysis(&analysis, games[g], "seed=1");
        run_to(&analysis, 500);
        const struct tree_rows_source source = {analysis.game, analysis.search, analysis.state};
        banyan_node root = banyan_tree_root(analysis.search, 0, 0);
        assert_true(banyan_tree_edge(analysis.search, root, 0, &edge, sizeof edge));
        path.steps[path.length++].action = edge.move.action;
        for (int budget = 1; budget <= 4; ++budget) {
            json_t *whole, *below;
            assert_int_equal(tree_rows_json(&source, NULL, 2, budget, &whole, &err), BANYAN_OK);
            assert_int_equal(tree_rows_json(&source, &path, 1, budget, &below, &err), BANYAN_OK);
            check_rows(whole, budget);
            check_rows(below, budget);
            json_decref(whole);
            json_decref(below);
        }
        analysis_close(&analysis);
    }
}

static void test_path_errors(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",        "2",    "x",  "0/",   "0/-1",   "0/1@",
                                        "0/1@xyz", "0/1x", "/1", "0 /1", "0/1@1/", "0//1"};
    struct tree_rows_path path;
    struct banyan_error err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        assert_int_equal(tree_rows_parse(wrong[i], 2, &path, &err), BANYAN_INVALID);
    assert_int_equal(tree_rows_parse("1/18446744073709551615@ffffffffffffffff/3", 2, &path, &err),
                     BANYAN_OK);
    assert_int_equal(path.player, 1);
    assert_int_equal(path.length, 2);
    assert_true(path.steps[0].key == UINT64_MAX && path.steps[0].action == UINT64_MAX);
    char *longest = calloc(1, 2 * TREE_ROWS_STEPS + 4);
    assert_non_null(longest);
    *longest = '0';
    for (int i = 0; i < TREE_ROWS_STEPS; ++i)
        memcpy(longest + 1 + 2 * i, "/1", 2);
    assert_int_equal(tree_rows_parse(longest, 2, &path, &err), BANYAN_OK);
    strcat(longest, "/1");
    assert_int_equal(tree_rows_parse(longest, 2, &path, &err), BANYAN_INVALID);
    free(longest);
}

/* --- a session --- */

static void say(struct session *session, const char *text)
{
    struct message message;
    struct banyan_error err;
    if (message_parse(text, strlen(text), &message, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    session_handle(session, &message);
    message_free(&message);
}

/* Takes the next text, whose member "t" must be type; returns its member `member`, which the caller
 * frees, or NULL. */
static json_t *hear(struct session *session, const char *type, const char *member)
{
    struct outbox_text *text = outbox_take(session->outbox);
    assert_non_null(text);
    json_t *value = json_loadb(text->bytes + OUTBOX_ROOM, text->length, 0, NULL);
    free(text);
    assert_string_equal(json_string_value(json_object_get(value, "t")), type);
    json_t *found = json_incref(json_object_get(value, member));
    json_decref(value);
    return found;
}

static void hear_only(struct session *session, const char *type)
{
    json_decref(hear(session, type, ""));
}

static void test_session(void **state)
{
    (void)state;
    struct outbox outbox;
    struct session session;
    outbox_init(&outbox, NULL, NULL);
    session_init(&session, &outbox, NULL);
    assert_false(session_work(&session));
    say(&session, "{\"t\":\"list\",\"id\":1}");
    json_t *games = hear(&session, "ok", "games");
    assert_true(json_array_size(games) > 20);
    json_decref(games);
    say(&session, "{\"t\":\"step\",\"id\":2,\"n\":1}");
    hear_only(&session, "error"); /* nothing is open */
    say(&session, "{\"t\":\"hello\",\"id\":2,\"token\":\"x\"}");
    hear_only(&session, "error");
    say(&session, "{\"t\":\"open\",\"id\":3,\"game\":\"tictactoe\",\"options\":\"seed=1\"}");
    json_t *position = hear(&session, "ok", "position");
    assert_int_equal(json_array_size(json_object_get(position, "legal")), 1);
    json_decref(position);
    hear_only(&session, "root");
    say(&session, "{\"t\":\"view\",\"id\":4,\"depth\":9,\"budget\":100}");
    say(&session, "{\"t\":\"run\",\"id\":5,\"simulations\":200}");
    while (session_work(&session))
        ;
    hear_only(&session, "ok");
    hear_only(&session, "ok");
    json_t *columns = hear(&session, "tree", "columns");
    assert_int_equal(cell(columns, "visits", 0), 200);
    json_decref(columns);
    json_t *done = hear(&session, "root", "simulations");
    assert_int_equal(json_integer_value(done), 200);
    json_decref(done);
    say(&session, "{\"t\":\"inspect\",\"id\":6,\"path\":\"0\"}");
    json_t *node = hear(&session, "ok", "node");
    assert_int_equal(json_array_size(json_object_get(node, "actions")), 9);
    assert_non_null(strstr(json_string_value(json_object_get(node, "picture")), "<svg"));
    json_decref(node);
    say(&session, "{\"t\":\"inspect\",\"id\":7,\"path\":\"7\"}");
    hear_only(&session, "error");
    say(&session, "{\"t\":\"open\",\"id\":8,\"game\":\"nothing\"}");
    hear_only(&session, "error");
    say(&session, "{\"t\":\"open\",\"id\":9,\"game\":\"tictactoe\",\"position\":\"\xc3\xa9\"}");
    hear_only(&session, "error"); /* its message had the first byte of the character alone */
    session_free(&session);
    outbox_free(&outbox);
}

/* The line leads through the positions of its actions; with dice there is none. */
static void test_line(void **state)
{
    (void)state;
    struct analysis analysis = {.game = NULL};
    open_analysis(&analysis, "othello", "seed=3");
    run_to(&analysis, 2000);
    json_t *line = analysis_line(&analysis), *root = analysis_root(&analysis);
    const json_t *pv = json_object_get(root, "pv");
    assert_true(json_array_size(line) >= 2 && json_array_size(line) <= ANALYSIS_LINE);
    for (size_t i = 0; i < json_array_size(line); ++i) {
        const json_t *step = json_array_get(line, i);
        assert_string_equal(json_string_value(json_object_get(step, "action")),
                            json_string_value(json_array_get(pv, i)));
        assert_true(json_is_object(json_object_get(json_object_get(step, "position"), "board")));
    }
    json_decref(root);
    json_decref(line);
    open_analysis(&analysis, "pig", "seed=3");
    run_to(&analysis, 100);
    line = analysis_line(&analysis);
    assert_int_equal(json_array_size(line), 0);
    json_decref(line);
    analysis_close(&analysis);
}

/* Rows of the next topic "tree" with simulations; other messages are left out. */
static size_t tree_rows_heard(struct session *session)
{
    for (;;) {
        session_work(session);
        struct outbox_text *text = outbox_take(session->outbox);
        if (!text)
            continue;
        json_t *value = json_loadb(text->bytes + OUTBOX_ROOM, text->length, 0, NULL);
        free(text);
        bool wanted = json_integer_value(json_object_get(value, "simulations")) > 0 &&
                      json_object_get(value, "columns");
        size_t rows = json_array_size(json_object_get(json_object_get(value, "columns"), "visits"));
        json_decref(value);
        if (wanted)
            return rows;
    }
}

/* A search that runs shows a small tree, so that it spends its time on searching; when it pauses, all that fits. */
static void test_session_tree(void **state)
{
    (void)state;
    struct outbox outbox;
    struct session session;
    outbox_init(&outbox, NULL, NULL);
    session_init(&session, &outbox, NULL);
    say(&session, "{\"t\":\"open\",\"id\":1,\"game\":\"othello\",\"options\":\"memory=16M\"}");
    say(&session, "{\"t\":\"view\",\"id\":2,\"depth\":500,\"budget\":5000}");
    say(&session, "{\"t\":\"run\",\"id\":3,\"simulations\":1000000000}");
    while (session.analysis.done < 20000)
        session_work(&session);
    outbox_clear(&outbox);
    assert_in_range(tree_rows_heard(&session), 200,
                    1000); /* how many depends on the slice's length */
    say(&session, "{\"t\":\"pause\",\"id\":4}");
    assert_in_range(tree_rows_heard(&session), 1001, 5000);
    session_free(&session);
    outbox_free(&outbox);
}

/* --- rows of information sets --- */

/* Where cards are hidden the root has more actions than a state: all are rows, with their whole strategy. */
static void test_rows_of_hidden_hands(void **state)
{
    (void)state;
    const struct banyan_game game = hands_game(HANDS_SMALL, OFFER_SMALL);
    struct searching s;
    double sum = 0;
    hands_open(&s, &game, "rule=regret,keys=coarse");
    searching_run(&s, 5000);
    struct result_row_list list = result_rows(&game, s.search, 1);
    assert_int_equal(list.count, HANDS_SMALL * OFFER_SMALL);
    list.strategy = result_strategy(s.search, 1, &list);
    assert_non_null(list.strategy);
    for (int i = 0; i < list.count; ++i)
        sum += list.strategy[i];
    assert_true(fabs(sum - 1) < 1e-9);
    free(list.strategy);
    free(list.rows);
    searching_close(&s);
}

/* --- explained --- */

static enum banyan_status refusing_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                            struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_IO, "the evaluator is gone");
}

/* Where the evaluator fails nothing is written. */
static void test_explained_without_values(void **state)
{
    (void)state;
    struct searching s;
    json_t *out = NULL;
    searching_open(&s, "tictactoe", NULL, "batch=1", "uniform");
    struct banyan_evaluator refusing = s.evaluator;
    refusing.evaluate = refusing_evaluate;
    const struct explain_source source = {.game = s.game,
                                          .search = s.search,
                                          .evaluator = &refusing,
                                          .options = &s.options,
                                          .state = s.state,
                                          .top = 3};
    assert_int_equal(explain_json(&source, 3, &out, &s.err), BANYAN_IO);
    assert_null(out);
    searching_close(&s);
}

/* All options of the question hold except the number of threads, because each simulation is
 * explained. */
static void test_explained(void **state)
{
    (void)state;
    json_t *out;
    struct banyan_error err;
    struct analysis_question question = {.game = "pig",
                                         .options = "exploration=1,seed=4,threads=2"};
    if (explained_json(&question, 30, &out, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(json_array_size(json_object_get(out, "simulations")), 30);
    assert_true(json_real_value(json_object_get(out, "c")) == 4);
    assert_non_null(json_object_get(json_object_get(out, "columns"), "label"));
    json_decref(out);
    question.options = "nothing=1";
    assert_int_equal(explained_json(&question, 30, &out, &err), BANYAN_NOT_FOUND);
    question = (struct analysis_question){.game = "chess"};
    assert_int_equal(explained_json(&question, 30, &out, &err), BANYAN_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_proven),
        cmocka_unit_test(test_open_errors),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_budget_below_path),
        cmocka_unit_test(test_path_errors),
        cmocka_unit_test(test_session),
        cmocka_unit_test(test_session_tree),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_rows_of_hidden_hands),
        cmocka_unit_test(test_explained),
        cmocka_unit_test(test_explained_without_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
