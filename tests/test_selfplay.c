/* Self-play is compared with a plain second version of it: one game after the other, by the public
 * functions of the search.
 *
 *     play.h says what a game is: seeds, searches, temperatures, targets, giving up, dice.
 *     Here that is written once more, without batches, threads and forced order; records must be equal
 *     to the last bit. */
#include "base/rng.h"
#include "players/program/net.h"
#include "train/play.h"
#include "train/play_target.h"

#include "nn_check.h"

#include <pthread.h>
#include <time.h>

enum { GAMES = 6 };

struct selfplay {
    const struct banyan_game *game;
    struct play_options options;
    struct banyan_search_options search;
    struct nn_model model;
    float *params;
    struct net *net;
    struct banyan_evaluator evaluator;
    struct record records[GAMES];
    int next; /* number of games begun */
    bool delivered[GAMES];
    /* of the plain copy */
    struct banyan_search *tree;
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct banyan_die thrown[64];
    unsigned char state[512];
    struct banyan_search_move rows[64];
    uint32_t weights[64];
    bool rooted, audited;
    int hopeless[BANYAN_MAX_PLAYERS];
    /* how often each was met */
    int resigned, audits, fast, draws, forced, leaves, begun_late, over_early;
};

/* --- one choice of the plain copy --- */

static bool plain_keeps_tree(const struct selfplay *s)
{
    return s->search.reuse && !(s->game->traits & (BANYAN_HIDDEN | BANYAN_SIMULTANEOUS));
}

/* Gumbel's root shares 16 simulations out to 4 actions, whoever moves: a half of them gives each 2
 * visits, the other half gives the best two 4 more.  The first simulation of a new root makes the root
 * only.  Visits that were kept are not among them. */
static void check_halving(const struct selfplay *s, int player,
                          const struct banyan_search_move *kept, int kept_count)
{
    struct banyan_search_move rows[64];
    int count = banyan_search_root_moves(s->tree, player, rows, 64), seen[7] = {0};
    if (s->search.rule != BANYAN_RULE_GUMBEL || count < 4)
        return;
    for (int i = 0; i < count; ++i) {
        uint64_t visits = rows[i].visits;
        for (int k = 0; k < kept_count; ++k)
            visits -= kept[k].action == rows[i].action ? kept[k].visits : 0;
        assert_true(visits <= 6);
        ++seen[visits];
    }
    if (seen[6] + seen[5] != 2 || seen[5] > !kept_count || seen[2] != 2 || seen[0] != count - 4)
        fail_msg("player %d: %d of %d actions have 6 visits, %d have 5, %d have 2", player, seen[6],
                 count, seen[5], seen[2]);
}

static void plain_search(struct selfplay *s, int player, bool whole)
{
    struct banyan_search_move kept[64];
    struct banyan_leaf leaf;
    int simulations = whole ? s->options.simulations : s->options.fast_simulations;
    int kept_count = banyan_search_root_moves(s->tree, player, kept, 64);
    banyan_search_plan(s->tree, simulations, whole);
    for (int i = 0; i < simulations; ++i)
        if (banyan_search_select(s->tree, &leaf, 1)) {
            ++s->leaves;
            assert_int_equal(net_evaluate(s->net, &leaf, 1, NULL), BANYAN_OK);
            banyan_search_update(s->tree, &leaf, 1);
        }
    if (simulations == 16)
        check_halving(s, player, kept, kept_count);
}

/* Whether the player gives up: two choices in a row were worth less than `resign` of the way from
 * the least to the most return; only where the other one has won then. */
static bool plain_resigns(struct selfplay *s, struct record *record, int player, double value)
{
    double least = s->game->return_min, most = s->game->return_max;
    if (s->options.resign <= 0)
        return false;
    if ((value - least) / (most - least) >= s->options.resign)
        s->hopeless[player] = 0;
    else if (++s->hopeless[player] >= 2 && s->game->players == 2 &&
             s->game->traits & BANYAN_ZERO_SUM) {
        s->audits += s->audited;
        if (s->audited)
            return false;
        ++s->resigned;
        record->resigned = true;
        record->returns[player] = (float)least;
        record->returns[!player] = (float)most;
        return true;
    }
    return false;
}

