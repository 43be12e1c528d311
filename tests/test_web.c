/* The page's server without a socket: who may connect, what a message may say, what waits to be sent, and a
 * search in slices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/analysis.h"
#include "web/explained.h"
#include "web/gate.h"
#include "web/message.h"
#include "web/outbox.h"
#include "web/recorded.h"
#include "web/session.h"
#include "web/table.h"
#include "web/tree_rows.h"
#include "json/result.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- gate --- */

static struct gate gate = {.port = 8000, .token = "0123456789abcdef0123456789abcdef"};

static void test_gate_host(void **state)
{
    (void)state;
    assert_true(gate_allows_host(&gate, "127.0.0.1:8000"));
    assert_true(gate_allows_host(&gate, "localhost:8000"));
    assert_true(gate_allows_host(&gate, "LOCALHOST:8000"));
    static const char *const refused[] = {NULL,
                                          "",
                                          "127.0.0.1",
                                          "127.0.0.1:8001",
                                          "evil:8000",
                                          "127.0.0.1:80000",
                                          " localhost:8000",
                                          "localhost:8000.evil",
                                          "127.0.0.1:8000 ",
                                          "localhost.:8000"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
        assert_false(gate_allows_host(&gate, refused[i]));
    struct gate named = gate;
    named.allowed_host = "server.example";
    assert_true(gate_allows_host(&named, "server.example:8000"));
    assert_false(gate_allows_host(&gate, "server.example:8000"));
}

static struct gate_upgrade right = {"websocket", "127.0.0.1:8000", "http://127.0.0.1:8000",
                                    "banyan.1"};

static bool upgrade_with(const char **field, const char *value)
{
    const char *before = *field;
    *field = value;
    bool allowed = gate_allows_upgrade(&gate, &right);
    *field = before;
    return allowed;
}

static void test_gate_upgrade(void **state)
{
    (void)state;
    assert_true(gate_allows_upgrade(&gate, &right));
    static const char *const origins[] = {NULL,
                                          "null",
                                          "",
                                          "http://evil.example",
                                          "http://127.0.0.1:8000.evil.example",
                                          "https://127.0.0.1:8000",
                                          "http://127.0.0.1",
                                          "http://localhost:8000",
                                          "127.0.0.1:8000"};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; ++i)
        assert_false(upgrade_with(&right.origin, origins[i]));
    static const char *const subprotocols[] = {NULL, "", "banyan.2", "banyan.1, banyan.2",
                                               "BANYAN.1"};
    for (size_t i = 0; i < sizeof subprotocols / sizeof *subprotocols; ++i)
        assert_false(upgrade_with(&right.subprotocol, subprotocols[i]));
    assert_false(upgrade_with(&right.to, "h2c"));
    assert_false(upgrade_with(&right.to, NULL));
    assert_false(upgrade_with(&right.host, "evil:8000"));
}

static void test_gate_token(void **state)
{
    (void)state;
    assert_true(gate_allows_token(&gate, "0123456789abcdef0123456789abcdef"));
    assert_false(gate_allows_token(&gate, "0123456789abcdef0123456789abcdee"));
    assert_false(gate_allows_token(&gate, "1123456789abcdef0123456789abcdef"));
    assert_false(gate_allows_token(&gate, ""));
    assert_false(gate_allows_token(&gate, "0123456789abcdef0123456789abcdef0"));
    struct gate one = gate, other = gate;
    assert_true(gate_make_token(&one) && gate_make_token(&other));
    assert_int_equal(strlen(one.token), GATE_TOKEN);
    assert_string_not_equal(one.token, other.token);
    assert_int_equal(strspn(one.token, "0123456789abcdef"), GATE_TOKEN);
    struct gate none = {.port = 8000};
    assert_false(gate_allows_token(&none, ""));
}

/* --- messages --- */

