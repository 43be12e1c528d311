/* The optimizer, safetensors files and the targets of self-play against values computed by hand:
 * the arithmetic is in the comments. */
#include "nn/optimizer.h"
#include "nn/safetensors.h"
#include "players/program/net.h"
#include "train/play.h"
#include "train/play_target.h"
#include "train/replay.h"

#include "nn_check.h"

/* --- the optimizer --- */

/* A network with weights, biases, gains, statistics and a table; all parameters are 1. */
struct stepped {
    struct nn_model model;
    struct nn_optimizer_options options;
    struct nn_state state;
    float *gradients;
};

static void stepped_create(struct stepped *s, int method)
{
    struct nn_arch arch;
    nn_arch_default(&arch);
    arch.planes = 2, arch.height = arch.width = 3, arch.actions = 37, arch.values = 1;
    arch.channels = 4, arch.blocks = 1, arch.value_hidden = 4, arch.norm = NN_NORM_BATCH;
    arch.policy_head = NN_POLICY_PAIRS;
    struct banyan_error err = {.message = ""};
    if (nn_model_build(&s->model, &arch, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(nn_state_create(&s->state, &s->model, &err), BANYAN_OK);
    nn_optimizer_options_default(&s->options);
    s->options.method = method;
    s->options.rate = 0.1, s->options.decay = 0.2, s->options.clip = 0;
    s->options.momentum = 0.9, s->options.beta1 = 0.9, s->options.beta2 = 0.99;
    s->options.average = 0.99, s->options.follow = 0.1;
    s->gradients = nn_block_create(s->model.size);
    for (size_t i = 0; i < s->model.size; ++i)
        s->state.params[i] = s->state.average[i] = 1;
}

static void stepped_destroy(struct stepped *s)
{
    nn_state_destroy(&s->state);
    free(s->gradients);
}

static double stepped_step(struct stepped *s, double factor, float gradient)
{
    for (size_t i = 0; i < s->model.size; ++i)
        s->gradients[i] = gradient;
    return nn_optimizer_step(&s->model, &s->options, factor, s->gradients, &s->state);
}

/* Which parameters decay follows from their names here, independently of the roles that the
 * optimizer uses. */
static bool name_ends(const char *name, const char *end)
{
    size_t length = strlen(name), part = strlen(end);
    return length >= part && strcmp(name + length - part, end) == 0;
}

/* Checks every parameter of the block: weights, biases and gains, statistics, tables. */
static void stepped_check(const struct stepped *s, const float *block, double weight, double bias,
                          double statistic, double table)
{
    int seen[4] = {0};
    for (int i = 0; i < s->model.tensor_count; ++i) {
        const struct nn_tensor *tensor = &s->model.tensors[i];
        int kind = name_ends(tensor->name, "weight")                                        ? 0
                   : name_ends(tensor->name, "bias") || name_ends(tensor->name, "gain")     ? 1
                   : name_ends(tensor->name, "mean") || name_ends(tensor->name, "variance") ? 2
                                                                                            : 3;
        double expected = (const double[]){weight, bias, statistic, table}[kind];
        ++seen[kind];
        for (size_t j = 0; j < tensor->count; ++j)
            if (fabs(block[tensor->offset + j] - expected) > 2e-6)
                fail_msg("%s: %.7f instead of %.7f", tensor->name,
                         (double)block[tensor->offset + j], expected);
    }
    assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
}

/* Loshchilov and Hutter 2019, algorithm 2; rate 0.1, decay 0.2: a weight keeps 1 - 0.1*0.2 = 0.98.
 *   step 1, g 0.5:    m = 0.1*0.5 = 0.05, v = 0.01*0.25 = 0.0025; unbiased m 0.05/0.1 = 0.5,
 *                     v 0.0025/0.01 = 0.25; step 0.1*0.5/0.5 = 0.1
 *                     weight 0.98 - 0.1 = 0.88, bias 1 - 0.1 = 0.9
 *   step 2, g -0.25:  m = 0.045 - 0.025 = 0.02, v = 0.002475 + 0.000625 = 0.0031; unbiased
 *                     m 0.02/0.19 = 0.1052632, v 0.0031/0.0199 = 0.1557789, root 0.3946884;
 *                     step 0.1*0.1052632/0.3946884 = 0.0266700
 *                     weight 0.88*0.98 - 0.02667 = 0.8357300, bias 0.9 - 0.02667 = 0.8733300
 * Statistics follow a tenth of the way: 1 + 0.1 (0.5 - 1) = 0.95, 0.95 + 0.1 (-0.25 - 0.95) = 0.83.
 * The average keeps 1 - 1/(steps + 1) at first: 1/2, then 2/3:
 *   weight 1 + (0.88 - 1)/2 = 0.94, 0.94 + (0.83573 - 0.94)/3 = 0.9052433
 *   bias   1 + (0.9 - 1)/2 = 0.95, 0.95 + (0.87333 - 0.95)/3 = 0.9244433
 *   statistic 0.975, 0.975 + (0.83 - 0.975)/3 = 0.9266667 */
static void adamw_by_hand(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_ADAMW);
    stepped_step(&s, 1, 0.5f);
    stepped_check(&s, s.state.params, 0.88, 0.9, 0.95, 1);
    stepped_check(&s, s.state.average, 0.94, 0.95, 0.975, 1);
    stepped_step(&s, 1, -0.25f);
    stepped_check(&s, s.state.params, 0.83573, 0.87333, 0.83, 1);
    stepped_check(&s, s.state.average, 0.9052433, 0.9244433, 0.9266667, 1);
    assert_int_equal(s.state.step, 2);
    stepped_destroy(&s);
}

/* Epsilon stands beside the root: 0.1*0.5/(0.5 + 1) = 0.0333333.  Half the rate: step
 * 0.05*0.5/1.5 = 0.0166667, and a weight keeps 1 - 0.05*0.2 = 0.99. */
static void epsilon_and_the_schedule_by_hand(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_ADAMW);
    s.options.epsilon = 1;
    stepped_step(&s, 1, 0.5f);
    stepped_check(&s, s.state.params, 0.98 - 0.0333333, 1 - 0.0333333, 0.95, 1);
    stepped_destroy(&s);
    stepped_create(&s, NN_ADAMW);
    s.options.epsilon = 1;
    stepped_step(&s, 0.5, 0.5f);
    stepped_check(&s, s.state.params, 0.99 - 0.0166667, 1 - 0.0166667, 0.95, 1);
    stepped_destroy(&s);
}

