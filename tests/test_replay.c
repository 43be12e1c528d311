/* What learning gets from the window of games, compared with what the test finds itself by the
 * rules: every position of a batch is a sample of a game in one of its symmetric images, and all its
 * targets are those of this sample. */
#include "base/rng.h"
#include "players/program/net.h"
#include "train/samples.h"

#include "nn_check.h"

#include <banyan/observe.h>

enum { GAMES = 3, CHOICES = 200, BATCH = 60 };

/* A random game with its states before each choice, and the last one. */
struct known {
    const struct banyan_game *game;
    unsigned char *states[CHOICES], *final;
    struct record record; /* a copy: the window takes the other */
};

static void known_play(struct known *known, struct record *record, const struct banyan_game *game,
                       struct banyan_rng *rng)
{
    banyan_action legal[256], joint[BANYAN_MAX_PLAYERS] = {0};
    unsigned char *state = calloc(1, game->state_size);
    struct banyan_dice dice;
    struct banyan_die thrown[64];
    memset(known, 0, sizeof *known);
    memset(record, 0, sizeof *record);
    known->game = game;
    assert_true(game->max_legal <= 256);
    assert_int_equal(game->init(game, state, NULL, rng, NULL), BANYAN_OK);
    record->start = calloc(1, BANYAN_TEXT_MAX);
    game->format(game, state, record->start, BANYAN_TEXT_MAX);
    banyan_dice_drawn(&dice, rng);
    dice.log = thrown;
    dice.log_max = 64;
    for (unsigned movers; (movers = game->movers(game, state)) != 0;) {
        int player = movers & 1 ? 0 : movers & 2 ? 1 : 2;
        int count = game->legal(game, state, player, legal);
        int at = record->choice_count;
        struct record_choice choice = {.action = legal[rng_below(rng, (uint32_t)count)],
                                       .value = (float)(1.6 * rng_unit(rng) - 0.8),
                                       .player = (uint8_t)player,
                                       .taught = rng_below(rng, 3) != 0,
                                       .first = record->action_count,
                                       .count = count};
        assert_true(at < CHOICES);
        known->states[at] = malloc(game->state_size);
        memcpy(known->states[at], state, game->state_size);
        for (int i = 0; i < count; ++i) /* sometimes no action got a weight */
            assert_true(record_add_action(record, legal[i], at % 5 ? rng_below(rng, 9) : 0));
        assert_true(record_add_choice(record, &choice));
        joint[player] = choice.action;
        dice.log_count = 0;
        game->apply(game, state, joint, &dice);
        for (int i = 0; i < dice.log_count; ++i)
            assert_true(record_add_die(record, &thrown[i]));
    }
    game->returns(game, state, record->returns);
    known->final = state;
}

static void known_copy(struct known *known, const struct record *record)
{
    unsigned char *bytes;
    size_t size;
    assert_int_equal(record_pack(record, &bytes, &size, NULL), BANYAN_OK);
    assert_int_equal(record_unpack(&known->record, bytes, size, NULL), BANYAN_OK);
    free(bytes);
}

static void known_free(struct known *known)
{
    for (int i = 0; i < CHOICES; ++i)
        free(known->states[i]);
    free(known->final);
    record_free(&known->record);
}

/* --- one position of a batch --- */

struct seen {
    const struct nn_batch *batch;
    const struct nn_arch *arch;
    const struct replay_options *options;
    int at;
};

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

static double scaled(const struct banyan_game *game, double value)
{
    return -1 + 2 * (value - game->return_min) / ((double)game->return_max - game->return_min);
}

static bool seen_policy(const struct seen *seen, const struct known *known, int index, int image,
                        const void *shown)
{
    const struct banyan_game *game = known->game;
    const struct record_choice *choice = &known->record.choices[index];
    int begin = seen->batch->start[seen->at];
    double sum = 0;
    if (seen->batch->start[seen->at + 1] - begin != choice->count)
        return false;
    for (int i = 0; i < choice->count; ++i)
        sum += known->record.weights[choice->first + i];
    for (int i = 0; i < choice->count; ++i) {
        banyan_action action = known->record.actions[choice->first + i];
        double share =
            sum > 0 ? known->record.weights[choice->first + i] / sum : 1.0 / choice->count;
        if (image)
            action = game->symmetry_action(game, known->states[index], image, action);
        if (seen->batch->actions[begin + i] !=
                game->policy_index(game, shown, choice->player, action) ||
            !near(seen->batch->policy[begin + i], share))
            return false;
    }
    return near(seen->batch->policy_weight[seen->at], 1);
}