static void parse_ok(const char *text, enum message_type type)
{
    struct message message;
    struct banyan_error err;
    assert_int_equal(message_parse(text, strlen(text), &message, &err), BANYAN_OK);
    assert_int_equal(message.type, type);
    assert_int_equal(message.id, 7);
    message_free(&message);
}

static void parse_fails(const char *text, int64_t id, const char *why)
{
    struct message message;
    struct banyan_error err;
    assert_int_equal(message_parse(text, strlen(text), &message, &err), BANYAN_INVALID);
    assert_string_equal(err.message, why);
    assert_int_equal(message.id, id);
    assert_null(message.body);
}

static void test_message(void **state)
{
    (void)state;
    parse_ok("{\"t\":\"hello\",\"id\":7,\"token\":\"abc\"}", MESSAGE_HELLO);
    parse_ok("{\"t\":\"open\",\"id\":7,\"game\":\"othello\"}", MESSAGE_OPEN);
    parse_ok("{\"t\":\"open\",\"id\":7,\"game\":\"othello\",\"moves\":\"\"}", MESSAGE_OPEN);
    parse_ok("{\"t\":\"goto\",\"id\":7,\"k\":1125899906842624}", MESSAGE_GOTO);
    parse_ok("{\"t\":\"view\",\"id\":7,\"depth\":3,\"budget\":5000}", MESSAGE_VIEW);
    parse_fails("", 0, "a message must be one JSON object");
    parse_fails("[1]", 0, "a message must be one JSON object");
    parse_fails("{\"t\":\"list\",\"t\":\"list\",\"id\":1}", 0, "a message must be one JSON object");
    parse_fails("{\"t\":\"list\",\"id\":1} x", 0, "a message must be one JSON object");
    parse_fails("{\"id\":3}", 3, "a message needs its type, the text 't'");
    parse_fails("{\"t\":\"list\"}", 0, "a message needs its number 'id', 0 or more");
    parse_fails("{\"t\":\"list\",\"id\":-1}", -1, "a message needs its number 'id', 0 or more");
    parse_fails("{\"t\":\"list\",\"id\":1.5}", 0, "a message needs its number 'id', 0 or more");
    parse_fails("{\"t\":\"shout\",\"id\":3}", 3, "no message has the type 'shout'");
    parse_fails("{\"t\":\"list\",\"id\":3,\"x\":1}", 3, "'list' has no field 'x'");
    parse_fails("{\"t\":\"step\",\"id\":3}", 3, "'step' needs the field 'n'");
    parse_fails("{\"t\":\"step\",\"id\":3,\"n\":\"1\"}", 3, "'n' of 'step' must be a whole number");
    parse_fails("{\"t\":\"step\",\"id\":3,\"n\":0}", 3,
                "'n' of 'step' must be 1 to 1125899906842624, got 0");
    parse_fails("{\"t\":\"view\",\"id\":3,\"depth\":1,\"budget\":5001}", 3,
                "'budget' of 'view' must be 1 to 5000, got 5001");
    parse_fails("{\"t\":\"open\",\"id\":3,\"game\":\"\"}", 3,
                "'game' of 'open' must have a length of 1 to 64, got 0");
    parse_fails("{\"t\":\"open\",\"id\":3,\"game\":9}", 3, "'game' of 'open' must be a text");
}

static void test_message_limit(void **state)
{
    (void)state;
    struct message message;
    struct banyan_error err;
    char *text = malloc(MESSAGE_MAX + 1);
    assert_non_null(text);
    memset(text, '[', MESSAGE_MAX + 1);
    assert_int_equal(message_parse(text, MESSAGE_MAX, &message, &err), BANYAN_INVALID);
    assert_string_equal(err.message, "a message must be one JSON object");
    assert_int_equal(message_parse(text, MESSAGE_MAX + 1, &message, &err), BANYAN_INVALID);
    assert_string_equal(err.message, "a message has at most 65536 bytes");
    free(text);
}

/* --- outbox --- */

