#include "selfplay/loop.h"

#include "nn/plugin.h"
#include "selfplay/elo.h"
#include "selfplay/ledger.h"
#include "selfplay/match.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOP_PATH = 1024, LOOP_TEXT = 4096 };

struct loop {
    const struct loop_job *job;
    const struct banyan_game *game;
    struct loop_settings settings;
    int lock; /* file that says that the run is going on; -1 */
    struct nn_model model;
    struct nn_state learner;
    struct nn_passport passport; /* of the learner */
    float *best;                 /* [model.size] what plays */
    const struct nn_backend *backend;
    void *ctx; /* for learning */
    struct replay *replay;
    struct ledger *ledger;
    double elo;
    /* the generation that is being played */
    struct record_writer *writer;
    struct record *records; /* [games] by number; those that are there have a start */
    bool *done;             /* [games] */
    int64_t done_count;
    struct loop_generation now;
};

static double loop_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void loop_path(const struct loop *loop, char *out, const char *name)
{
    snprintf(out, LOOP_PATH, "%s/%s", loop->job->folder, name);
}

static void loop_progress(const struct loop *loop, const char *what, int64_t done, int64_t total)
{
    if (loop->job->progress)
        loop->job->progress(loop->job->ctx, what, done, total);
}

/* --- the folder and its settings --- */

static enum banyan_status loop_folder(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    const char *const folders[] = {"", "records"};
    if (strlen(loop->job->folder) > LOOP_PATH - 64)
        return banyan_fail(err, BANYAN_INVALID, "the folder's name is too long");
    for (int i = 0; i < 2; ++i) {
        loop_path(loop, path, folders[i]);
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return banyan_fail(err, BANYAN_IO, "cannot make '%s': %s", path, strerror(errno));
    }
    loop_path(loop, path, "lock");
    loop->lock = open(path, O_RDWR | O_CREAT, 0666);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (loop->lock < 0)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", path, strerror(errno));
    if (fcntl(loop->lock, F_SETLK, &whole) != 0)
        return banyan_fail(err, BANYAN_IO, "'%s' is being trained by another process",
                           loop->job->folder);
    return BANYAN_OK;
}

/* Writes the settings, one line "part text" for each, whole or not at all. */
static enum banyan_status loop_save_settings(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH], temporary[LOOP_PATH + 8], text[LOOP_TEXT];
    loop_path(loop, path, "options");
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    FILE *file = fopen(temporary, "w");
    if (!file)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", temporary, strerror(errno));
    fprintf(file, "game %s\n", loop->game->name);
    for (int i = 0; loop_parts[i]; ++i) {
        void *values;
        const struct banyan_option *table = loop_part(&loop->settings, loop_parts[i], &values);
        banyan_options_dump(table, values, NULL, text, sizeof text);
        fprintf(file, "%s %s\n", loop_parts[i], text);
    }
    bool good = fflush(file) == 0 && fsync(fileno(file)) == 0;
    good = fclose(file) == 0 && good;
    if (good && rename(temporary, path) == 0)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", path, strerror(errno));
}

static enum banyan_status loop_read_line(struct loop *loop, const char *path, char *line,
                                         struct banyan_error *err)
{
    line[strcspn(line, "\n")] = 0;
    char *text = strchr(line, ' ');
    if (!text)
        return BANYAN_OK;
    *text++ = 0;
    if (strcmp(line, "game") != 0)
        return loop_settings_parse(&loop->settings, line, text, err);
    if (strcmp(text, loop->game->name) != 0)
        return banyan_fail(err, BANYAN_INVALID, "'%s' is a run of %s, not of %s", path, text,
                           loop->game->name);
    return BANYAN_OK;
}

