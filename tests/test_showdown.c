/* banyan showdown without a network: lines, requests, choosers, the login's texts. */
#include "showdown/decide.h"
#include "showdown/link.h"
#include "showdown/login.h"
#include "showdown/powers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct protocol_line parse(const char *text)
{
    struct protocol_line line;
    protocol_parse(protocol_text(text), &line);
    return line;
}

/* --- lines --- */

static void a_line_is_taken_apart(void **state)
{
    (void)state;
    struct protocol_line line =
        parse("|-damage|p2a: Type: Null|61/100 brn|[from] item: Life Orb|[of] p1a: Azumarill");
    assert_int_equal(line.kind, PROTOCOL_DAMAGE);
    assert_int_equal(line.arg_count, 2);
    assert_true(protocol_is(line.from, "item: Life Orb"));
    assert_true(protocol_is(line.of, "p1a: Azumarill"));
    struct protocol_pokemon pokemon = protocol_pokemon(line.args[0]);
    assert_int_equal(pokemon.side, 1);
    assert_true(pokemon.active && protocol_is(pokemon.name, "Type: Null"));
    struct protocol_condition condition = protocol_condition(line.args[1]);
    assert_int_equal(condition.hp, 61);
    assert_int_equal(condition.hp_max, 100);
    assert_true(protocol_is(condition.status, "brn"));
    assert_true(protocol_condition(protocol_text("0 fnt")).fainted);
    struct protocol_details details = protocol_details(protocol_text("Carbink, L89, F, shiny"));
    assert_int_equal(details.level, 89);
    assert_int_equal(details.gender, 'F');
    assert_int_equal(protocol_details(protocol_text("Mew")).level, 100);
}

static void lines_of_all_kinds(void **state)
{
    (void)state;
    assert_int_equal(parse("").kind, PROTOCOL_EMPTY);
    assert_int_equal(parse("|").kind, PROTOCOL_EMPTY);
    assert_int_equal(parse("hello").kind, PROTOCOL_TEXT);
    assert_int_equal(parse("||hello").kind, PROTOCOL_TEXT);
    assert_int_equal(parse("|-zbroken|p1a: A").kind, PROTOCOL_PASSED);
    assert_int_equal(parse("|-newthing|p1a: A").kind, PROTOCOL_UNKNOWN);
    assert_int_equal(parse("|switch|p1a: A").kind, PROTOCOL_BROKEN);
    assert_int_equal(parse("|tier|[Gen 8] Random Battle").kind, PROTOCOL_TIER);
    assert_true(protocol_is(parse("|tier|[Gen 8] Random Battle").args[0], "[Gen 8] Random Battle"));
    assert_true(protocol_is(parse("|challstr|4|abcd").rest, "4|abcd"));
    assert_true(parse("|-enditem|p1a: A|Sitrus Berry|[eat]").eaten);
}

/* Every word of each list is found, so both lists are sorted. */
static void every_word_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum protocol_kind kind;
    } words[] = {
#define KIND(name, word, least) {"|" word "|a|b|c|d", PROTOCOL_##name},
#define PASS(word)              {"|" word "|a|b|c|d", PROTOCOL_PASSED},
#include "showdown/protocol.def"
#undef KIND
#undef PASS
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        assert_int_equal(parse(words[i].word).kind, words[i].kind);
}

static void bytes_that_are_no_text_are_repaired(void **state)
{
    (void)state;
    char good[] = "Flab\xC3\xA9"
                  "b\xC3\xA9\n\xE2\x98\x86\xF0\x9F\x98\x80";
    char kept[sizeof good];
    memcpy(kept, good, sizeof good);
    assert_int_equal(protocol_repair(good, sizeof good - 1), 0);
    assert_memory_equal(good, kept, sizeof good);
    char bad[] = "a\xFF"
                 "b\xC0\x80"
                 "c\xED\xA0\x80"
                 "d\x1B[2Je\xC2\x9B"
                 "f\xE2\x98";
    assert_true(protocol_repair(bad, sizeof bad - 1) > 0);
    assert_string_equal(bad, "a?b??c???d?[2Je??f??");
}

/* Unicode's control characters end at U+001F, U+007F and U+009F; a line end, U+0020, U+007E and U+00A0
 * (C2 A0, a blank that does not break) are text. */