/* Adds the choice of a player; *over: the player gave up. */
static banyan_action plain_choose(struct selfplay *s, struct record *record, int player, bool *over)
{
    struct banyan_search_move move;
    float values[BANYAN_MAX_PLAYERS];
    bool follows = plain_keeps_tree(s);
    if (!follows || !s->rooted)
        assert_int_equal(banyan_search_set_root(s->tree, s->state, follows ? -1 : player, NULL),
                         BANYAN_OK);
    s->rooted = true;
    bool whole = s->options.whole_share == 1 || rng_unit(&s->rng) < s->options.whole_share;
    s->fast += !whole;
    plain_search(s, player, whole);
    int count = banyan_search_root_moves(s->tree, player, s->rows, 64);
    assert_int_equal(banyan_search_choose(s->tree, player, &move, NULL), BANYAN_OK);
    banyan_search_root_values(s->tree, values);
    double temperature =
        record->choice_count < s->options.warm_plies ? s->options.warm : s->options.cold;
    bool won = move.lo >= move.hi && move.lo > s->game->return_min;
    if (s->search.rule != BANYAN_RULE_GUMBEL && temperature > 0 && !won) {
        move = s->rows[play_target_draw(s->rows, count, temperature, &s->rng)];
        ++s->draws;
    }
    play_target_weights(s->game, &s->search, s->options.prune, s->rows, count, s->weights);
    struct record_choice choice = {.action = move.action,
                                   .value = values[player],
                                   .player = (uint8_t)player,
                                   .taught = whole,
                                   .first = record->action_count,
                                   .count = count};
    for (int i = 0; i < count; ++i)
        assert_true(record_add_action(record, s->rows[i].action, s->weights[i]));
    assert_true(record_add_choice(record, &choice));
    *over = plain_resigns(s, record, player, (double)values[player]);
    return move.action;
}

/* --- one game of the plain copy --- */

/* Plays random plies until there are as many as were drawn and somebody moves after them. */
static void plain_random_plies(struct selfplay *s)
{
    unsigned char first[sizeof s->state];
    struct banyan_rng actions, dice_rng;
    struct banyan_dice dice;
    unsigned movers;
    uint32_t plies = rng_below(&s->rng, (uint32_t)s->options.random_plies + 1);
    banyan_rng_seed(&actions, rng_next(&s->rng));
    uint64_t dice_seed = rng_next(&s->rng);
    memcpy(first, s->state, sizeof first);
    do {
        memcpy(s->state, first, sizeof first);
        banyan_rng_seed(&dice_rng, dice_seed);
        banyan_dice_drawn(&dice, &dice_rng);
        for (uint32_t i = 0; i < plies && (movers = s->game->movers(s->game, s->state)); ++i) {
            banyan_action joint[BANYAN_MAX_PLAYERS] = {0}, legal[64];
            for (int p = 0; p < s->game->players; ++p)
                if (movers >> p & 1) {
                    int count = s->game->legal(s->game, s->state, p, legal);
                    joint[p] = legal[rng_below(&actions, (uint32_t)count)];
                }
            s->game->apply(s->game, s->state, joint, &dice);
        }
        movers = s->game->movers(s->game, s->state);
        s->over_early += !movers;
    } while (!movers);
    s->begun_late += plies > 0;
}

