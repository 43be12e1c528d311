/* The tree: nodes, edges and outcomes in one arena with a hard cap.
 *
 *   node -------> block:  [edge edge edge ...][columns ...][priors][legal][actions]
 *   (40 bytes)             |    \_ only as many as were tried, doubling
 *                          v
 *                 child = node                      where each action has one outcome
 *                 child = outcome ... outcome       elsewhere: a search tree by key
 *                            |-> node
 *
 * Nodes, outcomes and blocks are named by 32-bit references in units of 8 bytes; 0 is "none".  A
 * node belongs to one mover.  Its actions stand in the order in which they are tried, so the
 * statistics are those of the first `tried` actions, and memory for them grows with the visits.
 * The list of actions grows too, where states of one information set have different ones, up to
 * TREE_ACTIONS_MAX.  A leaf that was visited fewer than `expand_visits` times has no node: its edge
 * (or outcome) counts its visits.
 *
 * Optional statistics are columns that exist only when a setting needs them.  To add one, add a
 * name to enum tree_column and a row to tree_columns[], and set its bit where it is needed (in a
 * rule's `columns`, or in settle_columns()).
 *
 * An edge keeps the mean of its visits: selection reads every edge of a node on the way down, the
 * backup writes one.  The sum follows from mean and visits (tree_edge_sum()).
 *
 * Visits are counted in 32 bits, which overflow after hours.  So an edge whose count is full
 * forgets one average visit for every new one: its mean becomes that of about the last 2^32 visits,
 * and the search can go on.
 *
 * When the arena is full, or after a move, the subtree worth keeping (the most
 * visited nodes) is copied into the last third of the arena and moved down.
 */
#ifndef SEARCH_TREE_H
#define SEARCH_TREE_H

#include <banyan/game.h>
#include <banyan/status.h>

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tree_edge {
    double mean; /* of the mover's utility over all visits, return units; 0 before any */
    uint32_t visits;
    uint32_t child; /* node; in a keyed tree: the root of its outcomes */
};

struct tree_outcome {
    uint64_t key;
    uint32_t left, right; /* outcomes of smaller and larger key */
    uint32_t node;
    uint32_t visits; /* arrivals, or a part of them: tree_arrivals() */
};

enum { TREE_ACTIONS_MAX = UINT16_MAX - 1 }; /* of one node; even, as capacities are */

enum tree_flag {
    TREE_PENDING = 1,    /* the node waits for the evaluator's priors */
    TREE_NEXT_FOUND = 2, /* the first untried action is the one of highest prior */
    /* a tried action may have no visits: an opening book named it, or its only simulation was taken back */
    TREE_UNVISITED = 4,
    TREE_NARROWED = 8 /* an edge may have bounds that are narrower than the range of returns */
};

/* Who may read and write a node that threads share (workers.h). */
enum tree_hold {
    TREE_LOOSE,  /* any thread, after it has taken hold of the node */
    TREE_HELD,   /* the thread that holds it */
    TREE_PRIVATE /* the thread whose private copy it is */
};

struct tree_node {
    union {
        /* sqrt(ln visits), kept by the backup: computing it would slow UCB1's descent */
        double sqrt_ln_visits;
        /* with TREE_LEGAL, under which no rule reads sqrt_ln_visits: the number of visits at which some of the
         * actions were not legal */
        uint32_t partial;
    };
    uint64_t key; /* key of the mover's information set; 0 in an unkeyed tree */
    uint32_t block;
    uint32_t visits;    /* simulations that reached the node, those before it was made included */
    uint32_t in_flight; /* visits that are not backed up yet */
    uint32_t forward;   /* new place during compaction; else enum tree_hold */
    uint16_t count;     /* number of actions */
    uint16_t tried;     /* edges with statistics, which the first actions have */
    uint16_t capacity;  /* edges for which there is room */
    uint8_t mover;
    uint8_t flags;
};

/* Bounds on player 0's return. */
struct tree_bounds {
    float lo, hi;
};

/* The optional columns, in the order in which they stand in a block; tree_columns[] (tree.c)
 * describes them. */
