/* The learning loop with a backend that records its calls: what reaches the optimizer and the
 * report, and the window of games that samples are drawn from. */
#include "players/program/net.h"
#include "train/learn.h"
#include "train/replay.h"

#include "nn_check.h"

/* Returns the losses and the gradient of each call in turn, and records its arguments. */
struct told {
    const struct nn_losses *losses;
    const float *gradients; /* every entry of the block; INFINITY: learning diverges */
    int calls, fail_at;
    size_t size;
    struct nn_batch batch;
};

static enum banyan_status told_gradients(void *ctx, const float *params,
                                         const struct nn_batch *batch, float *gradients,
                                         struct nn_losses *losses, struct banyan_error *err)
{
    struct told *told = ctx;
    (void)params;
    if (told->calls == told->fail_at)
        return banyan_fail(err, BANYAN_NO_MEMORY, "told to fail");
    told->batch = *batch;
    *losses = told->losses[told->calls];
    for (size_t i = 0; i < told->size; ++i)
        gradients[i] = told->gradients[told->calls];
    ++told->calls;
    return BANYAN_OK;
}

static const struct nn_backend backend = {.name = "told", .gradients = told_gradients};

struct learning {
    struct nn_model model;
    struct nn_state state;
    struct replay *replay;
    struct banyan_rng rng;
    struct learn_options options;
    struct told told;
    struct learn_setting setting;
};

/* A game of tic-tac-toe that X wins, of which the first `taught` choices are samples, with two actions
 * each; X's result is written as `result`. */
static struct record five_choices(const struct banyan_game *game, int taught, float result)
{
    static const char *const moves[] = {"a1", "a2", "b1", "b2", "c1"};
    struct record record = {.returns = {result, -result}};
    unsigned char *state = calloc(1, game->state_size);
    record.start = malloc(BANYAN_TEXT_MAX);
    assert_int_equal(game->init(game, state, NULL, NULL, NULL), BANYAN_OK);
    game->format(game, state, record.start, BANYAN_TEXT_MAX);
    for (int i = 0; i < 5; ++i) {
        banyan_action joint[2] = {0}, legal[9];
        assert_true(game->legal(game, state, i % 2, legal) >= 2);
        struct record_choice choice = {.player = (uint8_t)(i % 2),
                                       .taught = i < taught,
                                       .first = record.action_count,
                                       .count = i < taught ? 2 : 0};
        assert_int_equal(game->action_parse(game, state, i % 2, moves[i], &choice.action, NULL),
                         BANYAN_OK);
        for (int k = 0; k < choice.count; ++k)
            assert_true(record_add_action(&record, legal[k], 1));
        assert_true(record_add_choice(&record, &choice));
        joint[i % 2] = choice.action;
        game->apply(game, state, joint, NULL);
    }
    free(state);
    return record;
}

static void learning_create(struct learning *l, const struct nn_losses *losses,
                            const float *gradients)
{
    const struct banyan_game *game;
    struct nn_arch arch;
    memset(l, 0, sizeof *l);
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game, &arch, NULL), BANYAN_OK);
    arch.channels = 4, arch.blocks = 1, arch.value_hidden = 4;
    assert_int_equal(nn_model_build(&l->model, &arch, NULL), BANYAN_OK);
    assert_int_equal(nn_state_create(&l->state, &l->model, NULL), BANYAN_OK);
    assert_int_equal(replay_create(&l->replay, game, &l->model.arch, NULL), BANYAN_OK);
    struct record record = five_choices(game, 1, 1);
    assert_int_equal(replay_add(l->replay, &record, NULL), BANYAN_OK);
    banyan_rng_seed(&l->rng, 1);
    nn_optimizer_options_default(&l->options.optimizer);
    l->options.optimizer.method = NN_SGD;
    l->options.optimizer.momentum = l->options.optimizer.decay = l->options.optimizer.clip = 0;
    l->options.optimizer.rate = 0.5;
    l->options.rate_factor = 0.25;
    l->options.batch = 3;
    l->options.value_weight = 2, l->options.owner_weight = 3, l->options.score_weight = 5;
    l->told = (struct told){
        .losses = losses, .gradients = gradients, .fail_at = -1, .size = l->model.size};
    l->setting = (struct learn_setting){.model = &l->model,
                                        .backend = &backend,
                                        .ctx = &l->told,
                                        .options = &l->options,
                                        .replay = l->replay,
                                        .rng = &l->rng};
}

static void learning_destroy(struct learning *l)
{
    nn_state_destroy(&l->state);
    replay_destroy(l->replay);
}

static double learned_count(const struct nn_model *model)
{
    double count = 0;
    for (int i = 0; i < model->tensor_count; ++i)
        if (model->tensors[i].role == NN_WEIGHT || model->tensors[i].role == NN_BIAS)
            count += (double)model->tensors[i].count;
    return count;
}

