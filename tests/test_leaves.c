/* Leaves as arrays: searches that are fed together do what each does alone. */
#include <banyan/leaves.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEARCHES = 5, EACH = 3, MAX = SEARCHES * EACH, ROWS = 2 * MAX, ROUNDS = 40 };

static enum banyan_status nothing(void *ctx, struct banyan_leaf *leaves, int n,
                                  struct banyan_error *err)
{
    (void)ctx, (void)leaves, (void)n, (void)err;
    return BANYAN_OK;
}

struct fixture {
    const struct banyan_game *game;
    struct banyan_evaluator evaluator;
    struct banyan_search *searches[SEARCHES];
    banyan_action *legal;
    size_t size, width;
    float *observations, *logits;
    int8_t *masks;
};

static void open_fixture(struct fixture *f, const char *name)
{
    struct banyan_search_options options;
    struct banyan_error err;
    banyan_search_options_default(&options);
    options.rule = BANYAN_RULE_PUCT;
    options.memory_bytes = (uint64_t)4 << 20;
    options.batch = EACH;
    assert_int_equal(banyan_game_find(name, &f->game, &err), BANYAN_OK);
    f->evaluator = (struct banyan_evaluator){.struct_size = sizeof f->evaluator,
                                             .name = "outside",
                                             .wants_actions = true,
                                             .evaluate = nothing};
    void *state = calloc(1, f->game->state_size);
    for (int i = 0; i < SEARCHES; ++i) {
        struct banyan_rng rng;
        banyan_rng_seed(&rng, (uint64_t)i);
        options.seed = (uint64_t)i + 1;
        assert_int_equal(f->game->init(f->game, state, "", &rng, &err), BANYAN_OK);
        assert_int_equal(
            banyan_search_create(&f->searches[i], f->game, &options, &f->evaluator, &err),
            BANYAN_OK);
        assert_int_equal(banyan_search_set_root(f->searches[i], state, -1, &err), BANYAN_OK);
    }
    free(state);
    f->size = (size_t)banyan_observation_size(f->game);
    f->width = (size_t)banyan_policy_width(f->game);
    f->legal = calloc((size_t)f->game->max_legal, sizeof *f->legal);
    f->observations = calloc(ROWS * f->size, sizeof(float));
    f->logits = calloc(ROWS * f->width, sizeof(float));
    f->masks = calloc(ROWS, f->width);
}

static void close_fixture(struct fixture *f)
{
    for (int i = 0; i < SEARCHES; ++i)
        banyan_search_destroy(f->searches[i]);
    free(f->legal);
    free(f->observations);
    free(f->logits);
    free(f->masks);
}

/* What the network of this test says of a row: numbers that follow from the observation. */
static void say(const struct fixture *f, const float *observation, float *logits)
{
    float sum = 0;
    for (size_t i = 0; i < f->size; ++i)
        sum += observation[i] * (float)(1 + i % 7);
    for (size_t k = 0; k < f->width; ++k)
        logits[k] = (float)(((int)sum * 13 + (int)k * 29) % 17) / 8;
}

static void evaluate(struct fixture *f, struct banyan_leaf *leaves, int n)
{
    float values[MAX * 2];
    int rows = banyan_leaves_rows(leaves, n);
    banyan_leaves_observe(leaves, n, f->observations);
    for (int row = 0; row < rows; ++row)
        say(f, f->observations + (size_t)row * f->size, f->logits + (size_t)row * f->width);
    for (int i = 0; i < 2 * n; ++i)
        values[i] = 0.25f - 0.5f * (float)(i % 2);
    banyan_leaves_set_values(leaves, n, values);
    banyan_leaves_set_policy(leaves, n, f->logits, f->legal);
}

/* Every row is what its player sees, may do, and will try. */
static void check_rows(struct fixture *f, const struct banyan_leaf *leaves, int n)
{
    float *seen = calloc(f->size, sizeof *seen);
    int row = 0;
    banyan_leaves_mask(leaves, n, f->legal, f->masks);
    for (int i = 0; i < n; ++i)
        for (int p = 0; p < f->game->players; ++p) {
            if (!(leaves[i].movers >> p & 1))
                continue;
            const int8_t *mask = f->masks + (size_t)row * f->width;
            const float *logits = f->logits + (size_t)row * f->width;
            double sum = 0, set = 0;
            banyan_observe(f->game, leaves[i].state, p, seen);
            assert_memory_equal(seen, f->observations + (size_t)row * f->size,
                                f->size * sizeof *seen);
            for (size_t k = 0; k < f->width; ++k)
                set += mask[k];
            assert_int_equal((int)set, leaves[i].count[p]);
            for (int k = 0; k < leaves[i].count[p]; ++k) {
                int index =
                    f->game->policy_index(f->game, leaves[i].state, p, leaves[i].actions[p][k]);
                int first =
                    f->game->policy_index(f->game, leaves[i].state, p, leaves[i].actions[p][0]);
                double ratio = exp((double)(logits[index] - logits[first]));
                assert_int_equal(mask[index], 1);
                assert_true(fabs((double)leaves[i].priors[p][k] -
                                 ratio * (double)leaves[i].priors[p][0]) < 1e-5);
                sum += (double)leaves[i].priors[p][k];
            }
            assert_true(fabs(sum - 1) < 1e-5);
            ++row;
        }
    assert_int_equal(row, banyan_leaves_rows(leaves, n));
    free(seen);
}

