/* What learning and self-play do when the system gives no memory: at any of their allocations they say
 * so and free all that they took. */
#include "nn/checkpoint.h"
#include "nn/onnx.h"
#include "nn/safetensors.h"
#include "players/program/net.h"
#include "train/learn.h"
#include "train/play.h"
#include "train/replay.h"

#include "refused_memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static char path[64];

/* A small network for a game, and one game of self-play of it. */
struct learner {
    const struct banyan_game *game;
    struct nn_model model;
    float *params;
    struct play_options options;
    struct banyan_search_options search;
    struct play_job job;
    struct record record;
};

static enum banyan_status keep_game(void *ctx, struct record *record, struct banyan_error *err)
{
    struct learner *l = ctx;
    (void)err;
    record_free(&l->record);
    l->record = *record;
    memset(record, 0, sizeof *record);
    return BANYAN_OK;
}

static enum banyan_status drop_game(void *ctx, struct record *record, struct banyan_error *err)
{
    (void)ctx;
    (void)record;
    (void)err;
    return BANYAN_OK;
}

static void learner_create(struct learner *l, const char *game)
{
    struct nn_arch arch;
    struct play_totals totals;
    memset(l, 0, sizeof *l);
    assert_int_equal(banyan_game_find(game, &l->game, NULL), BANYAN_OK);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(l->game, &arch, NULL), BANYAN_OK);
    arch.channels = 4, arch.blocks = 1, arch.value_hidden = 4;
    assert_int_equal(nn_model_build(&l->model, &arch, NULL), BANYAN_OK);
    l->params = nn_block_create(l->model.size);
    assert_non_null(l->params);
    nn_model_start(&l->model, l->params, 1);
    play_options_default(&l->options);
    banyan_search_options_default(&l->search);
    l->options.at_once = 2;
    l->options.simulations = 3;
    l->search.rule = BANYAN_RULE_PUCT;
    l->search.memory_bytes = 1 << 20;
    l->job = (struct play_job){.game = l->game,
                               .options = &l->options,
                               .search = &l->search,
                               .model = &l->model,
                               .params = l->params,
                               .backend = "plain",
                               .type = "",
                               .seed = 1,
                               .games = 1,
                               .deliver = keep_game,
                               .ctx = l};
    assert_int_equal(play_run(&l->job, &totals, NULL), BANYAN_OK);
    assert_true(l->record.choice_count > 0);
}

static void learner_destroy(struct learner *l)
{
    record_free(&l->record);
    free(l->params);
}

/* Reads the game from its bytes, as learning gets it from another process. */
static enum banyan_status copy_game(const struct learner *l, struct record *copy,
                                    struct banyan_error *err)
{
    unsigned char *bytes;
    size_t size;
    enum banyan_status status = record_pack(&l->record, &bytes, &size, err);
    if (status != BANYAN_OK)
        return status;
    status = record_unpack(copy, bytes, size, err);
    free(bytes);
    return status;
}

/* --- works --- */

static enum banyan_status plays(void *ctx, struct banyan_error *err)
{
    struct learner *l = ctx;
    struct play_job job = l->job;
    struct play_totals totals;
    job.deliver = drop_game;
    job.games = 2;
    return play_run(&job, &totals, err);
}

static void no_picture(void *ctx, const void *state, int number)
{
    (void)state;
    *(int *)ctx = number;
}

static enum banyan_status shows(void *ctx, struct banyan_error *err)
{
    const struct learner *l = ctx;
    int last = -1;
    enum banyan_status status = replay_show(l->game, &l->record, no_picture, &last);
    if (status == BANYAN_OK)
        assert_int_equal(last, l->record.choice_count);
    return banyan_fail(err, status, status == BANYAN_OK ? "" : "not shown");
}

