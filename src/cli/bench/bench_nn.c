/* banyan bench nn: speed of networks, beside the peak of the processor. */
#include "cli/bench/bench_nn.h"

#include "cli/bench/bench_peak.h"
#include "cli/timing.h"

#include "nn/plugin.h"
#include "players/program/net.h"
#include "train/loop.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Sizes of batches and searches.  The network is the published one of mushroom, with random
 * weights. */
enum { BENCH_BATCH = 32, BENCH_TRAINING = 256, BENCH_EACH = 60, BENCH_SIMULATIONS = 100 };

struct bench_net {
    const struct banyan_game *game;
    double seconds;
    int cores;
    struct nn_model model, trunk; /* the whole network; the network with the smallest heads */
    float *params, *trunk_params;
    double fma, amx; /* GFLOP/s of one core */
};

static void bench_net_close(struct bench_net *bench)
{
    free(bench->params);
    free(bench->trunk_params);
}

static enum banyan_status bench_net_model(struct nn_model *model, float **params,
                                          const struct nn_arch *arch, struct banyan_error *err)
{
    enum banyan_status status = nn_model_build(model, arch, err);
    if (status != BANYAN_OK)
        return status;
    *params = nn_block_create(model->size);
    if (!*params)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    nn_model_start(model, *params, 1);
    return BANYAN_OK;
}

static enum banyan_status bench_net_open(struct bench_net *bench, struct banyan_error *err)
{
    struct nn_arch arch;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    bench->cores = cores > 1 ? 2 : 1;
    nn_arch_default(&arch);
    enum banyan_status status = banyan_game_find("mushroom", &bench->game, err);
    if (status == BANYAN_OK)
        status = net_arch_game(bench->game, &arch, err);
    nn_arch_published(&arch);
    if (status == BANYAN_OK)
        status = bench_net_model(&bench->model, &bench->params, &arch, err);
    arch.actions = 0;
    arch.value_channels = arch.value_hidden = 1;
    arch.head_norm = false;
    if (status == BANYAN_OK)
        status = bench_net_model(&bench->trunk, &bench->trunk_params, &arch, err);
    return status;
}

/* --- the peak --- */

static void bench_net_peaks(struct bench_net *bench)
{
    double narrow = peak_fma_narrow(bench->seconds), wide = peak_fma_wide(bench->seconds);
    bench->fma = wide > narrow ? wide : narrow;
    bench->amx = peak_amx(bench->seconds);
    printf("peak of one core     fp32 FMA %.0f GFLOP/s (%s)", bench->fma,
           wide > narrow ? "AVX-512"
           : narrow > 0  ? "AVX2"
                         : "not measured here");
    printf(bench->amx > 0 ? ", bf16 AMX %.0f GFLOP/s\n" : ", no AMX\n", bench->amx);
}

/* --- positions and training samples --- */

struct bench_batch {
    struct nn_batch batch;
    struct nn_request request;
    float *blocks[7];
    int *start;
    int32_t *actions;
};

static void bench_batch_free(struct bench_batch *batch)
{
    for (int i = 0; i < 7; ++i)
        free(batch->blocks[i]);
    free(batch->start);
    free(batch->actions);
}

/* Random boards with up to 60 legal actions each. */
static bool bench_batch_fill(struct bench_batch *out, const struct nn_arch *arch, int count)
{
    size_t n = (size_t)count, planes = (size_t)arch->planes * (size_t)nn_arch_cells(arch);
    int each = arch->actions < BENCH_EACH ? arch->actions : BENCH_EACH;
    const size_t sizes[7] = {n * planes, n * BENCH_EACH, n, n * 8, n * BENCH_EACH, n * 8, n};
    bool good = true;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 7; ++i) {
        out->blocks[i] = nn_block_create(sizes[i]);
        good = good && out->blocks[i];
    }
    out->start = calloc(n + 1, sizeof *out->start);
    out->actions = calloc(n * BENCH_EACH, sizeof *out->actions);
    if (!good || !out->start || !out->actions)
        return false;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (size_t i = 0; i < n * planes; ++i)
        out->blocks[0][i] = (float)banyan_rng_below(&rng, 2);
    for (int i = 0; i < count; ++i) {
        out->start[i + 1] = out->start[i] + each;
        out->blocks[2][i] = 1;
        for (int j = out->start[i]; j < out->start[i + 1]; ++j) {
            out->actions[j] = (int32_t)banyan_rng_below(&rng, (uint32_t)arch->actions);
            out->blocks[1][j] = 1 / (float)each;
        }
    }
    float **b = out->blocks;
    out->batch = (struct nn_batch){.count = count,
                                   .planes = b[0],
                                   .start = out->start,
                                   .actions = out->actions,
                                   .policy = b[1],
                                   .policy_weight = b[2],
                                   .values = b[3],
                                   .value_weight = 1};
    out->request = (struct nn_request){count, b[0], out->start, out->actions, b[4], b[5]};
    return true;
}

