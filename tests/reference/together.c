/* What must hold in a tree that several threads have searched. */
#include "reference/together.h"

#include "base/rng.h"
#include "reference/draw.h"
#include "search/search.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { TOGETHER_SMALL = 500 /* positions of a game whose exact value is worked out */ };

struct together {
    struct drawing drawing;
    struct banyan_search *search;
    struct random_game_state state;
    bool fails;
    atomic_int leaves_left; /* until the evaluator fails */
    atomic_bool failed;     /* in this run */
    uint64_t *values;
    char *message;
    size_t size;
    bool holds;
};

static void expect(struct together *t, const char *what, double found, double right)
{
    if (!t->holds || found == right)
        return;
    t->holds = false;
    int length = snprintf(t->message, t->size, "seed %llu, %d threads: %s: %.9g, not %.9g\n",
                          (unsigned long long)t->drawing.seed, t->drawing.options.threads, what,
                          found, right);
    if (length > 0 && (size_t)length < t->size)
        draw_describe(&t->drawing, t->message + length, t->size - (size_t)length);
}

/* --- the exact value --- */

/* Player 0's return if both players play perfectly; *left: positions that may still be visited;
 * < 0: there were too many. */
static float exact_value(const struct banyan_game *game, const struct random_game_state *state,
                         int *left)
{
    banyan_action actions[RANDOM_GAME_LEGAL], joint[BANYAN_MAX_PLAYERS] = {0};
    float returns[BANYAN_MAX_PLAYERS], best = 0;
    unsigned movers = game->movers(game, state);
    if (!movers) {
        game->returns(game, state, returns);
        return returns[0];
    }
    int mover = movers & 1 ? 0 : 1, count = game->legal(game, state, mover, actions);
    for (int i = 0; i < count && --*left >= 0; ++i) {
        struct random_game_state next = *state;
        joint[mover] = actions[i];
        game->apply(game, &next, joint, NULL);
        float value = exact_value(game, &next, left);
        if (i == 0 || (mover == 0 ? value > best : value < best))
            best = value;
    }
    return best;
}

/* --- every node --- */

static void check_node(struct together *t, uint32_t ref, const struct random_game_state *state);

/* state: NULL if it is not known, or if no bounds are proven. */
static void check_edge(struct together *t, const struct tree_node *node, int index,
                       const struct random_game_state *state)
{
    const struct banyan_game *game = &t->drawing.game;
    const struct tree_edge *edge = &tree_edges(&t->search->tree, node)[index];
    struct random_game_state next;
    if (state) {
        struct tree_bounds bounds = *search_edge_bounds(t->search, node, index);
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        int left = TOGETHER_SMALL;
        next = *state;
        joint[node->mover] = tree_action(&t->search->tree, node, index);
        game->apply(game, &next, joint, NULL);
        float value = exact_value(game, &next, &left);
        *t->values += left >= 0;
        if (left >= 0 && (value < bounds.lo || value > bounds.hi))
            expect(t, "a bound on an exact value",
                   (double)(value < bounds.lo ? bounds.lo : bounds.hi), (double)value);
    }
    if (edge->child && !t->search->tree.layout.keyed && !t->search->tree.table)
        check_node(t, edge->child, state ? &next : NULL);
}

static void check_node(struct together *t, uint32_t ref, const struct random_game_state *state)
{
    const struct tree *tree = &t->search->tree;
    const struct tree_node *node = tree_node(tree, ref);
    const uint32_t *in_flight = tree_column_or_null(tree, node, TREE_IN_FLIGHT);
    uint64_t visits = 0;
    expect(t, "a node's visits in flight", node->in_flight, 0);
    expect(t, "a node waits for priors", node->flags & TREE_PENDING, 0);
    for (int i = 0; i < node->tried && t->holds; ++i) {
        expect(t, "an edge's visits in flight", in_flight ? in_flight[i] : 0, 0);
        visits += tree_edges(tree, node)[i].visits;
        check_edge(t, node, i, state);
    }
    if (visits > node->visits)
        expect(t, "visits of a node's edges", (double)visits, node->visits);
}

/* --- a run --- */

