/* The training loop: one generation after another, with the files and locks of a run. */
#include "train/loop_state.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "nn/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void loop_path(const struct loop *loop, char *out, const char *name)
{
    snprintf(out, LOOP_PATH, "%s/%s", loop->job->folder, name);
}

void loop_progress(const struct loop *loop, const char *what, int64_t done, int64_t total)
{
    if (loop->job->progress)
        loop->job->progress(loop->job->ctx, what, done, total);
}

/* --- the lock --- */

/* Locks the whole file.  An older version of the program locks some bytes of it, so that version
 * does not start either. */
static struct flock loop_lock(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

bool loop_is_running(const char *folder)
{
    char path[LOOP_PATH];
    struct flock lock = loop_lock();
    if (snprintf(path, sizeof path, "%s/lock", folder) >= (int)sizeof path)
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool held = file >= 0 && fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (file >= 0)
        close(file);
    return held;
}

/* --- the run's folder --- */

static enum banyan_status loop_folder(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    const char *const folders[] = {"", "records"};
    for (int i = 0; i < 2; ++i) {
        loop_path(loop, path, folders[i]);
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return banyan_fail(err, BANYAN_IO, "cannot make '%s': %s", path, strerror(errno));
    }
    loop_path(loop, path, "lock");
    loop->lock = open(path, O_RDWR | O_CREAT, 0666);
    if (loop->lock < 0)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", path, strerror(errno));
    struct flock lock = loop_lock();
    if (fcntl(loop->lock, F_SETLK, &lock) == 0)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_IO, "'%s' is being trained by another process",
                       loop->job->folder);
}

/* --- networks --- */

enum banyan_status loop_save_net(struct loop *loop, const char *name, bool whole,
                                 struct banyan_error *err)
{
    char path[LOOP_PATH];
    loop_path(loop, path, name);
    return nn_checkpoint_save(path, &loop->model, &loop->learner, &loop->header, whole, err);
}

/* Reads the learner; if its file is missing or damaged, the learner of the generation before. */
enum banyan_status loop_load_learner(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    loop_path(loop, path, "learner.safetensors");
    nn_state_destroy(&loop->learner);
    enum banyan_status status =
        nn_checkpoint_read(path, &loop->model, &loop->learner, &loop->header, err);
    if (status == BANYAN_OK)
        return status;
    bool found = status != BANYAN_NOT_FOUND;
    loop_path(loop, path, "learner.prev.safetensors");
    status =
        nn_checkpoint_read(path, &loop->model, &loop->learner, &loop->header, found ? NULL : err);
    return status == BANYAN_NOT_FOUND && found ? BANYAN_CORRUPT : status;
}

static enum banyan_status loop_new_learner(struct loop *loop, struct banyan_error *err)
{
    enum banyan_status status = nn_model_build(&loop->model, &loop->settings.arch, err);
    if (status == BANYAN_OK)
        status = nn_state_create(&loop->learner, &loop->model, err);
    if (status != BANYAN_OK)
        return status;
    nn_state_start(&loop->learner, &loop->model,
                   banyan_rng_child(loop->settings.loop.seed, "weights", 0));
    if (loop->settings.arch.policy_head == NN_POLICY_PAIRS)
        status = nn_model_rectangles(&loop->model, 1, loop->learner.params, err);
    memcpy(loop->learner.average, loop->learner.params, loop->model.size * sizeof(float));
    loop->header = (struct nn_header){.generation = 0};
    snprintf(loop->header.game, sizeof loop->header.game, "%s", loop->game->name);
    void *values;
    const struct banyan_option *table = loop_part(&loop->settings, "optimizer", &values);
    banyan_options_dump(table, values, NULL, loop->header.options, NN_TEXT_MAX);
    banyan_rng_seed(&loop->header.rng, loop->settings.loop.seed);
    if (status == BANYAN_OK)
        status = loop_save_net(loop, "best.safetensors", false, err);
    if (status == BANYAN_OK)
        status = loop_save_net(loop, "learner.safetensors", true, err);
    return status;
}

enum banyan_status loop_check_best(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    struct nn_net *net;
    loop_path(loop, path, "best.safetensors");
    enum banyan_status status = nn_net_read(&net, path, NULL, err);
    if (status != BANYAN_OK)
        return status;
    if (!nn_arch_equal(&net->model.arch, &loop->model.arch))
        status = banyan_fail(err, BANYAN_INVALID, "'%s' is not the network of this run", path);
    nn_net_free(net);
    return status;
}

static void loop_say_backend(const struct loop *loop)
{
    char reason[128], text[NN_DESCRIPTION_MAX + 256];
    nn_backend_reason(loop->settings.loop.backend, &loop->model, loop->backend, reason,
                      sizeof reason);
    snprintf(text, sizeof text, "%s (%s; instructions up to %s)",
             loop->backend->describe(loop->ctx), reason, cpu_level_name(cpu_level()));
    if (loop->job->chosen)
        loop->job->chosen(loop->job->ctx, text);
}