enum tree_column {
    /* columns of edges: offset = coefficient * capacity */
    TREE_SQUARES,   /* double: sum of squared utility */
    TREE_REGRET,    /* double: cumulative regret */
    TREE_STRATEGY,  /* double: sum of strategies */
    TREE_VECTOR,    /* double[players]: sums of values by player */
    TREE_BOUNDS,    /* struct tree_bounds */
    TREE_IN_FLIGHT, /* uint32_t */
    TREE_IMPLICIT, /* float: minimax value of the heuristic, as player 0's return; NaN: a thread has yet to
                     * write it */
    TREE_EXPLORE, /* float: 1/sqrt(visits), kept by the backup for UCB1's descent */
    TREE_ROOTS,   /* double: the same for a user's rule in a search without a solver */
    TREE_EDGE_COLUMNS,
    /* columns of actions, behind those of edges: offset = coefficient * room of the list */
    TREE_PRIORS = TREE_EDGE_COLUMNS, /* float */
    /* uint32_t: how many of the visits counted in node->partial found the action legal.  A visit writes
     * only the entries of its legal actions. */
    TREE_LEGAL,
    TREE_COLUMNS
};

/* A column is zero for a new edge, and for the actions of a new node.  Priors are the
 * exception: they come with the node or later.  Functions that move a block copy all its
 * columns (tree_rebuild(), compact.c). */
struct tree_column_kind {
    const char *name;
    unsigned bytes; /* of an edge or action, of each player with by_player; a multiple of 4 */
    bool by_player; /* one value for each player */
    /* the column holds sums over visits (double), reduced when a full edge forgets a visit */
    bool is_fading;
    bool is_written; /* set by the function that makes the node or appends the action, not zeroed */
};
extern const struct tree_column_kind tree_columns[TREE_COLUMNS];

/* A set of columns is a mask of these bits. */
#define TREE_COLUMN_BIT(column) (1u << (column))

/* A column that exists, for functions that treat all columns alike. */
struct tree_column_place {
    unsigned at;    /* coefficient */
    unsigned bytes; /* of an edge or action */
    enum tree_column column;
};

/* The layout of a block. */
struct tree_layout {
    unsigned columns;          /* bits: columns that exist */
    unsigned at[TREE_COLUMNS]; /* their coefficients */
    unsigned edge_bytes;       /* bytes of one edge with all its columns */
    unsigned list_bytes;       /* bytes of one action's columns, without the action itself */
    unsigned action_bytes;
    struct tree_column_place places[TREE_COLUMNS]; /* [edge_columns], then [list_columns] */
    int edge_columns, list_columns;
    int players;
    bool keyed;       /* children are outcomes */
    bool nodes_count; /* arrivals at outcomes that have nodes may be counted in these nodes only */
    bool growing;     /* lists of actions may grow, and have some spare room */
};

/* Gives each of the columns (bits) its place; players must be set already. */
void tree_lay_out(struct tree_layout *layout, unsigned columns);

/* The part of an arena that is not yet used, from which threads take chunks, and how many entries of the table of
 * transpositions are used. */
struct tree_share {
    _Atomic uint32_t next; /* in units */
    uint32_t limit;
    _Atomic uint32_t table_used;
};

struct tree {
    unsigned char *base;
    struct tree_layout layout;
    uint32_t used, limit, size; /* in units; limit = 2/3 of size */
    uint32_t whole;             /* the size before anything was reserved at the end of the arena */
    uint32_t *free_blocks;      /* [free_sizes] lists of outgrown blocks by size in units */
    uint32_t free_sizes;
    uint32_t *table; /* transpositions: open addressing by key, 0 empty; NULL: off */
    uint32_t table_size, table_used;
    uint64_t nodes, edges, outcomes;
    uint64_t fixed_bytes; /* allocation of the tables beside the arena */
    uint64_t compactions;
    uint64_t epoch; /* rises whenever references become invalid */
    /* in a view: where it takes its chunks; then used and limit are those of its chunk */
    struct tree_share *share;
};

/* Reserves the arena: `bytes` in all, tables included.  BANYAN_INVALID: too few (less than 64 KiB beside
 * the tables); BANYAN_NO_MEMORY: the system does not give so much. */
enum banyan_status tree_init(struct tree *tree, const struct tree_layout *layout, uint64_t bytes,
                             bool transpositions, int max_legal);
/* Makes the lists of free blocks long enough for nodes of max_legal actions.  The arena gets shorter by what
 * this takes and by extra_bytes, which the caller will allocate, so that the limit on memory holds.  False: no
 * room, nothing has changed. */
