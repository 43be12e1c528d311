/* The tree: nodes, edges and outcomes in one arena with a hard cap.
 *
 *   node -------> block:  [edge edge edge ...][columns ...][priors][missed][actions]
 *   (40 bytes)             |    \_ only as many as were tried, doubling
 *                          v
 *                 child = node                      where the future is certain
 *                 child = outcome ... outcome       else: a search tree by key
 *                            |-> node
 *
 * Everything is named by a 32-bit reference in units of 8 bytes; 0 is "none".
 * A node belongs to one mover.  Its actions stand in the order in which they
 * are tried, so the statistics are those of the first `tried` actions, and
 * memory for them grows with the visits.  The list of actions grows too, where
 * states of one information set have different ones, up to TREE_ACTIONS_MAX.  A leaf that was visited fewer than
 * `expand_visits` times lives in its edge (or outcome) alone.
 *
 * Optional statistics are columns that exist only when a setting needs them.
 * To add one: a name in enum tree_column, a row in tree_columns[], and whoever
 * wants it asks for its bit (a rule's `columns`, or create_columns()).
 *
 * Visits are counted in 32 bits, which hours of simulations fill.  A full edge
 * forgets one average visit for every new one: its mean goes on being a mean, of
 * the last 2^32 visits or so, and nothing has to stop.
 *
 * When the arena is full, or after a move, the subtree worth keeping (the most
 * visited nodes) is copied into the last third of the arena and moved down.
 */
#ifndef SEARCH_TREE_H
#define SEARCH_TREE_H

#include <banyan/game.h>
#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tree_edge {
    double sum; /* of the mover's utility over all visits, return units */
    uint32_t visits;
    uint32_t child; /* node; in a keyed tree: the root of its outcomes */
};

struct tree_outcome {
    uint64_t key;
    uint32_t left, right; /* outcomes of smaller and larger key */
    uint32_t node;
    uint32_t visits; /* arrivals */
};

enum { TREE_ACTIONS_MAX = UINT16_MAX - 1 }; /* of one node; even, as capacities are */

enum tree_flag {
    TREE_PENDING = 1,    /* made, but the evaluator's priors have not come yet */
    TREE_NEXT_FOUND = 2, /* the first untried action is the one of highest prior */
    TREE_UNVISITED = 4   /* an opening book may have given statistics to an action without visits */
};

struct tree_node {
    double
        sqrt_ln_visits; /* sqrt(ln visits): kept by the backup, since UCB1's way down would wait for it */
    uint64_t key;       /* of the mover's information set; 0 in an unkeyed tree */
    uint32_t block;
    uint32_t visits;    /* simulations that came by, those before it was made included */
    uint32_t in_flight; /* of them not yet backed up */
    uint32_t forward;   /* new place, while the tree is compacted */
    uint16_t count;     /* actions */
    uint16_t tried;     /* edges with statistics: the first of them */
    uint16_t capacity;  /* edges with room */
    uint8_t mover;
    uint8_t flags;
};

/* Bounds on player 0's return. */
struct tree_bounds {
    float lo, hi;
};

/* The optional columns, in the order in which they stand in a block; tree_columns[] (tree.c) describes them. */
enum tree_column {
    /* of edges: offset = coefficient * capacity */
    TREE_SQUARES,   /* double: sum of squared utility */
    TREE_REGRET,    /* double: cumulative regret */
    TREE_STRATEGY,  /* double: sum of strategies */
    TREE_VECTOR,    /* double[players]: sums by player */
    TREE_BOUNDS,    /* struct tree_bounds */
    TREE_IN_FLIGHT, /* uint32_t */
    TREE_EXPLORE,   /* float: 1/sqrt(visits), kept by the backup for the way down of UCB1 */
    TREE_EDGE_COLUMNS,
    /* of actions: behind those of edges, offset = coefficient * room of the list */
    TREE_PRIORS = TREE_EDGE_COLUMNS, /* float */
    TREE_MISSED,                     /* uint32_t: visits at which the action was not on offer */
    TREE_COLUMNS
};

/* A column is zero for a fresh edge, and for the actions of a fresh node but for priors, which come
 * with the node or later. Whatever moves a block copies all its columns (tree_rebuild(), compact.c). */
