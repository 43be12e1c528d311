#include "search/select.h"

#include "base/numeric.h"

/* The allowed untried action of highest prior, or the first; -1: none. */
static int select_fresh_allowed(const struct banyan_search *search, const struct tree_node *node)
{
    const float *priors = search->tree.layout.prior_bytes ? tree_priors(&search->tree, node) : NULL;
    int best = -1;
    for (int i = node->tried; i < node->count; ++i)
        if (search->allowed[i] && (best < 0 || (priors && priors[i] > priors[best])))
            best = i;
    return best;
}

int select_fresh(struct banyan_search *search, struct tree_node *node)
{
    const struct banyan_search_options *options = &search->options;
    if (node->tried == node->count)
        return -1;
    if (options->widen_factor > 0) {
        double allowed = options->widen_factor * numeric_pow(node->visits, options->widen_power);
        if (node->tried >= 1 && node->tried >= allowed)
            return -1;
    }
    return search->allowed ? select_fresh_allowed(search, node) : tree_next(&search->tree, node);
}