/* Velocity: 0.5, then 0.9*0.5 - 0.25 = 0.2.  weight 0.98 - 0.05 = 0.93, 0.93*0.98 - 0.02 = 0.8914;
 * bias 1 - 0.05 = 0.95, 0.95 - 0.02 = 0.93. */
static void momentum_by_hand(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_SGD);
    stepped_step(&s, 1, 0.5f);
    stepped_check(&s, s.state.params, 0.93, 0.95, 0.95, 1);
    stepped_step(&s, 1, -0.25f);
    stepped_check(&s, s.state.params, 0.8914, 0.93, 0.83, 1);
    stepped_destroy(&s);
}

/* n numbers of 0.5 that are learned have the norm 0.5 sqrt n.  Cut at 0.2 sqrt n, the gradient is
 * scaled by 0.4: velocity 0.2, weight 0.98 - 0.02 = 0.96, bias 0.98.  A limit of 0.6 sqrt n, or of
 * 0 = none, changes nothing.  Statistics are no gradient: they are not in the norm and not scaled. */
static void clipping_by_hand(void **unused)
{
    (void)unused;
    const double limits[] = {0.2, 0.6, 0};
    for (int i = 0; i < 3; ++i) {
        struct stepped s;
        stepped_create(&s, NN_SGD);
        double learned = 0;
        for (int t = 0; t < s.model.tensor_count; ++t)
            if (name_ends(s.model.tensors[t].name, "weight") ||
                name_ends(s.model.tensors[t].name, "bias") ||
                name_ends(s.model.tensors[t].name, "gain"))
                learned += (double)s.model.tensors[t].count;
        s.options.clip = limits[i] * sqrt(learned);
        assert_true(fabs(stepped_step(&s, 1, 0.5f) - 0.5 * sqrt(learned)) < 1e-6);
        stepped_check(&s, s.state.params, i ? 0.93 : 0.96, i ? 0.95 : 0.98, 0.95, 1);
        stepped_destroy(&s);
    }
}