static int wakes;
static void count_wake(void *ctx)
{
    (void)ctx;
    ++wakes;
}

static json_t *numbered(int n)
{
    return json_pack("{s:i}", "n", n);
}

/* The member of the next text; -1: there is no text. */
static int take_number(struct outbox *outbox, const char *member)
{
    struct outbox_text *text = outbox_take(outbox);
    if (!text)
        return -1;
    json_t *value = json_loadb(text->bytes + OUTBOX_ROOM, text->length, 0, NULL);
    assert_non_null(value);
    int n = (int)json_integer_value(json_object_get(value, member));
    json_decref(value);
    free(text);
    return n;
}

static void test_outbox_latest(void **state)
{
    (void)state;
    struct outbox outbox;
    wakes = 0;
    outbox_init(&outbox, count_wake, NULL);
    assert_true(outbox_is_empty(&outbox));
    for (int i = 1; i <= 1000; ++i)
        outbox_publish(&outbox, OUTBOX_ROOT, numbered(i));
    outbox_publish(&outbox, OUTBOX_TREE, numbered(5000));
    outbox_answer(&outbox, numbered(1));
    outbox_answer(&outbox, numbered(2));
    assert_int_equal(wakes, 1003);
    assert_int_equal(take_number(&outbox, "n"), 1); /* answers first, in order */
    assert_int_equal(take_number(&outbox, "n"), 2);
    assert_int_equal(take_number(&outbox, "version"), 1000); /* then the latest of each topic */
    outbox_publish(&outbox, OUTBOX_ROOT, numbered(1001));
    assert_int_equal(take_number(&outbox, "n"), 5000); /* a busy topic keeps no other waiting */
    assert_int_equal(take_number(&outbox, "n"), 1001);
    assert_int_equal(take_number(&outbox, "n"), -1);
    assert_true(outbox_is_empty(&outbox));
    outbox_publish(&outbox, OUTBOX_ROOT, numbered(1));
    outbox_clear(&outbox);
    assert_true(outbox_is_empty(&outbox));
    assert_false(outbox_has_overrun(&outbox));
    outbox_free(&outbox);
}

static void test_outbox_overrun(void **state)
{
    (void)state;
    struct outbox outbox;
    outbox_init(&outbox, NULL, NULL);
    for (int i = 0; i < OUTBOX_ANSWERS; ++i)
        outbox_answer(&outbox, numbered(i));
    assert_false(outbox_has_overrun(&outbox));
    outbox_answer(&outbox, numbered(OUTBOX_ANSWERS));
    assert_true(outbox_has_overrun(&outbox));
    for (int i = 0; i < OUTBOX_ANSWERS; ++i)
        assert_int_equal(take_number(&outbox, "n"), i);
    assert_int_equal(take_number(&outbox, "n"), -1);
    outbox_free(&outbox);
}

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

/* The member "t" of the next text must be type; the member `member` of it, which the caller frees; NULL: none. */
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
    assert_in_range(tree_rows_heard(&session), 500, 1000);
    say(&session, "{\"t\":\"pause\",\"id\":4}");
    assert_in_range(tree_rows_heard(&session), 1001, 5000);
    session_free(&session);
    outbox_free(&outbox);
}

/* --- explained --- */

/* The options of the question decide, but for threads: each simulation is told. */
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

/* --- a game --- */