static void check_root(struct together *t, uint64_t wanted)
{
    const struct banyan_search *search = t->search;
    const struct drawing *drawing = &t->drawing;
    bool proven = search->solver && search_proven(&search->root.bounds);
    expect(t, "leaves out", (double)search->flights.waiting, 0);
    if (!proven && !t->fails)
        expect(t, "simulations", (double)search->simulations, (double)wanted);
    for (int p = 0; p < drawing->game.players && t->holds; ++p) {
        const struct tree_node *node = search_root_node(search, p);
        if (node && (drawing->game.movers(&drawing->game, &t->state) >> p & 1))
            check_node(t, (uint32_t)(((const unsigned char *)node - search->tree.base) / 8),
                       search->solver ? &t->state : NULL);
    }
}

static bool next_root(struct together *t, struct banyan_rng *rng)
{
    const struct banyan_game *game = &t->drawing.game;
    banyan_action actions[RANDOM_GAME_LEGAL], joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_dice dice;
    unsigned movers = game->movers(game, &t->state);
    banyan_dice_drawn(&dice, rng);
    for (int p = 0; p < game->players; ++p)
        if (movers >> p & 1)
            joint[p] = actions[rng_below(rng, (uint32_t)game->legal(game, &t->state, p, actions))];
    game->apply(game, &t->state, joint, &dice);
    if (!game->movers(game, &t->state))
        return false;
    banyan_search_advance(t->search, joint, &t->state);
    return true;
}

/* The drawing's evaluator, which fails where it is to. */
static enum banyan_status evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                   struct banyan_error *err)
{
    struct together *t = ctx;
    const struct banyan_evaluator *drawn = &t->drawing.evaluator.evaluator;
    if (t->fails && atomic_fetch_sub(&t->leaves_left, n) <= n) {
        atomic_store(&t->failed, true);
        return banyan_fail(err, BANYAN_IO, "the end");
    }
    return drawn->evaluate(drawn->ctx, leaves, n, err);
}

static void own_priors(void *ctx, const void *state, int player, const banyan_action *actions,
                       int n, float *out)
{
    const struct together *t = ctx;
    const struct banyan_evaluator *drawn = &t->drawing.evaluator.evaluator;
    drawn->priors(drawn->ctx, state, player, actions, n, out);
}

/* A run to the end, or to the evaluator's failure. */
static void run(struct together *t, const struct banyan_search_limits *limits)
{
    struct banyan_error err = {.message = ""};
    atomic_store(&t->failed, false);
    enum banyan_status status = banyan_search_run(t->search, limits, &err);
    bool ended = atomic_load(&t->failed);
    expect(t, "the status of a run", status, ended ? BANYAN_IO : BANYAN_OK);
    expect(t, "its error", strcmp(err.message, ended ? "the end" : "") != 0, 0);
}

bool together_holds(uint64_t seed, uint64_t *values, char *message, size_t size)
{
    struct together t = {.values = values, .message = message, .size = size, .holds = true};
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits)};
    struct banyan_error err;
    struct banyan_rng rng;
    draw(seed, &t.drawing);
    struct banyan_evaluator evaluator = t.drawing.evaluator.evaluator;
    banyan_rng_seed(&rng, banyan_rng_child(seed, "together", 0));
    t.drawing.options.progressive_history = 0;
    if (t.drawing.options.rule == BANYAN_RULE_GRAVE) /* which serves one thread */
        t.drawing.options.rule = BANYAN_RULE_UCB1;
    t.drawing.options.threads = 2 + (int)rng_below(&rng, 3);
    t.drawing.options.ensemble = 1;
    t.drawing.options.final_agree = false;
    t.drawing.options.memory_bytes = (uint64_t)4 << 20;
    t.state = t.drawing.start;
    limits.simulations = 4 * t.drawing.simulations;
    evaluator.ctx = &t;
    evaluator.evaluate = evaluate;
    evaluator.priors = evaluator.priors ? own_priors : NULL;
    t.fails = rng_below(&rng, 4) == 0;
    atomic_init(&t.leaves_left, 1 + (int)rng_below(&rng, (uint32_t)limits.simulations));
    if (banyan_search_create(&t.search, &t.drawing.game, &t.drawing.options, &evaluator, &err) !=
        BANYAN_OK) {
        snprintf(message, size, "%s", err.message);
        return false;
    }
    banyan_search_set_root(t.search, &t.state, t.drawing.viewer, NULL);
    for (int move = 0; move < 2 && t.holds; ++move) {
        if (move && !next_root(&t, &rng))
            break;
        run(&t, &limits);
        check_root(&t, (uint64_t)limits.simulations);
    }
    banyan_search_destroy(t.search);
    return t.holds;
}
