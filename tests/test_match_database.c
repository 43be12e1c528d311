/* Matches in a database: games that are stored, matches that go on, files that are refused. */
#include "match_run.h"

#include <sqlite3.h>

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char db_path[64];

/* Removes the file; the next match makes it anew. */
static void fresh_db(void)
{
    char path[96];
    static const char *const ends[] = {"", "-wal", "-shm"};
    snprintf(db_path, sizeof db_path, "banyan-test-%ld.db.tmp", (long)getpid());
    for (int i = 0; i < 3; ++i) {
        snprintf(path, sizeof path, "%s%s", db_path, ends[i]);
        unlink(path);
    }
    options.db_path = db_path;
}

/* The number that a statement on the file returns; -1: none. */
static int64_t asked(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    int64_t number = -1;
    if (sqlite3_open_v2(db_path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(db, 60000);
        if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK &&
            sqlite3_step(row) == SQLITE_ROW)
            number = sqlite3_column_int64(row, 0);
        sqlite3_finalize(row);
    }
    sqlite3_close(db);
    return number;
}

static void games_are_stored(void **unused)
{
    (void)unused;
    fresh_db();
    options.games = 30;
    options.jobs = 3;
    duel("tictactoe", "perfect", "random");
    duel("tictactoe", "random", "random");
    assert_int_equal(asked("SELECT count(*) FROM matches"), 2);
    assert_int_equal(asked("SELECT count(*) FROM games"), 60);
    assert_int_equal(asked("SELECT min(games_counted) FROM matches WHERE finished IS NOT NULL"),
                     30);
    assert_int_equal(asked("SELECT count(*) FROM match_players WHERE spec = 'perfect'"), 1);
    assert_int_equal(asked("SELECT count(*) FROM games WHERE match = 1 AND seats = '0 1'"), 15);
    assert_int_equal(asked("SELECT count(*) FROM games WHERE plies <> length(actions) / 3 + 1"), 0);
    assert_int_equal(asked("SELECT count(*) FROM games WHERE match = 1 AND (seats = '0 1' AND "
                           "returns = '-1 1' OR seats = '1 0' AND returns = '1 -1')"),
                     0); /* the perfect player does not lose */
    fresh_db();
}

/* A match that is ended and resumed has the result of one that was played at once. */
static void matches_go_on(void **unused)
{
    (void)unused;
    fresh_db();
    options.games = 30;
    options.handicaps[1] = "simulations=5";
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    struct match_result whole = result;
    asked("DELETE FROM games WHERE number IN (3, 11, 12) OR number > 20");
    options.resume = true;
    options.jobs = 3;
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    assert_int_equal(asked("SELECT count(*) FROM matches"), 1);
    assert_int_equal(asked("SELECT count(*) FROM games"), 30);
    assert_int_equal(result.games, 30);
    assert_int_equal(result.distinct_games, whole.distinct_games);
    assert_int_equal(result.plies, whole.plies);
    assert_memory_equal(result.pairs, whole.pairs, sizeof whole.pairs);
    for (int i = 0; i < 2; ++i) {
        const struct match_player *a = &result.players[i], *b = &whole.players[i];
        assert_true(a->wins == b->wins && a->draws == b->draws && a->losses == b->losses);
        assert_true(a->simulations == b->simulations && a->decisions == b->decisions);
        assert_memory_equal(a->seat, b->seat, sizeof a->seat);
    }
    options.games = 40; /* more games */
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    assert_int_equal(asked("SELECT count(*) FROM games"), 40);
    assert_int_equal(asked("SELECT games_counted FROM matches"), 40);
    options.games = 10; /* fewer */
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    assert_int_equal(result.games, 10);
    /* other settings, other players: other matches */
    options.seed = 2;
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    options.handicaps[1] = NULL;
    duel("pig", "mcts:simulations=20", "mcts:simulations=10");
    duel("pig", "mcts:simulations=10", "mcts:simulations=20");
    assert_int_equal(asked("SELECT count(*) FROM matches"), 4);
    asked("UPDATE games SET used = '1 2' WHERE number = 5");
    fails("pig", "mcts:simulations=10", "mcts:simulations=20", BANYAN_CORRUPT, "game 5 of match 4");
    fresh_db();
}

