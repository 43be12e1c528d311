/* Learns from the window, compares with the best network, publishes, and tests the best network against fixed
 * opponents. */
#include "train/loop_state.h"

#include "base/clock.h"
#include "match/elo.h"
#include "players/program/offers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static double learn_rate_factor(const struct loop *loop)
{
    const struct loop_options *options = &loop->settings.loop;
    double done = (double)(loop->now.generation - 1) / options->generations;
    return 1 - (1 - options->rate_end) * (done < 1 ? done : 1);
}

static struct learn_options learn_options_now(const struct loop *loop)
{
    const struct loop_options *options = &loop->settings.loop;
    return (struct learn_options){.batch = options->batch,
                                  .rate_factor = learn_rate_factor(loop),
                                  .value_weight = (float)options->value_weight,
                                  .owner_weight = (float)options->owner_weight,
                                  .score_weight = (float)options->score_weight,
                                  .replay = {options->value_mix, options->symmetries},
                                  .optimizer = loop->settings.optimizer};
}

/* What is done between two steps of learning. */
static enum banyan_status learn_between(void *ctx, struct banyan_error *err)
{
    return loop_queue_serve(ctx, err);
}

static enum banyan_status learn_save(struct loop *loop, struct banyan_error *err)
{
    char path[LOOP_PATH], previous[LOOP_PATH];
    loop_path(loop, path, "learner.safetensors");
    loop_path(loop, previous, "learner.prev.safetensors");
    remove(previous);
    if (link(path, previous) != 0 && errno != ENOENT && errno != EEXIST)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", previous, strerror(errno));
    return loop_save_net(loop, "learner.safetensors", true, err);
}

/* Takes over the results that an earlier attempt at this generation has stored. */
static enum banyan_status learn_recall_row(void *ctx, const struct loop_generation *generation)
{
    struct loop *loop = ctx;
    if (generation->generation == loop->now.generation)
        loop->now = *generation;
    return BANYAN_OK;
}

static enum banyan_status learn_recall(struct loop *loop, struct banyan_error *err)
{
    return train_database_each_generation(loop->database, TRAIN_DATABASE_PROGRESS,
                                          loop->now.generation, learn_recall_row, loop, err);
}

enum { LEARN_HELD = 4096 }; /* number of positions that are measured */

/* Losses of the network that will play, on games from which it has not learned. */
static enum banyan_status learn_hold(struct loop *loop, const struct learn_options *learn,
                                     struct banyan_error *err)
{
    struct learn_options options = *learn;
    struct banyan_rng rng;
    int64_t held = replay_positions(loop->held);
    int64_t batches = (held < LEARN_HELD ? held : LEARN_HELD) / learn->batch + 1;
    if (!replay_positions(loop->held))
        return BANYAN_OK;
    banyan_rng_seed(
        &rng, banyan_rng_child(loop->settings.loop.seed, "hold", (uint64_t)loop->now.generation));
    options.replay.symmetries = false;
    options.replay.value_mix = 0;
    const struct learn_setting setting = {&loop->model, loop->backend, loop->ctx,     &options,
                                          loop->held,   &rng,          learn_between, loop};
    return learn_measure(&setting, batches, loop->learner.average, &loop->now.held, err);
}

enum banyan_status loop_learn(struct loop *loop, struct banyan_error *err)
{
    const struct loop_options *options = &loop->settings.loop;
    double start_ms = clock_now_ms();
    if (loop->header.generation >= loop->now.generation) /* done before the run was stopped */
        return learn_recall(loop, err);
    struct learn_options learn = learn_options_now(loop);
    int64_t steps = (int64_t)(options->passes * (double)loop->now.positions / options->batch + 0.5);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, banyan_rng_child(options->seed, "learn", (uint64_t)loop->now.generation));
    loop_progress(loop, "steps", 0, steps);
    const struct learn_setting setting = {&loop->model, loop->backend, loop->ctx,     &learn,
                                          loop->replay, &rng,          learn_between, loop};
    enum banyan_status status = learn_steps(&setting, steps > 0 ? steps : 1, &loop->learner,
                                            loop->job->stop, &loop->now.learned, err);
    if (status == BANYAN_OK)
        status = learn_hold(loop, &learn, err);
    loop->now.step = loop->learner.step;
    loop->now.learn_s = (clock_now_ms() - start_ms) / 1000;
    /* stored before the learner, so that a process that sees its file finds this row, too */
    if (status == BANYAN_OK)
        status =
            train_database_add_generation(loop->database, TRAIN_DATABASE_PROGRESS, &loop->now, err);
    if (status == BANYAN_OK) {
        loop->header.generation = loop->now.generation;
        loop->header.rng = rng;
        status = learn_save(loop, err);
    }
    return status;
}

/* --- comparing --- */

static void gate_player(const struct loop *loop, char *out, size_t size, const char *net,
                        int simulations)
{
    const struct loop_options *options = &loop->settings.loop;
    snprintf(out, size, "net:%s/%s,simulations=%d%s%s%s%s", loop->job->folder, net, simulations,
             options->backend[0] ? ",backend=" : "", options->backend,
             options->type[0] ? ",type=" : "", options->type);
}

