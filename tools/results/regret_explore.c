/* Measures how far rule=regret is from an equilibrium, for values of regret-explore, simulations
 * and seeds.
 *
 *     cc -O2 -o regret_explore tools/results/regret_explore.c $(pkg-config --cflags --libs banyan) -lm
 *     ./regret_explore FIRST_SEED LAST_SEED SIMULATIONS[,...] EXPLORE[,...] GAME...
 *
 * Games: kuhn, liars-dice-3 of examples/, and matrix:PAYOFFS, such as matrix:"0 -1 1;1 0 -1;-1 1
 * 0".  A cell of the table has the mean and the maximum over the seeds of the points a game that a
 * best response wins against the average strategies (half of NashConv, which tests/nashconv.h
 * computes). */
#include "../../examples/liars_dice.c"
#include "../../tests/nashconv.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STARTS = 16, STATE_BYTES = 1024, MOST_VALUES = 16 };

/* A game with all its deals, which are equally likely. */
struct subject {
    const struct banyan_game *game;
    int count;
    unsigned char states[MOST_STARTS][STATE_BYTES];
    struct nashconv_start starts[MOST_STARTS];
};

static void check(enum banyan_status status, const struct banyan_error *err)
{
    if (status == BANYAN_OK)
        return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

static void subject_add(struct subject *subject, const char *setup)
{
    struct banyan_error err;
    void *state = subject->states[subject->count++];
    check(subject->game->init(subject->game, state, setup, NULL, &err), &err);
}

static void subject_deals(struct subject *subject, const char *name)
{
    static const char *const kuhn[] = {"JQ", "JK", "QJ", "QK", "KJ", "KQ"};
    char deal[8];
    for (int i = 0; i < 6 && strcmp(name, "kuhn") == 0; ++i)
        subject_add(subject, kuhn[i]);
    for (int i = 0; i < 9 && strcmp(name, "liars-dice-3") == 0; ++i) {
        snprintf(deal, sizeof deal, "%d %d", i / 3 + 1, i % 3 + 1);
        subject_add(subject, deal);
    }
    if (strncmp(name, "matrix:", 7) == 0)
        subject_add(subject, name + 7);
}

static void subject_open(struct subject *subject, const char *name)
{
    struct banyan_error err;
    memset(subject, 0, sizeof *subject);
    if (strcmp(name, "liars-dice-3") == 0)
        subject->game = &liars_dice_3;
    else
        check(banyan_game_find(strncmp(name, "matrix:", 7) == 0 ? "matrix" : name, &subject->game,
                               &err),
              &err);
    subject_deals(subject, name);
    for (int i = 0; i < subject->count; ++i)
        subject->starts[i] = (struct nashconv_start){subject->states[i], 1.0 / subject->count};
}

/* The average strategy of the search at ctx; uniform at information sets that the search has not
 * visited. */
static void average(void *ctx, const struct banyan_game *game, const void *state, int player,
                    const banyan_action *actions, int n, double *out)
{
    banyan_action found[NASHCONV_ACTIONS];
    double p[NASHCONV_ACTIONS];
    (void)game;
    int m = banyan_search_average_strategy(ctx, state, player, found, p, NASHCONV_ACTIONS);
    for (int i = 0; i < n; ++i) {
        out[i] = m > 0 ? 0 : 1.0 / n;
        for (int k = 0; k < m; ++k)
            if (found[k] == actions[i])
                out[i] = p[k];
    }
}

static double distance(const struct subject *subject, double explore, int64_t simulations,
                       int64_t seed)
{
    struct banyan_search_options options;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = simulations};
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    struct banyan_error err;
    banyan_search_options_default(&options);
    options.rule = BANYAN_RULE_REGRET;
    options.regret_explore = explore;
    options.seed = seed;
    check(banyan_evaluator_create(subject->game, "rollout", NULL, &evaluator, &err), &err);
    check(banyan_search_create(&search, subject->game, &options, &evaluator, &err), &err);
    check(banyan_search_set_root(search, subject->states[0], 0, &err), &err);
    check(banyan_search_run(search, &limits, &err), &err);
    struct nashconv nc = {subject->game, subject->starts, subject->count, average, search};
    double far = nashconv(&nc) / 2;
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return far;
}

static int numbers(char *list, double *out)
{
    int n = 0;
    for (char *word = strtok(list, ","); word && n < MOST_VALUES; word = strtok(NULL, ","))
        out[n++] = strtod(word, NULL);
    return n;
}

int main(int argc, char **argv)
{
    double simulations[MOST_VALUES], explores[MOST_VALUES];
    static struct subject subject;
    if (argc < 6)
        return fprintf(stderr, "FIRST_SEED LAST_SEED SIMULATIONS[,...] EXPLORE[,...] GAME...\n"), 2;
    int64_t first = strtoll(argv[1], NULL, 10), last = strtoll(argv[2], NULL, 10);
    int counts = numbers(argv[3], simulations), shares = numbers(argv[4], explores);
    for (int g = 5; g < argc; ++g)
        for (int c = 0; c < counts; ++c) {
            subject_open(&subject, argv[g]);
            printf("| %s | %.0f |", argv[g], simulations[c]);
            for (int e = 0; e < shares; ++e) {
                double sum = 0, most = 0;
                for (int64_t seed = first; seed <= last; ++seed) {
                    double far = distance(&subject, explores[e], (int64_t)simulations[c], seed);
                    sum += far;
                    most = far > most ? far : most;
                }
                printf(" %g: %.4f (%.4f) |", explores[e], sum / (double)(last - first + 1), most);
                fflush(stdout);
            }
            putchar('\n');
        }
    return 0;
}