/* --- the trunk --- */

static double bench_trunk_flops(const struct nn_model *model)
{
    const struct nn_arch *arch = &model->arch;
    double each = 2.0 * nn_arch_cells(arch) * 9 * arch->channels;
    return each * (arch->planes + 2.0 * arch->blocks * arch->channels);
}

/* Batches per second of one core's processor time: the best of short rounds. */
static enum banyan_status bench_trunk_rate(const struct bench_net *bench, const char *type,
                                           struct bench_batch *batch, double *rate,
                                           struct banyan_error *err)
{
    const struct nn_backend *backend;
    struct nn_backend_options options = {.threads = 1};
    void *ctx;
    snprintf(options.type, sizeof options.type, "%s", type);
    enum banyan_status status =
        nn_backend_open("onednn", &bench->trunk, &options, &backend, &ctx, err);
    if (status != BANYAN_OK)
        return status;
    status = backend->load(ctx, bench->trunk_params, err);
    double start = timing_cpu_s();
    *rate = 0;
    while (status == BANYAN_OK && timing_cpu_s() - start < 4 * bench->seconds) {
        double before = timing_cpu_s(), spent = 0;
        int done = 0;
        for (; status == BANYAN_OK && spent < 0.05; ++done) {
            status = backend->forward(ctx, &batch->request, err);
            spent = timing_cpu_s() - before;
        }
        *rate = done / spent > *rate ? done / spent : *rate;
    }
    backend->close(ctx);
    return status;
}

static enum banyan_status bench_trunk(const struct bench_net *bench, struct banyan_error *err)
{
    static const char *const types[] = {"fp32", "bf16"};
    const double peaks[] = {bench->fma, bench->amx};
    struct bench_batch batch;
    double flops = bench_trunk_flops(&bench->trunk) * BENCH_BATCH, rate;
    enum banyan_status status = BANYAN_OK;
    if (!bench_batch_fill(&batch, &bench->trunk.arch, BENCH_BATCH))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a batch");
    for (int i = 0; i < 2 && status == BANYAN_OK; ++i) {
        if (peaks[i] <= 0)
            continue;
        status = bench_trunk_rate(bench, types[i], &batch, &rate, err);
        if (status == BANYAN_OK)
            printf("trunk, %s          batch %d, 1 core: %.0f positions/s, %.0f GFLOP/s, %.1f %% "
                   "of the peak\n",
                   types[i], BENCH_BATCH, rate * BENCH_BATCH, rate * flops / 1e9,
                   rate * flops / 1e7 / peaks[i]);
    }
    bench_batch_free(&batch);
    return status;
}

/* --- self-play --- */

struct bench_alarm {
    double seconds;
    banyan_flag flag;
};

static void *bench_alarm_run(void *argument)
{
    struct bench_alarm *alarm = argument;
    struct timespec time = {(time_t)alarm->seconds,
                            (long)((alarm->seconds - (double)(time_t)alarm->seconds) * 1e9)};
    nanosleep(&time, NULL);
    banyan_flag_set(&alarm->flag);
    return NULL;
}

static enum banyan_status bench_discard(void *ctx, struct record *record, struct banyan_error *err)
{
    (void)ctx;
    (void)record;
    (void)err;
    return BANYAN_OK;
}

/* A rate on several cores, per second of the wall clock and per second of one core's processor time;
 * the second does not depend on what else runs on the machine. */
struct bench_rate {
    double clock, core;
};

