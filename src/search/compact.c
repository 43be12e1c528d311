/* Frees memory by keeping only the most visited part of the tree: tree_compact().
 *
 *   [ tree ......................... limit | room for the kept half ]
 *        measure: count the memory of the nodes of each number of visits
 *        copy:    breadth first from the roots into the last third (Cheney 1970)
 *        move:    the copy is moved to the bottom
 *
 * References are relative, so the copy is written with the references that are right at the bottom;
 * `to` is the same tree with another base.
 */
#include "search/tree.h"

enum { COMPACT_CLASSES = 160, COMPACT_SEEN = -1 /* counted, not yet copied */ };

/* Four classes for every doubling of the visits. */
static int compact_class(uint32_t visits)
{
    int power = 0;
    while (visits >> power > 7)
        ++power;
    return 4 * power + (int)(visits >> power);
}

static uint32_t compact_node_units(const struct tree *tree, const struct tree_node *node)
{
    return (uint32_t)(sizeof *node / 8) +
           tree_block_units(&tree->layout, node->capacity, node->count);
}

struct compaction {
    struct tree *tree;
    struct tree to;       /* the copy */
    uint32_t first, last; /* its nodes whose edges still point to old places */
    uint32_t *queue;      /* measure: nodes still to visit, in the free third */
    size_t queued;
    uint64_t units[COMPACT_CLASSES];
    int least; /* the lowest class that is kept */
};

static void compact_count_node(struct compaction *c, uint32_t ref)
{
    struct tree_node *node = tree_node(c->tree, ref);
    if (node->forward)
        return; /* counted already below another parent */
    node->forward = (uint32_t)COMPACT_SEEN;
    c->units[compact_class(node->visits)] += compact_node_units(c->tree, node);
    c->queue[c->queued++] = ref;
}

static void compact_count_child(struct compaction *c, uint32_t child)
{
    if (!child)
        return;
    if (!c->tree->layout.keyed) {
        compact_count_node(c, child);
        return;
    }
    const struct tree_outcome *outcome = tree_outcome(c->tree, child);
    c->units[compact_class(tree_arrivals(c->tree, outcome))] += sizeof *outcome / 8;
    if (outcome->node)
        compact_count_node(c, outcome->node);
    compact_count_child(c, outcome->left);
    compact_count_child(c, outcome->right);
}

/* Finds the lowest class that can be kept within `room` units. */
static void compact_measure(struct compaction *c, const struct tree_edge *roots, int count,
                            uint64_t room)
{
    c->queue = tree_at(c->tree, c->tree->limit);
    for (int i = 0; i < count; ++i)
        compact_count_child(c, roots[i].child);
    for (size_t i = 0; i < c->queued; ++i) {
        const struct tree_node *node = tree_node(c->tree, c->queue[i]);
        for (int e = 0; e < node->tried; ++e)
            compact_count_child(c, tree_edges(c->tree, node)[e].child);
    }
    uint64_t sum = 0;
    for (c->least = COMPACT_CLASSES; c->least > 0 && sum + c->units[c->least - 1] <= room;)
        sum += c->units[--c->least];
}

/* The new place of a node, which is copied when it is met for the first time; 0: it is not
 * kept. Copies form a queue: `forward` names the next copy, until the scan has passed it. */
static uint32_t compact_copy_node(struct compaction *c, uint32_t ref)
{
    struct tree_node *old = tree_node(c->tree, ref);
    if (old->forward && old->forward != (uint32_t)COMPACT_SEEN)
        return old->forward;
    if (compact_class(old->visits) < c->least)
        return 0;
    uint32_t units = compact_node_units(c->tree, old);
    if (units > c->to.limit - c->to.used)
        return 0;
    uint32_t place = c->to.used;
    c->to.used += units;
    struct tree_node *copy = tree_node(&c->to, place);
    memcpy(copy + 1, tree_at(c->tree, old->block), units * (size_t)8 - sizeof *copy);
    *copy = *old;
    copy->block = place + sizeof *copy / 8;
    copy->forward = 0;
    old->forward = place;
    if (c->last)
        tree_node(&c->to, c->last)->forward = place;
    else
        c->first = place;
    c->last = place;
    ++c->to.nodes;
    c->to.edges += copy->tried;
    return place;
}

/* Outcomes are copied in preorder, so that their search tree keeps its small depth. */
static void compact_copy_outcomes(struct compaction *c, uint32_t ref, uint32_t *root)
{
    if (!ref)
        return;
    const struct tree_outcome *old = tree_outcome(c->tree, ref);
    uint32_t visits = tree_arrivals(c->tree, old);
    if (compact_class(visits) >= c->least) {
        uint32_t place = tree_find_outcome(&c->to, root, old->key);
        if (place) {
            struct tree_outcome *copy = tree_outcome(&c->to, place);
            copy->visits = visits;
            copy->node = old->node ? compact_copy_node(c, old->node) : 0;
        }
    }
    compact_copy_outcomes(c, old->left, root);
    compact_copy_outcomes(c, old->right, root);
}

static void compact_copy_child(struct compaction *c, struct tree_edge *edge)
{
    uint32_t child = edge->child;
    if (c->tree->layout.keyed) {
        edge->child = 0;
        compact_copy_outcomes(c, child, &edge->child);
    } else if (child) {
        edge->child = compact_copy_node(c, child);
    }
}

void tree_compact(struct tree *tree, struct tree_edge *roots, int count)
{
    struct compaction c = {.tree = tree, .to = *tree};
    uint32_t room = tree->limit / 2;
    if (tree->used > room)
        compact_measure(&c, roots, count, room / 8 * 7);
    c.to.base = tree_at(tree, tree->limit - 1); /* its unit 1 is the first unit of the last third */
    c.to.limit = tree->size - tree->limit;
    tree_clear(&c.to); /* the free lists and the table belong to both trees, and start empty */

    for (int i = 0; i < count; ++i)
        compact_copy_child(&c, &roots[i]);
    for (uint32_t place = c.first, next; place; place = next) {
        struct tree_node *node = tree_node(&c.to, place);
        if (c.to.table)
            tree_table_enter(&c.to, node->key, place);
        for (int e = 0; e < node->tried; ++e)
            compact_copy_child(&c, &tree_edges(&c.to, node)[e]);
        next = node->forward;
        node->forward = 0;
    }
    memmove(tree_at(tree, 1), tree_at(&c.to, 1), (size_t)(c.to.used - 1) * 8);
    c.to.base = tree->base;
    c.to.limit = tree->limit;
    c.to.compactions = tree->compactions + 1;
    *tree = c.to;
}
