/* Backups and final choices of your own (banyan/rule.h). */
#include "searching.h"

#include <limits.h>
#include <math.h>

static enum banyan_status open_own(struct searching *s, const char *game, const char *setup,
                                   const char *options, const struct banyan_backup *backup,
                                   const struct banyan_choice *choice)
{
    searching_open(s, game, setup, options, "rollout");
    banyan_search_destroy(s->search);
    s->search = NULL;
    s->options.own_backup = backup;
    s->options.own_final = choice;
    enum banyan_status status =
        banyan_search_create(&s->search, s->game, &s->options, &s->evaluator, &s->err);
    if (status == BANYAN_OK)
        searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
    return status;
}

/* Multiplies values at every edge, and checks that the steps of a simulation come from its leaf
 * up. */
struct discount {
    float factor;
    int depth; /* of the next step; < 0: a new simulation comes */
    int calls;
};

static void discount_back(void *ctx, const struct banyan_backup_step *step, float *values)
{
    struct discount *discount = ctx;
    ++discount->calls;
    assert_true(step->is_last == (discount->depth < 0));
    if (!step->is_last)
        assert_int_equal(step->depth, discount->depth);
    assert_true(step->visits > 0 || step->mean == 0);
    discount->depth = step->depth - 1;
    for (int p = 0; p < step->game->players; ++p)
        values[p] *= discount->factor;
}

static void a_backup_that_changes_nothing(void **unused)
{
    static const char *const kinds[][2] = {{"othello", "solver=off"},
                                           {"pig", "rule=ucb1-tuned"},
                                           {"kuhn", "batch=4"},
                                           {"tree-3", ""},
                                           {"bandit", ""},
                                           {"connect4", "rule=puct,solver=off"}};
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        struct discount none = {.factor = 1, .depth = -1};
        struct banyan_backup backup = {
            .struct_size = sizeof backup, .name = "none", .ctx = &none, .back = discount_back};
        struct searching s;
        uint64_t trees[2];
        for (int own = 0; own < 2; ++own) {
            searching_check(
                &s, open_own(&s, kinds[i][0], NULL, kinds[i][1], own ? &backup : NULL, NULL));
            searching_run(&s, 2000);
            trees[own] = banyan_search_signature(s.search);
            searching_close(&s);
        }
        if (trees[0] != trees[1])
            fail_msg("another tree in %s", kinds[i][0]);
        assert_true(none.calls > 2000 - 2);
    }
}

/* X wins by the last move, c3.  One move before, O can let that happen by a3, or take c3: a draw. */
static void a_discount_counts_moves(void **unused)
{
    struct discount half = {.factor = 0.5f, .depth = -1};
    struct banyan_backup backup = {
        .struct_size = sizeof backup, .name = "half", .ctx = &half, .back = discount_back};
    struct searching s;
    float values[2];
    (void)unused;
    searching_check(&s,
                    open_own(&s, "tictactoe", "moves:a1 b1 c1 a2 c2 b2 b3 a3", "", &backup, NULL));
    searching_run(&s, 100);
    assert_true(searching_row(&s, 0, "c3").mean == 0.5);
    assert_true(searching_row(&s, 0, "c3").hi > 0.5f); /* the solver is off */
    searching_close(&s);
    half.depth = -1;
    searching_check(
        &s, open_own(&s, "tictactoe", "moves:a1 b1 c1 a2 c2 b2 b3", "decisive=off", &backup, NULL));
    searching_run(&s, 200);
    struct banyan_search_move bad = searching_row(&s, 1, "a3"), good = searching_row(&s, 1, "c3");
    double n = (double)bad.visits; /* the first of them ended behind a3, one move earlier */
    assert_true(n > 2);
    assert_true(fabs(bad.mean - -(0.5 + 0.25 * (n - 1)) / n) < 1e-12);
    assert_true(good.mean == 0);
    banyan_search_root_values(s.search, values);
    double sum = bad.mean * n;
    assert_true(values[1] < 0 && fabs((double)values[1] - sum / 200) < 0.01);
    assert_true(values[0] == -values[1]);
    searching_close(&s);
}

struct seen {
    int count, calls;
    struct banyan_search_move rows[16];
};

static int choose_last(void *ctx, const struct banyan_search_move *rows, int count,
                       struct banyan_rng *rng)
{
    struct seen *seen = ctx;
    (void)banyan_rng_next(rng);
    ++seen->calls;
    seen->count = count;
    memcpy(seen->rows, rows, (size_t)count * sizeof *rows);
    return count - 1;
}