/* Says why there is no learner. BANYAN_NOT_FOUND: nothing has been learned yet; BANYAN_CORRUPT: the
 * file is lost, and a new learner would replace the best network, too. */
static enum banyan_status loop_is_new(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    struct nn_net *best;
    loop_path(loop, path, "best.safetensors");
    enum banyan_status status = nn_net_read(&best, path, NULL, err);
    if (status != BANYAN_OK)
        return status;
    int64_t generation = best->header.generation;
    nn_net_free(best);
    if (generation == 0)
        /* the process that began the run was killed before it wrote the learner */
        return BANYAN_NOT_FOUND;
    return banyan_fail(err, BANYAN_CORRUPT,
                       "'%s' is of generation %lld, but learner.safetensors is missing: put it "
                       "back, or begin a run in another folder",
                       path, (long long)generation);
}

static enum banyan_status loop_networks(struct loop *loop, struct banyan_error *err)
{
    enum banyan_status status = loop_load_learner(loop, err);
    if (status == BANYAN_NOT_FOUND)
        status = loop_is_new(loop, err);
    if (status == BANYAN_NOT_FOUND)
        status = loop_new_learner(loop, err);
    if (status == BANYAN_OK)
        status = net_check(loop->game, &loop->model.arch, loop->job->folder, err);
    if (status == BANYAN_OK)
        status = loop_check_best(loop, err);
    struct nn_backend_options options = {.threads = loop->settings.play.threads};
    snprintf(options.type, sizeof options.type, "%s", loop->settings.loop.type);
    if (status == BANYAN_OK)
        status = nn_backend_open(loop->settings.loop.backend, &loop->model, &options,
                                 &loop->backend, &loop->ctx, err);
    if (status == BANYAN_OK)
        loop_say_backend(loop);
    return status;
}

/* --- the log --- */

int loop_line(const struct loop_generation *g, char *out, size_t size)
{
    char held[64] = "", gate[64] = "", test[96] = "";
    double games = g->games > 0 ? (double)g->games : 1;
    if (g->held.positions)
        snprintf(held, sizeof held, "  held out: policy %.4f value %.4f", g->held.policy,
                 g->held.value);
    if (g->gate_games)
        snprintf(gate, sizeof gate, "  gate %.1f %% of %lld%s", 100 * g->gate_score,
                 (long long)g->gate_games, g->published ? ", published" : ", kept the old one");
    if (g->test_games)
        snprintf(test, sizeof test, "  test %.1f %% of %lld, %lld lost", 100 * g->test_score,
                 (long long)g->test_games, (long long)g->test_losses);
    return snprintf(out, size,
                    "generation %lld: %lld games, %.1f choices, first %.0f %% draws %.0f %%  "
                    "window %lld  step %lld  policy %.4f (at best %.4f) value %.4f%s%s  elo %+.0f%s"
                    "  %.1f s (play %.1f, learn %.1f, gate %.1f, test %.1f)",
                    (long long)g->generation, (long long)g->games, (double)g->choices / games,
                    100 * (double)g->first_wins / games, 100 * (double)g->draws / games,
                    (long long)g->window, (long long)g->step, g->learned.policy, g->learned.entropy,
                    g->learned.value, held, gate, g->elo, test,
                    g->play_s + g->learn_s + g->gate_s + g->test_s, g->play_s, g->learn_s,
                    g->gate_s, g->test_s);
}

static enum banyan_status loop_log(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH], line[512];
    loop_path(loop, path, "log");
    loop_line(&loop->now, line, sizeof line);
    FILE *file = fopen(path, "a");
    bool good = file && fprintf(file, "%s\n", line) > 0;
    good = file && fclose(file) == 0 && good;
    if (!good)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", path, strerror(errno));
    if (loop->job->report)
        loop->job->report(loop->job->ctx, &loop->now);
    return BANYAN_OK;
}

/* --- the training loop --- */

static enum banyan_status loop_recall(void *ctx, const struct loop_generation *generation)
{
    struct loop *loop = ctx;
    if (generation->generation == loop->now.generation)
        loop->now = *generation;
    return BANYAN_OK;
}

static enum banyan_status loop_finish(struct loop *loop, struct banyan_error *err)
{
    enum banyan_status status =
        train_database_add_generation(loop->database, TRAIN_DATABASE_GENERATIONS, &loop->now, err);
    loop->elo = loop->now.elo;
    if (status == BANYAN_OK)
        status = loop_log(loop, err);
    return status == BANYAN_OK ? loop_report(loop, err) : status;
}

