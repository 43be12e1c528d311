/* Noise at the root, drawn once for each root: Dirichlet noise on priors, Gumbel noise on
 * actions; and the temperature of the priors there. */
#include "base/numeric.h"
#include "search/search.h"

/* Marsaglia's polar method: a standard normal. */
static double root_noise_normal(struct banyan_rng *rng)
{
    for (;;) {
        double u = 2 * rng_unit(rng) - 1, v = 2 * rng_unit(rng) - 1, s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * numeric_ln(s) / s);
    }
}

/* Gamma(alpha, 1) by Marsaglia and Tsang 2000, with their boost for alpha < 1. */
static double root_noise_gamma(struct banyan_rng *rng, double alpha)
{
    if (alpha < 1) {
        double u = rng_unit(rng) + 0x1p-60;
        return root_noise_gamma(rng, alpha + 1) * numeric_pow(u, 1 / alpha);
    }
    double d = alpha - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = root_noise_normal(rng), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        double u = rng_unit(rng) + 0x1p-60;
        if (numeric_ln(u) < 0.5 * x * x + d - d * v + d * numeric_ln(v))
            return d * v;
    }
}

static void root_noise_dirichlet(struct banyan_search *search, struct tree_node *node)
{
    float *priors = tree_priors(&search->tree, node);
    double *noise = search->scratch.policy, sum = 0, weight = search->options.noise_weight;
    for (int i = 0; i < node->count; ++i)
        sum += noise[i] = root_noise_gamma(&search->rng, search->options.noise_alpha);
    for (int i = 0; i < node->count; ++i)
        priors[i] = (float)((1 - weight) * priors[i] + weight * (sum > 0 ? noise[i] / sum : 0));
    node->flags &= (uint8_t)~TREE_NEXT_FOUND;
}

/* Where cards are hidden, the root may get actions later: their noise is drawn then, and halving
 * has not visited them before. */
void search_gumbel_noise(struct banyan_search *search, int count)
{
    for (int i = search->gumbel->noise_count; i < count; ++i) {
        search->gumbel->noise[i] =
            -numeric_ln(-numeric_ln(rng_unit(&search->rng) * (1 - 0x1p-52) + 0x1p-60));
        search->gumbel->before[i] = search->gumbel->kept[i] = 0;
    }
    if (search->gumbel->noise_count < count)
        search->gumbel->noise_count = count;
}

static void root_noise_temper(const struct banyan_search *search, struct tree_node *node)
{
    if (search->root.priors[node->mover].at || !tree_has(&search->tree, TREE_PRIORS))
        return;
    search_temper_priors(tree_priors(&search->tree, node), node->count,
                         search->options.root_prior_temperature);
    node->flags &= (uint8_t)~TREE_NEXT_FOUND;
}

static void root_noise_node(struct banyan_search *search, struct tree_node *node)
{
    if (search->root.limited)
        search_normalise_priors(search, node);
    root_noise_temper(search, node);
    search_put_root_priors(search, node);
    if (search->options.noise_weight > 0 && !search->root.without_noise &&
        tree_has(&search->tree, TREE_PRIORS))
        root_noise_dirichlet(search, node);
    if (search->options.rule == BANYAN_RULE_GUMBEL && node->mover == search->root.viewer) {
        search->gumbel->noise_count = 0;
        search_gumbel_noise(search, node->count);
        search->gumbel->stream = rng_next(&search->rng);
    }
}

void search_renew_root_priors(struct banyan_search *search, struct tree_node *node)
{
    if (!search->root.priors[node->mover].at || !tree_has(&search->tree, TREE_PRIORS))
        return;
    search_put_root_priors(search, node);
    if (search->options.noise_weight > 0 && !search->root.without_noise)
        root_noise_dirichlet(search, node);
}

/* Gives each mover's root node its noise, once, as soon as the node exists.  With hidden cards
 * only the player who searches has one root node: the other players have one for each hand. */
void search_add_root_noise(struct banyan_search *search)
{
    unsigned movers = search->game->movers(search->game, search->root.state);
    if (search->game->traits & BANYAN_HIDDEN)
        movers &= 1u << search->root.viewer;
    for (int p = 0; p < search->game->players; ++p) {
        if (!((movers & ~search->root.noise_movers) >> p & 1))
            continue;
        struct tree_node *node = search_root_node(search, p);
        if (!node || (node->flags & TREE_PENDING))
            continue; /* the first simulation makes the node */
        root_noise_node(search, node);
        search->root.noise_movers |= 1u << p;
    }
    search->root.has_noise = !(movers & ~search->root.noise_movers);
}