static void a_final_choice_of_ones_own(void **unused)
{
    struct seen seen = {0};
    struct banyan_choice choice = {
        .struct_size = sizeof choice, .name = "last", .ctx = &seen, .choose = choose_last};
    struct banyan_search_move best;
    struct searching s;
    (void)unused;
    searching_check(&s, open_own(&s, "connect4", NULL, "", NULL, &choice));
    searching_run(&s, 500);
    searching_check(&s, banyan_search_choose(s.search, 0, &best, &s.err));
    assert_int_equal(seen.count, 7);
    for (int i = 0; i < 6; ++i)
        assert_true(seen.rows[i].visits >= seen.rows[i + 1].visits);
    assert_int_equal(best.action, seen.rows[6].action);
    searching_close(&s);
    /* what is proven to be worse is not among them: X wins immediately by c1 */
    searching_check(&s,
                    open_own(&s, "tictactoe", "moves:a1 a2 b1 b2", "decisive=off", NULL, &choice));
    searching_run(&s, 500);
    searching_check(&s, banyan_search_choose(s.search, 0, &best, &s.err));
    assert_int_equal(seen.count, 1);
    assert_true(best.lo == 1);
    assert_int_equal(seen.calls, 2);
    searching_close(&s);
}

/* Takes the row of this number; MANY: as many as there are rows. */
enum { MANY = 1000000 };

static int choose_number(void *ctx, const struct banyan_search_move *rows, int count,
                         struct banyan_rng *rng)
{
    (void)rows, (void)rng;
    int number = *(const int *)ctx;
    return number == MANY ? count : number;
}

/* The number of a row that is not there takes the first one, the only one that wins. */
static void a_choice_that_is_not_there_is_the_first(void **unused)
{
    static const int numbers[] = {0, -1, 1, MANY, INT_MIN, INT_MAX};
    (void)unused;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        int number = numbers[i];
        struct banyan_choice choice = {
            .struct_size = sizeof choice, .name = "one", .ctx = &number, .choose = choose_number};
        struct banyan_search_move best;
        struct searching s;
        searching_check(
            &s, open_own(&s, "tictactoe", "moves:a1 a2 b1 b2", "decisive=off", NULL, &choice));
        searching_run(&s, 500);
        searching_check(&s, banyan_search_choose(s.search, 0, &best, &s.err));
        assert_true(best.lo == 1);
        searching_close(&s);
    }
}

static void expect_refused(const char *game, const char *options,
                           const struct banyan_backup *backup, const struct banyan_choice *choice,
                           const char *message)
{
    struct searching s;
    assert_true(open_own(&s, game, NULL, options, backup, choice) != BANYAN_OK);
    if (!strstr(s.err.message, message))
        fail_msg("'%s' does not say '%s'", s.err.message, message);
    searching_close(&s);
}

static void what_cannot_be_is_refused(void **unused)
{
    struct discount half = {.factor = 0.5f, .depth = -1};
    const struct banyan_backup backup = {
        .struct_size = sizeof backup, .name = "half", .ctx = &half, .back = discount_back};
    const struct banyan_backup empty = {.struct_size = sizeof empty};
    const struct banyan_choice none = {.struct_size = sizeof none}, sizeless = {.name = "x"};
    struct searching s;
    banyan_action line = 0;
    (void)unused;
    expect_refused("rps", "", &backup, NULL, "one choice at a time");
    expect_refused("tictactoe", "solver=on", &backup, NULL, "does not go with solver=on");
    expect_refused("kuhn", "worlds=3,world-baseline=on", &backup, NULL, "world-baseline");
    expect_refused("tictactoe", "rule=grave", &backup, NULL, "rule=grave");
    expect_refused("tictactoe", "threads=2", &backup, NULL, "'half' serves one thread");
    expect_refused("tictactoe", "", &empty, NULL, "no function back");
    expect_refused("tictactoe", "", NULL, &none, "no function choose");
    expect_refused("tictactoe", "", NULL, &sizeless, "banyan_choice");
    searching_check(&s, open_own(&s, "tictactoe", NULL, "threads=0", &backup, NULL));
    searching_close(&s); /* the best number of threads is one then */
    searching_check(&s, open_own(&s, "tictactoe", NULL, "", &backup, NULL));
    assert_int_equal(banyan_search_add_line(s.search, &line, 1, 10, 0.5, &s.err),
                     BANYAN_UNSUPPORTED);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_backup_that_changes_nothing),
        cmocka_unit_test(a_discount_counts_moves),
        cmocka_unit_test(a_final_choice_of_ones_own),
        cmocka_unit_test(a_choice_that_is_not_there_is_the_first),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