static void a_gradient_that_is_not_finite_changes_nothing(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_ADAMW);
    assert_true(stepped_step(&s, 1, INFINITY) > 1e30);
    assert_true(isnan(stepped_step(&s, 1, NAN)));
    stepped_check(&s, s.state.params, 1, 1, 1, 1);
    stepped_check(&s, s.state.average, 1, 1, 1, 1);
    assert_int_equal(s.state.step, 0);
    stepped_destroy(&s);
}

/* A state that has learned starts anew: the weights of its seed, which play, too, and no moments. */
static void a_state_starts_anew(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_ADAMW);
    float *fresh = nn_block_create(s.model.size);
    nn_model_start(&s.model, fresh, 9);
    stepped_step(&s, 1, 0.5f);
    nn_state_start(&s.state, &s.model, 9);
    for (size_t i = 0; i < s.model.size; ++i) {
        assert_true(s.state.params[i] == fresh[i] && s.state.average[i] == fresh[i]);
        assert_true(s.state.first[i] == 0 && s.state.second[i] == 0);
    }
    assert_int_equal(s.state.step, 0);
    free(fresh);
    stepped_destroy(&s);
}

/* --- safetensors: what the format's own rules say of offsets --- */

/* Parses a file of this header and so many bytes of data. */
static enum banyan_status parse_header(const char *header, size_t data)
{
    unsigned char bytes[512] = {0};
    size_t length = strlen(header);
    struct safetensors *file;
    struct banyan_error err = {.message = ""};
    assert_true(length < 256 && 8 + length + data <= sizeof bytes);
    bytes[0] = (unsigned char)length;
    memcpy(bytes + 8, header, length);
    enum banyan_status status = safetensors_parse(&file, bytes, 8 + length + data, "made", &err);
    assert_true((status == BANYAN_OK) == (file != NULL));
    assert_true((status == BANYAN_OK) == (err.message[0] == 0));
    safetensors_free(file);
    return status;
}

#define TENSOR(name, shape, begin, end) \
    "\"" name "\":{\"dtype\":\"F32\",\"shape\":[" shape "],\"data_offsets\":[" begin "," end "]}"

/* https://github.com/huggingface/safetensors, Format: offsets are within the data, begin <= end, no
 * two tensors overlap, no byte is left over, and end - begin is the product of the shape times the
 * size of the type (F32: 4). */