static void write_openings(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

/* The path of a file of openings says nothing of its lines. */
static void games_of_other_openings_do_not_count(void **unused)
{
    (void)unused;
    char path[96];
    fresh_db();
    snprintf(path, sizeof path, "%s.openings.tmp", db_path);
    options.games = 4;
    options.resume = true;
    options.openings_path = path;
    write_openings(path, "a1\nb2\n");
    duel("tictactoe", "random", "random");
    write_openings(path, "# the same lines\n  a1\n\nb2\n");
    duel("tictactoe", "random", "random");
    assert_int_equal(asked("SELECT count(*) FROM matches"), 1);
    write_openings(path, "a1\nb2\nc3\n");
    duel("tictactoe", "random", "random");
    assert_int_equal(asked("SELECT count(*) FROM matches"), 2);
    assert_int_equal(asked("SELECT count(*) FROM games"), 8);
    /* earlier versions stored the path only */
    asked("DELETE FROM match_starts");
    duel("tictactoe", "random", "random");
    assert_int_equal(asked("SELECT count(*) FROM matches"), 2);
    assert_int_equal(asked("SELECT count(*) FROM match_starts WHERE match = 2"), 1);
    unlink(path);
    fresh_db();
}

/* A test that decided early decides alike when its games are read again, and plays none. */
static void a_resumed_test_decides_alike(void **unused)
{
    (void)unused;
    fresh_db();
    options.games = 2000;
    options.use_sprt = true;
    duel("tictactoe", "perfect", "random");
    int64_t games = result.games;
    double llr = result.llr;
    assert_true(result.sprt == SPRT_ELO1 && games < 500);
    int64_t stored = asked("SELECT count(*) FROM games");
    options.resume = true;
    duel("tictactoe", "perfect", "random");
    assert_true(result.sprt == SPRT_ELO1 && result.games == games);
    near(result.llr, llr, 1e-12);
    assert_int_equal(asked("SELECT count(*) FROM games"), stored);
    fresh_db();
}

static void bad_databases_are_refused(void **unused)
{
    (void)unused;
    fresh_db();
    FILE *file = fopen(db_path, "w");
    for (int i = 0; i < 5000; ++i)
        putc(i * 7 % 251, file);
    fclose(file);
    fails("tictactoe", "random", "random", BANYAN_CORRUPT, "not a database");

    fresh_db();
    assert_int_equal(asked("SELECT 1"), -1); /* the file does not exist */
    sqlite3 *db;
    sqlite3_open(db_path, &db);
    sqlite3_exec(db, "CREATE TABLE cats(name)", NULL, NULL, NULL);
    sqlite3_close(db);
    fails("tictactoe", "random", "random", BANYAN_CORRUPT, "belongs to another program");

    fresh_db();
    duel("tictactoe", "random", "random");
    asked("PRAGMA user_version = 99");
    fails("tictactoe", "random", "random", BANYAN_CORRUPT, "version 99");
    fresh_db();
    duel("tictactoe", "random", "random");
    assert_int_equal(truncate(db_path, 5000), 0);
    fails("tictactoe", "random", "random", BANYAN_CORRUPT, db_path);
    fresh_db();
    options.db_path = "/no/such/folder/x.db";
    fails("tictactoe", "random", "random", BANYAN_IO, "unable to open");
    options.db_path = NULL;
}

/* A match is killed in the middle: the finished games are in the file, and the file is valid. */
static void a_killed_match_keeps_its_games(void **unused)
{
    (void)unused;
    fresh_db();
    options.games = 10000000;
    options.jobs = 2;
    pid_t child = fork();
    if (child == 0) {
        duel("tictactoe", "random", "random");
        _exit(0);
    }
    assert_true(child > 0);
    while (asked("SELECT count(*) FROM games") < 20) {
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0); /* it goes on */
        struct timespec tick = {.tv_nsec = 20000000};
        nanosleep(&tick, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    int64_t kept = asked("SELECT count(*) FROM games");
    assert_true(kept >= 20);
    assert_int_equal(asked("SELECT count(*) FROM matches WHERE finished IS NULL"), 1);
    options.games = 10; /* the file can be continued */
    duel("tictactoe", "random", "random");
    assert_int_equal(asked("SELECT count(*) FROM games"), kept + 10);
    fresh_db();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {
        TEST(games_are_stored),
        TEST(matches_go_on),
        TEST(games_of_other_openings_do_not_count),
        TEST(a_resumed_test_decides_alike),
        TEST(bad_databases_are_refused),
        TEST(a_killed_match_keeps_its_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
