/* Several threads use one network at the same time: run under ThreadSanitizer too. */
#include "nn/plugin.h"
#include "players/program/net.h"
#include "search/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, LEAVES = 8, ROUNDS = 12, SIMULATIONS = 1200, MOVES = 7 };

/* An untrained network for Connect Four. */
struct netted {
    const struct banyan_game *game;
    struct nn_model model;
    float *params;
    struct net *net;
    struct banyan_evaluator evaluator;
};

static void netted_open(struct netted *n, const char *backend)
{
    struct nn_arch arch;
    struct banyan_error err;
    assert_int_equal(banyan_game_find("connect4", &n->game, NULL), BANYAN_OK);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(n->game, &arch, NULL), BANYAN_OK);
    arch.channels = 16, arch.blocks = 1, arch.value_hidden = 8;
    assert_int_equal(nn_model_build(&n->model, &arch, NULL), BANYAN_OK);
    n->params = nn_block_create(n->model.size);
    nn_model_start(&n->model, n->params, 1);
    const struct net_backend chosen = {backend, "", 1, 1};
    if (net_create(&n->net, n->game, &n->model, n->params, &chosen, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    n->evaluator = net_evaluator(n->net);
}

static void netted_close(struct netted *n)
{
    net_destroy(n->net);
    free(n->params);
}

/* ThreadSanitizer does not see what OpenMP, which oneDNN uses, waits for. */
#if defined(__SANITIZE_THREAD__)
#define NETS_ONLY_PLAIN true
#elif defined(__has_feature)
#define NETS_ONLY_PLAIN __has_feature(thread_sanitizer)
#else
#define NETS_ONLY_PLAIN false
#endif

static bool is_here(const char *backend)
{
    bool is_plain = strcmp(backend, "plain") == 0;
    return is_plain || (!NETS_ONLY_PLAIN && nn_backend_find(backend, NULL));
}

/* --- the same answers --- */

/* Positions, and the answers that the first thread to evaluate them got. */
struct asked {
    struct netted n;
    unsigned char states[LEAVES][256];
    banyan_action actions[LEAVES][MOVES];
    int counts[LEAVES];
    float values[LEAVES], priors[LEAVES][MOVES];
};

/* Position number i is that after i moves in the column i. */
static void asked_open(struct asked *asked, const char *backend)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    netted_open(&asked->n, backend);
    const struct banyan_game *game = asked->n.game;
    for (int i = 0; i < LEAVES; ++i) {
        void *state = asked->states[i];
        assert_int_equal(game->init(game, state, NULL, &rng, NULL), BANYAN_OK);
        for (int move = 0; move < i % MOVES; ++move) {
            banyan_action joint[2] = {0};
            int mover = game->movers(game, state) >> 1 & 1;
            int count = game->legal(game, state, mover, asked->actions[i]);
            joint[mover] = asked->actions[i][i % count];
            game->apply(game, state, joint, NULL);
        }
        asked->counts[i] =
            game->legal(game, state, game->movers(game, state) >> 1 & 1, asked->actions[i]);
    }
}

static enum banyan_status asked_evaluate(const struct asked *asked, int n,
                                         struct banyan_leaf leaves[LEAVES],
                                         float priors[LEAVES][MOVES])
{
    const struct banyan_game *game = asked->n.game;
    for (int i = 0; i < n; ++i) {
        int mover = game->movers(game, asked->states[i]) >> 1 & 1;
        leaves[i] =
            (struct banyan_leaf){.game = game, .state = asked->states[i], .movers = 1u << mover};
        leaves[i].actions[mover] = asked->actions[i];
        leaves[i].count[mover] = asked->counts[i];
        leaves[i].priors[mover] = priors[i];
    }
    return asked->n.evaluator.evaluate(asked->n.evaluator.ctx, leaves, n, NULL);
}

