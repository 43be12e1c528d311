/* The tree: its counts, its memory, and what it keeps. */
#include "searching.h"

#include "search/search.h"

#include <stdio.h>
#include <unistd.h>

static uint64_t visits_at_root(struct searching *s)
{
    struct banyan_search_move rows[256];
    uint64_t sum = 0;
    int mover = 0;
    while (!(s->game->movers(s->game, s->state) >> mover & 1))
        ++mover;
    int count = banyan_search_root_moves(s->search, mover, rows, 256);
    for (int i = 0; i < count; ++i)
        sum += rows[i].visits;
    return sum;
}

/* With every rule, batch and widening, the visits of the root's actions sum to the number of
 * simulations, less those that ended at the root. */
static void visits_sum_to_simulations(void **unused)
{
    (void)unused;
    const char *const games[] = {"othello", "tictactoe", "connect4", "pig", "kuhn", "rps"};
    const char *const options[] = {"solver=off",
                                   "solver=off,batch=7",
                                   "solver=off,rule=puct",
                                   "solver=off,rule=puct,batch=5",
                                   "solver=off,rule=gumbel",
                                   "solver=off,rule=ucb1-tuned",
                                   "solver=off,expand-visits=1",
                                   "solver=off,transpositions=on",
                                   "solver=off,prebuild-depth=2",
                                   "solver=off,widen-factor=2,widen-power=0.4",
                                   "rule=regret,draw=hidden",
                                   "solver=off,children-first=off"};
    for (size_t g = 0; g < sizeof games / sizeof *games; ++g) {
        for (size_t o = 0; o < sizeof options / sizeof *options; ++o) {
            struct searching s;
            struct banyan_search_stats stats;
            searching_open(&s, games[g], NULL, options[o], "rollout");
            searching_run(&s, 3000);
            banyan_search_stats(s.search, &stats, sizeof stats);
            uint64_t visits = visits_at_root(&s), at_root = 3000 - visits;
            bool cyclic = strstr(options[o], "transpositions") && strcmp(games[g], "pig") == 0;
            if (stats.simulations != 3000 || (!cyclic && at_root > 7))
                fail_msg("%s, %s: %llu simulations, %llu visits", games[g], options[o],
                         (unsigned long long)stats.simulations, (unsigned long long)visits);
            searching_close(&s);
        }
    }
}

