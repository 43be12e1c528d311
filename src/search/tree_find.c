/* Looks up what the tree holds: actions of a node, outcomes of an edge, and nodes by their keys. */
#include "search/tree.h"

#include "base/compiler.h"

#include <stdatomic.h>

int tree_find_action(const struct tree *tree, const struct tree_node *node, banyan_action action)
{
    for (int i = 0; i < node->count; ++i)
        if (tree_action(tree, node, i) == action)
            return i;
    return -1;
}

/* The place of action in a table of indices + 1, or the empty place where it belongs. */
static inline uint32_t tree_place(const struct tree_lookup *lookup, const banyan_action *actions,
                                  banyan_action action)
{
    uint32_t mask = lookup->size - 1, at = (uint32_t)(action * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (lookup->places[at] && actions[lookup->places[at] - 1] != action)
        at = (at + 1) & mask;
    return at;
}

/* A filter of the wanted actions, as bits of a hash: most actions of a long list are not among
 * them. */
enum { TREE_FILTER_WORDS = 8 };

static inline uint32_t tree_filter_bit(banyan_action action)
{
    return (uint32_t)(action * 0x9e3779b97f4a7c15u >> 55); /* 9 bits: TREE_FILTER_WORDS * 64 */
}

/* The first place from index `from` on whose action, `width` bytes wide, has a hash in the
 * filter; count: there is none.  Inlined once for each width. */
static inline int tree_scan(const unsigned char *list, size_t width, int from, int count,
                            const uint64_t filter[TREE_FILTER_WORDS])
{
    for (int i = from; i < count; ++i) {
        union {
            uint8_t one;
            uint16_t two;
            uint32_t four;
            uint64_t eight;
        } action;
        memcpy(&action, list + width * (size_t)i, width);
        uint32_t bit = tree_filter_bit(width == 1   ? action.one
                                       : width == 2 ? action.two
                                       : width == 4 ? action.four
                                                    : action.eight);
        if (filter[bit >> 6] >> (bit & 63) & 1)
            return i;
    }
    return count;
}

static int tree_scan_list(const unsigned char *list, unsigned width, int from, int count,
                          const uint64_t filter[TREE_FILTER_WORDS])
{
    switch (width) {
    case 1:
        return tree_scan(list, 1, from, count, filter);
    case 2:
        return tree_scan(list, 2, from, count, filter);
    case 4:
        return tree_scan(list, 4, from, count, filter);
    default:
        return tree_scan(list, 8, from, count, filter);
    }
}

/* In games where players see different things every step looks up all legal actions.  One pass
 * over the node's list finds them, with the few wanted actions in a table. */
int tree_find_actions(const struct tree *tree, const struct tree_node *node,
                      const banyan_action *actions, int n, const struct tree_lookup *lookup,
                      uint16_t *out)
{
    uint64_t filter[TREE_FILTER_WORDS] = {0};
    const unsigned char *list = tree_actions(tree, node);
    const unsigned width = tree->layout.action_bytes;
    int found = 0;
    memset(lookup->places, 0, lookup->size * sizeof *lookup->places);
    for (int i = 0; i < n; ++i) {
        uint32_t bit = tree_filter_bit(actions[i]);
        uint16_t *place = &lookup->places[tree_place(lookup, actions, actions[i])];
        filter[bit >> 6] |= (uint64_t)1 << (bit & 63);
        lookup->known[i] = *place != 0; /* the action was named before */
        if (!*place)
            *place = (uint16_t)(i + 1);
    }
    for (int i = 0;
         found < n && (i = tree_scan_list(list, width, i, node->count, filter)) < node->count;
         ++i) {
        uint32_t given = lookup->places[tree_place(lookup, actions, tree_listed(list, width, i))];
        if (!given || lookup->known[given - 1])
            continue;
        lookup->known[given - 1] = 1;
        out[found++] = (uint16_t)i;
    }
    return found;
}

uint32_t tree_look_outcome(const struct tree *tree, uint32_t root, uint64_t key)
{
    while (root) {
        const struct tree_outcome *outcome = tree_outcome(tree, root);
        if (outcome->key == key)
            break;
        root = key < outcome->key ? outcome->left : outcome->right;
    }
    return root;
}

/* The keys are well mixed, so a search tree without balancing stays shallow. */
uint32_t tree_find_outcome(struct tree *tree, uint32_t *root, uint64_t key)
{
    while (*root) {
        struct tree_outcome *outcome = tree_outcome(tree, *root);
        if (outcome->key == key)
            return *root;
        root = key < outcome->key ? &outcome->left : &outcome->right;
    }
    return *root = tree_make_outcome(tree, key);
}

uint32_t tree_find_outcome_shared(struct tree *tree, uint32_t *root, uint64_t key)
{
    uint32_t made = 0, *link = root;
    for (;;) {
        uint32_t ref = word_load_acquire(link);
        if (!ref && !made && !(made = tree_make_outcome(tree, key)))
            return 0;
        if (!ref && !(ref = word_settle(link, made)))
            return made;
        struct tree_outcome *outcome = tree_outcome(tree, ref);
        if (outcome->key == key) {
            if (made)
                tree_drop_outcome(tree, made);
            return ref;
        }
        link = key < outcome->key ? &outcome->left : &outcome->right;
    }
}

/* Places of the table are set once.  Acquire: a thread that finds a node sees all of it. */
uint32_t tree_table_find(const struct tree *tree, uint64_t key)
{
    uint32_t mask = tree->table_size - 1, known;
    for (uint32_t i = (uint32_t)key & mask; (known = word_load_acquire(&tree->table[i]));
         i = (i + 1) & mask)
        if (tree_node(tree, known)->key == key)
            return known;
    return 0;
}

static void tree_table_give_back(struct tree *tree)
{
    if (tree->share)
        atomic_fetch_sub_explicit(&tree->share->table_used, 1, memory_order_relaxed);
    else
        --tree->table_used;
}

/* Counts an entry before it is made; false: the table has no room for it.  A table that is three quarters full
 * takes no new entries; their nodes stay reachable by edges. */
static bool tree_table_take(struct tree *tree)
{
    uint32_t most = tree->table_size / 4 * 3;
    if (!tree->share)
        return tree->table_used < most && ++tree->table_used;
    /* only the number is shared, so no order is needed */
    _Atomic uint32_t *used = &tree->share->table_used;
    if (atomic_load_explicit(used, memory_order_relaxed) >= most)
        return false;
    if (atomic_fetch_add_explicit(used, 1, memory_order_relaxed) < most)
        return true;
    tree_table_give_back(tree); /* other threads took the last places meanwhile */
    return false;
}

uint32_t tree_table_enter(struct tree *tree, uint64_t key, uint32_t node)
{
    uint32_t mask = tree->table_size - 1, known = 0;
    if (!tree_table_take(tree))
        return node;
    for (uint32_t i = (uint32_t)key & mask;; i = (i + 1) & mask) {
        known = word_load_acquire(&tree->table[i]);
        if (!known && !(known = word_settle(&tree->table[i], node)))
            return node;
        if (tree_node(tree, known)->key == key)
            break;
    }
    tree_table_give_back(tree);
    return known;
}
