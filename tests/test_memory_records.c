/* What readers and writers of records do when the system gives no memory: at any of their allocations they
 * say so and free all that they took. */
#include "records/game_record.h"
#include "records/page.h"
#include "records/records.h"
#include "records/suite.h"

#include "refused_memory.h"

#include <stdio.h>

static const char pig[] =
    "{\"record\":1,\"game\":\"pig\",\"number\":0,\"players\":[\"a\",\"b\"],"
    "\"start\":\"target=10 horizon=1000 scores=0,0 turn=0 player=1 ply=0\",\"plies\":2,"
    "\"actions\":\"roll "
    "roll\",\"returns\":[1,-1],\"overstepped\":null,\"forfeited\":1,\"reason\":\"x\","
    "\"dice\":[[[\"die\",6,5]],[[\"die\",6,6]]]}";

static enum banyan_status reads_and_writes(void *ctx, struct banyan_error *err)
{
    FILE *nothing = ctx;
    struct game_record record;
    enum banyan_status status = game_record_parse(&record, pig, sizeof pig - 1, err);
    if (status != BANYAN_OK)
        return status;
    status = game_record_write(&record, nothing, err);
    game_record_free(&record);
    return status;
}

static enum banyan_status makes_a_page(void *ctx, struct banyan_error *err)
{
    FILE *nothing = ctx;
    static const char line[] =
        "{\"record\":1,\"game\":\"tictactoe\",\"number\":0,\"players\":[\"a\",\"b\"],"
        "\"start\":\".../.../... x\",\"plies\":5,\"actions\":\"a1 b1 a2 b2 "
        "a3\",\"returns\":[1,-1]}";
    struct game_record record;
    enum banyan_status status = game_record_parse(&record, line, sizeof line - 1, err);
    if (status != BANYAN_OK)
        return status;
    status = page_write(&record, "x", nothing, err);
    game_record_free(&record);
    return status;
}

/* Plays and records two plies of a game. */
static enum banyan_status records(void *ctx, struct banyan_error *err)
{
    const struct banyan_game *game = ctx;
    static unsigned char state[1 << 12];
    struct game_record record;
    assert_true(game->state_size <= sizeof state);
    memset(state, 0, sizeof state);
    enum banyan_status status = game->init(game, state, NULL, NULL, err);
    if (status == BANYAN_OK)
        status = game_record_begin(&record, game, state, err);
    if (status != BANYAN_OK)
        return status;
    if (status == BANYAN_OK)
        status = game_record_player(&record, 0, "somebody", err);
    for (int ply = 0; ply < 2 && status == BANYAN_OK; ++ply) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0}, legal[64];
        game->legal(game, state, ply % 2, legal);
        joint[ply % 2] = legal[0];
        const struct game_played played = {state, 1u << ply % 2, joint, NULL, NULL};
        status = game_record_step(&record, &played, err);
        game->apply(game, state, joint, NULL);
    }
    game_record_free(&record);
    return status;
}

static enum banyan_status reads_lines(void *ctx, struct banyan_error *err)
{
    static char bytes[1 << 17];
    struct records_source *source;
    char *line;
    (void)ctx;
    memset(bytes, 'x', sizeof bytes - 1);
    bytes[10] = '\n';
    enum banyan_status status = records_open_memory("here", bytes, sizeof bytes - 1, &source, err);
    if (status != BANYAN_OK)
        return status;
    do
        status = records_line(source, &line, NULL, err);
    while (status == BANYAN_OK && line);
    records_close(source);
    return status;
}

static enum banyan_status reads_a_suite(void *ctx, struct banyan_error *err)
{
    static const char text[] = "game tictactoe\nposition one\nmoves a1 b2\nbest c3\navoid a3\n"
                               "position two\nsetup moves:a1\nbest b2\n";
    struct records_source *source;
    struct suite suite;
    (void)ctx;
    enum banyan_status status = records_open_memory("here", text, sizeof text - 1, &source, err);
    if (status != BANYAN_OK)
        return status;
    status = suite_read(source, &suite, err);
    records_close(source);
    for (int i = 0; status == BANYAN_OK && i < suite.count; ++i) {
        void *state;
        status = suite_state(&suite.positions[i], &state, err);
        if (status == BANYAN_OK)
            free(state);
    }
    suite_free(&suite);
    return status;
}

static enum banyan_status verifies(void *ctx, struct banyan_error *err)
{
    const struct banyan_game *game;
    struct records_report report = {.games = 0};
    enum banyan_status status = banyan_game_find("tictactoe", &game, err);
    return status == BANYAN_OK ? records_verify(game, NULL, ctx, &report, err) : status;
}

static void records_without_memory(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    FILE *nothing = fopen("/dev/null", "w");
    assert_non_null(nothing);
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    assert_true(refuse_each(reads_and_writes, nothing, "a record") >= 6);
    assert_true(refuse_each(makes_a_page, nothing, "a page") >= 6);
    assert_true(refuse_each(records, (void *)game, "recording") >= 4);
    assert_true(refuse_each(reads_lines, NULL, "lines") >= 2);
    assert_true(refuse_each(reads_a_suite, NULL, "a suite") >= 4);
    assert_true(refuse_each(verifies, TEST_DATA "/records/tictactoe.txt", "moves") >= 2);
    fclose(nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(records_without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
