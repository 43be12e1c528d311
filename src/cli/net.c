/* banyan net: describes network files, measures and checks backends, exports ONNX. */
#include "cli/cli.h"
#include "cli/timing.h"

#include "nn/checkpoint.h"
#include "nn/compare.h"
#include "nn/onnx.h"
#include "train/loop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct net_words {
    const char *what, *path, *out, *backend, *type;
    const struct banyan_game *game; /* --game: an untrained network of its preset */
    struct nn_arch arch;
    const char *arch_text;
    int batch, threads; /* 0: not given */
};

enum {
    NET_BACKEND = 'b',
    NET_TYPE = 't',
    NET_GAME = 'g',
    NET_ARCH = 'a',
    NET_BATCH = 'n',
    NET_JOBS = 'j'
};

static const struct argp_option net_options[] = {
    {"backend", NET_BACKEND, "NAME", 0, "plain, onednn, cuda; default: the best", 0},
    {"type", NET_TYPE, "TYPE", 0, "fp32 or bf16; default: the backend's choice", 0},
    {"game", NET_GAME, "GAME", 0, "bench, check: an untrained network for GAME in place of a file",
     0},
    {"arch", NET_ARCH, "NAME=VALUE,...", 0,
     "Architecture of --game, or of a file that does not name its own", 0},
    {"batch", NET_BATCH, "N", 0,
     "bench: positions per batch; default 1, 8, 32, 128 for forward, 256 for gradients", 0},
    {"jobs", NET_JOBS, "N", 0, "bench: number of threads; default 1", 0},
    {0}};

static const char net_doc[] =
    "Describes, measures, checks and exports networks in files.\v"
    "  banyan net info FILE          describe the network\n"
    "  banyan net bench FILE         evaluations and training samples per second\n"
    "  banyan net check FILE         compare the backend's results with those of `plain`\n"
    "  banyan net export FILE ONNX   write it for other programs (ONNX, opset 13)\n\n"
    "bench and check also take --game GAME instead of FILE.";

static void net_words_arg(struct net_words *words, const struct argp_state *state, const char *arg)
{
    static const char *const names[] = {"info", "bench", "check", "export", NULL};
    if (!words->what)
        words->what = names[cli_choice(state, "net", arg, names)];
    else if (!words->path)
        words->path = arg;
    else if (!words->out && strcmp(words->what, "export") == 0)
        words->out = arg;
    else
        cli_too_many(state, arg);
}

/* Ends the program if an option would have no effect. */
static void net_words_check(const struct net_words *words, const struct argp_state *state)
{
    bool benches = *words->what == 'b', checks = *words->what == 'c';
    if ((*words->backend || *words->type) && !benches && !checks)
        cli_usage(state, "--backend and --type are for net bench and net check");
    if ((words->batch || words->threads) && !benches)
        cli_usage(state, "--batch and --jobs are for net bench");
    if (words->game && words->path && !words->arch_text)
        cli_usage(state, "--game is a network without a file: leave out --game or '%s'",
                  words->path);
}

static void net_words_end(struct net_words *words, const struct argp_state *state)
{
    struct banyan_error err;
    if (!words->what)
        cli_usage(state, "needs info, bench, check or export, and a FILE");
    bool untrained = words->game && (*words->what == 'b' || *words->what == 'c');
    if (!words->path && !untrained)
        cli_usage(state, "net %s needs a FILE", words->what);
    if (strcmp(words->what, "export") == 0 && !words->out)
        cli_usage(state, "net export needs the name of the ONNX file too");
    net_words_check(words, state);
    if (!words->threads)
        words->threads = 1;
    nn_arch_default(&words->arch);
    if (words->game) {
        struct loop_settings settings;
        if (loop_settings_default(words->game, &settings, &err) != BANYAN_OK)
            cli_usage(state, "%s", err.message);
        words->arch = settings.arch;
    }
    if (words->arch_text &&
        banyan_options_parse(nn_arch_table, &words->arch, words->arch_text, &err) != BANYAN_OK)
        cli_usage(state, "%s", err.message);
}

