/* Searches in games of eight players, the most that there may be: every array by player is full, so
 * the sanitizers see every read or write that is one place too far.
 *
 * Each player has a card 0, 1 or 2 and chooses a number 0, 1 or 2, twice.  A choice equal to the own
 * card counts one point; nothing else does.  So the best choice is known: the own card. */
#include "memory_file.h"

#include <banyan/check.h>
#include <banyan/evaluator.h>
#include <banyan/exact.h>
#include <banyan/search.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS = BANYAN_MAX_PLAYERS, CARDS = 3, ROUNDS = 2, PLIES = ROUNDS * SEATS };

struct seats {
    uint8_t ply; /* choices made; all together: by each player */
    uint8_t card[SEATS];
    uint8_t points[SEATS];
};

struct kind {
    bool together, hidden; /* all choose at the same time; each sees the own card and points only */
};

static const struct kind *kind_of(const struct banyan_game *game)
{
    return game->ctx;
}

static unsigned seats_movers(const struct banyan_game *game, const void *at)
{
    const struct seats *state = at;
    if (kind_of(game)->together)
        return state->ply < ROUNDS ? (1u << SEATS) - 1 : 0;
    return state->ply < PLIES ? 1u << state->ply % SEATS : 0;
}

static int seats_legal(const struct banyan_game *game, const void *at, int player,
                       banyan_action *out)
{
    (void)game, (void)at, (void)player;
    for (int i = 0; i < CARDS; ++i)
        out[i] = (banyan_action)i;
    return CARDS;
}

static void seats_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                        struct banyan_dice *dice)
{
    struct seats *state = at;
    unsigned movers = seats_movers(game, at);
    (void)dice;
    for (int p = 0; p < SEATS; ++p)
        if (movers >> p & 1)
            state->points[p] = (uint8_t)(state->points[p] + (joint[p] == state->card[p]));
    ++state->ply;
}

static void seats_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct seats *state = at;
    (void)game;
    for (int p = 0; p < SEATS; ++p)
        out[p] = (float)state->points[p] - 1;
}

/* How many choices the player has made. */
static int seats_choices(const struct banyan_game *game, const struct seats *state, int player)
{
    return kind_of(game)->together ? state->ply : (state->ply + SEATS - 1 - player) / SEATS;
}

static uint64_t seats_key(const struct banyan_game *game, const void *at, int viewer)
{
    const struct seats *state = at;
    uint64_t key = (uint64_t)state->ply << 8 | (uint64_t)viewer;
    for (int p = 0; p < SEATS; ++p)
        if (p == viewer || !kind_of(game)->hidden)
            key =
                banyan_rng_child(key, "seats", (uint64_t)(state->card[p] << 8 | state->points[p]));
    return key;
}

static void seats_determinize(const struct banyan_game *game, void *at, int viewer,
                              struct banyan_rng *rng)
{
    struct seats *state = at;
    for (int p = 0; p < SEATS; ++p) {
        if (p == viewer)
            continue;
        state->card[p] = (uint8_t)banyan_rng_below(rng, CARDS);
        state->points[p] = 0;
        for (int i = 0; i < seats_choices(game, state, p); ++i)
            state->points[p] = (uint8_t)(state->points[p] + (banyan_rng_below(rng, CARDS) == 0));
    }
}

/* --- texts: "PLY CARDS POINTS", such as "0 01201201 00000000" --- */

static int seats_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct seats *state = at;
    char text[2][SEATS + 1] = {"", ""};
    (void)game;
    for (int p = 0; p < SEATS; ++p) {
        text[0][p] = (char)('0' + state->card[p]);
        text[1][p] = (char)('0' + state->points[p]);
    }
    return snprintf(out, size, "%d %s %s", state->ply, text[0], text[1]);
}