/* The settings of the run that is there, or those of a new one; then what the caller changes. */
static enum banyan_status loop_settings_load(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH], line[LOOP_TEXT + 64];
    enum banyan_status status = BANYAN_OK;
    loop->settings = loop->job->settings;
    loop_path(loop, path, "options");
    FILE *file = fopen(path, "r");
    if (!file && errno != ENOENT)
        return banyan_fail(err, BANYAN_IO, "cannot read '%s': %s", path, strerror(errno));
    if (file) {
        status = loop_settings_default(loop->game, &loop->settings, err);
        while (status == BANYAN_OK && fgets(line, sizeof line, file))
            status = loop_read_line(loop, path, line, err);
        fclose(file);
    }
    for (int i = 0; status == BANYAN_OK && loop->job->changes && loop->job->changes[2 * i]; ++i)
        status = loop_settings_parse(&loop->settings, loop->job->changes[2 * i],
                                     loop->job->changes[2 * i + 1], err);
    return status == BANYAN_OK ? loop_save_settings(loop, err) : status;
}

/* --- networks --- */

static enum banyan_status loop_save_net(struct loop *loop, const char *name, bool whole,
                                        struct banyan_error *err)
{
    char path[LOOP_PATH];
    loop_path(loop, path, name);
    return nn_checkpoint_save(path, &loop->model, &loop->learner, &loop->passport, whole, err);
}

/* The learner; the one before where the last is damaged. */
static enum banyan_status loop_load_learner(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    loop_path(loop, path, "learner.safetensors");
    enum banyan_status status =
        nn_checkpoint_read(path, &loop->model, &loop->learner, &loop->passport, err);
    if (status == BANYAN_OK)
        return status;
    bool there = status != BANYAN_NOT_FOUND;
    loop_path(loop, path, "learner.prev.safetensors");
    status =
        nn_checkpoint_read(path, &loop->model, &loop->learner, &loop->passport, there ? NULL : err);
    return status == BANYAN_NOT_FOUND && there ? BANYAN_CORRUPT : status;
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
    loop->passport = (struct nn_passport){.generation = 0};
    snprintf(loop->passport.game, sizeof loop->passport.game, "%s", loop->game->name);
    void *values;
    const struct banyan_option *table = loop_part(&loop->settings, "optimizer", &values);
    banyan_options_dump(table, values, NULL, loop->passport.options, NN_TEXT_MAX);
    banyan_rng_seed(&loop->passport.rng, loop->settings.loop.seed);
    if (status == BANYAN_OK)
        status = loop_save_net(loop, "best.safetensors", false, err);
    if (status == BANYAN_OK)
        status = loop_save_net(loop, "learner.safetensors", true, err);
    return status;
}

static enum banyan_status loop_load_best(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    struct nn_net *net;
    loop_path(loop, path, "best.safetensors");
    enum banyan_status status = nn_net_read(&net, path, NULL, err);
    if (status != BANYAN_OK)
        return status;
    if (memcmp(&net->model.arch, &loop->model.arch, sizeof net->model.arch) != 0)
        status = banyan_fail(err, BANYAN_INVALID, "'%s' is not the network of this run", path);
    free(loop->best);
    loop->best = net->params;
    net->params = NULL;
    nn_net_free(net);
    return status;
}

static enum banyan_status loop_networks(struct loop *loop, struct banyan_error *err)
{
    enum banyan_status status = loop_load_learner(loop, err);
    if (status == BANYAN_NOT_FOUND)
        status = loop_new_learner(loop, err);
    if (status == BANYAN_OK)
        status = net_check(loop->game, &loop->model.arch, loop->job->folder, err);
    if (status == BANYAN_OK)
        status = loop_load_best(loop, err);
    struct nn_backend_options options = {.threads = loop->settings.play.threads};
    snprintf(options.type, sizeof options.type, "%s", loop->settings.loop.type);
    if (status == BANYAN_OK)
        status = nn_backend_open(loop->settings.loop.backend, &loop->model, &options,
                                 &loop->backend, &loop->ctx, err);
    return status;
}

/* --- games --- */

static void loop_record_name(char out[32], int64_t generation)
{
    snprintf(out, 32, "records/g%05lld.rec", (long long)generation);
}