static void sit(struct table *table, const struct table_question *question)
{
    struct banyan_error err;
    if (table_open(table, question, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

static void play_on(struct table *table)
{
    bool played = true;
    while (played)
        assert_int_equal(table_step(table, &played, NULL), BANYAN_OK);
}

static void choose(struct table *table, int player, const char *action)
{
    struct banyan_error err;
    if (table_choose(table, player, action, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    play_on(table);
}

/* The first action that is offered, for the person who must choose. */
static void choose_first(struct table *table)
{
    json_t *now = table_json(table);
    const json_t *legal =
        json_array_get(json_object_get(json_object_get(now, "position"), "legal"), 0);
    const json_t *action = json_array_get(json_object_get(legal, "actions"), 0);
    choose(table, (int)json_integer_value(json_object_get(legal, "player")),
           json_string_value(json_object_get(action, "action")));
    json_decref(now);
}

static void test_table(void **state)
{
    (void)state;
    struct table table = {.game = NULL};
    struct banyan_error err;
    sit(&table, &(struct table_question){.game = "tictactoe", .seats = "human\nfirst"});
    play_on(&table);
    assert_int_equal(table.record.plies, 0);
    assert_int_equal(table_choose(&table, 1, "a1", &err), BANYAN_ILLEGAL); /* not a person */
    assert_int_equal(table_choose(&table, 0, "d9", &err), BANYAN_INVALID);
    assert_int_equal(table_undo(&table, &err), BANYAN_INVALID);
    choose(&table, 0, "b2");
    choose(&table, 0, "b1");
    assert_int_equal(table.record.plies, 4);
    json_t *now = table_json(&table);
    assert_int_equal(json_array_size(json_object_get(now, "log")), 4);
    assert_true(json_is_true(json_object_get(now, "can_undo")));
    json_decref(now);
    assert_int_equal(table_undo(&table, &err), BANYAN_OK);
    assert_int_equal(table.record.plies, 2);
    choose(&table, 0, "b1");
    choose(&table, 0, "b3");
    now = table_json(&table);
    assert_int_equal(json_array_size(json_object_get(json_object_get(now, "position"), "returns")),
                     2);
    assert_int_equal(json_array_size(json_object_get(now, "waiting")), 0);
    json_decref(now);
    table_close(&table);
}

/* What was saved is gone on with, at the same position; dice and the deal included. */
static void test_table_save(void **state)
{
    (void)state;
    struct table table = {.game = NULL}, again = {.game = NULL};
    struct banyan_error err;
    const struct table_question question = {.game = "pig", .seats = "human\nfirst", .seed = 7};
    sit(&table, &question);
    for (int i = 0; i < 20; ++i)
        choose_first(&table);
    char *record = table_record(&table, &err);
    assert_non_null(record);
    struct table_question saved = question;
    saved.record = record;
    sit(&again, &saved);
    assert_int_equal(again.record.plies, table.record.plies);
    json_t *one = table_json(&table), *other = table_json(&again);
    assert_true(json_equal(json_object_get(one, "position"), json_object_get(other, "position")));
    assert_true(json_equal(json_object_get(one, "log"), json_object_get(other, "log")));
    json_decref(one);
    json_decref(other);
    free(record);
    table_close(&again);
    table_close(&table);
}

/* The same choice after an undo has the same luck. */
static void test_table_luck(void **state)
{
    (void)state;
    struct table table = {.game = NULL};
    sit(&table, &(struct table_question){.game = "pig", .seats = "human\nhuman", .seed = 3});
    for (int i = 0; i < 5; ++i) {
        json_t *before = table_json(&table);
        int mover = (int)json_integer_value(json_array_get(json_object_get(before, "waiting"), 0));
        json_decref(before);
        choose(&table, mover, "roll");
        json_t *first = table_json(&table);
        assert_int_equal(table_undo(&table, NULL), BANYAN_OK);
        choose(&table, mover, "roll");
        json_t *second = table_json(&table);
        assert_true(json_equal(first, second));
        json_decref(first);
        json_decref(second);
    }
    table_close(&table);
}

/* Each decision spends the time of who decided; who has used up all of it has lost. */
static void test_clocks(void **state)
{
    (void)state;
    struct clocks clocks;
    clocks_begin(&clocks, 1000, 50);
    clocks_start(&clocks, 5000);
    assert_true(clocks_stop(&clocks, 0, 5300));
    assert_true(clocks.left_ms[0] == 750 && clocks.left_ms[1] == 1000);
    clocks_start(&clocks, 5300);
    json_t *now = clocks_json(&clocks, 2, 2, 5700);
    const json_t *left = json_object_get(now, "left_ms");
    assert_int_equal(json_integer_value(json_array_get(left, 0)), 750);
    assert_int_equal(json_integer_value(json_array_get(left, 1)), 600);
    json_decref(now);
    assert_true(clocks_check(&clocks, 1, 6300));
    assert_false(clocks_stop(&clocks, 1, 6301));
    assert_int_equal(clocks.lost, 1);
    assert_true(clocks.left_ms[1] == 0);
    struct banyan_player_clock player = clocks_for(&clocks, NULL);
    assert_true(player.left_ms[0] == 750 && player.increment_ms == 50);
    clocks_start(&clocks, 9000); /* taken back */
    assert_int_equal(clocks.lost, -1);
    clocks_begin(&clocks, 0, 0);
    clocks_start(&clocks, 0);
    assert_true(clocks_stop(&clocks, 0, 1e12));
    now = clocks_json(&clocks, 2, 1, 0);
    assert_true(json_is_null(now));
    assert_true(clocks_for(&clocks, NULL).left_ms[1] < 0);
    json_decref(now);
}

/* A game that is lost on time is over, and its record says so. */
static void test_table_clock(void **state)
{
    (void)state;
    struct table table = {.game = NULL};
    struct banyan_error err;
    sit(&table,
        &(struct table_question){
            .game = "othello", .seats = "human\nhuman", .clock_ms = 3600e3, .increment_ms = 1});
    choose(&table, 0, "d3");
    assert_int_equal(table.record.plies, 1);
    assert_int_equal(table_look_at_clocks(&table, &err), BANYAN_OK);
    assert_int_equal(table.clocks.lost, -1);
    table.clocks.left_ms[1] = -1;
    choose(&table, 1, "c3");
    assert_int_equal(table.record.plies, 1);
    assert_int_equal(table.clocks.lost, 1);
    assert_int_equal(table_choose(&table, 1, "c3", &err), BANYAN_ILLEGAL);
    json_t *now = table_json(&table);
    assert_int_equal(json_array_size(json_object_get(now, "waiting")), 0);
    json_decref(now);
    char *record = table_record(&table, &err);
    assert_non_null(record);
    assert_int_equal(table.record.overstepped, 1);
    free(record);
    table_close(&table);
    assert_int_equal(table_look_at_clocks(&table, &err), BANYAN_INVALID);
}

static void test_table_errors(void **state)
{
    (void)state;
    struct table table = {.game = NULL};
    struct banyan_error err;
    static const struct table_question wrong[] = {
        {.game = "chess", .seats = "human\nhuman"},
        {.game = "othello", .seats = "human"},
        {.game = "othello", .seats = "human\nexec:cat"},
        {.game = "othello", .seats = "human\nmcts:evaluator=nothing"},
        {.game = "othello", .seats = "human\nhuman", .position = "nonsense"},
        {.game = "othello", .seats = "human\nhuman", .record = "nonsense"},
        {.game = "othello", .seats = "human\nhuman", .record = "{\"game\": 1}"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_int_not_equal(table_open(&table, &wrong[i], &err), BANYAN_OK);
        assert_null(table.game);
        assert_false(table_is_ready(&table));
    }
    assert_int_equal(table_choose(&table, 0, "d3", &err), BANYAN_INVALID);
    assert_null(table_record(&table, &err));
}

/* Two deals that differ in the other player's card only look the same, until a card is shown. */
static void test_table_secret(void **state)
{
    (void)state;
    json_t *seen[2];
    static const char *const deals[] = {"JQ", "JK"};
    for (int i = 0; i < 2; ++i) {
        struct table table = {.game = NULL};
        struct banyan_error err;
        sit(&table, &(struct table_question){
                        .game = "kuhn", .seats = "human\nfirst", .position = deals[i]});
        play_on(&table);
        seen[i] = table_json(&table);
        assert_null(table_record(&table, &err));
        table_close(&table);
    }
    assert_true(json_equal(seen[0], seen[1]));
    json_decref(seen[0]);
    json_decref(seen[1]);
}

/* The text of a deal of pokemon that player 0 cannot tell from the one of this seed. */
static char *other_deal(const struct banyan_game *game, uint64_t seed, bool redraw)
{
    struct banyan_rng rng;
    char *text = malloc(BANYAN_TEXT_MAX);
    void *state = calloc(1, game->state_size);
    assert_true(text && state);
    banyan_rng_seed(&rng, seed);
    assert_int_equal(game->init(game, state, NULL, &rng, NULL), BANYAN_OK);
    if (redraw)
        game->determinize(game, state, 0, &rng);
    game->format(game, state, text, BANYAN_TEXT_MAX);
    free(state);
    return text;
}

static uint64_t seen_key(const struct table *table)
{
    const void *now = table->states + (size_t)table->record.plies * table->game->state_size;
    return table->game->key(table->game, now, 0);
}

/* Plays both deals by the same choices; returns for how many plies player 0 could not tell them apart.  So long the page
 * gets the same bytes. */
static int same_bytes(struct table *one, struct table *other)
{
    int plies = 0;
    for (; plies < 20 && seen_key(one) == seen_key(other); ++plies) {
        json_t *a = table_json(one), *b = table_json(other);
        char *bytes[2] = {json_dumps(a, JSON_COMPACT), json_dumps(b, JSON_COMPACT)};
        bool over = !(one->game->movers(one->game, one->states));
        assert_string_equal(bytes[0], bytes[1]);
        free(bytes[0]);
        free(bytes[1]);
        json_decref(a);
        json_decref(b);
        if (over)
            break;
        choose_first(one);
        choose_first(other);
    }
    return plies;
}

/* Two deals of pokemon that differ in the foe's team look the same until the foe shows it. */
static void test_table_secret_teams(void **state)
{
    (void)state;
    int plies = 0;
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find("pokemon", &game, NULL), BANYAN_OK);
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        struct table tables[2] = {{.game = NULL}, {.game = NULL}};
        for (int i = 0; i < 2; ++i) {
            char *deal = other_deal(game, seed, i == 1);
            sit(&tables[i],
                &(struct table_question){
                    .game = "pokemon", .seats = "human\nfirst", .position = deal, .seed = 1});
            free(deal);
        }
        assert_memory_not_equal(tables[0].states, tables[1].states, game->state_size);
        plies += same_bytes(&tables[0], &tables[1]);
        table_close(&tables[0]);
        table_close(&tables[1]);
    }
    assert_true(plies >= 6);
}

/* A battle has cards: what is known of both teams; attacks tell what they take away. */
static void test_cards(void **state)
{
    (void)state;
    struct table table = {.game = NULL};
    sit(&table, &(struct table_question){.game = "pokemon", .seats = "human\nfirst", .seed = 3});
    json_t *now = table_json(&table);
    const json_t *position = json_object_get(now, "position");
    const json_t *known = json_object_get(position, "cards"), *action;
    const json_t *foe = json_array_get(json_object_get(known, "species"), 1);
    const json_t *legal = json_array_get(json_object_get(position, "legal"), 0);
    size_t i;
    int told = 0;
    assert_true(json_is_string(json_array_get(foe, 0)));
    assert_true(json_is_null(json_array_get(foe, 5)));
    json_array_foreach(json_object_get(legal, "actions"), i, action)
    {
        told += strstr(json_string_value(json_object_get(action, "note")), ", damage ") != NULL;
    }
    assert_true(told > 0);
    json_decref(now);
    table_close(&table);
}

/* --- boards --- */

/* The members of a cell. */
static const json_t *cell_of(const json_t *board, const char *column, size_t cell)
{
    return json_array_get(json_object_get(board, column), cell);
}

/* A board has a row for each cell, and what can be clicked stands beside each action. */
static void test_board(void **state)
{
    (void)state;
    struct table table = {.game = NULL};
    sit(&table,
        &(struct table_question){.game = "othello-6x6", .seats = "human\nfirst", .position = ""});
    json_t *now = table_json(&table);
    const json_t *position = json_object_get(now, "position");
    const json_t *board = json_object_get(position, "board");
    assert_int_equal(json_integer_value(json_object_get(board, "rows")), 6);
    assert_int_equal(json_array_size(json_object_get(board, "looks")), 36);
    assert_int_equal(json_integer_value(cell_of(board, "owners", 14)), 1);
    assert_int_equal(json_integer_value(cell_of(board, "owners", 15)), 0);
    assert_int_equal(json_integer_value(cell_of(board, "owners", 0)), -1);
    const json_t *action = json_array_get(
        json_object_get(json_array_get(json_object_get(position, "legal"), 0), "actions"), 0);
    const json_t *cells = json_object_get(action, "cells");
    assert_string_equal(json_string_value(json_object_get(action, "action")), "c2");
    assert_int_equal(json_array_size(cells), 1);
    assert_int_equal(json_integer_value(json_array_get(cells, 0)), 8);
    json_decref(now);
    table_close(&table);
    sit(&table, &(struct table_question){.game = "pig", .seats = "human\nfirst", .seed = 7});
    now = table_json(&table);
    assert_true(json_is_null(json_object_get(json_object_get(now, "position"), "board")));
    json_decref(now);
    table_close(&table);
}

/* --- recorded games --- */

/* The position at the end of a record is the one that was played; going back works; names are no paths. */
static void test_recorded(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan-web-XXXXXX", path[64];
    struct recorded recorded = {.game = NULL};
    struct table table = {.game = NULL};
    struct banyan_error err;
    json_t *shown;
    assert_non_null(mkdtemp(folder));
    sit(&table, &(struct table_question){.game = "pig", .seats = "first\nrandom", .seed = 5});
    play_on(&table);
    char *record = table_record(&table, &err);
    assert_non_null(record);
    snprintf(path, sizeof path, "%s/one.jsonl", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(record, file) >= 0 && fclose(file) == 0);
    free(record);

    json_t *files = recorded_files(folder), *now = table_json(&table);
    assert_int_equal(json_array_size(files), 1);
    json_decref(files);
    if (recorded_open(&recorded, folder, "one.jsonl", 0, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    static const int back_and_forth[] = {0, 3, 1};
    for (size_t i = 0; i < 3; ++i) {
        assert_int_equal(recorded_show(&recorded, back_and_forth[i], -1, &shown, &err), BANYAN_OK);
        assert_int_equal(recorded.at.ply, back_and_forth[i]);
        json_decref(shown);
    }
    assert_int_equal(recorded_show(&recorded, table.record.plies, -1, &shown, &err), BANYAN_OK);
    assert_true(json_equal(shown, json_object_get(now, "position")));
    json_decref(shown);
    json_decref(now);
    assert_int_equal(recorded_show(&recorded, table.record.plies + 1, -1, &shown, &err),
                     BANYAN_INVALID);
    json_t *all = recorded_json(&recorded);
    assert_int_equal(json_array_size(json_object_get(all, "moves")), table.record.plies);
    assert_int_equal(json_array_size(json_object_get(all, "returns")), 2);
    json_decref(all);

    static const char *const wrong[] = {"two.jsonl", "../one.jsonl", "/etc/passwd",
                                        "one",       ".jsonl",       ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        assert_int_equal(recorded_open(&recorded, folder, wrong[i], 0, &err), BANYAN_NOT_FOUND);
    assert_int_not_equal(recorded_open(&recorded, folder, "one.jsonl", 1, &err), BANYAN_OK);
    assert_int_equal(recorded_open(&recorded, NULL, "one.jsonl", 0, &err), BANYAN_NOT_FOUND);
    assert_int_equal(recorded_show(&recorded, 0, -1, &shown, &err), BANYAN_INVALID);
    recorded_close(&recorded);
    table_close(&table);
    remove(path);
    rmdir(folder);
}

/* The last position of game number index is reached; its number of plies. */
static int play_recorded(const char *folder, const char *name, int index)
{
    struct recorded recorded = {.game = NULL};
    struct banyan_error err;
    json_t *shown;
    if (recorded_open(&recorded, folder, name, index, &err) != BANYAN_OK)
        fail_msg("%s: %s", name, err.message);
    int plies = recorded.record.plies;
    if (recorded_show(&recorded, plies, -1, &shown, &err) != BANYAN_OK)
        fail_msg("%s: %s", name, err.message);
    json_decref(shown);
    recorded_close(&recorded);
    return plies;
}

/* Games that other programs recorded: botbowl, the judge, Pokemon Showdown. */
static void test_recorded_formats(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan-web-XXXXXX", path[64];
    struct recorded recorded = {.game = NULL};
    struct banyan_error err;
    for (int game = 0; game < 17;
         ++game) /* also with set-ups that botbowl refused, and ways of its own */
        assert_in_range(play_recorded(TEST_DATA "/bloodbowl", "path.jsonl.gz", game), 10, 10000);
    assert_int_equal(recorded_open(&recorded, TEST_DATA "/bloodbowl", "path.jsonl.gz", 100, &err),
                     BANYAN_NOT_FOUND);
    assert_int_equal(
        recorded_open(&recorded, TEST_DATA "/showdown", "battle-gen8randombattle-156.log", 0, &err),
        BANYAN_OK);
    json_t *all = recorded_json(&recorded);
    const char *log = json_string_value(json_object_get(all, "log"));
    assert_non_null(strstr(log, "|switch|p1a: Bisharp|"));
    json_decref(all);
    recorded_close(&recorded);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/judge.log", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("INIT", file);
    for (int row = 0; row < 10; ++row)
        fputs(" 11111111111111111", file);
    assert_true(fputs("\nFIRST -1 -1 -1 -1 5\nSECOND -1 -1 -1 -1 7\nFINISH\nSCOREFIRST 0\n"
                      "SCORESECOND 0\n",
                      file) >= 0 &&
                fclose(file) == 0);
    assert_int_equal(play_recorded(folder, "judge.log", 0), 2);
    assert_int_not_equal(recorded_open(&recorded, folder, "judge.log", 1, &err), BANYAN_OK);
    remove(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gate_host),      cmocka_unit_test(test_gate_upgrade),
        cmocka_unit_test(test_gate_token),     cmocka_unit_test(test_message),
        cmocka_unit_test(test_message_limit),  cmocka_unit_test(test_outbox_latest),
        cmocka_unit_test(test_outbox_overrun), cmocka_unit_test(test_slices),
        cmocka_unit_test(test_proven),         cmocka_unit_test(test_open_errors),
        cmocka_unit_test(test_tree),           cmocka_unit_test(test_path_errors),
        cmocka_unit_test(test_session),        cmocka_unit_test(test_session_tree),
        cmocka_unit_test(test_table),          cmocka_unit_test(test_table_save),
        cmocka_unit_test(test_table_luck),     cmocka_unit_test(test_table_errors),
        cmocka_unit_test(test_table_secret),   cmocka_unit_test(test_line),
        cmocka_unit_test(test_explained),      cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_table_clock),    cmocka_unit_test(test_table_secret_teams),
        cmocka_unit_test(test_cards),          cmocka_unit_test(test_board),
        cmocka_unit_test(test_recorded),       cmocka_unit_test(test_recorded_formats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