static void where_control_characters_end(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *repaired;
    } cases[] = {{"\x1F", "?"}, {" ", " "},         {"~", "~"},         {"\x7F", "?"},
                 {"\n", "\n"},  {"\xC2\x80", "??"}, {"\xC2\x9F", "??"}, {"\xC2\xA0", "\xC2\xA0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[8];
        strcpy(text, cases[i].bytes);
        protocol_repair(text, strlen(text));
        assert_string_equal(text, cases[i].repaired);
    }
}

/* "HP/MAX STATUS": hp is within 0..max; a fainted Pokémon has neither hp nor status. */
static void conditions(void **state)
{
    (void)state;
    static const struct {
        const char *text, *status;
        int hp, max;
        bool fainted;
    } cases[] = {{"75/100", "", 75, 100, false},      {"100/100", "", 100, 100, false},
                 {"101/100", "", 100, 100, false},    {"1/352 par", "par", 1, 352, false},
                 {"0 fnt", "", 0, 0, true},           {"0/100 fnt", "", 0, 100, true},
                 {"5/100 fnt", "", 0, 100, true},     {"-5/100 tox", "tox", 0, 100, false},
                 {"0/100 slp", "slp", 0, 100, false}, {"0", "", 0, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct protocol_condition got = protocol_condition(protocol_text(cases[i].text));
        if (got.hp != cases[i].hp || got.hp_max != cases[i].max || got.fainted != cases[i].fainted)
            fail_msg("%s: %d/%d%s", cases[i].text, got.hp, got.hp_max, got.fainted ? " fnt" : "");
        assert_int_equal(got.status.length, strlen(cases[i].status));
        assert_memory_equal(got.status.at, cases[i].status, got.status.length);
    }
}

/* "p1a: NAME": sides 1 and 2, places a to c of those on the field; none at all on the bench. */
static void who_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        int side;
        bool active;
    } cases[] = {{"p1a: A", "A", 0, true},  {"p2a: B b", "B b", 1, true}, {"p1b: A", "A", 0, true},
                 {"p1c: A", "A", 0, true},  {"p1d: A", "", -1, false},    {"p1`: A", "", -1, false},
                 {"p1: A", "A", 0, false},  {"p2:", "", 1, false},        {"p2", "", -1, false},
                 {"p0a: A", "", -1, false}, {"p3a: A", "", -1, false},    {"q1a: A", "", -1, false},
                 {"p1a A", "", -1, false},  {"p1a", "", -1, false},       {"", "", -1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct protocol_pokemon got = protocol_pokemon(protocol_text(cases[i].text));
        if (got.side != cases[i].side || (got.side >= 0 && got.active != cases[i].active))
            fail_msg("%s: side %d%s", cases[i].text, got.side, got.active ? ", active" : "");
        assert_int_equal(got.name.length, strlen(cases[i].name));
        assert_memory_equal(got.name.at, cases[i].name, got.name.length);
    }
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        int value;
    } cases[] = {{"0", 1, 0},        {"12", 2, 12},
                 {"1234", 2, 12},    {"12x", 3, 12},
                 {"x", 1, -1},       {"", 0, -1},
                 {"5", 0, -1},       {"-1", 2, -1},
                 {"/", 1, -1},       {":", 1, -1},
                 {"9", 1, 9},        {"999999", 6, 999999},
                 {"1000000", 7, -1}, {"0999999", 7, 999999},
                 {"99999999", 8, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct protocol_text text = {cases[i].text, cases[i].length};
        if (protocol_number(text) != cases[i].value)
            fail_msg("%s: %d", cases[i].text, protocol_number(text));
    }
}

static void ids(void **state)
{
    (void)state;
    char id[PROTOCOL_ID], small[4];
    assert_int_equal(protocol_effect(protocol_text("ability: Flash Fire"), id, sizeof id), 'a');
    assert_string_equal(id, "flashfire");
    assert_int_equal(protocol_effect(protocol_text("move: Leech Seed"), id, sizeof id), 'm');
    assert_int_equal(protocol_effect(protocol_text("confusion"), id, sizeof id), 0);
    protocol_id(protocol_text("Heavy-Duty Boots"), small, sizeof small);
    assert_string_equal(small, "hea");
    protocol_copy(protocol_text("ab\xC3\xA9"), small, sizeof small);
    assert_string_equal(small, "ab");
}

