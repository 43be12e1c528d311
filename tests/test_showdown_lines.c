/* Lines of a battle, each kind by itself: what the tracker holds after it, written by hand from the
 * server's protocol. */
#include "showdown/battle.h"
#include "showdown/tracker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct protocol_text text_of(const char *text)
{
    return (struct protocol_text){text, strlen(text)};
}

static void tell(struct tracker *tracker, const char *text)
{
    struct protocol_line line;
    protocol_parse(text_of(text), &line);
    assert_int_not_equal(line.kind, PROTOCOL_UNKNOWN);
    assert_int_not_equal(line.kind, PROTOCOL_BROKEN);
    tracker_line(tracker, &line);
}

static void begin(struct tracker *tracker)
{
    tracker_start(tracker);
    tell(tracker, "|switch|p1a: Snorlax|Snorlax, L80, M|300/300");
    tell(tracker, "|switch|p2a: Mew|Mew, L82|100/100");
    tell(tracker, "|turn|1");
}

/* Hp are of 100 until a line says more; a level that is not said is 100. */
static void what_comes_in(void **unused)
{
    (void)unused;
    struct tracker tracker;
    begin(&tracker);
    assert_int_equal(tracker_active(&tracker, 0)->hp, 300);
    assert_int_equal(tracker_active(&tracker, 0)->level, 80);
    assert_int_equal(tracker_active(&tracker, 0)->gender, 'M');
    tell(&tracker, "|switch|p2a: Jynx|Jynx|37/100 slp");
    assert_int_equal(tracker.sides[1].count, 2);
    assert_int_equal(tracker.sides[1].active, 1);
    assert_int_equal(tracker_active(&tracker, 1)->hp, 37);
    assert_int_equal(tracker_active(&tracker, 1)->level, 100);
    tell(&tracker, "|drag|p2a: Mew|Mew, L82|61/100 brn");
    assert_int_equal(tracker.sides[1].count, 2);
    assert_int_equal(tracker.sides[1].active, 0);
    assert_int_equal(tracker_active(&tracker, 1)->hp, 61);
    assert_string_equal(tracker_active(&tracker, 1)->status, "brn");
    assert_int_equal(tracker.strange, 0);
    tracker_start(&tracker); /* a log that begins in the middle */
    tell(&tracker, "|replace|p2a: Zoroark|Zoroark, L80, F");
    assert_int_equal(tracker.strange, 1);
    assert_int_equal(tracker.sides[1].count, 1);
    assert_int_equal(tracker.sides[1].team[0].hp, 100);
    assert_int_equal(tracker.sides[1].team[0].hp_max, 100);
}

/* Only |cant| for "slp" is a turn lost in sleep; a new sleep begins at 0. */
static void turns_of_sleep(void **unused)
{
    (void)unused;
    struct tracker tracker;
    begin(&tracker);
    const struct tracker_pokemon *mew = tracker_active(&tracker, 1);
    tell(&tracker, "|-status|p2a: Mew|slp");
    tell(&tracker, "|cant|p2a: Mew|slp");
    assert_int_equal(mew->slept, 1);
    tell(&tracker, "|cant|p2a: Mew|flinch");
    tell(&tracker, "|cant|p2a: Mew|par");
    tell(&tracker, "|cant|p2a: Mew|ability: Truant");
    assert_int_equal(mew->slept, 1);
    assert_string_equal(mew->ability, "truant");
    tell(&tracker, "|cant|p2a: Mew|slp");
    assert_int_equal(mew->slept, 2);
    tell(&tracker, "|-curestatus|p2a: Mew|slp|[msg]");
    assert_string_equal(mew->status, "");
    tell(&tracker, "|-status|p2a: Mew|slp");
    assert_int_equal(mew->slept, 0);
}

/* There is one terrain at a time; rooms stay beside it. */
static void terrains_replace_each_other(void **unused)
{
    (void)unused;
    static const char *const names[] = {"Electric Terrain", "Grassy Terrain", "Misty Terrain",
                                        "Psychic Terrain"},
                             *const ids[] = {"electricterrain", "grassyterrain", "mistyterrain",
                                             "psychicterrain"};
    struct tracker tracker;
    char line[80];
    begin(&tracker);
    tell(&tracker, "|-fieldstart|move: Trick Room|[of] p1a: Snorlax");
    for (int i = 0; i < 16; ++i) {
        int now = i / 4 ^ i % 4;
        snprintf(line, sizeof line, "|-fieldstart|move: %s|[of] p1a: Snorlax", names[now]);
        tell(&tracker, line);
        assert_int_equal(tracker.field.count, 2);
        assert_non_null(tracker_effect(&tracker.field, ids[now]));
        assert_non_null(tracker_effect(&tracker.field, "trickroom"));
    }
    tell(&tracker, "|-fieldend|move: Psychic Terrain");
    tell(&tracker, "|-fieldend|move: Trick Room");
    tell(&tracker, "|-fieldend|Electric Terrain");
    assert_int_equal(tracker.field.count, 0);
    assert_int_equal(tracker.strange, 0);
}

