/* The whole training loop: it learns tic-tac-toe, and it can be killed at any moment. */
#include "train_run.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

/* Its tests are lost to the player perfect, but not to the player random, who is first. */
#define TESTED_RUN                                                                             \
    "generations=2,games=10,passes=1,batch=32,gate-games=0,test=random|perfect,test-games=12," \
    "test-simulations=100,test-plies=2,test-every=1,test-stop=on,backend=plain,seed=4"

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

/* --- what a run tells, and when it ends --- */

/* A page of a run says of its game which one it is, counted from 1. */
static void test_report_counts_from_one(void **state)
{
    (void)state;
    const char *const changes[] = {"loop", "generations=1,games=1,gate-games=0,passes=1,test=",
                                   "play", "simulations=4,at-once=1,threads=1",
                                   "net",  "channels=4,blocks=1",
                                   NULL};
    struct banyan_error err = {.message = ""};
    char command[128];
    if (run_changes(folder, changes, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    snprintf(command, sizeof command, "grep -q '<h2>Game 1 of generation 1</h2>' %s/report.html",
             folder);
    assert_int_equal(system(command), 0);
    remove_folder(folder);
}

/* The page shows no game that is shorter than the average: after random plies many are over in a move or two. */
static void test_report_shows_a_long_game(void **state)
{
    (void)state;
    const char *const changes[] = {"loop", "generations=1,games=20,gate-games=0,passes=1,test=",
                                   "play", "simulations=4,random-plies=8,at-once=20",
                                   "net",  "channels=4,blocks=1",
                                   NULL};
    struct banyan_error err = {.message = ""};
    char command[192];
    if (run_changes(folder, changes, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    snprintf(command, sizeof command,
             "exit $(sed -n 's/^<p>\\([0-9]*\\) choices\\{0,1\\}; returns.*/\\1/p' %s/report.html)",
             folder);
    int shown = WEXITSTATUS(system(command));
    assert_true(shown * 20 >= count_rows(folder, "SELECT choices FROM generations"));
    assert_true(count_rows(folder, "SELECT min(choices) FROM games") < shown);
    remove_folder(folder);
}

/* With test-stop a run goes on while it loses to any of the opponents, also when it was stopped after the test. */
static void test_stops_without_a_loss_to_anybody(void **state)
{
    (void)state;
    const char *changes[] = {"loop", NULL, "play", "simulations=4", "net", "channels=4,blocks=1",
                             NULL};
    struct banyan_error err = {.message = ""};
    for (int i = 0; i < 2; ++i) {
        struct loop_standing standing = {.finished = 0};
        changes[1] = TESTED_RUN;
        struct loop_job job = run_job(folder, changes);
        job.standing = &standing;
        job.once = i == 0;
        if (loop_run(&job, &err) != BANYAN_OK)
            fail_msg("%s", err.message);
        assert_int_equal(standing.finished, i + 1);
        assert_int_equal(count_rows(folder, "SELECT sum(exam_losses) FROM generations"), 0);
        assert_true(count_rows(folder, "SELECT min(losses) FROM exams WHERE opponent='perfect'") >
                    0);
        assert_int_equal(standing.over, i == 1);
        assert_int_equal(standing.end, LOOP_END_LAST);
    }
    remove_folder(folder);
}

/* --- killed --- */

/* A run that is killed `wanted` times, at any moments, ends as a run that is not killed. */
static void check_killed(const char *const *changes, int wanted)
{
    char killed[80];
    struct banyan_error err = {.message = ""};
    struct banyan_rng rng;
    int kills = 0;
    snprintf(killed, sizeof killed, "%s_killed", folder);
    banyan_rng_seed(&rng, (uint64_t)getpid());
    printf("seed %ld\n", (long)getpid());
    fflush(stdout);
    if (run_changes(folder, changes, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    for (;;) {
        pid_t child = fork();
        if (child == 0) {
            enum banyan_status status = run_changes(killed, changes, NULL, NULL, &err);
            if (status != BANYAN_OK)
                fprintf(stderr, "%s\n", err.message);
            _exit(status == BANYAN_OK ? 0 : 1);
        }
        if (kills < wanted) {
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
    check_same_runs(folder, killed);
    remove_folder(killed);
    remove_folder(folder);
}

static void test_killed_at_any_moment(void **state)
{
    (void)state;
    check_killed(small_run, 30);
}

/* --- who plays does not matter --- */

/* Makes a new run whose results do not depend on how its games are played; it is small_run with another play. */
static void run_playing(const char *path, const char *play)
{
    struct banyan_error err = {.message = ""};
    const char *changes[sizeof small_run / sizeof *small_run];
    memcpy(changes, small_run, sizeof small_run);
    changes[3] = play;
    if (run_changes(path, changes, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

/* One thread, or three with other batches: the same games and networks. */
static void test_same_by_threads(void **state)
{
    (void)state;
    char other[80];
    snprintf(other, sizeof other, "%s_parts", folder);
    run_playing(folder, "simulations=10,at-once=8,threads=1");
    run_playing(other, "simulations=10,at-once=3,threads=3");
    check_same_runs(folder, other);
    remove_folder(other);
    remove_folder(folder);
}

/* --- games that are played while the network learns --- */

static const char *const ahead_run[] = {"loop", SMALL_RUN ",ahead=1,gate-games=0",
                                        "play", "simulations=10,at-once=8",
                                        "net",  "channels=4,blocks=1",
                                        NULL};

/* A run that is stopped after every generation: `folder`. */
static void run_by_generations(void)
{
    struct banyan_error err;
    char command[256];
    for (int generation = 1; generation <= 4; ++generation) {
        struct loop_job job = run_job(folder, ahead_run);
        job.once = true;
        assert_int_equal(loop_run(&job, &err), BANYAN_OK);
        snprintf(command, sizeof command, "cp '%s/best.safetensors' '%s/best%d'", folder, folder,
                 generation);
        assert_int_equal(system(command), 0);
    }
}

/* Generation 5 would be played by the best network after generation 3, not 4; and the bytes of a run do not
 * depend on how much was played ahead. */
static void test_ahead_by_rule(void **state)
{
    (void)state;
    char other[80], command[640];
    struct banyan_error err;
    snprintf(other, sizeof other, "%s_parts", folder);
    run_by_generations();
    snprintf(command, sizeof command,
             "cmp '%s/player.g00005.safetensors' '%s/best3' && "
             "cmp '%s/player.g00006.safetensors' '%s/best4' && ! cmp -s '%s/best3' '%s/best4'",
             folder, folder, folder, folder, folder, folder);
    assert_int_equal(system(command), 0);
    if (run_changes(other, ahead_run, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    check_same_runs(folder, other);
    remove_folder(other);
    remove_folder(folder);
}

static void test_killed_ahead(void **state)
{
    (void)state;
    check_killed(ahead_run, 10);
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
        cmocka_unit_test_setup(test_report_shows_a_long_game, setup),
        cmocka_unit_test_setup(test_report_counts_from_one, setup),
        cmocka_unit_test_setup(test_stops_without_a_loss_to_anybody, setup),
        cmocka_unit_test_setup(test_killed_at_any_moment, setup),
        cmocka_unit_test_setup(test_same_by_threads, setup),
        cmocka_unit_test_setup(test_ahead_by_rule, setup),
        cmocka_unit_test_setup(test_killed_ahead, setup),
        cmocka_unit_test_setup(test_refused, setup),
    };
    snprintf(folder, sizeof folder, "/tmp/banyan_test_train_%ld", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