/* --- the tracker, where recorded games are too rare --- */

static void track(struct tracker *tracker, const char *log)
{
    struct protocol_text rest = protocol_text(log), text;
    while (protocol_next(&rest, &text)) {
        struct protocol_line line;
        protocol_parse(text, &line);
        tracker_line(tracker, &line);
    }
}

static void an_illusion_ends(void **state)
{
    (void)state;
    struct tracker tracker;
    tracker_start(&tracker);
    track(&tracker, "|switch|p2a: Manectric|Manectric, L88, M|100/100\n"
                    "|move|p2a: Manectric|Volt Switch|p1a: A\n"
                    "|switch|p2a: Mew|Mew, L80|100/100\n"
                    "|switch|p2a: Manectric|Manectric, L82, M|100/100\n"
                    "|move|p2a: Manectric|Focus Blast|p1a: A\n"
                    "|-damage|p2a: Manectric|12/100\n"
                    "|replace|p2a: Zoroark|Zoroark, L82, M\n"
                    "|-end|p2a: Zoroark|Illusion\n"
                    "|-enditem|p2a: Zoroark|Choice Specs|[from] move: Knock Off|[of] p1a: A\n");
    const struct tracker_side *side = &tracker.sides[1];
    const struct tracker_pokemon *active = tracker_active(&tracker, 1);
    assert_string_equal(active->name, "Zoroark");
    assert_int_equal(active->hp, 12);
    assert_int_equal(active->move_count, 1);
    assert_string_equal(active->moves[0].id, "focusblast");
    assert_string_equal(active->last_item, "choicespecs");
    assert_string_equal(side->team[0].name, "Manectric");
    assert_int_equal(side->team[0].hp, 100);
    assert_int_equal(side->team[0].move_count, 1);
    assert_string_equal(side->team[0].moves[0].id, "voltswitch");
    assert_int_equal(tracker.strange, 0);
}

static void boosts_and_effects(void **state)
{
    (void)state;
    struct tracker tracker;
    tracker_start(&tracker);
    track(&tracker, "|switch|p1a: A|Mew, L80|300/300\n|switch|p2a: B|Muk, L80|100/100\n|turn|3\n"
                    "|-boost|p1a: A|atk|2\n|-unboost|p2a: B|spe|1\n|-setboost|p1a: A|spa|-3\n"
                    "|-boost|p1a: A|atk|5\n|-swapboost|p1a: A|p2a: B|spe, spa\n"
                    "|-sidestart|p1: somebody|Spikes\n|-sidestart|p1: somebody|Spikes\n"
                    "|-start|p2a: B|Dynamax|Gmax\n|-fieldstart|move: Misty Terrain\n"
                    "|-fieldstart|move: Grassy Terrain|[from] ability: Grassy Surge|[of] p2a: B\n"
                    "|-weather|RainDance\n|-start|p2a: B|Something New\n|-boost|p9a: C|atk|1\n");
    assert_int_equal(tracker.sides[0].boosts[0], 6);
    assert_int_equal(tracker.sides[0].boosts[4], -1);
    assert_int_equal(tracker.sides[1].boosts[2], -3);
    assert_int_equal(tracker_effect(&tracker.sides[0].conditions, "spikes")->count, 2);
    assert_true(tracker_dynamaxed(&tracker, 1));
    assert_int_equal(tracker.sides[1].dynamax_turn, 3);
    assert_int_equal(tracker.field.count, 1);
    assert_non_null(tracker_effect(&tracker.field, "grassyterrain"));
    assert_string_equal(tracker_active(&tracker, 1)->ability, "grassysurge");
    assert_string_equal(tracker.weather, "raindance");
    assert_non_null(tracker_effect(&tracker.sides[1].volatiles, "somethingnew"));
    assert_int_equal(tracker.strange, 1);
    track(&tracker, "|-end|p2a: B|Dynamax\n|-swapsideconditions\n|switch|p1a: D|Muk, L80|9/9\n"
                    "|-weather|none\n|-sideend|p2: x|Spikes\n");
    assert_false(tracker_dynamaxed(&tracker, 1));
    assert_int_equal(tracker.sides[0].boosts[0], 0);
    assert_string_equal(tracker.weather, "");
    assert_int_equal(tracker.sides[0].conditions.count + tracker.sides[1].conditions.count, 0);
}

