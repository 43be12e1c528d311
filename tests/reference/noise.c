/* Noise at the root. */
#include "reference/inside.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <math.h>

/* Marsaglia's polar method. */
static double draw_normal(struct banyan_rng *rng)
{
    for (;;) {
        double u = 2 * rng_unit(rng) - 1, v = 2 * rng_unit(rng) - 1, s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * numeric_ln(s) / s);
    }
}

/* Gamma(alpha, 1): Marsaglia and Tsang 2000. */
static double draw_gamma(struct banyan_rng *rng, double alpha)
{
    if (alpha < 1) {
        double u = rng_unit(rng) + 0x1p-60;
        return draw_gamma(rng, alpha + 1) * numeric_pow(u, 1 / alpha);
    }
    double d = alpha - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = draw_normal(rng), v = 1 + c * x;
        if (v <= 0)
            continue;
        double u = rng_unit(rng) + 0x1p-60;
        v = v * v * v;
        if (numeric_ln(u) < 0.5 * x * x + d - d * v + d * numeric_ln(v))
            return d * v;
    }
}

static bool is_limited(const struct plain *r)
{
    bool limited = false;
    for (int p = 0; p < r->game->players; ++p)
        limited = limited || r->limits[p].count > 0;
    return limited;
}

void plain_normalise(struct plain_node *node)
{
    double sum = 0;
    for (int i = 0; i < node->count; ++i)
        sum += (double)node->edges[i]->prior;
    for (int i = 0; i < node->count; ++i)
        node->edges[i]->prior =
            sum > 0 ? (float)((double)node->edges[i]->prior / sum) : 1.0f / (float)node->count;
}

/* Raises shares to the power 1 / temperature. */
void plain_heat(float *shares, int count, double temperature)
{
    float most = 0;
    double sum = 0;
    for (int i = 0; i < count; ++i)
        most = fmaxf(most, shares[i]);
    if (temperature == 1.0 || most <= 0)
        return;
    for (int i = 0; i < count; ++i)
        sum +=
            (double)(shares[i] = (float)numeric_pow((double)(shares[i] / most), 1 / temperature));
    for (int i = 0; i < count; ++i)
        shares[i] = (float)((double)shares[i] / sum);
}

static void heat_root(struct plain_node *node)
{
    float priors[PLAIN_ACTIONS];
    for (int i = 0; i < node->count; ++i)
        priors[i] = node->edges[i]->prior;
    plain_heat(priors, node->count, node->search->options.root_prior_temperature);
    for (int i = 0; i < node->count; ++i)
        node->edges[i]->prior = priors[i];
}

/* Dirichlet noise in the priors (Silver et al. 2017), Gumbel noise for the player who searches. */
static void draw_noise_of(struct plain *r, struct plain_node *node)
{
    if (r->priors && is_limited(r))
        plain_normalise(node);
    if (r->priors)
        heat_root(node);
    double noise[PLAIN_ACTIONS], sum = 0, weight = r->options.noise_weight;
    if (weight > 0 && r->explores && r->priors) {
        for (int i = 0; i < node->count; ++i)
            sum += noise[i] = draw_gamma(&r->rng, r->options.noise_alpha);
        for (int i = 0; i < node->count; ++i)
            node->edges[i]->prior = (float)((1 - weight) * (double)node->edges[i]->prior +
                                            weight * (sum > 0 ? noise[i] / sum : 0));
    }
    if (r->options.rule == BANYAN_RULE_GUMBEL && node->mover == r->viewer) {
        plain_draw_gumbel(r, node);
        r->gumbel_stream = rng_next(&r->rng);
    }
}

/* Gives each mover's node its noise once, as soon as the node exists.  With hidden cards only
 * the player who searches has a node at the root. */
void plain_draw_noise(struct plain *r)
{
    unsigned movers = r->game->movers(r->game, r->root_state);
    for (int p = 0; p < r->game->players; ++p) {
        bool has_node = movers >> p & 1 && (!(r->game->traits & BANYAN_HIDDEN) || p == r->viewer);
        struct plain_node *node = has_node ? plain_root(r, p) : NULL;
        if (!node || node->waiting || r->noise_drawn >> p & 1)
            continue;
        draw_noise_of(r, node);
        r->noise_drawn |= 1u << p;
    }
}