/* Puts the games of a generation that are on the disk into loop->records. */
static enum banyan_status loop_read_games(struct loop *loop, int64_t generation, int64_t games,
                                          struct banyan_error *err)
{
    char path[LOOP_PATH], name[32];
    struct record_reader *reader;
    struct record record = {.start = NULL};
    loop_record_name(name, generation);
    loop_path(loop, path, name);
    enum banyan_status status = record_reader_open(&reader, path, loop->game->name, err);
    if (status == BANYAN_NOT_FOUND)
        return BANYAN_OK;
    if (status != BANYAN_OK)
        return status;
    while (record_reader_next(reader, &record)) {
        bool wanted = record.generation == generation && record.number < games &&
                      !loop->records[record.number].start;
        if (!wanted)
            continue; /* a game counts once */
        status = ledger_add_game(loop->ledger, &record, name, err);
        if (status != BANYAN_OK)
            break;
        loop->done[record.number] = true;
        ++loop->done_count;
        loop->records[record.number] = record;
        memset(&record, 0, sizeof record);
    }
    record_free(&record);
    record_reader_close(reader);
    return status;
}

static enum banyan_status loop_games_room(struct loop *loop, int64_t games,
                                          struct banyan_error *err)
{
    loop->records = calloc((size_t)games, sizeof *loop->records);
    loop->done = calloc((size_t)games, sizeof *loop->done);
    loop->done_count = 0;
    if (loop->records && loop->done)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %lld games", (long long)games);
}

static void loop_games_free(struct loop *loop, int64_t games)
{
    for (int64_t i = 0; loop->records && i < games; ++i)
        record_free(&loop->records[i]);
    free(loop->records);
    free(loop->done);
    loop->records = NULL;
    loop->done = NULL;
}

/* A finished game: first to its file, then to the index. */
static enum banyan_status loop_deliver(void *ctx, struct record *record, struct banyan_error *err)
{
    struct loop *loop = ctx;
    char name[32];
    loop_record_name(name, record->generation);
    enum banyan_status status = record_writer_add(loop->writer, record, err);
    if (status == BANYAN_OK)
        status = ledger_add_game(loop->ledger, record, name, err);
    if (status != BANYAN_OK)
        return status;
    int64_t number = record->number;
    loop->records[number] = *record;
    memset(record, 0, sizeof *record);
    loop_progress(loop, "games", ++loop->done_count, loop->settings.loop.games);
    return BANYAN_OK;
}

/* Into the window in order of their numbers, whatever the order in which they ended. */
static enum banyan_status loop_to_window(struct loop *loop, int64_t games, struct banyan_error *err)
{
    const struct banyan_game *game = loop->game;
    float middle = (game->return_min + game->return_max) / 2;
    int64_t before = replay_positions(loop->replay);
    for (int64_t i = 0; i < games; ++i) {
        struct record *record = &loop->records[i];
        if (!record->start)
            continue;
        ++loop->now.games;
        loop->now.choices += record->choice_count;
        loop->now.first_wins += record->returns[0] > middle;
        loop->now.draws += !(record->returns[0] > middle || record->returns[0] < middle);
        enum banyan_status status = replay_add(loop->replay, record, err);
        if (status != BANYAN_OK)
            return status;
    }
    loop->now.positions = replay_positions(loop->replay) - before;
    replay_trim(loop->replay, loop->settings.loop.window);
    loop->now.window = replay_positions(loop->replay);
    return BANYAN_OK;
}

static enum banyan_status loop_play_games(struct loop *loop, struct banyan_error *err)
{
    const struct loop_options *options = &loop->settings.loop;
    char path[LOOP_PATH], name[32];
    struct play_totals totals;
    loop_record_name(name, loop->now.generation);
    loop_path(loop, path, name);
    struct play_job job = {.game = loop->game,
                           .options = &loop->settings.play,
                           .search = &loop->settings.search,
                           .model = &loop->model,
                           .params = loop->best,
                           .backend = options->backend,
                           .type = options->type,
                           .setup = options->setup[0] ? options->setup : NULL,
                           .seed = options->seed,
                           .generation = loop->now.generation,
                           .games = options->games,
                           .done = loop->done,
                           .stop = loop->job->stop,
                           .deliver = loop_deliver,
                           .ctx = loop};
    enum banyan_status status = record_writer_open(&loop->writer, path, loop->game->name, err);
    if (status == BANYAN_OK)
        status = play_run(&job, &totals, err);
    record_writer_close(loop->writer);
    loop->writer = NULL;
    return status;
}