static enum banyan_status seats_init(const struct banyan_game *game, void *at, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    struct seats state = {.ply = 0};
    struct banyan_rng fixed;
    char text[2][SEATS + 1];
    int ply, length = 0;
    banyan_rng_seed(&fixed, 1);
    if (!setup || !*setup) {
        for (int p = 0; p < SEATS; ++p)
            state.card[p] = (uint8_t)banyan_rng_below(rng ? rng : &fixed, CARDS);
    } else {
        if (sscanf(setup, "%2d %8[0-2] %8[0-2]%n", &ply, text[0], text[1], &length) != 3 ||
            setup[length] || strlen(text[0]) != SEATS || strlen(text[1]) != SEATS || ply < 0 ||
            ply > (kind_of(game)->together ? ROUNDS : PLIES))
            return banyan_fail(err, BANYAN_INVALID, "'%.40s' is not a ply, cards and points",
                               setup);
        state.ply = (uint8_t)ply;
        for (int p = 0; p < SEATS; ++p) {
            state.card[p] = (uint8_t)(text[0][p] - '0');
            state.points[p] = (uint8_t)(text[1][p] - '0');
        }
    }
    memcpy(at, &state, sizeof state);
    return BANYAN_OK;
}

static int seats_action_format(const struct banyan_game *game, const void *at, int player,
                               banyan_action action, char *out, size_t size)
{
    (void)game, (void)at, (void)player;
    return snprintf(out, size, "%d", (int)action);
}

static enum banyan_status seats_action_parse(const struct banyan_game *game, const void *at,
                                             int player, const char *text, banyan_action *out,
                                             struct banyan_error *err)
{
    (void)game, (void)at, (void)player;
    if (text[0] < '0' || text[0] >= '0' + CARDS || text[1])
        return banyan_fail(err, BANYAN_INVALID, "'%.20s' is not 0, 1 or 2", text);
    *out = (banyan_action)(text[0] - '0');
    return BANYAN_OK;
}

static const struct kind kinds[] = {{false, false}, {false, true}, {true, false}, {true, true}};
enum { TURNS, TURNS_HIDDEN, TOGETHER, TOGETHER_HIDDEN, KINDS };

static struct banyan_game make_game(int kind)
{
    return (struct banyan_game){
        .struct_size = sizeof(struct banyan_game),
        .ctx = (void *)&kinds[kind],
        .name = "seats",
        .title = "Seats",
        .players = SEATS,
        .traits = (kinds[kind].together ? BANYAN_SIMULTANEOUS : 0u) |
                  (kinds[kind].hidden ? BANYAN_HIDDEN : 0u),
        .state_size = sizeof(struct seats),
        .max_legal = CARDS,
        .max_plies = kinds[kind].together ? ROUNDS : PLIES,
        .return_min = -1,
        .return_max = 1,
        .action_bytes = 1,
        .action_count = CARDS,
        .init = seats_init,
        .movers = seats_movers,
        .legal = seats_legal,
        .apply = seats_apply,
        .returns = seats_returns,
        .key = seats_key,
        .format = seats_format,
        .action_format = seats_action_format,
        .action_parse = seats_action_parse,
        .determinize = kinds[kind].hidden ? seats_determinize : NULL,
    };
}

/* --- searches --- */

enum { SIMULATIONS = 300, SEARCHES = 4 };

static void check(enum banyan_status status, const struct banyan_error *err)
{
    if (status != BANYAN_OK)
        fail_msg("%s", err->message);
}

static bool count_text(void *ctx, const char *text, size_t length)
{
    (void)text;
    *(size_t *)ctx += length;
    return true;
}

/* Everything that can be asked of a search, for every player. */
static void ask_all(struct banyan_search *search, unsigned movers, struct banyan_error *err)
{
    float values[SEATS];
    size_t length = 0;
    banyan_search_root_values(search, values);
    for (int p = 0; p < SEATS; ++p) {
        struct banyan_search_move rows[CARDS];
        int count = banyan_search_root_moves(search, p, rows, CARDS);
        if (count != (movers >> p & 1 ? CARDS : 0))
            fail_msg("player %d of %x: %d rows", p + 1, movers, count);
        assert_true(values[p] >= -1 && values[p] <= 1);
    }
    struct banyan_search_tree_view view = {.format = BANYAN_TREE_TEXT, .depth = 2};
    check(banyan_search_write_tree(search, &view, count_text, &length, err), err);
    assert_true(length > 0);
}

