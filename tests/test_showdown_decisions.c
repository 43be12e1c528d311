/* The decisions that the page of a battle shows: whole files, old ones, damaged and hostile ones.
 * */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "showdown/battle_page.h"
#include "showdown/decisions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char battle[] = "|player|p1|Foe|1|\n|player|p2|Bot|2|\n|start\n"
                             "|switch|p2a: Mew|Mew\n|turn|1\n|move|p2a: Mew|U-turn\n"
                             "|switch|p2a: Muk|Muk\n|faint|p2a: Muk\n|\n|switch|p2a: Abra|Abra\n"
                             "|turn|2\n|win|Bot\n";

/* JSON is written with ' in place of " here. */
#define ROOM "'room':'battle-gen8randombattle-7','player':'mcts'"
#define ASKED(name, mon)                                                                  \
    "'side':{'name':'" name "','id':'p2','pokemon':[{'ident':'p2: Abra','active':false}," \
    "{'ident':'p2: " mon "','active':true}]}"
#define WHO(name) ",'request':{" ASKED(name, "Mew") "}"
#define SURF      "{'action':'move surf','visits':30,'mean':0.5}"
#define MEW       "{'action':'switch Mew','visits':10,'mean':-1.0}"
#define TABLE     "'table':[" SURF "," MEW "]"
#define FOUND     "'action':'move surf','value':0.5," TABLE
/* A decision in the first turn, 72 bytes into the log, with these members of detail. */
#define START         "{" ROOM ",'turn':1,'log_bytes':72" WHO("Bot") ",'detail':{"
#define DECISION(all) START all "}}\n"

/* Puts one character for another one. */
static void swap(char *text, char from, char to)
{
    for (; *text; ++text)
        if (*text == from)
            *text = to;
}

/* Reads a file that holds the text. */
static enum banyan_status read_text(const char *text, struct decisions *out,
                                    struct banyan_error *err)
{
    char path[] = "/tmp/banyan-decisions-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    char *quoted = strdup(text);
    assert_non_null(quoted);
    swap(quoted, '\'', '"');
    assert_int_equal(write(descriptor, quoted, strlen(quoted)), strlen(quoted));
    close(descriptor);
    free(quoted);
    enum banyan_status status = decisions_read(path, battle, strlen(battle), out, err);
    unlink(path);
    return status;
}

/* The only row of a file, as text; the caller frees it. */
static char *only_row(const char *text)
{
    struct decisions decisions;
    struct banyan_error err;
    if (read_text(text, &decisions, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(json_array_size(decisions.rows), 1);
    char *row =
        json_dumps(json_array_get(decisions.rows, 0), JSON_COMPACT | JSON_REAL_PRECISION(4));
    decisions_free(&decisions);
    swap(row, '"', '\'');
    return row;
}

static void test_whole(void **state)
{
    (void)state;
    char *row = only_row(
        DECISION(FOUND ",'replies':[{'action':'move aurawheel dynamax','visits':9,'mean':-0.25,"
                       "'share':0.225}],'line':[{'own':'move surf','foe':'switch Mr. Mime',"
                       "'visits':30},{'foe':'move thunderbolt','visits':4}]"));
    assert_string_equal(row,
                        "{'after':5,'who':'Bot','side':'p2','turn':1,'value':0.5,'action':"
                        "'Surf','share':0.75,'own':[{'action':'Surf','share':0.75,'mean':0.5},"
                        "{'action':'switch to Mew','share':0.25,'mean':-1.0}],'foe':[{'action':"
                        "'Aura Wheel, Dynamax','share':0.225,'mean':-0.25}],'line':[{'own':'Surf',"
                        "'foe':'switch to Mr. Mime'},{'foe':'Thunderbolt'}]}");
    free(row);
}

/* A file of an earlier state has neither replies nor a line. */
static void test_old(void **state)
{
    (void)state;
    char *row = only_row(DECISION(FOUND));
    assert_non_null(strstr(row, "'share':0.75"));
    assert_non_null(strstr(row, "'foe':[],'line':[]"));
    free(row);
}

/* Decisions of players that do not search have no row, and a path without a file has none. */
static void test_none(void **state)
{
    (void)state;
    struct decisions decisions;
    struct banyan_error err;
    const char *const none[] = {"", "\n", "{" ROOM ",'turn':1,'log_bytes':72" WHO("Bot") "}\n",
                                DECISION("'state':'?'")};
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
        assert_int_equal(read_text(none[i], &decisions, &err), BANYAN_OK);
        assert_int_equal(json_array_size(decisions.rows), 0);
        decisions_free(&decisions);
    }
    assert_int_equal(decisions_read("/tmp/no/such.jsonl", battle, strlen(battle), &decisions, &err),
                     BANYAN_OK);
    assert_null(decisions.rows);
}

/* A decision that does not fit the log is left out; if none fits, the file is of another battle. */
static void test_other_battles(void **state)
{
    (void)state;
    struct decisions decisions;
    struct banyan_error err;
#define OTHER(turn, bytes, name) \
    "{" ROOM ",'turn':" turn ",'log_bytes':" bytes WHO(name) ",'detail':{" FOUND "}}\n"
    const char *const others[] = {OTHER("2", "72", "Bot"), OTHER("3", "72", "Bot"),
                                  OTHER("1", "72", "Bob"), OTHER("1", "-4", "Bot"),
                                  OTHER("2", "99999999999", "Bot")};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        char text[4000];
        assert_int_equal(read_text(others[i], &decisions, &err), BANYAN_CORRUPT);
        assert_non_null(strstr(err.message, "of another battle"));
        assert_null(decisions.rows);
        snprintf(text, sizeof text, "%s%s", others[i], DECISION(FOUND));
        assert_int_equal(read_text(text, &decisions, &err), BANYAN_OK);
        assert_int_equal(json_array_size(decisions.rows), 1);
        assert_int_equal(decisions.count, 2);
        assert_int_equal(decisions.left_out, 1);
        decisions_free(&decisions);
    }
}