static enum banyan_status loop_play(struct loop *loop, struct banyan_error *err)
{
    int64_t games = loop->settings.loop.games;
    double start = loop_now_s();
    enum banyan_status status = loop_games_room(loop, games, err);
    if (status == BANYAN_OK)
        status = loop_read_games(loop, loop->now.generation, games, err);
    if (status == BANYAN_OK && loop->done_count < games)
        status = loop_play_games(loop, err);
    if (status == BANYAN_OK)
        status = loop_to_window(loop, games, err);
    loop_games_free(loop, games);
    loop->now.play_s = loop_now_s() - start;
    return status;
}

/* The window as it was before generation `last` + 1. */
static enum banyan_status loop_refill(struct loop *loop, int64_t last, struct banyan_error *err)
{
    enum { GAMES_MAX = 1 << 20 };
    /* from the start: trimming forgets what is too old, as it did then */
    for (int64_t first = 1; first <= last; ++first) {
        enum banyan_status status = loop_games_room(loop, GAMES_MAX, err);
        if (status == BANYAN_OK)
            status = loop_read_games(loop, first, GAMES_MAX, err);
        if (status == BANYAN_OK)
            status = loop_to_window(loop, GAMES_MAX, err);
        loop_games_free(loop, GAMES_MAX);
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}

/* --- learning --- */

static double loop_rate_factor(const struct loop *loop)
{
    const struct loop_options *options = &loop->settings.loop;
    double done = (double)(loop->now.generation - 1) / options->generations;
    return 1 - (1 - options->rate_end) * (done < 1 ? done : 1);
}

static struct learn_options loop_learn_options(const struct loop *loop)
{
    const struct loop_options *options = &loop->settings.loop;
    return (struct learn_options){.batch = options->batch,
                                  .rate_factor = loop_rate_factor(loop),
                                  .value_weight = (float)options->value_weight,
                                  .owner_weight = (float)options->owner_weight,
                                  .score_weight = (float)options->score_weight,
                                  .replay = {options->value_mix, options->symmetries},
                                  .optimizer = loop->settings.optimizer};
}

static enum banyan_status loop_save_learner(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH], previous[LOOP_PATH];
    loop_path(loop, path, "learner.safetensors");
    loop_path(loop, previous, "learner.prev.safetensors");
    remove(previous);
    if (link(path, previous) != 0 && errno != ENOENT && errno != EEXIST)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", previous, strerror(errno));
    return loop_save_net(loop, "learner.safetensors", true, err);
}

static enum banyan_status loop_learn(struct loop *loop, struct banyan_error *err)
{
    const struct loop_options *options = &loop->settings.loop;
    double start = loop_now_s();
    if (loop->passport.generation >= loop->now.generation) {
        loop->now.step = loop->learner.step;
        return BANYAN_OK; /* learned before the run was stopped */
    }
    struct learn_options learn = loop_learn_options(loop);
    int64_t steps = (int64_t)(options->passes * (double)loop->now.positions / options->batch + 0.5);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, banyan_rng_child(options->seed, "learn", (uint64_t)loop->now.generation));
    loop_progress(loop, "steps", 0, steps);
    enum banyan_status status = learn_steps(
        &loop->model, loop->backend, loop->ctx, &learn, loop->replay, steps > 0 ? steps : 1, &rng,
        &loop->learner, loop->job->stop, &loop->now.learned, err);
    loop->now.step = loop->learner.step;
    if (status == BANYAN_OK) {
        loop->passport.generation = loop->now.generation;
        loop->passport.rng = rng;
        status = loop_save_learner(loop, err);
    }
    loop->now.learn_s = loop_now_s() - start;
    return status;
}

/* --- comparing --- */

struct loop_match {
    const char *first, *second; /* players */
    int games, plies;
    const char *label; /* of its random stream */
};