/* Two batches; losses are sums over positions, the policy's over those that teach it:
 *   policy  6/3 = 2, 8/2 = 4: mean 3        entropy 3/3 = 1, 1/2: mean 0.75
 *   value   8/4 = 2, 4/4 = 1: mean 1.5      owner 2/4, 6/4: mean 1      score 4/4, 12/4: mean 2
 *   norm    g sqrt n with g 2 and 4: mean 3 sqrt n */
static const struct nn_losses losses[] = {{.policy = 6,
                                           .entropy = 3,
                                           .value = 8,
                                           .owner = 2,
                                           .score = 4,
                                           .policy_positions = 3,
                                           .positions = 4},
                                          {.policy = 8,
                                           .entropy = 1,
                                           .value = 4,
                                           .owner = 6,
                                           .score = 12,
                                           .policy_positions = 2,
                                           .positions = 4}};
static const float gradients[] = {2, 4};

static void check_report(const struct learning *l, const struct learn_report *report)
{
    assert_int_equal(report->steps, 2);
    assert_int_equal(report->positions, 8);
    assert_true(report->policy == 3 && report->entropy == 0.75);
    assert_true(report->value == 1.5 && report->owner == 1 && report->score == 2);
    assert_true(fabs(report->norm - 3 * sqrt(learned_count(&l->model))) < 1e-6);
}

/* Velocity without momentum is the gradient: a weight moves by -0.5 * 0.25 * 2, then by -0.5 * 0.25 *
 * 4: from 0 to -0.75. */
static void steps_by_hand(void **unused)
{
    (void)unused;
    struct learning l;
    struct learn_report report;
    learning_create(&l, losses, gradients);
    assert_int_equal(learn_steps(&l.setting, 2, &l.state, NULL, &report, NULL), BANYAN_OK);
    check_report(&l, &report);
    for (int i = 0; i < l.model.tensor_count; ++i)
        if (l.model.tensors[i].role == NN_WEIGHT || l.model.tensors[i].role == NN_BIAS)
            assert_true(l.state.params[l.model.tensors[i].offset] == -0.75f);
    assert_int_equal(l.state.step, 2);
    assert_int_equal(l.told.batch.count, 3);
    assert_true(l.told.batch.value_weight == 2 && l.told.batch.owner_weight == 3 &&
                l.told.batch.score_weight == 5);
    learning_destroy(&l);
}

static void measuring_learns_nothing(void **unused)
{
    (void)unused;
    struct learning l;
    struct learn_report report;
    learning_create(&l, losses, gradients);
    assert_int_equal(learn_measure(&l.setting, 2, l.state.params, &report, NULL), BANYAN_OK);
    check_report(&l, &report);
    for (size_t i = 0; i < l.model.size; ++i)
        assert_true(l.state.params[i] == 0);
    assert_int_equal(l.state.step, 0);
    learning_destroy(&l);
}

/* Without any sample nothing is divided by 0: all losses are 0. */
static void nothing_seen(void **unused)
{
    (void)unused;
    struct learning l;
    struct learn_report report;
    const struct nn_losses none[] = {{.policy = 0}};
    learning_create(&l, none, gradients);
    assert_int_equal(learn_steps(&l.setting, 0, &l.state, NULL, &report, NULL), BANYAN_OK);
    assert_true(report.steps == 0 && report.policy == 0 && report.norm == 0);
    assert_int_equal(learn_measure(&l.setting, 1, l.state.params, &report, NULL), BANYAN_OK);
    assert_true(report.steps == 1 && report.policy == 0 && report.value == 0);
    learning_destroy(&l);
}

/* Learning ends by the stop flag before a step, by an error of the backend, or by a gradient
 * that is not finite. */
static void what_ends_learning(void **unused)
{
    (void)unused;
    const float diverging[] = {2, INFINITY};
    struct learning l;
    struct learn_report report;
    struct banyan_error err;
    banyan_flag stop = {1};
    learning_create(&l, losses, gradients);
    assert_int_equal(learn_steps(&l.setting, 2, &l.state, &stop, &report, &err),
                     BANYAN_INTERRUPTED);
    assert_int_equal(l.told.calls, 0);
    banyan_flag_clear(&stop);
    l.told.fail_at = 1;
    assert_int_equal(learn_steps(&l.setting, 2, &l.state, &stop, &report, &err), BANYAN_NO_MEMORY);
    assert_int_equal(l.state.step, 1);
    assert_int_equal(report.steps, 1);
    assert_int_equal(learn_measure(&l.setting, 1, l.state.params, &report, &err), BANYAN_NO_MEMORY);
    assert_int_equal(report.steps, 0);
    learning_destroy(&l);
    learning_create(&l, losses, diverging);
    assert_int_equal(learn_steps(&l.setting, 2, &l.state, &stop, &report, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "diverged"));
    learning_destroy(&l);
}

