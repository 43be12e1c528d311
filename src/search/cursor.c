/* The tree node by node, for users (banyan/tree.h).  The number of a node is its reference, with the
 * number of its tree in an ensemble in the upper 32 bits. */
#include "base/struct_size.h"
#include "search/search.h"
#include "search/states.h"

#include <banyan/tree.h>

enum { CURSOR_TREE_SHIFT = 32 };

static const struct banyan_search *cursor_search(const struct banyan_search *search, uint64_t tree)
{
    return tree ? search->parallel.members[tree - 1] : search;
}

static const struct banyan_search *cursor_of(const struct banyan_search *search, banyan_node node)
{
    return cursor_search(search, node >> CURSOR_TREE_SHIFT);
}

static const struct tree_node *cursor_at(const struct banyan_search *one, banyan_node node)
{
    return tree_node(&one->tree, (uint32_t)node);
}

uint64_t banyan_tree_epoch(const struct banyan_search *search)
{
    uint64_t epoch = search->tree.epoch;
    for (int i = 0; i < search->parallel.member_count; ++i)
        epoch += search->parallel.members[i]->tree.epoch;
    return epoch;
}

banyan_node banyan_tree_root(const struct banyan_search *search, int player, int tree)
{
    if (tree < 0 || tree > search->parallel.member_count)
        return 0;
    const struct banyan_search *one = cursor_search(search, (uint64_t)tree);
    if (!search_chooses(one, player))
        return 0;
    const struct tree_node *node = search_root_node(one, player);
    if (!node)
        return 0;
    uint64_t ref = (uint64_t)((const unsigned char *)node - one->tree.base) / 8;
    return (uint64_t)tree << CURSOR_TREE_SHIFT | ref;
}

void banyan_tree_node(const struct banyan_search *search, banyan_node node,
                      struct banyan_tree_node *out, size_t out_size)
{
    const struct tree_node *at = cursor_at(cursor_of(search, node), node);
    struct banyan_tree_node all = {.player = at->mover,
                                   .actions = at->count,
                                   .tried = at->tried,
                                   .visits = at->visits,
                                   .in_flight = at->in_flight,
                                   .is_waiting = at->flags & TREE_PENDING};
    struct_size_copy(out, out_size, &all, sizeof all);
}

/* Outcomes in the order of their keys; only the first max are written. */
static int cursor_list(const struct tree *tree, uint32_t ref, uint64_t number,
                       struct banyan_tree_outcome *out, int count, int max)
{
    if (!ref)
        return count;
    const struct tree_outcome *outcome = tree_outcome(tree, ref);
    count = cursor_list(tree, outcome->left, number, out, count, max);
    if (count < max)
        out[count] =
            (struct banyan_tree_outcome){.node = outcome->node ? number | outcome->node : 0,
                                         .visits = tree_arrivals(tree, outcome),
                                         .key = outcome->key};
    return cursor_list(tree, outcome->right, number, out, count + 1, max);
}

int banyan_tree_outcomes(const struct banyan_search *search, banyan_node node, int index,
                         struct banyan_tree_outcome *out, int max)
{
    const struct tree *tree = &cursor_of(search, node)->tree;
    const struct tree_node *at = cursor_at(cursor_of(search, node), node);
    uint64_t number = node >> CURSOR_TREE_SHIFT << CURSOR_TREE_SHIFT;
    if (index < 0 || index >= at->tried)
        return 0;
    const struct tree_edge *edge = &tree_edges(tree, at)[index];
    if (tree->layout.keyed)
        return cursor_list(tree, edge->child, number, out, 0, max);
    if (max > 0)
        out[0] = (struct banyan_tree_outcome){.node = edge->child ? number | edge->child : 0,
                                              .visits = edge->visits};
    return 1;
}

banyan_node banyan_tree_at(const struct banyan_search *search, banyan_node node, int index,
                           int player, const void *state)
{
    const struct banyan_search *one = cursor_of(search, node);
    const struct tree *tree = &one->tree;
    const struct tree_node *at = node ? cursor_at(one, node) : NULL;
    bool has_edge = !at || (index >= 0 && index < at->tried);
    if (!one->root.is_set || !has_edge || player < 0 || player >= one->game->players ||
        !(one->game->movers(one->game, state) >> player & 1))
        return 0;
    uint32_t ref =
        at ? tree_edges(tree, at)[index].child : one->root.edges[one->trees > 1 ? player : 0].child;
    if (ref && tree->layout.keyed) {
        ref = tree_look_outcome(tree, ref, search_node_key(one, state, player));
        ref = ref ? tree_outcome(tree, ref)->node : 0;
    }
    if (!ref || tree_node(tree, ref)->mover != player)
        return 0;
    return node >> CURSOR_TREE_SHIFT << CURSOR_TREE_SHIFT | ref;
}

bool banyan_tree_edge(const struct banyan_search *search, banyan_node node, int index,
                      struct banyan_tree_edge *out, size_t out_size)
{
    const struct banyan_search *one = cursor_of(search, node);
    const struct tree_node *at = cursor_at(one, node);
    if (index < 0 || index >= at->count)
        return false;
    struct banyan_tree_edge all = {.is_tried = index < at->tried};
    search_fill_row(one, at, index, NULL, &all.move);
    if (one->options.rule == BANYAN_RULE_GRAVE && !search_is_root(one, at))
        all.move.score = (double)NAN; /* it depends on the way that a simulation came */
    if (tree_has(&one->tree, TREE_LEGAL))
        all.missed = tree_missed(&one->tree, at, index);
    if (all.is_tried && tree_has(&one->tree, TREE_IN_FLIGHT))
        all.in_flight = ((const uint32_t *)tree_column(&one->tree, at, TREE_IN_FLIGHT))[index];
    all.is_proven = one->solver && all.is_tried && all.move.lo >= all.move.hi;
    all.outcomes = banyan_tree_outcomes(search, node, index, NULL, 0);
    struct_size_copy(out, out_size, &all, sizeof all);
    return true;
}

enum banyan_status banyan_tree_state(const struct banyan_search *search,
                                     const struct banyan_tree_step *step, void *after,
                                     struct banyan_error *err)
{
    const struct banyan_search *one = cursor_of(search, step->node);
    const struct tree_node *at = cursor_at(one, step->node);
    bool keyed = one->tree.layout.keyed;
    banyan_node next = step->outcome.node;
    struct states states;
    if (step->index < 0 || step->index >= at->count)
        return banyan_fail(err, BANYAN_INVALID, "the node has no edge %d: 0 to %d", step->index,
                           at->count - 1);
    if (!states_begin(&states, one, step->seed))
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", one->game->name);
    struct states_step taken = {step->before, at->mover, tree_action(&one->tree, at, step->index)};
    int player = next ? cursor_at(one, next)->mover : one->trees > 1 ? at->mover : -1;
    bool found = keyed ? states_find(&states, &taken, step->outcome.key, player, after)
                       : states_is_legal(&states, step->before, at->mover, taken.action);
    if (found && !keyed)
        states_after(one->game, &taken, after);
    states_end(&states);
    return found ? BANYAN_OK
                 : banyan_fail(err, BANYAN_NOT_FOUND,
                               "no state of this outcome was met: it is rare, or the action is of "
                               "another state");
}
