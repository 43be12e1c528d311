/* The option symmetries of a network: means over images, compared with means of evaluations one by one. */
#include "players/program/net.h"

#include "nn_check.h"

enum { ACTIONS = 1 << 14, STATE = 1 << 14, LEAVES = 6 };

/* One untrained network, asked about single images and about means. */
struct nets {
    const struct banyan_game *game;
    struct nn_model model;
    float *params;
    struct net *one, *mean;
};

/* What a network says of a position of a game of two. */
struct said {
    unsigned movers;
    int count[2];
    banyan_action actions[2][ACTIONS];
    float priors[2][ACTIONS], values[BANYAN_MAX_PLAYERS];
};

static struct net *nets_net(struct nets *n, int symmetries)
{
    const struct net_backend backend = {"plain", "", 1, symmetries};
    struct net *net;
    struct banyan_error err = {.message = ""};
    if (net_create(&net, n->game, &n->model, n->params, &backend, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return net;
}

static void nets_open(struct nets *n, const char *game, int symmetries)
{
    struct nn_arch arch;
    assert_int_equal(banyan_game_find(game, &n->game, NULL), BANYAN_OK);
    assert_true(n->game->state_size <= STATE && n->game->max_legal <= ACTIONS);
    nn_arch_default(&arch);
    assert_int_equal(net_arch_game(n->game, &arch, NULL), BANYAN_OK);
    arch.channels = 8, arch.blocks = 1, arch.value_hidden = 8;
    assert_int_equal(nn_model_build(&n->model, &arch, NULL), BANYAN_OK);
    n->params = nn_block_create(n->model.size);
    nn_model_start(&n->model, n->params, 1);
    n->one = nets_net(n, 0);
    n->mean = nets_net(n, symmetries);
}

static void nets_close(struct nets *n)
{
    net_destroy(n->one);
    net_destroy(n->mean);
    free(n->params);
}

static struct banyan_leaf leaf_of(const struct banyan_game *game, const void *state,
                                  struct said *said)
{
    struct banyan_leaf leaf = {.game = game, .state = state, .movers = game->movers(game, state)};
    said->movers = leaf.movers;
    for (int p = 0; p < 2; ++p) {
        said->count[p] = leaf.movers >> p & 1 ? game->legal(game, state, p, said->actions[p]) : 0;
        leaf.actions[p] = said->actions[p];
        leaf.count[p] = said->count[p];
        leaf.priors[p] = said->priors[p];
    }
    return leaf;
}

static void evaluate_one(const struct nets *n, struct net *net, const void *state,
                         struct said *said)
{
    struct banyan_leaf leaf = leaf_of(n->game, state, said);
    assert_int_equal(net_evaluate(net, &leaf, 1, NULL), BANYAN_OK);
    memcpy(said->values, leaf.values, sizeof said->values);
}

static float prior_of(const struct said *said, int player, banyan_action action)
{
    for (int i = 0; i < said->count[player]; ++i)
        if (said->actions[player][i] == action)
            return said->priors[player][i];
    fail_msg("action %u of an image is not legal there", (unsigned)action);
    return 0;
}

/* Action i of a player, in image k of the position. */
static banyan_action image_of(const struct nets *n, const void *state, int k,
                              const struct said *said, int player, int i)
{
    banyan_action action = said->actions[player][i];
    return k > 0 ? n->game->symmetry_action(n->game, state, k, action) : action;
}

/* The means over the first images, from the network that sees one image at a time. */
static void mean_by_hand(const struct nets *n, int images, const void *state, struct said *mean)
{
    static struct said image;
    static unsigned char turned[STATE];
    leaf_of(n->game, state, mean);
    memset(mean->values, 0, sizeof mean->values);
    memset(mean->priors, 0, sizeof mean->priors);
    for (int k = 0; k < images; ++k) {
        memcpy(turned, state, n->game->state_size);
        if (k > 0)
            n->game->symmetry(n->game, state, k, turned);
        evaluate_one(n, n->one, turned, &image);
        for (int p = 0; p < 2; ++p) {
            for (int i = 0; i < mean->count[p]; ++i)
                mean->priors[p][i] +=
                    prior_of(&image, p, image_of(n, state, k, mean, p, i)) / (float)images;
            mean->values[p] += image.values[p] / (float)images;
        }
    }
}

static float farthest(const struct said *a, const struct said *b)
{
    float most = 0;
    assert_int_equal(a->movers, b->movers);
    for (int p = 0; p < 2; ++p) {
        most = fmaxf(most, fabsf(a->values[p] - b->values[p]));
        for (int i = 0; i < a->count[p]; ++i)
            most = fmaxf(most, fabsf(a->priors[p][i] - b->priors[p][i]));
    }
    return most;
}

static void play_random(const struct banyan_game *game, void *state, int plies,
                        struct banyan_rng *rng)
{
    memset(state, 0, game->state_size);
    assert_int_equal(game->init(game, state, NULL, rng, NULL), BANYAN_OK);
    banyan_game_rollout(game, state, 0, plies, rng);
    assert_true(game->movers(game, state) != 0);
}

/* images: how many the option asks for; wanted: how many the game has. */
static void check_game(const char *name, int images, int wanted)
{
    static unsigned char states[LEAVES][STATE];
    static struct said hand[LEAVES], said[LEAVES], first;
    struct banyan_leaf leaves[LEAVES];
    struct nets n;
    struct banyan_rng rng;
    float differs = 0;
    nets_open(&n, name, images);
    banyan_rng_seed(&rng, 3);
    for (int i = 0; i < LEAVES; ++i) {
        play_random(n.game, states[i], n.game->max_plies > i ? i : 0, &rng);
        mean_by_hand(&n, wanted, states[i], &hand[i]);
        leaves[i] = leaf_of(n.game, states[i], &said[i]);
        evaluate_one(&n, n.one, states[i], &first);
        differs = fmaxf(differs, farthest(&first, &hand[i]));
    }
    assert_int_equal(net_evaluate(n.mean, leaves, LEAVES, NULL), BANYAN_OK); /* one batch */
    for (int i = 0; i < LEAVES; ++i) {
        memcpy(said[i].values, leaves[i].values, sizeof said[i].values);
        float error = farthest(&said[i], &hand[i]);
        if (!(error < 1e-5f))
            fail_msg("%s, position %d: off by %g", name, i, (double)error);
    }
    assert_true(wanted > 1 ? differs > 1e-3f : differs < 1e-6f);
    nets_close(&n);
}

static void means_are_those_of_single_images(void **unused)
{
    (void)unused;
    check_game("connect4", 2, 2);
    check_game("othello-6x6", 8, 8);
    check_game("othello-6x6", 3, 3);
    check_game("tictactoe", 64, 8); /* no more than the game has */
    check_game("mushroom", 4, 4);
    check_game("hex-5x5", 2, 2);
    check_game("rps", 3, 3); /* both move at once */
    check_game("pig", 8, 1); /* a game without symmetries */
}

/* With all images a position is worth exactly what its image is worth, but for rounding. */
static void all_images_make_turned_positions_equal(void **unused)
{
    (void)unused;
    static unsigned char state[STATE], turned[STATE];
    static struct said a, b;
    struct nets n;
    struct banyan_rng rng;
    nets_open(&n, "othello-6x6", 8);
    banyan_rng_seed(&rng, 5);
    play_random(n.game, state, 9, &rng);
    evaluate_one(&n, n.mean, state, &a);
    for (int k = 1; k < 8; ++k) {
        n.game->symmetry(n.game, state, k, turned);
        evaluate_one(&n, n.mean, turned, &b);
        assert_true(fabsf(a.values[0] - b.values[0]) < 1e-5f);
        int mover = a.movers >> 1 & 1;
        for (int i = 0; i < a.count[mover]; ++i)
            assert_true(fabsf(a.priors[mover][i] -
                              prior_of(&b, mover, image_of(&n, state, k, &a, mover, i))) < 1e-5f);
    }
    nets_close(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_those_of_single_images),
        cmocka_unit_test(all_images_make_turned_positions_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