bool tree_reserve(struct tree *tree, int max_legal, size_t extra_bytes);
/* Takes back all that was reserved, so that the tree is as it was made, for nodes of max_legal actions.
 * Precondition: the tree is cleared. */
void tree_unreserve(struct tree *tree, int max_legal);
void tree_free(struct tree *tree);
void tree_clear(struct tree *tree);

/* A view: another struct tree of the same arena, by which another thread makes nodes while the tree
 * is shared.  It has a chunk and free blocks of its own, and counts what it makes. */
bool tree_view_init(struct tree *view, const struct tree *tree, struct tree_share *share);
/* Before threads start: sets the view's counts to 0, and empties its chunk and its lists if references have become
 * invalid since it was opened last. */
void tree_view_open(struct tree *view, const struct tree *tree);
/* After they have ended: adds what the view has made to the tree. */
void tree_view_close(struct tree *view, struct tree *tree);
/* Makes the view's lists as long as those of the tree.  False: no memory. */
bool tree_view_grow(struct tree *view, const struct tree *tree);
/* Makes the view's lists as short as those of the tree have become.  The view must be opened again
 * afterwards. */
void tree_view_shrink(struct tree *view, const struct tree *tree);
void tree_view_free(struct tree *view);

/* Bytes of the lists of free blocks of a tree or a view. */
uint64_t tree_lists_bytes(const struct tree_layout *layout, int max_legal);

static inline void *tree_at(const struct tree *tree, uint32_t ref)
{
    return tree->base + (size_t)ref * 8;
}

static inline struct tree_node *tree_node(const struct tree *tree, uint32_t ref)
{
    return tree_at(tree, ref);
}

static inline struct tree_outcome *tree_outcome(const struct tree *tree, uint32_t ref)
{
    return tree_at(tree, ref);
}

/* How many simulations have arrived at an outcome. */
static inline uint32_t tree_arrivals(const struct tree *tree, const struct tree_outcome *outcome)
{
    bool by_node = tree->layout.nodes_count && outcome->node;
    uint32_t seen = by_node ? tree_node(tree, outcome->node)->visits : 0;
    return outcome->visits > seen ? outcome->visits : seen;
}

/* Adds 1 to a count that is never a divisor.  At its maximum it alternates between the last two
 * values, so that its parity still changes. */
static inline void tree_count(uint32_t *visits)
{
    *visits = *visits < UINT32_MAX ? *visits + 1 : UINT32_MAX - 1;
}

/* A sum of visits, at most the maximum of its type. */
static inline uint32_t tree_counted(uint64_t visits)
{
    return visits < UINT32_MAX ? (uint32_t)visits : UINT32_MAX;
}

static inline struct tree_edge *tree_edges(const struct tree *tree, const struct tree_node *node)
{
    return tree_at(tree, node->block);
}

static inline bool tree_has(const struct tree *tree, enum tree_column column)
{
    return tree->layout.columns >> column & 1;
}

/* A column of the edges of node, which exists. */
static inline void *tree_column(const struct tree *tree, const struct tree_node *node,
                                enum tree_column column)
{
    return tree->base + (size_t)node->block * 8 + (size_t)tree->layout.at[column] * node->capacity;
}

/* The column of the edges of node; NULL: it does not exist. */
static inline void *tree_column_or_null(const struct tree *tree, const struct tree_node *node,
                                        enum tree_column column)
{
    return tree_has(tree, column) ? tree_column(tree, node, column) : NULL;
}

/* The start of the columns of actions. */
static inline unsigned char *tree_lists(const struct tree *tree, const struct tree_node *node)
{
    return tree->base + (size_t)node->block * 8 + (size_t)tree->layout.edge_bytes * node->capacity;
}

/* The first of the columns of actions. */
static inline float *tree_priors(const struct tree *tree, const struct tree_node *node)
{
    return (float *)(void *)tree_lists(tree, node);
}

/* For how many actions a list of count actions has room.  Lists that grow have at most a
 * quarter more, so that appending seldom moves a long list. */
static inline size_t tree_list_room(const struct tree_layout *layout, size_t count)
{
    size_t step = 1;
    while (layout->growing && step * 8 <= count)
        step *= 2;
    return (count + step - 1) & ~(step - 1);
}

