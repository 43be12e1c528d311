/* Finds the next untried action of a node, and those that a book named, for all selection rules. */
#include "search/select.h"

#include "base/numeric.h"

/* The legal untried action of highest prior, or without priors the first one; -1: none. */
static int select_fresh_offered(const struct banyan_search *search, const struct tree_node *node,
                                const struct offer *offer)
{
    const float *priors =
        tree_has(&search->tree, TREE_PRIORS) ? tree_priors(&search->tree, node) : NULL;
    int best = -1;
    for (int k = offer->count - 1; k >= 0 && offer->at[k] >= node->tried; --k) {
        int i = offer->at[k];
        if (best < 0 || !priors || priors[i] >= priors[best])
            best = i;
    }
    return best;
}

int select_fresh(struct banyan_search *search, struct tree_node *node, const struct offer *offer)
{
    const struct banyan_search_options *options = &search->options;
    if (node->tried == node->count)
        return -1;
    if (options->widen_factor > 0) {
        double admitted = options->widen_factor * numeric_pow(node->visits, options->widen_power);
        if (node->tried >= 1 && node->tried >= admitted)
            return -1;
    }
    return offer->at ? select_fresh_offered(search, node, offer) : tree_next(&search->tree, node);
}

int select_unvisited(struct banyan_search *search, struct tree_node *node)
{
    const struct tree_edge *edges = tree_edges(&search->tree, node);
    for (int i = 0; i < node->tried; ++i)
        if (!edges[i].visits)
            return i;
    node->flags &= (uint8_t)~TREE_UNVISITED;
    return -1;
}