static enum banyan_status loop_match_run(struct loop *loop, const struct loop_match *match,
                                         struct match_result *result, struct banyan_error *err)
{
    const char *const specs[] = {match->first, match->second};
    struct match_options options;
    match_options_default(&options);
    options.games = match->games;
    options.seed =
        banyan_rng_child(loop->settings.loop.seed, match->label, (uint64_t)loop->now.generation) >>
        1;
    options.jobs = loop->settings.play.threads;
    options.opening_plies = match->plies;
    options.setup = loop->settings.loop.setup[0] ? loop->settings.loop.setup : NULL;
    options.stop = loop->job->stop;
    enum banyan_status status = match_run(net_game(loop->game), specs, 2, &options, result, err);
    if (status == BANYAN_OK && result->interrupted)
        status = banyan_fail(err, BANYAN_INTERRUPTED, "interrupted");
    return status;
}

static void loop_player(const struct loop *loop, char *out, size_t size, const char *net,
                        int simulations)
{
    const struct loop_options *options = &loop->settings.loop;
    char network[LOOP_PATH + 128];
    snprintf(network, sizeof network, "net:%s/%s%s%s%s%s", loop->job->folder, net,
             options->backend[0] ? ",backend=" : "", options->backend,
             options->type[0] ? ",type=" : "", options->type);
    snprintf(out, size, "mcts:rule=puct,simulations=%d,evaluator=(%s)", simulations, network);
}

static enum banyan_status loop_gate(struct loop *loop, struct banyan_error *err)
{
    const struct loop_options *options = &loop->settings.loop;
    char candidate[LOOP_PATH + 256], best[LOOP_PATH + 256];
    struct match_result result;
    double start = loop_now_s();
    loop->now.published = true;
    enum banyan_status status = loop_save_net(loop, "candidate.safetensors", false, err);
    if (status == BANYAN_OK && options->gate_games) {
        loop_progress(loop, "gate", 0, options->gate_games);
        loop_player(loop, candidate, sizeof candidate, "candidate.safetensors",
                    options->gate_simulations);
        loop_player(loop, best, sizeof best, "best.safetensors", options->gate_simulations);
        struct loop_match match = {candidate, best, options->gate_games, options->gate_plies,
                                   "gate"};
        status = loop_match_run(loop, &match, &result, err);
        if (status == BANYAN_OK) {
            loop->now.gate_games = result.games;
            loop->now.gate_score = result.players[0].score / (double)result.games;
            loop->now.published = loop->now.gate_score >= options->gate_share;
        }
    }
    loop->now.gate_s = loop_now_s() - start;
    return status;
}

static enum banyan_status loop_publish(struct loop *loop, struct banyan_error *err)
{
    char candidate[LOOP_PATH], best[LOOP_PATH];
    loop->now.elo = loop->elo;
    loop_path(loop, candidate, "candidate.safetensors");
    loop_path(loop, best, "best.safetensors");
    if (!loop->now.published)
        return BANYAN_OK;
    if (loop->now.gate_games) { /* a clean sweep says "at least half a game more" */
        double half = 0.5 / (double)loop->now.gate_games, score = loop->now.gate_score;
        score = score > 1 - half ? 1 - half : score < half ? half : score;
        loop->now.elo += elo_from_score(score);
    }
    if (rename(candidate, best) != 0)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", best, strerror(errno));
    memcpy(loop->best, loop->learner.average, loop->model.size * sizeof(float));
    return BANYAN_OK;
}

static enum banyan_status loop_exam(struct loop *loop, struct banyan_error *err)
{
    const struct loop_options *options = &loop->settings.loop;
    char best[LOOP_PATH + 256];
    struct match_result result;
    if (!options->exam[0] || loop->now.generation % options->exam_every)
        return BANYAN_OK;
    double start = loop_now_s();
    loop_progress(loop, "exam", 0, options->exam_games);
    loop_player(loop, best, sizeof best, "best.safetensors", options->exam_simulations);
    struct loop_match match = {best, options->exam, options->exam_games, options->exam_plies,
                               "exam"};
    enum banyan_status status = loop_match_run(loop, &match, &result, err);
    if (status == BANYAN_OK) {
        loop->now.exam_games = result.games;
        loop->now.exam_losses = result.players[0].losses;
        loop->now.exam_score = result.players[0].score / (double)result.games;
    }
    loop->now.exam_s = loop_now_s() - start;
    return status;
}