static void plain_begin(struct selfplay *s, struct record *record, int number)
{
    struct banyan_search_options search = s->search;
    struct banyan_rng deal;
    uint64_t seed = banyan_rng_child(5, "generation", 3);
    banyan_rng_seed(&s->rng, banyan_rng_child(seed, "game", (uint64_t)number));
    record->generation = 3;
    record->number = number;
    search.seed = rng_next(&s->rng);
    search.batch = search.threads = search.ensemble = 1;
    s->audited = rng_unit(&s->rng) < s->options.audit;
    s->rooted = false;
    memset(s->hopeless, 0, sizeof s->hopeless);
    banyan_rng_seed(&deal, rng_next(&s->rng));
    memset(s->state, 0, sizeof s->state);
    assert_int_equal(s->game->init(s->game, s->state, NULL, &deal, NULL), BANYAN_OK);
    if (s->options.random_plies)
        plain_random_plies(s);
    record->start = calloc(1, BANYAN_TEXT_MAX);
    s->game->format(s->game, s->state, record->start, BANYAN_TEXT_MAX);
    assert_int_equal(banyan_search_create(&s->tree, s->game, &search, &s->evaluator, NULL),
                     BANYAN_OK);
    banyan_dice_drawn(&s->dice, &s->rng);
    s->dice.log = s->thrown;
    s->dice.log_max = 64;
}

static void plain_apply(struct selfplay *s, struct record *record, const banyan_action *joint)
{
    s->dice.log_count = 0;
    s->game->apply(s->game, s->state, joint, &s->dice);
    for (int i = 0; i < s->dice.log_count; ++i)
        assert_true(record_add_die(record, &s->thrown[i]));
    if (s->rooted && plain_keeps_tree(s) && s->game->movers(s->game, s->state))
        banyan_search_advance(s->tree, joint, s->state);
}

static void plain_game(struct selfplay *s, struct record *record, int number)
{
    bool over = false;
    unsigned movers;
    plain_begin(s, record, number);
    while (!over && (movers = s->game->movers(s->game, s->state)) != 0) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0}, legal[64];
        for (int p = 0; p < s->game->players && !over; ++p) {
            if (!(movers >> p & 1))
                continue;
            if (s->game->legal(s->game, s->state, p, legal) == 1) {
                struct record_choice only = {
                    .action = legal[0], .player = (uint8_t)p, .first = record->action_count};
                assert_true(record_add_choice(record, &only));
                joint[p] = legal[0];
                ++s->forced;
            } else {
                joint[p] = plain_choose(s, record, p, &over);
            }
        }
        if (!over)
            plain_apply(s, record, joint);
    }
    if (!over)
        s->game->returns(s->game, s->state, record->returns);
    banyan_search_destroy(s->tree);
}

/* --- both --- */

static int64_t selfplay_next(void *ctx, bool idle)
{
    struct selfplay *s = ctx;
    assert_true(idle || s->next > 0);
    s->next += s->next == 2; /* another process plays this one */
    return s->next < GAMES ? s->next++ : -1;
}

static enum banyan_status selfplay_deliver(void *ctx, struct record *record,
                                           struct banyan_error *err)
{
    struct selfplay *s = ctx;
    (void)err;
    assert_true(record->number >= 0 && record->number < GAMES && record->number != 2);
    assert_false(s->delivered[record->number]);
    s->delivered[record->number] = true;
    unsigned char *bytes; /* the record is borrowed */
    size_t size;
    assert_int_equal(record_pack(record, &bytes, &size, NULL), BANYAN_OK);
    assert_int_equal(record_unpack(&s->records[record->number], bytes, size, NULL), BANYAN_OK);
    free(bytes);
    return BANYAN_OK;
}

static void check_same(const struct record *a, const struct record *b)
{
    unsigned char *x, *y;
    size_t m, n;
    assert_int_equal(a->choice_count, b->choice_count);
    assert_int_equal(record_pack(a, &x, &m, NULL), BANYAN_OK);
    assert_int_equal(record_pack(b, &y, &n, NULL), BANYAN_OK);
    assert_int_equal(m, n);
    assert_memory_equal(x, y, m);
    free(x);
    free(y);
}