static enum banyan_status learns(void *ctx, struct banyan_error *err)
{
    const struct learner *l = ctx;
    const struct nn_backend_options plain = {.threads = 1};
    struct learn_options options = {.replay = {0.5, true},
                                    .batch = 3,
                                    .rate_factor = 1,
                                    .value_weight = 1,
                                    .owner_weight = 1,
                                    .score_weight = 1};
    struct learn_report report;
    struct nn_state state = {.step = 0};
    struct record copy = {.start = NULL};
    struct replay *replay = NULL;
    struct banyan_rng rng;
    void *backend = NULL;
    nn_optimizer_options_default(&options.optimizer);
    banyan_rng_seed(&rng, 1);
    enum banyan_status status = copy_game(l, &copy, err);
    if (status == BANYAN_OK)
        status = replay_create(&replay, l->game, &l->model.arch, err);
    if (status == BANYAN_OK)
        status = replay_add(replay, &copy, err);
    if (status == BANYAN_OK)
        status = nn_state_create(&state, &l->model, err);
    if (status == BANYAN_OK)
        status = nn_plain.open(&l->model, &plain, &backend, err);
    if (status == BANYAN_OK) {
        const struct learn_setting setting = {.model = &l->model,
                                              .backend = &nn_plain,
                                              .ctx = backend,
                                              .options = &options,
                                              .replay = replay,
                                              .rng = &rng};
        nn_state_start(&state, &l->model, 1);
        status = learn_steps(&setting, 2, &state, NULL, &report, err);
        if (status == BANYAN_OK)
            status = learn_measure(&setting, 2, state.params, &report, err);
    }
    if (backend)
        nn_plain.close(backend);
    nn_state_destroy(&state);
    replay_destroy(replay);
    record_free(&copy);
    return status;
}

static enum banyan_status keeps_games(void *ctx, struct banyan_error *err)
{
    const struct learner *l = ctx;
    struct record_writer *writer;
    struct record_reader *reader;
    remove(path);
    enum banyan_status status = record_writer_open(&writer, path, l->game->name, err);
    if (status != BANYAN_OK)
        return status;
    status = record_writer_add(writer, &l->record, err);
    record_writer_close(writer);
    if (status == BANYAN_OK)
        status = record_writer_open(&writer, path, l->game->name, err);
    if (status != BANYAN_OK)
        return status;
    record_writer_close(writer);
    status = record_reader_open(&reader, path, l->game->name, err);
    if (status == BANYAN_OK)
        record_reader_close(reader);
    return status;
}

static enum banyan_status keeps_weights(void *ctx, struct banyan_error *err)
{
    const struct learner *l = ctx;
    struct nn_header header = {.step = 1};
    struct nn_state state;
    struct nn_model model;
    struct nn_net *net;
    enum banyan_status status = nn_state_create(&state, &l->model, err);
    if (status != BANYAN_OK)
        return status;
    nn_state_start(&state, &l->model, 1);
    status = nn_checkpoint_save(path, &l->model, &state, &header, true, err);
    nn_state_destroy(&state);
    if (status == BANYAN_OK)
        status = nn_checkpoint_read(path, &model, &state, &header, err);
    if (status != BANYAN_OK)
        return status;
    nn_state_destroy(&state);
    status = nn_net_read(&net, path, NULL, err);
    if (status != BANYAN_OK)
        return status;
    status = nn_onnx_write(path, &net->model, net->params, err);
    nn_net_free(net);
    return status;
}

static void learning_without_memory(void **unused)
{
    (void)unused;
    const char *const games[] = {"tictactoe", "othello-6x6", "pig"};
    for (int i = 0; i < 3; ++i) {
        struct learner l;
        learner_create(&l, games[i]);
        assert_true(refuse_each(plays, &l, "self-play") > 20);
        assert_int_equal(refuse_each(shows, &l, "showing a game"), 1);
        assert_true(refuse_each(learns, &l, "learning") > 20);
        learner_destroy(&l);
    }
}

static void files_without_memory(void **unused)
{
    (void)unused;
    struct learner l;
    learner_create(&l, "tictactoe");
    assert_true(refuse_each(keeps_games, &l, "a file of games") > 3);
    assert_true(refuse_each(keeps_weights, &l, "a checkpoint") > 8);
    remove(path);
    learner_destroy(&l);
}