static struct bench_rate bench_rate(double count, double clock_s, double cpu_s)
{
    return (struct bench_rate){count / clock_s, count / (cpu_s > 0 ? cpu_s : clock_s)};
}

static void bench_keep_best(struct bench_rate *best, struct bench_rate now)
{
    best->clock = now.clock > best->clock ? now.clock : best->clock;
    best->core = now.core > best->core ? now.core : best->core;
}

/* Plays until the time is over. */
static enum banyan_status bench_play_round(const struct play_job *job, struct bench_alarm *alarm,
                                           struct bench_rate *rate, struct banyan_error *err)
{
    struct play_totals totals;
    pthread_t thread;
    banyan_flag_clear(&alarm->flag);
    if (pthread_create(&thread, NULL, bench_alarm_run, alarm) != 0)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no thread for a clock");
    double start = timing_wall_s(), cpu = timing_cpu_s();
    enum banyan_status status = play_run(job, &totals, err);
    *rate = bench_rate((double)totals.evaluations, timing_wall_s() - start, timing_cpu_s() - cpu);
    pthread_join(thread, NULL);
    return status == BANYAN_INTERRUPTED ? BANYAN_OK : status;
}

/* Plays games of self-play for a few seconds: prints the best of four rounds. */
static enum banyan_status bench_play(const struct bench_net *bench, const char *type,
                                     struct banyan_error *err)
{
    enum { ROUNDS = 4 };
    struct bench_alarm alarm = {.seconds = 4 * bench->seconds};
    struct loop_settings settings;
    struct bench_rate best = {0, 0};
    enum banyan_status status = loop_settings_default(bench->game, &settings, err);
    settings.play.threads = bench->cores;
    settings.play.teacher[0] = 0; /* then the network plays from the first generation on */
    settings.play.whole_share = 1;
    settings.play.simulations = BENCH_SIMULATIONS;
    const struct play_job job = {.game = bench->game,
                                 .options = &settings.play,
                                 .search = &settings.search,
                                 .model = &bench->model,
                                 .params = bench->params,
                                 .backend = "onednn",
                                 .type = type,
                                 .seed = 1,
                                 .generation = 1,
                                 .games = 1 << 20,
                                 .stop = &alarm.flag,
                                 .deliver = bench_discard};
    for (int i = 0; i < ROUNDS && status == BANYAN_OK; ++i) {
        struct bench_rate rate = {0, 0};
        status = bench_play_round(&job, &alarm, &rate, err);
        bench_keep_best(&best, rate);
    }
    if (status == BANYAN_OK)
        printf("self-play, %s      %d games per thread, %d threads: %.0f evaluations/s; %.0f per "
               "core-second\n",
               type, settings.play.at_once, bench->cores, best.clock, best.core);
    return status;
}

/* --- one search --- */

static enum banyan_status bench_one_search(const struct bench_net *bench, struct net *net,
                                           int batch, double *best_ms, struct banyan_error *err)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = net_evaluator(net);
    struct banyan_search *search = NULL;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = BENCH_SIMULATIONS};
    struct banyan_rng rng;
    void *state = malloc(bench->game->state_size);
    banyan_rng_seed(&rng, 1);
    banyan_search_options_default(&options);
    options.rule = BANYAN_RULE_PUCT;
    options.batch = batch;
    *best_ms = 0;
    enum banyan_status status =
        state ? bench->game->init(bench->game, state, NULL, &rng, err)
              : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a position");
    for (int i = 0; i < 20 && status == BANYAN_OK; ++i) {
        status = banyan_search_create(&search, bench->game, &options, &evaluator, err);
        if (status == BANYAN_OK)
            status = banyan_search_set_root(search, state, -1, err);
        double start = timing_wall_s();
        if (status == BANYAN_OK)
            status = banyan_search_run(search, &limits, err);
        double spent = 1000 * (timing_wall_s() - start);
        *best_ms = i == 0 || spent < *best_ms ? spent : *best_ms;
        banyan_search_destroy(search);
        search = NULL;
    }
    free(state);
    return status;
}