static void selfplay_open(struct selfplay *s, const struct banyan_game *game, const char *search)
{
    struct nn_arch arch;
    memset(s, 0, sizeof *s);
    s->game = game;
    assert_true(game->state_size <= sizeof s->state && game->max_legal <= 64);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(game, &arch, NULL), BANYAN_OK);
    arch.channels = 4, arch.blocks = 1, arch.value_hidden = 4;
    assert_int_equal(nn_model_build(&s->model, &arch, NULL), BANYAN_OK);
    s->params = nn_block_create(s->model.size);
    nn_model_start(&s->model, s->params, 1);
    play_options_default(&s->options);
    banyan_search_options_default(&s->search);
    s->search.memory_bytes = 1 << 20;
    struct banyan_error err;
    if (banyan_options_parse(banyan_search_option_table(), &s->search, search, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    const struct net_backend backend = {"plain", "", 1, 1};
    assert_int_equal(net_create(&s->net, game, &s->model, s->params, &backend, NULL), BANYAN_OK);
    s->evaluator = net_evaluator(s->net);
}

/* The job of playing games of s, without a seed of its own. */
static struct play_job selfplay_job(struct selfplay *s, const struct banyan_game *game, int games)
{
    return (struct play_job){.game = game,
                             .options = &s->options,
                             .search = &s->search,
                             .model = &s->model,
                             .params = s->params,
                             .backend = "plain",
                             .type = "",
                             .games = games,
                             .deliver = selfplay_deliver,
                             .ctx = s};
}

/* Plays games both ways and compares. */
static void selfplay_check(struct selfplay *s)
{
    struct banyan_error err = {.message = ""};
    struct play_totals totals;
    struct play_job job = selfplay_job(s, s->game, GAMES);
    job.seed = 5;
    job.generation = 3;
    job.next = selfplay_next;
    int64_t choices = 0;
    if (play_run(&job, &totals, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    for (int i = 0; i < GAMES; ++i) {
        struct record plain = {.start = NULL};
        assert_int_equal(s->delivered[i], i != 2);
        if (i == 2)
            continue;
        plain_game(s, &plain, i);
        check_same(&plain, &s->records[i]);
        choices += plain.choice_count;
        record_free(&plain);
    }
    assert_int_equal(totals.games, GAMES - 1);
    assert_int_equal(totals.choices, choices);
    assert_int_equal(totals.evaluations, s->leaves);
    assert_true(totals.batches > 0 && totals.evaluations <= totals.batches * s->options.at_once);
    if (s->options.at_once == 1)
        assert_int_equal(totals.batches, s->leaves);
}

static void selfplay_close(struct selfplay *s)
{
    for (int i = 0; i < GAMES; ++i)
        record_free(&s->records[i]);
    net_destroy(s->net);
    free(s->params);
}

static const struct banyan_game *game_called(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

static void games_agree_with_the_plain_copy(void **unused)
{
    (void)unused;
    const struct {
        const char *game, *search;
        int at_once, threads, simulations, fast, random_plies;
        double whole_share, warm, cold, resign, audit;
    } cases[] = {
        {"tictactoe", "rule=puct,noise-weight=0.25,forced-playouts=on", 3, 1, 12, 4, 0, 0.6, 1,
         0.25, 0, 0},
        {"tictactoe", "rule=puct,reuse=off", 1, 2, 9, 5, 7, 0.5, 0, 1, 0, 0},
        {"tictactoe", "rule=puct,solver=off", 6, 1, 8, 2, 0, 0.5, 1, 0, 0.5, 0.5},
        {"tictactoe", "rule=gumbel,gumbel-actions=4", 2, 1, 7, 3, 0, 0.5, 1, 1, 0, 0},
        {"connect4", "rule=ucb1", 2, 2, 10, 10, 24, 1, 1, 0.25, 0.5, 0.85},
        {"kuhn", "rule=puct", 2, 1, 8, 3, 2, 0.5, 1, 1, 0.5, 0.3},
        {"pig", "rule=puct", 4, 1, 5, 2, 9, 0.7, 1, 0.5, 0.5, 0.8},
        {"pig-3", "rule=puct", 2, 1, 4, 2, 0, 0.7, 1, 0.5, 0.49, 0},
        {"othello-4x4", "rule=puct", 2, 1, 6, 3, 0, 0.7, 1, 0.5, 0, 0},
    };
    int resigned = 0, audits = 0, fast = 0, draws = 0, forced = 0, late = 0, early = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct selfplay s;
        selfplay_open(&s, game_called(cases[i].game), cases[i].search);
        s.options.at_once = cases[i].at_once;
        s.options.threads = cases[i].threads;
        s.options.simulations = cases[i].simulations;
        s.options.fast_simulations = cases[i].fast;
        s.options.random_plies = cases[i].random_plies;
        s.options.whole_share = cases[i].whole_share;
        s.options.warm_plies = 4;
        s.options.warm = cases[i].warm;
        s.options.cold = cases[i].cold;
        s.options.resign = cases[i].resign;
        s.options.audit = cases[i].audit;
        selfplay_check(&s);
        resigned += s.resigned, audits += s.audits, fast += s.fast;
        draws += s.draws, forced += s.forced;
        late += s.begun_late, early += s.over_early;
        selfplay_close(&s);
    }
    assert_true(resigned > 2 && audits > 2 && fast > 20 && draws > 20 && forced > 2);
    assert_true(late > 10 && early > 2);
}

/* Nine plies are the whole game. */
static void random_plies_that_end_every_game_are_refused(void **unused)
{
    (void)unused;
    struct selfplay s;
    struct banyan_error err = {.message = ""};
    struct play_totals totals;
    selfplay_open(&s, game_called("tictactoe"), "rule=puct");
    s.options.random_plies = 1000;
    struct play_job job = selfplay_job(&s, s.game, 1);
    job.seed = 5;
    assert_int_equal(play_run(&job, &totals, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "random plies at the start end every game of 'tictactoe'"));
    selfplay_close(&s);
}

/* Gumbel's root is that of the player who moves, at every choice and with the tree kept or not:
 * check_halving looks at each. */
static void gumbel_searches_for_whoever_moves(void **unused)
{
    (void)unused;
    const char *const searches[] = {"rule=gumbel,gumbel-actions=4,solver=off,reuse=off",
                                    "rule=gumbel,gumbel-actions=4,solver=off"};
    for (int i = 0; i < 2; ++i) {
        struct selfplay s;
        selfplay_open(&s, game_called("connect4"), searches[i]);
        s.options.at_once = 2;
        s.options.simulations = 16;
        selfplay_check(&s);
        selfplay_close(&s);
    }
}

/* --- players who choose at the same time: four rounds of matching pennies --- */

struct pennies {
    int8_t round, score; /* the first player's points, less the second's */
};

static enum banyan_status pennies_init(const struct banyan_game *game, void *state,
                                       const char *setup, struct banyan_rng *rng,
                                       struct banyan_error *err)
{
    (void)game, (void)setup, (void)rng, (void)err;
    *(struct pennies *)state = (struct pennies){0};
    return BANYAN_OK;
}

static int pennies_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    const struct pennies *pennies = state;
    (void)game;
    return snprintf(out, size, "%d %d", pennies->round, pennies->score);
}

static unsigned pennies_movers(const struct banyan_game *game, const void *state)
{
    (void)game;
    return ((const struct pennies *)state)->round < 4 ? 3 : 0;
}

/* In the third round the second player cannot choose. */
static int pennies_legal(const struct banyan_game *game, const void *state, int player,
                         banyan_action *out)
{
    (void)game;
    out[0] = 0, out[1] = 1;
    return player == 1 && ((const struct pennies *)state)->round == 2 ? 1 : 2;
}

static void pennies_apply(const struct banyan_game *game, void *state, const banyan_action *joint,
                          struct banyan_dice *dice)
{
    struct pennies *pennies = state;
    (void)game, (void)dice;
    ++pennies->round;
    pennies->score = (int8_t)(pennies->score + (joint[0] == joint[1] ? 1 : -1));
}

static void pennies_returns(const struct banyan_game *game, const void *state, float *out)
{
    (void)game;
    out[0] = (float)((const struct pennies *)state)->score / 4;
    out[1] = -out[0];
}

static uint64_t pennies_key(const struct banyan_game *game, const void *state, int viewer)
{
    const struct pennies *pennies = state;
    (void)game, (void)viewer;
    return (uint64_t)(16 * pennies->round + pennies->score + 8);
}

static void pennies_encode(const struct banyan_game *game, const void *state, int viewer,
                           float *planes)
{
    const struct pennies *pennies = state;
    (void)game;
    planes[0] = pennies->round;
    planes[1] = pennies->score;
    planes[2] = (float)viewer;
}

static int pennies_index(const struct banyan_game *game, const void *state, int player,
                         banyan_action action)
{
    (void)game, (void)state, (void)player;
    return (int)action;
}

static const struct banyan_game pennies_game = {.struct_size = sizeof pennies_game,
                                                .name = "pennies",
                                                .title = "Matching pennies",
                                                .players = 2,
                                                .state_size = sizeof(struct pennies),
                                                .action_bytes = 1,
                                                .max_legal = 2,
                                                .max_plies = 4,
                                                .return_min = -1,
                                                .return_max = 1,
                                                .policy_size = 2,
                                                .planes = {3, 1, 1},
                                                .traits = BANYAN_SIMULTANEOUS | BANYAN_ZERO_SUM,
                                                .init = pennies_init,
                                                .movers = pennies_movers,
                                                .legal = pennies_legal,
                                                .apply = pennies_apply,
                                                .returns = pennies_returns,
                                                .key = pennies_key,
                                                .format = pennies_format,
                                                .encode = pennies_encode,
                                                .policy_index = pennies_index};

static void both_choose_at_once(void **unused)
{
    (void)unused;
    const char *const searches[] = {"rule=puct", "rule=regret", "rule=puct,noise-weight=0.3"};
    int resigned = 0;
    for (int i = 0; i < 3; ++i) {
        struct selfplay s;
        selfplay_open(&s, &pennies_game, searches[i]);
        s.options.simulations = 20;
        s.options.at_once = 2; /* each plays several games */
        s.options.resign = 0.5;
        s.options.audit = 0.3;
        selfplay_check(&s);
        resigned += s.resigned;
        selfplay_close(&s);
    }
    assert_true(resigned > 0);
}

/* --- threads --- */

/* Two threads that each begin a game wait for each other; five minutes are for a thread that never comes. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t came;
    int inside;
} meeting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static enum banyan_status meeting_init(const struct banyan_game *game, void *state,
                                       const char *setup, struct banyan_rng *rng,
                                       struct banyan_error *err)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 300;
    pthread_mutex_lock(&meeting.lock);
    ++meeting.inside;
    pthread_cond_broadcast(&meeting.came);
    while (meeting.inside < 2)
        if (pthread_cond_timedwait(&meeting.came, &meeting.lock, &end) != 0)
            break;
    pthread_mutex_unlock(&meeting.lock);
    if (meeting.inside < 2)
        return banyan_fail(err, BANYAN_INVALID, "the other thread did not begin a game");
    return pennies_init(game, state, setup, rng, err);
}

static void every_thread_plays(void **unused)
{
    (void)unused;
    struct banyan_game game = pennies_game;
    struct selfplay s;
    struct play_totals totals;
    struct banyan_error err = {.message = ""};
    game.init = meeting_init;
    selfplay_open(&s, &game, "rule=puct");
    s.options.threads = 2;
    s.options.at_once = 1;
    const struct play_job job = selfplay_job(&s, &game, 2);
    if (play_run(&job, &totals, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(totals.games, 2);
    selfplay_close(&s);
}

/* --- many dice --- */

static int dice_thrown; /* by one choice */

static void dicey_apply(const struct banyan_game *game, void *state, const banyan_action *joint,
                        struct banyan_dice *dice)
{
    for (int i = 0; i < dice_thrown; ++i)
        (void)banyan_dice_roll(dice, 0, 6);
    pennies_apply(game, state, joint, dice);
}

/* A record holds all dice; a choice that throws more than there is room for ends self-play. */
static void more_dice_than_fit(void **unused)
{
    (void)unused;
    struct banyan_game game = pennies_game;
    game.apply = dicey_apply;
    game.traits |= BANYAN_CHANCE;
    for (dice_thrown = 254; dice_thrown <= 257; ++dice_thrown) {
        struct selfplay s;
        struct play_totals totals;
        struct banyan_error err = {.message = ""};
        selfplay_open(&s, &game, "rule=puct");
        s.options.at_once = 1;
        s.options.simulations = 2;
        const struct play_job job = selfplay_job(&s, &game, 1);
        enum banyan_status status = play_run(&job, &totals, &err);
        assert_int_equal(status, dice_thrown <= 255 ? BANYAN_OK : BANYAN_UNSUPPORTED);
        if (status == BANYAN_OK)
            assert_int_equal(s.records[0].die_count, 4 * dice_thrown);
        else
            assert_non_null(strstr(err.message, "more than 255 dice"));
        selfplay_close(&s);
    }
}

/* --- what ends self-play before its games are over --- */

static enum banyan_status refuse_delivery(void *ctx, struct record *record,
                                          struct banyan_error *err)
{
    (void)ctx;
    (void)record;
    return banyan_fail(err, BANYAN_IO, "told to fail");
}

static void errors_come_through(void **unused)
{
    (void)unused;
    struct selfplay s;
    struct play_totals totals;
    struct banyan_error err = {.message = ""};
    banyan_flag stop = {0};
    const char *const teachers[] = {"", "random"};
    selfplay_open(&s, game_called("tictactoe"), "rule=puct");
    s.options.teacher_generations = 9;
    struct play_job job = selfplay_job(&s, s.game, 50);
    job.stop = &stop;
    job.deliver = refuse_delivery;
    for (int i = 0; i < 2; ++i) {
        strcpy(s.options.teacher, teachers[i]);
        assert_int_equal(play_run(&job, &totals, &err), BANYAN_IO);
        assert_string_equal(err.message, "told to fail");
        assert_int_equal(totals.games, 1);
    }
    job.setup = "moves:a1 a1";
    for (int i = 0; i < 2; ++i) {
        strcpy(s.options.teacher, teachers[i]);
        assert_int_equal(play_run(&job, &totals, &err), BANYAN_ILLEGAL);
        assert_int_equal(totals.games, 0);
    }
    job.setup = NULL;
    job.backend = "nothing";
    s.options.teacher[0] = 0;
    assert_int_equal(play_run(&job, &totals, &err), BANYAN_NOT_FOUND);
    job.backend = "plain";
    s.search.memory_bytes = 1;
    assert_int_equal(play_run(&job, &totals, &err), BANYAN_INVALID);
    selfplay_close(&s);
}

static enum banyan_status stop_after_three(void *ctx, struct record *record,
                                           struct banyan_error *err)
{
    (void)err;
    if (record->number >= 2)
        banyan_flag_set(ctx);
    return BANYAN_OK;
}

static void a_stop_ends_self_play(void **unused)
{
    (void)unused;
    const char *const teachers[] = {"", "random"};
    for (int i = 0; i < 2; ++i) {
        struct selfplay s;
        struct play_totals totals;
        banyan_flag stop = {0};
        selfplay_open(&s, game_called("tictactoe"), "rule=puct");
        strcpy(s.options.teacher, teachers[i]);
        s.options.teacher_generations = 9;
        s.options.at_once = 1;
        s.options.simulations = 2;
        struct play_job job = selfplay_job(&s, s.game, 50);
        job.stop = &stop;
        job.deliver = stop_after_three;
        job.ctx = &stop;
        assert_int_equal(play_run(&job, &totals, NULL), BANYAN_INTERRUPTED);
        assert_int_equal(totals.games, 3);
        selfplay_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_agree_with_the_plain_copy),
        cmocka_unit_test(random_plies_that_end_every_game_are_refused),
        cmocka_unit_test(gumbel_searches_for_whoever_moves),
        cmocka_unit_test(both_choose_at_once),
        cmocka_unit_test(every_thread_plays),
        cmocka_unit_test(more_dice_than_fit),
        cmocka_unit_test(errors_come_through),
        cmocka_unit_test(a_stop_ends_self_play),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