static bool seen_values(const struct seen *seen, const struct known *known, int index)
{
    const struct banyan_game *game = known->game;
    const struct record_choice *choice = &known->record.choices[index];
    double mix = seen->options->value_mix;
    for (int k = 0; k < seen->arch->values; ++k) {
        int player = (choice->player + k) % game->players;
        double result = scaled(game, known->record.returns[player]), root = result;
        if (k == 0)
            root = scaled(game, choice->value);
        else if (game->players == 2 && game->traits & BANYAN_ZERO_SUM)
            root = -scaled(game, choice->value);
        if (!near(seen->batch->values[seen->at * seen->arch->values + k],
                  result + mix * (root - result)))
            return false;
    }
    return true;
}

static bool seen_others(const struct seen *seen, const struct known *known, int viewer, int image)
{
    const struct banyan_game *game = known->game;
    int cells = seen->arch->height * seen->arch->width;
    unsigned char final[512];
    float owner[512], score;
    if (!game->targets || !(seen->arch->owner || seen->arch->score))
        return true;
    assert_true(cells <= 512);
    if (image)
        game->symmetry(game, known->final, image, final);
    game->targets(game, image ? final : known->final, viewer, &score, owner);
    if (!near(score, seen->batch->score[seen->at]))
        return false;
    for (int i = 0; i < cells; ++i)
        if (!near(owner[i], seen->batch->owner[seen->at * cells + i]))
            return false;
    return true;
}

/* Whether the position is this sample in this image. */
static bool seen_as(const struct seen *seen, const struct known *known, int index, int image)
{
    const struct banyan_game *game = known->game;
    const struct record_choice *choice = &known->record.choices[index];
    size_t planes =
        (size_t)seen->arch->planes * (size_t)seen->arch->height * (size_t)seen->arch->width;
    unsigned char shown[512];
    float *encoded = malloc(planes * sizeof *encoded);
    assert_true(game->state_size <= sizeof shown);
    memcpy(shown, known->states[index], game->state_size);
    if (image)
        game->symmetry(game, known->states[index], image, shown);
    game->encode(game, shown, choice->player, encoded);
    bool same = memcmp(encoded, seen->batch->planes + (size_t)seen->at * planes,
                       planes * sizeof *encoded) == 0;
    free(encoded);
    return same && seen_policy(seen, known, index, image, shown) &&
           seen_values(seen, known, index) && seen_others(seen, known, choice->player, image);
}

static void check_position(const struct seen *seen, const struct known *known, bool *other_images)
{
    const struct banyan_game *game = known->game;
    int images = seen->options->symmetries && game->symmetry ? game->symmetries : 1;
    for (int g = 0; g < GAMES; ++g)
        for (int i = 0; i < known[g].record.choice_count; ++i)
            for (int image = 0; image < images; ++image)
                if (known[g].record.choices[i].taught && known[g].record.choices[i].count > 1 &&
                    seen_as(seen, &known[g], i, image)) {
                    *other_images |= image > 0;
                    return;
                }
    fail_msg("%s: position %d of the batch is not a sample of the games", game->name, seen->at);
}

/* --- games --- */

