/* What a selection rule of one's own costs: UCB1 as in examples/own_rule.c beside the library's rule=ucb1, which makes the
 * same tree.
 *
 *     cc -O2 -o own_rule_cost tools/results/own_rule.c $(pkg-config --cflags --libs banyan) -lm
 *     ./own_rule_cost [GAME [SIMULATIONS [PAIRS]]]
 *
 * Default: tictactoe, 200,000 simulations, 21 pairs.  In each pair both rules search the start with
 * the same seed, until the simulations are done or the start is proven; which rule goes first
 * alternates.  The result is the median of the ratios of the pairs' processor times. */
#define _POSIX_C_SOURCE 200809L
#include <banyan/search.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_PAIRS = 1001, SEARCHES = 5 /* of each rule in a pair */ };

static void ucb1(void *ctx, const struct banyan_rule_node *node, double *out)
{
    (void)ctx;
    const double *chances = node->chances;
    double width = node->reward_width, spread = width * node->sqrt_ln_visits;
    for (int i = 0, count = node->count; i < count; ++i) {
        if (chances)
            spread = chances[i] > 1 ? width * sqrt(banyan_ln(chances[i])) : 0;
        out[i] = node->edges[i].mean + spread * node->inverse_sqrt[i];
    }
}

static const struct banyan_rule own_ucb1 = {
    .struct_size = sizeof own_ucb1, .name = "own-ucb1", .scores = ucb1, .wants_inverse_sqrt = true};

struct measure {
    const struct banyan_game *game;
    int64_t simulations;
};

static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void must(enum banyan_status status, const struct banyan_error *err)
{
    if (status == BANYAN_OK)
        return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

/* Processor time of a search in seconds, without what its creation takes; adds the tree's fingerprint. */
static double search_s(const struct measure *m, const struct banyan_rule *rule,
                       enum banyan_search_solver solver, uint64_t seed, uint64_t *fingerprint)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search = NULL;
    struct banyan_search_limits limits = {.struct_size = sizeof limits,
                                          .simulations = m->simulations};
    struct banyan_error err;
    struct banyan_rng rng;
    void *state = aligned_alloc(64, (m->game->state_size + 63) / 64 * 64);
    if (!state)
        exit(1);
    banyan_search_options_default(&options);
    options.solver = solver;
    options.own_rule = rule;
    options.seed = seed;
    banyan_rng_seed(&rng, 1);
    must(banyan_evaluator_create(m->game, "rollout", NULL, &evaluator, &err), &err);
    must(banyan_search_create(&search, m->game, &options, &evaluator, &err), &err);
    must(m->game->init(m->game, state, NULL, &rng, &err), &err);
    must(banyan_search_set_root(search, state, -1, &err), &err);
    double begin = cpu_s();
    must(banyan_search_run(search, &limits, &err), &err);
    double used = cpu_s() - begin;
    *fingerprint += banyan_search_signature(search);
    banyan_search_destroy(search);
    free(state);
    return used;
}

static double searches_s(const struct measure *m, const struct banyan_rule *rule,
                         enum banyan_search_solver solver, int pair, uint64_t *fingerprint)
{
    double sum = 0;
    for (int i = 0; i < SEARCHES; ++i)
        sum += search_s(m, rule, solver, (uint64_t)(SEARCHES * pair + i + 1), fingerprint);
    return sum;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void measure_pairs(const struct measure *m, enum banyan_search_solver solver, int pairs)
{
    static double ratios[MAX_PAIRS];
    for (int i = 0; i < pairs; ++i) {
        const struct banyan_rule *const rules[2] = {&own_ucb1, NULL};
        double used[2];
        uint64_t fingerprints[2] = {0, 0};
        for (int k = 0; k < 2; ++k) {
            int which = (i + k) % 2;
            used[which] = searches_s(m, rules[which], solver, i, &fingerprints[which]);
        }
        ratios[i] = used[0] / used[1];
        if (fingerprints[0] != fingerprints[1]) {
            fprintf(stderr, "the trees differ\n");
            exit(1);
        }
    }
    qsort(ratios, (size_t)pairs, sizeof *ratios, compare);
    printf("solver=%s: %.3f (quartiles %.3f, %.3f; %d pairs)\n",
           solver == BANYAN_SOLVER_ON ? "on" : "off", ratios[pairs / 2], ratios[pairs / 4],
           ratios[3 * pairs / 4], pairs);
}

int main(int argc, char **argv)
{
    struct measure m = {.simulations = argc > 2 ? atoll(argv[2]) : 200000};
    struct banyan_error err;
    int pairs = argc > 3 ? atoi(argv[3]) : 21;
    if (m.simulations < 1 || pairs < 1 || pairs > MAX_PAIRS) {
        fprintf(stderr, "usage: %s [GAME [SIMULATIONS [PAIRS]]], at most %d pairs\n", argv[0],
                MAX_PAIRS);
        return 2;
    }
    must(banyan_game_find(argc > 1 ? argv[1] : "tictactoe", &m.game, &err), &err);
    measure_pairs(&m, BANYAN_SOLVER_OFF, pairs);
    measure_pairs(&m, BANYAN_SOLVER_ON, pairs);
    return 0;
}
