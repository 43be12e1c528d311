/* Progressive history: what moves were worth anywhere is added to UCB1, and fades with their losses. */
#include "searching.h"

#include <math.h>
#include <stdio.h>

enum { SQUARES = 9, LOGGED = 8 };

/* What the test itself counts of the simulations. */
struct tally {
    double sum[SQUARES], visits[SQUARES];                 /* of the root's actions */
    double history_sum[SQUARES], history_visits[SQUARES]; /* in all simulations that contain them */
};

/* The action of the root that leads to this state. */
static int action_to(const struct searching *s, const void *state)
{
    const struct banyan_game *game = s->game;
    void *after = calloc(1, game->state_size);
    int found = -1;
    assert_non_null(after);
    for (banyan_action a = 0; a < SQUARES && found < 0; ++a) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {a};
        memcpy(after, s->state, game->state_size);
        game->apply(game, after, joint, NULL);
        found = game->key(game, after, 1) == game->key(game, state, 1) ? (int)a : -1;
    }
    free(after);
    return found;
}

/* Gives a value to a leaf one move below the root.  Each second playout says that X has played the last square and
 * won; the others are lost, or drawn where X began in the first row. */
static void answer(const struct searching *s, struct banyan_leaf *leaf, int number,
                   struct tally *tally)
{
    int action = action_to(s, leaf->state);
    double value = number % 2 ? 1 : action < 3 ? 0 : -1;
    assert_true(action >= 0);
    leaf->values[0] = (float)value;
    leaf->values[1] = (float)-value;
    tally->sum[action] += value;
    ++tally->visits[action];
    tally->history_sum[action] += value;
    ++tally->history_visits[action];
    if (number % 2 == 0)
        return;
    assert_true(leaf->playout && leaf->playout->room > 0);
    leaf->playout->moves[leaf->playout->count++] = LOGGED; /* player 0 */
    if (action != LOGGED) {
        tally->history_sum[LOGGED] += value;
        ++tally->history_visits[LOGGED];
    }
}

static double expected(const struct tally *tally, int a, double weight, double simulations)
{
    double mean = tally->sum[a] / tally->visits[a], n = tally->visits[a];
    double history = (tally->history_sum[a] / tally->history_visits[a] + 1) / 2;
    double losses = n * (1 - (mean + 1) / 2);
    /* exploration=0.5, and rewards of width 2 */
    return mean + 2 * sqrt(log(simulations) / n) + 2 * weight * history / (losses + 1);
}

static void scores_by_hand(void **unused)
{
    static const double weights[] = {0.5, 5};
    (void)unused;
    for (int w = 0; w < 2; ++w) {
        struct searching s;
        struct banyan_leaf leaf;
        struct tally tally = {.sum = {0}};
        struct banyan_search_move rows[SQUARES];
        char options[160];
        snprintf(options, sizeof options,
                 "solver=off,expand-visits=1000000,prebuild-depth=1,progressive-history=%g",
                 weights[w]);
        searching_open(&s, "tictactoe", NULL, options, "rollout");
        for (int i = 0; i < 40; ++i) {
            assert_int_equal(banyan_search_select(s.search, &leaf, 1), 1);
            answer(&s, &leaf, i, &tally);
            banyan_search_update(s.search, &leaf, 1);
        }
        assert_int_equal(banyan_search_root_moves(s.search, 0, rows, SQUARES), SQUARES);
        for (int i = 0; i < SQUARES; ++i) {
            int a = (int)rows[i].action;
            assert_true((double)rows[i].visits == tally.visits[a]);
            double right = expected(&tally, a, weights[w], 40);
            if (fabs(rows[i].score - right) > 1e-9)
                fail_msg("action %d has the score %.9f, not %.9f", a, rows[i].score, right);
        }
        assert_true(tally.history_visits[LOGGED] > 20);
        searching_close(&s);
    }
}

/* The favourite of the playouts is visited more often with a larger weight, although its value is the same. */
static void history_draws_visits(void **unused)
{
    double visits[2];
    (void)unused;
    for (int w = 0; w < 2; ++w) {
        struct searching s;
        struct banyan_leaf leaf;
        struct tally tally = {.sum = {0}};
        searching_open(
            &s, "tictactoe", NULL,
            w ? "solver=off,expand-visits=1000000,prebuild-depth=1,progressive-history=9"
              : "solver=off,expand-visits=1000000,prebuild-depth=1,progressive-history=1e-9",
            "rollout");
        for (int i = 0; i < 200; ++i) {
            assert_int_equal(banyan_search_select(s.search, &leaf, 1), 1);
            answer(&s, &leaf, i, &tally);
            banyan_search_update(s.search, &leaf, 1);
        }
        visits[w] = tally.visits[LOGGED];
        searching_close(&s);
    }
    assert_true(visits[1] > 1.3 * visits[0]);
}

static void refused(const char *game, const char *options, const char *message)
{
    struct searching s;
    struct banyan_search *search;
    searching_open(&s, game, NULL, options, "rollout");
    s.options.progressive_history = 1;
    assert_int_equal(banyan_search_create(&search, s.game, &s.options, &s.evaluator, &s.err),
                     BANYAN_UNSUPPORTED);
    if (!strstr(s.err.message, message))
        fail_msg("'%s' does not say '%s'", s.err.message, message);
    searching_close(&s);
}

static bool put_nothing(void *ctx, const void *bytes, size_t length)
{
    (void)ctx;
    return bytes && length;
}

static void what_cannot_be_is_refused(void **unused)
{
    struct searching s;
    (void)unused;
    refused("kuhn", "", "progressive-history is for games of alternate moves");
    refused("bloodbowl-1", "", "progressive-history needs a game that says how many actions");
    refused("othello", "threads=2", "progressive-history serves one thread");
    searching_open(&s, "othello", NULL, "progressive-history=1", "rollout");
    searching_run(&s, 10);
    assert_int_equal(banyan_search_save(s.search, put_nothing, NULL, &s.err), BANYAN_UNSUPPORTED);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_by_hand),
        cmocka_unit_test(history_draws_visits),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