/* How many of a whole team have fainted. */
static void who_has_fainted(void **unused)
{
    (void)unused;
    struct tracker tracker;
    char line[80];
    begin(&tracker);
    for (int i = 0; i < 7; ++i) {
        assert_int_equal(tracker_fainted(&tracker, 1), i);
        snprintf(line, sizeof line, "|faint|p2a: %s", tracker_active(&tracker, 1)->name);
        tell(&tracker, line);
        assert_true(tracker_active(&tracker, 1)->fainted);
        snprintf(line, sizeof line, "|switch|p2a: N%d|Jynx|100/100", i);
        tell(&tracker, line);
    }
    tell(&tracker, "|faint|p2a: N6");
    assert_int_equal(tracker.sides[1].count, TRACKER_TEAM);
    assert_int_equal(tracker_fainted(&tracker, 1), TRACKER_TEAM);
    assert_int_equal(tracker_fainted(&tracker, 0), 0);
    tell(&tracker, "|switch|p2a: Nine|Jynx|100/100"); /* six, and two disguises, are all */
    assert_int_equal(tracker.sides[1].count, TRACKER_TEAM);
    assert_int_equal(tracker.strange, 1);
}

/* What an item does shows it, unless the item is known to be gone; so do abilities. */
static void effects_show_their_cause(void **unused)
{
    (void)unused;
    struct tracker tracker;
    begin(&tracker);
    const struct tracker_pokemon *snorlax = tracker_active(&tracker, 0),
                                 *mew = tracker_active(&tracker, 1);
    tell(&tracker, "|-heal|p2a: Mew|90/100|[from] item: Leftovers");
    assert_int_equal(mew->item_state, TRACKER_ITEM_HELD);
    assert_string_equal(mew->item, "leftovers");
    assert_int_equal(mew->hp, 90);
    assert_int_equal(snorlax->item_state, TRACKER_ITEM_UNKNOWN);
    tell(&tracker, "|-enditem|p2a: Mew|Leftovers|[from] move: Knock Off|[of] p1a: Snorlax");
    assert_int_equal(mew->item_state, TRACKER_ITEM_NONE);
    assert_string_equal(mew->last_item, "leftovers");
    assert_true(mew->taken);
    tell(&tracker, "|-heal|p2a: Mew|95/100|[from] item: Leftovers");
    assert_int_equal(mew->item_state, TRACKER_ITEM_NONE);
    tell(&tracker, "|-damage|p2a: Mew|80/100|[from] item: Rocky Helmet|[of] p1a: Snorlax");
    assert_string_equal(snorlax->item, "rockyhelmet");
    tell(&tracker, "|-damage|p1a: Snorlax|270/300|[from] ability: Iron Barbs|[of] p2a: Mew");
    assert_string_equal(mew->ability, "ironbarbs");
    assert_string_equal(snorlax->ability, "");
    tell(&tracker, "|-heal|p1a: Snorlax|300/300|[from] ability: Water Absorb|[of] p2a: Mew");
    assert_string_equal(snorlax->ability, "waterabsorb");
    assert_int_equal(tracker.strange, 0);
}

/* --- whose battle it is --- */

static void no_send(void *self, const char *room, const char *text)
{
    (void)self, (void)room, (void)text;
}

static void no_say(void *self, enum host_level level, const char *line)
{
    (void)self, (void)level, (void)line;
}

/* A request says which side is ours: the first or the second. */
static void a_request_says_who_we_are(void **unused)
{
    (void)unused;
    const struct host host = {NULL, no_send, no_say};
    struct decide decide;
    assert_int_equal(decide_open(&decide, "random", NULL), BANYAN_OK);
    const struct battle_settings settings = {.decide = &decide, .time_ms = 1};
    for (int side = 0; side < 2; ++side) {
        struct battle battle;
        char line[400];
        battle_open(&battle, "battle-x-1", "us", &settings, &host, 0);
        snprintf(line, sizeof line,
                 "|request|{\"wait\":true,\"side\":{\"name\":\"us\",\"id\":\"p%d\",\"pokemon\":[{"
                 "\"ident\":\"p%d: Mew\","
                 "\"details\":\"Mew, "
                 "L80\",\"condition\":\"302/302\",\"active\":true,\"stats\":{\"atk\":1,"
                 "\"def\":2,\"spa\":3,\"spd\":4,\"spe\":5},\"moves\":[\"uturn\"],"
                 "\"baseAbility\":\"synchronize\",\"item\":\"leftovers\"}]}}",
                 side + 1, side + 1);
        battle_line(&battle, text_of(line), 1);
        assert_int_equal(battle.tracker.viewer, side);
        battle_close(&battle);
    }
    decide_close(&decide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_in),
        cmocka_unit_test(turns_of_sleep),
        cmocka_unit_test(terrains_replace_each_other),
        cmocka_unit_test(who_has_fainted),
        cmocka_unit_test(effects_show_their_cause),
        cmocka_unit_test(a_request_says_who_we_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