static long resident_bytes(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

static void memory_stays_below_its_cap(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_stats stats;
    searching_open(&s, "othello", NULL, "memory=8M,solver=off", "rollout:cutoff=1");
    long before = resident_bytes();
    searching_run(&s, 1500000);
    long grown = resident_bytes() - before;
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_true(stats.bytes_allocated <= 8u << 20);
    assert_true(stats.bytes_used <= stats.bytes_allocated);
    assert_true(stats.compactions > 0);
    if (before > 0)
        assert_true(grown <= (8L << 20) * 105 / 100);
    assert_int_equal(stats.simulations, 1500000);
    banyan_action legal[64], action = searching_choice(&s, 0);
    int count = s.game->legal(s.game, s.state, 0, legal), known = 0;
    for (int i = 0; i < count; ++i)
        known += legal[i] == action;
    assert_int_equal(known, 1);
    searching_close(&s);
}

/* 200,000 simulations in the smallest memory: the search still chooses well. */
static void a_tiny_tree_still_answers(void **unused)
{
    (void)unused;
    const char *const options[] = {"memory=256K", "memory=256K,rule=puct", "memory=256K,batch=4"};
    for (int i = 0; i < 3; ++i) {
        struct searching s;
        searching_open(&s, "tictactoe", "moves:b2 a1 c3 b1", options[i], "rollout");
        searching_run(&s, 200000);
        struct banyan_search_move expected = searching_row(&s, 0, "c1");
        /* the only move that does not lose */
        assert_int_equal(searching_choice(&s, 0), expected.action);
        searching_close(&s);
    }
}

static void too_little_memory_is_refused(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search *search = NULL;
    struct banyan_error err;
    searching_open(&s, "othello", NULL, "", "rollout");
    s.options.memory_bytes = 1 << 17;
    s.options.batch = 4096;
    assert_int_equal(banyan_search_create(&search, s.game, &s.options, &s.evaluator, &err),
                     BANYAN_NO_MEMORY);
    assert_non_null(strstr(err.message, "memory"));
    assert_null(search);
    searching_close(&s);
}

/* The subtree that is kept after a move is identical with the one that was there. */
static void advance_keeps_the_subtree(void **unused)
{
    (void)unused;
    const char *const options[] = {"solver=off", "rule=puct,solver=off", "solver=on",
                                   "transpositions=on,solver=off"};
    for (int i = 0; i < 4; ++i) {
        struct searching s;
        searching_open(&s, "othello", NULL, options[i], "rollout");
        searching_run(&s, 20000);
        struct tree *tree = &s.search->tree;
        struct tree_node *root = search_root_node(s.search, 0);
        banyan_action joint[2] = {searching_choice(&s, 0)};
        int index = tree_find_action(tree, root, joint[0]);
        struct tree_edge edge = tree_edges(tree, root)[index];
        struct tree_node below = *tree_node(tree, edge.child);
        struct tree_edge grand = tree_edges(tree, &below)[0];
        banyan_action grand_action = tree_action(tree, &below, 0);
        s.game->apply(s.game, s.state, joint, NULL);
        assert_true(banyan_search_advance(s.search, joint, s.state));
        root = search_root_node(s.search, 1);
        assert_non_null(root);
        assert_int_equal(root->visits, below.visits);
        assert_int_equal(root->tried, below.tried);
        assert_int_equal(tree_edges(tree, root)[0].visits, grand.visits);
        assert_true(tree_edges(tree, root)[0].mean == grand.mean);
        assert_int_equal(tree_action(tree, root, 0), grand_action);
        searching_run(&s, 1000);
        assert_int_equal(search_root_node(s.search, 1)->visits, below.visits + 1000);
        searching_close(&s);
    }
}

static void advance_follows_dice_and_both_movers(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_rng rng;
    struct banyan_dice dice;
    banyan_rng_seed(&rng, 3);
    banyan_dice_drawn(&dice, &rng);
    searching_open(&s, "pig", "target=20", "", "rollout");
    for (int ply = 0, kept = 0; ply < 30 && s.game->movers(s.game, s.state); ++ply) {
        int mover = (int)(s.game->movers(s.game, s.state) >> 1);
        searching_run(&s, 5000);
        banyan_action joint[2];
        joint[mover] = searching_choice(&s, mover);
        s.game->apply(s.game, s.state, joint, &dice);
        kept += banyan_search_advance(s.search, joint, s.state);
        if (s.game->movers(s.game, s.state))
            assert_int_equal(kept, ply + 1);
    }
    searching_close(&s);
}

/* --- what compaction keeps: a root with children of one size, by hand --- */

enum { CHILDREN = 30, CHILD_ACTIONS = 2 };

struct fan {
    struct tree tree;
    struct tree_edge root;
    uint32_t root_units, child_units;
};

static void fan_open(struct fan *fan, const uint32_t visits[CHILDREN])
{
    struct tree_layout layout = {.action_bytes = 1, .players = 2};
    banyan_action actions[CHILDREN];
    for (int i = 0; i < CHILDREN; ++i)
        actions[i] = (banyan_action)i;
    memset(fan, 0, sizeof *fan);
    tree_lay_out(&layout, 0);
    assert_int_equal(tree_init(&fan->tree, &layout, 1 << 20, false, CHILDREN), BANYAN_OK);
    fan->root.visits = UINT32_MAX;
    fan->root.child = tree_make_node(&fan->tree, &(struct tree_beginning){.visits = UINT32_MAX,
                                                                          .actions = actions,
                                                                          .count = CHILDREN,
                                                                          .capacity = CHILDREN});
    struct tree_node *root = tree_node(&fan->tree, fan->root.child);
    fan->root_units = fan->tree.used - 1;
    for (int i = 0; i < CHILDREN; ++i) {
        int index = tree_try(&fan->tree, root, i);
        uint32_t before = fan->tree.used;
        struct tree_edge *edge = &tree_edges(&fan->tree, root)[index];
        edge->visits = visits[i];
        edge->child =
            tree_make_node(&fan->tree, &(struct tree_beginning){.mover = 1,
                                                                .visits = visits[i],
                                                                .actions = actions,
                                                                .count = CHILD_ACTIONS,
                                                                .capacity = CHILD_ACTIONS});
        fan->child_units = fan->tree.used - before;
    }
}

/* Compacts as if the memory limit were `limit`; the arena is half as large again. */
static void fan_compact(struct fan *fan, uint32_t limit)
{
    assert_true(fan->tree.used <= limit);
    fan->tree.limit = limit;
    fan->tree.size = limit / 2 * 3;
    tree_compact(&fan->tree, &fan->root, 1);
}

/* Edges keep their visits, with or without a child.  Finds the least visits of a kept child and
 * the most visits of a removed one; returns how many are kept. */
static int fan_kept(const struct fan *fan, uint32_t *least, uint32_t *most)
{
    const struct tree_node *root = tree_node(&fan->tree, fan->root.child);
    const struct tree_edge *edges = tree_edges(&fan->tree, root);
    int kept = 0;
    *least = UINT32_MAX;
    *most = 0;
    assert_int_equal(root->tried, CHILDREN);
    for (int i = 0; i < CHILDREN; ++i) {
        if (edges[i].child) {
            const struct tree_node *child = tree_node(&fan->tree, edges[i].child);
            assert_int_equal(child->visits, edges[i].visits);
            assert_int_equal(tree_action(&fan->tree, child, CHILD_ACTIONS - 1), CHILD_ACTIONS - 1);
            *least = edges[i].visits < *least ? edges[i].visits : *least;
            ++kept;
        } else {
            *most = edges[i].visits > *most ? edges[i].visits : *most;
        }
    }
    assert_int_equal(fan->tree.nodes, kept + 1);
    assert_int_equal(fan->tree.edges, CHILDREN);
    return kept;
}

/* At most half of the limit is kept: a tree of exactly this size is kept whole, and one that is
 * a unit larger is not. */
static void half_of_the_limit_is_kept(void **unused)
{
    (void)unused;
    uint32_t visits[CHILDREN], least, most;
    for (int i = 0; i < CHILDREN; ++i)
        visits[i] = 100 + (uint32_t)i % 2;
    for (uint32_t more = 0; more < 2; ++more) {
        struct fan fan;
        fan_open(&fan, visits);
        uint32_t used = fan.tree.used;
        fan_compact(&fan, 2 * (used - more));
        int kept = fan_kept(&fan, &least, &most);
        assert_true(fan.tree.used <= used - more);
        assert_int_equal(kept == CHILDREN, more == 0);
        assert_int_equal(fan.tree.limit, 2 * (used - more));
        tree_free(&fan.tree);
    }
}

/* Four children for each power of two of visits, no two with equal visits: they are removed one
 * by one.  At least seven eighths of the half are filled; all of it where the sizes fit exactly. */
static uint32_t step_visits(uint32_t step)
{
    return (4 + step % 4) << step / 4;
}

static void the_most_visited_are_kept(void **unused)
{
    (void)unused;
    uint32_t visits[CHILDREN], least, most;
    int even = 0;
    for (uint32_t i = 0; i < CHILDREN; ++i)
        visits[i] = step_visits(7 * i % CHILDREN);
    for (uint32_t wanted = CHILDREN / 2; wanted < CHILDREN - 5; ++wanted) {
        struct fan fan;
        fan_open(&fan, visits);
        uint32_t units = fan.root_units + wanted * fan.child_units;
        even += units % 7 == 0;
        fan_compact(&fan, 2 * ((units + 6) / 7 * 8));
        assert_int_equal(fan_kept(&fan, &least, &most), wanted);
        assert_int_equal(least, step_visits(CHILDREN - wanted));
        assert_int_equal(most, step_visits(CHILDREN - wanted - 1));
        tree_free(&fan.tree);
    }
    assert_true(even > 0);
}

/* For any visits: no kept child has less than three quarters of the visits of a removed one. */
static void the_least_visited_go(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 9);
    for (int round = 0; round < 200; ++round) {
        uint32_t visits[CHILDREN], least, most, most_of_all = 1u << (3 + round % 29);
        struct fan fan;
        for (int i = 0; i < CHILDREN; ++i)
            visits[i] = 1 + banyan_rng_below(&rng, most_of_all);
        fan_open(&fan, visits);
        uint32_t used = fan.tree.used;
        fan_compact(&fan, used + banyan_rng_below(&rng, used - 100));
        fan_kept(&fan, &least, &most);
        assert_true(fan.tree.used <= fan.tree.limit / 2 + 1);
        assert_true((uint64_t)least * 4 >= (uint64_t)most * 3);
        tree_free(&fan.tree);
    }
}