static enum banyan_status loop_generation_run(struct loop *loop, int64_t generation,
                                              struct banyan_error *err)
{
    enum banyan_status (*const steps[])(struct loop * loop, struct banyan_error * err) = {
        loop_games_play, loop_learn, loop_gate, loop_publish, loop_test, loop_finish};
    enum banyan_status status = BANYAN_OK;
    loop->now = (struct loop_generation){.generation = generation};
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == BANYAN_OK; ++i)
        status = steps[i](loop, err);
    return status;
}

static enum banyan_status loop_open(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    if (!*loop->job->folder)
        return banyan_fail(err, BANYAN_INVALID, "the folder of the run has no name");
    if (strlen(loop->job->folder) > LOOP_PATH - 64)
        return banyan_fail(err, BANYAN_INVALID, "the folder's name is too long");
    enum banyan_status status = loop_folder(loop, err);
    if (status == BANYAN_OK)
        status = loop_options_load(loop, err);
    if (status == BANYAN_OK)
        status = loop_networks(loop, err);
    loop_path(loop, path, "run.db");
    if (status == BANYAN_OK)
        status = train_database_open(&loop->database, path, err);
    if (status == BANYAN_OK)
        status = replay_create(&loop->replay, loop->game, &loop->model.arch, err);
    if (status == BANYAN_OK)
        status = replay_create(&loop->held, loop->game, &loop->model.arch, err);
    return status;
}

static void loop_close(struct loop *loop)
{
    loop_queue_close(loop);
    loop_games_close(loop);
    loop_workers_free(loop);
    loop_audit_free(loop);
    replay_destroy(loop->replay);
    replay_destroy(loop->held);
    train_database_close(loop->database);
    if (loop->ctx)
        loop->backend->close(loop->ctx);
    nn_state_destroy(&loop->learner);
    if (loop->lock >= 0)
        close(loop->lock);
    free(loop);
}

/* Whether the last generation was tested, and lost to none of the opponents. */
static bool loop_passed(const struct loop *loop)
{
    return loop->settings.loop.test_stop && loop->now.test_games && !loop->test_losses;
}

static void loop_recall_test(void *ctx, const struct train_database_test *test)
{
    struct loop *loop = ctx;
    if (test->generation == loop->now.generation)
        loop->test_losses += test->losses;
}

/* Reads the number of the last generation; loop->now and loop->test_losses get its results. */
static enum banyan_status loop_resume(struct loop *loop, int64_t *last, struct banyan_error *err)
{
    enum banyan_status status = train_database_last(loop->database, last, &loop->elo, err);
    loop->now.generation = *last;
    if (status == BANYAN_OK)
        status = train_database_each_generation(loop->database, TRAIN_DATABASE_GENERATIONS, *last,
                                                loop_recall, loop, err);
    loop->test_losses = 0;
    if (status == BANYAN_OK)
        status = train_database_each_test(loop->database, loop_recall_test, loop, err);
    return status;
}

static void loop_tell_standing(const struct loop *loop, int64_t finished)
{
    bool passed = loop_passed(loop);
    struct loop_standing *standing = loop->job->standing;
    if (!standing)
        return;
    standing->finished = finished;
    standing->generations = loop->settings.loop.generations;
    standing->over = passed || finished >= standing->generations;
    standing->end = passed ? LOOP_END_PASSED : LOOP_END_LAST;
}

/* Runs the generations after number `last` until the run is over. */
static enum banyan_status loop_generations(struct loop *loop, int64_t last,
                                           struct banyan_error *err)
{
    int64_t end = loop_passed(loop) ? last : loop->settings.loop.generations;
    enum banyan_status status = BANYAN_OK;
    loop_tell_standing(loop, last);
    if (last < end)
        status = loop_games_refill(loop, last, err);
    if (status == BANYAN_OK && (last < end || loop->job->queue))
        status = loop_queue_open(loop, err);
    while (status == BANYAN_OK && last < end) {
        status = loop_generation_run(loop, last + 1, err);
        if (status != BANYAN_OK)
            break;
        loop_tell_standing(loop, ++last);
        if (loop_passed(loop) || loop->job->once)
            break;
    }
    bool over = loop_passed(loop) || last >= loop->settings.loop.generations;
    return status == BANYAN_OK && over ? loop_queue_end(loop, err) : status;
}

enum banyan_status loop_run(const struct loop_job *job, struct banyan_error *err)
{
    struct loop *loop = calloc(1, sizeof *loop);
    int64_t last = 0;
    if (!loop)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a run");
    loop->job = job;
    loop->game = job->game;
    loop->lock = -1;
    if (job->standing)
        *job->standing = (struct loop_standing){.finished = 0};
    enum banyan_status status = loop_open(loop, err);
    if (status == BANYAN_OK)
        status = loop_resume(loop, &last, err);
    if (status == BANYAN_OK)
        status = loop_generations(loop, last, err);
    loop_close(loop);
    return status;
}
