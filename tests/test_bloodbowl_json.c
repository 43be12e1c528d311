/* Positions of Blood Bowl as JSON: they are complete, and a position with missing or
 * contradicting values is refused. */
#include "bloodbowl_position.h"
#include "records/bloodbowl_json.h"
#include "records/bloodbowl_page.h"
#include "records/bloodbowl_position.h"
#include "records/bloodbowl_replay.h"

#include <stdlib.h>
#include <unistd.h>

static void check_whole(const struct bb_state *s)
{
    struct bb_state copy;
    struct banyan_error err = {0};
    json_t *json = bloodbowl_position_write(s);
    if (bloodbowl_position_read(json, &copy, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_memory_equal(&copy, s, sizeof copy);
    json_decref(json);
}

/* A position that is loaded without the engine's text offers the same choices and shows the same
 * state. */
static int check_table(const struct bb_state *s)
{
    struct bb_state copy;
    struct banyan_error err = {0};
    json_t *json = bloodbowl_position_write(s), *st = json_object_get(json, "st");
    json_object_del(json, "engine");
    bool turn = bloodbowl_json_resumable(st);
    if (!turn || s->path_left)
        assert_int_not_equal(bloodbowl_position_read(json, &copy, &err), BANYAN_OK);
    else if (bloodbowl_position_read(json, &copy, &err) != BANYAN_OK)
        fail_msg("%s\n%s", err.message, json_dumps(json, JSON_COMPACT));
    if (turn) {
        json_t *again = bloodbowl_json_state(&copy);
        assert_true(json_equal(st, again));
        json_decref(again);
    }
    json_decref(json);
    return turn;
}

static void check_file(const char *path)
{
    struct bloodbowl_replay *replay;
    enum bloodbowl_event event = BLOODBOWL_HEAD;
    int turns = 0;
    assert_int_equal(bloodbowl_replay_open(path, &replay, NULL), BANYAN_OK);
    while (bloodbowl_replay_next(replay, &event, NULL) == BANYAN_OK && event != BLOODBOWL_DONE) {
        if (event != BLOODBOWL_MOVE)
            continue;
        check_whole(bloodbowl_replay_state(replay));
        turns += check_table(bloodbowl_replay_state(replay));
    }
    assert_int_equal(event, BLOODBOWL_DONE);
    assert_true(turns > 1000);
    bloodbowl_replay_close(replay);
}

static void test_recorded_positions(void **state)
{
    (void)state;
    check_file(TEST_DATA "/bloodbowl/step.jsonl.gz");
    check_file(TEST_DATA "/bloodbowl/path.jsonl.gz");
}

/* --- the state from before leaves no trace --- */

/* Puts a bomb, an open path, weather and the like into a state: bytes that no team turn has. */
static void disturb(struct bb_state *s)
{
    s->bomb = s->ball = s->path_square = 77;
    s->bomb_out = s->bomb_carried = s->ball_out = s->over = s->idle = s->path_left = 1;
    s->path = 0x123456789;
    s->path_action = BB_DO_MOVE;
    memset(s->pitch, 3, sizeof s->pitch);
    for (int team = BB_HOME; team <= BB_AWAY; ++team) {
        struct bb_team *t = &s->team[team];
        memset(t->list, 1, sizeof t->list);
        memset(t->listed, BB_TEAM_MAX, sizeof t->listed);
        t->forfeits = t->bribes = t->score = 1;
    }
    for (int i = 0; i < BB_PLAYERS; ++i) {
        s->player[i].square = (uint16_t)(50 + i);
        s->player[i].flags = s->player[i].injuries = 0x111;
        s->player[i].moves = s->player[i].used = 3;
    }
}

/* Loads `st` over the start of the game, over the end of the same game, and over a disturbed
 * state. */
static int check_overwriting(const struct bb_state *start, const struct bb_state *last,
                             const struct bb_state *at)
{
    json_t *st = bloodbowl_json_state(at);
    int whole = bloodbowl_json_resumable(st);
    if (whole) {
        struct bb_state fresh = *start, over = *last, mad = *start;
        disturb(&mad);
        assert_int_equal(bloodbowl_json_load(st, &fresh, NULL), BANYAN_OK);
        assert_int_equal(bloodbowl_json_load(st, &over, NULL), BANYAN_OK);
        assert_int_equal(bloodbowl_json_load(st, &mad, NULL), BANYAN_OK);
        assert_memory_equal(&over, &fresh, sizeof fresh);
        assert_memory_equal(&mad, &fresh, sizeof fresh);
        json_t *written = bloodbowl_json_state(&over);
        assert_true(json_equal(st, written));
        json_decref(written);
    }
    json_decref(st);
    return whole;
}

/* In every game of a file, each tenth state is loaded over the state of a hundred decisions
 * later. */
static int overwrite_file(const char *path)
{
    enum { KEPT = 100 };
    static struct bb_state kept[KEPT];
    struct bloodbowl_replay *replay;
    enum bloodbowl_event event = BLOODBOWL_HEAD;
    struct bb_state start;
    int moves = 0, loaded = 0;
    assert_int_equal(bloodbowl_replay_open(path, &replay, NULL), BANYAN_OK);
    while (bloodbowl_replay_next(replay, &event, NULL) == BANYAN_OK && event != BLOODBOWL_DONE) {
        const struct bb_state *now = bloodbowl_replay_state(replay);
        if (event == BLOODBOWL_HEAD) {
            start = *now;
            moves = 0;
        }
        if (event != BLOODBOWL_MOVE)
            continue;
        if (moves >= KEPT && moves % 10 == 0)
            loaded += check_overwriting(&start, now, &kept[moves % KEPT]);
        kept[moves++ % KEPT] = *now;
    }
    bloodbowl_replay_close(replay);
    return loaded;
}

static void test_loading_leaves_no_trace(void **state)
{
    (void)state;
    assert_true(overwrite_file(TEST_DATA "/bloodbowl/step.jsonl.gz") > 100);
    assert_true(overwrite_file(TEST_DATA "/bloodbowl/path.jsonl.gz") > 100);
}

/* --- an error gives one line, and the state does not change --- */

static struct bb_state sample(void)
{
    struct bb_state s = position("home=human away=orc");
    int runner = stand(&s, BB_HOME, 1, 14, 8);
    stand(&s, BB_AWAY, 1, 13, 8);
    stand(&s, BB_AWAY, 2, 12, 8);
    give_ball(&s, runner);
    s.toss = BB_HOME;
    return s;
}

static void refuse_text(const char *text, const char *expected)
{
    struct bb_state s, before;
    struct banyan_error err = {.message = ""};
    memset(&s, 0x5a, sizeof s);
    before = s;
    enum banyan_status status = bloodbowl_position_parse(text, strlen(text), &s, &err);
    if (status == BANYAN_OK)
        fail_msg("accepted, without '%s'", expected);
    if (!strstr(err.message, expected))
        fail_msg("'%s' does not say '%s'", err.message, expected);
    assert_null(strchr(err.message, '\n'));
    assert_memory_equal(&s, &before, sizeof s);
}

/* The sample with `from` replaced by `to`. */
static void refuse_edit(bool engine, const char *from, const char *to, const char *expected)
{
    static char text[32768];
    struct bb_state s = sample();
    json_t *json = bloodbowl_position_write(&s);
    if (!engine)
        json_object_del(json, "engine");
    char *whole = json_dumps(json, JSON_COMPACT), *at = strstr(whole, from);
    if (!at)
        fail_msg("there is no %s in %s", from, whole);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    refuse_text(text, expected);
    free(whole);
    json_decref(json);
}

static void test_bad_text(void **state)
{
    (void)state;
    refuse_text("", "line 1");
    refuse_text("{", "line 1");
    refuse_text("[]", "must be an object");
    refuse_text("{\"a\":1,\"a\":2}", "uplicate");
    refuse_text("{}", "\"game\" is missing");
    refuse_text("{\"game\":\"chess\"}", "must be bloodbowl");
    refuse_text("{\"game\":\"bloodbowl\",\"variant\":4}", "1, 3, 5, 7 or 11");
    refuse_text("{\"game\":\"bloodbowl\",\"variant\":11,\"engine\":\"\"}", "game in progress");
}

static void test_bad_fields(void **state)
{
    (void)state;
    static const char *const edits[][3] = {
        {"\"mode\":\"step\",", "", "\"mode\" is missing"},
        {"\"mode\":\"step\"", "\"mode\":\"walk\"", "step or path"},
        {"[\"bot\",\"bot\"]", "[\"bot\"]", "\"ask\" must be a list of 2"},
        {"[\"bot\",\"bot\"]", "[\"bot\",1]", "two of bot, human"},
        {"\"quirks\":\"botbowl\"", "\"quirks\":-1", "botbowl, rules or a number"},
        {"\"rerolls\":3", "\"rerolls\":17", "0 to 16"},
        {"\"ma\":7", "\"ma\":0", "1 to 10"},
        {"\"ma\":7", "\"MA\":7", "\"MA\" of a player is not known"},
        {"[\"BLOCK\"]", "[\"FLY\"]", "no skill is called \"FLY\""},
        {"\"nr\":2", "\"nr\":1", "two players are called H1"},
        {"\"half\":1", "\"half\":3", "1 to 2"},
        {"\"half\":1", "\"half\":2", "stack"},
        {"\"half\":1,", "", "\"half\" is missing"},
        {"\"half\":1", "\"half\":1,\"hlaf\":1", "\"hlaf\" of st is not known"},
        {"\"round\":1", "\"round\":\"1\"", "integer"},
        {"\"spect\":0", "\"spect\":500", "thousands"},
        {"\"NICE\"", "\"FOG\"", "BLIZZARD"},
        {"\"cur\":\"H\"", "\"cur\":null", "side on turn"},
        {"\"actor\":\"H\"", "\"actor\":\"A\"", "must be \"cur\""},
        {"\"active\":null", "\"active\":\"H99\"", "null or a player"},
        {"\"pat\":null", "\"pat\":\"MOVE\"", "without an activation"},
        {"\"tp\":[1,", "\"tp\":[2,", "0 to 1"},
        {"\"ball\":[[14,8,1,1]]", "\"ball\":[[15,8,1,1]]", "carried on a square without a player"},
        {"\"ball\":[[14,8,1,1]]", "\"ball\":[[14,0,0,1]]", "1 to"},
        {"\"ball\":[[14,8,1,1]]", "\"ball\":[14,8]", "\"ball\" must be"},
        {"[\"H1\",14,8,", "[\"H1\",13,8,", "H1 and A1 are on one square"},
        {"[\"H1\",14,8,", "[\"H1\",0,8,", "not on a square of the pitch"},
        {"[\"H1\",14,8,", "[\"H1\",-1,8,", "not on a square of the pitch"},
        {"[\"H1\",14,8,", "[\"H9\",14,8,", "of H1 next"},
        {"[\"H1\",14,8,\"U\"", "[\"H1\",14,8,\"U?\"", "unknown flags"},
        {"[\"H1\",14,8,\"U\"", "[\"H1\",14,8,\"US\"", "stands and is stunned"},
        {"[\"H1\",14,8,\"U\"", "[\"H1\",14,8,\"UK\"", "knocked out"},
        {"[[[\"H2\"", "[[[\"H1\",\"H2\"", "H1 must be either"},
        {"[[[\"H2\",", "[[[", "H2 must be either"},
        {"[[[\"H2\"", "[[[\"A5\"", "not of that team"},
        {"\"Turn\",\"Turn\"]", "\"Turn\",\"Turn\",\"MoveAction\"]", "contradict"},
        {"\"Turn\",\"Turn\"]", "\"Turn\",\"Block\"]", "team turn"},
        {"\"over\":0", "\"over\":1", "0 to 0"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; ++i)
        refuse_edit(false, edits[i][0], edits[i][1], edits[i][2]);
}

static void test_contradictions(void **state)
{
    (void)state;
    refuse_edit(true, "\"half\":1", "\"half\":2", "\"half\" of st contradicts");
    refuse_edit(true, "\"half\":1,", "", "\"half\" of st contradicts");
    refuse_edit(true, "\"mode\":\"step\",", "", "\"mode\" is missing");
    refuse_edit(true, "\"mode\":\"step\"", "\"mode\":\"path\"", "\"mode\" contradicts");
    refuse_edit(true, "\"score\":[0,0]", "\"score\":[1,0]", "\"score\" of st contradicts");
    refuse_edit(true, " stack ", " stack Turn 0 0 0 0 0 0 0 0 31 31 0 ", "check number");
}

/* The entry at a path such as "st/turn/0". */
static json_t *entry_at(json_t *json, const char *path)
{
    char part[32];
    for (int length; json && *path; path += length + (path[length] == '/')) {
        length = (int)strcspn(path, "/");
        snprintf(part, sizeof part, "%.*s", length, path);
        json = json_is_array(json) ? json_array_get(json, (size_t)atoi(part))
                                   : json_object_get(json, part);
    }
    return json;
}

/* The message that refuses the sample when the number at path is value; "": it is not refused. */
static const char *why_not(const char *path, json_t *value)
{
    static struct banyan_error err;
    struct bb_state s = sample(), read;
    json_t *json = bloodbowl_position_write(&s);
    json_object_del(json, "engine");
    const char *last = strrchr(path, '/') + 1;
    char above[64];
    snprintf(above, sizeof above, "%.*s", (int)(last - path - 1), path);
    json_t *list = entry_at(json, above);
    if (!entry_at(json, path))
        fail_msg("there is no %s", path);
    if (json_is_array(list))
        json_array_set_new(list, (size_t)atoi(last), value);
    else
        json_object_set_new(list, last, value);
    err.message[0] = 0;
    (void)bloodbowl_position_read(json, &read, &err);
    json_decref(json);
    return err.message;
}

/* Every number has its range: both ends are in it, what lies beyond is refused by the range, and so is
 * what is no number. A pitch is 26 by 15 squares, -1 is a place off the pitch. */
static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
        int lo, hi;
    } ranges[] = {
        {"home/rerolls", "rerolls", 0, 16},
        {"away/fan_factor", "fan_factor", 0, 16},
        {"home/ass_coaches", "ass_coaches", 0, 16},
        {"home/cheerleaders", "cheerleaders", 0, 16},
        {"away/apothecaries", "apothecaries", 0, 16},
        {"home/undead", "undead", 0, 1},
        {"home/players/0/nr", "nr", 1, 99},
        {"home/players/1/ma", "ma", 1, 10},
        {"away/players/2/st", "st", 1, 10},
        {"home/players/3/ag", "ag", 1, 10},
        {"away/players/10/av", "av", 1, 10},
        {"st/half", "half", 1, 2},
        {"st/round", "round", 1, 8},
        {"st/turn/0", "turn", 0, 20},
        {"st/turn/1", "turn", 0, 20},
        {"st/score/0", "score", 0, 99},
        {"st/score/1", "score", 0, 99},
        {"st/rr/0", "rr", 0, 30},
        {"st/rru/1", "rru", 0, 1},
        {"st/bribes/0", "bribes", 0, 30},
        {"st/apo/1", "apo", 0, 16},
        {"st/fame/0", "fame", 0, 2},
        {"st/spect", "spect", 0, 255000},
        {"st/gust", "gust", 0, 1},
        {"st/over", "over", 0, 0},
        {"st/tp/0", "tp", 0, 1},
        {"st/tp/3", "tp", 0, 1},
        {"st/tp/5", "tp", 0, 0},
        {"st/P/0/1", "x", -1, 26},
        {"st/P/0/2", "y", -1, 15},
        {"st/P/0/4", "moves", 0, 60},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i) {
        char says[96];
        snprintf(says, sizeof says, "\"%s\" must be an integer, %d to %d", ranges[i].name,
                 ranges[i].lo, ranges[i].hi);
        for (int k = 0; k < 4; ++k) {
            int value =
                (const int[]){ranges[i].lo, ranges[i].hi, ranges[i].lo - 1, ranges[i].hi + 1}[k];
            const char *why = why_not(ranges[i].path, json_integer(value));
            if ((strstr(why, says) != NULL) != (k >= 2))
                fail_msg("%s %d: '%s'", ranges[i].path, value, why);
        }
        assert_non_null(strstr(why_not(ranges[i].path, json_string("1")), says));
        assert_non_null(strstr(why_not(ranges[i].path, json_null()), says));
    }
    assert_non_null(strstr(why_not("st/P/0/3", json_integer(1)), "flags of H1"));
    assert_non_null(
        strstr(why_not("st/P/0/3", json_string("UUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU")), "H1"));
}

/* A team has 1 to 16 players. */
static void test_number_of_players(void **state)
{
    (void)state;
    for (int count = 0; count <= 17; ++count) {
        json_t *players = json_array();
        for (int i = 0; i < count; ++i)
            json_array_append_new(players, json_pack("{s:i,s:i,s:i,s:i,s:i,s:[]}", "nr", i + 1,
                                                     "ma", 6, "st", 3, "ag", 3, "av", 8, "skills"));
        const char *why = why_not("home/players", players);
        assert_int_equal(strstr(why, "must be a list of 1 to 16") != NULL, count < 1 || count > 16);
    }
}

/* "undead" may be missing; if it is there, it must be 0 or 1. */
static void test_undead(void **state)
{
    (void)state;
    struct bb_state s = sample(), read;
    struct banyan_error err = {.message = ""};
    json_t *json = bloodbowl_position_write(&s);
    json_object_del(json, "engine");
    json_object_del(json_object_get(json, "home"), "undead");
    if (bloodbowl_position_read(json, &read, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    json_object_set_new(json_object_get(json, "home"), "undead", json_integer(17));
    assert_int_not_equal(bloodbowl_position_read(json, &read, &err), BANYAN_OK);
    assert_non_null(strstr(err.message, "0 to 1"));
    assert_null(strstr(err.message, "0 to 16"));
    json_decref(json);
}

/* Positions that another program wrote: an activation in a turn, by hand. */
static void test_by_hand(void **state)
{
    (void)state;
    struct bb_state s = sample(), read;
    struct banyan_error err;
    CHOOSE(&s, START_BLITZ, 0, BB_NOWHERE);
    json_t *json = bloodbowl_position_write(&s);
    json_object_del(json, "engine");
    if (bloodbowl_position_read(json, &read, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(bb_asked(&read), BB_HOME);
    PLAY(&read, BLOCK, BB_NONE, bb_square(13, 8), DIE(BLOCK, 6, 6), DIE(BLOCK, 6, 6));
    json_decref(json);
}

/* --- the picture --- */

struct mark {
    char style[8];
    int x1, y1, x2, y2;
};

/* Rectangles and lines of the pitch, from the left edge of the crowd; their number. */
static int marks_of(const char *svg, struct mark *marks, int room)
{
    int count = 0, left = 0, top = 0;
    for (const char *at = svg; (at = strchr(at, '<')); ++at) {
        struct mark m;
        bool rect =
            sscanf(at, "<rect class=\"%7[a-z]\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"",
                   m.style, &m.x1, &m.y1, &m.x2, &m.y2) == 5;
        if (rect)
            m.x2 += m.x1, m.y2 += m.y1;
        else if (sscanf(at, "<line class=\"%7[a-z]\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"",
                        m.style, &m.x1, &m.y1, &m.x2, &m.y2) != 5)
            continue;
        if (strcmp(m.style, "crowd") == 0)
            left = m.x1, top = m.y1;
        m.x1 -= left, m.x2 -= left, m.y1 -= top, m.y2 -= top;
        assert_true(count < room);
        marks[count++] = m;
    }
    return count;
}

static bool has_mark(const struct mark *marks, int count, const char *style, const int spot[4])
{
    for (int i = 0; i < count; ++i)
        if (strcmp(marks[i].style, style) == 0 && marks[i].x1 == spot[0] &&
            marks[i].y1 == spot[1] && marks[i].x2 == spot[2] && marks[i].y2 == spot[3])
            return true;
    return false;
}

static void page_of(const struct bb_state *s, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    assert_non_null(out);
    bloodbowl_page_svg(s, out);
    fclose(out);
}

/* A pitch of w x h squares, crowd included: grass inside of the crowd, an end zone one square wide at
 * each side, a grid line between any two neighbours on the grass, wide zones along the edges, lines at
 * the end zones and in the middle. */
static void test_picture_of_the_pitch(void **state)
{
    (void)state;
    static char text[1 << 16];
    static struct mark marks[256];
    const char *const names[] = {"bloodbowl", "bloodbowl-5", "bloodbowl-1"};
    for (int i = 0; i < 3; ++i) {
        const struct banyan_game *game;
        struct bb_state s;
        struct banyan_rng rng;
        assert_int_equal(banyan_game_find(names[i], &game, NULL), BANYAN_OK);
        banyan_rng_seed(&rng, 1);
        assert_int_equal(game->init(game, &s, NULL, &rng, NULL), BANYAN_OK);
        page_of(&s, text, sizeof text);
        int n = marks_of(text, marks, 256);
        const struct bb_variant *v = &bb_variants[s.variant];
        assert_string_equal(marks[0].style, "crowd");
        int c = marks[0].x2 / v->width, right = (v->width - 1) * c, bottom = (v->height - 1) * c;
        assert_int_equal(marks[0].x2, v->width * c);
        assert_int_equal(marks[0].y2, v->height * c);
        assert_true(has_mark(marks, n, "grass", (int[]){c, c, right, bottom}));
        assert_true(has_mark(marks, n, "zone", (int[]){c, c, 2 * c, bottom}));
        assert_true(has_mark(marks, n, "zone", (int[]){right - c, c, right, bottom}));
        assert_true(has_mark(marks, n, "line", (int[]){2 * c, c, 2 * c, bottom}));
        assert_true(has_mark(marks, n, "line", (int[]){right - c, c, right - c, bottom}));
        int middle = v->width / 2 * c, above = v->centre_top * c,
            below = (v->centre_bottom + 1) * c;
        assert_true(has_mark(marks, n, "line", (int[]){middle, c, middle, bottom}));
        assert_true(has_mark(marks, n, "wide", (int[]){c, above, right, above}));
        assert_true(has_mark(marks, n, "wide", (int[]){c, below, right, below}));
        int grid = 0;
        for (int x = 2 * c; x < right; x += c, ++grid)
            assert_true(has_mark(marks, n, "grid", (int[]){x, c, x, bottom}));
        for (int y = 2 * c; y < bottom; y += c, ++grid)
            assert_true(has_mark(marks, n, "grid", (int[]){c, y, right, y}));
        assert_int_equal(n, 1 + 1 + 2 + 3 + 2 + grid);
    }
}

/* The middle of an element called id, which is moved there. */
static void middle_of(const char *svg, const char *id, int *x, int *y)
{
    char mark[32];
    snprintf(mark, sizeof mark, "id=\"%s\"", id);
    const char *at = strstr(svg, mark);
    assert_non_null(at);
    at = strstr(at, "translate(");
    assert_true(at && sscanf(at, "translate(%d,%d)", x, y) == 2);
}

/* A ball on the ground lies in the middle of its square, a carried one at its carrier's head. */
static void test_picture_of_the_ball(void **state)
{
    (void)state;
    static char text[1 << 16];
    struct bb_state s = sample();
    int ball[2], near[2], far[2];
    page_of(&s, text, sizeof text);
    middle_of(text, "H1", &near[0], &near[1]); /* at 14,8 */
    middle_of(text, "A2", &far[0], &far[1]);   /* at 12,8 */
    middle_of(text, "ball", &ball[0], &ball[1]);
    int cell = (near[0] - far[0]) / 2;
    assert_int_equal(near[1], far[1]);
    assert_true(ball[0] == near[0] + 9 && ball[1] == near[1] - 9);
    s.ball = (uint16_t)bb_square(15, 10);
    s.ball_carried = 0;
    page_of(&s, text, sizeof text);
    middle_of(text, "ball", &ball[0], &ball[1]);
    assert_true(ball[0] == near[0] + cell && ball[1] == near[1] + 2 * cell);
}

/* An empty line of a recording says nothing, as for `banyan verify`. */
static void test_empty_lines(void **unused)
{
    (void)unused;
    char path[] = "/tmp/banyan-replay-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, "\n\n{\n", 4) == 4 && close(fd) == 0);
    struct bloodbowl_replay *replay;
    struct banyan_error err;
    enum bloodbowl_event event;
    assert_int_equal(bloodbowl_replay_open(path, &replay, &err), BANYAN_OK);
    assert_int_equal(bloodbowl_replay_next(replay, &event, &err), BANYAN_CORRUPT);
    assert_non_null(strstr(err.message, ": line 3: "));
    bloodbowl_replay_close(replay);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_positions),
        cmocka_unit_test(test_loading_leaves_no_trace),
        cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_empty_lines),
        cmocka_unit_test(test_bad_fields),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_number_of_players),
        cmocka_unit_test(test_picture_of_the_pitch),
        cmocka_unit_test(test_picture_of_the_ball),
        cmocka_unit_test(test_undead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