/* --- the window --- */

/* How many of 300 draws are of each game: X's result is number / 1000, so a value target shows
 * its game. */
static void count_drawn(struct learning *l, int drawn[1000])
{
    struct nn_batch batch;
    struct replay_options options = {.value_mix = 0};
    memset(drawn, 0, 1000 * sizeof *drawn);
    assert_int_equal(replay_sample(l->replay, &options, 300, &l->rng, &batch, NULL), BANYAN_OK);
    for (int i = 0; i < 300; ++i)
        ++drawn[(int)(fabsf(batch.values[i]) * 1000 + 0.5f)];
}

/* 900 games of two samples each, but every third one has four: 8 positions in 3 games. "Forgets
 * the oldest games beyond so many positions": if 9 are to be kept after game 899 (four samples),
 * games 899, 898 and 897 (8 positions) and 896, which has the ninth, are kept.  Positions are
 * equally likely: 300 of 12. */
static void the_window_moves(void **unused)
{
    (void)unused;
    static int drawn[1000];
    const struct banyan_game *game;
    struct learning l;
    learning_create(&l, losses, gradients);
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    assert_int_equal(replay_games(l.replay), 1);
    for (int i = 0; i < 900; ++i) {
        struct record record = five_choices(game, i % 3 == 2 ? 4 : 2, (float)i / 1000);
        assert_int_equal(replay_add(l.replay, &record, NULL), BANYAN_OK);
        assert_null(record.start);
        replay_trim(l.replay, i < 500 ? 1000 : 9);
    }
    assert_int_equal(replay_games(l.replay), 4);
    assert_int_equal(replay_positions(l.replay), 12);
    count_drawn(&l, drawn);
    assert_int_equal(drawn[896] + drawn[897] + drawn[898] + drawn[899], 300);
    assert_in_range(drawn[896], 65, 135); /* 100 +- 4 sqrt(300/3*2/3) */
    assert_in_range(drawn[897], 20, 80);  /* 50 +- 4 sqrt(300/6*5/6) */
    assert_in_range(drawn[898], 20, 80);
    assert_in_range(drawn[899], 65, 135);
    replay_trim(l.replay, 8); /* 8 positions are enough without the oldest game */
    assert_int_equal(replay_games(l.replay), 3);
    replay_trim(l.replay, 5);
    assert_int_equal(replay_games(l.replay), 2);
    replay_trim(l.replay, 0); /* the newest game is never forgotten */
    assert_int_equal(replay_games(l.replay), 1);
    assert_int_equal(replay_positions(l.replay), 4);
    learning_destroy(&l);
}

/* A window grows to hold all games that are added. */
static void the_window_grows(void **unused)
{
    (void)unused;
    static int drawn[1000];
    const struct banyan_game *game;
    struct learning l;
    learning_create(&l, losses, gradients);
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    for (int i = 0; i < 999; ++i) {
        struct record record = five_choices(game, 2, (float)i / 1000);
        assert_int_equal(replay_add(l.replay, &record, NULL), BANYAN_OK);
        replay_trim(l.replay, 1999);
    }
    assert_int_equal(replay_games(l.replay), 1000);
    assert_int_equal(replay_positions(l.replay), 1999);
    count_drawn(&l, drawn);
    int halves[2] = {0};
    for (int i = 0; i < 999; ++i)
        halves[i >= 500] += drawn[i];
    assert_in_range(halves[0], 115, 185); /* 150 +- 4 sqrt(300/4) */
    assert_in_range(halves[1], 115, 185);
    learning_destroy(&l);
}

static void an_empty_window_teaches_nothing(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    struct learning l;
    struct nn_batch batch;
    struct banyan_error err;
    struct replay_options options = {.value_mix = 0};
    learning_create(&l, losses, gradients);
    replay_destroy(l.replay);
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    assert_int_equal(replay_create(&l.replay, game, &l.model.arch, NULL), BANYAN_OK);
    struct record record = five_choices(game, 0, 1);
    assert_int_equal(replay_add(l.replay, &record, NULL), BANYAN_OK);
    assert_int_equal(replay_sample(l.replay, &options, 1, &l.rng, &batch, &err), BANYAN_INVALID);
    learning_destroy(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_hand),
        cmocka_unit_test(measuring_learns_nothing),
        cmocka_unit_test(nothing_seen),
        cmocka_unit_test(what_ends_learning),
        cmocka_unit_test(the_window_moves),
        cmocka_unit_test(the_window_grows),
        cmocka_unit_test(an_empty_window_teaches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
