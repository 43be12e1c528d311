/* What self-play and a search teach a network, against values computed by hand: the arithmetic is in the comments. */
#include "train/play.h"
#include "train/play_target.h"
#include "train/replay.h"

#include "nn_check.h"

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

/* A window with the game of note_tictactoe, for a network of the game with so many values, and n positions
 * drawn from it at value-mix 0.25. */
static struct replay *mixed_tictactoe(int values, int n, struct nn_batch *batch)
{
    const struct banyan_game *game = game_called("tictactoe");
    struct replay_options options = {.value_mix = 0.25};
    struct nn_arch arch;
    struct record record;
    struct replay *replay;
    struct banyan_rng rng;
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game, &arch, NULL), BANYAN_OK);
    assert_int_equal(arch.values, 1);
    arch.values = values;
    assert_int_equal(replay_create(&replay, game, &arch, NULL), BANYAN_OK);
    note_tictactoe(&record);
    assert_int_equal(replay_add(replay, &record, NULL), BANYAN_OK);
    assert_int_equal(replay_positions(replay), 2);
    banyan_rng_seed(&rng, 1);
    assert_int_equal(replay_sample(replay, &options, n, &rng, batch, NULL), BANYAN_OK);
    return replay;
}

/* Value target: (1 - mix) * result + mix * searched, of the player who moves; returns of -1..1 are
 * what the network says.  Mix 0.25:
 *   third choice, X, who wins, searched 0.5:   0.75*1 + 0.25*0.5 = 0.875
 *   fourth, O, who loses, searched -0.3:       0.75*-1 + 0.25*-0.3 = -0.825
 * Policy: weights 30, 10, 20, 0...: 1/2, 1/6, 1/3, 0; all 0: equal shares of 6 legal actions. */
static void targets_by_hand(void **unused)
{
    (void)unused;
    struct nn_batch batch;
    struct replay *replay = mixed_tictactoe(1, 200, &batch);
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

/* A network with a value for each of two players of constant sum: the search's value of the mover
 * gives the other player's value too, and both are mixed.  As above, -0.875 and 0.825. */
static void the_other_of_two_is_mixed_too(void **unused)
{
    (void)unused;
    struct nn_batch batch;
    struct replay *replay = mixed_tictactoe(2, 50, &batch);
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
 * most visited, at most the forced ones; if one visit is left, it is taken too.  100 visits, c = 1:
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