/* --- the columns: a node that has all of them, through all that moves its block --- */

enum { WIDE = 20, APPENDED = 9 };

static void wide_open(struct tree *tree, struct tree_edge *root)
{
    struct tree_layout layout = {.action_bytes = 2, .players = 3, .growing = true};
    banyan_action actions[WIDE];
    float priors[WIDE];
    for (int i = 0; i < WIDE; ++i) {
        actions[i] = (banyan_action)(1000 + i);
        priors[i] = 0;
    }
    tree_lay_out(&layout, (1u << TREE_COLUMNS) - 1);
    assert_int_equal(layout.edge_columns + layout.list_columns, TREE_COLUMNS);
    assert_int_equal(tree_init(tree, &layout, 1 << 20, false, 2 * WIDE), BANYAN_OK);
    const struct tree_beginning beginning = {
        .actions = actions, .priors = priors, .count = WIDE, .capacity = 2};
    *root = (struct tree_edge){.visits = 100, .child = tree_make_node(tree, &beginning)};
}

/* The bytes of action number index in the k-th existing column. */
static unsigned char *wide_entry(const struct tree *tree, const struct tree_node *node, int k,
                                 int index)
{
    const struct tree_column_place *place = &tree->layout.places[k];
    size_t before = place->bytes * (size_t)index;
    if (place->column < TREE_EDGE_COLUMNS)
        return (unsigned char *)tree_column(tree, node, place->column) + before;
    return tree_lists(tree, node) + place->at * tree_list_room(&tree->layout, node->count) + before;
}