struct tree_column_kind {
    const char *name;
    unsigned bytes;  /* of an edge or action, of each player with by_player; a multiple of 4 */
    bool by_player;  /* one value for each player */
    bool is_fading;  /* double: a sum over visits, which shrinks when a full edge forgets one */
    bool is_written; /* by whoever makes the node or appends the action: nothing is zeroed */
};
extern const struct tree_column_kind tree_columns[TREE_COLUMNS];

/* A set of columns is a mask of these bits. */
#define TREE_COLUMN_BIT(column) (1u << (column))

/* A column that exists: for those who treat all alike. */
struct tree_column_place {
    unsigned at;    /* coefficient */
    unsigned bytes; /* of an edge or action */
    enum tree_column column;
};

/* What stands where in a block. */
struct tree_layout {
    unsigned columns;          /* which exist: bits */
    unsigned at[TREE_COLUMNS]; /* their coefficients */
    unsigned edge_bytes;       /* one edge with all its columns */
    unsigned list_bytes;       /* all columns of one action, but the action itself */
    unsigned action_bytes;
    struct tree_column_place places[TREE_COLUMNS]; /* [edge_columns], then [list_columns] */
    int edge_columns, list_columns;
    int players;
    bool keyed;   /* children are outcomes */
    bool growing; /* lists of actions may grow: they have some room to spare */
};

/* Gives each of the columns (bits) its place; players is set already. */
void tree_lay_out(struct tree_layout *layout, unsigned columns);

struct tree {
    unsigned char *base;
    struct tree_layout layout;
    uint32_t used, limit, size; /* in units; limit = 2/3 of size */
    uint32_t *free_blocks;      /* [free_sizes] lists of outgrown blocks by size in units */
    uint32_t free_sizes;
    uint32_t *table; /* transpositions: open addressing by key, 0 empty; NULL: off */
    uint32_t table_size, table_used;
    uint64_t nodes, edges, outcomes;
    uint64_t fixed_bytes; /* tables beside the arena */
    uint64_t compactions;
};

/* Reserves the arena: `bytes` in all, tables included.  BANYAN_INVALID: too few (64 KiB beside the
 * tables); BANYAN_NO_MEMORY: the system has not so much. */
enum banyan_status tree_init(struct tree *tree, const struct tree_layout *layout, uint64_t bytes,
                             bool transpositions, int max_legal);
/* Makes nodes of max_legal actions possible, and takes extra_bytes for the caller too: all of it
 * from the end of the arena, so that the cap holds.  False: refused, nothing changed. */
bool tree_reserve(struct tree *tree, int max_legal, size_t extra_bytes);
void tree_free(struct tree *tree);
void tree_clear(struct tree *tree);

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

/* One more of what is not divided by: at the end of its range it goes back and forth between the
 * last two values, so that its parity goes on changing too. */
static inline void tree_count(uint32_t *visits)
{
    *visits = *visits < UINT32_MAX ? *visits + 1 : UINT32_MAX - 1;
}

/* A sum of visits as far as it can be counted. */
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

/* The same; NULL: it does not exist. */
static inline void *tree_column_or_null(const struct tree *tree, const struct tree_node *node,
                                        enum tree_column column)
{
    return tree_has(tree, column) ? tree_column(tree, node, column) : NULL;
}

/* Where the columns of actions begin. */
static inline unsigned char *tree_lists(const struct tree *tree, const struct tree_node *node)
{
    return tree->base + (size_t)node->block * 8 + (size_t)tree->layout.edge_bytes * node->capacity;
}

/* The first list. */
static inline float *tree_priors(const struct tree *tree, const struct tree_node *node)
{
    return (float *)(void *)tree_lists(tree, node);
}

/* Actions for which a list of count has room: where lists grow, at most a quarter more, so that
 * appending one by one moves a long list seldom. */
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

/* A block of this capacity and so many actions, in units. */
static inline uint32_t tree_block_units(const struct tree_layout *layout, size_t capacity,
                                        size_t count)
{
    size_t bytes = tree_actions_offset(layout, capacity, count) +
                   layout->action_bytes * tree_list_room(layout, count);
    return (uint32_t)((bytes + 7) / 8);
}

/* How many of the node's visits came with states in which an action was not legal. */
static inline uint32_t *tree_missed(const struct tree *tree, const struct tree_node *node)
{
    return (uint32_t *)(void *)(tree_lists(tree, node) +
                                tree->layout.at[TREE_MISSED] *
                                    tree_list_room(&tree->layout, node->count));
}