static enum banyan_status gate_compare(struct loop *loop, struct banyan_error *err)
{
    const struct loop_options *options = &loop->settings.loop;
    char candidate[LOOP_PATH + 256], best[LOOP_PATH + 256];
    struct match_result result;
    loop_progress(loop, "gate", 0, options->gate_games);
    gate_player(loop, candidate, sizeof candidate, "candidate.safetensors",
                options->gate_simulations);
    gate_player(loop, best, sizeof best, "best.safetensors", options->gate_simulations);
    struct loop_match match = {.first = candidate,
                               .second = best,
                               .games = options->gate_games,
                               .plies = options->gate_plies,
                               .label = "gate"};
    match.sprt = options->gate_elo1 > options->gate_elo0;
    enum banyan_status status = loop_match(loop, &match, &result, err);
    if (status != BANYAN_OK)
        return status;
    loop->now.gate_games = result.games;
    loop->now.gate_score = result.players[0].score / (double)result.games;
    loop->now.published = match.sprt && result.sprt != SPRT_GO_ON
                              ? result.sprt == SPRT_ELO1
                              : loop->now.gate_score >= options->gate_share;
    return BANYAN_OK;
}

enum banyan_status loop_gate(struct loop *loop, struct banyan_error *err)
{
    double start_ms = clock_now_ms();
    enum banyan_status status = loop_save_net(loop, "candidate.safetensors", false, err);
    if (status != BANYAN_OK || loop->now.gate_games)
        return status; /* compared before the run was stopped */
    loop->now.published = true;
    if (loop->settings.loop.gate_games)
        status = gate_compare(loop, err);
    loop->now.gate_s = (clock_now_ms() - start_ms) / 1000;
    if (status == BANYAN_OK)
        status =
            train_database_add_generation(loop->database, TRAIN_DATABASE_PROGRESS, &loop->now, err);
    return status;
}

enum banyan_status loop_publish(struct loop *loop, struct banyan_error *err)
{
    char candidate[LOOP_PATH], best[LOOP_PATH];
    loop->now.elo = loop->elo;
    loop_path(loop, candidate, "candidate.safetensors");
    loop_path(loop, best, "best.safetensors");
    enum banyan_status status = loop_ahead_publish(loop, err);
    if (status != BANYAN_OK || !loop->now.published)
        return status;
    /* if all games were won, Elo would be infinite: count half a game as not won */
    if (loop->now.gate_games) {
        double half = 0.5 / (double)loop->now.gate_games, score = loop->now.gate_score;
        score = score > 1 - half ? 1 - half : score < half ? half : score;
        loop->now.elo += elo_from_score(score);
    }
    if (rename(candidate, best) != 0)
        return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", best, strerror(errno));
    return BANYAN_OK;
}

/* --- tests --- */

/* which: the number of the opponent, 1 to JOB_TESTS */
static enum banyan_status test_one(struct loop *loop, const char *opponent, int which,
                                   struct match_result *result, struct banyan_error *err)
{
    const struct loop_options *options = &loop->settings.loop;
    char best[LOOP_PATH + 256];
    struct train_database_test test = {.generation = loop->now.generation};
    loop_progress(loop, "test", 0, options->test_games);
    gate_player(loop, best, sizeof best, "best.safetensors", options->test_simulations);
    const struct loop_match match = {.first = best,
                                     .second = opponent,
                                     .games = options->test_games,
                                     .plies = options->test_plies,
                                     .label = "test",
                                     .which = which};
    enum banyan_status status = loop_match(loop, &match, result, err);
    if (status != BANYAN_OK)
        return status;
    test.games = result->games;
    test.losses = result->players[0].losses;
    test.score = result->players[0].score / (double)result->games;
    snprintf(test.opponent, sizeof test.opponent, "%s", opponent);
    return train_database_add_test(loop->database, &test, err);
}

/* Copies the next part of "A|B|C"; bars inside brackets do not separate.  False: no part is
 * left. */
static bool test_next(const char **list, char *out, size_t size)
{
    int depth = 0;
    size_t length = 0;
    if (!**list)
        return false;
    for (; **list && (**list != '|' || depth); ++*list) {
        depth += **list == '(' ? 1 : **list == ')' ? -1 : 0;
        if (length + 1 < size)
            out[length++] = **list;
    }
    out[length] = 0;
    *list += **list == '|';
    return true;
}

enum banyan_status loop_test_check(const struct loop *loop, struct banyan_error *err)
{
    const char *list = loop->settings.loop.test;
    char opponent[256];
    int count = 0;
    while (test_next(&list, opponent, sizeof opponent)) {
        struct banyan_player player;
        struct banyan_error why;
        enum banyan_status status =
            banyan_player_create(loop->game, opponent, program_offers, 0, &player, &why);
        if (status != BANYAN_OK)
            return banyan_fail(err, status, "test: %s", why.message);
        banyan_player_close(&player);
        if (++count > JOB_TESTS)
            return banyan_fail(err, BANYAN_INVALID, "test: more than %d opponents", JOB_TESTS);
    }
    return BANYAN_OK;
}

enum banyan_status loop_test(struct loop *loop, struct banyan_error *err)
{
    const struct loop_options *options = &loop->settings.loop;
    const char *list = options->test;
    char opponent[256];
    enum banyan_status status = BANYAN_OK;
    loop->test_losses = 0;
    if (loop->now.generation % options->test_every)
        return BANYAN_OK;
    double start_ms = clock_now_ms();
    for (int i = 0; status == BANYAN_OK && test_next(&list, opponent, sizeof opponent); ++i) {
        struct match_result result;
        status = test_one(loop, opponent, i + 1, &result, err);
        if (status == BANYAN_OK)
            loop->test_losses += result.players[0].losses;
        /* the first opponent's result is shown as the generation's */
        if (status != BANYAN_OK || i > 0)
            continue;
        loop->now.test_games = result.games;
        loop->now.test_losses = result.players[0].losses;
        loop->now.test_score = result.players[0].score / (double)result.games;
    }
    loop->now.test_s = (clock_now_ms() - start_ms) / 1000;
    return status;
}
