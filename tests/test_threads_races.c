/* Four threads search trees of every kind for a time: run under ThreadSanitizer too.
 *
 * BANYAN_RACE_SECONDS: how long each of them is searched.  tools/check sets 5, and 60 in the slow suite; without it
 * each is searched for a moment. */
#include "searching.h"
#include "shared_tree.h"

#include "base/clock.h"

#include <stdio.h>

enum { COMPACTIONS = 20 };

struct race {
    const char *game, *options, *evaluator;
    int chunk; /* simulations between two looks at the tree */
};

static const struct race races[] = {
    {"othello", "solver=off,memory=4M", "rollout", 2000},
    {"othello", "solver=on,memory=4M", "rollout", 2000},
    {"othello-6x6", "solver=on,memory=4M", "rollout", 4000},
    {"mushroom", "rule=ucb1,solver=off,memory=4M", "heuristic", 2000},
    {"mushroom", "rule=ucb1,solver=on,memory=4M", "heuristic", 2000},
    {"pig", "memory=2M", "rollout", 2000},
    {"pokemon", "memory=2M", "heuristic", 1000},
    {"kuhn", "transpositions=on", "rollout", 5000},
    {"tictactoe", "transpositions=on", "rollout", 5000},
    {"connect4", "transpositions=on,memory=2M", "rollout", 2000},
};

static double race_seconds(void)
{
    const char *text = getenv("BANYAN_RACE_SECONDS");
    return text ? strtod(text, NULL) : 0;
}

/* The table of transpositions has as many entries as it counts. */
static void check_table(const struct tree *tree)
{
    uint32_t entries = 0;
    for (uint32_t i = 0; i < tree->table_size; ++i)
        entries += tree->table[i] != 0;
    assert_int_equal(entries, tree->table_used);
}

/* Nothing is in flight, and no visit was lost. */
static void race_check(const struct searching *s, uint64_t simulations)
{
    const struct banyan_search *search = s->search;
    assert_int_equal(search->simulations, simulations);
    assert_int_equal(search->root.visits, simulations);
    assert_int_equal(search->flights.waiting, 0);
    if (search->tree.layout.keyed)
        check_keyed(s, simulations);
    else if (!s->options.transpositions)
        check_tree(s, simulations);
    else
        check_below(&(struct found){.tree = &search->tree}, search->root.edges[0].child);
    if (search->tree.table)
        check_table(&search->tree);
}

/* Searches until the time is over and, in trees of at most 2 MiB, until they were compacted often. */
static void race_run(const struct race *race)
{
    struct searching s;
    struct banyan_search_stats stats = {.compactions = 0};
    uint64_t simulations = 0;
    char options[128];
    snprintf(options, sizeof options, "threads=4,%s", race->options);
    printf("%s, %s: ", race->game, options);
    searching_open(&s, race->game, NULL, options, race->evaluator);
    bool small = strstr(race->options, "memory=2M") != NULL;
    double end_ms = clock_now_ms() + 1000 * race_seconds();
    do {
        uint64_t before = s.search->simulations;
        searching_run(&s, race->chunk);
        bool is_proven = s.search->simulations < before + (uint64_t)race->chunk;
        simulations = is_proven ? s.search->simulations : simulations + (uint64_t)race->chunk;
        race_check(&s, simulations);
        banyan_search_stats(s.search, &stats, sizeof stats);
        if (is_proven) { /* begins anew */
            searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
            simulations = 0;
        }
    } while (clock_now_ms() < end_ms || (small && stats.compactions < COMPACTIONS));
    printf("%llu simulations, %llu compactions\n", (unsigned long long)simulations,
           (unsigned long long)stats.compactions);
    searching_close(&s);
}

static void trees_are_whole_after_a_race(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof races / sizeof *races; ++i)
        race_run(&races[i]);
}

/* Where the player who searches does not move, the root of hidden cards has no node when the threads begin. */
static void threads_begin_without_a_root_node(void **unused)
{
    (void)unused;
    for (int i = 0; i < 30; ++i) {
        struct searching s;
        searching_open(&s, "kuhn", NULL, "threads=4,memory=1M", "rollout");
        searching_check(&s, banyan_search_set_root(s.search, s.state, 1, &s.err));
        searching_run(&s, 300);
        race_check(&s, 300);
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_are_whole_after_a_race),
                                       cmocka_unit_test(threads_begin_without_a_root_node)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
