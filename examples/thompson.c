/* A selection rule that the library does not have: Thompson sampling.  A value is drawn for each
 * edge from a normal distribution around its mean; more variance or fewer visits make it wider.
 * The edge with the highest value is visited. */
#include <banyan/search.h>

#include <math.h>
#include <stdio.h>

/* A number from the standard normal distribution (Marsaglia's polar method). */
static double normal(struct banyan_rng *rng)
{
    for (;;) {
        double u = 2 * banyan_rng_unit(rng) - 1, v = 2 * banyan_rng_unit(rng) - 1,
               s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * banyan_ln(s) / s);
    }
}

static void thompson(void *ctx, const struct banyan_rule_node *node, double *out)
{
    double prior = *(const double *)ctx * node->reward_width * node->reward_width;
    for (int i = 0; i < node->count; ++i) {
        double n = node->edges[i].visits, variance = node->variances[i];
        variance = variance > 0 ? variance : 0; /* NaN: no visit is finished yet */
        out[i] =
            node->edges[i].mean + sqrt((n * variance + prior) / ((n + 1) * n)) * normal(node->rng);
    }
}

int main(void)
{
    double variance = 0.25; /* of one visit's reward in [0,1], assumed before any visit */
    struct banyan_rule rule = {.struct_size = sizeof rule,
                               .name = "thompson",
                               .ctx = &variance,
                               .scores = thompson,
                               .wants_variances = true};
    const struct banyan_game *game;
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search = NULL;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 20000};
    struct banyan_search_move best;
    struct banyan_error err;
    char state[64], move[16];
    banyan_search_options_default(&options);
    options.own_rule = &rule;
    if (banyan_game_find("tictactoe", &game, &err) != BANYAN_OK ||
        banyan_evaluator_create(game, "rollout", NULL, &evaluator, &err) != BANYAN_OK ||
        banyan_search_create(&search, game, &options, &evaluator, &err) != BANYAN_OK ||
        game->init(game, state, NULL, NULL, &err) != BANYAN_OK ||
        banyan_search_set_root(search, state, -1, &err) != BANYAN_OK ||
        banyan_search_run(search, &limits, &err) != BANYAN_OK ||
        banyan_search_choose(search, 0, &best, &err) != BANYAN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    game->action_format(game, state, 0, best.action, move, sizeof move);
    printf("%s, worth %.2f to X\n", move, best.mean);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return 0;
}
