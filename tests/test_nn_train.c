/* The whole training loop: it learns tic-tac-toe, and it can be killed at any moment. */
#include "train/loop.h"

#include "nn_check.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64];

static const struct banyan_game *game_called(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

static void remove_folder(const char *path)
{
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

/* Removes files that a failed test has left, so that the next test does not find them. */
static int setup(void **state)
{
    char path[80];
    (void)state;
    remove_folder(folder);
    snprintf(path, sizeof path, "%s_killed", folder);
    remove_folder(path);
    snprintf(path, sizeof path, "%s_parts", folder);
    remove_folder(path);
    return 0;
}

static void keep_last(void *ctx, const struct loop_generation *generation)
{
    if (ctx)
        *(struct loop_generation *)ctx = *generation;
}

static enum banyan_status run_changes(const char *path, const char *const *changes,
                                      const banyan_flag *stop, struct loop_generation *last,
                                      struct banyan_error *err)
{
    struct loop_job job = {.game = game_called("tictactoe"),
                           .folder = path,
                           .changes = changes,
                           .stop = stop,
                           .report = keep_last,
                           .ctx = last};
    assert_int_equal(loop_settings_default(job.game, &job.settings, err), BANYAN_OK);
    return loop_run(&job, err);
}

/* Training from random weights gives a player that never loses to perfect play with 25
 * simulations. */
static void test_learns_tictactoe(void **state)
{
    (void)state;
    struct loop_generation last = {0};
    struct banyan_error err = {.message = ""};
    const char *const changes[] = {"loop", "generations=20,test-games=100,seed=2", "play",
                                   "threads=2", NULL};
    if (run_changes(folder, changes, NULL, &last, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(last.test_games, 100);
    assert_int_equal(last.test_losses, 0);
    assert_true(last.learned.value < 0.6);
    remove_folder(folder);
}

/* The perfect player, with some random moves, plays against itself; the network learns from its games. */
static void test_learns_from_teacher(void **state)
{
    (void)state;
    struct loop_generation last = {0};
    struct banyan_error err = {.message = ""};
    const char *changes[] = {"loop", "generations=1,games=20,passes=1,batch=32,test=", "play",
                             "teacher=perfect,teacher-generations=4,teacher-stray=0", NULL};
    if (run_changes(folder, changes, NULL, &last, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(last.games, 20);
    assert_int_equal(last.draws, 20);
    remove_folder(folder);
    changes[1] = "generations=4,games=200,test-every=4,test-games=100,test-stop=off";
    changes[3] = "teacher=perfect,teacher-generations=4,teacher-stray=0.3,threads=2";
    if (run_changes(folder, changes, NULL, &last, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_true(last.draws < 150);
    assert_true(last.first_wins > 10);
    assert_int_equal(last.test_games, 100);
    assert_true(last.test_losses < 5);
    remove_folder(folder);
    changes[3] = "teacher=perfekt,teacher-generations=1";
    assert_int_equal(run_changes(folder, changes, NULL, &last, &err), BANYAN_NOT_FOUND);
    assert_non_null(strstr(err.message, "perfect"));
    remove_folder(folder);
}

/* --- killed --- */

static const char *const small_run[] = {
    "loop",
    "generations=4,games=30,passes=4,batch=32,window=300,gate-games=10,gate-simulations=4,test=,"
    "seed=3",
    "play",
    "simulations=10,at-once=8,threads=2",
    "net",
    "channels=4,blocks=1",
    NULL};

static void sleep_ms(unsigned ms)
{
    struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

static int64_t count_rows(const char *path, const char *sql)
{
    char file[96];
    sqlite3 *db;
    sqlite3_stmt *statement;
    snprintf(file, sizeof file, "%s/run.db", path);
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

static void check_same_file(const char *name, const char *one, const char *two)
{
    char command[256];
    snprintf(command, sizeof command, "cmp '%s/%s' '%s/%s'", one, name, two, name);
    assert_int_equal(system(command), 0);
}

static void test_killed_at_any_moment(void **state)
{
    (void)state;
    char killed[80];
    struct banyan_error err = {.message = ""};
    struct banyan_rng rng;
    int kills = 0;
    snprintf(killed, sizeof killed, "%s_killed", folder);
    banyan_rng_seed(&rng, (uint64_t)getpid());
    if (run_changes(folder, small_run, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    for (;;) {
        pid_t child = fork();
        if (child == 0)
            _exit(run_changes(killed, small_run, NULL, NULL, &err) == BANYAN_OK ? 0 : 1);
        if (kills < 30) {
            sleep_ms(1 + banyan_rng_below(&rng, 60));
            kill(child, SIGKILL);
        }
        int how;
        assert_int_equal(waitpid(child, &how, 0), child);
        if (WIFEXITED(how)) {
            assert_int_equal(WEXITSTATUS(how), 0);
            break;
        }
        ++kills;
    }
    assert_int_equal(count_rows(killed, "SELECT count(*) FROM games"), 120);
    assert_int_equal(count_rows(killed, "SELECT count(*) FROM generations"), 4);
    check_same_file("best.safetensors", folder, killed);
    check_same_file("learner.safetensors", folder, killed);
    remove_folder(killed);
    remove_folder(folder);
}

/* --- the parts as processes of their own --- */

static pid_t start_part(const char *path, unsigned roles)
{
    pid_t child = fork();
    if (child)
        return child;
    struct banyan_error err = {.message = ""};
    struct loop_job job = {
        .game = game_called("tictactoe"), .roles = roles, .folder = path, .changes = small_run};
    enum banyan_status status = loop_settings_default(job.game, &job.settings, &err);
    if (status == BANYAN_OK)
        status = loop_run(&job, &err);
    if (status != BANYAN_OK)
        fprintf(stderr, "%s\n", err.message);
    _exit(status == BANYAN_OK ? 0 : 1);
}

static void end_part(pid_t child)
{
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

/* Three processes play (one of them is killed and replaced), one learns, one publishes: the
 * result is that of a run in one process. */
static void test_parts_together(void **state)
{
    (void)state;
    char parts[80];
    struct banyan_error err = {.message = ""};
    pid_t players[3];
    snprintf(parts, sizeof parts, "%s_parts", folder);
    if (run_changes(folder, small_run, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    for (int i = 0; i < 3; ++i)
        players[i] = start_part(parts, LOOP_PLAYS);
    pid_t learns = start_part(parts, LOOP_LEARNS), gates = start_part(parts, LOOP_GATES);
    sleep_ms(60);
    kill(players[0], SIGKILL);
    waitpid(players[0], NULL, 0);
    players[0] = start_part(parts, LOOP_PLAYS);
    end_part(gates);
    end_part(learns);
    for (int i = 0; i < 3; ++i)
        end_part(players[i]);
    assert_int_equal(count_rows(parts, "SELECT count(*) FROM games"), 120);
    assert_int_equal(count_rows(parts, "SELECT count(*) FROM generations"), 4);
    check_same_file("best.safetensors", folder, parts);
    check_same_file("learner.safetensors", folder, parts);
    remove_folder(parts);
    remove_folder(folder);
}

/* --- what must be refused --- */

static void damage(const char *name, long at)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    int c = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(c ^ 4, file);
    fclose(file);
}

static void test_refused(void **state)
{
    (void)state;
    struct banyan_error err = {.message = ""};
    const char *const longer[] = {"loop", "generations=5", NULL};
    const char *const nobody[] = {"loop", "test=perfect|(nobody)", NULL};
    assert_int_equal(run_changes(folder, nobody, NULL, NULL, &err), BANYAN_NOT_FOUND);
    assert_non_null(strstr(err.message, "test"));
    const char *const no_file[] = {"loop", "test=random|net:none", NULL};
    assert_int_equal(run_changes(folder, no_file, NULL, NULL, &err), BANYAN_NOT_FOUND);
    assert_non_null(strstr(err.message, "test: cannot read 'none'"));
    assert_int_equal(run_changes(folder, small_run, NULL, NULL, &err), BANYAN_OK);
    struct loop_job other = {.game = game_called("connect4"), .folder = folder};
    assert_int_equal(loop_settings_default(other.game, &other.settings, &err), BANYAN_OK);
    assert_int_equal(loop_run(&other, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "tictactoe"));
    damage("learner.safetensors", 5000); /* the checkpoint before it is used */
    if (run_changes(folder, longer, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    damage("best.safetensors", 5000);
    assert_int_equal(run_changes(folder, longer, NULL, NULL, &err), BANYAN_CORRUPT);
    assert_non_null(strstr(err.message, "best.safetensors"));
    struct banyan_game blind = *game_called("tictactoe");
    memset(blind.planes, 0, sizeof blind.planes);
    other = (struct loop_job){.game = &blind, .folder = folder};
    assert_int_equal(loop_settings_default(other.game, &other.settings, &err), BANYAN_UNSUPPORTED);
    remove_folder(folder);
    other.folder = "/nonexistent/run";
    other.game = game_called("tictactoe");
    assert_int_equal(loop_settings_default(other.game, &other.settings, &err), BANYAN_OK);
    assert_int_equal(loop_run(&other, &err), BANYAN_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_learns_tictactoe, setup),
        cmocka_unit_test_setup(test_learns_from_teacher, setup),
        cmocka_unit_test_setup(test_killed_at_any_moment, setup),
        cmocka_unit_test_setup(test_parts_together, setup),
        cmocka_unit_test_setup(test_refused, setup),
    };
    snprintf(folder, sizeof folder, "/tmp/banyan_test_train_%ld", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
