/* A selection rule of your own: UCB1, which builds the same tree as the library's rule=ucb1. */
#include <banyan/search.h>

#include <math.h>
#include <stdio.h>

static void ucb1(void *ctx, const struct banyan_rule_node *node, double *out)
{
    (void)ctx;
    const double *chances = node->chances; /* hidden cards: visits where the action was legal */
    double width = node->reward_width, spread = width * node->sqrt_ln_visits;
    for (int i = 0, count = node->count; i < count; ++i) {
        if (chances)
            spread = chances[i] > 1 ? width * sqrt(banyan_ln(chances[i])) : 0;
        out[i] = node->edges[i].mean + spread * node->inverse_sqrt[i];
    }
}

/* Returns the fingerprint of the tree after 20,000 simulations; 0: an error. */
static uint64_t fingerprint(const char *name, const struct banyan_rule *rule)
{
    const struct banyan_game *game;
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {0};
    struct banyan_search *search = NULL;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 20000};
    struct banyan_error err = {0};
    struct banyan_rng rng;
    _Alignas(16) char state[4096];
    uint64_t result = 0;
    banyan_search_options_default(&options);
    options.own_rule = rule; /* NULL: rule=ucb1 */
    banyan_rng_seed(&rng, 1);
    if (banyan_game_find(name, &game, &err) == BANYAN_OK && game->state_size <= sizeof state &&
        banyan_evaluator_create(game, "rollout", NULL, &evaluator, &err) == BANYAN_OK &&
        banyan_search_create(&search, game, &options, &evaluator, &err) == BANYAN_OK &&
        game->init(game, state, NULL, &rng, &err) == BANYAN_OK &&
        banyan_search_set_root(search, state, -1, &err) == BANYAN_OK &&
        banyan_search_run(search, &limits, &err) == BANYAN_OK)
        result = banyan_search_signature(search);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return result;
}

int main(void)
{
    const char *const games[] = {"tictactoe", "connect4", "pig", "kuhn", "pokemon"};
    struct banyan_rule rule = {
        .struct_size = sizeof rule, .name = "my-ucb1", .scores = ucb1, .wants_inverse_sqrt = true};
    int differ = 0;
    for (int i = 0; i < 5; ++i) {
        uint64_t own = fingerprint(games[i], &rule), known = fingerprint(games[i], NULL);
        printf("%s %016llx %016llx\n", games[i], (unsigned long long)own,
               (unsigned long long)known);
        differ += own != known || own == 0;
    }
    return differ;
}