static void abilities_that_are_exchanged(void **state)
{
    (void)state;
    struct tracker tracker;
    tracker_start(&tracker);
    track(&tracker, "|switch|p1a: A|Mew, L80|300/300\n|switch|p2a: B|Muk, L80|100/100\n"
                    "|-activate|p2a: B|Skill Swap|Static|Wandering Spirit|[of] p1a: A\n");
    assert_string_equal(tracker_active(&tracker, 0)->base_ability, "static");
    assert_string_equal(tracker_active(&tracker, 0)->ability, "wanderingspirit");
    assert_string_equal(tracker_active(&tracker, 1)->base_ability, "wanderingspirit");
    assert_string_equal(tracker_active(&tracker, 1)->ability, "static");
}

static struct tracker tracked(const char *log)
{
    struct tracker tracker;
    tracker_start(&tracker);
    track(&tracker, "|switch|p1a: A|Mew, L80|300/300\n|switch|p2a: B|Muk, L80|100/100\n");
    track(&tracker, log);
    return tracker;
}

/* Pressure takes two PP of a move that is aimed at it, and one of all others. */
static void what_moves_cost(void **state)
{
    (void)state;
    static const struct {
        const char *log;
        int used;
    } cases[] = {{"|move|p1a: A|Psychic|p2a: B", 1},
                 {"|-ability|p2a: B|Pressure\n|move|p1a: A|Psychic|p2a: B", 2},
                 {"|-ability|p2a: B|Pressure\n|move|p1a: A|Roost|p1a: A", 1},
                 {"|-ability|p1a: A|Pressure\n|move|p1a: A|Psychic|p2a: B", 1},
                 {"|-ability|p2a: B|Pressure\n|move|p1a: A|Psychic|p2a: B\n"
                  "|move|p1a: A|Psychic|p2a: B",
                  4},
                 {"|-ability|p2a: B|Pressure\n|faint|p2a: B\n|move|p1a: A|Psychic|p2a: B", 1},
                 {"|move|p1a: A|Psychic|p2a: B|[from]move: Metronome", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct tracker tracker = tracked(cases[i].log);
        const struct tracker_pokemon *active = tracker_active(&tracker, 0);
        if ((active->move_count ? active->moves[0].used : 0) != cases[i].used)
            fail_msg("%s: %d", cases[i].log, active->moves[0].used);
    }
}

/* An item that an effect hands over was brought by the other one; any other belonged to the Pokémon itself. */
static void whose_item_it_was(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        bool handed;
    } cases[] = {
        {"move: Trick", true},    {"move: Switcheroo", true},  {"move: Thief", true},
        {"move: Covet", true},    {"ability: Magician", true}, {"ability: Pickpocket", true},
        {"move: Recycle", false}, {"ability: Frisk", false},   {"move: Zen", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char log[128];
        snprintf(log, sizeof log, "|-item|p1a: A|Leftovers|[from] %s", cases[i].from);
        struct tracker tracker = tracked(log);
        const struct tracker_pokemon *own = tracker_active(&tracker, 0);
        const struct tracker_pokemon *other = tracker_active(&tracker, 1);
        assert_string_equal(own->item, "leftovers");
        assert_string_equal(own->brought, cases[i].handed ? "" : "leftovers");
        assert_string_equal(other->brought, cases[i].handed ? "leftovers" : "");
    }
}

/* A line is not a C string: bytes behind its length do not belong to it. */
static void a_line_ends_where_its_length_says(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "|-boost|p1a: A|atk|2",       "|-unboost|p1a: A|atk|1",      "|-setboost|p1a: A|spe|-3",
        "|-boost|p1a: A|atk|-2",      "|-damage|p2a: B|50/100",      "|-damage|p2a: B|5/100 par",
        "|-heal|p1a: A|10/300",       "|move|p1a: A|Psychic|p2a: B", "|turn|1",
        "|-item|p1a: A|Leftovers",    "|-ability|p1a: A|Synch",      "|-status|p1a: A|par",
        "|-sidestart|p1: x|Spikes",   "|-start|p2a: B|Dynamax",      "|-weather|Rain",
        "|switch|p1a: C|Muk, L8|1/1", "|-fieldstart|move: Trick"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        char longer[80];
        size_t length = strlen(lines[i]);
        struct tracker right = tracked(lines[i]), found = tracked("");
        struct protocol_line line;
        snprintf(longer, sizeof longer, "%s34", lines[i]);
        protocol_parse((struct protocol_text){longer, length}, &line);
        tracker_line(&found, &line);
        if (memcmp(&right, &found, sizeof right) != 0)
            fail_msg("%s: more was read", lines[i]);
    }
}