/* The byte that the test writes there: another one for each column and action. */
static unsigned char wide_byte(const struct tree *tree, const struct tree_node *node, int k,
                               int index)
{
    return (unsigned char)(1 + 29 * (unsigned)k + 7 * tree_action(tree, node, index));
}

static void wide_write(const struct tree *tree, const struct tree_node *node, int k, int index)
{
    memset(wide_entry(tree, node, k, index), wide_byte(tree, node, k, index),
           tree->layout.places[k].bytes);
}

static void wide_check(const struct tree *tree, const struct tree_node *node)
{
    for (int k = 0; k < TREE_COLUMNS; ++k) {
        const struct tree_column_place *place = &tree->layout.places[k];
        int entries = place->column < TREE_EDGE_COLUMNS ? node->tried : node->count;
        for (int i = 0; i < entries; ++i)
            for (unsigned at = 0; at < place->bytes; ++at)
                if (wide_entry(tree, node, k, i)[at] != wide_byte(tree, node, k, i))
                    fail_msg("%s of action %d, tried %d", tree_columns[place->column].name, i,
                             node->tried);
    }
}

/* Tries the action at index: checks that its columns are zero, and writes them. */
static void wide_try(struct tree *tree, struct tree_node *node, int index)
{
    static const unsigned char zero[64];
    int place = tree_try(tree, node, index);
    assert_true(place >= 0);
    for (int k = 0; k < tree->layout.edge_columns; ++k) {
        assert_memory_equal(wide_entry(tree, node, k, place), zero, tree->layout.places[k].bytes);
        wide_write(tree, node, k, place);
    }
}

