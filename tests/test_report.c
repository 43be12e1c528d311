/* The picture of a tree: a small list of lines made by hand, and what each format must contain. */
#include "search/report.h"

#include "searching.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* player 0 has two actions: "a<b" with two outcomes of dice; player 1 tried C after the second of
 * them.  One more action of the root was tried and is not shown.
 *
 *     root                 0
 *     +-- a<b              1    proven 0..1
 *     |   +-- outcome      2    4 of 6
 *     |   +-- outcome      3    2 of 6
 *     +-- B                4
 *         +-- node         5
 *             +-- C        6    proven -1
 */
static const struct report_line lines[] = {
    {.kind = REPORT_NODE,
     .parent = -1,
     .end = 7,
     .actions = 5,
     .left_out = 1,
     .probability = 1,
     .visits = 10,
     .mean = 0.25,
     .prior = NAN},
    {.kind = REPORT_EDGE,
     .parent = 0,
     .end = 4,
     .visits = 6,
     .mean = 0.5,
     .prior = 0.625f,
     .lo = 0,
     .hi = 1,
     .chance = true,
     .label = "a<b"},
    {.kind = REPORT_NODE,
     .level = 1,
     .parent = 1,
     .end = 3,
     .player = 1,
     .actions = 2,
     .probability = 4.0 / 6,
     .visits = 4,
     .mean = NAN,
     .prior = NAN},
    {.kind = REPORT_NODE,
     .level = 1,
     .parent = 1,
     .end = 4,
     .player = -1,
     .probability = 2.0 / 6,
     .visits = 2,
     .mean = NAN,
     .prior = NAN},
    {.kind = REPORT_EDGE,
     .parent = 0,
     .end = 7,
     .visits = 4,
     .mean = -0.5,
     .prior = 0.25f,
     .lo = -1,
     .hi = 1,
     .label = "B"},
    {.kind = REPORT_NODE,
     .level = 1,
     .parent = 4,
     .end = 7,
     .player = 1,
     .actions = 3,
     .probability = 1,
     .visits = 4,
     .mean = NAN,
     .prior = NAN},
    {.kind = REPORT_EDGE,
     .level = 1,
     .parent = 5,
     .end = 7,
     .player = 1,
     .visits = 1,
     .mean = NAN,
     .prior = NAN,
     .lo = -1,
     .hi = -1,
     .label = "C"},
};

struct written {
    char text[1 << 17];
    size_t length;
};

static bool keep(void *ctx, const char *bytes, size_t size)
{
    struct written *written = ctx;
    assert_true(written->length + size < sizeof written->text);
    memcpy(written->text + written->length, bytes, size);
    written->length += size;
    written->text[written->length] = 0;
    return true;
}

typedef void report_writer(const struct report *report, struct report_out *out);

static void check_written(report_writer *write, const char *expected)
{
    const struct banyan_game *game;
    struct written written = {.length = 0};
    struct report_out out = {.write = keep, .ctx = &written};
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK); /* returns -1..1 */
    struct report report = {
        .game = game, .lines = (struct report_line *)lines, .count = 7, .room = 7};
    write(&report, &out);
    assert_false(out.failed);
    assert_string_equal(written.text, expected);
}

static void text_by_hand(void **unused)
{
    (void)unused;
    check_written(report_write_text, "root     X  n 10  mean +0.2500  5 actions\n"
                                     "  a<b      X  n 6  mean +0.5000  prior 0.6250  proven 0..1\n"
                                     "   (outcome 66.7 %  n 4)\n"
                                     "   (outcome 33.3 %  n 2)\n"
                                     "  B        X  n 4  mean -0.5000  prior 0.2500\n"
                                     "    C        O  n 1  proven -1\n");
}

