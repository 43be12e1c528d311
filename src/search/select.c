#include "search/select.h"

#include "base/numeric.h"

int select_fresh(const struct banyan_search *search, const struct tree_node *node)
{
    const struct banyan_search_options *options = &search->options;
    if (node->tried == node->count)
        return -1;
    if (options->widen_factor > 0) {
        double allowed = options->widen_factor * numeric_pow(node->visits, options->widen_power);
        if (node->tried >= 1 && node->tried >= allowed)
            return -1;
    }
    if (!search->allowed)
        return node->tried;
    for (int i = node->tried; i < node->count; ++i)
        if (search->allowed[i])
            return i;
    return -1;
}