static void every_column_moves_with_its_action(void **unused)
{
    (void)unused;
    struct tree tree;
    struct tree_edge root;
    wide_open(&tree, &root);
    struct tree_node *node = tree_node(&tree, root.child);
    for (int k = tree.layout.edge_columns; k < TREE_COLUMNS; ++k)
        for (int i = 0; i < WIDE; ++i) {
            assert_int_equal(wide_entry(&tree, node, k, i)[0], 0);
            wide_write(&tree, node, k, i);
        }
    tree_swap(&tree, node, 3, 11);
    while (node->tried < WIDE - 3) {
        wide_try(&tree, node, WIDE - 1 - node->tried % 3);
        wide_check(&tree, node);
    }
    int first = tree_append(&tree, node, APPENDED);
    assert_int_equal(first, WIDE);
    for (int i = first; i < node->count; ++i) {
        tree_set_action(&tree, node, i, (banyan_action)(1000 + i));
        for (int k = tree.layout.edge_columns; k < TREE_COLUMNS; ++k)
            wide_write(&tree, node, k, i);
    }
    wide_check(&tree, node);
    tree_compact(&tree, &root, 1);
    assert_int_equal(tree.compactions, 1);
    wide_check(&tree, tree_node(&tree, root.child));
    tree_free(&tree);
}

/* A node holds up to TREE_ACTIONS_MAX actions, and is as it was where one more is refused, or there is no room. */
static void the_most_actions_of_a_node(void **unused)
{
    (void)unused;
    const banyan_action first = 7;
    struct tree_layout layout = {.action_bytes = 2, .players = 1, .growing = true};
    const struct tree_beginning beginning = {.actions = &first, .count = 1, .capacity = 1};
    struct tree tree;
    tree_lay_out(&layout, 0);
    assert_int_equal(tree_init(&tree, &layout, 16 << 20, false, TREE_ACTIONS_MAX), BANYAN_OK);
    struct tree_node *node = tree_node(&tree, tree_make_node(&tree, &beginning));
    assert_int_equal(tree_append(&tree, node, TREE_ACTIONS_MAX), -1);
    assert_int_equal(node->count, 1);
    assert_int_equal(tree_append(&tree, node, TREE_ACTIONS_MAX - 2), 1);
    assert_int_equal(tree_append(&tree, node, 1), TREE_ACTIONS_MAX - 1);
    assert_int_equal(node->count, TREE_ACTIONS_MAX);
    assert_int_equal(tree_append(&tree, node, 1), -1);
    assert_int_equal(node->count, TREE_ACTIONS_MAX);
    assert_int_equal(tree_action(&tree, node, 0), first);
    tree_free(&tree);
}

/* When an edge is full, sums over visits lose the share of one visit, and nothing else changes. */
static void sums_over_visits_fade(void **unused)
{
    (void)unused;
    struct tree tree;
    struct tree_edge root;
    wide_open(&tree, &root);
    struct tree_node *node = tree_node(&tree, root.child);
    assert_int_equal(tree_try(&tree, node, 5), 0);
    tree_edges(&tree, node)[0] = (struct tree_edge){.mean = 10, .visits = 4};
    for (int k = 0; k < tree.layout.edge_columns; ++k)
        for (unsigned at = 0; at < tree.layout.places[k].bytes / sizeof(double); ++at)
            ((double *)(void *)wide_entry(&tree, node, k, 0))[at] = 8;
    tree_fade_edge(&tree, node, 0);
    assert_true(tree_edges(&tree, node)[0].visits == 3 &&
                tree_edge_sum(&tree_edges(&tree, node)[0]) == 30);
    for (int k = 0; k < tree.layout.edge_columns; ++k)
        for (unsigned at = 0; at < tree.layout.places[k].bytes / sizeof(double); ++at)
            assert_true(((double *)(void *)wide_entry(&tree, node, k, 0))[at] ==
                        (tree_columns[tree.layout.places[k].column].is_fading ? 6 : 8));
    tree_free(&tree);
}

/* The sum of an edge can be computed exactly from its mean, if 50 bits hold the sum. */
static void means_give_back_sums(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct tree tree;
    struct tree_edge root;
    wide_open(&tree, &root);
    struct tree_node *node = tree_node(&tree, root.child);
    assert_int_equal(tree_try(&tree, node, 0), 0);
    banyan_rng_seed(&rng, 50);
    struct tree_edge *edge = &tree_edges(&tree, node)[0];
    double sum = 0;
    for (int i = 0; i < 100000; ++i) {
        double utility = rng_below(&rng, 2000001) / 1024.0 - 1000;
        tree_visit_edge(&tree, node, 0, utility);
        sum += utility;
        assert_true(tree_edge_sum(edge) == sum);
        assert_true(edge->mean == sum / edge->visits);
    }
    tree_free(&tree);
}