/* --- requests --- */

#define SIDE                                                                                   \
    "\"side\":{\"name\":\"banyan\",\"id\":\"p2\",\"pokemon\":["                                \
    "{\"ident\":\"p2: Mew\",\"details\":\"Mew, L80\",\"condition\":\"181/302 par\","           \
    "\"active\":true,\"stats\":{\"atk\":1,\"def\":2,\"spa\":3,\"spd\":4,\"spe\":5},"           \
    "\"moves\":[\"uturn\",\"roost\"],\"baseAbility\":\"synchronize\",\"item\":\"leftovers\"}," \
    "{\"ident\":\"p2: Muk\",\"details\":\"Muk, L84, F\",\"condition\":\"0 fnt\","              \
    "\"active\":false},"                                                                       \
    "{\"ident\":\"p2: Jynx\",\"details\":\"Jynx, L90, F\",\"condition\":\"1/200\","            \
    "\"active\":false}]}"
#define MOVES                                                                   \
    "\"moves\":[{\"move\":\"U-turn\",\"id\":\"uturn\",\"pp\":32,\"maxpp\":32}," \
    "{\"move\":\"Roost\",\"id\":\"roost\",\"pp\":0,\"maxpp\":16,\"disabled\":true}]"
#define MAX "\"maxMoves\":{\"maxMoves\":[{\"move\":\"maxflutterby\"},{\"move\":\"maxguard\"}]}"

/* The choices of a request as text: "move 1,switch 3". */
static const char *choices(const char *json)
{
    static char text[600];
    struct request request;
    struct banyan_error err;
    text[0] = 0;
    if (request_parse(json, strlen(json), &request, &err) != BANYAN_OK) {
        snprintf(text, sizeof text, "error: %s", err.message);
        return text;
    }
    for (int i = 0; i < request.choice_count; ++i) {
        char choice[REQUEST_TEXT];
        request_choice_text(request.choices[i], choice);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? "," : "", choice);
    }
    return text;
}

static void what_is_legal(void **state)
{
    (void)state;
    assert_string_equal(choices("{\"active\":[{" MOVES "}]," SIDE "}"), "move 1,switch 3");
    assert_string_equal(choices("{\"active\":[{" MOVES ",\"trapped\":true}]," SIDE "}"), "move 1");
    assert_string_equal(choices("{\"active\":[{" MOVES ",\"maybeTrapped\":true}]," SIDE "}"),
                        "move 1,switch 3");
    assert_string_equal(choices("{\"active\":[{" MOVES ",\"canDynamax\":true," MAX "}]," SIDE "}"),
                        "move 1,move 1 dynamax,move 2 dynamax,switch 3");
    /* While Dynamaxed: the second Max move is not disabled, although the move that it replaces
     * is. */
    assert_string_equal(choices("{\"active\":[{" MOVES "," MAX "}]," SIDE "}"), "move 1,switch 3");
    assert_string_equal(choices("{\"forceSwitch\":[true]," SIDE "}"), "switch 3");
    assert_string_equal(choices("{\"wait\":true," SIDE "}"), "");
    assert_string_equal(choices("null"), "");
    assert_string_equal(choices(""), "");
    assert_string_equal(choices("{\"teamPreview\":true," SIDE "}"), "default");
    assert_string_equal(
        choices("{\"active\":[{\"moves\":[{\"move\":\"Outrage\",\"id\":\"outrage\"}],"
                "\"trapped\":true}]," SIDE "}"),
        "move 1");
}