/* Returns NULL if all answers are those that one thread got. */
static void *ask_again(void *at)
{
    const struct asked *asked = at;
    struct banyan_leaf leaves[LEAVES];
    float priors[LEAVES][MOVES];
    for (int round = 0; round < ROUNDS; ++round) {
        int n = LEAVES >> round % 3; /* batches of several sizes */
        if (asked_evaluate(asked, n, leaves, priors) != BANYAN_OK)
            return at;
        for (int i = 0; i < n; ++i) {
            float difference = leaves[i].values[0] - asked->values[i];
            if (!(difference < 1e-2f && difference > -1e-2f))
                return at;
            if (n == LEAVES &&
                (difference != 0 ||
                 memcmp(priors[i], asked->priors[i], sizeof(float) * (size_t)asked->counts[i])))
                return at;
        }
    }
    return NULL;
}

static void threads_get_the_same_answers(void **unused)
{
    (void)unused;
    const char *const backends[] = {"plain", "onednn"};
    for (int b = 0; b < 2; ++b) {
        static struct asked asked;
        pthread_t threads[THREADS];
        struct banyan_leaf leaves[LEAVES];
        if (!is_here(backends[b]))
            continue;
        memset(&asked, 0, sizeof asked);
        asked_open(&asked, backends[b]);
        assert_int_equal(asked_evaluate(&asked, LEAVES, leaves, asked.priors), BANYAN_OK);
        for (int i = 0; i < LEAVES; ++i)
            asked.values[i] = leaves[i].values[0];
        for (int i = 0; i < THREADS; ++i)
            assert_int_equal(pthread_create(&threads[i], NULL, ask_again, &asked), 0);
        for (int i = 0; i < THREADS; ++i) {
            void *wrong;
            pthread_join(threads[i], &wrong);
            if (wrong)
                fail_msg("%s: a thread got other answers", backends[b]);
        }
        netted_close(&asked.n);
    }
}

/* --- one search --- */

static void check_settled(const struct tree *tree, uint32_t ref, uint64_t *nodes)
{
    const struct tree_node *node = tree_node(tree, ref);
    const uint32_t *in_flight = tree_column_or_null(tree, node, TREE_IN_FLIGHT);
    ++*nodes;
    assert_int_equal(node->flags & TREE_PENDING, 0);
    assert_int_equal(node->in_flight, 0);
    for (int i = 0; i < node->tried; ++i) {
        assert_true(!in_flight || !in_flight[i]);
        if (tree_edges(tree, node)[i].child)
            check_settled(tree, tree_edges(tree, node)[i].child, nodes);
    }
}

static void threads_of_a_search_share_it(void **unused)
{
    (void)unused;
    const char *const options[] = {"rule=puct,threads=4,batch=4", "rule=puct,threads=3,batch=16",
                                   "rule=puct,threads=2", "rule=gumbel,threads=4,batch=4"};
    struct netted n;
    netted_open(&n, "plain");
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct banyan_search_options settings;
        struct banyan_search *search;
        struct banyan_search_limits limits = {.struct_size = sizeof limits,
                                              .simulations = SIMULATIONS};
        unsigned char state[256];
        struct banyan_rng rng;
        uint64_t nodes = 0;
        banyan_rng_seed(&rng, 1);
        banyan_search_options_default(&settings);
        settings.memory_bytes = (uint64_t)64 << 20;
        assert_int_equal(
            banyan_options_parse(banyan_search_option_table(), &settings, options[i], NULL),
            BANYAN_OK);
        assert_int_equal(n.game->init(n.game, state, NULL, &rng, NULL), BANYAN_OK);
        assert_int_equal(banyan_search_create(&search, n.game, &settings, &n.evaluator, NULL),
                         BANYAN_OK);
        assert_int_equal(banyan_search_set_root(search, state, -1, NULL), BANYAN_OK);
        assert_int_equal(banyan_search_run(search, &limits, NULL), BANYAN_OK);
        assert_int_equal(search->simulations, SIMULATIONS);
        assert_int_equal(search->root.visits, SIMULATIONS);
        assert_int_equal(search->flights.waiting, 0);
        check_settled(&search->tree, search->root.edges[0].child, &nodes);
        assert_int_equal(nodes, search->tree.nodes);
        banyan_search_destroy(search);
    }
    netted_close(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_get_the_same_answers),
        cmocka_unit_test(threads_of_a_search_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