static void offsets_of_safetensors(void **unused)
{
    (void)unused;
    const struct {
        const char *what, *header;
        size_t data;
        bool good;
    } cases[] = {
        {"8 bytes in two tensors",
         "{" TENSOR("a", "1", "0", "4") "," TENSOR("b", "1", "4", "8") "}", 8, true},
        {"in the other order", "{" TENSOR("a", "1", "4", "8") "," TENSOR("b", "1", "0", "4") "}", 8,
         true},
        {"2 x 3 numbers", "{" TENSOR("a", "2,3", "0", "24") "}", 24, true},
        {"a number without a shape", "{" TENSOR("a", "", "0", "4") "}", 4, true},
        {"no numbers", "{" TENSOR("a", "0", "0", "0") "}", 0, true},
        {"end one byte beyond the file", "{" TENSOR("a", "2", "0", "8") "}", 7, false},
        {"end four bytes beyond the file", "{" TENSOR("a", "2", "0", "8") "}", 4, false},
        {"the second begins where the file ends",
         "{" TENSOR("a", "1", "0", "4") "," TENSOR("b", "1", "4", "8") "}", 4, false},
        {"begin and end far beyond", "{" TENSOR("a", "1", "1000000", "1000004") "}", 4, false},
        {"begin behind end", "{" TENSOR("a", "1", "8", "4") "}", 8, false},
        {"end wraps around 2^64: -4",
         "{" TENSOR("a", "1", "18446744073709551612", "18446744073709551616") "}", 4, false},
        {"overlap by one number",
         "{" TENSOR("a", "2", "0", "8") "," TENSOR("b", "2", "4", "12") "}", 12, false},
        {"overlap that leaves as many bytes over",
         "{" TENSOR("a", "2", "0", "8") "," TENSOR("b", "2", "4", "12") "}", 16, false},
        {"one inside the other", "{" TENSOR("a", "3", "0", "12") "," TENSOR("b", "1", "4", "8") "}",
         16, false},
        {"the same place twice", "{" TENSOR("a", "1", "0", "4") "," TENSOR("b", "1", "0", "4") "}",
         8, false},
        {"a hole between two", "{" TENSOR("a", "1", "0", "4") "," TENSOR("b", "1", "8", "12") "}",
         12, false},
        {"bytes left over at the end", "{" TENSOR("a", "1", "0", "4") "}", 5, false},
        {"the same name twice", "{" TENSOR("a", "1", "0", "4") "," TENSOR("a", "1", "4", "8") "}",
         8, false},
        {"shape of 8 bytes in 4", "{" TENSOR("a", "2", "0", "4") "}", 4, false},
        {"shape of 4 bytes in 8", "{" TENSOR("a", "1", "0", "8") "}", 8, false},
        {"a shape whose product wraps around to 4: 2^31 * 2^31 * 4",
         "{" TENSOR("a", "2147483648,2147483648,1", "0", "4") "}", 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (parse_header(cases[i].header, cases[i].data) !=
            (cases[i].good ? BANYAN_OK : BANYAN_CORRUPT))
            fail_msg("%s: %s", cases[i].what, cases[i].good ? "refused" : "taken");
}

/* The length of the header, 8 bytes little-endian: at least 2 (for "{}"), and at most the bytes
 * that follow. */
static void header_of_safetensors(void **unused)
{
    (void)unused;
    const struct {
        unsigned char bytes[16];
        size_t size;
        bool good;
    } cases[] = {{{2, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, true},
                 {{3, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, false},
                 {{3, 0, 0, 0, 0, 0, 0, 0, '{', '}', ' '}, 11, true},
                 {{1, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, false},
                 {{0, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, false},
                 {{2, 1, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, false},
                 {{2, 0, 0, 0, 0, 0, 0, 1, '{', '}'}, 10, false},
                 {{2, 0, 0, 0, 0, 0, 0, 0x80, '{', '}'}, 10, false},
                 {{2, 0, 0, 0, 0, 0, 0, 0, '{'}, 9, false},
                 {{2, 0, 0, 0, 0, 0, 0}, 7, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct safetensors *file;
        enum banyan_status status =
            safetensors_parse(&file, cases[i].bytes, cases[i].size, "made", NULL);
        if (status != (cases[i].good ? BANYAN_OK : BANYAN_CORRUPT))
            fail_msg("case %d", (int)i);
        safetensors_free(file);
    }
}

/* --- what learning makes of a record --- */

static const struct banyan_game *game_called(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

/* A choice, with what the search found for the legal actions in their order. */
struct noted {
    const char *text;
    float value; /* value of the root */
    bool whole;  /* made by a full search; other choices have no weights */
    uint32_t weights[9];
};

/* Adds the choice of the player who moves, and plays it with the record's dice. */
static void note_choice(struct record *record, const struct banyan_game *game, void *state,
                        const struct noted *noted)
{
    struct banyan_dice dice;
    banyan_action legal[16], joint[BANYAN_MAX_PLAYERS] = {0};
    int player = game->movers(game, state) == 1 ? 0 : game->movers(game, state) == 2 ? 1 : 2;
    int count = game->legal(game, state, player, legal);
    struct record_choice choice = {.value = noted->value,
                                   .player = (uint8_t)player,
                                   .taught = noted->whole,
                                   .first = record->action_count,
                                   .count = noted->whole ? count : 0};
    assert_int_equal(game->action_parse(game, state, player, noted->text, &choice.action, NULL),
                     BANYAN_OK);
    for (int i = 0; i < choice.count; ++i)
        assert_true(record_add_action(record, legal[i], noted->weights[i]));
    assert_true(record_add_choice(record, &choice));
    joint[player] = choice.action;
    banyan_dice_recorded(&dice, record->dice, record->die_count);
    dice.next = record->die_count ? record->die_count - 1 : 0;
    game->apply(game, state, joint, &dice);
    assert_false(dice.failed);
}

/* X (player 0): a1, b2, c3 against a2, a3: the fifth choice wins.  Only the third and the fourth
 * are whole searches: they alone are drawn. */
static void note_tictactoe(struct record *record)
{
    const struct banyan_game *game = game_called("tictactoe");
    void *state = calloc(1, game->state_size);
    char text[256];
    memset(record, 0, sizeof *record);
    assert_int_equal(game->init(game, state, NULL, NULL, NULL), BANYAN_OK);
    game->format(game, state, text, sizeof text);
    record->start = malloc(strlen(text) + 1);
    strcpy(record->start, text);
    note_choice(record, game, state, &(struct noted){.text = "a1"});
    note_choice(record, game, state, &(struct noted){.text = "a2"});
    note_choice(record, game, state, &(struct noted){"b2", 0.5f, true, {30, 10, 20, 0}});
    note_choice(record, game, state, &(struct noted){"a3", -0.3f, true, {0}});
    note_choice(record, game, state, &(struct noted){.text = "c3"});
    assert_int_equal(game->movers(game, state), 0);
    record->returns[0] = 1, record->returns[1] = -1;
    free(state);
}

/* Value target: (1 - mix) * result + mix * searched, of the player who moves; returns of -1..1 are
 * what the network says.  Mix 0.25:
 *   third choice, X, who wins, searched 0.5:   0.75*1 + 0.25*0.5 = 0.875
 *   fourth, O, who loses, searched -0.3:       0.75*-1 + 0.25*-0.3 = -0.825
 * Policy: weights 30, 10, 20, 0...: 1/2, 1/6, 1/3, 0; all 0: equal shares of 6 legal actions. */
static void targets_by_hand(void **unused)
{
    (void)unused;
    const struct banyan_game *game = game_called("tictactoe");
    struct nn_arch arch;
    struct record record;
    struct replay *replay;
    struct nn_batch batch;
    struct banyan_rng rng;
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game, &arch, NULL), BANYAN_OK);
    assert_int_equal(arch.values, 1);
    assert_int_equal(replay_create(&replay, game, &arch, NULL), BANYAN_OK);
    note_tictactoe(&record);
    assert_int_equal(replay_add(replay, &record, NULL), BANYAN_OK);
    assert_int_equal(replay_positions(replay), 2);
    banyan_rng_seed(&rng, 1);
    struct replay_options options = {.value_mix = 0.25};
    assert_int_equal(replay_sample(replay, &options, 200, &rng, &batch, NULL), BANYAN_OK);
    int third = 0;
    for (int i = 0; i < 200; ++i) {
        const float *policy = batch.policy + batch.start[i];
        int count = batch.start[i + 1] - batch.start[i];
        if (count == 7) {
            ++third;
            assert_float_equal(batch.values[i], 0.875, 1e-6);
            assert_float_equal(policy[0], 0.5, 1e-6);
            assert_float_equal(policy[1], 1.0 / 6, 1e-6);
            assert_float_equal(policy[2], 1.0 / 3, 1e-6);
            assert_float_equal(policy[3] + policy[6], 0, 1e-6);
        } else {
            assert_int_equal(count, 6);
            assert_float_equal(batch.values[i], -0.825, 1e-6);
            assert_float_equal(policy[0], 1.0 / 6, 1e-6);
            assert_float_equal(policy[5], 1.0 / 6, 1e-6);
        }
        assert_float_equal(batch.policy_weight[i], 1, 0);
    }
    assert_in_range(third, 72, 128); /* 100 +- 4 sqrt(200/4) */
    replay_destroy(replay);
}

/* A network that says both values of two who share a constant sum: the search's value of the mover
 * tells the other one's, and both are mixed.  As above, -0.875 and 0.825. */
static void the_other_of_two_is_mixed_too(void **unused)
{
    (void)unused;
    const struct banyan_game *game = game_called("tictactoe");
    struct nn_arch arch;
    struct record record;
    struct replay *replay;
    struct nn_batch batch;
    struct banyan_rng rng;
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game, &arch, NULL), BANYAN_OK);
    arch.values = 2;
    assert_int_equal(replay_create(&replay, game, &arch, NULL), BANYAN_OK);
    note_tictactoe(&record);
    assert_int_equal(replay_add(replay, &record, NULL), BANYAN_OK);
    banyan_rng_seed(&rng, 1);
    struct replay_options options = {.value_mix = 0.25};
    assert_int_equal(replay_sample(replay, &options, 50, &rng, &batch, NULL), BANYAN_OK);
    for (int i = 0; i < 50; ++i) {
        bool third = batch.start[i + 1] - batch.start[i] == 7;
        const float value = third ? 0.875f : -0.825f;
        assert_float_equal(batch.values[2 * i], value, 1e-6);
        assert_float_equal(batch.values[2 * i + 1], -value, 1e-6);
    }
    replay_destroy(replay);
}

/* Three players (pig-3, returns -1..1): the one who moves comes first, then those after them, round
 * the table.  The search knew the mover's value only, so only theirs is mixed.  Player 1 (the second)
 * chooses at mix 0.5 and value 0.4, results -0.5, 1, -0.25: 0.5*1 + 0.5*0.4 = 0.7, then player 2: -0.25,
 * then player 0: -0.5.  Player 0, value -0.2: 0.5*-0.5 + 0.5*-0.2 = -0.35, then 1, then -0.25. */
static void values_go_round_the_table(void **unused)
{
    (void)unused;
    const struct banyan_game *game = game_called("pig-3");
    struct nn_arch arch;
    struct record record = {.resigned = true, .returns = {-0.5f, 1, -0.25f}};
    struct replay *replay;
    struct nn_batch batch;
    struct banyan_rng rng;
    char text[256];
    void *state = calloc(1, game->state_size);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game, &arch, NULL), BANYAN_OK);
    assert_int_equal(arch.values, 3);
    assert_int_equal(game->init(game, state, "turn=5", NULL, NULL), BANYAN_OK);
    game->format(game, state, text, sizeof text);
    record.start = malloc(strlen(text) + 1);
    strcpy(record.start, text);
    note_choice(&record, game, state, &(struct noted){"hold", -0.2f, true, {1, 1}});
    assert_true(record_add_die(&record, &(struct banyan_die){.sides = 6, .value = 3}));
    note_choice(&record, game, state, &(struct noted){.text = "roll"});
    note_choice(&record, game, state, &(struct noted){"hold", 0.4f, true, {1, 1}});
    free(state);
    assert_int_equal(replay_create(&replay, game, &arch, NULL), BANYAN_OK);
    assert_int_equal(replay_add(replay, &record, NULL), BANYAN_OK);
    banyan_rng_seed(&rng, 1);
    struct replay_options options = {.value_mix = 0.5};
    assert_int_equal(replay_sample(replay, &options, 40, &rng, &batch, NULL), BANYAN_OK);
    const float expected[2][3] = {{-0.35f, 1, -0.25f}, {0.7f, -0.25f, -0.5f}};
    int seen[2] = {0};
    for (int i = 0; i < 40; ++i) {
        int mover = batch.values[i * 3] > 0;
        ++seen[mover];
        for (int k = 0; k < 3; ++k)
            assert_float_equal(batch.values[i * 3 + k], expected[mover][k], 1e-6);
    }
    assert_true(seen[0] && seen[1]);
    replay_destroy(replay);
}

/* Networks say -1..1 whatever the returns are.  Tic-tac-toe with returns of 0..4: the result 3 is
 * 2 (3 - 2)/4 = 0.5, the searched value 3.5 is 0.75; mix 0.5: 0.625. */
static void returns_are_scaled(void **unused)
{
    (void)unused;
    struct banyan_game game = *game_called("tictactoe");
    struct nn_arch arch;
    struct record record;
    struct replay *replay;
    struct nn_batch batch;
    struct banyan_rng rng;
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(&game, &arch, NULL), BANYAN_OK);
    game.return_min = 0, game.return_max = 4;
    note_tictactoe(&record);
    record.returns[0] = 3, record.returns[1] = 1;
    record.choices[2].value = record.choices[3].value = 3.5f;
    record.choices[3].taught = false;
    assert_int_equal(replay_create(&replay, &game, &arch, NULL), BANYAN_OK);
    assert_int_equal(replay_add(replay, &record, NULL), BANYAN_OK);
    banyan_rng_seed(&rng, 1);
    struct replay_options options = {.value_mix = 0.5};
    assert_int_equal(replay_sample(replay, &options, 1, &rng, &batch, NULL), BANYAN_OK);
    assert_float_equal(batch.values[0], 0.625, 1e-6);
    replay_destroy(replay);
}

/* --- what a search teaches --- */

/* Wu 2019, section 3.2: visits are taken from an action while its PUCT score stays below that of the
 * most visited, at most the forced ones; a single one that is left is none.  100 visits, c = 1:
 *   most visited: q (0.8+1)/2 = 0.9, 0.9 + 10*0.5/(1+80) = 0.961728
 *   second, q 0.85, P 0.4, 16 visits, at most sqrt(2*0.4*100) = 8 forced: n becomes n - 1 while
 *     0.85 + 4/n < 0.961728, n > 35.8: none is taken
 *   the same with q 0.5: n > 8.66: 16 .. 9 go, 8 of them: 8 are left
 *   the same with q 0.3: n > 6.04: also 8 (no more were forced)
 *   third, q 0.1, P 0.1, 4 visits, at most sqrt 20 = 4 forced: n > 1.16: 4 .. 2 go, 1 is left: none */
static void forced_visits_are_taken_out(void **unused)
{
    (void)unused;
    const double means[] = {0.7, 0, -0.4};
    const uint32_t left[] = {16, 8, 8};
    struct banyan_search_options options;
    banyan_search_options_default(&options);
    options.rule = BANYAN_RULE_PUCT, options.forced_playouts = true, options.cpuct = 1;
    for (int i = 0; i < 3; ++i) {
        const struct banyan_search_move rows[] = {{.visits = 80, .mean = 0.8, .prior = 0.5f},
                                                  {.visits = 16, .mean = means[i], .prior = 0.4f},
                                                  {.visits = 4, .mean = -0.8, .prior = 0.1f}};
        uint32_t weights[3];
        play_target_weights(game_called("tictactoe"), &options, true, rows, 3, weights);
        assert_int_equal(weights[0], 80);
        assert_int_equal(weights[1], left[i]);
        assert_int_equal(weights[2], 0);
    }
}

/* Danihelka 2022, section 4: softmax(ln P + sigma(q)), unvisited actions with the mean that the
 * priors weigh.  sigma = (c_visit 2 + most visits 6) * 0.25 = 2 q.  P 0.5, 0.3, 0.2; q 0.75, 0.25, none:
 *   mean (0.5*0.75 + 0.3*0.25)/0.8 = 0.5625
 *   0.5 e^1.5 = 2.240845, 0.3 e^0.5 = 0.494616, 0.2 e^1.125 = 0.616043; sum 3.351504
 *   shares 0.668609, 0.147580, 0.183811, times 65536: 43818.0, 9671.8, 12046.2 */
static void improved_policy_by_hand(void **unused)
{
    (void)unused;
    struct banyan_search_options options;
    banyan_search_options_default(&options);
    options.rule = BANYAN_RULE_GUMBEL, options.gumbel_visit = 2, options.gumbel_scale = 0.25;
    const struct banyan_search_move rows[] = {{.visits = 6, .mean = 0.5, .prior = 0.5f},
                                              {.visits = 2, .mean = -0.5, .prior = 0.3f},
                                              {.visits = 0, .mean = (double)NAN, .prior = 0.2f}};
    uint32_t weights[3];
    play_target_weights(game_called("tictactoe"), &options, true, rows, 3, weights);
    assert_int_equal(weights[0], 43818); /* rounded: 43817.93, 9671.83, 12046.24 */
    assert_int_equal(weights[1], 9672);
    assert_int_equal(weights[2], 12046);
}

/* visits^(1/T): 9, 3 at T = 0.5: 81 : 9, 0.9; at T = 2: 3 : 1.732, 0.633975; of 10,000 draws 4 standard
 * errors are 120 and 193. */
static void temperature_by_hand(void **unused)
{
    (void)unused;
    const struct banyan_search_move rows[] = {{.visits = 9}, {.visits = 3}, {.visits = 0}};
    const double temperatures[] = {0.5, 2}, shares[] = {0.9, 0.633975};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (int t = 0; t < 2; ++t) {
        int drawn[3] = {0};
        for (int i = 0; i < 10000; ++i)
            ++drawn[play_target_draw(rows, 3, temperatures[t], &rng)];
        assert_true(fabs(drawn[0] - 10000 * shares[t]) < (t ? 193 : 120));
        assert_int_equal(drawn[2], 0);
    }
}

/* A share ends where the next one begins: of visits 2, 1, 1 a half of all draws are the first, and the
 * number 1/2 is not below it.  xoshiro256++ gives rotl(s0 + s3, 23) + s0 first: with s0 = s3 = 2^63
 * that is 2^63, the number 1/2; with s0 = 2^63 - 2^11 and s3 = -s0 it is the number below; with s0 = 0
 * and s3 = 0 it is 0; with s0 = -1 and s3 = 1 the largest one. */
static void shares_end_where_the_next_begin(void **unused)
{
    (void)unused;
    const struct banyan_search_move rows[] = {{.visits = 2}, {.visits = 1}, {.visits = 1}};
    const uint64_t half = UINT64_C(1) << 63;
    const struct {
        uint64_t s0, s3;
        int drawn;
    } cases[] = {{half, half, 1},
                 {half - 2048, half + 2048, 0},
                 {0, 0, 0},
                 {half + half / 2, half / 2, 2},
                 {half + half / 2 - 2048, half / 2 + 2048, 1},
                 {UINT64_MAX, 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct banyan_rng rng = {{cases[i].s0, 1, 2, cases[i].s3}};
        assert_int_equal(play_target_draw(rows, 3, 1, &rng), cases[i].drawn);
    }
}

/* --- giving up --- */

struct resigned {
    int games, given_up, choices;
    float returns[2];
};

static enum banyan_status resigned_deliver(void *ctx, struct record *record,
                                           struct banyan_error *err)
{
    struct resigned *resigned = ctx;
    (void)err;
    ++resigned->games;
    resigned->given_up += record->resigned;
    resigned->choices = record->choice_count;
    memcpy(resigned->returns, record->returns, sizeof resigned->returns);
    return BANYAN_OK;
}

/* Plays one game of tic-tac-toe in which the network gives every mover this value. */
static struct resigned play_hopeless(double value, double resign, double audit)
{
    struct resigned resigned = {0};
    struct nn_arch arch;
    struct nn_model model;
    struct play_options options;
    struct banyan_search_options search;
    struct banyan_error err = {.message = ""};
    struct play_totals totals;
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game_called("tictactoe"), &arch, NULL), BANYAN_OK);
    arch.channels = 4, arch.blocks = 1, arch.value_hidden = 4;
    assert_int_equal(nn_model_build(&model, &arch, NULL), BANYAN_OK);
    float *params = nn_block_create(model.size); /* all are 0 but the bias of the value */
    params[model.tensors[model.value.bias].offset] = (float)atanh(value);
    play_options_default(&options);
    banyan_search_options_default(&search);
    options.simulations = 1, options.resign = resign, options.audit = audit;
    search.rule = BANYAN_RULE_PUCT;
    search.memory_bytes = 1 << 20;
    struct play_job job = {.game = game_called("tictactoe"),
                           .options = &options,
                           .search = &search,
                           .model = &model,
                           .params = params,
                           .backend = "plain",
                           .type = "",
                           .seed = 1,
                           .games = 1,
                           .deliver = resigned_deliver,
                           .ctx = &resigned};
    if (play_run(&job, &totals, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(resigned.games, 1);
    free(params);
    return resigned;
}

/* The network gives every mover -0.8, a reward of (-0.8 + 1)/2 = 0.1.  A player resigns after two
 * of its choices in a row with less than 0.11: X does so at the first and third choice of the game,
 * and O has won. */
static void who_has_no_hope_twice_gives_up(void **unused)
{
    (void)unused;
    struct resigned r = play_hopeless(-0.8, 0.11, 0);
    assert_int_equal(r.given_up, 1);
    assert_int_equal(r.choices, 3);
    assert_true(r.returns[0] == -1 && r.returns[1] == 1);
    r = play_hopeless(-0.8, 0.09, 0);
    assert_int_equal(r.given_up, 0);
    assert_true(r.choices >= 5);
    r = play_hopeless(-0.8, 0, 0);
    assert_int_equal(r.given_up, 0);
    r = play_hopeless(-0.8, 0.11, 1);
    assert_int_equal(r.given_up, 0);
    r = play_hopeless(0.8, 0.11, 0);
    assert_int_equal(r.given_up, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adamw_by_hand),
        cmocka_unit_test(epsilon_and_the_schedule_by_hand),
        cmocka_unit_test(momentum_by_hand),
        cmocka_unit_test(clipping_by_hand),
        cmocka_unit_test(a_gradient_that_is_not_finite_changes_nothing),
        cmocka_unit_test(a_state_starts_anew),
        cmocka_unit_test(offsets_of_safetensors),
        cmocka_unit_test(header_of_safetensors),
        cmocka_unit_test(targets_by_hand),
        cmocka_unit_test(the_other_of_two_is_mixed_too),
        cmocka_unit_test(values_go_round_the_table),
        cmocka_unit_test(returns_are_scaled),
        cmocka_unit_test(forced_visits_are_taken_out),
        cmocka_unit_test(improved_policy_by_hand),
        cmocka_unit_test(temperature_by_hand),
        cmocka_unit_test(shares_end_where_the_next_begin),
        cmocka_unit_test(who_has_no_hope_twice_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