/* A compaction changes no statistics of the nodes that it keeps. */
static void compaction_loses_nothing_when_there_is_room(void **unused)
{
    (void)unused;
    const char *const games[] = {"othello", "pig", "kuhn"};
    for (int g = 0; g < 3; ++g) {
        struct searching s;
        searching_open(&s, games[g], NULL, "solver=off", "rollout");
        searching_run(&s, 5000);
        uint64_t before = banyan_search_signature(s.search);
        uint64_t used = tree_bytes_used(&s.search->tree);
        tree_compact(&s.search->tree, s.search->root.edges, s.search->trees);
        assert_int_equal(banyan_search_signature(s.search), before);
        assert_true(tree_bytes_used(&s.search->tree) <= used);
        searching_close(&s);
    }
}

static void equal_seeds_give_equal_trees(void **unused)
{
    (void)unused;
    const char *const options[] = {"",        "rule=puct",  "rule=gumbel",
                                   "batch=4", "ensemble=2", "transpositions=on"};
    for (int i = 0; i < 6; ++i) {
        uint64_t signature[3];
        for (int run = 0; run < 3; ++run) {
            struct searching s;
            char text[64];
            snprintf(text, sizeof text, "%s%sseed=%d", options[i], *options[i] ? "," : "",
                     run == 2 ? 8 : 7);
            searching_open(&s, "othello", NULL, text, "rollout");
            searching_run(&s, 3000);
            signature[run] = banyan_search_signature(s.search);
            searching_close(&s);
        }
        assert_int_equal(signature[0], signature[1]);
        assert_int_not_equal(signature[0], signature[2]);
    }
}

static void a_search_that_stops_can_go_on(void **unused)
{
    (void)unused;
    struct searching once, parts;
    searching_open(&once, "othello", NULL, "solver=off", "rollout");
    searching_open(&parts, "othello", NULL, "solver=off", "rollout");
    searching_run(&once, 3000);
    for (int i = 0; i < 30; ++i)
        searching_run(&parts, 100);
    assert_int_equal(banyan_search_signature(once.search), banyan_search_signature(parts.search));
    searching_close(&once);
    searching_close(&parts);
}

/* Transpositions are merged: fewer nodes, the same chosen action. */
static void transpositions_share_nodes(void **unused)
{
    (void)unused;
    struct banyan_search_stats stats[2];
    for (int i = 0; i < 2; ++i) {
        struct searching s;
        searching_open(&s, "tictactoe", NULL,
                       i ? "solver=off,transpositions=on,expand-visits=1"
                         : "solver=off,expand-visits=1",
                       "rollout");
        searching_run(&s, 50000);
        banyan_search_stats(s.search, &stats[i], sizeof stats[i]);
        searching_close(&s);
    }
    assert_true(stats[1].nodes * 2 < stats[0].nodes);
    assert_true(stats[1].nodes <= 5478);
}

/* Outcomes of an edge by their keys, made when they are asked for the first time; also where threads share them. */
static void outcomes_are_made_once(void **unused)
{
    enum { KEYS = 100 };
    typedef uint32_t find_fn(struct tree *, uint32_t *, uint64_t);
    find_fn *const find[] = {tree_find_outcome, tree_find_outcome_shared};
    (void)unused;
    for (size_t f = 0; f < 2; ++f) {
        struct tree tree;
        struct tree_layout layout = {.action_bytes = 1, .players = 2, .keyed = true};
        uint32_t root = 0, refs[KEYS];
        tree_lay_out(&layout, 0);
        assert_int_equal(tree_init(&tree, &layout, 1 << 20, false, 1), BANYAN_OK);
        for (int again = 0; again < 2; ++again) {
            for (uint64_t i = 0; i < KEYS; ++i) {
                uint64_t key = banyan_rng_child(5, "outcome", i);
                uint32_t ref = find[f](&tree, &root, key);
                assert_true(ref && root && tree_outcome(&tree, ref)->key == key);
                assert_true(!again || ref == refs[i]);
                assert_int_equal(tree_look_outcome(&tree, root, key), ref);
                assert_int_equal(tree.outcomes, again ? KEYS : i + 1);
                refs[i] = ref;
            }
        }
        tree_free(&tree);
    }
}