static void what_a_request_says(void **state)
{
    (void)state;
    const char *json = "{\"active\":[{" MOVES "}],\"rqid\":12,\"update\":true," SIDE "}";
    struct request request;
    assert_int_equal(request_parse(json, strlen(json), &request, NULL), BANYAN_OK);
    assert_int_equal(request.rqid, 12);
    assert_true(request.update);
    assert_int_equal(request.side, 1);
    assert_int_equal(request.moves[0].pp, 32);
    const struct request_pokemon *mew = &request.team[0];
    assert_string_equal(request.player, "banyan");
    assert_int_equal(request.moves[0].pp_max, 32);
    assert_int_equal(request.moves[1].pp, 0);
    assert_false(request.moves[0].disabled);
    assert_true(request.moves[1].disabled);
    assert_int_equal(request.move_count, 2);
    assert_int_equal(request.team_count, 3);
    assert_string_equal(mew->name, "Mew");
    assert_string_equal(mew->species, "Mew");
    assert_int_equal(mew->level, 80);
    assert_int_equal(mew->gender, 'N');
    assert_int_equal(mew->hp_max, 302);
    assert_string_equal(mew->moves[0], "uturn");
    assert_string_equal(mew->moves[1], "roost");
    assert_string_equal(mew->moves[2], "");
    assert_string_equal(mew->item, "leftovers");
    assert_string_equal(mew->base_ability, "synchronize");
    assert_true(mew->active && !mew->fainted && !request.team[1].active);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(mew->stats[i], i + 1);
    assert_int_equal(request.team[2].gender, 'F');
    assert_int_equal(request.team[2].hp, 1);
    assert_int_equal(mew->hp, 181);
    assert_string_equal(mew->status, "par");
    assert_string_equal(mew->ability, "synchronize");
    assert_int_equal(mew->stats[4], 5);
    assert_true(request.team[1].fainted);
}

static struct request read_request(const char *json)
{
    struct request request;
    assert_int_equal(request_parse(json, strlen(json), &request, NULL), BANYAN_OK);
    return request;
}

/* Every flag is its own, and false where it is not given. */
static void flags_of_a_request(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        bool trapped, maybe_trapped, maybe_disabled, maybe_locked, can_dynamax, dynamaxed,
            gigantamax;
    } cases[] = {
        {"{\"active\":[{" MOVES "}]," SIDE "}", 0, 0, 0, 0, 0, 0, 0},
        {"{\"active\":[{" MOVES ",\"trapped\":true}]," SIDE "}", 1, 0, 0, 0, 0, 0, 0},
        {"{\"active\":[{" MOVES ",\"maybeTrapped\":true}]," SIDE "}", 0, 1, 0, 0, 0, 0, 0},
        {"{\"active\":[{" MOVES ",\"maybeDisabled\":true}]," SIDE "}", 0, 0, 1, 0, 0, 0, 0},
        {"{\"active\":[{" MOVES ",\"maybeLocked\":true}]," SIDE "}", 0, 0, 0, 1, 0, 0, 0},
        {"{\"active\":[{" MOVES ",\"canDynamax\":true}]," SIDE "}", 0, 0, 0, 0, 0, 0, 0},
        {"{\"active\":[{" MOVES ",\"canDynamax\":true," MAX "}]," SIDE "}", 0, 0, 0, 0, 1, 0, 0},
        {"{\"active\":[{" MOVES "," MAX "}]," SIDE "}", 0, 0, 0, 0, 0, 1, 0},
        {"{\"active\":[{" MOVES ",\"maxMoves\":{\"maxMoves\":[],\"gigantamax\":\"G\"}}]," SIDE "}",
         0, 0, 0, 0, 0, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct request r = read_request(cases[i].json);
        if (r.trapped != cases[i].trapped || r.maybe_trapped != cases[i].maybe_trapped ||
            r.maybe_disabled != cases[i].maybe_disabled ||
            r.maybe_locked != cases[i].maybe_locked || r.can_dynamax != cases[i].can_dynamax ||
            r.dynamaxed != cases[i].dynamaxed || r.gigantamax != cases[i].gigantamax)
            fail_msg("%s", cases[i].json);
    }
    assert_int_equal(read_request("{\"wait\":true,\"rqid\":-3,\"side\":{\"id\":\"p3\"}}").rqid, 0);
    assert_int_equal(read_request("{\"wait\":true,\"side\":{\"id\":\"p3\"}}").side, -1);
    assert_int_equal(read_request("{\"wait\":true,\"side\":{\"id\":\"p1\"}}").side, 0);
    assert_int_equal(read_request("{\"wait\":true," SIDE "}").team_count, 3);
    struct request locked =
        read_request("{\"active\":[{\"moves\":[{\"move\":\"Outrage\"}]}]," SIDE "}");
    assert_string_equal(locked.moves[0].id, "outrage");
    assert_int_equal(locked.moves[0].pp, -1);
    assert_int_equal(locked.moves[0].pp_max, -1);
}