/* Feeds all searches together; writes their fingerprints. */
static void feed_together(const char *name, uint64_t *out)
{
    struct fixture f;
    struct banyan_leaf leaves[MAX];
    int owners[MAX];
    open_fixture(&f, name);
    for (int round = 0; round < ROUNDS; ++round) {
        struct banyan_leaves_request request = {.struct_size = sizeof request,
                                                .searches = f.searches,
                                                .count = SEARCHES,
                                                .first = round % SEARCHES,
                                                .each = EACH};
        int n = banyan_search_select_many(&request, leaves, owners, MAX);
        for (int i = 1; i < n; ++i) /* in turn, from the first that was asked */
            assert_true((owners[i] - request.first + SEARCHES) % SEARCHES >=
                        (owners[i - 1] - request.first + SEARCHES) % SEARCHES);
        evaluate(&f, leaves, n);
        check_rows(&f, leaves, n);
        banyan_search_update_many(f.searches, leaves, owners, n);
    }
    for (int i = 0; i < SEARCHES; ++i)
        out[i] = banyan_search_signature(f.searches[i]);
    close_fixture(&f);
}

static void feed_alone(const char *name, uint64_t *out)
{
    struct fixture f;
    struct banyan_leaf leaves[EACH];
    open_fixture(&f, name);
    for (int i = 0; i < SEARCHES; ++i) {
        for (int round = 0; round < ROUNDS; ++round) {
            int n = banyan_search_select(f.searches[i], leaves, EACH);
            evaluate(&f, leaves, n);
            banyan_search_update(f.searches[i], leaves, n);
        }
        out[i] = banyan_search_signature(f.searches[i]);
    }
    close_fixture(&f);
}

static void test_together_as_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"othello-6x6", "kuhn", "rps", "pig", "pokemon"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        uint64_t together[SEARCHES], alone[SEARCHES];
        feed_together(names[i], together);
        feed_alone(names[i], alone);
        assert_memory_equal(together, alone, sizeof alone);
    }
}

/* Where there is room for fewer leaves than all searches have, the first ones are asked. */
static void test_room(void **state)
{
    (void)state;
    struct fixture f;
    struct banyan_leaf leaves[MAX];
    int owners[MAX];
    open_fixture(&f, "othello-6x6");
    for (int first = 0; first < SEARCHES; ++first) {
        struct banyan_leaves_request request = {.struct_size = sizeof request,
                                                .searches = f.searches,
                                                .count = SEARCHES,
                                                .first = first,
                                                .each = 1};
        assert_int_equal(banyan_search_select_many(&request, leaves, owners, 1), 1);
        assert_int_equal(owners[0], first);
        evaluate(&f, leaves, 1);
        banyan_search_update_many(f.searches, leaves, owners, 1);
    }
    close_fixture(&f);
}

static void test_values_are_clipped(void **state)
{
    (void)state;
    struct fixture f;
    struct banyan_leaf leaf;
    const float values[][2] = {{9, -9}, {NAN, 0.5f}};
    open_fixture(&f, "othello-6x6");
    assert_int_equal(banyan_search_select(f.searches[0], &leaf, 1), 1);
    banyan_leaves_set_values(&leaf, 1, values[0]);
    assert_true(leaf.values[0] == 1 && leaf.values[1] == -1);
    banyan_leaves_set_values(&leaf, 1, values[1]);
    assert_true(leaf.values[0] == -1 && leaf.values[1] == 0.5f);
    close_fixture(&f);
}

/* Logits may be as large as they like: only their differences count. */
static void test_large_logits(void **state)
{
    (void)state;
    struct fixture f;
    struct banyan_leaf leaf;
    open_fixture(&f, "othello-6x6");
    assert_int_equal(banyan_search_select(f.searches[0], &leaf, 1), 1);
    int mover = leaf.movers & 1 ? 0 : 1, count = leaf.count[mover];
    assert_true(count > 1);
    for (int likely = 0; likely < count; ++likely)
        for (int base = -2000; base <= 2000; base += 1000) {
            for (size_t k = 0; k < f.width; ++k)
                f.logits[k] = (float)base;
            f.logits[f.game->policy_index(f.game, leaf.state, mover,
                                          leaf.actions[mover][likely])] += 1500;
            banyan_leaves_set_policy(&leaf, 1, f.logits, f.legal);
            for (int k = 0; k < count; ++k)
                assert_true(leaf.priors[mover][k] == (k == likely ? 1.0f : 0.0f));
        }
    for (size_t k = 0; k < f.width; ++k)
        f.logits[k] = 3000;
    banyan_leaves_set_policy(&leaf, 1, f.logits, f.legal);
    for (int k = 0; k < count; ++k)
        assert_true(fabs((double)leaf.priors[mover][k] - 1.0 / count) < 1e-6);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_together_as_alone),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_values_are_clipped),
        cmocka_unit_test(test_large_logits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