static inline unsigned char *tree_actions(const struct tree *tree, const struct tree_node *node)
{
    return tree->base + (size_t)node->block * 8 +
           tree_actions_offset(&tree->layout, node->capacity, node->count);
}

static inline banyan_action tree_action(const struct tree *tree, const struct tree_node *node,
                                        int index)
{
    const unsigned char *actions = tree_actions(tree, node);
    switch (tree->layout.action_bytes) {
    case 1:
        return actions[index];
    case 2: {
        uint16_t action;
        memcpy(&action, actions + 2 * (size_t)index, sizeof action);
        return action;
    }
    case 4: {
        uint32_t action;
        memcpy(&action, actions + 4 * (size_t)index, sizeof action);
        return action;
    }
    default: {
        uint64_t action;
        memcpy(&action, actions + 8 * (size_t)index, sizeof action);
        return action;
    }
    }
}

void tree_set_action(const struct tree *tree, const struct tree_node *node, int index,
                     banyan_action action);

/* Room for one more simulation that makes at most `nodes` nodes of max_legal actions each. */
bool tree_has_room(const struct tree *tree, int nodes, int max_legal);

/* What a node begins with. */
struct tree_beginning {
    uint64_t key;
    int mover;
    uint32_t visits;
    const banyan_action *actions; /* [count], copied */
    const float *priors;          /* [count], copied; NULL: they come later, or never */
    int count;
    int capacity; /* edges with room, at most count */
};

/* A new node, of whose actions none is tried. 0: no room. */
uint32_t tree_make_node(struct tree *tree, const struct tree_beginning *beginning);

/* Gives action index (>= tried) statistics: it moves to place `tried`, which is returned. -1: no
 * room. */
int tree_try(struct tree *tree, struct tree_node *node, int index);

/* Makes an edge whose visits are full forget one average visit: the next one counts. */
void tree_fade_edge(const struct tree *tree, const struct tree_node *node, int index);

/* One more visit of an edge, whose sums the caller adds to afterwards. */
static inline void tree_count_edge(const struct tree *tree, const struct tree_node *node, int index)
{
    struct tree_edge *edge = &tree_edges(tree, node)[index];
    if (edge->visits == UINT32_MAX)
        tree_fade_edge(tree, node, index);
    ++edge->visits;
}

/* Room for n more actions at the end of node's list, which the caller writes, with their priors; the
 * index of the first of them, or -1: no room. */
int tree_append(struct tree *tree, struct tree_node *node, int n);

/* Exchanges two untried actions with their priors. */
void tree_swap(struct tree *tree, struct tree_node *node, int i, int j);

/* The index of the action to be tried next, which is node->tried (< count): the first of the list,
 * or the one of highest prior, which is brought there. */
int tree_next(struct tree *tree, struct tree_node *node);

/* The index of an action in node, -1: none. */
int tree_find_action(const struct tree *tree, const struct tree_node *node, banyan_action action);

/* Working memory of tree_find_actions, for at most max_legal actions at once. */
struct tree_lookup {
    uint16_t *places; /* [size] */
    uint32_t size;    /* a power of 2, >= 2 * max_legal */
    uint8_t *known;   /* [max_legal] known[i]: node has actions[i] */
};

/* Looks up n actions in node: out[n] gets the indices of those that node has, in rising order, and
 * lookup->known says which these are.  How many it has.  An action that is named twice counts once:
 * known[] says of the second that nothing is missing. */
int tree_find_actions(const struct tree *tree, const struct tree_node *node,
                      const banyan_action *actions, int n, const struct tree_lookup *lookup,
                      uint16_t *out);

/* The outcome of this key below *root, made if it is new; 0: no room. */
uint32_t tree_find_outcome(struct tree *tree, uint32_t *root, uint64_t key);
/* The same without making it. */
uint32_t tree_look_outcome(const struct tree *tree, uint32_t root, uint64_t key);

/* Transpositions: the node of this key, 0: none; and entering one. */
uint32_t tree_table_find(const struct tree *tree, uint64_t key);
void tree_table_enter(struct tree *tree, uint64_t key, uint32_t node);

/* Keeps what hangs below the given root edges, most visited first, at most half of the limit, and
 * gives back the rest. roots[] are updated. */
void tree_compact(struct tree *tree, struct tree_edge *roots, int count);

/* Bytes in use, and bytes that the operating system may have to give. */
uint64_t tree_bytes_used(const struct tree *tree);
uint64_t tree_bytes_allocated(const struct tree *tree);

#endif