static void check_game(const char *name, const struct replay_options *options, bool auxiliary)
{
    const struct banyan_game *game;
    struct known known[GAMES];
    struct nn_arch arch;
    struct nn_batch batch;
    struct replay *replay;
    struct banyan_rng rng;
    int64_t samples = 0;
    bool other_images = false;
    banyan_rng_seed(&rng, 7);
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game, &arch, NULL), BANYAN_OK);
    arch.owner = arch.score = auxiliary;
    assert_int_equal(replay_create(&replay, game, &arch, NULL), BANYAN_OK);
    for (int i = 0; i < GAMES; ++i) {
        struct record record;
        known_play(&known[i], &record, game, &rng);
        known_copy(&known[i], &record);
        for (int k = 0; k < record.choice_count; ++k)
            samples += record.choices[k].taught && record.choices[k].count > 1;
        assert_int_equal(replay_add(replay, &record, NULL), BANYAN_OK);
    }
    assert_int_equal(replay_positions(replay), samples);
    for (int count = 1; count <= BATCH; count += BATCH - 1) {
        assert_int_equal(replay_sample(replay, options, count, &rng, &batch, NULL), BANYAN_OK);
        assert_int_equal(batch.count, count);
        assert_int_equal(batch.start[0], 0);
        for (int i = 0; i < count; ++i)
            check_position(&(struct seen){&batch, &arch, options, i}, known, &other_images);
    }
    assert_int_equal(other_images, options->symmetries && game->symmetry);
    for (int i = 0; i < GAMES; ++i)
        known_free(&known[i]);
    replay_destroy(replay);
}

static void batches_by_the_rules(void **unused)
{
    (void)unused;
    const struct replay_options plain = {0.3, false}, images = {0.6, true};
    check_game("othello-6x6", &images, true);
    check_game("othello-4x4", &plain, true);
    check_game("othello-4x4", &images, false);
    check_game("connect4", &images, false);
    check_game("kuhn", &images, false);
    check_game("breakthrough", &plain, false);
}

/* What a record must not hold: each is refused, and the window stays as it was. */
static void wrong_records_are_refused(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    struct nn_arch arch;
    struct replay *replay;
    struct banyan_error err;
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game, &arch, NULL), BANYAN_OK);
    assert_int_equal(replay_create(&replay, game, &arch, NULL), BANYAN_OK);
    for (int how = 0; how < 7; ++how) {
        struct banyan_rng rng;
        struct known known;
        struct record record;
        banyan_rng_seed(&rng, 3);
        known_play(&known, &record, game, &rng);
        known_copy(&known, &record);
        struct record_choice *choice = &record.choices[2];
        enum banyan_status expected = BANYAN_ILLEGAL;
        switch (how) {
        case 0:
            choice->player = 1;
            break; /* not the mover */
        case 1:
            choice->player = 5;
            break; /* nobody */
        case 2:
            choice->action = record.choices[0].action;
            break; /* taken */
        case 3:
            record.actions[choice->first] = 99;
            break; /* a listed action */
        case 4:
            record.actions[choice->first + choice->count - 1] = 99;
            break;
        case 5:
            --record.choice_count;
            break; /* does not end */
        case 6:    /* no position: what the rules say of it */
            strcpy(record.start, "?");
            expected = game->init(game, (unsigned char[512]){0}, "?", NULL, NULL);
            break;
        }
        enum banyan_status status = replay_add(replay, &record, &err);
        if (status != expected || status == BANYAN_OK)
            fail_msg("case %d: status %d", how, (int)status);
        assert_int_equal(replay_games(replay), 0);
        assert_int_equal(replay_positions(replay), 0);
        if (how == 5) { /* who has given up need not go on */
            record.resigned = true;
            assert_int_equal(replay_add(replay, &record, &err), BANYAN_OK);
            replay_destroy(replay);
            assert_int_equal(replay_create(&replay, game, &arch, NULL), BANYAN_OK);
        }
        record_free(&record);
        known_free(&known);
    }
    replay_destroy(replay);
}

/* An action that was forced teaches nothing, even if a search was made for it. */
static void one_action_is_no_sample(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    struct nn_arch arch;
    struct replay *replay;
    struct banyan_rng rng;
    struct known known;
    struct record record;
    banyan_rng_seed(&rng, 3);
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game, &arch, NULL), BANYAN_OK);
    assert_int_equal(replay_create(&replay, game, &arch, NULL), BANYAN_OK);
    known_play(&known, &record, game, &rng);
    for (int i = 0; i < record.choice_count; ++i) {
        record.choices[i].taught = true;
        record.choices[i].count = i % 3; /* 0, 1 or 2 of those that are legal */
        if (record.choices[i].count > game->max_legal - i)
            record.choices[i].count = 1;
    }
    int samples = 0;
    for (int i = 0; i < record.choice_count; ++i)
        samples += record.choices[i].count == 2;
    assert_int_equal(replay_add(replay, &record, NULL), BANYAN_OK);
    assert_int_equal(replay_positions(replay), samples);
    known_free(&known);
    replay_destroy(replay);
}

