/* The player that speaks the judge's protocol, and the referee: commands, verdicts, programs
 * that misbehave. */
#include "games/mushroom/board.h"
#include "nypc/log.h"
#include "nypc/player.h"
#include "nypc/referee.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BOARD                                                                                    \
    "52466443835422223 13254826938785712 87598398564241564 72722154162442227 43968227685821641 " \
    "27727492381231148 56138649164249527 36281415328768234 62682694189422313 62269566965435457"

struct talk {
    char out[8192], errors[8192];
};

static void converse_with(const struct nypc_options *options, const char *input, struct talk *talk)
{
    memset(talk, 0, sizeof *talk);
    FILE *in = fmemopen((void *)(uintptr_t)input, strlen(input), "r");
    FILE *out = fmemopen(talk->out, sizeof talk->out, "w");
    FILE *errors = fmemopen(talk->errors, sizeof talk->errors, "w");
    assert_true(in && out && errors);
    assert_int_equal(nypc_player(in, out, errors, options, NULL), BANYAN_OK);
    fclose(in);
    fclose(out);
    fclose(errors);
}

static void converse_as(const struct banyan_player *player, const char *input, struct talk *talk)
{
    struct nypc_options options;
    nypc_options_default(&options);
    options.nodes = 300;
    options.player = player;
    options.table_bytes = 1 << 16;
    converse_with(&options, input, talk);
}

static void converse(const char *input, struct talk *talk)
{
    converse_as(NULL, input, talk);
}

static void test_agent(void **unused)
{
    (void)unused;
    struct talk talk;
    int v[4];
    converse("READY FIRST\nINIT " BOARD "\nTIME 10000 10000\nFINISH\nTIME 1 1\n", &talk);
    assert_memory_equal(talk.out, "OK\n", 3);
    assert_int_equal(sscanf(talk.out + 3, "%d %d %d %d", &v[0], &v[1], &v[2], &v[3]), 4);
    /* one answer to TIME, and none after FINISH */
    assert_string_equal(strchr(talk.out + 3, '\n'), "\n");
    assert_string_equal(talk.errors, "");
}

/* The opponent passes while the program is ahead: it passes too, and wins. */
static void test_agent_ends_it(void **unused)
{
    (void)unused;
    struct talk talk;
    converse("READY FIRST\nINIT " BOARD "\nTIME 9999 1\nOPP -1 -1 -1 -1 5\nTIME 9000 1\nFINISH\n",
             &talk);
    assert_non_null(strstr(talk.out, "\n-1 -1 -1 -1\n"));
}

/* Lines that make no sense are reported, and TIME is still answered. */
static void test_agent_nonsense(void **unused)
{
    (void)unused;
    static const char *const inputs[] = {
        "TIME 100 100\n",
        "READY THIRD\nINIT 12\nTIME 100 100\n",
        "READY FIRST\nINIT " BOARD "x\nTIME 100 100\n",
        "READY FIRST\nINIT " BOARD "\nTIME\n",
        "READY SECOND\nINIT " BOARD "\nOPP 9 9 1 1 3\nTIME 5 5\n",
        "READY SECOND\nINIT " BOARD "\nOPP 0 0 0 1 3\nTIME 5 5\n",
        "READY SECOND\nINIT " BOARD "\nOPP what\nTIME 5 5\n",
        "HELLO\n\nREADY SECOND\nTIME 5 5",
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; ++i) {
        struct talk talk;
        int v[4], answers = 0;
        converse(inputs[i], &talk);
        for (char *line = talk.out; *line; line = strchr(line, '\n') + 1)
            answers += sscanf(line, "%d %d %d %d", &v[0], &v[1], &v[2], &v[3]) == 4;
        assert_int_equal(answers, 1);
        if (i > 0 && i != 3) /* without INIT only the board can be reported */
            assert_true(strlen(talk.errors) > 10);
    }
}

/* A time that is no finite number is reported, and the program's own clock counts instead: a search with no end
 * would lose the game. */
static void test_agent_strange_times(void **unused)
{
    (void)unused;
    static const char *const times[] = {"inf", "nan", "x", "-5", "0.25"};
    struct nypc_options options;
    nypc_options_default(&options);
    options.table_bytes = 1 << 16;
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
        char input[512];
        struct talk talk;
        snprintf(input, sizeof input, "READY FIRST\nINIT " BOARD "\nTIME %s 100\n", times[i]);
        converse_with(&options, input, &talk);
        assert_non_null(strchr(strchr(talk.out, '\n') + 1, '\n'));
        assert_int_equal(strstr(talk.errors, "TIME needs a number") != NULL, i < 3);
    }
}

/* Only the beginning of a very long line is read; its further pieces are not taken as commands. */
static void test_agent_long_line(void **unused)
{
    (void)unused;
    static char input[20000];
    struct talk talk;
    memset(input, 'x', 12285);
    for (int i = 4095; i < 12285; i += 4095) /* where a second and third piece would begin */
        memcpy(input + i, "TIME 5 5 ", 9);
    strcpy(input + 12285, "\nREADY FIRST\nFINISH\n");
    converse(input, &talk);
    assert_string_equal(talk.out, "OK\n");
    assert_string_equal(strchr(talk.errors, '\n'), "\n");
}