static void requests_that_are_none(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{",
        "[]",
        "7",
        "{\"active\":[]," SIDE "}",
        "{\"active\":[{" MOVES "},{" MOVES "}]," SIDE "}",
        "{\"active\":[{\"moves\":[]}]," SIDE "}",
        "{\"active\":[{" MOVES "}]}",
        "{\"active\":[{" MOVES "}],\"side\":{\"pokemon\":[1]}}",
        "{\"forceSwitch\":[true],\"side\":{\"pokemon\":{}}}",
        "{\"side\":\"\xFF\"}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct request request;
        struct banyan_error err = {.message = ""};
        enum banyan_status status = request_parse(bad[i], strlen(bad[i]), &request, &err);
        assert_true(status == BANYAN_CORRUPT || status == BANYAN_UNSUPPORTED);
        assert_true(err.message[0] != 0);
        assert_memory_equal(choices(bad[i]), "error: ", 7);
    }
    char *deep = malloc(100001);
    assert_non_null(deep);
    memset(deep, '[', 100000);
    deep[100000] = 0;
    assert_memory_equal(choices(deep), "error: ", 7);
    free(deep);
}

/* --- choosers --- */

static struct request_choice ask(const char *player, const struct request *request, uint64_t seed)
{
    struct decide decide;
    struct decide_answer answer;
    struct tracker tracker;
    struct decide_question question = {request, &tracker, seed, 100};
    tracker_start(&tracker);
    assert_int_equal(decide_open(&decide, player, NULL), BANYAN_OK);
    assert_int_equal(decide_choose(&decide, NULL, &question, &answer, NULL), BANYAN_OK);
    decide_close(&decide);
    return answer.choice;
}

static void what_choosers_choose(void **state)
{
    (void)state;
    const char *json =
        "{\"active\":[{\"moves\":[{\"id\":\"roost\"},{\"id\":\"tackle\"},{\"id\":\"explosion\","
        "\"disabled\":true},{\"id\":\"surf\"}],\"canDynamax\":true," MAX "}]," SIDE "}";
    struct request request;
    int seen[REQUEST_CHOICES] = {0};
    assert_int_equal(request_parse(json, strlen(json), &request, NULL), BANYAN_OK);
    assert_int_equal(request.choice_count, 6);
    struct request_choice best = ask("max-base-power", &request, 1);
    assert_int_equal(best.kind, REQUEST_CHOOSE_MOVE);
    assert_int_equal(best.slot, 3);
    assert_int_equal(ask("default", &request, 1).slot, 0);
    for (uint64_t seed = 0; seed < 600; ++seed) {
        struct request_choice choice = ask("random", &request, seed);
        for (int i = 0; i < request.choice_count; ++i)
            seen[i] += memcmp(&choice, &request.choices[i], sizeof choice) == 0;
    }
    /* expected 100 of each; the standard deviation is 9 */
    for (int i = 0; i < request.choice_count; ++i)
        assert_in_range(seen[i], 60, 140);
    for (int i = 1; i < powers_count; ++i)
        assert_true(strcmp(powers_data[i - 1].move, powers_data[i].move) < 0);
    assert_int_equal(powers_find("surf"), 90);
    assert_int_equal(powers_find("nosuchmove"), 0);
}

static void choosers_that_are_none(void **state)
{
    (void)state;
    struct decide decide;
    struct banyan_error err;
    assert_int_equal(decide_open(&decide, "randon", &err), BANYAN_NOT_FOUND);
    assert_non_null(strstr(err.message, "did you mean 'random'"));
    assert_int_equal(decide_open(&decide, "random:x=1", &err), BANYAN_INVALID);
    decide_close(&decide);
}

/* --- the login --- */

