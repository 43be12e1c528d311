/* Proven results and score bounds (Winands et al. 2008; Cazenave and Saffidine
 * 2010), in games of one player or of two with a constant sum, without luck.
 *
 * Every edge carries bounds on player 0's return.  A finished game gives exact
 * ones; a node passes up the best that its mover can enforce and the best that
 * the others cannot take away.  An edge that cannot beat what another one
 * guarantees is not visited any more; a proven edge is not descended into.
 */
#include "search/search.h"

struct tree_bounds *search_edge_bounds(const struct banyan_search *search,
                                       const struct tree_node *node, int index)
{
    return (struct tree_bounds *)tree_column(&search->tree, node, search->tree.layout.bounds) +
           index;
}

void search_new_bounds(struct banyan_search *search, const void *state, struct tree_bounds *bounds)
{
    bounds->lo = search->game->return_min;
    bounds->hi = search->game->return_max;
    if (search->game->bounds)
        search->game->bounds(state, 0, &bounds->lo, &bounds->hi);
}

float search_guaranteed(const struct tree_bounds *column, const struct tree_node *node)
{
    bool first = node->mover == 0;
    float best = first ? -INFINITY : INFINITY;
    for (int i = 0; i < node->tried; ++i)
        best = first ? fmaxf(best, column[i].lo) : fminf(best, column[i].hi);
    return best;
}

/* A visit of a proven edge tells nothing new, and the rules, which see its value only, would go on
 * visiting a proven draw for ever.  So every second of these visits goes to an edge that may still
 * be better, the one visited least: tic-tac-toe is proven after 26,000 simulations in place of more
 * than 30 million, and play is no weaker (docs/results/correctness.md). */
int search_doubt(struct banyan_search *search, struct tree_node *node, int index)
{
    const struct tree_bounds *column = search_edge_bounds(search, node, 0);
    if (!search_proven(&column[index]) || node->visits % 2)
        return index;
    const struct tree_edge *edges = tree_edges(&search->tree, node);
    float guaranteed = search_guaranteed(column, node);
    int least = -1;
    for (int i = 0; i < node->tried; ++i)
        if (!search_proven(&column[i]) && !search_pruned(&column[i], node->mover, guaranteed) &&
            (least < 0 || edges[i].visits < edges[least].visits))
            least = i;
    return least < 0 ? index : least;
}

/* The bounds of a node from those of its edges; one that is untried, or whose first visit is not back
 * yet, may be worth anything. */
struct tree_bounds search_node_bounds(struct banyan_search *search, struct tree_node *node)
{
    const struct tree *tree = &search->tree;
    const struct tree_bounds *column = search_edge_bounds(search, node, 0);
    const struct tree_edge *edges = tree_edges(tree, node);
    const uint32_t *in_flight =
        tree->layout.in_flight ? tree_column(tree, node, tree->layout.in_flight) : NULL;
    float low = search->game->return_min, high = search->game->return_max;
    bool first = node->mover == 0, open = node->tried < node->count;
    float worst = first ? low : high;
    struct tree_bounds all = {worst, worst};
    for (int i = 0; i < node->tried; ++i) {
        if (in_flight && in_flight[i] && !edges[i].visits) {
            open = true;
            continue;
        }
        all.lo = first ? fmaxf(all.lo, column[i].lo) : fminf(all.lo, column[i].lo);
        all.hi = first ? fmaxf(all.hi, column[i].hi) : fminf(all.hi, column[i].hi);
    }
    if (open && first)
        all.hi = high;
    else if (open)
        all.lo = low;
    return all;
}

bool search_narrow_bounds(struct tree_bounds *old, struct tree_bounds known)
{
    bool narrower = known.lo > old->lo || known.hi < old->hi;
    old->lo = fmaxf(old->lo, known.lo);
    old->hi = fminf(old->hi, known.hi);
    return narrower;
}

/* Whether the edge got its first visit: nobody above has heard of its bounds. */
static bool solver_first_visit(const struct banyan_search *search, const struct path_step *step)
{
    return step &&
           tree_edges(&search->tree, tree_node(&search->tree, step->node))[step->edge].visits == 1;
}

/* From the leaf's edge up, as long as there is news.  The leaf's own edge may have got its bounds
 * from the game when it was made, so its parent is asked in any case. */
void search_backup_bounds(struct banyan_search *search, const struct simulation *simulation,
                          enum leaf_kind kind)
{
    bool exact = kind == LEAF_FINISHED || simulation->exact;
    if ((!exact && !search->game->bounds) || simulation->length == 0)
        return; /* a root of known value must still find the action that reaches it */
    float value = simulation->values[0];
    struct tree_bounds known =
        exact ? (struct tree_bounds){value, value}
              : (struct tree_bounds){search->game->return_min, search->game->return_max};
    for (int i = simulation->length;; --i) {
        const struct path_step *above = i > 0 ? &simulation->path[i - 1] : NULL;
        struct tree_bounds *bounds =
            above ? search_edge_bounds(search, tree_node(&search->tree, above->node), above->edge)
                  : &search->root_bounds;
        bool news = search_narrow_bounds(bounds, known) || i == simulation->length ||
                    solver_first_visit(search, above);
        if (!news || !above)
            return;
        known = search_node_bounds(search, tree_node(&search->tree, above->node));
    }
}