static void xml_by_hand(void **unused)
{
    (void)unused;
    check_written(
        report_write_xml,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Tree game=\"tictactoe\">\n"
        "  <ActionNode p=\"1\" visits=\"10\" player=\"0\" actions=\"5\" score=\"0.25\">\n"
        "    <ChanceNode action=\"a&lt;b\" player=\"0\" visits=\"6\" prior=\"0.625\" lo=\"0\" "
        "hi=\"1\" score=\"0.5\">\n"
        "      <ActionNode p=\"0.666667\" visits=\"4\" player=\"1\" actions=\"2\"/>\n"
        "      <ActionNode p=\"0.333333\" visits=\"2\"/>\n"
        "    </ChanceNode>\n"
        "    <ChanceNode action=\"B\" player=\"0\" visits=\"4\" prior=\"0.25\" score=\"-0.5\">\n"
        "      <ActionNode p=\"1\" visits=\"4\" player=\"1\" actions=\"3\">\n"
        "        <ChanceNode action=\"C\" player=\"1\" visits=\"1\" lo=\"-1\" hi=\"-1\"/>\n"
        "      </ActionNode>\n"
        "    </ChanceNode>\n"
        "  </ActionNode>\n"
        "</Tree>\n");
}

static void json_by_hand(void **unused)
{
    (void)unused;
    check_written(
        report_write_json,
        "{\"game\": \"tictactoe\", \"roots\": [\n"
        "  {\"player\": 0, \"actions\": 5, \"probability\": 1, \"visits\": 10, \"mean\": 0.25, "
        "\"edges\": [\n"
        "    {\"action\": \"a<b\", \"player\": 0, \"prior\": 0.625, \"lo\": 0, \"hi\": 1, "
        "\"visits\": 6, \"mean\": 0.5, \"nodes\": [\n"
        "      {\"player\": 1, \"actions\": 2, \"probability\": 0.666666667, \"visits\": 4, "
        "\"mean\": null, \"edges\": []},\n"
        "      {\"player\": null, \"actions\": null, \"probability\": 0.333333333, \"visits\": 2, "
        "\"mean\": null, \"edges\": []}\n"
        "    ]},\n"
        "    {\"action\": \"B\", \"player\": 0, \"prior\": 0.25, \"lo\": -1, \"hi\": 1, "
        "\"visits\": 4, \"mean\": -0.5, \"nodes\": [\n"
        "      {\"player\": 1, \"actions\": 3, \"probability\": 1, \"visits\": 4, \"mean\": null, "
        "\"edges\": [\n"
        "        {\"action\": \"C\", \"player\": 1, \"prior\": null, \"lo\": -1, \"hi\": -1, "
        "\"visits\": 1, \"mean\": null, \"nodes\": []}\n"
        "      ]}\n"
        "    ]}\n"
        "  ]}\n"
        "]}\n");
}

/* Colours: share of the range of returns, s = (mean + 1)/2.  Red is 240 up to s = 0.5, then falls by
 * 160 (s - 0.5); green rises from 140 by 200 s up to 240.
 *   mean 0.25:  s 0.625: red 240 - 20 = 220 = dc, green f0
 *   mean 0.5:   s 0.75:  red 240 - 40 = 200 = c8, green f0
 *   mean -0.5:  s 0.25:  red f0, green 140 + 50 = 190 = be */
#define ROOT_COLOUR "#dcf0a0"
#define A_COLOUR    "#c8f0a0"
#define B_COLOUR    "#f0bea0"

static void dot_by_hand(void **unused)
{
    (void)unused;
    check_written(report_write_dot,
                  "digraph tree {\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n"
                  "  n0 [fillcolor=\"" ROOT_COLOUR "\", shape=box, label=\"X / n 10  +0.250\"];\n"
                  "  n1 [fillcolor=\"" A_COLOUR "\", shape=box, label=\"a<b / n 6  +0.500\"];\n"
                  "  n0 -> n1;\n"
                  "  n2 [fillcolor=\"#dddddd\", shape=ellipse, label=\"66.7 % / n 4\"];\n"
                  "  n1 -> n2;\n"
                  "  n3 [fillcolor=\"#dddddd\", shape=ellipse, label=\"33.3 % / n 2\"];\n"
                  "  n1 -> n3;\n"
                  "  n4 [fillcolor=\"" B_COLOUR "\", shape=box, label=\"B / n 4  -0.500\"];\n"
                  "  n0 -> n4;\n"
                  "  n6 [fillcolor=\"#dddddd\", shape=box, label=\"C / n 1\"];\n"
                  "  n4 -> n6;\n"
                  "}\n");
}

