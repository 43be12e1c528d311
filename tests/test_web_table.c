/* The page's server without a socket: tables, clocks, what each seat sees, cards and boards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/message.h"
#include "web_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- a game --- */

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

/* A saved game goes on at the same position, with the same dice and the same deal. */
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

/* Each decision takes time from the clock of the player who decided; a player whose clock has run
 * out has lost. */
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
    sit(&table, &(struct table_question){.game = "kuhn", .seats = "human\nfirst"});
    assert_null(table_record(&table, &err)); /* it would tell the cards */
    table_close(&table);
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

/* What this column says of a cell. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),      cmocka_unit_test(test_table_save),
        cmocka_unit_test(test_table_luck), cmocka_unit_test(test_table_errors),
        cmocka_unit_test(test_clocks),     cmocka_unit_test(test_table_clock),
        cmocka_unit_test(test_cards),      cmocka_unit_test(test_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