static inline size_t tree_actions_offset(const struct tree_layout *layout, size_t capacity,
                                         size_t count)
{
    size_t list = layout->list_bytes * tree_list_room(layout, count);
    return (layout->edge_bytes * capacity + list + 7) & ~(size_t)7;
}

/* Units of a block of this capacity and number of actions. */
static inline uint32_t tree_block_units(const struct tree_layout *layout, size_t capacity,
                                        size_t count)
{
    size_t bytes = tree_actions_offset(layout, capacity, count) +
                   layout->action_bytes * tree_list_room(layout, count);
    return (uint32_t)((bytes + 7) / 8);
}

/* Marks the node in a set of bits, one for each unit of the arena.  Returns whether it was marked before. */
static inline bool tree_mark(unsigned char *marks, uint32_t ref)
{
    unsigned char bit = (unsigned char)(1u << (ref & 7)), *byte = &marks[ref >> 3];
    bool marked = *byte & bit;
    *byte |= bit;
    return marked;
}

/* Starts to fetch all of node's block, where most of it will be read soon. */
static inline void tree_fetch_block(const struct tree *tree, const struct tree_node *node)
{
    size_t bytes = (size_t)8 * tree_block_units(&tree->layout, node->capacity, node->count);
    const unsigned char *block = tree_at(tree, node->block);
    for (size_t i = 0; i < bytes; i += 64)
        memory_prefetch(block + i);
}

static inline uint32_t *tree_legal(const struct tree *tree, const struct tree_node *node)
{
    return (uint32_t *)(void *)(tree_lists(tree, node) +
                                tree->layout.at[TREE_LEGAL] *
                                    tree_list_room(&tree->layout, node->count));
}

/* At how many of the node's visits an action was not legal. */
static inline uint32_t tree_missed(const struct tree *tree, const struct tree_node *node, int index)
{
    return node->partial - tree_legal(tree, node)[index];
}

static inline unsigned char *tree_actions(const struct tree *tree, const struct tree_node *node)
{
    return tree->base + (size_t)node->block * 8 +
           tree_actions_offset(&tree->layout, node->capacity, node->count);
}

/* Entry `index` of a list of actions (tree_actions()) that are `bytes` wide. */
static inline banyan_action tree_listed(const unsigned char *list, unsigned bytes, int index)
{
    switch (bytes) {
    case 1:
        return list[index];
    case 2: {
        uint16_t action;
        memcpy(&action, list + 2 * (size_t)index, sizeof action);
        return action;
    }
    case 4: {
        uint32_t action;
        memcpy(&action, list + 4 * (size_t)index, sizeof action);
        return action;
    }
    default: {
        uint64_t action;
        memcpy(&action, list + 8 * (size_t)index, sizeof action);
        return action;
    }
    }
}

static inline banyan_action tree_action(const struct tree *tree, const struct tree_node *node,
                                        int index)
{
    return tree_listed(tree_actions(tree, node), tree->layout.action_bytes, index);
}

void tree_set_action(const struct tree *tree, const struct tree_node *node, int index,
                     banyan_action action);

/* Whether there is room for one more simulation that makes at most `nodes` nodes of max_legal
 * actions. */
bool tree_has_room(const struct tree *tree, int nodes, int max_legal);

/* The contents of a new node. */
struct tree_beginning {
    uint64_t key;
    int mover;
    uint32_t visits;
    const banyan_action *actions; /* [count], copied */
    const float *priors;          /* [count], copied; NULL: priors come later, or never */
    int count;
    int capacity; /* edges for which to reserve room, at most count */
};

/* Makes a node with no tried action.  0: no room. */
uint32_t tree_make_node(struct tree *tree, const struct tree_beginning *beginning);
/* Frees a node that nothing refers to. */
void tree_drop_node(struct tree *tree, uint32_t ref);
/* Makes a private copy of a node, which tree->nodes does not count; 0: no room.  tree_copy_node writes the
 * node's values to such a copy again (false: the node has grown, and there is no room), tree_drop_copy frees it. */
uint32_t tree_make_copy(struct tree *tree, const struct tree_node *node);
bool tree_copy_node(struct tree *tree, struct tree_node *copy, const struct tree_node *node);
void tree_drop_copy(struct tree *tree, uint32_t ref);

/* Gives action index (>= tried) statistics, which moves it to place `tried`; returns that
 * place. -1: no room. */
int tree_try(struct tree *tree, struct tree_node *node, int index);