static void what_is_posted(void **state)
{
    (void)state;
    char body[LOGIN_BODY];
    assert_int_equal(login_request("Bob B", "a&b=c%\xC3\xA9", "4|ab", body, NULL), BANYAN_OK);
    assert_string_equal(body, "act=login&name=Bob%20B&pass=a%26b%3Dc%25%C3%A9&challstr=4%7Cab");
    assert_int_equal(login_request("Bob B", "", "4|ab", body, NULL), BANYAN_OK);
    assert_string_equal(body, "act=getassertion&userid=bobb&challstr=4%7Cab");
    char *longer = malloc(5001);
    assert_non_null(longer);
    memset(longer, 'x', 5000);
    longer[5000] = 0;
    assert_int_equal(login_request("bob", "p", longer, body, NULL), BANYAN_INVALID);
    free(longer);
}

static const char *replied(const char *reply, bool with_password)
{
    static char text[LOGIN_ASSERTION + 8];
    struct banyan_error err;
    if (login_reply(reply, strlen(reply), with_password, text, &err) != BANYAN_OK)
        snprintf(text, sizeof text, "error: %s", err.message);
    return text;
}

static void what_the_login_server_answers(void **state)
{
    (void)state;
    assert_string_equal(replied("]{\"actionsuccess\":true,\"assertion\":\"4,bob,2;f0\","
                                "\"curuser\":{\"loggedin\":true}}",
                                true),
                        "4,bob,2;f0");
    assert_string_equal(replied("4,bob,1;f0\r\n", false), "4,bob,1;f0");
    assert_string_equal(replied("]{\"actionsuccess\":false,\"assertion\":\";;Too many\"}", true),
                        "error: the login server says: Too many");
    assert_non_null(strstr(replied("]{\"actionsuccess\":false}", true), "wrong password"));
    assert_non_null(strstr(replied(";", false), "is registered"));
    assert_non_null(strstr(replied(";;banned", false), "banned"));
    assert_memory_equal(replied("<html>no</html>", true), "error: ", 7);
    assert_memory_equal(replied("<html>no</html>", false), "error: ", 7);
    assert_memory_equal(replied("", true), "error: ", 7);
    assert_memory_equal(replied("", false), "error: ", 7);
}

static void addresses(void **state)
{
    (void)state;
    struct link_address address;
    assert_int_equal(link_address_parse("localhost:8123", "/s", &address, NULL), BANYAN_OK);
    assert_false(address.tls);
    assert_int_equal(address.port, 8123);
    assert_string_equal(address.path, "/s");
    assert_true(link_address_local(&address));
    assert_int_equal(link_address_parse("wss://sim.example", "/s", &address, NULL), BANYAN_OK);
    assert_true(address.tls && address.port == 443 && !link_address_local(&address));
    assert_int_equal(link_address_parse("https://a.b:1/login", "/s", &address, NULL), BANYAN_OK);
    assert_string_equal(address.path, "/login");
    assert_int_equal(link_address_parse("here", "/s", &address, NULL), BANYAN_OK);
    assert_int_equal(address.port, 8000);
    static const char *const bad[] = {"",    ":1",          "a:0",    "a:70000", "a:x",
                                      "a b", "user@host:1", "wss://", "a:1x",    "ftp://a"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        assert_int_equal(link_address_parse(bad[i], "/s", &address, NULL), BANYAN_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_taken_apart),
        cmocka_unit_test(lines_of_all_kinds),
        cmocka_unit_test(every_word_is_known),
        cmocka_unit_test(bytes_that_are_no_text_are_repaired),
        cmocka_unit_test(where_control_characters_end),
        cmocka_unit_test(conditions),
        cmocka_unit_test(who_is_named),
        cmocka_unit_test(numbers),
        cmocka_unit_test(ids),
        cmocka_unit_test(an_illusion_ends),
        cmocka_unit_test(boosts_and_effects),
        cmocka_unit_test(abilities_that_are_exchanged),
        cmocka_unit_test(what_moves_cost),
        cmocka_unit_test(whose_item_it_was),
        cmocka_unit_test(a_line_ends_where_its_length_says),
        cmocka_unit_test(what_is_legal),
        cmocka_unit_test(what_a_request_says),
        cmocka_unit_test(flags_of_a_request),
        cmocka_unit_test(requests_that_are_none),
        cmocka_unit_test(what_choosers_choose),
        cmocka_unit_test(choosers_that_are_none),
        cmocka_unit_test(what_is_posted),
        cmocka_unit_test(what_the_login_server_answers),
        cmocka_unit_test(addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