struct opened {
    const struct banyan_game *game;
    struct banyan_search *search;
    struct banyan_evaluator evaluator;
    struct banyan_error err;
    struct seats state; /* the root; where players move in turn, the seventh is to move */
};

static void open_search(struct opened *o, const struct banyan_game *game, const char *options,
                        const char *evaluator)
{
    struct banyan_search_options all;
    bool together = kind_of(game)->together;
    const char *setup = together ? "0 01201201 00000000" : "6 01201201 00000000";
    memset(o, 0, sizeof *o);
    o->game = game;
    check(game->init(game, &o->state, setup, NULL, &o->err), &o->err);
    banyan_search_options_default(&all);
    all.memory_bytes = 4 << 20;
    check(banyan_options_parse(banyan_search_option_table(), &all, options, &o->err), &o->err);
    check(banyan_evaluator_create(game, evaluator, NULL, &o->evaluator, &o->err), &o->err);
    check(banyan_search_create(&o->search, game, &all, &o->evaluator, &o->err), &o->err);
    check(banyan_search_set_root(o->search, &o->state, -1, &o->err), &o->err);
}

static void run(struct opened *o, int64_t simulations)
{
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = simulations};
    check(banyan_search_run(o->search, &limits, &o->err), &o->err);
}

static void close_search(struct opened *o)
{
    banyan_search_destroy(o->search);
    banyan_evaluator_close(&o->evaluator);
}

/* Searches and plays on.  All that choose by the search choose their card. */
static void play_on(const struct banyan_game *game, const char *options, const char *evaluator)
{
    struct opened o;
    unsigned movers;
    open_search(&o, game, options, evaluator);
    for (int i = 0; i < SEARCHES && (movers = game->movers(game, &o.state)); ++i) {
        banyan_action joint[SEATS] = {0};
        check(banyan_search_set_root(o.search, &o.state, -1, &o.err), &o.err);
        run(&o, SIMULATIONS);
        ask_all(o.search, movers, &o.err);
        for (int p = 0; p < SEATS; ++p) {
            struct banyan_search_move row;
            if (!(movers >> p & 1))
                continue;
            check(banyan_search_choose(o.search, p, &row, &o.err), &o.err);
            if (row.action != o.state.card[p])
                fail_msg("%s: player %d of ply %d chooses %d, not %d", options, p + 1, o.state.ply,
                         (int)row.action, o.state.card[p]);
            joint[p] = row.action;
        }
        game->apply(game, &o.state, joint, NULL);
    }
    close_search(&o);
}

static void the_games_keep_the_contract(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; ++kind) {
        const struct banyan_game game = make_game(kind);
        struct banyan_error err = {.message = ""};
        check(banyan_game_check(&game, NULL, NULL, &err), &err);
    }
}

static void all_find_their_card(void **unused)
{
    static const struct {
        const char *options, *evaluator;
        unsigned kinds; /* bits */
    } rows[] = {
        {"", "rollout", 15},
        {"batch=4", "rollout", 15},
        {"threads=2", "rollout", 15},
        {"threads=2,batch=4", "rollout", 15},
        {"ensemble=2", "rollout", 15},
        {"rule=puct", "cache:size=16,rollout", 15},
        {"rule=puct,noise-weight=0.2", "mixture:weight=0.5,rollout|uniform", 15},
        {"rule=gumbel", "rollout", 15},
        {"rule=ucb1-tuned", "mast", 15},
        {"rule=grave", "rollout", 1 << TURNS},
        {"rule=regret", "rollout", 1 << TOGETHER},
        {"opponents=coalition,side0=0,side1=1,side2=2,side3=3,side4=4,side5=5,side6=6,side7=7",
         "rollout", 15},
        {"availability=on", "rollout", 1 << TURNS_HIDDEN | 1 << TOGETHER_HIDDEN},
        {"worlds=40", "rollout", 1 << TURNS_HIDDEN | 1 << TOGETHER_HIDDEN},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int kind = 0; kind < KINDS; ++kind) {
            const struct banyan_game game = make_game(kind);
            if (rows[i].kinds >> kind & 1)
                play_on(&game, rows[i].options, rows[i].evaluator);
        }
}

