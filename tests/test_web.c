/* The page's server without a socket: who may connect, what a message may say, what waits to be sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/gate.h"
#include "web/message.h"
#include "web/outbox.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
    parse_fails("{\"id\":3}", 3, "a message needs its type, a text in the field 't'");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gate_host),      cmocka_unit_test(test_gate_upgrade),
        cmocka_unit_test(test_gate_token),     cmocka_unit_test(test_message),
        cmocka_unit_test(test_message_limit),  cmocka_unit_test(test_outbox_latest),
        cmocka_unit_test(test_outbox_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