static error_t net_option(int key, char *arg, struct argp_state *state)
{
    struct net_words *words = state->input;
    switch (key) {
    case NET_BACKEND:
        words->backend = arg;
        return 0;
    case NET_TYPE:
        words->type = arg;
        return 0;
    case NET_GAME:
        words->game = cli_game(state, arg);
        return 0;
    case NET_ARCH:
        words->arch_text = cli_text(state, arg);
        return 0;
    case NET_BATCH:
        words->batch = (int)cli_integer(state, "--batch", arg, 1, 4096);
        return 0;
    case NET_JOBS:
        words->threads = (int)cli_integer(state, "--jobs", arg, 1, 256);
        return 0;
    case ARGP_KEY_ARG:
        net_words_arg(words, state, arg);
        return 0;
    case ARGP_KEY_END:
        net_words_end(words, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The file's network, or an untrained one. */
static enum banyan_status net_words_open(const struct net_words *words, struct nn_net **out,
                                         struct banyan_error *err)
{
    if (words->path)
        return nn_net_read(out, words->path, words->arch_text ? &words->arch : NULL, err);
    struct nn_net *net = calloc(1, sizeof *net);
    *out = net;
    if (!net)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    enum banyan_status status = nn_model_build(&net->model, &words->arch, err);
    if (status != BANYAN_OK)
        return status;
    net->params = nn_block_create(net->model.size);
    if (!net->params)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    nn_model_start(&net->model, net->params, 1);
    return words->arch.policy_head == NN_POLICY_PAIRS
               ? nn_model_rectangles(&net->model, 1, net->params, err)
               : BANYAN_OK;
}

/* --- info --- */

static void net_info(const struct nn_net *net)
{
    char text[4096];
    size_t learned = 0;
    const struct nn_model *model = &net->model;
    for (int i = 0; i < model->tensor_count; ++i)
        if (model->tensors[i].role <= NN_BIAS)
            learned += model->tensors[i].count;
    banyan_options_dump(nn_arch_table, &model->arch, NULL, text, sizeof text);
    printf("game        %s\n", net->header.game[0] ? net->header.game : "unknown");
    printf("network     %s\n", text);
    printf("weights     %zu\n", learned);
    printf("operations  %.3f million per position\n", nn_model_flops(model) / 1e6);
    printf("step        %" PRId64 ", generation %" PRId64 "\n", net->header.step,
           net->header.generation);
    if (net->header.options[0])
        printf("optimizer   %s\n", net->header.options);
    printf("\n%-24s %-20s %12s %12s\n", "tensor", "shape", "mean", "deviation");
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        double sum = 0, squares = 0;
        char shape[64] = "";
        for (int d = 0; d < tensor->dims; ++d)
            snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%d", d ? "x" : "",
                     tensor->shape[d]);
        for (size_t j = 0; j < tensor->count; ++j) {
            double value = (double)net->params[tensor->offset + j];
            sum += value;
            squares += value * value;
        }
        double n = (double)tensor->count, variance = squares / n - sum / n * (sum / n);
        printf("%-24s %-20s %12.5g %12.5g\n", tensor->name, shape, sum / n,
               variance > 0 ? sqrt(variance) : 0);
    }
}

/* --- bench --- */

struct net_bench {
    const struct nn_model *model;
    const struct nn_backend *backend;
    void *ctx;
    struct nn_batch batch;
    struct nn_request request;
    float *params, *gradients;
    int threads;
};

enum { NET_BENCH_MAX = 4096, NET_BENCH_ACTIONS = 60 };

/* Random boards of 0 and 1 with up to 60 legal actions each. */
static bool net_bench_fill(struct net_bench *bench, int count)
{
    const struct nn_arch *arch = &bench->model->arch;
    int each = arch->actions < NET_BENCH_ACTIONS ? arch->actions : NET_BENCH_ACTIONS;
    size_t n = (size_t)count, cells = (size_t)nn_arch_cells(arch);
    float *planes = nn_block_create(n * cells * (size_t)arch->planes);
    float *policy = nn_block_create(n * NET_BENCH_ACTIONS);
    float *weight = nn_block_create(n), *values = nn_block_create(n * 8);
    float *owner = nn_block_create(n * cells), *score = nn_block_create(n);
    float *logits = nn_block_create(n * NET_BENCH_ACTIONS), *said = nn_block_create(n * 8);
    int *start = calloc(n + 1, sizeof *start);
    int32_t *actions = calloc(n * NET_BENCH_ACTIONS, sizeof *actions);
    bench->batch = (struct nn_batch){count,  planes, start, actions, policy, weight,
                                     values, owner,  score, 1,       1,      1};
    bench->request = (struct nn_request){count, planes, start, actions, logits, said};
    if (!planes || !policy || !weight || !values || !owner || !score || !logits || !said ||
        !start || !actions)
        return false; /* net_bench_empty frees the others */
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (size_t i = 0; i < n * cells * (size_t)arch->planes; ++i)
        planes[i] = (float)banyan_rng_below(&rng, 2);
    for (int i = 0; i < count; ++i) {
        start[i + 1] = start[i] + each;
        weight[i] = 1;
        for (int j = 0; j < each; ++j) {
            actions[start[i] + j] = (int32_t)banyan_rng_below(&rng, (uint32_t)arch->actions);
            policy[start[i] + j] = 1 / (float)each;
        }
    }
    return true;
}

static void net_bench_empty(struct net_bench *bench)
{
    void *const blocks[] = {(void *)bench->batch.planes,
                            (void *)bench->batch.start,
                            (void *)bench->batch.actions,
                            (void *)bench->batch.policy,
                            (void *)bench->batch.policy_weight,
                            (void *)bench->batch.values,
                            (void *)bench->batch.owner,
                            (void *)bench->batch.score,
                            bench->request.logits,
                            bench->request.values};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        free(blocks[i]);
}

/* One thread is timed by processor time, which other programs do not change. */
static double net_bench_now_s(const struct net_bench *bench)
{
    return bench->threads > 1 ? timing_wall_s() : timing_cpu_s();
}

/* The best of several rounds of about a third of a second: positions per second. */
static enum banyan_status net_bench_rate(struct net_bench *bench, bool training, double *rate,
                                         struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    struct nn_losses losses;
    *rate = 0;
    for (int round = 0; round < 4 && status == BANYAN_OK; ++round) {
        double start = net_bench_now_s(bench), spent = 0;
        int64_t done = 0;
        while (status == BANYAN_OK && (done == 0 || spent < 0.3)) {
            status = training ? bench->backend->gradients(bench->ctx, bench->params, &bench->batch,
                                                          bench->gradients, &losses, err)
                              : bench->backend->forward(bench->ctx, &bench->request, err);
            done += bench->batch.count;
            spent = net_bench_now_s(bench) - start;
        }
        if (round > 0 && (double)done / spent > *rate) /* the first round is for warming up */
            *rate = (double)done / spent;
    }
    return status;
}

static enum banyan_status net_bench_line(struct net_bench *bench, int batch, bool training,
                                         struct banyan_error *err)
{
    double rate = 0, flops = nn_model_flops(bench->model) * (training ? 3 : 1);
    enum banyan_status status = BANYAN_NO_MEMORY;
    if (net_bench_fill(bench, batch))
        status = net_bench_rate(bench, training, &rate, err);
    else
        banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a batch of %d", batch);
    if (status == BANYAN_OK)
        printf("%-10s %6d %14.0f %12.1f\n", training ? "gradients" : "forward", batch, rate,
               rate * flops / 1e9);
    net_bench_empty(bench);
    return status;
}

static enum banyan_status net_bench(const struct net_words *words, const struct nn_net *net,
                                    struct banyan_error *err)
{
    struct net_bench bench = {
        .model = &net->model, .params = net->params, .threads = words->threads};
    struct nn_backend_options options = {.threads = words->threads};
    const int batches[] = {1, 8, 32, 128};
    snprintf(options.type, sizeof options.type, "%s", words->type);
    enum banyan_status status =
        nn_backend_open(words->backend, &net->model, &options, &bench.backend, &bench.ctx, err);
    if (status != BANYAN_OK)
        return status;
    printf("%s, %d thread%s (%s time); %.1f million operations per position\n",
           bench.backend->describe(bench.ctx), words->threads, words->threads > 1 ? "s" : "",
           words->threads > 1 ? "wall" : "processor", nn_model_flops(&net->model) / 1e6);
    printf("%-10s %6s %14s %12s\n", "", "batch", "positions/s", "GFLOP/s");
    bench.gradients = nn_block_create(net->model.size);
    status = bench.gradients ? bench.backend->load(bench.ctx, net->params, err)
                             : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for gradients");
    for (int i = 0; i < 4 && status == BANYAN_OK; ++i)
        if (!words->batch || i == 0)
            status = net_bench_line(&bench, words->batch ? words->batch : batches[i], false, err);
    if (status == BANYAN_OK && bench.backend->trains)
        status = net_bench_line(&bench, words->batch ? words->batch : 256, true, err);
    free(bench.gradients);
    bench.backend->close(bench.ctx);
    return status;
}

/* --- check --- */

static enum banyan_status net_check_backends(const struct net_words *words,
                                             const struct nn_net *net, struct banyan_error *err)
{
    struct nn_comparison result;
    const struct nn_contender contenders[] = {{"plain", "fp32"}, {words->backend, words->type}};
    enum banyan_status status = nn_compare(&net->model, contenders, 32, &result, err);
    if (status != BANYAN_OK)
        return status;
    printf("%s against %s, 32 random positions, random weights\n", result.second, result.first);
    printf("forward    %.3g relative error\n", result.forward);
    printf("gradients  %.3g, the largest of a tensor (%s)\n", result.gradient, result.worst);
    printf("loss       %.3g\n", result.loss);
    return BANYAN_OK;
}

int cli_net(int argc, char **argv)
{
    struct net_words words = {.backend = "", .type = ""};
    const struct argp argp = {net_options, net_option, "WHAT [FILE]", net_doc, NULL, NULL, NULL};
    struct banyan_error err;
    struct nn_net *net = NULL;
    cli_parse(&argp, argc, argv, &words);
    enum banyan_status status = net_words_open(&words, &net, &err);
    if (status == BANYAN_OK && strcmp(words.what, "info") == 0)
        net_info(net);
    else if (status == BANYAN_OK && strcmp(words.what, "bench") == 0)
        status = net_bench(&words, net, &err);
    else if (status == BANYAN_OK && strcmp(words.what, "check") == 0)
        status = net_check_backends(&words, net, &err);
    else if (status == BANYAN_OK)
        status = nn_onnx_write(words.out, &net->model, net->params, &err);
    nn_net_free(net);
    return cli_end(argv[0], status, &err);
}