/* After a reconnect the log has other lengths: then a decision stands where its turn begins, or, if a
 * Pokémon has to be replaced, before the last one comes in. */
static void test_by_turn(void **state)
{
    (void)state;
    char *row = only_row(OTHER("1", "60", "Bot"));
    assert_non_null(strstr(row, "'after':5,"));
    free(row);
    row = only_row("{" ROOM ",'turn':1,'log_bytes':9999,'request':{'forceSwitch':[true]," ASKED(
        "Bot", "Muk") "},'detail':{" FOUND "}}\n");
    assert_non_null(strstr(row, "'after':9,"));
    free(row);
}

/* What is no decision, or has members of another kind, is refused with its line. */
static void test_damaged(void **state)
{
    (void)state;
    const char *const damaged[] = {
        "{'room':",
        "nonsense\n",
        "[]\n",
        "{'type':'game'}\n",
        "{" ROOM ",'turn':'1','log_bytes':72}\n",
        DECISION("'table':[]"),
        DECISION("'action':1,'value':0.5," TABLE),
        DECISION("'action':'a','value':2," TABLE),
        DECISION("'action':'a','value':0,'table':{}"),
        DECISION("'action':'a','value':0,'table':[1]"),
        DECISION("'action':'a','value':0,'table':[{'action':'a','visits':-1,'mean':0}]"),
        DECISION("'action':'a','value':0,'table':[{'action':'a','visits':1,'mean':9}]"),
        DECISION(FOUND ",'replies':'none'"),
        DECISION(FOUND ",'replies':[{'action':'a','visits':1,'mean':0,'share':7}]"),
        DECISION(FOUND ",'line':3"),
        DECISION(FOUND ",'line':[{'own':3}]"),
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; ++i) {
        char text[4000];
        struct decisions decisions;
        struct banyan_error err;
        snprintf(text, sizeof text, "%s%s", DECISION(FOUND), damaged[i]);
        assert_int_equal(read_text(text, &decisions, &err), BANYAN_CORRUPT);
        assert_non_null(strstr(err.message, ":2: "));
        assert_null(decisions.rows);
    }
}

/* Texts of any kind stay texts: none ends the page's script element, and long lists are cut. */
static void test_hostile(void **state)
{
    (void)state;
    char *page, text[40000] = "", one[300];
    size_t length;
    struct decisions decisions;
    struct banyan_error err;
    strcat(text, START "'value':1,'table':[],'replies':[");
    for (int i = 0; i < 100; ++i) {
        snprintf(one, sizeof one, "%s{'action':'switch <b>\\'%d','visits':1,'mean':0}",
                 i ? "," : "", i);
        strcat(text, one);
    }
    strcat(text, "],'action':'move </script><script>alert(1)</script>'");
    strcat(text, ",'line':[{'foe':'move surf dynamax dynamax'},{'own':'move %s%n'},{}]}}\n");
    assert_int_equal(read_text(text, &decisions, &err), BANYAN_OK);
    const json_t *row = json_array_get(decisions.rows, 0);
    assert_int_equal(json_array_size(json_object_get(row, "foe")), 20);
    FILE *out = open_memstream(&page, &length);
    battle_page_write(battle, strlen(battle), decisions.rows, out);
    fclose(out);
    assert_null(strstr(page, "<script>alert"));
    assert_null(strstr(page, "<b>"));
    assert_non_null(strstr(page, "\"foe\":\"move surf dynamax dynamax\""));
    assert_non_null(strstr(page, "\"own\":\"move %s%n\""));
    free(page);
    decisions_free(&decisions);
}

/* A text is cut between characters, or not shown. */
static void test_long_text(void **state)
{
    (void)state;
    char text[8000] = DECISION(FOUND), *at = strstr(text, "move surf");
    char tail[4000];
    snprintf(tail, sizeof tail, "%s", at + 9);
    for (int i = 0; i < 300; ++i)
        at += sprintf(at, "\xc3\xa9");
    strcpy(at, tail);
    char *row = only_row(text);
    assert_true(strlen(row) < 1000);
    free(row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),     cmocka_unit_test(test_old),
        cmocka_unit_test(test_none),      cmocka_unit_test(test_other_battles),
        cmocka_unit_test(test_damaged),   cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_long_text), cmocka_unit_test(test_by_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