/* --- the referee --- */

#define SAY      "read a; echo OK; read a; "
#define SAY_LATE "read a; sleep 20; echo OK; read a; "
#define PASSES \
    SAY "while read a b; do case $a in TIME) echo -1 -1 -1 -1;; FINISH) exit;; esac; done"

/* So much time that no program can be late. */
enum { SOON = 400, EVER = 1000000 };

/* ready_ms: for FIRST's and SECOND's OK; bank_ms: for all their moves. */
static void judge_within(const char *first, const char *second, double ready_ms, double bank_ms,
                         struct referee_result *result, char log[4096])
{
    const struct banyan_game *game;
    struct referee_options options;
    struct banyan_error err = {.message = ""};
    assert_int_equal(banyan_game_find("mushroom", &game, NULL), BANYAN_OK);
    referee_options_default(&options);
    options.bank_ms = bank_ms;
    options.ready_ms = ready_ms;
    memset(log, 0, 4096);
    FILE *file = fmemopen(log, 4096, "w");
    const struct referee_pairing pairing = {game, BOARD, {first, second}, file};
    if (referee_play(&pairing, &options, result, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    fclose(file);
}

static void judge(const char *first, const char *second, struct referee_result *result,
                  char log[4096])
{
    judge_within(first, second, EVER, EVER, result, log);
}

static void test_referee_passes(void **unused)
{
    (void)unused;
    struct referee_result result;
    char log[4096];
    int ms[2];
    judge(PASSES, PASSES, &result, log);
    assert_int_equal(result.winner, -1);
    assert_int_equal(result.offender, -1);
    assert_int_equal(result.plies, 2);
    assert_memory_equal(log, "INIT " BOARD "\nFIRST -1 -1 -1 -1 ", sizeof("INIT " BOARD) + 18);
    char *at = strstr(log, "FIRST");
    assert_int_equal(sscanf(at, "FIRST -1 -1 -1 -1 %d\nSECOND -1 -1 -1 -1 %d\n", &ms[0], &ms[1]),
                     2);
    assert_string_equal(strstr(log, "FINISH"), "FINISH\nSCOREFIRST 0\nSCORESECOND 0\n");
}

/* The example of the rules, in which SECOND takes six cells from FIRST. */
static void test_referee_score(void **unused)
{
    (void)unused;
    struct referee_result result;
    char log[4096];
    judge(SAY "read a; echo 0 11 0 14; read a; read a; echo -1 -1 -1 -1; read a",
          SAY "read a; read a; echo 0 9 0 15; read a; read a; echo -1 -1 -1 -1; read a", &result,
          log);
    assert_int_equal(result.offender, -1);
    assert_int_equal(result.winner, 1);
    assert_int_equal(result.score[0], 0);
    assert_int_equal(result.score[1], 7);
}

static void test_referee_verdicts(void **unused)
{
    (void)unused;
    static const struct {
        const char *first, *reason;
        int ready_ms, bank_ms;
    } cases[] = {
        {SAY "read a; echo 0 0 0 1; read a", "Sum not equals to 10", EVER, EVER},
        {SAY "read a; echo 2 0 1 3; read a", "Out of range", EVER, EVER},
        {SAY "read a; echo -1 -1 -1 0; read a", "Out of range", EVER, EVER},
        {SAY "read a; echo 0 3 0 17; read a", "Out of range", EVER, EVER},
        {SAY "read a; echo 1 2 3; read a", "Parse failed", EVER, EVER},
        {SAY "read a; echo 1 2 3 4 5; read a", "Parse failed", EVER, EVER},
        {SAY "read a; echo 1 2 3 x; read a", "Parse failed", EVER, EVER},
        {SAY "read a; echo; read a", "Parse failed", EVER, EVER},
        {SAY "read a; exit 3", "Parse failed", EVER, EVER},
        {SAY "read a; kill -9 $$", "Parse failed", EVER, EVER},
        {SAY "read a; sleep 20; echo -1 -1 -1 -1", "TLE", EVER, SOON},
        {"read a; echo ok; read a", "TLE", SOON, EVER},
        {"sleep 20", "TLE", SOON, EVER},
        {SAY_LATE "read a", "TLE", SOON, EVER},
        {"exit 0", "TLE", SOON, EVER},
        {"/no/such/program", "TLE", SOON, EVER},
        {SAY "read a; echo 0 11 0 14; read a; read a; echo 0 13 1 15; read a", "Not fit", EVER,
         EVER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct referee_result result;
        char log[4096], last[64];
        bool late = i + 1 == sizeof cases / sizeof *cases; /* before this, SECOND takes a column */
        judge_within(cases[i].first,
                     late ? SAY "read a; read a; echo 1 13 5 13; read a; read a" : PASSES,
                     cases[i].ready_ms, cases[i].bank_ms, &result, log);
        assert_int_equal(result.offender, 0);
        assert_int_equal(result.winner, 1);
        assert_string_equal(result.reason, cases[i].reason);
        snprintf(last, sizeof last, "ABORT 0 %s\n", cases[i].reason);
        assert_non_null(strstr(log, last));
    }
}

/* --- logs --- */

static void test_log(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int positions; /* 0: corrupt */
    } cases[] = {
        {"INIT " BOARD "\nFIRST 0 11 0 14 3\nSECOND 1 13 5 13 4\nFIRST -1 -1 -1 -1 0\n"
         "SECOND -1 -1 -1 -1 0\nFINISH\nSCOREFIRST 4\nSCORESECOND 5\n",
         5},
        {"INIT " BOARD "\nFIRST 0 11 0 14 3\nABORT 1 TLE\n", 2},
        {"INIT " BOARD "\nFIRST 0 11 0 14 3\nABORT 1 T\377E\n",
         0}, /* no text that a page could show */
        {"INIT " BOARD "\nSECOND 0 11 0 14 3\n", 0},
        {"INIT " BOARD "\nFIRST 0 0 0 1 3\n", 0},
        {"INIT " BOARD "\nFIRST 0 0\n", 0},
        {"FIRST 0 11 0 14 3\n", 0},
        {"INIT 123\n", 0},
        {"hello\n", 0},
        {"\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct game_record record;
        struct banyan_error err = {.message = ""};
        FILE *in = fmemopen((void *)(uintptr_t)cases[i].text, strlen(cases[i].text), "r");
        enum banyan_status status = nypc_log_read(in, "log", &record, &err);
        fclose(in);
        assert_int_equal(status, cases[i].positions ? BANYAN_OK : BANYAN_CORRUPT);
        if (status != BANYAN_OK) {
            assert_true(strncmp(err.message, "log: ", 5) == 0);
            continue;
        }
        assert_int_equal(record.plies + 1, cases[i].positions);
        assert_true(record.steps[0].thoughts[0].elapsed_ms == 3);
        assert_int_equal(record.overstepped, i == 1 ? 1 : -1);
        assert_true(record.returns[0] == (i == 1 ? 1 : -1));
        game_record_free(&record);
    }
}

/* --- a player in place of the engine --- */

struct sitting {
    int opened, asked, observed;
    bool fails;
};

static enum banyan_status sitting_open(void *ctx, const void *state, int seat, uint64_t seed,
                                       struct banyan_error *err)
{
    (void)state, (void)seed, (void)err;
    assert_int_equal(seat, 1);
    ++((struct sitting *)ctx)->opened;
    return BANYAN_OK;
}

static enum banyan_status sitting_choose(void *ctx, const void *state,
                                         const struct banyan_player_clock *clock,
                                         struct banyan_player_move *out, struct banyan_error *err)
{
    struct sitting *sitting = ctx;
    (void)state, (void)clock;
    ++sitting->asked;
    if (sitting->fails)
        return banyan_fail(err, BANYAN_IO, "asleep");
    *out = (struct banyan_player_move){.action = BOARD_PASS};
    return BANYAN_OK;
}

static enum banyan_status sitting_observe(void *ctx, const void *before,
                                          const banyan_action joint[], const void *after,
                                          struct banyan_error *err)
{
    (void)before, (void)joint, (void)after, (void)err;
    ++((struct sitting *)ctx)->observed;
    return BANYAN_OK;
}

static void test_player(void **unused)
{
    (void)unused;
    const char *input = "READY SECOND\nINIT " BOARD "\nOPP 0 3 0 4 5\nTIME 9000 1\nFINISH\n";
    struct sitting sitting = {.fails = false};
    struct banyan_player player = {.struct_size = sizeof(struct banyan_player),
                                   .name = "sitting",
                                   .ctx = &sitting,
                                   .open = sitting_open,
                                   .choose = sitting_choose,
                                   .observe = sitting_observe};
    struct talk talk;
    converse_as(&player, input, &talk);
    assert_string_equal(talk.out, "OK\n-1 -1 -1 -1\n");
    assert_true(sitting.opened == 1 && sitting.asked == 1 && sitting.observed == 2);
    sitting.fails = true;
    converse_as(&player, input, &talk);
    assert_null(strstr(talk.out, "-1"));
    assert_non_null(strstr(talk.errors, "sitting could not answer, so the engine does: asleep"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agent),
        cmocka_unit_test(test_player),
        cmocka_unit_test(test_agent_ends_it),
        cmocka_unit_test(test_agent_nonsense),
        cmocka_unit_test(test_agent_strange_times),
        cmocka_unit_test(test_agent_long_line),
        cmocka_unit_test(test_referee_passes),
        cmocka_unit_test(test_referee_score),
        cmocka_unit_test(test_referee_verdicts),
        cmocka_unit_test(test_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