/* Measures searches of 100 simulations, each in a new tree from the first position. */
static enum banyan_status bench_searches(const struct bench_net *bench, const char *type,
                                         struct banyan_error *err)
{
    static const int batches[] = {1, 4, 8, 16};
    const struct net_backend backend = {"onednn", type, bench->cores, 1};
    struct net *net;
    enum banyan_status status =
        net_create(&net, bench->game, &bench->model, bench->params, &backend, err);
    if (status != BANYAN_OK)
        return status;
    printf("one search, %s     %d simulations, %d threads:", type, BENCH_SIMULATIONS, bench->cores);
    for (size_t i = 0; i < sizeof batches / sizeof *batches && status == BANYAN_OK; ++i) {
        double ms;
        status = bench_one_search(bench, net, batches[i], &ms, err);
        if (status == BANYAN_OK)
            printf("%s batch %d %.1f ms", i ? "," : "", batches[i], ms);
    }
    printf("\n");
    net_destroy(net);
    return status;
}

/* --- learning --- */

/* Whole steps: gradients, then AdamW and the averaged weights. */
static enum banyan_status bench_steps(const struct bench_net *bench, const char *type,
                                      struct banyan_error *err)
{
    const struct nn_backend *backend;
    struct nn_backend_options options = {.threads = bench->cores};
    struct nn_optimizer_options optimizer;
    struct bench_batch batch;
    struct nn_state state;
    struct nn_losses losses;
    void *ctx = NULL;
    nn_optimizer_options_default(&optimizer);
    snprintf(options.type, sizeof options.type, "%s", type);
    enum banyan_status status = nn_state_create(&state, &bench->model, err);
    if (status != BANYAN_OK)
        return status;
    nn_state_start(&state, &bench->model, 1);
    float *gradients = nn_block_create(bench->model.size);
    if (!bench_batch_fill(&batch, &bench->model.arch, BENCH_TRAINING) || !gradients)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a batch");
    if (status == BANYAN_OK)
        status = nn_backend_open("onednn", &bench->model, &options, &backend, &ctx, err);
    double start = timing_wall_s();
    struct bench_rate best = {0, 0};
    for (int i = 0; status == BANYAN_OK && (i < 3 || timing_wall_s() - start < 8 * bench->seconds);
         ++i) {
        double before = timing_wall_s(), cpu = timing_cpu_s();
        status = backend->gradients(ctx, state.params, &batch.batch, gradients, &losses, err);
        nn_optimizer_step(&bench->model, &optimizer, 1, gradients, &state);
        bench_keep_best(&best,
                        bench_rate(BENCH_TRAINING, timing_wall_s() - before, timing_cpu_s() - cpu));
    }
    if (status == BANYAN_OK)
        printf("training step, %s  batch %d, %d threads: %.0f samples/s; %.0f per "
               "core-second\n",
               type, BENCH_TRAINING, bench->cores, best.clock, best.core);
    if (ctx)
        backend->close(ctx);
    bench_batch_free(&batch);
    free(gradients);
    nn_state_destroy(&state);
    return status;
}

enum banyan_status bench_nn(double seconds, struct banyan_error *err)
{
    static struct bench_net bench;
    bench = (struct bench_net){.seconds = seconds};
    enum banyan_status status = bench_net_open(&bench, err);
    if (status == BANYAN_OK) {
        printf("the published network of mushroom: %d blocks of %d channels, %.0f million "
               "operations, %.0f in the trunk\n",
               bench.model.arch.blocks, bench.model.arch.channels,
               nn_model_flops(&bench.model) / 1e6, bench_trunk_flops(&bench.trunk) / 1e6);
        bench_net_peaks(&bench);
        status = bench_trunk(&bench, err);
    }
    const char *const types[] = {"bf16", "fp32"};
    for (int i = bench.amx > 0 ? 0 : 1; i < 2 && status == BANYAN_OK; ++i)
        status = bench_play(&bench, types[i], err);
    for (int i = bench.amx > 0 ? 0 : 1; i < 2 && status == BANYAN_OK; ++i)
        status = bench_searches(&bench, types[i], err);
    for (int i = bench.amx > 0 ? 0 : 1; i < 2 && status == BANYAN_OK; ++i)
        status = bench_steps(&bench, types[i], err);
    bench_net_close(&bench);
    return status;
}