/* Boxes of 112 x 40, 12 apart and 44 between rows, 16 around.  Leaves side by side: outcomes in columns 0
 * and 1, C in 2; a<b over the middle of its outcomes, 0.5; B over C, 2; the root between, 1.25.
 *   middles: 16 + 56 + column * 124: 72, 196, 320, 134, 320, 227; tops: 16 + row * 84: 16, 100, 184
 *   width 32 + 3*124 - 12 = 392, height 32 + 3*84 - 44 = 240
 *   a line runs from the middle of the box above, 40 below its top, and bends half way; it is 0.6 + 5 *
 *   share of the visits thick: 6/10: 3.6, 4/6: 3.93, 2/6: 2.27, 4/10: 2.6, C has 1 of 4: 1.85 */
#define BOX(x, y, round, colour)                                                  \
    "<rect x=\"" x "\" y=\"" y "\" width=\"112\" height=\"40\" rx=\"" round "\" " \
    "fill=\"" colour "\"/>"
#define WORDS(x, y1, title, y2, detail)                                    \
    "<text x=\"" x "\" y=\"" y1 "\" font-weight=\"bold\">" title "</text>" \
    "<text x=\"" x "\" y=\"" y2 "\">" detail "</text></g>\n"

static const char svg[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"392\" height=\"240\" "
    "viewBox=\"0 0 392 240\" font-family=\"sans-serif\" font-size=\"13\" "
    "text-anchor=\"middle\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    "<g fill=\"none\" stroke=\"#888888\">\n"
    "<path d=\"M227.0 56.0C227.0 78.0 134.0 78.0 134.0 100.0\" stroke-width=\"3.60\"/>\n"
    "<path d=\"M134.0 140.0C134.0 162.0 72.0 162.0 72.0 184.0\" stroke-width=\"3.93\"/>\n"
    "<path d=\"M134.0 140.0C134.0 162.0 196.0 162.0 196.0 184.0\" stroke-width=\"2.27\"/>\n"
    "<path d=\"M227.0 56.0C227.0 78.0 320.0 78.0 320.0 100.0\" stroke-width=\"2.60\"/>\n"
    "<path d=\"M320.0 140.0C320.0 162.0 320.0 162.0 320.0 184.0\" stroke-width=\"1.85\"/>\n"
    "</g>\n<g stroke=\"none\" fill=\"#111111\">\n"
    "<g><title>X: X, 10 visits, mean 0.250000, 1 not shown</title>" //
    BOX("171.0", "16.0", "20", ROOT_COLOUR)
        WORDS("227.0", "33.0", "X", "49.0",
              "n 10  +0.250") "<g><title>a&lt;b: X, 6 visits, mean 0.500000, proven "
                              "0..1</title>" //
    BOX("78.0", "100.0", "5", A_COLOUR)
        WORDS("134.0", "117.0", "a&lt;b", "133.0",
              "n 6  +0.500") "<g><title>66.7 %: O, 4 visits</title>" //
    BOX("16.0", "184.0", "20", "#dddddd")
        WORDS("72.0", "201.0", "66.7 %", "217.0",
              "n 4") "<g><title>33.3 %: nobody, 2 visits</title>" //
    BOX("140.0", "184.0", "20", "#dddddd")
        WORDS("196.0", "201.0", "33.3 %", "217.0",
              "n 2") "<g><title>B: X, 4 visits, mean -0.500000</title>" //
    BOX("264.0", "100.0", "5", B_COLOUR)
        WORDS("320.0", "117.0", "B", "133.0",
              "n 4  -0.500") "<g><title>C: O, 1 visits, proven -1..-1</title>" //
    BOX("264.0", "184.0", "5", "#dddddd")
        WORDS("320.0", "201.0", "C", "217.0", "n 1") "</g>\n</svg>\n";

static void svg_by_hand(void **unused)
{
    (void)unused;
    check_written(report_write_svg, svg);
}

/* Extremes of the colours: -1 is f0 8c, 0 is f0 f0, 1 is a0 f0; beyond the range as at its end. */
static void colours_of_the_extremes(void **unused)
{
    (void)unused;
    const struct {
        double mean;
        const char *colour;
    } cases[] = {{-1, "#f08ca0"}, {0, "#f0f0a0"}, {1, "#a0f0a0"}, {-3, "#f08ca0"}, {3, "#a0f0a0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct banyan_game *game;
        struct written written = {.length = 0};
        struct report_out out = {.write = keep, .ctx = &written};
        assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
        struct report_line root = lines[0];
        root.mean = cases[i].mean;
        root.end = 1;
        struct report report = {.game = game, .lines = &root, .count = 1, .room = 1};
        report_write_dot(&report, &out);
        assert_non_null(strstr(written.text, cases[i].colour));
    }
}

/* An action with all of the visits, as after a forced move: 0.6 + 5 * 1 = 5.6; a share above 1,
 * which transpositions can give, counts as 1. */
static void a_line_of_all_visits(void **unused)
{
    (void)unused;
    for (uint32_t visits = 2; visits <= 3; ++visits) {
        const struct banyan_game *game;
        struct written written = {.length = 0};
        struct report_out out = {.write = keep, .ctx = &written};
        struct report_line both[2] = {lines[0], lines[6]};
        both[0].visits = 2;
        both[0].end = both[1].end = 2;
        both[1].visits = visits;
        both[1].parent = 0;
        assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
        struct report report = {.game = game, .lines = both, .count = 2, .room = 2};
        report_write_svg(&report, &out);
        assert_non_null(strstr(written.text, "stroke-width=\"5.60\""));
    }
}

/* Characters that each format must escape, and characters that it must not. */
static void texts_are_made_harmless(void **unused)
{
    (void)unused;
    struct written written = {.length = 0};
    struct report_out out = {.write = keep, .ctx = &written};
    report_write_escaped("a<b>&\"c\" \x1f'", &out);
    assert_string_equal(written.text, "a&lt;b&gt;&amp;&quot;c&quot; '");
    written.length = 0;
    report_write_quoted("a\"b\\c \x1f\n'", &out);
    assert_string_equal(written.text, "\"a\\\"b\\\\c \\u001f\\u000a'\"");
}

/* --- trees with several roots, as where players choose at the same time --- */

static const struct report_line two_roots[] = {
    {.kind = REPORT_NODE, .parent = -1, .end = 2, .actions = 1, .probability = 1, .visits = 9},
    {.kind = REPORT_EDGE, .parent = 0, .end = 2, .visits = 9, .prior = NAN, .hi = 1, .label = "A"},
    {.kind = REPORT_NODE, .parent = -1, .end = 4, .player = 1, .actions = 1, .visits = 7},
    {.kind = REPORT_EDGE,
     .player = 1,
     .parent = 2,
     .end = 4,
     .visits = 7,
     .prior = NAN,
     .label = "B"},
};

static void write_two_roots(report_writer *write, struct written *written)
{
    const struct banyan_game *game;
    struct report_out out = {.write = keep, .ctx = written};
    assert_int_equal(banyan_game_find("rps", &game, NULL), BANYAN_OK);
    struct report report = {
        .game = game, .lines = (struct report_line *)two_roots, .count = 4, .room = 4};
    written->length = 0;
    write(&report, &out);
    assert_false(out.failed);
}

/* How deep the text is nested before the first place where `part` stands. */
static int depth_before(const char *text, const char *part, const char *open, const char *close)
{
    const char *end = strstr(text, part);
    int depth = 0;
    assert_non_null(end);
    for (const char *at = text; at < end; ++at)
        depth += (strncmp(at, open, strlen(open)) == 0) - (strncmp(at, close, strlen(close)) == 0);
    return depth;
}

/* Roots stand side by side: the first one is closed before the second begins. */
static void roots_are_not_nested(void **unused)
{
    (void)unused;
    static struct written written;
    write_two_roots(report_write_xml, &written);
    assert_int_equal(depth_before(written.text, "visits=\"9\"", "<ActionNode", "</ActionNode"), 1);
    assert_int_equal(depth_before(written.text, "visits=\"7\"", "<ActionNode", "</ActionNode"), 1);
    assert_int_equal(depth_before(written.text, "</Tree>", "<ActionNode", "</ActionNode"), 0);
    write_two_roots(report_write_json, &written);
    assert_int_equal(depth_before(written.text, "\"visits\": 9", "{", "}"), 2);
    assert_int_equal(depth_before(written.text, "\"visits\": 7", "{", "}"), 2);
    assert_int_equal(depth_before(written.text, "\"action\": \"B\"", "{", "}"), 3);
}

/* The page names the box above each box by its place in the list: -1 above a root. */
static void boxes_of_a_page_name_the_one_above(void **unused)
{
    static const int above[] = {-1, 0, -1, 2};
    static struct written written;
    (void)unused;
    write_two_roots(report_write_html, &written);
    const char *at = strstr(written.text, "\"boxes\":[{\"up\":");
    assert_non_null(at);
    for (size_t i = 0; i < sizeof above / sizeof *above; ++i) {
        assert_non_null(at = strstr(at, "{\"up\":"));
        at += strlen("{\"up\":");
        assert_int_equal(strtol(at, NULL, 10), above[i]);
    }
    assert_null(strstr(at, "{\"up\":"));
}

/* The page says which action of each root has most visits: the first one below it. */
static void a_page_says_the_result(void **unused)
{
    static struct written written;
    const struct banyan_game *game;
    struct report_out out = {.write = keep, .ctx = &written};
    (void)unused;
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    struct report report = {
        .game = game, .lines = (struct report_line *)lines, .count = 7, .room = 7};
    report_write_html(&report, &out);
    assert_non_null(strstr(
        written.text, ",\"result\":\"X: a\\u003cb, 6 of 10 visits, mean +0.500\",\"boxes\":["));
    write_two_roots(report_write_html, &written);
    assert_non_null(strstr(written.text, ",\"result\":\"player 1: A, 9 of 9 visits, mean +0.000; "
                                         "player 2: B, 7 of 7 visits, mean +0.000\""));
}

static bool drop(void *ctx, const char *bytes, size_t size)
{
    (void)ctx, (void)bytes, (void)size;
    return true;
}

/* Pictures have at most 4000 lines, of whatever format; texts may have more. */
static void large_trees_give_no_picture(void **unused)
{
    struct searching s;
    (void)unused;
    searching_open(&s, "connect4", NULL, "expand-visits=1", "rollout");
    searching_run(&s, 5000);
    for (int format = 0; format <= BANYAN_TREE_HTML; ++format) {
        struct banyan_search_tree_view view = {.format = (enum banyan_search_tree_format)format};
        enum banyan_status status = banyan_search_write_tree(s.search, &view, drop, NULL, &s.err);
        assert_int_equal(status, format >= BANYAN_TREE_DOT ? BANYAN_INVALID : BANYAN_OK);
        if (status != BANYAN_OK)
            assert_non_null(strstr(s.err.message, "too many for a picture (4000)"));
        view.max_children = 2;
        view.depth = 3;
        searching_check(&s, banyan_search_write_tree(s.search, &view, drop, NULL, &s.err));
    }
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_by_hand),
        cmocka_unit_test(xml_by_hand),
        cmocka_unit_test(json_by_hand),
        cmocka_unit_test(dot_by_hand),
        cmocka_unit_test(svg_by_hand),
        cmocka_unit_test(colours_of_the_extremes),
        cmocka_unit_test(a_line_of_all_visits),
        cmocka_unit_test(texts_are_made_harmless),
        cmocka_unit_test(roots_are_not_nested),
        cmocka_unit_test(boxes_of_a_page_name_the_one_above),
        cmocka_unit_test(a_page_says_the_result),
        cmocka_unit_test(large_trees_give_no_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
