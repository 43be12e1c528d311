/* Matches of a database as a page sees them: the figures of the match itself, while it is played and after; its
 * games; matches that a page starts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "match/elo.h"
#include "match/totals.h"
#include "web/host.h"
#include "web/matches.h"
#include "web/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 300000 };

static struct banyan_error err;
static struct match_options options;
static struct match_result result;
static char db_path[64];
static struct sources sources;
static struct matches matches;

static void remove_db(void)
{
    char path[96];
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; ++i) {
        snprintf(path, sizeof path, "%s%s", db_path, ends[i]);
        unlink(path);
    }
}

static int begin(void **unused)
{
    (void)unused;
    snprintf(db_path, sizeof db_path, "banyan-test-%ld.db.tmp", (long)getpid());
    remove_db();
    match_options_default(&options);
    options.db_path = db_path;
    sources = (struct sources){.db = db_path};
    matches_begin(&matches, &sources);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    matches_end(&matches);
    remove_db();
    return 0;
}

static enum banyan_status play(const char *name, const char *a, const char *b)
{
    const struct banyan_game *game;
    const char *const specs[] = {a, b};
    if (banyan_game_find(name, &game, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return match_run(game, specs, b ? 2 : 1, &options, &result, &err);
}

/* The match with this number, read anew where something changed. */
static json_t *one(int64_t id)
{
    json_t *out;
    matches_changed(&matches);
    if (matches_one_json(&matches, id, &out, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return out;
}

static double number_at(const json_t *value, const char *name)
{
    return json_number_value(json_object_get(value, name));
}

static const char *text_at(const json_t *value, const char *name)
{
    return json_string_value(json_object_get(value, name));
}

static void same_player(const json_t *shown, const struct match_player *player)
{
    double lo, hi, score = match_score(player, &lo, &hi), elo = elo_from_score(score);
    const json_t *interval = json_object_get(shown, "ci95");
    assert_int_equal(number_at(shown, "wins"), player->wins);
    assert_int_equal(number_at(shown, "draws"), player->draws);
    assert_int_equal(number_at(shown, "losses"), player->losses);
    assert_true(number_at(shown, "score") == score);
    assert_true(json_number_value(json_array_get(interval, 0)) == lo);
    assert_true(json_number_value(json_array_get(interval, 1)) == hi);
    assert_true(isfinite(elo) ? number_at(shown, "elo") == elo
                              : json_is_null(json_object_get(shown, "elo")));
}

/* What is shown are the figures of the result. */
static void same(const json_t *shown, const struct match_result *counted, const char *state)
{
    assert_string_equal(text_at(shown, "state"), state);
    assert_int_equal(number_at(shown, "games"), counted->games);
    assert_int_equal(number_at(shown, "games_wanted"), counted->games_wanted);
    assert_int_equal(number_at(shown, "plies"), counted->plies);
    assert_int_equal(number_at(shown, "first_wins"), counted->first_wins);
    for (int i = 0; i < counted->count; ++i)
        same_player(json_array_get(json_object_get(shown, "players"), (size_t)i),
                    &counted->players[i]);
    const json_t *sprt = json_object_get(shown, "sprt");
    if (options.use_sprt)
        assert_true(number_at(sprt, "llr") == counted->llr);
    else
        assert_true(json_is_null(sprt));
}

/* --- the match's own figures --- */

static int compared;

static void compare(void *ctx, const struct match_result *now)
{
    (void)ctx;
    json_t *shown = one(1);
    same(shown, now, "running");
    json_decref(shown);
    ++compared;
}

static void test_live(void **unused)
{
    (void)unused;
    options.games = 24;
    options.use_sprt = true;
    options.sprt.elo0 = -20;
    options.sprt.elo1 = 20;
    options.opening_plies = 2;
    options.progress = compare;
    compared = 0;
    assert_int_equal(play("tictactoe", "mcts:simulations=30", "random"), BANYAN_OK);
    assert_int_equal(compared, result.games);
    json_t *shown = one(1);
    same(shown, &result, result.sprt == SPRT_GO_ON ? "finished" : "decided");
    json_decref(shown);
    assert_false(matches_changed(&matches)); /* nothing is new */
}

static void test_decided(void **unused)
{
    (void)unused;
    options.games = 1000;
    options.jobs = 2; /* games after the decision are in the file */
    options.use_sprt = true;
    options.sprt.elo1 = 200;
    assert_int_equal(play("tictactoe", "perfect", "random"), BANYAN_OK);
    assert_int_equal(result.sprt, SPRT_ELO1);
    json_t *shown = one(1);
    same(shown, &result, "decided");
    assert_string_equal(text_at(json_object_get(shown, "sprt"), "answer"), "elo1");
    json_decref(shown);
}

static banyan_flag stop;

static void stop_after_seven(void *ctx, const struct match_result *now)
{
    (void)ctx;
    if (now->games == 7)
        banyan_flag_set(&stop);
}

static void test_stopped(void **unused)
{
    (void)unused;
    options.stop = &stop;
    options.progress = stop_after_seven;
    banyan_flag_clear(&stop);
    assert_int_equal(play("tictactoe", "random", "random"), BANYAN_INTERRUPTED);
    json_t *shown = one(1);
    same(shown, &result, "stopped");
    assert_int_equal(number_at(shown, "games"), 7);
    json_decref(shown);
}

/* The games that were played before are counted first. */
static void compare_new(void *ctx, const struct match_result *now)
{
    if (now->games >= 7)
        compare(ctx, now);
}

/* A match that is resumed with more games and another test has the same figures on the page as in
 * its own result. */
static void test_resumed(void **unused)
{
    (void)unused;
    options.stop = &stop;
    options.progress = stop_after_seven;
    banyan_flag_clear(&stop);
    assert_int_equal(play("tictactoe", "random", "random"), BANYAN_INTERRUPTED);
    json_decref(one(1));
    options.stop = NULL;
    options.resume = true;
    options.games = 20;
    options.use_sprt = true;
    options.progress = compare_new;
    compared = 0;
    assert_int_equal(play("tictactoe", "random", "random"), BANYAN_OK);
    assert_int_equal(compared, 14);
    json_t *shown = one(1);
    same(shown, &result, "finished");
    json_decref(shown);
    options.games = 8; /* fewer than there are */
    options.progress = NULL;
    assert_int_equal(play("tictactoe", "random", "random"), BANYAN_OK);
    shown = one(1);
    same(shown, &result, "finished");
    assert_int_equal(number_at(shown, "games"), 8);
    json_decref(shown);
}

static void end_process(void *ctx, const struct match_result *now)
{
    (void)ctx;
    if (now->games == 3)
        _exit(0);
}

/* A match whose process was killed has the games that it finished. */
static void test_broken(void **unused)
{
    (void)unused;
    pid_t child = fork();
    if (child == 0) {
        options.progress = end_process;
        play("tictactoe", "random", "random");
        _exit(1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    json_t *shown = one(1);
    assert_string_equal(text_at(shown, "state"), "broken");
    assert_int_equal(number_at(shown, "games"), 3);
    json_decref(shown);
}

static void test_alone(void **unused)
{
    (void)unused;
    options.games = 5;
    assert_int_equal(play("bandit", "random", NULL), BANYAN_OK);
    json_t *shown = one(1);
    const json_t *player = json_array_get(json_object_get(shown, "players"), 0);
    assert_true(number_at(player, "mean_return") == result.players[0].returns / 5);
    json_decref(shown);
}

/* --- the list --- */

static void test_list(void **unused)
{
    (void)unused;
    json_t *list = matches_list_json(&matches);
    assert_int_equal(json_array_size(json_object_get(list, "matches")), 0);
    json_decref(list);
    options.games = 4;
    assert_int_equal(play("tictactoe", "perfect", "random"), BANYAN_OK);
    assert_true(matches_changed(&matches));
    assert_int_equal(play("tictactoe", "perfect", "first"), BANYAN_OK);
    assert_int_equal(play("tictactoe", "random", "first"), BANYAN_OK);
    assert_int_equal(play("connect4", "random", "first"), BANYAN_OK);
    assert_true(matches_changed(&matches));
    list = matches_list_json(&matches);
    assert_string_equal(text_at(list, "problem"), "");
    const json_t *rows = json_object_get(list, "matches");
    assert_int_equal(json_array_size(rows), 4);
    assert_int_equal(number_at(json_array_get(rows, 0), "match"), 4); /* the newest one */
    const json_t *tables = json_object_get(list, "tables");
    assert_int_equal(json_array_size(tables), 1); /* connect4 has two players only */
    const json_t *players = json_object_get(json_array_get(tables, 0), "players");
    assert_int_equal(json_array_size(players), 3);
    double points = 0;
    for (size_t i = 0; i < 3; ++i) {
        points += number_at(json_array_get(players, i), "points");
        assert_int_equal(number_at(json_array_get(players, i), "games"), 8);
    }
    assert_int_equal(points, 12);
    json_decref(list);
}

static void test_strange_files(void **unused)
{
    (void)unused;
    json_t *out;
    matches_changed(&matches);
    assert_int_equal(matches_one_json(&matches, 1, &out, &err), BANYAN_NOT_FOUND);
    FILE *file = fopen(db_path, "w");
    for (int i = 0; i < 5000; ++i)
        putc(i * 7 % 251, file);
    fclose(file);
    matches_changed(&matches);
    json_t *list = matches_list_json(&matches);
    assert_int_equal(json_array_size(json_object_get(list, "matches")), 0);
    json_decref(list);
    remove_db();
    options.games = 2; /* another file of the same name */
    assert_int_equal(play("tictactoe", "random", "random"), BANYAN_OK);
    json_decref(one(1));
    remove_db();
    matches_changed(&matches);
    assert_int_equal(play("connect4", "random", "random"), BANYAN_OK);
    json_t *shown = one(1);
    assert_string_equal(text_at(shown, "game"), "connect4");
    json_decref(shown);
}

/* --- games --- */

static void replay(int64_t match, int64_t number)
{
    struct game_record record;
    struct game_replay at;
    if (matches_record(&matches, match, number, &record, &err) != BANYAN_OK ||
        game_replay_begin(&at, &record, &err) != BANYAN_OK ||
        game_replay_to(&at, -1, &err) != BANYAN_OK || game_replay_check(&at, &err) != BANYAN_OK)
        fail_msg("match %d, game %d: %s", (int)match, (int)number, err.message);
    game_replay_end(&at);
    game_record_free(&record);
}

/* Games are replayed from the database, dice and deals included. */
static void test_games(void **unused)
{
    (void)unused;
    static const char *const games[] = {"othello", "pig", "kuhn", "rps", "pokemon", "bloodbowl-1"};
    json_t *list;
    struct game_record record;
    options.games = 2;
    for (size_t i = 0; i < sizeof games / sizeof *games; ++i) {
        options.opening_plies = i < 2; /* rps has one ply */
        if (play(games[i], "random", "random") != BANYAN_OK)
            fail_msg("%s: %s", games[i], err.message);
    }
    for (size_t i = 0; i < sizeof games / sizeof *games; ++i)
        for (int number = 0; number < 2; ++number)
            replay((int64_t)i + 1, number);
    assert_int_equal(matches_games_json(&matches, 2, 1, &list, &err), BANYAN_OK);
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(number_at(json_array_get(list, 0), "number"), 2);
    json_decref(list);
    assert_int_equal(matches_games_json(&matches, 9, 0, &list, &err), BANYAN_NOT_FOUND);
    assert_int_equal(matches_record(&matches, 1, 2, &record, &err), BANYAN_NOT_FOUND);
    assert_int_equal(matches_record(&matches, 9, 0, &record, &err), BANYAN_NOT_FOUND);
}

/* --- matches that a page starts --- */

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

static void wait_for_end(struct host *host)
{
    double begin_ms = clock_now_ms();
    while (host_is_playing(host) && clock_now_ms() - begin_ms < PATIENCE_MS)
        sleep_ms(2);
    assert_false(host_is_playing(host));
}

static void test_host(void **unused)
{
    (void)unused;
    struct host *host = host_create(db_path);
    struct host_question question = {
        .game = "tictactoe", .players = "perfect\nrandom\n", .games = 4, .seed = 1};
    sources.host = host;
    assert_int_equal(host_start(host, &question, &err), BANYAN_OK);
    wait_for_end(host);
    json_t *shown = one(1);
    assert_string_equal(text_at(shown, "state"), "finished");
    json_decref(shown);
    question.games = 1000000000;
    assert_int_equal(host_start(host, &question, &err), BANYAN_OK);
    assert_int_equal(host_start(host, &question, &err), BANYAN_INVALID);
    assert_string_equal(err.message, "a match is being played: stop it first");
    host_stop(host);
    wait_for_end(host);
    shown = one(2);
    assert_string_equal(text_at(shown, "state"), "stopped");
    json_decref(shown);
    host_destroy(host);
}

static void test_host_refuses(void **unused)
{
    (void)unused;
    struct host *host = host_create(db_path);
    static const struct host_question wrong[] = {
        {.game = "chess", .players = "random\nrandom", .games = 1},
        {.game = "othello", .players = "random\nexec:cat", .games = 1},
        {.game = "othello", .players = "exec:gtp:cat\nrandom", .games = 1},
        {.game = "othello", .players = "random\nhuman", .games = 1},
        {.game = "othello", .players = "\n\n", .games = 1},
        {.game = "othello", .players = "random\nrandom\nrandom", .games = 1},
        {.game = "othello", .players = "random\nmcts:nothing=1", .games = 1},
        {.game = "othello", .players = "random\nrandom", .games = 1, .sprt = "10,0"},
        {.game = "bandit", .players = "random", .games = 1, .sprt = "0,10"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_int_not_equal(host_start(host, &wrong[i], &err), BANYAN_OK);
        assert_false(host_is_playing(host));
    }
    assert_int_not_equal(access(db_path, F_OK), 0); /* nothing was begun */
    host_destroy(host);
    host_destroy(NULL);
}

/* --- a page --- */

static struct outbox outbox;
static struct session session;

static void say(const char *text)
{
    struct message message;
    if (message_parse(text, strlen(text), &message, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    session_handle(&session, &message);
    message_free(&message);
}

/* The next text that is sent; NULL: there is none. */
static json_t *hear(void)
{
    struct outbox_text *text = outbox_take(&outbox);
    json_t *value = text ? json_loadb(text->bytes + OUTBOX_ROOM, text->length, 0, NULL) : NULL;
    free(text);
    return value;
}

static void heard(const char *type)
{
    json_t *value = hear();
    assert_string_equal(text_at(value, "t"), type);
    json_decref(value);
}

/* Waits until the page looks anew; what it hears then, or NULL. */
static json_t *look(void)
{
    for (int wait_ms = session_watch(&session); wait_ms != WATCH_MS;
         wait_ms = session_watch(&session)) {
        assert_in_range(wait_ms, 1, WATCH_MS);
        sleep_ms(wait_ms);
    }
    return hear();
}

static void test_page(void **unused)
{
    (void)unused;
    outbox_init(&outbox, NULL, NULL);
    session_init(&session, &outbox, &sources);
    assert_int_equal(session_watch(&session), -1);
    say("{\"t\":\"match\",\"id\":1,\"match\":1}");
    heard("error");
    say("{\"t\":\"start\",\"id\":1,\"game\":\"othello\",\"players\":\"random\\nrandom\",\"games\":"
        "1,"
        "\"seed\":1,\"opening_plies\":0,\"move_ms\":0}");
    heard("error"); /* there is no host */
    say("{\"t\":\"stop\",\"id\":1}");
    heard("error");
    say("{\"t\":\"matches\",\"id\":2}");
    heard("ok");
    heard("matches");
    options.games = 3;
    assert_int_equal(play("tictactoe", "random", "random"), BANYAN_OK);
    json_t *list = look();
    assert_int_equal(json_array_size(json_object_get(list, "matches")), 1);
    json_decref(list);
    assert_null(look()); /* nothing is new */
    say("{\"t\":\"match\",\"id\":3,\"match\":1}");
    heard("ok");
    heard("match");
    say("{\"t\":\"match_games\",\"id\":4,\"match\":1,\"first\":2}");
    json_t *games = hear();
    assert_int_equal(json_array_size(json_object_get(games, "games")), 2);
    json_decref(games);
    say("{\"t\":\"match_game\",\"id\":5,\"match\":1,\"game\":3}");
    heard("ok");
    say("{\"t\":\"show\",\"id\":6,\"ply\":2}");
    heard("ok");
    say("{\"t\":\"match_game\",\"id\":7,\"match\":1,\"game\":4}");
    heard("error");
    say("{\"t\":\"leave\",\"id\":8}");
    heard("ok");
    assert_int_equal(session_watch(&session), -1);
    session_free(&session);
    outbox_free(&outbox);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_live),   TEST(test_decided), TEST(test_stopped), TEST(test_resumed),
        TEST(test_broken), TEST(test_alone),   TEST(test_list),    TEST(test_strange_files),
        TEST(test_games),  TEST(test_host),    TEST(test_page),    TEST(test_host_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