/* A teacher's games need memory of their own. */
static void a_teacher_without_memory(void **unused)
{
    (void)unused;
    struct learner l;
    learner_create(&l, "tictactoe");
    strcpy(l.options.teacher, "random");
    l.options.teacher_generations = 1;
    assert_true(refuse_each(plays, &l, "a teacher's games") > 8);
    learner_destroy(&l);
}

/* One thread is encoding a position while another comes for which there is no memory. */
static struct {
    const struct banyan_game *game; /* as it is */
    pthread_mutex_t gate;           /* held: encoding waits */
    atomic_bool has_begun;
} encoding = {.gate = PTHREAD_MUTEX_INITIALIZER};

static void encode_at_the_gate(const struct banyan_game *game, const void *state, int viewer,
                               float *planes)
{
    if (!atomic_exchange(&encoding.has_begun, true)) {
        pthread_mutex_lock(&encoding.gate);
        pthread_mutex_unlock(&encoding.gate);
    }
    encoding.game->encode(game, state, viewer, planes);
}

struct evaluating {
    struct net *net;
    struct banyan_leaf leaf;
    banyan_action actions[16];
    float priors[16];
    enum banyan_status status;
};

static void *evaluate_once(void *at)
{
    struct evaluating *e = at;
    e->status = net_evaluate(e->net, &e->leaf, 1, NULL);
    return NULL;
}

static void a_thread_without_memory_waits_for_another(void **unused)
{
    (void)unused;
    struct learner l;
    struct evaluating each[3];
    unsigned char state[256];
    struct banyan_rng rng;
    pthread_t threads[2];
    learner_create(&l, "tictactoe");
    struct banyan_game game = *l.game;
    encoding.game = l.game;
    game.encode = encode_at_the_gate;
    memset(each, 0, sizeof each);
    banyan_rng_seed(&rng, 1);
    assert_int_equal(game.init(&game, state, NULL, &rng, NULL), BANYAN_OK);
    const struct net_backend plain = {"plain", "", 1, 1};
    assert_int_equal(net_create(&each[0].net, &game, &l.model, l.params, &plain, NULL), BANYAN_OK);
    for (int i = 0; i < 3; ++i) {
        struct banyan_leaf *leaf = &each[i].leaf;
        each[i].net = each[0].net;
        *leaf = (struct banyan_leaf){.game = &game, .state = state, .movers = 1};
        leaf->count[0] = game.legal(&game, state, 0, each[i].actions);
        leaf->actions[0] = each[i].actions;
        leaf->priors[0] = each[i].priors;
    }
    evaluate_once(&each[0]); /* now the network has memory for one thread */
    atomic_store(&encoding.has_begun, false);
    pthread_mutex_lock(&encoding.gate);
    assert_int_equal(pthread_create(&threads[0], NULL, evaluate_once, &each[1]), 0);
    while (!atomic_load(&encoding.has_begun))
        sched_yield();
    refused.held = 0;
    refused.allowed = 0;
    refused.counting = true;
    assert_int_equal(pthread_create(&threads[1], NULL, evaluate_once, &each[2]), 0);
    while (*(volatile long *)&refused.allowed >= 0)
        sched_yield();
    pthread_mutex_unlock(&encoding.gate);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    refused.counting = false;
    for (int i = 1; i < 3; ++i) {
        assert_int_equal(each[i].status, BANYAN_OK);
        assert_memory_equal(each[i].priors, each[0].priors, sizeof each[0].priors);
        assert_true(each[i].leaf.values[0] == each[0].leaf.values[0]);
    }
    net_destroy(each[0].net);
    learner_destroy(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_without_memory),
        cmocka_unit_test(files_without_memory),
        cmocka_unit_test(a_teacher_without_memory),
        cmocka_unit_test(a_thread_without_memory_waits_for_another),
    };
    snprintf(path, sizeof path, "/tmp/banyan_test_memory_%ld", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
