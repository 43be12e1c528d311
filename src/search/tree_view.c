/* The views of a tree that several threads share: each has a chunk and free blocks of its own. */
#include "search/tree.h"

#include <stdlib.h>

bool tree_view_init(struct tree *view, const struct tree *tree, struct tree_share *share)
{
    *view = *tree;
    view->share = share;
    view->epoch = 0; /* no tree has this epoch, so tree_view_open empties the chunk */
    view->free_blocks = calloc(tree->free_sizes, sizeof *view->free_blocks);
    return view->free_blocks;
}

void tree_view_open(struct tree *view, const struct tree *tree)
{
    view->nodes = view->edges = view->outcomes = 0;
    if (view->epoch == tree->epoch)
        return;
    view->epoch = tree->epoch;
    view->used = view->limit = 0;
    memset(view->free_blocks, 0, view->free_sizes * sizeof *view->free_blocks);
}

void tree_view_close(struct tree *view, struct tree *tree)
{
    tree->nodes += view->nodes;
    tree->edges += view->edges;
    tree->outcomes += view->outcomes;
}

bool tree_view_grow(struct tree *view, const struct tree *tree)
{
    uint32_t more = tree->free_sizes - view->free_sizes;
    uint32_t *lists = realloc(view->free_blocks, tree->free_sizes * sizeof *lists);
    if (!lists)
        return false;
    memset(lists + view->free_sizes, 0, more * sizeof *lists);
    view->free_blocks = lists;
    view->free_sizes = tree->free_sizes;
    return true;
}

void tree_view_shrink(struct tree *view, const struct tree *tree)
{
    view->free_sizes = tree->free_sizes;
    view->epoch = 0;
}

void tree_view_free(struct tree *view)
{
    free(view->free_blocks);
}