/* Makes an edge whose count of visits is full forget one average visit, so that the next one
 * fits. */
void tree_fade_edge(const struct tree *tree, const struct tree_node *node, int index);

/* The sum of the utility over all visits of an edge.  mean * visits differs from it by the rounding
 * of the mean, at most two units in the last place; rounding to 50 bits (Dekker 1971) takes that
 * away.  So the sum is exact if 50 bits hold it, as they hold 2^49 results of 0, 1/2 and 1. */
static inline double tree_edge_sum(const struct tree_edge *edge)
{
    double product = edge->mean * edge->visits, high = product * 9;
    return high - (high - product);
}

/* Counts one more visit of an edge, which gave the mover this utility; the caller adds to other
 * sums afterwards. */
static inline void tree_visit_edge(const struct tree *tree, const struct tree_node *node, int index,
                                   double utility)
{
    struct tree_edge *edge = &tree_edges(tree, node)[index];
    if (edge->visits == UINT32_MAX)
        tree_fade_edge(tree, node, index);
    double sum = tree_edge_sum(edge) + utility;
    edge->mean = sum / ++edge->visits;
}

/* Makes room for n more actions at the end of node's list; the caller writes them and their
 * priors. Returns the index of the first one, or -1: no room. */
int tree_append(struct tree *tree, struct tree_node *node, int n);

/* Keeps only the n actions at the rising indices keep[n], with what is known of them.  False: no room. */
bool tree_keep_actions(struct tree *tree, struct tree_node *node, const uint16_t *keep, int n);

/* Exchanges two untried actions with their priors. */
void tree_swap(struct tree *tree, struct tree_node *node, int i, int j);

/* Moves the next action to try to index node->tried (< count), and returns that index.  The
 * next action is the first untried one of the list, or with priors the untried one of highest prior. */
int tree_next(struct tree *tree, struct tree_node *node);

/* The index of an action in node, -1: it is not there. */
int tree_find_action(const struct tree *tree, const struct tree_node *node, banyan_action action);

/* Working memory of tree_find_actions, for at most max_legal actions at once. */
struct tree_lookup {
    uint16_t *places; /* [size] */
    uint32_t size;    /* a power of 2, >= 2 * max_legal */
    uint8_t *known;   /* [max_legal] known[i]: node has actions[i], or it was named before */
};

/* Looks up n actions in node: writes the indices of those that node has to out[n], in rising
 * order, marks them in lookup->known, and returns how many there are.  If an action is named
 * twice, it counts once, and its second entry is always marked. */
int tree_find_actions(const struct tree *tree, const struct tree_node *node,
                      const banyan_action *actions, int n, const struct tree_lookup *lookup,
                      uint16_t *out);

/* The outcome of this key below *root, which is made if there is none; 0: no room. */
uint32_t tree_find_outcome(struct tree *tree, uint32_t *root, uint64_t key);
/* The outcome of this key, or 0. */
uint32_t tree_look_outcome(const struct tree *tree, uint32_t root, uint64_t key);

/* tree_find_outcome while threads share the tree: *root and the links below it are set once, by the
 * first thread.  If the root is a part of a node's block, the caller passes a copy of it, which
 * must not be 0. */
uint32_t tree_find_outcome_shared(struct tree *tree, uint32_t *root, uint64_t key);
/* Makes an outcome of this key that nothing refers to yet (0: no room); tree_drop_outcome frees such an outcome. */
uint32_t tree_make_outcome(struct tree *tree, uint64_t key);
void tree_drop_outcome(struct tree *tree, uint32_t ref);

/* Transpositions: tree_table_find returns the node of this key (0: none).  tree_table_enter enters
 * a node (unless the table is full), and returns the node to use for this key, which another thread
 * may have entered meanwhile. */
uint32_t tree_table_find(const struct tree *tree, uint64_t key);
uint32_t tree_table_enter(struct tree *tree, uint64_t key, uint32_t node);

/* Keeps the subtrees of the given root edges, the most visited nodes first, at most half of the
 * limit, and frees the rest. roots[] are updated. */
void tree_compact(struct tree *tree, struct tree_edge *roots, int count);

/* Bytes in use, and the most bytes of memory that the tree takes from the operating system. */
uint64_t tree_bytes_used(const struct tree *tree);
uint64_t tree_bytes_allocated(const struct tree *tree);

#endif