/* MCCFR: each player's average strategy comes near to the own card alone. */
static void regrets_find_their_card(void **unused)
{
    (void)unused;
    for (int kind = TOGETHER; kind < KINDS; ++kind) {
        const struct banyan_game game = make_game(kind);
        struct opened o;
        open_search(&o, &game, "rule=regret", "rollout");
        check(banyan_search_walk(o.search, 200, NULL, &o.err), &o.err);
        for (int p = 0; p < SEATS; ++p) {
            banyan_action actions[CARDS];
            double shares[CARDS], own = 0;
            int count = banyan_search_average_strategy(o.search, NULL, p, actions, shares, CARDS);
            for (int i = 0; i < count; ++i)
                own = actions[i] == o.state.card[p] ? shares[i] : own;
            if (own < 0.8)
                fail_msg("kind %d: player %d chooses the card with probability %f", kind, p + 1,
                         own);
        }
        close_search(&o);
    }
}

/* The exact value of a player is the number of points that the player can still make. */
static void exact_values_are_all_points(void **unused)
{
    (void)unused;
    static const int had[SEATS] = {0, 1, 2, 1, 0, 1, 0, 1}, left[SEATS] = {0, 0, 0, 0, 1, 1, 1, 1};
    const struct banyan_game game = make_game(TURNS);
    struct banyan_exact *exact;
    struct banyan_error err = {.message = ""};
    struct seats state;
    double values[SEATS];
    check(game.init(&game, &state, "12 01201201 01210101", NULL, &err), &err);
    check(banyan_exact_create(&exact, &game, 1 << 20, &err), &err);
    check(banyan_exact_value(exact, &state, values, &err), &err);
    for (int p = 0; p < SEATS; ++p)
        assert_true(values[p] == had[p] + left[p] - 1);
    banyan_exact_destroy(exact);
}

/* --- saved searches --- */

/* Searches something else, with a limit at the root, which must all be forgotten. */
static void search_something_else(struct opened *o)
{
    const banyan_action two[2] = {0, 2};
    struct seats other;
    check(o->game->init(o->game, &other, "0 22220000 00000000", NULL, &o->err), &o->err);
    check(banyan_search_set_root(o->search, &other, 0, &o->err), &o->err);
    check(banyan_search_allow(o->search, 0, two, 2, &o->err), &o->err);
    run(o, 50);
}

static void check_same(struct opened *o, struct opened *again)
{
    assert_true(banyan_search_signature(o->search) == banyan_search_signature(again->search));
    for (int p = 0; p < SEATS; ++p) {
        struct banyan_search_move rows[2][CARDS];
        int count = banyan_search_root_moves(o->search, p, rows[0], CARDS);
        assert_int_equal(banyan_search_root_moves(again->search, p, rows[1], CARDS), count);
        for (int i = 0; i < count; ++i)
            assert_true(rows[0][i].action == rows[1][i].action &&
                        rows[0][i].visits == rows[1][i].visits);
    }
}

/* A saved search goes on as if it had not been saved, each tree of an ensemble. */
static void searches_are_saved(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2 * KINDS; ++i) {
        const struct banyan_game game = make_game(i / 2);
        const char *options = i % 2 ? "ensemble=2" : "";
        struct opened o, again;
        struct memory_file file = {.space = SIZE_MAX};
        open_search(&o, &game, options, "rollout");
        open_search(&again, &game, options, "rollout");
        search_something_else(&again);
        run(&o, SIMULATIONS);
        check(banyan_search_save(o.search, memory_file_put, &file, &o.err), &o.err);
        check(banyan_search_load(again.search, memory_file_get, &file, &again.err), &again.err);
        run(&o, SIMULATIONS);
        run(&again, SIMULATIONS);
        check_same(&o, &again);
        free(file.at);
        close_search(&o);
        close_search(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_games_keep_the_contract),
        cmocka_unit_test(all_find_their_card),
        cmocka_unit_test(regrets_find_their_card),
        cmocka_unit_test(exact_values_are_all_points),
        cmocka_unit_test(searches_are_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
