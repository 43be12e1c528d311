/* Random trees of scores, searched with and without the solver: how good the final choices are.
 *
 * A tree is drawn as a text of the game `tree-zero` (two players) or of `tree` without its chance
 * nodes (one player), and its exact values are computed while it is drawn, so they depend
 * neither on the search nor on the exact solver. */
#ifndef TESTS_FINAL_TREES_H
#define TESTS_FINAL_TREES_H

#include "searching.h"

#include "search/search.h"

#include <stdio.h>

enum { FINAL_TREES_TEXT = 8192, FINAL_TREES_BRANCHES = 6, FINAL_TREES_NODES = 150 };

struct final_tree {
    struct banyan_rng rng;
    char text[FINAL_TREES_TEXT];
    int length, nodes, players, depth;
    bool won_or_lost; /* payoffs are -100, 0 and 100 only */
    int root_count;
    double root_values[FINAL_TREES_BRANCHES]; /* exact, for player 1, by action */
};

static inline void final_tree_write(struct final_tree *tree, const char *text)
{
    tree->length +=
        snprintf(tree->text + tree->length, sizeof tree->text - (size_t)tree->length, "%s", text);
}

/* Writes a node whose payoffs lie around `centre`; returns its exact value for the first player. */
static inline double final_tree_draw(struct final_tree *tree, int mover, int depth, double centre)
{
    struct banyan_rng *rng = &tree->rng;
    char text[32];
    ++tree->nodes;
    bool end = depth == tree->depth ||
               tree->nodes > FINAL_TREES_NODES - 30 * (tree->depth - depth) ||
               (depth > 1 && banyan_rng_below(rng, 5) == 0);
    if (end && depth > 0) {
        int payoff = (int)centre + (int)banyan_rng_below(rng, 61) - 30;
        payoff = payoff < -100 ? -100 : payoff > 100 ? 100 : payoff;
        if (tree->won_or_lost)
            payoff = payoff < -12 ? -100 : payoff > 12 ? 100 : 0;
        snprintf(text, sizeof text, "[%d]", payoff);
        final_tree_write(tree, text);
        return payoff;
    }
    int count = 2 + (int)banyan_rng_below(rng, FINAL_TREES_BRANCHES - 1);
    double best = mover == 0 ? -1000 : 1000;
    snprintf(text, sizeof text, "(%d", mover + 1);
    final_tree_write(tree, text);
    for (int i = 0; i < count; ++i) {
        double shift = (double)banyan_rng_below(rng, 61) - 30;
        snprintf(text, sizeof text, " %c:", 'a' + i);
        final_tree_write(tree, text);
        double value =
            final_tree_draw(tree, (mover + 1) % tree->players, depth + 1, centre + shift);
        if (depth == 0)
            tree->root_values[i] = value;
        if (mover == 0 ? value > best : value < best)
            best = value;
    }
    final_tree_write(tree, ")");
    if (depth == 0)
        tree->root_count = count;
    return best;
}

/* Draws tree number `index`; returns the player who begins, 0 or 1. */
static inline int final_tree_make(struct final_tree *tree, uint64_t seed, int index)
{
    memset(tree, 0, sizeof *tree);
    banyan_rng_seed(&tree->rng, banyan_rng_child(seed, "tree", (uint64_t)index));
    tree->players = index % 4 == 3 ? 1 : 2;
    tree->won_or_lost = index % 5 == 4;
    tree->depth = 2 + (int)banyan_rng_below(&tree->rng, 4);
    int mover = tree->players == 2 ? (int)banyan_rng_below(&tree->rng, 2) : 0;
    final_tree_draw(tree, mover, 0, (double)banyan_rng_below(&tree->rng, 101) - 50);
    return mover;
}

/* The game of the tree: deterministic for one player too, so that the solver works. */
static inline struct banyan_game final_tree_game(const struct final_tree *tree)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(tree->players == 1 ? "tree" : "tree-zero", &game, NULL),
                     BANYAN_OK);
    struct banyan_game certain = *game;
    certain.traits &= ~(unsigned)BANYAN_CHANCE;
    return certain;
}

