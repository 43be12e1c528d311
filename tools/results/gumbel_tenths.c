/* Does a search by rule=gumbel under a time limit keep its speed?
 *
 *     cc -O2 -o gumbel_tenths tools/results/gumbel_tenths.c $(pkg-config --cflags --libs banyan) -lm
 *     ./gumbel_tenths [GAME [POSITIONS [TIME_MS]]]
 *
 * Each position is searched for TIME_MS by rule=gumbel and by rule=puct.  The number of simulations
 * in the last tenth of the time is divided by that in the first tenth, per second of
 * processor time, so that other programs matter little.  rule=puct does not depend on the time
 * limit, so it shows how the rate of any search changes: rollouts from deeper leaves are shorter,
 * paths are longer, and a larger tree fits the caches less. */
#define _POSIX_C_SOURCE 200809L
#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TENTHS = 10, MAX_POSITIONS = 1000 };

/* An evaluator around another one, whose calls show when a tenth of the time is over. */
struct counter {
    struct banyan_evaluator inner;
    const struct banyan_search *search;
    double begin_ms, length_ms; /* of the search, in wall clock time */
    double cpu_ms;              /* processor time when the present tenth began */
    int tenth;
    uint64_t simulations; /* when the present tenth began */
    double done[TENTHS], used_ms[TENTHS];
};

static double clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void counter_start(struct counter *counter, double length_ms)
{
    counter->begin_ms = clock_ms(CLOCK_MONOTONIC);
    counter->length_ms = length_ms;
    counter->cpu_ms = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    counter->tenth = 0;
    counter->simulations = 0;
    for (int tenth = 0; tenth < TENTHS; ++tenth)
        counter->done[tenth] = counter->used_ms[tenth] = 0;
}

/* Notes the processor time and the simulations of the tenth that is over. */
static void counter_note(struct counter *counter)
{
    struct banyan_search_stats stats;
    double now = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    banyan_search_stats(counter->search, &stats, sizeof stats);
    counter->used_ms[counter->tenth] = now - counter->cpu_ms;
    counter->done[counter->tenth] = (double)(stats.simulations - counter->simulations);
    counter->cpu_ms = now;
    counter->simulations = stats.simulations;
}

/* Sets the tenth in which the search is; if it is a new one, notes the last. */
static void counter_turn(struct counter *counter)
{
    double share = (clock_ms(CLOCK_MONOTONIC) - counter->begin_ms) / counter->length_ms;
    int tenth = share < 1 ? (int)(share * TENTHS) : TENTHS - 1;
    if (tenth == counter->tenth)
        return;
    counter_note(counter);
    counter->tenth = tenth;
}

static enum banyan_status counter_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                           struct banyan_error *err)
{
    struct counter *counter = ctx;
    counter_turn(counter);
    return counter->inner.evaluate(counter->inner.ctx, leaves, n, err);
}

static double counter_rate(const struct counter *counter, int tenth)
{
    double used = counter->used_ms[tenth];
    return used > 0 ? counter->done[tenth] / used : 0;
}

/* Plays up to 29 moves at random, in a game in which one player moves at a time. */
static void play_random(const struct banyan_game *game, void *state, struct banyan_rng *rng)
{
    banyan_action *actions = malloc(sizeof *actions * (size_t)game->max_legal);
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, rng);
    int plies = (int)banyan_rng_below(rng, 30);
    for (int ply = 0; ply < plies && game->movers(game, state); ++ply) {
        int mover = game->movers(game, state) & 1 ? 0 : 1;
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        int count = game->legal(game, state, mover, actions);
        joint[mover] = actions[banyan_rng_below(rng, (uint32_t)count)];
        game->apply(game, state, joint, &dice);
    }
    free(actions);
}

static enum banyan_status set_options(struct banyan_search_options *options, const char *rule,
                                      struct banyan_error *err)
{
    const struct banyan_option *table = banyan_search_option_table();
    enum banyan_status status = banyan_options_set(table, options, "rule", rule, err);
    return status == BANYAN_OK ? banyan_options_set(table, options, "solver", "off", err) : status;
}

/* The rate of the last tenth divided by that of the first; 0 if the search could not run. */
static double last_by_first(const struct banyan_game *game, const void *state, const char *rule,
                            double length_ms)
{
    struct banyan_search_options options;
    struct banyan_search *search = NULL;
    struct banyan_error err;
    struct counter counter;
    struct banyan_evaluator evaluator = {.struct_size = sizeof evaluator,
                                         .name = "counter",
                                         .ctx = &counter,
                                         .evaluate = counter_evaluate};
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .time_ms = length_ms};
    double result = 0;
    banyan_search_options_default(&options);
    if (set_options(&options, rule, &err) != BANYAN_OK ||
        banyan_evaluator_create(game, "rollout", NULL, &counter.inner, &err) != BANYAN_OK)
        return 0;
    if (banyan_search_create(&search, game, &options, &evaluator, &err) == BANYAN_OK &&
        banyan_search_set_root(search, state, -1, &err) == BANYAN_OK) {
        counter.search = search;
        counter_start(&counter, length_ms);
        banyan_search_run(search, &limits, &err);
        counter_note(&counter);
        double first = counter_rate(&counter, 0);
        result = first > 0 ? counter_rate(&counter, TENTHS - 1) / first : 0;
    }
    banyan_search_destroy(search);
    banyan_evaluator_close(&counter.inner);
    return result;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const struct banyan_game *game, const char *rule, int positions,
                        double length_ms)
{
    double shares[MAX_POSITIONS];
    void *state = malloc(game->state_size);
    struct banyan_error err;
    int count = 0;
    for (int i = 0; i < positions; ++i) {
        struct banyan_rng rng;
        banyan_rng_seed(&rng, (uint64_t)i + 1);
        game->init(game, state, NULL, &rng, &err);
        play_random(game, state, &rng);
        if (game->movers(game, state))
            shares[count++] = last_by_first(game, state, rule, length_ms);
    }
    free(state);
    qsort(shares, (size_t)count, sizeof shares[0], by_value);
    return count > 0 ? shares[count / 2] : 0;
}

int main(int argc, char **argv)
{
    const struct banyan_game *game;
    struct banyan_error err;
    const char *name = argc > 1 ? argv[1] : "othello";
    int positions = argc > 2 ? atoi(argv[2]) : 20;
    double length_ms = argc > 3 ? atof(argv[3]) : 1000;
    if (positions < 1 || positions > MAX_POSITIONS || length_ms < 1) {
        fprintf(stderr, "positions: 1 to %d; time: 1 ms or more\n", MAX_POSITIONS);
        return 2;
    }
    if (banyan_game_find(name, &game, &err) != BANYAN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    static const char *const rules[] = {"gumbel", "puct"};
    for (int i = 0; i < 2; ++i)
        printf("%s %s %.0f ms: last tenth / first, median of %d positions: %.3f\n", name, rules[i],
               length_ms, positions, median_of(game, rules[i], positions, length_ms));
    return 0;
}
