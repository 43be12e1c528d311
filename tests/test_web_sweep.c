/* The sweep of a recorded game: values and losses that are known, luck that is no loss, and hidden
 * cards, which change nothing for a player who does not see them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "records/bloodbowl_record.h"
#include "web/session.h"
#include "web/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct banyan_error err;

/* A record of a game that starts in a position, with no opening. */
static void write_record(char *out, size_t size, const char *game, const char *start,
                         const char *actions, int plies)
{
    int length =
        snprintf(out, size,
                 "{\"game\":\"%s\",\"players\":[\"a\",\"b\"],\"start\":\"%s\",\"setup_seed\":\"1\","
                 "\"dice_seed\":\"2\",\"opening_plies\":0,\"plies\":%d,\"actions\":\"%s\","
                 "\"returns\":null}\n",
                 game, start, plies, actions);
    assert_in_range(length, 1, size - 1);
}

static void read_record(struct game_record *record, const char *text)
{
    if (game_record_parse(record, text, strlen(text), &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

/* The whole sweep of a record; caller frees. */
static json_t *swept(struct game_record *record, int64_t simulations)
{
    struct sweep sweep = {.record = NULL};
    bool ended;
    if (sweep_open(&sweep, record, simulations, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    while (sweep.running)
        if (sweep_work(&sweep, &ended, &err) != BANYAN_OK)
            fail_msg("%s", err.message);
    json_t *all = sweep_json(&sweep);
    sweep_close(&sweep);
    return all;
}

static json_t *swept_text(const char *text, int64_t simulations)
{
    struct game_record record;
    read_record(&record, text);
    json_t *all = swept(&record, simulations);
    game_record_free(&record);
    return all;
}

static json_t *at(const json_t *all, const char *column, int ply, int player)
{
    json_t *row = json_array_get(json_object_get(all, column), (size_t)ply);
    return json_array_get(row, (size_t)player);
}

static double number_at(const json_t *all, const char *column, int ply, int player)
{
    json_t *value = at(all, column, ply, player);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* O's edge after X's centre loses the game, as do no other moves until then. */
static void test_blunder(void **state)
{
    (void)state;
    char text[1024];
    write_record(text, sizeof text, "tictactoe", ".../.../... x", "b2 b1 a1 c3 a3 a2 c1", 7);
    json_t *all = swept_text(text, 3000);
    assert_int_equal(json_integer_value(json_object_get(all, "done")), 7);
    assert_int_equal(json_integer_value(json_object_get(all, "plies")), 7);
    assert_false(json_boolean_value(json_object_get(all, "running")));
    assert_true(number_at(all, "loss", 0, 0) < 0.2);
    assert_true(number_at(all, "loss", 1, 1) > 0.8);
    assert_true(number_at(all, "loss", 2, 0) < 0.2);
    assert_true(number_at(all, "values", 2, 0) > 0.8);
    assert_true(number_at(all, "values", 2, 1) < -0.8);
    assert_true(json_is_null(at(all, "loss", 1, 0)) && json_is_null(at(all, "best", 1, 0)));
    assert_non_null(strchr("ac", *json_string_value(at(all, "best", 1, 1)))); /* a corner */
    json_t *again = swept_text(text, 3000);
    assert_true(json_equal(all, again));
    json_decref(again);
    json_decref(all);
}

/* The same plies as an opening: nobody chose them. */
static void test_opening(void **state)
{
    (void)state;
    struct game_record record;
    char text[1024];
    write_record(text, sizeof text, "tictactoe", ".../.../... x", "b2 b1 a1", 3);
    read_record(&record, text);
    record.opening_plies = 2;
    json_t *all = swept(&record, 100);
    game_record_free(&record);
    assert_true(json_is_null(at(all, "loss", 1, 1)) && json_is_number(at(all, "values", 1, 1)));
    assert_true(json_is_number(at(all, "loss", 2, 0)));
    json_decref(all);
}

/* A roll that fails is bad luck: the loss of rolling does not depend on the dice that fell. */
static void test_luck(void **state)
{
    (void)state;
    static const char start[] = "target=100 horizon=1000 scores=0,0 turn=0 player=1 ply=0";
    char text[1024];
    double loss[2];
    for (int seed = 0; seed < 2; ++seed) {
        struct game_record record;
        write_record(text, sizeof text, "pig", start, "roll", 1);
        read_record(&record, text);
        record.dice_seed = (uint64_t)seed;
        json_t *all = swept(&record, 300);
        loss[seed] = number_at(all, "loss", 0, 0);
        json_decref(all);
        game_record_free(&record);
    }
    assert_true(loss[0] == loss[1] && loss[0] < 0.1);
}

/* Both who choose at the same time are judged. */
static void test_simultaneous(void **state)
{
    (void)state;
    char text[1024];
    write_record(text, sizeof text, "rps", "usual", "paper|scissors", 1);
    json_t *all = swept_text(text, 300);
    for (int p = 0; p < 2; ++p)
        assert_true(number_at(all, "loss", 0, p) >= 0 && json_is_string(at(all, "best", 0, p)));
    json_decref(all);
}

/* Whether two sweeps say the same of what a player chose at a ply. */
static bool same(const json_t *one, const json_t *two, int ply, int player)
{
    static const char *const columns[] = {"values", "best", "loss"};
    bool equal = true;
    for (int i = 0; i < 3; ++i)
        equal =
            equal && json_equal(at(one, columns[i], ply, player), at(two, columns[i], ply, player));
    return equal;
}

/* What is said of a player knows nothing of the other's card. */
static void test_hidden(void **state)
{
    (void)state;
    char text[1024];
    write_record(text, sizeof text, "kuhn", "deal=QK", "check bet call", 3);
    json_t *king = swept_text(text, 500);
    write_record(text, sizeof text, "kuhn", "deal=QJ", "check bet call", 3);
    json_t *jack = swept_text(text, 500);
    assert_true(same(king, jack, 0, 0) && same(king, jack, 2, 0));
    assert_false(same(king, jack, 1, 1));
    assert_true(number_at(king, "values", 1, 1) > number_at(jack, "values", 1, 1));
    assert_true(json_is_null(at(king, "values", 0, 1))); /* they have no choice there */
    json_decref(king);
    json_decref(jack);
}

static void test_broken(void **state)
{
    (void)state;
    struct game_record record;
    struct sweep sweep = {.record = NULL};
    char text[1024];
    write_record(text, sizeof text, "tictactoe", ".../.../... x", "b2 b2", 2);
    read_record(&record, text);
    assert_int_not_equal(sweep_open(&sweep, &record, 10, &err), BANYAN_OK);
    assert_null(sweep.record);
    sweep_close(&sweep);
    game_record_free(&record);
}

/* A recording of botbowl has actions that the search cannot choose: what they cost is not known. */
static void test_botbowl(void **state)
{
    (void)state;
    struct game_record record;
    if (bloodbowl_record_read(TEST_DATA "/bloodbowl/path.jsonl.gz", 1, &record, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    int plies = record.plies;
    json_t *all = swept(&record, 2);
    assert_int_equal(json_integer_value(json_object_get(all, "done")), plies);
    assert_string_equal(game_record_text(&record, 7), "end_setup");
    assert_int_equal(record.steps[7].movers, 2);
    assert_true(json_is_number(at(all, "values", 7, 1)) && json_is_null(at(all, "loss", 7, 1)));
    json_decref(all);
    game_record_free(&record);
}

/* --- by messages --- */

static struct session session;
static struct outbox outbox;

/* Says text; the next text of type, which the caller frees. */
static json_t *said(const char *text, const char *type)
{
    struct message message;
    json_t *heard = NULL;
    if (message_parse(text, strlen(text), &message, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    session_handle(&session, &message);
    message_free(&message);
    for (struct outbox_text *next; !heard && (next = outbox_take(&outbox)); free(next)) {
        heard = json_loadb(next->bytes + OUTBOX_ROOM, next->length, 0, NULL);
        if (strcmp(json_string_value(json_object_get(heard, "t")), type) != 0) {
            json_decref(heard);
            heard = NULL;
        }
    }
    if (!heard)
        fail_msg("no %s after %s", type, text);
    return heard;
}

/* Writes a folder with one file: a game of Kuhn poker. */
static void write_folder(const char *folder, char *path, size_t size)
{
    char text[1024];
    snprintf(path, size, "%s/kuhn.jsonl", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    write_record(text, sizeof text, "kuhn", "deal=QK", "check bet call", 3);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void test_messages(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan-web-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    write_folder(folder, path, sizeof path);
    const struct sources sources = {.games = folder};
    outbox_init(&outbox, NULL, NULL);
    session_init(&session, &outbox, &sources);
    json_decref(
        said("{\"t\":\"sweep\",\"id\":1,\"simulations\":9}", "error")); /* nothing is open */
    json_decref(said("{\"t\":\"sweep_end\",\"id\":2}", "ok"));
    json_decref(said("{\"t\":\"replay\",\"id\":3,\"name\":\"kuhn.jsonl\",\"game\":1}", "ok"));
    json_decref(said("{\"t\":\"sweep\",\"id\":4,\"simulations\":50}", "sweep"));
    while (session_work(&session))
        ;
    json_t *topic = said("{\"t\":\"sweep_end\",\"id\":5}", "sweep");
    assert_int_equal(json_integer_value(json_object_get(topic, "done")), 3);
    json_decref(topic);
    json_decref(said("{\"t\":\"sweep\",\"id\":6,\"simulations\":1000000}", "ok"));
    session_work(&session);
    topic = said("{\"t\":\"sweep_end\",\"id\":7}", "sweep");
    assert_false(json_boolean_value(json_object_get(topic, "running")));
    assert_false(session_work(&session));
    json_decref(topic);
    json_decref(said("{\"t\":\"sweep\",\"id\":8,\"simulations\":1000000}", "ok"));
    json_decref(said("{\"t\":\"replay\",\"id\":9,\"name\":\"none.jsonl\",\"game\":1}", "error"));
    assert_false(session_work(&session));
    session_free(&session);
    outbox_free(&outbox);
    remove(path);
    rmdir(folder);
}

/* One seat's view of a recorded position does not name the other's card. */
static void test_seat(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan-web-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    write_folder(folder, path, sizeof path);
    const struct sources sources = {.games = folder};
    outbox_init(&outbox, NULL, NULL);
    session_init(&session, &outbox, &sources);
    json_decref(said("{\"t\":\"replay\",\"id\":1,\"name\":\"kuhn.jsonl\",\"game\":1}", "ok"));
    json_t *all = said("{\"t\":\"show\",\"id\":2,\"ply\":1}", "ok"),
           *one = said("{\"t\":\"show\",\"id\":3,\"ply\":1,\"seat\":0}", "ok");
    char *open = json_dumps(all, 0), *seen = json_dumps(one, 0);
    assert_true(strstr(open, "QK") && !strstr(seen, "QK"));
    free(open);
    free(seen);
    json_decref(all);
    json_decref(one);
    json_decref(said("{\"t\":\"show\",\"id\":4,\"ply\":1,\"seat\":2}", "error"));
    session_free(&session);
    outbox_free(&outbox);
    remove(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blunder), cmocka_unit_test(test_opening),
        cmocka_unit_test(test_luck),    cmocka_unit_test(test_simultaneous),
        cmocka_unit_test(test_hidden),  cmocka_unit_test(test_broken),
        cmocka_unit_test(test_botbowl), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_seat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