static const int final_tree_budgets[] = {10, 20, 50, 100, 200, 500, 1000};
enum { FINAL_TREE_BUDGETS = 7, FINAL_TREE_RULES = 7 };

/* every final choice, sampling with its usual and with a low temperature */
static const struct final_tree_rule {
    const char *name;
    int final;
    double temperature;
} final_tree_rules[FINAL_TREE_RULES] = {
    {"max", BANYAN_FINAL_MAX, 0},
    {"robust", BANYAN_FINAL_ROBUST, 0},
    {"max-robust", BANYAN_FINAL_MAX_ROBUST, 0},
    {"secure", BANYAN_FINAL_SECURE, 0},
    {"sample", BANYAN_FINAL_SAMPLE, 1},
    {"sample, temperature 0.25", BANYAN_FINAL_SAMPLE, 0.25},
    {"average", BANYAN_FINAL_AVERAGE, 0},
};

/* Sums over the trees of what the chosen actions were worth to the mover. */
struct final_tree_sums {
    double value[2][FINAL_TREE_RULES][FINAL_TREE_BUDGETS]; /* [solver] */
    int trees;
    int dominated; /* choices of an action that another one certainly equals and perhaps exceeds */
};

static inline bool final_tree_dominated(const struct searching *s, int mover,
                                        const struct banyan_search_move *chosen)
{
    struct banyan_search_move rows[FINAL_TREES_BRANCHES];
    int count = banyan_search_root_moves(s->search, mover, rows, FINAL_TREES_BRANCHES);
    for (int i = 0; i < count; ++i)
        if (rows[i].lo >= chosen->hi && (rows[i].lo > chosen->lo || rows[i].hi > chosen->hi))
            return true;
    return false;
}

/* One tree searched with growing budgets; every rule chooses at each. */
static inline void final_tree_search(struct final_tree_sums *sums, const struct final_tree *tree,
                                     int mover, const char *options, bool solver)
{
    struct banyan_game game = final_tree_game(tree);
    struct searching s = {.game = &game};
    banyan_search_options_default(&s.options);
    s.options.memory_bytes = 4u << 20;
    searching_check(
        &s, banyan_options_parse(banyan_search_option_table(), &s.options, options, &s.err));
    s.options.solver = solver;
    searching_check(&s, banyan_evaluator_create(&game, "rollout", NULL, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_create(&s.search, &game, &s.options, &s.evaluator, &s.err));
    s.state = calloc(1, game.state_size);
    assert_non_null(s.state);
    searching_check(&s, game.init(&game, s.state, tree->text, NULL, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    for (int b = 0; b < FINAL_TREE_BUDGETS; ++b) {
        searching_run(&s, final_tree_budgets[b] - (b ? final_tree_budgets[b - 1] : 0));
        for (int r = 0; r < FINAL_TREE_RULES; ++r) {
            struct banyan_search_move chosen;
            s.search->options.final = (enum banyan_search_final)final_tree_rules[r].final;
            s.search->options.temperature = final_tree_rules[r].temperature;
            searching_check(&s, banyan_search_choose(s.search, mover, &chosen, &s.err));
            double value = tree->root_values[chosen.action];
            sums->value[solver][r][b] += mover == 0 ? value : -value;
            sums->dominated += solver && final_tree_dominated(&s, mover, &chosen);
        }
    }
    searching_close(&s);
}

/* Makes all choices on `trees` trees. */
static inline void final_trees(struct final_tree_sums *sums, const char *options, int trees)
{
    static struct final_tree tree;
    memset(sums, 0, sizeof *sums);
    for (sums->trees = 0; sums->trees < trees; ++sums->trees) {
        int mover = final_tree_make(&tree, 1, sums->trees);
        for (int solver = 0; solver < 2; ++solver)
            final_tree_search(sums, &tree, mover, options, solver != 0);
    }
}

#endif