/* A tree has the columns that its rule and its game need, and no others: each costs memory in every node. */
static void a_tree_has_only_what_is_needed(void **unused)
{
#define BIT TREE_COLUMN_BIT
    static const struct {
        const char *game, *options;
        unsigned columns;
    } rows[] = {{"othello", "solver=off", BIT(TREE_EXPLORE)},
                {"othello", "solver=on", BIT(TREE_BOUNDS)},
                {"othello", "solver=off,batch=2", BIT(TREE_IN_FLIGHT)},
                {"othello", "solver=off,rule=puct", BIT(TREE_PRIORS)},
                {"othello", "solver=off,rule=ucb1-tuned", BIT(TREE_SQUARES)},
                {"othello", "solver=off,implicit-minimax=0.2", BIT(TREE_IMPLICIT)},
                {"kuhn", "", BIT(TREE_LEGAL)},
                {"kuhn", "availability=off", 0}};
#undef BIT
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct searching s;
        unsigned columns = 0;
        searching_open(&s, rows[i].game, NULL, rows[i].options, "rollout");
        for (int column = 0; column < TREE_COLUMNS; ++column)
            if (tree_has(&s.search->tree, (enum tree_column)column))
                columns |= TREE_COLUMN_BIT(column);
        if (columns != rows[i].columns)
            fail_msg("%s, %s: columns %#x", rows[i].game, rows[i].options, columns);
        searching_close(&s);
    }
}

/* The units that are left for threads are given to the last: an outcome fits where just as many are left. */
static void a_view_takes_the_last_units(void **unused)
{
    enum { UNITS = sizeof(struct tree_outcome) / 8, OUTCOMES = 3 };
    struct tree tree, view;
    struct tree_layout layout = {.action_bytes = 1, .players = 2};
    (void)unused;
    tree_lay_out(&layout, 0);
    assert_int_equal(tree_init(&tree, &layout, 1 << 20, false, 1), BANYAN_OK);
    struct tree_share share = {.limit = tree.limit, .next = tree.limit - OUTCOMES * UNITS};
    assert_true(tree_view_init(&view, &tree, &share));
    tree_view_open(&view, &tree);
    for (uint32_t i = 0; i < OUTCOMES; ++i)
        assert_int_equal(tree_make_outcome(&view, i), tree.limit - (OUTCOMES - i) * UNITS);
    assert_int_equal(tree_make_outcome(&view, OUTCOMES), 0);
    /* one that needs all of what is left, and no more */
    share.next = tree.limit - UNITS;
    view.epoch = 0;
    tree_view_open(&view, &tree);
    assert_int_equal(tree_make_outcome(&view, 1), tree.limit - UNITS);
    tree_view_free(&view);
    tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visits_sum_to_simulations),
        cmocka_unit_test(memory_stays_below_its_cap),
        cmocka_unit_test(a_tiny_tree_still_answers),
        cmocka_unit_test(too_little_memory_is_refused),
        cmocka_unit_test(advance_keeps_the_subtree),
        cmocka_unit_test(advance_follows_dice_and_both_movers),
        cmocka_unit_test(half_of_the_limit_is_kept),
        cmocka_unit_test(the_most_visited_are_kept),
        cmocka_unit_test(the_least_visited_go),
        cmocka_unit_test(every_column_moves_with_its_action),
        cmocka_unit_test(the_most_actions_of_a_node),
        cmocka_unit_test(sums_over_visits_fade),
        cmocka_unit_test(means_give_back_sums),
        cmocka_unit_test(compaction_loses_nothing_when_there_is_room),
        cmocka_unit_test(equal_seeds_give_equal_trees),
        cmocka_unit_test(a_search_that_stops_can_go_on),
        cmocka_unit_test(transpositions_share_nodes),
        cmocka_unit_test(outcomes_are_made_once),
        cmocka_unit_test(a_tree_has_only_what_is_needed),
        cmocka_unit_test(a_view_takes_the_last_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