/* --- positions as arrays --- */

/* Row number row is choice number index of the game. */
static void check_row(const struct samples *samples, const struct known *known, int row, int index)
{
    const struct banyan_game *game = known->game;
    const struct record_choice *choice = &known->record.choices[index];
    const float *policy = samples->policies + (size_t)row * (size_t)samples->policy;
    float *shown = malloc((size_t)samples->width * sizeof *shown);
    double sum = 0, weights = 0;
    banyan_observe(game, known->states[index], choice->player, shown);
    assert_memory_equal(shown, samples->observations + (size_t)row * (size_t)samples->width,
                        (size_t)samples->width * sizeof *shown);
    for (int i = 0; i < choice->count; ++i)
        weights += known->record.weights[choice->first + i];
    for (int i = 0; i < choice->count; ++i) {
        int at = game->policy_index(game, known->states[index], choice->player,
                                    known->record.actions[choice->first + i]);
        double share =
            weights > 0 ? known->record.weights[choice->first + i] / weights : 1.0 / choice->count;
        assert_true(near((double)policy[at], share));
    }
    for (int i = 0; i < samples->policy; ++i)
        sum += (double)policy[i];
    assert_true(fabs(sum - 1) < 1e-5); /* so what is not legal has 0 */
    for (int k = 0; k < game->players; ++k)
        assert_true(near(
            (double)samples->results[row * game->players + k],
            scaled(game, (double)known->record.returns[(choice->player + k) % game->players])));
    assert_true(near((double)samples->searched[row], scaled(game, (double)choice->value)));
    assert_int_equal(samples->choices[row], index);
    free(shown);
}

static void check_arrays(const char *name, uint64_t seed)
{
    const struct banyan_game *game;
    struct samples samples;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, seed);
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    assert_int_equal(samples_begin(&samples, game, NULL), BANYAN_OK);
    for (int i = 0; i < GAMES; ++i) {
        struct known known;
        struct record record;
        int rows = 0;
        known_play(&known, &record, game, &rng);
        known_copy(&known, &record);
        assert_int_equal(samples_read(&samples, &record, NULL), BANYAN_OK);
        for (int k = 0; k < record.choice_count; ++k)
            if (record.choices[k].taught && record.choices[k].count > 1)
                check_row(&samples, &known, rows++, k);
        assert_int_equal(samples.count, rows);
        record.choices[0].action = 1 << 30;
        assert_int_equal(samples_read(&samples, &record, NULL), BANYAN_ILLEGAL);
        assert_int_equal(samples.count, 0);
        record_free(&record);
        known_free(&known);
    }
    samples_end(&samples);
}

static void positions_as_arrays(void **unused)
{
    (void)unused;
    const char *const names[] = {"tictactoe", "othello-6x6", "connect4", "kuhn", "breakthrough"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        check_arrays(names[i], i + 1);
}

static void games_without_a_policy_head_have_no_arrays(void **unused)
{
    (void)unused;
    struct banyan_game game;
    const struct banyan_game *found;
    struct samples samples;
    struct banyan_error err;
    assert_int_equal(banyan_game_find("tictactoe", &found, NULL), BANYAN_OK);
    game = *found;
    game.policy_size = 0;
    assert_int_equal(samples_begin(&samples, &game, &err), BANYAN_UNSUPPORTED);
    assert_non_null(strstr(err.message, "policy head"));
    samples_end(&samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_by_the_rules),
        cmocka_unit_test(wrong_records_are_refused),
        cmocka_unit_test(one_action_is_no_sample),
        cmocka_unit_test(positions_as_arrays),
        cmocka_unit_test(games_without_a_policy_head_have_no_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