/* --- the log --- */

int loop_line(const struct loop_generation *g, char *out, size_t size)
{
    char gate[64] = "", exam[96] = "";
    double games = g->games > 0 ? (double)g->games : 1;
    if (g->gate_games)
        snprintf(gate, sizeof gate, "  gate %.1f %% of %lld%s", 100 * g->gate_score,
                 (long long)g->gate_games, g->published ? ", published" : ", kept the old one");
    if (g->exam_games)
        snprintf(exam, sizeof exam, "  exam %.1f %% of %lld, %lld lost", 100 * g->exam_score,
                 (long long)g->exam_games, (long long)g->exam_losses);
    return snprintf(out, size,
                    "generation %lld: %lld games, %.1f choices, first %.0f %% draws %.0f %%  "
                    "window %lld  step %lld  policy %.4f (at best %.4f) value %.4f%s  elo %+.0f%s"
                    "  %.1f s (play %.1f, learn %.1f, gate %.1f, exam %.1f)",
                    (long long)g->generation, (long long)g->games, (double)g->choices / games,
                    100 * (double)g->first_wins / games, 100 * (double)g->draws / games,
                    (long long)g->window, (long long)g->step, g->learned.policy, g->learned.entropy,
                    g->learned.value, gate, g->elo, exam,
                    g->play_s + g->learn_s + g->gate_s + g->exam_s, g->play_s, g->learn_s,
                    g->gate_s, g->exam_s);
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

/* --- the loop --- */

static enum banyan_status loop_generation_run(struct loop *loop, int64_t generation,
                                              struct banyan_error *err)
{
    static enum banyan_status (*const steps[])(struct loop *, struct banyan_error *) = {
        loop_play, loop_learn, loop_gate, loop_publish, loop_exam};
    loop->now = (struct loop_generation){.generation = generation};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        enum banyan_status status = steps[i](loop, err);
        if (status != BANYAN_OK)
            return status;
    }
    enum banyan_status status = ledger_add_generation(loop->ledger, &loop->now, err);
    if (status != BANYAN_OK)
        return status;
    loop->elo = loop->now.elo;
    return loop_log(loop, err);
}

static enum banyan_status loop_open(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH];
    enum banyan_status status = loop_folder(loop, err);
    if (status == BANYAN_OK)
        status = loop_settings_load(loop, err);
    if (status == BANYAN_OK)
        status = loop_networks(loop, err);
    loop_path(loop, path, "run.db");
    if (status == BANYAN_OK)
        status = ledger_open(&loop->ledger, path, err);
    if (status == BANYAN_OK)
        status = replay_create(&loop->replay, loop->game, &loop->model.arch, err);
    return status;
}

static void loop_close(struct loop *loop)
{
    replay_destroy(loop->replay);
    ledger_close(loop->ledger);
    if (loop->ctx)
        loop->backend->close(loop->ctx);
    nn_state_destroy(&loop->learner);
    free(loop->best);
    if (loop->lock >= 0)
        close(loop->lock);
    free(loop);
}

static bool loop_passed(const struct loop *loop)
{
    return loop->settings.loop.exam_stop && loop->now.exam_games && !loop->now.exam_losses;
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
    enum banyan_status status = loop_open(loop, err);
    if (status == BANYAN_OK)
        status = ledger_last(loop->ledger, &last, &loop->elo, err);
    if (status == BANYAN_OK)
        status = loop_refill(loop, last, err);
    for (int64_t g = last + 1; status == BANYAN_OK && g <= loop->settings.loop.generations; ++g) {
        status = loop_generation_run(loop, g, err);
        if (status == BANYAN_OK && loop_passed(loop))
            break;
    }
    loop_close(loop);
    return status;
}
